"""What players see at a glance: both boards with their forces, the battle board, tracks and cards, within the width of a terminal."""

import re

from cli.output.table_text import Drawing
from core.drawing.drawing import drawing_of, spread_of
from core.drawing.picture_svg import draw_maps
from core.games.axis_allies.ids import (
    ALLIES_SEAT,
    ASSAULT,
    AXIS,
    AXIS_SEAT,
    BATTLE,
    DON,
    FERRY,
    FROZEN,
    PHASES,
    RACE,
    RPC,
    UNSUPPLIED,
    URANUS,
    URANUS_DECK,
    URANUS_DRAWN,
    URANUS_FRONT,
    above,
    round_space,
)
from core.games.axis_allies.memory import ACROSS_RIVER
from core.games.axis_allies.narration.pictures import WIDTH
from core.games.axis_allies.rules.control import take
from core.narration.strips import BACK, FACE, GONE, Cell
from core.svg.badges import badge_legend
from core.telling.names import Names
from events.ids import CardId, PlaceId
from projections.state.table import Table
from tests.support.axis_allies import BOARD, NARRATION, SCENE, bare, charts
from tests.support.axis_allies_fights import KALACH, contested, fought
from tests.support.playouts import Playout
from tests.support.rows import each_row


def text(table: Table, width: int = 120) -> str:
    return "\n".join(Drawing(Names(NARRATION), table, width, lambda part, _: part, is_full=False).lines())


def test_a_table_without_owners_is_not_drawn() -> None:
    assert NARRATION.picture(Table()) is None


@each_row("scenario", [RACE, URANUS])
def test_every_zone_of_the_axis_and_no_other_has_a_control_marker_on_the_map(scenario: str) -> None:
    table = charts(scenario).table
    drawing = drawing_of(NARRATION, table, "Title")
    signs = spread_of(drawing, NARRATION, table, None).badges
    marked = {place for place, badges in signs.items() if "cross" in [badge.shape for badge in badges]}

    assert marked == {place for place, side in table.control.items() if side == AXIS}
    assert PlaceId("verkhne_kumskii") in marked or scenario == URANUS
    assert any("Axis Control Marker" in words for _, words in badge_legend(drawing.sheet))


@each_row("scenario", [RACE, URANUS])
@each_row("width", [80, 100, 120])
def test_both_boards_fit_with_every_zone_once(scenario: str, width: int) -> None:
    picture = NARRATION.picture(charts(scenario).table)
    assert picture is not None
    drawn = "\n".join(line for panel in picture.above[:2] for line in panel.lines)

    assert max(map(len, drawn.splitlines())) <= WIDTH
    for zone in BOARD.zones.values():
        assert drawn.count(zone.name[:10]) >= 1
    assert max(map(len, text(charts(scenario).table, width).splitlines())) <= width


def test_no_stack_of_the_first_set_up_is_drawn_too_small_to_be_read() -> None:
    """Tinguta has the most types of units in the least room."""
    table = Playout("axis_allies", seed=1, scenario="race").desk.table
    drawing = drawing_of(NARRATION, table, "")
    maps = draw_maps(drawing.sheet, spread_of(drawing, NARRATION, table, None))
    scales = [float(scale) for _, svg in maps for scale in re.findall(r" scale\(([\d.]+)\)", svg)]

    assert any(scale < 1 for scale in scales)
    assert min(scales) > 0.65


def test_a_zone_shows_its_controller_forces_tokens_and_markers() -> None:
    units = {"kalach": {"ger_infantry": 3, "sov_tank": 1}, "oblivskaya": {"ger_bomber": 2}}
    table = bare(
        control={AXIS: ["oblivskaya"]}, units=units, held={AXIS: {"oblivskaya": 2}}, markers={"kalach": BATTLE}
    ).table
    lines = text(table).splitlines()
    named = next(at for at, line in enumerate(lines) if " Kalach" in line)
    field = next(at for at, line in enumerate(lines) if "#Oblivskaya" in line)

    assert "Ax3u Al1 !!" in lines[named + 1]
    assert "Ax0+2 t2" in lines[field + 1]
    said = " ".join(text(table).split())
    assert (
        "Axis: 3 German Infantry, unsupplied (0 tokens in reach); Allies: 1 Soviet Tank; Combat Marker (Battle)" in said
    )
    assert "Axis: 2 German Bombers (on the ground) and 2 supply tokens" in text(table)


def test_a_zone_is_hatched_exactly_while_a_combat_marker_lies_in_it() -> None:
    """RuleId("zone.contested"): enemy supply tokens, aircraft or an empty zone alone make no fight."""
    units = {"rynok": {"sov_infantry": 1}, "kalach": {"ger_tank": 1}}
    markers = {"kalach": ASSAULT, "pitomnik": BATTLE}
    table = bare(units=units, held={AXIS: {"rynok": 2}}, markers=markers).table
    drawing = drawing_of(NARRATION, table, "")

    assert spread_of(drawing, NARRATION, table, None).contested == {*markers}


