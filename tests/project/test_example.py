"""The example of the guide passes the checks of the games of this repository."""

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from core.engine.draft import Draft
from core.engine.selection import Choose, Pick
from core.game.game_record import Game
from core.registry.games import GAMES
from events.codec import replace
from events.ids import PUBLIC, GameKey, PileId, Seat
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.noninterference import Secrets, Wanderer

KEY = GameKey("example")
SEATS = (Seat("red"), Seat("blue"), PUBLIC)


@pytest.fixture(scope="module", autouse=True)
def _listed() -> Iterator[None]:
    """List the example under a key that differs from that of the kernel's test game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "examples" / "skirmish"))
        record = import_module("skirmish").GAME
        assert isinstance(record, Game)
        module = ModuleType("example_game")
        module.__dict__["GAME"] = replace(record, key=KEY)
        patch.setitem(sys.modules, module.__name__, module)
        patch.setitem(GAMES, KEY, module.__name__)
        yield
        for name in [name for name in sys.modules if name.partition(".")[0] == "skirmish"]:
            del sys.modules[name]


def secrets() -> Secrets:
    """Return the example's definitions about its secrets: hands, whose cards are played openly."""
    rules: Any = import_module("skirmish.rules")
    hands = import_module("skirmish.components").HANDS
    return Secrets(
        game=KEY,
        is_secret_choice=lambda _: False,
        comes_to_light=lambda *_: False,
        never_known=lambda seat: tuple(pile for owner, pile in hands.items() if owner != seat),
        decline=rules.Stand(),
        wild_commands=(rules.March, rules.Rally, rules.FallBack, Pick, Choose),
    )


def compared(positions: float) -> int:
    """Play twins from random points of random matches; return how many questions had different options in the twins.

    Raises:
        AssertionError: A seat can distinguish the twins.
    """
    found, telling, seed = 0, 0, 0
    while found < positions:
        desk = Desk.open(KEY, scenario="hill", options={"rounds": 12}, seed=str(seed), name="wanderer")
        walk = Wanderer(desk, SEATS, seed)
        seed += 1
        while walk.step():
            if walk.rng.random() < 0.15:
                twins = walk.twins(secrets(), walk.rng.choice(SEATS))
                found += twins.play(12)
                telling += twins.telling
    return telling


def test_matches_that_differ_in_anothers_cards_look_the_same_to_a_seat(budget: float) -> None:
    assert compared(300 * budget) > 20


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules: Any = import_module("skirmish.rules")
    end_turn = rules.end_turn

    def leak(draft: Draft, seat: Seat) -> None:
        draft.apply(rules.TURN, " ".join(sorted(draft.table.pile(PileId(f"hand/{seat}")).cards)))
        end_turn(draft, seat)

    monkeypatch.setattr(rules, "end_turn", leak)
    with pytest.raises(AssertionError):
        compared(300)
