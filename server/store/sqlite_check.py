"""Checks that a SQLite store still finds everything that it acknowledged.

The chain check cannot detect that the end of a match is missing, and a damaged index page makes rows disappear without an
error. So the results of both indexes are compared with each other, and with the event numbers in snapshots and summaries, which
are made of acknowledged commits only. A whole store is compared row by row.
"""

from events.commit import Head
from events.errors import BrokenEvidence, LogError, StoreDamaged
from server.store.sql.rows import Branch, cut_short
from server.store.sql.sql_reader import Ask, changed_attachments

_COUNTS = """SELECT * FROM
    (SELECT count(*), max(number) FROM commits INDEXED BY commits_in_order WHERE match = ?1),
    (SELECT count(*), max(number) FROM commits INDEXED BY commits_by_key WHERE match = ?1)"""
_REACHED = """SELECT max(
    coalesce((SELECT max(seq) FROM snapshots WHERE match = ?1), 0),
    coalesce((SELECT seq FROM summaries WHERE match = ?1), 0))"""
_IN_ORDER = "SELECT number, first FROM commits INDEXED BY commits_in_order WHERE match = ?"
_BY_KEY = "SELECT number, first FROM commits INDEXED BY commits_by_key WHERE match = ?"

LINES_MAX = 100
"""The largest number of lines about one kind of damage; a badly damaged file would give one for every row."""

# Each finding is named by the id of a match and an event, or by the number of a row.
_CHECKS = (
    (
        """SELECT commits.number, commits.first FROM commits NOT INDEXED
        LEFT JOIN matches ON matches.number = commits.match WHERE matches.number IS NULL LIMIT ?""",
        "row {} of the commits, event {}, belongs to no match",
    ),
    (
        "SELECT id FROM matches WHERE number NOT IN (SELECT match FROM commits NOT INDEXED) LIMIT ?",
        "match {}: it has no commits of its own",
    ),
    (
        """SELECT id, expected, first FROM (
            SELECT id, first, coalesce(lag(last) OVER (PARTITION BY match ORDER BY commits.number), seq) + 1 AS expected
            FROM commits NOT INDEXED JOIN matches ON matches.number = commits.match)
        WHERE first IS NOT expected LIMIT ?""",
        "match {}, event {}: the next row begins with event {}",
    ),
    (
        """SELECT id, ends + 1, reached FROM (
            SELECT id, (SELECT max(last) FROM commits WHERE match = matches.number) AS ends, max(
                coalesce((SELECT max(seq) FROM snapshots WHERE match = matches.number), 0),
                coalesce((SELECT seq FROM summaries WHERE match = matches.number), 0)) AS reached
            FROM matches)
        WHERE reached > ends LIMIT ?""",
        "match {}, event {}: this event is missing, and the match had {} events at least",
    ),
    (
        """SELECT number, commit_number FROM entries
        WHERE commit_number NOT IN (SELECT number FROM commits NOT INDEXED) LIMIT ?""",
        "entry {} of the server's log is of commit {}, which is missing",
    ),
)


def known_upto(ask: Ask, branch: Branch) -> int:
    """Return the last event that snapshots and the summary of a match know of; 0 without any.

    It must be asked for before the end of the match is: another process may append, and save a snapshot, in between.
    """
    ((reached,),) = ask(_REACHED, (branch.number,))
    return reached if isinstance(reached, int) else 0


def check_reached(branch: Branch, head: Head, known: int) -> None:
    """Check that a match does not end before its snapshots and summary.

    Args:
        branch: The match.
        head: Its end, as found by the index in order.
        known: The result of `known_upto` before that.

    Raises:
        BrokenEvidence: It ends earlier.
    """
    if known > head.seq:
        raise cut_short(branch.match, head.seq, known)


def check_whole(ask: Ask, branch: Branch, head: Head) -> None:
    """Check that both indexes find the same commits of a match.

    Args:
        ask: Fetches rows.
        branch: The match.
        head: Its end, as found by the index in order.

    Raises:
        BrokenEvidence: Something is missing.
    """
    ((count, last, keys, last_key),) = ask(_COUNTS, (branch.number,))
    if (count, last) != (keys, last_key):
        in_order, by_key = set(ask(_IN_ORDER, (branch.number,))), set(ask(_BY_KEY, (branch.number,)))
        first = min([first for _, first in in_order ^ by_key if isinstance(first, int)], default=head.seq + 1)
        lost = "in order" if any(row[1] == first for row in by_key) else "by its key"
        raise BrokenEvidence(
            branch.match, first, f"the store does not find this commit {lost}: one of its indexes is damaged"
        )


def check_store(ask: Ask) -> list[str]:
    """Compare the pages, the rows and both indexes of a whole store.

    Returns:
        The problems, one line each, at most `LINES_MAX` of a kind.
    """
    found: list[str] = []
    try:
        for (text,) in ask(f"PRAGMA integrity_check({LINES_MAX})", ()):
            # One row may hold a heading and many lines.
            found += [line for line in str(text).splitlines() if line != "ok" and not line.startswith("***")]
        for statement, said in _CHECKS:
            found += [said.format(*row) for row in ask(statement, (LINES_MAX,))]
        found += changed_attachments(ask)
    except StoreDamaged as error:
        found.append(error.problem)
    except LogError as error:
        found.append(str(error))
    return found
