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
draws, `positions` reads position files, `bots` plays; `ids` are those of the table, `memory` is what the rules remember. Each room
is loaded when it is needed.
"""

from collections.abc import Mapping
from functools import partial

from core.decision import Rules
from core.game import BoardSheet, Game, Mode, Scenario
from core.games.advance.components.board_model import FACTORY, MAIN, Board
from core.games.advance.ids import GERMAN, GERMAN_SEAT, SOVIET
from core.games.advance.options import OPTIONS
from core.ports import BoundGame, Narration, Policy, Positions
from events.ids import GameKey


def _bind(text: str | None) -> BoundGame:
    from core.games.advance.components.board import load_board

    board = load_board(text)
    return BoundGame(board.digest, partial(_rules, board), partial(_narration, board), partial(_positions, board))


def _rules(board: Board) -> Rules:
    from core.games.advance.rules.advance_rules import AdvanceRules

    return AdvanceRules(board)


def _narration(board: Board) -> Narration:
    from core.games.advance.narration.advance_narration import AdvanceNarration

    return AdvanceNarration(board)


def _positions(board: Board) -> Positions:
    from core.games.advance.positions.advance_positions import AdvancePositions

    return AdvancePositions(board)


def _policies() -> Mapping[str, Policy]:
    from core.games.advance.bots.policies import POLICIES

    return POLICIES


def _shipped_board() -> bytes:
    from core.games.advance.components.board import packaged_bytes

    return packaged_bytes()


def _make_sheet(text: str | None) -> BoardSheet:
    from core.games.advance.components.view.board_view import make_sheet

    return make_sheet(text)


SOLITAIRE = Mode("", "Solitaire", {GERMAN_SEAT: GERMAN})

GAME = Game(
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
    bind=_bind,
    shipped_board=_shipped_board,
    package="core.games.advance",
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
"""The game's record; one playing seat (1.0)."""
