"""Battle for Stalingrad. Two seats with secret hands; almost every Action can be answered.

Identifiers are the rulebook's terms. Those that are called differently here:

* Acting Player: `turn` on the table, as other games call whose turn it is.
* Order (in one sentence of the Firefight rules): Action.
* Scout (in one example): Scouts.
* Turn: `round` on the table counts the turns of both players.

A module per chapter: `set_up`, `turn`, `supply`, `action`, `move`, `attack`, `fighting` (a battle up to its totals), `absorb`, `aftermath`,
`card_attack`, `buy` (with Resupply), `cards` and `card_rules` (Action cards), `uranus`, `draw`; `windows` opens what may be answered;
`rules` puts them together. `queries` has what follows from the table, `words` the ids of the table.
"""

from core.game import Game, Scenario
from core.games.battle.bots.policies import POLICIES
from core.games.battle.components.card_file import packaged_bytes
from core.games.battle.components.view.card_view import make_sheet
from core.games.battle.ids import GERMAN, RUSSIAN
from core.games.battle.options import OPTIONS
from core.games.battle.rules.battle_rules import make_rules
from events.ids import GameKey

GAME = Game(
    key=GameKey("battle"),
    title="Battle for Stalingrad",
    scenarios=(
        Scenario(
            "standard",
            "Standard game",
            (RUSSIAN, GERMAN),
            summary="Five of ten Locations; whoever Controls all five at the end of his own turn wins.",
        ),
    ),
    options=OPTIONS,
    make_rules=make_rules,
    shipped_board=packaged_bytes,
    package="core.games.battle",
    policies=POLICIES,
    make_sheet=make_sheet,
)
"""The game's record; two playing seats (game.seats)."""
