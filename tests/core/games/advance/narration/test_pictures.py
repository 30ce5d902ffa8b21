"""What the player of this game sees: every Area with holder, units and neighbours, and what the event in force does."""

from core.drawing.drawing import spread_of
from core.games.advance.ids import (
    AVAILABLE,
    ELIMINATED,
    GERMAN_SEAT,
    MORALE,
    OUT_OF_ACTION,
    SUPPORT,
    reinforcement_box,
)
from core.games.advance.memory import COMMISSARS, EVENT, ROLL
from core.games.advance.narration.strips import effects_in_force
from core.games.advance.rules.dawn import arrivals
from core.games.advance.rules.queries import germans_at, soviet_at
from core.games.advance.rules.random_event import event_in_force
from core.narration.render_model import Picture
from core.narration.strips import Cell
from core.svg.counter_svg import TURNED
from events.codec import replace
from events.ids import PieceId, PlaceId
from projections.state.table import Open, Table
from tests.support.advance import NARRATION, RULES
from tests.support.advance_rounds import Scene
from tests.support.playouts import Playout
from tests.support.rows import each_row


def table_after(commands: int, scenario: str = "main") -> Table:
    playout = Playout("advance", scenario, 8)
    for number, _ in enumerate(playout.steps(), start=1):
        if number == commands:
            break
    return playout.desk.table


def picture(table: Table) -> Picture:
    drawn = NARRATION.picture(table)
    assert drawn is not None
    return drawn


def test_a_table_without_a_turn_is_not_drawn() -> None:
    assert NARRATION.picture(Table()) is None


def test_the_map_is_in_large_print_with_the_division_of_regiments_that_have_no_number() -> None:
    table = table_after(200)
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    spread = spread_of(drawing, NARRATION, table, None)
    shown = [one.short or one.top for stack in spread.stacks.values() for one in stack if one.corner]

    assert drawing.sheet.is_large_print
    assert any(name[:1].isdigit() and name.endswith("PZ") for name in shown)
    assert [name for name in shown if not name[:1].isdigit()] == []


@each_row("commands", [1, 90, 200])
def test_every_area_says_who_is_there_and_what_it_touches(commands: int) -> None:
    table = table_after(commands)
    rows = {row[0]: row for row in picture(table).below[0].rows}

    assert set(rows) == {area.id for area in RULES.board.areas.values()}
    for area in RULES.board.areas.values():
        _, name, _, holder, there, neighbours = rows[area.id]
        assert (name, neighbours) == (area.name, " ".join(RULES.board.adjacency.near(area.id)))
        assert holder == ("German" if soviet_at(table, area.id) is None else "Soviet")
        for unit in germans_at(table, area.id):
            printed = RULES.board.units[unit]
            assert f"{unit} {printed.attack_factor}-{printed.movement_factor}" in there


def test_the_sketch_shows_holders_stacks_and_values() -> None:
    table = table_after(200)
    spots = picture(table).spots

    for area in RULES.board.areas.values():
        soviet, germans = soviet_at(table, area.id), len(germans_at(table, area.id))
        sign = "G" if soviet is None else "S"
        assert spots[area.id].startswith(f"{area.id}{sign}")
        assert str(germans or "") in spots[area.id]
        if soviet is not None and not soviet.kind:
            assert "S?" in spots[area.id]


def test_the_event_in_force_is_named_with_its_roll() -> None:
    table = table_after(90)
    roll = ROLL.of(table, EVENT)
    lines = [line for panel in picture(table).above for line in panel.lines]
    (line,) = [line for line in lines if line.startswith("Random Event: ")]

    assert (f"(roll {roll})" in line) == bool(roll)


def test_the_event_of_the_turn_is_always_in_sight_while_it_does_something() -> None:
    """It stood below the map alone: a bonus to all Defense Values was out of sight on a phone."""
    table = table_after(90)
    table.attributes[EVENT] = {ROLL.key: 4, COMMISSARS.key: 1}
    drawing, idle = NARRATION.drawing(table), table_after(90)
    idle.attributes[EVENT] = {ROLL.key: 4}
    assert drawing is not None
    (found,) = [one for one in drawing.strips if one.title == "Random Event"]
    ((cell,),) = found.rows

    assert found.is_vital
    assert cell.title == event_in_force(table, RULES.board)
    assert cell.notes == ("Soviet Defense Values are 1 higher",)
    assert strip(idle, "Random Event") == ()


@each_row("kind", sorted({*RULES.kinds, *RULES.sequences}))
def test_every_question_has_its_words(kind: str) -> None:
    said = NARRATION.question(Table(), Open(kind, GERMAN_SEAT, {"area": "10", "unit": "24/26"}))

    assert said
    assert "_" not in said
    assert "{" not in said


