"""The component file of this game, and how a board is made of it."""

from core.components.component_file import ComponentFile, Source
from core.games.inferno.components.board_model import Block, Board, Card, Hex, Title
from core.games.inferno.components.board_records import (
    BLUE,
    COLOURS,
    DIRECTIONS,
    TERRAINS,
    WHITE,
    YELLOW,
    BoardFile,
    TitleRow,
)
from core.games.inferno.ids import GERMAN, PACKAGE, SOVIET
from core.geometry import hexes
from core.geometry.hexes import HexMap
from core.toml.findings import Findings
from events.codec import extended
from events.ids import CardId, PlaceId, Side


def _build(file: BoardFile, source: Source) -> Board:
    grid = HexMap({row.id: hexes.Hex(row.q, row.r) for row in file.hexes.rows})
    places = _hexes(file, grid)
    titles = {side: {row.id: extended(row, Title, side=side) for row in rows} for side, rows in _decks(file)}
    german_spawn = tuple(row.id for row in file.hexes.rows if row.spawn in (YELLOW, BLUE))
    tables = {table.id: {units.hex: units for units in table.units} for table in file.spawn.tables}
    blocks = _blocks(file)
    return Board(
        source=source,
        hexes=places,
        river=file.river.hexes,
        compass=tuple(map(DIRECTIONS.index, file.compass.directions)),
        terrain={terrain: getattr(file.terrain, terrain) for terrain in TERRAINS},
        hits_from={key: getattr(file.firepower, key) for key in file.firepower.__struct_fields__},
        blocks=blocks,
        soviet_blocks=sum([block.side == SOVIET for block in blocks.values()]),
        titles=titles,
        cards={card.id: card for side in titles for title in titles[side].values() for card in _cards(side, title)},
        limits=file.limits,
        setup=file.setup,
        track=file.track,
        removed_units={row.row: CardId(row.unit) for row in file.track.removed_units},
        spawn=file.spawn,
        spawn_tables={key: tuple(units[place] for place in file.spawn.order) for key, units in tables.items()},
        soviet_spawn=file.spawn.order,
        german_spawn=german_spawn,
        entry={
            colour: tuple(place for place in german_spawn if colour in (WHITE, places[place].spawn))
            for colour in COLOURS
        },
        leaders=file.leaders,
        rubble=file.rubble,
        victory=file.victory,
        designers_way=file.designers_way,
    )


def _hexes(file: BoardFile, grid: HexMap) -> dict[PlaceId, Hex]:
    """Return the hexes with their neighbours; north is left on the upright board, so that up is east."""
    ways = list(map(DIRECTIONS.index, file.compass.directions))
    found: dict[PlaceId, Hex] = {}
    for row in file.hexes.rows:
        toward = tuple(grid.neighbour(row.id, way) for way in ways)
        near = tuple(grid.places(hexes.neighbours(grid.hexes[row.id])))
        found[row.id] = extended(row, Hex, toward=toward, near=near)
    return found


def _blocks(file: BoardFile) -> dict[CardId, Block]:
    german = [
        Block(
            id=CardId(row.id),
            name=row.name,
            side=GERMAN,
            kind=row.kind,
            edges=row.steps,
            formation=row.formation,
            colour=row.colour,
            is_r_unit=row.is_r_unit,
            is_axe=row.is_axe,
            start=row.start,
        )
        for row in file.german_blocks.rows
    ]
    soviet = [
        Block(id=CardId(row.id), name=row.name, side=SOVIET, kind=row.kind, edges=row.steps, pool=row.pool)
        for row in file.soviet_blocks.rows
    ]
    return {block.id: block for block in (*german, *soviet)}


def _decks(file: BoardFile) -> tuple[tuple[Side, tuple[TitleRow, ...]], ...]:
    return (GERMAN, file.cards.german), (SOVIET, file.cards.soviet)


def _cards(side: Side, title: Title) -> list[Card]:
    """Return the cards of a title with ids of their own, as in `german/stuka-3` or, where they differ, `soviet/aa-13`."""
    if not title.copies:
        ids = [
            CardId(f"{side}/{title.id}{f'-{number + 1}' if title.count > 1 else ''}") for number in range(title.count)
        ]
        return [Card(id_, side, title, title.name) for id_ in ids]
    return [
        Card(
            id=CardId(f"{side}/{title.id}-{copy.id}"),
            side=side,
            title=title,
            name=copy.name or title.name,
            hex=copy.hex,
            needs_linden=copy.needs_linden,
            is_extra=copy.is_extra,
        )
        for copy in title.copies
    ]


def _check(file: BoardFile, findings: Findings) -> None:
    from core.games.inferno.components.checks.board_checks import check_board

    check_board(file, findings)


BOARD_FILE = ComponentFile(PACKAGE, BoardFile, _build, _check)
"""The board, as the shipped file or an owner's has it."""
