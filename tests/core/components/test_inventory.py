"""The declared inventory of a game's components, and its checks of positions and tables."""

from core.components.inventory import (
    SIDE,
    Cards,
    Counters,
    Inventory,
    Memory,
    Pieces,
    Piles,
    Places,
    Track,
    families,
)
from core.engine.attributes import Attribute, Number
from core.positions.inventory_checks import position_defects, table_defects
from core.positions.position import Position, parse_position
from core.registry.games import game_keys, load_game
from core.toml.toml_lines import LineMap
from events.ids import TABLE, CardId, MarkerId, PieceId, PileId, PlaceId, Side, TrackId
from projections.state.table import Piece, Pile, Table
from tests.support.rows import each_row

AXIS, ALLIES = Side("axis"), Side("allies")
CARGO: Attribute[bool] = Attribute("has_moved", bool)
STEPS: Attribute[int] = Attribute("steps_left", int)
LOSSES: Attribute[tuple[str, ...]] = Attribute("losses", tuple, names_pieces=True)

INVENTORY = Inventory(
    sides={AXIS: "Axis", ALLIES: "Allies"},
    places=(
        Places(what="zone", names={PlaceId("city"): "City", PlaceId("river"): "River"}, control=(AXIS, ALLIES)),
        Places(what="pool", names={PlaceId("pool"): ""}),
    ),
    pieces=(
        Pieces(
            what="bomber",
            names={PieceId("bomber-1"): "First Bomber", PieceId("bomber-2"): "Second Bomber"},
            where={"zone": 1, "pool": None},
            sides=(AXIS,),
            kinds={PieceId("bomber-1"): ("bomber",), PieceId("bomber-2"): ("bomber",)},
            faces={"fresh": "Fresh", "spent": "Spent"},
            steps=2,
        ),
        Pieces(
            what="token",
            names={PieceId("token-1"): "", PieceId("token-2"): "", PieceId("token-3"): ""},
            where={"zone": None, "bomber": 2},
            sides=(AXIS, ALLIES),
        ),
    ),
    counters=(
        Counters(
            faces={MarkerId("battle"): "Battle", MarkerId("assault"): "Assault"},
            on={"zone": 1},
            stock=1,
            are_all_out=True,
        ),
        Counters(faces={MarkerId("damage"): "Damage"}, on={"bomber": 3}),
    ),
    tracks=(Track(id=TrackId("round"), name="Round", least=1, most=13), Track(id=TrackId("points"), name="Points")),
    cards=(
        Cards(what="card", names={CardId("a"): "Ace", CardId("b"): "Bee"}, are_all_out=True),
        Cards(what="medal", names={CardId("m"): "Medal"}),
    ),
    piles=(
        Piles(names={PileId("deck"): "Deck", PileId("hand"): "Hand"}, holds="card"),
        Piles(names={PileId("in-play"): "In Play"}, holds="card", only=frozenset((CardId("a"),))),
        Piles(names={PileId("medals"): "Medals"}, holds="medal"),
    ),
    memory=Memory(
        {"zone": (STEPS,), "bomber": (CARGO,), TABLE: (LOSSES,), "side": (STEPS,)}, {LOSSES: ("bomber", "token")}
    ),
)
BOMBER = '{ id = "bomber-1", place = "city" }'


def position(text: str) -> Position:
    return parse_position(f'format = "wardiary-position/1"\ngame = "made-up"\n{text}')


def defects(text: str) -> list[tuple[object, ...]]:
    return [(*defect.path, defect.problem) for defect in position_defects(INVENTORY, position(text))]


