"""Losses are counted as pieces leave the field, return, or are removed."""

from random import Random

from events.ids import PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    Event,
    MatchBegan,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceTurned,
    RoundBegan,
    TakenBack,
)
from projections.losses import Loss, RoundLosses, by_round, losses
from tests.support.desk import Desk, skirmish_listed

RULE = RuleId("1")
RED = Side("red")
TANK = PieceId("tank")
FIELD = PlaceId("field")
BOX = PlaceId("box")


def placed(to: PlaceId) -> Event:
    return PiecePlaced(rule=RULE, piece=TANK, kind="armour", side=RED, to=to, steps=3)


def moved(was: PlaceId, to: PlaceId) -> Event:
    return PieceMoved(rule=RULE, piece=TANK, to=to, was=was)


def found(*events: Event) -> list[tuple[str, int]]:
    return [(loss.change, loss.number) for loss in losses(events, lambda place: place == FIELD)]


def test_a_piece_moved_from_the_field_to_a_box_is_lost() -> None:
    events = [RoundBegan(rule=RULE, number=2, was=1), placed(FIELD), moved(FIELD, BOX)]

    assert losses(events, lambda place: place == FIELD) == [Loss(3, 2, RED, TANK, "armour", "left", was=FIELD, to=BOX)]


def test_a_lost_piece_can_return() -> None:
    assert found(placed(FIELD), moved(FIELD, BOX), moved(BOX, FIELD)) == [("left", 2), ("returned", 3)]


def test_the_first_arrival_on_the_field_is_not_a_return() -> None:
    assert found(placed(BOX), moved(BOX, FIELD)) == []


def test_a_move_on_the_field_or_between_boxes_is_not_a_loss() -> None:
    elsewhere = PlaceId("another box")

    assert found(placed(FIELD), moved(FIELD, FIELD)) == []
    assert found(placed(BOX), moved(BOX, elsewhere)) == []


def test_a_removed_piece_is_lost_for_good() -> None:
    assert found(placed(FIELD), PieceRemoved(rule=RULE, piece=TANK, was=FIELD)) == [("removed", 2)]


def test_steps_are_lost_and_regained() -> None:
    turned = [
        PieceTurned(rule=RULE, piece=TANK, face="", was="", steps=steps, steps_was=was)
        for was, steps in [(3, 1), (1, 1), (1, 2)]
    ]
    assert [loss.steps for loss in losses([placed(FIELD), *turned], lambda _: True)] == [2, -1]


def test_hidden_steps_are_not_counted() -> None:
    hidden = PieceTurned(rule=RULE, piece=TANK, face=None, was=None, steps=None, steps_was=None)

    assert found(placed(FIELD), hidden) == []


def test_a_loss_that_was_taken_back_is_none_and_the_piece_is_still_there_to_be_lost() -> None:
    begun = [MatchBegan(rule=RULE), placed(FIELD)]
    back = TakenBack(rule=RULE, seat=Seat("red"), to=2)

    assert found(*begun, moved(FIELD, BOX), back) == []
    assert found(*begun, moved(FIELD, BOX), back, moved(FIELD, BOX), moved(BOX, FIELD)) == [
        ("left", 5),
        ("returned", 6),
    ]


def test_a_return_that_was_taken_back_can_follow_again() -> None:
    begun = [MatchBegan(rule=RULE), placed(FIELD), moved(FIELD, BOX)]
    back = TakenBack(rule=RULE, seat=Seat("red"), to=3)

    assert found(*begun, moved(BOX, FIELD), back, moved(BOX, FIELD)) == [("left", 3), ("returned", 6)]


def test_losses_are_added_up_by_round_and_side() -> None:
    blue = Side("blue")
    some = [
        Loss(1, 1, RED, TANK, "", "left"),
        Loss(2, 1, RED, TANK, "", "returned"),
        Loss(3, 2, RED, TANK, "", "left"),
        Loss(4, 1, blue, PieceId("gun"), "", "steps", steps=2),
        Loss(5, 1, blue, PieceId("gun"), "", "removed"),
    ]

    assert by_round(some) == [
        RoundLosses(1, blue, 0, 0, 1, 2),
        RoundLosses(1, RED, 1, 1, 0, 0),
        RoundLosses(2, RED, 1, 0, 0, 0),
    ]


def test_the_losses_of_a_match_include_every_removed_piece() -> None:
    with skirmish_listed():
        desk = Desk.open().play(80, Random(5))
        removed = [event.piece for event in desk.events if isinstance(event, PieceRemoved)]
        told = [loss.piece for loss in losses(desk.events, lambda _: True) if loss.change == "removed"]

    assert told == removed != []
