"""Clients sign what they send for a seat that has registered a key, by themselves, and nothing that they were not asked to send."""

from collections.abc import Callable

import pytest

from core.audit.verdicts import UNCHECKED, Audited, checks_of, signature_lines
from events.codec import Raw, encode, replace
from events.errors import BrokenEvidence
from events.ids import ARBITER, PUBLIC, Seat
from events.transparency.signed_command import SeatSigner
from server.client.checked_events import Shown
from server.client.client import Client
from server.client.local import LocalTransport
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.identity import SystemIdentity, credential
from server.protocol.messages import decode_reply
from server.protocol.publications import EventsPublication
from server.protocol.replies import FailedReply, LegalReply, LogReply, PlayedReply, Reply, StateReply
from server.protocol.wire import LegalRequest, LogRequest, PlayRequest, Request, TakeRequest
from tests.project.test_verify_program import audited, verified
from tests.support.mutated_archives import Lines
from tests.support.rows import each_row
from tests.support.signed import Players
from tests.support.sitting import OWNER
from tests.support.skirmish import BLUE, RED

NOTE = {"do": "match:note", "text": "well played"}


def again(players: Players, *, with_key: bool = True) -> Client:
    """Return another program of red's player, with the same secret."""
    client = players.client()
    client.links_key = lambda: b"k" * 32
    client.add_token(players.match, RED, players.clients[RED].token(players.match, RED))
    if with_key:
        client.add_signer(players.match, RED, players.clients[RED]._signers[players.match, RED])
    return client


def refusal(client: Client, players: Players, **more: object) -> FailedReply:
    """Return the refusal of a note of red, sent as it is."""
    request = PlayRequest(
        match=players.match,
        seat=RED,
        token=players.clients[RED].token(players.match, RED),
        command=Raw(encode(NOTE)),
        key="k",
        expected=players.desk.number(players.match, RED),
    )
    reply = client.ask(replace(request, **more))
    assert isinstance(reply, FailedReply)
    return reply


def test_a_program_that_knows_the_secret_alone_is_told_what_to_sign() -> None:
    players = Players()
    reply = refusal(players.host, players)

    assert (reply.refusal, reply.wanted) == ("command_must_be_signed", (encode(NOTE).decode(),))
    assert refusal(players.host, players, signatures=("A" * 86 + "==",)).refusal == "signature_must_fit"
    assert refusal(players.host, players, signatures=("x", "y")).code == "malformed"


def test_a_command_in_another_form_is_refused_with_the_canonical_one() -> None:
    players = Players()
    reply = refusal(players.host, players, command=Raw(b'{"text":"well played","do":"match:note"}'), signatures=("A",))

    assert (reply.code, reply.wanted) == ("not_canonical", (encode(NOTE).decode(),))


def test_another_program_of_the_player_signs_once_it_is_told_to() -> None:
    players = Players()
    client = again(players)
    client.play(players.match, RED, NOTE)
    client.play(players.match, RED, {"text": "and again", "do": "match:note", "private": False})

    assert players.commits[-1].signature
    assert players.report.clean


def test_the_same_bytes_get_the_first_outcome_and_need_no_other_signature() -> None:
    players = Players()
    red = players.clients[RED]
    sent: list[Request] = []
    ask = red._ask

    def heard(request: Request) -> Reply:
        sent.append(request)
        return ask(request)

    red._ask = heard
    first = red.play(players.match, RED, NOTE, key="once")
    repeated = players.host.ask(sent[-1])

    assert isinstance(repeated, PlayedReply)
    assert (repeated.repeated, repeated.slices) == (True, first.slices)
    assert red.play(players.match, RED, NOTE, key="once").repeated


def test_a_command_that_names_no_event_is_signed_again_if_the_match_has_moved_on() -> None:
    players = Players()
    red = players.clients[RED]
    ask, moved = red._ask, list[PlayedReply]()

    def slow(request: Request) -> Reply:
        if isinstance(request, PlayRequest) and request.seat == RED and not moved:
            moved.append(players.clients[BLUE].play(players.match, BLUE, NOTE))
        return ask(request)

    red._ask = slow
    red.play(players.match, RED, NOTE)

    assert players.commits[-1].seat == RED
    assert players.report.clean


