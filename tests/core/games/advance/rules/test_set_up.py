"""Chapter 5 and 14.1 to 14.5: how each scenario begins."""

from collections import Counter

import pytest

from core.chance.chance_sources import KeyedChance, key_of
from core.engine.draft import Draft
from core.games.advance.components.board_records import GUARDS
from core.games.advance.ids import mix
from core.games.advance.rules.queries import contested_areas, soviet_areas
from events.ids import CardId, PieceId, PlaceId, RuleId
from events.vocabulary import DecisionOpened, DiceRolled, MarkerPlaced, PhaseBegan, PiecePlaced, TrackMoved
from tests.support.advance import BOARD, DONE, RULES, Scene, new_match, of_type, order, rolls, rules_of
from tests.support.rows import each_row

MAIN_DICE = (3, 3, 4, 4, 4, 4, 4)
"""Commissars, and 16 Supply Points."""

FACTORY_DICE = (4, 4, 4, 4, 1)
"""No event on turn 10, 16 Supply Points, Bloody Streets without effect in Area 14."""


@pytest.fixture
def main() -> Scene:
    return new_match(dice=MAIN_DICE)


@pytest.fixture
def factory() -> Scene:
    return new_match("factory", dice=FACTORY_DICE[:4])


def test_the_main_game_starts_on_turn_1(main: Scene) -> None:
    """5.2.turn-marker, 6.0.five-phases: turn 1, and the first phase is Dawn."""
    phases = [event.phase for event in of_type(main.events, PhaseBegan)]

    assert (main.table.round, phases[0]) == (1, "dawn")


def test_the_main_game_starts_with_morale_19(main: Scene) -> None:
    """5.2.morale-start, 3.3.morale-track: Morale 19."""
    moved = [event for event in of_type(main.events, TrackMoved) if event.track == "morale"]

    assert [(event.to, event.rule) for event in moved] == [(19, "5.2.morale-start")]


def test_supply_starts_at_0(main: Scene) -> None:
    """5.2.supply-start: 0 Supply Points before the first Supply Phase."""
    first = next(event for event in of_type(main.events, TrackMoved) if event.track == "supply")

    assert (first.to, first.rule) == (0, "5.2.supply-start")


def test_the_control_count_starts_at_9(main: Scene) -> None:
    """5.2.control-count-start: x1 marker on 9, x10 on 0."""
    assert main.track("control_count") == 9


def test_all_support_starts_in_the_used_box(main: Scene) -> None:
    """5.2.support-start: nothing is Available before the first Supply Phase."""
    placed = [event for event in of_type(main.events, MarkerPlaced) if event.rule == "5.2.support-start"]

    assert {(event.on, event.marker, event.count) for event in placed} == {
        ("used", "air", 3),
        ("used", "artillery", 8),
        ("used", "engineer", 4),
    }


def test_all_german_units_start_fresh(main: Scene) -> None:
    """5.3.all-fresh, 4.2.fresh-spent: 25 German units on the map, all Fresh."""
    faces = [main.face(unit) for area in BOARD.areas for unit in main.at(area).split() if "soviet" not in unit]

    assert faces == ["fresh"] * 25


def test_german_units_start_where_their_counters_say(main: Scene) -> None:
    """5.3.1.german-setup: without any choice."""
    assert [main.at(area) for area in ("6", "48", "49", "50")] == [
        "29/15 29/71 29/PZ 29/RCN",
        "60/120 60/PZ",
        "16/64 16/PZ",
        "16/79 16/RCN",
    ]
    assert [event.kind for event in of_type(main.events, DecisionOpened)] == ["supply"]


def test_groups_that_come_later_wait_off_the_map(main: Scene) -> None:
    """5.3.2.reinforcement-marks: T2 and T7."""
    waiting = main.at("reinforcements/t2"), main.at("reinforcements/t7")

    assert waiting == ("245A 389/544 389/545 389/546", "100/227 100/369 100/54 245B")


def test_units_of_the_factory_scenario_are_not_in_the_main_game(main: Scene) -> None:
    """4.3.factory-only-units: nor can they be given orders."""
    main.do(DONE)
    main.do(order("activate", area="6"))

    assert {"14/PZ", "305/576", "177", "79/208", "244C"} & set(main.table.pieces) == set()
    assert main.refused(order("move", unit="14/PZ", to="5")) == "unit_must_be_in_active_area"


def test_the_control_of_each_area_at_the_start(main: Scene) -> None:
    """3.1.1.identifier: nine Areas German, 41 Soviet; and never a third (7.2.always-controlled)."""
    german = [int(area) for area in BOARD.areas if main.table.control[area] == "german"]
    soviet = [int(area) for area in BOARD.areas if main.table.control[area] == "soviet"]

    assert (german, soviet) == ([1, 2, 3, 4, 5, 6, 48, 49, 50], list(range(7, 48)))


def test_each_area_that_starts_soviet_gets_one_unrevealed_unit(main: Scene) -> None:
    """5.4.one-counter-per-area, 7.1.soviet-one, 4.4.unrevealed-hidden: no seat knows which counter it is."""
    soviets = [piece for piece in main.table.pieces.values() if piece.side == "soviet"]

    assert [(piece.place, piece.kind, piece.face) for piece in soviets] == [
        (str(number), "", "unrevealed") for number in range(7, 48)
    ]


