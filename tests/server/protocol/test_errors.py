"""Errors sent from one process to another arrive unchanged."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from core.bots.bot_port import NoOption
from core.bots.world import NotLegal
from core.errors import DiceMissing, DrawMissing, RecordDiffers, SetupInvalid, UnknownName
from core.notation.notation import NotationInvalid, NotationRefused
from core.refusal import Refusal
from core.registry.game_fault import GameFault, Place
from core.toml.findings import BoardInvalid
from core.toml.outside_toml import TextDefect
from events.errors import (
    ArchiveError,
    BrokenEvidence,
    BrokenStudy,
    LogMisuse,
    LostRace,
    NoForkPoint,
    OtherMatch,
    OutcomeUnknown,
    Portable,
    StoreDamaged,
    StoreUnavailable,
    UnknownMatch,
)
from events.ids import MatchId, RuleId, StudyId
from projections.state.table import Table
from server.protocol.errors import RequestFailed, TimedOut, lost_race
from server.protocol.replies import FailedReply
from server.store.jetstream.streams import Refused
from tests.support.rows import each_row

M = MatchId("m")

ERRORS: list[Portable] = [
    UnknownMatch(M),
    NotationInvalid(7, "'[4' is not read"),
    NotationRefused(8, "the Force is locked", "move.locked"),
    LostRace(M, 1, 2),
    BrokenEvidence(M, 3, "torn"),
    BrokenStudy(M, StudyId("s"), 2, "torn"),
    LogMisuse("a second seed"),
    NoForkPoint("not there"),
    OtherMatch(M, 4),
    ArchiveError(5, "cut off", M, 6),
    StoreUnavailable("full"),
    OutcomeUnknown("failed"),
    StoreDamaged("store.db", "torn"),
    Refused("the cluster has no room", 10_077),
    UnknownName("nobody"),
    DiceMissing(2, 6, "an attack"),
    DrawMissing(("one", "two"), "a draw"),
    RecordDiffers(3, "other dice"),
    SetupInvalid(("one thing", "another")),
    BoardInvalid((TextDefect(3, "areas", "no number", "a number"),)),
    RequestFailed(FailedReply(code="refused", message="no", rule=RuleId("1"))),
    TimedOut("nobody answers"),
    NotLegal(Refusal("units_must_be_fresh", RuleId("9.1"), "The unit is spent.")),
    NoOption(Table()),
    GameFault("a fault", Place("rules.py", 3, "take", "raise"), '{"do":"roll"}'),
]


@each_row("error", ERRORS)
def test_an_error_survives_pickling_unchanged(error: Portable) -> None:
    again = pickle.loads(pickle.dumps(error))

    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_every_error_of_a_log_is_tested() -> None:
    tried = {type(error) for error in ERRORS}
    untried = [kind for kind in _all(Portable) if kind not in tried and "__init__" in vars(kind)]

    # Those of clients and pages never leave their process.
    assert [
        kind.__name__ for kind in untried if not kind.__module__.startswith(("tests.", "server.client.", "server.web."))
    ] == ["LogError"]


def _all(kind: type[Portable]) -> list[type[Portable]]:
    return [below for one in kind.__subclasses__() for below in (one, *_all(one))]


def fails() -> None:
    raise BrokenEvidence(M, 3, "torn")


def test_an_error_of_another_process_is_raised_with_its_type() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        error = pool.submit(fails).exception(60)

    assert isinstance(error, BrokenEvidence)
    assert (error.match, error.seq, error.problem) == (M, 3, "torn")


def test_a_lost_race_names_the_cause() -> None:
    assert "has moved on: event 3 was expected to be the last, now it is 5" in str(lost_race(3, 5))
    assert "has not reached event 9, which was expected; the last is 5" in str(lost_race(9, 5))
