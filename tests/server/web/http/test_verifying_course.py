"""The scripts of the pages judge an archive as the second verifier does, and so as ours does where the rules are not asked."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.project.test_verify_program import GAMES, played, verified
from tests.support.mutated_archives import Lines, other
from tests.support.page_verifier import NODE, by_page
from tests.support.second_verifier import VERIFY
from tests.support.signed import Players
from tests.support.soak import sampled

pytestmark = pytest.mark.skipif(NODE is None, reason="the scripts of the pages are run by node, which is not installed")


@cache
def signed(game: str = "battle") -> bytes:
    """Return the archive of a match in which both seats sign, with private notes."""
    players = Players(game, dice="sealed").play(8)
    for seat, client in players.clients.items():
        client.play(players.match, seat, b'{"do":"match:note","text":"a \\"{\\" of mine","private":true}')
    return players.play(8).archive()


def test_signed_commands_are_counted_and_keys_named(tmp_path: Path) -> None:
    (found,) = by_page(tmp_path, [signed()])

    assert found["signed"] == VERIFY.check(signed())["signed"]
    assert (found["bare"], found["unknown"], sorted(found["keys"])) == (found["bare"], 0, ["german", "russian"])
    assert f"{found['signed']} commands: signed with the keys of their seats (" in found["words"]


CHANGES: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("expected", "is signed for"): lambda value: value - 1,
    ("signature", "does not have the signature"): lambda _: "A" * 86 + "==",
    ("signature", "was not signed"): lambda _: "",
    ("command", "does not have the signature"): lambda value: {**value, "more": 1},
    ("key", "does not have the signature"): lambda value: f"{value}x",
    ("seat", "cannot send this"): lambda _: "arbiter",
}


def test_each_field_that_is_changed_is_found_and_another_opening(tmp_path: Path) -> None:
    forged = list[bytes]()
    for (name, _), change in CHANGES.items():
        lines = Lines(signed())
        last = next(one for one in reversed(lines.commits) if one.get("signature"))
        last[name] = change(last[name])
        forged.append(lines.sealed())
    opening = Lines(signed())
    opening.commits[0]["events"][0]["edition"] = "9"
    found = by_page(tmp_path, [*forged, opening.sealed()])

    assert [one["error"] for (_, said), one in zip(CHANGES, found, strict=False) if said not in one["error"]] == []
    assert "does not have the signature" in found[-1]["error"]


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_the_page_and_the_second_verifier_judge_every_forgery_alike(game: str, tmp_path: Path, budget: float) -> None:
    """At budget 50 four thousand."""
    forged = [played(game), signed(game)]
    for number in range(round(10 * budget)):
        for lines in map(Lines, forged[:2]):
            choose = Random(f"{game} {number}")
            commits = lines.mutated(choose)
            if number % 2:
                commit = choose.choice(commits)
                name = choose.choice(["expected", "key", "signature", "seat", "command"])
                commit[name] = other(commit.get(name, ""), choose)
            forged.append(lines.sealed(commits))
    ours, theirs = by_page(tmp_path, forged), [verified(one) for one in forged]

    assert [
        (one.get("error", ""), said) for one, said in zip(ours, theirs, strict=True) if bool(said) != ("error" in one)
    ] == []
    assert (theirs[:2], sum(map(bool, theirs)) > budget) == (["", ""], True)
