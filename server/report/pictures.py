"""The pictures of a report: one for each moment, of which all parts that do not change are in the page once."""

from collections.abc import Sequence

from core.drawing.drawing import drawing_of, spread_of
from core.drawing.picture_svg import draw_legend, draw_series
from core.narration.narration_port import Narration
from server.page_parts.html import Html, div, tag
from server.page_parts.picture import map_figure, map_key, panelled
from server.page_parts.story import Story
from server.page_parts.strip_html import strips_of

PARTS_LEVEL = 4
"""The level of the headings of strips and panels, below that of a stretch of the match."""


class Pictures:
    """The pictures of some moments.

    Args:
        story: The match.
        narration: What draws it.
        moments: The events after which the table is drawn, in order. What changed since the moment before is marked.
        title: The title of the game.

    Attributes:
        definitions: What all pictures use; the page must have it.
        legend: What the pictures show, each thing once.
    """

    def __init__(self, story: Story, narration: Narration, moments: Sequence[int], title: str) -> None:
        self._story = story
        self._narration = narration
        self._title = title
        series = []
        self._strips: dict[int, Html | None] = {}
        self._last = moments[-1] if moments else 0
        before = story.table(0)
        keys: dict[str, str] = {}
        remarks: dict[str, None] = {}
        for number in moments:
            table = story.table(number)
            drawing = drawing_of(narration, table, title)
            spread = spread_of(drawing, narration, table, before, near=table.side_of(story.seat))
            series.append((drawing.sheet, spread))
            self._strips[number] = strips_of(drawing.sheet, spread, PARTS_LEVEL)
            keys.update({text: sample for sample, text in draw_legend(drawing.sheet, spread)})
            remarks.update({drawing.sheet.remark: None} if drawing.sheet.remark else {})
            before = table
        definitions, drawn = draw_series(series)
        self.definitions = Html(definitions)
        self._drawn = dict(zip(moments, drawn, strict=True))
        key = map_key((sample, text) for text, sample in keys.items())
        self.legend = div("legend", key, [tag("p", {"class": "remark"}, remark) for remark in remarks])

    def one(self, number: int, caption: str) -> Html:
        """Return the picture of a moment; strips and panels are folded away, and on paper left out, but for those of the last moment."""
        maps = [map_figure(name, svg, f"{name or self._title}, {caption}") for name, svg in self._drawn[number]]
        panels = panelled(self._narration, self._story.table(number), PARTS_LEVEL)
        summary = tag("summary", None, f"Tracks, boxes and cards after event {number}, and the table in words")
        beside = tag("details", {"open": number == self._last}, summary, self._strips[number], panels)
        several = "maps several" if len(maps) > 1 else "maps"
        return div("picture", tag("p", {"class": "caption"}, caption), div(several, maps), beside)
