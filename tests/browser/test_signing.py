"""A browser signs what its seat sends with a key that never leaves it; one that has lost the key is not stuck."""

from playwright.sync_api import Browser

from core.audit.match_audit import audit_match
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from tests.support.site import Site, site
from tests.support.visitors import Visitor, Visitors

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def taken(visitor: Visitor, match: MatchId, seat: Seat) -> None:
    """Take a free seat on the pages, and open its page."""
    visitor.go(f"/m/{match}/sit")
    visitor.page.fill("#name", str(seat).title())
    visitor.page.click(f'button[name="seat"][value="{seat}"]')
    visitor.page.wait_for_load_state()
    visitor.look(match, None, seat)


def holder(place: Site, match: MatchId, seat: Seat) -> str:
    """Return who holds the key of a seat."""
    return place.owner.state(match).table.keys[seat].holder


def test_a_browser_signs_and_its_pages_sign_again_when_it_has_lost_the_key(
    browser: Browser, visitors: Visitors
) -> None:
    log = MemoryLog()
    with site(log) as place:
        place.stop()
        place.links_key = lambda: b"the secret of these pages only.."
        place.start()
        match = place.owner.open("battle", dice="sealed").match
        german, russian = visitors.new(place, "german"), visitors.new(place, "russian")
        taken(german, match, GERMAN)
        taken(russian, match, RUSSIAN)
        while not place.owner.state(match).table.began:
            for one, seat in ((german, GERMAN), (russian, RUSSIAN)):
                one.look(match, None, seat)
        seat = place.mover(match)
        player = {GERMAN: german, RUSSIAN: russian}[seat]
        before = holder(place, match, seat)
        player.look(match, None, seat)
        player.page.click("[data-take-key] button")
        player.wait_until(lambda: holder(place, match, seat) == "", "the browser does not sign")
        last = place.last(match)
        player.faults.add(428)
        player.look(match, None, seat)
        player.play_an_option()
        player.wait_until(lambda: place.last(match) > last, "what the browser signed is not played")
        player.look(match, None, seat)
        with player.page.expect_navigation():
            player.page.click("text=The key is lost")
        player.wait_until(lambda: holder(place, match, seat) == "pages", "the pages do not sign again")
    report = audit_match(log, match)
    signatures = report.signatures[seat]

    assert before == "pages"
    assert report.clean
    assert [key.holder for key in signatures.keys] == ["pages", "", "pages"]
    assert signatures.unsigned == 0
