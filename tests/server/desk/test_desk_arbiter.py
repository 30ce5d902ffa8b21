"""The arbiter's office at a desk: capabilities, invitations, and what no secret discloses."""

from hashlib import sha256

import pytest

from events.codec import Raw, encode, replace
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import ArbiterLeft, ArbiterSeated
from projections.state.offices import Invitation
from server.desk.desk import Desk
from server.protocol.bot_seats import BotSeats
from server.protocol.errors import RequestFailed
from server.protocol.replies import (
    AppointedReply,
    BotReply,
    FailedReply,
    MatchesReply,
    OpenedReply,
    PlayedReply,
    StateReply,
    TakenReply,
)
from server.protocol.wire import (
    AppointRequest,
    BotRequest,
    ForkRequest,
    LeaveRequest,
    MatchesRequest,
    OpenRequest,
    PlayRequest,
    StateRequest,
    TakeRequest,
)
from tests.support.sitting import OWNER, CountedIdentity, Sitting, StillClock
from tests.support.skirmish import BLUE, RED

CAPABILITY = "a capability for every match of the server"
TICKET = "an invitation to one seat of one match"
OWN = "the arbiter's own secret in this one match"


def hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


def appoint(sitting: Sitting, name: str = "Olga", secret: str = CAPABILITY) -> tuple[str, ...]:
    return sitting.ask(appointing(name, secret), AppointedReply).names


def appointing(name: str, secret: str) -> AppointRequest:
    return AppointRequest(token=OWNER, name=name, credential=hashed(secret) if secret else "")


def take_office(sitting: Sitting, invitation: str = CAPABILITY, secret: str = OWN, key: str = "") -> TakenReply:
    request = TakeRequest(match=sitting.match, seat=ARBITER, name="Otto", invitation=invitation, secret=secret, key=key)
    return sitting.ask(request, TakenReply)


def command(sitting: Sitting, do: str, token: str = OWNER, **more: object) -> PlayRequest:
    body = Raw(encode({"do": f"match:{do}", **more}))
    return PlayRequest(match=sitting.match, seat=ARBITER, token=token, command=body)


def invite(sitting: Sitting, seat: str, secret: str = TICKET, token: str = OWNER) -> PlayedReply:
    return sitting.ask(command(sitting, "reserve-seat", token, seat=seat, credential=hashed(secret)), PlayedReply)


def sees_all(sitting: Sitting, token: str) -> str:
    """Return the code with which the arbiter's view is refused; empty if it is granted."""
    reply = sitting.desk.handle(StateRequest(match=sitting.match, seat=ARBITER, token=token))
    return reply.code if isinstance(reply, FailedReply) else ""


def open_reserved(sitting: Sitting, until: int = 0, seat: Seat = RED) -> OpenRequest:
    """Return the request for a match of which a seat is reserved for the holder of the ticket."""
    invited = Invitation("Ada", hashed(TICKET), until)
    return OpenRequest(game="skirmish", dice="seeded", seed="3", invitations={seat: invited}, key="reserved")


def listed_reserved(sitting: Sitting, match: MatchId) -> dict[Seat, str]:
    (found,) = [one for one in sitting.ask(MatchesRequest(), MatchesReply).matches if one.match == match]
    return found.reserved


def test_a_match_is_opened_with_seats_that_only_an_invitation_takes_until_it_expires(sitting: Sitting) -> None:
    until = sitting.clock.ms + 1_000
    match = sitting.ask(open_reserved(sitting, until), OpenedReply).match
    repeated = sitting.ask(open_reserved(sitting, until), OpenedReply)
    seat = TakeRequest(match=match, seat=RED, name="Eve")

    assert (repeated.match, repeated.repeated) == (match, True)
    assert sitting.ask(seat, FailedReply).refusal == "seat_must_be_open"
    assert sitting.ask(replace(seat, invitation="another ticket"), FailedReply).refusal == "invitation_must_hold"
    assert listed_reserved(sitting, match) == {RED: "Ada"}
    sitting.clock.ms = until
    assert listed_reserved(sitting, match) == {}
    late = sitting.ask(replace(seat, invitation=TICKET), FailedReply)
    assert late.message == "This invitation has expired; the seat red is free, and is taken without one."
    assert sitting.ask(seat, TakenReply).seat == RED
    assert sitting.ask(StateRequest(match=match), StateReply).table.players == {RED: "Eve"}


