"""A store on PostgreSQL, beyond the contract of every log: how it is named, made and refused, and what happens when its server ends."""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from psycopg.sql import SQL

from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import AlreadyThere, Appended
from server.client.retry import RetryPolicy
from server.store.opening import open_log, shown
from server.store.postgres.link import Asked, Lost, database_in
from server.store.postgres.postgres_log import PostgresLog
from server.store.postgres.served_log import ServedPostgresLog
from server.store.postgres.tables import TABLES, VERSION
from server.store.remote import outage
from tests.cli.running import Terminal
from tests.events.making import Writer
from tests.support.postgres_server import Postgres, postgres_server
from tests.support.served import SOON_MS, eventually

PATIENT = RetryPolicy(timeout_s=4.0, tries=5, patience_s=SOON_MS / 1000)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with postgres_server() as made:
        yield made


# Opening


def test_a_locator_is_shown_without_user_password_and_parameters() -> None:
    locator = "postgresql://ann:secret" + "@one:5433,two/wars?schema=season&sslmode=require&password=more"

    assert shown(locator) == "postgresql://one:5433,two/wars?schema=season"
    assert "schema" not in database_in(locator).conninfo


@pytest.mark.parametrize(
    "locator", ["postgresql://a/b?colour=red", "postgresql://a/b?schema=a.b", "postgresql://a:x/b", "postgres://[a/b"]
)
def test_a_malformed_locator_is_told_in_one_line(locator: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"a database is postgresql://|cannot be reached"):
        open_log(locator)


def test_what_is_not_a_store_of_this_version_is_left_as_it_is(postgres: Postgres) -> None:
    empty, foreign, newer = (postgres.locator(schema) for schema in ("empty", "foreign", "order"))
    PostgresLog(database_in(newer)).close()
    with psycopg.connect(postgres.locator()) as db:
        db.execute('UPDATE "order".store SET version = 2')
        db.execute('CREATE SCHEMA "foreign" CREATE TABLE things (id BIGINT)')
    with pytest.raises(StoreUnavailable, match="is empty: there is no store to read"):
        open_log(empty, read_only=True)
    with pytest.raises(StoreUnavailable, match="is not a store: it has tables of another program"):
        open_log(foreign)
    with pytest.raises(StoreUnavailable, match=r"is a store of version 2, this program needs 1"):
        open_log(newer)
    with pytest.raises(StoreUnavailable, match="acknowledges before it is durable"):
        open_log(f"{empty}&options=-csynchronous_commit%3Doff")
    with pytest.raises(StoreUnavailable, match='database "gone" does not exist'):
        open_log(empty.replace("/postgres?", "/gone?"))


def test_a_wrong_password_is_told_in_one_line_without_it_and_the_right_one_opens(postgres: Postgres) -> None:
    postgres.add_user("ann", "right")
    locator = "postgresql://ann:{}" + f"@{postgres.address}/postgres?schema=guarded"

    def refusal() -> str:
        try:
            open_log(locator.format("wrong")).close()
        except StoreUnavailable as error:
            return str(error)
        return ""

    # The server takes a moment to read who needs a password.
    eventually(lambda: "password authentication failed" in refusal(), "the password is asked for")
    with open_log(locator.format("right")) as log:
        assert log.matches() == ()
    assert "wrong" not in refusal()
    assert "\n" not in refusal()


def test_a_store_of_the_same_place_on_another_cluster_is_not_taken_for_it(postgres: Postgres) -> None:
    """Else what was acknowledged on the first would be missing, and go on otherwise, on the second. It starts a server, which takes a second or two."""
    commits = Writer("m").commits(2)
    other = postgres.store()
    PostgresLog(other).close()
    with postgres_server() as first:
        hosts = f"{first.address},{postgres.address}"
        both = database_in(f"postgresql://owner@{hosts}/postgres?schema={other.schema}")
        with PostgresLog(both) as log, ServedPostgresLog(both) as served:
            log.append(commits[:1])
            first.kill()
            for one in (log, served):
                with pytest.raises((OutcomeUnknown, StoreUnavailable)):
                    one.append(commits[1:])
            time.sleep(outage.AGAIN_S)
            with pytest.raises(StoreUnavailable, match="another store lies there, too: name the hosts of one cluster"):
                log.head(MatchId("m"))
            with pytest.raises((OutcomeUnknown, StoreUnavailable)):
                served.append(commits[1:])
    with PostgresLog(other) as there:
        assert there.matches() == ()


