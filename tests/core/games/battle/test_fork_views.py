"""The seats' views of a resampled fork show nothing that the forking seat did not know."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from core.games.battle.ids import SEATS, SIDES, hand
from core.match.live_match import load_match
from events.codec import encode
from events.commit import GENESIS, chain_hash, decode_commit
from events.ids import ARBITER, PUBLIC, Digest, Seat, Side
from events.log import NewCommit
from events.memory_log import MemoryLog
from events.vocabulary import Event, SecretsRedealt
from projections.state.fold import fold
from projections.state.view import SeatView, log_number, seat_number, seen_events
from tests.support.desk import Desk

FORKERS = (*SEATS, PUBLIC)
CARD = re.compile(r"(?:german|russian)/[a-z0-9_]+-\d+")


def played(seed: int, commands: int, notes: int = 1) -> Desk:
    """Play a random match for a while; both seats write so many notes for themselves now and then."""
    desk = Desk.open("battle", options={"turn_cap": 40}, seed=str(seed), name="parent")

    def write(table: Desk) -> None:
        if table.match.head.seq % 11 == 0:
            write_notes(table, notes)

    return desk.play(commands, Random(seed), after=write)


def write_notes(desk: Desk, notes: int) -> None:
    """Let both seats write for themselves."""
    for seat in SEATS:
        for number in range(notes):
            desk.accept({"do": "match:note", "text": f"{number}: the plan of {seat}", "private": True}, seat)


def forked(parent: Desk, seat: Seat, seed: str = "2") -> Desk:
    """Fork a match where it stands, as a player may, and sit down."""
    fork = parent.fork(parent.match.head.seq, "seeded", f"fork-{seat}", seat, hidden="resample", seed=seed)
    for free in SEATS:
        fork.accept({"do": "match:take-seat", "seat": free}, free)
    return fork


def lines(events: Iterator[Event] | list[Event]) -> list[str]:
    """Return events as they are sent."""
    return [encode(event).decode() for event in events]


def named(said: list[str]) -> set[str]:
    """Return the cards that lines name."""
    return set(CARD.findall("\n".join(said)))


def positions(budget: float) -> Iterator[tuple[int, Desk]]:
    """Return random matches at random points."""
    for seed in range(max(3, round(3 * budget))):
        yield seed, played(seed, 20 + 110 * (2 * seed % 5) + seed)


def test_in_a_fork_no_seat_sees_more_than_the_forking_seat_knew(budget: float) -> None:
    """But for the hand that was dealt to the reader again."""
    redealt_cards = 0
    for _, parent in positions(budget):
        end = parent.match.head.seq
        for forker in FORKERS:
            fork = forked(parent, forker)
            may_know = named(lines(seen_events(parent.events, forker)))
            for seat in (*SEATS, PUBLIC):
                seen = list(seen_events(fork.events, seat))
                own = {
                    card
                    for event in seen
                    if isinstance(event, SecretsRedealt) and event.cards and event.seen_by
                    for card in event.cards
                }
                redealt_cards += len(own)

                assert named(lines(seen)) <= may_know | own
                assert seat != PUBLIC or not own
                assert ("the plan of" in "\n".join(lines(seen))) == (seat == forker and seat in SEATS and end > 60)
                for other in SEATS:
                    held = fold(seen).pile(hand(Side(other)))
                    assert held.count == fork.table.pile(hand(Side(other))).count
                    if other == seat:
                        assert sorted(held.cards) == sorted(fork.table.pile(hand(Side(other))).cards)
            assert fork.audit().findings == ()

    assert redealt_cards > 0


@pytest.mark.long
def test_every_seat_counts_a_fork_without_a_gap(budget: float) -> None:
    for _, parent in positions(budget):
        for forker in FORKERS:
            fork = forked(parent, forker)
            table = load_match(fork.log, fork.match.id).table
            for seat in (*FORKERS, ARBITER):
                view = SeatView.after(table, seat, 0)
                told: list[Event] = []
                for commit in fork.commits:
                    start = SeatView.after(table, seat, commit.first - 1)
                    assert start.count == view.count
                    seen = view.take(commit.events, commit.at, commit.last)
                    assert seen == start.take(commit.events, commit.at, commit.last)
                    if seen is not None:
                        assert seen.first == len(told) + 1
                        told += seen.events
                    assert seat_number(table, seat, commit.last) == len(told)

                assert told == list(seen_events(fork.events, seat))
                for number in range(1, len(told) + 1, 7):
                    assert seat_number(table, seat, log_number(table, seat, number)) == number


@pytest.mark.long
def test_a_fork_of_a_fork_shows_only_what_all_forking_seats_saw(budget: float) -> None:
    for seed, parent in positions(budget):
        first, second = Random(seed).sample(FORKERS, 2)
        child = forked(parent, first)
        child.play(20, Random(seed))
        grandchild = child.fork(child.match.head.seq, "seeded", "grandchild", second, hidden="resample", seed="3")
        shared = parent.match.head.seq
        both = named(lines(seen_events(parent.events, first))) & named(lines(seen_events(parent.events, second)))
        for seat in FORKERS:
            seen = list(seen_events(grandchild.events, seat))
            end = seat_number(grandchild.table, seat, shared)

            assert named(lines(seen[:end])) <= both
            assert "the plan of" not in "\n".join(lines(seen[:end]))
            assert seat not in SEATS or fold(seen).pile(hand(Side(seat))).hidden == 0
        assert grandchild.audit().findings == ()


def renamed(parent: Desk, seat: Seat, rng: Random) -> Desk:
    """Return a match that differs from another only in cards that a seat has never seen: they have changed places."""
    events = parent.events
    seen = named(lines(seen_events(events, seat)))
    other: dict[str, str] = {}
    for side in SIDES:
        unseen = sorted(card for card in named(lines(events)) - seen if card.startswith(side))
        other.update(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    log, prev = MemoryLog(), GENESIS
    for commit in parent.log.read(parent.match.id):
        body = CARD.sub(lambda found: other.get(found[0], found[0]), commit.body.decode())
        changed = re.sub(r'"prev":"[0-9a-f]{64}"', f'"prev":"{prev}"', body, count=1).encode()
        prev = Digest(chain_hash(changed))
        log.append([NewCommit(commit.match, commit.first, commit.last, commit.key, prev, changed)])
        assert decode_commit(changed).first == commit.first
    return Desk(log, load_match(log, parent.match.id))


def test_parents_that_differ_in_what_a_seat_does_not_know_give_it_the_same_forks(budget: float) -> None:
    """Byte for byte, and the other seats see the same as well: the new deal does not depend on the old one."""
    different = 0
    for seed, parent in positions(budget):
        for forker in FORKERS:
            twin = renamed(parent, forker, Random(seed))
            different += any(
                sorted(twin.table.pile(hand(Side(seat))).cards) != sorted(parent.table.pile(hand(Side(seat))).cards)
                for seat in SEATS
            )
            one, two = forked(parent, forker), forked(twin, forker)
            for seat in FORKERS:
                assert lines(seen_events(one.events, seat)) == lines(seen_events(two.events, seat))
            assert {name: sorted(pile.cards) for name, pile in one.table.piles.items()} == {
                name: sorted(pile.cards) for name, pile in two.table.piles.items()
            }

    assert different > 0


def test_a_fork_does_not_tell_how_much_others_wrote_for_themselves(budget: float) -> None:
    for seed in range(max(2, round(2 * budget))):
        streams = []
        for notes in (0, 1, 3):
            parent = played(seed, 120 + seed)
            write_notes(parent, notes)
            fork = forked(parent, PUBLIC)
            fork.play(5, Random(seed))
            streams.append(lines(seen_events(fork.events, PUBLIC)))

        assert streams[0] == streams[1] == streams[2]
