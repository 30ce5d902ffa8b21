"""The set-up in all modes and at all levels of the Designer's Way."""

from collections import Counter

from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.board_records import GUARDS
from core.games.inferno.ids import (
    CO_OP,
    FORTIFICATIONS,
    GERMAN,
    ONE_VS_ONE,
    PLAYS,
    POOL_PILES,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    deck,
    deck_bottom,
    deck_top,
    hand,
    leaders,
    track_box,
)
from core.games.inferno.memory import ADVANTAGES, LAYER
from core.games.inferno.rules.spawn import left
from events.ids import CardId, PlaceId, Seat
from events.vocabulary import ChosenByChance, ControlChanged, DiceRolled, Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.rows import each_row

SHIPPED = BOARD_FILE.shipped_bytes.decode()


def opened(mode: str = SOLO, seed: str = "1", **options: str) -> Desk:
    """Return a new match."""
    given: dict[str, Value] = {**options}
    return Desk.open("inferno", "standard", mode=mode, options=given, dice="seeded", seed=seed)


def titles(table: Table, pile: str) -> list[str]:
    """Return the titles of the cards of a pile."""
    return sorted(board_title(card) for card in table.piles[pile].cards) if pile in table.piles else []  # type: ignore[index]


def board_title(card: CardId) -> str:
    """Return the title of a card."""
    return BOARD.cards[card].title.id


def test_control_begins_with_four_german_hexes() -> None:
    """control.initial, components.playing-area"""
    table = opened().table

    assert Counter(table.control.values()) == {GERMAN: 4, SOVIET: 105}


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_pools_and_setup_hexes_are_filled(mode: str) -> None:
    """setup.step-2, setup.step-3, setup.step-4, setup.step-5, setup.step-6, components.pools"""
    table = opened(mode).table
    there = [table.pieces_at(place) for place, here in BOARD.hexes.items() if here.is_setup]

    assert [left(table, pool) for pool in ("infantry", "tank", "marine")] == [22, 6, 2]
    assert [len(pieces) for pieces in there] == [1] * 23
    kinds = [table.pieces[pieces[0]].kind for pieces in there]
    if mode == SOLO:
        assert kinds == [""] * 23
    else:
        arms = Counter(BOARD.blocks[CardId(kind)].pool for kind in kinds)
        assert arms == {"tank": 7, "infantry": 16}
        assert not any(BOARD.blocks[CardId(kind)].kind == GUARDS for kind in kinds)


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_german_units_begin_on_map_and_track(mode: str) -> None:
    """setup.step-1, setup.step-7, setup.step-8, setup.step-9, components.reinforcement-track, ai.german-full-strength,
    ruling.setup-infantry
    """
    table = opened(mode).table
    kinds = {name: sorted(table.pieces[piece].kind for piece in table.pieces_at(PlaceId(name))) for name in "WXYZ"}
    drawn = [BOARD.blocks[CardId(kind)] for kind in (*kinds["X"], *kinds["Y"]) if kind != "120-motorized"]

    assert kinds["W"] == ["2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"]
    assert [(block.kind, block.colour) for block in drawn] == [("infantry", "yellow")] * 3
    assert [len(kinds[name]) for name in "WXYZ"] == [3, 2, 2, 0]
    assert all(len(table.pieces_at(track_box(row, box))) == 1 for row in range(1, 7) for box in range(1, 6))
    assert all(piece.face == "edge-1" for piece in table.pieces.values() if piece.side == GERMAN and piece.kind)
    assert not any(
        block.is_axe and block.id in {p.kind for p in table.pieces.values()} for block in BOARD.blocks.values()
    )


@each_row("mode", PLAYS)
def test_each_mode_has_its_seats_and_the_basic_game_no_leader_block_and_no_fortification(mode: str) -> None:
    """mode.list, components.uberblocks, components.fortification-discs"""
    table = opened(mode).table

    assert table.plays == PLAYS[mode]
    assert table.markers == {}


