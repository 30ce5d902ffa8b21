"""The rules that decide an event besides the one that it cites: where a unit may enter, which unit is hit, and where it goes."""

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, WHITE, YELLOW
from core.games.inferno.ids import CALLED, DEATH_POOL, GERMAN
from core.games.inferno.memory import COMBAT
from core.games.inferno.narration.sentences import CAUSES
from core.games.inferno.rules.queries import has_partners
from events.ids import CardId, RuleId
from events.vocabulary import Event, PieceMoved, PieceReturned, PieceTurned, SequenceBegan
from projections.table import Table

ENTRIES = {
    BLUE: RuleId("german.reinforce.blue-in-z"),
    YELLOW: RuleId("german.reinforce.yellow-in-x-y"),
    WHITE: RuleId("german.reinforce.white-anywhere"),
}
"""Where units of an army enter."""
PARTNERS_WHITE = RuleId("mode.co-op.white-reinforcements")
STRONGEST = RuleId("hits.strongest-first")
REDUCED = RuleId("hits.reduce")
TO_POOL = RuleId("hits.soviet-to-pool")
TO_DEATH_POOL = RuleId("hits.german-to-death-pool")
DELIBERATE = (
    RuleId("german.deliberate-attack.one-target"),
    RuleId("german.deliberate-attack.adjacent-stacks"),
    RuleId("german.deliberate-attack.all-units-of-stack"),
    RuleId("german.deliberate-attack.no-movement"),
)


def deciding(table: Table, board: Board, event: Event) -> tuple[RuleId, ...]:
    """Return the rules that decide an event besides its own, as far as the reader of a table knows what it is about.

    Args:
        table: As the reader knew it before the event.
        board: The board.
        event: The event.
    """
    match event:
        case PieceMoved() if event.was == CALLED and event.to in board.hexes:
            return _entry(table, board, event)
        case PieceMoved() if event.to == DEATH_POOL:
            return (STRONGEST, TO_DEATH_POOL)
        case PieceReturned() if event.rule in CAUSES:
            return (STRONGEST, TO_POOL)
        case PieceTurned() if event.rule in CAUSES:
            return (STRONGEST, REDUCED)
        case SequenceBegan(kind=kind, arguments=arguments) if kind == COMBAT:
            is_german = arguments.get("attacker") == GERMAN
            return DELIBERATE if is_german and arguments.get("is_deliberate") else ()
        case _:
            return ()


def _entry(table: Table, board: Board, event: PieceMoved) -> tuple[RuleId, ...]:
    """Return what an army's colour says of the hex in which a unit enters, if the reader knows the unit."""
    block = board.blocks.get(CardId(table.pieces[event.piece].kind))
    if block is None:
        return ()
    shared = (PARTNERS_WHITE,) if block.colour == WHITE and has_partners(table) else ()
    return (ENTRIES[block.colour], *shared)
