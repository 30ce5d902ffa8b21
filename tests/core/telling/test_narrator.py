"""Every kind of event becomes a sentence, alone or grouped with others, in the names of any game."""

from pathlib import Path

import pytest

from core.registry.games import load_game
from core.telling.answer_text import answer_words
from core.telling.dice_text import Roll
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import listed, spoken
from events.codec import Decoder, replace
from events.ids import TABLE, AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, Side, TrackId
from events.vocabulary import (
    CURRENT,
    AttributeSet,
    CardMoved,
    ControlChanged,
    DecisionClosed,
    DiceRolled,
    Event,
    GivenAnswer,
    MarkerPlaced,
    MarkerRemoved,
    MatchEnded,
    Modifier,
    NoteAdded,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    PieceTurned,
    SeatTaken,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    TrackMoved,
    Value,
)
from projections.chronicle import Entry, Heading
from projections.state.table import Piece, Table
from tests.support.rows import each_row

WIRE = Path(__file__).parents[3] / "fixtures" / "wire"
RULE = RuleId("1.turn")
RED, REDS = Seat("red"), Side("red")
FIELD, CAMP = PlaceId("field"), PlaceId("camp")


PIECES = ("a", "b", "c", "red-flag", "blue-flag", "red-spy")


@pytest.fixture
def teller() -> Narrator:
    """Narrate from a table with all the pieces that these events name."""
    table = Table()
    table.pieces = {PieceId(piece): Piece(PieceId(piece), "", REDS, CAMP) for piece in PIECES}
    table.at = {CAMP: tuple(table.pieces)}
    return Narrator(Names(load_game("skirmish").bind(None).narration), table)


def entries(*events: Event, heading: Heading | None = None, first: int = 1) -> list[Entry]:
    return [Entry(number, 0, heading or Heading(), True, event) for number, event in enumerate(events, start=first)]


def told(teller: Narrator, *events: Event) -> list[str]:
    return [line.sentence for line in teller.lines(entries(*events), is_full=True)]


def test_names_cannot_contain_terminal_control_characters(teller: Narrator) -> None:
    event = SeatTaken(rule=RULE, seat=RED, name="Anna\x1b]0;Bob\x07\n\u202e")

    assert told(teller, event) == [teller.sentence(event)] == ["Anna\ufffd]0;Bob\ufffd \ufffd takes the Red seat."]


@pytest.mark.parametrize(
    "text", ["One\ntwo", "One\r\ntwo", "One\ttwo", "One\u2028two", "One\N{NO-BREAK SPACE}two", "One\n\n\ntwo"]
)
def test_a_note_of_several_lines_is_told_in_one(teller: Narrator, text: str) -> None:
    (said,) = told(teller, NoteAdded(rule=RULE, seat=RED, text=text))

    assert "One two" in said


