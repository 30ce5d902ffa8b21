"""The form of this game's board file, with every figure that the rulebook's text fixes.

What depends on several places at once (names and terrain per Area, counters, adjacency, charts) is demanded in the
modules `map_constraints`, `piece_constraints` and `table_constraints`.
"""

from core.board_shape import (
    Either,
    Fixed,
    Flag,
    Plain,
    Rows,
    Sequence,
    Shape,
    Table,
    TableOf,
    Variant,
    Whole,
    Words,
    printed,
)
from core.games.advance.components.board_model import NO_TERRAIN, TERRAINS

SCHEMA = "advance-to-the-volga/1"

STRATEGIES = ("heroes", "ambush", "barrage", "fanatic", "guards")
EFFECT_OPS = (
    "withdraw_division",
    "no_air_placement",
    "artillery_bonus",
    "pause_divisions",
    "soviet_defence",
    "supply_dice",
    "movement_cap",
)

GERMAN_START = (1, 2, 3, 4, 5, 6, 48, 49, 50)
"""Source: 5.2, 5.3.1, 7.2."""

FACTORY_CONTROL_MARKERS = (
    *(7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 23, 24, 27, 28, 29, 30, 31, 32, 33, 34, 45, 46, 47),
)
"""Source: 14.2."""

_FACTORY_CONTROL: list[Plain] = [*sorted((*FACTORY_CONTROL_MARKERS, *GERMAN_START))]

_AREA = Whole(1, 50)
_NOTE = Words()
_PROVENANCE: dict[str, Shape] = {"provenance": Either((Words(), TableOf(Words()))), "prov": TableOf(Words())}


def _section(fields: dict[str, Shape], **notes: Shape) -> Table:
    """Declare a section or row: it may say where its fields come from, and carry notes."""
    return Table(fields, {**_PROVENANCE, **notes})


_GAME = Table(
    {"id": Fixed("advance-to-the-volga")},
    {
        **_PROVENANCE,
        **dict.fromkeys(("title", "designer", "publisher", "player_side", "scale"), _NOTE),
        "players": Fixed(1, "1.0"),
        "dice_symbols": Rows(Words()),
    },
)

_SOURCES = TableOf(Table({}, dict.fromkeys(("title", "url", "used_for"), _NOTE)))

_RANGE = Sequence((Whole(0, 100_000), Whole(1, 100_000)))
_MAP = _section({"x_range": _RANGE, "y_range": _RANGE}, origin=Fixed("top left"), volga_side=_NOTE, note=_NOTE)

_TERRAIN = _section(
    {
        "clear": _section(printed("3.1.1, 9.5.3B", tem=1, shape="circle", urban=False)),
        "elevated": _section(printed("3.1.1, 9.5.3B", tem=2, shape="triangle", urban=False)),
        "light_urban": _section(printed("3.1.1, 9.5.3B", tem=3, shape="square", urban=True)),
        "heavy_urban": _section(printed("3.1.1, 9.5.3B", tem=4, shape="pentagon", urban=True)),
        NO_TERRAIN: _section(printed("3.1.2", tem=0, shape="none", urban=False)),
        "tem_exceptions": Sequence(
            (
                _section(printed("9.5.3B", name="Stalingradski Airfield", terrain="clear", tem=2)),
                _section(printed("9.5.3B", name="Mamayev Kurgan", terrain="elevated", tem=4)),
                _section(printed("9.5.3B", name="Central Rail Station", terrain="light_urban", tem=4)),
            )
        ),
    }
)

_AREAS = _section(
    {
        "rows": Rows(
            _section(
                {
                    "id": _AREA,
                    "name": Words(),
                    "terrain": Words((*TERRAINS, NO_TERRAIN)),
                    "tem": Whole(0, 4),
                    "volga": Flag(),
                    "control": Words(("german", "soviet")),
                    "x": Whole(0, 100_000),
                    "y": Whole(0, 100_000),
                }
            )
        )
    }
)

_PAIR = Sequence((_AREA, _AREA))
_ADJACENCY = _section({"pairs": Rows(_PAIR)}, overrides=Rows(Table({"pair": _PAIR, "prov": Words()})))

