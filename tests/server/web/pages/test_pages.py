"""Every page of every game is well-formed HTML with a name for everything that can be clicked, and loads nothing from elsewhere."""

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

import pytest

from core.registry.games import game_keys
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import Reply
from server.protocol.wire import Request
from server.web.backend.gateway import Gateway
from tests.support.browsing import HTML, SVG, Browser, browsed, found, play_on, played, read, secret_of, words
from tests.support.page_checks import check
from tests.support.rows import each_row
from tests.support.soak import sampled

GAMES = list(game_keys())
COMMANDS = {"advance": 60, "battle": 60, "inferno": 12, "axis-allies": 40}
PAGE_BYTES_MAX = 200_000


class Site:
    """Pages with a match of each game.

    Args:
        browser: Looks at them.
        matches: The matches by game.
    """

    def __init__(self, browser: Browser, matches: Mapping[str, MatchId]) -> None:
        self.browser = browser
        self.matches = matches


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    log = MemoryLog()
    matches = {str(game): played(log, game, COMMANDS.get(game, 20)) for game in GAMES}
    with browsed(log) as (pages, _):
        yield Site(pages.browser(), matches)


def test_the_list_shows_every_match_with_players_and_who_is_to_decide(site: Site) -> None:
    page = read(site.browser.get("/matches"))
    rows = [words(row) for row in page.iter(f"{HTML}tr")][1:]
    check(page)

    assert len(rows) == len(GAMES)
    assert all("Player of" in row for row in rows)


def test_the_list_is_one_request_and_says_whom_a_match_waits_for_since_when(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    client = local_client(log)
    running, paused, over = (played(log, "battle", 3) for _ in range(3))
    free = client.open("battle", dice="seeded", seed="1").match
    client.take_seat(paused, ARBITER, "Umpire", secret=secret_of(ARBITER))
    client.play(paused, ARBITER, {"do": "match:pause", "reason": "Lunch"})
    client.play(over, client.legal(over).to_move, {"do": "match:resign"})
    mover = client.legal(running).to_move
    asked: list[object] = []
    ask = Gateway.ask

    async def counted(gateway: Gateway, request: Request) -> Reply:
        asked.append(request)
        return await ask(gateway, request)

    monkeypatch.setattr(Gateway, "ask", counted)
    with browsed(log) as (pages, _):
        page = read(pages.browser().get("/matches"))
    rows = {
        next(row.iter(f"{HTML}a")).attrib["href"].removeprefix("/m/"): row
        for row in page.iter(f"{HTML}tr")
        if list(row.iter(f"{HTML}a"))
    }
    cells, audits = (
        {match: words(list(row.iter(f"{HTML}td"))[column]) for match, row in rows.items()} for column in (-2, -1)
    )
    check(page)

    assert len(asked) == 1
    assert f"(Player of {mover})since 20" in cells[running].replace(" since", "since")
    assert "Paused: Lunch" in cells[paused]
    assert cells[over] == ""
    assert {match: cell for match, cell in audits.items() if cell} == {over: "not audited yet"}
    assert cells[free] == "take a seat"
    assert f"Standard game, {free}" in words(rows[free])


def test_a_game_may_be_named_as_it_is_typed() -> None:
    log = MemoryLog()
    played(log, "axis_allies", 0)
    with browsed(log) as (pages, _):
        listed = [pages.browser().get(f"/matches?game={key}") for key in ("axis-allies", "axis_allies", "chess")]

    assert [one.status_code for one in listed] == [200, 200, 404]
    assert listed[0].text == listed[1].text


def test_a_paused_match_says_so_and_why() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = played(log, "battle", 3)
    client.take_seat(match, ARBITER, "Umpire", secret=secret_of(ARBITER))
    client.play(match, ARBITER, {"do": "match:pause", "reason": "Lunch"})
    with browsed(log) as (pages, _):
        (question,) = found(read(pages.browser().get(f"/m/{match}")), "section", "question")

        assert words(question).startswith("Paused")
    assert "The match is pausedLunch" in words(question)


def test_combats_are_marked_on_the_way(site: Site) -> None:
    page = read(site.browser.get(f"/m/{site.matches['advance']}"))

    assert [one for one in page.iter(f"{SVG}path") if one.get("class") == "fought"]


def test_a_unit_that_leaves_the_map_is_marked_on_the_way_as_lost() -> None:
    log = MemoryLog()
    match = played(log, "advance", 150)
    with browsed(log) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}"))

        assert [one for one in page.iter(f"{SVG}path") if one.get("class") == "lost"]


