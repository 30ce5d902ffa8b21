"""Windows: moments at which a side may answer or add something out of its own Actions.

A window opens by public facts alone (occasion, hand not empty, a fitting card in the side's deck list); what is held plays
no part. There are two forms. A *single* window belongs to one side and closes when it passes, or with a cancellation. An
*alternating* one goes from side to side until two passes follow each other; there a side without cards passes by itself,
which everybody can foresee.

Source: RuleId("window.who-is-asked"), ruling.any-time-windows, RuleId("window.no-answer-to-an-answer"), ruling.window-leak, ruling.reaction-chain.
"""

from collections.abc import Callable, Mapping

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import ANY_TIME, OWN_ACTION, REACT_CARD, ActionCard, Cards
from core.games.battle.ids import discards, enemy, hand, played, snipers
from core.games.battle.rules.commands import Pass, PlayCard
from core.games.battle.rules.queries import cards_in_hand, hand_size
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.codec import Struct
from events.ids import RuleId, Side
from events.vocabulary import Value
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


class Window(Struct, frozen=True):
    """One kind of window.

    `kind` is its decision, `timings` the card timings it is for (any-time cards go with every window), `rule` what opens
    it. With `alternating` it goes from side to side. With `answered_once` a card of its timings closes it, as a cancellation
    does; else a pass alone closes it.
    """

    kind: str
    timings: frozenset[str]
    rule: RuleId
    alternating: bool = False
    answered_once: bool = False


def is_asked(cards: Cards, table: Table, window: Window, side: Side) -> bool:
    """Tell by public facts whether a side is asked in a window. Source: RuleId("window.who-is-asked")."""
    return hand_size(table, side) > 0 and bool(window.timings & cards.has_timing[side])


def open_single(draft: Draft, cards: Cards, window: Window, side: Side, about: str = "") -> None:
    """Open a window to one side, if public facts open it at all."""
    if is_asked(cards, draft.table, window, side):
        draft.ask(window.kind, draft.table.seat_of(side), window.rule, {"about": about})


def open_alternating(draft: Draft, cards: Cards, window: Window, first: Side, about: str = "") -> None:
    """Open a window that goes from side to side, beginning with one; nobody is asked where nobody can be."""
    _ask_next(draft, cards, window, first, {"about": about, "passed": 0})


def _ask_next(draft: Draft, cards: Cards, window: Window, side: Side, arguments: Mapping[str, Value]) -> None:
    """Ask a side, or let it pass by itself where public facts say that it cannot answer; close after two passes.

    The arguments of the question say what the window is about and how many passes came directly before it.
    """
    passed = arguments["passed"]
    assert isinstance(passed, int)
    while passed < 2:
        if is_asked(cards, draft.table, window, side):
            draft.ask(window.kind, draft.table.seat_of(side), window.rule, {**arguments, "passed": passed})
            return
        passed += 1
        side = enemy(side)


class WindowDecision:
    """What a side does in a window: play a fitting card or pass.

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
        """Offer every fitting card of the hand with everything it may be told, and passing."""
        side = table.side_of(asked.seat)
        found: list[Command] = [Pass()]
        for card in cards_in_hand(self.cards, table, side):
            if self.fits(card):
                found.extend(self.rules[card.title.op].options(table, side, card))
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a pass or a fitting card; whether a card is held comes before all that would tell more."""
        side = table.side_of(asked.seat)
        if isinstance(command, Pass):
            return None
        if not isinstance(command, PlayCard):
            return misplaced(table, asked, command, "A window is open: play a card for this moment, or pass.")
        if command.card not in table.pile(hand(side)).cards:
            return refused("card_must_be_in_hand")
        card = self.cards.cards[command.card]
        if not self.fits(card):
            return mistimed(self.cards, table, card)
        return self.rules[card.title.op].refuse(table, side, card, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Close the question, do what was chosen, and go on with the window unless it is over."""
        side = draft.table.side_of(asked.seat)
        draft.answered(self.window.rule)
        if isinstance(command, PlayCard):
            draft.play_card(command.card, hand(side), played(side), ONE_USE)
        if self.window.alternating:
            self._take_alternating(draft, asked, command)
        elif isinstance(command, PlayCard):
            card = self.cards.cards[command.card]
            if card.title.timing == ANY_TIME or not self.window.answered_once:
                draft.set_aside("window_again", self.window.rule, {"kind": asked.kind, "side": side, **asked.arguments})
            self.rules[card.title.op].effect(draft, Play(side, card, command))

    def _take_alternating(self, draft: Draft, asked: Open, command: Command) -> None:
        side = draft.table.side_of(asked.seat)
        if isinstance(command, PlayCard):
            draft.set_aside(
                "window_next", self.window.rule, {**asked.arguments, "kind": asked.kind, "side": enemy(side)}
            )
            card = self.cards.cards[command.card]
            self.rules[card.title.op].effect(draft, Play(side, card, command))
            return
        after = {**asked.arguments, "passed": asked.number("passed") + 1}
        _ask_next(draft, self.cards, self.window, enemy(side), after)


class WindowFlow:
    """The procedures that go on with a window once a card played in it is carried out."""

    def __init__(self, cards: Cards, windows: dict[str, Window]) -> None:
        self.cards = cards
        self.windows = windows

    def again(self, draft: Draft, waiting: Open) -> None:
        """Ask the same side once more, because an any-time card does not close a window. Source: RuleId("window.move")."""
        window = self.windows[waiting.text("kind")]
        draft.take_up(window.rule)
        open_single(draft, self.cards, window, Side(waiting.text("side")), waiting.text("about"))

    def next(self, draft: Draft, waiting: Open) -> None:
        """Ask the other side."""
        window = self.windows[waiting.text("kind")]
        draft.take_up(window.rule)
        about: dict[str, Value] = {"about": waiting.text("about"), "passed": 0}
        _ask_next(draft, self.cards, window, Side(waiting.text("side")), about)


def decisions(cards: Cards, windows: dict[str, Window], rules: dict[str, CardRule]) -> dict[str, Decision]:
    """Return one question per window."""
    return {kind: WindowDecision(cards, window, rules) for kind, window in windows.items()}
