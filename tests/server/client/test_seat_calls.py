"""Clients of seats whose dice depend on links: they do their part by themselves."""

from collections.abc import Callable
from random import Random

import pytest

from core.audit.match_audit import audit_match
from core.chance.links import LinkChain
from events.codec import replace, tag_of
from events.errors import BrokenEvidence
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import ChanceCalled, DiceRolled, Event, LinksOpened
from projections.state.links import ChanceCall
from projections.state.seating import part_of
from server.client.bots import run_bot
from server.client.client import Client
from server.client.local import LocalTransport
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.errors import AnchorsUnanswered, RequestFailed
from server.protocol.identity import SystemIdentity
from server.protocol.replies import FailedReply, LegalReply, LogReply, PlayedReply, Reply, StateReply
from server.protocol.wire import PlayRequest, Request, TakeRequest
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED

TIP = "5a" * 32


class Players:
    """A server in this process, and a client for each player."""

    def __init__(self, dice: str = "sealed") -> None:
        self.log = MemoryLog()
        self.desk = Desk(self.log, raises_faults=True)
        self.host = self.client()
        self.match: MatchId = self.host.open("skirmish", dice=dice).match
        self.clients = {seat: self.client() for seat in (RED, BLUE)}

    def client(self) -> Client:
        """Return another client."""
        return Client(LocalTransport(self.desk), SystemIdentity(), SystemClock())

    def sit(self, tip: str = "") -> "Players":
        """Let both players sit down, and the first one see that the other has come."""
        self.clients[RED].take_seat(self.match, RED, tip=tip)
        self.clients[BLUE].take_seat(self.match, BLUE)
        self.clients[RED].do_part(self.match, RED)
        for seat, client in self.clients.items():
            client.do_part(self.match, seat)
        return self

    def play(self, steps: int) -> None:
        """Play random options, each by the client of its seat."""
        choose = Random(1)
        for _ in range(steps):
            mover = self.host.legal(self.match).to_move
            if not mover:
                break
            self.step(Seat(mover), choose)

    def asked(self, seat: Seat) -> str:
        """Return the commands that a seat may play now, as text."""
        return " ".join(bytes(one.command).decode() for one in self.clients[seat].legal(self.match, seat).options)

    def step(self, seat: Seat, choose: Random) -> list[type]:
        """Play one random option of a seat, and return the kinds of its events."""
        client = self.clients[seat]
        legal = client.legal(self.match, seat)
        commands = [bytes(one.command) for one in legal.options if b'"unpick"' not in bytes(one.command)]
        reply = client.play(self.match, seat, choose.choice(commands), expected=legal.seq)
        return [type(event) for slice_ in reply.slices for event in slice_.events]


def test_two_clients_begin_and_play_a_match_to_its_end() -> None:
    """Neither looks for what is due: the call that plays pays what its seat owes, and opens the link that it has called for."""
    players = Players().sit()
    players.play(400)
    table = players.desk.number(players.match, ARBITER)
    report = audit_match(players.log, players.match)

    assert table > 20
    assert (report.verdict, report.dice, report.unsecured) == ("clean", "checked", ())


def test_a_call_for_dice_and_the_dice_come_in_one_reply() -> None:
    players = Players().sit()
    choose, kinds = Random(2), []
    for _ in range(12):
        kinds = players.step(Seat(players.host.legal(players.match).to_move), choose)
        if DiceRolled in kinds:
            break

    assert kinds.index(ChanceCalled) < kinds.index(LinksOpened) < kinds.index(DiceRolled)


def test_another_process_with_the_same_tip_goes_on_where_the_first_was_killed() -> None:
    """match.links: the call is on record, and the new process opens the very link that the first would have opened."""
    players = Players().sit(TIP)
    first = players.clients[RED]
    while players.host.legal(players.match).to_move != RED or "roll" not in players.asked(RED):
        players.step(Seat(players.host.legal(players.match).to_move), Random(3))
    first.do_part(players.match, RED, decides=True)
    first._chains.clear()
    first.play(players.match, RED, {"do": "roll"})
    again = players.client()
    again.add_token(players.match, RED, first.token(players.match, RED))
    again.add_chain(players.match, RED, TIP)
    (opened,) = again.do_part(players.match, RED)

    assert any(isinstance(event, DiceRolled) for slice_ in opened.slices for event in slice_.events)
    assert again.do_part(players.match, RED) == []
    assert part_of(again.state(players.match, RED).table, RED) == ""


