"""The draft's methods: each records one event and folds it at once, or records nothing if nothing changes."""

from collections.abc import Callable

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from events.codec import tag_of
from events.ids import NO_SIDE, AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, Side, TrackId
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    DecisionClosed,
    DecisionOpened,
    DiceRolled,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    MarkerRemoved,
    Modifier,
    PieceConcealed,
    PieceMoved,
    PieceTurned,
    SeedRevealed,
    SequenceEnded,
    SideAssigned,
    StepBegan,
    TrackMoved,
    TurnBegan,
)
from projections.state.fold import fold
from projections.state.table import Ended, Open, Table
from tests.support.rows import each_row

RULE = RuleId("1")
OTHER_RULE = RuleId("2")
TANK = PieceId("tank")
HILL = PlaceId("hill")
MILL = PlaceId("mill")
DECK = PileId("deck")
HAND = PileId("hand")
RED = Seat("red")
BLUE = Seat("blue")
GREEN = Seat("green")
REDS, BLUES = Side("reds"), Side("blues")
KEY = AttributeKey("movement_left")


def draft(faces: tuple[int, ...] = (), draws: tuple[str, ...] = ()) -> Draft:
    """Return a draft over a small table: a tank on the hill, three cards in a deck."""
    made = Draft(Table(), ManualChance(faces, draws))
    made.place(TANK, HILL, RULE, kind="armor", side=REDS, face="fresh", steps=2)
    made.form(DECK, (CardId("ace"), CardId("king"), CardId("queen")), RULE)
    made.begin_sequence("chapter", "first", RULE)
    made.events.clear()
    return made


VERBS: dict[str, Callable[[Draft], object]] = {
    "place": lambda d: d.place(PieceId("gun"), MILL, RULE, kind="artillery", side=REDS),
    "move": lambda d: d.move(TANK, MILL, RULE),
    "turn": lambda d: d.turn(TANK, "spent", RULE),
    "turn steps": lambda d: d.turn(TANK, "fresh", RULE, steps=1),
    "reveal": lambda d: d.reveal(TANK, "heavy armor", "up", RULE),
    "conceal": lambda d: d.conceal(TANK, RULE, known_to=(RED,), attributes=(KEY,)),
    "return piece": lambda d: d.return_piece(TANK, DECK, RULE),
    "choose": lambda d: d.choose(("king", "queen"), "a side", RULE),
    "remove": lambda d: d.remove(TANK, RULE),
    "control": lambda d: d.control(HILL, REDS, RULE),
    "mark": lambda d: d.mark("hill", MarkerId("rubble"), RULE),
    "set attribute": lambda d: d.set_attribute("tank", KEY, 3, RULE),
    "track": lambda d: d.track(TrackId("morale"), 3, RULE),
    "form": lambda d: d.form(HAND, (CardId("ten"),), RULE),
    "shuffle": lambda d: d.shuffle(DECK, RULE),
    "play card": lambda d: d.play_card(CardId("ace"), DECK, HAND, RULE),
    "discard": lambda d: d.discard(CardId("ace"), DECK, HAND, RULE),
    "move card": lambda d: d.move_card(CardId("ace"), DECK, HAND, RULE),
    "round": lambda d: d.begin_round(2, RULE),
    "side's turn": lambda d: d.begin_turn(REDS, RULE),
    "seat's side": lambda d: d.assign_side(RED, REDS, RULE),
    "go over": lambda d: d.change_side(TANK, BLUES, RULE),
    "phase": lambda d: d.begin_phase("dawn", RULE),
    "ask": lambda d: d.ask("which", RED, RULE, {"about": "tank"}),
    "begin a sequence": lambda d: d.begin_sequence("combat", "fire", RULE, {"at": "hill"}),
    "begin a step": lambda d: d.begin_step("chapter", "second", RULE),
    "end a sequence": lambda d: d.end_sequence("chapter", RULE),
    "end": lambda d: d.end_match("Victory", (REDS,), RULE),
    "dice": lambda d: d.dice(2, "attack", RULE),
    "draw card": lambda d: d.draw_card(DECK, HAND, "a card", RULE),
    "draw piece": lambda d: d.draw_piece(DECK, "a counter", RULE),
}


