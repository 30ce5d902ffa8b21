"""Rows about costs that must not grow: a command after many private notes, and an audit of a whole store on several cores."""

from contextlib import ExitStack
from pathlib import Path

from core.match.arbitration.note_commands import PRIVATE_NOTES_MAX
from events.codec import encode
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.client import Client
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog
from tests.bench import our_play, raw_store
from tests.bench.commits import timed_commits
from tests.bench.harness import Contestant, Goal, Line, Plan, Row, alternate, anchor, our_figure
from tests.bench.rows_cli import WARDIARY, started

NOTE = encode({"do": "match:note", "text": "seen by all"})
PRIVATE_NOTE = encode({"do": "match:note", "text": "seen by one", "private": True})
COMMANDS = 150
"""How many commands an audited match has at most."""


def opened(client: Client, game: str, seed: str) -> tuple[MatchId, tuple[Seat, ...]]:
    """Open a match and take all its seats."""
    reply = client.open(game, options=our_play.SHORT.get(game, {}), dice="seeded", seed=seed)
    for seat in reply.seats:
        client.take_seat(reply.match, seat, share=False)
    return reply.match, reply.seats


def noting(plan: Plan, private_notes: int) -> Contestant:
    """Write notes in a match with a number of private notes of one seat; the figure is the median in microseconds."""
    client = local_client(MemoryLog())
    match, (seat, *_) = opened(client, our_play.GAME, our_play.SEED)
    for _ in range(private_notes):
        client.play(match, seat, PRIVATE_NOTE)

    def commit() -> int:
        client.play(match, seat, NOTE)
        return 1

    return lambda: {"us": timed_commits(commit, plan.slice_s)["p50"]}


def notes(plan: Plan) -> list[Line]:
    """Measure a command in a match with the maximum number of private notes of a seat, against a match without."""
    samples = alternate({"ours": noting(plan, PRIVATE_NOTES_MAX), "raw": noting(plan, 0)}, plan.runs)
    figure, spread = our_figure(samples, "us")
    return [
        Line(
            "notes",
            f"a command in a match with {PRIVATE_NOTES_MAX:,} private notes",
            "µs",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("the same without", samples, "raw", "us"),
            goals=(Goal("limit", 1.5, 1.15),),
        )
    ]


def many_played(path: Path, count: int) -> None:
    """Store a number of random matches in an empty file."""
    raw_store.remove(path)
    with ExitStack() as closing:
        client = local_client(closing.enter_context(SqliteLog(path)))
        for number in range(count):
            match, _ = opened(client, "battle", str(number))
            for step in our_play.written_down(str(number), COMMANDS, "battle"):
                client.play(match, step.seat, step.command)


def audit_all(plan: Plan) -> list[Line]:
    """Measure `wardiary audit --all` in two processes against one."""
    path = plan.scratch / "audit-all.db"
    count = plan.audited
    many_played(path, count)
    words = [str(WARDIARY), "--store", str(path), "audit", "--all", "--jobs"]
    samples = alternate(
        {"ours": started([*words, "2"], 1, plan.scratch), "raw": started([*words, "1"], 1, plan.scratch)}, plan.runs
    )
    figure, spread = our_figure(samples, "ms")
    return [
        Line(
            "audit-all",
            f"wardiary audit --all of {count} matches in two processes",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("in one process", samples, "raw", "ms"),
            goals=(Goal("limit", 0.9, 0.65),),
        )
    ]


ROWS = (
    Row("notes", "a command beside many private notes", notes),
    Row("audit-all", "an audit of a whole store", audit_all),
)