def strip(table: Table, title: str) -> tuple[Cell, ...]:
    """Return the cells of a drawn strip."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    return tuple(cell for one in drawing.strips if one.title == title for row in one.rows for cell in row)


@each_row("scenario", ["main", "factory"])
def test_the_tracks_are_drawn_with_their_markers(scenario: str) -> None:
    table = table_after(90, scenario)
    printed = RULES.board.scenarios[scenario]
    turns, morale = strip(table, "Turn Track"), strip(table, "German Morale")

    assert [turns[0].label, turns[-1].label] == [str(printed.first_turn), str(printed.last_turn)]
    assert [cell.label for cell in turns if cell.is_current] == [str(table.round)]
    assert [cell.label for cell in morale if cell.is_current] == [str(table.track(MORALE))]
    assert [cell.label for cell in morale if cell.limit] == [str(RULES.board.morale.strong_at_least)]


def test_support_markers_and_boxes_are_drawn_with_what_is_in_them() -> None:
    table = table_after(200)
    support = strip(table, "Support")
    boxes = {cell.label: cell for cell in strip(table, "Boxes")}

    assert [cell.meter for cell in support] == [
        (table.marker(AVAILABLE, marker), RULES.board.markers.of(marker)) for marker in SUPPORT
    ]
    for box in (OUT_OF_ACTION, ELIMINATED):
        assert boxes[NARRATION.name(box)].pieces == tuple(table.pieces_at(box))
    assert table.pieces_at(ELIMINATED)


def test_a_spent_unit_is_white_and_shows_no_factors() -> None:
    """4.2.fresh-spent."""
    scene = Scene({"8": "29/15 29/71"}, {"10": "H1"}, spent="29/71")
    drawing = NARRATION.drawing(scene.table)
    assert drawing is not None
    fresh, spent = (drawing.counters[PieceId(unit)] for unit in ("29/15", "29/71"))

    assert (fresh.title, fresh.figures, fresh.is_pale) == ("29/15", "3-4", False)
    assert (spent.title, spent.figures, spent.is_pale) == ("29/71, Spent (3-4 when Fresh)", "", True)
    assert (fresh.corner, fresh.symbol) == (spent.corner, spent.symbol) == ("29", "infantry")


def test_a_unit_of_a_paused_division_is_hatched() -> None:
    """6.2.chart.7-8, 10.1"""
    scene = Scene({"8": "24/21 29/71"}, {"10": "H1"}, event={"paused": ("division/24",)})
    drawing = NARRATION.drawing(scene.table)
    assert drawing is not None
    paused, free = (drawing.counters[PieceId(unit)] for unit in ("24/21", "29/71"))

    assert (paused.title, paused.is_turned, paused.is_pale) == ("24/21, may not move or attack this turn", True, False)
    assert paused.figures
    assert (free.title, free.is_turned) == ("29/71", False)
    assert TURNED in drawing.sheet.prints
    assert "24th may not move or attack" in effects_in_force(NARRATION.names, scene.table), "four names have no room"


def test_what_wins_or_loses_is_always_in_sight_and_support_stands_beside_the_map() -> None:
    drawing = NARRATION.drawing(table_after(90))
    assert drawing is not None

    assert [one.title for one in drawing.strips if one.is_vital and not one.is_line] == [
        "Turn Track",
        "German Morale",
        "German Areas",
        "Supply",
    ]
    assert [one.title for one in drawing.strips if one.is_above] == ["Support"]


def test_the_boxes_from_which_units_enter_or_return_lie_beside_the_map_then() -> None:
    """6.1.1, 6.3: a group that comes in a later turn is not to choose from."""
    early, late = reinforcement_box("T2"), reinforcement_box("T7")
    for commands, kind, asked in (
        (200, "supply", {OUT_OF_ACTION}),
        (200, "act", set[PlaceId]()),
        (120, "place_group", {early}),
        (120, "place_part", {early}),
    ):
        table = table_after(commands)
        groups = {group.box for group in arrivals(RULES.board, table.scenario) if table.pieces_at(group.box)}
        assert late in groups
        assert table.pieces_at(OUT_OF_ACTION)
        question = Open(kind, GERMAN_SEAT, {"area": "8", "box": early})
        drawing = NARRATION.drawing(replace(table, stack=(*table.stack, question)))
        assert drawing is not None

        strips = {one.title: one for one in drawing.strips}
        chosen, boxes = (
            [cell.label for row in strips[title].rows for cell in row] if title in strips else []
            for title in ("To choose from", "Boxes")
        )
        names = {NARRATION.name(box) for box in asked}
        assert set(chosen) == names
        assert names.isdisjoint(boxes)
        assert {NARRATION.name(box) for box in (OUT_OF_ACTION, ELIMINATED, *groups)} == {*chosen, *boxes}
        assert not chosen or strips["To choose from"].is_above


@each_row(
    ("kind", "delay", "is_marked"),
    [("place_group", "never", True), ("supply", "never", False), ("place_group", "at-will", False)],
)
def test_the_units_about_which_it_is_asked_where_they_enter_are_marked(kind: str, delay: str, is_marked: bool) -> None:
    """6.1.1, ruling.reinforcement-may: where one group enters every option is about all of it, so that no unit is a choice, unless they may wait."""
    table = table_after(120)
    table = replace(table, options={**table.options, "reinforcement_delay": delay})
    entering = frozenset(table.pieces_at(reinforcement_box("T2")))
    drawing = NARRATION.drawing(replace(table, stack=(*table.stack, Open(kind, GERMAN_SEAT))))
    assert entering
    assert drawing is not None

    assert drawing.at_stake == (entering if is_marked else frozenset())