_GERMAN_UNITS = _section(
    {
        "rows": Rows(
            _section(
                {
                    "id": Words(),
                    "division": Words(),
                    "kind": Words(("armor", "infantry")),
                    "attack": Whole(1, 20),
                    "movement": Whole(1, 20),
                    "setup": Words(),
                    "factory": Words(),
                }
            )
        )
    }
)

_GERMAN_DIVISIONS = _section({"rows": Rows(_section({"id": Words(), "name": Words()}, corps=_NOTE))})

_SOVIET_UNITS = _section(
    {
        "rows": Rows(
            _section(
                {
                    "id": Words(),
                    "terrain": Words(TERRAINS),
                    "defence": Whole(1, 20),
                    "strategy": Words(STRATEGIES),
                    "factory": Words(("-", "pool", "14", "21", "44")),
                }
            )
        ),
        "pavlovs_house": _section(
            {
                "id": Words(),
                "defence": Whole(1, 20),
                **printed("12.6", terrain="heavy_urban", strategy="guards", strategy_every_round=True),
                **printed("14.5.2", factory_area=14),
            }
        ),
    }
)

_MARKERS = _section(
    {
        "air": Fixed(3, "6.3"),
        "artillery": Whole(6, 100),
        "engineer": Whole(2, 100),
        "isolation": Fixed(14, "12.3"),
    }
)

_TURNS = _section(
    {
        "main": _section(
            {
                **printed("5.1", first=1, last=9),
                "labels": Sequence(
                    (Fixed("September 13-14", "5.2"), *[Words()] * 7, Fixed("September 29-30", "6.5")),
                ),
            }
        ),
        "factory": _section(
            {
                **printed("14.1, 14.2", first=10, last=14),
                "labels": Sequence((Fixed("October 14-15", "14.2"), *[Words()] * 4)),
            }
        ),
        "phases": Fixed(["dawn", "random_event", "supply", "combat", "end"], "6.0"),
    }
)

_MORALE = _section(
    {
        **printed("5.2", min=0, max=19, shaken_at_most=9),
        **printed("9.5.2E", strong_at_least=10, strong_attack_bonus=1),
        **printed("9.5.3C", shaken_defence_bonus=1),
        **printed("6.5", end_phase_change=-1),
        **printed("9.5.5", repulse_change=-1),
        **printed("9.5.7", capture_tem4_change=1),
        **printed("9.4", heroes_change=-1),
        **printed("6.2.1", withdrawal_unavailable_unit_change=-1),
    }
)

_MOVEMENT = _section(
    {
        **printed("4.2.1", armor_factor=6),
        **printed("4.2.2", infantry_factor=4),
        **printed("8.2", cost_vacant=1, cost_vacant_adjacent_to_soviet=2),
        **printed("8.2", cost_revealed_soviet=3, cost_unrevealed_soviet=4, cost_attack_in_contested="all"),
        **printed("7.1", stacking_german=4, stacking_soviet=1),
    }
)


def _result(name: str, lead: str, soviet: str, morale: int) -> Table:
    """Declare one combat result. Source: 9.5.5."""
    fixed = printed("9.5.5", id=name, lead=lead, others="spent", soviet=soviet, morale=morale)
    return _section(fixed, when=_NOTE, retreat=_NOTE)


_COMBAT = _section(
    {
        **printed("9.5.1", german_dice=2, soviet_dice=2),
        **printed("9.5.2", extra_unit_bonus=1, artillery_bonus=2, engineer_bonus=2),
        **printed("9.5.2D", divisional_integrity_bonus=1, divisional_integrity_min_units=3),
        **printed("9.5.3D", air_reduction_dice=1, defence_value_min=0),
        **printed("9.5.4", air_max_per_combat=1, support_limit="attacking units"),
        "results": Sequence(
            (
                _result("repulse", "out_of_action", "stays", -1),
                _result("stalemate", "spent", "stays", 0),
                _result("success", "spent", "eliminated", 0),
                _result("overrun", "spent", "eliminated", 0),
            )
        ),
    }
)


def _strategy(name: str, ignored_on: list[Plain]) -> Table:
    """Declare one Defense Strategy. Source: 9.4, 9.5.5."""
    return _section(
        {"id": Fixed(name, "9.4"), "when": _NOTE, "effect": _NOTE, "ignored_on": Fixed(ignored_on, "9.4, 9.5.5")}
    )


