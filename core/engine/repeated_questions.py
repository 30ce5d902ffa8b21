"""Several answers one after the other: questions that stay open until a seat is done, and things that are taken in an order of its choice.

Nothing is asked where there is one answer only.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from typing_extensions import override

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates
from core.engine.question import Answer, Question
from core.engine.selection import Done, Judge, Pick, one_of
from core.engine.steps import Step
from core.refusal import Refusal
from events.ids import RuleId, Side
from projections.state.table import Open, Table

Choice = TypeVar("Choice")
Otherwise = Callable[[Table, Open, Command], Refusal]
"""Returns why a command that does not answer a question is refused."""


def ask_among(
    draft: Draft, asked: Open, rule: RuleId, choices: Sequence[Choice], take: Callable[[Draft, Open, Choice], None]
) -> None:
    """Ask a question under a rule, unless it has one answer only, which is carried out at once.

    Args:
        draft: The draft.
        asked: The question: its kind, whom it is asked and what it is about.
        rule: The rule.
        choices: The answers.
        take: Executes one.
    """
    if len(choices) == 1:
        take(draft, asked, choices[0])
    else:
        draft.ask(asked.kind, asked.seat, rule, asked.arguments)


class Series(Question):
    """A question that stays open until its seat is done or has nothing left to choose.

    Args:
        kind: Its kind.
        rule: Returns the rule under which a side is asked.
        answers: How it is answered.
        otherwise: Returns why a command of any other type does not answer it.
        refuse_done: Returns why a seat cannot be done yet; without it a seat always can.
    """

    def __init__(
        self,
        kind: str,
        rule: Callable[[Side], RuleId],
        answers: Iterable[Answer],
        otherwise: Otherwise,
        refuse_done: Callable[[Table, Open, Done], Refusal | None] | None = None,
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.answers = tuple(answers)
        self._done = Answer(Done, lambda *_: (Done(),), refuse_done, self.end)
        super().__init__((*self.answers, self._done), otherwise)

    def ask(self, draft: Draft, side: Side) -> None:
        """Ask a side."""
        draft.ask(self.kind, draft.table.seat_of(side), self.rule(side))

    def step(self, name: str, rule: RuleId, side: Callable[[Table], Side]) -> Step:
        """Return the step that asks a side which has anything to choose."""
        return Step(
            name,
            rule,
            lambda draft, _: self.ask(draft, side(draft.table)),
            when=lambda table, _: self.is_possible(table, side(table)),
        )

    def is_possible(self, table: Table, side: Side) -> bool:
        """Return whether a side would have anything to choose."""
        return self.is_open(table, Open(self.kind, table.seat_of(side)))

    def is_open(self, table: Table, asked: Open) -> bool:
        """Return whether anything is left to choose."""
        for commands, is_legal in self.choices(table, asked):
            for command in commands:
                if is_legal is None or is_legal(command):
                    return True
        return False

    def choices(self, table: Table, asked: Open) -> Candidates:
        """Yield the candidates of the options besides being done, one type of command after the other."""
        for answer in self.answers:
            yield answer.sampled(table, asked)

    @override
    def sampled(self, table: Table, asked: Open) -> Candidates:
        return [*self.choices(table, asked), self._done.sampled(table, asked)]

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the question if nothing is left to choose."""
        if not self.is_open(draft.table, asked):
            self.end(draft, asked, Done())

    def end(self, draft: Draft, asked: Open, command: Done) -> None:
        """End the question."""
        draft.answered(self.rule(draft.table.side_of(asked.seat)))


class InTurn:
    """A step in which items are taken one after the other, in the order that the side whose turn it is chooses.

    Args:
        kind: The kind of the question which comes next.
        rule: The rule under which it is asked.
        left: Returns the items still to be taken.
        take: Takes one.
        wrong: Returns why another item cannot be next.
        otherwise: Returns why a command that picks nothing does not answer the question.
        refuse_count: Returns why nothing can be left out, in the game's own words.
    """

    def __init__(
        self,
        kind: str,
        rule: RuleId,
        left: Callable[[Table], Sequence[str]],
        take: Callable[[Draft, str], None],
        *,
        wrong: Callable[[], Refusal],
        otherwise: Otherwise,
        refuse_count: Judge | None = None,
    ) -> None:
        def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
            return None if pick.item in left(table) and not pick.to else wrong()

        def go_on(draft: Draft, at: Open) -> None:
            asked = Open(kind, draft.table.seat_of(draft.table.turn))
            ask_among(draft, asked, rule, left(draft.table), taken)

        def taken(draft: Draft, asked: Open, item: str, to: str = "") -> None:
            take(draft, item)

        self.left = left
        self.go_on = go_on
        self.question = one_of(
            rule,
            lambda table, _: left(table),
            taken,
            refuse_pick=refuse_pick,
            refuse_count=refuse_count,
            refuse_other=otherwise,
        )

    def step(self, name: str, rule: RuleId) -> Step:
        """Return the step."""
        return Step(name, rule, self.go_on, lambda table, _: bool(self.left(table)), repeats=True)
