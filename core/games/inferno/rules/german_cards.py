"""The German cards of a Deliberate Attack: which are played, and what they do."""

from collections.abc import Iterable
from itertools import combinations

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.selection import refuse_unsorted
from core.games.inferno.components.board_model import Board, Card, Title
from core.games.inferno.components.board_records import FIRE, INFANTRY, TANK
from core.games.inferno.ids import GERMAN, SOVIET, combat_card, discards, hand
from core.games.inferno.memory import CANCELLED, COMBAT, RUBBLE_BONUS
from core.games.inferno.options import RUBBLE_AFFECTS_CARDS
from core.games.inferno.rules.cards import LINDEN, NONE_PLAYED, VON_RICHTHOFEN, hand_seats, has_leader
from core.games.inferno.rules.commands import CommitCards
from core.games.inferno.rules.fire import hits_of
from core.games.inferno.rules.losses import attacker, german_seat, inflict
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.rubble import halved
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, CardId, RuleId, Seat
from events.vocabulary import Modifier
from projections.state.table import Open, Table

COMMIT = RuleId("german.deliberate-attack.card")
HITS = RuleId("german.card.dice-are-triple-fire")
RUBBLE_HALVES = RuleId("german.card.rubble-halves-dice")
SEVERAL = RuleId("leader.linden.multiple-pioneers")
DOUBLE_DICE = RuleId("leader.richthofen.dice")
DOUBLE_RUBBLE = RuleId("leader.richthofen.rubble")
PIONEER = "pioneer"
GERMAN_CARD = "german_card"
"""The kind of the question which cards the Germans play."""
DICE = {
    "heinkel_111": RuleId("german.card.heinkel"),
    "stuka": RuleId("german.card.stuka"),
    "howitzer": RuleId("german.card.howitzer"),
    PIONEER: RuleId("german.card.pioneer"),
}
STEPS = {INFANTRY: RuleId("german.card.sniper"), TANK: RuleId("german.card.pak")}


def rule_of(title: Title) -> RuleId:
    """Return the rule of the cards of a title."""
    return DICE.get(title.id, HITS) if title.op == FIRE else STEPS[title.target]


