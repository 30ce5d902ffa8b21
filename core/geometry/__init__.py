"""Map geometry for rules and drawing: adjacency, hexes, shortest paths, outlines.

Nothing here knows a game or a table. The caller supplies which places can be entered at the moment, so nothing that changes during
a match is stored with a board.
"""
