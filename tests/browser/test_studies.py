"""The page of a study keeps the guidelines and has room in every width: its forms, what was tried, and two lines side by side."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from events.ids import PUBLIC, MatchId, Seat, StudyId
from events.studies.study_entry import AnySaid, CommentWritten, LineAdded, OptionsTried, OptionWins
from events.transparency.signed_command import SeatSigner
from server.web.http.addresses import of_study
from tests.browser.test_every_page import ENGINE, LAYOUT, violations
from tests.support.site import Site, site
from tests.support.visitors import Visitor, Visitors

AT = 47
SIZES = ((360, 740), (1280, 800))
GERMAN, RUSSIAN = Seat("german"), Seat("russian")
LINES = "3,4"
"""The entries of the lines."""


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[tuple[Site, MatchId, StudyId]]:
    """A study of a match that is over, with a comment, two lines and options that were tried, where bots may play on for a moment."""
    with site() as made:
        made.stop()
        made.playouts_s = 0.1
        made.start()
        match = made.prepared("battle", seed="3")
        signer = SeatSigner(bytes(32))
        study = StudyId(made.owner.open_study(match, "Why not at once?", author="Eve", signer=signer).study)
        forks = [made.owner.fork(match, PUBLIC, AT).match for _ in range(2)]
        options = (OptionWins("Wait", 6), OptionWins("Attack at once", 19, was_played=True))
        entries: tuple[AnySaid, ...] = (
            CommentWritten(at=AT, text="The Rubble is what decides here.", mark="!?"),
            *[LineAdded(at=AT, match=fork, name=f"Line {number}") for number, fork in enumerate(forks)],
            OptionsTried(at=AT, policy="greedy", seed="0", times=20, options=options),
        )
        for said in entries:
            made.owner.write_study(match, study, said, author="Eve", signer=signer)
        yield made, match, study


def reader(desk: tuple[Site, MatchId, StudyId], visitors: Visitors, query: str = "") -> Visitor:
    """Return a visitor with both seats who reads the study at its comment."""
    made, match, study = desk
    visitor = visitors.new(made)
    for seat in (GERMAN, RUSSIAN):
        visitor.sit(match, seat)
    visitor.go(f"{of_study(match, study, PUBLIC, AT)}{query}")
    return visitor


@pytest.mark.long
def test_a_study_is_laid_out_well_and_keeps_the_guidelines(
    desk: tuple[Site, MatchId, StudyId], visitors: Visitors
) -> None:
    """The engine looks through a long page, which takes seconds; contrasts are the same in every width."""
    visitor = reader(desk, visitors, f"&compare={LINES}")
    visitor.page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
    visitor.page.evaluate(ENGINE)
    found: list[tuple[int, str]] = []
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        found += [(width, one) for one in visitor.page.evaluate(LAYOUT)]
        found += [(width, one) for one in violations(visitor.page)]
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found += [(width, f"{scheme}: {one}") for one in violations(visitor.page, is_of_contrast=True)]

    assert visitor.page.locator("#tried").count() == 1
    assert visitor.page.locator("#compared").count() == 1
    assert found == []


@pytest.mark.long
def test_a_comment_has_the_width_of_a_phone(desk: tuple[Site, MatchId, StudyId], visitors: Visitors) -> None:
    """Who has two seats says also who writes, beside the mark."""
    visitor = reader(desk, visitors)
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    text, form = (visitor.page.locator(one).bounding_box() for one in (".say textarea", ".say"))
    assert text is not None and form is not None

    assert visitor.page.locator(".say select").count() == 2
    assert text["width"] == pytest.approx(form["width"])
