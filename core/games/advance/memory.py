"""Memory of the rules of this game between two commands.

Every attribute of this game is declared here. What lies on the printed table, such as support and Isolation markers, is
not memory but a marker (`ids`). What an attack or an Action Round remembers ends with its element of the stack, what an
event does with the turn.
"""

from collections.abc import Mapping

from core.components.inventory import Inventory, Memory
from core.engine.attributes import Attribute, Declared, Number
from core.games.advance.components.board_model import Board
from core.games.advance.components.inventory import inventory
from core.games.advance.ids import FRESH, OUT_OF_ACTION, soviet_unit
from core.games.advance.options import PAVLOVS_HOUSE
from events.ids import TABLE, PieceId, PlaceId
from events.vocabulary import Value
from projections.state.table import Table

# The sequences with whose steps memory ends

TURN = "turn"
ACTION_ROUNDS = "action_rounds"
"""The step of a turn in which Action Rounds are played."""
ACT = "act"
"""The question of a whole Action Round."""
ATTACK = "attack"

# The event of the turn

EVENT = "event"
"""What the attributes of the event in force are on."""

ROLL = Number("event_roll", until="round")
"""The roll whose row of the chart is in force."""
AIR_BAN: Attribute[bool] = Attribute("air_ban", bool, until="round")
"""No Air Support may be placed."""
SHELL_SHORTAGES: Attribute[int] = Attribute("shell_shortages", int, until="round")
"""What an Artillery marker adds."""
COMMISSARS = Number("commissars", until="round")
"""What is added to Soviet Defense Values."""
RAIN: Attribute[int] = Attribute("rain", int, until="round")
"""The most MF that a unit has."""
REDUCED_SUPPLY: Attribute[int] = Attribute("reduced_supply", int, until="round")
"""How many dice the supply roll has."""
PAUSED: Attribute[tuple[str, ...]] = Attribute("paused", tuple, until="round")
"""The divisions that may not act (`ids.division_id`)."""

EVENT_ATTRIBUTES: tuple[Declared, ...] = (ROLL, AIR_BAN, SHELL_SHORTAGES, COMMISSARS, RAIN, REDUCED_SUPPLY, PAUSED)

# Groups that wait off the map

DUE = Number("due")
"""On a box `reinforcements/…` or `withdrawn/…`: the turn from which on its units may enter."""
WAS_WITHDRAWN: Attribute[bool] = Attribute("was_withdrawn", bool)
"""On a division's box `withdrawn/…`: it has been withdrawn once."""

# Soviet units

STRATEGY_IN_FORCE: Attribute[bool] = Attribute("strategy_in_force", bool)
"""On a Soviet unit from its reveal to the end of that attack."""

# The Combat Phase and its Action Rounds

ACTIVATED: Attribute[bool] = Attribute("activated", bool, within=(TURN,), until="step")
"""On an Area that was activated in this Combat Phase (option `area_activations_per_turn`)."""
ACTIVE_UNITS: Attribute[tuple[PieceId, ...]] = Attribute("active_units", tuple, within=(ACT,), names_pieces=True)
"""On the Active Area: the German units that stood in it when it was activated."""
CONTESTED_AT_ACTIVATION: Attribute[tuple[PlaceId, ...]] = Attribute("contested_at_activation", tuple, within=(ACT,))
"""On the table: the Areas that were Contested when the Active Area was chosen."""
ATTACKERS: Attribute[tuple[PieceId, ...]] = Attribute("attackers", tuple, within=(ACT,), names_pieces=True)
"""On an Area that was attacked in this Action Round: the units that were to take part when the attack was declared."""
MANDATORY: Attribute[bool] = Attribute("mandatory", bool, within=(ACT,))
"""On an Area that has to be attacked in this Action Round, or had to be."""
MOVEMENT_LEFT: Attribute[int] = Attribute("movement_left", int, within=(ACT,))
"""On a unit that has moved in this Action Round: the MF that it had left after its last step into a Vacant Area."""
ENTERED_FROM: Attribute[PlaceId] = Attribute("entered_from", str, within=(ACT,))
"""On a unit that entered a Soviet-occupied Area and has not retreated: the Area from which it did."""

# The attack that is being resolved