def test_who_holds_an_invitation_gives_it_back_and_nobody_else() -> None:
    sitting = Sitting()
    match = sitting.ask(open_reserved(sitting), OpenedReply).match
    back = LeaveRequest(match=match, seat=RED, token=TICKET)
    codes = [sitting.fail(replace(back, token=token)) for token in ("", "another", "w" * 100_000)]
    other = sitting.fail(replace(back, seat=BLUE))
    sitting.ask(back, PlayedReply)
    table = sitting.ask(StateRequest(match=match), StateReply).table

    invite(sitting, ARBITER)

    assert codes == ["not_your_seat", "bad_token", "bad_token"]
    assert other == "bad_token"
    # The arbiter's office is the arbiter's to give.
    assert sitting.fail(LeaveRequest(match=sitting.match, seat=ARBITER, token=TICKET)) == "bad_token"
    assert table.reserved == {}
    assert sitting.fail(back) == "bad_token"
    assert sitting.ask(TakeRequest(match=match, seat=RED, name="Eve"), TakenReply).seat == RED


def test_a_match_is_not_opened_with_an_invitation_that_is_not_valid(sitting: Sitting) -> None:
    """The arbiter's office, which sees everything, is not for whom a player invites."""
    requests = [
        open_reserved(sitting, seat=Seat("green")),
        open_reserved(sitting, seat=ARBITER),
        open_reserved(sitting, 1),
    ]
    codes = [sitting.ask(request, FailedReply) for request in requests]

    assert [one.refusal or one.code for one in codes] == ["unknown_seat", "unknown_seat", "invitation_must_end_later"]
    assert len(sitting.ask(MatchesRequest(), MatchesReply).matches) == 1


def test_a_bot_of_the_server_takes_a_reserved_seat_with_its_invitation_alone() -> None:
    clock = StillClock()
    desk = Desk(MemoryLog(), clock, CountedIdentity(), owner=OWNER, bots=BotSeats("a key"))
    sitting = Sitting(desk=desk)
    match = sitting.ask(open_reserved(sitting), OpenedReply).match
    request = BotRequest(match=match, seat=RED)

    assert sitting.ask(request, FailedReply).refusal == "seat_must_be_open"
    assert sitting.ask(replace(request, invitation="another"), FailedReply).refusal == "invitation_must_hold"
    assert sitting.ask(replace(request, invitation=TICKET), BotReply).seat == RED


def test_only_the_owner_gives_capabilities(sitting: Sitting) -> None:
    for token in ("", "guess", sitting.tokens[RED]):
        assert sitting.fail(AppointRequest(token=token, name="Olga", credential=hashed(CAPABILITY))) == "bad_token"

    assert appoint(sitting) == ("Olga",)
    assert sitting.fail(AppointRequest(token=CAPABILITY, name="Otto", credential=hashed("x"))) == "bad_token"
    assert sitting.ask(AppointRequest(token=OWNER), AppointedReply).names == ("Olga",)


@pytest.mark.parametrize(
    ("name", "credential", "code"),
    [
        ("", "ab" * 32, "malformed"),
        ("x" * 201, "ab" * 32, "malformed"),
        ("Olga", "a secret", "malformed"),
        ("Nobody", "", "unknown_name"),
    ],
)
def test_a_capability_has_a_name_and_a_hash(sitting: Sitting, name: str, credential: str, code: str) -> None:
    assert sitting.fail(AppointRequest(token=OWNER, name=name, credential=credential)) == code


