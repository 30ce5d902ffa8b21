"""The scripts of the pages judge an archive as the second verifier does, and so as ours does where the rules are not asked."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.project.test_verify_program import GAMES, played, verified
from tests.support.mutated_archives import Lines, dumped, other
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


WRITTEN: dict[str, tuple[str, str]] = {
    "a field that stands there twice": ('"seat":', '"seat":"x","seat":'),
    "an event with a field twice": ('"events":[{', '"events":[{"event":"note-added/1",'),
    "white space": (',"seat":', ', "seat":'),
    "a fraction": ('"cites":7', '"cites":7.0'),
    "a power of ten": ('"cites":7', '"cites":1e3'),
    "a letter as its number": ('"key":"k', '"key":"\\u006b'),
    "half of a surrogate pair": ('"key":"k', '"key":"k\\ud800'),
    "nobody who sees": ('"text":"t', '"seen_by":null,"text":"t'),
    "one who sees, and no list": ('"text":"t', '"seen_by":false,"text":"t'),
}
"""What the last line of an archive may not have, whatever numbers stand in its texts."""


def test_a_line_that_no_export_writes_is_found_beside_large_numbers_in_texts(tmp_path: Path) -> None:
    lines = Lines(signed())
    words = {"text": "t 1234567890123456, :1234567890123456 and \\\\ud800", "cites": 7}
    ruling = {"event": "ruling-made/1", "rule": "match.rulings", **words}
    commit = {**lines.commits[-1], "seat": "arbiter", "key": "k", "command": {"do": "match:ruling", **words}}
    commit = {name: one for name, one in commit.items() if name not in ("expected", "signature")}
    sound = lines.sealed([*lines.commits, {**commit, "events": [ruling]}])
    forged = [with_last(sound, *change) for change in WRITTEN.values()]
    ours = by_page(tmp_path, [sound, with_last(sound, '"cites":7', '"cites":12345678901234567890'), *forged])

    assert [verified(sound), *[one.get("error", "") for one in ours[:2]]] == ["", "", ""]
    assert [name for name, one in zip(WRITTEN, forged, strict=True) if not verified(one)] == []
    assert [name for name, one in zip(WRITTEN, ours[2:], strict=True) if "error" not in one] == []


def with_last(archive: bytes, old: str, new: str) -> bytes:
    """Return an archive with another text wherever it stands in its last commit, and sums that fit."""
    *above, commit, end = archive.splitlines(keepends=True)
    changed = commit.replace(old.encode(), new.encode())
    body, sums = b"".join([*above, changed]), loads(end)
    head = sha256(b"wardiary commit 1\n" + changed[:-1]).hexdigest()
    return body + dumped({**sums, "head": head, "sha256": sha256(body).hexdigest()}) + b"\n"


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
