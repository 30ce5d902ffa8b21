"""The SQLite log and the memory log give the same results for any sequence of calls."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from typing_extensions import override

from events.commit import Head
from events.errors import LogMisuse, LostRace, UnknownMatch
from events.ids import MatchId
from events.log import AlreadyThere, Log, NewCommit, Origin
from events.memory_log import MemoryLog
from server.store.sql.rows import Branch
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march, sealed

NAMES = st.sampled_from(["a", "b", "c", "d", "e"])


def said(call: Callable[[], object]) -> object:
    """Return the result of a call, or its error, in a form that can be compared."""
    try:
        answer = call()
    except (LogMisuse, UnknownMatch) as error:
        return type(error).__name__, str(error)
    if isinstance(answer, list):
        return [str(receipt) if isinstance(receipt, LostRace) else receipt for receipt in answer]
    return answer


class LogMachine(RuleBasedStateMachine):
    """Appends valid, late, repeated, forked and impossible commits, alone and in batches."""

    store_type = SqliteLog

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "store.db"
        self.model = MemoryLog()
        self.store = self.store_type(self.path)
        self.reader = SqliteLog(self.path, read_only=True)
        self.waiting: list[NewCommit] = []
        self.count = 0

    @initialize()
    def open_one(self) -> None:
        self.both(lambda log: log.append([Writer("a").open()]))

    def both(self, call: Callable[[Log], object]) -> object:
        """Make a call on both logs and compare the results."""
        expected, actual = said(lambda: call(self.model)), said(lambda: call(self.store))

        assert actual == expected
        return actual

    def head(self, name: str) -> Head | None:
        """Return the head after the waiting commits are appended."""
        for new in reversed(self.waiting):
            if new.match == name:
                return Head(new.last, new.hash)
        return self.model.head(MatchId(name)) if name in self.model.matches() else None

    @rule(name=NAMES, shift=st.sampled_from([0, 0, 0, 0, 1, -1]), again=st.booleans(), seed=st.booleans())
    def add(self, name: str, shift: int, again: bool, seed: bool) -> None:
        head = self.head(name)
        self.count += not again
        if head is None:
            self.waiting.append(Writer(name).open(seed="ab" * 32 if seed else ""))
            return
        wrong = Head(max(0, head.seq + shift), head.hash)
        self.waiting.append(
            sealed(MatchId(name), wrong, march(self.count), f"k{self.count}", seed="ab" * 32 if seed and again else "")
        )

    @rule(name=NAMES, parent=NAMES, number=st.integers(0, 12), own=st.booleans(), key=st.integers(0, 3))
    def fork(self, name: str, parent: str, number: int, own: bool, key: int) -> None:
        if parent not in self.model.matches():
            origin = Origin(MatchId(parent), number, Head().hash)
        else:
            commits = [found for found in self.model.read(MatchId(parent)) if not own or found.match == parent]
            commit = commits[number % len(commits)]
            origin = Origin(MatchId(parent if not own else commit.match), commit.last, commit.hash)
        self.waiting.append(Writer(name, origin).open())

    @rule()
    def append(self) -> None:
        batch, self.waiting = self.waiting, []
        self.both(lambda log: log.append(batch))

    @rule(number=st.integers(0, 30))
    def retry(self, number: int) -> None:
        names = self.model.matches()
        commits = list(self.model.read(names[number % len(names)]))
        known = commits[number % len(commits)]
        new = NewCommit(known.match, known.first, known.last, known.key, known.hash, known.body)

        assert self.both(lambda log: log.append([new])) == [AlreadyThere(known)]

    @rule(name=NAMES, after=st.integers(0, 20), upto=st.none() | st.integers(0, 20))
    def read(self, name: str, after: int, upto: int | None) -> None:
        self.both(lambda log: tuple(log.read(MatchId(name), after, upto)))

    @rule(name=NAMES, number=st.integers(0, 20))
    def find(self, name: str, number: int) -> None:
        self.both(lambda log: log.find(MatchId(name), f"k{number}"))

    @rule(name=NAMES, seq=st.integers(1, 12), upto=st.integers(0, 20), content=st.binary(max_size=3))
    def snapshot(self, name: str, seq: int, upto: int, content: bytes) -> None:
        # A match that ends before its own snapshot would count as damaged.
        if name in self.model.matches() and seq <= self.model.head(MatchId(name)).seq:
            self.both(lambda log: log.save_snapshot(MatchId(name), seq, content))
        self.both(lambda log: log.snapshot(MatchId(name), upto))

    @rule()
    def open_anew(self) -> None:
        self.store.close()
        self.store = self.store_type(self.path)

    @invariant()
    def heads_agree(self) -> None:
        for log in (self.store, self.reader):
            assert tuple(log.matches()) == tuple(self.model.matches())
            for match in self.model.matches():
                assert (log.head(match), log.origin(match), log.seed(match)) == (
                    self.model.head(match),
                    self.model.origin(match),
                    self.model.seed(match),
                )

    @override
    def teardown(self) -> None:
        for match in self.model.matches():
            assert list(self.reader.read(match)) == list(self.model.read(match))
        self.store.close()
        self.reader.close()
        self.folder.cleanup()


class _Hasty(SqliteLog):
    """A log that wrongly checks the head before the key."""

    @override
    def _obstacle(self, branch: Branch, new: NewCommit) -> AlreadyThere | LostRace | None:
        actual = self._head(branch).seq
        return LostRace(new.match, new.first - 1, actual) if actual != new.first - 1 else super()._obstacle(branch, new)


class HastyMachine(LogMachine):
    """The same machine with the wrong log, which must fail."""

    store_type = _Hasty


def test_both_logs_give_the_same_results(budget: float) -> None:
    run_state_machine_as_test(LogMachine, settings=settings(max_examples=round(40 * budget), stateful_step_count=40))


@pytest.mark.long
def test_a_log_with_different_results_is_found() -> None:
    with pytest.raises(AssertionError):
        run_state_machine_as_test(HastyMachine, settings=settings(max_examples=100, stateful_step_count=40))
