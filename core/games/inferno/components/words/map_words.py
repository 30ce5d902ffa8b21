"""Words of the printed map: terrain, and the directions as it is drawn."""

from core.games.inferno.components.board_records import CLEAR, ROUGH, URBAN

TERRAIN_NAMES = {CLEAR: "Clear", ROUGH: "Rough", URBAN: "Urban"}

DIRECTIONS = ("up", "up right", "down right", "down", "down left", "up left")
"""The directions on the map as it is drawn, clockwise from straight up."""
