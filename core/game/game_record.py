"""A game's record: its scenarios and options, and the loaders of its rules, narration, positions and bots."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol, cast

from core.bots.bot_port import Policy
from core.errors import SetupInvalid, UnknownName
from core.game.bound_game import BoundGame
from core.game_files.rules_digest import bots_digest, rules_digest
from core.suggestions import unknown
from events.codec import Struct
from events.ids import NO_SEAT, Digest, GameKey, RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Open, Table


class Mode(Struct, frozen=True):
    """The seats of a mode: `seats` lists them with the side that each plays.

    The side is empty if it is settled in play (`SideAssigned`). A side of the game that no seat plays is played by the rules.
    """

    key: str
    title: str
    seats: dict[Seat, Side]


class Scenario(Struct, frozen=True):
    """One way to set a game up, and the modes in which it can be played, at least one."""

    key: str
    title: str
    modes: tuple[Mode, ...]
    summary: str = ""

    def mode(self, key: str) -> Mode:
        """Return a mode by its key; an empty key is the first one.

        Raises:
            UnknownName: There is no such name.
        """
        for mode in self.modes:
            if key in ("", mode.key):
                return mode
        raise UnknownName(unknown(f"mode of scenario {self.key}", key, [mode.key for mode in self.modes]))


class OptionSpec(Struct, frozen=True):
    """An option that is fixed when a match is opened.

    The type of `default` is the type of the option. `choices` limits texts and the members of lists, `low` and `high`
    numbers. `rule` is the rule or ruling that it switches. `scenarios` and `modes` limit it to some; empty means all. `needs` is
    the key of an option of the same scenarios and modes without which it cannot be set: while that one has its default, so has it.
    """

    key: str
    title: str
    default: Value
    rule: RuleId
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    scenarios: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    needs: str = ""

    def is_for(self, scenario: Scenario, mode: Mode) -> bool:
        """Return whether a match of a scenario and mode has the option."""
        return (not self.scenarios or scenario.key in self.scenarios) and (not self.modes or mode.key in self.modes)

    def of(self, table: Table) -> Value:
        """Return the value in a match; the default in one whose scenario or mode does not have the option."""
        return table.options.get(self.key, self.default)

    def is_on(self, table: Table) -> bool:
        """Return whether a match has the option on."""
        return self.of(table) is True

    def is_in_force(self, table: Table, at: Open) -> bool:
        """Return whether a match has the option on, as the condition of a step (`core.engine.steps.Step`)."""
        return self.is_on(table)

    def chosen(self, table: Table) -> str:
        """Return the word that a match has chosen."""
        value = self.of(table)
        assert isinstance(value, str)
        return value

    def number(self, table: Table) -> int:
        """Return the number that a match has chosen."""
        value = self.of(table)
        assert isinstance(value, int)
        return value


class BoardDifference(Struct, frozen=True):
    """A figure of a board that differs from the shipped one, both values in words; empty if there is no such row.

    `is_printed` is whether the rulebook states the figure; otherwise it is reconstructed, and the difference is a correction.
    """

    where: str
    shipped: str
    own: str
    is_printed: bool


class BoardReport(Struct, frozen=True):
    """A board as shown to readers before any match.

    `map_lines` is the map for a terminal, `svg` a drawing of it. `counts` is the number of fields of the board by source, `words`
    explains the sources, `provenance` is the same as lines of text by section; `doubtful` lists, one line each, what the rulebook's
    text does not give. `differences` lists the differences from the shipped board, and `contradictions`, one line each, the
    contradictions of the printed game, in the order of the file.
    """

    digest: Digest
    map_lines: tuple[str, ...]
    svg: str
    counts: dict[str, int]
    words: dict[str, str]
    provenance: tuple[str, ...]
    doubtful: tuple[str, ...]
    differences: tuple[BoardDifference, ...] = ()
    contradictions: tuple[str, ...] = ()


class Bind(Protocol):
    """Binds a game to a board."""

    def __call__(self, board: str | None, variant: str = "") -> BoundGame:
        """Return the game on a board.

        Args:
            board: The text of an owner's board file, or None for the shipped board.
            variant: The name under which the board may contradict the printed game; empty if it may not.

        Raises:
            SetupInvalid: The board has defects, all of which are listed, or the game has no other boards or no variants.
        """


class Game(Struct, frozen=True):
    """A game: its title, scenarios, modes and options, and the functions that load the rest when it is needed.

    `sides` are all sides of the game, whatever the mode. `edition` names the state of the rules for readers: its first number
    changes with a new reading of the rulebook, the second with any other published change of `rules_digest`. `shipped_board` returns
    the exact bytes of the shipped board, `board_schema` the JSON Schema of a board file. `make_report` takes the same as `bind`, for
    games whose board can be shown. `load_policies` returns the game's bots by name. `package` is the dotted name of the folder that
    holds rules and data, and `deciding` lists what outcomes depend on in that folder: files, and folders without the folders in them.
    `has_dice` is False if chance only shuffles and draws. For lists there are `short_title`, `pitch`, which says in two lines what a player
    does, and `weight`, how much there is to learn from 1 (light) to 4 (heavy), 0 if that is not said. `first_seat` is the seat that a player
    best takes in a first match, in the first scenario; empty for the first seat. `roles` says in a few words what each side does, in the order
    of the colours in which the map shows the sides.
    """

    key: GameKey
    title: str
    edition: str
    sides: tuple[Side, ...]
    scenarios: tuple[Scenario, ...]
    options: tuple[OptionSpec, ...]
    bind: Bind
    shipped_board: Callable[[], bytes]
    package: str
    deciding: tuple[str, ...]
    load_policies: Callable[[], Mapping[str, Policy]]
    make_report: Callable[[str | None, str], BoardReport] | None = None
    board_schema: Callable[[], dict[str, object]] | None = None
    has_dice: bool = True
    short_title: str = ""
    pitch: str = ""
    weight: int = 0
    first_seat: Seat = NO_SEAT
    roles: Mapping[Side, str] = {}

    @property
    def called(self) -> str:
        """The short title, or the title of a game that has none."""
        return self.short_title or self.title

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The game's bots, by name."""
        return self.load_policies()

    @property
    def rules_digest(self) -> Digest:
        """The hash of everything that outcomes depend on: the game's rules and data, the kernel's deciding code, the fold; and the edition."""
        return rules_digest(self.package, self.deciding, self.edition)

    @property
    def bots_digest(self) -> Digest:
        """The hash of all that the choices of the game's bots follow from: the rules, and the code that chooses."""
        return bots_digest(self.package, self.rules_digest)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of all modes."""
        modes = [mode for scenario in self.scenarios for mode in scenario.modes]
        return tuple(dict.fromkeys([seat for mode in modes for seat in mode.seats]))

    def first_with(self, seat: Seat) -> tuple[Scenario, Mode]:
        """Return the first scenario and mode that have a seat, which must be one of the game."""
        return next((scenario, mode) for scenario in self.scenarios for mode in scenario.modes if seat in mode.seats)

    def scenario(self, key: str) -> Scenario:
        """Return a scenario by its key; an empty key is the first one.

        Raises:
            UnknownName: There is no such name.
        """
        for scenario in self.scenarios:
            if key in ("", scenario.key):
                return scenario
        raise UnknownName(unknown(f"scenario of {self.key}", key, [scenario.key for scenario in self.scenarios]))

    def typed_options(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Convert the options that are given as text, as they are typed; what cannot be converted stays, and is a defect."""
        specs = {spec.key: spec for spec in self.options}
        typed = {key.replace("-", "_"): value for key, value in given.items()}
        for key, value in typed.items():
            if key in specs and isinstance(value, str):
                with suppress(SetupInvalid):
                    typed[key] = parse_option(specs[key], value.strip())
        return typed

    def full_options(self, scenario: Scenario, mode: Mode, given: Mapping[str, object]) -> dict[str, Value]:
        """Check the given options, which may be of any type, and add the defaults of the others.

        Raises:
            SetupInvalid: All defects: unknown options, wrong types, values that are not allowed, options without another that they
                need.
        """
        specs = {spec.key: spec for spec in self.options if spec.is_for(scenario, mode)}
        where = f"scenario {scenario.key}, mode {mode.key}" if mode.key else f"scenario {scenario.key}"
        defects = [
            unknown(f"option of {self.key} in {where}", key, list(specs), before=number)
            for number, key in enumerate(given)
            if key not in specs
        ]
        full: dict[str, object] = {}
        for key, spec in specs.items():
            value: object = given.get(key, spec.default)
            defect = option_defect(spec, value)
            if defect:
                defects.append(defect)
            full[key] = value
        defects += [f"option {key} needs option {specs[key].needs}" for key in needless_options(specs, full)]
        if defects:
            raise SetupInvalid(tuple(defects))
        return cast("dict[str, Value]", full)


