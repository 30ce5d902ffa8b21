"""A page offers what its question allows, also if the match has gone on to another question while the page was made."""

from collections import Counter
from collections.abc import Callable

from core.match.bound_games import bound_game
from core.telling.names import Names
from core.telling.option_parts import OptionParts, sort_in
from events.codec import Raw, decode_plain
from events.ids import GameKey, MatchId, PieceId, Seat
from events.memory_log import MemoryLog
from server.client.client import Client
from server.client.local import local_client
from server.page_parts.story import Story
from server.protocol.replies import LegalOption, LegalReply
from server.web.panels.confirmation import mark_of
from server.web.panels.decision_panel import decision_panel
from server.web.panels.offered_options import (
    BUTTONS_MAX,
    OfferedOptions,
    Row,
    offered_options,
    with_repeats,
)
from server.web.panels.option_filter import PIECE_SEPARATOR, SORT, OptionSubjects
from server.web.panels.option_words import Kind, told_apart, without_places, without_subject
from server.web.panels.page_model import Decision, PageModel
from tests.support.browsing import play_on, played
from tests.support.rows import each_row
from tests.support.sample_matches import play
from tests.support.seen_story import seen_story


@each_row("game", ["advance", "inferno"])
def test_no_option_of_an_earlier_question_is_tried_on_the_table_of_a_later_one(game: str) -> None:
    log = MemoryLog()
    match, bound = played(log, game, 0), bound_game(GameKey(game), None)
    client = local_client(log)
    seat = client.legal(match).to_move
    story = Story(match, seat, Names(bound.narration), bound.narration)
    subjects = OptionSubjects(story, bound)
    before: LegalReply | None = None
    found = []
    for seed in range(40):
        for slice_ in client.log(match, seat, story.last):
            story.take(slice_)
        if before is not None:
            model = PageModel(story, before.seq, bound=bound, decision=Decision(before))
            found.append(with_repeats(model, offered_options(model, subjects, before)).repeats)
        legal = client.legal(match, seat)
        before = legal if legal.to_move == seat else None
        play_on(client, match, 1, str(seed))

    assert len(found) > 20
    assert found == [{}] * len(found)


@each_row(
    ("parts", "said"),
    [
        ([("A", "x", ""), ("B", "x", "")], "A and B"),
        ([("A", "x", ""), ("B", "x", ""), ("C", "x", ""), ("D", "x", "")], "A, B and 2 more"),
        (
            [("A" * 60, "hex 2 (a long name)", ""), ("B", "hex 3", ""), ("C", "hex 2 (a long name)", "")],
            "from hex 2 and hex 3",
        ),
        ([("A" * 60, "", "y"), ("B", "hex 3", "")], "2 ways"),
        ([("", "", ""), ("", "", "")], "2 ways"),
    ],
)
def test_a_kind_of_options_says_what_it_is_about_or_else_where(parts: list[tuple[str, str, str]], said: str) -> None:
    options = [
        LegalOption(number, Raw(b"{}"), "", OptionParts(who=who, start=start, to=to))
        for number, (who, start, to) in enumerate(parts, start=1)
    ]

    assert Kind("", "Move", "m", options, "", [one.parts.who or one.parts.to for one in options]).summary == said


def asked_for_a_card(client: Client, side: str) -> MatchId:
    """Return a match of *Inferno* in which a side may lay a card face down."""
    for seed in map(str, range(20)):
        match = client.open("inferno", mode="one_vs_one", dice="seeded", seed=seed).match
        for seat in ("german", "soviet"):
            client.take_seat(match, Seat(seat), share=False)
        play_on(client, match, 3_000, seed, lambda legal: legal.decision == f"{side}_card")
        if client.state(match).table.ended is None:
            return match
    raise AssertionError("nobody may lay a card")


@each_row("side", ["german", "soviet"])
def test_playing_no_card_is_the_last_option_of_who_may_lay_one_face_down(side: str) -> None:
    """Matches are played until such a question is asked; it takes a second."""
    client = local_client(MemoryLog())
    match = asked_for_a_card(client, side)
    options = client.legal(match, client.legal(match).to_move).options

    assert [one.words for one in options if one.parts.ends] == ["Play no card"]
    assert options[-1].words == "Play no card"


STACK = "A" * 30 + " and " + "B" * 40


