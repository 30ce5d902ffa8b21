"""Card 1: the Weather Roll, and the rivers that freeze."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import DON, FERRY, FROZEN, ICE_BRIDGE, round_space
from core.games.axis_allies.rules.queries import bad_rounds
from core.games.axis_allies.rules.supply import Supply
from events.ids import RuleId

ROLL = RuleId("order.1.roll")
MARKER = RuleId("order.1.marker")
ICE = RuleId("icebridge.place-all")

WEATHER = "weather"
CLEAR = "clear"


def roll_for_weather(draft: Draft, board: Board, supply: Supply) -> None:
    """Roll for the weather of the round, from the first round with a Weather Roll on.

    Source: RuleId("order.1.rounds-1-5"), RuleId("order.1.roll"), ruling.weather-roller.
    """
    bad_faces = board.bad_faces.get(draft.table.round)
    if bad_faces is None:
        draft.apply(RuleId("order.1.rounds-1-5"), "no-roll")
        return
    (face,) = draft.dice(1, WEATHER, ROLL)
    if face not in bad_faces:
        draft.apply(ROLL, CLEAR)
        return
    draft.mark(round_space(draft.table.round), FROZEN, MARKER)
    freeze(draft, board, supply)


def freeze(draft: Draft, board: Board, supply: Supply) -> None:
    """Freeze the river whose turn it is, when bad weather has come once more; later rounds freeze nothing.

    Source: RuleId("freeze.don-first"), RuleId("freeze.volga-second"), RuleId("freeze.permanent"), RuleId("freeze.third-and-later"),
    ruling.freeze-timing.
    """
    match bad_rounds(draft.table, board):
        case 1:
            draft.mark(DON, FROZEN, RuleId("freeze.don-first"))
        case 2:
            _bridge_the_volga(draft, board)
            supply.show(draft)
        case _:
            pass


def _bridge_the_volga(draft: Draft, board: Board) -> None:
    """Put an ice bridge on each crossing; what is aboard a ferry stays aboard.

    Source: RuleId("icebridge.place-all"), ruling.freeze-with-cargo.
    """
    draft.apply(RuleId("freeze.volga-second"), "frozen")
    for crossing in board.crossings:
        if draft.table.marker(crossing, FERRY):
            draft.unmark(crossing, FERRY, ICE)
        draft.mark(crossing, ICE_BRIDGE, ICE)
