"""A store on NATS servers: what can go wrong when it is opened, lost connections, copies, servers of it; and one that survives its leader."""

import os
import re
import signal
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from cli.commands.serving import serve
from events.codec import replace
from events.errors import LogError, LostRace, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import AlreadyThere, Appended, NewCommit
from server.broker.broker import Broker
from server.client.retry import RetryPolicy
from server.store.jetstream.cluster import Cluster, cluster_in
from server.store.jetstream.jetstream_log import JetStreamLog
from server.store.jetstream.layout import evidence
from server.store.jetstream.link import Link, Server
from server.store.jetstream.protocol import Message
from server.store.jetstream.streams import Kept, Stream
from server.store.opening import open_log
from server.store.remote import outage
from tests.cli.running import Terminal
from tests.events.making import Writer
from tests.support.nats_server import Nats, nats_servers
from tests.support.rows import each_row
from tests.support.served import SOON_MS, eventually
from tests.support.server_logs import SIGNER
from tests.support.witness import WITNESS

SOON_S = SOON_MS / 1000
PATIENT = RetryPolicy(timeout_s=4.0, tries=5, patience_s=SOON_S)
ELECTION_S = 30.0


@pytest.fixture(scope="module")
def nats() -> Iterator[Nats]:
    with nats_servers() as made:
        yield made


# Opening


@each_row(
    "locator",
    [
        "nats://user%40:pa%2Fss" + "@one:4223,two:4222/name?replicas=3",
        "tls://one:4222/wardiary?replicas=1",
        "nats://10.0.0.1:4222/a-b_c?replicas=5",
    ],
)
def test_a_locator_names_servers_user_store_and_replicas(locator: str) -> None:
    assert cluster_in(locator).locator == locator
    assert cluster_in("nats://one").locator == "nats://one:4222/wardiary?replicas=1"


@each_row("locator", ["nats://", "nats://a b/c", "nats://a/b.c", "nats://a?replicas=2", "nats://a:x/b"])
def test_a_malformed_locator_is_told_without_its_password(locator: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"a cluster is nats://HOST:PORT"):
        open_log(locator)


def test_a_cluster_that_cannot_be_used_is_told_soon(nats: Nats) -> None:
    cluster = nats.store()
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"no server of the cluster can be reached: 127\.0\.0\.1:1: .*refused"):
        JetStreamLog(replace(cluster, servers=(Server("127.0.0.1", 1),)))
    with pytest.raises(
        StoreUnavailable, match=r"cannot be made with 3 replicas, which need as many servers: the cluster says"
    ):
        JetStreamLog(replace(cluster, replicas=3))
    with JetStreamLog(cluster) as log:
        log._link.ask(
            f"$JS.API.STREAM.CREATE.{cluster.name}x-log", {"name": f"{cluster.name}x-log", "subjects": ["foreign"]}
        )
        log._link.ask(
            f"$JS.API.STREAM.CREATE.{cluster.name}y-log",
            {
                "name": f"{cluster.name}y-log",
                **evidence([f"{cluster.name}y.o.*", f"{cluster.name}y.c.*"], 1),
                "description": "wardiary store 0",
            },
        )
    for name, told in (("x", "subjects"), ("y", "description 'wardiary store 0', not 'wardiary store 1'")):
        with pytest.raises(StoreUnavailable, match=rf"{told}.*it is not a store of this version") as refused:
            JetStreamLog(replace(cluster, name=f"{cluster.name}{name}"))
        assert "\n" not in str(refused.value)

    assert time.monotonic() - began < SOON_S


def test_who_reads_a_store_that_is_not_there_is_told_so_and_makes_none(nats: Nats, tmp_path: Path) -> None:
    """Else a backup of a name with a slip of the pen is an empty one that says it was checked."""
    cluster = nats.store()
    for verb in (("list",), ("copy", cluster.locator, str(tmp_path / "copy.db"))):
        ran = Terminal(tmp_path / "unused.db")(*verb, variables={"WARDIARY_STORE": cluster.locator})
        assert (ran.code, ran.out) == (3, "")
        assert f"the cluster has no store of the name {cluster.name}" in ran.err

    assert not (tmp_path / "copy.db").exists()


def test_a_wrong_password_is_told_and_the_right_one_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    with nats_servers(1, "--user", "ann", "--pass", "right") as nats:
        cluster = replace(nats.store(), user="ann", password="right")
        with pytest.raises(StoreUnavailable, match="Authorization Violation"):
            JetStreamLog(replace(cluster, password="wrong"))
        with JetStreamLog(cluster) as log:
            matches = log.matches()

    assert matches == ()