@each_row(
    ("parts", "labels"),
    [
        ([("Tank", "Kalach", "Vertyachii"), ("Tank", "Pitomnik", "Kalach")], ["from Kalach to Vertyachii", None]),
        ([(STACK, "hex W", "hex 21"), ("C", "hex 9", "hex 26")], ["from hex W to hex 21", "C from hex 9 to hex 26"]),
        ([(STACK, "hex W", "hex 21"), ("C", "hex W", "hex 21")], [STACK, "C"]),
        (
            [(STACK, "hex 21", "hex 20"), (STACK + " and C", "hex 21 and hex W", "hex 20")],
            ["from hex 21 to hex 20", "from hex 21 and hex W to hex 20"],
        ),
        ([("Bomber", "x and y", "a"), ("Bomber", "x and y", "b"), ("Fighter", "y", "b")], ["Bomber to a", None, None]),
    ],
)
def test_options_that_stand_together_say_in_few_words_what_tells_them_apart(
    parts: list[tuple[str, str, str]], labels: list[str | None]
) -> None:
    shown = [
        LegalOption(number, Raw(b'{"do":"move"}'), "", OptionParts(who=who, start=start, to=to))
        for number, (who, start, to) in enumerate(parts, start=1)
    ]
    said = [told_apart(one, shown, shown) for one in shown]

    assert [words for words, wanted in zip(said, labels, strict=True) if wanted] == [one for one in labels if one]


def test_what_is_done_at_several_places_is_told_by_its_sentence() -> None:
    """`24/21` alone does not say that it attacks, nor where."""
    shown = [
        LegalOption(number, Raw(b'{"do":"attack"}'), "", OptionParts(kind="Attack", who=who, start=start))
        for number, (who, start) in enumerate(
            [("24/21", "Area 11 (Dar Gora)"), ("24/RCN", "Area 16 (Kavkaz Suburb)")], start=1
        )
    ]

    assert [told_apart(one, shown, shown) for one in shown] == ["", ""]


def test_an_option_says_what_tells_it_from_options_behind_links_too() -> None:
    options = [
        LegalOption(number, Raw(b'{"do":"move"}'), "", OptionParts(who=f"Card {who}", to=to))
        for number, (who, to) in enumerate([("1", "Tsatsa"), ("2", "Tsatsa"), ("3", "Terkin")], start=1)
    ]

    assert told_apart(options[0], options[:2], options) == "Card 1 to Tsatsa"
    assert told_apart(options[0], options[:2], options[:2]) == "Card 1"


def test_a_thing_says_what_all_ways_to_use_it_cost() -> None:
    costs = ("4 RPCs", "4 RPCs: Assault on 1 Tank")
    same = [LegalOption(1, Raw(b"{}"), "", OptionParts(consequence=one)) for one in costs]
    other = LegalOption(2, Raw(b"{}"), "", OptionParts(consequence="5 RPCs"))

    assert Row(same, thing="artillery").ways == "4 RPCs, 2 ways"
    assert Row([*same, other], thing="artillery").ways == "3 ways"


def test_options_of_a_piece_that_was_chosen_do_not_name_it_again() -> None:
    words = "1 Soviet Bomber flies from Srednyaya Akhtuba to attack Frolovo, attack value 3"
    parts = OptionParts(
        who="Soviet Bomber (on the ground)", start="Srednyaya Akhtuba", to="Frolovo", consequence="attack value 3"
    )

    assert without_subject(LegalOption(1, Raw(b'{"do":"fly"}'), words, parts)) == "Flies to attack Frolovo"


@each_row(
    ("words", "said"),
    [
        ("Move 422nd Rifle to Mamayev Kurgan (Russian Perimeter)", "Move 422nd Rifle"),
        ("Buy 169th Rifle and place it at Mamayev Kurgan (Russian Perimeter)", "Buy 169th Rifle"),
        ("95th Rifle, at Mamayev Kurgan (Russian Perimeter)", "95th Rifle"),
        ("1 Tank from hex 3 to hex 35", "1 Tank to hex 35"),
        ("518th to hex 3 and hex 53", "518th to hex 3 and hex 53"),
        ("Play Attack! (+1) with 384th Infantry, which goes to hex 3", "Play Attack! (+1) with 384th Infantry"),
        ("1 Tank from hex 3 (Latoshinka) to hex 35", "1 Tank from hex 3 (Latoshinka) to hex 35"),
    ],
)
def test_an_option_does_not_name_a_place_that_is_chosen(words: str, said: str) -> None:
    assert without_places(words, ["Mamayev Kurgan (Russian Perimeter)", "hex 3"]) == said


def test_options_of_several_kinds_at_a_chosen_place_are_still_told_apart() -> None:
    log = MemoryLog()
    match, bound = played(log, "battle", 0), bound_game(GameKey("battle"), None)
    client = local_client(log)
    play_on(client, match, 3_000, "1", lambda legal: legal.decision == "action" and legal.count > 40)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    places = {piece.place for piece in story.now.pieces.values() if subjects.place_of(piece.id)}
    place = next(one for one in sorted(places) if 5 < len(subjects.narrowed(legal.options, (one,))) < 15)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=(place,)))
    offered = offered_options(model, subjects, legal)
    labels = [offered.labels[one.number] for row in offered.rows if not row.thing for one in row.options]
    titles = [row.title for row in offered.rows if row.thing]

    assert len(labels) > 2
    assert len(set(labels)) == len(labels)
    assert [words for words in (*titles, *[one for one, _ in labels]) if subjects.called(place) in words] == []


