"""A seat writes notes, answers in advance, is asked before each command if it wishes, and types the dice of a real table."""

import json
import re
from collections.abc import Iterator
from itertools import count
from xml.etree.ElementTree import Element

import httpx
import pytest

from core.chance.schemes import MANUAL
from core.engine.reactions import passes_in_advance
from core.match.bound_games import bound_game
from events.ids import PUBLIC, GameKey, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Event, NoteAdded
from projections.diff import diff_tables
from server.client.local import local_client
from server.web.backend.actions import NOTE_MAX
from server.web.http.static_files import FILES
from server.web.panels.decision_panel import BUTTON_CHARACTERS_MAX
from tests.support.browsing import (
    HTML,
    Browser,
    browsed,
    fields_of,
    found,
    play_on,
    played,
    read,
    secret_of,
    without_proofs,
    words,
)
from tests.support.page_checks import check
from tests.support.page_room import Room, options, room_of
from tests.support.served import client_of

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def send(room: Room, browser: Browser, seat: Seat, what: str, **changes: str) -> httpx.Response:
    """Send a form of a seat's page with other values for some of its fields."""
    fields = fields_of(room.page(browser, seat), what)
    return browser.post(f"/m/{room.match}/{what}", {**fields, **changes})


def to_be_played(page: Element) -> list[str | None]:
    """Return the numbers of the options about which a page asks."""
    return [one.get("value") for one in found(page, "button", "main") if one.get("name") == "option"]


def events(room: Room, seat: Seat) -> list[Event]:
    return [event for slice_ in room.owner.log(room.match, seat) for event in slice_.events]


def notes(room: Room, seat: Seat) -> list[str]:
    return [event.text for event in events(room, seat) if isinstance(event, NoteAdded) and event.text]


# Styles


def test_the_options_stand_in_what_the_style_sheet_and_the_script_lay_out(room: Room) -> None:
    mover = room.owner.legal(room.match).to_move
    (choices,) = found(room.page(room.seated(mover), mover), "div", "choices")

    assert found(choices, "a", "fold")
    assert all(b".choices" in FILES[name].data for name in ("page.css", "page.js"))


# Taking back


def test_what_was_taken_back_can_be_put_back() -> None:
    """In Advance to the Volga the first choice can be taken back."""
    with room_of("advance", 0) as room:
        mover = room.owner.legal(room.match).to_move
        browser = room.seated(mover)
        number = options(room.page(browser, mover))[0]
        before = room.owner.state(room.match, PUBLIC).table
        send(room, browser, mover, "play", option=number)
        played_ = room.owner.state(room.match, PUBLIC).table
        forms = [form_names(room.page(browser, mover))]
        for what in ("undo", "redo"):
            assert send(room, browser, mover, what).status_code == 303
            page = room.page(browser, mover)
            check(page)
            forms.append(form_names(page))
        again = room.owner.state(room.match, PUBLIC).table

    assert forms == [{"undo"}, {"redo"}, {"undo"}]
    assert not diff_tables(before, played_).is_empty
    assert diff_tables(played_, again).is_empty


def form_names(page: Element) -> set[str]:
    """Return which of the two forms that take and put back a page has."""
    ends = {str(one.get("action")).rpartition("/")[2] for one in page.iter(f"{HTML}form")}
    return ends & {"undo", "redo"}


# Notes


def test_a_note_is_a_part_of_the_match_and_a_private_one_of_the_seats_own_view(room: Room) -> None:
    browser = room.seated(GERMAN)
    fields = fields_of(room.page(browser, GERMAN), "note")
    del fields["private"]
    codes = [browser.post(f"/m/{room.match}/note", {**fields, "text": "Well played."}).status_code for _ in range(2)]
    private = send(room, browser, GERMAN, "note", text="They hold the Grain Elevator.", private="1")
    check(room.page(browser, GERMAN))

    assert [*codes, private.status_code] == [303, 303, 303]
    assert notes(room, PUBLIC) == notes(room, RUSSIAN) == ["Well played."]
    assert notes(room, GERMAN) == ["Well played.", "They hold the Grain Elevator."]


