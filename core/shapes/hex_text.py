"""Draws hexes with a flat top as text, for terminals: two lines of three characters in each hex, 19 columns in 77 characters."""

from collections.abc import Mapping

from core.geometry.hexes import Hex

CELL = 3
"""How many characters a line of a hex holds."""


def draw_hexes(cells: Mapping[Hex, tuple[str, str]]) -> tuple[str, ...]:
    """Draw hexes with two short texts in each; what is longer than a line of a hex is cut.

    Args:
        cells: The upper and the lower text of each hex; at least one hex.

    Returns:
        The lines from top to bottom, without white space at their ends.
    """
    left = min(hex_.q for hex_ in cells)
    top = min(2 * hex_.r + hex_.q for hex_ in cells)
    signs: dict[tuple[int, int], str] = {}
    for hex_, (upper, lower) in cells.items():
        x, y = (CELL + 1) * (hex_.q - left), 2 * hex_.r + hex_.q - top + 1
        signs |= {(x, y): "/", (x + CELL + 1, y): "\\", (x, y + 1): "\\", (x + CELL + 1, y + 1): "/"}
        for place in range(CELL):
            signs[x + 1 + place, y] = f"{upper[:CELL]:^{CELL}}"[place]
            signs[x + 1 + place, y + 1] = f"{lower[:CELL]:^{CELL}}".replace(" ", "_")[place]
            # The edge above is the lower line of another hex, if there is one.
            signs.setdefault((x + 1 + place, y - 1), "_")
    height = max(y for _, y in signs) + 1
    width = max(x for x, _ in signs) + 1
    return tuple("".join(signs.get((x, y), " ") for x in range(width)).rstrip() for y in range(height))