def test_the_mix_has_every_counter_once_by_terrain(main: Scene) -> None:
    """4.4.soviet-unit, 5.4.one-counter-per-area: 6 Clear, 8 Elevated, 32 Light Urban, 9 Heavy Urban."""
    mixes = [main.table.pile(mix(terrain)).cards for terrain in ("clear", "elevated", "light_urban", "heavy_urban")]

    assert [len(set(cards)) for cards in mixes] == [6, 8, 32, 9]


def test_what_is_left_of_the_mix_is_never_disclosed(main: Scene) -> None:
    """5.4.excess-unseen: the counters of a mix outnumber the Unrevealed units of its terrain, and no unit has its own yet."""
    soviets = [piece for piece in main.table.pieces.values() if piece.side == "soviet"]
    units = Counter(BOARD.areas[piece.place].terrain for piece in soviets)
    counters = {terrain: len(main.table.pile(mix(terrain)).cards) for terrain in units}

    assert {piece.kind for piece in soviets} == {""}
    assert all(counters[terrain] > units[terrain] for terrain in units)


def test_pavlovs_house_is_in_no_mix_without_its_rule(main: Scene) -> None:
    """4.5.8.pavlov-only-optional."""
    assert "PH" not in main.table.pile(mix("heavy_urban")).cards


def test_pavlovs_house_joins_the_mix_with_its_rule() -> None:
    """12.6.in-the-mix: ten Heavy Urban counters, and it may or may not come into play."""
    table = new_match(options={"pavlovs_house": True}, dice=MAIN_DICE)
    cards = table.table.pile(mix("heavy_urban")).cards
    drawn = set()
    for seed in range(40):
        draft = Draft(table.table.clone(), KeyedChance(key_of(bytes([seed])), "m"))
        drawn.add(draft.draw_piece(mix("heavy_urban"), "a test", RuleId("9.4.reveal")) == "PH")

    assert (len(cards), drawn) == (10, {True, False})
    assert table.face("soviet/14") == "unrevealed"


@each_row(("start", "flag", "morale"), [(15, True, 15), (8, True, 8), (8, False, 19)])
def test_the_starting_morale_can_be_agreed(start: int, flag: bool, morale: int) -> None:
    """12.7.start-at-fifteen: 15 or another number with the rule, 19 without it."""
    options = {"reduced_starting_morale": flag, "starting_morale": start}
    table = new_match(options=options, dice=MAIN_DICE)

    assert table.morale == morale


def test_the_ceiling_of_morale_stays_with_reduced_morale() -> None:
    """12.7.start-at-fifteen: buying may raise it to 19, if the points last."""
    table = new_match(options={"reduced_starting_morale": True}, dice=(3, 3, 4, 6, 6, 6, 6))
    for _ in range(4):
        table.do(order("buy", what="morale"))

    assert (table.morale, table.refused(order("buy", what="morale"))) == (19, "morale_must_be_below_maximum")


# The Factory District Scenario


def test_the_factory_scenario_starts_on_turn_10(factory: Scene) -> None:
    """14.1.five-turns, 14.6.1.no-event-on-10: and rolls for no event."""
    assert (factory.table.round, [purpose for purpose, _, _ in rolls(factory.events)]) == (10, ["supply"])


def test_the_factory_scenario_starts_with_morale_15(factory: Scene) -> None:
    """14.2.morale-start, 14.2.supply-start: Morale 15, no Supply Points, all support Used."""
    tracks = [(event.track, event.to, event.rule) for event in of_type(factory.events, TrackMoved)]

    assert tracks == [
        ("morale", 15, "14.2.morale-start"),
        ("supply", 0, "14.2.supply-start"),
        ("supply", 16, "6.3.roll"),
    ]
    assert (factory.marker("used", "artillery"), factory.marker("used", "engineer")) == (8, 4)


def test_the_factory_scenario_keeps_no_control_count(factory: Scene) -> None:
    """14.2.no-control-count."""
    assert "control_count" not in factory.table.tracks


def test_the_control_of_each_area_in_october(factory: Scene) -> None:
    """14.2.control-markers: 35 Areas German, 15 Soviet; Morale is 15 although 10 and 15 have a TEM of +4."""
    soviet = [int(area) for area in soviet_areas(factory.table, BOARD)]

    assert soviet == [14, 21, 22, 25, 26, *range(35, 45)]
    assert ([factory.table.control[PlaceId(str(area))] for area in soviet], factory.morale) == (["soviet"] * 15, 15)


def test_german_units_start_at_the_october_front(factory: Scene) -> None:
    """14.3.1.german-setup: Fresh."""
    assert (factory.at("50"), factory.at("14"), factory.face("71/194")) == (
        "16/64 16/79",
        "71/191 71/194 71/211 soviet/14",
        "fresh",
    )


