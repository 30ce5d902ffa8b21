"""Units that a command may mean: commands name classes of like units (`queries.like`) and where they are."""

from collections.abc import Iterable, Iterator, Mapping

from core.engine.command import Command
from core.engine.selection import Choose, Pick, Unpick
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ARTILLERY, ROCKET_LAUNCHER
from core.games.axis_allies.ids import FLYING, enemy
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.assigned_fire import ASSIGN_AIR_DEFENSE, ASSIGN_BOMBARDMENT
from core.games.axis_allies.rules.casualties import TARGETS, exposed, target
from core.games.axis_allies.rules.landing import LAND_QUESTION
from core.games.axis_allies.rules.queries import like, tokens
from events.ids import PieceId, PlaceId
from projections.state.table import Open, Table

GUNS = {ASSIGN_AIR_DEFENSE: ARTILLERY, ASSIGN_BOMBARDMENT: ROCKET_LAUNCHER}
"""What fires from the zones that a question assigns to targets, by its kind."""


def pieces_meant(board: Board, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
    """Return the pieces that a command may mean by each class of units that it names; none by what it names for the first time."""
    if table.top is not None and table.top.kind == TARGETS:
        return _targeted(board, table, table.top, command)
    if table.top is not None and table.top.kind in GUNS:
        return _firing(board, table, table.top, command)
    if isinstance(command, commands.Spend) and table.top is not None:
        mine = tokens(table, command.at, table.side_of(table.top.seat))
        return {command.at: tuple(mine)} if mine else {}
    found: dict[str, tuple[PieceId, ...]] = {}
    for class_, there in _named(table, command):
        pieces = [piece for piece in there if _is_meant(table, piece, class_)]
        if pieces:
            found[class_] = tuple(dict.fromkeys([*found.get(class_, ()), *pieces]))
    return found


def _targeted(board: Board, table: Table, asked: Open, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
    """Return the enemy units of each type on which a hit is to fall; of a pick that is undone those on which it was to fall."""
    match command:
        case Pick(to=to):
            named = {to: [to]}
        case Unpick(item=item):
            named = {item: [to for picked, to in asked.picks if picked == item]}
        case Choose(places=places):
            named = {to: [to] for to in places}
        case _:
            named = {}
    there = exposed(table, board, PlaceId(asked.text("place")), enemy(table.side_of(asked.seat)))
    return {
        word: pieces
        for word, types in named.items()
        if (pieces := tuple([piece for piece in there if target(table, board, piece) in types]))
    }


def _firing(board: Board, table: Table, asked: Open, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
    """Return the units that fire from each zone that a command assigns to a target."""
    match command:
        case Pick(item=item) | Unpick(item=item):
            zones: tuple[str, ...] = (item,)
        case Choose(items=items):
            zones = tuple(items)
        case _:
            zones = ()
    side, kinds = table.side_of(asked.seat), board.units
    mine = [piece for piece in table.pieces.values() if piece.side == side and piece.kind in kinds]
    guns = [piece for piece in mine if kinds[piece.kind].type == GUNS[asked.kind]]
    found = {zone: tuple([piece.id for piece in guns if piece.place == zone]) for zone in zones}
    return {zone: pieces for zone, pieces in found.items() if pieces}


def _named(table: Table, command: Command) -> Iterator[tuple[str, Iterable[PieceId]]]:
    """Yield the classes that a command names, each with the pieces among which it is."""
    match command:
        case commands.Move(unit=unit, origin=origin) | commands.Evict(unit=unit, origin=origin):
            yield unit, table.pieces_at(origin)
        case commands.Rearrange(unit=unit, origin=origin):
            yield unit, table.pieces_at(origin)
        case commands.MoveStack(units=units, origin=origin):
            yield from ((unit, table.pieces_at(origin)) for unit in units)
        case commands.Fly(unit=unit, origin=origin, cargo=cargo):
            yield from ((one, table.pieces_at(origin)) for one in (unit, *cargo))
        case commands.Blitz(unit=unit, origin=origin, partner=partner, partner_origin=beside):
            yield from ((unit, table.pieces_at(origin)), (partner, table.pieces_at(beside)))
        case commands.ExitPair(units=units, origins=origins):
            yield from ((unit, table.pieces_at(origin)) for unit, origin in zip(units, origins, strict=True))
        case Pick(item=item) | Unpick(item=item):
            yield item, _pool(table)
        case Choose(items=items):
            yield from ((item, _pool(table)) for item in items)
        case _:
            pass


def _pool(table: Table) -> Iterable[PieceId]:
    """Return the units among which the open question is: those that it names, those of its zone, or the aircraft that land."""
    top = table.top
    if top is None:
        return ()
    mine = [piece.id for piece in table.pieces.values() if piece.side == table.side_of(top.seat)]
    if top.kind == LAND_QUESTION:
        return [piece for piece in mine if table.pieces[piece].face == FLYING]
    zone = top.text("zone")
    return [*map(PieceId, top.texts("pool")), *(piece for piece in mine if table.pieces[piece].place == zone)]


def _is_meant(table: Table, piece: PieceId, class_: str) -> bool:
    """Return whether a piece is of a class; aircraft that land are named by their type alone."""
    is_landing = table.top is not None and table.top.kind == LAND_QUESTION
    return like(table, piece) == class_ or (is_landing and table.pieces[piece].kind == class_)