def test_a_link_that_is_sent_twice_is_opened_once() -> None:
    players = Players().sit(TIP)
    one, two = players.clients[RED], players.client()
    two.add_token(players.match, RED, one.token(players.match, RED))
    two.add_chain(players.match, RED, TIP)
    while players.host.legal(players.match).to_move != BLUE or "roll" not in players.asked(BLUE):
        players.step(Seat(players.host.legal(players.match).to_move), Random(3))
    players.clients[BLUE].play(players.match, BLUE, {"do": "roll"})
    table = players.host.state(players.match).table
    for client in (one, two):
        # Both know that it is due.
        client.run(client._read_on(players.match, RED, client.token(players.match, RED)))
    replies = [reply for client in (one, two) for reply in client.do_part(players.match, RED, table, decides=True)]

    assert [reply.repeated for reply in replies] == [False, True]
    assert replies[0].slices == replies[1].slices


def test_where_dice_have_no_links_a_client_takes_its_seat_without_a_chain() -> None:
    players = Players("seeded").sit()
    players.play(400)

    assert not players.clients[RED].has_chain(players.match, RED)
    assert audit_match(players.log, players.match).clean


def test_a_client_sits_down_without_a_chain_for_no_other_refusal() -> None:
    """A server that wants to foresee the dice of a seat could refuse its anchor."""
    players = Players()
    players.clients[RED].take_seat(players.match, RED)
    players.clients[BLUE].take_seat(players.match, BLUE)
    players.clients[BLUE].leave(players.match, BLUE)
    with pytest.raises(RequestFailed) as caught:
        players.clients[BLUE].take_seat(players.match, BLUE)

    assert caught.value.reply.refusal == "anchor_must_be_answered"
    assert list(players.host.state(players.match).table.players) == [RED]


def test_a_client_asks_before_it_answers_a_fourth_chain_of_a_seat() -> None:
    """Each further chain is another try at the next roll for the operator who knows it."""
    players = Players()
    for seat, client in players.clients.items():
        client.take_seat(players.match, seat)
    red = players.clients[RED]
    for _ in range(2):
        red.do_part(players.match, RED)
        players.clients[BLUE].leave(players.match, BLUE)
        players.clients[BLUE].take_seat(players.match, BLUE)
    red.do_part(players.match, RED)
    players.clients[BLUE].leave(players.match, BLUE)
    players.clients[BLUE].take_seat(players.match, BLUE)
    seen = red.state(players.match, RED).table
    with pytest.raises(AnchorsUnanswered, match="has published 4 chains of links"):
        red.do_part(players.match, RED)
    red.anchors_max = 4
    answered = red.do_part(players.match, RED)

    assert seen.links is not None
    assert seen.links.chains[RED].unanswered == (BLUE,)
    assert len(answered) > 0


def test_a_server_that_publishes_another_chain_than_it_was_sent_is_found_by_the_client() -> None:
    """With a chain of its own in place of the player's it would know all links, and choose and foresee all dice."""
    players = Players()
    honest = LocalTransport(players.desk)

    class Between:
        """The server's door, where somebody changes the anchor."""

        listen, close, silent_s = honest.listen, honest.close, honest.silent_s

        def ask(self, request: Request) -> Reply:
            if isinstance(request, TakeRequest):
                request = replace(request, anchor=LinkChain(b"o" * 32).anchor)
            return honest.ask(request)

    client = Client(Between(), SystemIdentity(), SystemClock())
    with pytest.raises(BrokenEvidence, match="did not publish the chain of links that was sent for the seat red"):
        client.take_seat(players.match, RED, sign=False)

    assert not client.has_chain(players.match, RED)


