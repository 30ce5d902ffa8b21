"""A fork may leave its parent at any event, shares the earlier events, and continues independently."""

from random import Random
from typing import Any

import pytest

from core.errors import DiceImpossible, DiceMissing, KernelError, SetupInvalid, UnknownName
from core.history.match_reader import table_at
from core.match.live_match import load_match
from events.codec import decode_plain, to_plain
from events.errors import UnknownMatch
from events.ids import MatchId, PileId, Seat
from events.vocabulary import DiceRolled, MatchEnded, MatchForked, StandingAnswersRevealed
from projections.state.fold import fold
from projections.state.table import Table
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.soak import sampled

# A fork begins with one event of its own, and its seats are free.
BOOKKEEPING = (
    "seq",
    "chance",
    "parent",
    "players",
    "credentials",
    "dice_from",
    "links",
    "keys",
    "keys_from",
    "private_notes",
    "past",
)


def position(table: Table) -> dict[str, object]:
    """Return all parts of a table that a fork does not change."""
    plain = to_plain(table)
    assert isinstance(plain, dict)
    return {name: value for name, value in plain.items() if name not in BOOKKEEPING}


def played(steps: int = 500, dice: str = "seeded", seed: int = 1) -> Desk:
    """Play a match of the test game."""
    return Desk.open(dice=dice).play(steps, Random(seed))


def repeat(fork: Desk, parent: Desk) -> None:
    """Play the parent's later commands in a fork."""
    for commit in parent.commits:
        if commit.first >= fork.match.head.seq and fork.table.ended is None:
            fork.accept(recorded(bytes(commit.command)), commit.seat)


def last_open(desk: Desk) -> int:
    """Return the last event before the end of a match."""
    return next(seq for seq, event in enumerate(desk.events) if isinstance(event, MatchEnded))


def recorded(data: bytes) -> dict[str, object]:
    """Read a recorded command."""
    plain = decode_plain(data)
    assert isinstance(plain, dict)
    return plain


@pytest.mark.parametrize(
    ("kind", "dice"),
    sampled(
        [("seeded", "fresh"), ("seeded", "same"), ("seeded", "seeded"), ("sealed", "fresh"), ("sealed", "seeded")],
        lambda kind, dice: (kind, dice) == ("seeded", "same"),
    ),
)
def test_a_fork_at_every_event_has_the_parents_table_there_and_plays_on(kind: str, dice: str) -> None:
    parent = played(dice=kind)
    events = parent.events
    assert parent.table.ended is not None
    for at in range(1, last_open(parent) + 1):
        fork = parent.fork(at, dice, name=f"fork-{at}")
        shared = [event for event in fork.events if not isinstance(event, MatchForked)][:at]
        there = fold(fork.events[: at + 1])

        assert shared == events[:at]
        assert position(there) == position(fold(events[:at]))
        assert load_match(fork.log, fork.match.id).table == fork.match.table

        if at % 3:
            continue
        for seat in fork.table.seats:
            if seat not in fork.table.players and fork.table.ended is None:
                fork.accept({"do": "match:take-seat", "seat": seat}, seat)
        fork.play(500, Random(at))
        report = fork.audit()

        assert fork.table.ended is not None
        assert report.findings == ()


def test_the_same_dice_and_the_same_commands_give_the_same_continuation() -> None:
    parent = played()
    events = parent.events
    began = next(number for number, event in enumerate(events, start=1) if isinstance(event, DiceRolled))
    for at in range(began, last_open(parent) + 1):
        fork = parent.fork(at, "same", name=f"same-{at}")
        repeat(fork, parent)
        again = [event for event in fork.events if not isinstance(event, MatchForked)]

        assert again == events


@each_row("dice", ["fresh", "same", "seeded", "manual"])
def test_a_match_is_not_forked_at_or_after_its_end(dice: str) -> None:
    """match.fork: nothing could be played there, and the seed of a sealed fork would never be opened."""
    parent = played(dice="sealed")
    upto = last_open(parent)
    parent.accept({"do": "match:note", "text": "Well played."}, Seat("red"))
    for at in range(upto + 1, parent.match.head.seq + 1):
        with pytest.raises(KernelError) as caught:
            parent.fork(at, dice)

        assert type(caught.value) is KernelError
        assert str(caught.value) == (
            f"the match ended with event {upto + 1}, after which nothing can be tried: fork at event {upto} or earlier"
        )


