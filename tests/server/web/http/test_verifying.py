"""The script of the pages checks chain and dice by itself: it finds all that is true, and the first thing that is not."""

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.chance.schemes import MANUAL, keeps_promise
from core.errors import KernelError
from core.match.live_match import Prepared
from core.registry.games import game_keys
from events.archive import export_match
from events.codec import tag_of
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import BaseEvent, CardDrawn, ChosenByChance, DiceRolled, Event, PieceDrawn, SeedRevealed
from projections.state.undo_history import FIRM, KEPT
from projections.view_archive import view_lines
from server.client.client import Client
from server.client.local import local_client
from tests.support.browsing import play_on, played, resign, secret_of
from tests.support.desk import Desk
from tests.support.links import LinkedDesk
from tests.support.mutated_archives import Lines
from tests.support.page_verifier import NODE, SCRIPTS, Found, by_page
from tests.support.second_verifier import VERIFY
from tests.support.soak import few, sampled

SCRIPT = SCRIPTS / "verify.js"
SETS = re.compile(r"const ([A-Z]+) = new Set\((.*?)\);", re.DOTALL)
pytestmark = pytest.mark.skipif(NODE is None, reason="the script of the pages is run by node, which is not installed")


def test_the_script_knows_what_undoing_commands_leaves_and_cannot_pass() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    said = {
        name: set(re.findall("[a-z-]+", "".join(re.findall('"([a-z -]*)"', block))))
        for name, block in SETS.findall(script)
    }

    assert said["KEPT"] == {kind(type_) for type_ in KEPT} - {"commands-undone"}
    assert said["FIRM"] == {kind(type_) for type_ in FIRM}


def kind(type_: type[BaseEvent]) -> str:
    return tag_of(type_).partition("/")[0]


@pytest.fixture
def check(tmp_path: Path) -> Callable[[Sequence[bytes]], list[Found]]:
    """Check files with the script, outside a browser."""

    return lambda files: by_page(tmp_path, files, "verify.js")


def archive(log: MemoryLog, match: MatchId) -> bytes:
    return b"".join(export_match(log, match))


def view(client: Client, match: MatchId, seat: Seat = PUBLIC) -> bytes:
    state = client.state(match, seat)
    return b"".join(view_lines(match, seat, state.table, client.log(match, seat)))