def test_a_note_does_not_take_the_marks_of_the_last_command_off_the_picture() -> None:
    with room_of("battle", 60) as room:
        browser = room.seated(GERMAN)

        def marks() -> list[str]:
            page = room.page(browser, GERMAN)
            return [str(one.attrib) for one in page.iter() if "s-bad" in one.get("class", "").split()]

        before = marks()
        sent = send(room, browser, GERMAN, "note", text="Well played.")
        after, said = marks(), words(room.page(browser, GERMAN))

    assert (sent.status_code, "Well played." in said) == (303, True)
    assert len(before) >= 2
    assert after == before


def test_a_note_on_an_earlier_event_stands_there_too(room: Room) -> None:
    seat = room.owner.state(room.match, PUBLIC).table.seats[0]
    last = room.owner.state(room.match, seat).seq
    room.owner.play(room.match, seat, {"do": "match:note", "text": "Look here.", "at": last})
    page = room.page(room.seated(GERMAN), GERMAN)
    (log,) = found(page, "section", "log")
    said = [words(one) for one in log.iter(f"{HTML}li") if "Look here." in words(one)]
    check(page)

    # Once at the event, once where it was written.
    assert len(said) == 2
    assert f"on event {last}: Look here." in said[0]


def test_a_private_note_is_on_no_page_of_others(room: Room) -> None:
    send(room, room.seated(GERMAN), GERMAN, "note", text="secret plan", private="1")
    own, other = room.seated(GERMAN), room.seated(RUSSIAN)

    assert "secret plan" in own.get(f"/m/{room.match}?seat=german").text
    assert "secret plan" not in other.get(f"/m/{room.match}?seat=russian").text
    assert "secret plan" not in other.get(f"/m/{room.match}").text


def test_a_note_of_any_alphabet_fits_into_a_form_and_an_empty_one_is_refused(room: Room) -> None:
    browser = room.seated(GERMAN)
    long = "\N{CJK UNIFIED IDEOGRAPH-6230}" * NOTE_MAX
    empty = send(room, browser, GERMAN, "note", text=" ")

    assert send(room, browser, GERMAN, "note", text=long, private="").status_code == 303
    assert notes(room, PUBLIC) == [long]
    assert (empty.status_code, "A note has 1 to" in empty.text) == (409, True)


# Standing answers


def at_a_window(room: Room) -> Seat:
    """Play on until a seat is asked a question that can be answered in advance, and return the seat."""
    kinds = bound_game(GameKey("battle"), None).rules.standing_decisions
    for seed in range(200):
        if room.owner.legal(room.match).decision in kinds:
            return room.mover
        play_on(room.owner, room.match, 1, str(seed))
    raise AssertionError("no window opened")


def standing(room: Room, seat: Seat) -> list[tuple[Seat, str]]:
    return [(one.seat, one.decision) for one in room.owner.state(room.match, seat).table.standing]


def test_a_seat_answers_a_question_in_advance_and_withdraws_the_answer(room: Room) -> None:
    seat = at_a_window(room)
    (other,) = {GERMAN, RUSSIAN} - {seat}
    asked = room.owner.legal(room.match, seat)
    browser = room.seated(seat)
    page = room.page(browser, seat)
    check(page)
    given = send(room, browser, seat, "answer", until="")
    after = room.owner.legal(room.match, seat)
    known = standing(room, seat)
    withdrawn = (
        send(room, browser, seat, "answer") if (after.decision, after.to_move) != (asked.decision, seat) else None
    )

    assert given.status_code == 303
    assert known == [(seat, asked.decision)]
    assert standing(room, other) == standing(room, PUBLIC) == []
    # The question that was open is answered as well.
    assert after.seq > asked.seq
    assert withdrawn is not None and withdrawn.status_code == 303
    assert standing(room, seat) == []


