"""Shows rules and the rulings that bear on them, in our own words."""

from cli.output.rule_entries import entry_lines, entry_shape, rule_shape
from cli.shell.context import Context
from core.game_files.rulebook import load_rulebook
from core.registry.games import load_game


def show_rules(context: Context, game: str, rule: str) -> None:
    """Show all rules of a game, those of a section, or one rule or ruling.

    Raises:
        UnknownName: There is no such game, rule or section.
    """
    book = load_rulebook(load_game(game).package)
    if not rule:
        for known in book.rules.values():
            context.print_result(rule_shape(book, known), [f"{known.id}: {known.text}"])
        return
    section = book.section(rule)
    entries = list(section) if section and rule not in book.rules else [book.entry(rule)]
    for number, entry in enumerate(entries):
        shape = entry_shape(book, entry)
        context.print_result(shape, [*([""] if number else []), *entry_lines(shape, context.width)])
