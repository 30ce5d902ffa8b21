"""A report meets WCAG 2.1 A and AA, fits every width, asks for nothing, and prints."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from events.memory_log import MemoryLog
from tests.browser.test_every_page import ENGINE, violations
from tests.server.report.test_report import PLAYED, reported
from tests.support.browsing import played
from tests.support.soak import few, sampled

COMMANDS = 40
WIDTHS = ((390, True), (1280, False))
"""In which width the page is dark."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a report of each game that is asked for."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def report(game: str) -> Path:
        path, log = folder / f"{game}.html", MemoryLog()
        path.write_text(reported(log, played(log, game, COMMANDS)).report.page, encoding="utf-8")
        return path

    return report


def opened(browser: Browser, report: Path, width: int, *, is_dark: bool = False) -> tuple[Page, list[str]]:
    """Open a report from its file; the addresses of all requests are noted."""
    asked: list[str] = []
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if is_dark else "light", offline=True
    )
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(report.as_uri())
    return page, asked


@pytest.mark.parametrize("game", ["advance"])
def test_it_can_be_read_by_everybody_in_every_width(
    game: str, browser: Browser, reports: Callable[[str], Path]
) -> None:
    for width, is_dark in WIDTHS:
        page, asked = opened(browser, reports(game), width, is_dark=is_dark)
        page.evaluate(ENGINE)

        assert [*violations(page), *violations(page, is_of_contrast=True)] == []
        assert asked == [reports(game).as_uri()]
        page.context.close()


@pytest.mark.parametrize("game", few(PLAYED))
def test_nothing_is_wider_than_the_screen_or_the_paper(
    game: str, browser: Browser, reports: Callable[[str], Path]
) -> None:
    page, _ = opened(browser, reports(game), 390)
    is_wide = "document.documentElement.scrollWidth > innerWidth"
    found = [("phone", page.evaluate(is_wide))]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})
    found.append(("paper", page.evaluate(is_wide)))

    assert found == [("phone", False), ("paper", False)]
    assert page.evaluate("getComputedStyle(document.querySelector('.contents')).display") == "none"
    assert page.evaluate("getComputedStyle(document.querySelector('.round.drawn .map')).breakInside") == "avoid"
    page.context.close()


@pytest.mark.long
def test_luck_in_words_can_be_read_on_a_phone(browser: Browser, reports: Callable[[str], Path]) -> None:
    """Each cell stands in a line of its own, under the name of its column."""
    page, _ = opened(browser, reports("advance"), 390)
    wide = page.locator(".wide:has(.stacked)")
    labels = "one => getComputedStyle(one, '::before').content"

    assert wide.count() == 2
    assert [one.evaluate("one => one.scrollWidth > one.clientWidth") for one in wide.all()] == [False, False]
    assert "In words" in page.locator(".stacked td").nth(4).evaluate(labels)
    page.context.close()


@pytest.mark.long
@pytest.mark.parametrize("game", sampled(PLAYED, lambda game: game == "axis_allies"))
def test_on_paper_a_round_is_its_maps_and_its_log(game: str, browser: Browser, reports: Callable[[str], Path]) -> None:
    """What lies beside the maps is printed once, for the last moment."""
    page, _ = opened(browser, reports(game), 1280)
    folded = page.locator(".picture details")
    opened_ = [one for one in folded.all() if one.get_attribute("open") is not None]
    paper = page.pdf(format="A4")

    assert folded.count() > 1
    assert len(opened_) == 1
    assert opened_[0].bounding_box() == folded.last.bounding_box()
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) <= 5 + 2.5 * folded.count()