@each_row(
    ("text", "where", "problem"),
    [
        ('pieces = [{ id = "bomer-1", place = "city" }]', "pieces.0.id", "no piece in play is called 'bomer-1'; did you"),
        (f'pieces = [{BOMBER}, {{ id = "bomber-1", place = "pool" }}]', "pieces.0.id", "bomber-1 is placed 2 times"),
        (
            'pieces = [{ id = "bomber-1", place = "citi" }]',
            "pieces.0.place",
            "no place for bomber-1 is called 'citi'; did you mean city?",
        ),
        (
            'pieces = [{ id = "token-1", place = "pool" }]',
            "pieces.0.place",
            "token-1 cannot be in 'pool'; places for it: zone, bomber",
        ),
        (
            'pieces = [{ id = "token-1", place = "bomber-2" }]',
            "pieces.0.place",
            "no place for token-1 is called 'bomber-2'; there are: city, river",
        ),
        (
            f'pieces = [{BOMBER}, {{ id = "bomber-2", place = "city" }}]',
            "pieces.1.place",
            "bomber-2 does not fit into city, which holds 1 bomber at most",
        ),
        (
            f"pieces = [{BOMBER}, "
            + ", ".join(f'{{ id = "token-{number}", place = "bomber-1" }}' for number in (1, 2, 3))
            + "]",
            "pieces.3.place",
            "token-3 does not fit into bomber-1, which holds 2 tokens at most",
        ),
        ('pieces = [{ id = "bomber-1", place = "city", kind = "dragon" }]', "pieces.0.kind", "no kind of bomber-1 is"),
        ('pieces = [{ id = "token-1", place = "city", kind = "token" }]', "pieces.0.kind", "no kind of token-1 is"),
        ('pieces = [{ id = "bomber-1", place = "city", side = "allies" }]', "pieces.0.side", "no side of bomber-1 is"),
        ('pieces = [{ id = "bomber-1", place = "city", face = "up" }]', "pieces.0.face", "no face of bomber-1 is called"),
        ('pieces = [{ id = "token-1", place = "city", face = "up" }]', "pieces.0.face", "no face of token-1 is called"),
        ('pieces = [{ id = "bomber-1", place = "city", steps = 3 }]', "pieces.0.steps", "bomber-1 has 3 steps; it can"),
        ('pieces = [{ id = "token-1", place = "city", steps = 1 }]', "pieces.0.steps", "token-1 has 1 steps; it can have 0"),
        ('control = { "pool" = "axis" }', "control.pool", "no place to control is called 'pool'; there are: city, river"),
        ('control = { "city" = "nobody" }', "control.city", "no side to control city is called 'nobody'; there are: axis"),
        ('markers = { "moon" = { battle = 1 } }', "markers.moon", "no place or piece in play is called 'moon'; there are"),
        ('markers = { "bomber-1" = { damage = 1 } }', "markers.bomber-1", "no place or piece in play is called 'bomber-1'"),
        ('markers = { "pool" = { battle = 1 } }', "markers.pool.battle", "no marker for pool is called 'battle'; there are"),
        ('markers = { "city" = { batle = 1 } }', "markers.city.batle", "no marker for city is called 'batle'; did you mean"),
        (f'pieces = [{BOMBER}]\nmarkers = {{ "bomber-1" = {{ damage = 4 }} }}', "markers.bomber-1.damage", "4 markers"),
        ('markers = { "city" = { battle = -1 } }', "markers.city.battle", "-1 markers battle lie on city; 0 to 1 can"),
        ('markers = { "city" = { battle = 1 }, "river" = { assault = 1 } }', "markers", "2 markers battle and assault"),
        ("tracks = { nonsense = -4 }", "tracks.nonsense", "no track is called 'nonsense'; there are: round, points"),
        ("tracks = { round = 14 }", "tracks.round", "track round is 14; it can be 1 to 13"),
        ("tracks = { points = -1 }", "tracks.points", "track points is -1; it can be 0 or more"),
        ('attributes = { "moon" = { steps_left = 1 } }', "attributes.moon", "no place, piece or side in play is called"),
        ('attributes = { "city" = { has_moved = true } }', "attributes.city.has_moved", "no attribute of city is called"),
        ('attributes = { "city" = { steps_left = -1 } }', "attributes.city.steps_left", "attribute steps_left of city is -1"),
        ('attributes = { "axis" = { steps_left = "1" } }', "attributes.axis.steps_left", "attribute steps_left of axis is"),
        ('attributes = { "table" = { losses = ["token-1"] } }', "attributes.table.losses", "no bomber or token for losses"),
        (f'pieces = [{BOMBER}]\nattributes = {{ "table" = {{ losses = ["token-1"] }} }}', "attributes.table.losses", "no bomber or token for losses of table is called 'token-1'; there is: bomber-1"),
        ('piles = { "dek" = [] }', "piles.dek", "no pile is called 'dek'; did you mean deck?"),
        ('piles = { "deck" = ["m"] }', "piles.deck.0", "no card for deck is called 'm'; there are: a, b"),
        ('piles = { "in-play" = ["a", "b"] }', "piles.in-play.1", "no card for in-play is called 'b'; there is: a"),
        ('piles = { "deck" = ["a"], "hand" = ["a"] }', "piles.hand.0", "a is there 2 times: deck, hand"),
    ],
)  # fmt: skip
def test_components_outside_the_inventory_are_refused_with_their_place(text: str, where: str, problem: str) -> None:
    ((*path, found),) = defects(text)

    assert ".".join(map(str, path)) == where
    assert str(found).startswith(problem)