_DEFENCE_STRATEGIES = Sequence(
    (
        _strategy("heroes", ["repulse", "overrun"]),
        _strategy("ambush", ["repulse", "overrun"]),
        _strategy("barrage", []),
        _strategy("fanatic", ["repulse", "stalemate", "overrun"]),
        _strategy("guards", []),
    )
)


def _cost(name: str, points: int, **gain: Plain) -> Table:
    """Declare one line of the German Supply Costs. Source: 6.3."""
    return _section(printed("6.3", id=name, points=points, **gain))


_SUPPLY = _section(
    {
        **printed("6.3", dice=4),
        **printed("10.2, 14.6.2", opening_turn_minimum=16),
        **printed("6.3.1", banking=True),
        "free_air_per_turn": _section({**printed("6.3", main=1), **printed("14.6.2", factory=2)}),
        "costs": Sequence(
            (
                _cost("artillery", 1),
                _cost("engineer", 2),
                _cost("air", 3),
                _cost("return_infantry", 1),
                _cost("return_armor", 2),
                _cost("morale", 3, gain=1),
            )
        ),
        "return_areas": Table(
            printed("6.3", opening_setup=[1, 2, 3, 4, 5], northern_areas=[48, 49, 50]),
            {"or": _NOTE, "northern_units": _NOTE},
        ),
    }
)

_BLOODY_STREETS = _section(
    {
        **printed("6.4.1", terrains=["light_urban", "heavy_urban"], only_contested=True),
        **printed("6.4.1", guards_in_tem4_modifier=1, treat_above_as=6),
        "rows": Sequence(
            (
                _section(printed("6.4.1", roll=[1, 4], morale=0, flip_spent=False)),
                _section(printed("6.4.1", roll=[5, 5], morale=-1, flip_spent=False)),
                _section(printed("6.4.1", roll=[6, 6], morale=-1, flip_spent=True)),
            )
        ),
    }
)

_ISOLATION = _section(
    {
        **printed("12.3", guards_modifier=-1, treat_below_as=1, max_isolated=14),
        "rows": Sequence(
            tuple(
                _section(printed("12.3", roll=roll, defence=defence))
                for roll, defence in ((1, 1), (2, 0), (3, 0), (4, -1), (5, -1), (6, -2))
            )
        ),
    }
)

_OP: dict[str, Shape] = {"op": Words(EFFECT_OPS)}
_EFFECT = Variant(
    "op",
    {
        "withdraw_division": Table(
            {
                **_OP,
                "division": Words(),
                "return_areas": Either((Rows(_AREA, 1, 50), Words(("any vacant Area",)))),
                "return_after": Fixed(1, "6.2.1, 14.6.1"),
                "morale_per_unavailable_unit": Fixed(-1, "6.2.1, 14.6.1"),
            }
        ),
        "no_air_placement": Table(_OP),
        "artillery_bonus": Table({**_OP, "value": Whole(0, 2)}),
        "pause_divisions": Table({**_OP, "divisions": Rows(Words(), 1, 50)}),
        "soviet_defence": Table({**_OP, "value": Whole(1, 20)}),
        "supply_dice": Table({**_OP, "value": Whole(1, 4)}),
        "movement_cap": Table({**_OP, "value": Whole(1, 6)}),
    },
)
_EVENT_ROWS = Rows(
    _section(
        {"roll": Sequence((Whole(3, 18), Whole(3, 18))), "event": Words(), "effects": Rows(_EFFECT)},
        repeat_as=Whole(3, 18),
    )
)
NO_RESULT_ON_TURN_1 = ("64th Army Breakthrough", "66th Army Breakthrough", "Logistical Pause")
"""Source: 10.1."""

_RANDOM_EVENTS = Table(
    {
        "main": _section(
            {
                **printed("5.1, 6.2", first_turn=1, last_turn=9),
                **printed("10.1", no_result_on_turn_1=list(NO_RESULT_ON_TURN_1)),
                "rows": _EVENT_ROWS,
            }
        ),
        "factory": _section({**printed("14.6.1", first_turn=11, last_turn=14), "rows": _EVENT_ROWS}),
    }
)

