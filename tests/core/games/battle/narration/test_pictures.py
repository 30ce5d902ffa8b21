"""What players of this game see: Locations with Control and charts, Forces with their figures, their own hand."""

from core.drawing.drawing import panels_of
from core.games.battle.ids import (
    GERMAN,
    GERMAN_SEAT,
    RUSSIAN,
    SEATS,
    SIDES,
    bottom,
    deck,
    discards,
    force_pool,
    hand,
    top,
)
from core.games.battle.narration.sentences import question
from core.games.battle.narration.strips import signed
from core.games.battle.rules.queries import controller, is_on_map, locations_in_play
from core.narration.card_table import Desk
from core.narration.render_model import Picture
from core.narration.strips import Cell
from events.ids import PUBLIC, AttributeKey, PlaceId, RuleId, Seat, Side
from events.vocabulary import AttributeSet, PiecePlaced, Value
from projections.state.table import Open, Table
from tests.support.battle import NARRATION, RULES
from tests.support.playouts import Playout
from tests.support.rows import each_row


def played(commands: int, seed: int = 5) -> Playout:
    playout = Playout("battle", "standard", seed)
    for number, _ in enumerate(playout.steps(), start=1):
        if number == commands:
            break
    return playout


def picture(table: Table) -> Picture:
    drawn = NARRATION.picture(table)
    assert drawn is not None
    return drawn


def text(table: Table) -> str:
    """Return all that is drawn, part by part."""
    panels = picture(table).below
    lines = [line for panel in panels for line in (panel.title, *panel.lines, *("  ".join(row) for row in panel.rows))]
    return "\n".join(lines)


def test_a_table_without_locations_is_not_drawn() -> None:
    assert NARRATION.picture(Table()) is None


def test_the_locations_in_play_are_named_with_their_charts_before_any_force_is_placed() -> None:
    table = Playout("battle", "standard", 5).desk.table
    said = text(table)

    assert table.phase == "setup"
    for location in locations_in_play(RULES.cards, table):
        assert f"{location.name}: Uncontrolled. 0 Rubble, would give" in said
        assert f"{location.destroyed_at}: Destroyed" in said
    assert said.count("Rations by Rubble") == RULES.cards.figures.locations_in_play


def test_the_forces_to_choose_from_are_listed_until_each_side_has_chosen() -> None:
    playout = Playout("battle", "standard", 5)
    chosen = dict.fromkeys(SIDES, False)
    for _ in playout.steps():
        table = playout.desk.table
        panels = {panel.title: panel for panel in picture(table).below}
        decks = panels.get("Force decks")
        for side, name in ((GERMAN, "German"), (RUSSIAN, "Russian")):
            pool = [
                card for force, card in RULES.cards.forces.items() if card.side == side and not is_on_map(table, force)
            ]
            offered = panels.get(f"{name} Forces to choose from")
            is_open = table.phase == "setup" and not table.pieces_at(top(side))
            assert (offered is not None) == is_open
            assert (decks is None or name not in [row[0].strip() for row in decks.rows]) == is_open
            if offered is not None:
                costs = {(f"  {card.name}", f"Cost {card.cost}") for card in pool}
                assert {(row[0], row[1].partition(",")[0]) for row in offered.rows} == costs
                chosen[side] = chosen[side] or len(pool) < len(RULES.cards.piles[side])
        if table.phase != "setup":
            break

    assert all(chosen.values())


def test_it_says_who_controls_each_location() -> None:
    table = played(150).desk.table
    said = text(table)
    words = {None: "Uncontrolled", GERMAN: "German Control", RUSSIAN: "Russian Control"}
    holders = {location.name: controller(table, location.id) for location in locations_in_play(RULES.cards, table)}

    assert set(holders.values()) - {None}
    for name, holder in holders.items():
        assert f"{name}: {words[holder]}." in said


def test_every_force_on_the_map_is_drawn_with_its_rations() -> None:
    table = played(150).desk.table
    said = text(table)
    forces = [piece.id for piece in table.pieces.values() if piece.place.endswith(("/control", "/perimeter"))]

    assert forces
    for force in forces:
        assert f"{RULES.cards.forces[force].name}: Combat " in said


@each_row("seat", [*SEATS, PUBLIC])
def test_a_hand_is_read_by_its_owner_alone(seat: Seat) -> None:
    playout = played(60)
    titles = [panel.title for panel in picture(playout.seen_by(seat)).below]
    shown = {side for side in SIDES if f"{NARRATION.name(side)} hand, with Firefight values" in titles}

    assert shown == {side for side in SIDES if Seat(side) == seat and playout.desk.table.pile(hand(side)).count}


@each_row("kind", sorted({*RULES.kinds, *RULES.sequences}))
def test_every_question_has_its_words(kind: str) -> None:
    arguments: dict[str, Value] = {
        "left": 2,
        "location": "the_docks",
        "to": "the_docks/german/control",
        "force": "169th-rifle",
        "card": "x",
        "rule": "y",
    }
    said = question(Open(kind, GERMAN_SEAT, {**arguments, "face_down": False}), NARRATION.name)

    assert said
    assert "_" not in said
    assert "False" not in said


def remembered(on: str, key: str, value: Value, was: Value | None = None) -> AttributeSet:
    return AttributeSet(rule=RuleId("1"), on=on, key=AttributeKey(key), value=value, was=was)