def test_a_client_that_has_lost_the_chain_is_told_that_a_link_is_due() -> None:
    players = Players().sit()
    while players.host.legal(players.match).to_move != BLUE or "roll" not in players.asked(BLUE):
        players.step(Seat(players.host.legal(players.match).to_move), Random(3))
    players.clients[BLUE].play(players.match, BLUE, {"do": "roll"})
    players.clients[RED]._chains.clear()

    with pytest.raises(RequestFailed, match="owes a link") as caught:
        players.clients[RED].play(players.match, RED, {"do": "reply", "contest": False})
    assert caught.value.reply.refusal == "link_must_be_opened"


def test_a_client_that_tends_its_seat_opens_what_a_table_that_it_reads_shows_to_be_due() -> None:
    """It makes no request to find out, and returns the table after the link."""
    players = Players().sit(TIP)
    while players.host.legal(players.match).to_move != RED or "roll" not in players.asked(RED):
        players.step(Seat(players.host.legal(players.match).to_move), Random(3))
    first = players.clients[RED]
    first.do_part(players.match, RED, decides=True)
    first._chains.clear()
    first.play(players.match, RED, {"do": "roll"})
    again, asked = players.client(), list[str]()
    again.add_token(players.match, RED, players.clients[RED].token(players.match, RED))
    again.add_chain(players.match, RED, TIP)
    ask = again._ask

    def counted(request: Request) -> Reply:
        asked.append(tag_of(type(request)))
        return ask(request)

    again._ask = counted
    owing = again.state(players.match, RED).table
    again.tend(players.match, RED)
    paid = again.legal(players.match, RED, table=True).table

    assert (part_of(owing, RED), paid is not None and part_of(paid, RED)) == ("open", "")
    again.state(players.match, RED)
    assert asked == ["state", "legal", "log", "play", "state", "legal", "state"]


def test_a_client_sends_what_it_owes_for_dice_with_its_decision_and_no_sooner() -> None:
    """With the link, a server could let it count for what another seat rolls or not; so it is not sent because a table or a refusal asks for it."""
    players = Players().sit(TIP)
    while players.host.legal(players.match).to_move != BLUE or "roll" not in players.asked(BLUE):
        players.step(Seat(players.host.legal(players.match).to_move), Random(3))
    players.clients[BLUE].play(players.match, BLUE, {"do": "roll"})
    red, played = players.clients[RED], list[str]()
    ask = red._ask

    def lied(request: Request) -> Reply:
        if isinstance(request, PlayRequest):
            played.append(bytes(request.command).decode())
            if "match:note" in played[-1]:
                return FailedReply(code="refused", refusal="link_must_be_opened", message="first open a link")
        return ask(request)

    red._ask = lied
    red.tend(players.match, RED)
    red.legal(players.match, RED, table=True)
    red.do_part(players.match, RED)
    with pytest.raises(RequestFailed):
        red.play(players.match, RED, {"do": "match:note", "text": "hello"})
    assert not any("match:open-link" in one for one in played)
    red.play(players.match, RED, {"do": "reply", "contest": False})

    assert ["match:open-link" in one for one in played[-2:]] == [True, False]


def owing(reply: Reply) -> Reply:
    """Let a table show that red owes a link for an anchor."""
    if not isinstance(reply, StateReply | LegalReply) or reply.table is None or reply.table.links is None:
        return reply
    table, links = reply.table.clone(), reply.table.links
    table.links = replace(links, chains={**links.chains, RED: replace(links.chains[RED], unanswered=(BLUE,))})
    return replace(reply, table=table)


def called(reply: Reply) -> Reply:
    """Let a table show that red has called for dice."""
    if not isinstance(reply, StateReply | LegalReply) or reply.table is None or reply.table.links is None:
        return reply
    table, links = reply.table.clone(), reply.table.links
    table.links = replace(links, call=ChanceCall(RED, links.opened + 1, table.seq))
    return replace(reply, table=table)