@pytest.mark.parametrize("kind", CURRENT, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_has_its_sentence(kind: type[Event], teller: Narrator) -> None:
    name, _, version = str(kind.__struct_config__.tag).partition("/")
    event = Decoder[Event](kind).decode((WIRE / name / f"{version}.json").read_bytes())
    sentence = teller.sentence(event)

    assert sentence.endswith((".", "!", "?")) or getattr(event, "text", "") in sentence
    assert sentence[0].isupper() or sentence[0].isdigit() or sentence.startswith(str(getattr(event, "piece", "")))
    assert "None" not in sentence


def moved(piece: str, was: PlaceId = CAMP, to: PlaceId = FIELD) -> Event:
    return PieceMoved(rule=RULE, piece=PieceId(piece), to=to, was=was)


def test_pieces_that_move_the_same_way_share_a_sentence(teller: Narrator) -> None:
    assert told(teller, moved("red-flag"), moved("blue-flag")) == ["Red Flag and Blue Flag go from Camp to Field."]


def test_pieces_that_move_different_ways_have_separate_sentences(teller: Narrator) -> None:
    assert told(teller, moved("red-flag"), moved("blue-flag", FIELD, CAMP)) == [
        "Red Flag goes from Camp to Field.",
        "Blue Flag goes from Field to Camp.",
    ]


def test_a_heading_separates_events_that_would_share_a_sentence(teller: Narrator) -> None:
    lines = teller.lines([*entries(moved("a")), *entries(moved("b"), heading=Heading(2), first=2)])

    assert [(line.first, line.last) for line in lines] == [(1, 1), (2, 2)]


def test_grouped_events_keep_their_numbers(teller: Narrator) -> None:
    (line,) = teller.lines(entries(moved("a"), moved("b"), moved("c"), first=17))

    assert (line.first, line.last, line.rule) == (17, 19, RULE)


def test_pieces_set_up_are_listed_by_place(teller: Narrator) -> None:
    placed = [
        PiecePlaced(rule=RULE, piece=PieceId(piece), kind="flag", side=REDS, to=to)
        for piece, to in [("a", FIELD), ("b", CAMP), ("c", FIELD)]
    ]

    assert told(teller, *placed) == ["Placed: A and C in Field; B in Camp."]


def test_a_piece_is_called_what_the_reader_knew_before_the_events_that_share_a_sentence(
    teller: Narrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        teller.names.narration, "piece", lambda table, piece: f"{table.pieces[piece].kind or 'Somebody'} {piece}"
    )
    shown = PieceRevealed(rule=RULE, piece=PieceId("a"), kind="Spy", face="", was="")
    gone = [PieceRemoved(rule=RULE, piece=PieceId(piece), was=CAMP) for piece in ("a", "b")]

    assert told(teller, moved("a"), shown, *gone) == [
        "Somebody a goes from Camp to Field.",
        "Somebody a is revealed: Spy.",
        "Spy a and Somebody b are removed from Camp.",
    ]


def test_bookkeeping_is_told_if_the_game_has_words_for_it(teller: Narrator, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = entries(DecisionClosed(rule=RULE, kind="turn", seat=RED))

    assert not teller.is_worth_telling(entry)

    monkeypatch.setattr(teller.names.narration, "tell", lambda _table, _run: "Red passes.")

    assert teller.is_worth_telling(entry)


def test_a_change_of_control_names_the_previous_owner(teller: Narrator) -> None:
    taken = ControlChanged(rule=RULE, place=FIELD, to=REDS, was=Side("blue"))
    freed = ControlChanged(rule=RULE, place=FIELD, to=Side(""), was=REDS)

    assert told(teller, taken, freed) == [
        "Field comes under Red control (before: Blue).",
        "Field comes under no control (before: Red).",
    ]


def test_the_sentence_of_a_turned_piece_says_what_changed(teller: Narrator) -> None:
    turned = PieceTurned(rule=RULE, piece=PieceId("a"), face="up", was="down", steps=1, steps_was=2)

    assert told(teller, turned) == ["A is now Up and at 1 step (before 2)."]


def lost(piece: str, was: int, steps: int, rule: RuleId = RULE) -> Event:
    return PieceTurned(rule=rule, piece=PieceId(piece), face=f"{steps}", was=f"{was}", steps=steps, steps_was=was)


def test_a_piece_that_goes_on_losing_steps_shares_one_sentence(teller: Narrator) -> None:
    lines = teller.lines(entries(lost("a", 4, 3), lost("a", 3, 2), lost("b", 3, 2)))

    assert [(line.first, line.last) for line in lines] == [(1, 3)]
    assert lines[0].sentence == "A is now 2 and at 2 steps (before 4). B is now 2 and at 2 steps (before 3)."


def test_steps_lost_under_another_rule_or_gained_have_a_sentence_of_their_own(teller: Narrator) -> None:
    first, other, back = lost("a", 4, 3), lost("a", 3, 2, RuleId("other")), lost("a", 2, 3, RuleId("other"))
    lines = teller.lines(entries(first, other, back))

    assert [(line.first, line.last) for line in lines] == [(1, 1), (2, 2), (3, 3)]


def test_cards_that_go_the_same_way_share_a_sentence(teller: Narrator) -> None:
    moved = CardMoved(rule=RULE, card=CardId("x"), to=PileId("hand/red"), was=PileId("deck"))
    hidden = replace(moved, card=None)
    lines = teller.lines(entries(moved, hidden, hidden, replace(moved, to=moved.was)))

    assert [line.sentence for line in lines] == [
        "X and 2 more go from Deck to Hand/Red.",
        "X goes from Deck to Deck.",
    ]


def test_hidden_values_are_not_told(teller: Narrator) -> None:
    card = CardMoved(rule=RULE, card=None, to="hand/red", was="deck")  # type: ignore[arg-type]
    piece = PieceRevealed(rule=RULE, piece=PieceId("a"), kind=None, face=None, was=None, steps=None)
    turned = PieceTurned(rule=RULE, piece=PieceId("a"), face=None, was=None, steps=None, steps_was=None)

    assert told(teller, card, piece, turned) == ["A card goes from Deck to Hand/Red.", "A is seen.", "A is turned."]


def test_a_match_can_end_without_a_winner(teller: Narrator) -> None:
    assert told(teller, MatchEnded(rule=RULE, kind="rules", result="Dusk")) == [
        "The match is over: Dusk. No player has won."
    ]


def test_disclosed_standing_answers_are_told_with_their_place(teller: Narrator) -> None:
    answer = '{"do":"reply","contest":true}'
    given = GivenAnswer(seat=RED, decision="reply", answer=answer, until="turn", after=7)
    taken_back = GivenAnswer(seat=RED, decision="reply", answer="", after=9)

    sentence = (
        "Standing answers disclosed, with public event numbers: "
        "after event 7: Red gives a standing answer to Reply until its next turn: Reply: contest; "
        "after event 9: Red withdraws the standing answer to Reply."
    )

    assert told(teller, StandingAnswersRevealed(rule=RULE, answers=(given, taken_back))) == [sentence]


def test_the_same_standing_answer_to_several_decisions_is_told_once(teller: Narrator) -> None:
    answers = [
        StandingAnswerGiven(rule=RULE, seat=RED, decision=decision, answer=answer, until="turn", seen_by=(RED,))
        for decision, answer in [("reply", '{"do":"pass"}'), ("spring", '{"do":"pass"}'), ("reply", "{}")]
    ]

    assert told(teller, *answers) == [
        "Red gives a standing answer to Reply and Spring until its next turn: Pass.",
        "Red gives a standing answer to Reply until its next turn: {}.",
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            '{"do":"play-card","card":"camp","to":["field","a"],"to_deck":false,"left":2,"force":""}',
            "Play card: Camp, Field and A, not to deck, left 2",
        ),
        ('{"do":7}', '{"do":7}'),
        ("[]", "[]"),
        ("{", "{"),
    ],
)
def test_a_command_is_told_without_the_rules_of_its_game(teller: Narrator, answer: str, words: str) -> None:
    assert answer_words(teller.names, answer) == words


