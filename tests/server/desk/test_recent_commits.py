"""The last commits of a match, as they are read when it is loaded."""

from collections.abc import Iterator

import pytest
from typing_extensions import override

from core.match import recent_commits
from core.match.live_match import load_match
from events.ids import MatchId
from events.log import Stored
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.skirmish import RED

NOTES = 60


class CountingLog(MemoryLog):
    """Counts how often it is read, which costs a store on other machines several questions each time."""

    count = 0

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        self.count += 1
        return super().read(match, after, upto)


@pytest.mark.interpreted
def test_a_long_row_of_notes_is_read_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_commits, "LATEST", 2)
    log = CountingLog()
    client = local_client(log)
    match = client.open("skirmish", dice="seeded", seed="1").match
    for seat in client.state(match).table.seats:
        client.take_seat(match, seat, share=False)
    for number in range(NOTES):
        client.play(match, RED, {"do": "match:note", "text": f"note {number}"})
    log.count = 0
    load_match(log, match)

    assert log.count < 10
