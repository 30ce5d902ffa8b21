"""Many reports: one page and one CSV file with a line for each match."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from core.telling.names import IdsOnly, Names
from core.telling.phrases import winning, won_by
from core.wording import capital, counted
from events.codec import Struct
from events.ids import MatchId
from server.page_parts.html import Content, link, span, tag
from server.page_parts.times import iso, moment
from server.report.figures import Figures
from server.report.luck import SideLuck
from server.report.page import whole_page
from server.report.report_tables import VERDICTS, table
from server.report.words import duration

COLUMNS = (
    "file",
    "match",
    "seat",
    "game",
    "scenario",
    "mode",
    "players",
    "result",
    "winners",
    "rounds",
    "events",
    "first_at",
    "last_at",
    "thinking_s",
    "verdict",
    "rolls",
    "luck",
    "faces_p_value",
    "undone",
    "rulings",
    "notes",
    "problem",
    "won_by",
    "former_players",
    "disputes",
    "goes_on",
)
"""The columns of the CSV file; new ones are added at the end."""

RISKY = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes text that begins like this for a formula."""


class Entry(Struct, frozen=True, kw_only=True):
    """A line: the file of the report and its figures; or why there is no report."""

    file: str
    figures: Figures | None = None
    problem: str = ""


def index_page(entries: Sequence[Entry]) -> str:
    """Return the page that lists all reports."""
    title = f"Reports of {counted(len(entries), 'match', 'matches')}"
    header = ["Match", "Players", "Result", "Length", "Played", "Evidence", "Luck"]
    files = {entry.figures.match: entry.file for entry in entries if entry.figures is not None}
    rows = table(header, [_row(entry, files) for entry in entries], class_="data stacked index", is_labelled=True)
    same = tag("p", {"class": "files"}, "The same as a table for programs: ", link("matches.csv", "matches.csv"), ".")
    return whole_page(title, [tag("header", {"class": "head"}, tag("h1", None, title)), rows, same])


def _row(entry: Entry, files: Mapping[MatchId, str]) -> list[Content]:
    """Return the line of a match; `files` are those of all reports, to which forks refer."""
    figures = entry.figures
    if figures is None:
        problem = span("problem", entry.problem)
        return [entry.file, "", problem, "", "", span("verdict broken", "✗ not readable"), ""]
    names = Names(IdsOnly(figures.game))
    won = won_by(winning(figures.result, figures.winners, figures.won_by), figures.won_by)
    cut = [tag("br"), span("problem", "told only in part")] if figures.cut else None
    return [
        _match(entry.file, figures, files),
        [[f"{capital(names.seat(place.seat))}: {place.seated}", tag("br")] for place in figures.places],
        f"{figures.result}{f', won by {won}' if won else ''}" if figures.result else "running",
        [counted(figures.rounds, names.round.lower()), tag("br"), counted(figures.events, "event")],
        _played(figures),
        [span(f"verdict {figures.verdict}", VERDICTS.get(figures.verdict, "– not proven")), cut],
        [_luck(capital(names.side(one.side)), one) for one in figures.luck],
    ]


def _played(figures: Figures) -> Content:
    """Return when a match was played, and for how long; nothing if that was without a clock."""
    if not figures.first_at:
        return ""
    return [moment(figures.first_at), tag("br"), tag("small", None, duration(figures.last_at - figures.first_at))]


def _match(file: str, figures: Figures, files: Mapping[MatchId, str]) -> Content:
    about = ", ".join(filter(None, (figures.scenario, figures.mode)))
    parent = tag("code", None, figures.parent)
    if figures.parent in files:
        parent = link(files[figures.parent], parent)
    fork = [tag("br"), span("fork", "a fork of ", parent)] if figures.parent else None
    line: Content = tag("code", None, figures.goes_on)
    if figures.goes_on in files:
        line = link(files[figures.goes_on], line)
    onward = [tag("br"), span("fork", "goes on as ", line)] if figures.goes_on else None
    named = [tag("small", None, about), tag("br"), tag("code", None, figures.match)]
    return [link(file, figures.title), tag("br"), named, fork, onward]


def _luck(side: str, luck: SideLuck) -> Content:
    """Return the luck of a side with its band; outside it that is said."""
    words = f"{side} {luck.luck:+.1f} (±{luck.band:.1f})"
    marked = span("luck", words if luck.is_usual else tag("strong", None, words))
    return [marked, None if luck.is_usual else ", outside the band", tag("br")]


def csv_file(entries: Iterable[Entry]) -> str:
    """Return the lines of all reports as CSV (RFC 4180) with the columns `COLUMNS`.

    Lists are joined by semicolons. Times are in ISO 8601 (UTC). `luck` is the sum of deviations and the band of each side:
    `german=+1.25/15.31`. `faces_p_value` is that of the chi-square test of the most frequent dice, empty if there are too few. Text
    that a spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([_harmless(cell) for cell in _cells(entry)] for entry in entries)
    return text.getvalue()


def _harmless(cell: str | float) -> str | int | float:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(RISKY) else cell


def _cells(entry: Entry) -> list[str | int | float]:
    figures = entry.figures
    if figures is None:
        at = COLUMNS.index("problem")
        return [entry.file, *[""] * (at - 1), entry.problem, *[""] * (len(COLUMNS) - at - 1)]
    tests = [one for one in figures.fairness if one.test == "faces" and one.is_enough]
    most = max(tests, key=lambda one: one.dice, default=None)

    def number_of(kind: str) -> int:
        return sum(one.kind == kind for one in figures.occurrences)

    return [
        entry.file,
        figures.match,
        figures.seat,
        figures.game,
        figures.scenario,
        figures.mode,
        "; ".join(f"{place.seat}: {place.player}" for place in figures.places),
        figures.result,
        "; ".join(figures.winners),
        figures.rounds,
        figures.events,
        iso(figures.first_at) if figures.first_at else "",
        iso(figures.last_at) if figures.last_at else "",
        round(sum(one.total_ms for one in figures.thinking) / 1000, 3),
        figures.verdict,
        len(figures.rolls),
        "; ".join(f"{one.side}={one.luck:+.2f}/{one.band:.2f}" for one in figures.luck),
        "" if most is None else round(most.p_value, 6),
        number_of("undone"),
        number_of("ruling"),
        number_of("note"),
        figures.cut or figures.problem,
        "; ".join(figures.won_by),
        "; ".join(f"{place.seat}: {name}" for place in figures.places for name in place.former),
        sum(one.kind == "dispute" for one in figures.occurrences),
        figures.goes_on,
    ]
