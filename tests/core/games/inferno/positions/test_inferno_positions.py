"""Position files of this game: what can be wrong with one, each defect at its place in the file; and what a valid one sets up."""

from core.games.inferno.ids import GERMAN, POOL_PILES, SOVIET, deck
from core.games.inferno.positions.inferno_positions import InfernoPositions
from core.positions.position import parse_position
from events.ids import PieceId, PlaceId
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.rows import each_row

POSITIONS = InfernoPositions(BOARD)
UNIT = '{ id = "german/1", place = "W", kind = "2-panzer" }'
RIFLE = '{ id = "soviet/1", place = "18", kind = "45-rifle" }'


def text(*pieces: str, top: str = "", rest: str = "") -> str:
    """Return a position file with these pieces."""
    listed = ", ".join(pieces or (UNIT, RIFLE))
    return f'format = "wardiary-position/1"\ngame = "inferno"\n{top}\npieces = [{listed}]\n{rest}'


def defects(position: str) -> list[tuple[str, str]]:
    """Return the path and the sentence of each defect."""
    found = POSITIONS.check_position(parse_position(position))
    return [(".".join(map(str, defect.path)), defect.problem) for defect in found]


PLAYED = 'mode = "one_vs_one"'
PARTNERS = 'mode = "co_op"'
WAY = 'options = { designers_way = "random" }'
CASES = [
    (text(top='mode = "duel"'), "mode", "no mode of this game"),
    (text(top='turn = "allies"'), "turn", "side that can have the turn"),
    (text(top="round = -1"), "round", "not one of this scenario"),
    (text(top='phase = "combat"'), "phase", "names no phase"),
    (text(top='decision = { kind = "action" }'), "decision", "names no decision"),
    (text(top='turn_seat = "blue"'), "turn_seat", "seat that can have the turn"),
    (text(top=PARTNERS + '\nturn_seat = "blue"\nround = 3'), "turn_seat", "is that of yellow, not of blue"),
    (text('{ id = "german/99", place = "W", kind = "2-panzer" }'), "pieces.0.id", "german/99"),
    (text('{ id = "german/1", place = "W", kind = "45-rifle" }'), "pieces.0.kind", "45-rifle"),
    (text('{ id = "german/1", place = "106", kind = "2-panzer" }'), "pieces.0.place", "106"),
    (text('{ id = "german/1", place = "W", kind = "2-panzer", face = "edge-5" }'), "pieces.0.face", "edge-5"),
    (text('{ id = "german/1", place = "W", kind = "2-panzer", steps = 2 }'), "pieces.0.steps", "it has Strength 4"),
    (text('{ id = "german/1", place = "called", kind = "2-panzer" }'), "pieces.0.place", "called"),
    (
        text(UNIT, '{ id = "german/2", place = "W", kind = "2-panzer" }'),
        "pieces.1",
        "2-panzer is there 2 times",
    ),
    (text(UNIT, '{ id = "soviet/1", place = "W", kind = "45-rifle" }'), "pieces.1.place", "units of one side"),
    (text(rest='control = { W = "soviet" }'), "control.W", "german must control it"),
    (
        text(UNIT, '{ id = "german/2", place = "W", kind = "24-panzer" }', top=PARTNERS),
        "pieces.1.place",
        "german/2 is blue, but in W are yellow units",
    ),
    (text('{ id = "german/1", place = "W" }'), "pieces.0.kind", "unknown on the track only"),
    (text('{ id = "soviet/1", place = "18" }', top=PLAYED), "pieces.0.kind", "knows their blocks"),
    (text('{ id = "soviet/1", place = "18", face = "edge-2" }'), "pieces.0.face", "has no face"),
    (text('{ id = "soviet/1", place = "18" }'), "piles.setup_mix", "holds 0 arms; there are 1"),
    (text('{ id = "german/1", place = "track/1/1" }'), "piles.german_pool", "holds 0 units; there are 1"),
    (
        text('{ id = "soviet/1", place = "18" }', rest='[piles]\nsetup_mix = ["tank/1"]\ntank_pool = []'),
        "piles.tank_pool",
        "1 blocks without a kind must come from it",
    ),
    (
        text('{ id = "german/1", place = "removed/1", kind = "120-motorized" }'),
        "pieces.0.kind",
        "removed/1 is for 64-panzer-grenadier",
    ),
    (
        text(rest='attributes = { "soviet/1" = { pool = "tank" } }'),
        "attributes.soviet/1.pool",
        "infantry pool, not tank",
    ),
    (text(rest='attributes = { "soviet/1" = { pool = "sea" } }'), "attributes.soviet/1.pool", "sea"),
    (text(rest='attributes = { "soviet/1" = { moved = true } }'), "attributes.soviet/1.moved", "moved"),
    (text(rest='piles = { german_card = ["german/stuka-1"] }'), "piles.german_card", "german_card"),
    (text(rest='piles = { yellow_hand = ["german/stuka-1"] }'), "piles.yellow_hand", "no seat of this mode"),
    (text(rest='piles = { german_hand = ["german/hoth"] }'), "piles.german_hand.0", "comes into play at once"),
    (text(rest='piles = { german_leaders = ["german/stuka-1"] }'), "piles.german_leaders.0", "not a Leader"),
    (text(rest='piles = { german_hand = ["soviet/aa-7"] }'), "piles.german_hand.0", "soviet/aa-7"),
    (text(rest="markers = { 19 = { rubble = 1 } }"), "markers.19.rubble", "rubble"),
    (text(rest='markers = { 5 = { "fortification/red" = 1 } }'), "markers.5.fortification/red", "red Fortification"),
    (text(rest="markers = { 5 = { headquarters = 1 } }"), "markers.5.headquarters", "needs Chuikov"),
    (text(rest='markers = { "removed/6" = { raus = 1 } }'), "markers.removed/6.raus", "Designer's Way"),
    (text(rest='markers = { 28 = { "fortification/brown" = 1 } }'), "markers.28.fortification/brown", "Designer's Way"),
    (
        text('{ id = "german/1", place = "W", kind = "160-panzer", face = "edge-4" }', RIFLE),
        "pieces.0.face",
        "no dots on edge-4",
    ),
    (
        text(rest='attributes = { german = { advantages = ["hoth"] } }'),
        "attributes.german.advantages",
        "Designer's Way",
    ),
    (text(top=WAY, rest='attributes = { german = { advantages = ["foo"] } }'), "attributes.german.advantages", "foo"),
    (
        text(
            top=WAY,
            rest='attributes = { german = { advantages = ["hoth"] } }\npiles = { german_advantages = ["hoth"] }',
        ),
        "attributes.german.advantages",
        "does not have, too",
    ),
    (text(rest="piles = { soviet_deck = [] }"), "attributes.table.extra_turns", "which ends the game"),
    (text(rest="attributes = { table = { extra_turns = 1 } }"), "attributes.table.extra_turns", "it holds 28 cards"),
    (
        text(top=PARTNERS, rest='attributes = { 9 = { captured_by = "blue" } }'),
        "attributes.9.captured_by",
        "soviet controls it",
    ),
]


