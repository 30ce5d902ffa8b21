"""The index of a game's rules: every rule, ruling and refusal by its id, read from the game's packaged `rules.toml`.

Knows no game. The indexes differ a little: some have a list of refusals and some answer with rule ids, some give a
refusal a rule and some only a sentence; missing fields are empty here. A game may have its refusals in a file of their own
(`core.refusal.Refusals`), which belongs to the index.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from core.errors import KernelError, UnknownName
from core.refusal import REFUSALS_FILE
from events.codec import DecodeError, Struct, convert
from events.ids import Digest, RuleId

RULES_FILE = ("data", "rules.toml")
"""The path of the index in a game's package."""


Silence = Literal["", "definition", "permission", "order", "absence"]
"""Why no event or refusal cites a rule: other rules apply it, what it allows is an option, the events are in its order, or it
says what does not happen."""


class RulebookInvalid(KernelError):
    """A rules index cannot be read; the message says why."""


class Rule(Struct, frozen=True):
    """One atomic, testable rule.

    `page` is the rulebook's section or page. `needs` are rules it depends on or overrides, `rulings` settle its open
    points, `source` and `data` (if a game has them) are its source and the board keys of its figures. `silent` says
    why a rule that is not a definition is cited by no event and broken by no command.
    """

    id: RuleId
    page: str
    kind: str
    text: str
    test: str
    needs: tuple[RuleId, ...] = ()
    rulings: tuple[RuleId, ...] = ()
    source: str = ""
    data: tuple[str, ...] = ()
    silent: Silence = ""


class Ruling(Struct, frozen=True):
    """The settlement of one ambiguity, gap or contradiction.

    `weight` is `high`, `medium` or `low`. With `option` the ruling can be chosen when a match is created.
    """

    id: RuleId
    weight: str
    question: str
    readings: tuple[str, ...]
    ruling: str
    why: str
    option: bool
    rules: tuple[RuleId, ...]
    option_name: str = ""
    option_values: tuple[str, ...] = ()
    option_default: str = ""

    def default(self) -> str:
        """Return the option's value if none is chosen: the named default or the first value; empty if no option."""
        if self.option_default or not self.option_values:
            return self.option_default
        return self.option_values[0]


class RefusalMeaning(Struct, frozen=True):
    """The meaning of a refusal's code: the rule usually broken (or empty) and a sentence for players (may be empty)."""

    code: str
    rule: RuleId | None
    text: str


class Rulebook(Struct, frozen=True):
    """A game's rules, rulings and refusals; `refusals` is in order of precedence, `digest` is over the file's bytes."""

    game: str
    title: str
    kinds: tuple[str, ...]
    rules: dict[RuleId, Rule]
    rulings: dict[RuleId, Ruling]
    refusals: tuple[RefusalMeaning, ...]
    digest: Digest

    def rule(self, rule_id: str) -> Rule:
        """Return a rule by its id.

        Raises:
            UnknownName: There is no such rule; similar ids are suggested.
        """
        found = self.rules.get(RuleId(rule_id))
        if found is None:
            raise _unknown(self.title, "rule", rule_id, [str(known) for known in self.rules])
        return found

    def ruling(self, ruling_id: str) -> Ruling:
        """Return a ruling by its id.

        Raises:
            UnknownName: There is no such ruling; similar ids are suggested.
        """
        found = self.rulings.get(RuleId(ruling_id))
        if found is None:
            raise _unknown(self.title, "ruling", ruling_id, [str(known) for known in self.rulings])
        return found

    def bearing(self, rule: Rule) -> list[Ruling]:
        """Return the rulings that bear on a rule."""
        return [ruling for ruling in self.rulings.values() if ruling.id in rule.rulings or rule.id in ruling.rules]

    def entry(self, entry_id: str) -> Rule | Ruling:
        """Return the rule or ruling of an id.

        Raises:
            UnknownName: There is neither; similar ids are suggested.
        """
        rule = self.rules.get(RuleId(entry_id))
        if rule is not None:
            return rule
        ruling = self.rulings.get(RuleId(entry_id))
        if ruling is not None:
            return ruling
        known = [*(str(one) for one in self.rules), *(str(one) for one in self.rulings)]
        raise _unknown(self.title, "rule or ruling", entry_id, known)

    def section(self, page: str) -> tuple[Rule, ...]:
        """Return the rules of a rulebook section and its subsections, in file order; empty if it has none.

        A rule that names several sections, such as "9.4, 8.1" or "p.12; p.24 Card 1", belongs to each of them, and comes last
        in those that it does not name first.
        """
        section = page.rstrip(".")
        if not section:
            return ()
        found = (rule for rule in self.rules.values() if _is_within(rule.page, section))
        return tuple(sorted(found, key=lambda rule: not _is_within(_BETWEEN_SECTIONS.split(rule.page)[0], section)))

    def refusal(self, code: str) -> RefusalMeaning:
        """Return the meaning of a refusal code.

        Raises:
            UnknownName: The game has no such refusal; similar codes are suggested.
        """
        for refusal in self.refusals:
            if refusal.code == code:
                return refusal
        raise _unknown(self.title, "refusal", code, [refusal.code for refusal in self.refusals])

    def precedence(self, code: str) -> int:
        """Return a refusal's place in the order of precedence: 0 is answered first.

        Raises:
            UnknownName: The game has no such refusal; similar codes are suggested.
        """
        return self.refusals.index(self.refusal(code))


