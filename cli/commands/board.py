"""Shows a board outside any match: the map, and where its figures come from."""

import json
from collections.abc import Iterator
from pathlib import Path

from cli.commands.inventory import show_inventory
from cli.exit_codes import usage
from cli.schemas.games import BoardShape, BorderShape, DifferenceShape, PlaceShape
from cli.text_table import wrapped
from cli.world import World, read_text
from core.bound_games import bound_game
from core.game import BoardSheet
from core.games import load_game
from core.ports import MapPlace


def show_board(
    world: World,
    game: str,
    *,
    svg: str,
    board: str,
    variant: str = "",
    is_inventory: bool = False,
    is_schema: bool = False,
) -> None:
    """Show a game's own board or an owner's, draw it to a file, or show what is in the box.

    Raises:
        UnknownName: There is no such game.
        SetupInvalid: The owner's board has defects.
        Fault: The game's board cannot be shown, or a file cannot be read.
    """
    known = load_game(game)
    text = read_text(board) if board else None
    if is_inventory:
        show_inventory(world, known, text, variant)
        return
    if is_schema:
        if known.board_schema is None:
            raise usage(f"{known.key} has no board file")
        world.say(json.dumps(known.board_schema(), indent=1))
        return
    if known.make_sheet is None:
        raise usage(f"the board of {known.key} cannot be shown before a match")
    sheet = known.make_sheet(text, variant)
    if svg:
        _write(world, svg, sheet.svg)
        return
    places = [_place(one) for one in bound_game(known.key, text, variant).narration.places()]
    shape = BoardShape(
        game=known.key,
        digest=sheet.digest,
        places=tuple(places),
        provenance=sheet.counts,
        words=sheet.words,
        doubtful=sheet.doubtful,
        differences=tuple(
            DifferenceShape(where=one.where, shipped=one.shipped, own=one.own, is_printed=one.is_printed)
            for one in sheet.differences
        ),
        contradictions=sheet.contradictions,
    )
    world.put(shape, _board_lines(world, sheet))


def _place(place: MapPlace) -> PlaceShape:
    return PlaceShape(
        id=place.id,
        name=place.name,
        label=place.label,
        x=place.x,
        y=place.y,
        neighbours=place.neighbours,
        is_box=place.is_box,
        map=place.map,
        kind=place.kind,
        outline=place.outline,
        borders=tuple(BorderShape(to=border.to, features=border.features) for border in place.borders),
    )


def difference_lines(sheet: BoardSheet) -> list[str]:
    """List the differences from the shipped board, printed and reconstructed figures, then other contradictions of the text."""
    lines = []
    for one in sheet.differences:
        kind = "printed" if one.is_printed else "reconstructed"
        lines.append(f"{one.where}: {one.own or 'missing'} ({kind}: {one.shipped or 'none'})")
    return [*lines, *sheet.contradictions]


def _write(world: World, path: str, text: str) -> None:
    if path == "-":
        world.say(text.rstrip("\n"))
    else:
        Path(path).write_text(text, encoding="utf-8")
        world.note(f"drew the map to {path}")


def _board_lines(world: World, sheet: BoardSheet) -> Iterator[str]:
    yield from sheet.map_lines
    yield ""
    yield f"Board {sheet.digest}"
    if sheet.differences or sheet.contradictions:
        yield "Differences from the shipped board:"
        yield from [f"  {line}" for line in difference_lines(sheet)]
    yield "Where its figures come from:"
    yield from [f"  {line}" for line in sheet.provenance]
    yield ""
    for word, meaning in sheet.words.items():
        yield from wrapped(f"  {word}: ", meaning, world.width)
    yield ""
    if not world.is_verbose:
        yield f"{len(sheet.doubtful)} lines about what the rulebook's text does not give: add -v"
        return
    for line in sheet.doubtful:
        yield from wrapped("  ", line, world.width)
