"""Battle for Stalingrad. Two seats with secret hands; almost every Action can be answered.

Identifiers are the rulebook's terms. Those that are called differently here:

* Acting Player: `turn` on the table, as other games call whose turn it is.
* Order (in one sentence of the Firefight rules): Action.
* Scout (in one example): Scouts.
* Turn: `round` on the table counts the turns of both players.

`components` has Locations, Forces and cards, and the checks of an owner's file. `rules` has a module per chapter: `set_up`, `turn`,
`supply`, `action`, `move`, `attack`, `fighting` (a battle up to its totals), `absorb`, `aftermath`, `card_attack`, `buy` (with
Resupply), `cards` and `card_rules` (Action cards), `uranus`, `draw`; `windows` opens what may be answered; `battle_rules` puts
them together, and `queries` has what follows from the table. `narration` words and draws, `positions` reads position files,
`bots` plays; `ids` are those of the table, `memory` is what the rules remember. Each room is loaded when it is needed.
"""

from collections.abc import Mapping
from functools import partial

from core.decision import Rules
from core.game import BoardSheet, Game, Mode, Scenario
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import SEATS, SIDES
from core.games.battle.options import OPTIONS
from core.ports import BoundGame, Narration, Policy, Positions
from events.ids import GameKey


def _bind(text: str | None) -> BoundGame:
    from core.games.battle.components.card_file import load_cards

    cards = load_cards(text)
    return BoundGame(cards.digest, partial(_rules, cards), partial(_narration, cards), partial(_positions, cards))


def _rules(cards: Cards) -> Rules:
    from core.games.battle.rules.battle_rules import BattleRules

    return BattleRules(cards)


def _narration(cards: Cards) -> Narration:
    from core.games.battle.narration.battle_narration import BattleNarration

    return BattleNarration(cards)


def _positions(cards: Cards) -> Positions:
    from core.games.battle.positions.battle_positions import BattlePositions

    return BattlePositions(cards)


def _policies() -> Mapping[str, Policy]:
    from core.games.battle.bots.policies import POLICIES

    return POLICIES


def _shipped_board() -> bytes:
    from core.games.battle.components.card_file import packaged_bytes

    return packaged_bytes()


def _make_sheet(text: str | None) -> BoardSheet:
    from core.games.battle.components.view.card_view import make_sheet

    return make_sheet(text)


GAME = Game(
    key=GameKey("battle"),
    title="Battle for Stalingrad",
    edition="1.0",
    sides=SIDES,
    scenarios=(
        Scenario(
            "standard",
            "Standard game",
            (Mode("", "Two players", dict(zip(SEATS, SIDES, strict=True))),),
            summary="Five of ten Locations; whoever Controls all five at the end of his own turn wins.",
        ),
    ),
    options=OPTIONS,
    bind=_bind,
    shipped_board=_shipped_board,
    package=__name__,
    deciding=(
        "data/board.toml",
        "ids.py",
        "memory.py",
        "options.py",
        "components",
        "rules",
        "positions/position_set_up.py",
    ),
    load_policies=_policies,
    make_sheet=_make_sheet,
)
"""The game's record; two playing seats (game.seats)."""
