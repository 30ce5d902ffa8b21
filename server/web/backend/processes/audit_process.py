"""Audits the archive on standard input in a process of its own, which a long match keeps busy, and prints the report as JSON."""

import sys
from collections.abc import Iterable

from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from events.archive_reader import read_archive, store_archive
from events.codec import encode
from events.memory_log import MemoryLog


def audited(lines: Iterable[bytes]) -> AuditReport:
    """Audit an archive.

    Args:
        lines: Its lines, each with its line feed.

    Raises:
        ArchiveError: It is not exactly what was exported.
    """
    log = MemoryLog()
    return audit_match(log, store_archive(read_archive(lines), log).match)


if __name__ == "__main__":
    sys.stdout.buffer.write(encode(audited(sys.stdin.buffer)))