LEAD: Attribute[PieceId] = Attribute("lead", str, within=(ATTACK,), names_pieces=True)
"""On the Area under attack: the Lead Attacking Unit, where there was a choice."""
ISOLATION_FACTOR: Attribute[int] = Attribute("isolation_factor", int, within=(ATTACK,))
"""On the Area under attack: the Defense Factor after the isolation roll."""
RESULT: Attribute[str] = Attribute("result", str, within=(ATTACK,))
"""On the Area under attack: the result of the combat, or that the attack was broken off."""

REPULSE = "repulse"
STALEMATE = "stalemate"
SUCCESS = "success"
OVERRUN = "overrun"
BROKEN_OFF = "broken_off"

REMEMBERED = Memory(
    of={
        EVENT: EVENT_ATTRIBUTES,
        TABLE: (CONTESTED_AT_ACTIVATION,),
        "Area": (ACTIVATED, ACTIVE_UNITS, ATTACKERS, MANDATORY, LEAD, ISOLATION_FACTOR, RESULT),
        "box of a group": (DUE, WAS_WITHDRAWN),
        "German unit": (MOVEMENT_LEFT, ENTERED_FROM),
        "Soviet unit": (STRATEGY_IN_FORCE,),
    },
    refers={
        ACTIVE_UNITS: ("German unit",),
        ATTACKERS: ("German unit",),
        LEAD: ("German unit",),
        CONTESTED_AT_ACTIVATION: ("Area",),
        ENTERED_FROM: ("Area",),
        PAUSED: ("division",),
    },
)
"""What each is remembered of, and what the values name."""

ATTRIBUTES = tuple([one for one in tuple(globals().values()) if isinstance(one, Declared)])
"""Every attribute, in the order of their declarations."""


