"""Lays text out in columns."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from textwrap import wrap

GAP = "  "
UNBROKEN = "\N{NO-BREAK SPACE}"
WIDTH_MIN = 16
"""Width below which a column is not narrowed."""
WIDTH_LEGIBLE = 24
"""While the widest column alone can be narrowed to this width, the others keep theirs."""


def in_columns(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    right: Sequence[int] = (),
    least: int = WIDTH_MIN,
) -> list[str]:
    """Lay rows out in columns; if they do not fit, the widest ones are wrapped.

    Args:
        header: The columns' titles; all empty for none.
        rows: As many cells each as there are titles.
        width: How many characters fit side by side.
        right: Which columns, counted from 0, are set flush right.
        least: Width below which a column is not narrowed. If it is less than usual, words are broken that do not fit.

    Returns:
        The lines, without white space at their ends.
    """
    titled = [list(header), *map(list, rows)] if any(header) else [list(row) for row in rows]
    if not titled:
        return []
    widths = [max(map(len, column)) for column in zip(*titled, strict=True)]
    natural = list(widths)
    _give_way(widths, width - len(GAP) * (len(widths) - 1), least)
    # Nearly every row fits, and wrapping would take a hundred times as long as a template.
    template = GAP.join([f"%{'' if column in right else '-'}{wide}s" for column, wide in enumerate(widths)])
    lines: list[str] = []
    for row in titled:
        line = template % tuple(row)
        fits = widths == natural or all(len(cell) <= wide for cell, wide in zip(row, widths, strict=True))
        if fits and line.isprintable():
            lines.append(line.rstrip(" "))
        else:
            cells = [
                _wrapped_cell(cell, max(1, wide), is_broken=least < WIDTH_MIN)
                for cell, wide in zip(row, widths, strict=True)
            ]
            lines += [(template % parts).rstrip() for parts in zip_longest(*cells, fillvalue="")]
    return lines


@lru_cache(maxsize=1_024)
def _wrapped_cell(cell: str, width: int, *, is_broken: bool) -> list[str]:
    """Wrap a cell, but never between a number and a unit of time; cached, because the rows of a long table repeat their cells."""
    if len(cell) <= width and cell.isprintable():
        return [cell]
    kept = re.sub(r"(?<=[0-9]) (?=(?:s|min|h|d)\b)", UNBROKEN, cell)
    return [
        line.replace(UNBROKEN, " ") for line in wrap(kept, width, break_long_words=is_broken, break_on_hyphens=False)
    ]


def _give_way(widths: list[int], room: int, least: int) -> None:
    """Make columns narrower until they fit: first the widest alone, as long as it stays legible, then always the widest."""
    widest = widths.index(max(widths))
    alone = room - sum(widths) + widths[widest]
    if alone >= WIDTH_LEGIBLE:
        widths[widest] = min(widths[widest], alone)
    while sum(widths) > room and max(widths) > least:
        widths[widths.index(max(widths))] -= 1


def wrapped(first: str, text: str, width: int) -> list[str]:
    """Wrap a text with a hanging indentation as wide as its prefix, unless too little width would be left."""
    return wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * (len(first) if 3 * len(first) <= 2 * width else 4),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first]
