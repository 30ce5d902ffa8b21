"""Playing cards of the hand for their effect: which cards fit a moment, and the windows in which they answer (`core.engine.reactions`).

A window opens to a side whose hand is not empty and whose deck list has a fitting card; what is held plays no part. In one that
alternates a side without cards passes by itself, which all can foresee.

Source: window.who-is-asked, ruling.any-time-windows, window.no-answer-to-an-answer, ruling.window-leak, ruling.reaction-chain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.engine import reactions as windows
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.reactions import WindowDecision
from core.engine.steps import Step
from core.games.battle.components.card_model import ActionCard, Cards, Timing
from core.games.battle.ids import SIDES, discards, enemy, firefight, hand, played, snipers
from core.games.battle.memory import ANSWERED, LOST
from core.games.battle.rules.changes import Chapter
from core.games.battle.rules.commands import Pass, PlayCard
from core.games.battle.rules.queries import cards_in_hand, hand_size
from core.games.battle.rules.refusals import misplaced, refuse_unheld, refused
from core.refusal import Refusal
from events.codec import Struct
from events.ids import RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Open, Table

PUT_AWAY = RuleId("card.own-deck-own-discards")


class Play(Struct, frozen=True):
    """A card being played for its effect: by whom, which, what it names, and the rule under which it is played."""

    side: Side
    card: ActionCard
    command: PlayCard
    rule: RuleId


Effect = Callable[[Draft, Play], None]
"""Carries a card's effect out. The card lies with the played ones; the effect puts it where it belongs (`put_away`)."""
Condition = Callable[[Table, Side, ActionCard], Refusal | None]
"""Returns why a card that names nothing cannot be played now, or None if it can."""


