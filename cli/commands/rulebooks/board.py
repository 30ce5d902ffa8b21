"""Shows a board outside any match: the map, and where its figures come from."""

import json
import sys
from collections.abc import Iterator

from cli.commands.rulebooks.inventory import show_inventory
from cli.commands.viewing.draw import SVG, Drawing
from cli.output.columns import wrapped
from cli.schemas.games import BoardShape, BorderShape, DifferenceShape, PlaceShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.input_files import read_text
from core.game.game_record import BoardReport
from core.match.bound_games import bound_game
from core.narration.render_model import MapPlace
from core.registry.games import load_game
from core.wording import joined


def show_board(
    context: Context,
    game: str,
    *,
    svg: str,
    board: str,
    variant: str = "",
    is_inventory: bool = False,
    is_schema: bool = False,
    is_text: bool = False,
    is_forced: bool = False,
) -> None:
    """Show a game's own board or an owner's, draw it to a file, print it as a file, or show what is in the box.

    Raises:
        UnknownName: There is no such game.
        SetupInvalid: The owner's board has defects.
        UserError: The game's board cannot be shown, or a file cannot be read.
        OutputRefused: What is where the drawing is to be written stays.
        StoreUnavailable: The drawing cannot be written.
    """
    known = load_game(game)
    wished = {"--svg": bool(svg), "--inventory": is_inventory, "--schema": is_schema, "--toml": is_text}
    if len(named := [option for option, is_wished in wished.items() if is_wished]) > 1:
        raise usage(f"{joined(named, 'and')} exclude each other: give one of them")
    text = read_text(board) if board else None
    if is_inventory:
        show_inventory(context, known, text, variant)
        return
    if is_schema:
        if known.board_schema is None:
            raise usage(f"{known.key} has no board file")
        context.echo(json.dumps(known.board_schema(), indent=1))
        return
    if is_text:
        sys.stdout.buffer.write(text.encode() if text is not None else known.shipped_board())
        return
    if known.make_report is None:
        raise usage(f"the board of {known.key} cannot be shown before a match")
    drawing = Drawing(svg, SVG, is_forced=is_forced)
    if svg:
        drawing.check()
    report = known.make_report(text, variant)
    if svg:
        drawing.write(context, report.svg.encode(), "map")
        return
    places = [_place(one) for one in bound_game(known.key, text, variant).narration.places()]
    shape = BoardShape(
        game=known.key,
        digest=report.digest,
        places=tuple(places),
        provenance=report.counts,
        words=report.words,
        doubtful=report.doubtful,
        differences=tuple(
            DifferenceShape(where=one.where, shipped=one.shipped, own=one.own, is_printed=one.is_printed)
            for one in report.differences
        ),
        contradictions=report.contradictions,
    )
    context.print_result(shape, _board_lines(context, report))


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


def difference_lines(report: BoardReport) -> list[str]:
    """List the differences from the shipped board, printed and reconstructed figures, then other contradictions of the text."""
    lines = []
    for one in report.differences:
        kind = "printed" if one.is_printed else "reconstructed"
        lines.append(f"{one.where}: {one.own or 'missing'} ({kind}: {one.shipped or 'none'})")
    return [*lines, *report.contradictions]


def _board_lines(context: Context, report: BoardReport) -> Iterator[str]:
    yield from report.map_lines
    yield ""
    yield f"Board {report.digest}"
    if report.differences or report.contradictions:
        yield "Differences from the shipped board:"
        yield from [f"  {line}" for line in difference_lines(report)]
    yield "Where its figures come from:"
    yield from [f"  {line}" for line in report.provenance]
    yield ""
    for word, meaning in report.words.items():
        yield from wrapped(f"  {word}: ", meaning, context.width)
    yield ""
    if not context.is_verbose:
        yield f"{len(report.doubtful)} lines about what the rulebook's text does not give: add -v"
        return
    for line in report.doubtful:
        yield from wrapped("  ", line, context.width)