def test_the_opening_hand_has_three_cards_and_the_soviet_one_none() -> None:
    """setup.step-10, setup.step-11, components.german-deck, components.soviet-deck, ruling.opening-leaders"""
    for seed in range(6):
        table = opened(seed=str(seed)).table
        german = table.pile(hand(Seat("german"))).count + table.pile(leaders(GERMAN)).count

        assert (german, table.pile(deck(GERMAN)).count) == (3, 23)
        assert (table.pile(hand(SOVIET_SEAT)).count, table.pile(deck(SOVIET)).count) == (0, 28)


def test_yellow_has_the_opening_hand() -> None:
    """mode.co-op.starting-cards, mode.co-op.leaders-shared, fog.co-op-hands"""
    table = opened(CO_OP).table

    assert table.pile(hand(Seat("yellow"))).count + table.pile(leaders(GERMAN)).count == 3
    assert table.pile(hand(Seat("blue"))).count == 0


# The Designer's Way


def test_the_random_level_throws_a_die_for_each_side() -> None:
    """designer.difficulty.random, designer.advantage.list, designer.advantage.leader-on-top, ruling.leader-on-top-opening"""
    for seed in range(8):
        desk = opened(seed=str(seed), designers_way="random")
        dice = [event.faces[0] for event in desk.events if isinstance(event, DiceRolled)][:2]
        table = desk.table
        numbers = [len(ADVANTAGES.of(table, side) or ()) for side in (SOVIET, GERMAN)]
        on_top = [name for name in ADVANTAGES.of(table, SOVIET) or () if name in ("chuikov", "khrushchev", "zaytsev")]

        german = [name for name in ADVANTAGES.of(table, GERMAN) or () if name != "sixth_panzer"]

        assert numbers == dice
        assert len({*titles(table, leaders(GERMAN))} & {*german}) == min(len(german), 3)
        assert titles(table, deck_top(SOVIET)) == sorted(on_top)
        first = next(n for n, event in enumerate(desk.events) if isinstance(event, ControlChanged))
        assert sum(isinstance(event, DiceRolled) for event in desk.events[:first]) == 2


def test_the_tokens_of_german_blocks_do_not_tell_which_unit_is_which() -> None:
    """fog.blocks-upright: in which order the units of a hex get their tokens is drawn, and only the Germans see it."""
    orders = {tuple(piece.kind for piece in opened(seed=str(seed)).table.pieces.values())[23:30] for seed in range(12)}
    seen = seen_events(Desk.open("inferno", mode=ONE_VS_ONE).events, SOVIET_SEAT)
    told = [event for event in seen if isinstance(event, ChosenByChance) and event.about.startswith("german/")]

    assert all({*order[:3]} == {"2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"} for order in orders)
    assert len({order[:3] for order in orders}) > 3
    assert told and all(event.chosen is None and event.candidates is None for event in told)


def test_the_two_dice_give_each_side_so_many_advantages() -> None:
    """designer.difficulty.random, ruling.advantage-dice-sides: a 4 for the Soviets and a 2 for the Germans (T18)."""
    desk = Desk.open("inferno", options={"designers_way": "random"}, dice="manual")
    soviet = ["khrushchev", "zaytsev", "late_deployment", "immortal_guard"]
    german = ["hoth", "sixth_panzer"]
    infantry = ["544-infantry", "545-infantry", "546-infantry"]
    order = ["79-panzer-grenadier", "2-panzer", "544-infantry", "546-infantry"]
    cards = ["german/hoth", "german/stuka-1", "german/pak-1"]
    desk.accept({"do": "match:begin"}, dice=[4, 2], draws=[*soviet, *german, *infantry, *order, *cards])

    assert set(ADVANTAGES.of(desk.table, SOVIET) or ()) == {*soviet}
    assert set(ADVANTAGES.of(desk.table, GERMAN) or ()) == {*german}
    assert titles(desk.table, leaders(GERMAN)) == ["hoth"]


