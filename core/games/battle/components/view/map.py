"""The drawn map: the Locations in a row, each between the Areas of both sides, as they lie on a table."""

from collections.abc import Sequence

from core.drawing.board_report import source_remark
from core.games.battle.components.card_model import Cards, Location
from core.games.battle.components.words.card_words import MARK, IsInvented, note_words, rubble_words
from core.games.battle.ids import GERMAN, LOCATION_AREAS, RUSSIAN, SIDE_NAMES, area
from core.narration.render_model import MapPlace
from core.narration.sheet import Ground, Land, Sheet
from core.shapes.outlines import Outline
from core.svg.card_svg import PIP_SIGN, STAR_SIGN
from core.svg.counter_svg import TURNED
from core.wording import counted
from events.codec import replace
from events.ids import PlaceId

TITLE = "Battle for Stalingrad"
COLUMN, ROW, IN_A_ROW = 180, 620, 6
"""Pixels from Location to Location, sideways and down, and how many stand side by side."""
AREA, LOCATION = "area", "location"
GROUNDS = (
    Ground(LOCATION, "Location, with its Rations by Rubble and its note", "light"),
    Ground(GERMAN, "German Area", "none"),
    Ground(RUSSIAN, "Russian Area", "clear"),
)
PRINTS = {PIP_SIGN: "Rations", STAR_SIGN: "Heroic Service", TURNED: "locked by a Sniper"}
SYMBOLS = {"infantry": "infantry", "marine": "Guards", "motorized": "motorized infantry", "armour": "armour"}
INVENTED_RIM = "gold"
RIMS = {INVENTED_RIM: f"that there is this Location is a guess; {MARK} reconstructed: not in the rulebook's text"}

_AREA_ROWS = (40, 130, 420, 510)
"""The heights in pixels of the Areas of a Location."""
_LOCATION_ROW = 275
_AREA_SIZE, _LOCATION_SIZE = (164, 82), (164, 186)


def map_places(cards: Cards, locations: Sequence[Location] | None = None) -> tuple[MapPlace, ...]:
    """Return every Location, or those given, and its four Areas, Location by Location, as they are drawn.

    No lines join them, because Locations are not adjacent to each other. Source: setup.areas,
    setup.locations.no-adjacency.
    """
    found: list[MapPlace] = []
    for number, location in enumerate(cards.locations.values() if locations is None else locations):
        x, top = COLUMN * (number % IN_A_ROW) + COLUMN // 2, ROW * (number // IN_A_ROW)
        middle = top + _LOCATION_ROW
        label = str(location.rations(0))
        outline = _card(x, middle, _LOCATION_SIZE)
        found.append(MapPlace(PlaceId(location.id), location.name, label, x, middle, kind=LOCATION, outline=outline))
        for (side, which), row in zip(LOCATION_AREAS, _AREA_ROWS, strict=True):
            name, y = f"{SIDE_NAMES[side]} {which.capitalize()}", top + row
            place = area(location.id, side, which)
            found.append(MapPlace(place, name, which[0].upper(), x, y, kind=AREA, outline=_card(x, y, _AREA_SIZE)))
    return tuple(found)


def drawn_places(cards: Cards, locations: Sequence[Location]) -> tuple[MapPlace, ...]:
    """Return Locations and their Areas for a picture, which has room for the names of Areas, so that they need no letters."""
    return tuple([replace(place, label="") if place.kind == AREA else place for place in map_places(cards, locations)])


def _card(x: int, y: int, size: tuple[int, int]) -> Outline:
    """Return the outline of a card around its middle."""
    right, down = size[0] // 2, size[1] // 2
    return ((x - right, y - down), (x + right, y - down), (x + right, y + down), (x - right, y + down))


def sheet(cards: Cards, is_invented: IsInvented) -> Sheet:
    """Return the Locations and their Areas as they lie before any match.

    Args:
        cards: The cards shown.
        is_invented: What of them is reconstructed.
    """
    land: dict[PlaceId, Land] = {}
    for index, location in enumerate(cards.locations.values()):
        path = ("location", index)
        chart = MARK if is_invented(path, "chart") or is_invented(path, "destroyed_at") else ""
        note = _note(location, MARK if is_invented(path, "note") else "")
        land[PlaceId(location.id)] = Land(
            LOCATION,
            words=(*[f"{line}{chart}" for line in _chart_lines(location)], *([note] if note else [])),
            rim=INVENTED_RIM if is_invented(path, "name") else "",
            is_read=True,
            title=f"{location.name}: {note or 'no note'}",
        )
        for side, which in LOCATION_AREAS:
            title = f"{location.name}, {SIDE_NAMES[side]} {which.capitalize()} Area"
            land[area(location.id, side, which)] = Land(side, title=title)
    return Sheet(
        TITLE,
        drawn_places(cards, list(cards.locations.values())),
        land,
        GROUNDS,
        rims=RIMS,
        sides=(GERMAN, RUSSIAN),
        remark=map_remark(cards),
        symbols=SYMBOLS,
        prints=PRINTS,
        near_cell=0,
    )


def sheet_in_play(cards: Cards, locations: tuple[str, ...]) -> Sheet:
    """Return the printed map of a match.

    Args:
        cards: The cards in use.
        locations: The Locations in play by their ids.
    """
    places = drawn_places(cards, [cards.locations[id_] for id_ in locations])
    return replace(sheet(cards, lambda *_: False), places=places, rims={}, grounds=())


def map_remark(cards: Cards) -> str:
    """Return in one line how far the cards can be trusted."""
    return source_remark(
        cards.source,
        "The printed cards were not available: most Forces, notes, charts and copies are reconstructed, and marked so "
        "field by field.",
    )


def _chart_lines(location: Location) -> list[str]:
    lines = [f"{rubble_words(step)} Rubble: {counted(step.rations, 'Ration')}" for step in location.chart]
    return [*lines, f"{location.destroyed_at} Rubble: Destroyed"]


def _note(location: Location, mark: str) -> str:
    """Return a Location's note, marked, and whether it outlasts the Location."""
    kept = " Kept when Destroyed." if location.note_survives else ""
    return f"{note_words(location)}{kept}{mark}" if location.has_note else ""
