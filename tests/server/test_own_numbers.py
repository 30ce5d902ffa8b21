"""No reply to a seat holds a number that is not the seat's own: twin matches that differ in what is hidden from it are answered alike."""

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from time import monotonic
from typing import TypeVar

import pytest
import zmq
from typing_extensions import override

from core.chance.links import LENGTH
from core.match.player_commands import AddNote
from core.registry.games import GAMES
from events.codec import Raw, decode_plain, encode, replace
from events.ids import ARBITER, PUBLIC, Digest, GameKey, MatchId, Seat, StudyId
from events.memory_log import MemoryLog
from events.studies.study_entry import CommentWritten, StudyOpened
from projections.state.offices import Invitation
from server.broker.limits import Limits
from server.desk.desk import Desk
from server.protocol.errors import EXPECTED
from server.protocol.publications import subscription_text
from server.protocol.replies import (
    FailedReply,
    LegalReply,
    LogReply,
    OpenedReply,
    PlayedReply,
    Reply,
    StateReply,
    TakenReply,
)
from server.protocol.wire import (
    REQUESTS,
    AppointRequest,
    BeginRequest,
    BoardRequest,
    BotRequest,
    CheckpointRequest,
    CommandRequest,
    CommitsRequest,
    EntriesRequest,
    ForkRequest,
    HelloRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OddsRequest,
    OpenRequest,
    PlayRequest,
    ProofRequest,
    RedoRequest,
    Request,
    StateRequest,
    StudiesRequest,
    StudyRequest,
    TakeRequest,
    TileRequest,
    WriteStudyRequest,
)
from tests.support.browsing import secret_of
from tests.support.rows import each_row
from tests.support.served import Raw as RawSocket
from tests.support.served import client_of, served
from tests.support.sitting import OWNER, ROLL, STAND, Sitting, StillClock
from tests.support.skirmish import BLUE, RED
from tests.support.soak import sampled

R = TypeVar("R", bound=Reply)

STUDY = StudyId("aaaaaaaa")

FAR = (1, 2, 500, 900, 1_000, 2_000, 1 << 31, 1 << 63)
"""How far beyond the last event a client asks."""


def noted(text: str, *, private: bool) -> Raw:
    """Return the command that writes a note."""
    return Raw(encode(AddNote(text=text, private=private)))


def answer(desk: Desk, request: Request) -> Reply:
    """Answer a request as a server does: what takes long is prepared by a job first, and if that fails, the request does."""
    for _ in range(3):
        job = desk.missing(request)
        if job is None:
            break
        result: object = None
        failed: Exception | None = None
        try:
            result = job.run(desk.log)
        except EXPECTED as error:
            failed = error
        failed = desk.deliver(job, result, failed)
        if failed is not None:
            return desk.failure(failed, request)
    return desk.handle(request)


@pytest.fixture(scope="module")
def long() -> Sitting:
    """A long match in which red has written more private notes than a request is read for in the serving loop."""
    sitting = Sitting()
    for number in range(700):
        sitting.play(noted(f"{number}", private=True))
        sitting.play(noted(f"{number}", private=False), BLUE)
    return sitting


@each_row("seat", [PUBLIC, BLUE])
@each_row("beyond", FAR)
def test_a_number_beyond_the_end_is_told_in_the_seats_own(long: Sitting, seat: Seat, beyond: int) -> None:
    last = long.state(seat).seq
    reply = answer(
        long.desk, StateRequest(match=long.match, seat=seat, token=long.tokens.get(seat, ""), at=last + beyond)
    )

    assert last < long.state(RED).seq - 600
    assert reply == FailedReply(
        code="unknown_sequence",
        message=f"there is no event {last + beyond}; the last is {last}",
        expected=last + beyond,
        actual=last,
    )


def test_where_a_page_of_the_log_ends_does_not_depend_on_what_is_hidden() -> None:
    ends: list[list[int]] = []
    for secrets in (0, 80):
        sitting = Sitting()
        for _ in range(secrets):
            sitting.play(noted("s" * 4_000, private=True))
        for _ in range(100):
            sitting.play(noted("n" * 4_000, private=False))
        sitting.play(ROLL)
        sitting.play(STAND, BLUE)
        since, pages = 0, list[int]()
        while since < sitting.state().seq:
            reply = sitting.since(since=since)
            assert isinstance(reply, LogReply)
            since = reply.slices[-1].last
            pages.append(since)
        ends.append(pages)

    assert ends[0] == ends[1]
    assert len(ends[0]) == 2


