"""Fords: a made-up game on two maps, with a river, a ferry that may sink or freeze, and supply traced across both maps.

The region is a map of hexes, the city one of areas; hex 0202 touches the mill. Blue is supplied from the bank, which the river
separates from the docks. The ferry is a separate place between bank and docks, and the ruins are one between docks and mill.
"""

import tomllib
from functools import partial

from typing_extensions import override

from core.drawing.picture_svg import draw_picture
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.derived_markers import update_markers
from core.engine.draft import Draft
from core.game.bound_game import BoundGame
from core.game.game_record import BoardReport
from core.geometry.adjacency import Adjacency, Border
from core.geometry.hexes import HexMap, Numbering, edge
from core.geometry.paths import distances
from core.narration.render_model import MapBorder, MapPlace
from core.narration.sheet import Feature, Ground, Land, Sheet
from core.refusal import Refusal
from core.shapes.outlines import HexLayout
from events.codec import Decoder, replace
from events.ids import NO_SIDE, GameKey, MarkerId, PieceId, PlaceId, RuleId, TrackId
from projections.state.table import Open, Table
from tests.support import skirmish
from tests.support.skirmish import BLUES, RED, REDS, SkirmishRules

REGION, CITY = "region", "city"
H0101, H0201, H0102, H0202 = HEXES = tuple(PlaceId(text) for text in ("0101", "0201", "0102", "0202"))
MILL, DOCKS, BANK = AREAS = tuple(PlaceId(name) for name in ("mill", "docks", "bank"))
FERRY, RUINS, POOL = PlaceId("ferry"), PlaceId("ruins"), PlaceId("pool")
ZONES = frozenset((*HEXES, *AREAS))
"""Where control and stacking count: neither the ferry nor the ruins nor the pool is a zone."""

BOAT = PieceId("boat")
UNSUPPLIED, ICE = MarkerId("unsupplied"), MarkerId("ice")
WEATHER = TrackId("bad-weather")
MARCH, SUPPLY, FREEZE = RuleId("1.march"), RuleId("2.supply"), RuleId("3.freeze")

GRID = Numbering()
REGION_MAP = HexMap({place: GRID.hex_of(place) for place in HEXES})
LAND = Adjacency(
    [
        *REGION_MAP.adjacency({edge(GRID.hex_of("0102"), 0): ("river",)}).borders(),
        Border(MILL, H0202, ("road",)),
        Border(MILL, DOCKS),
        Border(MILL, RUINS),
        Border(DOCKS, RUINS),
    ],
    [*HEXES, *AREAS, RUINS],
)
"""Where units march."""
CROSSING = Adjacency([Border(BANK, FERRY, is_one_way=True), Border(FERRY, DOCKS, is_one_way=True)])
"""How the river is crossed while there is a boat, or ice."""
INTERCEPTION = Adjacency([Border(BANK, DOCKS), Border(BANK, H0202)])
"""Where aircraft of the bank can get to; they need no bridge."""


class March(Command, frozen=True, tag="march"):
    """March to an adjacent place, and take it if it is a zone."""

    unit: PieceId
    to: PlaceId


class Sink(Command, frozen=True, tag="sink"):
    """Sink the boat."""


class Storm(Command, frozen=True, tag="storm"):
    """Have bad weather."""


DECODER: Decoder[March | Sink | Storm] = Decoder(March | Sink | Storm)


def can_cross(table: Table) -> bool:
    """Return whether the river can be crossed now."""
    return bool(table.marker(FERRY, ICE)) or BOAT in table.pieces


def onward(table: Table, place: PlaceId) -> tuple[PlaceId, ...]:
    """Return the places that can be entered from a place now."""
    return (*LAND.near(place), *(CROSSING.near(place) if can_cross(table) or place == FERRY else ()))


def unsupplied(table: Table) -> list[PieceId]:
    """List the ids of Blue's units that no path without Red connects with the bank."""
    reached = distances(
        (BANK,), lambda place: [near for near in onward(table, place) if table.control.get(near) != REDS]
    )
    return sorted(piece.id for piece in table.pieces.values() if piece.side == BLUES and piece.place not in reached)


