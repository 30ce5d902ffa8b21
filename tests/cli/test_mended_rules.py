"""A rules fix does not break old games: the third property of the README, with a rule mended in a copy of the product.

The copy is needed because the rules digest is of files: no patch of this process changes both what decides and its digest. It takes about four
seconds to copy the five packages and to let a process carry seventeen commands out with them, once for all tests here.
"""

import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from core.registry.games import load_game
from tests.cli.running import Ran, Terminal

pytestmark = pytest.mark.interpreted

ROOT = Path(__file__).parents[2]
PACKAGES = ("events", "projections", "core", "server", "cli")

COSTS = "    return int(getattr(board.supply.costs, what))\n"
MENDED = COSTS.replace("))\n", ')) + (what == "artillery")\n')
"""The rule that is mended: from now on Artillery Support costs one more."""

SCRIPT = """
import json, sys
from typer.testing import CliRunner
from cli.main import run
for arguments in json.loads(sys.argv[1]):
    with CliRunner().isolation() as streams:
        code = run(arguments)
        sys.stdout.flush(), sys.stderr.flush()
        ran = [code, streams[0].getvalue().decode(), streams[1].getvalue().decode()]
    print(json.dumps(ran))
"""


class Told:
    """What a store tells under the mended rules: a finished match, and a running one that adopts them."""

    def __init__(self, store: Path, copy: Path, finished: str, running: str) -> None:
        self.finished, self.running = finished, running
        commands = [
            ["audit", finished],
            ["audit", finished, "--rules"],
            ["show", finished],
            ["report", finished, "-o", str(store.with_suffix(".html"))],
            ["show", running],
            ["legal", running],
            ["choose", running, "1"],
            ["choose", running, "engineer support"],
            ["note", running, "The rules have changed."],
            ["choose", running, "engineer support", "--adopt-rules"],
            ["choose", running, "--adopt-rules"],
            ["choose", running, "artillery support"],
            ["log", running],
            ["audit", running],
            ["audit", running, "--rules"],
            ["audit", running, "--json"],
            ["audit", "--all"],
        ]
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps([["--store", str(store), *one] for one in commands])],
            cwd=copy,
            capture_output=True,
            text=True,
            check=True,
        )
        ran = [Ran(*json.loads(line)) for line in done.stdout.splitlines()]
        self.of = {" ".join(command): one for command, one in zip(commands, ran, strict=True)}
        self.page = store.with_suffix(".html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("mended")
    terminal = Terminal(folder / "store.db")
    finished, running = (terminal.done("new", "advance", "--dice", f"seeded:{seed}").out.strip() for seed in (1942, 7))
    for match in (finished, running):
        terminal.done("choose", match, "artillery support")
    terminal.done("choose", finished, "resign")
    assert terminal("audit", "--all", "--rules").code == 0
    copy = folder / "copy"
    for package in PACKAGES:
        copytree(ROOT / package, copy / package)
    supply = copy / "core/games/advance/rules/supply.py"
    text = supply.read_text(encoding="utf-8")
    assert COSTS in text
    supply.write_text(text.replace(COSTS, MENDED), encoding="utf-8")
    return Told(terminal.store, copy, finished, running)


def test_the_table_of_the_running_match_says_that_it_stands_still_and_that_of_the_finished_one_does_not(
    told: Told,
) -> None:
    running, finished = (told.of[f"show {match}"] for match in (told.running, told.finished))
    standstill = "and installed is edition 1.0 (rules "

    assert (running.code, finished.code) == (0, 0)
    assert standstill in " ".join(running.out.split())
    assert standstill not in " ".join(finished.out.split())


def test_the_audit_of_a_finished_match_holds_and_counts_what_would_differ(told: Told) -> None:
    ran = told.of[f"audit {told.finished}"]
    digest = load_game("advance").rules_digest

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(
        f"Match {told.finished} was played under other rules than are installed, so that its decisions were not checked as evidence. "
        "Its evidence holds: the chain of "
    )
    assert "the dice are those of the seed." in ran.out
    assert f"Played under advance, edition 1.0 (rules {digest[:12]}…); installed: edition 1.0 (rules " in ran.out
    assert "A comparison, no evidence: 1 decision would differ today; wardiary audit" in ran.out
    assert "is clean" not in ran.out


def test_each_decision_that_would_differ_is_listed_by_event_and_rule_when_it_is_asked_for(told: Told) -> None:
    ran = told.of[f"audit {told.finished} --rules"]

    assert ran.code == 1
    assert "\nEvent 156 (rule 6.3.support-costs): recorded is " in ran.out
    assert ran.err == "wardiary: the installed rules would decide otherwise in 1 decision\n"


def test_a_finished_match_is_shown_and_its_report_does_not_call_it_broken(told: Told) -> None:
    assert told.of[f"show {told.finished}"].code == 0
    assert [ran.code for command, ran in told.of.items() if command.startswith("report")] == [0]
    assert "The evidence is broken" not in told.page
    assert "Played under edition 1.0 (rules " in told.page


def test_a_running_match_does_not_change_its_rules_in_silence(told: Told) -> None:
    legal = told.of[f"legal {told.running}"].out

    assert "nothing is decided here until these are adopted." in " ".join(legal.split())
    assert "Buy Artillery Support" not in legal
    for words in ("1", "engineer support"):
        refused = told.of[f"choose {told.running} {words}"]
        assert refused.code == 5
        assert "`wardiary choose MATCH --adopt-rules` adopts them" in refused.err
    assert told.of[f"note {told.running} The rules have changed."].code == 0


def test_rules_are_adopted_once_on_the_record_and_play_goes_on_under_them(told: Told) -> None:
    adopted = told.of[f"choose {told.running} engineer support --adopt-rules"]

    assert adopted.code == 0
    assert "German adopts other rules: edition 1.0 (rules " in adopted.out
    assert "Engineer Support bought" in adopted.out
    assert told.of[f"choose {told.running} --adopt-rules"].code == 5
    assert "Artillery Support bought for 2 Supply Points" in told.of[f"choose {told.running} artillery support"].out
    assert "German adopts other rules" in told.of[f"log {told.running}"].out


def test_the_audit_knows_which_events_were_played_under_which_rules(told: Told) -> None:
    ran = told.of[f"audit {told.running}"]
    (shape,) = told.of[f"audit {told.running} --json"].objects

    assert ran.code == 0
    assert "from event 1 on and edition 1.0 (rules " in ran.out
    assert told.of[f"audit {told.running} --rules"].code == 1
    assert (shape["verdict"], shape["clean"], shape["findings"]) == ("other-rules", False, [])
    assert len(shape["played_under"]) == 2  # type: ignore[arg-type]
    assert len(shape["differences"]) == 1  # type: ignore[arg-type]
    assert told.of["audit --all"].code == 0