def test_the_question_names_the_place_on_the_picture_where_it_is_asked(site: Site) -> None:
    match = site.matches["advance"]
    places = set[str]()
    for number in range(150, 200, 4):
        page = read(site.browser.get(f"/m/{match}@{number}"))
        (asked,) = [one for one in page.iter(f"{HTML}h1") if one.get("data-place") or one.text]
        if place := asked.get("data-place"):
            places.add(place)
            assert [one for one in page.iter(f"{SVG}g") if one.get("id") == f"place-{place}"]

    assert places


def test_the_list_can_be_narrowed_to_a_game(site: Site) -> None:
    key = "battle"
    page = read(site.browser.get(f"/matches?game={key}"))

    assert [link.get("href") for link in found(page, "a", "title")] == [f"/m/{site.matches[key]}"]
    assert site.browser.get("/matches?game=chess").status_code == 404
    assert site.browser.get("/matches?page=2").status_code == 404


def test_the_list_says_whom_a_match_waits_for_also_without_its_head(site: Site) -> None:
    page = read(site.browser.get("/matches?game=battle"))
    (row,) = [row for row in page.iter(f"{HTML}tr") if row.find(f"{HTML}td") is not None]
    said = ["".join(cell.itertext()) for cell in row.findall(f"{HTML}td")]

    assert said[2].startswith("Waits for ")
    assert [part.text for part in found(row, "span", "head")] == ["Waits for "]


def test_a_page_with_hundreds_of_options_on_lit_places_is_not_too_large() -> None:
    log = MemoryLog()
    match = played(log, "axis-allies", 0)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, "axis", secret_of("axis"))
        response = browser.get(f"/m/{match}?seat=axis")

    assert local_client(log).legal(match, Seat("axis")).count > 250
    assert len(response.content) < PAGE_BYTES_MAX


def test_dice_about_a_place_mark_it_in_the_picture_of_their_moment() -> None:
    """6.4.1.roll: dice that do nothing leave nothing else on the table that would show where they were rolled."""
    log = MemoryLog()
    client = local_client(log)
    match = client.open("advance", scenario="factory", dice="seeded", seed="8").match
    client.take_seat(match, Seat("german"), "Ada", secret=secret_of("german"))
    play_on(client, match, 5)

    def framed(page: Element) -> int:
        return len([one for one in page.iter() if "s-bad" in str(one.get("class"))])

    with browsed(log) as (pages, _):
        browser = pages.browser()
        lines = found(read(browser.get(f"/m/{match}@140")), "a", "line")
        told = {one.attrib["href"].partition("#")[0]: words(one) for one in lines}
        (dice, *_) = [to for to, said in told.items() if "Dice for Bloody Streets, " in said and "; no effect." in said]
        before = int(dice.rpartition("@")[2]) - 1

        assert framed(read(browser.get(f"/m/{match}@{before}"))) == 0
        assert framed(read(browser.get(dice))) > 0


def test_a_page_with_the_moves_of_full_stacks_and_an_explanation_leaves_room_for_more() -> None:
    log = MemoryLog()
    match, client = played(log, "inferno", 0, seed="43"), local_client(log)
    play_on(client, match, 50, "43", lambda asked: asked.to_move == "german" and len(asked.options) > 130)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, "german", secret_of("german"))
        response = browser.get(f"/m/{match}?seat=german&why=1")

    assert client.legal(match, Seat("german")).count > 130
    assert found(read(response), "section", "why")
    assert len(response.content) < 0.9 * PAGE_BYTES_MAX


@each_row("game", GAMES)
def test_a_match_shows_question_picture_log_way_and_evidence(site: Site, game: str) -> None:
    response = site.browser.get(f"/m/{site.matches[game]}")
    page = read(response)
    check(page)
    sections = [one.get("class") for one in page.iter(f"{HTML}section")]

    assert response.status_code == 200
    assert len(response.content) < PAGE_BYTES_MAX
    assert {"question", "picture", "log", "panel evidence"} <= set(sections)
    assert list(page.iter(f"{SVG}svg"))
    assert words(found(page, "p", "who")[0]).startswith(("Waiting for ", "The match is over"))


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
@each_row("part", [0.0, 0.3, 0.6, 0.9])
def test_every_moment_is_a_page_whose_event_is_explained(site: Site, game: str, part: float) -> None:
    match = site.matches[game]
    last = local_last(site, match)
    number = max(1, round(last * part))
    page = read(site.browser.get(f"/m/{match}@{number}"))
    why = read(site.browser.get(f"/m/{match}@{number}?why=1"))
    check(page)
    check(why)

    assert words(found(page, "span", "back")[0]).startswith(f"Back at {number} · newer events: {last - number} ·")
    assert found(page, "section", "why") == []
    assert all(
        found(section, "p", "rule-text") or found(section, "p", "ruling") for section in found(why, "section", "why")
    )


