"""Refusals: the values that answer illegal commands, and the list of those that a game makes. Knows no game."""

import tomllib
from functools import cached_property
from importlib.resources import files

from events.codec import Struct
from events.ids import RuleId

REFUSALS_FILE = ("data", "refusals.toml")
"""The path of the list in a game's package. `core.game_files.rulebook` reads it as the end of the game's index."""


class Refusal(Struct, frozen=True):
    """Reason why a command was not accepted.

    `code` is stable and worded as what must hold (`units_must_be_fresh`), `rule` the rule it would break, `sentence` for players.
    """

    code: str
    rule: RuleId
    sentence: str


class Refusals:
    """The refusals of a game: each code with the rule that is usually broken, and a sentence, in order of precedence.

    The file is read on first use.

    Args:
        package: The game's package, which is an attribute too.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def meanings(self) -> dict[str, tuple[RuleId, str]]:
        """The usual rule and the sentence of each code, in order of precedence."""
        listed = tomllib.loads(files(self.package).joinpath(*REFUSALS_FILE).read_text(encoding="utf-8"))
        return {code: (RuleId(one["rule"]), one["text"]) for code, one in listed["refusal_meaning"].items()}

    @cached_property
    def precedence(self) -> dict[str, int]:
        """The place of each code in the order; of several refusals the one with the lowest place answers."""
        return {code: place for place, code in enumerate(self.meanings)}

    @cached_property
    def _usual(self) -> dict[str, Refusal]:
        """The refusal of each code without a sentence or a rule of its own: candidates are judged by the thousand."""
        return {code: Refusal(code, rule, text) for code, (rule, text) in self.meanings.items()}

    def refused(self, code: str, sentence: str = "", rule: RuleId | None = None) -> Refusal:
        """Return a refusal.

        Args:
            code: The code of the refusal.
            sentence: A sentence for players that says more than the code's own one. It discloses nothing hidden.
            rule: The broken rule, if it is not the code's usual one.
        """
        usual = self._usual.get(code)
        if usual is None:
            raise LookupError(f"the refusal {code!r} is not listed in {'/'.join((self.package, *REFUSALS_FILE))}")
        return Refusal(code, rule or usual.rule, sentence or usual.sentence) if sentence or rule else usual

    def first(self, *refusals: Refusal | None) -> Refusal | None:
        """Return the refusal that comes first in the order of precedence, or None if there is none."""
        found = [one for one in refusals if one is not None]
        return min(found, key=lambda one: self.precedence[one.code]) if found else None
