"""A new request needs three parts: its messages, its handler, and its call, which works on both clients."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest

from events.codec import encode, tag_of
from events.ids import PUBLIC, Digest, MatchId, Seat, StudyId
from events.memory_log import MemoryLog
from events.studies.study_entry import CommentWritten
from events.vocabulary import NoteAdded
from server.broker.broker import Broker
from server.client.async_client import AsyncClient
from server.client.calls import Call, ClientCall, asked
from server.client.client import Client
from server.client.client_protocol import ClientCalls, SansIoClient
from server.client.sockets import SocketTransport
from server.desk.command_handlers import KernelCommand, Order, seat_command
from server.desk.desk import HANDLERS, Desk
from server.desk.desk_context import DeskContext
from server.desk.handlers import HandlerTable, seat_query
from server.desk.match_cache import CachedMatch
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.identity import SystemIdentity
from server.protocol.replies import PlayedReply, Reply
from server.protocol.wire import REQUESTS, CommandRequest, Request, SeatRequest
from tests.support.served import QUICK, seated, served
from tests.support.sitting import CountedIdentity
from tests.support.skirmish import BLUE, RED

# 1. The messages.


class TallyReply(Reply, frozen=True, kw_only=True, tag="tally"):
    """How many events the seat has seen."""

    seq: int


class TallyRequest(SeatRequest, frozen=True, kw_only=True, tag="tally"):
    """Ask how many events the seat has seen."""

    reply = TallyReply


class ChatRequest(CommandRequest, frozen=True, kw_only=True, tag="chat"):
    """Say something to all."""

    reply = PlayedReply

    text: str


# 2. The handlers, and the command for which a request stands: a seat that has a key signs it.


def answer_tally(context: DeskContext, match: CachedMatch, request: TallyRequest) -> TallyReply:
    return TallyReply(id=request.id, seq=match.number(request.seat))


def note(text: str) -> bytes:
    return encode({"do": "match:note", "text": text})


def chat_command(context: DeskContext, match: CachedMatch, request: ChatRequest) -> Order:
    return (KernelCommand(note(request.text)),)


NEW_HANDLERS = (seat_query(TallyRequest, answer_tally), seat_command(ChatRequest, chat_command))


# 3. The calls: a query is `asked`, a command is `sent`.


class NewCalls(ClientCalls):
    """The calls of the new requests."""

    @ClientCall
    def tally(self, match: MatchId, seat: Seat = PUBLIC) -> Call[int]:
        """Ask how many events a seat has seen."""
        request = TallyRequest(match=match, seat=seat, token=self.token(match, seat))
        return (yield from asked(request, TallyReply)).seq

    @ClientCall
    def chat(self, match: MatchId, seat: Seat, text: str, *, key: str = "") -> Call[PlayedReply]:
        """Say something to all."""
        request = ChatRequest(match=match, seat=seat, token=self.token(match, seat), text=text, key=key)
        return (yield from self.sent(request, note(text)))


class NewClient(NewCalls, Client):
    """The blocking client with the new calls."""


class NewAsyncClient(NewCalls, AsyncClient):
    """The asynchronous client with the new calls."""


@contextmanager
def new_client(broker: Broker) -> Iterator[NewClient]:
    clock, identity = SystemClock(), SystemIdentity()
    with NewClient(SocketTransport(broker.address, clock, identity, QUICK), identity, clock) as client:
        yield client


def new_desk() -> Desk:
    handlers = HandlerTable((*HANDLERS, *NEW_HANDLERS))
    return Desk(MemoryLog(), handlers=handlers)


def said(played: PlayedReply) -> list[str | None]:
    return [event.text for slice_ in played.slices for event in slice_.events if isinstance(event, NoteAdded)]


def test_a_new_request_works_through_a_broker_on_the_blocking_client() -> None:
    with served(desk=new_desk()) as broker, new_client(broker) as client:
        match = seated(client)
        before = client.tally(match)
        with client.follow(match) as following:
            played = client.chat(match, RED, "hello", key="k")
            heard = following.next(10.0)

        assert said(played) == ["hello"]
        assert heard == played.slices[0]
        assert client.tally(match) == client.tally(match, RED) == before + 1
        assert client.chat(match, RED, "hello", key="k").repeated
        with pytest.raises(RequestFailed) as caught:
            client.chat(match, PUBLIC, "psst")
        assert caught.value.code == "not_your_seat"


def test_a_new_request_works_through_a_broker_on_the_asynchronous_client() -> None:
    async def talk(address: str) -> tuple[list[str | None], int]:
        async with NewAsyncClient(address, retry_policy=QUICK) as client:
            opened = await client.open("skirmish", dice="seeded", seed="3")
            for seat in (RED, BLUE):
                await client.take_seat(opened.match, seat)
            before = await client.tally(opened.match)
            played = await client.chat(opened.match, BLUE, "good evening")
            return said(played), await client.tally(opened.match) - before

    with served(desk=new_desk()) as broker:
        assert asyncio.run(talk(broker.address)) == (["good evening"], 1)


def test_a_request_without_a_handler_is_malformed() -> None:
    with served() as broker, new_client(broker) as client:
        match = seated(client)
        with pytest.raises(RequestFailed, match="not a request: Invalid value 'tally'") as caught:
            client.tally(match)

    assert caught.value.code == "malformed"


def test_every_request_of_the_protocol_has_one_handler_and_one_call() -> None:
    asked_for = set[type[Request]]()
    calls = SansIoClient(CountedIdentity())
    match, some = MatchId("m"), {"open": ("skirmish",), "hello": (), "matches": (), "appoint": (), "tile": (0, 0, 1)}
    seat_calls = {
        "play": (RED, 1),
        "take_seat": (RED,),
        "do_part": (RED,),
        "register_key": (RED,),
        "seat_bot": (RED,),
        "leave": (RED,),
        "begin": (RED,),
        "undo": (RED,),
        "redo": (RED,),
        "adopt_rules": (RED, ""),
        "hand_over": (MatchId("line"),),
        "rule_on_line": (MatchId("line"), "text"),
        "study": (StudyId("aaaaaaaa"),),
        "open_study": ("a title",),
        "write_study": (StudyId("aaaaaaaa"), CommentWritten(at=1, text="so")),
    }
    # Nothing has to be read before a seat is taken.
    calls.openings[match] = Digest("0" * 64)
    for name in dir(ClientCalls):
        if isinstance(getattr(ClientCalls, name), ClientCall):
            arguments = some[name] if name in some else (match, *seat_calls.get(name, ()))
            more = {"author": "Ada"} if name in ("open_study", "write_study") else {}
            # Nothing is due of a seat without a chain.
            asked_for.update(type(request) for request in islice(getattr(calls, name)(*arguments, **more), 1))

    assert sorted(map(tag_of, HANDLERS.requests)) == sorted(map(tag_of, REQUESTS))
    assert asked_for == set(REQUESTS)


def test_a_call_keeps_its_name_and_its_documentation() -> None:
    assert (Client.play.__doc__ or "").startswith("Play a command")
    assert (AsyncClient.play.__doc__ or "") == (Client.play.__doc__ or "")
