"""What a seat cannot know is dealt from its view as from the truth, and what it knows stays."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from core.bots.sampler import Deals, Sampler
from core.bots.world import RandomChance
from core.components.inventory import Inventory
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.selection import onward
from core.errors import KernelError
from core.registry.games import GAMES, load_game
from core.secrets.dealers import ChanceDealer
from core.secrets.knowledge import NEVER_SEEN, Hidden
from core.secrets.resample import resample
from events.ids import ARBITER, PUBLIC, CardId, GameKey, PileId, Seat
from events.vocabulary import Event
from projections.state.table import Pile, Table, Terms
from projections.state.view import see, seen_events
from tests.project.tree import games
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.skirmish import RED

MODES = [
    (game, scenario.key, mode.key)
    for game in games()
    for scenario in load_game(game).scenarios
    for mode in scenario.modes
]
MADE_UP = {
    "skirmish": "tests.support.skirmish",
    "sally": "tests.acid.orders_game",
}


class Watched:
    """A random match, and what each seat knows of it."""

    def __init__(self, game: str, scenario: str, mode: str, seed: int) -> None:
        self.desk = Desk.open(game, scenario, mode=mode, seed=str(seed))
        self.rng = Random(seed)
        self.rules = self.desk.match.ruleset.rules
        table = self.desk.table
        self.inventory = self.desk.match.ruleset.game.inventory(table.scenario, table.options)
        self.known = {seat: Hidden(seen_events(self.desk.events, seat)) for seat in (*table.seats, PUBLIC, ARBITER)}

    def step(self) -> bool:
        """Play a random command; return whether the match goes on."""
        table = self.desk.table
        if table.ended is not None:
            return False
        for event in self.desk.accept(self.rng.choice(onward(self.rules.options(table)))).commit.events:
            for seat, hidden in self.known.items():
                self.follow(hidden, event, seat)
        return True

    def follow(self, hidden: Hidden, event: Event, seat: Seat) -> None:
        """Let a seat see an event."""
        seen = see(event, seat)
        if seen is not None:
            hidden.follow(seen)

    def from_truth(self, seat: Seat, seed: int) -> Table:
        """Deal from the true table, as a fork does."""
        draft = Draft(self.desk.table.clone(), RandomChance(Random(seed).randrange))
        views = {one: hidden.table for one, hidden in self.known.items()}
        dealer = ChanceDealer(draft.chance)
        resample(draft, self.rules.dealing, views, seat, hidden=self.known[seat], dealer=dealer)
        return draft.table

    def from_view(self, seat: Seat, seed: int) -> Table:
        """Deal from what the seat knows."""
        deals = Deals(self.rules, self.inventory, self.known[seat])
        return deals.deal(RandomChance(Random(seed).randrange))


def sampler(rules: Rules, inventory: Inventory, hidden: Hidden, seed: int = 1) -> Sampler:
    """Return a sampler with a seed."""
    return Sampler(rules, inventory, hidden, Random(seed).randrange)


def moments(game: str, scenario: str, mode: str, *, seed: int, commands: int, every: int = 20) -> Iterator[Watched]:
    """Yield a random match after every so many commands."""
    watched = Watched(game, scenario, mode, seed)
    for number in range(1, commands + 1):
        if not watched.step():
            return
        if number % every == 0:
            yield watched


def in_order(table: Table) -> list[Terms]:
    """Return the terms of attributes in the order of their names."""
    return sorted(table.terms, key=lambda terms: (terms.on, terms.key))


@pytest.mark.parametrize(("game", "scenario", "mode"), [*MODES, *[(game, "", "") for game in MADE_UP]])
def test_a_deal_from_a_view_is_the_deal_from_the_truth_and_keeps_what_the_seat_knows(
    game: str, scenario: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This takes some seconds, because every mode of every game has its own secrets."""
    if game in MADE_UP:
        monkeypatch.setitem(GAMES, GameKey(game), MADE_UP[game])
    compared = 0
    for watched in moments(game, scenario, mode, seed=3, commands=120, every=1 if game in MADE_UP else 20):
        for seat, hidden in watched.known.items():
            known, dealt = hidden.table, watched.from_view(seat, 7)
            true = watched.from_truth(seat, 7)
            compared += 1

            assert dealt.stack == known.stack
            assert dealt.pieces == true.pieces
            assert {pile: sorted(there.cards) for pile, there in dealt.piles.items()} == {
                pile: sorted(there.cards) for pile, there in true.piles.items()
            }
            assert (dealt.attributes, in_order(dealt)) == (true.attributes, in_order(true))
            assert all(dealt.pieces[piece] == there for piece, there in known.pieces.items() if there.kind)
            assert all(set(there.cards) <= set(dealt.piles[pile].cards) for pile, there in known.piles.items())
            assert (dealt.at, dealt.known_to, dealt.markers, dealt.tracks) == (
                known.at,
                known.known_to,
                known.markers,
                known.tracks,
            )

    assert compared


