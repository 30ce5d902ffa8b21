"""The operator's log tells failures of the store as warnings, with their reason, and those of requests as information."""

import io
import json

from events.ids import MatchId, Seat
from server.broker.answer_lines import log_answers
from server.broker.json_logger import JsonLogger
from server.broker.waiting import Asked
from server.desk.pipeline_parts import Answers
from server.protocol.replies import FailedReply
from server.protocol.wire import StateRequest
from tests.support.rows import each_row
from tests.support.sitting import StillClock


@each_row(
    ("code", "level", "rest"),
    [
        ("store_unavailable", "warning", {"problem": "it is locked"}),
        ("outcome_unknown", "warning", {"problem": "it is locked"}),
        ("unknown_match", "info", {}),
    ],
)
def test_a_failure_of_the_store_is_a_warning(code: str, level: str, rest: dict[str, str]) -> None:
    lines = io.BytesIO()
    request = StateRequest(id="r-1", match=MatchId("m1"), seat=Seat("red"))
    reply = FailedReply(id="r-1", code=code, message="it is locked")
    log_answers(JsonLogger(lines, StillClock()), Answers([(Asked((), request), reply)], []))
    line = json.loads(lines.getvalue())
    del line["at"]

    assert line == {"level": level, "what": "failed", "code": code, "id": "r-1", "match": "m1", "seat": "red", **rest}
