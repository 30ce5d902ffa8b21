"""A seat's stream contains no secret of others: neither in an event, nor in the folded table, nor as a gap."""

from random import Random

from events.codec import encode
from events.ids import ARBITER, PUBLIC, CardId, PileId, Seat
from events.vocabulary import CardDrawn, CardPlayed, DeckFormed
from projections.state.fold import fold
from projections.state.view import SeatView, log_number, seat_number, see, seen_events, sees_whole
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, DECK, RED, hand

SEATS = (RED, BLUE, PUBLIC, ARBITER)


def played(seed: int, notes: bool = False) -> Desk:
    """Play a match of the test game, with secret notes if asked for."""
    desk = Desk.open()
    rng = Random(seed)

    def write(table: Desk) -> None:
        if notes and table.table.ended is None and rng.random() < 0.4:
            seat = rng.choice((RED, BLUE))
            table.accept({"do": "match:note", "text": f"secret of {seat}", "private": True}, seat)

    return desk.play(500, rng, after=write)


@each_row("seed", range(6))
@each_row(("seat", "rival"), [(RED, BLUE), (BLUE, RED), (PUBLIC, RED), (PUBLIC, BLUE)])
def test_no_event_names_a_card_before_the_seat_may_know_it(seat: Seat, rival: Seat, seed: int) -> None:
    known: set[CardId] = set()
    for event in played(seed).events:
        seen = see(event, seat)
        if isinstance(event, CardDrawn) and event.to == hand(seat):
            known.add(event.card or CardId(""))
        if isinstance(event, CardPlayed):
            known.add(event.card)
        text = encode(seen).decode()
        named = {f"card-{number}" for number in range(1, 9) if f'"card-{number}"' in text}

        assert named <= known, text


@each_row("seed", range(6))
def test_a_seats_table_knows_its_own_hand_and_counts_the_others(seed: int) -> None:
    desk = played(seed)
    for upto in range(0, len(desk.events), 5):
        events = desk.events[:upto]
        truth = fold(events)
        for seat, rival in ((RED, BLUE), (BLUE, RED)):
            table = fold(seen_events(events, seat))

            assert table.pile(hand(seat)) == truth.pile(hand(seat))
            assert table.pile(hand(rival)).cards == ()
            assert table.pile(hand(rival)).hidden == truth.pile(hand(rival)).count
            assert table.pile(DECK).count == truth.pile(DECK).count
            assert table.tracks == truth.tracks
            assert table.stack == truth.stack


def test_two_matches_that_differ_in_a_rivals_secrets_look_the_same() -> None:
    """match.resample: red's view of a fork with other hidden cards is byte for byte the same."""
    parent = Desk.open().play(3, Random(5))
    end = parent.commits[-1].last
    streams = set()
    hands = set()
    for seed in range(1, 9):
        fork = parent.fork(end, "seeded", name=f"fork-{seed}", hidden="resample", seat=RED, seed="9")
        redealt = parent.fork(end, "seeded", name=f"redealt-{seed}", hidden="resample", seat=RED, seed=str(seed))
        hands.add(redealt.table.pile(hand(BLUE)).cards)
        for desk in (fork, redealt):
            stream = [encode(event) for event in seen_events(desk.events[:end], RED)]
            after = list(seen_events(desk.events[end + 1 :], RED))
            streams.add((*stream, *[encode(event) for event in after]))

    assert len(hands) > 1
    assert len(streams) == 1


@each_row("seed", range(4))
def test_redacted_events_leave_no_gap_in_a_seats_numbers(seed: int) -> None:
    desk = played(seed, notes=True)
    for seat in SEATS:
        view = SeatView(seat)
        numbers: list[int] = []
        for commit in desk.commits:
            seen = view.take(commit.events, commit.at, commit.last)
            if seen is not None:
                numbers += range(seen.first, seen.first + len(seen.events))
                assert seat_number(desk.table, seat, commit.last) == numbers[-1]

        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) == len(list(seen_events(desk.events, seat)))
        for number in numbers:
            seq = log_number(desk.table, seat, number)
            assert see(desk.events[seq - 1], seat) is not None
            assert seat_number(desk.table, seat, seq) == number


def test_a_private_note_is_only_in_two_streams() -> None:
    desk = played(4, notes=True)
    texts = {seat: b"".join(encode(event) for event in seen_events(desk.events, seat)) for seat in SEATS}

    assert b"secret of red" in texts[RED]
    assert b"secret of red" in texts[ARBITER]
    assert b"secret of red" not in texts[BLUE] + texts[PUBLIC]


def test_the_arbiter_sees_all_secrets() -> None:
    formed = next(
        event for event in Desk.open().events if isinstance(event, DeckFormed) and event.deck == PileId("deck")
    )

    assert formed.seen_by == ()
    assert sees_whole(formed, ARBITER)
    for seat in (RED, BLUE, PUBLIC):
        seen = see(formed, seat)
        assert isinstance(seen, DeckFormed)
        assert (seen.cards, seen.count) == (None, 8)
