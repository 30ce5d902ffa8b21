"""The Actions step: one Action at a time, in any order, until the Acting Player ends it."""

from collections.abc import Iterable

from typing_extensions import override

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates
from core.engine.question import Answer, Question, always
from core.engine.selection import Choose, Done
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import POINTS
from core.games.battle.memory import ACTIONS_TAKEN, POINTS_LAPSED, VISITED
from core.games.battle.options import ACTION_CAP
from core.games.battle.rules.commands import Attack, BuyForce, Move, PlayCard
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import able_to_attack, forces_of
from core.games.battle.rules.refusals import misplaced, refused
from core.refusal import Refusal
from events.ids import TABLE, RuleId
from projections.state.table import Open, Table

OPTIONAL = RuleId("action.optional")
CAP = RuleId("end.action-cap")
LAPSE = RuleId("buy.points-lapse")
NO_LOOP = RuleId("move.free.no-loop")


class ActionsStep(Question):
    """Choice of the next Action; each is declared with all its choices, paid and resolved.

    Args:
        cards: The cards of the match.
        actions: How each kind of Action is declared. The Acting Player is asked.

    Source: action.kinds, action.any-order-any-number, action.optional, action.one-at-a-time, action.declare-pay-resolve.
    """

    def __init__(self, cards: Cards, actions: Iterable[Answer]) -> None:
        super().__init__((always(Done(), self._end), *actions), misplaced)
        self.cards = cards
        self.moves = Moves(cards)

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the end of the step and every Action. Source: end.action-cap."""
        return [Done()] if _is_capped(table) else super().options(table, asked)

    @override
    def sampled(self, table: Table, asked: Open) -> Candidates:
        """Return the candidates of the options."""
        return [((Done(),), None)] if _is_capped(table) else super().sampled(table, asked)

    @override
    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is."""
        if _is_capped(table) and not isinstance(command, Done) and self.is_answer(command):
            return refused("actions_must_not_exceed_cap")
        return super().refuse(table, asked, command)

    @override
    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Declare the Action, or end the step. What the Action does not go on with lapses and is forgotten.

        Source: buy.points-lapse, move.free.no-loop.
        """
        if not isinstance(command, Done):
            if ACTION_CAP.number(draft.table):
                ACTIONS_TAKEN.add(draft, TABLE, CAP)
            if not self._uses_points(command):
                _let_points_lapse(draft)
            if not (isinstance(command, Move) and self.moves.is_note_free(command)):
                for force in forces_of(self.cards, draft.table, draft.table.turn):
                    VISITED.forget(draft, force, NO_LOOP)
        super().take(draft, asked, command)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return for an Attack with its Forces the small commands: where, and then who; see `core.engine.decision.Expanding`."""
        if not isinstance(command, Attack) or not command.forces:
            return (command,)
        is_only = len(able_to_attack(self.cards, table, table.turn, command.location)) == 1
        return (Attack(command.location),) if is_only else (Attack(command.location), Choose(command.forces))

    def _end(self, draft: Draft, asked: Open, command: Done) -> None:
        draft.answered(OPTIONAL)
        _let_points_lapse(draft)

    def _uses_points(self, command: Command) -> bool:
        if isinstance(command, PlayCard):
            return self.cards.cards[command.card].title.op == "force_points"
        return isinstance(command, BuyForce)


def _let_points_lapse(draft: Draft) -> None:
    points = draft.table.track(POINTS)
    if points:
        draft.track(POINTS, 0, LAPSE)
        POINTS_LAPSED.set(draft, TABLE, points, LAPSE)


def _is_capped(table: Table) -> bool:
    cap = ACTION_CAP.number(table)
    return 0 < cap <= ACTIONS_TAKEN.of(table)