def test_two_units_start_out_of_action(factory: Scene) -> None:
    """14.3.1.out-of-action: and can be bought back at once."""
    out = factory.at("out_of_action")
    factory.do(order("return-unit", unit="16/RCN", area="50"))

    assert (out, factory.supply, factory.at("50")) == ("16/PZ 16/RCN", 14, "16/64 16/79 16/RCN")


def test_two_areas_start_contested(factory: Scene) -> None:
    """14.3.1.contested-at-start: 14 and 21, and Bloody Streets is rolled for 14 alone."""
    contested = contested_areas(factory.table, BOARD)
    events = factory.do(DONE, dice=(1,))

    assert (contested, rolls(events)) == (("14", "21"), [("Bloody Streets", "14", (1,))])


def test_an_attack_from_inside_is_optional_at_once(factory: Scene) -> None:
    """14.3.1.contested-at-start, 9.3.contested-active: from the first Action Round on."""
    factory.do(DONE, dice=(1,))
    factory.do(order("activate", area="14"))

    assert order("declare-attack", area="14") in factory.options


def test_no_other_units_take_part_in_the_factory_scenario(factory: Scene) -> None:
    """14.4.no-other-units: none of the 29th and the 60th, and they cannot be bought."""
    others = [unit for unit in factory.table.pieces if unit.startswith(("29/", "60/"))]

    assert others == []
    assert factory.refused(order("return-unit", unit="29/RCN", area="50")) == "unit_must_be_out_of_action"


def test_fifteen_soviet_units_start_in_october(factory: Scene) -> None:
    """14.5.1.soviet-setup: twelve of them Unrevealed."""
    faces = [piece.face for piece in factory.table.pieces.values() if piece.side == "soviet"]

    assert (len(faces), faces.count("unrevealed")) == (15, 12)


def test_three_units_start_revealed(factory: Scene) -> None:
    """14.5.1.revealed-units: Fanatic 8, Fanatic 9 and Barrage 5, and no strategy of theirs is in force."""
    counters = [BOARD.counter(CardId(factory.table.pieces[PieceId(f"soviet/{area}")].kind)) for area in (14, 21, 44)]

    assert [(counter.strategy, counter.defence_factor) for counter in counters] == [
        ("fanatic", 8),
        ("fanatic", 9),
        ("barrage", 5),
    ]
    assert [factory.attribute(f"soviet/{area}", "strategy_in_force") for area in (14, 21, 44)] == [None, None, None]


def test_strategies_of_revealed_units_work_once_where_it_was_agreed() -> None:
    """14.5.1.revealed-units with the other reading of ruling.revealed-at-setup."""
    options = {"strategies_of_units_revealed_at_setup": "first-attack"}
    table = new_match("factory", options=options, dice=FACTORY_DICE[:4])

    assert [table.attribute(f"soviet/{area}", "strategy_in_force") for area in (14, 21, 44)] == [True, True, True]


def test_the_october_mix_is_smaller(factory: Scene) -> None:
    """14.5.1.pool: 26 counters, none of them Clear."""
    mixes = [factory.table.pile(mix(terrain)).count for terrain in ("clear", "elevated", "light_urban", "heavy_urban")]

    assert mixes == [0, 6, 12, 8]


def test_pavlovs_house_stands_in_14_in_october() -> None:
    """14.5.2.pavlov-in-14, 7.1.soviet-one: Revealed, alone, instead of the Fanatic 8, and not in the mix."""
    table = new_match("factory", options={"pavlovs_house": True}, dice=FACTORY_DICE[:4])
    placed = [event for event in of_type(table.events, PiecePlaced) if event.to == "14" and event.side == "soviet"]

    assert [(event.kind, event.face, event.rule) for event in placed] == [("PH", "revealed", "14.5.2.pavlov-in-14")]
    assert "PH" not in table.table.pile(mix("heavy_urban")).cards
    assert BOARD.pavlovs_house.strategy == GUARDS


def test_chapter_14_changes_only_what_it_says(factory: Scene) -> None:
    """14.0.inherits: supply costs and the phases are the main game's."""
    factory.do(order("buy", what="engineer"))
    events = factory.do(DONE, dice=(1,))

    assert factory.supply == 14
    assert [event.rule for event in of_type(events, DiceRolled)] == ["6.4.1.roll"]


def test_no_seat_plays_the_soviet_side(main: Scene) -> None:
    """1.0.one-player: every decision is the German seat's, and other seats give no orders."""
    seats = {event.seat for event in of_type(main.events, DecisionOpened)}

    assert seats == {"german"}
    assert main.refused(DONE, "soviet") == "seat_must_be_german"
    assert main.refused(DONE, "public") == "seat_must_be_german"


def test_the_set_up_cites_its_paragraphs(main: Scene) -> None:
    assert rules_of(main.events)[:10] == [
        "1.0.one-player",
        "5.2.turn-marker",
        "5.2.morale-start",
        "5.2.supply-start",
        "5.2.support-start",
        "5.4.one-counter-per-area",
        "3.1.1.identifier",
        "5.2.control-count-start",
        "5.3.1.german-setup",
        "5.3.2.reinforcement-marks",
    ]


def test_rules_know_their_board() -> None:
    assert RULES.board.source.digest == BOARD.source.digest
