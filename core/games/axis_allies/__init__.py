"""Axis & Allies: Stalingrad. Two seats, two linked boards, fourteen order cards a round.

Identifiers are the rulebook's terms. Those that are called differently here:

* Unit type: `kind` of a piece; the row of the reference chart, by which bombers name a target: `type`.
* Region Board, City Board: the maps `region` and `city`.
* Supply line exit zone: `exit`. Reinforcement entry zone: `entry`, `storm`, `free_infantry`.
* Reinforcement Point Certificates: the tracks `rpc/axis` and `rpc/allies`.

`components` has the boards, units and cards, and the checks of an owner's file. `rules` has a module per chapter, put together by
`axis_allies_rules`: the set-up with its optional parts (`set_up`, `auction`), the rounds of Order Cards, and what each card does; those that
ask nothing are `automatic_cards`. `queries` derives what follows from the table, `supply` who is supplied. `narration` has names, sentences
and pictures, `positions` reads position files, `bots` plays; `ids` are those of the table, `memory` is what the rules remember. Each part is
loaded when it is needed.
"""

from core.game.game_record import Mode, Scenario
from core.games.axis_allies.ids import ALLIES, ALLIES_SEAT, AUCTION, AXIS, PLAYS, RACE, SIDES, STANDARD, URANUS
from core.games.axis_allies.options import OPTIONS
from core.registry.game_parts import GameParts
from events.ids import GameKey

PARTS = GameParts(
    package=__name__,
    components="components.board_file:BOARD_FILE",
    rules="rules.axis_allies_rules:AxisAlliesRules",
    narration="narration.axis_allies_narration:AxisAlliesNarration",
    positions="positions.axis_allies_positions:AxisAlliesPositions",
    bots="bots.greedy:POLICIES",
    report="components.view.map:make_report",
    inventory="memory:in_play",
    rolls="rolls:AxisAlliesRolls",
)

MODES = tuple(Mode(key, title, PLAYS[key]) for key, title in ((STANDARD, "Standard"), (AUCTION, "Bidding")))

GAME = PARTS.record(
    key=GameKey("axis_allies"),
    title="Axis & Allies: Stalingrad",
    edition="1.0",
    sides=SIDES,
    scenarios=(
        Scenario(
            RACE,
            "Race to Stalingrad",
            MODES,
            summary="From August 1942: the Axis crosses the steppe and fights for the city, before the Allies can turn the tide.",
        ),
        Scenario(
            URANUS,
            "Operation Uranus",
            MODES,
            summary="November 1942: the Axis holds most of the city, and the counter-offensive of the Allies begins.",
        ),
    ),
    options=OPTIONS,
    short_title="Axis & Allies",
    pitch="From the steppe into the streets, on two boards, with tanks, guns and aircraft in numbers.",
    weight=4,
    first_seat=ALLIES_SEAT,
    roles={AXIS: "crosses the steppe to the city; moves first", ALLIES: "holds the city and turns the tide"},
)
"""The game's record; its modes (ruling.auction-mode)."""