# All requests, on twin matches


NUMBERS = (None, -(1 << 63), -1_000, -1, 0, 1, 7, 20)
"""Numbers that a client sends; those about the end of the match are added."""

SPARE = "another secret that is long enough to be one"


class Twin:
    """A match of which a seat keeps a secret that others must not notice: private notes, in one of the twins only.

    Args:
        game: The game.
        has_notes: Whether the owner of the secret writes the notes.
        commands: How many commands of the game are played at most.
    """

    def __init__(self, game: str, *, has_notes: bool, commands: int) -> None:
        self.clock, self.log = RunningClock(), MemoryLog()
        self.identity = FixedIdentity()
        self.desk = Desk(self.log, self.clock, self.identity, owner=OWNER)
        opened = self.ask(OpenRequest(game=game, dice="seeded", seed="twins", key="twins"), OpenedReply)
        self.match, self.seats = opened.match, opened.seats
        for seat in self.seats:
            self.ask(TakeRequest(match=self.match, seat=seat, secret=secret_of(seat), name=seat, key=seat), TakenReply)
        self.owner = self.seats[0]
        choose = Random(5)
        for number in range(commands):
            self.clock.ms += 1_000
            legal = self.ask(LegalRequest(match=self.match, seat=ARBITER, token=OWNER, words=False), LegalReply)
            if not legal.to_move:
                break
            option = choose.choice(legal.options).command
            if has_notes:
                # They are longer than a page of the log in all.
                for _ in range(choose_count(number)):
                    self.clock.ms += 1
                    self.play(self.owner, noted("s" * 900, private=True), f"note-{number}-{self.clock.ms}")
                self.clock.ms -= choose_count(number)
            self.play(legal.to_move, option, f"play-{number}")
            self.play(self.seats[-1], noted(f"{number}", private=False), f"open-{number}")

    def play(self, seat: Seat, command: Raw, key: str) -> None:
        """Play a command, which must be accepted."""
        request = PlayRequest(match=self.match, seat=seat, token=secret_of(seat), command=command, key=key)
        self.ask(request, PlayedReply)

    def ask(self, request: Request, kind: type[R]) -> R:
        """Return the reply to a request, which must be of this type."""
        reply = answer(self.desk, request)
        assert isinstance(reply, kind), (request, reply)
        return reply

    def last(self, seat: Seat) -> int:
        """Return the number of the last event that a seat has seen."""
        return self.ask(StateRequest(match=self.match, seat=seat, token=token_of(seat)), StateReply).seq


def choose_count(number: int) -> int:
    """Return how many private notes precede a command."""
    return (0, 3, 0, 1, 7)[number % 5]


class RunningClock(StillClock):
    """A clock whose time of day is set by the test, while seconds pass."""

    @override
    def monotonic(self) -> float:
        """Return the seconds of this machine."""
        return monotonic()


class FixedIdentity:
    """Gives the same keys, secrets and seeds for the same request, however many it was asked for before."""

    def key(self) -> str:
        """Return a key."""
        return f"key-{next(COUNT)}"

    def token(self) -> str:
        """Return a secret."""
        return SPARE

    def seed(self) -> str:
        """Return a seed."""
        return "5" * 64


COUNT = count(1)


def token_of(seat: Seat) -> str:
    """Return the secret that proves a seat."""
    return "" if seat == PUBLIC else secret_of(seat)


