"""Trials on the page of a study: the options of a moment, what came of those that were tried, and two lines side by side."""

from collections.abc import Sequence
from typing import NamedTuple

from core.trials.trial_words import shares_words
from core.wording import counted, does
from events.ids import NO_SEAT, MatchId, Seat, StudyId
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, html, link, span, tag
from server.web.backend.processes.process_runs import Progress
from server.web.backend.trial_runs import TIMES, Option, Trying
from server.web.http.addresses import of_study
from server.web.pages.tried_options import scale_of, share_row, shares_table, tried_panel
from server.web.panels.share_panel import AGAIN_S

TRIED_MAX = 8
"""So many options are tried at once at most; where there are more, the reader marks which."""
LISTED_MAX = 60
"""How many options are listed."""
COMPARE = "compare"
"""The field of an address that names the lines that are compared, by their entries."""
MARK = "o."
"""The beginning of the names of the fields that mark an option, before its number."""


class ToTry(NamedTuple):
    """The decision at which options are tried: its event by the visitor's count, its options, and what is known of trials; `why` nothing can be tried."""

    number: int
    options: Sequence[Option] = ()
    trying: Trying | None = None
    why: str = ""


class ComparedLine(NamedTuple):
    """A line in a comparison: its name, what is told of it first, how it ended, and the trials from there on."""

    name: str
    first: str
    result: str = ""
    trying: Trying | None = None


class Comparison(NamedTuple):
    """Two lines, the event at which they part, and the side whose wins are counted; `chosen` is what the address says of them."""

    chosen: str
    at: int
    side: str
    lines: tuple[ComparedLine, ComparedLine]
    may_be_played_on: bool


class Sending(NamedTuple):
    """Means of the forms: the study, its address at the moment, the proof, the event that is shown, and the seat that writes, if one does."""

    match: MatchId
    study: StudyId
    token: str
    at: int
    writer: Html | None

    def form(self, do: str, *contents: Content, class_: str = "") -> Html:
        """Return a form of the study that does something at the moment."""
        hidden = hidden_fields({"do": do, "at": str(self.at)})
        return form(of_study(self.match, self.study, NO_SEAT, None), self.token, hidden, *contents, class_=class_)


# Options


def trying_panel(shown: ToTry | None, sending: Sending) -> Html | None:
    """Return what can be tried at a moment, what is being tried, and what came of it; None where no bots play on."""
    if shown is None:
        return None
    if shown.why:
        return tag("p", {"class": "remark"}, shown.why)
    trying = shown.trying
    table = None if trying is None else trying.as_table(shown.number)
    progress = None if trying is None else tag("p", {"class": "remark", "role": "status"}, _progress(trying))
    kept = None
    if table is not None and sending.writer is not None:
        button = tag("button", {"type": "submit"}, "Keep this table in the study")
        kept = sending.form("keep", sending.writer, button)
    parts = [progress, None if trying is not None and trying.run.is_going_on else html([kept, _choice(shown, sending)])]
    attributes: dict[str, Attribute] = {"id": "tried", "class": None if table else "panel whatif"}
    attributes["data-again"] = AGAIN_S if trying is not None and trying.run.is_going_on else None
    if table is None:
        return tag("section", attributes, tag("h2", None, f"What if, at {shown.number}"), parts)
    return tag("section", attributes, tried_panel(table, parts))


def _choice(shown: ToTry, sending: Sending) -> Html:
    """Return the form that has options tried: all of few, or those that are marked."""
    is_few = len(shown.options) <= TRIED_MAX
    boxes = [
        tag(
            "label",
            {"class": "mark"},
            tag("span", None, one.words),
            tag("input", {"type": "checkbox", "name": f"{MARK}{number}", "value": 1, "checked": is_few}),
        )
        for number, one in enumerate(shown.options, start=1)
    ]
    title = f"All {len(boxes)} options" if is_few else f"Mark up to {TRIED_MAX} of {counted(len(boxes), 'option')}"
    fold = tag("details", {"class": "which", "open": not is_few}, tag("summary", None, title), div("marks", boxes))
    button = tag("button", {"type": "submit", "class": "main"}, f"Try each {TIMES} times")
    told = tag(
        "p", {"class": "remark"}, "Bots play on to the end from what the seat knew. It ends when nobody looks any more."
    )
    return sending.form("try", told, fold, button, class_="choice")


