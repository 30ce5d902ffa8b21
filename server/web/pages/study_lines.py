"""The lines of a study on its page: where each parts from the match, how it ended, and the way to a comparison."""

from collections.abc import Sequence
from typing import NamedTuple

from core.telling.study_words import FirstDifference
from events.ids import Seat
from projections.study import Line, Study
from server.page_parts.html import Html, div, link, span, tag
from server.web.http.addresses import at_match, compared
from server.web.pages.study_trials import Sending, compare_link


class ShownLine(NamedTuple):
    """A line as all see it: its first difference, and how it ended, empty if it goes on; one that cannot be read has a problem."""

    line: Line
    first: FirstDifference | None = None
    result: str = ""
    problem: str = ""


def lines_panel(study: Study, lines: Sequence[ShownLine], sending: Sending, seat: Seat, chosen: Sequence[int]) -> Html:
    """Return the lines of a study, each with the way to its comparison; `chosen` are the entries of those that are compared."""
    rows = [_line(study, one, sending, seat, chosen) for one in lines]
    text = tag("code", None, f"wardiary export {study.match}/{study.study} --notation FILE")
    tries = tag("code", None, f"wardiary try {study.match}/{study.study}@N")
    return tag(
        "section",
        {"class": "panel tries", "aria-label": "Lines"},
        tag("h2", None, "Lines"),
        rows or tag("p", None, "No line yet: a fork of the match becomes one."),
        tag("p", {"class": "remark"}, "Each option tried many times, the table kept here: ", tries),
        tag("p", {"class": "remark"}, "As text: ", text),
    )


def _line(study: Study, one: ShownLine, sending: Sending, seat: Seat, chosen: Sequence[int]) -> Html:
    line = one.line
    head = tag("h3", None, tag("bdi", None, line.name), " ", span("no", f"at {line.at}"))
    if one.problem:
        return tag("article", {"class": "tried"}, head, tag("p", {"class": "wrong"}, one.problem))
    first = one.first
    said = None
    if first is not None:
        rows = [("Played", first.played or "nothing more"), ("Here", first.instead or "nothing more")]
        said = tag(
            "dl", {"class": "facts"}, [div("fact", tag("dt", None, what), tag("dd", None, told)) for what, told in rows]
        )
    apart = " \N{MIDDLE DOT} "
    ways = [link(at_match(line.match), "open"), apart, link(compared(study.match, line.match), "both tables")]
    if line.entry not in chosen[1:]:
        ways += [apart, compare_link(sending, seat, chosen, line.entry)]
    kind = "tried own" if line.entry in chosen else "tried"
    return tag("article", {"class": kind}, head, said, tag("p", None, one.result or "It goes on.", " ", ways))
