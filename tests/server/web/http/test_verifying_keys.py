"""The script with which the pages check signatures finds what the other verifiers find, and nothing that they do not."""

import json
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.project.tree import ROOT
from tests.server.web.http.test_verifying import CHECK, NODE
from tests.support.mutated_archives import Lines, other
from tests.support.second_verifier import VERIFY
from tests.support.signed import Players

SCRIPT = ROOT / "server/web/http/static/verify-keys.js"
pytestmark = pytest.mark.skipif(NODE is None, reason="the script of the pages is run by node, which is not installed")


@cache
def signed() -> bytes:
    """Return the archive of a match in which both seats sign, with private notes."""
    players = Players("battle", dice="sealed").play(8)
    for seat, client in players.clients.items():
        client.play(players.match, seat, b'{"do":"match:note","text":"a \\"{\\" of mine","private":true}')
    return players.play(8).archive()


def by_script(folder: Path, archives: Sequence[bytes]) -> list[dict[str, Any]]:
    names = [folder / f"{number}.ndjson" for number, _ in enumerate(archives)]
    for name, content in zip(names, archives, strict=True):
        name.write_bytes(content)
    assert NODE is not None
    ran = subprocess.run([NODE, "-e", CHECK, str(SCRIPT), *map(str, names)], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_signed_commands_are_counted_and_keys_named(tmp_path: Path) -> None:
    (found,) = by_script(tmp_path, [signed()])

    assert found["signed"] == VERIFY.check(signed())["signed"]
    assert (found["bare"], found["unknown"], sorted(found["keys"])) == (found["bare"], 0, ["german", "russian"])
    assert f"{found['signed']} commands: signed with the keys of their seats (" in found["words"]


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("expected", lambda value: value - 1, "is signed for"),
        ("signature", lambda _: "A" * 86 + "==", "does not have the signature"),
        ("signature", lambda _: "", "was not signed"),
        ("command", lambda value: {**value, "more": 1}, "does not have the signature"),
        ("key", lambda value: f"{value}x", "does not have the signature"),
        ("seat", lambda _: "arbiter", "has no key"),
    ],
)
def test_each_field_that_is_changed_is_found(
    name: str, change: Callable[[Any], Any], said: str, tmp_path: Path
) -> None:
    lines = Lines(signed())
    last = next(one for one in reversed(lines.commits) if one.get("signature"))
    last[name] = change(last[name])

    assert said in by_script(tmp_path, [lines.sealed()])[0]["error"]


def test_another_opening_is_found(tmp_path: Path) -> None:
    lines = Lines(signed())
    lines.commits[0]["events"][0]["edition"] = "9"

    assert "does not have the signature" in by_script(tmp_path, [lines.sealed()])[0]["error"]


@pytest.mark.soak
def test_the_script_finds_no_fault_that_the_second_verifier_does_not_find(tmp_path: Path, budget: float) -> None:
    lines, forged = Lines(signed()), []
    for number in range(round(40 * budget)):
        choose = Random(number)
        commits = lines.mutated(choose)
        if number % 2:
            name = choose.choice(["expected", "key", "signature", "seat", "command"])
            commit = choose.choice(commits)
            commit[name] = other(commit.get(name, ""), choose)
        forged.append(lines.sealed(commits))
    ours, strange = by_script(tmp_path, forged), []
    for place, one in enumerate(forged):
        with suppress(VERIFY.BrokenError):
            VERIFY.check(one)
            strange.append(ours[place].get("error", ""))

    assert set(strange) <= {""}
    assert sum("error" in one for one in ours) > 10