def test_a_seat_passes_in_every_window_until_its_turn_by_a_switch(room: Room) -> None:
    mover = room.mover
    (seat,) = {GERMAN, RUSSIAN} - {mover}
    browser = room.seated(seat)
    before = room.last
    fields = fields_of(room.page(browser, seat), "pass")
    codes = [browser.post(f"/m/{room.match}/pass", fields).status_code for _ in range(2)]
    passed = standing(room, seat)
    page = room.page(browser, seat)
    check(page)

    assert codes == [303, 303]
    assert {kind for _, kind in passed} == set(passes_in_advance(bound_game(GameKey("battle"), None).rules))
    assert len(passed) == len(set(passed))
    assert standing(room, PUBLIC) == standing(room, mover) == []
    assert room.last == before
    assert [words(one) for one in found(page, "button", "passing")] == ["Ask me again at every chance to react"]

    assert send(room, browser, seat, "pass").status_code == 303
    assert standing(room, seat) == []


@pytest.mark.parametrize("answers", ["", "[1]", '[{"do":"match:resign"}]'])
def test_a_form_that_passes_with_something_else_is_refused(room: Room, answers: str) -> None:
    before = room.last

    assert send(room, room.seated(GERMAN), GERMAN, "pass", answers=answers).status_code == 400
    assert room.last == before


def test_a_standing_answer_changes_no_byte_for_the_others() -> None:
    """A seat that is not asked now gives an answer: nobody else can notice."""
    log = MemoryLog()
    match = played(log, "battle", 3)
    with browsed(log) as (pages, broker), client_of(broker) as client:
        room = Room(pages, local_client(log), match)
        seat = at_a_window(room)
        (other,) = {GERMAN, RUSSIAN} - {seat}
        asked, browser, watching = room.owner.legal(match, seat), room.seated(other), room.seated(seat)
        paths = [f"/m/{match}", f"/m/{match}?seat={seat}"]
        before = [without_proofs(watching.get(path).text) for path in paths]
        command = bytes(asked.options[-1].command).decode()
        client.add_token(match, other, secret_of(other))
        client.play(match, other, {"do": "match:answer-always", "decision": asked.decision, "answer": command})

        assert [without_proofs(watching.get(path).text) for path in paths] == before
        assert "Standing answers: 1" in words(room.page(browser, other))


# Asking before a command

GO = {"long-move", "hasty-attack", "deliberate-attack", "reinforce", "done"}
"""What the rules answer with the turn of the Soviet army."""


def test_what_cannot_be_taken_back_is_asked_about_unless_a_seat_wishes_otherwise() -> None:
    with room_of("inferno", 0) as room:
        browser = room.seated(GERMAN)
        legal = room.owner.legal(room.match, GERMAN).options
        kinds = {str(one.number): json.loads(bytes(one.command))["do"] for one in legal}
        pages_ = [
            room.page(browser, GERMAN, f"&about=command:{kind}&about=german/4")
            for kind in dict.fromkeys(kinds.values())
        ]
        pages_.append(room.page(browser, GERMAN))
        links = [one for page in pages_ for one in found(page, "a", "option") if one.get("data-option")]
        asked = {one.attrib["data-option"]: one.attrib["href"] for one in links}
        played_at_once = {kinds[one.attrib["value"]] for page in pages_ for one in found(page, "button", "option")}
        number = next(number for number in asked if kinds[number] == "long-move")
        once_more = read(browser.get(asked[number]))
        check(once_more)
        before, said = room.last, words(once_more)
        answer = browser.post(f"/m/{room.match}/play", {**fields_of(once_more, "play"), "option": number})

        assert {kinds[one] for one in asked} <= GO
        assert not played_at_once & GO
        assert played_at_once
        assert "This can be taken back." in said
        assert answer.status_code == 303
        assert room.last > before
        send(room, browser, GERMAN, "ask", asking="never")
        assert [one for one in found(room.page(browser, GERMAN), "a", "option") if one.get("data-option")] == []


def test_a_whole_choice_to_which_nothing_can_be_added_is_not_asked_about() -> None:
    """Being done with Support begins an attack; what is picked, and the way back, are all that its page shows then."""
    log = MemoryLog()
    match, client = played(log, "advance", 0), local_client(log)
    met: dict[str, bool] = {}
    for number in count():
        if len(met) == 2:
            break
        legal = client.legal(match, client.legal(match).to_move)
        done = [one for one in legal.options if json.loads(bytes(one.command))["do"] == "done"]
        kind = "whole" if len(legal.picked) == legal.maximum else "more can be picked"
        if legal.decision == "support" and done and kind not in met:
            with browsed(log) as (pages, _):
                room = Room(pages, client, match)
                page = room.page(room.seated(legal.to_move), legal.to_move)
            links = [one.get("data-option") for one in found(page, "a", "option")]
            assert ["data-next" in one.attrib for one in found(page, "button", "option")].count(True) == (
                kind == "whole"
            )
            met[kind] = str(done[0].number) in links
        play_on(client, match, 1, str(number))

    assert met == {"whole": False, "more can be picked": True}