def _progress(trying: Trying) -> Content:
    """Return how far trials are, and how more of them comes onto the page."""
    run = trying.run
    if run.problem:
        return f"Nothing is told: {run.problem}."
    if run.progress == Progress.DONE:
        return None if trying.times >= TIMES else f"Ended after {trying.times} of {TIMES}."
    said = "They wait for their turn. " if run.progress == Progress.WAITING else f"{trying.times} of {TIMES} so far. "
    return [
        said,
        span("if-scripted", "More appears here by itself."),
        span("if-plain", "Load the page again for more."),
    ]


# Lines


def comparison_panel(shown: Comparison | str, sending: Sending) -> Html:
    """Return two lines side by side: where they part, and how often a side wins from there on; or why there is no comparison."""
    if isinstance(shown, str):
        said = tag("p", {"class": "remark", "role": "status"}, shown)
        return tag("section", {"id": "compared", "class": "panel whatif"}, tag("h2", None, "Compare"), said)
    names = [one.name for one in shown.lines]
    known = [one.trying for one in shown.lines if one.trying is not None]
    is_going_on = any(one.run.is_going_on for one in known)
    attributes: dict[str, Attribute] = {
        "id": "compared",
        "class": "panel whatif",
        "data-again": AGAIN_S if is_going_on else None,
    }
    ways = [
        tag(
            "tr",
            None,
            tag("th", {"scope": "row"}, one.name),
            tag("td", None, one.first or "nothing more"),
            tag("td", None, one.result or "goes on"),
        )
        for one in shown.lines
    ]
    button = tag("button", {"type": "submit"}, f"Play on from both {TIMES} times")
    start = (
        sending.form("compare", hidden_fields({COMPARE: shown.chosen}), button)
        if shown.may_be_played_on and not is_going_on
        else None
    )
    return tag(
        "section",
        attributes,
        tag("h2", None, "Compare ", tag("bdi", None, names[0]), " and ", tag("bdi", None, names[1])),
        tag("p", {"class": "remark"}, f"They part at event {shown.at}."),
        tag(
            "table",
            None,
            tag("tr", None, [tag("th", {"scope": "col"}, head) for head in ("Line", "First", "Result")]),
            ways,
        ),
        _shares(shown),
        [
            tag("p", {"class": "remark", "role": "status"}, _progress(one))
            for one in sorted(known, key=lambda one: one.run.is_going_on)[-1:]
        ],
        start,
    )


def _shares(shown: Comparison) -> Html | None:
    """Return the shares of both lines with their intervals; None before both have some."""
    found = [(one.name, one.trying.share) for one in shown.lines if one.trying is not None]
    shares = [(name, share) for name, share in found if share is not None]
    if len(shares) < 2:
        return None
    upto = scale_of([share for _, share in shares])
    rows = [share_row(name, share, upto) for name, share in shares]
    times = min(share.of for _, share in shares)
    words = shares_words([name for name, _ in shares], [share.count * times / share.of for _, share in shares], times)
    told = tag(
        "p", {"class": "remark"}, f"{does(shown.side, 'win')}, {counted(times, 'game')} each from where they part"
    )
    return html([told, shares_table("Line", rows, upto), tag("p", None, words)])


def compare_link(sending: Sending, seat: Seat, chosen: Sequence[int], entry: int) -> Html:
    """Return the way to the comparison of a line with the match, or with the line that is chosen already."""
    wanted = [chosen[0], entry] if len(chosen) == 1 and chosen[0] != entry else [entry]
    words = "compare with the chosen line" if len(wanted) > 1 else "compare here"
    to = of_study(sending.match, sending.study, seat, sending.at)
    return link(f"{to}&{COMPARE}={','.join(map(str, wanted))}", words)
