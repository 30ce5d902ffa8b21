"""A seat is played by forms: what it may do is a button, each choice is played once, and what is not played says why."""

import json
import re
from collections import Counter
from itertools import count, product
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree.ElementTree import Element

import pytest

from core.games.advance.ids import OUT_OF_ACTION
from core.games.battle.narration.battle_narration import BattleNarration
from core.match.bound_games import bound_game
from core.registry.games import game_keys
from core.telling.names import Names
from events.ids import GameKey, PlaceId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import CardDiscarded, TurnBegan
from server.client.local import local_client
from server.page_parts.story import Story
from server.page_parts.unread_events import first_unseen
from server.protocol.replies import LegalOption
from server.web.backend.actions import ASKED, each_item
from server.web.panels.whole_choices import WAYS_MAX
from tests.support.browsing import (
    HTML,
    SVG,
    Browser,
    browsed,
    fields_of,
    found,
    narrator_of,
    play_on,
    played,
    read,
    secret_of,
    without_proofs,
    words,
)
from tests.support.page_checks import check
from tests.support.page_room import Room, counted, every_option, options, room_of
from tests.support.rows import each_row
from tests.support.sample_matches import play
from tests.support.soak import few, sampled

GAMES = list(game_keys())
GERMAN, RUSSIAN = Seat("german"), Seat("russian")
FINAL_TRIED = (13, 21, 30)
"""After so many commands it is looked for options that cannot be taken back."""
LIT_TRIED = 7
"""About how many of the places and counters that are lit are followed."""


def test_options_are_buttons_for_the_seat_that_decides_and_for_nobody_else(room: Room) -> None:
    mover = room.mover
    (other,) = {GERMAN, RUSSIAN} - {mover}
    browser = room.seated(mover)
    own = room.page(browser, mover)
    legal = room.owner.legal(room.match, mover)
    check(own)

    assert room.every(browser, mover) == [str(one.number) for one in legal.options]
    assert words(found(own, "p", "who")[0]).startswith("You decide, ")
    assert options(room.page(room.seated(other), other)) == []
    assert options(read(room.pages.browser().get(f"/m/{room.match}"))) == []


def test_a_player_of_both_sides_goes_to_the_one_that_decides_right_below_the_question(room: Room) -> None:
    mover = room.mover
    (other,) = {GERMAN, RUSSIAN} - {mover}
    browser = room.seated(mover)
    browser.sit(room.match, other, secret_of(other))
    page = room.page(browser, other)
    check(page)
    (question,) = found(page, "section", "question")
    (way,) = found(question, "a", "main")

    assert words(way) == f"Decide as {mover.capitalize()}"
    assert way.attrib["href"] == f"/m/{room.match}?seat={mover}"
    assert [*question.iter()].index(way) < min([*question.iter()].index(one) for one in question.iter(f"{HTML}form"))


def test_at_an_earlier_moment_the_page_does_not_say_that_the_viewer_decides(room: Room) -> None:
    mover = room.mover
    moment = read(room.seated(mover).get(f"/m/{room.match}@{room.last}?seat={mover}"))

    assert words(found(moment, "p", "who")[0]) == f"{mover.capitalize()} to decide"
    assert found(moment, "div", "own") == []


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_what_was_chosen_at_the_present_is_ignored_at_an_earlier_moment(game: str) -> None:
    """A reader who steps back with an option chosen, or with a link to it, sees the moment as everybody does."""
    with room_of(game, 3) as room:
        seat = room.mover
        browser, number = room.seated(seat), room.owner.legal(room.match, seat).options[0].number
        for seq in (1, room.last - 1, room.last):
            at = f"/m/{room.match}@{seq}?seat={seat}"
            plain = browser.get(at)
            chosen = [f"choose={number}", "choose=9999", "choose=x", f"about=nothing&about=&choose={number}"]
            shown = [browser.get(f"{at}&{rest}") for rest in chosen]

            assert [one.status_code for one in (plain, *shown)] == [200] * 5
            assert {without_proofs(one.text) for one in shown} == {without_proofs(plain.text)}


@each_row("game", GAMES)
def test_a_match_of_every_game_is_played_by_clicks(game: str) -> None:
    log = MemoryLog()
    match = played(log, game, 0)
    rng = Random(game)
    with browsed(log) as (pages, _):
        room = Room(pages, local_client(log), match)
        browsers: dict[Seat, Browser] = {}
        for _ in range(4):
            mover, before = room.mover, room.last
            browser = browsers.setdefault(mover, pages.browser())
            if mover not in [seat for seat in browsers if browsers[seat].cookies.get("wardiary_session_8042")]:
                browser.sit(match, mover, secret_of(mover))
            page = room.page(browser, mover)
            fields = {
                **fields_of(page, "play"),
                ASKED: "1",
                "option": str(rng.choice(room.owner.legal(match, mover).options).number),
            }

            assert browser.post(f"/m/{match}/play", fields).status_code == 303
            assert room.last > before


def test_many_options_are_first_kinds_of_which_those_that_are_not_possible_say_why() -> None:
    """action.kinds: each of them is one key or one click away, and what ends the step always stands below them."""
    with room_of("battle", 12) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        check(page)
        kinds = {words(next(one.iter(f"{HTML}b"))): one for one in found(page, "a", "kind")}
        moves = read(browser.get(kinds["Move"].attrib["href"]))
        (ending,) = [words(one) for one in found(moves, "div", "ending")]
        legal = room.owner.legal(room.match, room.mover)

        assert [one.kind for one in legal.kinds if one.count > 1] == [*kinds]
        assert [words(one) for one in found(page, "p", "idle")] == [
            f"{one.kind}{one.why}" for one in legal.kinds if one.why
        ]
        assert kinds["Move"].get("data-key") == "m"
        assert ending.startswith("0End the Actions step")
        first = {one.words: str(one.number) for one in reversed(legal.options) if not one.parts.ends}
        assert room.every(browser, room.mover) == sorted(first.values(), key=int)


def test_before_the_end_of_a_step_in_which_nothing_has_moved_the_page_asks() -> None:
    with room_of("axis_allies", 0) as room:
        mover = room.mover
        browser = room.seated(mover)

        def ending() -> Element:
            (div,) = found(room.page(browser, mover), "div", "ending")
            return div[0]

        first = ending()
        question = read(browser.get(first.attrib["href"]))
        check(question)
        legal = room.owner.legal(room.match, mover)
        moved = next(one for one in legal.options if one.parts.start and one.parts.to and not one.parts.consequence)
        fields = {**fields_of(room.page(browser, mover), "play"), "option": str(moved.number)}
        (asked,) = found(question, "p", "picked")

        assert words(asked) == f"{words(first)[1:]}? Nothing has moved yet. 59 pieces can still act."
        assert browser.post(f"/m/{room.match}/play", fields).status_code == 303
        assert ending().tag == f"{HTML}button"


def test_all_pieces_of_a_place_go_to_another_in_one_command() -> None:
    """The moves are an order of the units of all types, all or none; it is offered for the first places to which they can go, and for any other once it is chosen, too."""
    with room_of("axis_allies", 0) as room:
        mover = room.mover
        browser = room.seated(mover)
        here = room.page(browser, mover, "&about=kletskaya")
        page = room.page(browser, mover, "&about=kletskaya&about=serafimovich")
        (form,) = [
            one for one in page.iter(f"{HTML}form") if any(each.get("name") == "together" for each in one.iter())
        ]
        fields = {one.attrib["name"]: one.attrib["value"] for one in form.iter() if one.get("name")}
        answer = browser.post(f"/m/{room.match}/play", fields)
        left = room.owner.state(room.match).table.pieces_at(PlaceId("kletskaya"))

        assert len([one for one in here.iter() if one.get("name") == "together"]) == WAYS_MAX
        assert words(form) == "1All 8 to Serafimovich"
        assert [one.get("data-key") for one in found(form, "button", "option")] == ["1"]
        assert answer.status_code == 303
        assert left == ()