def test_a_capability_shows_nothing_before_its_use_is_on_record(sitting: Sitting) -> None:
    appoint(sitting)
    refused = sitting.ask(StateRequest(match=sitting.match, seat=ARBITER, token=CAPABILITY), FailedReply)

    assert (refused.code, "on record" in refused.message) == ("not_your_seat", True)

    taken = take_office(sitting)

    assert taken.token == OWN
    assert sees_all(sitting, OWN) == ""
    assert sees_all(sitting, CAPABILITY) == "not_your_seat"
    (seated,) = [event for slice_ in sitting.since().slices[-1:] for event in slice_.events]
    assert isinstance(seated, ArbiterSeated)
    # The name is the capability's: its holder cannot appear under another one.
    assert (seated.name, seated.credential) == ("Olga", hashed(OWN))


def test_the_office_ends_with_the_capability_on_which_it_rests(sitting: Sitting) -> None:
    appoint(sitting)
    take_office(sitting)
    topic = sitting.desk.topic_credential(sitting.match, ARBITER, OWN)
    table = sitting.ask(StateRequest(match=sitting.match, seat=PUBLIC), StateReply).table

    assert sitting.desk.holds(table, ARBITER, topic)

    assert appoint(sitting, secret="") == ()

    assert not sitting.desk.holds(table, ARBITER, topic)
    assert sees_all(sitting, OWN) == "bad_token"
    assert sitting.fail(command(sitting, "pause", OWN, reason="x")) == "bad_token"


def test_offices_on_an_ended_capability_are_listed_until_they_have_ended(sitting: Sitting) -> None:
    appoint(sitting)
    appoint(sitting, "Otto", "the capability of another one, of many letters")
    take_office(sitting)
    other = Sitting(sitting.log, sitting.desk)
    take_office(other, "the capability of another one, of many letters")
    assert sitting.ask(AppointRequest(token=OWNER), AppointedReply).ended == ()

    for request in (appointing("Olga", ""), AppointRequest(token=OWNER)):
        assert sitting.ask(request, AppointedReply).ended == (sitting.match,)

    sitting.ask(LeaveRequest(match=sitting.match, seat=ARBITER, token=OWNER), PlayedReply)
    assert sitting.ask(AppointRequest(token=OWNER), AppointedReply).ended == ()


def test_nobody_gets_a_second_capability_before_the_first_has_ended(sitting: Sitting) -> None:
    appoint(sitting)
    assert sitting.fail(appointing("Olga", "another secret")) == "not_possible"
    # The same request, sent again.
    assert appoint(sitting) == ("Olga",)

    take_office(sitting)
    assert sees_all(sitting, OWN) == ""


def test_an_invitation_to_the_office_holds_for_one_match_and_once(sitting: Sitting) -> None:
    other = Sitting(sitting.log, sitting.desk)
    invite(sitting, "arbiter")

    assert other.fail(TakeRequest(match=other.match, seat=ARBITER, name="Otto", invitation=TICKET)) == "refused"

    take_office(sitting, TICKET)

    assert sees_all(sitting, OWN) == ""
    assert sees_all(other, OWN) == "bad_token"
    again = TakeRequest(match=sitting.match, seat=ARBITER, name="Eve", invitation=TICKET)
    assert sitting.ask(again, FailedReply).refusal == "invitation_must_hold"


def test_the_office_passes_to_the_next_one_and_is_given_up(sitting: Sitting) -> None:
    appoint(sitting)
    take_office(sitting)
    invite(sitting, "arbiter", token=OWN)
    topic = sitting.desk.topic_credential(sitting.match, ARBITER, OWN)
    take_office(sitting, TICKET, "the secret of the one who comes next, long")
    table = sitting.ask(StateRequest(match=sitting.match, seat=PUBLIC), StateReply).table

    assert not sitting.desk.holds(table, ARBITER, topic)
    assert sees_all(sitting, OWN) == "bad_token"

    left = sitting.ask(
        LeaveRequest(match=sitting.match, seat=ARBITER, token="the secret of the one who comes next, long"),
        PlayedReply,
    )

    assert [type(event) for slice_ in left.slices for event in slice_.events] == [ArbiterLeft]
    assert sees_all(sitting, "the secret of the one who comes next, long") == "bad_token"
    assert sees_all(sitting, OWNER) == ""