def test_markers_are_counted(teller: Narrator) -> None:
    glory = MarkerId("glory")
    one = MarkerPlaced(rule=RULE, on="field", marker=glory)
    more = MarkerPlaced(rule=RULE, on="field", marker=glory, count=3, was=1)
    gone = MarkerRemoved(rule=RULE, on="field", marker=glory, was=3)

    assert told(teller, one, more, gone) == [
        "Glory on Field.",
        "Glory 3 (before: 1) on Field.",
        "Glory no longer on Field.",
    ]


def test_the_removal_of_a_printed_marker_is_told(teller: Narrator) -> None:
    placed, gone = (
        MarkerPlaced(rule=RULE, on="field", marker=MarkerId("glory")),
        MarkerRemoved(rule=RULE, on="field", marker=MarkerId("glory")),
    )
    same = [teller.is_worth_telling(entry) for entry in entries(placed, gone)]
    later = [teller.is_worth_telling(entry) for entry in [*entries(placed), *entries(gone, heading=Heading(2))]]

    assert (same, later) == ([True, True], [True, True])


def test_a_marker_without_a_printed_name_is_not_told(teller: Narrator) -> None:
    # The test game capitalizes ids to get names; the name of this one equals its id.
    memory = MarkerPlaced(rule=RULE, on="field", marker=MarkerId("Memory"))

    assert [teller.is_worth_telling(entry) for entry in entries(memory)] == [False]


def remembered(
    value: Value | None, was: Value | None = None, seen_by: tuple[Seat, ...] | None = None, on: str = "field"
) -> AttributeSet:
    return AttributeSet(rule=RULE, on=on, key=AttributeKey("morale"), value=value, was=was, seen_by=seen_by)


def test_an_attribute_is_told_only_if_the_game_has_words_for_it(
    teller: Narrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entry,) = entries(remembered(3))

    assert not teller.is_worth_telling(entry)

    monkeypatch.setattr(teller.names.narration, "tell", lambda _table, _run: "The Field rallies.")

    assert teller.is_worth_telling(entry)
    assert told(teller, entry.event) == ["The Field rallies."]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (remembered(3), "Noted for the rules: Field, Morale: 3."),
        (remembered(3, 2), "Noted for the rules: Field, Morale: 3 (before: 2)."),
        (remembered(value=True), "Noted for the rules: Field, Morale."),
        (remembered(("red", "camp"), ()), "Noted for the rules: Field, Morale: Red, Camp (before: none)."),
        (remembered("camp", seen_by=(RED,)), "Noted for the rules: Field, Morale: Camp."),
        (remembered(None, 2), "Noted for the rules: Field, Morale: no longer (before: 2)."),
        (remembered(None, seen_by=(RED,)), "Noted for the rules: Field, Morale: changes (hidden)."),
        (remembered(3, on=TABLE), "Noted for the rules: Morale: 3."),
    ],
)
def test_an_attribute_is_told_with_the_value_that_it_replaced(
    event: AttributeSet, sentence: str, teller: Narrator
) -> None:
    assert told(teller, event) == [sentence]