def test_of_several_items_only_the_last_is_asked_about_and_ends_the_selection() -> None:
    with room_of("axis_allies", 0, seed="4") as room:
        play_on(room.owner, room.match, 200, "4", lambda asked: (asked.decision, asked.maximum) == ("designate", 2))
        seat, browser = room.mover, room.seated(room.mover)
        legal = room.owner.legal(room.match, seat)
        first = room.page(browser, seat)
        browser.post(f"/m/{room.match}/play", {**fields_of(first, "play"), "option": "1"})
        second = room.page(browser, seat)
        links = found(second, "a", "option")
        asked = read(browser.get(links[0].attrib["href"]))
        answer = browser.post(f"/m/{room.match}/play", {**fields_of(asked, "play"), "option": str(links[0][0].text)})

        assert (legal.decision, legal.maximum, legal.picked) == ("designate", 2, ())
        assert found(first, "a", "option") == []
        assert len(links) == legal.count
        assert "Picked: " in words(asked)
        assert answer.status_code == 303
        assert room.owner.legal(room.match).picked == ()


# Asking before each command


def ways(room: Room, browser: Browser) -> list[Element]:
    """Return the links to the questions about the options with the first Force that can be chosen."""
    fold = found(room.page(browser, room.mover), "a", "fold")[0].attrib["href"]
    page = read(browser.get(fold))
    return [one for one in found(page, "a", "option") if one.get("data-option")]


