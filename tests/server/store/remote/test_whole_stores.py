"""Whole stores on other machines, of each kind: copies, and two servers of one store."""

from collections.abc import Iterator
from random import Random

import pytest

from core.audit.match_audit import audit_match
from events.ids import PUBLIC
from events.memory_log import MemoryLog
from events.transparency.checkpoint import open_checkpoint
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.store.copying import copy_log
from server.store.opening import open_log
from server.transparency.server_log import AGAIN_S, ServerLog
from tests.events.making import Writer
from tests.support.nats_server import nats_servers
from tests.support.postgres_server import postgres_server
from tests.support.served import SOON_MS, play_through, seated, served
from tests.support.server_logs import SIGNER, KeptKey
from tests.support.sitting import CountedIdentity, Sitting, StillClock
from tests.support.soak import few

PATIENT = RetryPolicy(timeout_s=4.0, tries=5, patience_s=SOON_MS / 1000)


@pytest.fixture(scope="module", params=few(["jetstream", "postgres"]))
def locators(request: pytest.FixtureRequest) -> Iterator[Iterator[str]]:
    """Addresses of new stores."""
    if request.param == "jetstream":
        with nats_servers() as nats:
            yield iter(lambda: nats.store().locator, "")
    else:
        with postgres_server() as postgres:
            yield iter(lambda: postgres.store().locator, "")


def test_matches_are_copied_there_and_back_with_the_same_bytes(locators: Iterator[str]) -> None:
    source, back = MemoryLog(), MemoryLog()
    match = Sitting(source).match
    with local_client(source) as owner:
        owner.fork(match)
    locator = next(locators)
    with open_log(locator) as there:
        copied = copy_log(source, there)
    with open_log(locator) as there:
        copy_log(there, back)
        problems = there.check()

    assert (copied.matches, problems) == (2, [])
    assert {one: list(back.read(one)) for one in back.matches()} == {
        one: list(source.read(one)) for one in source.matches()
    }
    assert [back.seed(one) for one in back.matches()] == [source.seed(one) for one in source.matches()]


def test_two_servers_that_kept_a_log_with_one_key_would_never_sign_two_roots_of_one_size(
    locators: Iterator[str],
) -> None:
    """They take turns in any order; entries follow from the store, so that both make the same tree."""
    locator, choose, told = next(locators), Random(1), list[str]()
    roots: dict[int, set[bytes]] = {}
    with open_log(locator) as first, open_log(locator) as second:
        stores, clock = (first, second), StillClock()
        logs = [ServerLog(store, KeptKey(), clock, CountedIdentity(), told.append) for store in stores]
        for number in range(30):
            choose.choice(stores).append(Writer(f"m{number}").commits(choose.randint(1, 4)))
            for log in choose.sample(logs, choose.randint(1, 2)):
                clock.seconds += AGAIN_S
                log.look()
                log.want()
                for _ in range(choose.randint(1, 6)):
                    log.work(is_idle=True)
                if log.note:
                    shown = open_checkpoint(log.note, SIGNER.verifier)
                    roots.setdefault(shown.size, set()).add(shown.root)

    assert told == []
    assert len(roots) > 10
    assert {len(found) for found in roots.values()} == {1}


def test_two_servers_serve_one_match_and_tell_all_of_it(locators: Iterator[str]) -> None:
    locator = next(locators)
    with (
        open_log(locator) as first,
        open_log(locator) as second,
        served(second, is_shared=True) as other,
        connect(other.address, retry_policy=PATIENT) as watcher,
    ):
        with served(first, is_shared=True) as one, connect(one.address, retry_policy=PATIENT) as player:
            match = seated(player)
            following = watcher.follow(match)
            play_through(player, match)
            heard = [event for slice_ in following for event in slice_.events]
        told = [event for slice_ in local_client(first).log(match, PUBLIC) for event in slice_.events]

        assert heard == told[-len(heard) :]
        assert following.table.ended is not None
        assert audit_match(first, match).findings == ()
