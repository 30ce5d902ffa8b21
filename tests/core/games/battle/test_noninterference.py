"""A seat's view has no trace of secrets: matches that differ only in what it must not know look the same to it, byte for byte.

The matches are played side by side from random points of random matches (`tests.support.noninterference`). How many positions are
compared grows with the budget. Planted leaks show that the comparison would find one.
"""

from collections.abc import Callable

import pytest

import projections.state.fold
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import GERMAN_SEAT, RUSSIAN, SEATS, SIDES, discards, enemy, escrow, hand
from core.games.battle.rules import windows
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.commands import (
    Attack,
    BuyForce,
    FireCard,
    Pass,
    PlayCard,
    RemoveUranus,
    Resupply,
    TakeCard,
)
from core.games.battle.rules.queries import cards_in_hand
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import Window
from core.match import match_commands
from core.refusal import Refusal
from events.codec import encode, replace
from events.ids import PUBLIC, PileId, RuleId, Seat, Side
from events.vocabulary import SECRETS as SECRET_FIELDS
from events.vocabulary import WITHHELD, BaseEvent, Event, StandingAnswerGiven, Value
from projections.state import view
from projections.state.table import Open, Table
from projections.state.view import seen_events
from tests.support.battle_cards import both_sides
from tests.support.desk import Desk
from tests.support.noninterference import Secrets, Twins, Wanderer
from tests.support.soak import sampled

ONLOOKERS = (*SEATS, PUBLIC)
RULES = BattleRules(CARD_FILE.load())


def is_secret_choice(asked: Open) -> bool:
    """Which card Scouts takes and which cards are set aside face down is for their owner alone."""
    return asked.kind == "scouts" or (asked.kind == "pay_cards" and asked.arguments["face_down"] is True)


def comes_to_light(first: Table, second: Table, command: Command) -> bool:
    """Cards set aside become open when the card that they pay for is not cancelled."""
    top = first.top
    if top is None or top.kind != "answer_card" or not isinstance(command, Pass):
        return False
    return any(sorted(first.pile(escrow(side)).cards) != sorted(second.pile(escrow(side)).cards) for side in SIDES)


def never_known(seat: Seat) -> tuple[PileId, ...]:
    """Return where the other side's cards lie whose names a seat never learns while they are there."""
    return tuple(pile(side) for side in SIDES if Seat(side) != seat for pile in (hand, escrow))


SECRETS = Secrets(
    game="battle",
    is_secret_choice=is_secret_choice,
    comes_to_light=comes_to_light,
    never_known=never_known,
    decline=Pass(),
    wild_commands=(PlayCard, FireCard, Pick, Choose, Resupply, TakeCard, RemoveUranus, BuyForce, Attack),
)


def wanderer(seed: int, board: str | None = None) -> Wanderer:
    """Begin a random match, with the packaged cards or an owner's."""
    options: dict[str, Value] = {"turn_cap": 30} if seed % 2 else {"turn_cap": 30, "one_reshuffle_per_turn": False}
    desk = Desk.open("battle", options=options, seed=str(seed), name="wanderer", board=board)
    return Wanderer(desk, ONLOOKERS, seed)


def compared(seed: int, positions: int, board: str | None = None) -> dict[str, int]:
    """Compare twins at random points of random matches until they have differed at so many positions.

    Questions that come up seldom are looked at more often than others.

    Returns:
        How many twins began at each kind of question; under `telling` how many questions had other answers in one twin,
        under `undone` how many commands were taken back, and under `disclosed` how many standing answers were told at the end of a twin.
    """
    found, kinds = 0, {"telling": 0, "undone": 0, "disclosed": 0}
    number = 0
    while found < positions:
        walk = wanderer(seed * 1_000_000 + number, board)
        number += 1
        while walk.step() and found < positions:
            top = walk.table.top
            if top is not None and walk.rng.random() < max(0.04, 1 / (3 + kinds.get(top.kind, 0))):
                twins = walk.twins(SECRETS, walk.rng.choice(ONLOOKERS))
                found += twins.play(15)
                kinds["telling"] += twins.telling
                kinds["undone"] += twins.undone
                kinds["disclosed"] += twins.disclosed
                kinds[top.kind] = kinds.get(top.kind, 0) + 1
    return kinds


