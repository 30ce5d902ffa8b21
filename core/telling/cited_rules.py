"""The rules that a match cites: those of its game, and those of every match."""

from collections.abc import Iterable
from typing import NamedTuple

from core.errors import RulesetMissing, UnknownName
from core.game_files.rulebook import Rule, Rulebook, Ruling, is_match_rule, load_match_rulebook, load_rulebook
from core.registry.games import load_game
from core.suggestions import unknown
from core.telling.chosen_options import ChosenOption
from events.ids import GameKey, RuleId


class Entry(NamedTuple):
    """A rule or a ruling, and the index that has it."""

    book: Rulebook
    entry: Rule | Ruling


def rule_defect(key: GameKey, rule: str, listed_by: str = "") -> str:
    """Return why a ruling cannot cite a rule: it is neither a rule, a ruling nor a printed section of a game or of all matches; empty if it can.

    Args:
        key: The game, which is installed.
        rule: What is cited.
        listed_by: What lists the rules.
    """
    game = load_game(key)
    books = (load_rulebook(game.package), load_match_rulebook())
    known = [str(one) for book in books for one in (*book.rules, *book.rulings)]
    if rule in known or any(one.startswith(f"{rule}.") for one in known):
        return ""
    return unknown(f"rule of {game.title}", rule, known, listed_by=listed_by)


class RuleBooks:
    """The rules of a game and those of every match.

    Args:
        game: The game; it need not be installed.
    """

    def __init__(self, game: GameKey) -> None:
        try:
            self._game: Rulebook | None = load_rulebook(load_game(game).package)
        except (UnknownName, RulesetMissing):
            self._game = None
        self._match = load_match_rulebook()

    def find(self, id_: RuleId) -> Entry | None:
        """Return a rule or a ruling; None if it is not in the rules as they are now."""
        book = self._match if is_match_rule(id_) else self._game
        try:
            return None if book is None else Entry(book, book.entry(id_))
        except UnknownName:
            return None

    def text(self, id_: RuleId) -> str:
        """Return the text of a rule, or the decision of a ruling; empty if it is not in the rules as they are now."""
        found = self.find(id_)
        if found is None:
            return ""
        return found.entry.ruling if isinstance(found.entry, Ruling) else found.entry.text

    def options_on(self, id_: RuleId, options: Iterable[ChosenOption]) -> tuple[ChosenOption, ...]:
        """Return those of a match's options that change a rule or one of its rulings."""
        found = self.find(id_)
        if found is None:
            return ()
        book, entry = found
        rulings = book.bearing(entry) if isinstance(entry, Rule) else [entry]
        ids, keys = {entry.id, *(ruling.id for ruling in rulings)}, {ruling.option_name for ruling in rulings}
        return tuple([option for option in options if option.rule in ids or option.key in keys])
