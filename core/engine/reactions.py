"""Windows: moments at which seats may answer out of turn.

A window opens by public information alone; what a seat holds plays no part. There are two forms. A *single* window belongs to one seat: it
closes when the seat passes, gives an answer that closes it, or can answer no more. An *alternating* one goes from seat to seat until
so many passes follow each other; there a seat that cannot answer passes by itself, which all can foresee.

The question of a window stays on the stack below whatever an answer lays on it.
"""

from collections.abc import Callable, Mapping

from typing_extensions import override

from core.engine.attributes import Attribute
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.refusal import Refusal
from events.codec import Struct
from events.ids import TABLE, RuleId, Seat
from events.vocabulary import Value
from projections.state.table import Open, Table

PASSES = "passes"
"""What the log says of a seat that passes."""


class Window(Struct, frozen=True):
    """One kind of window.

    `kind` is its question, `rule` what opens it. `is_asked` returns, by public information, whether a seat can be asked. `following`
    returns the seat that is asked after another; without it the window is single. `passes` in a row close an alternating window.
    `must_be_asked` if a seat that passes in every window is asked in this one nevertheless, because it decides too much.
    """

    kind: str
    rule: RuleId
    is_asked: Callable[[Table, Seat], bool]
    following: Callable[[Table, Seat], Seat] | None = None
    passes: int = 2
    must_be_asked: bool = False

    def open(
        self, draft: Draft, seat: Seat, about: Mapping[str, Value] | None = None, *, rule: RuleId | None = None
    ) -> None:
        """Open the window, to one seat first; nothing is asked where no seat can be asked.

        `about` are arguments of the question, which name what it is about. `rule` says why this seat is first, if a rule of its own does.
        """
        if self.following is not None:
            self.ask_next(draft, seat, about or {}, 0, rule=rule)
        elif self.is_asked(draft.table, seat):
            draft.ask(self.kind, seat, rule or self.rule, dict(about or {}))

    def ask_next(
        self, draft: Draft, seat: Seat, about: Mapping[str, Value], passed: int, *, rule: RuleId | None = None
    ) -> None:
        """Ask a seat of an alternating window, or the first after it that can answer; close the window after enough passes.

        The question says how many passes came directly before it.
        """
        assert self.following is not None
        while passed < self.passes:
            if self.is_asked(draft.table, seat):
                draft.ask(self.kind, seat, rule or self.rule, {**about, "passed": passed})
                return
            rule = None
            passed += 1
            seat = self.following(draft.table, seat)


def passes_in_advance(rules: Rules) -> dict[str, Command]:
    """Return, for each kind of window in which a seat that passes in every window need not be asked, the command that passes."""
    kinds = rules.kinds if isinstance(rules, DecisionRules) else {}
    return {
        kind: decision.decline
        for kind, decision in kinds.items()
        if isinstance(decision, WindowDecision)
        and decision.decline is not None
        and kind in rules.standing_decisions
        and not decision.window.must_be_asked
    }


class WindowDecision(Question):
    """Decision of a seat in a window: pass or answer.

    Args:
        window: The kind of window.
        answer: How it is answered. A question that is not closed lies below all that an answer lays on the stack.
        decline: The command that passes.
        answered: Remembers within an alternating window that an answer was given, while it asks something itself.
        otherwise: Returns why a command that neither passes nor answers is refused.
        closes: Returns whether an answer closes a single window, as a cancellation does; without it none does. An
            alternating window has none.
    """

    def __init__(
        self,
        window: Window,
        answer: Answer,
        decline: Command,
        answered: Attribute[bool],
        otherwise: Callable[[Table, Open, Command], Refusal],
        *,
        closes: Callable[[Command], bool] | None = None,
    ) -> None:
        super().__init__((always(decline, self._pass), answer), otherwise, decline=decline)
        self.window = window
        self.answered = answered
        self._closes = closes

    @override
    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Pass or answer; then the next seat of an alternating window is asked, once the answer is carried out."""
        if command == self.decline:
            self._pass(draft, asked, command)
            return
        if self._closes is not None and self._closes(command):
            draft.answered(self.window.rule)
        super().take(draft, asked, command)
        if self.window.following is None:
            return
        if draft.table.top is asked:
            draft.answered(self.window.rule)
            self._ask_next(draft, asked, 0)
        else:
            self.answered.set(draft, TABLE, value=True, rule=self.window.rule)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """Go on once an answer is carried out: ask the next seat, or close a single window whose seat can answer no more."""
        if self.window.following is None:
            if not self.window.is_asked(draft.table, asked.seat):
                draft.answered(self.window.rule)
        elif self.answered.of(draft.table):
            draft.answered(self.window.rule)
            self._ask_next(draft, asked, 0)

    def _pass(self, draft: Draft, asked: Open, command: Command) -> None:
        draft.apply(self.window.rule, PASSES, asked.seat)
        draft.answered(self.window.rule)
        if self.window.following is not None:
            self._ask_next(draft, asked, asked.number("passed") + 1)

    def _ask_next(self, draft: Draft, asked: Open, passed: int) -> None:
        assert self.window.following is not None
        self.window.ask_next(draft, self.window.following(draft.table, asked.seat), asked.arguments, passed)