def with_seats(plays: dict[Seat, Side]) -> Draft:
    """Return a draft of a match whose seats play these sides."""
    made = draft()
    made.table.seats, made.table.plays = tuple(plays), plays
    return made


def test_a_turn_is_that_of_the_sides_only_seat_or_of_all_its_seats() -> None:
    """A rule may name the seat instead."""
    made = with_seats({RED: REDS, BLUE: REDS, GREEN: BLUES})
    made.begin_turn(REDS, RULE)
    made.begin_turn(REDS, RULE, seat=BLUE)
    made.begin_turn(BLUES, RULE)
    turns = [(turn.side, turn.seat, turn.was, turn.seat_was) for turn in made.events if isinstance(turn, TurnBegan)]

    assert turns == [(REDS, "", "", ""), (REDS, BLUE, REDS, ""), (BLUES, GREEN, REDS, BLUE)]


@each_row(
    ("winners", "seats", "won"),
    [((REDS,), None, (RED, BLUE)), ((REDS,), (BLUE,), (BLUE,)), ((BLUES,), None, ()), ((), None, ())],
)
def test_all_seats_of_the_winning_side_win_unless_winners_are_named(
    winners: tuple[Side, ...], seats: tuple[Seat, ...] | None, won: tuple[Seat, ...]
) -> None:
    made = with_seats({RED: REDS, BLUE: REDS, GREEN: Side("")})
    made.end_match("Victory", winners, RULE, seats=seats)

    assert made.table.ended == Ended("rules", "Victory", winners, won)


def test_a_side_is_not_assigned_again_to_the_seat_that_plays_it() -> None:
    made = with_seats({RED: REDS})
    made.assign_side(RED, REDS, RULE)
    made.assign_side(RED, BLUES, RULE)

    assert made.events == [SideAssigned(rule=RULE, seat=RED, side=BLUES, was=REDS)]
    assert (made.table.side_of(RED), made.table.seats_of(BLUES), made.table.seat_of(BLUES)) == (BLUES, (RED,), RED)
    assert (made.table.side_of(BLUE), made.table.seats_of(REDS)) == ("", ())


@each_row("verb", VERBS)
def test_a_method_records_one_event_with_its_rule_and_folds_it_at_once(verb: str) -> None:
    made = draft((3, 4), ("king",))
    before = made.table.clone()
    VERBS[verb](made)

    assert [event.rule for event in made.events] == [RULE]
    assert made.table == fold(made.events, before)


def test_every_event_of_the_rules_has_a_method() -> None:
    tags = set()
    for verb in VERBS.values():
        made = draft((3, 4), ("king",))
        verb(made)
        tags.add(tag_of(type(made.events[0])).partition("/")[0])

    assert tags == {
        "piece-placed",
        "piece-moved",
        "piece-turned",
        "piece-revealed",
        "piece-concealed",
        "piece-returned",
        "chosen-by-chance",
        "piece-removed",
        "control-changed",
        "marker-placed",
        "attribute-set",
        "track-moved",
        "deck-formed",
        "deck-shuffled",
        "card-played",
        "card-discarded",
        "card-moved",
        "round-began",
        "turn-began",
        "side-assigned",
        "side-changed",
        "phase-began",
        "decision-opened",
        "sequence-began",
        "step-began",
        "sequence-ended",
        "match-ended",
        "dice-rolled",
        "card-drawn",
        "piece-drawn",
    }


@each_row(
    "verb",
    [
        lambda d: d.turn(TANK, "fresh", RULE),
        lambda d: d.turn(TANK, "fresh", RULE, steps=2),
        lambda d: d.control(MILL, NO_SIDE, RULE),
        lambda d: d.unmark("hill", MarkerId("rubble"), RULE),
        lambda d: d.track(TrackId("morale"), 0, RULE),
    ],
)
def test_a_method_that_changes_nothing_records_nothing(verb: Callable[[Draft], object]) -> None:
    made = draft()
    verb(made)

    assert made.events == []


