"""Checks of the moment at which a position opens: turn, phase, side, seat, mode and decision. Knows no game."""

from collections.abc import Iterator, Mapping

from core.positions.position import Defect, Position, Question
from core.suggestions import unknown
from events.codec import Struct
from events.ids import Seat, Side


class Openings(Struct, frozen=True, kw_only=True):
    """The moments at which positions of a scenario can open.

    `rounds` are its turns. `decisions` has the phase of each kind of decision with which a position can open. What a position leaves
    out follows from the rest of it or from the scenario.
    """

    rounds: range
    phases: tuple[str, ...]
    sides: tuple[Side, ...]
    seats: tuple[Seat, ...]
    modes: tuple[str, ...] = ()
    decisions: Mapping[str, str] = {}


def opening_defects(position: Position, openings: Openings) -> Iterator[Defect]:
    """Yield the defects of the moment at which a position opens."""
    rounds, asked = openings.rounds, position.decision or Question("")
    if position.round and position.round not in rounds:
        problem = f"turn {position.round} is not one of this scenario, {rounds[0]} to {rounds[-1]}"
        yield Defect(("round",), problem)
    named = (
        (("phase",), "phase in which a position can open", position.phase, openings.phases),
        (("turn",), "side that can have the turn", position.turn, openings.sides),
        (("turn_seat",), "seat that can have the turn", position.turn_seat, openings.seats),
        (("mode",), "mode of this game", position.mode, openings.modes),
        (("decision", "kind"), "decision with which a position can open", asked.kind, openings.decisions),
        (("decision", "seat"), "seat that decides", asked.seat, openings.seats),
    )
    for path, what, name, known in named:
        if name and name not in known:
            yield Defect(path, unknown(what, name, list(known)))
    phase = openings.decisions.get(asked.kind, position.phase)
    if position.phase not in ("", phase):
        yield Defect(("decision", "kind"), f"decision {asked.kind} belongs to the phase {phase}")