class Orders:
    """A seat's turn; it continues until the seat has no options left."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every march, and the events that can happen to the river."""
        units = [piece for piece in table.pieces.values() if piece.side and piece.place != POOL]
        marches = [March(unit.id, to) for unit in units for to in onward(table, unit.place)]
        return [*marches, *([Sink()] if BOAT in table.pieces else []), Storm()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return (
            None if command in self.options(table, asked) else Refusal("way_must_be_open", MARCH, "No way leads there.")
        )

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """March, sink or freeze; then update the markers of units out of supply."""
        match command:
            case March(unit, to):
                draft.move(unit, to, MARCH)
                if to in ZONES:
                    draft.control(to, draft.table.pieces[unit].side, MARCH)
            case Sink():
                draft.remove(BOAT, MARCH)
            case _:
                draft.track(WEATHER, draft.table.track(WEATHER) + 1, FREEZE)
                if draft.table.track(WEATHER) == 2:
                    draft.mark(FERRY, ICE, FREEZE)
        update_markers(draft, UNSUPPLIED, unsupplied(draft.table), SUPPLY)


class FordsRules(SkirmishRules):
    """Rules and narration of the game."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.stack = DecisionRules({"orders": Orders()})

    @override
    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)

    @override
    def set_up(self, draft: Draft) -> None:
        draft.place(BOAT, FERRY, MARCH, kind="boat", side=NO_SIDE)
        for unit, side, place in (("guards", BLUES, DOCKS), ("militia", BLUES, MILL), ("panzer", REDS, H0201)):
            draft.place(PieceId(unit), place, MARCH, kind="unit", side=side)
            draft.control(place, side, MARCH)
        draft.begin_round(1, MARCH)
        draft.begin_turn(REDS, MARCH)
        draft.ask("orders", RED, MARCH)

    @override
    def places(self) -> tuple[MapPlace, ...]:
        return map_places()


OUTLINES = {
    MILL: ((0, 0), (120, 0), (100, 120), (0, 110)),
    DOCKS: ((0, 110), (100, 120), (110, 240), (0, 240)),
    BANK: ((160, 0), (260, 0), (260, 240), (170, 240)),
}
LAYOUT = HexLayout(side=60, x=-60, y=-50)
LABELS = {MILL: "M", DOCKS: "D", BANK: "B", RUINS: "*", FERRY: "F"}


def map_places() -> tuple[MapPlace, ...]:
    """List all places of both maps, each with its neighbours by land."""
    found: list[MapPlace] = []
    for place, hex_ in REGION_MAP.hexes.items():
        x, y = LAYOUT.centre(hex_)
        found.append(_place(place, REGION, x, y, LAYOUT.outline(hex_)))
    for place, outline in OUTLINES.items():
        x = sum(at[0] for at in outline) // 4
        y = sum(at[1] for at in outline) // 4
        found.append(_place(place, CITY, x, y, outline))
    spots = [_place(RUINS, CITY, 30, 115, (), "site"), _place(FERRY, CITY, 140, 180, (), "crossing")]
    return (*found, *spots, MapPlace(POOL, "Pool", "", 0, 0, is_box=True, map=CITY))


def _place(place: PlaceId, map_: str, x: int, y: int, outline: tuple[tuple[int, int], ...], kind: str = "") -> MapPlace:
    near = (*LAND.near(place), *CROSSING.near(place))
    borders = [(other, LAND.border(place, other)) for other in near]
    return MapPlace(
        id=place,
        name=place.title(),
        label=LABELS.get(place, place),
        x=x,
        y=y,
        neighbours=near,
        map=map_,
        kind=kind,
        outline=outline,
        borders=tuple(MapBorder(to, border.features) for to, border in borders if border and border.features),
    )


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Draw both maps."""
    places = [place for place in map_places() if not place.is_box]
    printed = Sheet(
        "Fords",
        tuple(places),
        {place.id: Land("region" if place.map == REGION else "city") for place in places},
        grounds=(Ground("region", "The Region", "clear"), Ground("city", "The City", "heavy")),
        features=(
            Feature("river", "a river", "bank", 7),
            Feature("road", "a road", "road", 3, "6 3", edge="paper", is_across=True),
        ),
        maps={REGION: "The Region", CITY: "The City"},
    )
    digest = FordsRules(skirmish.BOARD if text is None else text).digest
    return BoardReport(digest, (), draw_picture(printed), {}, {}, (), ())


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the game; its maps are not in its board file."""
    text = skirmish.BOARD if board is None else board
    tomllib.loads(text)
    make = partial(FordsRules, text)
    return BoundGame(make().digest, make, make, make)


GAME = replace(
    skirmish.GAME,
    key=GameKey("fords"),
    title="Fords",
    bind=bind,
    make_report=make_report,
    package="tests.acid",
    deciding=("geometry_game.py",),
)
