"""The fold: the effect of each event on the table, no failure on any possible event, and consistency for all seats."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.codec import encode, replace
from events.commit import decode_commit
from events.ids import (
    ARBITER,
    PUBLIC,
    AttributeKey,
    CardId,
    MarkerId,
    MatchId,
    PieceId,
    PileId,
    PlaceId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import (
    CURRENT,
    AttributeSet,
    CardDrawn,
    CardMoved,
    ChanceScheme,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    Event,
    GivenAnswer,
    Lifetime,
    MarkerPlaced,
    MarkerRemoved,
    MatchBegan,
    MatchEnded,
    MatchForked,
    NoteAdded,
    PhaseBegan,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    PieceTurned,
    RoundBegan,
    SecretsRedealt,
    SequenceBegan,
    SequenceEnded,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    TrackMoved,
    TurnBegan,
    Value,
)
from projections.state.fold import _HANDLERS, evolve, fold
from projections.state.table import Ended, Open, Piece, Pile, Standing, Table
from projections.state.view import seen_events
from projections.table_codec import encode_table
from tests.projections.plays import BLACK, EBONY, IVORY, RULE, WHITE, plays
from tests.support.rows import each_row

A, B = PlaceId("a"), PlaceId("b")
P, Q = PieceId("p"), PieceId("q")
DECK, HAND = PileId("deck"), PileId("hand")


def placed(piece: PieceId, to: PlaceId = A, **more: object) -> PiecePlaced:
    event = PiecePlaced(rule=RULE, piece=piece, kind="rifle", side=IVORY, to=to, face="fresh", steps=2)
    return replace(event, **more)


def cards(*names: str) -> tuple[CardId, ...]:
    return tuple(CardId(name) for name in names)


# Each event


def test_every_event_has_a_handler_in_the_fold() -> None:
    assert set(_HANDLERS) == set(CURRENT) == set(get_args(Event))


def test_a_placed_piece_has_its_place_and_kind() -> None:
    table = fold([placed(P), placed(Q, B)])

    assert table.pieces == {P: Piece(P, "rifle", IVORY, A, "fresh", 2), Q: Piece(Q, "rifle", IVORY, B, "fresh", 2)}
    assert (table.pieces_at(A), table.pieces_at(B), table.pieces_at(PlaceId("c"))) == ((P,), (Q,), ())


def test_a_piece_placed_again_leaves_its_old_place() -> None:
    table = fold([placed(P), placed(P, B)])

    assert (table.pieces_at(A), table.pieces_at(B)) == ((), (P,))


def test_pieces_of_a_place_are_in_the_order_of_arrival() -> None:
    table = fold(
        [placed(P), placed(Q), PieceMoved(rule=RULE, piece=P, to=B, was=A), PieceMoved(rule=RULE, piece=P, to=A, was=B)]
    )

    assert table.pieces_at(A) == (Q, P)
    assert table.pieces[P].place == A


def test_a_turned_piece_shows_its_new_face_and_steps() -> None:
    turned = PieceTurned(rule=RULE, piece=P, face="spent", was="fresh", steps=1, steps_was=2)

    assert fold([placed(P), turned]).pieces[P] == Piece(P, "rifle", IVORY, A, "spent", 1)


def test_a_hidden_turn_changes_nothing_for_the_onlooker() -> None:
    hidden = PieceTurned(rule=RULE, piece=P, face=None, was=None, steps=None, steps_was=None, seen_by=(BLACK,))

    assert fold([placed(P), hidden]).pieces == fold([placed(P)]).pieces


def test_a_revealed_piece_is_known() -> None:
    unknown = placed(P, kind=None, face=None, steps=None)
    revealed = PieceRevealed(rule=RULE, piece=P, kind="tank", face="fresh", was="", steps=3)

    assert fold([unknown]).pieces[P] == Piece(P, "", IVORY, A)
    assert fold([unknown, revealed]).pieces[P] == Piece(P, "tank", IVORY, A, "fresh", 3)


def test_the_markers_of_a_removed_piece_are_removed() -> None:
    marked = MarkerPlaced(rule=RULE, on=P, marker=MarkerId("smoke"))
    table = fold([placed(P), placed(Q), marked, PieceRemoved(rule=RULE, piece=P, was=A)])

    assert (set(table.pieces), table.pieces_at(A), table.markers) == ({Q}, (Q,), {})


def test_markers_are_counted_and_can_be_removed() -> None:
    trench, smoke = MarkerId("trench"), MarkerId("smoke")
    first = [
        MarkerPlaced(rule=RULE, on="a", marker=trench, count=2),
        MarkerPlaced(rule=RULE, on="a", marker=smoke),
        MarkerPlaced(rule=RULE, on="a", marker=trench, count=3, was=2),
    ]
    table = fold(first)

    assert (table.marker("a", trench), table.marker("a", smoke), table.marker("b", smoke)) == (3, 1, 0)

    fold([MarkerRemoved(rule=RULE, on="a", marker=trench, was=3)], table)

    assert table.markers == {"a": {smoke: 1}}

    fold([MarkerRemoved(rule=RULE, on="a", marker=smoke)], table)

    assert table.markers == {}


def test_tracks_and_control_keep_their_values() -> None:
    table = fold(
        [
            TrackMoved(rule=RULE, track=TrackId("morale"), to=-2, was=0),
            ControlChanged(rule=RULE, place=A, to=IVORY, was=Side("")),
        ]
    )

    assert (table.track(TrackId("morale")), table.track(TrackId("other")), table.control) == (-2, 0, {A: IVORY})


def test_a_drawn_card_goes_from_pile_to_pile() -> None:
    formed = DeckFormed(rule=RULE, deck=DECK, count=3, cards=cards("x", "y", "x"))
    table = fold([formed, CardDrawn(rule=RULE, deck=DECK, to=HAND, card=CardId("x"))])

    assert (table.pile(DECK), table.pile(HAND)) == (Pile(cards("y", "x")), Pile(cards("x")))


def test_a_drawn_counter_leaves_its_pool() -> None:
    formed = DeckFormed(rule=RULE, deck=DECK, count=2, cards=cards("x", "y"))
    table = fold([formed, PieceDrawn(rule=RULE, pool=DECK, drawn=CardId("y"))])

    assert table.piles == {DECK: Pile(cards("x"))}


@each_row(
    ("deck", "left"),
    [(Pile(cards("x", "y")), Pile((), 1)), (Pile(cards("x"), 2), Pile((), 2)), (Pile(), Pile())],
)
def test_an_unseen_draw_makes_the_remaining_cards_uncertain(deck: Pile, left: Pile) -> None:
    """Any of the cards may have been drawn, so none is certain."""
    table = Table(piles={DECK: deck})
    evolve(table, CardMoved(rule=RULE, card=None, to=HAND, was=DECK, seen_by=(BLACK,)))

    assert (table.pile(DECK), table.pile(HAND)) == (left, Pile((), 1, (BLACK,)))


def test_a_revealed_card_reduces_the_unknown_ones() -> None:
    table = Table(piles={HAND: Pile((), 2)})
    evolve(table, CardMoved(rule=RULE, card=CardId("x"), to=DECK, was=HAND))

    assert (table.pile(HAND), table.pile(DECK)) == (Pile((), 1), Pile(cards("x")))


def test_a_pile_of_unknown_cards_is_counted() -> None:
    table = fold([DeckFormed(rule=RULE, deck=DECK, count=5, cards=None, seen_by=())])

    assert (table.pile(DECK).cards, table.pile(DECK).count) == ((), 5)


def test_a_shuffle_can_merge_another_pile_and_hides_the_order() -> None:
    table = Table(piles={DECK: Pile(cards("z", "b"), 1), HAND: Pile(cards("a"), 2)})
    evolve(table, DeckShuffled(rule=RULE, deck=DECK, source=HAND))

    assert (table.pile(DECK), table.pile(HAND)) == (Pile(cards("a", "b", "z"), 3), Pile())


def test_cards_dealt_again_replace_a_pile_for_its_audience() -> None:
    table = Table(piles={HAND: Pile(cards("x")), DECK: Pile((), 1)})
    evolve(table, SecretsRedealt(rule=RULE, pile=HAND, cards=cards("y"), seen_by=(WHITE,)))
    evolve(table, SecretsRedealt(rule=RULE, pile=DECK, cards=None, seen_by=(BLACK,)))

    assert (table.pile(HAND), table.pile(DECK)) == (Pile(cards("y"), 0, (WHITE,)), Pile((), 1, (BLACK,)))


def test_questions_and_sequences_lie_on_each_other() -> None:
    asked = DecisionOpened(rule=RULE, kind="choose", seat=WHITE, arguments={"n": 1, "who": "p", "of": ("x",)})
    laid = SequenceBegan(rule=RULE, kind="resolve", step="first")
    table = fold([laid, asked])

    assert table.stack == (
        Open("resolve", Seat(""), step="first"),
        Open("choose", WHITE, {"n": 1, "who": "p", "of": ("x",)}),
    )
    assert table.top is not None
    assert (table.top.number("n"), table.top.text("who"), table.top.texts("of")) == (1, "p", ("x",))
    assert (table.top.number("gone"), table.top.text("gone"), table.top.texts("gone")) == (0, "", ())

    fold([DecisionClosed(rule=RULE, kind="choose", seat=WHITE)], table)

    assert table.top == Open("resolve", Seat(""), step="first")

    fold([SequenceEnded(rule=RULE, kind="resolve")], table)

    assert table.top is None


def test_the_end_of_the_match_closes_the_open_question() -> None:
    asked = DecisionOpened(rule=RULE, kind="choose", seat=WHITE)
    table = fold([asked, asked, MatchEnded(rule=RULE, kind="agreed", result="draw")])

    assert (table.stack, table.ended) == ((), Ended("agreed", "draw", ()))


def test_a_standing_answer_is_valid_until_it_is_withdrawn_or_the_seats_turn_begins() -> None:
    def given(answer: str, until: str = "") -> Event:
        return StandingAnswerGiven(rule=RULE, seat=WHITE, decision="react", answer=answer, until=until)

    turn = [TurnBegan(rule=RULE, side=IVORY, was=Side(""), seat=seat) for seat in (BLACK, WHITE)]

    assert fold([given("no"), given("yes")]).standing == (Standing(WHITE, "react", "yes"),)
    assert fold([given("no"), given("")]).standing == ()
    assert fold([given("no", "turn"), turn[0]]).standing == (Standing(WHITE, "react", "no", "turn"),)
    assert fold([given("no", "turn"), *turn]).standing == ()


def test_standing_answers_are_kept_until_they_are_disclosed() -> None:
    """Each is kept with the number of public events before it; withdrawing an answer that was never given is not kept."""

    def given(answer: str, seen_by: tuple[Seat, ...] | None = (WHITE,)) -> Event:
        return StandingAnswerGiven(rule=RULE, seat=WHITE, decision="react", answer=answer, seen_by=seen_by)

    note = NoteAdded(rule=RULE, seat=BLACK, text="x", seen_by=(BLACK,))
    events = [MatchBegan(rule=RULE), given(""), note, given("no"), MatchBegan(rule=RULE), given(""), given("")]
    kept = tuple(GivenAnswer(seat=WHITE, decision="react", answer=a, after=n) for a, n in (("no", 1), ("", 2)))

    assert fold(events).undisclosed_answers == kept
    assert fold([event for event in events if event is not note]).undisclosed_answers == kept
    assert fold([given("no", None)]).undisclosed_answers == ()
    assert fold([*events, StandingAnswersRevealed(rule=RULE, answers=kept)]).undisclosed_answers == ()


def test_the_numbers_of_private_events_are_kept() -> None:
    secret = NoteAdded(rule=RULE, seat=WHITE, text="x", seen_by=(WHITE,))

    table = fold([NoteAdded(rule=RULE, seat=WHITE, text="x"), secret])

    assert (table.private_events, table.private_events_of, table.private_notes) == ((2,), {WHITE: (2,)}, {WHITE: 1})


FRESH = ChanceScheme(scheme="sealed/2", commitment="b" * 64, stream="fork", veil="c" * 64, length=9)


def forked(at: int, chance: ChanceScheme = FRESH, seat: Seat = ARBITER, hidden: str = "truth") -> Event:
    """Fork a match."""
    return MatchForked(rule=RULE, parent=MatchId("m"), at=at, chance=chance, hidden=hidden, seat=seat)


def test_limits_do_not_grow_with_the_number_of_forks() -> None:
    events: list[Event] = []
    for number in range(60):
        seat, hidden = (WHITE, BLACK, PUBLIC)[number % 3], ("truth", "resample")[number % 2]
        events.append(forked(number, seat=seat, hidden=hidden))
    limits = fold(events).limits

    assert len(limits) <= 6
    assert [limit.upto for limit in limits] == sorted(limit.upto for limit in limits)
    assert limits[-1].upto == 59


# All possible events


def consistent(table: Table) -> None:
    """Assert that the table is consistent."""
    lying = [(piece, place) for place, pieces in table.at.items() for piece in pieces]

    assert Counter(lying) == Counter((piece.id, piece.place) for piece in table.pieces.values())
    assert all(name == piece.id for name, piece in table.pieces.items())
    assert all(count > 0 for there in table.markers.values() for count in there.values())
    assert all(there for there in table.markers.values())
    assert all(pile.hidden >= 0 for pile in table.piles.values())
    assert len({(each.seat, each.decision) for each in table.standing}) == len(table.standing)


@pytest.mark.soak
@given(plays())
def test_the_fold_never_fails_on_possible_events(events: list[Event]) -> None:
    table = Table()
    for number, event in enumerate(events, start=1):
        evolve(table, event)
        consistent(table)

        assert table.seq == number


@pytest.mark.soak
@given(plays(), st.sampled_from([Seat("white"), Seat("black"), Seat("public"), Seat("arbiter")]))
def test_the_fold_never_fails_on_a_seats_view(events: list[Event], seat: Seat) -> None:
    table = Table()
    for event in seen_events(events, seat):
        evolve(table, event)
        consistent(table)


@pytest.mark.soak
@given(plays())
def test_a_seat_sees_the_true_number_of_pieces_and_cards(events: list[Event]) -> None:
    whole, seen = fold(events), fold(seen_events(events, Seat("public")))

    assert {name: (piece.place, piece.side) for name, piece in seen.pieces.items()} == {
        name: (piece.place, piece.side) for name, piece in whole.pieces.items()
    }
    assert {name: pile.count for name, pile in seen.piles.items()} == {
        name: pile.count for name, pile in whole.piles.items()
    }


@pytest.mark.soak
@given(plays(), st.integers(0, 40))
def test_folding_in_two_parts_equals_folding_at_once(events: list[Event], cut: int) -> None:
    table = fold(events[:cut])
    result = fold(events[cut:], table)

    assert result is table
    assert table == fold(events)


@pytest.mark.soak
@given(plays())
def test_stored_events_fold_to_the_same_table_in_the_same_order(events: list[Event]) -> None:
    """Rules may iterate over the table, so its order matters."""
    body = b'{"commit":"1","match":"m","first":1,"prev":"","at":0,"seat":"","key":"","command":{},"events":['
    stored = decode_commit(body + b",".join(encode(event) for event in events) + b"]}").events
    live, read = fold(events), fold(stored)

    assert read == live
    assert encode_table(replace(read, options={}, stack=(), past=None)) == encode_table(
        replace(live, options={}, stack=(), past=None)
    )


def test_the_tried_sequences_contain_every_event() -> None:
    """The tests above rely on the variety of these sequences."""
    seen: Counter[type[Event]] = Counter()
    lengths: list[int] = []

    @settings(max_examples=300)
    @given(plays())
    def collect(events: list[Event]) -> None:
        seen.update(type(event) for event in events)
        lengths.append(len(events))

    collect()

    assert set(CURRENT) - set(seen) == set()
    assert sum(lengths) > 10 * len(lengths)


# Attributes

MOVED = AttributeKey("moved")
TARGETS = AttributeKey("targets")


def remembered(
    on: str, key: AttributeKey, value: Value | None = True, until: Lifetime = "", within: str = ""
) -> AttributeSet:
    return AttributeSet(rule=RULE, on=on, key=key, value=value, until=until, within=within)


def asked(kind: str) -> Event:
    return DecisionOpened(rule=RULE, kind=kind, seat=WHITE)


def answered(kind: str) -> Event:
    return DecisionClosed(rule=RULE, kind=kind, seat=WHITE)


def test_attributes_are_replaced_and_removed() -> None:
    table = fold([remembered("a", MOVED, 0), remembered("a", TARGETS, ("x", "y")), remembered("a", MOVED, 2)])

    assert (table.attribute("a", MOVED), table.attribute("a", TARGETS), table.attribute("b", MOVED)) == (
        2,
        ("x", "y"),
        None,
    )

    fold([remembered("a", MOVED, None)], table)

    assert table.attributes == {"a": {TARGETS: ("x", "y")}}

    fold([remembered("a", TARGETS, None), remembered("b", MOVED, None)], table)

    assert table.attributes == {}


def test_the_attributes_of_a_removed_piece_are_removed() -> None:
    """A later piece with the same id does not inherit them, and their lifetimes are removed too."""
    table = fold([placed(P), remembered(P, MOVED, until="turn"), remembered("a", MOVED, until="turn")])
    fold([PieceRemoved(rule=RULE, piece=P, was=A)], table)

    assert table.attributes == {"a": {MOVED: True}}
    assert [terms.on for terms in table.terms] == ["a"]


@each_row(
    ("until", "event"),
    [
        ("round", RoundBegan(rule=RULE, number=2, was=1)),
        ("turn", TurnBegan(rule=RULE, side=IVORY, was=EBONY)),
        ("phase", PhaseBegan(rule=RULE, phase="fight", was="move")),
    ],
)
def test_an_attribute_ends_with_its_lifetime(until: Lifetime, event: Event) -> None:
    lifetimes: tuple[Lifetime, ...] = ("", "phase", "turn", "round")
    table = fold([remembered(f"on {one}", MOVED, until=one) for one in lifetimes])
    fold([event], table)

    assert set(table.attributes) == {f"on {one}" for one in lifetimes if one != until}
    assert {terms.until for terms in table.terms} == set(lifetimes) - {"", until}


def test_an_attribute_of_a_question_ends_when_the_question_is_closed() -> None:
    events = [asked("act"), asked("lead"), remembered("a", MOVED, within="act"), remembered("b", MOVED, within="lead")]
    table = fold(events)
    fold([answered("lead"), asked("lead"), answered("lead")], table)

    assert table.attributes == {"a": {MOVED: True}}

    fold([answered("act")], table)

    assert (table.attributes, table.terms) == ({}, ())


def test_of_two_questions_of_a_kind_the_topmost_one_counts() -> None:
    table = fold([asked("act"), asked("act"), remembered("a", MOVED, within="act"), answered("act")])

    assert table.attributes == {}


def test_an_attribute_that_is_set_again_has_the_new_lifetime() -> None:
    table = fold([asked("act"), remembered("a", MOVED, within="act"), remembered("a", MOVED, 3), answered("act")])

    assert table.attributes == {"a": {MOVED: 3}}


def test_the_end_of_the_match_clears_the_stack_and_its_attributes() -> None:
    ended = MatchEnded(rule=RULE, kind="rules", result="over")
    table = fold([asked("act"), remembered("a", MOVED, within="act"), remembered("b", MOVED), ended])

    assert table.attributes == {"b": {MOVED: True}}