def test_all_pieces_of_a_chosen_place_go_together_to_each_of_a_few_places() -> None:
    """The whole stack is what players move most: it needs no choice of a second place, has a key like any option, and says what comes of it."""
    with room_of("axis_allies", 0) as room:
        page = room.page(room.seated(room.mover), room.mover, "&about=serafimovich")
        said = [words(one) for one in page.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())]

    assert said == [
        "1All 4 to TerkinAssault on 2 Soviet Infantry",
        "2All 4 to Bol'shoy",
        "3All 4 to Kletskaya1 over the stacking limit",
        "4All 4 to Perelazovskii",
    ]


def test_all_pieces_of_one_type_go_together_from_a_place_where_no_others_are() -> None:
    """Their number need not be counted up."""
    log = MemoryLog()
    match, client = played(log, "axis_allies", 0, seed="1"), local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "move" and legal.to_move == "allies")
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(room.mover), room.mover, "&about=spartanovka")
        said = [words(one) for one in page.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())]
        table = room.owner.state(match).table
        there = {table.pieces[one].kind for one in table.pieces_at(PlaceId("spartanovka"))}

    assert len(there) == 1
    assert said[:1] == ["1All 4 to Orlovka"]


@pytest.mark.parametrize("place", few(["kletskaya", "manoilin", "serafimovich"]))
def test_what_goes_out_of_a_chosen_place_stands_before_what_comes_in(place: str) -> None:
    """Also where many ways of one piece are behind a link, and single ones into the place have buttons."""
    with room_of("axis_allies", 0) as room:
        page = room.page(room.seated(room.mover), room.mover, f"&about={place}")
        (choices,) = found(page, "div", "choices")
        rows = [one for one in choices.iter() if one.get("class", "") in ("option", "option fold")]
        said = [said for one in rows if (said := words(one))[:1] != "0"]
        comes_in = [" from " in one or one.endswith(place.title()) for one in said]

    assert comes_in == sorted(comes_in)
    assert {*comes_in} == {False, True}


def test_all_aircraft_of_a_place_that_go_together_do_the_same() -> None:
    """Bombers can relocate or carry what is there: no button sends some on one mission and the rest on another, and each says which."""
    with room_of("axis_allies", 0) as room:
        mover = room.mover
        page = room.page(room.seated(mover), mover, "&about=tatsinskaya&about=oblivskaya")
        forms = [one for one in page.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())]
        names = [one.attrib["name"] for form in forms for one in form.iter() if "times." in one.get("name", "")]
        legal = room.owner.legal(room.match, mover).options
        commands = {str(one.number): json.loads(bytes(one.command)) for one in legal}
        missions = [commands[name.removeprefix("times.")]["mission"] for name in names]

    assert [words(one) for one in forms] == ["1All 4 relocate to Oblivskaya"]
    assert missions == ["relocate"]


def test_a_single_option_that_cannot_be_taken_back_is_never_played_without_asking() -> None:
    """An attack on a hidden unit discloses it, though nothing else can be done."""
    log = MemoryLog()
    match, client = played(log, "advance", 0, seed="1"), local_client(log)
    play_on(client, match, 800, "1", lambda legal: legal.count == 1 and b"attack" in bytes(legal.options[0].command))
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(room.mover), room.mover)

        assert room.owner.legal(match, room.mover).count == 1
        assert [one for one in page.iter(f"{HTML}form") if "data-single" in one.attrib] == []


def test_no_single_key_plays_what_cannot_be_taken_back() -> None:
    """It leads to a question, or where nothing else can be done, to a button that waits for Enter. A dozen pages of four games take seconds."""
    met = 0
    for game, commands in product(GAMES, FINAL_TRIED):
        with room_of(game, commands) as room:
            if not room.mover:
                continue
            mover, bound = room.mover, bound_game(GameKey(game), None)
            table = room.owner.state(room.match, mover).table
            legal, page = room.owner.legal(room.match, mover), room.page(room.seated(room.mover), mover)
            final = [
                str(one.number)
                for one in legal.options
                if bound.narration.is_final(table, bound.rules.decode(bytes(one.command)))
            ]
            shown = [one for one in page.iter() if one.get("data-option") in final and "option" in one.get("class", "")]
            at_once = [one for one in shown if one.tag == f"{HTML}button" and legal.count > 1 and not legal.picked]
            met += len(shown)

            assert [words(one) for one in shown if "data-once" in one.attrib] == []
            assert [words(one) for one in at_once] == []
    assert met > len(GAMES)


def test_all_that_can_fire_at_one_target_is_assigned_to_it_at_one_button() -> None:
    """Nothing is rolled before the assignment is ended. Bots play a second for it: Air Defense comes late."""
    log = MemoryLog()
    match, client = played(log, "axis_allies", 0, seed="1"), local_client(log)
    play(client, GameKey("axis_allies"), match, 500, "1", until="assign_air_defense")
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        seat, browser = room.mover, room.seated(room.mover)
        legal, page = client.legal(match, seat), room.page(browser, seat)
        forms = [one for one in page.iter(f"{HTML}form") if any(each.get("name") == "together" for each in one.iter())]
        fields = {one.attrib["name"]: one.attrib["value"] for one in forms[0].iter() if one.get("name")}
        answer = browser.post(f"/m/{match}/play", fields)
        after = client.legal(match, seat)

    targets = {json.loads(bytes(one.command)).get("to") for one in legal.options} - {None}
    assert (legal.decision, after.decision) == ("assign_air_defense", "assign_air_defense")
    assert len(forms) == len(targets)
    assert re.match(rf"1(Both|All {legal.maximum}) fire Air Defense at ", words(forms[0]))
    assert answer.status_code == 303
    assert len(after.picked) == legal.maximum > 1


def test_all_pieces_of_the_only_place_that_moves_go_together_at_once() -> None:
    """In *Advance to the Volga* only the Active Area moves, so that it is no choice, and is named by the question alone."""
    log = MemoryLog()
    match, client = played(log, "advance", 0, seed="7"), local_client(log)
    play_on(client, match, 60, "7", lambda asked: asked.decision == "activate")
    legal = client.legal(match, client.legal(match).to_move)
    most = max(legal.options, key=lambda one: one.parts.consequence.count("/"))
    client.play(match, legal.to_move, most.number)
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        moves = client.legal(match, room.mover).options
        goals = [json.loads(bytes(one.command)).get("to", "") for one in moves]
        table = room.owner.state(match).table
        held = {one.place for one in table.pieces.values() if one.side == "german"}
        place = next(one for one in goals if one and one not in held and goals.count(one) > 1)
        there = [one for one in goals if one == place]
        page = room.page(room.seated(room.mover), room.mover, f"&about={place}")
        said = [words(one) for one in page.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())]
        whole = room.page(room.seated(room.mover), room.mover)
        ways = [one for one in whole.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())]
        titles = [words(one) for row in found(whole, "a", "fold") for one in row.iter(f"{HTML}b")]

        assert len(there) > 1
        assert 1 <= len(ways) <= len({*goals})
        assert [title for title in titles if ", at " in title] == []
        assert [one.startswith(f"1{'Both' if len(there) == 2 else f'All {len(there)}'} to ") for one in said] == [True]


