"""Stalingrad: Advance to the Volga, 1942. One playing seat, the German one; the rules play the Soviet side.

Identifiers are the rulebook's terms. Those that are called differently here:

* Combat Result "eliminated" of a German unit: `put_out_of_action`, as the rulebook itself explains the word.
* Defence Strength (9.5.5), Combat Value (13.4): the Defense Factor or Attack Factor; see ruling.overrun-strength.
* Movement Points (13.4): MF, the Movement Factor left.
* Support Unit: support marker, since "unit" is kept for what counts for stacking.
* Turn: `round` on the table, as other games call the counter of their turns.
* Opening setup Areas (6.3): the Areas open to returning units.
* Friendly or enemy: German or Soviet.
* The counter of a Soviet unit is what is printed on its back; before it is drawn the unit has none.

`components` has the map, counters and tables, and the checks of an owner's file. `rules` has a module per chapter: `set_up`
(5, 14.2 to 14.5), `dawn` (6.1), `random_event` (6.2, 10.1, 14.6), `supply` (6.3), `bloody_streets` (6.4.1), `activation`
(6.4.2, 6.4.3, 8.1), `movement` (7, 8.2, 8.3), `attack` (9.0 to 9.4), `combat` (9.5), `retreat` (9.5.8), `ending` (6.5, 11,
14.7); `advance_rules` puts them together, and `queries` has the definitions of chapters 3, 4 and 7. `narration` words and
draws, `positions` reads position files, `bots` plays; `ids` are those of the table, `memory` is what the rules remember. Each part
is loaded when it is needed.
"""

from core.game.game_record import Mode, Scenario
from core.games.advance.components.board_records import FACTORY, MAIN
from core.games.advance.ids import GERMAN, GERMAN_SEAT, SOVIET
from core.games.advance.options import OPTIONS
from core.registry.game_parts import GameParts
from events.ids import GameKey

PARTS = GameParts(
    package=__name__,
    components="components.board:BOARD_FILE",
    rules="rules.advance_rules:AdvanceRules",
    narration="narration.advance_narration:AdvanceNarration",
    positions="positions.advance_positions:AdvancePositions",
    bots="bots.policies:POLICIES",
    report="components.view.map:make_report",
    inventory="memory:in_play",
    rolls="rolls:AdvanceRolls",
)

SOLITAIRE = Mode("", "Solitaire", {GERMAN_SEAT: GERMAN})

GAME = PARTS.record(
    key=GameKey("advance"),
    title="Stalingrad: Advance to the Volga, 1942",
    edition="1.0",
    sides=(GERMAN, SOVIET),
    scenarios=(
        Scenario(
            MAIN,
            "Main Game",
            (SOLITAIRE,),
            summary="Nine turns, September 13 to 30, 1942: from the edge of the city to the Volga.",
        ),
        Scenario(
            FACTORY,
            "Factory District Scenario",
            (SOLITAIRE,),
            summary="Five turns, October 14 to 31, 1942: the last fifteen Areas.",
        ),
    ),
    options=OPTIONS,
    short_title="Advance",
    pitch="You command the Germans in September 1942. The game itself defends the city, Area by Area.",
    weight=2,
    roles={GERMAN: "attacks the city, Area by Area", SOVIET: "is played by the rules"},
)
"""The game's record; one playing seat (1.0)."""
