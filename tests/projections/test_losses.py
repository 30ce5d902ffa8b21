"""Losses are counted as pieces leave the field or return, and as they lose or regain steps; no number is negative."""

from collections import Counter
from random import Random

import pytest

from core.games.inferno.options import DESIGNERS_WAY
from core.match.bound_games import bound_game
from core.telling.names import Names
from events.ids import GameKey, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    CommandsUndone,
    Event,
    MatchBegan,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceTurned,
    RoundBegan,
)
from projections.losses import Loss, RoundLosses, by_round, losses
from projections.state.fold import evolve
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk, skirmish_listed
from tests.support.playouts import Playout
from tests.support.soak import sampled

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

    assert losses(events, lambda place: place == FIELD) == [
        Loss(3, 2, RED, TANK, "armour", "left", was=FIELD, to=BOX, steps=3)
    ]


def test_a_lost_piece_can_return() -> None:
    assert found(placed(FIELD), moved(FIELD, BOX), moved(BOX, FIELD)) == [("left", 2), ("returned", 3)]


def test_the_first_arrival_on_the_field_is_not_a_return() -> None:
    assert found(placed(BOX), moved(BOX, FIELD)) == []


def test_a_move_on_the_field_or_between_boxes_is_not_a_loss() -> None:
    elsewhere = PlaceId("another box")

    assert found(placed(FIELD), moved(FIELD, FIELD)) == []
    assert found(placed(BOX), moved(BOX, elsewhere)) == []


def test_a_piece_that_leaves_the_table_leaves_the_field_if_it_was_there() -> None:
    for event in (
        PieceRemoved(rule=RULE, piece=TANK, was=FIELD),
        PieceReturned(rule=RULE, piece=TANK, card=None, to=PileId("pool"), was=FIELD),
    ):
        assert found(placed(FIELD), event) == [("left", 2)]
        assert found(placed(BOX), event) == []


def test_a_token_that_is_spent_is_no_loss() -> None:
    events = [placed(FIELD), moved(FIELD, BOX), moved(BOX, FIELD)]

    assert losses(events, lambda place: place == FIELD, lambda kind: kind != "armour") == []


def turned(was: int, steps: int) -> Event:
    return PieceTurned(rule=RULE, piece=TANK, face="", was="", steps=steps, steps_was=was)


def test_steps_are_lost_and_regained() -> None:
    events = [placed(FIELD), turned(3, 1), turned(1, 1), turned(1, 2), moved(FIELD, BOX), moved(BOX, FIELD)]
    changes = [(loss.change, loss.steps) for loss in losses(events, lambda place: place == FIELD)]

    assert changes == [("reduced", 2), ("restored", 1), ("left", 2), ("returned", 2)]


def test_steps_off_the_field_and_a_strength_that_is_only_settled_are_no_loss_and_no_gain() -> None:
    assert found(placed(BOX), turned(3, 1)) == []

    unsettled = PiecePlaced(rule=RULE, piece=TANK, kind="armour", side=RED, to=FIELD, steps=0)
    assert found(unsettled, turned(0, 2)) == []


def test_what_was_taken_back_is_no_loss() -> None:
    began = MatchBegan(rule=RULE)
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=2)
    events = [began, placed(FIELD), turned(3, 2), moved(FIELD, BOX), back, turned(3, 1)]

    assert found(*events) == [("reduced", 6)]


def test_hidden_steps_are_not_counted() -> None:
    hidden = PieceTurned(rule=RULE, piece=TANK, face=None, was=None, steps=None, steps_was=None)

    assert found(placed(FIELD), hidden) == []


def test_a_loss_that_was_taken_back_is_none_and_the_piece_is_still_there_to_be_lost() -> None:
    begun = [MatchBegan(rule=RULE), placed(FIELD)]
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=2)

    assert found(*begun, moved(FIELD, BOX), back) == []
    assert found(*begun, moved(FIELD, BOX), back, moved(FIELD, BOX), moved(BOX, FIELD)) == [
        ("left", 5),
        ("returned", 6),
    ]