def test_like_pieces_go_in_one_command_are_told_in_one_line_and_go_back_together() -> None:
    """The moves are an order: one after the other for the rules, all or none."""
    with room_of("axis_allies", 0) as room:
        mover = room.mover
        browser = room.seated(mover)
        legal = room.owner.legal(room.match, mover).options
        move = next(one for one in legal if one.words == "Move 1 German Infantry from Kletskaya to Serafimovich")
        page = room.page(browser, mover, "&about=ger_infantry/4&about=serafimovich")
        named = [one for one in page.iter(f"{HTML}input") if one.get("name") == f"times.{move.number}"]
        field = next(one for one in named if one.get("type") != "hidden")
        fields = {**fields_of(page, "play"), "option": str(move.number), f"times.{move.number}": "2"}
        answer = browser.post(f"/m/{room.match}/play", fields)
        said = found(read(browser.get(answer.headers["location"])), "li", "now")
        many = {**fields_of(room.page(browser, mover), "play"), "option": str(move.number), f"times.{move.number}": "9"}
        before = room.last

        assert (field.get("min"), field.get("type")) == ("1", "number")
        assert int(field.attrib["max"]) >= 2
        assert "2 German Infantry move from Kletskaya to Serafimovich" in words(said[0])
        assert browser.post(f"/m/{room.match}/play", many).status_code == 409
        assert room.last == before

        browser.post(f"/m/{room.match}/note", {**fields_of(room.page(browser, mover), "note"), "text": "n"})
        page = room.page(browser, mover)
        back = browser.post(f"/m/{room.match}/undo", fields_of(page, "undo"))
        again = room.page(browser, mover)

        assert [words(one) for one in found(page, "button", "back")] == ["Take back the last 2 commands"]
        assert (back.status_code, room.owner.legal(room.match, mover).options) == (303, legal)
        assert [words(one) for one in found(again, "button", "back")] == ["Redo what was taken back"]