def about(last: int) -> tuple[int | None, ...]:
    """Return the numbers that a client sends about a match whose last event, for its seat, has this number."""
    return (*NUMBERS, last // 2, last - 2, last - 1, last, *(last + beyond for beyond in FAR))


Cases = Callable[[MatchId, Seat, int], Iterator[Request]]
"""Returns requests of one kind about a match, from a seat whose last event has this number."""


def commanded(kind: type[CommandRequest], match: MatchId, seat: Seat, last: int, **fields: object) -> Iterator[Request]:
    """Yield a command with each number as what is expected, and with secrets that prove nothing."""
    for number in about(last - 3):
        key = f"{kind.__name__}-{seat}-{number}-{sorted(fields.items())}"[:150]
        yield kind(match=match, seat=seat, token=token_of(seat), expected=number, key=key, **fields)  # type: ignore[arg-type]
    for token in ("", SPARE):
        yield kind(match=match, seat=seat, token=token, key="x", **fields)  # type: ignore[arg-type]
    yield kind(match=match, seat=Seat("nobody"), token=SPARE, expected=last, key="y", **fields)  # type: ignore[arg-type]


def cases_hello(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield HelloRequest()


def cases_open(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield OpenRequest(game="battle", dice="seeded", seed="s", key="twins")
    yield OpenRequest(game="nothing", key=f"{seat}-none")
    invited = {Seat(one): Invitation("Ada", "ab" * 32, 1) for one in ("red", "german", "public")}
    yield OpenRequest(game="battle", dice="seeded", seed="s", invitations=invited, key=f"{seat}-invited")
    yield OpenRequest(
        game="skirmish",
        scenario="x",
        mode="y",
        options={"z": 1},
        board="b",
        variant="v",
        title="t",
        position="p",
        key=f"{seat}-bad",
        visitor="192.0.2.1",
        house_rules={"short": "An hour each."},
    )


def cases_take(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for wanted in ("red", "german", "public", ARBITER, "nobody"):
        for secret in (secret_of(Seat(wanted)), "short"):
            yield TakeRequest(
                match=match,
                seat=Seat(wanted),
                name="Eve",
                secret=secret,
                invitation=SPARE,
                key=wanted,
            )
            yield TakeRequest(
                match=match,
                seat=Seat(wanted),
                name="Eve",
                secret=secret,
                invitation=SPARE,
                anchor="ab" * 32,
                length=LENGTH,
                holder="pages",
                public_key="cd" * 32,
                key_holder="pages",
                signature="A" * 86 + "==",
                key=f"{wanted} with links",
            )


def cases_bot(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for wanted in ("red", "german", "public", ARBITER, "nobody"):
        yield BotRequest(
            match=match, seat=Seat(wanted), policy="random", invitation=SPARE, key=f"bot {wanted}", visitor="192.0.2.1"
        )
        yield BotRequest(match=match, seat=Seat(wanted), of=match, key=f"bot again {wanted}")


def cases_leave(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    # With a secret that proves the seat and the right number it would be left.
    yield from (one for one in commanded(LeaveRequest, match, seat, last) if one.expected != last)  # type: ignore[attr-defined]


def cases_begin(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield from commanded(BeginRequest, match, seat, last, dice=(1,), draws=("x",))


def cases_redo(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield from commanded(RedoRequest, match, seat, last, everything=True)


def cases_play(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    bodies: list[object] = [*[number for number in about(last) if number is not None], {"do": "nothing"}, [], "x"]
    bodies += [{"do": "match:undo", "to": number} for number in about(last) if number != last]
    bodies += [[{"do": "nothing"}, {"do": "nothing"}], {"do": "match:ruling", "text": "no"}, {"do": "match:begin"}]
    for index, body in enumerate(bodies):
        key = f"{seat}-{index}"
        for expected in (None, last, last + 1):
            command = Raw(encode(body))
            yield PlayRequest(
                match=match,
                seat=seat,
                token=token_of(seat),
                command=command,
                expected=expected,
                key=f"{key}-{expected}",
            )
    note = noted("noted", private=False)
    yield from commanded(PlayRequest, match, seat, last, command=note, dice=(1,), draws=("x",))
    # The key of another seat's command, and the same key once more.
    for key in ("play-0", "once", "once"):
        yield PlayRequest(match=match, seat=seat, token=token_of(seat), command=note, key=f"{key}-{seat}")


def cases_legal(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        yield LegalRequest(match=match, seat=seat, token=token_of(seat), at=number, words=False, table=True)
        yield LegalRequest(match=match, seat=seat, token=token_of(seat), since=number, words=False)
    yield LegalRequest(match=match, seat=seat, token=token_of(seat), about="nowhere")
    yield LegalRequest(match=match, seat=Seat("nobody"), token=SPARE, at=last)


def cases_odds(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        yield OddsRequest(match=match, seat=seat, token=token_of(seat), at=number)
    yield OddsRequest(match=match, seat=seat, token=token_of(seat), numbers=(1, 99))
    for command in ({"do": "pass"}, {"do": "nothing"}):
        yield OddsRequest(match=match, seat=seat, token=token_of(seat), command=command)
    yield OddsRequest(match=match, seat=seat, token=SPARE)


def cases_state(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        for token in (token_of(seat), SPARE):
            yield StateRequest(match=match, seat=seat, token=token, at=number)


def cases_log(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        for limit in (-1, 7, 2_000):
            yield LogRequest(match=match, seat=seat, token=token_of(seat), since=number or 0, limit=limit)


def cases_fork(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    ways = (
        ("fresh", ""),
        ("fresh", "resample"),
        ("fresh", "truth"),
        ("same", "truth"),
        ("seeded", ""),
        ("manual", ""),
        ("x", "y"),
    )
    for number in about(last):
        for dice, hidden in ways if number in (last, last // 2) else ways[:1]:
            yield ForkRequest(
                match=match,
                seat=seat,
                token=token_of(seat),
                at=number,
                dice=dice,
                hidden=hidden,
                seed="s" if dice == "seeded" else "",
                faces=(9,) if dice == "x" else (),
                draws=("x",) if dice == "manual" else (),
                key=f"{seat}-{number}-{dice}-{hidden}",
                visitor="192.0.2.1",
            )


def cases_matches(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for limit in (-1, 0, 1, 20, 1_000):
        yield MatchesRequest(limit=limit)
    yield MatchesRequest(after=match)
    yield MatchesRequest(prefix=match[:3])
    yield MatchesRequest(prefix="nothing")
    yield MatchesRequest(after=MatchId("nowhere"))


def cases_board(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield BoardRequest(match=match, seat=seat, token=token_of(seat))


def cases_commits(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        for one in (seat, ARBITER):
            yield CommitsRequest(match=match, seat=one, token=token_of(seat), since=number or 0)


def cases_checkpoint(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        yield CheckpointRequest(since=number or 0)


def cases_entries(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        yield EntriesRequest(match=match, seat=seat, token=token_of(seat), after=number or 0)


def cases_tile(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for number in about(last):
        yield TileRequest(level=(number or 0) % 3 - 1, number=number or 0, width=number or 1)


def cases_proof(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    """The twins' servers keep no log, because the entries of twins differ in what is blinded; see `test_desk_log.py`."""
    for number in about(last):
        yield ProofRequest(match=match, seat=seat, token=token_of(seat), at=number)


def cases_studies(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield StudiesRequest(match=match, seat=seat, token=token_of(seat))


def cases_study(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    for after in (-1, 0, 1, 9):
        yield StudyRequest(match=match, seat=seat, token=token_of(seat), study=STUDY, after=after, at=after)


def cases_write_study(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    """Studies of the public, to which every seat writes."""
    opened = WriteStudyRequest(
        match=match, seat=seat, token=token_of(seat), study=STUDY, number=1, author="Eve", visitor="192.0.2.1",
        said=StudyOpened(title="Of all", view=seat),
    )  # fmt: skip
    yield opened
    yield replace(opened, public_key="ab" * 32, signature="A" * 86 + "==")
    for number in about(last):
        yield replace(
            opened, number=2, previous=Digest("ab" * 32), said=CommentWritten(at=number or 0, text="here", mark="!")
        )


def cases_appoint(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
    yield AppointRequest(token=SPARE, name="Eve", credential="ab" * 32)


def signed(cases: Cases) -> Cases:
    """Return cases of a command, and the first of them with a signature that is none."""

    def found(match: MatchId, seat: Seat, last: int) -> Iterator[Request]:
        first, *more = cases(match, seat, last)
        assert isinstance(first, CommandRequest)
        yield from (first, *more)
        yield replace(first, key="signed", expected=last, signatures=("A" * 86 + "==",))

    return found


CASES: dict[type[Request], Cases] = {
    HelloRequest: cases_hello,
    OpenRequest: cases_open,
    TakeRequest: cases_take,
    BotRequest: cases_bot,
    LegalRequest: cases_legal,
    OddsRequest: cases_odds,
    StateRequest: cases_state,
    LogRequest: cases_log,
    BoardRequest: cases_board,
    CommitsRequest: cases_commits,
    CheckpointRequest: cases_checkpoint,
    EntriesRequest: cases_entries,
    TileRequest: cases_tile,
    ProofRequest: cases_proof,
    StudiesRequest: cases_studies,
    StudyRequest: cases_study,
    WriteStudyRequest: cases_write_study,
    AppointRequest: cases_appoint,
    ForkRequest: cases_fork,
    MatchesRequest: cases_matches,
    BeginRequest: cases_begin,
    PlayRequest: cases_play,
    RedoRequest: cases_redo,
    LeaveRequest: cases_leave,
}
CASES |= {kind: signed(cases) for kind, cases in CASES.items() if issubclass(kind, CommandRequest)}
"""Requests of every kind; those that change the match come last."""


def test_every_request_and_each_of_its_fields_has_a_case() -> None:
    assert set(CASES) == set(REQUESTS)

    for kind, cases in CASES.items():
        sent = list(cases(MatchId("m"), PUBLIC, 30)) + list(cases(MatchId("m"), RED, 30))
        fields = set(kind.__struct_fields__) - {"id"}
        varied = {name for name in fields for one in sent if getattr(one, name, None) not in ("", None, (), {})}

        assert varied == fields, kind


def told(twin: Twin, request: Request) -> bytes:
    """Return the reply to a request as it is sent; what a client can send is decoded first."""
    return encode(answer(twin.desk, twin.desk.handlers.decode(encode(request))))


@pytest.mark.parametrize(
    ("game", "commands"),
    sampled(
        [
            ("skirmish", 60),
            ("advance", 40),
            ("battle", 60),
            ("battle", 100),
            ("inferno", 60),
            ("axis-allies", 5),
            ("axis-allies", 30),
        ],
        lambda game, commands: (game, commands) in (("skirmish", 60), ("inferno", 60)),
    ),
)
def test_twins_are_answered_alike(game: str, commands: int) -> None:
    """Takes seconds: every kind of request, with every number, to both twins of each game."""
    twins = [Twin(game, has_notes=has_notes, commands=commands) for has_notes in (False, True)]
    plain, secret = twins
    onlookers = [PUBLIC, *plain.seats[1:]]

    assert secret.last(plain.owner) > plain.last(plain.owner) + 10
    assert secret.log.head(secret.match).seq > plain.log.head(plain.match).seq + 10
    for seat in onlookers:
        for kind, cases in CASES.items():
            last = plain.last(seat)
            for request in cases(plain.match, seat, last):
                first, second = (told(twin, request) for twin in twins)

                assert first == second, (kind, seat, request)
                if isinstance(request, ForkRequest) and request.dice == "fresh" and b'"reply":"opened"' in first:
                    check_fork(twins, MatchId(str(decode_plain(first)["match"])))  # type: ignore[index]


def check_fork(twins: list[Twin], fork: MatchId) -> None:
    """Check that nothing about a fork of twins tells them apart."""
    last = twins[0].ask(StateRequest(match=fork), StateReply).seq
    for kind in (StateRequest, LogRequest, LegalRequest):
        for request in CASES[kind](fork, PUBLIC, last):
            first, second = (told(twin, request) for twin in twins)

            assert first == second, (fork, request)


def test_what_is_published_does_not_depend_on_what_is_hidden() -> None:
    """Publications are the same, and heartbeats tell no other number than that of the last one."""
    published: list[list[bytes]] = []
    for has_notes in (False, True):
        twin = Twin("skirmish", has_notes=False, commands=0)
        with (
            served(desk=twin.desk, limits=Limits(heartbeat_s=0.03)) as broker,
            client_of(broker) as client,
            RawSocket(broker.events, zmq.XSUB) as raw,
        ):
            for seat in twin.seats:
                client.add_token(twin.match, seat, secret_of(seat))
            raw.send(b"\1" + subscription_text(twin.match, PUBLIC))
            heard = [raw.socket.recv()]
            for number in range(3):
                for extra in range(3 * has_notes):
                    client.play(twin.match, twin.owner, noted("s", private=True), key=f"s-{number}-{extra}")
                client.play(twin.match, twin.seats[-1], noted("n", private=False), key=f"n-{number}")
                # A heartbeat comes more often than that, so that nothing is silent for so long.
                until = monotonic() + 0.1
                while monotonic() < until:
                    heard += raw.heard(0)
        published.append(list(dict.fromkeys(heard)))

    assert published[0] == published[1]
    assert sum(b'"pub":"events"' in one for one in published[0]) == 3


def test_which_seats_of_a_fork_are_reserved_does_not_depend_on_what_others_hide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In this game nothing is hidden yet, so that the private notes of one twin are its only secret."""
    monkeypatch.setitem(GAMES, GameKey("sally"), "tests.acid.orders_game")
    tables: list[bytes] = []
    for has_notes in (False, True):
        twin = Twin("sally", has_notes=has_notes, commands=0)
        if has_notes:
            twin.play(twin.owner, noted("the plan", private=True), "note")
        seat = twin.seats[-1]
        fork = twin.ask(ForkRequest(match=twin.match, seat=seat, token=secret_of(seat), key="fork"), OpenedReply)
        tables.append(told(twin, StateRequest(match=fork.match)))

    assert tables[0] == tables[1]