def test_the_owner_ends_an_office_that_rests_on_an_invitation(sitting: Sitting) -> None:
    invite(sitting, "arbiter")
    take_office(sitting, TICKET)
    sitting.ask(LeaveRequest(match=sitting.match, seat=ARBITER, token=OWNER), PlayedReply)

    assert sees_all(sitting, OWN) == "bad_token"
    assert sitting.fail(LeaveRequest(match=sitting.match, seat=RED, token=OWNER)) == "bad_token"


def test_the_owner_takes_the_office_without_an_invitation(sitting: Sitting) -> None:
    take_office(sitting, OWNER)

    assert sees_all(sitting, OWN) == ""
    assert OWNER not in str([stored.body for stored in sitting.log.read(sitting.match)])


def test_a_player_of_a_match_with_an_arbiter_has_a_name() -> None:
    """match.arbiter: player_must_have_name"""
    sitting = Sitting()
    sitting.ask(LeaveRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED]), PlayedReply)
    appoint(sitting)
    take_office(sitting)
    sitting.ask(LeaveRequest(match=sitting.match, seat=ARBITER, token=OWN), PlayedReply)
    nameless = TakeRequest(match=sitting.match, seat=RED, name=" ", secret=TICKET)

    refused = sitting.ask(nameless, FailedReply)
    assert (refused.refusal, refused.rule) == ("player_must_have_name", "match.arbiter")
    # The owner of a store acts for every seat.
    trusted = Desk(sitting.log, StillClock(), CountedIdentity(), trusted=True)
    assert isinstance(trusted.handle(replace(nameless, key="by the owner")), TakenReply)


def test_a_seat_is_never_taken_by_a_hash_from_the_log(sitting: Sitting) -> None:
    invite(sitting, "arbiter")
    body = {"do": "match:seat-arbiter", "name": "Eve", "credential": hashed("x"), "invitation": hashed(TICKET)}
    for seat, token in ((RED, sitting.tokens[RED]), (ARBITER, OWNER)):
        asked = PlayRequest(match=sitting.match, seat=seat, token=token, command=Raw(encode(body)))
        assert sitting.fail(asked) in {"malformed", "refused"}
    given = TakeRequest(match=sitting.match, seat=ARBITER, name="Eve", invitation=hashed(TICKET))
    assert sitting.ask(given, FailedReply).refusal == "invitation_must_hold"
    assert sitting.state().table.arbiter is None


def test_a_repeated_request_gets_its_seat_once(sitting: Sitting) -> None:
    invite(sitting, "arbiter")
    first = take_office(sitting, TICKET, key="k")
    again = take_office(sitting, TICKET, key="k")

    assert (first.repeated, again.repeated, again.token) == (False, True, OWN)
    stolen = TakeRequest(match=sitting.match, seat=ARBITER, secret="another secret, of at least 32 letters", key="k")
    assert sitting.fail(stolen) in {"key_used", "refused"}