_SCENARIO_NOTES = dict.fromkeys(
    ("name", "support_markers", "automatic_victory", "automatic_defeat", "victory"),
    _NOTE,
)
_SCENARIOS = Table(
    {
        "main": _section(
            {
                **printed("5.1", turns=[1, 9]),
                **printed("5.2", morale=19, supply=0, german_control_count=9),
                **printed("5.3.1, 7.2", german_control=list(GERMAN_START)),
                "operational_victory": Table(printed("11.2", areas=40, heavy_urban=1), {"checked": _NOTE}),
            },
            **_SCENARIO_NOTES,
            soviet_setup=_NOTE,
        ),
        "factory": _section(
            {
                **printed("14.1", turns=[10, 14]),
                **printed("14.2", morale=15, supply=0),
                **printed("14.2", german_control_markers=list(FACTORY_CONTROL_MARKERS)),
                **printed("14.2, 7.2", german_control=_FACTORY_CONTROL),
                **printed("14.3.1, 14.5.1", contested=[14, 21]),
                **printed("14.6.1", no_random_event_on_turn=10),
                "soviet_setup": Rows(
                    _section(
                        {"area": _AREA, "terrain": Words(TERRAINS), "revealed": Flag(), "counter": Words()},
                    )
                ),
            },
            **_SCENARIO_NOTES,
            german_control_count=_NOTE,
        ),
    }
)


def _reinforcement(source: str, **values: Plain) -> Table:
    """Declare one group of reinforcements, which enters one Area. Source: 6.1.1, 14.4."""
    return _section({**printed(source, **values), **printed("6.1.1, 14.4", one_area=True)})


_GROUP_389 = _reinforcement(
    "6.1.1", scenario="main", turn=2, tag="T2", division="389", extra="245A", areas=[1, 2], if_german_controlled=[]
)
_GROUP_100 = _reinforcement(
    "6.1.1",
    scenario="main",
    turn=7,
    tag="T7",
    division="100",
    extra="245B",
    areas=[1, 2],
    if_german_controlled=[31, 32],
)
_GROUP_79 = _reinforcement(
    "14.4", scenario="factory", turn=12, tag="T12", division="79", extra="244C", areas=[], if_german_controlled="any"
)
_SCHEDULE = _section(
    {
        "reinforcements": Sequence((_GROUP_389, _GROUP_100, _GROUP_79)),
        "withdrawals": Sequence(
            (
                _section(
                    {
                        **printed("6.1.2", scenario="main", turn=9, division="29", units=4),
                        **printed("6.2.1", morale_per_unavailable_unit=-1),
                    }
                ),
            )
        ),
    }
)


def _optional_rule(section: str, **figures: Plain) -> Table:
    """Declare one of the optional rules. Source: 12.0."""
    return _section({"id": Fixed(section, "12.0"), "name": Words(), "effect": _NOTE, **printed(section, **figures)})


_OPTIONAL_RULES = Sequence(
    (
        _optional_rule("12.1"),
        _optional_rule("12.2", setup_areas=[48, 49, 50], allowed=[42, 43, 44, 45, 46, 47]),
        _optional_rule("12.3"),
        _optional_rule("12.4", exempt=["244A", "244B", "244C", "245A", "245B", "177"]),
        _optional_rule("12.5"),
        _optional_rule("12.6"),
        _optional_rule("12.7", morale=15),
        _optional_rule("12.8"),
    )
)

BOARD_FORM = Table(
    {
        "schema": Fixed(SCHEMA),
        "game": _GAME,
        "map": _MAP,
        "terrain": _TERRAIN,
        "areas": _AREAS,
        "adjacency": _ADJACENCY,
        "german_units": _GERMAN_UNITS,
        "german_divisions": _GERMAN_DIVISIONS,
        "soviet_units": _SOVIET_UNITS,
        "markers": _MARKERS,
        "turns": _TURNS,
        "morale": _MORALE,
        "movement": _MOVEMENT,
        "combat": _COMBAT,
        "defence_strategy": _DEFENCE_STRATEGIES,
        "supply": _SUPPLY,
        "bloody_streets": _BLOODY_STREETS,
        "isolation": _ISOLATION,
        "random_events": _RANDOM_EVENTS,
        "scenarios": _SCENARIOS,
        "schedule": _SCHEDULE,
        "optional_rule": _OPTIONAL_RULES,
    },
    {"provenance": Table({"words": TableOf(_NOTE)}), "sources": _SOURCES},
)
"""A whole board file."""