def test_a_chosen_aircraft_is_not_named_in_what_it_can_do_whatever_it_takes_along() -> None:
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: sum(b'"fly"' in bytes(one.command) for one in legal.options) > 12)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=("ger_bomber/1",)))
    labels = [words for words, _ in offered_options(model, subjects, legal).labels.values()]

    assert {"Veshenskaya", "Bol'shoy"} <= {*labels}
    assert [words for words in labels if "Bomber" in words] == []


def test_the_only_piece_of_a_chosen_place_is_named_once_above_what_it_can_do() -> None:
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "move" and legal.to_move == "allies")
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    found = [
        offered_options(
            PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=about)), subjects, legal
        )
        for about in (("rynok",), ("kalach",), ())
    ]
    labels = [words for words, _ in found[0].labels.values()]

    assert [one.alone for one in found] == ["Soviet Artillery", "", ""]
    assert {"Dubovka", "Kotluban"} <= {*labels}
    assert [words for words in labels if "Artillery" in words] == []


def test_many_flights_of_an_aircraft_are_found_by_mission_and_then_by_target() -> None:
    """What it does least is folded; a target is told by its name alone, and none is behind a link because more can be done there."""
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: sum(b'"fly"' in bytes(one.command) for one in legal.options) > 12)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=("ger_bomber/1",)))
    offered = offered_options(model, subjects, legal)
    first, *others = offered.rows
    targets = [offered.labels[one.number][0] for one in first.options]

    assert first.title == "Flies to attack"
    assert len({*targets}) == len(targets)
    assert "Veshenskaya" in targets
    assert [row.title for row in offered.rows if row.thing] == []
    assert {"Relocates", "Flies a Supply Drop with 1 supply token"} & {row.title for row in others}
    is_long = sum(len(row.options) for row in offered.rows) > 2 * BUTTONS_MAX
    groups = [row.is_folded for row in offered.rows if row.is_by_act and len(row.options) > 1]
    assert groups == [False, *[is_long] * (len(groups) - 1)]


def test_many_pieces_are_found_by_their_places_where_all_of_them_go_first() -> None:
    """A list of the pieces of a dozen places was longer than two screens of a phone, and where all could go was nowhere."""
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "move")
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)

    def offered(*about: str) -> OfferedOptions:
        model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=about))
        return with_repeats(model, offered_options(model, subjects, legal))

    moves = offered(f"{SORT}move")
    stack = next(row for row in moves.rows if row.thing == "kletskaya")
    there = offered(f"{SORT}move", "kletskaya")

    assert len({row.thing for row in moves.rows}) == len(moves.rows) < 13
    assert (stack.title, stack.ways) == ("Kletskaya", "German Infantry, German Artillery and 2 more")
    assert [one.words for one in there.together if one.key == 1] != []
    assert all(one.words.startswith(("All ", "Both ")) for one in there.together)


def test_the_whole_of_a_chosen_stack_goes_first_and_says_whom_it_attacks() -> None:
    """Each unit was chosen by itself, and `to hex 5 and hex 4` said neither that it attacks nor what."""

    def units(one: LegalOption) -> list[object]:
        plain = decode_plain(bytes(one.command))
        named = plain.get("units") if isinstance(plain, dict) and sort_in(bytes(one.command)) == "hasty-attack" else ()
        return list(named) if isinstance(named, list) else []

    log = MemoryLog()
    match, bound = played(log, "inferno", 0, seed="1"), bound_game(GameKey("inferno"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: sum(len(units(one)) > 1 for one in legal.options) > BUTTONS_MAX)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    most = max(map(units, legal.options), key=len)
    place = story.now.pieces[PieceId(str(most[0]))].place
    found = {}
    for about in ((f"{SORT}hasty-attack", place), (place,)):
        model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=about))
        found[about] = offered_options(model, subjects, legal)
    by_kind, by_place = found.values()
    first, *others = by_kind.rows
    labels = [by_kind.labels[one.number][0] for one in first.options]

    assert first.is_of_all and others
    assert {len(units(one)) for one in first.options} == {len(most)}
    assert all(words.startswith("on hex ") and ": to hex " in words for words in labels)
    assert len({*labels}) == len(labels)
    assert "Hasty Attack with all of it" in [row.title for row in by_place.rows if row.is_of_all]
    assert not any(" and hex " in words for words, _ in by_kind.labels.values())
    from_there = [
        one
        for one in legal.options
        if story.now.pieces.get(PieceId(str([*units(one), ""][0])))
        and story.now.pieces[PieceId(str(units(one)[0]))].place == place
    ]
    assert subjects.whole(from_there, ()) == [one for one in from_there if len(units(one)) == len(most)]


