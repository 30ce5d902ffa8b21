"""Watches over matches whether every question that is answered leaves the stack at some time."""

from collections import Counter

from core.checking.conformance import Playing
from projections.state.table import Open

ANSWERS_MIN = 10
"""How often a question must have been answered before it counts as one that never closes."""


class AnswerWatch:
    """Counts, over all matches of a check, the answers to each kind of question and how often it was closed by one.

    A question may stay open below what its answer asks (`core.engine.decision`). One that never leaves the stack lacks `answered`.
    """

    def __init__(self) -> None:
        self.answers = Counter[str]()
        self.closed = Counter[str]()
        self.before: tuple[Open, ...] = ()

    def begin(self) -> None:
        """Begin another match."""
        self.before = ()

    def __call__(self, playing: Playing) -> None:
        """Count the answer to the question that was on top before the newest command."""
        stack = playing.match.table.stack
        if self.before and playing.match.table.ended is None:
            top, place = self.before[-1], len(self.before) - 1
            self.answers[top.kind] += 1
            # A question asked anew is another element, though it may be equal.
            self.closed[top.kind] += len(stack) <= place or stack[place] is not top
        self.before = stack

    def problems(self) -> tuple[str, ...]:
        """Return the questions that were answered often and never closed."""
        never = [kind for kind, count in self.answers.items() if count >= ANSWERS_MIN and not self.closed[kind]]
        return tuple(
            f"the question {kind} was answered {self.answers[kind]} times and never closed: its `take` must call `answered`"
            for kind in sorted(never)
        )