def resummed(file: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return what a seat saw with a change, and with the right sum of all bytes: a forgery that only the dice disclose."""
    *lines, end = file.splitlines(keepends=True)
    changed = change(b"".join(lines))
    assert changed != b"".join(lines)
    return changed + json.dumps({**json.loads(end), "sha256": sha256(changed).hexdigest()}).encode() + b"\n"


def dice_of(events: Sequence[Event]) -> int:
    return sum(len(event.faces) for event in events if isinstance(event, DiceRolled))


def choices_of(events: Sequence[Event]) -> int:
    return sum(1 for event in events if isinstance(event, ChosenByChance) and event.chosen)


def draws_of(events: Sequence[Event]) -> int:
    return sum(1 for event in events if isinstance(event, CardDrawn | PieceDrawn))


@pytest.mark.parametrize("game", sampled(list(game_keys()), lambda game: game == "battle"))
def test_all_dice_of_a_finished_match_are_rolled_again_from_its_archive_and_from_every_view(
    game: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    log = MemoryLog()
    match = played(log, game, 2)
    client = local_client(log)
    mover = client.legal(match).to_move
    # Events that only some seats know of do not count for the dice.
    client.play(match, mover, {"do": "match:note", "text": "private", "private": True})
    play_on(client, match, 28, "8")
    resign(client, match)
    seats = [ARBITER, PUBLIC, *client.state(match).table.seats]
    found = check([archive(log, match), *(view(client, match, seat) for seat in seats)])
    seen = [[event for slice_ in client.log(match, seat) for event in slice_.events] for seat in (ARBITER, *seats)]

    assert [one.get("error") for one in found] == [None] * len(found)
    assert [one["dice"]["dice"] for one in found] == [dice_of(events) for events in seen]
    assert [one["dice"]["choices"] for one in found] == [choices_of(events) for events in seen]
    assert found[0]["dice"]["draws"] == draws_of(seen[0])
    assert found[0]["dice"]["unseen"] == found[0]["dice"]["vast"] == 0
    assert (found[0]["head"], found[0]["events"]) == (log.head(match).hash, log.head(match).seq)
    assert "were rolled again and fall as recorded" in found[0]["words"] or not dice_of(seen[0])


def test_the_open_results_of_a_running_match_are_given_again_by_a_public_seed_and_by_links(
    check: Callable[[Sequence[bytes]], list[Found]],
) -> None:
    log = MemoryLog()
    client = local_client(log)
    seeded, sealed = played(log, "advance", 20), played(log, "advance", 20, dice="sealed")
    found = check([view(client, seeded), view(client, sealed)])

    assert found[0]["dice"]["dice"] > 0
    assert found[1]["dice"]["dice"] > 0
    assert [one["dice"]["sealed"] for one in found] == [0, 0]


@pytest.mark.parametrize("game", ["advance", "battle"])
def test_dice_and_draws_after_a_command_that_was_taken_back_are_made_again(
    game: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    log = MemoryLog()
    match = played(log, game, 0)
    client = local_client(log)
    rng, taken = Random(3), 0
    for _ in range(60):
        mover = client.legal(match, words=False).to_move
        legal = client.legal(match, mover, words=False)
        client.play(match, mover, rng.choice(legal.options).number, expected=legal.seq)
        again = client.legal(match, mover, words=False)
        if again.undo_to is not None and rng.random() < 0.4:
            client.undo(match, mover, expected=again.seq)
            taken += 1
    (found,) = check([view(client, match, ARBITER)])
    events = [event for slice_ in client.log(match, ARBITER) for event in slice_.events]

    assert taken > 3
    assert dice_of(events) + draws_of(events) > 10
    assert (found["dice"]["dice"], found["dice"]["draws"]) == (dice_of(events), draws_of(events))


def forks(dice: str) -> list[Desk]:
    """Return forks of forks, that leave between commands and within them, and with chosen faces, from dice of every kind."""
    rng = Random(dice)
    desks = [Desk.open(dice=dice).play(12, rng)]
    for number in range(24):
        parent = rng.choice(desks)
        at = rng.randrange(8, parent.match.head.seq)
        faces = tuple(rng.randrange(1, 7) for _ in range(rng.choice((0, 0, 3))))
        kind = rng.choice(("fresh", "seeded", "same"))
        # Where the dice are sealed, the same ones cannot be had.
        with suppress(KernelError):
            fork = parent.fork(at, kind, name=f"f{number}", faces=faces)
            for seat in map(Seat, ("red", "blue")):
                taken = {"do": "match:take-seat", "seat": seat}
                if isinstance(fork.ask(taken, seat), Prepared):
                    fork.accept(taken, seat)
            desks.append(fork.play(rng.randrange(2, 9), rng))
            if fork.table.ended is None and rng.random() < 0.5:
                fork.accept({"do": "match:resign"}, Seat("red"))
    return desks[1:]


@pytest.mark.parametrize("dice", sampled(["seeded", "sealed"], lambda dice: dice == "sealed"))
def test_forks_are_rolled_again_with_the_dice_that_each_event_had(
    dice: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    desks = forks(dice)
    found = check([archive(desk.log, desk.match.id) for desk in desks])  # type: ignore[arg-type]
    totals = [dice_of(desk.events) + draws_of(desk.events) + choices_of(desk.events) for desk in desks]

    assert [one.get("error") for one in found] == [None] * len(found)
    counted = [sum(one["dice"][kind] for kind in ("dice", "chosen", "draws", "choices", "sealed")) for one in found]
    assert counted == totals
    assert len(desks) > 15
    assert any(one["opened"] for one in found)
    for desk, one in zip(desks, found, strict=True):
        promised = [getattr(event, "chance", None) for event in desk.events]
        opened = [event.seed for event in desk.events if isinstance(event, SeedRevealed)]
        assert all(keeps_promise(seed, promised[event - 1]) for event, seed in zip(one["opened"], opened, strict=True))
        assert all(
            f"the revealed seed gives the links that were promised in event {event}" in one["words"]
            for event in one["opened"]
            if event > 1
        )
    assert sum(one["dice"]["chosen"] for one in found) > 0
    assert sum(one["dice"]["draws"] for one in found) > 0
    assert sum(counted) > 30
    assert sum(one["dice"]["sealed"] for one in found) < sum(counted) / 2


@pytest.mark.parametrize("hidden", sampled(["truth", "resample"], lambda hidden: hidden == "resample"))
def test_a_fork_draws_again_from_what_was_left_and_from_what_was_dealt_again(
    hidden: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    log = MemoryLog()
    match = played(log, "battle", 60)
    client = local_client(log)
    forker = Seat("german") if hidden == "resample" else ARBITER
    client.add_token(match, forker, secret_of(forker))
    at = client.log(match, forker)[-20].first - 1
    fork = client.fork(match, forker, at, hidden=hidden).match
    table = client.state(fork).table
    for seat in table.seats:
        client.take_seat(
            fork, seat, secret=secret_of(seat), invitation=secret_of(forker) if seat in table.reserved else ""
        )
    play_on(client, fork, 60, "5")
    resign(client, fork)
    (found,) = check([archive(log, fork)])
    events = [event for slice_ in client.log(fork, ARBITER) for event in slice_.events]

    assert "error" not in found
    assert found["dice"]["draws"] > 10
    assert found["dice"]["draws"] == draws_of(events)
    assert (found["dice"]["dealt"] > 0) == (hidden == "resample")
    assert ("dealt again for the fork" in found["words"]) == (hidden == "resample")


def test_draws_that_are_hidden_from_the_viewer_are_counted_as_not_checked(
    check: Callable[[Sequence[bytes]], list[Found]],
) -> None:
    log = MemoryLog()
    match = played(log, "battle", 40)
    client = local_client(log)
    (found,) = check([view(client, match)])
    events = [event for slice_ in client.log(match) for event in slice_.events]

    assert found["dice"]["draws"] > 0
    assert found["dice"]["unseen"] > 0
    assert found["dice"]["draws"] + found["dice"]["unseen"] == draws_of(events)
    assert f"{found['dice']['unseen']} draws and choices: hidden from the viewer" in found["words"]
    assert "wardiary audit checks" in found["words"]


# Planted faults


@cache
def linked(game: str) -> bytes:
    """Return the archive of a match whose seats have chains of links, and whose seed is revealed."""
    desk = LinkedDesk.linked(game).play(60, Random(1))
    if desk.table.ended is None:
        desk.accept({"do": "match:resign"}, desk.table.seats[0])
    return archive(desk.log, desk.match.id)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", sampled(list(game_keys()), lambda game: game == "battle"))
def test_all_that_follows_from_links_is_given_again(game: str, check: Callable[[Sequence[bytes]], list[Found]]) -> None:
    (found,) = check([linked(game)])
    other = VERIFY.check(linked(game))
    dice = found["dice"]

    assert found["opened"] == [1]
    assert (dice["dice"], dice["draws"] + dice["choices"]) == (other["dice"], other["draws"])
    assert dice["sealed"] == dice["unseen"] == dice["vast"] == 0
    assert dice["dice"] + dice["draws"] > 5


def other_link(name: str) -> Callable[[list[dict[str, Any]]], None]:
    """Let a link that is opened be another one."""

    def change(events: list[dict[str, Any]]) -> None:
        opened = [event for event in events if event["event"] == "links-opened/1" and event.get(name)][2]
        opened[name] = "0" * 64

    return change


def skipped(events: list[dict[str, Any]]) -> None:
    next(event for event in events if event.get("number") == 2 and event["event"] == "links-opened/1")["number"] = 3


def another_anchor(events: list[dict[str, Any]]) -> None:
    events[0]["chance"]["commitment"] = "a" * 64


@pytest.mark.parametrize(
    ("change", "said"),
    few(
        [
            (other_link("link"), "does not open the next link of the server"),
            (other_link("share"), "does not open the next link of the seat"),
            (skipped, "does not open the next link of the server"),
            (another_anchor, "gives other links than those that were promised"),
        ],
        2,
    ),
)
def test_links_that_do_not_follow_are_found(
    change: Callable[[list[dict[str, Any]]], None], said: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    lines = Lines(linked("advance"))
    change([event for commit in lines.commits for event in commit["events"]])
    (found,) = check([lines.sealed()])

    assert said in found["error"]


@pytest.fixture(scope="module")
def finished() -> bytes:
    log = MemoryLog()
    match = played(log, "advance", 30)
    client = local_client(log)
    resign(client, match)
    return view(client, match)


def another_face(lines: bytes) -> bytes:
    """Change a face of the fourth roll."""
    start = [at for at in range(len(lines)) if lines.startswith(b'"event":"dice-rolled/1"', at)][3]
    at = lines.index(b'"faces":[', start) + len(b'"faces":[')
    return lines[:at] + (b"1" if lines[at : at + 1] != b"1" else b"2") + lines[at + 1 :]


def another_purpose(lines: bytes) -> bytes:
    return lines.replace(b'"purpose":"supply"', b'"purpose":"supplies"', 1)


def another_seed(lines: bytes) -> bytes:
    at = lines.index(b'"seed":"', lines.index(b'"event":"seed-revealed/1"')) + len(b'"seed":"')
    return lines[:at] + (b"0" if lines[at : at + 1] != b"0" else b"1") + lines[at + 1 :]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (another_face, "the dice of event "),
        (another_purpose, "the dice of event "),
    ],
)
def test_the_first_outcome_that_does_not_follow_from_the_seed_is_named(
    finished: bytes, change: Callable[[bytes], bytes], said: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    whole, forged = check([finished, resummed(finished, change)])

    assert "error" not in whole
    assert forged["error"].startswith(said)


def test_a_seed_that_does_not_fit_what_was_promised_is_found(check: Callable[[Sequence[bytes]], list[Found]]) -> None:
    log = MemoryLog()
    match = played(log, "advance", 3, dice="sealed")
    client = local_client(log)
    resign(client, match)
    whole, forged = check([view(client, match), resummed(view(client, match), another_seed)])

    assert whole["opened"] == [1]
    assert forged["error"] == "a revealed seed does not fit its commitment"


def test_the_event_of_a_forged_die_is_named_with_what_the_seed_gives(
    finished: bytes, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    forged = resummed(finished, another_face)
    events = [event for line in forged.splitlines()[1:-1] for event in json.loads(line)["events"]]
    rolls = [(number, event) for number, event in enumerate(events, start=1) if event["event"] == "dice-rolled/1"]
    number, event = rolls[3]
    (found,) = check([forged])

    assert (
        f"event {number}, for {event['purpose']}, are recorded as {', '.join(map(str, event['faces']))}"
        in found["error"]
    )


def changed_draw(
    lines: bytes, change: Callable[[dict[str, Any]], None], wanted: Callable[[dict[str, Any]], bool]
) -> bytes:
    """Change the first draw that fits."""
    records = [json.loads(line) for line in lines.splitlines()]
    draws = [event for record in records for event in record.get("events", ()) if "-drawn/" in event["event"]]
    change(next(draw for draw in draws if wanted(draw)))
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def another_counter(lines: bytes) -> bytes:
    """Let a counter be drawn that lies in the pool as well: the next one that is drawn from it."""
    text = [event for line in lines.splitlines() for event in json.loads(line).get("events", ())]
    draws = [event for event in text if event["event"] == "piece-drawn/1"]
    first, second = next((a, b) for a in draws for b in draws if a["pool"] == b["pool"] and a["drawn"] != b["drawn"])
    return changed_draw(lines, lambda draw: draw.update(drawn=second["drawn"]), lambda draw: draw == first)


def a_foreign_counter(lines: bytes) -> bytes:
    return changed_draw(lines, lambda draw: draw.update(drawn="foreign"), bool)


def other_odds(lines: bytes) -> bytes:
    """Give all odds to another counter."""

    def change(draw: dict[str, Any]) -> None:
        draw["weights"] = {card: 1 for card in draw["weights"] if card != draw["drawn"]}

    return changed_draw(lines, change, lambda draw: bool(draw.get("weights")))


@pytest.mark.parametrize(
    ("game", "change", "said"),
    [
        ("advance", another_counter, "but what was promised gives "),
        ("battle", another_counter, "but what was promised gives "),
        ("advance", a_foreign_counter, "from a pile that cannot give it"),
        ("inferno", other_odds, "from a pile that cannot give it"),
    ],
)
def test_the_first_draw_that_does_not_follow_from_the_seed_is_named(
    game: str, change: Callable[[bytes], bytes], said: str, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    log = MemoryLog()
    match = played(log, game, 60)
    whole = view(local_client(log), match)
    true, forged = check([whole, resummed(whole, change)])

    assert "error" not in true
    assert forged["error"].startswith("event ")
    assert said in forged["error"]


@pytest.mark.parametrize("part", [0.3, 0.6, 0.999])
def test_a_changed_byte_of_an_archive_breaks_its_chain(
    part: float, check: Callable[[Sequence[bytes]], list[Found]]
) -> None:
    log = MemoryLog()
    match = played(log, "advance", 4)
    client = local_client(log)
    resign(client, match)
    changed = bytearray(archive(log, match))
    at = next(at for at in range(round(len(changed) * part), 0, -1) if chr(changed[at]).isdecimal())
    changed[at] = ord("1") if changed[at] != ord("1") else ord("2")
    (found,) = check([bytes(changed)])

    assert "chain" in found["error"] or "last line" in found["error"] or "sum" in found["error"]


def test_typed_dice_are_not_rolled_again(check: Callable[[Sequence[bytes]], list[Found]]) -> None:
    desk = Desk.open(dice="seeded").play(6, Random(1))
    fork = desk.fork(desk.match.head.seq, "manual", name="typed")
    (found,) = check([archive(fork.log, fork.match.id)])  # type: ignore[arg-type]

    assert fork.table.chance.scheme == MANUAL
    assert found["dice"]["dice"] == dice_of(desk.events)