def test_evidence_is_only_inserted(postgres: Postgres) -> None:
    """So that the user of a server needs no right to change or to remove it."""
    database = postgres.store()
    commits = Writer("m").commits(3)
    PostgresLog(database).close()
    with psycopg.connect(postgres.locator()) as db:
        db.execute("DROP ROLE IF EXISTS server")
        db.execute("CREATE ROLE server LOGIN")
        db.execute(f"GRANT USAGE ON SCHEMA {database.schema} TO server")
        db.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {database.schema} TO server")
        for table in ("store", "snapshots", "summaries"):
            db.execute(f"GRANT UPDATE ON {database.schema}.{table} TO server")
    with PostgresLog(database_in(database.locator.replace("owner@", "server@"))) as log:
        log.append(commits)
        log.save_snapshot(MatchId("m"), commits[-1].last, b"snapshot")
        with pytest.raises(StoreUnavailable, match=r"refuses this to the user of the store.*permission denied"):
            log._link.run(("UPDATE commits SET body = ''", ()))

        assert [one.body for one in log.read(MatchId("m"))] == [new.body for new in commits]
        assert log.snapshot(MatchId("m"), commits[-1].last) == (commits[-1].last, b"snapshot")


def test_a_match_that_another_server_opens_meanwhile_is_looked_up_again(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, (first,) = postgres.store(), Writer("m").commits(1)
    with PostgresLog(database) as log, PostgresLog(database) as other:
        real = log._link.transaction

        def late(*asked: Asked) -> object:
            other.append([first])
            return real(*asked)

        monkeypatch.setattr(log._link, "transaction", late)

        assert [type(receipt) for receipt in log.append([first])] == [AlreadyThere]


# A server that ends


def test_a_connection_that_is_lost_in_a_commit_leaves_the_outcome_unknown_and_the_key_settles_it(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = Writer("m").commits(3)
    with PostgresLog(postgres.store()) as log:
        log.append([first])
        real = log._link.run

        def cut(*asked: Asked, is_stored: bool) -> object:
            if asked[0][0] == "COMMIT":
                if is_stored:
                    real(*asked)
                log._link.close()
                raise Lost("cut")
            return real(*asked)

        receipts = []
        for new, is_stored in ((second, True), (third, False)):
            with monkeypatch.context() as patch:
                patch.setattr(log._link, "run", partial(cut, is_stored=is_stored))
                with pytest.raises(OutcomeUnknown, match="it is not known whether it was stored"):
                    log.append([new])
            receipts += log.append([new])

        assert [type(receipt) for receipt in receipts] == [AlreadyThere, Appended]
        assert log.head(MatchId("m")).seq == third.last


def test_a_commit_that_a_standby_may_lack_is_not_acknowledged(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is told to stop waiting for its standby says *committed*, and warns."""
    with PostgresLog(postgres.store()) as log:
        real = log._link.run

        def warns(*asked: Asked) -> object:
            found = real(*asked)
            if asked[0][0] == "COMMIT":
                real(("DO $$BEGIN RAISE WARNING 'canceling wait for synchronous replication'; END$$", ()))
            return found

        monkeypatch.setattr(log._link, "run", warns)
        with pytest.raises(OutcomeUnknown, match="canceling wait"):
            log.append(Writer("m").commits(1))


def test_a_server_that_does_not_answer_is_waited_for_once_and_one_that_was_killed_is_found_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    monkeypatch.setattr(outage, "PROBE_S", 0.05)
    commits = Writer("m").commits(2)
    with postgres_server() as postgres, PostgresLog(postgres.store()) as log:
        log.append(commits[:1])
        backend = log._link.run(("SELECT pg_backend_pid()", ()))[0][0][0]
        os.kill(int(str(backend)), signal.SIGSTOP)
        with pytest.raises(StoreUnavailable, match="was lost"):
            log.append(commits[1:])
        with pytest.raises(StoreUnavailable, match="does not answer; nothing was done"):
            log.head(MatchId("m"))
        os.kill(int(str(backend)), signal.SIGCONT)
        eventually(lambda: _reached(log) == commits[0].last, "the log comes back")
        postgres.kill()
        with pytest.raises(StoreUnavailable):
            log.head(MatchId("m"))
        postgres.start()
        eventually(lambda: _reached(log) == commits[0].last, "the log comes back")

        assert [type(receipt) for receipt in log.append(commits)] == [AlreadyThere, Appended]


def _reached(log: PostgresLog) -> int:
    try:
        return log.head(MatchId("m")).seq
    except StoreUnavailable:
        return 0


@pytest.mark.long
def test_a_standby_that_takes_over_has_all_that_was_acknowledged() -> None:
    """Two writers append while the server is killed; what the standby had to have is there, each once."""
    with postgres_server() as first:
        first.kill()
        first.start("-c", "synchronous_standby_names=*", "-c", "synchronous_commit=remote_write")
        schema = "season"
        with psycopg.connect(first.locator(), autocommit=True) as db:
            # Without a standby nothing is durable, so that the tables are made before one is asked for.
            db.execute("SET synchronous_commit TO local")
            db.execute(SQL(";".join(("CREATE SCHEMA season", "SET search_path TO season", *TABLES))))
            db.execute("INSERT INTO store VALUES (%s, 0, %s)", (VERSION, schema))
        with postgres_server(first) as second:
            locator = f"postgresql://owner@{first.address},{second.address}/postgres?schema={schema}"
            acknowledged: dict[str, list[str]] = {"a": [], "b": []}
            writers = [Thread(target=_write, args=(locator, match, acknowledged[match])) for match in acknowledged]
            for writer in writers:
                writer.start()
            eventually(lambda: all(len(keys) > 50 for keys in acknowledged.values()), "both write")
            first.kill()
            known = {match: list(keys) for match, keys in acknowledged.items()}
            second.promote()
            for writer in writers:
                writer.join()
            with PostgresLog(database_in(locator)) as log:
                stored = {match: [one.key for one in log.read(MatchId(match))] for match in acknowledged}

            assert {match: keys[: len(known[match])] for match, keys in stored.items()} == known
            assert stored == acknowledged
            assert all(len(keys) == COMMITS for keys in stored.values())


COMMITS = 400


def _write(locator: str, match: str, acknowledged: list[str]) -> None:
    """Append the commits of a match one after the other, each until it is acknowledged."""
    with PostgresLog(database_in(locator)) as log:
        for new in Writer(match).commits(COMMITS):
            while not acknowledged or acknowledged[-1] != new.key:
                try:
                    (receipt,) = log.append([new])
                except StoreUnavailable:
                    time.sleep(0.05)
                    continue
                assert isinstance(receipt, Appended | AlreadyThere), receipt
                acknowledged.append(new.key)


# Whole stores


def test_verbs_work_on_a_database_as_on_a_file(postgres: Postgres, tmp_path: Path) -> None:
    there = partial(Terminal(tmp_path / "unused.db"), variables={"WARDIARY_STORE": postgres.store().locator})
    none = there("list")
    match = str(there("new", "advance", "--json").objects[0]["match"])
    rans = [there("choose", match, "1"), there("list"), there("show", match), there("audit", match)]

    assert none.code == 3
    assert "is empty: there is no store to read" in none.err
    assert [(ran.code, ran.err) for ran in rans] == [(0, "")] * 4
    assert match[:6] in rans[1].out
