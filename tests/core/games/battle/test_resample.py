"""Resampled forks: what the forking seat knows stays, and the new deal is possible by all that it knows."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from core.chance.chance_sources import seeded
from core.engine.draft import Draft
from core.engine.selection import Done, onward
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.ids import GERMAN, GERMAN_SEAT, RUSSIAN, RUSSIAN_SEAT, SEATS, SIDES, deck, enemy, escrow, hand
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.commands import Pass, TakeCard
from core.secrets.dealers import ChanceDealer
from core.secrets.knowledge import Hidden
from core.secrets.resample import resample
from events.codec import encode, replace
from events.ids import ARBITER, PUBLIC, CardId, PileId, Seat, Side
from events.vocabulary import DeckShuffled, Event, SecretsRedealt
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.forgery import own_commits, refork

RULES = BattleRules(CARD_FILE.load())


def played(seed: int, commands: int) -> Desk:
    """Play a random match for a while."""
    return Desk.open("battle", options={"turn_cap": 40}, seed=str(seed), name=f"parent-{seed}").play(
        commands, Random(seed)
    )


def known(desk: Desk, seat: Seat) -> Table:
    """Return the table as a seat knows it."""
    return fold(seen_events(desk.events, seat))


def position(table: Table) -> bytes:
    """Print what lies on a table and whose turn it is, without where it came from."""
    return encode(
        [
            [table.round, table.turn, table.phase, table.ended, table.stack, table.options],
            [table.pieces, table.at, table.markers, table.attributes, table.tracks],
            [(name, pile.cards, pile.hidden) for name, pile in sorted(table.piles.items())],
        ]
    )


def cards_of(table: Table) -> list[CardId]:
    """Return every Action card wherever it lies."""
    return sorted(card for pile in table.piles.values() for card in pile.cards)


def test_the_forking_seat_knows_as_much_as_before_and_the_rest_is_dealt_again(budget: float) -> None:
    """match.resample, secrecy.hands: its table and its choices are the same; no card is lost or twice."""
    dealt_otherwise = 0
    for seed in range(max(3, round(3 * budget))):
        parent = played(seed, 170 + 170 * (seed % 3))
        seat = (*SEATS, PUBLIC)[seed % 3]
        end = parent.match.head.seq
        before, truth = known(parent, seat), parent.table
        fork = parent.fork(end, "seeded", hidden="resample", seat=seat, seed=f"again-{seed}")

        assert position(known(fork, seat)) == position(before)
        assert {pile: cards.count for pile, cards in fork.table.piles.items()} == {
            pile: cards.count for pile, cards in truth.piles.items()
        }
        assert cards_of(fork.table) == cards_of(truth)
        assert [encode(event) for event in seen_events(fork.events[:end], seat)] == [
            encode(event) for event in seen_events(parent.events, seat)
        ]
        for other in SEATS:
            if other == seat:
                assert fork.table.pile(hand(Side(seat))) == truth.pile(hand(Side(seat)))
            else:
                dealt_otherwise += set(fork.table.pile(hand(Side(other))).cards) != set(
                    truth.pile(hand(Side(other))).cards
                )
        top = truth.top
        if top is not None and top.seat == seat:
            assert RULES.options(fork.table) == RULES.options(truth)
        assert fork.audit().findings == ()
        fork.play(60, Random(seed))
        assert fork.audit().findings == ()

    assert dealt_otherwise > 0


def test_the_other_seat_can_play_on_with_what_it_was_dealt(budget: float) -> None:
    """match.resample: who was dealt other cards sees them, and its own table offers what the rules accept."""
    for seed in range(max(2, round(2 * budget))):
        parent = played(seed, 150 + 100 * (3 * seed % 4))
        seat = SEATS[seed % 2]
        fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=seat, seed="2")
        other = enemy(Side(seat))
        own = known(fork, Seat(other))

        assert own.pile(hand(other)).hidden == own.pile(escrow(other)).hidden == 0
        assert sorted(own.pile(hand(other)).cards) == sorted(fork.table.pile(hand(other)).cards)
        for _ in range(30):
            top = fork.table.top
            if top is None:
                break
            assert RULES.options(known(fork, top.seat)) == RULES.options(fork.table)
            fork.play(1, Random(seed))


@pytest.mark.long
def test_a_new_deal_puts_no_card_into_a_pile_that_cannot_hold_it(budget: float) -> None:
    """match.resample, draw.reshuffle: a deck formed anew holds its side's discards of that moment and no others.

    What the other side held then was never among them, so that a deal that mixed both would contradict what everybody saw.
    """
    for seed in range(round(max(1, budget))):
        parent, other = reshuffled(seed)
        formed, held = formed_of(parent, Side(other)), set(parent.table.pile(hand(Side(other))).cards)
        hands = set()
        for number in range(2):
            fork = parent.fork(
                parent.match.head.seq,
                "seeded",
                name=f"fork-{number}",
                hidden="resample",
                seat=Seat(enemy(Side(other))),
                seed=str(number),
            )
            dealt = set(fork.table.pile(hand(Side(other))).cards)
            hands.add(tuple(sorted(dealt)))

            assert set(fork.table.pile(deck(Side(other))).cards) <= formed
            assert dealt - formed == held - formed
            assert fork.audit().findings == ()

        assert len(hands) > 1


def reshuffled(seed: int) -> tuple[Desk, Seat]:
    """Play until a side has drawn a few cards of a deck formed anew while it still holds some older ones; name the side."""
    number = 0
    while True:
        rng = Random(f"{seed}/{number}")
        desk = Desk.open("battle", options={"turn_cap": 60}, seed=f"{seed}/{number}", name=f"again-{seed}")
        while spare(desk, rng):
            for side in SIDES:
                left, held = desk.table.pile(deck(side)).count, set(desk.table.pile(hand(side)).cards)
                if 0 < left < 40 and desk.table.round > 6:
                    formed = formed_of(desk, side)
                    if len(formed) > left + 1 and len(held - formed) > 1 and held & formed:
                        return desk, Seat(side)
        number += 1


def spare(desk: Desk, rng: Random) -> bool:
    """Play one command of a seat that saves its cards; return whether the match goes on."""
    options = desk.options()
    if not options:
        return False
    declined = next((option for option in options if isinstance(option, Pass | Done)), None)
    desk.accept(declined if declined is not None and rng.random() < 0.2 else rng.choice(onward(options)))
    return True


def spared(seed: int, commands: int) -> Desk:
    """Play a match for a while in which both sides save their cards, so that their decks run out while they hold many."""
    desk, rng = Desk.open("battle", options={"turn_cap": 60}, seed=str(seed), name=f"sparing-{seed}"), Random(seed)
    for _ in range(commands):
        spare(desk, rng)
    return desk


def formed_of(desk: Desk, side: Side) -> set[CardId]:
    """Return what a side's deck was when it was last formed anew; empty if it never was."""
    table, formed = Table(), set[CardId]()
    for event in desk.events:
        if isinstance(event, DeckShuffled) and event.source is not None and event.deck == deck(side):
            formed = set(table.pile(event.source).cards)
        fold([event], table)
    return formed


