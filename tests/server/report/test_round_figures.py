"""The table of rounds has the numbers of the plots, each once, and says what they count."""

import pytest

from core.telling.names import Names
from events.codec import replace
from events.ids import Side
from events.memory_log import MemoryLog
from projections.losses import RoundLosses
from server.page_parts.html import div
from server.report.figures import Figures
from server.report.plots import plots_of
from server.report.round_figures import PIECES_NOTE, rounds_table
from tests.server.report.test_report import Reported, reported
from tests.support.browsing import HTML, played, words
from tests.support.parsing import parsed
from tests.support.soak import few

PLAYED = {"advance": 600, "axis_allies": 700}
"""So many commands that each game has rounds in which pieces were lost, and Advance one in which some returned."""


@pytest.fixture(scope="module", params=few(PLAYED))
def match(request: pytest.FixtureRequest) -> Reported:
    log = MemoryLog()
    return reported(log, played(log, request.param, PLAYED[request.param]))


def columns_of(figures: Figures, names: Names, sides: tuple[Side, ...]) -> tuple[dict[str, list[str]], str]:
    """Return the columns of the table by their headings, and all its words."""
    page = parsed(
        f"<!DOCTYPE html><html lang='en'><title>t</title>{div('t', rounds_table(figures, names, sides))}</html>"
    )
    rows = [[words(cell) for cell in row] for row in page.iter(f"{HTML}tr")]
    return {head: [row[place] for row in rows[1:]] for place, head in enumerate(rows[0])}, words(page)


def test_pieces_lost_are_those_of_the_plot(match: Reported) -> None:
    """An owner who reads one column finds all that was lost, destroyed units too."""
    figures, names, sides = match.report.figures, match.story.names, match.story.now.sides
    columns, text = columns_of(figures, names, sides)
    plot = next(plot for plot in plots_of(figures, names, sides) if plot.title == "Losses: pieces")
    ends = {series.name: series.points[-1][1] for series in plot.series}

    lost = {
        head.partition(" pieces lost")[0]: sum(map(int, numbers))
        for head, numbers in columns.items()
        if " pieces lost" in head
    }
    assert {name: number for name, number in lost.items() if number} == ends
    assert not [head for head in columns if head.endswith((" lost", " removed", " returned")) and "pieces" not in head]
    assert PIECES_NOTE in text
    has_negative = any(number.startswith("-") for head in columns for number in columns[head] if "pieces" in head)
    assert has_negative == any("less returned" in head for head in columns)


def test_no_column_and_no_line_is_there_twice(match: Reported) -> None:
    """A track that counts the places that a side holds is not shown beside them."""
    figures, names, sides = match.report.figures, match.story.names, match.story.now.sides
    columns, _ = columns_of(figures, names, sides)
    held = [numbers for head, numbers in columns.items() if head.endswith(" holds")]
    others = {head: numbers for head, numbers in columns.items() if not head.endswith((" holds", " lost"))}
    lines = {plot.title: [series.points for series in plot.series] for plot in plots_of(figures, names, sides)}

    assert [head for head, numbers in others.items() if numbers in held] == []
    assert [points for points in lines.get("Tracks", []) if points in lines["Control"]] == []


def test_steps_lost_are_not_lessened_by_those_regained(match: Reported) -> None:
    figures, names, sides = match.report.figures, match.story.names, match.story.now.sides
    losses = (RoundLosses(1, sides[0], left=0, returned=0, steps_lost=2, steps_regained=3),)
    columns, _ = columns_of(replace(figures, losses=losses), names, sides)

    assert columns[f"{names.side(sides[0])} steps lost"][0] == "2"


def test_the_plots_call_a_round_what_the_game_calls_it(match: Reported) -> None:
    round_ = match.story.names.round
    plots = plots_of(match.report.figures, match.story.names, match.story.now.sides)

    assert {plot.up for plot in plots if plot.title == "Tracks"} == {f"at the end of the {round_.lower()}"}