def test_a_player_sits_down_with_an_invitation_and_is_replaced() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity(), owner=OWNER)
    opened = desk.handle(OpenRequest(game="skirmish", dice="seeded", seed="3"))
    assert isinstance(opened, OpenedReply)
    match = opened.match

    def played(do: str, **more: object) -> object:
        body = Raw(encode({"do": f"match:{do}", **more}))
        return desk.handle(PlayRequest(match=match, seat=ARBITER, token=OWNER, command=body))

    def take(seat: Seat, invitation: str, secret: str) -> object:
        return desk.handle(TakeRequest(match=match, seat=seat, invitation=invitation, secret=secret))

    for seat in (RED, BLUE):
        assert isinstance(played("reserve-seat", seat=seat, credential=hashed(f"{TICKET} {seat}")), PlayedReply)
    refused = take(RED, f"{TICKET} blue", "red's own secret, of 32 letters at least")
    assert isinstance(refused, FailedReply)
    both = [take(seat, f"{TICKET} {seat}", f"{seat}'s own secret, of 32 letters at least") for seat in (RED, BLUE)]
    assert [isinstance(taken, TakenReply) and taken.began for taken in both] == [False, True]

    assert isinstance(played("replace-player", seat=RED, credential=hashed(TICKET), reason="gone"), PlayedReply)

    gone = desk.handle(StateRequest(match=match, seat=RED, token="red's own secret, of 32 letters at least"))
    assert isinstance(gone, FailedReply)
    assert gone.code == "bad_token"
    assert isinstance(take(RED, TICKET, "another secret of the same player, or another"), TakenReply)
    stored = b"".join(bytes(one.body) for one in desk.log.read(match))
    assert b"own secret" not in stored
    assert TICKET.encode() not in stored
    assert stored.count(hashed(TICKET).encode()) > 0


def test_an_answer_does_not_tell_whether_a_secret_opens_another_match(sitting: Sitting) -> None:
    other = Sitting(sitting.log, sitting.desk)
    invite(other, "arbiter")
    replies = [
        sitting.desk.handle(TakeRequest(match=sitting.match, seat=ARBITER, name="Eve", invitation=secret))
        for secret in (TICKET, "a secret of no match at all")
    ]
    views = [
        sitting.desk.handle(StateRequest(match=sitting.match, seat=RED, token=secret))
        for secret in (other.tokens[RED], "a secret of no match at all")
    ]

    assert replies[0] == replies[1]
    assert views[0] == views[1]
    assert isinstance(replies[0], FailedReply)
    assert isinstance(views[0], FailedReply)


def test_the_arbiter_of_a_match_is_that_of_the_fork_and_of_no_other(sitting: Sitting) -> None:
    appoint(sitting)
    early = sitting.state(ARBITER).seq
    take_office(sitting)
    fork = ForkRequest(match=sitting.match, seat=ARBITER, token=OWN, at=early, key="f")
    opened = sitting.ask(fork, OpenedReply)
    again = sitting.ask(fork, OpenedReply)

    assert (again.match, again.repeated) == (opened.match, True)
    assert isinstance(sitting.desk.handle(StateRequest(match=opened.match, seat=ARBITER, token=OWN)), StateReply)
    by_player = ForkRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED], at=early, key="g")
    theirs = sitting.ask(by_player, OpenedReply)
    assert isinstance(sitting.desk.handle(StateRequest(match=theirs.match, seat=ARBITER, token=OWN)), FailedReply)
    appoint(sitting, secret="")
    assert isinstance(sitting.desk.handle(StateRequest(match=opened.match, seat=ARBITER, token=OWN)), FailedReply)


def test_the_stream_of_a_player_does_not_depend_on_what_the_arbiter_sees(sitting: Sitting) -> None:
    """A view is only a view: whatever an arbiter looks at leaves no trace in the match."""
    appoint(sitting)
    take_office(sitting)
    before = sitting.since(RED)
    for _ in range(3):
        assert sees_all(sitting, OWN) == ""

    assert sitting.since(RED) == before


def test_a_subscription_needs_the_same_proof(sitting: Sitting) -> None:
    appoint(sitting)
    with pytest.raises(RequestFailed) as caught:
        sitting.desk.topic_credential(sitting.match, ARBITER, CAPABILITY)

    assert caught.value.code == "not_your_seat"


def test_taking_a_seat_with_an_overlong_invitation_is_malformed(sitting: Sitting) -> None:
    asked = TakeRequest(match=sitting.match, seat=ARBITER, name="Eve", invitation="x" * 201)

    assert sitting.fail(asked) == "malformed"
