"""Matches of a log with a sound chain whose contents are not sound: what a foreign archive or a forger may bring."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from events.codec import DecodeError, encode
from events.commit import GENESIS, chain_hash, decode_commit, encode_commit
from events.ids import MatchId
from events.log import Log, NewCommit

Change = Callable[[dict[str, Any]], None]


def at(ms: int) -> Change:
    """Return what gives each commit this time."""
    return lambda commit: commit.update(at=ms)


def each(event_kind: str, **fields: object) -> Change:
    """Return what gives each event of a kind other fields."""

    def change(commit: dict[str, Any]) -> None:
        for event in commit["events"]:
            if event["event"].startswith(f"{event_kind}/"):
                event.update(fields)

    return change


TIMES: Mapping[str, Change] = {
    "year-10000": at(253_402_300_800_000),
    "year-0": at(-62_135_596_800_001),
    "latest": at(2**63 - 1),
    "earliest": at(-(2**63)),
}
"""Times that no calendar has."""

BAD: Mapping[str, Change] = {
    **TIMES,
    "unknown-game": each("match-opened", game="nogame"),
    "unknown-board": each("match-opened", board="ab" * 32),
    "unknown-scenario": each("match-opened", scenario="none", mode="none"),
    "unknown-event": each("decision-opened", event="nothing/1"),
    "unknown-piece": each("piece-moved", piece="nothing/77"),
    "unknown-place": each("piece-moved", to="nowhere"),
    "unknown-decision": each("decision-opened", kind="nothing"),
    "unknown-phase": each("phase-began", phase="nothing"),
    "no-arguments": each("decision-opened", arguments={}),
    "late-round": each("round-began", number=10**15),
}


def copy_as(log: Log, to: Log, match: MatchId, new: str, change: Change | None = None) -> MatchId:
    """Copy a match under another id, with changes, and chain it anew."""
    prev, batch = GENESIS, list[NewCommit]()
    for stored in log.read(match):
        commit = {**json.loads(stored.body), "match": new, "prev": prev}
        if change is not None:
            change(commit)
        body = encode(commit)
        # What is no commit is stored as it is.
        with suppress(DecodeError):
            body = encode_commit(decode_commit(body))
        prev = chain_hash(body)
        batch.append(NewCommit(MatchId(new), stored.first, stored.last, stored.key, prev, body))
    to.append(batch)
    return MatchId(new)