def test_turning_a_hidden_piece_is_visible_only_to_seats_that_know_it() -> None:
    made = draft()
    made.conceal(TANK, RULE, known_to=(RED,))
    made.turn(TANK, "spent", RULE, steps=1)
    turned = made.events[-1]

    assert isinstance(turned, PieceTurned)
    assert turned.seen_by == (RED,)


def test_turning_a_hidden_piece_to_its_own_face_is_recorded_too() -> None:
    made = draft()
    made.conceal(TANK, RULE, known_to=(RED,))
    made.turn(TANK, "fresh", RULE)

    assert [type(event) for event in made.events] == [PieceConcealed, PieceTurned]


def test_a_piece_that_no_seat_may_know_must_not_be_drawn_yet() -> None:
    made = draft()
    made.place(PieceId("block"), HILL, RULE, kind="", side=Side("red"), seen_by=())

    with pytest.raises(AssertionError, match="no seat may know it"):
        made.place(PieceId("other"), HILL, RULE, kind="guards", side=Side("red"), seen_by=())


def test_concealing_a_piece_cannot_disclose_it_to_a_seat() -> None:
    made = draft()
    made.conceal(TANK, RULE, known_to=(RED,))

    with pytest.raises(AssertionError, match="cannot disclose"):
        made.conceal(TANK, RULE, known_to=(RED, BLUE))


def test_placing_an_unchanged_number_of_markers_records_nothing() -> None:
    made = draft()
    rubble = MarkerId("rubble")
    made.mark("hill", rubble, RULE, 2)
    made.mark("hill", rubble, RULE, 2)
    made.mark("hill", rubble, RULE, 3)
    made.unmark("hill", rubble, RULE)

    assert made.events == [
        MarkerPlaced(rule=RULE, on="hill", marker=rubble, count=2, was=0),
        MarkerPlaced(rule=RULE, on="hill", marker=rubble, count=3, was=2),
        MarkerRemoved(rule=RULE, on="hill", marker=rubble, was=3),
    ]


def test_an_event_holds_the_value_that_it_replaced() -> None:
    made = draft()
    made.move(TANK, MILL, RULE)
    made.turn(TANK, "spent", RULE, steps=1)
    made.track(TrackId("morale"), 5, RULE)
    made.track(TrackId("morale"), 4, RULE)

    assert made.events == [
        PieceMoved(rule=RULE, piece=TANK, to=MILL, was=HILL),
        PieceTurned(rule=RULE, piece=TANK, face="spent", was="fresh", steps=1, steps_was=2),
        TrackMoved(rule=RULE, track=TrackId("morale"), to=5, was=0),
        TrackMoved(rule=RULE, track=TrackId("morale"), to=4, was=5),
    ]


def test_dice_are_recorded_with_their_purpose_and_modifiers() -> None:
    made = draft((3, 4))
    parts = (Modifier(RULE, "terrain", 2),)
    faces = made.dice(2, "attack", RULE, about="hill", modifiers=parts, needed=9)

    assert faces == (3, 4)
    assert made.events == [
        DiceRolled(rule=RULE, faces=(3, 4), sides=6, purpose="attack", about="hill", modifiers=parts, needed=9)
    ]


@each_row(
    ("faces", "amount", "last"),
    [
        ((3,), -2, ("terrain", -2)),
        ((1,), -2, ("(at least 1)", 2)),
        ((6,), 1, ("(at most 6)", -1)),
        ((5,), 1, ("terrain", 1)),
    ],
)
def test_a_bounded_sum_ends_with_a_balancing_part(faces: tuple[int, ...], amount: int, last: tuple[str, int]) -> None:
    made = draft(faces)
    made.dice(1, "air", RULE, modifiers=(Modifier(OTHER_RULE, "terrain", amount),), within=(1, 6))

    (roll,) = made.events
    assert isinstance(roll, DiceRolled)
    assert roll.modifiers[-1] == Modifier(OTHER_RULE, *last)


def test_only_kept_dice_count_towards_a_bounded_sum() -> None:
    made = draft((1, 6, 5))
    made.dice(3, "defense", RULE, modifiers=(Modifier(RULE, "terrain", 1),), keep=2, within=(0, 10))

    (roll,) = made.events
    assert isinstance(roll, DiceRolled)
    assert roll.modifiers[-1] == Modifier(RULE, "(at most 10)", -2)