def local_last(site: Site, match: MatchId) -> int:
    page = read(site.browser.get(f"/m/{match}"))
    return int(words(found(page, "p", "where")[0]).rpartition(" ")[2])


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_steps_lead_from_event_to_event_and_back(site: Site, game: str) -> None:
    match = site.matches[game]
    last = local_last(site, match)
    at = last // 2

    def step(name: str, number: int) -> int:
        page = read(site.browser.get(f"/m/{match}@{number}"))
        (link,) = [one for one in page.iter(f"{HTML}a") if one.get("data-step") == name]
        return int(link.attrib["href"].partition("@")[2].partition("#")[0])

    assert step("on-event", at) == at + 1
    assert step("back-event", at) == at - 1
    assert at < step("on-commit", at) <= last
    assert step("back-commit", at) < at
    assert step("back-decision", at) < at


def test_a_moment_that_moves_a_piece_marks_the_way_on_the_picture(site: Site) -> None:
    match = site.matches["advance"]
    page = read(site.browser.get(f"/m/{match}"))
    moves = [
        link for link in found(page, "a", "line") if re.search(r" goes from Area \d+ \(.* to Area \d+ \(", words(link))
    ]
    moment = read(site.browser.get(moves[0].attrib["href"].partition("#")[0]))
    heads = [one for one in moment.iter(f"{SVG}polygon") if "f-bad" in one.get("class", "")]

    assert len(heads) == 1


def test_dice_are_faces_with_words_for_those_that_do_not_count(site: Site) -> None:
    page = read(site.browser.get(f"/m/{site.matches['advance']}@153"))
    dice = [one.get("aria-label") for one in page.iter(f"{SVG}svg") if "die" in one.get("class", "").split()]

    assert dice
    assert all(label and label[0].isdecimal() for label in dice)


def test_what_happened_since_the_last_visit_is_one_link(site: Site) -> None:
    log = MemoryLog()
    match = played(log, "battle", 4)
    with browsed(log) as (pages, broker):
        browser = pages.browser()
        first = read(browser.get(f"/m/{match}"))
        before = int(words(found(first, "p", "where")[0]).rpartition(" ")[2])
        from tests.support.served import client_of

        with client_of(broker) as client:
            mover = client.legal(match).to_move
            client.add_token(match, mover, secret_of(mover))
            client.play(match, mover, 1, expected=client.legal(match, mover).seq)
        (news,) = found(read(browser.get(f"/m/{match}")), "p", "news")
        again = found(read(browser.get(f"/m/{match}")), "p", "news")

        assert found(first, "p", "news") == []
        assert next(iter(news.iter(f"{HTML}a"))).get("href") == f"/m/{match}@{before + 1}"
        assert words(again[0]) == words(news)


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_a_page_that_is_made_of_kept_parts_is_the_same(site: Site, game: str) -> None:
    address = f"/m/{site.matches[game]}@9?why=1"

    assert site.browser.get(address).content == site.browser.get(address).content


def test_the_file_of_a_view_is_what_export_writes(site: Site) -> None:
    match = site.matches["battle"]
    response = site.browser.get(f"/m/{match}/view.ndjson")

    assert response.headers["content-disposition"] == f'attachment; filename="{match}-public.ndjson"'
    assert response.content.startswith(b'{"view":')
    assert response.content.count(b"\n") > 10


def test_the_pips_of_dice_in_the_log_are_written_once() -> None:
    log = MemoryLog()
    match = played(log, "axis_allies", 75)
    with browsed(log) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}"))
    (section,) = found(page, "section", "log")
    dice = [one for one in section.iter(f"{SVG}svg") if str(one.get("class")).startswith("die")]
    pips = {f"#{one.get('id')}" for one in section.iter(f"{SVG}g")}

    assert len(dice) > 6
    assert {use.get("href") for die in dice for use in die.iter(f"{SVG}use")} <= pips
    assert not any(list(die.iter(f"{SVG}circle")) for die in dice)
    assert all(die.get("aria-label") for die in dice)