def test_a_fork_by_the_arbiter_deals_nothing_again() -> None:
    """match.resample: who sees everything but the decks' own order keeps every card where it is."""
    parent = played(3, 200)
    fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=ARBITER, seed="2")

    assert {pile: sorted(cards.cards) for pile, cards in fork.table.piles.items()} == {
        pile: sorted(cards.cards) for pile, cards in parent.table.piles.items()
    }


def test_a_fork_in_the_middle_of_a_search_gives_the_searcher_another_deck() -> None:
    """secrecy.scouts, match.resample: the German cannot know what the Russian is looking through."""
    desk, seed = Desk.open("battle"), 0
    while desk.table.top is None or desk.table.top.kind != "scouts":
        if desk.table.ended is not None:
            seed += 1
            desk = Desk.open("battle", options={"turn_cap": 20}, seed=str(seed), name=f"search-{seed}")
        desk.play(1, Random(desk.match.head.seq))
    fork = desk.fork(desk.match.head.seq, "seeded", hidden="resample", seat=GERMAN_SEAT, seed="5")
    searched = fork.table.pile(deck(RUSSIAN)).cards

    assert set(searched) != set(desk.table.pile(deck(RUSSIAN)).cards)
    assert known(fork, RUSSIAN_SEAT).pile(deck(RUSSIAN)).cards == searched
    assert set(fork.options()) == {TakeCard(card) for card in searched}
    fork.play(40, Random(1))
    assert fork.audit().findings == ()


def hidden_cards(desk: Desk, view: Table, pile: PileId) -> list[CardId]:
    """Return the cards of a pile that an onlooker cannot name."""
    return [card for card in desk.table.pile(pile).cards if card not in view.pile(pile).cards]


def test_what_a_spectator_knows_of_hidden_cards_is_true(budget: float) -> None:
    """match.resample: how many cards of a pile were lost from sight when, as far as the stream tells it."""
    kinds = 0
    for seed in range(max(2, round(2 * budget))):
        desk = spared(seed, 250 + 150 * (3 * seed % 5))
        for seat in (*SEATS, PUBLIC):
            hidden, view = Hidden(seen_events(desk.events, seat)), known(desk, seat)
            for pile in (*map(hand, SIDES), *map(deck, SIDES), *map(escrow, SIDES)):
                group = hidden.group(pile)
                truth = Counter(hidden.lost.get(card, 0) for one in group for card in hidden_cards(desk, view, one))

                assert +hidden.held(pile) == truth
                kinds = max(kinds, len(truth))

    assert kinds > 1


