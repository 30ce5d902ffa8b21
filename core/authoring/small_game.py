"""The record of a small game, with defaults for everything that it need not say: board, narration, positions and deciding files."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from importlib import import_module
from importlib.resources import files
from operator import or_
from typing import NamedTuple

from core.authoring.act import Act, questions_of
from core.authoring.defaults import InventoryPositions, MakeInventory, SmallNarration
from core.bots.bot_port import Policy
from core.components.inventory import Inventory
from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.decision import Decision
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick, Selection, Unpick
from core.errors import SetupInvalid
from core.game.bound_game import BoundGame, Positions
from core.game.game_record import Game, Mode, OptionSpec, Scenario
from core.game_files.printed_names import printed_words
from core.narration.game_rolls import NO_ROLLS, GameRolls
from core.narration.render_model import MapPlace
from core.refusal import Refusal, Refusals
from events.codec import Decoder
from events.ids import Digest, GameKey, RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Table

NOT_DECIDING = ("bots.py", "narration.py", "pictures.py")
"""The modules of a game on which no outcome depends."""


class SmallRules(DecisionRules):
    """Rules made of acts and selections; see `small_game`."""

    def __init__(
        self,
        acts: Sequence[type[Act]],
        selections: Mapping[str, Selection],
        refusals: Refusals,
        set_up: Callable[[Draft], None],
        *,
        dealing: Dealing | None,
        standing: tuple[str, ...],
    ) -> None:
        kinds: dict[str, Decision] = {**questions_of(acts, refusals), **selections}
        super().__init__(kinds, standing, dealing)
        shared = (Pick, Unpick, Done, Choose) if selections else ()
        # Games made of parts have no class of their own.
        self.decoder = Decoder(reduce(or_, (*acts, *shared)))  # type: ignore[misc]
        self.refusals = refusals
        self._set_up = set_up

    def set_up(self, draft: Draft) -> None:
        """Set the table up and ask the first question."""
        self._set_up(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command of a seat is not legal, or None if it is."""
        asked = table.top
        if table.ended is not None or asked is None:
            return self.refusals.refused("match_must_be_running")
        if seat != asked.seat:
            return self.refusals.refused("seat_must_be_asked")
        return self.kinds[asked.kind].refuse(table, asked, command)


class _Parts(NamedTuple):
    """The parts of a small game, by which another process makes it again."""

    rules: Callable[[], SmallRules]
    inventory: MakeInventory
    places: tuple[MapPlace, ...]
    rule: RuleId
    kinds: tuple[str, ...]
    positions: Positions | None
    rolls: GameRolls


_PARTS: dict[str, _Parts] = {}
"""The parts of each small game by its package, kept when the package is imported."""


def small_game(
    package: str,
    *,
    key: str,
    title: str,
    seats: Mapping[Seat, Side],
    acts: Sequence[type[Act]],
    set_up: Callable[[Draft], None],
    inventory: Inventory | MakeInventory,
    rule: str,
    places: Sequence[MapPlace] = (),
    scenarios: tuple[Scenario, ...] = (),
    options: tuple[OptionSpec, ...] = (),
    bots: Mapping[str, Policy] | None = None,
    selections: Mapping[str, Selection] | None = None,
    dealing: Dealing | None = None,
    standing: tuple[str, ...] = (),
    positions: Positions | None = None,
    rolls: GameRolls = NO_ROLLS,
    has_dice: bool = True,
    edition: str = "1.0",
) -> Game:
    """Return the record of a game that is written as acts.

    Args:
        package: `__name__` of the game's package, which holds `data/rules.toml`, `data/refusals.toml` and `data/words.toml`.
        key: The key of the game.
        title: Its title.
        seats: The seats with the side that each plays, in the one scenario of a game without `scenarios`.
        acts: The classes of commands, in the order of the options.
        set_up: Sets the table up and asks the first question.
        inventory: What can be on the table, or a function of a scenario and its options that returns it.
        rule: The rule under which a position is set up.
        places: The places of the map.
        scenarios: The scenarios, if there is more than one way to play.
        options: The options of a match.
        bots: Bots by name.
        selections: The questions that take several items, by kind.
        dealing: How a fork deals what is hidden again.
        standing: The kinds of question that allow standing answers.
        positions: The position files, if they are set up in a way of the game's own.
        rolls: What the game says of its rolls, so that their chances are told; without it none are.
        has_dice: Whether chance rolls dice.
        edition: The state of the rules, for readers.
    """
    kinds = (*dict.fromkeys(act.asked for act in acts), *(selections or {}))
    declared = inventory if not isinstance(inventory, Inventory) else _Always(inventory)
    make = partial(SmallRules, acts, selections or {}, Refusals(package), set_up, dealing=dealing, standing=standing)
    _PARTS[package] = _Parts(make, declared, tuple(places), RuleId(rule), kinds, positions, rolls)
    policies = dict(bots or {})
    return Game(
        key=GameKey(key),
        title=title,
        edition=edition,
        sides=tuple(dict.fromkeys(side for side in _sides(seats, scenarios) if side)),
        scenarios=scenarios or (Scenario("standard", "Standard game", (Mode("", "Standard", dict(seats)),)),),
        options=options,
        bind=partial(_bind, package, title),
        shipped_board=bytes,
        package=package,
        deciding=_deciding(package),
        load_policies=lambda: policies,
        has_dice=has_dice,
    )


class _Always:
    """An inventory that is the same in every match."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory

    def __call__(self, scenario: str, options: Mapping[str, Value]) -> Inventory:
        return self.inventory


def _sides(seats: Mapping[Seat, Side], scenarios: Sequence[Scenario]) -> list[Side]:
    of_modes = [side for scenario in scenarios for mode in scenario.modes for side in mode.seats.values()]
    return [*seats.values(), *of_modes]


def _deciding(package: str) -> tuple[str, ...]:
    """Return the modules of a package on which outcomes depend, and its refusals."""
    modules = sorted(one.name for one in files(package).iterdir() if one.name.endswith(".py"))
    return (*[name for name in modules if name not in NOT_DECIDING], "data/refusals.toml")


def _bind(package: str, title: str, board: str | None, variant: str = "") -> BoundGame:
    if board or variant:
        raise SetupInvalid((f"{title} has no other boards and no variants",))
    digest = Digest(hashlib.sha256(b"").hexdigest())
    return BoundGame(
        digest,
        partial(_rules, package),
        partial(_narration, package),
        partial(_positions, package),
        partial(_inventory, package),
        make_rolls=partial(_rolls, package),
    )


def _parts(package: str) -> _Parts:
    """Return the parts of a game; in another process its package is imported first."""
    if package not in _PARTS:
        import_module(package)
    return _PARTS[package]


def _rules(package: str) -> SmallRules:
    return _parts(package).rules()


def _narration(package: str) -> SmallNarration:
    parts = _parts(package)
    names: dict[str, str] = {place.id: place.name for place in parts.places}
    names |= printed_words(package) | parts.inventory("", {}).names
    return SmallNarration(names, parts.places)


def _positions(package: str) -> Positions:
    parts = _parts(package)
    return parts.positions or InventoryPositions(parts.inventory, parts.rule, parts.kinds)


def _rolls(package: str) -> GameRolls:
    return _parts(package).rolls


def _inventory(package: str, scenario: str, options: Mapping[str, Value]) -> Inventory:
    return _parts(package).inventory(scenario, options)