def test_the_battle_board_shows_each_value_with_its_reason_and_rule() -> None:
    draft = contested({"ger_tank": 1, "ger_infantry": 1, "sov_infantry": 2, "sov_tank": 1, "sov_rocket_launcher": 1})
    ACROSS_RIVER.set(draft, KALACH, value=True, rule=SCENE)
    scene = fought(draft, 1, 6)
    said = text(scene.table)

    assert "Battle board: Kalach" in said
    assert re.search(r"2 Soviet Infantry +3 or less +\+1 Throw Them Back \(combat.mod.throw-them-back\)", said)
    assert re.search(r"1 German Tank +3 or less *\n", said)
    assert re.search(r"1 Soviet Rocket Launcher +no fire *\n", said)


def test_the_tracks_the_weather_and_the_crossings_are_told() -> None:
    draft = charts(URANUS)
    draft.begin_round(7, SCENE)
    draft.begin_phase(PHASES[9], SCENE)
    said = text(draft.table)

    assert "Round 7 of 13, clear weather; frozen: Don" in said
    assert f"RPCs: Axis {draft.table.track(RPC[AXIS])} (collects" in said
    assert "the Axis spends none before Operation Winter Storm" in " ".join(said.split())
    assert "Operation Uranus: launched; Operation Winter Storm begins in round 10" in said
    assert "Allies: 1 Soviet Infantry; Ferry" in said
    assert "7 Allies Counter-Offensive Preparation and 8 Heroic Workers of Stalingrad" in said

    draft.begin_round(10, SCENE)

    assert "the Axis spends none" not in " ".join(text(draft.table).split())


def test_fortified_zones_factories_and_what_each_victory_lacks_are_shown() -> None:
    """RuleId("zone.fortified"), RuleId("order.8.flip"), RuleId("victory.axis-total"), RuleId("victory.allies-total")."""
    draft = charts(RACE)
    draft.begin_round(3, SCENE)
    draft.begin_phase(PHASES[5], SCENE)
    take(draft, BOARD, PlaceId("tractor_factory"), AXIS, SCENE)
    said = " ".join(text(draft.table).split())

    assert "Factories: tank in Tractor Factory (captured); artillery in Barrikady Factory (produces in even" in said
    assert (
        "Fortified zones: Axis Tractor Factory; Allies Spartanovka" in said or "Fortified zones: Axis Tractor" in said
    )
    assert "Order Card in force 5 Axis Attack" in said
    assert "Operation Uranus: not launched; possible from round 3 on, forced in round 7" in said
    assert "a supply line into an RP zone of the city that it controls" in said
    assert "else for who controls Pitomnik: Allies" in said


def test_an_unsupplied_force_and_a_ferry_are_shown() -> None:
    table = bare(
        units={"kalach": {"ger_tank": 1}}, markers={"kalach": UNSUPPLIED[AXIS]}, ferries=["crossing_gray"]
    ).table

    assert "Ax1u" in text(table)
    assert "1 German Tank, unsupplied (0 tokens in reach)" in text(table)
    assert table.marker(PlaceId("crossing_gray"), FERRY)
    assert "Gray crossing                Ferry" in text(table)


@each_row("where", ["crossing_gray", above(PlaceId("crossing_gray"))])
def test_volga_crossings_are_listed_beside_the_map_only_if_aircraft_fly_above_one(where: str) -> None:
    table = bare(ferries=["crossing_gray"], units={where: {"sov_fighter": 1}}).table
    picture = NARRATION.picture(table)
    assert picture is not None
    (panel,) = [panel for panel in picture.below if panel.title == "Volga Crossings and Ambush Sites"]

    assert panel.is_map == (where == "crossing_gray")
    assert "1 Soviet Fighter" in str(panel.rows)


def test_aircraft_above_a_crossing_are_drawn_with_it() -> None:
    """Else Air Defense fires at what nobody sees."""
    table = bare(ferries=["crossing_gray"], units={above(PlaceId("crossing_gray")): {"ger_bomber": 1}}).table
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    spread = spread_of(drawing, NARRATION, table, None)

    assert [counter.title for counter in spread.stacks[PlaceId("crossing_gray")]] == ["German Bomber"]
    assert [len(pieces) for pieces in spread.pieces[PlaceId("crossing_gray")]] == [1]


