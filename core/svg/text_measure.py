"""Widths of text in the fonts of drawings, letter by letter, for layouts in which a line must fit exactly."""

from functools import lru_cache

KEPT_MAX = 4_096
WIDTHS = {
    0.28: "ijlI.,:;'!|/ tf",
    0.34: "r-()[]",
    0.5: "ckvxyzsJ",
    0.59: "+−=<>→",
    0.72: "wCDHNRU",
    0.67: "ABEKPSVXY&",
    0.78: "GOQ",
    0.84: "mM",
    0.95: "W%★",
}
"""The widths of letters, in parts of the size of the font; every other letter, and every figure, is as wide as an n."""
USUAL = 0.56
BOLD = 1.08
"""How much wider bold letters are."""
_EACH = {letter: width for width, letters in WIDTHS.items() for letter in letters}


@lru_cache(maxsize=KEPT_MAX)
def measured(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return how wide a line of text is, in the unit of its size."""
    return sum(_EACH.get(letter, USUAL) for letter in text) * size * (BOLD if is_bold else 1.0)


def broken(text: str, width: float, size: float, *, is_bold: bool = False) -> list[str]:
    """Break text into lines within a width; a single long word is not broken."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measured(longer, size, is_bold=is_bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(text: str, width: float, size: float, *, is_bold: bool = False) -> float:
    """Return the size, at most the given one, in which a line of text fits into a width."""
    wide = measured(text, size, is_bold=is_bold)
    return size if wide <= width else size * width / wide