@each_row(
    ("event", "sentence"),
    [
        (remembered("german", "big_push", 1), "In force until the turn ends: German Big Push."),
        (remembered("german", "big_push", 2, 1), "In force until the turn ends: German Big Push (2)."),
        (remembered("table", "no_firefight", value=True), "In this battle: No Firefight."),
        (remembered("russian", "no_retreat", value=True), "Russian Forces cannot Retreat in this battle (Tanks)."),
        (remembered("russian", "hits", 1), "1 Hit for Russian to absorb."),
        (remembered("r_138_rifle", "ignored", 2, 1), "138th Rifle ignores a Hit by its note."),
        (remembered("russian", "hits", 0, 2), "Russian has no more Hits to absorb."),
        (remembered("russian", "total", -1, 2), "Russian total: -1."),
        (
            remembered("table", "attacking", ("g_14_panzer", "g_16_panzer"), ("g_16_panzer",)),
            "Attacking: 14th Panzer and 16th Panzer. 14th Panzer joins the battle.",
        ),
        (
            remembered("g_16_panzer", "locked", value=True),
            "16th Panzer may not Move any more this turn: locked by a Sniper.",
        ),
        (remembered("g_16_panzer", "pledged_rations", 2), "16th Panzer: 2 Rations set aside as a cost."),
        (remembered("table", "actions_taken", 3), ""),
        (
            remembered("table", "locations_in_play", ("the_docks", "pavlovs_house")),
            "In play, in this order: The Docks and Pavlov's House.",
        ),
    ],
)
def test_attributes_that_matter_to_players_have_a_sentence(event: AttributeSet, sentence: str) -> None:
    assert NARRATION.tell(Table(), [event]) == sentence


def test_forces_turned_up_and_placed_in_one_run_are_all_named() -> None:
    rule, forces = RuleId("setup.force-decks"), list(RULES.cards.piles[GERMAN])[:2]
    opened = PiecePlaced(rule=rule, piece=forces[0], kind=forces[0], side=GERMAN, to=top(GERMAN))
    placed = PiecePlaced(
        rule=rule, piece=forces[1], kind=forces[1], side=GERMAN, to=PlaceId("the_docks/german/control")
    )
    first, second = (NARRATION.name(force) for force in forces)

    assert NARRATION.tell(Table(), [opened, placed]) == (
        f"{first} (Cost 1, Combat 1, 1 Ration; Moves free) is the open top of the German Force deck. "
        f"Placed: {second} in The Docks (German Control)."
    )


def strip(table: Table, title: str) -> tuple[Cell, ...]:
    """Return the cells of a drawn strip; none if it is not drawn."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    return tuple(cell for one in drawing.strips if one.title == title for row in one.rows for cell in row)


def desk(table: Table, side: Side) -> Desk:
    """Return what is drawn of the cards and piles of a side."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None and drawing.cards is not None
    return next(desk for desk in drawing.cards.desks if desk.side == side)


@each_row("seat", [*SEATS, PUBLIC])
def test_a_hand_is_drawn_open_to_its_owner_and_as_backs_to_all_others(seat: Seat) -> None:
    playout = played(60)
    table = playout.desk.table
    seen = playout.seen_by(seat)
    for side, name in ((GERMAN, "German"), (RUSSIAN, "Russian")):
        cards = table.pile(hand(side)).cards
        own, line = strip(seen, f"{name} hand"), desk(seen, side)

        assert cards
        assert ("Hand", str(len(cards))) in line.facts
        if Seat(side) == seat:
            assert sorted(cell.id for cell in own) == sorted(cards)
            assert {cell.id: cell.corner for cell in own} == {
                card: signed(RULES.cards.cards[card].value) for card in cards
            }
            assert all(cell.notes[-1] for cell in own)
            assert line.backs == 0
        else:
            assert own == ()
            assert line.backs == len(cards)


def test_decks_discards_and_force_decks_are_drawn_with_what_lies_open() -> None:
    playout = played(150)
    table = playout.seen_by(PUBLIC)
    for side, name in ((GERMAN, "German"), (RUSSIAN, "Russian")):
        line = desk(table, side)
        piles = {"Deck": deck(side), "Discards": discards(side), "Force deck": force_pool(side)}
        gone = [RULES.cards.forces[force].name for force in table.pieces_at(bottom(side))]

        assert {words: dict(line.facts)[words] for words in piles} == {
            words: str(table.pile(pile).count) for words, pile in piles.items()
        }
        assert (line.next_piece,) == tuple(table.pieces_at(top(side)))
        assert line.next_words.startswith(RULES.cards.forces[line.next_piece].name)
        assert [cell.title for cell in strip(table, f"{name} Forces Destroyed")] == gone


def test_what_is_drawn_beside_the_map_is_not_said_again_beside_it() -> None:
    table = played(60).seen_by(Seat(GERMAN))
    beside = {panel.title for panel in panels_of(NARRATION, table)}

    assert beside.isdisjoint({"Force decks", "Action cards", "German hand, with Firefight values"})
    assert "German hand, with Firefight values" in text(table)


def test_the_trays_of_the_side_that_chooses_or_whose_turn_it_is_come_first() -> None:
    """setup.order: the Russian chooses his Forces before the German."""
    playout, choosing, playing = Playout("battle", "standard", 5), dict[str, str](), dict[str, list[str]]()
    for _ in playout.steps():
        table = playout.desk.table
        drawing = NARRATION.drawing(table)
        assert drawing is not None
        assert table.top is not None
        titles = [one.title for one in drawing.strips]
        if table.top.kind == "choose_force":
            choosing.setdefault(table.top.seat, titles[0])
        elif table.top.kind == "action":
            playing.setdefault(table.turn, titles)
        if len(playing) == len(SIDES):
            break

    assert choosing == {"russian": "Russian Forces to choose from", "german": "German Forces to choose from"}
    for side, titles in playing.items():
        assert titles[0] == f"{NARRATION.name(side)} hand"
