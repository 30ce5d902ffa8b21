"""Trials that visitors ask for: a table that fills by itself, within limits, by what a seat knew, and not for nobody."""

import asyncio
from collections.abc import Hashable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

import pytest

from core.errors import KernelError
from events.codec import Decoder
from events.ids import PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.studies.study_entry import LineAdded
from events.transparency.signed_command import SeatSigner
from projections.state.fold import fold
from projections.state.table import Table
from server.client.local import local_client
from server.playouts.trial_process import TriedSoFar, found
from server.web.backend import trial_runs
from server.web.backend.processes.process_runs import Limits, ProcessRuns, Progress, Run
from server.web.pages import study_trials
from tests.support.browsing import Browser, Pages, browsed, played, read, resign, secret_of, words
from tests.support.page_checks import check
from tests.support.served import eventually
from tests.support.sitting import StillClock

GERMAN = Seat("german")
BYTES_MAX = 200_000


class Hall(NamedTuple):
    """Pages, the address of a study of a match that is over, an event after which the German decided, and the entry of a line."""

    pages: Pages
    match: MatchId
    study: str
    at: int
    line: int

    @property
    def path(self) -> str:
        return f"{self.study}?at={self.at}"


async def work_here(runs: "ProcessRuns[Hashable, TriedSoFar]", key: Hashable, lines: bytes) -> None:
    """Try what is wanted in this process, pass by pass; shares of wins are not looked for."""
    if isinstance(key, trial_runs.Moment):
        for told in found(lines.splitlines(keepends=True)):
            runs._keep(key, Run(Progress.DONE, told))


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """A match of Battle that was given up in the middle, with a study of what everybody sees and a line."""
    monkeypatch.setattr(trial_runs, "TIMES", 2)
    monkeypatch.setattr(study_trials, "TIMES", 2)
    monkeypatch.setattr(ProcessRuns, "_work", work_here)
    log, table, decided = MemoryLog(), Table(), list[int]()
    match = played(log, "battle", 13)
    client, signer = local_client(log), SeatSigner(bytes(32))
    for slice_ in client.log(match, PUBLIC):
        fold(slice_.events, table)
        decided += [slice_.last] if table.began and table.top is not None and table.top.seat == GERMAN else []
    study = client.open_study(match, "What if?", author="Ada", signer=signer).study
    resign(client, match)
    fork = client.fork(match, PUBLIC, decided[-2], dice="seeded", seed="4", hidden="truth").match
    line = client.write_study(
        match, study, LineAdded(at=decided[-2], match=fork, name="Another way"), author="Ada", signer=signer
    )
    with browsed(log, playouts_s=60) as (pages, _):
        yield Hall(pages, match, f"/m/{match}/study/{study}", decided[-1], line.number)


def part(page: Element, id_: str) -> str:
    """Return the words of a part of a page; empty if it is not there."""
    check(page)
    return "".join(words(one) for one in page.iter() if one.get("id") == id_)


def send(browser: Browser, hall: Hall, do: str, **fields: str) -> int:
    sent = {"token": browser.token(f"/m/{hall.match}/sit"), "at": str(hall.at), "do": do, **fields}
    return browser.post(hall.study, sent).status_code


def test_a_reader_has_options_tried_and_keeps_the_table(hall: Hall) -> None:
    """What a hand holds is the seat's to try, by what it knew; everybody is told why not."""
    browser, stranger = hall.pages.browser(), hall.pages.browser()
    browser.sit(hall.match, GERMAN, secret_of(GERMAN))
    before = part(read(browser.get(hall.path)), "tried")
    marked = {"o.1": "1", "o.2": "1"}
    begun = send(browser, hall, "try", **marked)
    eventually(lambda: "2 games each" in part(read(browser.get(hall.path)), "tried"), "no trial is made")
    kept = send(browser, hall, "keep", seat=GERMAN)
    page = stranger.get(hall.path)

    assert "Try each 2 times" in before
    assert (begun, kept) == (303, 303)
    assert len(page.content) < BYTES_MAX
    assert "2 games each" in words(read(page))
    assert part(read(page), "tried") == ""
    assert "who has proved this seat can have its options tried" in words(read(page))
    assert [send(one, hall, "try", **asked) for one, asked in ((stranger, marked), (browser, {}))] == [409, 409]


def test_two_lines_are_compared_from_where_they_part(hall: Hall) -> None:
    reader = hall.pages.browser()
    path = f"{hall.path}&compare={hall.line}"
    before = part(read(reader.get(path)), "compared")
    begun = send(reader, hall, "compare", compare=str(hall.line))
    eventually(lambda: "2 games each" in part(read(reader.get(path)), "compared"), "no trial is made")
    told = part(read(reader.get(path)), "compared")

    assert before.startswith("Compare As played and Another wayThey part at event")
    assert begun == 303
    assert told.count("As played") == 3
    assert "Not enough to tell" in told


def test_what_nobody_looks_at_is_not_begun() -> None:
    """It waits for its turn, and meanwhile everybody leaves."""

    async def left() -> tuple[Progress, Progress]:
        clock = StillClock()
        limits = Limits(asked=2, asked_per_s=1, waiting_max=2, kept_max=2, limit_s=60, left_s=30)
        runs: ProcessRuns[str, TriedSoFar] = ProcessRuns(clock, "no.program", Decoder(TriedSoFar), limits)

        async def long() -> bytes:
            clock.sleep(31)
            raise KernelError("it takes long")

        async def lines() -> bytes:
            raise AssertionError("it is not begun")

        runs.asked("long", "10.0.0.1", long)
        first = runs.asked("table", "10.0.0.1", lines).progress
        await asyncio.gather(*runs.tasks.values())
        return first, runs.known("table").progress

    assert asyncio.run(left()) == (Progress.WAITING, Progress.ABSENT)