def test_a_client_blames_no_server_that_has_not_heard_of_the_last_events_yet() -> None:
    """Of several servers of a store, one is asked after another one has failed."""
    players = Players().play(4)
    match, red = players.match, players.clients[RED]
    red.play(match, RED, NOTE)
    other = LocalTransport(Desk(players.log, owner=OWNER, raises_faults=True))
    token = red.token(match, RED)
    other.ask(LogRequest(match=match, seat=RED, token=token))
    players.clients[BLUE].play(match, BLUE, NOTE)
    red._ask = other.ask
    red.play(match, RED, NOTE, expected=players.desk.number(match, RED))

    assert (players.commits[-1].seat, players.report.clean) == (RED, True)


@each_row("by", [1, 2])
def test_a_client_signs_for_the_events_that_it_was_shown_alone(by: int) -> None:
    """For a larger number, a server could keep the command back until others have happened."""
    players = Players(dice="sealed").play(6)
    match, mover = players.match, Seat(players.host.legal(players.match).to_move)
    client, sent = players.clients[mover], list[Request]()
    client.do_part(match, mover)
    ask = client._ask

    def lying(request: Request) -> Reply:
        if isinstance(request, PlayRequest):
            sent.append(request)
        reply = ask(request)
        return replace(reply, seq=reply.seq + by) if isinstance(reply, LegalReply | LogReply | StateReply) else reply

    client._ask = lying
    legal = client.legal(match, mover)
    with pytest.raises(BrokenEvidence, match="nothing was sent"):
        client.play(match, mover, bytes(legal.options[0].command), expected=legal.seq)
    with pytest.raises(BrokenEvidence, match="nothing was sent"):
        client.register_key(match, mover, SeatSigner(b"n" * 32))
    assert sent == []
    seen = players.desk.number(match, mover)
    client.play(match, mover, {"do": "match:resign"})

    assert [one.expected for one in sent if isinstance(one, PlayRequest)] == [seen]
    assert players.report.clean


@each_row("hides", [False, True])
def test_a_client_signs_nothing_for_a_server_that_has_gone_back(hides: bool) -> None:
    """An earlier copy of the store asks again for what was decided already; what it asks for is signed only if all that was shown is still there."""
    players = Players().play(6)
    match, mover = players.match, Seat(players.host.legal(players.match).to_move)
    client, sent = players.clients[mover], list[Request]()
    legal = client.legal(match, mover)
    client.play(match, mover, NOTE)
    ask = client._ask

    def gone_back(request: Request) -> Reply:
        sent.append(request)
        if isinstance(request, LogRequest) and (request.since or 0) > legal.seq:
            if hides:
                return LogReply(id=request.id, match=match, seq=legal.seq)
            return FailedReply(id=request.id, code="unknown_sequence", message="there is no such event")
        return ask(request)

    client._ask = gone_back
    with pytest.raises(BrokenEvidence, match="it has gone back; nothing was sent"):
        client.play(match, mover, bytes(legal.options[0].command), expected=legal.seq)

    assert not any(isinstance(request, PlayRequest) for request in sent)


