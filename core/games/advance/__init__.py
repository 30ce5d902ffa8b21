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

A module per chapter: `set_up` (5, 14.2 to 14.5), `dawn` (6.1), `random_event` (6.2, 10.1, 14.6), `supply` (6.3),
`streets` (6.4.1), `activation` (6.4.2, 6.4.3, 8.1), `movement` (7, 8.2, 8.3), `attack` (9.0 to 9.4), `combat` (9.5),
`retreat` (9.5.8), `ending` (6.5, 11, 14.7); `rules` puts them together. `queries` has the definitions of chapters 3, 4 and
7, `words` the ids of the table, `board` the map, counters and tables. `policy` is a bot, with `plans` and `odds`.
"""

from core.game import Game, Scenario
from core.games.advance.bots.policies import POLICIES
from core.games.advance.components.board import packaged_bytes
from core.games.advance.components.board_model import FACTORY, MAIN
from core.games.advance.components.view.board_view import make_sheet
from core.games.advance.ids import GERMAN
from core.games.advance.options import OPTIONS
from core.games.advance.rules.advance_rules import make_rules
from events.ids import GameKey

GAME = Game(
    key=GameKey("advance"),
    title="Stalingrad: Advance to the Volga, 1942",
    scenarios=(
        Scenario(
            MAIN,
            "Main Game",
            (GERMAN,),
            summary="Nine turns, September 13 to 30, 1942: from the edge of the city to the Volga.",
        ),
        Scenario(
            FACTORY,
            "Factory District Scenario",
            (GERMAN,),
            summary="Five turns, October 14 to 31, 1942: the last fifteen Areas.",
        ),
    ),
    options=OPTIONS,
    make_rules=make_rules,
    shipped_board=packaged_bytes,
    package="core.games.advance",
    policies=POLICIES,
    make_sheet=make_sheet,
)
"""The game's record; one playing seat (1.0)."""