def test_matches_that_differ_in_secrets_look_the_same_to_a_seat_without_them(budget: float) -> None:
    """secrecy.hands, secrecy.decks, secrecy.scouts, secrecy.cancelled-payment, window.who-is-asked, ruling.window-leak,
    match.disclose: standing answers are disclosed only when the match is over, and private notes never."""
    positions = max(1000, round(400 * budget))
    kinds = compared(1, positions)

    assert kinds["telling"] > positions / 20
    assert kinds["undone"] > 0
    assert kinds["disclosed"] > 0
    assert {"action", "answer_card", "answer_battle", "firefight", "absorb_hit", "answer_draw"} <= set(kinds)
    if positions >= 10_000:
        assert set(RULES.kinds) <= set(kinds)


def test_matches_that_differ_in_secrets_look_the_same_with_an_owners_cards(budget: float) -> None:
    """window.who-is-asked, ruling.reconstructed-cards: also where the German is asked about Moves and Draw steps."""
    kinds = compared(3, round(200 * budget), both_sides())

    assert kinds["telling"] > 20


def test_matches_of_other_hands_look_the_same_from_the_beginning(budget: float) -> None:
    """setup.opening-hands, secrecy.hands: from the first card on, and under the same numbers."""
    positions = 0
    for seed in range(max(4, round(10 * budget))):
        walk = wanderer(seed)
        seat = ONLOOKERS[seed % 3]
        twins = Twins(walk.ruleset, SECRETS, (walk.table, walk.table), walk.views[seat], seat, walk.rng)
        positions += twins.play(400)

    assert positions > 100


URANUS = "russian/uranus_2-1"
ASIDE = ("russian/rubble-1", "russian/sniper-1", "russian/scouts-1", "russian/victory-1")
POSITION = f"""
format = "wardiary-position/1"
game = "battle"
turn = "russian"
phase = "actions"
pieces = [
  {{ id = "r_95_rifle", place = "gumrak_airfield/russian/control" }},
  {{ id = "r_39_guards", place = "top/russian" }},
  {{ id = "g_14_panzer", place = "top/german" }},
]
[attributes]
table = {{ locations_in_play = ["gumrak_airfield", "grain_elevator", "the_docks", "pavlovs_house", "mamayev_kurgan"] }}

[markers]
[piles]
"hand/russian" = {[URANUS, *ASIDE]}
"hand/german" = ["german/fog_of_war-1"]
"""


def cancelled(paid: tuple[str, str]) -> Desk:
    """Play a Uranus card that costs two cards and is cancelled."""
    desk = Desk.open("battle", position=POSITION)
    desk.accept({"do": "play-card", "card": URANUS})
    for card in paid:
        desk.accept(Pick(card))
    desk.accept(Done())
    desk.accept({"do": "play-card", "card": "german/fog_of_war-1"})
    return desk


def test_cards_set_aside_and_given_back_were_never_seen() -> None:
    """secrecy.cancelled-payment: the Uranus card alone is open and lost; what it would have cost returns unseen."""
    first, second = cancelled((ASIDE[0], ASIDE[1])), cancelled((ASIDE[3], ASIDE[2]))
    streams = [encode(list(seen_events(desk.events, GERMAN_SEAT))) for desk in (first, second)]

    assert streams[0] == streams[1]
    assert not any(card.encode() in streams[0] for card in ASIDE)
    assert set(first.table.pile(hand(RUSSIAN)).cards) == set(ASIDE)
    assert first.table.pile(discards(RUSSIAN)).cards == (URANUS,)


def test_cards_of_a_cost_are_turned_up_together() -> None:
    """secrecy.cancelled-payment: the order in which they were set aside stays unknown."""
    streams: list[bytes] = []
    for paid in ((ASIDE[0], ASIDE[1]), (ASIDE[1], ASIDE[0])):
        desk = Desk.open("battle", position=POSITION)
        desk.accept({"do": "play-card", "card": URANUS})
        for card in paid:
            desk.accept(Pick(card))
        desk.accept(Done())
        desk.accept({"do": "pass"})
        streams.append(encode(list(seen_events(desk.events, GERMAN_SEAT))))

    assert streams[0] == streams[1]
    assert ASIDE[0].encode() in streams[0]