@each_row("hidden", ["truth", "resample"])
def test_a_refusal_at_the_end_names_the_last_event_at_which_the_fork_can_be_made(hidden: str) -> None:
    """match.fork, match.resample: hidden information is dealt again between two commands."""
    parent = played(dice="sealed")
    red = Seat("red")
    with pytest.raises(KernelError) as caught:
        parent.fork(parent.match.head.seq, hidden=hidden, seat=red)
    named = int(str(caught.value).split()[-3])
    if hidden == "resample":
        with pytest.raises(KernelError, match=f"only between two commands: fork at event {named}$"):
            parent.fork(last_open(parent), hidden=hidden, seat=red)

    assert parent.fork(named, hidden=hidden, seat=red).audit().findings == ()


def test_fresh_dice_are_other_dice() -> None:
    parent = played()
    at = 60
    first = parent.fork(at, "fresh", name="first", seed="01" * 32)
    second = parent.fork(at, "fresh", name="second", seed="02" * 32)
    for fork in (first, second):
        fork.play(500, Random(1))
    dice = [
        [event.faces for event in desk.events[at:] if isinstance(event, DiceRolled)] for desk in (parent, first, second)
    ]

    assert dice[0] != dice[1]
    assert dice[0] != dice[2]
    assert dice[1] != dice[2]


@each_row("steps", [6, 500])
def test_a_match_with_sealed_dice_is_not_forked_with_the_same_dice(steps: int) -> None:
    """match.links: the links of what follows are its players'."""
    parent = played(steps, dice="sealed")
    with pytest.raises(KernelError, match="depend on links"):
        parent.fork(20, "same")


@pytest.mark.long
def test_forks_of_forks_at_every_event_are_sound() -> None:
    parent = played(dice="sealed")
    rng = Random(5)
    for at in range(1, len(parent.events), 7):
        desk = parent
        for depth in range(4):
            point = rng.randint(1, len(desk.events)) if depth else at
            kind = rng.choice(["fresh", "seeded"])
            before = fold(desk.events[:point])
            forks_shared = sum(isinstance(event, MatchForked) for event in desk.events[:point])
            desk = desk.fork(point, kind, name=f"{at}-{depth}", seed=f"{depth + 1:064x}")

            shared = [event for event in desk.events if not isinstance(event, MatchForked)]
            assert position(fold(shared[: point - forks_shared])) == position(before)
            for seat in desk.table.seats:
                if seat not in desk.table.players and desk.table.ended is None:
                    desk.accept({"do": "match:take-seat", "seat": seat}, seat)
            desk.play(8, rng)

            assert desk.audit().findings == ()


def test_a_fork_with_typed_dice_asks_for_what_the_cut_command_still_needs() -> None:
    parent = played()
    at = next(n for n, event in enumerate(parent.events, start=1) if isinstance(event, DiceRolled) and n > 30) - 1
    with pytest.raises(DiceMissing, match="dice"):
        parent.fork(at, "manual", name="needs")

    fork = parent.fork(at, "manual", name="typed", faces=(1, 2))
    rolled = fork.events[at + 1]

    assert isinstance(rolled, DiceRolled)
    assert rolled.faces == (1, 2)
    assert fork.audit().findings == ()


def test_surplus_typed_dice_for_a_fork_are_refused() -> None:
    parent = played()
    end = parent.commits[5].last
    with pytest.raises(DiceImpossible, match="left over: 1"):
        parent.fork(end, "manual", faces=(1,))
    with pytest.raises(DiceImpossible, match="dice cannot be typed in"):
        parent.fork(end - 1, "fresh", draws=("card-1",))


@each_row("at", [0, -1, 10_000])
def test_an_event_that_is_not_there_is_no_fork_point(at: int) -> None:
    parent = played(steps=3)
    with pytest.raises(UnknownName, match=f"no event {at} to fork at"):
        parent.fork(at)


@each_row(
    ("more", "error", "words"),
    [
        ({"dice": "loaded"}, UnknownName, "'loaded'"),
        ({"hidden": "guess"}, UnknownName, "'guess'"),
        ({"seed": "ab"}, SetupInvalid, "64 lower-case hexadecimal digits"),
        ({"parent": MatchId("none")}, UnknownMatch, "none"),
        ({"hidden": "resample", "dice": "same"}, KernelError, "dice of the fork's own"),
        ({"hidden": "resample", "dice": "manual"}, KernelError, "dice of the fork's own"),
    ],
)
def test_invalid_values_for_a_fork_are_named(more: dict[str, Any], error: type[Exception], words: str) -> None:
    parent = played(steps=3)
    end = parent.commits[3].last
    with pytest.raises(error, match=words):
        parent.fork(end, **more)


