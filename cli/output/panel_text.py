"""Panels as text: one below the other, or abreast where they tell the same of several things and there is room."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest

from cli.output.columns import GAP, in_columns, wrapped
from core.narration.render_model import Panel

Paint = Callable[[str, str], str]
"""Gives a text a colour."""

COLUMN_MIN = 24
"""The least width of a panel that stands beside another."""


def side_by_side(panels: Sequence[Panel], width: int) -> Iterator[tuple[Panel, ...]]:
    """Yield the panels that stand beside each other, if all of them fit into one row; others by themselves."""
    for is_abreast, group in groupby(panels, lambda panel: panel.is_abreast):
        found = tuple(group)
        wanted = _label_width(found) + len(found) * (len(GAP) + COLUMN_MIN)
        yield from [found] if is_abreast and wanted <= width else [(one,) for one in found]


def panel_lines(panels: Sequence[Panel], width: int, paint: Paint) -> Iterator[str]:
    """Yield the lines of panels that stand beside each other, or of a single one.

    Args:
        panels: One or more, as `side_by_side` yields them.
        width: How many characters fit side by side.
        paint: Gives a text a colour.
    """
    if len(panels) > 1:
        yield from _abreast(panels, width)
        return
    (panel,) = panels
    if panel.title:
        yield paint(panel.title, "")
    for line in panel.lines:
        indent = " " * (len(line) - len(line.lstrip()))
        yield from wrapped(indent, line.lstrip(), width)
    if panel.rows:
        header = panel.header or ("",) * len(panel.rows[0])
        yield from in_columns(header, panel.rows, width, right=panel.right)


def _abreast(panels: Sequence[Panel], width: int) -> list[str]:
    """Write panels in columns: their lines first, then what each has beside the label of a row."""
    told = [_by_label(panel) for panel in panels]
    blank = ("",) * (len(panels) + 1)
    rows = [("", *(line.strip() for line in lines)) for lines in _aligned([panel.lines for panel in panels])]
    for label in dict.fromkeys(label for one in told for label in one):
        below = [(label, *cells) for cells in _aligned([one.get(label, ()) for one in told])]
        rows += [below[0], *(("", *cells[1:]) for cells in below[1:])]
    lead = max(len(panel.lines) for panel in panels)
    return in_columns(blank, [*rows[:lead], blank, *rows[lead:]], width)


def _aligned(columns: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    return zip_longest(*columns, fillvalue="")


def _by_label(panel: Panel) -> dict[str, list[str]]:
    """Return what a panel has beside each label; a row without one belongs to the label above it."""
    found: dict[str, list[str]] = {}
    label = ""
    for first, *others in panel.rows:
        label = first or label
        found.setdefault(label, []).append(GAP.join(others))
    return found


def _label_width(panels: Sequence[Panel]) -> int:
    return max((len(row[0]) for panel in panels for row in panel.rows), default=0)