def test_a_return_that_was_taken_back_can_follow_again() -> None:
    begun = [MatchBegan(rule=RULE), placed(FIELD), moved(FIELD, BOX)]
    back = CommandsUndone(rule=RULE, seat=Seat("red"), to=3)

    assert found(*begun, moved(BOX, FIELD), back, moved(BOX, FIELD)) == [("left", 3), ("returned", 6)]


def test_losses_are_added_up_by_round_and_side() -> None:
    blue = Side("blue")
    some = [
        Loss(1, 1, RED, TANK, "", "left"),
        Loss(2, 1, RED, TANK, "", "returned"),
        Loss(3, 2, RED, TANK, "", "left"),
        Loss(4, 1, blue, PieceId("gun"), "", "reduced", steps=2),
        Loss(5, 1, blue, PieceId("gun"), "", "restored", steps=3),
        Loss(6, 1, blue, PieceId("gun"), "", "left", steps=1),
    ]

    assert by_round(some) == [
        RoundLosses(1, blue, 1, 0, 3, 3),
        RoundLosses(1, RED, 1, 1, 0, 0),
        RoundLosses(2, RED, 1, 0, 0, 0),
    ]


def test_the_losses_of_a_match_include_every_removed_piece() -> None:
    with skirmish_listed():
        desk = Desk.open().play(80, Random(5))
        removed = [event.piece for event in desk.events if isinstance(event, PieceRemoved)]
        told = [loss.piece for loss in losses(desk.events, lambda _: True) if loss.change == "left"]

    assert told == removed != []


PLAYED = {
    "advance": ("main", 11, 300, {}),
    "battle": ("standard", 12, 300, {}),
    "axis_allies": ("race", 11, 300, {}),
    "inferno": ("standard", 12, 250, {DESIGNERS_WAY.key: "soviet-easy", "designer_extras": "always"}),
}
"""A scenario of each game, a seed, and so many commands that something is lost, and for Inferno the Guards that regain Strength."""


def from_tables(events: list[Event], names: Names) -> Counter[tuple[str, int, Side]]:
    """Count losses by comparing the forces that are on the map before and after each event."""
    table, counted = Table(), Counter[tuple[str, int, Side]]()
    before: dict[PieceId, tuple[Side, int, bool]] = {}
    been: set[PieceId] = set()
    for event in events:
        evolve(table, event)
        after = {
            piece.id: (piece.side, piece.steps, bool(piece.kind))
            for piece in table.pieces.values()
            if names.is_in_play(table.ground(piece.place)) and names.is_force(piece.kind)
        }
        for piece, (side, was, is_known) in before.items():
            now = after[piece][1] if piece in after else 0
            counted["left", table.round, side] += piece not in after
            counted["lost", table.round, side] += max(0, was - now)
            counted["regained", table.round, side] += max(0, now - was) if is_known and was else 0
        for piece in (after.keys() - before.keys()) & been:
            counted["returned", table.round, after[piece][0]] += 1
            counted["regained", table.round, after[piece][0]] += after[piece][1]
        been = (been | after.keys()) & table.pieces.keys()
        before = after
    return +counted


@pytest.mark.parametrize("game", sampled(PLAYED, lambda game: game in ("advance", "battle")))
def test_losses_are_those_that_the_tables_show(game: str) -> None:
    """Counted a second way, from every table of a random match; this takes a second or two a game."""
    scenario, seed, commands, given = PLAYED[game]
    playout = Playout(game, scenario, seed, given=dict(given))
    for number, _ in enumerate(playout.steps()):
        if number == commands:
            break
    events, names = list(playout.desk.events), Names(bound_game(GameKey(game), None).narration)
    told = Counter[tuple[str, int, Side]]()
    for one in by_round(losses(events, names.is_in_play, names.is_force)):
        found = {"left": one.left, "returned": one.returned, "lost": one.steps_lost, "regained": one.steps_regained}
        told.update({(what, one.round, one.side): number for what, number in found.items()})

    assert +told == from_tables(events, names) != Counter()
    for seat in (Seat("public"), *playout.desk.table.seats):
        seen = by_round(losses(seen_events(events, seat), names.is_in_play, names.is_force))
        assert min([min(one.left, one.returned, one.steps_lost, one.steps_regained) for one in seen]) >= 0
