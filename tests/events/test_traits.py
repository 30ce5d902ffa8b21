"""Each struct of an event states what holds of its type."""

import pytest

from events.traits import Traits
from events.vocabulary import (
    CURRENT,
    BaseEvent,
    CommandsUndone,
    MatchForked,
    PieceMoved,
    SecretsRedealt,
    events_with,
)
from tests.support.rows import each_row


class Forgetful(BaseEvent, frozen=True, kw_only=True, tag="forgetful/1"):
    """States nothing."""


class Heir(PieceMoved, frozen=True, kw_only=True, tag="heir/1"):
    """States nothing itself."""


@each_row("kind", [Forgetful, Heir])
def test_an_event_that_does_not_say_what_it_is_is_named(kind: type[BaseEvent]) -> None:
    with pytest.raises(AssertionError, match=rf"{kind.__name__} does not say what it is: .*events.traits"):
        events_with(lambda _: True, (*CURRENT, kind))


def test_types_are_chosen_by_what_they_say() -> None:
    kinds = (PieceMoved, CommandsUndone)

    assert events_with(lambda traits: traits.is_beside_game, kinds) == {CommandsUndone}
    assert events_with(lambda _: True) == set(CURRENT)


@each_row("kind", CURRENT)
def test_what_an_event_says_of_itself_agrees(kind: type[BaseEvent]) -> None:
    traits, fields = kind.traits, kind.__struct_fields__

    assert not (traits.is_beside_game and traits.fence)
    assert traits.fence == "" or traits.fence.count("{}") == 1
    assert set(traits.secrets) <= set(fields)
    assert (bool(traits.secrets) != traits.is_withheld) == ("seen_by" in fields)
    assert traits.by != "seat" or "seat" in fields
    assert not traits.is_pick or traits.is_bookkeeping


def test_an_event_without_statements_belongs_to_the_game_and_is_told() -> None:
    assert Traits() == PieceMoved.traits


def test_no_event_of_the_game_follows_the_end() -> None:
    """A fork deals hidden information again at whatever event it leaves its parent."""
    beside = events_with(lambda traits: traits.is_beside_game)

    assert events_with(lambda traits: traits.may_follow_end) - beside == {MatchForked, SecretsRedealt}
