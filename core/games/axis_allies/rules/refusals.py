"""The refusals of this game, and the questions that only end with one or with being done.

`data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence.
"""

from collections.abc import Callable, Iterable

from core.command import Command
from core.draft import Draft
from core.games.axis_allies.ids import AXIS, PACKAGE, PHASES
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.queries import has_storm_begun
from core.question import Answer, Question
from core.refusal import Refusal, Refusals
from core.selection import Done, Pick
from core.sequence import Step
from events.ids import RuleId, Side
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused

TARGETS_SET = dict.fromkeys((PHASES[4], PHASES[11]), RuleId("unit.artillery.air-defense.assign-first"))
TARGETS_SET[PHASES[12]] = RuleId("unit.rocket.bombardment.assign-first")
"""The phases in which units are assigned to targets, and the rule by which none is assigned after the first die."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question.

    Source: RuleId("sequence.instruction-order"), RuleId("order.2.rpc-locked"), RuleId("unit.artillery.air-defense.assign-first"),
    RuleId("unit.rocket.bombardment.assign-first").
    """
    if isinstance(command, Pick) and command.to and table.phase in TARGETS_SET:
        return refused("targets_must_be_set_before_dice", rule=TARGETS_SET[table.phase])
    is_locked = table.round > 0 and table.side_of(asked.seat) == AXIS and not has_storm_begun(table)
    if isinstance(command, Buy) and is_locked:
        return refused("winter_storm_must_have_begun")
    return refused("decision_must_be_open")


def asks(*answers: Answer) -> Question:
    """Return a question of this game with its answers."""
    return Question(answers, misplaced)


class Series(Question):
    """A question that stays open until its seat is done or has nothing left to choose.

    `rule` returns the rule under which a side is asked; `refuse_done` returns why a seat cannot be done yet.
    """

    def __init__(
        self,
        kind: str,
        rule: Callable[[Side], RuleId],
        answers: Iterable[Answer],
        refuse_done: Callable[[Table, Open, Done], Refusal | None] | None = None,
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.answers = tuple(answers)
        super().__init__((*self.answers, Answer(Done, lambda *_: (Done(),), refuse_done, self.end)), misplaced)

    def ask(self, draft: Draft, side: Side) -> None:
        """Ask a side."""
        draft.ask(self.kind, draft.table.seat_of(side), self.rule(side))

    def step(self, name: str, rule: RuleId, side: Callable[[Table], Side]) -> Step:
        """Return the step that asks a side which has anything to choose."""
        return Step(
            name,
            rule,
            lambda draft, _: self.ask(draft, side(draft.table)),
            when=lambda table, _: self.is_open(table, Open(self.kind, table.seat_of(side(table)))),
        )

    def is_open(self, table: Table, asked: Open) -> bool:
        """Return whether anything is left to choose."""
        return any(True for answer in self.answers for _ in answer.options(table, asked))

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the question if nothing is left to choose."""
        if not self.is_open(draft.table, asked):
            self.end(draft, asked, Done())

    def end(self, draft: Draft, asked: Open, command: Done) -> None:
        """End the question."""
        draft.answered(self.rule(draft.table.side_of(asked.seat)))
