"""The picture of a table on a page: the maps, what their colours mean, the strips and the panels beside them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.drawing.drawing import panels_of
from core.drawing.picture_svg import draw_legend, draw_maps
from core.narration.narration_port import Narration
from core.narration.render_model import Panel
from core.narration.sheet import Sheet, Spread
from core.svg.highlights import Lit
from core.telling.names import Names
from core.telling.secret_panel import secret_panel
from projections.state.table import Table
from server.page_parts.html import Html, div, span, tag
from server.page_parts.strip_html import strips_of


def pictured(
    sheet: Sheet, spread: Spread, title: str, lit: Mapping[str, Lit], *, level: int, first: Collection[str] = ()
) -> tuple[Html, Html | None]:
    """Return the maps of a table and the strips beside them.

    Args:
        sheet: The printed maps.
        spread: What lies on them.
        title: The title of the game.
        lit: The places, pieces and cards that can be chosen.
        level: The level of the headings of strips, 1 to 6.
        first: The cards that lie first in a hand.
    """
    maps = [map_figure(name, svg, name or title) for name, svg in draw_maps(sheet, spread, lit)]
    kind = "maps" if spread.cards is None else "maps tabled"
    return div(kind, maps, map_legend(sheet, spread)), strips_of(sheet, spread, level, lit, first)


def map_legend(sheet: Sheet, spread: Spread) -> Html:
    """Return what the maps show, folded, and how far they can be trusted."""
    remark = tag("p", {"class": "remark"}, sheet.remark) if sheet.remark else None
    key = map_key(draw_legend(sheet, spread))
    return tag("details", {"class": "legend"}, tag("summary", None, "What the map shows"), key, remark)


def map_figure(name: str, svg: str, label: str) -> Html:
    """Return a map under its name, if it has one."""
    sheet = tag("div", {"class": "sheet", "tabindex": 0, "role": "group", "aria-label": label}, Html(svg))
    return tag("figure", {"class": "map"}, tag("figcaption", None, name) if name else None, sheet)


def map_key(entries: Iterable[tuple[str, str]]) -> Html:
    """Return what maps show, each a sample with its meaning (`core.drawing.picture_svg.draw_legend`)."""
    rows = [
        tag("li", None, tag("svg", {"viewBox": "0 0 28 16", "aria-hidden": "true"}, Html(sample)), span("", text))
        for sample, text in entries
    ]
    return tag("ul", None, rows)


def panelled(narration: Narration, table: Table, level: int) -> Html:
    """Return the panels of a table, with headings of a level, 1 to 6."""
    secrets = secret_panel(Names(narration), table) if narration.picture(table) is None else None
    panels = (*panels_of(narration, table), *([secrets] if secrets is not None else []))
    return div("panels", [_panel(panel, level) for panel in panels])


def _panel(panel: Panel, level: int) -> Html:
    wide = max([len(panel.header), *map(len, panel.rows)], default=0)
    head = tag("thead", None, _row("th", panel.header, panel.right)) if any(panel.header) else None
    body = tag("tbody", None, [_row("td", row, panel.right) for row in panel.rows])
    return tag(
        "section",
        {"class": "panel private" if panel.is_private else "panel"},
        tag(f"h{level}", None, panel.title) if panel.title else None,
        [tag("p", None, line.strip()) for line in panel.lines],
        tag("div", {"class": "wide"}, tag("table", None, head, body)) if wide else None,
    )


def _row(cell: str, texts: Sequence[str], right: Sequence[int]) -> Html:
    scope = "col" if cell == "th" else None
    return tag(
        "tr",
        None,
        [tag(cell, {"class": "right" if n in right else None, "scope": scope}, text) for n, text in enumerate(texts)],
    )