def test_the_same_value_of_several_things_shares_a_sentence(teller: Narrator) -> None:
    assert told(teller, remembered(3), remembered(3, on="camp"), remembered(4)) == [
        "Noted for the rules: Field and Camp, Morale: 3.",
        "Noted for the rules: Field, Morale: 4.",
    ]


def test_a_track_is_told_with_its_old_and_new_value(teller: Narrator) -> None:
    assert told(teller, TrackMoved(rule=RULE, track=TrackId("score/red"), to=5, was=2)) == [
        "Score/Red goes from 2 to 5."
    ]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        (Heading(), "Before play"),
        (Heading(3, REDS, "turn of red"), "Round 3: Turn Of Red"),
        (Heading(1), "Round 1"),
    ],
)
def test_a_heading_names_round_phase_and_turn(heading: Heading, text: str, teller: Narrator) -> None:
    assert teller.heading(heading) == text


def rolled(
    *faces: int,
    keep: int = 0,
    needed: int | None = None,
    parts: tuple[Modifier, ...] = (),
    each: bool = False,
    or_less: bool = False,
) -> Roll:
    return Roll(
        DiceRolled(
            rule=RULE,
            faces=faces,
            keep=keep,
            purpose="x",
            needed=needed,
            modifiers=parts,
            each=each,
            or_less=or_less,
        )
    )


@each_row(
    ("roll", "total", "words"),
    [
        (rolled(4), 4, "4"),
        (rolled(3, 5), 8, "3, 5 = 8"),
        (rolled(2, 6, 5, keep=2), 11, "2, 6, 5, the highest 2 count = 11"),
        (rolled(3, needed=4), 3, "3; needed: 4"),
        (rolled(6, 5, 1, needed=5, each=True), 2, "6, 5, 1; needed: 5; reached by 2 of 3"),
        (
            rolled(4, 1, needed=5, parts=(Modifier(RULE, "rain", 1),), each=True),
            1,
            "4, 1, each +1 rain; needed: 5; reached by 1 of 2",
        ),
        (rolled(6, 2, 1, needed=1, each=True, or_less=True), 1, "6, 2, 1; needed: 1 or less; reached by 1 of 3"),
        (
            rolled(4, 3, 2, needed=2, parts=(Modifier(RULE, "fortified", 1),), each=True, or_less=True),
            2,
            "4, 3, 2; needed: 3 or less (2, +1 fortified); reached by 2 of 3",
        ),
        (
            rolled(1, 1, parts=(Modifier(RULE, "terrain", 3), Modifier(RULE, "rain", -2))),
            3,
            "1, 1 = 2, +3 terrain, -2 rain = 3",
        ),
    ],
)
def test_the_sum_of_dice_and_modifiers_is_told(roll: Roll, total: int, words: str) -> None:
    assert (roll.total, roll.words()) == (total, words)


@each_row(
    ("roll", "shown"),
    [
        (rolled(4), "[4]"),
        (rolled(2, 6, 5, keep=2), "(2) [6] [5], the highest 2 count = 11"),
        (rolled(5, 2, 5, 5, keep=2), "[5] (2) [5] (5), the highest 2 count = 10"),
        (rolled(6, 5, 1, needed=5, each=True), "[6] [5] (1); needed: 5; reached by 2 of 3"),
        (
            rolled(4, 3, 1, needed=5, parts=(Modifier(RULE, "rain", 1),), each=True),
            "[4] (3) (1), each +1 rain; needed: 5; reached by 1 of 3",
        ),
        (rolled(6, 2, 1, needed=1, each=True, or_less=True), "(6) (2) [1]; needed: 1 or less; reached by 1 of 3"),
        (rolled(1, 1, parts=(Modifier(RULE, "terrain", 3),)), "[1] [1] = 2, +3 terrain = 5"),
    ],
)
def test_the_faces_that_count_are_marked(roll: Roll, shown: str) -> None:
    assert roll.shown() == shown


@each_row(("words", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_words_are_listed_as_in_a_sentence(words: list[str], text: str) -> None:
    assert listed(words) == text


def test_ids_are_turned_into_words() -> None:
    assert spoken("random_event") == "random event"