def is_asked(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Germans may play cards: in their own Deliberate Attack, if they have any.

    Source: combat.german-card-deliberate-only, german.hasty-attack.no-card.
    """
    is_german = attacker(at) == GERMAN and at.number("is_deliberate") == 1
    return is_german and table.pile(hand(german_seat(at))).count > 0


def ask(draft: Draft, board: Board, at: Open) -> None:
    """Ask the attacking seat for its cards. Source: combat.german-card-after-soviet, ruling.co-op-partner-card."""
    draft.ask(GERMAN_CARD, german_seat(at), COMMIT)


def refuse_timing(table: Table, seat: Seat, command: Command) -> Refusal | None:
    """Return why a German seat may not play cards in the combat that is being fought, whoever is asked.

    Source: combat.german-card-deliberate-only, soviet.hasty-attack.cards, german.hasty-attack.no-card.
    """
    at = table.topmost(COMBAT)
    if not isinstance(command, CommitCards) or at is None or table.side_of(seat) != GERMAN:
        return None
    if attacker(at) != GERMAN:
        return refused("german_card_must_support_deliberate_attack")
    return None if at.number("is_deliberate") else refused("hasty_attack_must_be_without_card")


class GermanCards(Question):
    """Cards of the hand that are laid face down: none, one, or with Linden any number of Pioneers."""

    def __init__(self, board: Board) -> None:
        lay = Answer(CommitCards, self._candidates, self._refuse, self._lay, ends=COMMIT)
        super().__init__([lay], misplaced, decline=CommitCards())
        self.board = board

    def _candidates(self, table: Table, asked: Open) -> Iterable[CommitCards]:
        """Return no card, every card, and every group of Pioneers."""
        held = sorted(table.pile(hand(asked.seat)).cards)
        yield CommitCards()
        for card in held:
            yield CommitCards((card,))
        pioneers = [card for card in held if self._is_pioneer(card)]
        for number in range(2, len(pioneers) + 1):
            for group in combinations(pioneers, number):
                yield CommitCards(group)

    def _is_pioneer(self, card: CardId) -> bool:
        return self.board.cards[card].title.id == PIONEER

    def _refuse(self, table: Table, asked: Open, command: CommitCards) -> Refusal | None:
        """Return why cards may not be played; one that is not held is refused as any other, so that nothing is learnt of it.

        Source: german.card.one-per-attack, leader.linden.multiple-pioneers,
        leader.linden.pioneers-only, leader.linden.672nd, mode.co-op.cards-private.
        """
        if not set(command.cards) <= set(table.pile(hand(asked.seat)).cards):
            return refused("card_must_be_in_hand")
        unsorted = refuse_unsorted(command.cards)
        if unsorted is not None:
            return unsorted
        has_linden = has_leader(table, self.board, LINDEN)
        if not has_linden and any(self.board.cards[card].needs_linden for card in command.cards):
            return refused("linden_must_be_in_play")
        if len(command.cards) > 1:
            pioneers = [self._is_pioneer(card) for card in command.cards]
            if has_linden and any(pioneers) and not all(pioneers):
                return refused("pioneers_must_be_alone")
            if not has_linden or not all(pioneers):
                return refused("support_card_must_be_single")
        return None

    def _lay(self, draft: Draft, asked: Open, command: CommitCards) -> None:
        """Lay the cards face down. Source: fog.cards-facedown-until-showdown."""
        seats = hand_seats(draft.table, asked.seat)
        rule = SEVERAL if len(command.cards) > 1 else COMMIT
        if not command.cards:
            draft.apply(COMMIT, NONE_PLAYED, GERMAN)
        for card in command.cards:
            draft.move_card(card, hand(asked.seat), combat_card(GERMAN), rule, seen_by=seats)


# What they do


def are_played(table: Table, board: Board, at: Open) -> bool:
    """Return whether German cards lie in the combat."""
    return table.pile(combat_card(GERMAN)).count > 0


def cards_of(table: Table, board: Board) -> list[Card]:
    """Return the German cards of the combat."""
    return [board.cards[card] for card in sorted(table.pile(combat_card(GERMAN)).cards)]


def work(draft: Draft, board: Board, at: Open) -> None:
    """Let the German cards work: dice of all of them first, then their hits.

    Source: combat.german-card-second, german.card.sniper, german.card.pak,
    leader.linden.multiple-pioneers, ruling.card-without-attackers.
    """
    played = cards_of(draft.table, board)
    hits, bonus = 0, list[Modifier]()
    for card in played:
        if CANCELLED.of(draft.table, card.id):
            continue
        if card.title.op != FIRE:
            inflict(draft, board, SOVIET, card.title.steps, rule_of(card.title), arm=card.title.target)
            return
        hits += _fire(draft, board, card)
        bonus += rubble_bonus(draft.table, board, card)
    if bonus:
        RUBBLE_BONUS.set(draft, TABLE, sum([part.amount for part in bonus]), bonus[0].rule, parts=tuple(bonus))
    if hits:
        inflict(draft, board, SOVIET, hits, rule_of(played[0].title))


def _fire(draft: Draft, board: Board, card: Card) -> int:
    """Throw a card's dice, twice as many for an airstrike under Von Richthofen, and return its effective hits.

    Source: german.card.heinkel, german.card.stuka, german.card.howitzer, german.card.pioneer,
    german.card.airstrike, leader.richthofen.dice, german.card.rubble-halves-dice, ruling.rubble-card-dice.
    """
    title, needed = card.title, board.hits_from[card.title.firepower]
    is_doubled = title.is_airstrike and has_leader(draft.table, board, VON_RICHTHOFEN)
    count = title.dice * (board.leaders.von_richthofen_factor if is_doubled else 1)
    faces = draft.dice(
        count, title.name, DOUBLE_DICE if is_doubled else rule_of(title), about=card.id, needed=needed, each=True
    )
    hits = hits_of(faces, needed)
    if not RUBBLE_AFFECTS_CARDS.is_on(draft.table):
        return hits
    return halved(draft, board, SOVIET, hits, card.id, rule=RUBBLE_HALVES)


def rubble_bonus(table: Table, board: Board, card: Card) -> list[Modifier]:
    """Return what a card adds to the Rubble Roll. Source: rubble.roll.modifier-card, leader.richthofen.rubble."""
    own = Modifier(rule_of(card.title), card.title.name, card.title.rubble)
    if not card.title.is_airstrike or not has_leader(table, board, VON_RICHTHOFEN):
        return [own]
    more = own.amount * (board.leaders.von_richthofen_factor - 1)
    return [own, Modifier(DOUBLE_RUBBLE, "Von Richthofen", more)]


def has_airstrike(table: Table, board: Board) -> bool:
    """Return whether an airstrike is among the German cards of the combat. Source: german.card.airstrike."""
    return any(card.title.is_airstrike for card in cards_of(table, board))


def cancel_airstrike(draft: Draft, board: Board, rule: RuleId) -> None:
    """Cancel a German airstrike card, its Rubble modifier included. Source: soviet.card.aa, ruling.cancelled-card."""
    for card in cards_of(draft.table, board):
        if card.title.is_airstrike:
            CANCELLED.set(draft, card.id, value=True, rule=rule)


def discard(draft: Draft, board: Board, at: Open) -> None:
    """Discard the Support Cards of both sides; Leaders have come into play already.

    Source: combat.discard, ruling.cancelled-card.
    """
    for side in (SOVIET, GERMAN):
        for card in sorted(draft.table.pile(combat_card(side)).cards):
            draft.discard(card, combat_card(side), discards(side), RuleId("combat.discard"))
