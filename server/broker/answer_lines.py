"""The lines of the operator's log about commits and replies."""

from server.broker.waiting import Asked
from server.desk.pipeline_parts import Answers
from server.protocol.errors import OUTCOME_UNKNOWN, STORE_UNAVAILABLE
from server.protocol.logger import Logger
from server.protocol.replies import FailedReply, PlayedReply
from server.protocol.wire import SeatRequest

OF_THE_STORE = frozenset({STORE_UNAVAILABLE, OUTCOME_UNKNOWN})
"""The codes of failures that are neither the client's nor a match's: an operator has to see to the store."""


def log_answers(logger: Logger, answers: Answers[Asked]) -> None:
    """Log the commits that were stored, the requests that failed and, for debugging, the others."""
    lines: list[dict[str, str | int]] = [
        {"match": one.match, "seq": one.commit.last, "seat": one.commit.seat, "id": one.request_id}
        for one in answers.committed
    ]
    if lines:
        logger.info_each("committed", lines)
    for asked, reply in answers.replies:
        if isinstance(reply, FailedReply):
            client = asked.request
            fields = {"match": client.match, "seat": client.seat} if isinstance(client, SeatRequest) else {}
            if reply.code in OF_THE_STORE:
                logger.warning("failed", code=reply.code, id=reply.id, **fields, problem=reply.message)
                continue
            rule = {"refusal": reply.refusal, "rule": reply.rule} if reply.refusal else {}
            logger.info("failed", code=reply.code, id=reply.id, **fields, **rule)
        elif not isinstance(reply, PlayedReply):
            logger.debug("answered", ask=type(asked.request).__name__, id=reply.id)
