"""The parts of a game's folder, each loaded on first use. Knows no game.

A part is named by a module and a name in it, as in `rules.advance_rules:AdvanceRules`. So a game's record lists its parts
without importing them, and the functions that load them are written once.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any

from core.bots.bot_port import Policy
from core.components.inventory import Inventory
from core.game.bound_game import BoundGame
from core.game.game_record import BoardReport, Game, OptionSpec, Scenario
from events.codec import Struct
from events.ids import NO_SEAT, GameKey, Seat, Side
from events.vocabulary import Value

DECIDING = (
    "data/board.toml",
    "ids.py",
    "memory.py",
    "options.py",
    "components",
    "rules",
    "positions/position_set_up.py",
)
"""What outcomes depend on in a folder that is laid out like this; see `core.game.game_record.Game.deciding`."""


class GameParts(Struct, frozen=True):
    """The import paths of the parts of a game, below its package.

    `components` is its `ComponentFile`. `rules`, `narration`, `positions` and `rolls` are called with the loaded components, which have a
    `source`. `bots` are the policies by name. `inventory` is called with the loaded components, a scenario and its options.
    `report` is called with a file's text, or None for the shipped one, and the name of a variant or empty.
    """

    package: str
    components: str
    rules: str
    narration: str
    positions: str
    bots: str
    report: str
    inventory: str
    rolls: str

    def record(
        self,
        *,
        key: GameKey,
        title: str,
        edition: str,
        sides: tuple[Side, ...],
        scenarios: tuple[Scenario, ...],
        options: tuple[OptionSpec, ...],
        has_dice: bool = True,
        short_title: str = "",
        pitch: str = "",
        weight: int = 0,
        first_seat: Seat = NO_SEAT,
        roles: Mapping[Side, str] = MappingProxyType({}),
    ) -> Game:
        """Return the record of the game, which loads these parts."""
        return Game(
            key=key,
            title=title,
            edition=edition,
            sides=sides,
            scenarios=scenarios,
            options=options,
            bind=self.bind,
            shipped_board=self.shipped_board,
            package=self.package,
            deciding=DECIDING,
            load_policies=self.policies,
            make_report=self.make_report,
            board_schema=self.board_schema,
            has_dice=has_dice,
            short_title=short_title,
            pitch=pitch,
            weight=weight,
            first_seat=first_seat,
            roles=roles,
        )

    def bind(self, board: str | None, variant: str = "") -> BoundGame:
        """Return the game on a component file; None is the shipped one. See `core.game.game_record.Game.bind`."""
        components = self.load(self.components)
        if board is None and not variant:
            loaded = components.load()
        else:
            # Play on the shipped file, the usual one, does not import the checks.
            from core.file_checks.checked_file import load_file

            loaded = load_file(components, board, variant)
        rules, narration, positions, rolls = [
            partial(_made, self, part, loaded) for part in (self.rules, self.narration, self.positions, self.rolls)
        ]
        return BoundGame(
            loaded.source.digest, rules, narration, positions, partial(_in_play, self, loaded), make_rolls=rolls
        )

    def shipped_board(self) -> bytes:
        """Return the exact bytes of the shipped component file."""
        data: bytes = self.load(self.components).shipped_bytes
        return data

    def board_schema(self) -> dict[str, object]:
        """Return the JSON Schema of the component file."""
        from core.file_checks.documentation import component_schema

        return component_schema(self.load(self.components).struct)

    def policies(self) -> Mapping[str, Policy]:
        """Return the bots by name."""
        found: Mapping[str, Policy] = self.load(self.bots)
        return found

    def make_report(self, text: str | None, variant: str) -> BoardReport:
        """Return the report of the components. See `core.game.game_record.Game.make_report`."""
        make: Callable[[str | None, str], BoardReport] = self.load(self.report)
        return make(text, variant)

    def load(self, name: str) -> Any:  # noqa: ANN401 - The port of a part knows its type.
        """Import the object of a part."""
        module, _, attribute = name.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), attribute)


def _made(parts: GameParts, part: str, loaded: object) -> Any:  # noqa: ANN401 - As above.
    """Create a part from the components; a module-level function, so that a bound game can be pickled."""
    return parts.load(part)(loaded)


def _in_play(parts: GameParts, loaded: object, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Declare what is in play, or in the box."""
    declare: Callable[[object, str, Mapping[str, Value]], Inventory] = parts.load(parts.inventory)
    return declare(loaded, scenario, options)
