"""Checks studies apart from their matches: one in a file that a stranger was given, and those beside a match that is audited."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from cli.commands.records.archives import evidence_seat
from cli.commands.records.study import named_entries
from cli.schemas.studies import StudyCheckedShape, StudyFileShape, StudyWriter
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import input_output, usage
from cli.shell.input_files import read_bytes
from core.wording import counted
from events.errors import BrokenStudy, LogError, ProofInvalid
from events.ids import MatchId, Seat, StudyId
from events.studies.study_entry import StudyEntry, StudyOpened, checked_entries, entry_hash, named_in
from server.store.whole_file import check_output, write_whole

BEGINS = b'{"match":'
"""What a file of a study begins with."""

STDOUT = "-"


def export_study(context: Context, what: str, file: str, seat: str, *, is_forced: bool) -> None:
    """Write the entries of a study to a file as they were written, a line each, with their signatures.

    Raises:
        UserError: There is no such study that the seat may read.
        BrokenStudy: It is damaged; nothing is written.
        OutputRefused: What is in place of the file stays.
    """
    if file != STDOUT:
        check_output(Path(file), "archives", may_replace=is_forced)
    reply = named_entries(context, what, seat)
    bodies = [bytes(one) for one in reply.entries]
    checked_entries(reply.match, reply.study, bodies)
    lines = [body + b"\n" for body in bodies]
    if file == STDOUT:
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return
    write_whole(Path(file), lines, "archives", is_private=True, may_replace=is_forced)
    shape = StudyFileShape(
        match=reply.match, study=reply.study, file=file, entries=len(bodies), head=entry_hash(bodies[-1])
    )
    said = f"{reply.match}/{reply.study}: {counted(len(bodies), 'entry', 'entries')} to {shown_file(file)}"
    context.print_result(shape, [said])


def study_in(file: str) -> bool:
    """Return whether a file holds the entries of a study."""
    with suppress(OSError), Path(file).open("rb") as stream:
        return stream.read(len(BEGINS)) == BEGINS
    return False


def verify_study(context: Context, file: str, players: Mapping[Seat, set[str]]) -> None:
    """Check the chain and the signatures of a study in a file, and print who has written it.

    Args:
        context: The run of the verb.
        file: The file.
        players: The keys of seats, as far as they are known.

    Raises:
        UserError: The file does not hold a study, or a seat that is named wrote nothing in it.
        BrokenStudy: An entry is not what was written.
        ProofInvalid: A seat wrote with another key than was named, or without one.
    """
    bodies = [line for line in read_bytes(file).split(b"\n") if line]
    named = named_in(bodies[0])
    if named is None:
        raise input_output(
            f"{shown_file(file)}: line 1 is not an entry of a study, as `export MATCH/STUDY FILE` writes them"
        )
    shape = checked_study(*named, bodies)
    context.print_result(shape, _told(shape))
    for seat, keys in players.items():
        _compare(shape, seat, keys)


def _compare(shape: StudyCheckedShape, seat: Seat, keys: set[str]) -> None:
    own = [one for one in shape.writers if one.seat == seat]
    if not own:
        raise usage(f"--player names the seat {seat}, which wrote nothing in this study", "unknown_seat")
    for one in own:
        if not one.key:
            raise ProofInvalid(f"the seat {seat} did not sign {counted(one.entries, 'entry', 'entries')}")
        if one.key not in keys:
            raise ProofInvalid(f"the seat {seat} signed with the key {one.key}, which you did not name")


def checked_study(match: MatchId, study: StudyId, bodies: Sequence[bytes]) -> StudyCheckedShape:
    """Check the entries of a study.

    Raises:
        BrokenStudy: One is not what was written.
    """
    entries = checked_entries(match, study, bodies)
    opened = entries[0].said if entries else None
    wrote = Counter((one.author, one.seat, one.key) for one in entries)
    return StudyCheckedShape(
        match=match,
        study=study,
        title=opened.title if isinstance(opened, StudyOpened) else "",
        entries=len(entries),
        signed=_signed(entries),
        head=entry_hash(bodies[-1]),
        writers=tuple(
            [StudyWriter(name=name, seat=seat, key=key, entries=count) for (name, seat, key), count in wrote.items()]
        ),
    )


def _signed(entries: Sequence[StudyEntry]) -> int:
    return sum(1 for one in entries if one.key)


def _told(shape: StudyCheckedShape) -> Iterator[str]:
    count = counted(shape.entries, "entry", "entries")
    yield f"Study {shape.match}/{shape.study} holds: {shape.title}, {count}, each of which names the one before it."
    for one in shape.writers:
        who = f"{one.name} ({one.seat})" if one.seat else one.name
        signed = f"signed with the key {one.key}" if one.key else "not signed: who wrote this is the word of a server"
        yield f"{who}: {counted(one.entries, 'entry', 'entries')}, {signed}"
    yield (
        "Not proved: that nothing came after the last entry, when each was written, and whose a key is; "
        "compare it with what its owner says (wardiary keys own), or name it with --player SEAT=HEX."
    )
    yield f"Head {shape.head}"


def audit_studies(context: Context, match: MatchId) -> list[BrokenStudy]:
    """Check the studies of a match of the store, or those that a server shows, print what was found, and return the defects.

    Of a match that cannot be read its audit tells.
    """
    found: list[BrokenStudy] = []
    with suppress(LogError):
        for study, bodies in _studies(context, match):
            try:
                shape = checked_study(match, study, bodies)
            except BrokenStudy as error:
                found.append(error)
                shape = StudyCheckedShape(match=match, study=study, problem=f"entry {error.number}: {error.problem}")
            context.print_result(shape, [_audited(shape)])
    return found


def _studies(context: Context, match: MatchId) -> Iterator[tuple[StudyId, Sequence[bytes]]]:
    if not context.address:
        for study in context.log.studies(match):
            yield study, context.log.study(match, study)
        return
    seat = evidence_seat(context, match)
    for one in context.client.studies(match, seat).studies:
        yield one.study, [bytes(body) for body in context.client.study(match, one.study, seat).entries]


def _audited(shape: StudyCheckedShape) -> str:
    name = f"Study {shape.match}/{shape.study}"
    if shape.problem:
        return f"{name} does not hold: {shape.problem}."
    return f"{name} holds: {counted(shape.entries, 'entry', 'entries')}, {shape.signed} signed."