def test_components_of_the_inventory_are_accepted() -> None:
    text = """
pieces = [
  { id = "bomber-1", place = "city", kind = "bomber", side = "axis", face = "spent", steps = 1 },
  { id = "token-1", place = "bomber-1", side = "allies" },
]
control = { river = "allies" }
markers = { city = { assault = 1 }, bomber-1 = { damage = 3 }, river = { battle = 0 } }
tracks = { round = 13, points = 0 }
attributes = { table = { losses = ["bomber-1", "token-1"] }, bomber-1 = { has_moved = true }, axis = { steps_left = 0 } }
piles = { deck = ["b"], in-play = ["a"] }
"""

    assert defects(text) == []


def test_every_defect_is_named_at_once_with_its_place_in_the_text() -> None:
    text = 'tracks = { nonsense = -4 }\npieces = [\n  { id = "bomber-1", place = "city", face = "upside-down", kind = "dragon" },\n]'
    source = f'format = "wardiary-position/1"\ngame = "made-up"\n{text}'
    found = [defect.sentence(LineMap(source)) for defect in position_defects(INVENTORY, position(text))]

    assert found == [
        "line 5, column 60: no kind of bomber-1 is called 'dragon'; there is: bomber",
        "line 5, column 38: no face of bomber-1 is called 'upside-down'; there are: fresh, spent",
        "line 3, column 12: no track is called 'nonsense'; there are: round, points",
    ]


def laid_out() -> Table:
    """Return a table with exactly the components of the inventory."""
    table = Table(round=1)
    table.pieces = {
        PieceId("bomber-1"): Piece(PieceId("bomber-1"), "bomber", AXIS, PlaceId("city"), "fresh", 2),
        PieceId("token-1"): Piece(PieceId("token-1"), "token-1", ALLIES, PlaceId("bomber-1")),
    }
    table.at = {PlaceId("city"): (PieceId("bomber-1"),), PlaceId("bomber-1"): (PieceId("token-1"),)}
    table.markers = {"city": {MarkerId("assault"): 1}}
    table.tracks = {TrackId("round"): 1}
    table.piles = {PileId("deck"): Pile((CardId("a"), CardId("b")))}
    return table


def test_a_table_as_declared_has_no_defects() -> None:
    assert table_defects(INVENTORY, laid_out()) == []


def test_a_table_must_be_complete_but_a_position_need_not() -> None:
    table = laid_out()
    table.pieces[PieceId("bomber-1")] = Piece(PieceId("bomber-1"), "", Side(""), PlaceId("city"))
    table.markers["city"] = {MarkerId("assault"): 0}

    assert [problem.partition(";")[0] for problem in table_defects(INVENTORY, table)] == [
        "no kind of bomber-1 is called ''",
        "no side of bomber-1 is called ''",
        "no face of bomber-1 is called ''",
        "0 markers assault lie on city",
    ]