def needless_options(specs: Mapping[str, OptionSpec], values: Mapping[str, object]) -> list[str]:
    """Return the options that are set though an option that they need is not."""
    is_set = {key for key, value in values.items() if value != specs[key].default}
    return [key for key in values if key in is_set and specs[key].needs and specs[key].needs not in is_set]


def option_defect(spec: OptionSpec, value: object) -> str:
    """Return the defect of an option's value; empty if there is none."""
    if type(value) is not type(spec.default):
        return f"option {spec.key} must be {_allowed(spec)}, not {value!r}"
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return "" if spec.low <= value <= spec.high else f"option {spec.key} must be {_allowed(spec)}, not {value}"
    wrong = [text for text in (value if isinstance(value, tuple) else (value,)) if text not in spec.choices]
    return f"option {spec.key} must be {_allowed(spec)}, not {', '.join(map(repr, wrong))}" if wrong else ""


def _allowed(spec: OptionSpec) -> str:
    """Return the values that an option may have, as in a sentence."""
    if isinstance(spec.default, bool):
        return "on or off"
    if isinstance(spec.default, int):
        return f"{spec.low} to {spec.high}"
    return f"{'one' if isinstance(spec.default, str) else 'some'} of {', '.join(spec.choices)}"


def parse_option(spec: OptionSpec, text: str) -> Value:
    """Parse an option's value as typed: on/off, a number, a word, or words joined by commas.

    Raises:
        SetupInvalid: The text is not of the option's type.
    """
    if isinstance(spec.default, bool):
        words = {
            "on": True,
            "true": True,
            "yes": True,
            "1": True,
            "off": False,
            "false": False,
            "no": False,
            "0": False,
        }
        if text.lower() not in words:
            raise SetupInvalid((f"option {spec.key} must be {_allowed(spec)}, not {text!r}",))
        return words[text.lower()]
    if isinstance(spec.default, int):
        try:
            return int(text)
        except ValueError:
            raise SetupInvalid((f"option {spec.key} must be {_allowed(spec)}, not {text[:40]!r}",)) from None
    return text if isinstance(spec.default, str) else tuple(part for part in text.split(",") if part)
