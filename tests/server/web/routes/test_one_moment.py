"""What a page tells is of one moment, also if the match goes on while the page is made."""

import pytest

from events.ids import Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import Reply
from server.protocol.wire import CommitsRequest, Request
from server.web.backend.gateway import Gateway
from tests.support.browsing import browsed, found, played, read, resign, secret_of, words
from tests.support.served import client_of

GERMAN = Seat("german")


def test_the_head_on_a_page_is_that_of_the_last_event_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    match = played(log, "advance", 4)
    resign(local_client(log), match)
    before, ask = log.head(match), Gateway.ask
    with browsed(log) as (pages, broker), client_of(broker) as player:
        player.add_token(match, GERMAN, secret_of(GERMAN))

        async def overtaken(gateway: Gateway, request: Request) -> Reply:
            if isinstance(request, CommitsRequest):
                player.play(match, GERMAN, {"do": "match:note", "text": "meanwhile"})
            return await ask(gateway, request)

        monkeypatch.setattr(Gateway, "ask", overtaken)
        page = read(pages.browser().get(f"/m/{match}"))

    (evidence,) = [one for one in page.iter() if one.get("id") == "evidence"]
    assert log.head(match).seq > before.seq
    assert f"Events{before.seq}, the last one" in words(evidence)
    assert before.hash in [one.get("title") for one in evidence.iter()]
    assert found(page, "div", "verify") != []
