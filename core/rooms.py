"""The parts of a game's folder, each loaded on first use. Knows no game.

A part is named by a module and a name in it, as in `rules.advance_rules:AdvanceRules`. So a game's record lists its parts
without importing them, and the functions that load them are written once.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from core.components.inventory import Inventory
from core.game import BoardSheet
from core.ports import BoundGame, Policy
from events.codec import Struct
from events.vocabulary import Value


class Rooms(Struct, frozen=True):
    """The import paths of the parts of a game, below its package.

    `components` is its `ComponentFile`. `rules`, `narration` and `positions` are called with the loaded components, which have a
    `source`. `bots` are the policies by name. `inventory` is called with the loaded components, a scenario and
    its options. `sheet` is called with a file's text, or None for
    the shipped one, and the name of a variant or empty.
    """

    package: str
    components: str
    rules: str
    narration: str
    positions: str
    bots: str
    sheet: str
    inventory: str

    def bind(self, text: str | None, variant: str = "") -> BoundGame:
        """Return the game on a component file; None is the shipped one. See `core.game.Game.bind` and `bind_variant`."""
        loaded = self.load(self.components).load(text, variant)
        rules, narration, positions = [
            partial(_made, self, room, loaded) for room in (self.rules, self.narration, self.positions)
        ]
        return BoundGame(loaded.source.digest, rules, narration, positions, partial(_in_play, self, loaded))

    def shipped_board(self) -> bytes:
        """Return the exact bytes of the shipped component file."""
        data: bytes = self.load(self.components).shipped_bytes
        return data

    def board_schema(self) -> dict[str, object]:
        """Return the JSON Schema of the component file."""
        from core.components.documentation import component_schema

        return component_schema(self.load(self.components).struct)

    def policies(self) -> Mapping[str, Policy]:
        """Return the bots by name."""
        found: Mapping[str, Policy] = self.load(self.bots)
        return found

    def make_sheet(self, text: str | None, variant: str) -> BoardSheet:
        """Return the sheet of the components. See `core.game.Game.make_sheet`."""
        make: Callable[[str | None, str], BoardSheet] = self.load(self.sheet)
        return make(text, variant)

    def load(self, name: str) -> Any:  # noqa: ANN401 - The port of a part knows its type.
        """Import the object of a part."""
        module, _, attribute = name.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), attribute)


def _made(rooms: Rooms, room: str, loaded: object) -> Any:  # noqa: ANN401 - As above.
    """Create a part from the components; a module-level function, so that a bound game can be pickled."""
    return rooms.load(room)(loaded)


def _in_play(rooms: Rooms, loaded: object, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Declare what is in play, or in the box."""
    declare: Callable[[object, str, Mapping[str, Value]], Inventory] = rooms.load(rooms.inventory)
    return declare(loaded, scenario, options)
