"""A store on NATS servers behind certificates, and on one without room."""

import subprocess
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from events.codec import replace
from events.errors import StoreUnavailable
from events.ids import MatchId
from events.log import Appended, NewCommit
from server.store.jetstream.jetstream_log import JetStreamLog
from server.store.remote import outage
from tests.events.making import Writer
from tests.support.nats_server import nats_servers
from tests.support.served import eventually

MATCH = MatchId("m")


def certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Make a certificate of a host that signs itself, and its key."""
    made, key = folder / f"{host}.pem", folder / f"{host}.key"
    name = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1"]
    new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run(
        ["openssl", *new, *name, "-keyout", str(key), "-out", str(made)], check=True, capture_output=True, timeout=60
    )
    return made, key


def test_an_encrypted_store_opens_with_its_certificate_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "DEADLINE_S", 0.5)
    made, key = certificate(tmp_path, "one")
    foreign, _ = certificate(tmp_path, "two")
    commits = Writer("m").commits(40)
    with nats_servers(1, "--tls", "--tlscert", str(made), "--tlskey", str(key)) as nats:
        plain = nats.store()
        encrypted = replace(plain, is_encrypted=True)
        monkeypatch.setenv("SSL_CERT_FILE", str(foreign))
        with pytest.raises(StoreUnavailable, match="certificate verify failed"):
            JetStreamLog(encrypted)
        with pytest.raises(StoreUnavailable, match="no server of the cluster can be reached"):
            JetStreamLog(plain)
        monkeypatch.setenv("SSL_CERT_FILE", str(made))
        with JetStreamLog(encrypted) as log, JetStreamLog(encrypted) as other:
            receipts = log.append(commits)
            eventually(lambda: other.head(MATCH).seq == commits[-1].last, "the news come")
            read = [stored.key for stored in other.read(MATCH)]

    assert {type(receipt) for receipt in receipts} == {Appended}
    assert read == [new.key for new in commits]


def test_a_server_without_room_keeps_what_it_has_and_takes_more_once_it_has_room(tmp_path: Path) -> None:
    config = tmp_path / "small.conf"
    config.write_text("jetstream { max_file_store: 300KB }\n")
    commits = Writer("m").commits(600)
    with nats_servers(1, "-c", str(config)) as nats, JetStreamLog(nats.store()) as log:
        with pytest.raises(StoreUnavailable, match="nothing was stored: the cluster says: insufficient resources"):
            deque(map(log.append, ([new] for new in commits)), maxlen=0)
        head = log.head(MATCH)
        nats.kill(0)
        config.write_text("jetstream { max_file_store: 3MB }\n")
        nats.again(0)
        eventually(lambda: _appended(log, commits), "it takes more")
        read = [stored.key for stored in log.read(MATCH)]

    assert 0 < head.seq < commits[-1].last
    assert read == [new.key for new in commits]


def _appended(log: JetStreamLog, commits: Sequence[NewCommit]) -> bool:
    """Append what is not there yet; return whether all is."""
    with suppress(StoreUnavailable):
        there = log.head(MATCH).seq
        log.append([new for new in commits if new.first > there])
        return True
    return False