def test_a_form_that_is_sent_twice_is_played_once(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    page = room.page(browser, mover)
    fields = {**fields_of(page, "play"), "option": "1"}
    codes, lasts = [], []
    for _ in range(3):
        codes.append(browser.post(f"/m/{room.match}/play", fields).status_code)
        lasts.append(room.last)

    assert codes == [303, 303, 303]
    assert len(set(lasts)) == 1


def test_another_choice_of_an_old_page_is_not_played(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    page = room.page(browser, mover)
    fields = fields_of(page, "play")
    first = browser.post(f"/m/{room.match}/play", {**fields, "option": "1"})
    last = room.last
    second = browser.post(f"/m/{room.match}/play", {**fields, "option": "2"})

    assert (first.status_code, second.status_code, room.last) == (303, 409, last)
    assert "The match has moved on" in words(found(read(second), "p", "wrong")[0])


@pytest.mark.parametrize("change", [{"option": "999"}, {"expected": "100000"}])
def test_a_choice_that_is_not_legal_says_why(room: Room, change: dict[str, str]) -> None:
    mover = room.mover
    browser = room.seated(mover)
    last = room.last
    response = browser.post(
        f"/m/{room.match}/play", {**fields_of(room.page(browser, mover), "play"), "option": "1", **change}
    )

    assert (response.status_code, room.last) == (409, last)
    assert found(read(response), "p", "wrong")
    assert found(read(response), "a", "fold")


@pytest.mark.parametrize("field", ["option", "expected", "key"])
def test_a_form_that_lacks_a_field_is_refused(room: Room, field: str) -> None:
    mover = room.mover
    browser = room.seated(mover)
    fields = {**fields_of(room.page(browser, mover), "play"), "option": "1", field: ""}

    assert browser.post(f"/m/{room.match}/play", fields).status_code == 400


def test_the_last_command_is_taken_back(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    page = room.page(browser, mover)
    for _ in range(20):
        if [one for one in page.iter(f"{HTML}form") if one.attrib["action"].endswith("/undo")]:
            break
        fields = {**fields_of(page, "play"), "option": "1"}
        assert browser.post(f"/m/{room.match}/play", fields).status_code == 303
        page = room.page(browser, mover)
    before = room.owner.state(room.match).table
    taken = browser.post(f"/m/{room.match}/undo", fields_of(page, "undo"))
    (question,) = found(page, "section", "question")

    # It is where it is looked for, however many options there are.
    assert [one.get("class") for one in question[0]] == ["who", "take-back", "since"]
    assert taken.status_code == 303
    assert room.owner.state(room.match).table.stack != before.stack
    assert "(taken back)" in words(found(room.page(browser, mover), "section", "log")[0])


def test_what_was_learned_is_taken_back_when_the_other_player_agrees(room: Room) -> None:
    seats = {GERMAN: room.seated(GERMAN), RUSSIAN: room.seated(RUSSIAN)}
    asker: Seat | None = None
    for _ in range(30):
        mover = room.mover
        page = room.page(seats[mover], mover)
        asker = next((seat for seat in seats if _has_form(room.page(seats[seat], seat), "ask-undo")), None)
        if asker is not None:
            break
        fields = {**fields_of(page, "play"), "option": "1", ASKED: "1"}
        assert seats[mover].post(f"/m/{room.match}/play", fields).status_code == 303
    assert asker is not None
    (other,) = {GERMAN, RUSSIAN} - {asker}
    (head,) = found(room.page(seats[asker], asker), "div", "head")
    asking = fields_of(head, "ask-undo")
    assert seats[asker].post(f"/m/{room.match}/ask-undo", asking).status_code == 303
    page = room.page(seats[other], other)
    check(page)
    answer = {**fields_of(page, "answer-undo"), "agrees": "1"}

    assert "Ask to take back" in words(head), "it stands where taking back does"
    assert seats[other].post(f"/m/{room.match}/answer-undo", answer).status_code == 303
    assert ", as agreed." in words(found(room.page(seats[other], other), "section", "log")[0])
    assert room.owner.state(room.match).table.asked_back is None


def _has_form(page: Element, action: str) -> bool:
    return any(one.attrib["action"].endswith(f"/{action}") for one in page.iter(f"{HTML}form"))


def test_a_seat_resigns_after_a_second_click(room: Room) -> None:
    browser = room.seated(GERMAN)
    fields = fields_of(room.page(browser, GERMAN), "resign")

    assert browser.post(f"/m/{room.match}/resign", fields).status_code == 303
    assert words(found(room.page(browser, GERMAN), "p", "who")[0]) == "The match is over"
    assert options(room.page(browser, GERMAN)) == []


def test_nobody_plays_a_seat_that_is_not_proved(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    fields = {**fields_of(room.page(browser, mover), "play"), "option": "1"}
    stranger = room.pages.browser()
    token = stranger.token(f"/m/{room.match}/sit")
    last = room.last

    assert stranger.post(f"/m/{room.match}/play", {**fields, "token": token}).status_code == 403
    assert stranger.post(f"/m/{room.match}/play", fields).status_code == 403
    assert room.last == last


def test_a_free_seat_is_taken_and_its_link_proves_it_elsewhere() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    with browsed(log) as (pages, _):
        browser = pages.browser()
        sit = f"/m/{match}/sit"
        form = fields_of(read(browser.get(sit)), "take")
        taken = browser.post(f"/m/{match}/take", {**form, "seat": "german", "name": "Ada"})
        shown = browser.post(f"/m/{match}/link", {"token": browser.token(sit), "seat": "german"})
        page = read(shown)
        check(page)
        (back,) = [
            one.attrib["href"]
            for one in page.iter(f"{HTML}a")
            if "#" in one.attrib["href"] and "sit" in one.attrib["href"]
        ]
        elsewhere = pages.browser()
        form = fields_of(read(browser.get(sit)), "take")
        again = browser.post(f"/m/{match}/take", {**form, "seat": "german", "name": "Ben"})
        (name,) = [one for one in read(again).iter(f"{HTML}input") if one.get("name") == "name"]

        assert (taken.status_code, again.status_code) == (303, 409)
        assert taken.headers["location"] == f"/m/{match}?seat=german"
        assert name.attrib["value"] == "Ben"
        assert shown.headers["cache-control"] == "no-store"
        assert browser.get(f"/m/{match}?seat=german").status_code == 200
        assert elsewhere.sit(match, "german", back.partition("#")[2]).status_code == 303
        assert "Ada" in elsewhere.get(f"/m/{match}").text


def test_the_page_of_a_free_seat_names_what_is_played_and_offers_the_seat_first() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    with browsed(log) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}/sit"))
        check(page)
        headings = [words(one) for level in ("h1", "h2") for one in page.iter(f"{HTML}{level}")]

        assert headings[:3] == ["Take a seat", "Free seats", "A seat that is yours"]
        assert words(next(page.iter(f"{HTML}title"))) == "Take a seat: Battle for Stalingrad, Standard game · War Diary"
        assert [words(one) for one in found(page, "p", "facts")] == ["Standard game2 players"]


@each_row("seat", ["german", "russian"])
def test_the_free_seat_that_an_address_names_is_offered_first_and_last_to_a_bot(seat: str) -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    with browsed(log, bots=True) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}/sit?seat={seat}"))
        offered = [one.attrib["value"] for one in page.iter(f"{HTML}button") if one.get("name") == "seat"]

        assert (offered[0], sorted(offered)) == (seat, ["german", "russian"])
        assert fields_of(page, "bot")["seat"] == ("russian" if seat == "german" else "german")


def test_what_was_picked_looks_chosen_and_no_longer_to_be_chosen() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = played(log, "battle", 100)
    legal = client.legal(match)
    for seed in range(400):
        if legal.decision == "pay_cards" and legal.picked:
            break
        play_on(client, match, 1, str(seed))
        legal = client.legal(match, client.legal(match).to_move)
    assert legal.picked, "nobody pays with cards"
    back = [one.words.removeprefix("Take back: Pay with ") for one in legal.options if "Take back" in one.words]
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(legal.to_move), legal.to_move)
        chosen = [words(one) for one in page.iter(f"{HTML}li") if "chosen" in one.get("class", "").split()]

    assert len(chosen) == len(back) == len(legal.picked)
    assert all(any(card.partition(" (")[0] in said for said in chosen) for card in back)


def test_places_that_can_be_chosen_are_lit_and_narrow_the_options() -> None:
    with room_of("advance", 0) as room:
        browser = room.seated(GERMAN)
        page, lit = room.page(browser, GERMAN), list[Element]()
        for _ in range(30):
            lit = [one for one in page.iter(f"{SVG}a") if one.get("class") == "lit"]
            if lit:
                break
            browser.post(
                f"/m/{room.match}/play",
                {**fields_of(page, "play"), "option": str(room.owner.legal(room.match, GERMAN).count)},
            )
            page = room.page(browser, GERMAN)
        check(page)
        narrowed = read(browser.get(lit[0].attrib["href"]))

        assert lit
        assert all(one.get("aria-label") for one in lit)
        assert set() < set(every_option(browser, narrowed)) < set(room.every(browser, GERMAN))
        further = [one for one in narrowed.iter(f"{SVG}a") if one.get("class") == "lit"]
        assert lit[0].attrib["href"] not in [one.attrib["href"] for one in further]
        (chosen,) = [one for one in further if " is chosen: " in str(one.get("aria-label"))]
        assert options(read(browser.get(chosen.attrib["href"]))) == options(page)
        for one in further:
            if one is chosen:
                continue
            assert 0 < counted(read(browser.get(one.attrib["href"]))) < counted(narrowed)


def test_many_options_fold_and_are_narrowed_to_a_piece_and_then_to_a_place() -> None:
    with room_of("axis_allies", 9) as room:
        browser = room.seated(room.mover)

        def lit(page: Element) -> dict[str, str]:
            links = [one for one in page.iter(f"{SVG}a") if one.get("class") == "lit"]
            return {str(one.get("aria-label")).partition(": ")[0]: one.attrib["href"] for one in links}

        page = room.page(browser, room.mover)
        moves = read(browser.get(found(page, "a", "kind")[0].attrib["href"]))
        folds = [words(one) for one in found(moves, "a", "fold")]
        from_kletskaya = read(browser.get(lit(page)["Kletskaya"]))
        to_terkin = read(browser.get(lit(from_kletskaya)["Terkin"]))

        assert any("Kletskaya" in one for one in folds)
        assert "Terkin" not in lit(page)
        assert words(found(to_terkin, "p", "narrowed")[0]).startswith("Kletskaya ×Terkin ×All ")
        told = {str(one.number): one.words for one in room.owner.legal(room.match, room.mover).options}
        assert options(to_terkin)
        assert all("Kletskaya" in told[one] and "Terkin" in told[one] for one in options(to_terkin))


def test_the_forces_of_a_question_stand_below_it_and_in_the_explanation() -> None:
    with room_of("axis_allies", 65) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        (asked,) = found(page, "section", "question")
        below = [words(one) for one in asked.findall(f"{HTML}p")]
        (log,) = found(page, "section", "log")
        began = next(one for one in log.iter(f"{HTML}a") if "Combat in" in words(one))
        moment = began.attrib["href"].partition("?")[0]
        why = words(found(read(browser.get(f"{moment}?seat={room.mover}&why=1")), "section", "why")[0])

        assert words(next(asked.iter(f"{HTML}h1"))).startswith("Whether to spend a supply token for the")
        assert [one.partition(":")[0] for one in below if one.startswith(("Axis: ", "Allies: "))] == ["Axis", "Allies"]
        assert "Attacker, Axis: " in why
        assert "Defender, Allies: " in why


def test_a_targeted_hit_is_chosen_by_the_enemy_units_on_which_it_falls() -> None:
    log = MemoryLog()
    match, client = played(log, "axis_allies", 0, seed="4"), local_client(log)
    play_on(client, match, 200, "4", lambda asked: asked.decision == "designate")
    legal = client.legal(match, client.legal(match).to_move)
    hits = [
        f"Option {key}: {one.words}"
        for key, one in enumerate(legal.options, start=1)
        if b'"pick"' in bytes(one.command)
    ]
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(room.mover), room.mover)

        assert hits
        assert [one.get("aria-label") for one in page.iter(f"{SVG}a") if one.get("class") == "lit piece"] == hits

    client.play(match, legal.to_move, 1)
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(room.mover), room.mover)

        assert words(found(page, "p", "picked")[0]).partition("; ")[2] == "picked: Soviet Infantry."


def test_a_card_that_is_chosen_stays_where_it_lies_in_the_hand() -> None:
    def hand(page: Element) -> list[str]:
        (strip,) = found(page, "section", "private")
        return [words(one) for one in strip.iter(f"{HTML}li")]

    log = MemoryLog()
    match, client = played(log, "battle", 0), local_client(log)
    cards = set[str]()
    for number in count():
        legal = client.legal(match, client.legal(match).to_move)
        cards = {json.loads(bytes(one.command)).get("card") for one in legal.options} - {None}
        if len(cards) > 1:
            break
        play_on(client, match, 1, str(number))
    mover = client.legal(match).to_move
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(mover)
        before = room.page(browser, mover)
        after = [room.page(browser, mover, f"&about={card}") for card in sorted(cards)]

        assert len(hand(before)) > 1
        assert [hand(page) for page in after] == [hand(before)] * len(cards)
        assert len({tuple(options(page)) for page in after}) > 1