@each_row("lie", [owing, called])
def test_a_server_gathers_no_links_by_tables_that_no_event_bears_out(lie: Callable[[Reply], Reply]) -> None:
    """match.links: with a link that nothing on record has called for, the operator would foresee dice."""
    players = Players().sit()
    red, sent = players.clients[RED], list[str]()
    ask = red._ask

    def lied(request: Request) -> Reply:
        sent.append(tag_of(type(request)))
        return lie(ask(request))

    red._ask = lied
    red.tend(players.match, RED)
    red.state(players.match, RED)
    done = red.do_part(players.match, RED)

    assert (done, "play" in sent, "log" in sent) == ([], False, True)


class Forger:
    """A server that changes what it tells: the events of its replies pass through a function.

    Args:
        desk: The honest desk.
        change: Returns the event that is told.
    """

    def __init__(self, desk: Desk, change: Callable[[Event], Event]) -> None:
        self._honest = LocalTransport(desk)
        self._change = change
        self.listen, self.close, self.silent_s = self._honest.listen, self._honest.close, self._honest.silent_s

    def ask(self, request: Request) -> Reply:
        """Answer a request with changed events."""
        reply = self._honest.ask(request)
        if not isinstance(reply, LogReply | PlayedReply):
            return reply
        return replace(
            reply,
            slices=tuple(
                replace(slice_, events=tuple(self._change(event) for event in slice_.events)) for slice_ in reply.slices
            ),
        )


def turned(event: Event) -> Event:
    """Return a roll with another first face."""
    if not isinstance(event, DiceRolled):
        return event
    return replace(event, faces=(event.faces[0] % event.sides + 1, *event.faces[1:]))


def relinked(event: Event) -> Event:
    """Return another link of the server."""
    return replace(event, link="5b" * 32) if isinstance(event, LinksOpened) and event.number else event


@each_row("change", [turned, relinked])
def test_who_follows_a_server_that_tells_another_face_or_link_is_told_which_event_is_wrong(
    change: Callable[[Event], Event],
) -> None:
    players = Players().sit()
    spectator = Client(Forger(players.desk, change), SystemIdentity(), SystemClock())
    with spectator.follow(players.match) as following:
        before = following.seq
        players.play(12)
        with pytest.raises(BrokenEvidence, match=f"match {players.match}, event") as caught:
            list(following)
        with pytest.raises(BrokenEvidence):
            following.next(0.0)
    told = [
        number
        for slice_ in spectator.log(players.match, since=before)
        for number, event in enumerate(slice_.events, start=slice_.first)
        if isinstance(event, DiceRolled if change is turned else LinksOpened) and getattr(event, "number", True)
    ]

    assert caught.value.seq == told[0]


def test_a_bot_does_not_play_on_when_its_dice_are_wrong() -> None:
    players = Players().sit()
    client = players.clients[RED]
    lied = Client(Forger(players.desk, turned), SystemIdentity(), SystemClock())
    lied.add_token(players.match, RED, client.token(players.match, RED))
    lied._chains, lied._signers = client._chains, client._signers

    def opponent() -> bool:
        while players.host.legal(players.match).to_move == BLUE:
            players.step(BLUE, Random(1))
        return False

    with pytest.raises(BrokenEvidence, match="the opened links give"):
        run_bot(lied, players.match, RED, is_stopped=opponent)


@each_row(("game", "mode"), [("advance", ""), ("inferno", "solo"), ("inferno", "co_op")])
def test_who_plays_alone_begins_and_opens_every_link_by_themselves(game: str, mode: str) -> None:
    """Solitaire: no other seat answers the anchor, and none owes a link; with two players on one side both answer."""
    players = Players()
    match = players.host.open(game, mode=mode, dice="sealed").match
    seats = players.host.state(match).table.seats
    clients = {seat: players.client() for seat in seats}
    for seat, client in clients.items():
        client.take_seat(match, seat)

    def enough() -> bool:
        links = players.host.state(match).table.links
        return links is not None and links.opened >= 8

    for seat in [*seats] * 40:
        if enough():
            break
        client = clients[seat]
        client.do_part(match, seat)
        if players.host.legal(match).to_move == seat:
            run_bot(client, match, seat, commands_max=1)
    report = audit_match(players.log, match)

    assert (report.verdict, sorted(report.secured)) == ("clean", sorted(seats))
    assert enough()
