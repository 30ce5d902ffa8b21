"""Commands that carry everything about themselves: the question they answer, their words, candidates, refusal and effect."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self

from core.engine.command import Command
from core.engine.draft import Draft
from core.refusal import Refusal, Refusals
from core.wording import capital
from events.ids import RuleId
from projections.state.table import Open, Table


def _tag(name: str) -> str:
    """Return the tag of a command from the name of its class: `FallBack` is `fall-back`."""
    return "".join([f"-{letter.lower()}" if letter.isupper() else letter for letter in name]).lstrip("-")


class Act(Command, frozen=True, tag=_tag):
    """A command of a game that carries everything about itself; its tag is the name of its class.

    Attributes:
        asked: The kind of the question that it answers.
        rule: The rule under which it answers the question, which is closed then; empty if the question stays open until `Draft.answered`.
        words: What it would do, with its fields in braces: `Place a stone on {cell}`; by default the name of its class.
        is_final: Whether it can never be taken back, because dice fall or something is shown.
    """

    asked: ClassVar[str] = "turn"
    rule: ClassVar[str] = ""
    words: ClassVar[str] = ""
    is_final: ClassVar[bool] = False

    @classmethod
    def candidates(cls, table: Table, asked: Open) -> Iterable[Self]:  # noqa: ARG003 - For the classes that override it.
        """Return in a stable order all commands of this class that might be legal; by default the one without fields."""
        return (cls(),)

    def refuse(self, table: Table, asked: Open) -> str | Refusal | None:
        """Return the code of the refusal of `data/refusals.toml` if the command is not legal, or a refusal with words of its own."""
        return None

    def take(self, draft: Draft, asked: Open) -> None:
        """Carry a legal command out."""


class ActQuestion:
    """A question that is answered by acts of some classes; see `core.engine.decision.Judged`.

    Args:
        acts: The classes, in the order of the options.
        refusals: The refusals of the game.
    """

    def __init__(self, acts: Sequence[type[Act]], refusals: Refusals) -> None:
        self.acts = tuple(acts)
        self.refusals = refusals

    def candidates(self, table: Table, asked: Open) -> Iterator[Command]:
        """Yield the candidates of each class in turn."""
        for act in self.acts:
            yield from act.candidates(table, asked)

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is."""
        if not isinstance(command, self.acts):
            return self.refusals.refused("answer_must_fit")
        assert isinstance(command, Act)
        refusal = command.refuse(table, asked)
        return self.refusals.refused(refusal) if isinstance(refusal, str) else refusal

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry a legal command out."""
        assert isinstance(command, Act)
        if command.rule:
            draft.answered(RuleId(command.rule))
        command.take(draft, asked)


def questions_of(acts: Sequence[type[Act]], refusals: Refusals) -> dict[str, ActQuestion]:
    """Return the questions that acts answer, by kind."""
    kinds = dict.fromkeys(act.asked for act in acts)
    return {kind: ActQuestion([act for act in acts if act.asked == kind], refusals) for kind in kinds}


def described(act: Act, names: Mapping[str, str]) -> str:
    """Return what an act would do in words, its fields by their printed names."""
    fields = {name: getattr(act, name) for name in act.__struct_fields__}
    named = {name: names.get(value, value) if isinstance(value, str) else value for name, value in fields.items()}
    return act.words.format(**named) if act.words else capital(_tag(type(act).__name__).replace("-", " "))
