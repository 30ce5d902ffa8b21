"""The example of a cluster fits together: command lines, the locator of its store, the configuration of NATS, what its user may do."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.interface.typer_app import app
from cli.shell.remote import check_addresses
from events.codec import replace
from server.client.addresses import addresses_in
from server.store.jetstream.cluster import Cluster, cluster_in
from server.store.jetstream.jetstream_log import JetStreamLog
from tests.cli.running import parser_of
from tests.events.making import Writer
from tests.project.tree import ROOT
from tests.support.nats_server import binary, nats_servers

FOLDER = ROOT / "docs" / "examples" / "cluster"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
PASSWORD = "right"


def services() -> dict[str, Any]:
    """Return the services of the compose file."""
    yaml = pytest.importorskip("yaml")
    read: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
    return read["services"]


def store() -> Cluster:
    """Return the store as the README names it, with a password."""
    (locator,) = re.findall(r"^STORE='(.+)'$", README, re.MULTILINE)
    return cluster_in(locator % f"wardiary:{PASSWORD}")


def authorization(folder: Path) -> Path:
    """Write the file of the users as the README does; return it."""
    text = (FOLDER / "authorization.conf").read_text(encoding="utf-8")
    made = folder / "authorization.conf"
    made.write_text(text.replace("PASSWORD", PASSWORD), encoding="utf-8")
    return made


def test_every_command_line_of_the_compose_file_is_valid() -> None:
    commands = parser_of(app).commands  # type: ignore[attr-defined]
    found = {name: one["command"] for name, one in services().items()}
    ours = {name: words[1:] for name, words in found.items() if words[0] == "wardiary"}
    read = {name: commands[verb].make_context(verb, words).params for name, (verb, *words) in ours.items()}

    assert set(read) == {"serve-1", "serve-2", "worker-1", "worker-2", "pages", "bot"}
    assert read["serve-1"]["nodes"] == read["serve-2"]["nodes"]
    assert read["serve-1"]["key"] == read["serve-2"]["key"] != ""


def test_its_parts_name_each_other() -> None:
    made = services()
    told = re.findall(r"--node=(\S+)", shlex.join(made["serve-1"]["command"]))
    routes = re.findall(r"nats://([\w-]+):6222", (FOLDER / "nats.conf").read_text(encoding="utf-8"))
    addresses = addresses_in(made["pages"]["environment"]["WARDIARY_CONNECT"])

    assert [f"{host}:{port}" for host, port in re.findall(r"//([\w-]+):(\d+)", " ".join(told))] == [
        f"{name}:{re.findall(r'--listen=tcp://0.0.0.0:([0-9]+)', shlex.join(made[name]['command']))[0]}"
        for name in ("serve-1", "serve-2")
    ]
    assert list(addresses) == told
    for number, address in enumerate(told, start=1):
        server, worker = made[f"serve-{number}"], made[f"worker-{number}"]
        (port,) = re.findall(r"--workers=tcp://0.0.0.0:([0-9]+)", shlex.join(server["command"]))
        assert f"--connect={address}" in worker["command"]
        assert f"{port}:{port}" in server["ports"]
        assert worker["env_file"] in server["env_file"]
    check_addresses(",".join(told))
    assert [server.host for server in store().servers] == routes == [name for name in made if name.startswith("nats")]
    assert len(routes) == store().replicas


def test_nats_takes_its_configuration(tmp_path: Path) -> None:
    authorization(tmp_path)
    (tmp_path / "nats.conf").write_bytes((FOLDER / "nats.conf").read_bytes())
    ran = subprocess.run(
        [binary(), "--name", "nats-1", "-t", "--config", tmp_path / "nats.conf"],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )

    assert (ran.returncode, "is valid" in ran.stderr) == (0, True), ran.stderr


def test_its_user_may_do_what_a_store_needs(tmp_path: Path) -> None:
    commits = Writer("m").commits(2)
    with nats_servers(1, "--config", str(authorization(tmp_path))) as nats:
        cluster = replace(store(), servers=nats.store().servers, replicas=1)
        with JetStreamLog(cluster) as log, JetStreamLog(cluster) as other:
            log.append(commits)
            read = [one.key for one in other.read(commits[0].match)]

    assert read == [new.key for new in commits]
