"""Questions that one command answers, put together from the types of commands that answer them.

A game says for each type which commands might be legal, why one is not, and what it does. The rest follows: the options are the
candidates that are not refused, and a command of any other type is refused with the game's own words.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar, cast

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates, IsLegal
from core.refusal import Refusal
from events.ids import RuleId
from projections.state.table import Open, Table

Answering = TypeVar("Answering", bound=Command)


class Answer:
    """Answer to a question by commands of one type.

    Args:
        command: The type.
        candidates: Returns in a stable order all commands of the type that might be legal.
        refuse: Returns why one is not legal, or None if it is; without it all are.
        take: Executes a legal one; see `core.engine.decision.Answered.take`. Without it nothing follows.
        ends: The rule under which a command answers the question; without it `take` marks the question as answered, if it is.
        are_legal: All candidates are legal, so that none is judged when the options are listed.
        judge_list: Returns what tells which candidates are legal, with all prepared that they have in common; by default `refuse` is asked.
    """

    def __init__(
        self,
        command: type[Answering],
        candidates: Callable[[Table, Open], Iterable[Answering]],
        refuse: Callable[[Table, Open, Answering], Refusal | None] | None,
        take: Callable[[Draft, Open, Answering], None] | None,
        *,
        ends: RuleId | None = None,
        are_legal: bool = False,
        judge_list: Callable[[Table, Open], Callable[[Answering], bool]] | None = None,
    ) -> None:
        def sampled(table: Table, asked: Open) -> tuple[Iterable[Command], IsLegal | None]:
            found = candidates(table, asked)
            if are_legal or refuse is None:
                return found, None
            if judge_list is not None:
                return found, cast("IsLegal", judge_list(table, asked))
            return found, lambda one: judge(table, asked, one) is None

        def judge(table: Table, asked: Open, answer: Command) -> Refusal | None:
            assert isinstance(answer, command)
            return None if refuse is None else refuse(table, asked, answer)

        def execute(draft: Draft, asked: Open, answer: Command) -> None:
            assert isinstance(answer, command)
            if ends is not None:
                draft.answered(ends)
            if take is not None:
                take(draft, asked, answer)

        self.command: type[Command] = command
        self.sampled = sampled
        self.refuse = judge
        self.take = execute


def unlisted(table: Table, asked: Open) -> tuple[()]:
    """Return no candidates, for an answer that is never listed, or not by itself (`Question.sampled`)."""
    return ()


def always(
    command: Answering, take: Callable[[Draft, Open, Answering], None] | None = None, *, ends: RuleId | None = None
) -> Answer:
    """Return an answer that names nothing and is always legal, such as passing; see `Answer`."""
    return Answer(type(command), lambda *_: (command,), None, take, ends=ends)


class Question:
    """A question that one command answers; see `core.engine.decision.Listed`.

    Args:
        answers: How it is answered, in the order of its options; one for each type of command.
        otherwise: Returns why a command of any other type does not answer it.
        decline: The command that passes, if one does: it is the last of the options, with key 0.
    """

    def __init__(
        self,
        answers: Iterable[Answer],
        otherwise: Callable[[Table, Open, Command], Refusal],
        *,
        decline: Command | None = None,
    ) -> None:
        self.decline = decline
        self._answers = {answer.command: answer for answer in answers}
        self._otherwise = otherwise

    def is_answer(self, command: Command) -> bool:
        """Return whether commands of this type can answer the question."""
        return type(command) in self._answers

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every legal command."""
        found: list[Command] = []
        for commands, is_legal in self.sampled(table, asked):
            found += commands if is_legal is None else filter(is_legal, commands)
        return found

    def sampled(self, table: Table, asked: Open) -> Candidates:
        """Return the candidates of the options; see `core.engine.decision.Sampled`."""
        return [answer.sampled(table, asked) for answer in self._answers.values()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is."""
        answer = self._answers.get(type(command))
        return self._otherwise(table, asked, command) if answer is None else answer.refuse(table, asked, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Execute a legal command."""
        self._answers[type(command)].take(draft, asked, command)
