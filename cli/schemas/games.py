"""Games, rules and boards."""

from cli.schemas.base import Shape
from core.components.inventory import Cards, Counters, Pieces, Piles, Places, Track
from events.codec import Struct
from events.ids import AttributeKey, Digest, GameKey, PlaceId, RuleId, Seat, Side
from events.vocabulary import Value


class ModeShape(Struct, frozen=True, kw_only=True):
    """A mode of a scenario: its seats, and the side that each plays; empty if that is settled in play."""

    key: str
    title: str
    seats: dict[Seat, Side]


class ScenarioShape(Struct, frozen=True, kw_only=True):
    """A scenario of a game, and its modes; the first one is the default."""

    key: str
    title: str
    modes: tuple[ModeShape, ...]
    summary: str


class OptionShape(Struct, frozen=True, kw_only=True):
    """An option of a game: on or off, a number from `low` to `high`, one of `choices`, or a list of them.

    Only matches of these `scenarios` and `modes` have it; all have if none are listed. It cannot be set without the option that it
    `needs`, if it needs one.
    """

    key: str
    title: str
    rule: RuleId
    default: Value
    choices: tuple[str, ...]
    low: int
    high: int
    scenarios: tuple[str, ...]
    modes: tuple[str, ...]
    needs: str


class GameShape(Shape, frozen=True, kw_only=True, tag="game"):
    """A game that can be played; a side that no seat plays in a mode is played by the rules."""

    key: GameKey
    title: str
    edition: str
    sides: tuple[Side, ...]
    scenarios: tuple[ScenarioShape, ...]
    options: tuple[OptionShape, ...]
    bots: tuple[str, ...]
    rules_digest: Digest


class RulingShape(Shape, frozen=True, kw_only=True, tag="ruling"):
    """The settlement of an open point of the rules."""

    id: RuleId
    weight: str
    question: str
    readings: tuple[str, ...]
    ruling: str
    why: str
    rules: tuple[RuleId, ...]
    option: str = ""
    option_values: tuple[str, ...] = ()


class RuleShape(Shape, frozen=True, kw_only=True, tag="rule"):
    """A rule in our own words; `page` is the rulebook's section."""

    id: RuleId
    page: str
    kind: str
    text: str
    needs: tuple[RuleId, ...] = ()
    rulings: tuple[RulingShape, ...] = ()


class NamedRule(Struct, frozen=True, kw_only=True):
    """A line of a player aid: what it is about, what that costs or comes to, a sentence, and the rule that says more."""

    name: str
    text: str
    rule: RuleId
    cost: str = ""


class AidShape(Shape, frozen=True, kw_only=True, tag="aid"):
    """The player aid of a game: its goal, the parts of a turn, and its tables by their titles."""

    game: GameKey
    goal: str
    turn: tuple[NamedRule, ...]
    tables: dict[str, tuple[NamedRule, ...]]


class BorderShape(Struct, frozen=True, kw_only=True):
    """A feature of the border to a neighbour, such as a river."""

    to: PlaceId
    features: tuple[str, ...]


class PlaceShape(Struct, frozen=True, kw_only=True):
    """A place with its centre on a map of 1000 by 1000; a box is beside the map.

    `map` names one of several maps, `kind` a place that is not of the usual kind; both may be empty. `outline` is the polygon of an area
    or a hex, empty where the place is a spot.
    """

    id: PlaceId
    name: str
    label: str
    x: int
    y: int
    neighbours: tuple[PlaceId, ...]
    is_box: bool
    map: str
    kind: str
    outline: tuple[tuple[int, int], ...]
    borders: tuple[BorderShape, ...]


class DifferenceShape(Struct, frozen=True, kw_only=True):
    """A figure that differs from the shipped board, both values in words; empty if there is no such row.

    `is_printed` is whether the rulebook states the figure; otherwise it is reconstructed.
    """

    where: str
    shipped: str
    own: str
    is_printed: bool


class BoardShape(Shape, frozen=True, kw_only=True, tag="board"):
    """A board: its places, and how many of its figures come from each source."""

    game: GameKey
    digest: Digest
    places: tuple[PlaceShape, ...]
    provenance: dict[str, int]
    words: dict[str, str]
    doubtful: tuple[str, ...]
    differences: tuple[DifferenceShape, ...]
    contradictions: tuple[str, ...]


class RememberedShape(Struct, frozen=True, kw_only=True):
    """An attribute that the rules keep of the items of a group: a value of a type under a key.

    It ends at the next event of the kind `until`, or `within` one of these elements of the stack. `refers` lists the groups whose
    ids its value may name.
    """

    of: str
    key: AttributeKey
    type: str
    until: str
    within: tuple[str, ...]
    refers: tuple[str, ...]


class InventoryShape(Shape, frozen=True, kw_only=True, tag="inventory"):
    """The inventory of a game: what is in the box, and where each item may lie; see `core.components.inventory`."""

    game: GameKey
    sides: dict[Side, str]
    places: tuple[Places, ...]
    pieces: tuple[Pieces, ...]
    counters: tuple[Counters, ...]
    tracks: tuple[Track, ...]
    cards: tuple[Cards, ...]
    piles: tuple[Piles, ...]
    remembered: tuple[RememberedShape, ...]


class NewGameShape(Shape, frozen=True, kw_only=True, tag="new-game"):
    """The files of a game that was begun, and the package that they make."""

    game: GameKey
    package: str
    files: tuple[str, ...]