def test_dice_without_modifiers_are_never_balanced() -> None:
    """The bounds are those of a modified result: no rule could stand behind the balancing part."""
    made = draft((1,))
    made.dice(1, "air", RULE, within=(2, 6))

    assert made.events == [DiceRolled(rule=RULE, faces=(1,), sides=6, purpose="air")]


def test_a_drawn_card_is_in_the_other_pile_and_no_longer_in_its_deck() -> None:
    made = draft((), ("king",))
    card = made.draw_card(DECK, HAND, "a card", RULE, seen_by=(RED,))

    assert card == "king"
    assert made.table.pile(DECK).cards == ("ace", "queen")
    assert made.table.pile(HAND).cards == ("king",)
    assert isinstance(made.events[0], CardDrawn)
    assert made.events[0].seen_by == (RED,)


def test_a_counter_that_was_drawn_is_in_no_pile() -> None:
    made = draft((), ("ace",))

    assert made.draw_piece(DECK, "a counter", RULE) == "ace"
    assert made.table.pile(DECK).cards == ("king", "queen")


def test_picks_are_kept_in_the_question_in_ascending_order() -> None:
    made = draft()
    made.ask("which", RED, RULE)
    for item in ("tank", "gun", "boat"):
        made.emit(ItemPicked(rule=RULE, item=item, to="hill"))
    made.emit(ItemUnpicked(rule=RULE, item="gun", was="hill"))

    assert made.table.stack[1:] == (Open("which", RED, {}, ("boat", "tank"), ("hill", "hill")),)


def test_an_answered_question_leaves_the_stack_with_the_sequence_below_it() -> None:
    made = draft()
    made.begin_sequence("later", "first", RULE, {"count": 2})
    made.ask("which", RED, RULE)
    answered = made.answered(RULE)
    ended = made.end_sequence("later", RULE)

    assert answered == Open("which", RED)
    assert ended == Open("later", Seat(""), {"count": 2}, step="first")
    assert ended.number("count") == 2
    assert [element.kind for element in made.table.stack] == ["chapter"]
    assert made.events[2:] == [SequenceEnded(rule=RULE, kind="later")]


@each_row(
    "verb",
    [
        lambda d: d.draw_card(PileId("none"), HAND, "a card", RULE),
        lambda d: d.answered(RULE),
        lambda d: d.end_sequence("later", RULE),
    ],
)
def test_programming_errors_of_rules_are_caught(verb: Callable[[Draft], object]) -> None:
    with pytest.raises(AssertionError):
        verb(draft())


def test_asking_the_next_question_closes_the_answered_one_in_one_event() -> None:
    made = draft()
    made.ask("which", RED, RULE, {"left": 2})
    made.answered(RULE)
    made.ask("which", BLUE, RULE, {"left": 1})

    assert made.events[1:] == [
        DecisionOpened(rule=RULE, kind="which", seat=BLUE, arguments={"left": 1}, was="which"),
    ]
    assert made.table.stack[1:] == (Open("which", BLUE, {"left": 1}),)


def test_a_question_asked_while_another_is_open_lies_above_it() -> None:
    made = draft()
    made.ask("act", RED, RULE)
    made.ask("which", RED, RULE)
    made.answered(RULE)
    made.close()

    assert made.table.top == Open("act", RED)
    assert made.events[2:] == [DecisionClosed(rule=RULE, kind="which", seat=RED)]


def test_a_step_and_the_end_of_a_sequence_close_everything_above_it() -> None:
    made = draft()
    made.ask("which", RED, RULE)
    made.answered(RULE)
    made.begin_step("chapter", "second", RULE)
    stood = made.table.top
    made.ask("which", RED, RULE)
    made.end_sequence("chapter", RULE)

    assert stood == Open("chapter", Seat(""), step="second")
    assert made.table.stack == ()
    assert made.events[1] == StepBegan(rule=RULE, kind="chapter", step="second", was="first")
    assert [type(event) for event in made.events[2:]] == [DecisionOpened, SequenceEnded]