def test_what_was_not_chosen_is_chosen_instead_by_one_click() -> None:
    with room_of("battle", 0) as room:
        browser = room.seated(room.mover)
        first = found(room.page(browser, room.mover), "section", "question")[0]
        (thing, other) = [one.get("href", "") for one in first.iter(f"{HTML}a") if "about=" in one.get("href", "")][:2]
        page = read(browser.get(thing))
        check(page)
        instead = [one for one in page.iter() if (one.get("class") or "").startswith("instead")]
        lit = [one.get("href") for one in page.iter() if (one.get("class") or "").startswith("lit")]

        assert other in [one.get("href") for one in instead]
        assert other not in lit
        assert all((one.get("aria-label") or "").endswith(" instead") for one in instead)


def test_moves_of_one_stack_share_a_sentence_and_what_is_taken_back_leaves_it() -> None:
    log = MemoryLog()
    match = played(log, "axis_allies", 9)
    client = local_client(log)
    mover = client.legal(match).to_move
    for _ in range(4):
        options = client.legal(match, mover).options
        wanted = "Move 1 German Infantry (attack value 1) over the Don from Kletskaya to Terkin"
        client.play(match, mover, next(one.number for one in options if one.words.startswith(wanted)))

    def told(number: int) -> list[str]:
        with browsed(log) as (pages, _):
            page = read(pages.browser().get(f"/m/{match}@{number}?why=1"))
        return [words(one) for one in found(page, "section", "log")[0].iter(f"{HTML}a") if one.get("class") == "line"]

    last = client.state(match).seq
    joined = "3 German Infantry move from Kletskaya into the contested zone Terkin."

    assert told(last)[-1] == f"{last - 5}-{last - 1}{joined}"

    client.play(match, mover, {"do": "match:undo"})

    assert "2 German Infantry move from Kletskaya into the contested zone Terkin." in "".join(told(last + 1))


def test_the_log_of_the_present_marks_the_sentences_of_the_last_command() -> None:
    """Red on the picture is what the last command changed, an arrow of its beginning, too."""
    log = MemoryLog()
    match = played(log, "axis_allies", 64)
    first = local_client(log).log(match)[-1].first
    with browsed(log) as (pages, _):
        page, past = (read(pages.browser().get(f"/m/{match}{at}")) for at in ("", f"@{first}"))

    def marked(page: Element) -> list[str]:
        rows = found(page, "section", "log")[0].iter(f"{HTML}li")
        return [words(next(one.iter())) for one in rows if {"now", "changed"} & set(str(one.get("class")).split())]

    assert len(marked(page)) > 1
    assert marked(page)[0].startswith(f"{first}")
    assert [one.partition("Why")[0] for one in marked(past)] == [marked(page)[0]]


def test_forces_to_choose_from_fold_with_their_figures_below_a_tray_that_shows_them_first() -> None:
    """setup.order: the Russian chooses first, so his Forces lie nearest to the map."""
    with room_of("battle", 0) as room:
        page = room.page(room.seated(room.mover), room.mover)
        folds = [words(one) for one in found(page, "a", "fold")]
        trays = [words(next(one.iter(f"{HTML}h2"))) for one in found(page, "section", "strip")]

        assert "1112th RifleCost 1, Combat 1, 1 Ration; stops 1 extra when Retreating10 ways" in folds
        assert trays[:2] == ["Your Forces to choose from", "German Forces to choose from"]


def test_units_that_can_return_to_several_areas_fold_by_unit_and_are_lit_in_their_box() -> None:
    """6.3.return-area, 6.3.support-costs: the units lie in the Out of Action Box, which is not on the map, as what is bought does."""
    log = MemoryLog()
    match, client = played(log, "advance", 40), local_client(log)

    def returns() -> int:
        options_ = client.legal(match, client.legal(match).to_move).options
        return sum(one.words.startswith("Return ") for one in options_)

    numbers = count()
    while returns() <= 20:
        play_on(client, match, 1, str(next(numbers)))
    with browsed(log) as (pages, _):
        room = Room(pages, local_client(log), match)
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        returned = read(
            browser.get(next(one for one in found(page, "a", "kind") if "Return" in words(one)).attrib["href"])
        )
        folds = [words(next(one.iter(f"{HTML}b"))) for one in found(returned, "a", "fold")]
        table = room.owner.state(match, room.mover).table
        out = table.pieces_at(OUT_OF_ACTION)
        told = [one.words for one in room.owner.legal(room.match, room.mover).options]
        legal_words = [one.words for one in room.owner.legal(match, room.mover).options]
        ways = {unit: sum(f"Return {unit} to " in one for one in told) for unit in out}

        bought = [
            str(one.get("aria-label"))
            for one in page.iter(f"{HTML}a")
            if one.get("class") == "lit" and " Support for " in str(one.get("aria-label"))
        ]
        (box,) = [
            one for one in found(page, "section", "strip") if words(next(one.iter(f"{HTML}h2"))) == "To choose from"
        ]

        assert sum(ways.values()) > 20
        assert {one for one in folds if one in out} == {unit for unit, number in ways.items() if number > 1}
        assert len(lit_counters(box)) == sum(number > 0 for number in ways.values())
        assert bought == [one for one in legal_words if one.startswith("Buy ")]


def test_counters_beside_the_map_are_chosen_as_those_on_it_are() -> None:
    """german.reinforce.must-deploy: the units that were picked up lie in a box, and each enters where its army does."""
    log = MemoryLog()
    match, client = played(log, "inferno", 0, seed="3"), local_client(log)
    numbers = count()
    while not any(one.words.find(" enters in ") > 0 for one in client.legal(match, GERMAN).options):
        play_on(client, match, 1, f"3{next(numbers)}")
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(GERMAN)
        page = room.page(browser, GERMAN)
        check(page)
        (box,) = [one for one in found(page, "section", "strip") if words(next(one.iter(f"{HTML}h2"))) == "Picked up"]
        legal = client.legal(match, GERMAN)
        named = {str(json.loads(bytes(option.command))["unit"]) for option in legal.options}
        counters = lit_counters(box)
        led = {parse_qs(urlsplit(one.attrib["href"]).query)["about"][0]: one.attrib["href"] for one in counters}
        unit, to = next((one, to) for one, to in led.items() if len(options(read(browser.get(to)))) > 1)
        narrowed = read(browser.get(to))
        check(narrowed)
        (chosen,) = [one for one in narrowed.iter(f"{SVG}a") if one.get("id") == "chosen"]
        places = [one for one in narrowed.iter(f"{SVG}a") if one.get("class") == "lit"]

        assert led.keys() == named
        assert {one.get("aria-label") for one in places} == {
            f"Option {key}: {one.words}"
            for key, one in enumerate(
                [one for one in legal.options if json.loads(bytes(one.command)).get("unit") == unit], start=1
            )
        }
        assert str(chosen.get("aria-label")).endswith(" is chosen: choose again")
        assert options(read(browser.get(chosen.attrib["href"]))) == options(page)


def lit_counters(page: Element) -> list[Element]:
    """Return the links on the counters of a page, or of a part of it, that can be chosen."""
    return [one for one in page.iter(f"{SVG}a") if one.get("class") == "lit piece"]


def name_of(lit: Element) -> str:
    """Return what a lit thing is called, without its number of options."""
    return str(lit.get("aria-label")).rpartition(": ")[0]


COUNTERS: dict[str, tuple[int, str, int]] = {
    "advance": (5, "16/79, at Area 50 (Latashanka)", 4),
    "battle": (12, "371st Infantry, at The Docks (German Perimeter)", 7),
    "inferno": (0, "545th Infantry Regiment (4 SF), at hex Y (Gumrak approach)", 16),
    "axis_allies": (0, "German Infantry, at Kletskaya", 7),
}
"""For each game after how many commands a counter of the map can be chosen, what it is called, and how many options are about it."""


