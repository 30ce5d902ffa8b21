"""The report and the film of a match that is over come from its page; each is made in a process of its own, which takes a second to start."""

from xml.etree import ElementTree

import pytest

from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.report import keeping
from server.web.backend import audits
from server.web.routes import keep_routes
from tests.support.browsing import HTML, SVG, browsed, played, read, resign, secret_of, words
from tests.support.rows import each_row

GERMAN = Seat("german")
FILES = ["report.html", "film.svg"]


def over(log: MemoryLog) -> MatchId:
    """Return a match of *Battle for Stalingrad* that is over."""
    match = played(log, "battle", 30, seed="3")
    resign(local_client(log), match)
    return match


def test_the_end_leads_to_report_and_film_as_the_seat_has_seen_the_match() -> None:
    log = MemoryLog()
    match = over(log)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, GERMAN, secret_of(GERMAN))
        page = read(browser.get(f"/m/{match}?seat=german"))
        ways = {words(one): one.attrib["href"] for one in page.iter(f"{HTML}a") if one.get("class") == "button"}
        report, film = (browser.get(ways[name]) for name in ("Report", "Film"))
        drawn = ElementTree.fromstring(film.text)
        frames = [one for one in drawn.iter(f"{SVG}g") if one.get("class") == "frame"]

        assert report.status_code == film.status_code == 200
        assert report.headers["content-disposition"] == f'attachment; filename="{match}-report.html"'
        assert film.headers["content-disposition"] == f'attachment; filename="{match}-film.svg"'
        assert "as German sees it" in report.text
        assert "the pages have not audited the match" in report.text
        assert len(frames) > 1


@each_row("file", FILES)
def test_what_is_kept_of_a_match_that_goes_on_or_of_a_seat_of_others_is_refused(file: str) -> None:
    log = MemoryLog()
    ended, running = over(log), played(log, "battle", 3)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        codes = [browser.get(path).status_code for path in (f"/m/{running}/{file}", f"/m/{ended}/{file}?seat=german")]

        assert codes == [409, 403]


def test_files_are_made_one_at_a_time_and_so_many_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def printed_by(module: str, given: bytes, limit_s: float) -> bytes:
        assert (module, given.count(b"\n") > 30) == (keeping.__name__, True)
        return b"a file"

    monkeypatch.setattr(keep_routes, "printed_by", printed_by)
    monkeypatch.setattr(keep_routes, "MADE", 2.0)
    log = MemoryLog()
    match = over(log)
    with browsed(log) as (pages, _):
        browser, other = pages.browser(), pages.browser("10.0.0.9")
        codes = [browser.get(f"/m/{match}/report.html").status_code for _ in range(3)]

        assert codes == [200, 200, 429]
        assert other.get(f"/m/{match}/report.html").status_code == 200


def test_a_file_that_cannot_be_made_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def printed_by(module: str, given: bytes, limit_s: float) -> bytes:
        raise audits.ProcessFailed("it took more than 60 seconds", is_late=True)

    monkeypatch.setattr(keep_routes, "printed_by", printed_by)
    log = MemoryLog()
    match = over(log)
    with browsed(log) as (pages, _):
        answer = pages.browser().get(f"/m/{match}/film.svg")

        assert answer.status_code == 500
        assert "could not be made: it took more than 60 seconds" in words(read(answer))
