"""Services of a compose file as processes: each in a network of its own, where the others have their names, with its volumes in a folder.

Taken over are: commands, environments, files of it, the variables of `.env`, networks, volumes, configurations, secrets, checks of health, and what
a service depends on. Of its image only the environment is known. Ports are not published: from this machine, ask the address of the service.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.project.tree import ROOT
from tests.support.nats_server import Place
from tests.support.networks import Networks, networks

HEALTHY_S = 60.0
GRACE_S = 30.0
NAMED = 'mount --bind "$0" /etc/hosts && exec "$@"'
"""Gives the others their names; the namespace of a network has mounts of its own."""

GUEST = "guest"
"""Who is in the network of the clients, and no service."""


class Services:
    """The services of a compose file.

    Args:
        folder: Where the file and what belongs to it lies.
        scratch: Where volumes and outputs go.
        laid: A network for each service, and one more.
        guest_network: The network in which the guest is.
    """

    def __init__(self, folder: Path, scratch: Path, laid: Networks, guest_network: str) -> None:
        self._folder, self._scratch = folder, scratch
        self._read = self._compose()
        self.names: list[str] = [*self._read["services"], GUEST]
        self._places: dict[str, Place] = dict(zip(self.names, laid.places, strict=True))
        self._guest_network = guest_network
        self._image = dict(
            re.findall(r"^ENV (\w+)=(\S+)$", (folder / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
        )
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def _compose(self) -> dict[str, Any]:
        """Return the compose file with the variables of `.env`, as it is now."""
        yaml = pytest.importorskip("yaml")
        given = self._folder / ".env"
        known = _assignments(given) if given.exists() else {}
        read: dict[str, Any] = _filled(
            yaml.safe_load((self._folder / "compose.yaml").read_text(encoding="utf-8")), known
        )
        return read

    def host(self, name: str) -> str:
        """Return the address of a service, as this machine reaches it."""
        return self._places[name].host

    def output(self, name: str) -> str:
        """Return what a service has written."""
        return (self._scratch / f"{name}.output").read_text(encoding="utf-8")

    def _networks(self, name: str) -> set[str]:
        return {self._guest_network} if name == GUEST else set(self._read["services"][name]["networks"])

    def _inside(self, name: str, words: Sequence[str]) -> list[str]:
        """Return a command line inside the network of a service, where those of the same networks have names."""
        hosts = self._scratch / f"{name}.hosts"
        others = [one for one in self.names if self._networks(one) & self._networks(name)]
        lines = ["127.0.0.1 localhost\n", *[f"{self.host(one)} {one}\n" for one in others]]
        hosts.write_text("".join(lines), encoding="utf-8")
        return [*self._places[name].runner, "sh", "-c", NAMED, str(hosts), *words]

    def _environment(self, name: str) -> dict[str, str]:
        home = self._scratch / name / "home"
        home.mkdir(parents=True, exist_ok=True)
        found = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(home), **self._image}
        if name == GUEST:
            return found | {"PYTHONPATH": str(ROOT)}
        made = self._read["services"][name]
        files = made.get("env_file", [])
        for path in [files] if isinstance(files, str) else files:
            found |= _assignments(self._folder / path)
        given: dict[str, str] = made.get("environment", {})
        return found | given

    def _mounted(self, name: str) -> dict[str, Path]:
        """Return where what a service finds under its paths lies on this machine."""
        made, own = self._read["services"][name], self._scratch / name
        found: dict[str, Path] = {}
        for volume in made.get("volumes", []):
            source, _, target = volume.partition(":")
            found[target] = self._scratch / "volumes" / source
            found[target].mkdir(parents=True, exist_ok=True)
        files = [(kind, one) for kind in ("configs", "secrets") for one in made.get(kind, [])]
        for _, one in files:
            found[one["target"]] = own / one["target"].lstrip("/")
        for kind, one in files:
            found[one["target"]].parent.mkdir(parents=True, exist_ok=True)
            text = (self._folder / self._read[kind][one["source"]]["file"]).read_text(encoding="utf-8")
            # A file may name others, and volumes.
            found[one["target"]].write_text(_moved(text, found), encoding="utf-8")
        return found

    # What runs

    def up(self, *names: str) -> None:
        """Start services, and before them those that they depend on; wait until what has to be healthy is."""
        for name in names or self._read["services"]:
            needs = self._read["services"][name].get("depends_on", {})
            if needs:
                self.up(*needs)
            for one in needs if isinstance(needs, dict) else ():
                assert needs[one] == {"condition": "service_healthy"}
                self.await_healthy(one)
            if name not in self.processes:
                self.start(name)

    def start(self, name: str) -> None:
        """Start a service."""
        mounted = self._mounted(name)
        environment = {key: _moved(value, mounted) for key, value in self._environment(name).items()}
        words = [_moved(word, mounted) for word in self._read["services"][name]["command"]]
        with (self._scratch / f"{name}.output").open("ab") as output:
            self.processes[name] = subprocess.Popen(
                self._inside(name, words), env=environment, stdout=output, stderr=output, cwd=self._scratch / name
            )

    def await_healthy(self, name: str) -> None:
        """Wait until the check of a service succeeds."""
        kind, *words = self._read["services"][name]["healthcheck"]["test"]
        assert kind == "CMD"
        until = time.monotonic() + HEALTHY_S
        while True:
            done = subprocess.run(
                self._inside(name, words), env=self._environment(name), capture_output=True, check=False
            )
            if done.returncode == 0:
                return
            assert self.processes[name].poll() is None, f"{name} ended: {self.output(name)}"
            assert time.monotonic() < until, f"{name} is not healthy: {done.stderr.decode()}\n{self.output(name)}"
            time.sleep(0.3)

    def stop(self, name: str) -> int:
        """End a service as `docker compose` does; return its exit code."""
        process = self.processes.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(GRACE_S)

    def recreate(self, name: str) -> int:
        """End a service and start it anew; if it has a check, wait until it is healthy. Return its exit code."""
        code = self.stop(name)
        self.start(name)
        if "healthcheck" in self._read["services"][name]:
            self.await_healthy(name)
        return code

    def renew(self) -> None:
        """Read the compose file again, after `.env` was written."""
        self._read = self._compose()

    def guest(self, words: Sequence[str], **environment: str) -> subprocess.Popen[str]:
        """Run something beside the services."""
        return subprocess.Popen(
            self._inside(GUEST, words),
            env=self._environment(GUEST) | {"WARDIARY_SEATS": str(self._scratch / "guest.json")} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def close(self) -> None:
        """End all that still runs."""
        for process in self.processes.values():
            process.kill()
            process.wait()


def _assignments(path: Path) -> dict[str, str]:
    lines = [line.partition("=") for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {name: value.strip("'") for name, _, value in lines}


def _filled(read: object, known: Mapping[str, str]) -> Any:
    """Return what was read with its variables replaced; one that is not set has the text behind `:-`."""
    if isinstance(read, str):
        return re.sub(r"\$\{(\w+):-(\w*)\}", lambda found: known.get(found[1], found[2]), read)
    if isinstance(read, dict):
        return {name: _filled(one, known) for name, one in read.items()}
    return [_filled(one, known) for one in read] if isinstance(read, list) else read


def _moved(text: str, mounted: Mapping[str, Path]) -> str:
    """Return a text in which each path of a service is that of this machine."""
    for target, there in mounted.items():
        text = re.sub(rf"(?<![\w/]){re.escape(target)}(?![\w-])", str(there), text)
    return text


@contextmanager
def services(folder: Path, scratch: Path, number: int, guest_network: str) -> Iterator[Services]:
    """Return the services of a folder, so many, until the block ends; none runs yet."""
    with networks(number + 1) as laid:
        made = Services(folder, scratch, laid, guest_network)
        try:
            yield made
        finally:
            made.close()
