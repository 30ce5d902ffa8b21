"""The sample game from its set-up on: what follows from the table at each step, and the slips of its words.

Every single command with its Rations, hands, Rubble and Hits is in `fixtures/positions/battle/sample-game.toml`, which
`tests/core/test_positions.py` plays. The steps are numbered there as in the file, 1-based.
"""

from random import Random

import pytest

from core.engine.draft import Draft
from core.game_files.rulebook import load_rulebook
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.ids import (
    GERMAN,
    GERMAN_SEAT,
    HEROIC_SERVICE,
    RATION,
    RUSSIAN,
    RUSSIAN_SEAT,
    SEATS,
    SIDES,
    bottom,
    hand,
    top,
)
from core.games.battle.memory import HITS
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.fighting import base_parts
from core.games.battle.rules.queries import controller, locations_in_play
from core.positions.position import Position, Step, parse_position
from events.ids import ARBITER, CardId, PieceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Table
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.noninterference import FreeChance
from tests.support.rows import each_row

SAMPLE = (ROOT / "fixtures" / "positions" / "battle" / "sample-game.toml").read_text(encoding="utf-8")
POSITION: Position = parse_position(SAMPLE)
STEPS: tuple[Step, ...] = POSITION.steps
RULES = BattleRules(CARD_FILE.load())
GA, GE, DTF, TD, PH = (
    "gumrak_airfield",
    "grain_elevator",
    "dzerzhinskiy_tractor_factory",
    "the_docks",
    "pavlovs_house",
)


def play(desk: Desk, first: int, last: int) -> Desk:
    """Take steps of the sample game, the first and the last one included."""
    for step in STEPS[first : last + 1]:
        if not step.refused:
            desk.accept(step.command, step.seat or None, draws=step.draws)
    return desk


def added(parts: tuple[Modifier, ...]) -> int:
    """Return the sum of some parts."""
    return sum(part.amount for part in parts)


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """The table after each step; the first one is that after the beginning."""
    desk = Desk.open("battle", dice="manual", position=SAMPLE)
    desk.accept({"do": "match:begin"}, ARBITER)
    found = [desk.table]
    for number in range(1, len(STEPS)):
        play(desk, number, number)
        found.append(desk.table)
    return found


def set_up() -> Desk:
    """Set the sample game up as its players did, with every draw typed in."""
    desk = Desk.open("battle", dice="manual")
    desk.accept({"do": "match:begin"}, ARBITER, draws=[GA, GE, DTF, TD, PH])
    placed = [piece for piece in POSITION.pieces if "/" in piece.place and not piece.place.startswith("top/")]
    tops = {piece.place: piece.id for piece in POSITION.pieces if piece.place.startswith("top/")}
    for seat in SEATS:
        chosen = [piece for piece in placed if f"/{seat}/" in piece.place]
        for piece in chosen:
            draws: tuple[str, ...] = ()
            if piece == chosen[-1]:
                draws = (tops[top(Side(seat))],)
                if seat == GERMAN_SEAT:
                    draws += (*POSITION.piles[hand(RUSSIAN)], *POSITION.piles[hand(GERMAN)])
            desk.accept({"do": "choose-force", "force": piece.id, "to": piece.place}, seat, draws=draws)
    return desk


def test_s0_the_set_up_leads_to_the_position_from_which_the_rest_is_played(tables: list[Table]) -> None:
    """setup.order, setup.opening-hands, setup.starting-rations, supply.perimeter-ration: 11 and 9 points, hands of 10 and 5."""
    desk, begun = set_up(), tables[0]
    table = desk.table

    assert (table.round, table.turn, table.phase, table.stack) == (1, GERMAN, "actions", begun.stack)
    assert table.pieces == begun.pieces
    assert (table.markers, table.attributes) == (begun.markers, begun.attributes)
    for name, pile in begun.piles.items():
        assert sorted(table.pile(name).cards) == sorted(pile.cards), name