def test_which_of_too_many_divisions_are_not_kept_in_the_pool_is_hidden_where_a_seat_plays_the_soviets() -> None:
    """designer.advantage.late-deployment, fog.pools-facedown: an owner's board may have more than 18 divisions of four dots."""
    (line,) = [line for line in SHIPPED.split("\n") if line.startswith('  { id = "115-fortified-region",')]
    larger = line.replace('"brigade"', '"division"').replace('"3SF", "2SF", "1SF", "-"', '"4SF", "3SF", "2SF", "1SF"')
    assert larger != line
    for mode, hidden in ((SOLO, None), (ONE_VS_ONE, ())):
        desk = Desk.open(
            "inferno",
            mode=mode,
            options={"designers_way": "random", "designer_extras": "always"},
            board=SHIPPED.replace(line, larger),
        )
        chosen = [event for event in desk.events if isinstance(event, ChosenByChance) and "Division" in event.purpose]

        assert [event.seen_by for event in chosen] == [hidden]


def test_the_german_level_begins_with_three_leaders() -> None:
    """designer.difficulty.german, ruling.german-level-hand"""
    table = opened(designers_way="german").table

    assert titles(table, leaders(GERMAN)) == ["hoth", "paulus", "von_richthofen"]
    assert (titles(table, deck_top(GERMAN)), titles(table, deck_bottom(GERMAN))) == (["linden"], ["okh"])
    assert table.pile(hand(Seat("german"))).count == 0

    plus = opened(designers_way="german", german_level_hand="plus-three").table

    assert titles(plus, leaders(GERMAN)) == ["hoth", "linden", "paulus", "von_richthofen"]
    assert plus.pile(hand(Seat("german"))).count == 2


@each_row("level", ["soviet-easy", "hard"])
def test_the_soviet_levels_put_the_leaders_on_top_and_the_hard_one_fortifies(level: str) -> None:
    """designer.difficulty.soviet-easy, designer.difficulty.hard, designer.fortification.place"""
    table = opened(designers_way=level).table
    discs = {
        place: marker for place, there in table.markers.items() for marker in there if marker in FORTIFICATIONS.values()
    }

    assert titles(table, deck_top(SOVIET)) == ["chuikov", "khrushchev", "zaytsev"]
    assert sorted(discs) == (["21", "26", "28", "32", "4"] if level == "hard" else [])


def test_late_deployment_keeps_the_four_dot_divisions_in_the_pool() -> None:
    """designer.advantage.late-deployment, ruling.late-deployment-step, ruling.specials-by-level"""
    options = {"designers_way": "hard", "designer_extras": "always"}
    human = opened(ONE_VS_ONE, **options).table
    on_map = [BOARD.blocks[CardId(piece.kind)] for piece in human.pieces.values() if piece.side == SOVIET]
    blind = opened(SOLO, **options).table

    assert not any(block.edges[0].strength == 4 for block in on_map)
    early = [
        block for block in BOARD.blocks_of(SOVIET) if block.pool == "infantry" and LAYER.of(blind, block.id) is None
    ]
    assert len(early) == 16
    assert not any(block.edges[0].strength == 4 for block in early)


@each_row("mode", [SOLO, ONE_VS_ONE])
def test_what_nobody_may_know_of_the_set_up_is_hidden(mode: str) -> None:
    """fog.solo-soviet-blind, fog.reinforcements-facedown, fog.pools-facedown, fog.german-hand"""
    desk = opened(mode)
    german = fold(seen_events(desk.events, Seat("german")))

    assert not any(piece.kind for piece in german.pieces.values() if piece.side == SOVIET)
    assert not any(piece.kind for piece in german.pieces.values() if piece.place.startswith("track/"))
    if mode == ONE_VS_ONE:
        soviet = fold(seen_events(desk.events, SOVIET_SEAT))
        assert not any(piece.kind for piece in soviet.pieces.values() if piece.side == GERMAN)
        assert not any(soviet.pile(pool).cards for pool in (POOL_PILES["infantry"], POOL_PILES["tank"]))
        assert not soviet.pile(hand(Seat("german"))).cards