def test_after_the_end_the_draft_accepts_no_event_of_the_game() -> None:
    made = draft((3,), ("ace",))
    made.end_match("Victory", (REDS,), RULE)
    verbs = [verb for name, verb in VERBS.items() if name not in ("begin a step", "end a sequence")]
    for verb in verbs:
        with pytest.raises(MatchOver):
            verb(made)
    made.emit(SeedRevealed(rule=RULE, seed="ab"))

    assert len(made.events) == 2
    assert made.chance.dice(1, 1, 6, "attack") == (3,)


def test_the_end_of_the_match_clears_the_stack() -> None:
    made = draft()
    made.ask("which", RED, RULE)
    made.end_match("Victory", (REDS,), RULE)

    assert made.table.top is None
    assert made.table.ended is not None
    assert (made.table.ended.kind, made.table.ended.result) == ("rules", "Victory")


@each_row(("name", "value"), [("text", "tank"), ("number", 3), ("texts", ("a", "b"))])
def test_arguments_of_a_question_are_read_by_type(name: str, value: str | int | tuple[str, ...]) -> None:
    asked = Open("which", RED, {"it": value})

    assert getattr(asked, name)("it") == value
    assert getattr(Open("which", RED), name)("it") in ("", 0, ())


def said(drafted: Draft) -> list[tuple[object, object]]:
    """Return the new and the old value of each attribute that was set."""
    return [(event.value, event.was) for event in drafted.events if isinstance(event, AttributeSet)]


def test_setting_an_attribute_records_the_old_value_unless_nothing_changes() -> None:
    drafted = draft()
    for value in (0, 0, False, 2):
        drafted.set_attribute("tank", KEY, value, RULE)
    drafted.remove_attribute("tank", KEY, RULE)
    drafted.remove_attribute("tank", KEY, RULE)

    assert said(drafted) == [(0, None), (2, 0), (None, 2)]


def test_an_attribute_with_another_lifetime_is_set_again() -> None:
    drafted = draft()
    drafted.ask("act", RED, RULE)
    for _ in range(2):
        drafted.set_attribute("tank", KEY, 1, RULE, until="turn")
    for within in ("act", "act", ""):
        drafted.set_attribute("tank", KEY, 1, RULE, within=within)

    assert said(drafted) == [(1, None), (1, 1), (1, 1)]


def test_setting_a_secret_attribute_is_recorded_even_without_a_change() -> None:
    """Omitting the event would tell the other seats that the value has not changed."""
    drafted = draft()
    for value in (4, 4):
        drafted.set_attribute("tank", KEY, value, RULE, seen_by=(RED,))

    assert said(drafted) == [(4, None), (4, 4)]


def test_an_open_attribute_becomes_secret_even_without_a_change_of_its_value() -> None:
    drafted = draft()
    drafted.set_attribute("tank", KEY, 4, RULE)
    drafted.set_attribute("tank", KEY, 4, RULE, seen_by=(RED,))

    assert drafted.table.terms_of("tank", KEY).seen_by == (RED,)


def test_disclosing_an_attribute_does_not_disclose_its_old_value() -> None:
    drafted = draft()
    drafted.set_attribute("tank", KEY, 4, RULE, seen_by=(RED,))
    drafted.set_attribute("tank", KEY, 5, RULE, seen_by=(RED, BLUE))
    drafted.set_attribute("tank", KEY, 6, RULE, seen_by=(BLUE,))
    drafted.set_attribute("tank", KEY, 6, RULE)
    drafted.set_attribute("tank", KEY, 7, RULE, seen_by=(BLUE,))

    assert said(drafted) == [(4, None), (5, None), (6, 5), (6, None), (7, 6)]


def test_a_secret_attribute_is_removed_in_secret() -> None:
    drafted = draft()
    drafted.set_attribute("tank", KEY, 4, RULE, seen_by=(RED,))
    drafted.remove_attribute("tank", KEY, RULE)

    assert isinstance(drafted.events[-1], AttributeSet)
    assert (drafted.events[-1].was, drafted.events[-1].seen_by) == (4, (RED,))


def test_an_attribute_can_last_only_as_long_as_what_is_on_the_stack() -> None:
    drafted = draft()

    with pytest.raises(AssertionError, match="no act is on the stack"):
        drafted.set_attribute("tank", KEY, 1, RULE, within="act")
