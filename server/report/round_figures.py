"""Report of each round: control, pieces and steps lost, and tracks."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from core.telling.names import Names
from core.wording import does
from events.ids import Side, TrackId
from server.page_parts.html import Content, tag
from server.report.figures import Figures
from server.report.report_tables import Row, table

PIECES, STEPS, LESS_RETURNED = "pieces lost", "steps lost", ", less returned"
"""What is lost, and what a number of pieces below 0 needs to be understood."""
PIECES_NOTE = "Pieces lost: those that left the map, destroyed or not, less those that returned to it."


def held_by(figures: Figures, sides: Sequence[Side]) -> dict[Side, list[int]]:
    """Return how many places each side held at the end of each round; no side that never held one."""
    stands = figures.control
    return {
        side: [stand.held.get(side, 0) for stand in stands]
        for side in sides
        if any(side in stand.held for stand in stands)
    }


def pieces_off(figures: Figures, side: Side) -> list[int]:
    """Return how many pieces of a side were off the map at the end of each round: those lost since play began, less those that returned."""
    off = {one.round: one.pieces for one in figures.off_field if one.side == side}
    found = off.get(0, 0)
    numbers = []
    for stand in figures.control:
        found = off.get(stand.round, found)
        numbers.append(found)
    return numbers


def pieces_lost(figures: Figures, side: Side) -> list[int]:
    """Return how many pieces a side lost in each round, less those that returned."""
    off = {one.round: one.pieces for one in figures.off_field if one.side == side}
    return [after - before for before, after in pairwise([off.get(0, 0), *pieces_off(figures, side)])]


def steps_lost(figures: Figures, side: Side) -> list[int]:
    """Return how many steps a side lost in each round, those of the pieces that left the map included."""
    steps = {one.round: one.steps_lost for one in figures.losses if one.side == side}
    return [steps.get(stand.round, 0) for stand in figures.control]


def steps_off(figures: Figures, side: Side) -> list[int]:
    """Return how many steps a side had lost by the end of each round."""
    return list(accumulate(steps_lost(figures, side)))


def own_tracks(figures: Figures) -> list[TrackId]:
    """Return the tracks that show something of their own: not those that count the places that a side holds."""
    keys = list(dict.fromkeys(key for stand in figures.tracks for key in stand.values))
    held = [[stand.held.get(side, 0) for stand in figures.control] for side in _holders(figures)]
    return [key for key in keys if [stand.values.get(key) for stand in figures.tracks] not in held]


def _holders(figures: Figures) -> list[Side]:
    return list(dict.fromkeys(side for stand in figures.control for side in stand.held))


def rounds_table(figures: Figures, names: Names, sides: Sequence[Side]) -> Content:
    """Return control, tracks and losses by round, and below it what counts as lost; None if there is nothing of these."""
    held = held_by(figures, sides)
    tracks = own_tracks(figures)
    columns: list[tuple[str, Sequence[Content]]] = [
        (does(names.side(side), "hold"), numbers) for side, numbers in held.items()
    ]
    columns += [(names.of(key), [stand.values.get(key, "") for stand in figures.tracks]) for key in tracks]
    pieces = {side: pieces_lost(figures, side) for side in sides}
    columns += _lost(names, PIECES, pieces)
    columns += _lost(names, STEPS, {side: steps_lost(figures, side) for side in sides})
    if not columns:
        return None
    header = [names.round, *(name for name, _ in columns)]
    rows: list[Row] = [
        [stand.round, *(numbers[place] for _, numbers in columns)] for place, stand in enumerate(figures.control)
    ]
    note = tag("p", {"class": "note"}, PIECES_NOTE) if any(map(any, pieces.values())) else None
    return [table(header, rows, right=range(1, len(header))), note]


def _lost(names: Names, what: str, lost: Mapping[Side, Sequence[int]]) -> list[tuple[str, Sequence[Content]]]:
    """Return a column of each side, headed by what it lost; none if nothing was lost."""
    every = [number for numbers in lost.values() for number in numbers]
    heading = f"{what}{LESS_RETURNED}" if any(number < 0 for number in every) else what
    return [(f"{names.side(side)} {heading}", numbers) for side, numbers in lost.items() if any(every)]