def test_hidden_cards_are_dealt_again_in_equal_numbers_and_known_ones_stay() -> None:
    """match.resample"""
    parent = played(steps=6)
    end = parent.commits[4].last
    truth = table_at(parent.log, parent.match.id, end)
    seen = set()
    for number in range(1, 9):
        fork = parent.fork(end, "seeded", name=f"deal-{number}", hidden="resample", seat=Seat("red"), seed=str(number))
        piles = fork.table.piles
        seen.add(piles[PileId("hand/blue")].cards)

        assert piles[PileId("hand/red")] == truth.piles[PileId("hand/red")]
        assert {pile: cards.count for pile, cards in piles.items()} == {
            pile: cards.count for pile, cards in truth.piles.items()
        }
        assert sorted(card for pile in piles.values() for card in pile.cards) == sorted(
            card for pile in truth.piles.values() for card in pile.cards
        )
        assert fork.audit().findings == ()
    assert len(seen) > 1


def test_hidden_cards_are_dealt_again_only_between_two_commands() -> None:
    parent = played(steps=6)
    with pytest.raises(KernelError, match="only between two commands"):
        parent.fork(parent.commits[4].last - 1, "seeded", hidden="resample", seat=Seat("red"))


def test_the_parent_is_not_affected_by_a_fork() -> None:
    parent = played(steps=5)
    before = parent.match.head
    parent.fork(20)

    assert parent.log.head(parent.match.id) == before
    parent.play(500, Random(3))
    assert parent.audit().findings == ()


def test_a_fork_does_not_inherit_standing_answers() -> None:
    """match.fork, match.standing: a standing answer is a secret of its seat, and not shared with the fork."""
    parent = played(steps=2)
    parent.accept(
        {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}, Seat("red")
    )
    fork = parent.fork(parent.match.head.seq)

    assert len(parent.table.standing) == 1
    assert fork.table.standing == ()
    assert fork.audit().findings == ()


def answered_beforehand(steps: int, dice: str = "seeded") -> Desk:
    """Play a match in which red has a standing answer."""
    parent = Desk.open(dice=dice)
    answer = {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}
    parent.accept(answer, Seat("red"))
    return parent.play(steps, Random(1))


@each_row(("seat", "hidden"), [("arbiter", "truth"), ("red", "truth"), ("blue", "resample")])
def test_the_end_of_a_fork_does_not_disclose_its_parents_standing_answers(seat: str, hidden: str) -> None:
    """match.disclose: the parent may still be running."""
    parent = answered_beforehand(3)
    fork = parent.fork(parent.match.head.seq, "seeded", seat=Seat(seat), hidden=hidden)
    for free in ("red", "blue"):
        fork.accept({"do": "match:take-seat", "seat": free}, Seat(free))
    fork.accept({"do": "match:resign"}, Seat("blue"))
    parent.accept({"do": "match:resign"}, Seat("blue"))

    assert isinstance(fork.events[-1], MatchEnded)
    assert isinstance(parent.events[-1], StandingAnswersRevealed)
    assert fork.audit().findings == parent.audit().findings == ()


@each_row("dice", ["seeded", "sealed"])
def test_a_match_with_disclosed_standing_answers_can_be_forked_at_any_event_before_the_end(dice: str) -> None:
    """match.fork, match.disclose"""
    parent = answered_beforehand(500, dice)
    last = parent.commits[-1]
    assert isinstance(last.events[-1], StandingAnswersRevealed)
    for at in range(last.first - 1, last_open(parent) + 1):
        fork = parent.fork(at, "same" if dice == "seeded" else "fresh", name=f"fork-{at}")

        assert fork.audit().findings == ()
        assert [event for event in fork.events if type(event) is not MatchForked][:at] == parent.events[:at]


def test_a_fork_does_not_undo_events_before_play_began() -> None:
    """match.fork: a fork that cuts the command that began play keeps the seats taken before it."""
    parent = played(steps=1)
    second = parent.commits[1].last
    fork = parent.fork(second)

    assert fork.table.players == {"red": "Red"}
    assert not fork.table.began
    fork.accept({"do": "match:take-seat", "seat": "blue"}, Seat("blue"))
    assert fork.table.began


def test_a_fork_with_the_same_dice_repeats_the_dice_of_a_cut_command() -> None:
    """Some of these dice come from the first match, the others from its fork."""
    parent = played()
    for at in range(40, 60, 3):
        child = parent.fork(at, "seeded", name=f"child-{at}")
        for seat in child.table.seats:
            child.accept({"do": "match:take-seat", "seat": seat}, seat)
        child.play(500, Random(at))
        cut = child.commits[len([commit for commit in parent.commits if commit.last <= at]) + 1]
        for point in range(cut.first, cut.last + 1):
            grandchild = child.fork(point, "same", name=f"grandchild-{at}-{point}")
            repeat(grandchild, child)

            assert played_events(grandchild) == played_events(child)
            assert grandchild.audit().findings == ()


def played_events(desk: Desk) -> list[object]:
    """Return the events of a match without forking events."""
    return [event for event in desk.events if not isinstance(event, MatchForked)]
