"""Which cards answer at which moment; the moments themselves are windows as every game has them (`core.windows`).

A window opens to a side whose hand is not empty and whose deck list has a fitting card; what is held plays no part. In one that
alternates a side without cards passes by itself, which all can foresee.

Source: RuleId("window.who-is-asked"), ruling.any-time-windows, RuleId("window.no-answer-to-an-answer"), ruling.window-leak, ruling.reaction-chain.
"""

from collections.abc import Callable

from core import windows
from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import ANY_TIME, OWN_ACTION, REACT_CARD, ActionCard, Cards
from core.games.battle.ids import discards, enemy, hand, played, snipers
from core.games.battle.memory import ANSWERED
from core.games.battle.rules.commands import Pass, PlayCard
from core.games.battle.rules.queries import cards_in_hand, hand_size
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.windows import WindowDecision
from events.codec import Struct
from events.ids import RuleId, Seat, Side
from projections.table import Open, Table

WHO = RuleId("window.who-is-asked")
ONE_USE = RuleId("card.one-use")


class Play(Struct, frozen=True):
    """A card being played for its effect: by whom, which, and what it was told."""

    side: Side
    card: ActionCard
    command: PlayCard


Effect = Callable[[Draft, Play], None]
"""Carries a card's effect out. The card lies with the played ones; the effect puts it where it belongs (`put_away`)."""
Condition = Callable[[Table, Side, ActionCard], Refusal | None]
"""Judges the moment at which a card is played that names nothing."""


def mistimed(cards: Cards, table: Table, card: ActionCard) -> Refusal:
    """Refuse a held card whose timing does not fit the moment.

    A card that cancels cards cannot be aimed at an enemy card that lies there without being an Action.

    Source: RuleId("card.default-timing"), RuleId("window.no-answer-to-an-answer"), ruling.fog-scope.
    """
    other = enemy(card.side)
    lying = (*table.pile(played(other)).cards, *table.pile(snipers(other)).cards)
    answers = [one for one in lying if cards.cards[one].title.timing != OWN_ACTION]
    if card.title.timing == REACT_CARD and answers:
        return refused("action_must_be_cancellable", rule=RuleId("window.no-answer-to-an-answer"))
    return refused("card_timing_must_fit")


def put_away(draft: Draft, play: Play) -> None:
    """Discard a card whose effect is carried out. Source: RuleId("card.own-deck-own-discards"), ruling.discard-moment."""
    draft.discard(play.card.id, played(play.side), discards(play.side), RuleId("card.own-deck-own-discards"))


class CardRule(Struct, frozen=True):
    """How cards of one effect are played.

    `candidates` lists what they might be told, by default nothing but themselves; `refuse` judges one telling; `effect` carries it
    out. With `is_exact` every candidate can be played, so that none has to be judged.
    """

    refuse: Callable[[Table, Side, ActionCard, PlayCard], Refusal | None]
    effect: Effect
    candidates: Callable[[Table, Side, ActionCard], list[PlayCard]] | None = None
    is_exact: bool = False

    def options(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """List everything that a card may be told, at least one entry where it can be played."""
        told = [PlayCard(card.id)] if self.candidates is None else self.candidates(table, side, card)
        return told if self.is_exact else [one for one in told if self.refuse(table, side, card, one) is None]


def plain(effect: Effect, condition: Condition | None = None) -> CardRule:
    """Return how a card is played that names nothing. Source: RuleId("card.without-effect"), ruling.card-without-effect."""

    def judge(table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        if command.force or command.other or command.to:
            return refused("target_must_exist", f"{card.title.name} names nothing.")
        return None if condition is None else condition(table, side, card)

    return CardRule(judge, effect)


class Window(Struct, frozen=True):
    """The timing of one kind of window.

    `kind` is its question, `timings` the card timings it is for (any-time cards go with every window), `rule` what opens
    it. With `alternating` it goes from side to side. With `answered_once` a card of its timings closes it, as a cancellation
    does; else a pass alone closes it.
    """

    kind: str
    timings: frozenset[str]
    rule: RuleId
    alternating: bool = False
    answered_once: bool = False

    def bound(self, cards: Cards) -> windows.Window:
        """Return the window, bound to the cards."""

        def is_asked_seat(table: Table, seat: Seat) -> bool:
            return is_asked(cards, table, self, table.side_of(seat))

        return windows.Window(self.kind, self.rule, is_asked_seat, other_seat if self.alternating else None)

    def open(self, draft: Draft, cards: Cards, side: Side, about: str = "") -> None:
        """Open the window, to a side first, if public facts open it at all."""
        self.bound(cards).open(draft, draft.table.seat_of(side), about)


def is_asked(cards: Cards, table: Table, window: Window, side: Side) -> bool:
    """Tell by public facts whether a side is asked in a window. Source: RuleId("window.who-is-asked")."""
    return hand_size(table, side) > 0 and bool(window.timings & cards.has_timing[side])


def other_seat(table: Table, seat: Seat) -> Seat:
    """Return the seat of the other side."""
    return table.seat_of(enemy(table.side_of(seat)))


class WindowCards:
    """Which cards answer in a window, and how.

    Args:
        cards: The cards of the match.
        window: The kind of window.
        rules: How cards are played, by effect.
    """

    def __init__(self, cards: Cards, window: Window, rules: dict[str, CardRule]) -> None:
        self.cards = cards
        self.window = window
        self.rules = rules

    def fits(self, card: ActionCard) -> bool:
        """Whether a card's timing suits this window. Source: RuleId("card.any-time"), RuleId("card.default-timing")."""
        return card.title.timing in self.window.timings or card.title.timing == ANY_TIME

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every fitting card of the hand with everything it may be told."""
        side = table.side_of(asked.seat)
        found: list[Command] = []
        for card in cards_in_hand(self.cards, table, side):
            if self.fits(card):
                found.extend(self.rules[card.title.op].options(table, side, card))
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a fitting card; whether a card is held comes before all that would tell more."""
        side = table.side_of(asked.seat)
        if not isinstance(command, PlayCard):
            return misplaced(table, asked, command, "A window is open: play a card for this moment, or pass.")
        if command.card not in table.pile(hand(side)).cards:
            return refused("card_must_be_in_hand")
        card = self.cards.cards[command.card]
        if not self.fits(card):
            return mistimed(self.cards, table, card)
        return self.rules[card.title.op].refuse(table, side, card, command)

    def closes(self, command: Command) -> bool:
        """Return whether a card cancels what it answers; one of any time never does. Source: RuleId("window.move")."""
        assert isinstance(command, PlayCard)
        return self.window.answered_once and self.cards.cards[command.card].title.timing != ANY_TIME

    def carry_out(self, draft: Draft, asked: Open, command: Command) -> None:
        """Play the card."""
        assert isinstance(command, PlayCard)
        side, card = draft.table.side_of(asked.seat), self.cards.cards[command.card]
        draft.play_card(command.card, hand(side), played(side), ONE_USE)
        self.rules[card.title.op].effect(draft, Play(side, card, command))


def decisions(cards: Cards, kinds: dict[str, Window], rules: dict[str, CardRule]) -> dict[str, Decision]:
    """Return one question per window."""
    return {
        kind: WindowDecision(window.bound(cards), WindowCards(cards, window, rules), Pass(), ANSWERED)
        for kind, window in kinds.items()
    }
