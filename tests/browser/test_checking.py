"""The browser checks the evidence of a match with its own cryptography, and says what it has checked."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from events.ids import MatchId, Seat
from server.web.http.addresses import at_match
from tests.support.signed import Players
from tests.support.site import Site, site
from tests.support.visitors import Visitor, Visitors


def checked(visitor: Visitor, match: MatchId) -> str:
    """Press the button on the page of a match, and return what the page says."""
    visitor.look(match)
    visitor.page.click("button[data-verify]")
    visitor.wait_until(
        lambda: visitor.text(".verify [role=status]") not in ("", "Checking …"), "the page does not say what it found"
    )
    return visitor.text(".verify [role=status]")


Record = dict[str, Any]


def written(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def rechained(lines: list[str], change: Callable[[list[Record]], None]) -> str:
    """Return a file with changed events in which hashes and sums are right again: a forgery that only chance discloses."""
    records = [json.loads(line) for line in lines]
    change([event for record in records[:-1] for event in record.get("events", ())])
    head, is_archive = "0" * 64, "archive" in records[0]
    for record in records[:-1]:
        if "events" in record and is_archive:
            if "prev" in record:
                record["prev"] = head
            head = sha256(b"wardiary commit 1\n" + written(record).encode()).hexdigest()
    body = "".join(f"{written(record)}\n" for record in records[:-1])
    end = {**records[-1], "sha256": sha256(body.encode()).hexdigest()}
    return body + written({**end, "head": head} if is_archive else end) + "\n"


def another_draw(events: list[Record]) -> None:
    """Let the first draw from a pool bring what the second one brought, and the other way round."""
    draws = [event for event in events if event["event"] == "piece-drawn/1"]
    first = draws[0]
    second = next(one for one in draws if one["pool"] == first["pool"] and one["drawn"] != first["drawn"])
    first["drawn"], second["drawn"] = second["drawn"], first["drawn"]


def finished(place: Site) -> MatchId:
    return place.prepared("advance", "factory", dice="sealed")


def test_the_button_checks_chain_and_seed_of_a_match_that_is_over(place: Site, visitors: Visitors) -> None:
    match = finished(place)
    said = checked(visitors.new(place), match)
    last = place.last(match)

    assert said.startswith("Checked here: ")
    assert f"with {last} events form one chain with the head " in said
    assert "the revealed seed gives the links that were promised in the first event" in said


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


@pytest.mark.long
def test_draws_from_decks_and_pools_are_made_again_and_what_was_not_checked_is_said(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 12)
    said = checked(visitors.new(place), match)

    assert re.search(r"\d+ draws from decks and pools came out as recorded", said)
    assert re.search(
        r"Not checked here: \d+ draws and choices: hidden from the viewer; whether the rules were kept", said
    )


@pytest.mark.long
@pytest.mark.parametrize(("game", "file"), [("advance", "archive"), ("battle", "view")])
def test_a_forged_draw_is_found_even_if_all_hashes_are_right(
    game: str, file: str, place: Site, visitors: Visitors
) -> None:
    match = place.prepared(game, "factory" if game == "advance" else "", dice="seeded")
    visitor = visitors.new(place)

    def forge(route: Route) -> None:
        route.fulfill(
            body=rechained(route.fetch().text().splitlines(), another_draw), content_type="application/x-ndjson"
        )

    visitor.context.route(f"**/{file}.ndjson*", forge)
    said = checked(visitor, match)

    assert re.match(r"Not verified: event \d+ draws \S+, for .+, but what was promised gives \S+\.", said), said


def test_a_page_that_was_sent_without_encryption_says_that_it_has_no_cryptography(
    place: Site, browser: Browser
) -> None:
    match = finished(place)
    context = browser.new_context(base_url="http://pages.example")
    context.route("http://pages.example/**", lambda route: pass_on(route, place))
    page = context.new_page()
    page.goto(at_match(match))
    page.click("button[data-verify]")
    said = page.locator(".verify [role=status]")
    said.filter(has_text="cryptography").wait_for()
    words = said.inner_text()
    # The page loads neighbouring moments meanwhile; a request that outlives its window would fail the next test.
    context.unroute_all(behavior="wait")
    context.close()

    assert words.startswith("Browsers offer no cryptography to a page that was sent without encryption.")
    assert "Use https" in words


def pass_on(route: Route, place: Site) -> None:
    """Answer a request to another name of this machine, as one that came through a proxy without encryption."""
    path = route.request.url.removeprefix("http://pages.example")
    if "/news" in path:
        route.abort()
    else:
        route.fulfill(response=route.fetch(url=f"{place.address}{path}", headers={}))


@pytest.mark.long
def test_the_open_dice_of_a_running_match_are_checked_as_they_fall(place: Site, visitors: Visitors) -> None:
    match = place.open("advance", "factory", dice="sealed")
    place.advance(match, 6)
    said = checked(visitors.new(place), match)

    assert re.search(r"\d+ dice of 6 sides in \d+ rolls? were rolled again and fall as recorded", said), said


@pytest.mark.long
def test_typed_dice_have_no_button(place: Site, visitors: Visitors) -> None:
    match = place.open("advance", "factory", dice="manual")
    visitor = visitors.new(place)
    visitor.look(match)

    assert visitor.page.locator("button[data-verify]").count() == 0


@pytest.mark.long
def test_signatures_are_checked_and_a_server_that_lies_about_one_is_found(visitors: Visitors) -> None:
    """All hashes are right, and so is the head that the page names; only the signature of the player is missing its player."""
    players = Players("battle", dice="sealed").play(6)
    seat, client = next(iter(players.clients.items()))
    client.play(players.match, Seat(seat), b'{"do":"match:resign"}')
    with site(players.log) as place:
        visitor = visitors.new(place)
        sound = checked(visitor, players.match)

        def forge(route: Route) -> None:
            lines = route.fetch().text().splitlines()
            signed = [number for number, line in enumerate(lines) if '"signature":"' in line]
            record = json.loads(lines[signed[-1]])
            record["signature"] = json.loads(lines[signed[-2]])["signature"]
            lines[signed[-1]] = written(record)
            route.fulfill(body=rechained(lines, lambda _: None), content_type="application/x-ndjson")

        visitor.context.route("**/archive.ndjson*", forge)
        visitor.look(players.match)
        visitor.page.evaluate(
            """async () => {
              const button = document.querySelector("button[data-verify]");
              const lines = (await (await fetch(button.dataset.verify)).text()).trim().split("\\n");
              button.dataset.head = JSON.parse(lines.at(-1)).head;
              button.click();
            }"""
        )
        visitor.wait_until(
            lambda: visitor.text(".verify [role=status]") not in ("", "Checking …"),
            "the page does not say what it found",
        )
        forged = visitor.text(".verify [role=status]")

    assert re.search(r"\d+ commands: signed with the keys of their seats \(\w+ [0-9a-f]{8}…, \w+ [0-9a-f]{8}…\)", sound)
    assert re.match(r"Not verified: event \d+: this does not have the signature of the seat \w+\.", forged), forged