def test_the_whole_sample_game_can_be_played_from_its_set_up(tables: list[Table]) -> None:
    desk = play(set_up(), 1, len(STEPS) - 1)
    end = tables[-1]

    assert (desk.table.pieces, desk.table.markers, desk.table.attributes) == (end.pieces, end.markers, end.attributes)
    assert desk.audit().findings == ()


CONTROL: dict[int, dict[str, Side | None]] = {
    0: {GA: RUSSIAN, GE: RUSSIAN, DTF: RUSSIAN, TD: None, PH: RUSSIAN},
    2: {GA: None},
    24: {GA: None},
    30: {GA: GERMAN},
    34: {GE: None},
    39: {GE: GERMAN},
    43: {GA: GERMAN, GE: GERMAN, DTF: RUSSIAN, TD: GERMAN, PH: RUSSIAN},
    60: {TD: None},
    74: {TD: RUSSIAN},
    84: {GA: GERMAN, GE: GERMAN, DTF: RUSSIAN, TD: RUSSIAN, PH: RUSSIAN},
    99: {TD: None, GE: None},
    124: {TD: GERMAN},
    127: {GE: GERMAN},
    132: {DTF: None, GA: None},
    147: {DTF: RUSSIAN},
    151: {GA: GERMAN, GE: GERMAN, DTF: RUSSIAN, TD: GERMAN, PH: RUSSIAN},
}
"""Who Controls what after a step, as the text says or implies."""


@each_row("step", CONTROL)
def test_control_is_as_the_sample_game_says(step: int, tables: list[Table]) -> None:
    """control.own, control.both, control.neither, control.immediate"""
    actual = {location: controller(tables[step], location) for location in CONTROL[step]}

    assert actual == CONTROL[step]


TOTALS = {
    5: (GERMAN, GA, 5, 1),
    7: (GERMAN, GA, 5, 2),
    61: (RUSSIAN, TD, 1, 8),
    99: (GERMAN, TD, 8, 5),
    100: (GERMAN, TD, 16, 5),
    133: (GERMAN, DTF, 6, 4),
}
"""After a step: who attacks where, and what the German and the Russian Forces inflict (S4, S5, S21, S33, S34, S39)."""


@each_row("step", TOTALS)
def test_forces_inflict_the_hits_of_the_sample_game_or_its_correction(step: int, tables: list[Table]) -> None:
    """attack.totals; slips in S33 and S39, where Big Push is first left out (ruling.sample-slips): 8 and 6, not 7 and 5."""
    attacker, location, german, russian = TOTALS[step]
    actual = [added(base_parts(RULES.cards, tables[step], side, attacker, location)) for side in (GERMAN, RUSSIAN)]

    assert actual == [german, russian]


def test_the_locations_lie_as_they_were_drawn(tables: list[Table]) -> None:
    """setup.locations.draw"""
    assert [location.id for location in locations_in_play(RULES.cards, tables[0])] == [GA, GE, DTF, TD, PH]


def test_destroyed_forces_lie_beneath_their_deck_in_order(tables: list[Table]) -> None:
    """force.destroyed-to-bottom (S45)"""
    beneath = [tables[-1].pieces_at(bottom(side)) for side in SIDES]

    assert beneath == [("r_169_rifle", "r_6_guards", "r_126_rifle", "r_248_rifle"), ("g_100_jager",)]


def test_s36_no_way_of_absorbing_saves_a_force(tables: list[Table]) -> None:
    """attack.hits.one-by-one: of 15 Hits 10 can be stopped, whatever the Russian does; then both Forces have fallen."""
    seen: set[tuple[object, ...]] = set()
    stopped = [0]

    def fall(table: Table) -> None:
        forces = tuple(
            (table.pieces[force].place, table.marker(force, RATION))
            for force in (PieceId("r_126_rifle"), PieceId("r_248_rifle"))
        )
        left = HITS.of(table, RUSSIAN)
        if (forces, left) in seen:
            return
        seen.add((forces, left))
        if table.top is None or table.top.kind != "absorb_hit" or table.top.seat != RUSSIAN_SEAT:
            assert {place for place, _ in forces} == {"bottom/russian"}
            return
        if not any(place == "bottom/russian" for place, _ in forces):
            stopped[0] = max(stopped[0], 15 - left)
        for option in RULES.options(table):
            after = table.clone()
            RULES.take(Draft(after, FreeChance(Random(0))), option)
            fall(after)

    fall(tables[108])

    assert stopped == [10]


