"""Own stacks on a map of which a part is shown stand beside it, too, where something can be chosen in them."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import pytest

from events.codec import decode_plain
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import LegalReply
from tests.support.browsing import SVG, Browser, browsed, found, play_on, played, read, resign, secret_of, words
from tests.support.page_checks import check

Table = tuple[Browser, MatchId, Seat]


@pytest.fixture
def table() -> Iterator[Table]:
    """A browser at a table of *Inferno* at the question which action to take, and its seat."""
    log = MemoryLog()
    match = played(log, "inferno", 0, seed="43")
    client = local_client(log)
    play_on(client, match, 60, "43", lambda legal: legal.decision == "action")
    seat = client.legal(match).to_move
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, seat, secret_of(seat))
        yield browser, match, seat


def stacks_of(page: Element) -> list[Element]:
    """Return the cells of the strip of own stacks."""
    return [cell for strip in found(page, "section", "stacks") for cell in strip.iter() if cell.tag.endswith("}li")]


def links_of(part: Element) -> list[str]:
    return [one.attrib["href"] for one in part.iter(f"{SVG}a")]


def test_own_stacks_lead_where_their_counters_on_the_map_lead(table: Table) -> None:
    browser, match, seat = table
    page = read(browser.get(f"/m/{match}?seat={seat}"))
    cells = stacks_of(page)
    (sheet,) = found(page, "div", "sheet")
    check(page)

    assert len(cells) == 3
    assert all(links_of(cell) for cell in cells), "a stack in which nothing can be chosen is left out"
    assert {to for cell in cells for to in links_of(cell)} <= {*links_of(sheet)}


def test_what_was_chosen_in_a_stack_is_named_once_on_the_page(table: Table) -> None:
    browser, match, seat = table
    first = stacks_of(read(browser.get(f"/m/{match}?seat={seat}")))[0]
    page = read(browser.get(links_of(first)[0]))
    check(page)

    assert [one.tag for one in page.iter() if one.get("id") == "chosen"] == [f"{SVG}a"]
    assert len(stacks_of(page)) >= 1


def test_a_click_on_a_counter_of_like_pieces_is_all_that_their_only_option_needs() -> None:
    """In *Axis & Allies* a loss names a type of unit: a counter of three needed four clicks."""
    log = MemoryLog()
    match = played(log, "axis_allies", 0, seed="1")
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "casualties" and legal.maximum == 1)
    seat = client.legal(match).to_move
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, seat, secret_of(seat))
        (sheet,) = found(read(browser.get(f"/m/{match}?seat={seat}")), "div", "sheet")
        lit = [one for one in sheet.iter(f"{SVG}a") if one.get("data-option")]

    assert any("×2" in words(one) for one in sheet.iter(f"{SVG}text"))
    assert len(lit) > 1
    assert all("choose=" in one.attrib["href"] or "data-plays" in one.attrib for one in lit)


def test_the_board_on_which_a_piece_has_moved_is_shown_for_the_next_move_and_stays_for_a_kind() -> None:
    """Of *Axis & Allies*; the first that could move then is on the other one."""
    log = MemoryLog()
    match = played(log, "axis_allies", 0, seed="1")
    client = local_client(log)
    play_on(client, match, 1_000, "1", lambda legal: legal.decision == "move" and legal.to_move == "allies")
    seat = client.legal(match).to_move

    def shown(more: str = "") -> tuple[str, Element]:
        with browsed(log) as (pages, _):
            browser = pages.browser()
            browser.sit(match, seat, secret_of(seat))
            page = read(browser.get(f"/m/{match}?seat={seat}{more}"))
            return found(page, "div", "sheet")[0].attrib["data-map"], page

    before, _ = shown()
    _, wished = shown("&map=city")
    move, fly = (one.attrib["href"] for one in found(wished, "a", "kind"))
    options = client.legal(match, seat).options
    client.play(
        match, seat, next(one for one in options if one.words.endswith("Tractor Factory to Spartanovka")).number
    )
    after, _ = shown()

    assert (before, after) == ("region", "city")
    assert "map=city" in move
    assert "map=city" not in fly, "no aircraft is on that board"


def test_a_visitor_who_is_not_asked_has_no_stacks(table: Table) -> None:
    browser, match, _ = table

    assert stacks_of(read(browser.get(f"/m/{match}"))) == []
    assert "Your stacks" not in words(read(browser.get(f"/m/{match}")))


def test_the_page_of_a_match_that_is_over_shows_the_whole_map_and_leads_to_a_part() -> None:
    log = MemoryLog()
    match = played(log, "inferno", 60, seed="43")
    resign(local_client(log), match)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        page = read(browser.get(f"/m/{match}"))
        (inset,) = found(page, "a", "inset")
        part = read(browser.get(inset.attrib["href"]))

        assert "data-focus" not in found(page, "div", "sheet")[0].attrib
        assert "data-focus" in found(part, "div", "sheet")[0].attrib


def test_after_an_attack_the_map_shows_an_area_that_is_asked_about() -> None:
    """In *Advance* it stayed at the attack, which can no longer be chosen, while none of the Areas was in sight that could become active."""
    log = MemoryLog()
    match = played(log, "advance", 0, seed="7")
    client = local_client(log)
    play_on(client, match, 900, "7", lambda legal: legal.decision == "activate")
    held = {**client.state(match).table.control}

    def is_after_attacks(legal: LegalReply) -> bool:
        return legal.decision == "activate" and client.state(match).table.control != held

    play_on(client, match, 900, "7", is_after_attacks)
    seat = client.legal(match).to_move
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, seat, secret_of(seat))
        page = read(browser.get(f"/m/{match}?seat={seat}"))
    (sheet,) = found(page, "div", "sheet")
    (happened,) = found(page, "div", "happened")
    options = [words(one) for one in found(page, "button", "option")]

    assert words(happened)
    assert [one for one in options if f"Area {sheet.attrib['data-at']} " in one]


def test_where_all_that_can_be_chosen_is_at_one_place_that_comes_first() -> None:
    """In *Inferno* a phone showed the hex of a combat, and none of the attackers in the next hex, one of which loses a Step."""
    log = MemoryLog()
    match = played(log, "inferno", 0, seed="1")
    client = local_client(log)
    play_on(client, match, 900, "1", lambda legal: legal.decision == "hits" and str(legal.to_move) == "german")
    seat = client.legal(match).to_move
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, seat, secret_of(seat))
        page = read(browser.get(f"/m/{match}?seat={seat}"))
    (sheet,) = found(page, "div", "sheet")
    pieces = client.state(match, seat).table.pieces
    commands = [decode_plain(bytes(one.command)) for one in client.legal(match, seat).options]
    named = {one for command in commands if isinstance(command, dict) for one in command.values()}
    where = {piece.place for piece in pieces.values() if piece.id in named}

    assert where == {sheet.attrib["data-at"]}