def test_the_indexes_of_places_and_pieces_must_agree() -> None:
    table = laid_out()
    table.at[PlaceId("river")] = (PieceId("token-1"),)

    assert table_defects(INVENTORY, table) == [
        "pieces are not where their places have them: [('token-1', 'river')]",
    ]


def test_missing_cards_are_a_defect_only_of_a_settled_table() -> None:
    table = laid_out()
    table.piles[PileId("deck")] = Pile((CardId("a"),))

    assert table_defects(INVENTORY, table, is_settled=False) == []
    assert table_defects(INVENTORY, table) == ["1 of 2 cards are missing: b"]


def test_piles_that_hold_the_same_cards_are_one_family() -> None:
    names = families(INVENTORY.piles)

    assert names[PileId("deck")] == names[PileId("hand")] == names[PileId("in-play")] != names[PileId("medals")]


def test_exactly_the_printed_components_have_names() -> None:
    names = INVENTORY.names

    assert (names["city"], names["bomber-2"], names["spent"], names["assault"]) == (
        "City",
        "Second Bomber",
        "Spent",
        "Assault",
    )
    assert (names["deck"], names["a"], names["points"], names["allies"]) == ("Deck", "Ace", "Points", "Allies")
    assert {"pool", "token-1", "has_moved"} & set(names) == set()


@each_row("game", game_keys())
def test_every_game_declares_every_id_once(game: str) -> None:
    record = load_game(game)
    bound = record.bind(None)
    box = bound.inventory()
    for scenario in record.scenarios:
        in_play = bound.inventory(scenario.key, record.full_options(scenario, scenario.modes[0], {}))

        assert in_play.group_of.items() <= box.group_of.items()
        assert {group.what for group in in_play.pieces} == {group.what for group in box.pieces}
    assert {attribute.key for group in box.memory.of.values() for attribute in group}


@each_row("game", game_keys())
def test_every_group_that_a_game_refers_to_is_declared(game: str) -> None:
    box = load_game(game).bind(None).inventory()
    groups = {*box.group_of.values()}
    referred = {where for group in box.pieces for where in group.where}
    referred |= {on for counters in box.counters for on in counters.on}
    referred |= {group for named in box.memory.refers.values() for group in named}

    assert referred <= groups
    assert {group.holds for group in box.piles} <= {group.what for group in box.cards}
    assert set(box.memory.refers) <= {attribute for there in box.memory.of.values() for attribute in there}


def test_memory_is_what_the_attributes_of_a_module_say_of_themselves() -> None:
    score = Number("score", owners=(SIDE,))
    crew: Attribute[tuple[str, ...]] = Attribute("crew", tuple, owners=("bomber", "token"), refers=("token",))
    lost: Attribute[bool] = Attribute("lost", bool)

    memory = Memory.declared({"CREW": crew, "SCORE": score, "OTHER": "no attribute", "LOST": lost})

    assert memory == Memory({"bomber": (crew,), "token": (crew,), SIDE: (score,), TABLE: (lost,)}, {crew: ("token",)})


def test_several_groups_can_be_called_together_where_attributes_are_declared() -> None:
    crew: Attribute[tuple[str, ...]] = Attribute("crew", tuple, owners=("unit", "zone"), refers=("unit",))

    memory = Memory.declared({"CREW": crew}, {"unit": ("bomber", "token")})

    assert memory == Memory({"bomber": (crew,), "token": (crew,), "zone": (crew,)}, {crew: ("bomber", "token")})


def test_an_inventory_is_narrowed_to_what_a_position_can_state() -> None:
    narrow = INVENTORY.narrowed(lambda pile: pile in ("hand", "medals"), lambda attribute: attribute is STEPS)

    assert [dict(group.names) for group in narrow.piles] == [{"hand": "Hand"}, {}, {"medals": "Medals"}]
    assert narrow.memory.of == {"zone": (STEPS,), "bomber": (), TABLE: (), "side": (STEPS,)}
    assert (narrow.places, narrow.pieces) == (INVENTORY.places, INVENTORY.pieces)