@pytest.mark.parametrize("game", few(COUNTERS, 2))
def test_a_counter_of_the_map_is_lit_and_narrows_the_options_to_its_pieces_and_then_to_a_place(game: str) -> None:
    commands, name, number = COUNTERS[game]
    with room_of(game, commands) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        check(page)
        # It may stand beside the map, too, and leads to the same options there.
        counter, *others = [one for one in lit_counters(page) if name_of(one) == name]
        narrowed = read(browser.get(counter.attrib["href"]))
        check(narrowed)
        places = [one for one in narrowed.iter(f"{SVG}a") if one.get("class") == "lit"]
        (chosen,) = [one for one in narrowed.iter(f"{SVG}a") if one.get("id") == "chosen"]
        further = counted(read(browser.get(places[0].attrib["href"])))

        assert [one.text for one in counter.iter(f"{SVG}title")] == [counter.get("aria-label")]
        assert counter.get("aria-label") == f"{name}: {number} options"
        assert {one.attrib["href"] for one in others} <= {counter.attrib["href"]}
        assert counted(narrowed) == number
        assert words(found(narrowed, "p", "narrowed")[0]).startswith(name.partition(", at ")[0])
        assert chosen.get("aria-label") == f"{name} is chosen: choose again"
        assert options(read(browser.get(chosen.attrib["href"]))) == options(page)
        assert 0 < further < number


def test_a_lit_counter_lies_on_top_of_its_place() -> None:
    with room_of("battle", 12) as room:
        page = room.page(room.seated(room.mover), room.mover)
        drawn = [str(one.get("class")) for one in page.iter(f"{SVG}a") if "lit" in str(one.get("class"))]

        assert drawn == sorted(drawn, key=["lit", "lit piece"].index)
        assert set(drawn) == {"lit", "lit piece"}


def test_only_the_pieces_that_options_name_or_that_attack_are_lit() -> None:
    """Counters whose face is hidden are lit no more than others: what the seat does not know decides nothing."""
    with room_of("inferno", 0) as room:
        legal = room.owner.legal(room.match, room.mover)
        commands = [json.loads(bytes(option.command)) for option in legal.options]
        named = {piece for command in commands for piece in command.get("units", ())}
        hexes = [place for command in commands for place in command.get("hexes", ())]
        named |= {piece for place in hexes for piece in room.owner.state(room.match, room.mover).table.pieces_at(place)}
        page = room.page(room.seated(room.mover), room.mover)
        lit = {parse_qs(urlsplit(one.attrib["href"]).query)["about"][0] for one in lit_counters(page)}

        assert lit == named


def deliberate_attack(room: Room) -> LegalOption:
    """Return the only Deliberate Attack that the Germans can make."""
    (attack,) = [
        one for one in room.owner.legal(room.match, GERMAN).options if one.words.startswith("Deliberate Attack on ")
    ]
    return attack


def test_an_attack_of_stacks_begins_with_a_counter_or_a_hex_of_the_attackers() -> None:
    """german.deliberate-attack.adjacent-stacks: the command names hexes, not units."""
    with room_of("inferno", 0) as room:
        browser = room.seated(GERMAN)
        attack = deliberate_attack(room)
        table = room.owner.state(room.match, GERMAN).table
        hexes = json.loads(bytes(attack.command))["hexes"]
        attackers = {*hexes, *[unit for place in hexes for unit in table.pieces_at(place)]}
        lit = [one for one in room.page(browser, GERMAN).iter(f"{SVG}a") if "lit" in one.get("class", "").split()]
        led = {parse_qs(urlsplit(one.attrib["href"]).query)["about"][0]: one.attrib["href"] for one in lit}

        assert len(attackers) > len(hexes)
        assert attackers <= led.keys()
        assert all(str(attack.number) in every_option(browser, read(browser.get(led[one]))) for one in attackers)


def test_the_only_option_that_is_left_lights_the_rest_that_it_is_about() -> None:
    """The target of the only Deliberate Attack is chosen: its attackers are lit, and lead no further; it is given up by a second click."""
    with room_of("inferno", 0) as room:
        browser = room.seated(GERMAN)
        attack = deliberate_attack(room)
        plain = json.loads(bytes(attack.command))
        units = {
            unit for place in plain["hexes"] for unit in room.owner.state(room.match, GERMAN).table.pieces_at(place)
        }
        page = room.page(browser, GERMAN, "".join(f"&about={place}" for place in (*plain["targets"], *plain["hexes"])))
        (sheet,) = found(page, "div", "sheet")
        lit = [one for one in sheet.iter(f"{SVG}a") if "lit" in one.get("class", "").split()]
        chosen = [one for one in lit if " is chosen: " in str(one.get("aria-label"))]
        about = {thing for one in lit for thing in parse_qs(urlsplit(one.attrib["href"]).query)["about"]}

        assert options(page) == [str(attack.number)]
        assert len(chosen) == 2
        assert len(lit) == 2 + len(units)
        assert about == {*plain["targets"], *plain["hexes"], *units}
        for one in lit:
            assert str(attack.number) in options(read(browser.get(one.attrib["href"])))


def test_long_lists_fold_by_the_piece_that_moves_and_name_where_it_is() -> None:
    with room_of("battle", 12) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        moves = read(browser.get(found(page, "a", "kind")[0].attrib["href"]))
        folds = [words(next(one.iter(f"{HTML}b"))) for one in found(moves, "a", "fold")]

        assert "371st Infantry, at The Docks" in folds
        assert not [one for one in folds if one.startswith("The Docks")]


@pytest.mark.parametrize(("seed", "sort"), few([("10", "long-move"), ("5", "short-move")]))
def test_moves_of_a_stack_fold_by_its_place_so_that_they_are_found_whichever_unit_is_meant(
    seed: str, sort: str
) -> None:
    """german.long-move.no-breakdown, german.short-move.breakdown: a Stack moves as a whole, or some of its units do."""
    log = MemoryLog()
    match, client = played(log, "inferno", 0, seed=seed), local_client(log)
    numbers = count()

    def moves() -> list[tuple[str, list[str]]]:
        commands = [(one.number, json.loads(bytes(one.command))) for one in client.legal(match, GERMAN).options]
        return [(str(number), command["units"]) for number, command in commands if command["do"] == sort]

    while len(moves()) <= 20 or all(len(named) == 1 for _, named in moves()):
        play_on(client, match, 1, f"{seed}{next(numbers)}")
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(GERMAN)
        page = room.page(browser, GERMAN, f"&about=command:{sort}")
        folds = {
            words(next(one.iter(f"{HTML}b"))): every_option(browser, read(browser.get(one.attrib["href"])))
            for one in found(page, "a", "fold")
        }
        together = {number for number, named in moves() if len(named) > 1}
        titles = [title for title, there in folds.items() if not together.isdisjoint(there)]
        units = {unit for _, named in moves() for unit in named}
        ways = {unit: {number for number, named in moves() if unit in named} for unit in units}

        assert all(any(found <= set(fold) for fold in folds.values()) for found in ways.values())
        assert titles
        assert all(one.startswith("Hex ") for one in titles)


def test_options_that_others_outdo_stand_behind_them_and_are_not_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    with room_of("battle", COUNTERS["battle"][0]) as room:
        browser = room.seated(room.mover)
        legal = room.owner.legal(room.match, room.mover).options
        moves = [one for one in legal if one.words.startswith("Move 371st Infantry ")]
        decode = bound_game(GameKey("battle"), None).rules.decode
        outdone = [decode(bytes(one.command)) for one in moves[1:]]
        monkeypatch.setattr(BattleNarration, "is_outdone", lambda _, __, command: command in outdone)
        page = room.page(browser, room.mover, "&about=command:move&about=g_371_infantry")
        (fold,) = found(page, "details", "outdone")
        lit = [name_of(one) for one in lit_counters(page)]
        numbers = [str(one.number) for one in moves[1:]]

        assert numbers
        assert options(fold) == options(page)[-len(numbers) :] == numbers
        assert words(fold).startswith(f"{len(numbers)} more, no better than those above")
        assert options(page) == [str(one.number) for one in moves]
        assert lit == ["371st Infantry, at The Docks (German Perimeter) is chosen"]