def test_a_store_of_the_same_name_on_another_cluster_is_not_taken_for_it(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what was acknowledged on the first would be missing, and go on otherwise, on the second."""
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    commits = Writer("m").commits(2)
    with nats_servers() as first:
        one = first.store()
        other = replace(one, servers=nats.store().servers)
        JetStreamLog(other).close()
        with JetStreamLog(replace(one, servers=one.servers + other.servers)) as log:
            log.append(commits[:1])
            first.kill(0)
            with pytest.raises((OutcomeUnknown, StoreUnavailable)):
                log.append(commits[1:])
            time.sleep(outage.AGAIN_S)
            with pytest.raises(StoreUnavailable, match=r"can be reached: .*another cluster has a store of the name"):
                log.head(MatchId("m"))
    with JetStreamLog(other) as there:
        assert there.matches() == ()


# Appending


def test_a_lost_connection_leaves_the_outcome_unknown_and_the_key_settles_it(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, commits = nats.store(), Writer("m").commits(4)
    with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
        log.append(commits[:2])
        real = log._link.finish
        with monkeypatch.context() as patch:

            def cut(reply: str, due: float | None = None) -> object:
                if not cuts:
                    cuts.append(reply)
                    log._link.close()
                return real(reply, due)

            cuts: list[str] = []
            patch.setattr(log._link, "finish", cut)
            with pytest.raises(OutcomeUnknown):
                log.append(commits[2:3])
        until = time.monotonic() + SOON_S
        while other.head(MatchId("m")).seq < commits[2].last and time.monotonic() < until:
            pass
        again, after = log.append(commits[2:3]), log.append(commits[3:])

    assert isinstance(again[0], AlreadyThere)
    assert isinstance(after[0], Appended)


def test_commits_are_appended_while_others_are_decided(nats: Nats) -> None:
    commits = Writer("m").commits(6)
    with JetStreamLog(nats.store()) as log:
        log.append(commits[:1])
        assert log.submit(commits[1:4])
        assert log.await_receipts()
        receipts = log.receive()
        begun = log.submit(commits[:1])
        assert log.submit([commits[4], commits[0]])
        mixed = log.receive()

    assert [type(receipt) for receipt in receipts] == [Appended] * 3
    assert [type(receipt) for receipt in mixed] == [Appended, AlreadyThere]
    assert not begun, "a key that is there already needs no server"


def test_a_commit_that_is_read_before_its_receipt_is_known_once(nats: Nats) -> None:
    commits = Writer("m").commits(3)
    with JetStreamLog(nats.store()) as log:
        log.append(commits[:1])
        log.submit(commits[1:2])
        until = time.monotonic() + SOON_S
        while log.head(MatchId("m")).seq < commits[1].last and time.monotonic() < until:
            pass
        log.receive()
        log.append(commits[2:])
        read = [stored.key for stored in log.read(MatchId("m"))]

    assert read == [new.key for new in commits]


def test_a_connection_that_was_replaced_leaves_the_outcome_unknown_at_once(nats: Nats) -> None:
    commits = Writer("m").commits(2)
    with JetStreamLog(nats.store()) as log:
        log.append(commits[:1])
        log.submit(commits[1:])
        log._link.close()
        log.head(MatchId("m"))
        assert log.has_receipts()
        with pytest.raises(OutcomeUnknown):
            log.receive()
        again = log.append(commits[1:])

    assert [receipt.stored.key for receipt in again if not isinstance(receipt, LostRace)] == [commits[1].key]


def test_what_another_writer_appended_between_is_found_when_receipts_come(nats: Nats) -> None:
    cluster, commits = nats.store(), Writer("m").commits(3)
    with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
        log.append(commits[:1])
        other.append(commits[1:2])
        assert log.submit([replace(commits[1], key="other", hash=commits[2].hash)])
        log.await_receipts()
        receipts = log.receive()

    assert [type(receipt).__name__ for receipt in receipts] == ["LostRace"]


def test_a_cluster_that_does_not_answer_is_waited_for_once_and_then_tried_from_time_to_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that waits for each request stands still, although it could answer from memory."""
    monkeypatch.setattr(outage, "DEADLINE_S", 0.2)
    monkeypatch.setattr(outage, "PROBE_S", 0.05)
    commits = Writer("m").commits(2)
    with nats_servers() as nats, JetStreamLog(nats.store()) as log:
        log.append(commits[:1])
        nats.processes[0].send_signal(signal.SIGSTOP)
        os.waitpid(nats.processes[0].pid, os.WUNTRACED)
        with pytest.raises(OutcomeUnknown):
            log.append(commits[1:])
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(StoreUnavailable, match="does not answer; nothing was done"):
                log.head(MatchId("m"))
        waited = time.monotonic() - began
        nats.processes[0].send_signal(signal.SIGCONT)
        eventually(lambda: _reached(log) == commits[1].last, "the log comes back")

    assert waited < 0.1


@pytest.fixture
def unanswered(nats: Nats) -> Iterator[str]:
    """The subject of which a connection hears, and nobody answers."""
    with closing(_link(nats)) as hearer:
        hearer.listen("unanswered")
        hearer.look()
        yield "unanswered"


def _link(nats: Nats, heard: list[Message] | None = None) -> Link:
    port = nats.store().servers[0].port
    servers = [Server("127.0.0.1", port), Server("localhost", port)]
    return Link(
        servers, "", "", is_encrypted=False, woken=([] if heard is None else heard).append, checked=lambda: None
    )


def test_after_a_server_that_does_not_answer_another_one_is_asked_at_once(
    nats: Nats, unanswered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that stands still, or is cut off from the others, takes connections and answers nothing."""
    monkeypatch.setattr(outage, "DEADLINE_S", 0.1)
    with closing(_link(nats)) as link:
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            link.ask(unanswered, {})

        assert link.connections == len(link._servers)
        assert time.monotonic() - began < outage.AGAIN_S


def test_a_question_that_a_replica_does_not_hear_is_put_to_another_one(
    nats: Nats, unanswered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NATS sends it to one by chance, also to one that was cut off a moment ago."""
    begin, lost = Link.begin, list[str]()

    def first_lost(self: Link, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> str:
        if "DIRECT" in messages[0][0] and not lost:
            lost.append(messages[0][0])
            messages = [(unanswered, b"", {})]
        return begin(self, messages)

    commits = Writer("m").commits(3)
    with JetStreamLog(nats.store()) as log:
        log.append(commits)
        monkeypatch.setattr(Link, "begin", first_lost)
        read = [one.key for one in log.read(MatchId("m"))]

        assert lost
        assert read == [one.key for one in commits]
        assert not log.outage.is_on


@each_row(("briefly", "at_least", "at_most"), [("brief", 5, 7), (None, 2, 4)])
def test_questions_that_are_put_again_are_brief_or_few(
    nats: Nats, unanswered: str, monkeypatch: pytest.MonkeyPatch, briefly: str | None, at_least: int, at_most: int
) -> None:
    """Else they fill a slow connection with answers that nobody waits for, until none comes in time."""
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    asked = list[Message]()
    with closing(_link(nats, asked)) as hearer, closing(_link(nats)) as link:
        hearer.listen(unanswered)
        hearer.look()
        with pytest.raises(StoreUnavailable):
            link.ask_any(unanswered, "all", briefly)

        def is_heard() -> bool:
            hearer.look()
            return len(asked) >= at_least

        eventually(is_heard, "it is asked again")

    assert [one.data for one in asked] == [b'"all"', *[b'"brief"' if briefly else b'"all"'] * (len(asked) - 1)]
    assert at_least <= len(asked) <= at_most


def test_a_read_whose_connection_is_lost_is_asked_again(nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, lost = Link.begin, list[str]()

    def first_lost(self: Link, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> str:
        reply = begin(self, messages)
        if "DIRECT" in messages[0][0] and not lost and self._socket is not None:
            lost.append(reply)
            self._socket.shutdown(socket.SHUT_RDWR)
        return reply

    commits = Writer("m").commits(3)
    with JetStreamLog(nats.store()) as log:
        log.append(commits)
        monkeypatch.setattr(Link, "begin", first_lost)
        read = [one.key for one in log.read(MatchId("m"))]

    assert lost
    assert read == [one.key for one in commits]


def test_a_server_that_knows_no_leader_does_not_speak_for_the_leader(
    nats: Nats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes back after a cut says so at once, and the leader answers a moment later."""
    begin = Link.begin
    with JetStreamLog(nats.store()) as log:
        log.append(Writer("m").commits(1))
        vague = Message("", b'{"error":{"code":503,"err_code":10008}}')

        def heard_first(self: Link, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> str:
            reply = begin(self, messages)
            self._replies[reply].append(vague)
            return reply

        monkeypatch.setattr(Link, "begin", heard_first)

        assert log.head(MatchId("m")).seq == 1


def _reached(log: JetStreamLog) -> int:
    try:
        return log.head(MatchId("m")).seq
    except StoreUnavailable:
        return 0


# News


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The streams of which messages were read, once for each question."""
    found: list[str] = []
    some = Stream.some

    def noted(self: Stream, question: Mapping[str, object]) -> list[Kept]:
        found.append(self.name)
        return some(self, question)

    monkeypatch.setattr(Stream, "some", noted)
    return found


def told(log: JetStreamLog, number: int) -> None:
    """Wait until a log was told of so many commits of the store."""

    def is_told() -> bool:
        log._link.look()
        return log._wake_ups.seen >= number

    eventually(is_told, "it is told of what others append")


def test_only_the_commits_of_matches_that_are_wanted_are_read(nats: Nats, reads: list[str]) -> None:
    """A server is told of all that the others append; of most of it, it needs nothing."""
    cluster = nats.store()
    commits, own = Writer("m").commits(40), Writer("own").commits(40)
    with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
        for mine, foreign in zip(own[:30], commits[:30], strict=True):
            log.append([mine])
            other.append([foreign])
        told(log, 60)
        reads.clear()
        unread = log.news(lambda match: match != "m")
        assert reads == []
        for mine, foreign in zip(own[30:], commits[30:], strict=True):
            log.append([mine])
            other.append([foreign])
        told(log, 80)
        reads.clear()
        read = log.news(lambda match: match == "m")

    assert [one.key for one in (*unread, *read)] == [new.key for new in commits]
    assert {one.body for one in unread} == {b""}
    assert [one.body for one in read] == [new.body for new in commits[30:]]
    assert len(reads) == 1


def test_commits_of_which_no_wake_up_came_are_news(nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, commits = nats.store(), Writer("m").commits(6)
    with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
        for number, new in enumerate(commits, start=1):
            with monkeypatch.context() as lossy:
                if number in {2, 3, 6}:
                    lossy.setattr(log._wake_ups, "hear", lambda _: None)
                    lossy.setattr(log._link, "_woken", lambda _: None)
                other.append([new])
                time.sleep(0.05)
                log._link.look()
        first = log.news(lambda _: False)
        log._swept = 0.0
        last = log.news()

    assert [one.key for one in (*first, *last)] == [new.key for new in commits]


def test_who_never_asks_for_news_keeps_few_wake_ups(nats: Nats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.jetstream.wake_ups.KEPT_MAX", 3)
    cluster, commits = nats.store(), Writer("m").commits(9)
    with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
        for new in commits:
            other.append([new])
        told(log, len(commits))
        kept = len(log._wake_ups._commits)
        found = log.news()

    assert kept == 3
    assert [one.body for one in found] == [new.body for new in commits]


# Whole stores


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_three_servers_keep_what_they_acknowledged_when_one_is_killed(seed: int) -> None:
    """Commits of ten matches, in turn, while each server is killed once and started again, the leader included."""
    acknowledged: set[str] = set()
    unknown: set[str] = set()
    with nats_servers(3) as nats:
        cluster = nats.store(replicas=3, first=seed)
        log = _opened(cluster)
        writers = {f"m{number}": Writer(f"m{number}").commits(120) for number in range(10)}
        done = dict.fromkeys(writers, 0)
        kills = {200: 0, 500: 1, 800: 2}
        for step in range(1_100):
            if step in kills:
                nats.processes[kills[step]].kill()
                nats.processes[kills[step]].wait()
            if step - 150 in kills:
                nats.again(kills[step - 150])
            match = f"m{step % 10}"
            _append(log, writers[match][done[match]], acknowledged, unknown)
            done[match] += 1
        log.close()
        with _opened(cluster) as reader:
            stored = [one.key for match in reader.matches() for one in reader.read(match)]

    assert len(stored) == len(set(stored)) == 1_100
    assert acknowledged == set(stored)


def _opened(cluster: Cluster) -> JetStreamLog:
    until = time.monotonic() + ELECTION_S
    while True:
        try:
            return JetStreamLog(cluster)
        except StoreUnavailable:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def _append(log: JetStreamLog, new: NewCommit, acknowledged: set[str], unknown: set[str]) -> None:
    """Append a commit as a client does: again with the same key until its outcome is known."""
    until = time.monotonic() + ELECTION_S
    while time.monotonic() < until:
        try:
            (receipt,) = log.append([new])
        except OutcomeUnknown:
            unknown.add(new.key)
        except LogError:
            time.sleep(0.1)
        else:
            assert isinstance(receipt, Appended) or new.key in unknown, receipt
            acknowledged.add(new.key)
            return
    raise AssertionError("the cluster does not come back")


def test_a_server_of_a_cluster_keeps_no_log_and_says_so(
    nats: Nats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run ends once it has said what it has to say; what concerns files only is not told."""

    def ended(_: object, broker: Broker, __: str) -> None:
        broker.stop()

    monkeypatch.setattr(serve, "sqlite_warning", lambda: "a fault of SQLite")
    monkeypatch.setattr(serve, "_say_where", ended)
    locator = nats.store().locator
    on_cluster = partial(Terminal(tmp_path / "unused.db"), variables={"WARDIARY_STORE": locator})
    witness = f"{WITNESS.verifier.text} http://127.0.0.1:1/"
    refused = on_cluster("serve", "--witness", witness)
    with JetStreamLog(cluster_in(locator)) as log:
        log.begin_log(SIGNER.name, bytes(32))
    anywhere = ("--listen", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*")
    ran = on_cluster("serve", *anywhere)
    on_file = Terminal(tmp_path / "matches.db")("serve", *anywhere)

    assert (refused.code, refused.err) == (
        2,
        "wardiary: --witness needs a store that is a file: on other machines the log of the server is not kept\n",
    )
    assert f"the log {SIGNER.name} of this store is not continued" in ran.err
    assert ["a fault of SQLite" in one.err for one in (ran, on_file)] == [False, True]


def test_verbs_work_on_a_cluster_as_on_a_file(nats: Nats, tmp_path: Path) -> None:
    on_cluster = partial(Terminal(tmp_path / "unused.db"), variables={"WARDIARY_STORE": nats.store().locator})
    opened = on_cluster("new", "advance", "--json")
    match = str(opened.objects[0]["match"])
    rans = [on_cluster("choose", match, "1"), on_cluster("list"), on_cluster("show", match), on_cluster("audit", match)]
    file_only = on_cluster("backup", str(tmp_path / "b.db"))

    assert [(ran.code, ran.err) for ran in rans] == [(0, "")] * 4
    assert match[:6] in rans[1].out
    assert (file_only.code, file_only.err) == (
        2,
        "wardiary: this needs a store that is a file on this machine, and --store names another\n",
    )


def test_simulated_matches_are_saved_in_a_store_on_a_cluster(nats: Nats, tmp_path: Path) -> None:
    """Else they lie in a folder that is called after the locator, password included."""
    locator = nats.store().locator
    there = partial(Terminal(tmp_path / "unused.db"), variables={"WARDIARY_STORE": locator})
    saved = there("simulate", "skirmish", "--matches", "1", "--jobs", "1", "--save", locator)

    assert f"1 match saved in '{locator}': " in saved.err
    assert len(there("list", "--json").objects) == 1


@pytest.mark.long
def test_verbs_tell_in_one_line_what_is_wrong_with_a_cluster_and_never_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password, another number of replicas, and a port that says nothing."""
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    with nats_servers(1, "--user", "ann", "--pass", "right") as nats, socket.create_server(("127.0.0.1", 0)) as silent:
        cluster = replace(nats.store(), user="ann", password="right")
        JetStreamLog(cluster).close()
        port = silent.getsockname()[1]
        wrong = {
            "Authorization Violation": replace(cluster, password="secret"),
            r"the store has 1 replicas, not 3: write \?replicas=1 in its address": replace(cluster, replicas=3),
            "no server of the cluster can be reached": replace(cluster, servers=(Server("127.0.0.1", port),)),
        }
        told = {}
        for why, one in wrong.items():
            there = partial(Terminal(tmp_path / "unused.db"), variables={"WARDIARY_STORE": one.locator})
            told[why] = [
                there("list"),
                there("serve", "--listen", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*"),
                there("copy", one.locator, str(tmp_path / "copy.db")),
            ]

        ways = [(cluster.locator, str(tmp_path / "whole.db")), (str(tmp_path / "whole.db"), cluster.locator)]
        unnamed = Terminal(tmp_path / "unused.db")
        copies = [unnamed("copy", *way, *words) for way in ways for words in ((), ("--json",))]

    for copy in copies:
        assert (copy.code, "right" in copy.out + copy.err) == (0, False)
    for why, rans in told.items():
        for ran in rans:
            assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
            assert re.search(why, ran.err), ran.err
            assert "secret" not in ran.err
            assert "right" not in ran.err
    assert not (tmp_path / "copy.db").exists()
