"""Combats are the smallest sequences of a kind in most of which dice fall or, in a game without dice, pieces are lost."""

from collections.abc import Sequence

from events.codec import replace
from events.ids import PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    CommandsUndone,
    ControlChanged,
    DiceRolled,
    Event,
    MatchBegan,
    PiecePlaced,
    PieceRemoved,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
)
from projections.combats import Combat, combats

RULE = RuleId("1")
ROLL = DiceRolled(rule=RULE, faces=(3,), purpose="attack")


def begins(kind: str) -> SequenceBegan:
    return SequenceBegan(rule=RULE, kind=kind, step="first")


def ends(kind: str) -> SequenceEnded:
    return SequenceEnded(rule=RULE, kind=kind)


PLACED = PiecePlaced(rule=RULE, piece=PieceId("p"), kind="p", to=PlaceId("a"), side=Side("red"))


def is_field(place: PlaceId) -> bool:
    """Return that everything is on the map."""
    return True


def found(events: Sequence[Event]) -> list[Combat]:
    return combats(events, is_field)


def test_a_sequence_with_dice_in_it_is_a_combat_and_the_one_around_it_is_none() -> None:
    events: list[Event] = [
        begins("turn"),
        ROLL,
        begins("fight"),
        ROLL,
        ends("fight"),
        begins("march"),
        ends("march"),
        ends("turn"),
    ]

    assert found(events) == [Combat("fight", 3, 5)]


def test_without_dice_a_sequence_in_which_a_piece_is_lost_is_a_combat() -> None:
    events: list[Event] = [
        PLACED,
        begins("fight"),
        PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("a")),
        ends("fight"),
    ]

    assert found(events) == [Combat("fight", 2, 4)]


def test_a_kind_of_sequence_counts_as_a_whole() -> None:
    def series(bloody: int) -> list[Event]:
        fights: list[list[Event]] = [
            [begins("fight"), *([ROLL] if number < bloody else []), ends("fight")] for number in range(10)
        ]
        return [event for fight in fights for event in fight]

    assert len(found(series(6))) == 10
    assert found(series(5)) == []


def test_where_pieces_are_lost_dice_alone_make_no_combat() -> None:
    fight: list[Event] = [
        begins("fight"),
        ROLL,
        PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("a")),
        ends("fight"),
    ]
    supply: list[Event] = [begins("supply"), ROLL, ends("supply")]

    assert found([PLACED, *fight, *supply]) == [Combat("fight", 2, 5)]
    assert found(supply) == [Combat("supply", 1, 3)]


def test_without_dice_a_kind_in_which_places_change_hands_and_now_and_then_a_piece_is_lost_is_one_of_combats() -> None:
    taken = ControlChanged(rule=RULE, place=PlaceId("a"), to=Side("red"), was=Side("blue"))
    fight: list[Event] = [begins("fight"), taken, ends("fight")]
    bloody: list[Event] = [
        begins("fight"),
        PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("a")),
        ends("fight"),
    ]
    march: list[Event] = [begins("march"), taken, ends("march")]

    assert found([PLACED, *fight * 4, *bloody, *march]) == [
        Combat("fight", first, first + 2) for first in (2, 5, 8, 11, 14)
    ]


def test_a_step_or_an_end_ends_what_lies_above() -> None:
    step = StepBegan(rule=RULE, kind="turn", step="second", was="first")

    assert found([begins("turn"), begins("fight"), ROLL, step]) == [Combat("fight", 2, 4)]
    assert found([begins("turn"), begins("fight"), ROLL, ends("turn")]) == [Combat("fight", 2, 4)]


def test_a_combat_that_goes_on_or_was_taken_back_is_none() -> None:
    before: list[Event] = [MatchBegan(rule=RULE), begins("fight"), ends("fight")]
    after: list[Event] = [begins("fight"), ROLL, ends("fight")]
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=1)

    assert found([begins("turn"), begins("fight"), ROLL]) == []
    assert found([*before, *after]) == []
    assert found([*before, back, *after]) == [Combat("fight", 5, 7)]


def test_what_was_taken_back_within_a_combat_does_not_count_but_what_was_before_does() -> None:
    taken = ControlChanged(rule=RULE, place=PlaceId("a"), to=Side("red"), was=Side(""))
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=3)

    first: list[Event] = [MatchBegan(rule=RULE), begins("fight"), taken, taken, back, ends("fight")]
    none: list[Event] = [MatchBegan(rule=RULE), begins("fight"), PLACED, taken, back, ends("fight")]

    assert found(first) == [Combat("fight", 2, 6)]
    assert found(none) == []


def test_of_two_losses_the_first_stays_when_the_second_is_taken_back() -> None:
    other = replace(PLACED, piece=PieceId("q"))
    gone = [PieceRemoved(rule=RULE, piece=PieceId(name), was=PlaceId("a")) for name in "pq"]
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=5)

    assert found([PLACED, other, MatchBegan(rule=RULE), begins("fight"), *gone, back, ends("fight")]) == [
        Combat("fight", 4, 8)
    ]