@each_row("dice", ["seeded", "sealed"])
def test_what_a_signature_names_comes_with_the_options(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that is signed takes no request more, also after another seat has played; a link that is owed or called for takes one."""
    players = Players(dice=dice).play(6)
    match, asked = players.match, list[Request]()
    movers = list[Seat]()
    # The dice may end the match sooner.
    while len(movers) < 6 and (mover := Seat(players.host.legal(match).to_move)):
        client = players.clients[mover]
        ask = client._ask

        def noted(request: Request, ask: Callable[[Request], Reply] = ask) -> Reply:
            asked.append(request)
            return ask(request)

        with monkeypatch.context() as patch:
            patch.setattr(client, "_ask", noted)
            legal = client.legal(match, mover)
            client.play(match, mover, bytes(legal.options[0].command), expected=legal.seq)
        movers.append(mover)

    links = [one for one in asked if isinstance(one, PlayRequest) and one.key.startswith("link-")]
    assert len({*movers}) == 2
    assert [type(one) for one in asked if one not in links] == [LegalRequest, PlayRequest] * len(movers)
    assert bool(links) == (dice == "sealed")
    assert players.report.clean


def test_who_was_shown_another_word_than_is_stored_has_not_signed_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many events, one of them with another text, which the server shows to one player alone."""
    players = Players().play(4)
    match, mover = players.match, Seat(players.host.legal(players.match).to_move)
    other = next(seat for seat in players.clients if seat != mover)
    players.clients[other].play(match, other, b'{"do":"match:note","text":"I give up"}')
    client = players.clients[mover]
    ask = client._ask

    def lied(request: Request) -> Reply:
        return decode_reply(encode(ask(request)).replace(b"I give up", b"Go on then"))

    monkeypatch.setattr(client, "_ask", lied)
    legal = client.legal(match, mover)
    with pytest.raises(RequestFailed) as refused:
        client.play(match, mover, bytes(legal.options[0].command), expected=legal.seq)

    assert refused.value.reply.refusal == "signature_must_fit"


@each_row("way", ["log", "publication"])
def test_what_a_player_was_shown_in_any_way_is_what_is_signed_for(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server tells the truth whenever it is asked for what is to be signed, and another word before."""
    players = Players().play(4)
    match, red, blue = players.match, players.clients[RED], players.clients[BLUE]
    red.play(match, RED, NOTE)
    ask, lies = red._ask, list[LogReply]()

    def lied(request: Request) -> Reply:
        reply = ask(request)
        if isinstance(reply, LogReply) and not lies:
            lies.append(reply)
            return decode_reply(encode(reply).replace(b"I give up", b"Go on then"))
        return reply

    following = red.follow(match, RED)
    blue.play(match, BLUE, b'{"do":"match:note","text":"I give up"}')
    if way == "log":
        monkeypatch.setattr(red, "_ask", lied)
        shown = red.log(match, RED, since=following.seq)
    else:
        reply = ask(LogRequest(match=match, seat=RED, token=red.token(match, RED), since=following.seq))
        assert isinstance(reply, LogReply)
        told = reply.slices[0]
        one = EventsPublication(match=match, seat=RED, first=told.first, at=told.at, events=told.events)
        message = encode(one).replace(b"I give up", b"Go on then")
        monkeypatch.setattr(following._listener, "receive", lambda _: message)
        shown = [one for one in (following.next(),) if one is not None]
    with pytest.raises(RequestFailed) as refused:
        red.play(match, RED, NOTE)
    with pytest.raises(BrokenEvidence, match="another history before"):
        red.log(match, RED)

    assert b"Go on then" in encode(shown)
    assert refused.value.reply.refusal == "signature_must_fit"


def test_commits_that_end_elsewhere_are_another_history() -> None:
    """With other ends of commits a server could show other events, none of which ends where the seat had been shown all before."""
    players = Players().play(4)
    slices = players.clients[RED].log(players.match, RED)
    shown, later = Shown(), [replace(slices[-1], first=slices[-1].last + 1)]
    for one in slices:
        shown = shown.followed_by(one)
    lied = [*slices[:-1], replace(slices[-1], events=(*slices[-1].events, later[0].events[0]))]
    Shown().check_again(players.match, slices)
    for same in ((), slices, slices[:-1], slices[-1:], [*slices, *later]):
        shown.check_again(players.match, same)
    for other in (lied, [replace(slices[0], at=1), *slices[1:]]):
        with pytest.raises(BrokenEvidence, match="another history before"):
            shown.check_again(players.match, other)
    for gap in ([*slices[:-2], *slices[-1:]], slices[::-1], [*slices, slices[-1]]):
        with pytest.raises(BrokenEvidence, match="shows it next to event"):
            Shown().check_again(players.match, gap)


def test_an_option_by_its_number_begin_and_leave_are_signed() -> None:
    players = Players(dice="sealed")
    mover = Seat(players.host.legal(players.match).to_move)
    client = players.clients[mover]
    legal = client.legal(players.match, mover)
    client.play(players.match, mover, legal.options[0].number, expected=legal.seq)
    client.leave(players.match, mover)

    assert {b"match:begin", b"match:leave-seat"} <= {bytes(one.command)[7:-2] for one in players.commits}
    assert all(one.signature or b"open-link" in bytes(one.command) for one in players.commits[1:])
    assert players.report.clean
    assert mover not in players.host.state(players.match).table.keys


def test_what_was_taken_back_is_put_back_by_the_program_that_sent_it_alone() -> None:
    """A server could name anything as what is to be put back."""
    players = Players(options={"fog": True})
    red = players.clients[RED]
    players.until(RED, "hide")
    red.play(players.match, RED, {"do": "hide"})
    red.undo(players.match, RED)
    with pytest.raises(RequestFailed, match="does not sign it"):
        again(players).redo(players.match, RED)
    red.redo(players.match, RED)

    assert players.report.clean
    assert players.report.signatures[RED].unsigned == 0


class Between:
    """The server's door, where somebody changes what passes."""

    def __init__(self, players: Players, **changes: object) -> None:
        self._honest, self._changes = LocalTransport(players.desk), changes
        self.listen, self.close, self.silent_s = self._honest.listen, self._honest.close, self._honest.silent_s

    def ask(self, request: Request) -> Reply:
        """Answer a request that was changed."""
        return self._honest.ask(replace(request, **self._changes) if isinstance(request, TakeRequest) else request)


def test_a_server_that_leaves_out_the_key_of_a_player_is_found_by_the_client() -> None:
    """Without it, it could act for the seat."""
    players = Players()
    players.clients[RED].leave(players.match, RED)
    client = Client(Between(players, public_key="", signature=""), SystemIdentity(), SystemClock())

    with pytest.raises(BrokenEvidence, match="did not register the key that was sent"):
        client.take_seat(players.match, RED)


def test_a_server_that_registers_another_key_has_no_signature_for_it() -> None:
    players = Players()
    players.clients[RED].leave(players.match, RED)
    key = SeatSigner(b"o" * 32).public_key
    client = Client(Between(players, public_key=key), SystemIdentity(), SystemClock())

    with pytest.raises(RequestFailed) as caught:
        client.take_seat(players.match, RED)
    assert caught.value.reply.refusal == "signature_must_fit"


def test_a_lost_key_stops_no_match_not_even_while_a_link_is_called_for() -> None:
    players = Players(dice="sealed").until(RED, "roll")
    red = players.clients[RED]
    red.do_part(players.match, RED, decides=True)
    chain = red._chains.pop((players.match, RED))
    red.play(players.match, RED, {"do": "roll"})
    red._chains[players.match, RED] = chain
    red._signers[players.match, RED] = SeatSigner(b"n" * 32)
    with pytest.raises(RequestFailed, match="signature is not that of the key"):
        red.play(players.match, RED, NOTE)
    red.register_key(players.match, RED, is_lost=True)
    red.do_part(players.match, RED)
    red.play(players.match, RED, NOTE)
    links = players.host.state(players.match).table.links

    assert links is not None
    assert links.call is None
    assert players.report.clean


def test_a_seat_changes_hands_and_the_next_player_has_another_key() -> None:
    players = Players(dice="sealed").play(4)
    match, host = players.match, players.host
    secret, by = "s" * 40, SystemIdentity().token()
    host.play(match, ARBITER, {"do": "match:pause", "reason": "who is there?"})
    host.play(
        match,
        ARBITER,
        {"do": "match:replace-player", "seat": RED, "credential": credential(by), "reason": "vanished", "name": "Eve"},
    )
    host.play(match, ARBITER, {"do": "match:resume"})
    with pytest.raises(RequestFailed):
        players.clients[RED].play(match, RED, NOTE)
    players.clients[RED] = players.client()
    players.clients[RED].links_key = lambda: b"k" * 32
    players.clients[RED].take_seat(match, RED, "Eve", secret=secret, invitation=by)
    for _ in range(2):
        for seat, client in players.clients.items():
            client.do_part(match, seat)
    players.play(12)
    report = players.report

    assert report.clean
    assert len(report.signatures[RED].owners) == 2
    assert len(report.signatures[RED].of_others) == 1


def test_reports_tell_that_a_player_was_replaced_and_that_the_new_one_did_not_sign() -> None:
    players = Players().play(6)
    match, host = players.match, players.host
    secret, by = "s" * 40, SystemIdentity().token()
    replaced = {"do": "match:replace-player", "seat": RED, "credential": credential(by), "reason": "vanished"}
    host.play(match, ARBITER, replaced)
    number = players.commits[-1].first
    players.clients[RED] = players.client()
    players.clients[RED].take_seat(match, RED, "Eve", sign=False, secret=secret, invitation=by)
    players.play(8)
    report = players.report
    found = report.signatures[RED]
    told = " ".join(signature_lines(report, is_whole=True))
    (check,) = [one for one in checks_of(Audited(report=report)) if one.check == "signatures"]

    assert (report.clean, found.replaced, found.since) == (True, (number,), found.unsigned)
    assert f"another player with event {number}: the arbiter replaced the one who had signed" in told
    assert f"new player did not sign {found.since} command" in told
    assert check.verdict == UNCHECKED
    assert "new player did not sign all of its commands" in check.words


def test_an_invitation_names_the_key_of_its_player() -> None:
    players = Players()
    match, host = players.match, players.host
    players.clients[RED].leave(match, RED)
    client = players.client()
    client.links_key = lambda: b"k" * 32
    by = SystemIdentity().token()
    reserve = {
        "do": "match:reserve-seat",
        "seat": RED,
        "credential": credential(by),
        "key": client._new_signer(match, RED, "").public_key,
    }
    host.play(match, ARBITER, reserve)
    with pytest.raises(RequestFailed) as caught:
        players.client().take_seat(match, RED, invitation=by)
    client.take_seat(match, RED, invitation=by)

    assert caught.value.reply.refusal == "key_must_be_invited"
    assert players.report.clean


def test_a_fork_has_no_keys_and_a_seat_that_is_taken_in_it_signs_for_it() -> None:
    players = Players().play(6)
    red = players.clients[RED]
    fork = red.fork(players.match, RED).match
    red.add_token(fork, RED, red.token(players.match, RED))
    red.take_seat(fork, RED, invitation=red.token(players.match, RED))
    players.clients[BLUE].take_seat(fork, BLUE)
    players.match = fork
    red.do_part(fork, RED)
    players.play(6)

    assert players.report.clean
    commits = players.commits
    own = [one for one in commits if one.match == fork and one.seat != ARBITER]

    assert [bytes(one.command) for one in own if not one.signature and b"open-link" not in bytes(one.command)] == [
        b'{"do":"match:fork"}'
    ]


def test_signatures_in_a_fork_name_what_it_shares_with_its_parent() -> None:
    """Of what nobody has signed in the parent, too: otherwise a server could show who plays in the fork another parent."""
    players = Players(signing=lambda _: False).play(6)
    fork = players.host.fork(players.match, PUBLIC).match
    for seat, client in players.clients.items():
        client.take_seat(fork, seat)
    shared = len(players.commits)
    players.match = fork
    lines = Lines(players.play(2).archive())

    assert (audited(lines.sealed()), verified(lines.sealed())) == ("", "")
    for commit in lines.commits[:shared]:
        commit["at"] += 1
        assert "the signature is not that of the key" in audited(lines.sealed())
        assert "a signature is not that of the key" in verified(lines.sealed())
        commit["at"] -= 1
