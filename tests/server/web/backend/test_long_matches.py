"""A match of any length has a page: it is read part by part, and what was read is kept when a visitor has waited long enough."""

import asyncio
import re
from collections.abc import Mapping

import pytest

from core.telling.names import IdsOnly, Names
from events.ids import GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from projections.catalogue import MatchSummary
from server.protocol.errors import TimedOut
from server.protocol.replies import Reply
from server.protocol.wire import Request, StateRequest
from server.web.backend import fork_names as line_names
from server.web.backend.fork_names import ForkNames
from server.web.backend.gateway import Gateway
from server.web.routes import request_context
from tests.support.browsing import browsed, played
from tests.support.long_matches import lengthen

GERMAN = Seat("german")
LONG = 10_000


def test_a_long_match_is_read_on_with_every_request(monkeypatch: pytest.MonkeyPatch) -> None:
    # It takes a second, because so many events have to be read and told once.
    monkeypatch.setattr(request_context, "WAIT_S", 0.0)
    log = MemoryLog()
    match = played(log, "battle", 3)
    lengthen(log, match, GERMAN, LONG)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        answers = [browser.get(f"/m/{match}")]
        while answers[-1].status_code == 503 and len(answers) < LONG // 500:
            answers.append(browser.get(f"/m/{match}"))
        *waiting, last = answers
    read = [re.search(r"([\d,]+) of its 10,000 events have been read", one.text) for one in waiting]
    counts = [int(one[1].replace(",", "")) for one in read if one is not None]

    assert len(counts) == len(waiting) > 1
    assert counts == sorted(set(counts))
    assert {(one.headers["refresh"], one.headers["retry-after"]) for one in waiting} == {("1", "1")}
    assert last.status_code == 200
    assert f"note {LONG}" in last.text


def test_a_page_asks_for_no_table_which_takes_the_broker_as_long_as_the_match_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = MemoryLog()
    match = played(log, "battle", 3)
    sent: list[Request] = []
    ask = Gateway.ask

    async def noted(gateway: Gateway, request: Request) -> Reply:
        sent.append(request)
        return await ask(gateway, request)

    monkeypatch.setattr(Gateway, "ask", noted)
    with browsed(log) as (pages, _):
        assert pages.browser().get(f"/m/{match}").status_code == 200

    assert sent != []
    assert not [one for one in sent if isinstance(one, StateRequest)]


class Slow:
    """A caller whose broker never answers."""

    async def state(self, match: MatchId, seat: Seat, *, at: int) -> Reply:
        """Wait for ever for the table of one match, and find another one gone."""
        if match == "slow":
            await asyncio.Event().wait()
        raise TimedOut("no reply")


def test_a_page_does_not_wait_for_the_names_of_lines_that_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_names, "WAIT_S", 0.05)
    lines = [
        MatchSummary(MatchId(match), GameKey("battle"), "standard", 9, (GERMAN,), parent=MatchId("m"), forked_at=5)
        for match in ("slow", "gone")
    ]

    async def named() -> Mapping[MatchId, str]:
        return await ForkNames().of(Slow(), lines, Names(IdsOnly(GameKey("battle"))))  # type: ignore[arg-type]

    assert asyncio.run(named()) == {}
