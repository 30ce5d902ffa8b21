"""Matches of many events, made without playing them."""

from core.match.player_commands import AddNote
from events.codec import Raw, encode
from events.commit import Commit, chain_hash, encode_commit
from events.ids import MatchId, RuleId, Seat
from events.log import Log, NewCommit
from events.vocabulary import Event, NoteAdded

NOTE = RuleId("match.note")


def lengthen(log: Log, match: MatchId, seat: Seat, events: int, *, at: int = 1_700_000_000_000, by: int = 1) -> None:
    """Add notes of a seat to a match until it has so many events; those of one commit say the same.

    Args:
        log: Holds the match.
        match: The match.
        seat: One of its seats.
        events: How many events the match has in the end.
        at: When all of them were written (milliseconds since 1970).
        by: How many events a commit has.
    """
    head = log.head(match)
    seq, prev = head.seq, head.hash
    batch: list[NewCommit] = []
    while seq < events:
        last = min(seq + by, events)
        text = f"note {last}"
        notes: tuple[Event, ...] = (NoteAdded(rule=NOTE, seat=seat, text=text),) * (last - seq)
        command = Raw(encode(AddNote(text=text)))
        commit = Commit(
            match=match, first=seq + 1, prev=prev, at=at, seat=seat, key=f"{seq}", command=command, events=notes
        )
        body = encode_commit(commit)
        seq, prev = commit.last, chain_hash(body)
        batch.append(NewCommit(match, commit.first, commit.last, commit.key, prev, body))
    log.append(batch)
