"""The example of a cluster runs: its services as processes, matches with bots while each of them is restarted, its pages and its metrics."""

import json
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.test_cluster_example import FOLDER, README
from tests.cli.test_cluster_example import services as listed
from tests.support.served import eventually
from tests.support.services import Services, services

PLAYED_S = 45.0
SLOWEST_S = 15.0
"""A command may meet the election of a leader."""

RESTARTED = ("nats-1", "nats-2", "nats-3", "serve-1", "serve-2", "worker-1", "worker-2", "pages", "bot")
ADDRESSES = tuple(f"tcp://serve-{number}:59{3 + number}2" for number in (1, 2))


def begin(folder: Path) -> None:
    """Do what the README says is to be done before the first start."""
    block = README.partition("## Begin")[2].partition("```sh\n")[2].partition("```")[0]
    lines = [line for line in block.splitlines() if not line.startswith("docker")]
    subprocess.run(["bash", "-euc", "\n".join(lines)], cwd=folder, check=True)


def key_of(made: Services) -> str:
    """Return the public key of the servers, which the log of the first one tells."""
    found = re.search(r"^Key: +(\S{40})$", made.output("serve-1"), re.MULTILINE)
    return "" if found is None else found[1]


def page(made: Services, path: str) -> str:
    """Return a page, or nothing while there is none."""
    with suppress(OSError), urlopen(f"http://{made.host('pages')}:8042{path}", timeout=5) as reply:
        return str(reply.read().decode())
    return ""


def metrics(made: Services, name: str) -> dict[str, float]:
    """Return the metrics of a server."""
    with urlopen(f"http://{made.host(name)}:9100/metrics", timeout=5) as reply:
        lines = [line.rpartition(" ") for line in reply.read().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def decisions(output: str) -> int:
    """Return how many decisions a worker says that it took, whenever it was ended."""
    return sum(map(int, re.findall(r": (\d+) decisions$", output, re.MULTILINE)))


@pytest.mark.long
def test_players_notice_no_restart_of_any_service(tmp_path: Path, budget: float) -> None:
    """The README's commands, three NATS servers, two servers with workers, pages and a bot; all is restarted once, or as often as half the budget."""
    folder = tmp_path / "cluster"
    shutil.copytree(FOLDER, folder)
    begin(folder)
    rounds = max(1, round(budget / 2))
    with services(folder, tmp_path, len(listed()), "clients") as made:
        made.up("serve-1", "serve-2")
        eventually(lambda: key_of(made) != "", "the server does not tell its key")
        key = key_of(made)
        (folder / ".env").write_text(f"WARDIARY_SERVER_KEY='{key}'\n", encoding="utf-8")
        made.renew()
        made.up()
        player = made.guest(
            [sys.executable, "-m", "tests.support.playing_on", ",".join(ADDRESSES), key, str(rounds * PLAYED_S)]
        )
        eventually(lambda: "/m/" in page(made, "/"), "the pages list no match")
        codes: dict[str, list[int]] = {name: [] for name in RESTARTED}
        for _ in range(rounds):
            for name in RESTARTED:
                time.sleep(2.0)
                codes[name].append(made.recreate(name))
        out, err = player.communicate(timeout=PLAYED_S + 60)
        told = [metrics(made, name) for name in ("serve-1", "serve-2")]
        ended = {name: made.stop(name) for name in reversed(made.names[:-1])}
        sys.stderr.write(f"{out}")
        outputs = {name: made.output(name) for name in made.names[:-1]}

    seen = json.loads(out) if out else {}
    assert (player.returncode, err) == (0, "")
    assert seen["differing"] == 0
    assert seen["moves"] > 20
    assert max(seen["slowest_s"], seen["bot_s"]) < SLOWEST_S, seen
    assert {
        name for name, each in [*codes.items(), *[(name, [code]) for name, code in ended.items()]] if set(each) != {0}
    } <= {"bot"}
    assert [one["wardiary_faults_total"] for one in told] == [0.0, 0.0]
    assert sum(one["wardiary_commits_total"] for one in told) > 0
    assert sum(decisions(outputs[name]) for name in ("worker-1", "worker-2")) > 0
    assert "plays on as" in outputs["bot"]
    assert not any("Traceback" in text for text in outputs.values())
