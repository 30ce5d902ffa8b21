"""The refusals of this game, and questions with the words in which it refuses what does not answer them.

`data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence.
"""

from collections.abc import Iterable

from core.engine.command import Command
from core.engine.question import Answer, Question
from core.engine.selection import Pick
from core.games.axis_allies.ids import AXIS, PACKAGE, PHASES
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.queries import has_storm_begun, like
from core.refusal import Refusal, Refusals
from core.wording import joined
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused

TARGETS_SET = dict.fromkeys((PHASES[4], PHASES[11]), RuleId("unit.artillery.air-defense.assign-first"))
TARGETS_SET[PHASES[12]] = RuleId("unit.rocket.bombardment.assign-first")
"""The phases in which units are assigned to targets, and the rule by which none is assigned after the first die."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question.

    Source: sequence.instruction-order, order.2.rpc-locked, unit.artillery.air-defense.assign-first,
    unit.rocket.bombardment.assign-first.
    """
    if isinstance(command, Pick) and command.to and table.phase in TARGETS_SET:
        return refused("targets_must_be_set_before_dice", rule=TARGETS_SET[table.phase])
    is_locked = table.round > 0 and table.side_of(asked.seat) == AXIS and not has_storm_begun(table)
    if isinstance(command, Buy) and is_locked:
        return refused("winter_storm_must_have_begun")
    return refused("decision_must_be_open")


def called(table: Table, there: Iterable[PieceId], unit: str) -> str:
    """Return a sentence that says what pieces of the type of a class are called; empty if none of them is of another class."""
    kind = unit.split(" ", maxsplit=1)[0]
    classes = dict.fromkeys([like(table, piece) for piece in there if piece in table.pieces])
    named = joined([repr(one) for one in classes if one.split(" ", maxsplit=1)[0] == kind and one != unit])
    return f"No {unit!r} is there; what is there is called {named}." if named and unit not in classes else ""


def absent(
    table: Table, side: Side, place: PlaceId, unit: str, *, rule: RuleId | None = None, otherwise: str = ""
) -> Refusal:
    """Refuse a class of which a side has no unit in a place; where it has units of that type, with what they are called."""
    there = [piece for piece in table.pieces_at(place) if table.pieces[piece].side == side]
    return refused("unit_must_be_eligible", called(table, there, unit) or otherwise, rule)


def asks(*answers: Answer, decline: Command | None = None) -> Question:
    """Return a question of this game with its answers, and the command among them that passes, if one does."""
    return Question(answers, misplaced, decline=decline)
