"""Studies at a desk: who reads and writes them, two writers at once, and what is repeated."""

import pytest

from events.codec import Raw, encode, replace
from events.ids import ARBITER, NO_SEAT, PUBLIC, Digest, Seat, StudyId
from events.studies.study_entry import AnySaid, CommentWritten, LineAdded, StudyOpened
from events.transparency.signed_command import SeatSigner
from server.client.study_calls import signed_entry
from server.protocol.replies import FailedReply, OpenedReply, PlayedReply, StudiesReply, StudyReply, WrittenReply
from server.protocol.wire import ForkRequest, PlayRequest, StudiesRequest, StudyRequest, WriteStudyRequest
from tests.support.sitting import Sitting
from tests.support.skirmish import BLUE, RED

STUDY = StudyId("aaaaaaaa")
EVE, ANN = SeatSigner(bytes(32), "eve"), SeatSigner(bytes(32), "ann")
FIRST = Digest("")
TITLE = "What I would have done"


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


def entry(
    sitting: Sitting,
    said: AnySaid,
    seat: Seat = PUBLIC,
    *,
    number: int = 1,
    previous: Digest = FIRST,
    signer: SeatSigner | None = EVE,
) -> WriteStudyRequest:
    token = sitting.tokens.get(seat, "")
    request = WriteStudyRequest(
        match=sitting.match, seat=seat, token=token, study=STUDY, number=number, previous=previous, author="Eve",
        said=said,
    )  # fmt: skip
    return signed_entry(request, signer)


def opened(sitting: Sitting, seat: Seat = PUBLIC) -> Digest:
    return sitting.ask(entry(sitting, StudyOpened(title=TITLE, view=seat), seat), WrittenReply).hash


def reads(sitting: Sitting, seat: Seat) -> bool:
    token = sitting.tokens.get(seat, "")
    reply = sitting.desk.handle(StudyRequest(match=sitting.match, seat=seat, token=token, study=STUDY))
    listed = sitting.ask(StudiesRequest(match=sitting.match, seat=seat, token=token), StudiesReply).studies
    is_there = isinstance(reply, StudyReply)
    assert is_there == bool(listed)
    assert is_there or (
        isinstance(reply, FailedReply) and (reply.code, TITLE in reply.message) == ("unknown_study", False)
    )
    return is_there


def resign(sitting: Sitting) -> None:
    sitting.play(Raw(encode({"do": "match:resign"})), BLUE)


def test_a_study_of_a_seat_is_its_own_until_the_match_and_its_parents_are_over(sitting: Sitting) -> None:
    opened(sitting, RED)
    while_running = [seat for seat in (PUBLIC, RED, BLUE, ARBITER) if reads(sitting, seat)]
    resign(sitting)

    assert while_running == [RED, ARBITER]
    assert all(reads(sitting, seat) for seat in (PUBLIC, RED, BLUE, ARBITER))


def test_a_fork_that_is_over_keeps_its_studies_while_its_parent_runs(sitting: Sitting) -> None:
    token = sitting.tokens[ARBITER]
    asked = ForkRequest(match=sitting.match, seat=ARBITER, token=token, key="fork", at=sitting.state(ARBITER).seq)
    fork = sitting.ask(asked, OpenedReply).match
    of_arbiter = replace(entry(sitting, StudyOpened(title=TITLE, view=ARBITER), ARBITER, signer=None), match=fork)
    sitting.ask(of_arbiter, WrittenReply)
    annul = Raw(encode({"do": "match:annul", "reason": "tried"}))
    sitting.ask(PlayRequest(match=fork, seat=ARBITER, token=token, command=annul), PlayedReply)

    assert sitting.fail(StudyRequest(match=fork, study=STUDY)) == "unknown_study"
    resign(sitting)
    assert sitting.ask(StudyRequest(match=fork, study=STUDY), StudyReply).count == 1


