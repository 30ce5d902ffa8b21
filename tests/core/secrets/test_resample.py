"""What an onlooker knows about cards that it does not see, and dealing those cards again by this knowledge alone."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from core.engine.draft import Draft
from core.errors import RecordDiffers
from core.secrets.dealers import ChanceDealer, RecordDealer
from core.secrets.knowledge import ELSEWHERE, Hidden, Knowledge
from core.secrets.resample import resample
from events.codec import replace
from events.ids import AttributeKey, CardId, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CommandsUndone,
    DeckFormed,
    DeckShuffled,
    Event,
    MatchBegan,
    NoteAdded,
    PieceConcealed,
    PieceDrawn,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    SecretsRedealt,
)
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.noninterference import FreeChance
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED, make_rules

RULE = RuleId("match.resample")
DECK, HAND, ASIDE, DISCARDS = (
    PileId("deck/x"),
    PileId("hand/x"),
    PileId("aside/x"),
    PileId("discards/x"),
)
SECRET: tuple[Seat, ...] = (BLUE,)


def cards(names: str) -> tuple[CardId, ...]:
    """Return cards by their one-letter names."""
    return tuple(CardId(name) for name in names)


def formed(pile: PileId, names: str, seen_by: tuple[Seat, ...] | None = SECRET) -> Event:
    """Form a pile."""
    return DeckFormed(rule=RULE, deck=pile, count=len(names), cards=cards(names), seen_by=seen_by)


def drawn(name: str) -> Event:
    """Draw a card into the hand that red does not see."""
    return CardDrawn(rule=RULE, deck=DECK, to=HAND, card=CardId(name), seen_by=SECRET)


def moved(name: str, source: PileId, to: PileId) -> Event:
    """Move a card unseen."""
    return CardMoved(rule=RULE, card=CardId(name), was=source, to=to, seen_by=SECRET)


def discarded(name: str, source: PileId = HAND) -> Event:
    """Put a card away openly."""
    return CardDiscarded(rule=RULE, card=CardId(name), was=source, to=DISCARDS)


SHUFFLED = DeckShuffled(rule=RULE, deck=DECK, source=DISCARDS)
OLD_AND_NEW = [
    formed(DECK, "abcd"),
    *map(drawn, "abcd"),
    discarded("a"),
    discarded("b"),
    SHUFFLED,
    drawn("a"),
]
"""Blue holds two old cards, c and d, and a new one, a; the deck is b."""


def told(events: Sequence[Event]) -> Hidden:
    """Follow the events as red sees them."""
    return Hidden(seen_events(events, RED))


def test_unseen_cards_form_one_group() -> None:
    hidden = told([formed(DECK, "abcd"), drawn("a"), drawn("b")])

    assert (hidden.lost, hidden.held(DECK), hidden.held(HAND)) == ({}, Counter({0: 2}), Counter({0: 2}))


def test_the_cards_of_a_reshuffled_deck_become_uncertain_with_the_first_draw() -> None:
    hidden = told(OLD_AND_NEW)

    assert hidden.lost == {CardId("a"): 9, CardId("b"): 9}
    assert +hidden.held(DECK) == {9: 1}
    assert +hidden.held(HAND) == {0: 2, 9: 1}


def test_after_unseen_moves_from_a_mixed_pile_only_totals_are_known() -> None:
    hidden = told([*OLD_AND_NEW, moved("a", HAND, ASIDE)])

    assert hidden.group(HAND) == hidden.group(ASIDE) == {HAND, ASIDE}
    assert hidden.held(ASIDE) == {0: 2, 9: 1}


def test_a_revealed_card_is_known_again() -> None:
    """Once the last card set aside is turned up, the hand is a group of its own, without new cards."""
    hidden = told([*OLD_AND_NEW, moved("a", HAND, ASIDE), discarded("a", ASIDE)])

    assert hidden.group(HAND) == {HAND}
    assert +hidden.held(HAND) == {0: 2}


def test_cards_become_uncertain_when_a_pile_is_formed_again_unseen() -> None:
    hidden = told([formed(DECK, "ab", None), formed(DECK, "ba")])

    assert hidden.lost == {CardId("a"): 2, CardId("b"): 2}
    assert hidden.held(DECK) == {2: 2}


def test_a_pile_formed_of_other_cards_is_unseen() -> None:
    hidden = told([formed(DECK, "ab", None), formed(DECK, "cde")])

    assert hidden.held(DECK) == {0: 3}


@each_row("pile", [HAND, ASIDE])
def test_cards_dealt_again_openly_are_known(pile: PileId) -> None:
    again = SecretsRedealt(rule=RULE, pile=pile, cards=cards("a" if pile == ASIDE else "cd"), seen_by=(RED,))
    hidden = told([*OLD_AND_NEW, moved("a", HAND, ASIDE), again])
    other = HAND if pile == ASIDE else ASIDE

    assert hidden.group(other) == {other}
    assert +hidden.held(other) == ({0: 2} if other == HAND else {9: 1})


def test_cards_dealt_again_unseen_stay_as_uncertain_as_before() -> None:
    again = SecretsRedealt(rule=RULE, pile=HAND, cards=cards("cda"), seen_by=SECRET)

    assert told([*OLD_AND_NEW, again]).held(HAND) == {0: 2, 9: 1}


def dealt(events: Sequence[Event]) -> tuple[set[str], set[str], set[str]]:
    """Deal the cards that red does not know again many times; return the resulting decks, hands and cards set aside."""
    views = {seat: fold(seen_events(events, seat)) for seat in (RED, BLUE)}
    found: list[set[str]] = [set(), set(), set()]
    for seed in range(60):
        draft = Draft(fold(events), FreeChance(Random(seed)))
        resample(draft, make_rules(None).dealing, views, RED, hidden=told(events), dealer=ChanceDealer(draft.chance))
        for pile, lying in zip((DECK, HAND, ASIDE), found, strict=True):
            lying.add("".join(sorted(draft.table.pile(pile).cards)))
    return found[0], found[1], found[2]


def test_old_cards_stay_in_the_hand_and_new_ones_change_places() -> None:
    """match.resample"""
    assert dealt(OLD_AND_NEW) == ({"a", "b"}, {"acd", "bcd"}, {""})


def test_any_card_of_the_hand_can_be_dealt_aside() -> None:
    """match.resample"""
    deck, hand, aside = dealt([*OLD_AND_NEW, moved("a", HAND, ASIDE)])

    assert (deck, aside) == ({"a", "b"}, {"a", "b", "c", "d"})
    assert hand == {"cd", "ac", "ad", "bc", "bd"}


def recorded(deck: str, hand: str) -> list[Event]:
    """Return the record of a new deal that no seat sees."""
    return [SecretsRedealt(rule=RULE, pile=pile, cards=cards(names)) for pile, names in ((DECK, deck), (HAND, hand))]


def follow(record: Sequence[Event], events: Sequence[Event] = OLD_AND_NEW) -> Draft:
    """Deal the cards that red does not know again, as recorded."""
    views = {seat: fold(seen_events(events, seat)) for seat in (RED, BLUE)}
    draft = Draft(fold(events), FreeChance(Random(0)))
    dealer = RecordDealer(record, 100)
    resample(draft, make_rules(None).dealing, views, RED, hidden=told(events), dealer=dealer)
    return draft


@each_row(("deck", "hand"), [("a", "bcd"), ("b", "acd"), ("b", "dca")])
def test_a_possible_recorded_deal_is_accepted(deck: str, hand: str) -> None:
    """match.resample"""
    table = follow(recorded(deck, hand)).table

    assert ("".join(table.pile(DECK).cards), "".join(table.pile(HAND).cards)) == (deck, "".join(sorted(hand)))


@each_row(
    ("record", "words", "seq"),
    [
        (recorded("c", "abd"), "cannot lie there", 100),
        (recorded("a", "bce"), "other cards", 100),
        (recorded("a", "bcc"), "other cards", 100),
        (recorded("a", "bc"), "another number of cards", 101),
        (recorded("ab", "cd"), "another number of cards", 100),
        (recorded("a", "bcd")[:1], "not dealt again", 100),
    ],
)
def test_an_impossible_recorded_deal_is_refused(record: list[Event], words: str, seq: int) -> None:
    """match.resample: red saw c and d before the deck was formed again, so neither can be in it."""
    with pytest.raises(RecordDiffers, match=words) as caught:
        follow(record)

    assert caught.value.seq == seq


def test_a_recorded_deal_that_moves_cards_known_to_the_forking_seat_is_refused() -> None:
    """match.resample: red saw e go to the hand."""
    laid = CardMoved(rule=RULE, card=CardId("e"), was=ASIDE, to=HAND)
    events = [*OLD_AND_NEW, formed(ASIDE, "e", None), laid]

    assert "".join(follow(recorded("a", "bcde"), events).table.pile(HAND).cards) == "bcde"
    with pytest.raises(RecordDiffers, match="that the forking seat knew"):
        follow(recorded("e", "abcd"), events)


def test_if_the_stream_tells_too_little_every_card_may_be_anywhere() -> None:
    """A counter taken unseen from a mixed pile may have been an old or a new one."""
    gone = PieceDrawn(rule=RULE, pool=HAND, drawn=CardId("a"), seen_by=SECRET)
    deck, hand, _ = dealt([*OLD_AND_NEW, gone])

    assert told([*OLD_AND_NEW, gone]).group(HAND) == {HAND, ELSEWHERE}
    assert (deck, hand) == ({"b", "c", "d"}, {"bc", "bd", "cd"})


def test_copies_of_one_card_may_be_anywhere_once_one_of_them_was_seen() -> None:
    """match.resample: which copy was lost from sight is not known, so the stream tells too little."""
    events = [formed(DECK, "aab"), *map(drawn, "aa"), discarded("a"), SHUFFLED, drawn("b")]
    deck, hand, _ = dealt(events)

    assert told(events).lost == {CardId("a"): 6}
    assert +told(events).held(HAND) == {0: 2, 6: 1}
    assert (deck, hand) == ({"a", "b"}, {"ab", "aa"})


ENTERING = PiecePlaced(rule=RULE, piece=PieceId("p"), kind="a", side=Side("blue"), to=PlaceId("x"), seen_by=SECRET)


def test_a_piece_drawn_unseen_stays_one_of_its_pool_when_it_is_placed() -> None:
    """Red saw the pool before it was formed again: the piece can only be one of those cards."""
    pool = [formed(DECK, "ab", None), formed(DECK, "ab")]
    hidden = told(
        [*pool, PieceDrawn(rule=RULE, pool=DECK, drawn=CardId("a"), piece=PieceId("p"), seen_by=SECRET), ENTERING]
    )

    assert +hidden.held(PileId("p")) == {2: 1}
    assert hidden.unseen == {PieceId("p"): 3}


def test_a_piece_placed_unseen_without_a_draw_can_be_anything() -> None:
    hidden = told([formed(DECK, "ab", None), formed(DECK, "ab"), ENTERING])

    assert +hidden.held(PileId("p")) == {0: 1}


@each_row("is_kept", [True, False])
def test_an_unseen_piece_takes_its_identity_back_to_a_pile_or_out_of_the_match(is_kept: bool) -> None:
    """Of a piece that red never saw, the pile that takes it gets one card more that red never saw."""
    back: Event = PieceReturned(
        rule=RULE, piece=PieceId("p"), card=CardId("a"), to=ASIDE, was=PlaceId("x"), seen_by=SECRET
    )
    hidden = told([ENTERING, back if is_kept else PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("x"))])

    assert hidden.unseen == {}
    assert +hidden.held(ASIDE) == ({0: 1} if is_kept else {})


def known_before() -> list[Event]:
    """Lose cards and a tank with its orders from sight, and meet a piece that red never saw, before play begins."""
    tank, orders = PieceId("tank"), AttributeKey("orders")
    return [
        formed(DECK, "abcd", None),
        formed(DECK, "abcd"),
        formed(ASIDE, "xyz"),
        moved("x", ASIDE, HAND),
        moved("a", DECK, HAND),
        moved("y", HAND, DISCARDS),
        ENTERING,
        PiecePlaced(rule=RULE, piece=tank, kind="heavy", side=Side("blue"), to=PlaceId("x"), steps=2),
        AttributeSet(rule=RULE, on=tank, key=orders, value="hold", was=None),
        PieceConcealed(rule=RULE, piece=tank, attributes=(orders,), seen_by=SECRET),
        PieceTurned(rule=RULE, piece=tank, face="", was="", steps=1, steps_was=2, seen_by=SECRET),
        MatchBegan(rule=RULE),
    ]


def everything(hidden: Hidden) -> dict[str, object]:
    """Return all that a viewer knows."""
    return {
        "lost": hidden.lost,
        "groups": hidden.groups,
        "stock": {group: dict(+held) for group, held in hidden.stock.items() if +held},
        "unseen": hidden.unseen,
        "followed": hidden.followed,
        "turned": hidden.turned,
        "values": hidden.values,
        "piles": hidden.table.piles,
        "history": hidden.history,
    }


def test_a_take_back_restores_when_each_thing_was_lost_from_sight() -> None:
    """match.undo: what the viewer knew before it, to the number of each event, and nothing that happened since."""
    began = known_before()
    tank = PieceId("tank")
    since: list[Event] = [
        moved("b", DECK, ASIDE),
        moved("x", HAND, DECK),
        AttributeSet(rule=RULE, on=tank, key=AttributeKey("orders"), value="go", was="hold", seen_by=SECRET),
        PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("x")),
        PieceRemoved(rule=RULE, piece=tank, was=PlaceId("x")),
    ]
    before = told(began)

    assert everything(told([*began, *since])) != everything(before)
    back = CommandsUndone(rule=RULE, seat=BLUE, to=len(began))
    assert everything(told([*began, *since, back])) == everything(before)
    assert (before.values, before.turned) == ({(tank, AttributeKey("orders")): "hold"}, {tank})
    assert before.unseen == {PieceId("p"): 7}


def test_a_copy_of_a_viewers_knowledge_goes_its_own_way() -> None:
    """match.resample: in a fork, what the seats know together is copied and then grows apart."""
    began = known_before()
    first = told(began)
    whole = everything(told(began))
    copied = first.copy()

    assert everything(copied) == whole
    for event in seen_events(
        [*began, moved("b", DECK, ASIDE), PieceRemoved(rule=RULE, piece=PieceId("p"), was=PlaceId("x"))], RED
    ):
        if event not in began:
            copied.follow(event)
    assert everything(copied) != whole
    assert everything(first) == whole


def test_hidden_cards_poured_into_a_deck_stay_what_they_were() -> None:
    hidden = told(
        [
            formed(ASIDE, "xy", None),
            formed(ASIDE, "xy"),
            formed(DECK, "ab"),
            DeckShuffled(rule=RULE, deck=DECK, source=ASIDE),
        ]
    )

    assert (+hidden.held(DECK), +hidden.held(ASIDE)) == ({0: 2, 2: 2}, {})


def test_a_piece_drawn_in_sight_is_not_one_that_was_never_seen() -> None:
    hidden = told([formed(DECK, "ab"), PieceDrawn(rule=RULE, pool=DECK, drawn=CardId("a"), piece=PieceId("p"))])

    assert (hidden.unseen, +hidden.held(DECK)) == ({}, {0: 1})


def test_a_piece_placed_anew_unseen_is_no_longer_what_was_drawn() -> None:
    pool = [formed(DECK, "ab", None), formed(DECK, "ab")]
    draw = PieceDrawn(rule=RULE, pool=DECK, drawn=CardId("a"), piece=PieceId("p"), seen_by=SECRET)
    hidden = told([*pool, draw, ENTERING, ENTERING])

    assert (hidden.unseen, +hidden.held(PileId("p"))) == ({PieceId("p"): 5}, {0: 1})


@each_row(
    ("placed_for", "concealed_for", "is_followed"),
    [(None, SECRET, True), (None, (), True), (None, (RED, BLUE), False), (SECRET, SECRET, False)],
)
def test_a_viewer_follows_a_piece_that_it_saw_and_may_no_longer_know(
    placed_for: tuple[Seat, ...] | None, concealed_for: tuple[Seat, ...], is_followed: bool
) -> None:
    """An attribute that the piece does not have is nothing to remember."""
    placed = replace(ENTERING, seen_by=placed_for)
    orders = AttributeKey("orders")
    hidden = told([placed, PieceConcealed(rule=RULE, piece=PieceId("p"), attributes=(orders,), seen_by=concealed_for)])

    assert [piece.kind for piece in hidden.followed.values()] == (["a"] if is_followed else [])
    assert hidden.values == {}


def test_a_take_back_restores_knowledge() -> None:
    """match.undo: a card set aside unseen and a piece placed unseen are restored, and no other cards become uncertain."""
    began: list[Event] = [formed(DECK, "abcd"), *map(drawn, "ab"), MatchBegan(rule=RULE)]
    piece = PiecePlaced(
        rule=RULE, piece=PieceId("p"), kind="guards", side=Side("blue"), to=PlaceId("x"), seen_by=SECRET
    )
    undone = [*began, moved("a", HAND, ASIDE), piece, CommandsUndone(rule=RULE, seat=BLUE, to=len(began))]
    before, after = told(began), told(undone)

    assert (after.lost, after.groups, after.unseen) == (before.lost, before.groups, {})
    assert {pile: +after.held(pile) for pile in (DECK, HAND, ASIDE)} == {
        pile: +before.held(pile) for pile in (DECK, HAND, ASIDE)
    }
    assert after.table.piles == before.table.piles


def test_a_take_back_restores_knowledge_despite_private_notes() -> None:
    """match.undo: the event number that it names counts private notes, which do not affect knowledge."""
    note = NoteAdded(rule=RULE, seat=BLUE, text="x", seen_by=SECRET)
    began: list[Event] = [formed(DECK, "abcd"), note, *map(drawn, "ab"), MatchBegan(rule=RULE)]
    first, second = moved("a", HAND, ASIDE), moved("b", HAND, ASIDE)
    undone = [*began, first, note, second, CommandsUndone(rule=RULE, seat=BLUE, to=len(began) + 1)]
    knowledge = Knowledge((RED, BLUE), (), undone)
    rightly = Knowledge((RED, BLUE), (), [*began, first])

    for seat in (RED, BLUE):
        assert knowledge.of(seat).table.piles == rightly.of(seat).table.piles
        assert +knowledge.of(seat).held(ASIDE) == +rightly.of(seat).held(ASIDE)


def blocks(kinds: str) -> list[Event]:
    """Place blue blocks that red does not see, each with a one-letter kind."""
    return [
        PiecePlaced(
            rule=RULE, piece=PieceId(f"p{number}"), kind=kind, side=Side("blue"), to=PlaceId("x"), seen_by=SECRET
        )
        for number, kind in enumerate(kinds)
    ]


def shown(kinds: str) -> list[Event]:
    """Return the record of hidden blocks dealt again."""
    return [
        PieceRevealed(rule=RULE, piece=PieceId(f"p{number}"), kind=kind, face="", was="", seen_by=SECRET)
        for number, kind in enumerate(kinds)
    ]


@each_row("kinds", ["ab", "ba"])
def test_a_possible_recorded_deal_of_hidden_pieces_is_accepted(kinds: str) -> None:
    """match.resample"""
    table = follow(shown(kinds), blocks("ab")).table

    assert [piece.kind for _, piece in sorted(table.pieces.items())] == list(kinds)


@each_row(
    ("record", "words"),
    [(shown("aa"), "other cards"), (shown("ac"), "other cards"), (shown("a"), "were not dealt again")],
)
def test_an_impossible_recorded_deal_of_hidden_pieces_is_refused(record: list[Event], words: str) -> None:
    """match.resample"""
    with pytest.raises(RecordDiffers, match=words):
        follow(record, blocks("ab"))


def test_a_deal_of_hidden_pieces_depends_only_on_what_the_seat_knows() -> None:
    """match.resample: two tables that look the same to red give the same deal."""
    deals: dict[str, list[tuple[str, ...]]] = {}
    for kinds in ("aab", "baa"):
        for seed in range(30):
            events = blocks(kinds)
            views = {seat: fold(seen_events(events, seat)) for seat in (RED, BLUE)}
            draft = Draft(fold(events), FreeChance(Random(seed)))
            dealing = make_rules(None).dealing
            resample(draft, dealing, views, RED, hidden=told(events), dealer=ChanceDealer(draft.chance))
            deals.setdefault(kinds, []).append(tuple(piece.kind for _, piece in sorted(draft.table.pieces.items())))

    assert deals["aab"] == deals["baa"]
    assert len(set(deals["aab"])) == 3
