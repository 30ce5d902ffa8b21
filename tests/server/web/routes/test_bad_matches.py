"""A match whose contents are not sound is named, and keeps nobody from the list and from other matches."""

from collections.abc import Iterator
from typing import NoReturn

import pytest

from events.ids import MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.web.backend import fork_names as line_names
from server.web.panels.summary_text import SummaryWords
from tests.support.bad_matches import BAD, TIMES, copy_as
from tests.support.browsing import HTML, Browser, browsed, found, played, read, words
from tests.support.rows import each_row

SOUND = "sound"
PATHS = ["", "?why=1", "@3", "@8?why=1", "/sit", "/view.ndjson", "/diff/sound", "/diff/sound@5"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser of pages with a sound match before, between and after others."""
    log, to = MemoryLog(), MemoryLog()
    match = played(log, "battle", 30)
    copy_as(log, to, match, SOUND)
    for name, change in BAD.items():
        copy_as(log, to, match, name, change)
    copy_as(log, to, match, "another-sound-one")
    with browsed(to) as (pages, _):
        yield pages.browser()


def rows(browser: Browser) -> dict[str, str]:
    """Return the lines of the list by match."""
    page = read(browser.get("/matches"))
    told = {next(row.iter(f"{HTML}a")).attrib["href"]: words(row) for row in list(page.iter(f"{HTML}tr"))[1:]}
    return {address.removeprefix("/m/"): line for address, line in told.items()}


def test_every_match_is_listed(browser: Browser) -> None:
    listed = rows(browser)

    assert set(listed) == {SOUND, *BAD, "another-sound-one"}
    assert "since 253402300800000 ms since 1970" in listed["year-10000"]


@each_row("name", [SOUND, "another-sound-one", *TIMES])
@each_row("path", PATHS)
def test_a_sound_match_and_one_with_impossible_times_have_all_pages(browser: Browser, name: str, path: str) -> None:
    assert browser.get(f"/m/{name}{path}").status_code == 200


def test_a_match_that_cannot_be_shown_is_named_by_its_own_page(browser: Browser) -> None:
    answers = {name: browser.get(f"/m/{name}") for name in BAD}
    shown = {name for name, answer in answers.items() if answer.status_code == 200}
    titles = {name: words(next(read(answers[name]).iter(f"{HTML}h1"))) for name in sorted(set(BAD) - shown)}

    assert titles == {
        "unknown-board": "The game is not installed",
        "unknown-decision": "The page could not be made",
        "unknown-event": "The match is damaged",
        "unknown-game": "The game is not installed",
        "unknown-piece": "The match is damaged",
    }


@each_row("path", ["", "?map=city&whole=1"])
def test_a_page_that_could_not_be_made_leads_to_its_match_in_words_for_a_player(browser: Browser, path: str) -> None:
    answer = browser.get(f"/m/unknown-decision{path}")
    main = next(read(answer).iter(f"{HTML}main"))

    assert answer.status_code == 500
    assert [one.attrib["href"] for one in main.iter(f"{HTML}a")] == ["/m/unknown-decision", "/matches"]
    assert "the match is as it was" in words(main)
    assert "audit" not in words(main)


@each_row("name", BAD)
def test_a_thumbnail_of_a_damaged_match_is_a_picture(browser: Browser, name: str) -> None:
    answer = browser.get(f"/m/{name}/thumb.svg")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg ")
    assert answer.text.rstrip().endswith("</svg>")


def untold(*_: object) -> NoReturn:
    """Fail as sentences do about what the rules do not allow."""
    raise KeyError("nothing")


def test_a_summary_that_cannot_be_told_is_named_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    good, bad = played(log, "battle", 3), played(log, "battle", 4)
    stand = SummaryWords.stand
    monkeypatch.setattr(SummaryWords, "stand", lambda one: untold() if bad in one.scenario() else stand(one))
    with browsed(log) as (pages, _):
        page = read(pages.browser().get("/matches"))

    assert [words(row) for row in found(page, "tr", "broken")] == [
        f"{bad}Damaged or not readable: its events do not follow the rules"
    ]
    assert any(good in words(row) for row in page.iter(f"{HTML}tr"))


def test_a_fork_that_cannot_be_told_keeps_nobody_from_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    match = played(log, "battle", 8)
    client = local_client(log)
    line: MatchId = client.fork(match, at=client.state(match).seq).match
    stand = SummaryWords.stand
    monkeypatch.setattr(SummaryWords, "stand", lambda one: untold() if line in one.scenario() else stand(one))
    monkeypatch.setattr(line_names, "first_done", untold)
    with browsed(log) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}"))

    assert f"{line} is damaged" in words(page)
