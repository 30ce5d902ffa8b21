"""Two lines of a match side by side: what was told from the first event that differs, what differs on the tables, and both pictures."""

from collections.abc import Sequence
from itertools import groupby

from core.drawing.drawing import drawing_of, spread_of
from core.drawing.picture_svg import draw_legend, draw_series
from core.telling.chosen_options import title_of
from core.telling.table_difference import difference_rows
from events.ids import PUBLIC
from events.vocabulary import Event
from projections.diff import Parting, diff_tables, parting
from projections.state.table import Table
from server.page_parts.html import Content, Html, div, link, span, tag
from server.page_parts.picture import map_figure, map_key
from server.page_parts.story import Story
from server.web.http.addresses import at_match, compared
from server.web.http.page_frame import page

LINES_MAX = 30
"""How many sentences of each line are shown."""
PICTURES = (
    "Red on B are counters that stand elsewhere in A, with an arrow from where that is, and places that another side controls there. "
    "What else differs, such as a track, is in the list below."
)
ROWS_SHOWN = 40
"""How many differences of the tables are shown at once; the others are folded away."""


def diff_page(stories: tuple[Story, Story], numbers: tuple[int, int]) -> str:
    """Return the page that compares two lines.

    Args:
        stories: The lines, of one game, as the same seat has seen them.
        numbers: The event after which each is compared.
    """
    tables = (stories[0].table(numbers[0]), stories[1].table(numbers[1]))
    found = parting(_events(stories[0], numbers[0]), _events(stories[1], numbers[1]))
    story = stories[0]
    viewer = "" if story.seat == PUBLIC else f", as {story.names.seat(story.seat)}"
    header = [span("game", title_of(story.now.game)), span("stand", f"two lines side by side{viewer}")]
    if found is None:
        said: list[Content] = [tag("p", None, "The two lines are the same, event by event.")]
    else:
        said = [_logs(stories, numbers, found), _pictures(stories, tables), _differences(stories, tables)]
    named = [link(_at(story, number), _name(story, number)) for story, number in zip(stories, numbers, strict=True)]
    swapped = compared(stories[1].match, stories[0].match, stories[0].seat)
    return page(
        "Two lines side by side",
        tag("h1", None, "Two lines side by side"),
        tag("p", None, "A is ", named[0], "; B is ", named[1], ". ", link(swapped, "Swap them")),
        said,
        kind="diff",
        header=header,
    )


def _events(story: Story, number: int) -> Sequence[Event]:
    return story.events[:number]


def _name(story: Story, number: int) -> str:
    return f"match {story.match} after event {number}"


def _at(story: Story, number: int | None) -> str:
    return at_match(story.match, number, story.seat, to="now")


def _logs(stories: tuple[Story, Story], numbers: tuple[int, int], found: Parting) -> Html:
    # A line that is the beginning of the other one parts from it after its last event.
    parted = (
        found.number_a if found.a is not None else numbers[0] + 1,
        found.number_b if found.b is not None else numbers[1] + 1,
    )
    columns = [
        tag(
            "section",
            {"aria-label": f"What happened in {name}"},
            tag("h3", None, f"{name}, from event {first}" if first <= number else f"{name}: nothing more"),
            _told(story, first, number),
        )
        for name, story, number, first in zip("AB", stories, numbers, parted, strict=True)
    ]
    same = min(parted) - 1
    lead = f"The first {same} events of A are also those of B." if same else "From the first event on they differ."
    more = abs(parted[0] - parted[1])
    name = "AB"[parted[1] > parted[0]]
    extra = f"{name} has {more} more: the event{'' if more == 1 else 's'} that made it a fork." if more else None
    return tag(
        "section",
        {"class": "parting"},
        tag("h2", None, "What happened"),
        tag("p", None, lead, " ", extra),
        div("pair", columns),
    )


def _told(story: Story, first: int, last: int) -> Content:
    told = [one for one in story.told if one.line.last >= first and one.line.first <= last]
    shown, left = told[:LINES_MAX], len(told) - LINES_MAX
    chapters: list[Content] = []
    for heading, group in groupby(shown, lambda one: one.heading):
        rows = [
            tag(
                "li",
                None,
                link(
                    _at(story, one.line.last),
                    span("no", one.line.numbers),
                    span("said", one.line.sentence),
                    class_="line",
                ),
            )
            for one in group
        ]
        chapters += [tag("h4", None, story.heading(heading)), tag("ol", None, rows)]
    more = link(_at(story, shown[-1].line.last), f"{left} more sentences", class_="more") if left > 0 else None
    return [chapters, more]


def _differences(stories: tuple[Story, Story], tables: tuple[Table, Table]) -> Html:
    sights = (stories[0].names.on(tables[0]), stories[1].names.on(tables[1]))
    rows = list(difference_rows(sights, diff_tables(*tables), is_full=False))
    if not rows:
        return tag("section", None, tag("h2", None, "The tables"), tag("p", None, "The tables are equal."))
    shown, rest = rows[:ROWS_SHOWN], rows[ROWS_SHOWN:]
    left = len(rows) - ROWS_SHOWN
    summary = tag("summary", None, f"{left} more difference{'' if left == 1 else 's'}")
    more = tag("details", {"class": "needs"}, summary, div("wide", _table(rest))) if rest else None
    return tag("section", None, tag("h2", None, "What differs on the tables"), div("wide", _table(shown)), more)


def _table(rows: Sequence[Sequence[str]]) -> Html:
    head = tag("tr", None, [tag("th", {"scope": "col"}, name) for name in ("What", "in A", "in B")])
    body = [
        tag("tr", None, tag("th", {"scope": "row"}, what), [tag("td", None, value) for value in values])
        for what, *values in rows
    ]
    return tag("table", {"class": "differences"}, tag("thead", None, head), tag("tbody", None, body))


def _pictures(stories: tuple[Story, Story], tables: tuple[Table, Table]) -> Html | None:
    """Return both pictures; on that of B is marked what differs from A."""
    narrations = (stories[0].narration, stories[1].narration)
    if narrations[0] is None or narrations[1] is None:
        return None
    series, key = [], dict[str, str]()
    for narration, table in zip(narrations, tables, strict=True):
        assert narration is not None
        drawing = drawing_of(narration, table, title_of(stories[0].now.game))
        spread = spread_of(drawing, narration, table, tables[0], near=table.side_of(stories[0].seat))
        series.append((drawing.sheet, spread))
        key.update({text: sample for sample, text in draw_legend(drawing.sheet, spread)})
    shared, drawn = draw_series(series)
    columns = [
        tag("section", {"aria-label": name}, tag("h3", None, name), div("maps", [_figure(name, *one) for one in maps]))
        for name, maps in zip("AB", drawn, strict=True)
    ]
    lead = tag("p", None, PICTURES)
    legend = tag(
        "details",
        {"class": "legend"},
        tag("summary", None, "What the maps show"),
        map_key((sample, text) for text, sample in key.items()),
    )
    parts = [tag("h2", None, "The pictures"), lead, Html(shared), div("pair", columns), legend]
    return tag("section", {"class": "pictures"}, parts)


def _figure(name: str, title: str, svg: str) -> Html:
    return map_figure(title, svg, f"{name}: {title}" if title else name)
