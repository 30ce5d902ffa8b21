"""Sequences: chapters of the rules whose steps follow each other.

A sequence is one element of the stack: what it is about, and the name of the step at which it stands. Steps are found by
their names, and whether one takes place is judged when it comes up, so that a step may change which ones follow. Each step
that takes place leaves one event, one that does not leaves none; a sequence none of whose steps takes place leaves none either.

What a step asks lies on top of the sequence. The sequence goes on once that is answered, and once what a step began is over.
"""

from collections.abc import Callable, Iterable, Mapping

from core.engine.draft import Draft
from events.codec import Struct
from events.ids import NO_SEAT, RuleId
from events.vocabulary import Value
from projections.state.table import Open, Table


class Step(Struct, frozen=True):
    """One step of a sequence.

    `do` executes it, up to the first question; its argument is the current sequence. `when` is whether it takes place. One
    that `repeats` is carried out again, without another event, for as long as it takes place.
    """

    name: str
    rule: RuleId
    do: Callable[[Draft, Open], None]
    when: Callable[[Table, Open], bool] | None = None
    repeats: bool = False

    def takes_place(self, table: Table, at: Open) -> bool:
        """Return whether the step takes place now."""
        return self.when is None or self.when(table, at)


class StepSequence:
    """The steps of a chapter, in the order of the rulebook.

    Args:
        kind: Its kind on the stack.
        rule: The rule under which it ends.
        steps: Its steps; no name occurs twice.
        then: Runs after its end.
    """

    def __init__(
        self, kind: str, rule: RuleId, steps: Iterable[Step], then: Callable[[Draft, Open], None] | None = None
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.steps = tuple(steps)
        self.then = then
        self._place = {step.name: place for place, step in enumerate(self.steps)}
        assert len(self._place) == len(self.steps), f"two steps of {kind} have the same name"
        # From each step on, which is itself among them if it repeats.
        self._following = {
            step.name: self.steps[place if step.repeats else place + 1 :] for place, step in enumerate(self.steps)
        }

    def begin(self, draft: Draft, arguments: Mapping[str, Value] | None = None, *, start: str = "") -> None:
        """Begin with the first step that takes place; if none does, run `then` at once.

        Args:
            draft: The draft.
            arguments: What the sequence is about.
            start: The step before which all are left out, as where a position opens in the middle of a chapter.
        """
        at = Open(self.kind, NO_SEAT, dict(arguments or {}))
        for step in self.steps[self._place[start] if start else 0 :]:
            if step.takes_place(draft.table, at):
                draft.begin_sequence(self.kind, step.name, step.rule, at.arguments)
                step.do(draft, draft.table.stack[-1])
                return
        if self.then is not None:
            self.then(draft, at)

    def go_on(self, draft: Draft, at: Open) -> None:
        """Advance to the next step that takes place, or end.

        Args:
            draft: A draft with the sequence on top of the stack, except for an answered question.
            at: The current sequence.
        """
        for step in self._following[at.step]:
            if not step.takes_place(draft.table, at):
                continue
            if step.name != at.step:
                draft.begin_step(self.kind, step.name, step.rule)
                at = draft.table.stack[-1]
            step.do(draft, at)
            return
        draft.end_sequence(self.kind, self.rule)
        if self.then is not None:
            self.then(draft, at)
