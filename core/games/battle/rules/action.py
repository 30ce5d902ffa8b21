"""The Actions step: one Action at a time, in any order, until the Acting Player ends it."""

from typing import Protocol

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import POINTS
from core.games.battle.memory import ACTIONS_TAKEN, POINTS_LAPSED, VISITED, count
from core.games.battle.options import ACTION_CAP, number
from core.games.battle.rules.attack import able
from core.games.battle.rules.commands import Attack, BuyForce, PlayCard
from core.games.battle.rules.queries import forces_of
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Choose, Done
from events.ids import TABLE, RuleId, Side
from projections.table import Open, Table

OPTIONAL = RuleId("action.optional")
CAP = RuleId("end.action-cap")
LAPSE = RuleId("buy.points-lapse")
NO_LOOP = RuleId("move.free.no-loop")


class ActionKind(Protocol):
    """One kind of Action: declared with all its choices, paid, resolved. Source: RuleId("action.declare-pay-resolve")."""

    def options(self, table: Table, side: Side) -> list[Command]:
        """List every Action of this kind that can be declared and paid."""

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Return why one cannot be declared or paid; nothing if it can."""

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Declare it, pay for it, and lay the rest of it on the stack."""

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Whether it is a Move that is free by the Force's own note."""


class ActionsStep:
    """Which Action comes next.

    Args:
        cards: The cards of the match.
        kinds: The Actions by the type of their command.

    Source: RuleId("action.kinds"), RuleId("action.any-order-any-number"), RuleId("action.optional"),
    RuleId("action.one-at-a-time"), RuleId("action.declare-pay-resolve").
    """

    def __init__(self, cards: Cards, kinds: dict[type[Command], ActionKind]) -> None:
        self.cards = cards
        self.kinds = kinds

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Action, and the end of the step."""
        found: list[Command] = [Done()]
        if not is_capped(table):
            for kind in self.kinds.values():
                found.extend(kind.options(table, table.side_of(asked.seat)))
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept the end of the step, and an Action that can be declared and paid."""
        if isinstance(command, Done):
            return None
        kind = self.kinds.get(type(command))
        if kind is None:
            return misplaced(table, asked, command, "The Actions step is on: declare an Action or end it.")
        if is_capped(table):
            return refused("actions_must_not_exceed_cap")
        return kind.refuse(table, table.side_of(asked.seat), command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Declare the Action, or end the step."""
        side = draft.table.side_of(asked.seat)
        if isinstance(command, Done):
            draft.answered(OPTIONAL)
            self._let_points_lapse(draft)
            return
        if number(draft.table, ACTION_CAP):
            count(ACTIONS_TAKEN, draft, TABLE, CAP)
        self._forget(draft, side, command)
        self.kinds[type(command)].declare(draft, side, command)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return for an Attack with its Forces the small commands: where, and then who; see `core.decision.Expanding`."""
        if not isinstance(command, Attack) or not command.forces:
            return (command,)
        whole = Choose(command.forces)
        is_only = len(able(self.cards, table, table.side_of(asked.seat), command.location)) == 1
        return (Attack(command.location),) if is_only else (Attack(command.location), whole)

    def _forget(self, draft: Draft, side: Side, command: Command) -> None:
        """Let points lapse and Areas be forgotten, unless the Action goes on with what they are for.

        Source: RuleId("buy.points-lapse"), RuleId("move.free.no-loop").
        """
        if not self._uses_points(command):
            self._let_points_lapse(draft)
        if self.kinds[type(command)].is_note_free_move(draft.table, command):
            return
        for force in forces_of(self.cards, draft.table, side):
            VISITED.forget(draft, force, NO_LOOP)

    def _let_points_lapse(self, draft: Draft) -> None:
        points = draft.table.track(POINTS)
        if points:
            draft.track(POINTS, 0, LAPSE)
            POINTS_LAPSED.set(draft, TABLE, points, LAPSE)

    def _uses_points(self, command: Command) -> bool:
        if isinstance(command, PlayCard):
            return self.cards.cards[command.card].title.op == "force_points"
        return isinstance(command, BuyForce)


def is_capped(table: Table) -> bool:
    """Whether the safety limit of Actions is reached. Source: RuleId("end.action-cap")."""
    cap = number(table, ACTION_CAP)
    return 0 < cap <= (ACTIONS_TAKEN.of(table) or 0)


def decisions(cards: Cards, kinds: dict[type[Command], ActionKind]) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"action": ActionsStep(cards, kinds)}