_NUMBER = re.compile(r"\d+(\.\d+)*")
_BETWEEN_SECTIONS = re.compile(r"[,;] ")


def _is_within(page: str, section: str) -> bool:
    """Return whether a section, or a part of it, is among those that a rule names: `9.5.2A` and `9.5.2.1` are parts of `9.5.2`."""
    is_number = _NUMBER.fullmatch(section) is not None
    for named in (page, *_BETWEEN_SECTIONS.split(page)):
        if named == section:
            return True
        if named.startswith(section):
            rest = named[len(section) :]
            if rest[0] == "." or rest.startswith(" (") or (rest[0].isalpha() if is_number else not rest[0].isalnum()):
                return True
    return False


class _Meaning(Struct, frozen=True):
    """A refusal's meaning in an index that names the rule as well."""

    rule: RuleId
    text: str


class _Index(Struct, frozen=True):
    """The file itself."""

    game: str
    title: str
    rule: tuple[Rule, ...]
    ruling: tuple[Ruling, ...] = ()
    kinds: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    refusal_precedence: tuple[str, ...] = ()
    refusal_meaning: dict[str, _Meaning | str] = {}


def parse_rulebook(data: bytes, name: str = "the rules index") -> Rulebook:
    """Read a rules index.

    Args:
        data: The TOML file's bytes, UTF-8.
        name: What an error calls it.

    Raises:
        RulebookInvalid: It is not valid TOML, has another form, or an id occurs twice.
    """
    try:
        index = convert(tomllib.loads(data.decode()), _Index)
    except (DecodeError, ValueError, RecursionError) as error:
        raise RulebookInvalid(f"{name} cannot be read: {error}") from None
    rules = {rule.id: rule for rule in index.rule}
    rulings = {ruling.id: ruling for ruling in index.ruling}
    if len(rules) + len(rulings) != len(index.rule) + len(index.ruling) or rules.keys() & rulings.keys():
        ids = Counter([*(rule.id for rule in index.rule), *(ruling.id for ruling in index.ruling)])
        raise RulebookInvalid(f"{name} cannot be read: the id {ids.most_common(1)[0][0]} occurs twice")
    return Rulebook(
        game=index.game,
        title=index.title,
        kinds=index.kinds or tuple(dict.fromkeys(rule.kind for rule in index.rule)),
        rules=rules,
        rulings=rulings,
        refusals=_refusals(index),
        digest=Digest(sha256(data).hexdigest()),
    )


def _file(folder: Traversable, names: Iterable[str]) -> Traversable:
    """Return a file below a folder. A package without `__init__` joins one name at a time in Python 3.11."""
    for name in names:
        folder = folder.joinpath(name)
    return folder


@cache
def load_rulebook(package: str) -> Rulebook:
    """Return the rules index that a game's package ships; read once, on the first call.

    Args:
        package: The game's import name, such as `core.games.advance`.

    Raises:
        RulebookInvalid: The package has no readable index.
    """
    try:
        folder = files(package)
        parts = {"/".join(RULES_FILE): _file(folder, RULES_FILE).read_bytes()}
        refusals = _file(folder, REFUSALS_FILE)
        if refusals.is_file():
            parts["/".join(REFUSALS_FILE)] = refusals.read_bytes()
    except (ModuleNotFoundError, OSError) as error:
        raise RulebookInvalid(f"the rules index of {package} cannot be read: {error}") from None
    for name, data in parts.items():
        _check_toml(f"{package}: {name}", data)
    return parse_rulebook(b"\n".join(parts.values()), f"{package}: {' with '.join(parts)}")


def _check_toml(name: str, data: bytes) -> None:
    """Check that a file is TOML by itself, so that an error names the file and its line.

    Raises:
        RulebookInvalid: It is not.
    """
    try:
        tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise RulebookInvalid(f"{name} cannot be read: {error}") from None


def is_match_rule(rule: RuleId) -> bool:
    """Return whether a rule, known or not, belongs to the index of match rules and not to a game's."""
    return rule.startswith("match.")


@cache
def load_match_rulebook() -> Rulebook:
    """Return the index of match rules, which hold in every game."""
    return parse_rulebook((files(__package__) / "match_rules.toml").read_bytes())


def _refusals(index: _Index) -> tuple[RefusalMeaning, ...]:
    """Sort the refusals by precedence; codes without a rank come last, as listed. Without a list the order is that of the meanings."""
    codes = dict.fromkeys((*index.refusal_precedence, *index.refusals, *index.refusal_meaning))
    refusals: list[RefusalMeaning] = []
    for code in codes:
        meaning = index.refusal_meaning.get(code, "")
        if isinstance(meaning, str):
            refusals.append(RefusalMeaning(code=code, rule=None, text=meaning))
        else:
            refusals.append(RefusalMeaning(code=code, rule=meaning.rule, text=meaning.text))
    return tuple(refusals)


def _unknown(title: str, what: str, asked: str, known: list[str]) -> UnknownName:
    """Return the error of an id that does not exist, with similar ids."""
    close = get_close_matches(asked, known, n=3, cutoff=0.5) or [one for one in known if asked and asked in one][:3]
    hint = f"; similar: {', '.join(close)}" if close else ""
    return UnknownName(f"{title} has no {what} {asked!r}{hint}")
