"""Soviet blocks: how they enter from their pools, when it is drawn what they are, and how they return."""

from collections import Counter
from random import Random

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.inferno.ids import ONE_VS_ONE, POOL_PILES, SETUP_MIX, SOLO, SOVIET
from core.games.inferno.memory import ADVANTAGES, LAYER, POOL
from core.games.inferno.rules.spawn import conceal, deploy, left, return_to_pool, reveal
from events.ids import CardId, PieceId, PlaceId, RuleId, Seat
from events.vocabulary import Event, PieceDrawn
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.inferno import BOARD, NARRATION, scene
from tests.support.noninterference import FreeChance
from tests.support.rows import each_row

RULE = RuleId("soviet.spawn.random")
SHOWDOWN = RuleId("combat.showdown")
HEX = PlaceId("9")


def brought(draft: Draft, arm: str, place: PlaceId = HEX) -> PieceId:
    """Bring a block."""
    piece = deploy(draft, BOARD, arm, place, RULE)
    assert piece is not None
    return piece


def table_of(mode: str = SOLO, **pools: list[str]) -> Table:
    """Return a table with these pools."""
    return scene(german={"Y": ["2-panzer"]}, soviet={"50": ["98-rifle"]}, pools=pools, mode=mode).table


def weights(events: list[Event]) -> dict[CardId, int]:
    """Return the weights of the last draw."""
    found = next(event for event in reversed(events) if isinstance(event, PieceDrawn)).weights
    assert found is not None
    return found


def test_a_block_that_nobody_may_know_is_drawn_when_it_is_revealed() -> None:
    """ai.deploy-blind-draw, ai.deploy-concealed, fog.solo-soviet-blind, fog.spawn-kind-public"""
    draft = Draft(table_of(tank=["6-tank", "13-tank"]), ManualChance((), ["13-tank", "edge-3"]))
    piece = brought(draft, "tank")

    assert draft.table.pieces[piece].kind == ""
    assert (POOL.of(draft.table, piece), left(draft.table, "tank")) == ("tank", 1)

    reveal(draft, BOARD, piece, SHOWDOWN)

    assert (draft.table.pieces[piece].kind, draft.table.pieces[piece].face) == ("13-tank", "edge-3")
    assert draft.table.pieces[piece].steps == 1
    assert draft.table.pile(POOL_PILES["tank"]).cards == ("6-tank",)


def test_a_unit_that_returned_later_is_not_a_block_that_was_drawn_before() -> None:
    """hits.soviet-to-pool, ruling.destroyed-soviet-known"""
    draft = Draft(table_of(tank=["6-tank", "13-tank"]), ManualChance((), ["6-tank", "edge-1"]))
    first, second = brought(draft, "tank"), brought(draft, "tank", PlaceId("7"))
    reveal(draft, BOARD, first, SHOWDOWN)
    return_to_pool(draft, BOARD, first, RULE)
    third = brought(draft, "tank")
    draft.chance = ManualChance((), ["6-tank", "edge-1", "13-tank", "edge-2"])
    reveal(draft, BOARD, third, SHOWDOWN)

    assert weights(draft.events) == {"6-tank": 1}

    reveal(draft, BOARD, second, SHOWDOWN)

    assert weights(draft.events) == {"13-tank": 1}


def test_a_concealed_block_stays_what_it_is() -> None:
    """fog.conceal-after-combat, strength.own-view"""
    draft = Draft(table_of(tank=["6-tank"]), ManualChance((), ["6-tank", "edge-2"]))
    piece = brought(draft, "tank")
    reveal(draft, BOARD, piece, SHOWDOWN)
    conceal(draft, piece, SHOWDOWN)

    assert draft.table.known_to[piece] == ()

    reveal(draft, BOARD, piece, SHOWDOWN)

    assert (draft.table.pieces[piece].kind, draft.table.pieces[piece].face) == ("6-tank", "edge-2")


def test_a_soviet_seat_sees_its_blocks_at_once() -> None:
    """fog.1v1-soviet-sees-own, mode.1v1.rest-as-solo"""
    draft = Draft(table_of(ONE_VS_ONE, tank=["6-tank"]), ManualChance((), ["6-tank", "edge-4"]))
    piece = brought(draft, "tank")

    assert draft.table.pieces[piece].kind == "6-tank"
    assert draft.table.known_to[piece] == ("soviet",)
    assert all(event.seen_by == ("soviet",) for event in draft.events if isinstance(event, PieceDrawn))


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_an_empty_pool_brings_nothing(mode: str) -> None:
    """soviet.spawn.pool-empty, soviet.spawn.no-marine-left; T13"""
    draft = Draft(table_of(mode, marine=[]), ManualChance())

    assert deploy(draft, BOARD, "marine", HEX, RULE) is None
    assert draft.events == []


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_empowered_marines_enter_at_their_maximum(mode: str) -> None:
    """designer.advantage.marines-empowered"""
    table = table_of(mode, marine=["92-naval"])
    table.attributes[SOVIET] = {ADVANTAGES.key: ("marines_empowered",)}
    draft = Draft(table, ManualChance((), ["92-naval"]))
    piece = brought(draft, "marine")
    reveal(draft, BOARD, piece, SHOWDOWN)

    assert (draft.table.pieces[piece].face, draft.table.pieces[piece].steps) == ("edge-1", 3)


