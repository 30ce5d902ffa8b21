"""A player follows the link of an invitation: its fragment fills the form and is sent in no address."""

from hashlib import sha256
from urllib.parse import quote

import pytest

from events.ids import MatchId, Seat
from server.web.http.addresses import at_match, of_match
from tests.support.site import Site
from tests.support.visitors import Visitor, Visitors

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
INVITATION = "an invitation for Ada, long enough to be one"


def reserved(place: Site) -> MatchId:
    """Open a match whose German seat is reserved, and whose other seat is taken."""
    match = place.reserved("battle", GERMAN, "Ada", sha256(INVITATION.encode()).hexdigest())
    place.take(match, RUSSIAN)
    return match


def follow_link(visitor: Visitor, match: MatchId) -> None:
    visitor.go(f"{of_match(match, 'sit', GERMAN)}#{quote(INVITATION)}")
    visitor.wait_until(
        lambda: visitor.page.input_value("#invitation") == INVITATION, "the invitation is not in the form"
    )


def test_a_seat_is_taken_by_the_link_of_its_invitation(place: Site, visitors: Visitors) -> None:
    match = reserved(place)
    visitor = visitors.new(place, "Ada")
    follow_link(visitor, match)

    assert visitor.address == f"{place.address}{of_match(match, 'sit', GERMAN)}"
    assert visitor.page.evaluate("document.activeElement.id") == "invited-name"
    with visitor.page.expect_navigation():
        visitor.page.keyboard.press("Enter")
    visitor.wait_for(".viewer")
    assert visitor.address == f"{place.address}{at_match(match, seat=GERMAN)}"
    assert place.players(match) == {GERMAN: "Ada", RUSSIAN: "Player of russian"}
    assert not any(quote(INVITATION) in address or INVITATION in address for address in visitor.asked)
    assert INVITATION.encode() not in b"".join(place.sent["Ada"])


def test_who_sends_the_form_twice_has_the_seat(place: Site, visitors: Visitors) -> None:
    match = reserved(place)
    visitor = visitors.new(place)
    follow_link(visitor, match)
    visitor.page.dblclick("text=Take the German seat")
    visitor.wait_for(".viewer")
    visitor.look(match, seat=GERMAN)

    assert place.players(match)[GERMAN] == "Ada"
    assert visitor.text("a.viewer") != ""


@pytest.mark.long
def test_the_link_of_a_used_invitation_says_so(place: Site, visitors: Visitors) -> None:
    match = reserved(place)
    first, second = visitors.new(place), visitors.new(place)
    follow_link(first, match)
    first.page.click("text=Take the German seat")
    first.wait_for(".viewer")
    second.faults = {403}
    second.go(f"{of_match(match, 'sit', GERMAN)}#{quote(INVITATION)}")
    second.page.wait_for_selector(".wrong")

    assert "it opens nothing any more" in second.text(".wrong")


@pytest.mark.long
def test_who_opens_the_link_again_in_the_same_browser_is_led_to_the_table(place: Site, visitors: Visitors) -> None:
    match = reserved(place)
    visitor = visitors.new(place)
    follow_link(visitor, match)
    visitor.page.click("text=Take the German seat")
    visitor.wait_for(".viewer")
    visitor.go(f"{of_match(match, 'sit', GERMAN)}#{quote(INVITATION)}")
    visitor.page.wait_for_selector("text=This seat is yours")
    visitor.follow("a.main")

    assert visitor.address == f"{place.address}{at_match(match, seat=GERMAN)}"
