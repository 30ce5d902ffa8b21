"""Prints how a game is played: its player aid, or the rules that have the words which a reader asks for."""

from collections.abc import Iterator

from cli.output.columns import wrapped
from cli.output.rule_entries import entry_lines, entry_shape
from cli.schemas.games import AidShape, NamedRule
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed
from core.game_files.player_aid import PlayerAid, load_aid
from core.game_files.rule_search import search_rules
from core.game_files.rulebook import load_rulebook
from core.registry.games import load_game


def learn(context: Context, game: str, words: str) -> None:
    """Print the player aid of a game, or with words the rules that have them.

    Raises:
        UnknownName: There is no such game.
        UserError: No rule has any of the words, or the game has no player aid.
    """
    record = load_game(game)
    if words:
        book = load_rulebook(record.package)
        found = search_rules(book, words)
        if not found:
            raise check_failed(f"no rule has any of these words; `wardiary rules {game}` lists all", "nothing_found")
        for number, entry in enumerate(found):
            shape = entry_shape(book, entry)
            context.print_result(shape, [*([""] if number else []), *entry_lines(shape, context.width)])
        return
    aid = load_aid(record.package, record.shipped_board())
    if aid is None:
        raise check_failed(f"{record.title} has no player aid; `wardiary rules {game}` lists its rules", "no_aid")
    page = AidShape(
        game=record.key,
        goal=aid.goal,
        turn=tuple(NamedRule(name=step.title, text=step.text, rule=step.rule) for step in aid.turn),
        tables={
            table.title: tuple(
                NamedRule(name=row.name, cost=row.cost, text=row.text, rule=row.rule) for row in table.row
            )
            for table in aid.table
        },
    )
    context.print_result(page, _lines(context, record.title, aid))


def _lines(context: Context, title: str, aid: PlayerAid) -> Iterator[str]:
    width = context.width
    yield context.paint(title, "")
    yield ""
    yield from wrapped("", aid.goal, width)
    yield ""
    yield context.paint("A turn", "")
    for step in aid.turn:
        yield from wrapped(f"  {step.title}: ", step.text, width)
    for table in aid.table:
        yield ""
        yield context.paint(table.title, "")
        for row in table.row:
            cost = f" ({row.cost})" if row.cost and row.text else ""
            yield from wrapped(f"  {row.name}{cost}: ", row.text or row.cost, width)