def test_every_edge_is_equally_likely() -> None:
    """ai.random-strength, ruling.random-edge"""
    rng = Random(7)
    found: Counter[str] = Counter()
    for _ in range(1200):
        draft = Draft(table_of_once.clone(), FreeChance(rng))
        piece = brought(draft, "tank")
        reveal(draft, BOARD, piece, SHOWDOWN)
        found[draft.table.pieces[piece].face] += 1

    assert set(found) == {"edge-1", "edge-2", "edge-3", "edge-4"}
    assert all(230 < count < 370 for count in found.values())


table_of_once = table_of(tank=["6-tank", "13-tank"])


def test_the_blocks_of_the_set_up_are_drawn_from_the_mix() -> None:
    """setup.step-4, setup.step-5, setup.step-6, fog.spawn-kind-public: no Guards, and seven of twenty-three are Tanks."""
    table = Desk.open("inferno", "standard", mode=SOLO, options={}, dice="seeded", seed="3").table
    draft = Draft(table.clone(), FreeChance(Random(2)))
    blocks = [piece.id for piece in table.pieces.values() if piece.side == SOVIET]
    for piece in blocks:
        reveal(draft, BOARD, piece, SHOWDOWN)
    units = [BOARD.blocks[CardId(draft.table.pieces[piece].kind)] for piece in blocks]

    assert Counter(unit.pool for unit in units) == {"tank": 7, "infantry": 16}
    assert not any(unit.kind == "guards" for unit in units)
    assert len({unit.id for unit in units}) == 23
    assert draft.table.pile(SETUP_MIX).count == 0
    assert [draft.table.pile(POOL_PILES[arm]).count for arm in ("infantry", "tank")] == [22, 6]


def test_spawned_blocks_may_be_guards_and_later_draws_know_of_earlier_ones() -> None:
    """ai.deploy-blind-draw: the odds of a block are those of the time when it entered, whatever is revealed first."""
    table = Desk.open("inferno", "standard", mode=SOLO, options={}, dice="seeded", seed="3").table
    draft = Draft(table.clone(), FreeChance(Random(2)))
    piece = brought(draft, "infantry")
    reveal(draft, BOARD, piece, SHOWDOWN)
    odds = weights(draft.events)
    guards = {unit for unit in odds if BOARD.blocks[unit].kind == "guards"}
    share = {unit: odds[unit] / sum(odds.values()) for unit in odds}

    assert len(guards) == 4
    # 16 of the 34 others are on the map, so that each is in the pool of 22 with a chance of 18 in 34.
    assert all(abs(share[unit] - 1 / 22) < 1e-9 for unit in guards)
    assert all(abs(share[unit] - 18 / 34 / 22) < 1e-9 for unit in odds if unit not in guards)
    assert LAYER.of(draft.table, piece) is None


def test_what_was_drawn_in_secret_is_not_in_the_stream_of_the_germans() -> None:
    """fog.blocks-upright, fog.soviet-hand-blind"""
    desk = Desk.open("inferno", "standard", mode=ONE_VS_ONE, options={}, dice="seeded", seed="3")
    seen = fold(seen_events(desk.events, Seat("german")))

    assert not any(
        event.drawn
        for event in seen_events(desk.events, Seat("german"))
        if isinstance(event, PieceDrawn) and event.piece.startswith("soviet")
    )
    assert sum(piece.side == SOVIET for piece in seen.pieces.values()) == 23


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_a_block_has_a_number_that_no_other_has_had_even_under_the_token_of_one_that_is_gone(mode: str) -> None:
    """ruling.block-tracking: readers take blocks of one number for the same."""
    draft = Draft(table_of(mode, tank=["6-tank", "13-tank"]), FreeChance(Random(1)))
    first = brought(draft, "tank")
    told = NARRATION.hidden(draft.table, first)
    reveal(draft, BOARD, first, SHOWDOWN)
    return_to_pool(draft, BOARD, first, RULE)
    second = brought(draft, "tank")

    assert second == first, "tokens of blocks that are gone are used again"
    assert told != NARRATION.hidden(draft.table, second)
    assert told.startswith("hidden Soviet block ")
