"""Maps as rules and pictures need them: which places touch, hexes, shortest ways, outlines.

Nothing here knows a game or a table. What may be entered or passed right now is asked of the caller each time, so that nothing
that changes during a match is kept with a board.
"""
