"""Shows the inventory of a game, by which position files are checked."""

from collections.abc import Iterable, Iterator, Mapping

from cli.output.columns import in_columns
from cli.schemas.games import InventoryShape, RememberedShape
from cli.shell.context import Context
from core.components.inventory import Counters, Inventory, Pieces, Places
from core.game.game_record import Game
from core.match.bound_games import bound_game
from core.wording import plural
from events.ids import Side


def show_inventory(context: Context, game: Game, board: str | None, variant: str = "") -> None:
    """Show the inventory of a game on its own board or on an owner's; with -v every id with its printed name.

    Raises:
        SetupInvalid: The owner's board has defects.
    """
    box = bound_game(game.key, board, variant).inventory()
    shape = InventoryShape(
        game=game.key,
        sides=dict(box.sides),
        places=tuple(box.places),
        pieces=tuple(box.pieces),
        counters=tuple(box.counters),
        tracks=tuple(box.tracks),
        cards=tuple(box.cards),
        piles=tuple(box.piles),
        remembered=tuple(_remembered(box)),
    )
    context.print_result(shape, _lines(context, box, shape))


def _remembered(box: Inventory) -> Iterator[RememberedShape]:
    for group, declared in box.memory.of.items():
        for one in declared:
            yield RememberedShape(
                of=group,
                key=one.key,
                type=one.kind.__name__,
                until=one.until,
                within=one.within,
                refers=box.memory.refers.get(one, ()),
            )


def _lines(context: Context, box: Inventory, shape: InventoryShape) -> Iterator[str]:
    yield f"Sides: {', '.join(box.sides.values())}"
    sections: list[tuple[str, list[list[str]]]] = [
        ("Places", [[places.what, str(len(places.names)), _held(box, places)] for places in box.places]),
        ("Pieces", [[pieces.what, str(len(pieces.names)), _piece_words(pieces)] for pieces in box.pieces]),
        ("Counters", [[" or ".join(one.faces.values()), _number(one.stock), _on(one)] for one in box.counters]),
        ("Tracks", [[track.name, "", _range(track.least, track.most)] for track in box.tracks]),
        ("Cards", [[cards.what, str(len(cards.names)), ""] for cards in box.cards]),
        ("Piles", [[" or ".join(piles.names.values()), "", plural(piles.holds)] for piles in box.piles]),
        ("Attributes", [[one.of, "", _memory_words(one)] for one in shape.remembered]),
    ]
    for title, rows in sections:
        yield ""
        yield title
        yield from in_columns(["", "", ""], [[f"  {row[0]}", *row[1:]] for row in rows], context.width, right=[1])
    if context.is_verbose:
        yield ""
        yield "Ids and printed names"
        yield from in_columns(["", ""], [[f"  {id_}", name] for id_, name in _names(box)], context.width)


def _held(box: Inventory, places: Places) -> str:
    held = [
        f"{_most(pieces.where[places.what])}{plural(pieces.what)}"
        for pieces in box.pieces
        if places.what in pieces.where
    ]
    controlled = [f"controlled by {_either(places.control, box.sides)}"] if places.control else []
    return "; ".join([*([f"holds {', '.join(held)}"] if held else []), *controlled])


def _piece_words(pieces: Pieces) -> str:
    where = ", ".join(f"{_most(most)}in one {place}" if most else f"in {place}" for place, most in pieces.where.items())
    kinds = sorted({kind for some in pieces.kinds.values() for kind in some if kind})
    said = [where]
    said += [f"faces {', '.join(name for name in pieces.faces.values() if name)}"] if pieces.faces else []
    said += [f"{pieces.steps} steps"] if pieces.steps else []
    said += [f"kinds {', '.join(kinds)}"] if kinds else []
    return "; ".join(said)


def _on(counters: Counters) -> str:
    return ", ".join(f"{_most(most)}on one {what}" if most else f"on {what}" for what, most in counters.on.items())


def _memory_words(one: RememberedShape) -> str:
    lasts = (
        f", until the next {one.until}" if one.until else f", within {' or '.join(one.within)}" if one.within else ""
    )
    refers = f", names a {' or a '.join(one.refers)}" if one.refers else ""
    return f"{one.key} ({one.type}{refers}{lasts})"


def _most(most: int | None) -> str:
    return "" if most is None else f"at most {most} "


def _number(stock: int | None) -> str:
    return "no limit" if stock is None else str(stock)


def _range(least: int, most: int | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"


def _either(sides: Iterable[Side], names: Mapping[Side, str]) -> str:
    return " or ".join(names.get(side, "no side") for side in sides)


def _names(box: Inventory) -> list[tuple[str, str]]:
    named: list[Iterable[tuple[str, str]]] = [places.names.items() for places in box.places]
    named += [pieces.names.items() for pieces in box.pieces]
    named += [cards.names.items() for cards in box.cards]
    named += [piles.names.items() for piles in box.piles]
    named += [counters.faces.items() for counters in box.counters]
    return [item for items in named for item in items]