def test_an_option_on_the_other_board_says_on_which() -> None:
    """Of *Axis & Allies* one board is shown: what can be placed on the other one was nowhere in sight."""
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "buy" and legal.to_move == "allies")
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    first = next(one for one in legal.options if not one.parts.ends)
    (thing, *_), *_ = [named for _, named in subjects.told_apart([first, *legal.options[-3:]], ())]
    offered = offered_options(
        PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=(thing,))), subjects, legal
    )
    boards = {place.id: place.map for place in bound.narration.places()}

    assert {*offered.maps.values()} == {"City Board"}
    assert {number for number, place in offered.places.items() if boards[place] == "city"} == {*offered.maps}


def test_where_only_some_of_a_stack_can_go_the_button_says_how_many_of_them() -> None:
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0, seed="1"), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    play(client, GameKey("axis_allies"), match, 4, "1")
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal, subjects = client.legal(match, seat), OptionSubjects(story, bound)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal, about=(f"{SORT}move", "kletskaya")))
    words = [one.words for one in with_repeats(model, offered_options(model, subjects, legal)).together]

    assert {"2 of 7 to Ilovinska", "All 7 to Terkin"} <= {*words}


def battle_asked(is_there: Callable[[LegalReply], bool]) -> tuple[PageModel, OptionSubjects, LegalReply]:
    """Return what the page of *Battle for Stalingrad* shows at the first question that fits."""
    log = MemoryLog()
    match, bound = played(log, "battle", 0, seed="3"), bound_game(GameKey("battle"), None)
    client = local_client(log)
    play_on(client, match, 2_000, "3", is_there)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal = client.legal(match, seat)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal))
    return model, OptionSubjects(story, bound), legal


def card_of(option: LegalOption) -> str:
    """Return the card that an option plays; nothing for another option."""
    plain = decode_plain(bytes(option.command))
    return str(plain.get("card", "")) if isinstance(plain, dict) else ""


def test_a_card_with_targets_says_what_it_does_on_the_way_and_at_the_last_question() -> None:
    """On the row that stands for its targets, above them, and beside the question."""

    def has_targets(legal: LegalReply) -> bool:
        cards = [card for one in legal.options if (card := card_of(one)) and b"play" in bytes(one.command)]
        times = Counter(card for card in cards if "dive_bombers" in card)
        return (
            legal.decision == "action" and len(cards) > BUTTONS_MAX + len(times) and max(times.values(), default=0) > 1
        )

    model, subjects, legal = battle_asked(has_targets)
    assert model.bound is not None
    option = next(one for one in legal.options if "dive_bombers" in card_of(one))
    text = model.bound.narration.card_text(card_of(option))
    chosen = model._replace(decision=Decision(legal, about=(card_of(option),)))
    asked = model._replace(decision=Decision(legal, asked=mark_of(model.story.now, legal, option)))
    listed = model._replace(decision=Decision(legal, about=(f"{SORT}{sort_in(bytes(option.command))}",)))
    rows = offered_options(listed, subjects, legal).rows
    targets = [row for row in rows if card_of(option) in row.thing.split(PIECE_SEPARATOR)]
    told = [str(decision_panel(one, subjects, None)) for one in (chosen, asked)]

    assert "4 Hits" in text
    assert [row.remark for row in targets] == [text.removesuffix(".")]
    assert [one.count(text) for one in told] == [1, 1]


def test_cards_with_targets_that_stand_together_say_once_what_they_do() -> None:
    def is_there(legal: LegalReply) -> bool:
        cards = Counter(card_of(one) for one in legal.options)
        return legal.decision == "answer_battle" and legal.count <= BUTTONS_MAX and cards.most_common(1)[0][1] > 1

    model, subjects, legal = battle_asked(is_there)
    assert model.bound is not None
    texts = {model.bound.narration.card_text(card) for one in legal.options if (card := card_of(one))}

    assert sorted(offered_options(model, subjects, legal).texts.values()) == sorted(texts)


def test_the_text_of_a_card_is_left_out_in_a_firefight_which_ignores_it() -> None:
    model, subjects, legal = battle_asked(lambda legal: legal.decision == "firefight" and legal.count > 2)
    offered = offered_options(model, subjects, legal)

    assert (dict(offered.texts), [row.remark for row in offered.rows if row.remark]) == ({}, [])
