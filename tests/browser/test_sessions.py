"""A player stays at the seat whatever links of other sites are followed, and whatever is opened in other tabs."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import quote

import pytest
from typing_extensions import override

from events.ids import PUBLIC, MatchId, Seat
from server.web.http.addresses import at_match, of_match
from tests.support.browsing import secret_of
from tests.support.site import Site
from tests.support.soak import few
from tests.support.visitors import Visitors

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


@contextmanager
def foreign_page(target: str) -> Iterator[str]:
    """Serve a page of another site that leads to an address, loads it as a picture and in a frame; yield its own address."""
    text = (
        f'<!doctype html><title>x</title><a href="{target}">in</a><img src="{target}"><iframe src="{target}"></iframe>'
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        @override
        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            # Another host than that of the pages, so that it is another site to the browser.
            yield f"http://localhost:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("seat", few([PUBLIC, GERMAN]))
def test_a_link_of_another_site_does_not_log_a_player_out(place: Site, visitors: Visitors, seat: Seat) -> None:
    match = place.open("battle", seed="3")
    visitor = visitors.new(place)
    visitor.sit(match, GERMAN)
    with foreign_page(f"{place.address}{at_match(match, None, seat)}") as foreign:
        visitor.faults = {403}
        visitor.page.goto(foreign)
        visitor.follow("a")
        visitor.faults = set()
    visitor.problems.clear()
    visitor.look(match, None, GERMAN)

    assert "German" in visitor.text(".viewer")


def test_a_second_seat_in_another_tab_leaves_the_open_page_of_the_first_usable(place: Site, visitors: Visitors) -> None:
    match: MatchId = place.open("battle", seed="3")
    mover = place.owner.legal(match).to_move
    other = next(seat for seat in (GERMAN, RUSSIAN) if seat != mover)
    visitor = visitors.new(place)
    visitor.sit(match, mover)
    before = visitor.shown
    for seat in (other, mover):
        tab = visitor.context.new_page()
        tab.goto(f"{of_match(match, 'sit', seat)}#{quote(secret_of(seat))}")
        if seat == mover:
            # The browser keeps this seat already, and the page says so.
            tab.click("a.main")
        tab.wait_for_url(f"**{at_match(match, None, seat)}")
        tab.close()
    visitor.play_an_option()
    visitor.wait_until(lambda: visitor.page.locator(".where .no").count() == 1 and visitor.shown > before, "not played")

    assert visitor.problems == []


@pytest.mark.long
@pytest.mark.parametrize("fragment", ["main", "100%", "%zz"])
def test_a_fragment_that_is_not_a_secret_does_no_harm(place: Site, visitors: Visitors, fragment: str) -> None:
    """After "Skip to the contents" the address names a part of the page; a link may be cut off in the middle of a code."""
    match = place.open("battle", seed="3")
    visitor = visitors.new(place)
    # What is sent as a secret proves nothing, and is answered with 403.
    visitor.faults = set() if fragment == "main" else {403}
    visitor.go(f"{of_match(match, 'sit', GERMAN)}#{fragment}")
    visitor.page.wait_for_load_state("networkidle")
    is_sent = any(one.endswith("/sit") for one in visitor.asked)

    assert is_sent == (fragment != "main")
    assert visitor.problems == []
