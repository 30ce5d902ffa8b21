"""What a game says of hidden information: an attribute that only some seats know has one of its values."""

from collections.abc import Sequence

from core.engine.dealing import Deal, Dealing, Unknown
from events.ids import AttributeKey
from projections.state.table import Table

HAND = AttributeKey("in_left_hand")


def test_a_secret_attribute_gets_one_of_its_values() -> None:
    asked: list[tuple[Sequence[str], str]] = []

    def pick(among: Sequence[str], purpose: str) -> str:
        asked.append((among, purpose))
        return among[-1]

    dealing = Dealing(secrets={HAND: (["king", "pawn"], "the left hand")})
    unknown = Unknown(Table(), (), (), {}, {}, {}, (("table", HAND),), {})

    assert dealing.complete(unknown, Deal({}, {}), pick) == Deal({}, {}, {"table": {HAND: "pawn"}})
    assert asked == [(["king", "pawn"], "the left hand of table")]


def test_secrets_of_one_key_are_chosen_for_each_thing_by_itself() -> None:
    """A purpose gives one choice, so the purposes must differ."""
    asked: list[str] = []

    def pick(among: Sequence[str], purpose: str) -> str:
        asked.append(purpose)
        return among[0]

    dealing = Dealing(secrets={HAND: (["king", "pawn"], "the hand")})
    dealing.complete(Unknown(Table(), (), (), {}, {}, {}, (("red", HAND), ("blue", HAND)), {}), Deal({}, {}), pick)

    assert asked == ["the hand of red", "the hand of blue"]
