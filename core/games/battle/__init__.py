"""Battle for Stalingrad. Two seats with secret hands; almost every Action can be answered.

Identifiers are the rulebook's terms. Those that are called differently here:

* Acting Player: `turn` on the table, as other games call whose turn it is.
* Order (in one sentence of the Firefight rules): Action.
* Scout (in one example): Scouts.
* Turn: `round` on the table counts the turns of both players.

`components` has Locations, Forces and cards, and the checks of an owner's file. `rules` has a module per chapter: `set_up`, `turn`,
`supply`, `action`, `move`, `attack`, `battle` (its steps and the aftermath), `fighting` (up to the totals), `absorb` (with card attacks), `buy`
(with Resupply), `cards` and `card_rules` (Action cards), `uranus`. `windows` has what may be answered; `queries` derives what follows
from the table, and `changes` has the changes of it that several chapters make; `battle_rules` puts all of them together. `narration`
has names, sentences and pictures, `positions` reads position files, `bots` plays; `ids` are those of the table, `memory` is what the rules
remember. Each part is loaded when it is needed.
"""

from core.game.game_record import Mode, Scenario
from core.games.battle.ids import GERMAN, GERMAN_SEAT, RUSSIAN, SEATS, SIDES
from core.games.battle.options import OPTIONS
from core.registry.game_parts import GameParts
from events.ids import GameKey

PARTS = GameParts(
    package=__name__,
    components="components.card_file:CARD_FILE",
    rules="rules.battle_rules:BattleRules",
    narration="narration.battle_narration:BattleNarration",
    positions="positions.battle_positions:BattlePositions",
    bots="bots.greedy:POLICIES",
    report="components.view.card_view:make_report",
    inventory="memory:in_play",
    rolls="rolls:BattleRolls",
)

GAME = PARTS.record(
    key=GameKey("battle"),
    title="Battle for Stalingrad",
    edition="1.0",
    sides=SIDES,
    scenarios=(
        Scenario(
            "standard",
            "Standard game",
            (Mode("", "Two players", dict(zip(SEATS, SIDES, strict=True))),),
            summary="Five of ten Locations; a side that Controls all five at the end of its own turn wins.",
        ),
    ),
    options=OPTIONS,
    has_dice=False,
    short_title="Battle",
    pitch="Five Locations, two armies, a hand of cards each. Hold all five at the end of your turn.",
    weight=1,
    first_seat=GERMAN_SEAT,
    roles={GERMAN: "attacks; moves first", RUSSIAN: "holds all five Locations at first; more cards"},
)
"""The game's record; two playing seats (game.seats)."""