def test_s37_the_14th_panzer_earns_the_counter_that_the_text_forgets(tables: list[Table]) -> None:
    """heroic.conditions, ruling.sample-slips"""
    assert tables[124].marker("g_14_panzer", HEROIC_SERVICE) == 1


def test_s39_the_way_to_the_tractor_factory_is_two_moves(tables: list[Table]) -> None:
    """move.enemy-controlled-takes-two, ruling.sample-slips"""
    desk = play(started(), 1, 127)
    straight = {"do": "move", "force": "g_16_panzer", "to": f"{DTF}/german/control"}

    assert desk.refused(straight) == "destination_must_not_be_enemy_controlled"
    play(desk, 129, 132)
    assert desk.table.pieces[PieceId("g_16_panzer")].place == f"{DTF}/german/control"


@each_row(
    "flips",
    [("german/fresh_supplies-5", "russian/recover_wounded-2"), ("german/tanks-2", "russian/artillery_barrage-3")],
)
def test_s40_the_totals_are_6_and_6_with_the_flips_either_way_round(flips: tuple[str, str]) -> None:
    """attack.flip, ruling.sample-slips: +2 and -2, and the text does not say whose they are."""
    desk = play(started(), 1, 135)
    desk.accept({"do": "pass"}, RUSSIAN_SEAT, draws=flips)

    assert sorted(RULES.cards.cards[CardId(card)].value for card in flips) == [-2, 2]
    assert (HITS.of(desk.table, RUSSIAN), HITS.of(desk.table, GERMAN)) == (6, 6)


SLIPS = {
    "no counter for the 14th Panzer after S37": "ruling.sample-slips",
    "7 and 5 instead of 8 and 6 in S33 and S39": "ruling.sample-slips",
    "the German's last pass of S6 told twice": "ruling.pass-not-final",
    "one Move to the Tractor Factory in S39": "ruling.sample-slips",
    "whose +2 and whose -2 in S40": "ruling.sample-slips",
    "Scout and Scouts": "ruling.scouts",
    "any own Force, or only one that took part, for the counter": "ruling.heroic",
    "Reserve Forces from another Location in S5": "ruling.reserve-forces",
    "Fresh Supplies for the Perimeter, or for two Forces, in S14": "ruling.fresh-supplies",
    "Victory for who lost and holds nothing in S9": "ruling.victory-card",
    "two Rubble cards against one total in S37": "ruling.rubble-card",
}
"""What the words leave open or tell wrongly, and the ruling that settles it."""


@each_row("slip", SLIPS)
def test_every_slip_is_settled_by_a_ruling(slip: str) -> None:
    ruling = load_rulebook("core.games.battle").rulings[RuleId(SLIPS[slip])]

    assert ruling.why


def test_s6_two_passes_of_one_side_do_not_follow_each_other() -> None:
    """attack.firefight.alternate-until-two-passes, ruling.pass-not-final: the words tell the German's last pass twice."""
    desk = play(started(), 1, 18)

    assert desk.table.top is not None
    assert (desk.table.top.kind, desk.table.top.seat) == ("firefight", RUSSIAN_SEAT)
    assert desk.refused({"do": "pass"}, GERMAN_SEAT) == "seat_must_be_asked"


def started() -> Desk:
    """Begin the sample game after its set-up."""
    desk = Desk.open("battle", dice="manual", position=SAMPLE)
    desk.accept({"do": "match:begin"}, ARBITER)
    return desk