def cells(table: Table, title: str) -> list[Cell]:
    """Return the cells of a drawn strip."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    (strip,) = [strip for strip in drawing.strips if strip.title == title]
    return [cell for row in strip.rows for cell in row]


def test_the_order_cards_are_drawn_with_the_one_in_force_and_those_out_of_the_game() -> None:
    draft = charts(URANUS)
    draft.begin_round(7, SCENE)
    draft.begin_phase(PHASES[9], SCENE)
    cards = cells(draft.table, "Order Cards")

    assert [cell.label for cell in cards] == [str(number) for number in range(1, 15)]
    assert [cell.label for cell in cards if cell.look == GONE] == ["7", "8"]
    assert [cell.title for cell in cards if cell.is_current] == ["Allies Reinforcement"]


def test_an_order_card_that_is_taken_out_of_the_game_is_in_force_to_its_end() -> None:
    """RuleId("order.7.removed")."""
    draft = charts(URANUS)
    draft.begin_round(7, SCENE)
    draft.begin_phase(PHASES[7], SCENE)
    cards = cells(draft.table, "Order Cards")
    said = " ".join(text(draft.table).split())

    assert [(cell.label, cell.look) for cell in cards if cell.is_current] == [("7", FACE)]
    assert "7 Allies Counter-Offensive Preparation; then 9, 10" in said


def test_the_round_track_is_drawn_with_its_marker_the_weather_and_winter_storm() -> None:
    draft = charts(URANUS)
    draft.begin_round(7, SCENE)
    spaces = cells(draft.table, "Round Track")

    assert [cell.label for cell in spaces if cell.is_current] == ["7"]
    assert spaces[0].notes == ("no roll",)
    assert spaces[5].notes == ("bad weather",)
    assert spaces[9].notes == ("bad on 3–6", "Winter Storm")


def test_uranus_cards_that_the_axis_does_not_know_are_backs() -> None:
    """RuleId("order.7.draw")"""
    playout = Playout("axis_allies", RACE, 3)
    for _ in playout.steps():
        if any(playout.desk.table.pile(pile).cards for pile in (URANUS_DRAWN, *URANUS_FRONT.values())):
            break
    piles = (URANUS_DRAWN, *URANUS_FRONT.values())
    secret = [
        f"Card {BOARD.uranus_cards[card].number}" for pile in piles for card in playout.desk.table.pile(pile).cards
    ]
    own, other = (cells(playout.seen_by(seat), "Operation Uranus") for seat in (ALLIES_SEAT, AXIS_SEAT))

    assert secret
    assert set(secret) <= {cell.title for cell in own}
    assert set(secret).isdisjoint(cell.title for cell in other)
    assert {cell.id for cell in own} - {""} == {card for pile in piles for card in playout.desk.table.pile(pile).cards}
    assert {cell.id for cell in other} == {""}
    assert sum(cell.number for cell in other if cell.look == BACK) == sum(
        playout.desk.table.pile(pile).count for pile in (*piles, URANUS_DECK)
    )


def test_uranus_cards_lie_before_the_map_while_one_of_them_is_chosen() -> None:
    """RuleId("uranus.deploy.fronts")"""
    draft = charts(URANUS)
    for number, front in ((11, "northwest"), (13, "southeast"), (14, "southeast")):
        draft.move_card(CardId(f"uranus_{number}"), URANUS_DECK, URANUS_FRONT[front], SCENE)
    before = NARRATION.drawing(draft.table)
    draft.ask("deploy_card", ALLIES_SEAT, SCENE)
    drawing, top = NARRATION.drawing(draft.table), draft.table.top

    assert before is not None
    assert drawing is not None
    assert top is not None
    assert [strip.title for strip in before.strips if strip.is_vital] == ["Round Track", "Order Cards", "RPCs"]
    assert not any(strip.is_above for strip in before.strips)
    assert [strip.title for strip in drawing.strips if strip.is_above] == ["Operation Uranus"]
    assert {strip.title for strip in drawing.strips} == {strip.title for strip in before.strips}
    assert NARRATION.details(draft.table, top) == ("northwest: card 11", "southeast: cards 13 and 14")
    assert [cell.title for cell in cells(draft.table, "Operation Uranus")][:3] == ["Card 11", "Card 13", "Card 14"]


def test_uranus_cards_lie_before_the_map_while_their_front_is_chosen() -> None:
    """RuleId("setup.uranus.draws")"""
    draft = charts(URANUS)
    draft.ask("front", ALLIES_SEAT, SCENE)
    drawing = NARRATION.drawing(draft.table)

    assert drawing is not None
    assert [strip.title for strip in drawing.strips if strip.is_above] == ["Operation Uranus"]


def test_every_uranus_card_says_what_it_brings() -> None:
    assert NARRATION.card_text("uranus_9") == "1 Infantry, 1 Mechanized Infantry, 2 Tanks."
    assert all(NARRATION.card_text(card) for card in BOARD.uranus_cards)


@each_row(
    ("bad", "rivers"), [((), set()), ((6,), {"the Don, frozen"}), ((6, 7), {"the Don, frozen", "the Volga, frozen"})]
)
def test_rivers_are_drawn_under_ice_once_they_are_frozen(bad: tuple[int, ...], rivers: set[str]) -> None:
    """RuleId("freeze.don-first"), RuleId("freeze.volga-second")."""
    draft = charts(RACE)
    for number in bad:
        draft.mark(round_space(number), FROZEN, SCENE)
    if bad:
        draft.mark(DON, FROZEN, SCENE)
    drawing, again = NARRATION.drawing(draft.table), NARRATION.drawing(draft.table)

    assert drawing is not None
    assert again is not None
    lines = {one.text for one in drawing.sheet.features if one.tone == "ice"}
    assert lines | {one.text for one in drawing.sheet.backdrops if one.tone == "ice"} == rivers
    assert drawing.sheet is again.sheet, "it is made once"