@each_row("game", ["battle", "inferno"])
def test_worlds_differ_in_what_is_hidden_and_can_be_played_to_their_end(game: str) -> None:
    watched = Watched(game, "", "one_vs_one" if game == "inferno" else "", 4)
    for _ in range(30):
        watched.step()
    seat = watched.desk.table.seats[0]
    worlds = sampler(watched.rules, watched.inventory, watched.known[seat])
    found, rng = [next(worlds) for _ in range(5)], Random(1)
    secrets = {str(world.table.piles) + str(world.table.pieces) for world in found}
    for world in found[:2]:
        for _ in range(60):
            if world.ended is None:
                world.play(rng.choice(onward(world.options())))

    assert len(secrets) == len(found)


def test_the_same_numbers_give_the_same_worlds() -> None:
    watched = Watched("battle", "", "", 4)
    for _ in range(30):
        watched.step()
    tables = [
        [next(worlds).table for _ in range(3)]
        for worlds in [sampler(watched.rules, watched.inventory, watched.known[Seat("german")]) for _ in range(2)]
    ]

    assert tables[0] == tables[1]


def test_the_arbiters_world_is_the_true_position() -> None:
    watched = Watched("inferno", "", "two_vs_one", 4)
    for _ in range(30):
        watched.step()

    assert watched.from_view(ARBITER, 1).game_part() == watched.desk.table.game_part()


def test_what_a_position_leaves_out_is_left_out_by_chance() -> None:
    """The seat cannot know which cards a position has left in the box."""
    watched = Watched("skirmish", "", "", 4)
    deck, fewer = PileId("deck"), watched.known[RED].copy()
    there = fewer.table.pile(deck)
    fewer.table.piles[deck] = Pile(there.cards, there.hidden - 2, there.seen_by)
    fewer.held(deck)[NEVER_SEEN] -= 2
    worlds = sampler(watched.rules, watched.inventory, fewer)
    left = {frozenset(card for pile in next(worlds).table.piles.values() for card in pile.cards) for _ in range(9)}

    assert len(left) > 1


def test_hidden_things_of_a_game_without_an_inventory_cannot_be_dealt() -> None:
    watched = Watched("skirmish", "", "", 4)

    with pytest.raises(KernelError, match=r"the inventory of the game names 0 of \d+"):
        sampler(watched.rules, Inventory(sides={}), watched.known[PUBLIC])


def test_a_card_that_left_the_game_is_not_dealt() -> None:
    for watched in moments("battle", "", "", seed=9, commands=200):
        known = watched.known[PUBLIC].table
        shown = {card for pile in known.piles.values() for card in pile.cards}
        dealt = watched.from_view(PUBLIC, 1)
        cards: list[CardId] = [card for pile in dealt.piles.values() for card in pile.cards]

        assert len(cards) == len(set(cards))
        assert shown <= set(cards)


def test_what_options_leave_in_the_box_is_dealt_nowhere() -> None:
    """With some options of Inferno three units are in the box and can be nowhere: a deal by chance would hardly ever leave out these."""
    playout = Playout("inferno", "standard", 0, mode="one_vs_one")
    for _ in islice(playout.steps(), 60):
        pass
    desk = playout.desk
    bound, table = desk.match.ruleset.game, desk.table
    inventory, seen = bound.inventory(table.scenario, table.options), seen_events(desk.events, PUBLIC)
    dealt = Deals(bound.rules, inventory, Hidden(seen)).deal(RandomChance(Random(1).randrange))
    units = {CardId(unit) for unit in ("11-panzer", "114-panzer-grenadier", "4-panzer-grenadier")}

    assert units.isdisjoint([piece.kind for piece in dealt.pieces.values()])
    assert units.isdisjoint([card for pile in dealt.piles.values() for card in pile.cards])