def test_a_deal_depends_on_nothing_that_the_seat_does_not_know(budget: float) -> None:
    """match.resample, secrecy.hands: from two truths that look the same comes the same deal, card for card."""
    differed = 0
    for seed in range(max(3, round(3 * budget))):
        desk = spared(seed, 200 + 150 * (seed % 5))
        seat = (*SEATS, PUBLIC)[seed % 3]
        truth, other = desk.table, dealt_again(desk, desk.table, seat, "other")
        differed += truth.piles != other.piles

        assert dealt_again(desk, truth, seat, "again").piles == dealt_again(desk, other, seat, "again").piles

    assert differed > 0


def dealt_again(desk: Desk, table: Table, seat: Seat, seed: str) -> Table:
    """Return a table on which is dealt again what a seat does not know of a match."""
    views = {one: known(desk, one) for one in (*SEATS, seat)}
    draft = Draft(table.clone(), seeded(seed))
    draft.table.seq = desk.table.seq
    hidden = Hidden(seen_events(desk.events, seat))
    resample(draft, RULES.dealing, views, seat, hidden=hidden, dealer=ChanceDealer(draft.chance))
    return draft.table


URANUS = "russian/uranus_2-1"
OLD = ("russian/rubble-1", "russian/rubble-2", "russian/rubble-3")
NEW = ("russian/sniper-1", "russian/sniper-2")
POSITION = f"""
format = "wardiary-position/1"
game = "battle"
turn = "russian"
phase = "actions"
pieces = [
  {{ id = "r_95_rifle", place = "gumrak_airfield/russian/perimeter" }},
  {{ id = "r_39_guards", place = "top/russian" }},
  {{ id = "g_14_panzer", place = "top/german" }},
]
[attributes]
table = {{ locations_in_play = ["gumrak_airfield", "grain_elevator", "the_docks", "pavlovs_house", "mamayev_kurgan"] }}

[markers]
[piles]
"hand/russian" = {[URANUS, *OLD]}
"deck/russian" = []
"discard/russian" = {[*NEW]}
"""


def test_cards_set_aside_can_be_any_of_the_hand() -> None:
    """match.resample, secrecy.cancelled-payment: the German does not know which cards are meant to pay, old or new."""
    desk = Desk.open("battle", dice="manual", position=POSITION)
    desk.accept({"do": "match:begin"}, ARBITER)
    desk.accept({"do": "done"}, RUSSIAN_SEAT, draws=NEW)
    desk.accept({"do": "done"}, GERMAN_SEAT)
    desk.accept({"do": "pass"}, RUSSIAN_SEAT, draws=[f"german/rubble-{number}" for number in range(1, 6)])
    desk.accept({"do": "play-card", "card": URANUS}, RUSSIAN_SEAT)
    desk.accept({"do": "choose", "items": sorted((OLD[0], NEW[0]))}, RUSSIAN_SEAT)
    dealt = [
        dealt_again(desk, desk.table, GERMAN_SEAT, str(number)).pile(escrow(RUSSIAN)).cards for number in range(40)
    ]

    assert desk.table.top is not None
    assert desk.table.top.kind == "answer_card"
    assert {len(set(cards) & set(NEW)) for cards in dealt} == {0, 1, 2}


def forgeries(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield what a forger might write in the place of a fork's first commit: of each new deal, one thing changed."""
    deals = [
        (place, event, event.cards)
        for place, event in enumerate(events)
        if isinstance(event, SecretsRedealt) and event.cards
    ]
    for place, event, cards in deals:
        for change in ({"seen_by": SEATS}, {"seen_by": ()}, {"cards": cards[1:]}):
            if any(getattr(event, name) != value for name, value in change.items()):
                yield (*events[:place], replace(event, **change), *events[place + 1 :])
        yield (*events[:place], *events[place + 1 :])
    for (place, one, cards), (other_place, other, others) in combinations(deals, 2):
        swapped = list(events)
        swapped[place] = replace(one, cards=tuple(sorted((*cards[1:], others[0]))))
        swapped[other_place] = replace(other, cards=tuple(sorted((*others[1:], cards[0]))))
        if tuple(swapped) != events:
            yield tuple(swapped)


@pytest.mark.parametrize("seat", [GERMAN, RUSSIAN])
def test_a_forged_hand_is_found_in_a_fork_with_a_valid_hash_chain(seat: Seat) -> None:
    """match.resample, secrecy.hands"""
    parent = played(3, 150)
    fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=seat)
    (first,) = own_commits(fork)
    tried = 0
    for events in forgeries(first.events):
        report = refork(fork, [replace(first, events=events)]).audit()
        tried += 1

        assert len(report.findings) == 1
        assert first.first <= report.findings[0].seq <= first.last
        assert report.redeal == "none"
    assert tried > 5
    assert refork(fork, [first]).audit().redeal == "verified"
