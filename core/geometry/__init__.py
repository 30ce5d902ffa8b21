"""Geometry of maps for rules: adjacency, hexes, shortest paths, roads.

Nothing here knows a game or a table. The caller supplies which places can be entered at the moment, so nothing that changes during
a match is stored with a board. The shapes of places on drawn maps are in `core.shapes`.
"""
