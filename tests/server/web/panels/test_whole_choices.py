"""The items of a selection are marked in one form, and sent in one command."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from xml.etree.ElementTree import Element

import httpx

from core.engine.selection import Choose
from core.odds.odds_text import headline
from events.codec import encode
from events.ids import Seat
from events.memory_log import MemoryLog
from events.vocabulary import PieceRemoved
from server.client.local import local_client
from server.protocol.replies import LegalReply
from server.web.backend.actions import ASKED, field_of, items_of
from server.web.panels.option_words import done_by_all
from server.web.panels.whole_choices import SINGLY_MAX
from tests.support.browsing import HTML, Browser, browsed, fields_of, fill, found, read, secret_of, words
from tests.support.page_checks import check
from tests.support.page_room import Room
from tests.support.rows import each_row


@contextmanager
def asked(game: str, decision: str, *, least: int = 2, seed: str = "1") -> Iterator[tuple[Room, LegalReply, Browser]]:
    """Serve the pages of a match in which several items answer the open question, with the browser of who decides."""
    log = MemoryLog()
    fill(log, played_until(game, decision, least, seed))
    owner, match = local_client(log), log.matches()[0]
    legal = owner.legal(match, owner.legal(match).to_move)
    with browsed(log) as (pages, _):
        room = Room(pages, owner, match)
        yield room, legal, room.seated(legal.to_move)


@cache
def played_until(game: str, decision: str, least: int, seed: str) -> MemoryLog:
    """Return a log with a match in which several items answer the open question."""
    log = MemoryLog()
    owner, dice = local_client(log), Random(seed)
    opened = owner.open(game, dice="seeded", seed=seed)
    for seat in opened.seats:
        owner.take_seat(opened.match, seat, share=False, secret=secret_of(seat))
    while True:
        legal = owner.legal(opened.match, owner.legal(opened.match, words=False).to_move, words=False)
        if legal.decision == decision and legal.maximum >= least and not legal.picked:
            return log
        owner.play(opened.match, legal.to_move, dice.choice(legal.options).command, expected=legal.seq)


def items(legal: LegalReply) -> list[str]:
    """Return the items that can be picked."""
    commands = [json.loads(bytes(one.command)) for one in legal.options]
    return [one["item"] for one in commands if one["do"] == "pick"]


def fields(page: Element, class_: str = "whole") -> dict[str, str]:
    """Return what the form of a whole choice holds; of boxes those that are marked."""
    (form,) = found(page, "form", class_)
    inputs = [one for one in form.iter(f"{HTML}input") if one.get("type") != "checkbox" or "checked" in one.attrib]
    return {one.attrib["name"]: one.attrib["value"] for one in inputs}


def one_wrong(page: Element) -> Element:
    """Return the sentence that says what is wrong."""
    (said,) = found(page, "p", "wrong")
    return said


def answered(room: Room, browser: Browser, legal: LegalReply, marked: dict[str, str]) -> httpx.Response:
    """Send the form with some items marked."""
    page = room.page(browser, legal.to_move)
    (form,) = found(page, "form", "whole")
    said = {**fields(page), **marked}
    if form.attrib["method"] == "get":
        return browser.get(f"{form.attrib['action']}?{httpx.QueryParams(said)}")
    return browser.post(form.attrib["action"], said)


def test_hits_are_given_to_units_in_one_form_as_often_as_is_typed() -> None:
    with asked("axis_allies", "casualties", least=SINGLY_MAX + 1, seed="4") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        rows = [(row[0].text, row[1].text) for row in found(page, "div", "mark")]
        marks = filled(page, legal)
        answer = answered(room, browser, legal, {field_of(item): str(times) for item, times in marks.items()})
        new = room.owner.log(room.match, legal.to_move, legal.seq)
        lost = [event.piece for slice_ in new for event in slice_.events if isinstance(event, PieceRemoved)]

        assert legal.may_repeat
        assert rows == [(str(one.number), one.words.removesuffix(" is lost")) for one in legal.options]
        assert answer.status_code == 303
        assert max(marks.values()) > 1
        assert {item: sum(item in piece for piece in lost[: legal.maximum]) for item in marks} == marks


def filled(page: Element, legal: LegalReply) -> dict[str, int]:
    """Return items that make a whole choice, of those that can be chosen most often first, with how often each is."""
    most = {one.attrib["name"]: int(one.attrib["max"]) for one in page.iter(f"{HTML}input") if one.get("max")}
    left, found_ = legal.maximum, dict[str, int]()
    for item in sorted(items(legal), key=lambda one: -most[field_of(one)]):
        found_[item] = min(left, most[field_of(item)])
        left -= found_[item]
    return {item: times for item, times in found_.items() if times}


def test_a_few_like_units_are_picked_one_after_the_other_and_in_no_other_way() -> None:
    """The page had a form with numbers and single buttons for the same units."""
    with asked("axis_allies", "casualties") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        buttons = [words(one) for one in found(page, "button", "option")]

        assert 2 <= legal.maximum <= SINGLY_MAX
        assert buttons == [f"{one.number}{one.words.removesuffix(' is lost')}" for one in legal.options]
        assert found(page, "form", "whole") == found(page, "details", "singly") == []


TARGETED = """
format = "wardiary-position/1"
game = "axis_allies"
scenario = "race"
title = "Assault Guns name Tanks"
round = 2
phase = "axis_attack"
pieces = [
  { id = "ger_assault_gun/1", place = "pitomnik" },
  { id = "ger_assault_gun/2", place = "pitomnik" },
  { id = "ger_assault_gun/3", place = "pitomnik" },
  { id = "ger_tank/1", place = "pitomnik" },
  { id = "ger_tank/2", place = "pitomnik" },
  { id = "ger_tank/3", place = "pitomnik" },
  { id = "ger_tank/4", place = "pitomnik" },
  { id = "sov_tank/1", place = "pitomnik" },
  { id = "sov_tank/2", place = "pitomnik" },
  { id = "sov_infantry/1", place = "pitomnik" },
  { id = "sov_infantry/2", place = "pitomnik" },
  { id = "sov_infantry/3", place = "pitomnik" },
  { id = "sov_artillery/1", place = "pitomnik" },
  { id = "sov_mech_infantry/1", place = "pitomnik" },
  { id = "sov_rocket_launcher/1", place = "pitomnik" },
]
markers = { pitomnik = { assault = 1 } }
control = { buzinovka = "axis" }
"""


@contextmanager
def tanks_named() -> Iterator[tuple[Room, LegalReply, Browser]]:
    """Serve the pages of a fight in which three hits are left to choose, two of them named to fall on the two Tanks."""
    log = MemoryLog()
    owner = local_client(log)
    match = owner.open("axis_allies", "race", dice="seeded", seed="3", position=TARGETED).match
    for seat in (Seat("axis"), Seat("allies")):
        owner.take_seat(match, seat, share=False, secret=secret_of(seat))
    named = Choose(("assault_gun", "assault_gun"), ("tank", "tank"))
    owner.play(match, Seat("axis"), named, expected=owner.legal(match).seq)
    with browsed(log) as (pages, _):
        room = Room(pages, owner, match)
        yield room, owner.legal(match, Seat("allies")), room.seated(Seat("allies"))


def test_units_on_which_hits_must_fall_are_marked_beforehand() -> None:
    """Three others could be marked in place of the two Tanks, and were refused with the id of a rule."""
    with tanks_named() as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        counted = {one.attrib["name"]: one for one in page.iter(f"{HTML}input") if one.get("type") == "number"}
        tanks = counted.pop(field_of("sov_tank"))
        refused = read(answered(room, browser, legal, {field_of("sov_tank"): "0", field_of("sov_infantry"): "3"}))
        question = read(answered(room, browser, legal, {field_of("sov_infantry"): "1"}))

        assert (legal.decision, legal.maximum) == ("designate", 3)
        assert [tanks.attrib[name] for name in ("min", "value", "max")] == ["2", "2", "2"]
        assert {tuple([one.attrib[name] for name in ("min", "value", "max")]) for one in counted.values()} == {
            ("0", "0", "1")
        }
        assert (
            words(one_wrong(refused)) == "Too few hits would be left for the units on which they must fall. Chosen: 3."
        )
        assert "1 Soviet Infantry and 2 Soviet Tanks are lost?" in words(question)


def test_before_a_whole_choice_that_is_final_the_page_asks() -> None:
    with asked("battle", "pay_cards") as (room, legal, browser):
        chosen = items(legal)[: legal.maximum]
        question = read(answered(room, browser, legal, {field_of(one): "1" for one in chosen}))
        check(question)
        kept = fields_of(question, "choose")
        last = room.last
        answer = browser.post(f"/m/{room.match}/choose", kept)
        names = [
            one.words.removeprefix("Pay with ")
            for one in legal.options
            if json.loads(bytes(one.command))["item"] in chosen
        ]

        assert not legal.may_repeat
        assert f"Pay with {', '.join(names[:-1])} and {names[-1]}? This cannot be taken back." in words(question)
        assert found(question, "form", "whole") == []
        assert answer.status_code == 303
        assert room.last > last
        assert room.owner.legal(room.match).decision != "pay_cards"


def test_too_few_marks_are_kept_and_counted() -> None:
    with asked("battle", "pay_cards") as (room, legal, browser):
        (first, *_) = items(legal)
        page = read(answered(room, browser, legal, {field_of(first): "1"}))
        check(page)
        marked = [name for name in fields(page) if name.startswith("n.")]

        assert "Chosen: 1." in words(one_wrong(page))
        assert [one.get("data-least") for one in found(page, "div", "send")[0].iter(f"{HTML}button")] == [
            str(legal.minimum)
        ]
        assert "Choose these" not in [words(one) for one in found(page, "button", "main")]
        assert f"{legal.minimum} to be marked1 of {legal.minimum} marked" in words(found(page, "form", "whole")[0])
        assert marked == [field_of(first)]


def test_a_form_in_which_nothing_is_marked_is_answered_with_what_it_needs() -> None:
    with asked("battle", "pay_cards") as (room, legal, browser):
        page = read(answered(room, browser, legal, {}))

        assert words(one_wrong(page)).endswith("Chosen: 0.")
        assert found(page, "form", "whole")


def test_what_the_rules_refuse_is_not_asked_about() -> None:
    """At most one Air marker is placed in a combat, and no more of a kind than are Available."""
    with asked("advance", "support", seed="3") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        (form,) = found(page, "form", "whole")
        most = {one.attrib["name"]: one.get("max") for one in form.iter(f"{HTML}input") if one.get("type") == "number"}
        refused = read(answered(room, browser, legal, {field_of("air"): "2"}))

        assert most[field_of("air")] == "1"
        assert words(one_wrong(refused)).endswith("Chosen: 2.")
        assert fields(refused)[field_of("air")] == "2"


def test_the_way_back_from_the_question_keeps_what_was_marked() -> None:
    with asked("battle", "pay_cards") as (room, legal, browser):
        marks = {field_of(one): "1" for one in items(legal)[: legal.maximum]}
        question = read(answered(room, browser, legal, marks))
        (back,) = [one for one in found(question, "a", "step") if one.text == "Back to the options"]
        page = read(browser.get(back.attrib["href"]))
        check(page)

        assert {name for name in fields(page) if name.startswith("n.")} == {*marks}
        assert found(page, "p", "wrong") == []


def test_what_the_rules_refuse_is_not_played_and_stays_marked() -> None:
    with asked("axis_allies", "casualties", least=SINGLY_MAX + 1, seed="4") as (room, legal, browser):
        (first, *_) = items(legal)
        last = room.last
        answer = answered(room, browser, legal, {field_of(first): str(legal.maximum - 1)})
        page = read(answer)
        check(page)

        (why,) = found(page, "details", "broken")
        assert answer.status_code == 409
        assert words(one_wrong(page)).endswith(". Nothing was changed.")
        assert words(why).startswith("Why? ")
        assert len(found(why, "p", "rule-text")) == 1
        assert fields(page)[field_of(first)] == str(legal.maximum - 1)
        assert room.last == last


@each_row("strange", [{"n.dragon": "1"}, {"n.": "2"}, {"choose": "00000000"}])
def test_an_address_that_names_no_item_or_another_question_shows_the_options(strange: dict[str, str]) -> None:
    with asked("battle", "pay_cards") as (room, legal, browser):
        marks = {field_of(one): "1" for one in items(legal)[: legal.maximum]}
        page = read(answered(room, browser, legal, {**marks, **strange}))
        check(page)

        assert len(found(page, "form", "whole")) == 1
        assert [name for name in fields(page) if name.startswith("n.")] == []


def test_a_form_that_is_sent_twice_is_played_once() -> None:
    with asked("axis_allies", "casualties", least=SINGLY_MAX + 1, seed="4") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        marks = {field_of(item): str(times) for item, times in filled(page, legal).items()}
        said = {**fields(page), **marks}
        codes = [browser.post(f"/m/{room.match}/choose", said).status_code]
        last = room.last
        codes.append(browser.post(f"/m/{room.match}/choose", said).status_code)

        assert codes == [303, 303]
        assert room.last == last


def test_what_is_chosen_piece_by_piece_is_not_marked() -> None:
    """Once an item is picked, and where items go to places, each pick is an option as before."""
    with asked("battle", "pay_cards") as (room, legal, browser):
        said = fields_of(room.page(browser, legal.to_move), "play")

        assert browser.post(f"/m/{room.match}/play", {**said, "option": "1"}).status_code == 303
        assert found(room.page(browser, legal.to_move), "form", "whole") == []
    with asked("axis_allies", "land") as (room, legal, browser):
        assert legal.maximum > 1
        assert found(room.page(browser, legal.to_move), "form", "whole") == []


def test_naming_the_only_target_for_a_gun_is_all_that_is_asked() -> None:
    """What is picked for a place ends a selection as well, if it is the last that can be."""
    with asked("axis_allies", "targets", least=1) as (room, legal, browser):
        picks = [str(one.number) for one in legal.options if json.loads(bytes(one.command))["do"] == "pick"]
        said = {**fields_of(room.page(browser, legal.to_move), "play"), ASKED: "1"}
        answer = browser.post(f"/m/{room.match}/play", {**said, "option": picks[0]})
        last = room.last
        again = browser.post(f"/m/{room.match}/play", {**said, "option": picks[0]})

        assert (legal.minimum, legal.maximum) == (0, 1)
        assert [answer.status_code, again.status_code] == [303, 303]
        assert room.last == last
        assert room.owner.legal(room.match).decision != "targets"


def test_items_are_named_in_ascending_order_and_a_number_out_of_reason_is_none() -> None:
    said = {"n.b": "2", "n.a": "1", "n.c": "0", "n.d": "-1", "n.e": "x", "seat": "german"}

    assert items_of(said) == ("a", "b", "b")
    assert len(items_of({"n.a": "999999999"})) == 100
    assert json.loads(encode(Choose(items_of(said))))["items"] == ["a", "b", "b"]


def test_the_chance_of_what_is_marked_stands_on_the_button_once_it_is_asked_for() -> None:
    """The form stays as it was filled in."""
    with asked("advance", "support") as (room, legal, browser):
        first = items(legal)[0]
        page = room.page(browser, legal.to_move)
        (form,) = found(page, "form", "whole")
        (asks,) = [one for one in form.iter(f"{HTML}button") if words(one) == "Show the chance of these"]
        marked = {**fields(page), field_of(first): "1", asks.attrib["name"]: asks.attrib["value"]}
        weighed = read(browser.get(f"{form.attrib['action']}?{httpx.QueryParams(marked)}"))
        check(weighed)
        (odds,) = room.owner.odds(room.match, legal.to_move, command=Choose((first,))).options
        (stake,) = found(weighed, "small", "stake")

        assert odds.odds is not None
        assert words(stake) == headline(odds.odds)
        assert fields(weighed)[field_of(first)] == "1"
        assert found(page, "small", "stake") == []


def test_options_stand_under_what_they_are_for() -> None:
    with asked("battle", "firefight", least=0) as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        groups = found(page, "div", "grouped")
        shown = {
            words(found(one, "p", "picked")[0]): len(found(one, "button", "option") + found(one, "a", "option"))
            for one in groups
        }
        enemy, own = ("Russian", "German") if legal.to_move == "german" else ("German", "Russian")

        assert shown.keys() <= {f"Fewer Hits on the {own} side", f"More Hits on the {enemy} side"}
        assert list(shown) == sorted(shown)
        assert sum(shown.values()) == len({one.words for one in legal.options if not one.parts.ends}) > 0


def test_ready_made_choices_stand_with_their_chances_below_the_form_and_are_one_command_each() -> None:
    with asked("advance", "support") as (room, legal, browser):
        plain = room.page(browser, legal.to_move)
        page = room.page(browser, legal.to_move, "&chances=1")
        check(page)
        (mixes,) = found(page, "div", "mixes")
        links = [one.attrib["href"] for one in found(mixes, "a", "option")]
        told = [words(one) for one in found(mixes, "small", "chance")]
        chosen = [items_of(httpx.QueryParams(link.partition("?")[2])) for link in links]
        odds = [room.owner.odds(room.match, legal.to_move, command=Choose(one)).options[0].odds for one in chosen]
        question = read(browser.get(links[-1]))
        answer = browser.post(f"/m/{room.match}/choose", fields_of(question, "choose"))

        assert found(plain, "div", "mixes") == []
        assert 2 <= len(links) <= 3
        assert [len(one) for one in chosen] == sorted({len(one) for one in chosen})
        assert len(chosen[-1]) == legal.maximum
        assert [one is not None and said.endswith(headline(one)) for said, one in zip(told, odds, strict=True)] == [
            True
        ] * len(links)
        assert answer.status_code == 303
        assert room.owner.legal(room.match).decision != "support"


def test_all_items_are_chosen_at_one_button_where_all_can_be() -> None:
    """Who advances after combat was marked one by one, though all that fought go as a rule; of what the rules limit no such button tells."""
    with asked("inferno", "advance") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        buttons = [one for one in page.iter() if one.get("data-key") == "a" and "option" in one.get("class", "")]
        (all_at_once,) = buttons
        if all_at_once.tag == f"{HTML}a":
            page = read(browser.get(all_at_once.attrib["href"]))
        answer = browser.post(f"/m/{room.match}/choose", fields_of(page, "choose"))

        assert {"Both", f"All {len(items(legal))}"} & {words(one) for one in all_at_once.iter(f"{HTML}b")}
        assert answer.status_code == 303
        assert room.owner.legal(room.match).decision != "advance"
    with asked("advance", "support") as (room, legal, browser):
        assert [one for one in room.page(browser, legal.to_move).iter() if one.get("data-key") == "a"] == []


def test_like_items_for_one_place_are_picked_at_once() -> None:
    with asked("axis_allies", "land") as (room, legal, browser):
        page = room.page(browser, legal.to_move)
        check(page)
        (field, *_) = [
            one for one in page.iter(f"{HTML}input") if one.get("name", "").startswith("times.") and "max" in one.attrib
        ]
        name, most = field.attrib["name"], field.attrib["max"]
        sent = {**fields_of(page, "play"), "option": name.removeprefix("times."), name: most}
        answer = browser.post(f"/m/{room.match}/play", sent)
        picked = room.owner.legal(room.match, legal.to_move).picked
        after = room.page(browser, legal.to_move)
        (told, *_) = found(after, "p", "picked")
        left = [words(one) for one in found(after, "button", "option")]
        at_once = [
            words(one) for one in page.iter(f"{HTML}form") if any(f.get("name") == "together" for f in one.iter())
        ]

        assert answer.status_code == 303
        assert len(picked) == int(most) > 1
        assert words(told).endswith(f"(×{most}).")
        assert [one for one in left if "Take back: " in one] != []
        assert all(re.match(r"\d(Both|All \d+|\d+ of \d+) land in ", one) for one in at_once), at_once


@each_row(
    ("act", "said"),
    [
        ("", "to Kalach"),
        ("To Kalach", "to Kalach"),
        ("Flies to attack Kalach", "fly to attack Kalach"),
        ("Relocates to Kalach", "relocate to Kalach"),
        ("Lands in Kalach", "land in Kalach"),
        ("Flies a Supply Drop to Kalach with 1 supply token", "fly a Supply Drop to Kalach with 1 supply token each"),
    ],
)
def test_what_all_do_is_said_in_the_plural(act: str, said: str) -> None:
    assert done_by_all("Kalach", act) == said
