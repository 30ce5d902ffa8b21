"""Stalingrad: Inferno on the Volga. One to three playing seats; in two of four modes the rules play the Soviet side.

Identifiers are the rulebook's terms. Those that are called differently here:

* Spawn box, Spawn Pool: pool.
* Turn: `round` on the table counts the turns of both sides.
* Uberblock: the markers `raus` and `headquarters`, since they are not units.
* Soviet Infantry that the rulebook tells apart without a name of its own (Rifle Divisions and Brigades): `division`, `brigade`.

`components` has the map, blocks and cards, and the checks of an owner's file. `rules` has a module per chapter: `set_up`, `turn`,
`actions`, `movement`, `attacks`, `reinforcement` with `reinforcement_track` and `entering`, `combat` (its sequence), `fire` and `losses`, `advance`
(with Blitz), `rubble`, `german_cards`, `soviet_cards`, `soviet` (the turn that the rules play), `soviet_seat` (the one that a seat
plays), `spawn`, `ending`. `hidden_units` has what nobody knows yet, `cards` what is known of Leaders; `queries` derives what follows from the
table; `inferno_rules` puts all of them together. `narration` has names, sentences and pictures, `positions` reads position files, `bots`
plays; `ids` are those of the table, `memory` is what the rules remember. Each part is loaded when it is needed.
"""

from core.game.game_record import Mode, Scenario
from core.games.inferno.ids import CO_OP, GERMAN, ONE_VS_ONE, PLAYS, SIDES, SOLO, SOVIET, SOVIET_SEAT, TWO_VS_ONE
from core.games.inferno.options import OPTIONS
from core.registry.game_parts import GameParts
from events.ids import GameKey

PARTS = GameParts(
    package=__name__,
    components="components.board:BOARD_FILE",
    rules="rules.inferno_rules:InfernoRules",
    narration="narration.inferno_narration:InfernoNarration",
    positions="positions.inferno_positions:InfernoPositions",
    bots="bots.greedy:POLICIES",
    report="components.view.map:make_report",
    inventory="memory:in_play",
    rolls="rolls:InfernoRolls",
)

MODES = tuple(
    Mode(key, title, PLAYS[key])
    for key, title in (
        (SOLO, "Solo"),
        (CO_OP, "Co-Op"),
        (ONE_VS_ONE, "1 vs 1"),
        (TWO_VS_ONE, "2 vs 1"),
    )
)

GAME = PARTS.record(
    key=GameKey("inferno"),
    title="Stalingrad: Inferno on the Volga",
    edition="1.0",
    sides=SIDES,
    scenarios=(
        Scenario(
            "standard",
            "Standard game",
            MODES,
            summary="Six Soviet Spawn Hexes are the goal of the Germans; the Soviets hold out until their cards are drawn.",
        ),
    ),
    options=OPTIONS,
    short_title="Inferno",
    pitch="Blocks in the fog: you see whose they are, not what they are. Six Spawn Hexes decide.",
    weight=3,
    first_seat=SOVIET_SEAT,
    roles={
        GERMAN: "attacks the six Spawn Hexes; moves first",
        SOVIET: "spawns units and strikes back until its cards are drawn",
    },
)
"""The game's record; its modes (mode.list)."""
