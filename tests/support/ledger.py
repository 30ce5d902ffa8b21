"""The ledger of rules: how often the events and refusals of a test run cited each rule of an index.

A plug-in of pytest. A rule counts as met if an event cited it (its modifiers included), if a refusal named it, or, for a definition or a
prohibition, if a test that passed names it in its docstring or parameters. A mention in code or in the docstring of a module does not
count. With several workers, each sends its counts to the process that started them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import pytest
from typing_extensions import override

from core.engine.draft import Draft
from core.game_files.rulebook import Rule, load_match_rulebook, load_rulebook
from core.refusal import Refusal, Refusals
from core.registry.games import GAMES, load_game
from events.ids import RuleId
from events.vocabulary import DiceRolled, Event

SILENT_KINDS = frozenset({"definition", "restriction", "limit"})
"""Kinds of rules that may leave no trace in a log: what they say is what a word means, or what cannot happen."""

MATCH = "match"
"""The index of what holds in every match."""

_ID = re.compile(r"[\w][\w.-]*\w")


def is_silent(rule: Rule) -> bool:
    """Return whether a rule need not be cited: a definition, a prohibition, or one that its index declares silent."""
    return rule.kind in SILENT_KINDS or bool(rule.silent)


class Ledger:
    """How often each rule of each game was met, and how.

    `emitted` and `refused` count by game and rule id; `named` holds what passed tests name.
    """

    def __init__(self) -> None:
        self.emitted: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.named: Counter[tuple[str, str]] = Counter()

    def add(self, counted: dict[str, list[tuple[str, str, int]]]) -> None:
        """Add the counts of another process."""
        for kind, rows in counted.items():
            for game, rule, count in rows:
                getattr(self, kind)[game, rule] += count

    def counted(self) -> dict[str, list[tuple[str, str, int]]]:
        """Return the counts as plain lists, for another process."""
        return {
            kind: [(*name, count) for name, count in getattr(self, kind).items()]
            for kind in ("emitted", "refused", "named")
        }

    def state(self, game: str, rule: Rule) -> str:
        """Return how a rule was met: `emitted`, `refused`, `named`, or empty."""
        name = (game, rule.id)
        if self.emitted[name]:
            return "emitted"
        if self.refused[name]:
            return "refused"
        return "named" if is_silent(rule) and self.named[name] else ""

    def missing(self, game: str, rules: Iterable[Rule]) -> list[Rule]:
        """Return the rules that were not met, and those that are declared silent but were cited."""
        return [rule for rule in rules if not self.state(game, rule) or (rule.silent and self._speaks((game, rule.id)))]

    def _speaks(self, name: tuple[str, str]) -> bool:
        return bool(self.emitted[name] or self.refused[name])

    def lines(self, game: str, rules: Iterable[Rule]) -> Iterator[str]:
        """Yield a line for each rule, and a last line with the totals."""
        sums: Counter[str] = Counter()
        for rule in rules:
            name, state = (game, rule.id), self.state(game, rule)
            state = "NOT SILENT" if rule.silent and self._speaks(name) else state or "MISSING"
            sums[state] += 1
            yield (
                f"{game:8} {rule.id:44} {rule.kind:11} {state:10}"
                f" {self.emitted[name]:>9} {self.refused[name]:>9} {self.named[name]:>5}"
            )
        yield f"{game}: " + ", ".join(f"{count} {state}" for state, count in sorted(sums.items()))


class LedgerPlugin:
    """Counts citations while tests run, and fails a full run in which a rule was not met.

    Args:
        prints: Print the whole ledger instead of only the missing rules.
    """

    def __init__(self, *, prints: bool) -> None:
        self.prints = prints
        self.ledger = Ledger()
        self.rules = {MATCH: load_match_rulebook().rules}
        self.rules |= {game: load_rulebook(load_game(game).package).rules for game in GAMES}
        self._named: dict[str, list[tuple[str, str]]] = {}
        self._watch()

    def _watch(self) -> None:
        """Count the rules cited by the events of every draft and by every refusal of a game."""
        emit, emitted, match_rules = Draft.emit, self.ledger.emitted, self.rules[MATCH]

        def counting(draft: Draft, event: Event) -> None:
            emit(draft, event)
            game = draft.table.game
            emitted[MATCH if event.rule in match_rules else game, event.rule] += 1
            parts = event.modifiers if isinstance(event, DiceRolled) else getattr(event, "parts", None)
            for part in parts or ():
                emitted[game, part.rule] += 1

        Draft.emit = counting  # type: ignore[assignment,method-assign]
        for name in ("core.match.match_commands", "core.engine.selection", "core.match.undo"):
            module: Any = import_module(name)
            module.Refusal = _counting_refusals(MATCH, self.ledger.refused)
        games = {load_game(game).package: game for game in GAMES}
        refuse, refused = Refusals.refused, self.ledger.refused

        def counting_refused(refusals: Refusals, code: str, sentence: str = "", rule: RuleId | None = None) -> Refusal:
            refusal = refuse(refusals, code, sentence, rule)
            refused[games.get(refusals.package, ""), refusal.rule] += 1
            return refusal

        Refusals.refused = counting_refused  # type: ignore[assignment,method-assign]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        """Record the rules that a test names, once it has passed."""
        outcome: Any = yield
        report = outcome.get_result()
        if report.when == "call" and report.passed:
            for name in self._names(item):
                self.ledger.named[name] += 1

    def _names(self, item: pytest.Item) -> list[tuple[str, str]]:
        found = self._named.get(item.nodeid)
        if found is None:
            parts = item.path.parts
            games: list[str] = [game for game in GAMES if game in parts] or [MATCH]
            function = getattr(item, "function", None)
            call = getattr(item, "callspec", None)
            rows = getattr(function, "rows", "")
            text = f"{getattr(function, '__doc__', '') or ''} {'' if call is None else call.params} {rows}"
            words = set(_ID.findall(text))
            found = [(game, RuleId(word)) for game in games for word in words if word in self.rules.get(game, ())]
            self._named[item.nodeid] = found
        return found

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a worker."""
        self.ledger.add(getattr(node, "workeroutput", {}).get("ledger", {}))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts to the starting process, or check them there."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["ledger"] = self.ledger.counted()
        elif session.exitstatus == pytest.ExitCode.OK and any(self._missing()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _missing(self) -> Iterator[tuple[str, Rule]]:
        for game, rules in self.rules.items():
            for rule in self.ledger.missing(game, rules.values()):
                yield game, rule

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the ledger, or the rules missing in it."""
        if hasattr(terminalreporter.config, "workerinput"):
            return
        if self.prints:
            terminalreporter.section("ledger of rules: state, emitted, refused, named")
            for game, rules in self.rules.items():
                for line in self.ledger.lines(game, rules.values()):
                    terminalreporter.write_line(line)
        elif missing := list(self._missing()):
            terminalreporter.section("rules that no event carried and no refusal named, or that are not silent")
            for game, rule in missing:
                terminalreporter.write_line(f"{game}: {rule.id} ({rule.kind}{', silent' if rule.silent else ''})")


class _Counts(type):
    """Lets a counting constructor replace the class `Refusal`, also in `isinstance` checks."""

    @override
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Refusal)


def _counting_refusals(game: str, counted: Counter[tuple[str, str]]) -> Any:
    class Counting(metaclass=_Counts):
        def __new__(cls, code: str, rule: RuleId, sentence: str) -> Any:
            counted[game, rule] += 1
            return Refusal(code, rule, sentence)

    return Counting