@each_row(("position", "path", "words"), CASES)
def test_a_defect_of_a_position_is_found_at_its_place(position: str, path: str, words: str) -> None:
    found = defects(position)

    assert [problem for where, problem in found if where == path and words in problem], found


def test_a_position_without_defects_has_none() -> None:
    assert defects(text()) == []
    assert defects(text('{ id = "soviet/1", place = "18" }', rest='piles = { setup_mix = ["tank/1"] }')) == []
    assert defects(text(top=WAY, rest='attributes = { soviet = { advantages = ["immortal_guard"] } }')) == []
    extra = (
        'attributes = { table = { extra_turns = 1 } }\npiles = { soviet_deck = [], german_leaders = ["german/okh"] }'
    )
    assert defects(text(rest=extra)) == []


def test_a_german_block_on_the_map_is_known_to_the_german_seats_only() -> None:
    desk = Desk.open("inferno", position=text(top=PLAYED))

    assert desk.table.known_to == {"german/1": ("german",), "soviet/1": ("soviet",)}


def test_a_soviet_block_that_no_seat_plays_is_concealed_from_all() -> None:
    table = Desk.open("inferno", position=text()).table

    assert table.known_to[PieceId("soviet/1")] == ()
    assert table.pieces[PieceId("soviet/1")].kind == "45-rifle"


def test_a_hex_belongs_to_who_stands_in_it_unless_it_is_stated() -> None:
    place = '{ id = "german/1", place = "58", kind = "2-panzer" }'
    table = Desk.open("inferno", position=text(place, RIFLE, rest='control = { 7 = "german" }')).table

    assert [table.control[PlaceId(hex_)] for hex_ in ("58", "7", "8", "W")] == [GERMAN, GERMAN, SOVIET, GERMAN]


def test_a_pool_and_a_deck_hold_what_is_nowhere_else() -> None:
    """A unit without a kind is still in its pool."""
    rest = '[piles]\nsetup_mix = ["infantry/1"]\ngerman_hand = ["german/stuka-1"]'
    table = Desk.open("inferno", position=text(UNIT, RIFLE, '{ id = "soviet/2", place = "17" }', rest=rest)).table
    infantry = [block.id for block in BOARD.blocks_of(SOVIET) if block.pool == "infantry"]

    assert set(table.pile(POOL_PILES["infantry"]).cards) == {*infantry} - {"45-rifle"}
    assert "german/stuka-1" not in table.pile(deck(GERMAN)).cards


def test_a_soviet_turn_can_begin() -> None:
    desk = Desk.open("inferno", position=text(top=f'{PLAYED}\nturn = "soviet"\nround = 4'))

    assert (desk.table.turn, desk.table.round) == (SOVIET, 4)
    assert desk.table.top is not None
    assert desk.table.top.kind == "soviet_action"


def test_the_partner_whose_turn_it_is_follows_from_the_round() -> None:
    seats = [
        Desk.open("inferno", position=text(top=f"{PARTNERS}\nround = {number}")).table.turn_seat for number in (1, 2, 3)
    ]

    assert seats == ["yellow", "blue", "yellow"]