# Leaks that were planted


def asks_only_who_can_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window opens only to a side that holds a fitting card."""

    def is_asked(cards: Cards, table: Table, window: Window, side: Side) -> bool:
        return any(card.title.timing in window.timings for card in cards_in_hand(cards, table, side))

    monkeypatch.setattr(windows, "is_asked", is_asked)


def draws_openly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audience of a draw is forgotten."""
    original = Draft.draw_card

    def draw_card(
        self: Draft, pile: PileId, to: PileId, purpose: str, rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> object:
        return original(self, pile, to, purpose, rule, seen_by=None if purpose == "draw step" else seen_by)

    monkeypatch.setattr(Draft, "draw_card", draw_card)


def tells_who_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal depends on where a card is."""
    original = BattleRules.refuse

    def refuse(self: BattleRules, table: Table, seat: Seat, command: Command) -> Refusal | None:
        if isinstance(command, PlayCard) and command.card in table.pile(hand(enemy(Side(seat)))).cards:
            return refused("card_timing_must_fit")
        return original(self, table, seat, command)

    monkeypatch.setattr(BattleRules, "refuse", refuse)


def counts_in_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak in a question how many answers its side holds."""
    original = Draft.ask

    def ask(self: Draft, kind: str, seat: Seat, rule: RuleId, arguments: dict[str, Value] | None = None) -> None:
        held = sum("rubble" in card for card in self.table.pile(hand(Side(seat))).cards)
        original(self, kind, seat, rule, {**(arguments or {}), "held": held})

    monkeypatch.setattr(Draft, "ask", ask)


def shows_standing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak to the other seats that a seat has given a standing answer."""
    monkeypatch.setattr(view, "WITHHELD", WITHHELD - {StandingAnswerGiven})
    fields: dict[type[BaseEvent], tuple[str, ...]] = {**SECRET_FIELDS, StandingAnswerGiven: ("answer",)}
    monkeypatch.setattr(view, "SECRETS", fields)


def tells_when_notes_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leak at the end, by the numbers of the log, how many private notes were written."""
    handlers: dict[type[Event], Callable[..., None]] = {**projections.state.fold._HANDLERS}
    original = handlers[StandingAnswerGiven]

    def given(table: Table, event: StandingAnswerGiven) -> None:
        before = len(table.undisclosed_answers)
        original(table, event)
        table.undisclosed_answers = tuple(
            [
                replace(one, after=table.seq - 1) if at >= before else one
                for at, one in enumerate(table.undisclosed_answers)
            ]
        )

    handlers[StandingAnswerGiven] = given
    monkeypatch.setattr(projections.state.fold, "_HANDLERS", handlers)


def keeps_standing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disclose no standing answers at the end."""

    def disclose(draft: Draft) -> None:
        assert draft.table.ended is not None

    monkeypatch.setattr(match_commands, "_disclose", disclose)


def looks_into_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many cards are drawn depends on what lies in the deck."""

    from core.games.battle.rules import turn

    original = turn.cards_to_draw

    def cards_to_draw(cards: Cards, table: Table, side: Side) -> int:
        return original(cards, table, side) - any(
            "sniper" in card or "tanks" in card for card in table.pile(hand(side)).cards
        )

    monkeypatch.setattr(turn, "cards_to_draw", cards_to_draw)


ALWAYS = (draws_openly, counts_in_a_question, shows_standing_answers)
"""A leak in a card, in a question and in what is disclosed: these are always planted."""
LEAKS: tuple[tuple[Callable[[pytest.MonkeyPatch], None], str], ...] = (
    (asks_only_who_can_answer, "looks different"),
    (draws_openly, "knows"),
    (tells_who_holds, "answered differently"),
    (counts_in_a_question, "looks different"),
    (shows_standing_answers, "was seen"),
    (tells_when_notes_were_written, "something else was said"),
    (keeps_standing_answers, "is not told at the end"),
    (looks_into_the_deck, "looks different|one of the twins draws|something else can be taken back"),
)


@pytest.mark.parametrize(("leak", "words"), sampled(LEAKS, lambda leak, _: leak in ALWAYS))
@pytest.mark.interpreted
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=words):
        compared(2, 9000)
