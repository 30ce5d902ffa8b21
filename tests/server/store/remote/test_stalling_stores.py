"""A store on other machines from which no byte comes for a while: its server goes on answering what it knows."""

import re
from collections.abc import Iterator

import pytest

from events.codec import encode
from server.broker.background import Background
from server.protocol.clock import SystemClock
from server.protocol.logger import SILENT
from server.protocol.replies import FailedReply, PlayedReply
from server.protocol.wire import PROTOCOL, LegalRequest, PlayRequest
from server.store.opening import open_log, open_served
from server.store.remote import outage
from server.store.sql.appends_beside import AppendsBeside
from tests.server.desk.test_desk_batch import NOTE
from tests.support.nats_server import nats_servers
from tests.support.postgres_server import postgres_server
from tests.support.served import Raw, client_of, eventually, seated, served
from tests.support.skirmish import RED
from tests.support.soak import sampled
from tests.support.stalling import Proxy, stalling

VERSION = PROTOCOL.encode()


PAUSE_MS = 20


@pytest.fixture(params=sampled(["jetstream", "postgres"], lambda kind: kind == "jetstream"))
def store(request: pytest.FixtureRequest) -> Iterator[tuple[str, str, Proxy]]:
    """The address of a store, the same behind a proxy, and that."""
    with nats_servers() if request.param == "jetstream" else postgres_server() as server:
        database = server.store()
        (port,) = re.findall(r"127\.0\.0\.1:(\d+)", database.locator)
        with stalling(int(port)) as proxy:
            yield database.locator, database.locator.replace(port, str(proxy.port)), proxy


def test_while_an_append_hangs_other_matches_are_answered(
    store: tuple[str, str, Proxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hung command is told that its outcome is unknown, or that nothing was done; sent again, it takes effect once."""
    monkeypatch.setattr(outage, "DEADLINE_S", 1.0)
    direct, locator, proxy = store
    background = Background(locator, SystemClock(), SILENT)
    with (
        open_served(locator) as log,
        served(log, is_shared=True, background=background) as broker,
        client_of(broker) as client,
        Raw(broker.address) as raw,
    ):
        if isinstance(log, AppendsBeside) and (pipe := log._pipe) is not None:
            eventually(lambda: log._prepared(pipe), "the second process is ready")
        match, other, cold = seated(client), seated(client), seated(client, seed="1")
        client.play(match, RED, NOTE)
        broker._desk._matches.drop(cold)
        assert client.legal(other).to_move == RED
        hung = PlayRequest(id="hung", match=match, seat=RED, token=client.token(match, RED), command=NOTE, key="once")
        proxy.hold()
        raw.send(VERSION, encode(hung))
        answered = 0
        while not raw.socket.poll(PAUSE_MS):
            assert client.legal(other).to_move == RED
            answered += 1
        failed = {
            reply.id
            for reply in (raw.reply(), raw.ask(LegalRequest(id="cold", match=cold)))
            if isinstance(reply, FailedReply)
        }
        assert client.legal(other).to_move == RED
        proxy.let_go()
        eventually(lambda: isinstance(raw.ask(hung), PlayedReply), "the store is back")
        eventually(lambda: not isinstance(raw.ask(LegalRequest(match=cold)), FailedReply), "it is read again")
    with open_log(direct) as there:
        keys = [stored.key for stored in there.read(match)]

    assert failed == {"hung", "cold"}
    assert keys.count("once") == 1
    assert answered > 5, "replies came while the append hung"