@pytest.mark.parametrize("game", few(["advance", "axis_allies", "battle", "inferno"], 2))
def test_what_is_lit_says_how_many_options_a_click_leaves(game: str) -> None:
    with room_of(game, 4 if game == "inferno" else COUNTERS[game][0]) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        lit = [one for one in page.iter(f"{SVG}a") if "lit" in one.get("class", "").split()]
        # Of many that are alike, some from all over the map are enough.
        lit = lit[:: max(1, len(lit) // LIT_TRIED)]
        said = [str(one.get("aria-label")) for one in lit]
        left = [counted(read(browser.get(one.attrib["href"]))) for one in lit]
        single = [one.get("data-option") is not None for one in lit]

        assert lit
        assert [
            number if is_single else int(one.rpartition(": ")[2].split()[0])
            for one, number, is_single in zip(said, left, single, strict=True)
        ] == left
        assert all(number <= 1 for number, is_single in zip(left, single, strict=True) if is_single)


def test_a_counter_that_stands_for_units_of_several_classes_is_about_all_of_them() -> None:
    """Some of the units that share a counter have moved, others not: options name both classes."""
    with room_of("axis_allies", 51, seed="5") as room:
        browser = room.seated(room.mover)
        shared = [one for one in lit_counters(room.page(browser, room.mover)) if "%0A" in one.attrib["href"]]
        told = [str(one.get("aria-label")) for one in shared]
        left = [counted(read(browser.get(one.attrib["href"]))) for one in shared]

        assert shared
        assert [one.rpartition(": ")[2] for one in told] == [f"{number} options" for number in left]


@pytest.mark.parametrize(
    ("game", "about", "kept", "left"),
    few(
        [
            # Where a unit went stays chosen: the next unit of the stack needs no click on the picture. Where it was does, too, while several are there.
            ("advance", ["16/RCN", "43"], "Area 43 (Hill 101.3) ×All ", "Move 16/79 to Area 43"),
            ("advance", ["43"], "Area 43 (Hill 101.3) ×All ", "Move 16/79 to Area 43"),
            ("axis_allies", ["ger_infantry/4", "terkin"], "Kletskaya ×Terkin ×All ", "from Kletskaya to Terkin"),
            ("axis_allies", ["kletskaya"], "Kletskaya ×All ", "from Kletskaya"),
        ],
        2,
    ),
)
def test_what_was_chosen_stays_chosen_while_a_stack_is_moved(game: str, about: list[str], kept: str, left: str) -> None:
    with room_of(game, COUNTERS[game][0]) as room:
        mover = room.mover
        browser = room.seated(mover)
        page = room.page(browser, mover, f"&{urlencode({'about': about}, doseq=True)}")
        told = {str(one.number): one.words for one in room.owner.legal(room.match, mover).options}
        moves = [one for one in every_option(browser, page) if "43" in told[one] or game == "axis_allies"]
        fields = {**fields_of(page, "play"), "option": moves[-1]}
        answer = browser.post(f"/m/{room.match}/play", fields)
        page = read(browser.get(answer.headers["location"]))

        assert answer.status_code == 303
        assert words(found(page, "p", "narrowed")[0]).startswith(kept)
        told = {str(one.number): one.words for one in room.owner.legal(room.match, mover).options}
        assert [one for one in every_option(browser, page) if left in told[one]]


@pytest.mark.parametrize(
    ("game", "commands", "about"),
    few(
        [
            # The other seat is asked before this one goes on.
            ("battle", 12, ["g_371_infantry"]),
            # A Hit is absorbed, and Rations are handed out: nothing moves, and what else is offered stays in sight.
            ("battle", 24, ["r_15_guards"]),
            ("battle", 27, ["r_157_rifle"]),
            # No other piece can do likewise.
            ("inferno", 4, ["german/4"]),
            # It was alone where it was.
            ("battle", 136, ["r_36_guards"]),
            # Nothing was chosen, or no more than a kind.
            ("advance", 5, []),
            ("advance", 5, ["command:move"]),
        ]
    ),
)
def test_nothing_stays_chosen_where_nothing_moves_or_no_other_piece_can_do_likewise(
    game: str, commands: int, about: list[str]
) -> None:
    with room_of(game, commands) as room:
        mover = room.mover
        browser = room.seated(mover)
        page = room.page(browser, mover, f"&{urlencode({'about': about}, doseq=True)}")
        first = (options(page) or ["1"])[0]
        answer = browser.post(f"/m/{room.match}/play", {**fields_of(page, "play"), "option": first})

        assert answer.headers["location"] == f"/m/{room.match}?seat={mover}"


def test_nothing_stays_chosen_when_a_piece_has_come_onto_the_map() -> None:
    """In the set-up of Battle the next Force mostly goes elsewhere."""
    with room_of("battle", 2) as room:
        mover = room.mover
        browser = room.seated(mover)
        lit = [one for one in room.page(browser, mover).iter(f"{SVG}a") if one.get("class") == "lit"]
        page = read(browser.get(lit[0].attrib["href"]))
        answer = browser.post(f"/m/{room.match}/play", {**fields_of(page, "play"), "option": "1"})

        assert len(options(page)) > 1
        assert room.mover == mover
        assert answer.headers["location"] == f"/m/{room.match}?seat={mover}"


@pytest.mark.parametrize("chosen", ["nothing", '["nowhere"]', "[1]", "[" * 5_000])
def test_what_a_form_says_was_chosen_is_not_believed(room: Room, chosen: str) -> None:
    mover = room.mover
    browser = room.seated(mover)
    page = room.page(browser, mover)
    fields = {**fields_of(page, "play"), "option": "1", "about": chosen}

    assert browser.post(f"/m/{room.match}/play", fields).headers["location"] == f"/m/{room.match}?seat={mover}"


def test_the_present_marks_and_explains_the_last_deed_and_keeps_the_options() -> None:
    with room_of("axis_allies", 8) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        (ask,) = found(page, "a", "ask")
        explained = read(browser.get(ask.attrib["href"]))
        lines = found(page, "a", "line")

        # The last deed is told by an event before the last one, which only asks the question.
        assert int(words(found(lines[-1], "span", "no")[0]).rpartition("-")[2]) < room.last
        assert [one for one in page.iter() if "s-bad" in one.get("class", "").split()]
        assert options(explained) == options(page)
        assert [one for one in explained.iter() if one.get("id") == "why"]
        assert room.mover == room.owner.legal(room.match).to_move


def test_a_card_of_the_hand_that_can_be_played_is_lit_and_narrows_the_options() -> None:
    with room_of("battle", 0) as room:
        browser = room.seated(room.mover)
        page = room.page(browser, room.mover)
        cards = lit_counters(page)
        name = name_of(cards[0])
        told = {str(one.number): one.words for one in room.owner.legal(room.match, room.mover).options}
        left = every_option(browser, read(browser.get(cards[0].attrib["href"])))

        assert len(cards) > 1
        assert 0 < len(left) < len(told)
        assert all(name in told[one] for one in left)


def test_two_copies_of_a_card_are_one_row_also_where_several_cards_are_marked() -> None:
    """A row says how many of them are marked; each of them is a card of its own."""
    log = MemoryLog()
    match, client = played(log, "battle", 0, seed="16"), local_client(log)
    # Cards are paid seldom, and copies of one more so: bots play a second for it.
    play(client, GameKey("battle"), match, 271, "1")
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        seat, browser = room.mover, room.seated(room.mover)
        legal, page = room.owner.legal(room.match, seat), room.page(browser, seat)
        rows = [one for one in page.iter() if "mark" in (one.get("class") or "").split()]
        counts = Counter(one.words for one in legal.options)
        copies = [one for one in legal.options if counts[one.words] > 1]
        (row,) = [one for one in rows if one.get("data-option") == " ".join(str(each.number) for each in copies)]
        (field,) = row.iter(f"{HTML}input")
        items = {json.loads(bytes(one.command))["item"]: one in copies for one in legal.options}
        other = next(one for one, is_copy in items.items() if not is_copy)
        like = tuple(one for one, is_copy in items.items() if is_copy)
        marked = {field.attrib["name"]: str(len(copies)), f"n.{other}": "1"}
        (form,) = found(page, "form", "whole")
        kept = {
            one.attrib["name"]: one.attrib["value"] for one in form.iter(f"{HTML}input") if one.get("type") == "hidden"
        }
        asked = read(browser.get(f"/m/{match}?{urlencode({**kept, **marked})}"))
        answer = browser.post(f"/m/{match}/choose", fields_of(asked, "choose"))
        discarded = {one.card for one in room.owner.log(room.match)[-1].events if isinstance(one, CardDiscarded)}

        assert (legal.decision, legal.minimum, len(copies)) == ("pay_cards", 3, 2)
        assert len(rows) == len(counts)
        assert (field.get("type"), field.get("max")) == ("number", "2")
        assert words(found(asked, "p", "picked")[0]).count("Rubble (-1)") == 2
        assert each_item(legal, (like[0], like[0])) == like
        assert answer.status_code == 303
        assert discarded == {other, *like}


def test_the_cards_of_a_deck_that_is_looked_through_lie_open_to_be_chosen_and_are_listed_with_what_they_say() -> None:
    """secrecy.scouts: to nobody but the player who looks through it."""
    with room_of("battle", 40, seed="5") as room:
        browsers = {seat: room.seated(seat) for seat in (GERMAN, RUSSIAN)}
        go_on(room, browsers[RUSSIAN], RUSSIAN, "Play Scouts")
        legal = room.owner.legal(room.match, RUSSIAN)
        page = room.page(browsers[RUSSIAN], RUSSIAN)
        strips = {seat: words(found(room.page(browsers[seat], seat), "section", "strip")[0]) for seat in browsers}
        lit = [one.attrib["aria-label"] for one in page.iter(f"{HTML}a") if one.get("class") == "lit"]
        cards = [words(one) for one in found(page, "div", "options")]

        assert len(legal.options) > 30
        copies = list(dict.fromkeys(one.words for one in legal.options))
        assert len(copies) < len(legal.options), "some cards are there twice"
        # Copies of a card lie together.
        numbers = {words_: number for number, words_ in enumerate(copies, start=1)}
        assert lit == [
            f"Option {number}: {one}" for one, number in numbers.items() for same in legal.options if same.words == one
        ]
        assert strips[RUSSIAN].startswith("The deck, to take one card from")
        assert "take one card" not in strips[GERMAN]
        assert len(options(page)) == len(copies), "two copies of a card are one option"
        assert len(cards) < len(copies)
        assert any("Rubble" in one and "stop 2 of those Hits" in one for one in cards)
        assert all(one.endswith(".") for one in cards)


def news_of(page: Element) -> str:
    """Return the line of what happened since the last look; empty if there is none."""
    return " ".join(words(one) for one in found(page, "p", "news"))


def go_on(room: Room, browser: Browser, seat: Seat, *wanted: str) -> None:
    """Let a seat end what it does, or do what begins with other words, or play its first option, by its form."""
    page, legal = room.page(browser, seat), room.owner.legal(room.match, seat)
    ends = [one.number for one in legal.options if one.words.startswith(wanted or ("End ", "Pass", "No "))]
    fields = {**fields_of(page, "play"), ASKED: "1", "option": str((ends or [1])[0])}
    assert browser.post(f"/m/{room.match}/play", fields).status_code == 303


def test_what_own_commands_do_counts_as_seen_and_what_others_do_does_not() -> None:
    with room_of("axis_allies", 0) as room:
        seats = room.owner.state(room.match).table.seats
        browsers = {seat: room.seated(seat) for seat in seats}
        mover = room.mover
        while room.mover == mover:
            go_on(room, browsers[mover], mover)
            if room.mover == mover:
                assert news_of(room.page(browsers[mover], mover)) == ""
        other = room.mover
        room.page(browsers[mover], mover)
        seen = room.owner.state(room.match, mover).seq
        go_on(room, browsers[other], other)

        ways = [one for one in room.page(browsers[mover], mover).iter() if one.get("id") == "news"]
        assert [one.get("href", "").endswith((f"@{seen + 1}?seat={mover}", "#since")) for one in ways] == [True]


def test_that_a_seat_passed_is_no_news() -> None:
    """In *Battle for Stalingrad* a seat is asked after nearly each command whether it reacts; what was waited with goes on then."""
    log = MemoryLog()
    match, owner = played(log, "battle", 0, seed="2"), local_client(log)
    play_on(owner, match, 400, "2", until=lambda legal: legal.decision == "answer_move" and legal.to_move == RUSSIAN)
    with browsed(log) as (pages, _):
        room = Room(pages, owner, match)
        browsers = {seat: room.seated(seat) for seat in (GERMAN, RUSSIAN)}
        room.page(browsers[GERMAN], GERMAN)
        seen = owner.state(match, GERMAN).seq
        go_on(room, browsers[RUSSIAN], RUSSIAN)

        assert owner.state(match, GERMAN).seq > seen + 2
        assert news_of(room.page(browsers[GERMAN], GERMAN)) == ""


def test_what_the_rules_play_after_an_own_command_is_news() -> None:
    narration, seen = narrator_of("inferno"), 0
    with room_of("inferno", 0) as room:
        browser = room.seated(GERMAN)
        while room.owner.state(room.match, GERMAN).table.round < 2:
            seen = room.owner.state(room.match, GERMAN).seq
            go_on(room, browser, GERMAN)
        page = room.page(browser, GERMAN)
        story = Story(room.match, GERMAN, Names(narration), narration)
        for slice_ in room.owner.log(room.match, GERMAN):
            story.take(slice_)
        first = first_unseen(story, seen)
        (line,) = found(page, "div", "happened")

        assert room.owner.state(room.match, GERMAN, at=first).table.turn == "soviet"
        assert (words(line)[:9], news_of(page)) == ("Just now:", ""), "one line says it"


def test_at_the_beginning_of_a_turn_the_log_begins_with_what_the_others_did_since_ones_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.web.panels.log_panel.BEFORE", 1)
    log = MemoryLog()
    match = played(log, "inferno", 0)
    with browsed(log) as (pages, _):
        room = Room(pages, local_client(log), match)
        browser = room.seated(GERMAN)
        while room.owner.state(match, GERMAN).table.round < 3:
            go_on(room, browser, GERMAN)
        go_on(room, browser, GERMAN, "Short Move")
        (section,) = found(room.page(browser, GERMAN), "section", "log")
        turns = [line for line in room.owner.log(match, GERMAN) if line.first]
        events = [event for slice_ in turns for event in slice_.events]
        began = [number for number, event in enumerate(events, start=1) if isinstance(event, TurnBegan)]
        numbers = [int(words(one).partition("-")[0]) for one in found(section, "span", "no")]

        assert room.mover == GERMAN
        assert began[-2] <= numbers[0] < began[-1] - 2, "the Soviet turn, and nothing before it"