def test_a_seat_that_wishes_so_is_asked_before_each_command(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    last = room.last
    switched = send(room, browser, mover, "ask", asking="each")
    links = ways(room, browser)
    asked = read(browser.get(links[-1].attrib["href"]))
    check(asked)
    fields = fields_of(asked, "play")
    (button,) = [one for one in asked.iter(f"{HTML}button") if one.get("name") == "option"]

    assert switched.status_code == 303
    assert found(room.page(browser, mover), "button", "option") == []
    assert room.last == last
    assert browser.post(f"/m/{room.match}/play", {**fields, "option": button.attrib["value"]}).status_code == 303
    assert room.last > last


def test_being_asked_is_switched_off_again(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    send(room, browser, mover, "ask", asking="each")
    asked = ways(room, browser)
    send(room, browser, mover, "ask", asking="never")

    assert asked
    assert ways(room, browser) == []


def test_an_option_that_is_asked_about_and_is_gone_shows_all_options(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    send(room, browser, mover, "ask", asking="each")
    (*_, first) = ways(room, browser)
    asked = read(browser.get(first.attrib["href"]))
    answered = {**fields_of(asked, "play"), "option": first.attrib["data-option"]}

    assert found(asked, "a", "option") == []
    assert browser.post(f"/m/{room.match}/play", answered).status_code == 303
    assert to_be_played(read(browser.get(first.attrib["href"]))) == []
    assert to_be_played(room.page(browser, room.mover, "&choose=x")) == []


def test_an_option_that_is_asked_about_is_so_still_after_a_note(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    send(room, browser, mover, "ask", asking="each")
    (first, *_) = ways(room, browser)
    send(room, browser, mover, "note", text="Back in a minute")
    asked = read(browser.get(first.attrib["href"]))

    assert str(first.get("title")) in words(asked)
    assert to_be_played(asked) == [first.attrib["data-option"]]


def test_the_page_that_asks_lights_only_what_the_option_is_about() -> None:
    """A Long Move of two units is about them, the hex that they leave and the hex where they go."""
    with room_of("inferno", 0) as room:
        browser = room.seated(GERMAN)
        option = next(
            one
            for one in room.owner.legal(room.match, GERMAN).options
            if re.match(r"Long Move: .* and [^ ]+ .* to hex", one.words) and " by hex " not in one.words
        )
        plain = json.loads(bytes(option.command))
        rest = "".join(f"&about={one}" for one in ("command:long-move", *plain["units"], *plain["path"]))
        page = room.page(browser, GERMAN, rest)
        number = str(option.number)
        link = next(one.attrib["href"] for one in found(page, "a", "option") if one.get("data-option") == number)
        asked = read(browser.get(link))
        (sheet,) = found(asked, "div", "sheet")
        lit = [str(one.get("aria-label")) for one in sheet.iter() if "lit" in one.get("class", "").split()]

        assert len(lit) == 3
        assert f"{option.words}? This can be taken back." in words(asked)
        assert len(option.words) > BUTTON_CHARACTERS_MAX
        assert words(found(asked, "button", "main")[0]) == "Play it", (
            "the question above the button says the same in full"
        )


# Typed dice


@pytest.fixture
def typed() -> Iterator[Room]:
    log = MemoryLog()
    client = local_client(log)
    opened = client.open("battle", dice="manual")
    for seat in opened.seats:
        client.take_seat(opened.match, seat, share=False, secret=secret_of(seat))
    with browsed(log) as (pages, _):
        yield Room(pages, client, opened.match)


def wanted(page: Element) -> list[str]:
    """Return what may have been drawn, if a draw is asked for."""
    lists = [one for one in page.iter(f"{HTML}select") if one.get("id") == "more-draw"]
    return [option.attrib["value"] for one in lists for option in one.iter(f"{HTML}option")]


def finish(browser: Browser, response: httpx.Response, what: str, match: str) -> tuple[int, int]:
    """Type the first draw that is possible until a command is played; return its status and how much was typed."""
    count = 0
    while response.status_code == 409 and (names := wanted(read(response))):
        check(read(response))
        count += 1
        fields = {**fields_of(read(response), what), "more-draw": names[0]}
        response = browser.post(f"/m/{match}/{what}", fields)
    return response.status_code, count


def test_a_match_with_typed_draws_is_begun_and_played(typed: Room) -> None:
    browser = typed.seated(RUSSIAN)
    page = typed.page(browser, RUSSIAN)
    begun = finish(browser, browser.post(f"/m/{typed.match}/begin", fields_of(page, "begin")), "begin", typed.match)
    browsers = {RUSSIAN: browser, GERMAN: typed.seated(GERMAN)}
    counts = []
    for _ in range(12):
        mover = typed.mover
        page = typed.page(browsers[mover], mover)
        fields = {**fields_of(page, "play"), "option": "1"}
        status, count = finish(
            browsers[mover], browsers[mover].post(f"/m/{typed.match}/play", fields), "play", typed.match
        )
        counts.append(count)
        assert status == 303

    assert typed.owner.state(typed.match).table.chance.scheme == MANUAL
    assert begun[0] == 303
    assert begun[1] > 0
    assert sum(counts) > 5


def test_typed_dice_are_those_of_the_match_and_impossible_ones_are_refused() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = client.fork(played(log, "advance", 0), PUBLIC, dice="manual").match
    client.take_seat(match, GERMAN, secret=secret_of(GERMAN))
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(GERMAN)

        def next_play() -> httpx.Response:
            page = room.page(browser, GERMAN)
            last = str(client.legal(match, GERMAN).count)
            return browser.post(f"/m/{match}/play", {**fields_of(page, "play"), "option": last})

        response = next(answer for answer in (next_play() for _ in range(80)) if answer.status_code == 409)
        asked = read(response)
        fields = fields_of(asked, "play")
        check(asked)
        wrong = browser.post(f"/m/{match}/play", {**fields, "more-dice": "9 9 9 9 9 9"})
        nonsense = browser.post(f"/m/{match}/play", {**fields, "more-dice": "six"})
        last = room.last
        for _ in range(10):
            response = browser.post(f"/m/{match}/play", {**fields, "more-dice": "6"})
            if response.status_code == 303:
                break
            fields = fields_of(read(response), "play")

        assert "more" in words(found(asked, "p", "picked")[0])
        assert (wrong.status_code, "cannot show 9" in wrong.text) == (409, True)
        assert nonsense.status_code == 400
        assert response.status_code == 303
        assert room.last > last