def in_play(board: Board, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Return what is in play in a scenario with some options and, without a scenario, what is in the box."""
    has_pavlov = not scenario or options.get(PAVLOVS_HOUSE.key) is True
    return inventory(board, REMEMBERED, board.scenarios.get(scenario), has_pavlov=has_pavlov)


# The Action Round


def active_area(table: Table) -> PlaceId:
    """Return the Active Area; empty between two Action Rounds."""
    act = table.topmost(ACT)
    return PlaceId("") if act is None else PlaceId(act.text("area"))


def was_contested(table: Table, area: PlaceId) -> bool:
    """Return whether an Area was Contested when the Active Area was chosen. Source: 8.1, 9.1."""
    return area in (CONTESTED_AT_ACTIVATION.of(table) or ())


def was_attacked(table: Table, area: PlaceId) -> bool:
    """Return whether an Area was attacked in this Action Round. Source: 8.2.1."""
    return ATTACKERS.of(table, area) is not None


def is_mandatory(table: Table, area: PlaceId) -> bool:
    """Return whether a Mandatory Attack is due in an Area or is being fought there. Source: 9.1."""
    is_over = was_attacked(table, area) and area != attack_area(table)
    return MANDATORY.of(table, area) is not None and not is_over


def has_moved(table: Table, unit: PieceId) -> bool:
    """Return whether a unit has moved in this Action Round. Source: 8.2."""
    # Of most units nothing is remembered.
    return unit in table.attributes and (
        MOVEMENT_LEFT.of(table, unit) is not None or ENTERED_FROM.of(table, unit) is not None
    )


def movement_left(table: Table, unit: PieceId) -> int:
    """Return the MF with which a unit can go on with its move; 0 where it cannot.

    One whose move is over is Spent, or has entered a Soviet-occupied Area and must stop there.

    Source: 8.1, 8.2.
    """
    if table.pieces[unit].face != FRESH or ENTERED_FROM.of(table, unit) is not None:
        return 0
    return MOVEMENT_LEFT.of(table, unit) or 0


def entry_area(table: Table, unit: PieceId) -> PlaceId:
    """Return the Area from which a unit stepped into the Soviet-occupied Area where it is; empty if it did not.

    Source: 9.5.8.
    """
    return ENTERED_FROM.of(table, unit) or PlaceId("")


class ActionRound:
    """The state of the Action Round that is being played.

    `area` is the Active Area, empty between rounds. `units` are the German units that stood in it when it was
    activated and are still on the map, sorted by name. `moving` is the unit whose move can go on, empty if there is
    none, with `left` MF.
    """

    __slots__ = ("area", "left", "moving", "units")

    def __init__(self, table: Table) -> None:
        area = active_area(table)
        pieces, attributes = table.pieces, table.attributes
        self.area = area
        self.units = [unit for unit in ACTIVE_UNITS.of(table, area) or () if pieces[unit].place != OUT_OF_ACTION]
        self.moving = PieceId("")
        self.left = 0
        for unit in self.units:
            # Of most units nothing is remembered.
            if unit in attributes and (left := movement_left(table, unit)):
                self.moving, self.left = unit, left
                break


def has_acted(table: Table, now: ActionRound) -> bool:
    """Return whether a unit has moved or attacked in this Action Round. Source: 8.1."""
    return any(has_moved(table, unit) for unit in now.units) or bool(ATTACKERS.on(table))


def is_attack_due(table: Table, area: PlaceId) -> bool:
    """Return whether a Mandatory Attack on an Area is still to be declared. Source: 9.1."""
    return MANDATORY.of(table, area) is not None and not was_attacked(table, area)


def mandatory(table: Table) -> list[PlaceId]:
    """Return the Areas, sorted, where a Mandatory Attack is still to be declared. Source: 9.1."""
    return [area for area in map(PlaceId, MANDATORY.on(table)) if is_attack_due(table, area)]


def entrants(table: Table, now: ActionRound, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the units that entered a Soviet-occupied Area in this round and can still attack there, sorted by name.

    Source: 9.1, 9.2.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, area) and entry_area(table, unit)])


def entered(table: Table, now: ActionRound) -> dict[PlaceId, tuple[PieceId, ...]]:
    """Return the Areas, not attacked so far, that units entered in this round, each with its entrants. Source: 9.1."""
    areas = dict.fromkeys([table.pieces[unit].place for unit in now.units if entry_area(table, unit)])
    return {area: entrants(table, now, area) for area in areas if not was_attacked(table, area)}


def starters(table: Table, now: ActionRound) -> tuple[PieceId, ...]:
    """Return the Fresh units that stood in the Active Area from the start and have not moved, sorted by name.

    Source: 8.2, 9.3.
    """
    return tuple([unit for unit in now.units if _is_at(table, unit, now.area) and not has_moved(table, unit)])


def _is_at(table: Table, unit: PieceId, area: PlaceId) -> bool:
    piece = table.pieces[unit]
    return piece.place == area and piece.face == FRESH


# The attack


def attack_area(table: Table) -> PlaceId:
    """Return the Area under attack; empty if there is none."""
    attack = table.topmost(ATTACK)
    return PlaceId("") if attack is None else PlaceId(attack.text("area"))


def attackers(table: Table) -> tuple[PieceId, ...]:
    """Return the units taking part in the attack that is being resolved, sorted by name; empty if there is none."""
    return attackers_of(table, attack_area(table))


def attackers_of(table: Table, area: PlaceId) -> tuple[PieceId, ...]:
    """Return the units that attack an Area or have attacked it in this Action Round, sorted by name.

    Those that went Out of Action or have retreated are not among them any more.
    """
    return tuple([unit for unit in ATTACKERS.of(table, area) or () if table.pieces[unit].place == area])


def lead_of(table: Table) -> PieceId:
    """Return the Lead Attacking Unit; empty if none has been named, or it is Out of Action.

    A lone attacker leads unnamed.

    Source: 9.5.
    """
    area = attack_area(table)
    units, lead = attackers_of(table, area), LEAD.of(table, area)
    if lead is None:
        return units[0] if len(units) == 1 else PieceId("")
    return lead if lead in units else PieceId("")


def retreating(table: Table) -> list[PieceId]:
    """Return the units that still have to retreat, sorted by name. Source: 9.5.5, 9.5.8."""
    area = attack_area(table)
    result = RESULT.of(table, area)
    if result == BROKEN_OFF or (result == REPULSE and MANDATORY.of(table, area)):
        return [unit for unit in attackers_of(table, area) if entry_area(table, unit)]
    return []


def has_strategy_in_force(table: Table, area: PlaceId) -> bool:
    """Return whether the Defense Strategy of an Area's Soviet unit is in force. Source: 4.4."""
    return STRATEGY_IN_FORCE.of(table, soviet_unit(area)) is not None