def test_who_opened_it_and_the_seats_write_and_nobody_else(sitting: Sitting) -> None:
    previous = opened(sitting)
    comment = CommentWritten(at=1, text="so")
    refused = [
        sitting.fail(entry(sitting, comment, number=2, previous=previous, signer=signer)) for signer in (None, ANN)
    ]
    for number, (seat, signer) in enumerate(((PUBLIC, EVE), (RED, ANN), (BLUE, None)), start=2):
        request = entry(sitting, comment, seat, number=number, previous=previous, signer=signer)
        previous = sitting.ask(request, WrittenReply).hash

    assert refused == ["not_your_seat"] * 2
    assert sitting.fail(replace(entry(sitting, comment, RED), token="x" * 40)) == "bad_token"
    unsigned = entry(sitting, StudyOpened(title=TITLE, view=PUBLIC), signer=None)
    assert sitting.fail(replace(unsigned, study=StudyId("bbbbbbbb"))) == "not_your_seat"
    of_red = entry(sitting, StudyOpened(title=TITLE, view=RED), BLUE)
    assert sitting.fail(replace(of_red, study=StudyId("bbbbbbbb"), public_key="", signature="")) == "not_your_seat"


def test_the_second_of_two_writers_is_told_and_a_repeated_entry_is_written_once(sitting: Sitting) -> None:
    previous = opened(sitting)
    one, other = (entry(sitting, CommentWritten(at=1, text=text), number=2, previous=previous) for text in "ab")
    first = sitting.ask(one, WrittenReply)
    sitting.clock.ms += 1_000
    again = sitting.ask(one, WrittenReply)
    lost = sitting.ask(other, FailedReply)

    assert (again.hash, again.repeated, first.repeated) == (first.hash, True, False)
    assert (lost.code, lost.expected, lost.actual) == ("lost_race", 1, 2)
    behind = entry(sitting, CommentWritten(at=1, text="b"), number=3, previous=previous)
    assert sitting.fail(behind) == "lost_race"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"signature": "A" * 86 + "=="}, "malformed"),
        ({"public_key": "zz" * 32}, "malformed"),
        ({"public_key": ANN.public_key}, "malformed"),
        ({"author": "Ann"}, "malformed"),
        ({"author": ""}, "malformed"),
        ({"study": StudyId("short")}, "malformed"),
        ({"study": StudyId("bbbbbbbb")}, "malformed"),
        ({"said": StudyOpened(title=TITLE, view=PUBLIC)}, "malformed"),
        ({"number": 7, "public_key": "", "signature": "", "seat": RED}, "lost_race"),
        ({"said": LineAdded(at=1, match=Digest("x"), name="x"), "public_key": "", "signature": "", "seat": RED}, "unknown_match"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_has_its_code(sitting: Sitting, change: dict[str, object], code: str) -> None:
    previous = opened(sitting)
    request = entry(sitting, CommentWritten(at=1, text="so"), number=2, previous=previous)
    seat = change.get("seat", PUBLIC)
    assert isinstance(seat, str)

    assert sitting.fail(replace(request, token=sitting.tokens.get(Seat(seat), ""), **change)) == code


def test_events_are_counted_by_who_reads(sitting: Sitting) -> None:
    """Red picks in secret, so that red has seen more events than the public."""
    last = sitting.state(RED).seq
    previous = opened(sitting, RED)
    sitting.ask(entry(sitting, CommentWritten(at=last, text="so"), RED, number=2, previous=previous), WrittenReply)
    resign(sitting)
    numbers = {
        seat: sitting.ask(
            StudyRequest(match=sitting.match, seat=seat, token=sitting.tokens.get(seat, ""), study=STUDY), StudyReply
        ).numbers
        for seat in (PUBLIC, RED, ARBITER)
    }

    assert numbers[RED] == ((last, last),)
    assert numbers[ARBITER][0][1] >= last >= numbers[PUBLIC][0][1]
    assert NO_SEAT not in numbers
