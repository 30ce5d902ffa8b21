"""The rules that decide an event besides the one that it cites: who attacks, where a unit may enter, which unit is hit, and where it goes."""

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, MARINE, WHITE, YELLOW
from core.games.inferno.ids import CALLED, DEATH_POOL, GERMAN, SOVIET, combat_card, deck
from core.games.inferno.memory import COMBAT
from core.games.inferno.narration.sentences import CARD_CAUSES, CAUSES, WITHOUT_UNIT
from core.games.inferno.rules import german_cards, soviet_cards
from core.games.inferno.rules.combat import BRIGADE
from core.games.inferno.rules.losses import EXCESS, HITS, TIE, combatants
from core.games.inferno.rules.queries import has_partners
from core.games.inferno.rules.soviet_cards import NO_LANDING
from core.games.inferno.rules.spawn import left
from events.ids import CardId, RuleId, Side
from events.vocabulary import (
    CardDrawn,
    DeckShuffled,
    Event,
    PieceMoved,
    PieceReturned,
    PieceTurned,
    RuleApplied,
    SequenceBegan,
)
from projections.state.table import Table

ENTRIES = {
    BLUE: RuleId("german.reinforce.blue-in-z"),
    YELLOW: RuleId("german.reinforce.yellow-in-x-y"),
    WHITE: RuleId("german.reinforce.white-anywhere"),
}
"""Where units of an army enter."""
SOVIET_EFFECT, GERMAN_EFFECT, DESTROYER_BRIGADE = "soviet_effect", "german_effect", "destroyer_brigade"
"""The steps of a combat in which only units of one kind may be hit."""
PARTNERS_WHITE = RuleId("mode.co-op.white-reinforcements")
STRONGEST = RuleId("hits.strongest-first")
REDUCED = RuleId("hits.reduce")
TO_POOL = RuleId("hits.soviet-to-pool")
TO_DEATH_POOL = RuleId("hits.german-to-death-pool")
SPAWNED = ("soviet.spawn.random", "soviet.spawn.one-place-left", "soviet.spawn.full-hex", "soviet.spawn.pool-empty")
"""What a Spawn Action cites."""
GERMAN_DECK_EMPTY, SOVIET_DECK_EMPTY = RuleId("ruling.german-deck-empty"), RuleId("ruling.okh-draw-from-empty")
NO_MARINE = RuleId("soviet.spawn.no-marine-left")
SPAWN_TABLE = (RuleId("soviet.spawn.table"), RuleId("soviet.spawn.order"), RuleId("ruling.spawn-icons"))
HASTY = (
    RuleId("german.hasty-attack.must-attack"),
    RuleId("german.hasty-attack.one-target"),
    RuleId("german.hasty-attack.all-units"),
)
SOVIET_HASTY = (RuleId("soviet.hasty-attack.whole-stack"),)
SOVIET_DELIBERATE = (RuleId("soviet.deliberate-attack.all-adjacent"),)
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
            return (*_most(table), TO_DEATH_POOL)
        case PieceReturned() if event.rule in CAUSES:
            return (*_most(table), TO_POOL)
        case PieceTurned() if event.rule in CAUSES:
            return (*_most(table), REDUCED)
        case SequenceBegan(kind=kind, arguments=arguments) if kind == COMBAT:
            return _attack(Side(str(arguments["attacker"])), is_deliberate=bool(arguments["is_deliberate"]))
        case RuleApplied(rule=rule) if rule == EXCESS:
            return _one_kind(table, board, event)
        case RuleApplied(rule=rule, about=about) if rule in CARD_CAUSES or rule in WITHOUT_UNIT:
            return (GERMAN_DECK_EMPTY if about == GERMAN else SOVIET_DECK_EMPTY,)
        case DeckShuffled(deck=pile) if pile == deck(GERMAN):
            return (GERMAN_DECK_EMPTY,)
        case CardDrawn(rule=rule) if rule == NO_LANDING and not left(table, MARINE):
            return (NO_MARINE,)
        case _ if event.rule in SPAWNED:
            return SPAWN_TABLE
        case _:
            return ()


def _most(table: Table) -> tuple[RuleId, ...]:
    """Return what says which unit is hit: the strongest, and of equally strong ones that which was chosen."""
    is_chosen = table.top is not None and table.top.kind == HITS
    return (STRONGEST, TIE) if is_chosen else (STRONGEST,)


def _attack(side: Side, *, is_deliberate: bool) -> tuple[RuleId, ...]:
    """Return what says which units attack, and what."""
    if side == GERMAN:
        return DELIBERATE if is_deliberate else HASTY
    return SOVIET_DELIBERATE if is_deliberate else SOVIET_HASTY


def _one_kind(table: Table, board: Board, event: RuleApplied) -> tuple[RuleId, ...]:
    """Return what hits units of one kind only, if hits are lost because none of that kind is in the combat."""
    at = table.topmost(COMBAT)
    if at is None or not combatants(table, at, Side(event.about)):
        return ()
    if at.step == SOVIET_EFFECT:
        return tuple([soviet_cards.rule_of(board.cards[card].title) for card in table.pile(combat_card(SOVIET)).cards])
    if at.step == GERMAN_EFFECT:
        return tuple([german_cards.rule_of(card.title) for card in german_cards.cards_of(table, board)])
    return (BRIGADE,) if at.step == DESTROYER_BRIGADE else ()


def _entry(table: Table, board: Board, event: PieceMoved) -> tuple[RuleId, ...]:
    """Return what an army's colour says of the hex in which a unit enters, if the reader knows the unit."""
    block = board.blocks.get(CardId(table.pieces[event.piece].kind))
    if block is None:
        return ()
    shared = (PARTNERS_WHITE,) if block.colour == WHITE and has_partners(table) else ()
    return (ENTRIES[block.colour], *shared)