class CardRule(Struct, frozen=True):
    """Play of cards of one effect.

    `rule` is what they are played under, `titles` the rules of titles that have one of their own. `candidates` lists what they
    might name, by default nothing; `refuse` judges what one names; `effect` carries it out. With `is_exact` every candidate can
    be played, so that none has to be judged.
    """

    rule: RuleId
    refuse: Callable[[Table, Side, ActionCard, PlayCard], Refusal | None]
    effect: Effect
    candidates: Callable[[Table, Side, ActionCard], list[PlayCard]] | None = None
    titles: Mapping[str, RuleId] = {}
    is_exact: bool = False

    def rule_of(self, card: ActionCard) -> RuleId:
        """Return the rule under which a card is played for its effect."""
        return self.titles.get(card.title.id, self.rule)

    def options(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """List every way to play a card now."""
        ways = [PlayCard(card.id)] if self.candidates is None else self.candidates(table, side, card)
        return ways if self.is_exact else [way for way in ways if self.refuse(table, side, card, way) is None]


def plain(
    rule: RuleId, effect: Effect, condition: Condition | None = None, titles: Mapping[str, RuleId] | None = None
) -> CardRule:
    """Return how a card is played that names nothing. Source: card.without-effect, ruling.card-without-effect."""

    def judge(table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        if command.force or command.other or command.to:
            return refused("target_must_exist", f"{card.title.name} names nothing.")
        return None if condition is None else condition(table, side, card)

    return CardRule(rule, judge, effect, titles=titles or {})


def put_away(draft: Draft, card: ActionCard) -> None:
    """Discard a card whose effect is carried out. Source: card.own-deck-own-discards, ruling.discard-moment."""
    draft.discard(card.id, played(card.side), discards(card.side), PUT_AWAY)


def put_played_away(draft: Draft, at: Open) -> None:
    """Discard the cards of a battle: those played in its window, Firefight cards and flips. Source: ruling.discard-moment."""
    for side in SIDES:
        for pile in (played(side), firefight(side)):
            for card in draft.table.pile(pile).cards:
                draft.discard(card, pile, discards(side), PUT_AWAY)


class HandCards(Chapter):
    """Cards of a hand that can be played at one moment, and the ways to play them.

    Args:
        cards: The cards of the match.
        rules: How cards are played, by effect.
        timings: The timings that fit, besides that of any time.

    Source: card.any-time, card.default-timing.
    """

    def __init__(self, cards: Cards, rules: dict[str, CardRule], timings: frozenset[Timing]) -> None:
        super().__init__(cards)
        self.rules = rules
        self.timings = timings | {"any_time"}

    def answer(self, play: Callable[[Draft, Open, PlayCard], None] | None = None) -> Answer:
        """Return how cards answer a question; `play` plays one, by default at once."""
        return Answer(PlayCard, self._options, self._refuse, play or self.play, are_legal=True)

    def _options(self, table: Table, asked: Open) -> Iterator[PlayCard]:
        side = table.side_of(asked.seat)
        for card in cards_in_hand(self.cards, table, side):
            if card.title.timing in self.timings:
                yield from self.rules[card.title.op].options(table, side, card)

    def _refuse(self, table: Table, asked: Open, command: PlayCard) -> Refusal | None:
        """Refuse a card that is not held before all that would disclose more."""
        if (refusal := refuse_unheld(table, asked, command.card)) is not None:
            return refusal
        card = self.cards.cards[command.card]
        if card.title.timing not in self.timings:
            return self._mistimed(table, card)
        return self.rules[card.title.op].refuse(table, card.side, card, command)

    def _mistimed(self, table: Table, card: ActionCard) -> Refusal:
        """Refuse a held card whose timing does not fit the moment.

        A card that cancels cards cannot be aimed at an enemy card that lies there without being an Action.

        Source: card.default-timing, window.no-answer-to-an-answer, ruling.fog-scope.
        """
        other = enemy(card.side)
        lying = (*table.pile(played(other)).cards, *table.pile(snipers(other)).cards)
        is_answer = any(self.cards.cards[one].title.timing != "own_action" for one in lying)
        if card.title.timing == "react_card" and is_answer:
            return refused("action_must_be_cancellable", rule=RuleId("window.no-answer-to-an-answer"))
        return refused("card_timing_must_fit")

    def play(self, draft: Draft, asked: Open, command: PlayCard) -> None:
        """Play a card and carry its effect out."""
        self.lay_open(draft, command)
        self.carry_out(draft, command)

    def lay_open(self, draft: Draft, command: PlayCard) -> None:
        """Lay a card of the hand with the played ones."""
        play = self._play(command)
        draft.play_card(command.card, hand(play.side), played(play.side), play.rule)

    def carry_out(self, draft: Draft, command: PlayCard) -> None:
        """Carry out the effect of a card that lies with the played ones."""
        play = self._play(command)
        self.rules[play.card.title.op].effect(draft, play)

    def _play(self, command: PlayCard) -> Play:
        card = self.cards.cards[command.card]
        return Play(card.side, card, command, self.rules[card.title.op].rule_of(card))


class Window(Struct, frozen=True):
    """The timing of one kind of window.

    `kind` is its question, `timings` the card timings it is for (any-time cards go with every window), `rule` what opens
    it. With `alternating` it goes from side to side. With `answered_once` a card of its timings closes it, as a cancellation
    does; else a pass alone closes it.
    """

    kind: str
    timings: frozenset[Timing]
    rule: RuleId
    alternating: bool = False
    answered_once: bool = False

    def bound(self, cards: Cards) -> windows.Window:
        """Return the window, bound to the cards."""

        def is_asked_seat(table: Table, seat: Seat) -> bool:
            return is_asked(cards, table, self, table.side_of(seat))

        return windows.Window(self.kind, self.rule, is_asked_seat, other_seat if self.alternating else None)

    def open(self, draft: Draft, cards: Cards, side: Side, about: Mapping[str, Value] | None = None) -> None:
        """Open the window, to a side first, if public information opens it at all."""
        self.bound(cards).open(draft, draft.table.seat_of(side), about)

    def step(self, cards: Cards, about: Sequence[str]) -> Step:
        """Return the step of an Action in which the enemy may answer; `about` are the arguments that name what."""
        return Step(
            "answer",
            self.rule,
            lambda draft, at: self.open(
                draft, cards, enemy(draft.table.turn), {one: at.text(one) for one in about if at.text(one)}
            ),
            when=lambda table, _: is_asked(cards, table, self, enemy(table.turn)),
        )

    def decision(self, cards: Cards, rules: dict[str, CardRule]) -> WindowDecision:
        """Return its question; a card of any time never closes it. Source: window.move."""
        hand_cards = HandCards(cards, rules, self.timings)

        def closes(command: object) -> bool:
            return isinstance(command, PlayCard) and cards.cards[command.card].title.timing != "any_time"

        closing = closes if self.answered_once else None
        return WindowDecision(self.bound(cards), hand_cards.answer(), Pass(), ANSWERED, misplaced, closes=closing)


def is_asked(cards: Cards, table: Table, window: Window, side: Side) -> bool:
    """Return, by public information, whether a side is asked in a window. Source: window.who-is-asked."""
    return hand_size(table, side) > 0 and bool(window.timings & cards.has_timing[side])


def other_seat(table: Table, seat: Seat) -> Seat:
    """Return the seat of the other side."""
    return table.seat_of(enemy(table.side_of(seat)))


W_LOST = Window("answer_loss", frozenset({"own_force_destroyed"}), RuleId("window.aftermath"))


def losses_step(cards: Cards) -> Step:
    """Return the step in which the owner of Destroyed Forces answers, after a card attack or a paid cost. Source: window.aftermath."""
    return Step(
        "losses",
        W_LOST.rule,
        lambda draft, at: W_LOST.open(draft, cards, Side(at.text("side"))),
        when=lambda table, at: LOST.of(table, Side(at.text("side"))) > 0,
    )
