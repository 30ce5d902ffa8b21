"""Losses in words tell pieces and Steps apart."""

from core.telling.names import IdsOnly, Names
from events.ids import PUBLIC, GameKey, MatchId, PlaceId, Side
from server.page_parts.change_words import Change, change_words
from server.page_parts.story import Story

RED, BLUE = Side("red"), Side("blue")


def test_pieces_that_lost_steps_are_not_counted_as_lost() -> None:
    story = Story(MatchId("m"), PUBLIC, Names(IdsOnly(GameKey("skirmish"))), None)
    changes = [Change(1, None, RED, 2), Change(2, None, BLUE), Change(3, None, RED), Change(4, None, RED, 1)]

    assert change_words(story, changes) == "red loses 1 piece and 3 Steps; blue loses 1 piece"


def test_a_place_that_nobody_holds_any_more_is_told() -> None:
    story = Story(MatchId("m"), PUBLIC, Names(IdsOnly(GameKey("skirmish"))), None)
    changes = [Change(1, PlaceId("ford"), RED, was=BLUE), Change(2, PlaceId("ford"), Side(""), was=RED)]

    assert change_words(story, changes) == "no side holds ford"


def test_places_of_one_new_holder_are_told_together() -> None:
    story = Story(MatchId("m"), PUBLIC, Names(IdsOnly(GameKey("skirmish"))), None)
    changes = [Change(number, PlaceId(place), RED, was=BLUE) for number, place in enumerate(("ford", "hill", "mill"))]

    assert change_words(story, changes) == "red takes ford and hill; 1 more place changes hands"


def test_a_place_that_its_holder_has_got_back_is_not_told() -> None:
    story = Story(MatchId("m"), PUBLIC, Names(IdsOnly(GameKey("skirmish"))), None)
    changes = [Change(1, PlaceId("ford"), BLUE, was=RED), Change(2, PlaceId("ford"), RED, was=BLUE)]

    assert change_words(story, changes) == ""
