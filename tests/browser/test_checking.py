"""The browser checks the evidence of a match with its own cryptography, and says what it has checked."""

import json

from playwright.sync_api import Route

from events.ids import MatchId
from tests.support.site import Site
from tests.support.visitors import Visitor, Visitors


def checked(visitor: Visitor, match: MatchId) -> str:
    """Press the button on the page of a match, and return what the page says."""
    visitor.look(match)
    visitor.page.click("button[data-verify]")
    visitor.wait_until(
        lambda: visitor.text(".verify [role=status]") not in ("", "Checking …"), "the page does not say what it found"
    )
    return visitor.text(".verify [role=status]")


def finished(place: Site) -> MatchId:
    return place.prepared("advance", "factory", dice="sealed")


def test_the_button_checks_chain_and_seed_of_a_match_that_is_over(place: Site, visitors: Visitors) -> None:
    match = finished(place)
    said = checked(visitors.new(place), match)
    last = place.last(match)

    assert said.startswith("Checked here: ")
    assert f"with {last} events form one chain with the head " in said
    assert "the revealed seed fits the commitment in the first event" in said


def test_a_changed_archive_is_found(place: Site, visitors: Visitors) -> None:
    """One face of one die is another one."""
    match = finished(place)
    visitor = visitors.new(place)

    def forge(route: Route) -> None:
        lines = route.fetch().text().splitlines()
        at = next(number for number, line in enumerate(lines) if '"faces":[' in line)
        record = json.loads(lines[at])
        rolled = next(event for event in record["events"] if "faces" in event)
        rolled["faces"][0] = rolled["faces"][0] % 6 + 1
        lines[at] = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
        route.fulfill(body="\n".join(lines) + "\n", content_type="application/x-ndjson")

    visitor.context.route("**/archive.ndjson*", forge)
    said = checked(visitor, match)

    assert said.startswith("Not verified: the chain is broken before event ")


def test_a_running_match_has_no_button(place: Site, visitors: Visitors) -> None:
    match = place.open("advance", "factory", dice="sealed")
    visitor = visitors.new(place)
    visitor.look(match)

    assert visitor.page.locator("button[data-verify]").count() == 0
