"""Audits that visitors made through these pages: the last one of each match, as long as the pages run.

The evidence is fetched from the broker as for any client that may have it, and audited in a process of its own.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple

from core.audit.audit_report import AuditReport
from core.audit.verdicts import BROKEN, HOLDS, OTHER_RULES, UNCHECKED, Audited
from events.codec import Decoder
from events.ids import MatchId, Seat
from server.protocol.clock import Clock
from server.web.backend.gateway import Caller
from server.web.backend.match_evidence import archive
from server.web.http.faults import Fault, PageFault

AUDITS_MAX = 10_000
"""How many matches are remembered with their last audit."""
AUDIT_S = 120.0
"""How long an audit may take (seconds)."""
RETRY_AUDIT_S = 10.0
"""After how long to try again while another audit is made (seconds)."""
VERDICTS = {
    HOLDS: "clean",
    BROKEN: "does not hold",
    UNCHECKED: "not wholly checked",
    OTHER_RULES: "chain and dice hold, played under other rules",
}
"""The verdicts in words."""

_REPORT: Decoder[AuditReport] = Decoder(AuditReport)


class Audit(NamedTuple):
    """An audit.

    Attributes:
        report: What it found.
        at: When the evidence for it was fetched, in milliseconds since 1970 (UTC).
        by: Who asked for it, as everybody may know.
    """

    report: AuditReport
    at: int
    by: str

    @property
    def verdict(self) -> str:
        """The verdict on all checks together, in words."""
        return VERDICTS[Audited(report=self.report).verdict]


class Audits:
    """Audits by match; one is made at a time.

    Args:
        clock: Tells when an audit is made.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._last: OrderedDict[MatchId, Audit] = OrderedDict()

    @property
    def is_busy(self) -> bool:
        """Whether an audit is being made."""
        return self._turn.locked()

    def last(self, match: MatchId) -> Audit | None:
        """Return the last audit of a match."""
        return self._last.get(match)

    async def make(self, caller: Caller, match: MatchId, seat: Seat, by: str) -> None:
        """Audit a match, once no other one is audited, and remember the result.

        Args:
            caller: The visitor who asks for it.
            match: The match.
            seat: As whom the visitor sees it.
            by: Who that is, as everybody may know.

        Raises:
            RequestFailed: The evidence is not for this seat, or damaged.
            PageFault: It takes too long or fails.
        """
        async with self._turn:
            # What is appended from now on may not be audited.
            at = self._clock.now_ms()
            report = await _audited(await archive(caller, match, seat))
            self._last[match] = Audit(report, at, by)
            self._last.move_to_end(match)
            while len(self._last) > AUDITS_MAX:
                self._last.popitem(last=False)


async def _audited(lines: bytes) -> AuditReport:
    """Audit an archive in a process of its own.

    Raises:
        PageFault: It takes too long, or fails.
    """
    try:
        return _REPORT.decode(await printed_by(f"{__package__}.processes.audit_process", lines, AUDIT_S))
    except ProcessFailed as error:
        advice = "Download the archive and audit it with wardiary audit FILE."
        title = "The audit takes too long" if error.is_late else "The audit failed"
        raise PageFault(
            Fault(504 if error.is_late else 500, title, f"The server could not finish the audit: {error}.", advice)
        ) from None


class ProcessFailed(Exception):
    """A process took too long, or failed.

    Args:
        why: What happened.
        is_late: Whether it took too long.
    """

    def __init__(self, why: str, *, is_late: bool = False) -> None:
        super().__init__(why)
        self.is_late = is_late


async def printed_by(module: str, given: bytes, limit_s: float) -> bytes:
    """Run a module in a process of its own, and return what it prints.

    Args:
        module: Its name.
        given: What it gets on standard input.
        limit_s: How long it may take (seconds).

    Raises:
        ProcessFailed: It takes too long, or fails.
    """
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, stdin=PIPE, stdout=PIPE)
    try:
        printed, _ = await asyncio.wait_for(process.communicate(given), limit_s)
    except TimeoutError:
        raise ProcessFailed(f"it took more than {limit_s:.0f} seconds", is_late=True) from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.returncode:
        raise ProcessFailed("the program ended with an error")
    return printed
