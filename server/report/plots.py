"""The plots of a report: control, pieces off the field, steps and tracks by round, and luck by roll."""

from collections.abc import Iterable, Sequence
from math import sqrt

from core.svg.palette import RANKS
from core.svg.plot_svg import Plot, Series
from core.telling.names import Names
from core.wording import capital
from events.ids import Side
from server.report.figures import Figures
from server.report.luck import BAND, luck_over_time
from server.report.round_figures import held_by, own_tracks, pieces_off, steps_off

LINES_MAX = 4
"""The most lines of one plot; more tracks than that take several."""
BAND_POINTS = 24


def plots_of(figures: Figures, names: Names, sides: Sequence[Side]) -> list[Plot]:
    """Return the plots of a match, without those that would be empty.

    Args:
        figures: What was counted.
        names: The names of the match.
        sides: The sides in the order of their colours.
    """
    every = [*_by_round(figures, names, sides), *_tracks(figures, names), *_luck(figures, names, sides)]
    return [plot for plot in every if plot.series and any(len(series.points) > 1 for series in plot.series)]


def _by_round(figures: Figures, names: Names, sides: Sequence[Side]) -> Iterable[Plot]:
    rounds = [stand.round for stand in figures.control]
    gone = {side: pieces_off(figures, side) for side in sides}
    lost = {side: steps_off(figures, side) for side in sides}
    for title, up, values in (
        ("Control", "places held", held_by(figures, sides)),
        ("Losses: pieces", "pieces that left the map since play began, less those that returned", gone),
        ("Losses: steps", "steps lost since play began", lost),
    ):
        lines = [
            _line(names.side(side), sides, side, zip(rounds, numbers, strict=True))
            for side, numbers in values.items()
            if any(numbers)
        ]
        yield Plot(title, names.round, up, tuple(lines))


def _line(name: str, sides: Sequence[Side], side: Side, points: Iterable[tuple[float, float]]) -> Series:
    rank = RANKS[sides.index(side) % len(RANKS)] if side in sides else "ink"
    return Series(name, rank, tuple(points))


def _tracks(figures: Figures, names: Names) -> Iterable[Plot]:
    moving = [
        key
        for key in own_tracks(figures)
        if len({stand.values[key] for stand in figures.tracks if key in stand.values}) > 1
    ]
    for first in range(0, len(moving), LINES_MAX):
        lines = [
            Series(
                capital(names.of(key)),
                RANKS[number],
                tuple([(stand.round, stand.values[key]) for stand in figures.tracks if key in stand.values]),
            )
            for number, key in enumerate(moving[first : first + LINES_MAX])
        ]
        yield Plot("Tracks", names.round, f"at the end of the {names.round.lower()}", tuple(lines))


def _luck(figures: Figures, names: Names, sides: Sequence[Side]) -> Iterable[Plot]:
    points: dict[Side, list[tuple[float, float]]] = {}
    for _, luck in luck_over_time(figures.rolls):
        points.setdefault(luck.side, [(0, 0)]).append((luck.rolls, luck.luck))
    most = max([0, *(len(line) - 1 for line in points.values())])
    band = tuple(
        [
            (number, -BAND * sqrt(number), BAND * sqrt(number))
            for number in [most * (place / BAND_POINTS) ** 2 for place in range(BAND_POINTS + 1)]
        ]
    )
    lines = [_line(names.side(side), sides, side, line) for side, line in points.items()]
    yield Plot(
        "Luck", "rolls of the side", "sum of the deviations; the strip holds 95 % of fair matches", tuple(lines), band
    )
