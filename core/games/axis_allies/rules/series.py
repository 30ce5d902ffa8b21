"""Questions that are asked again after each command."""

from collections.abc import Callable, Iterable

from core.draft import Draft
from core.games.axis_allies.rules.refusals import misplaced
from core.question import Answer, Question
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step
from events.ids import RuleId, Side
from projections.table import Open, Table


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
