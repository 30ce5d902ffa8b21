"""The messages of NATS, however they are cut, and bytes that are none."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.jetstream.protocol import Failure, Info, Malformed, Message, Parser, Ping, Received, publish
from tests.support.rows import each_row

SENT = (
    b'INFO {"max_payload":1024}\r\n'
    b"PING\r\n+OK\r\nPONG\r\n"
    b"MSG told.x 2 5\r\nab\r\nc\r\n"
    b"HMSG _INBOX.1 1 _INBOX.2 44 46\r\nNATS/1.0 404 No Messages\r\nWardiary-A: b \r\n\r\n{}\r\n"
    b"HMSG _INBOX.1 1 12 12\r\nNATS/1.0\r\n\r\n\r\n"
    b"-ERR 'Authorization Violation'\r\n"
)
RECEIVED: list[Received] = [
    Info({"max_payload": 1024}),
    Ping(),
    Message("told.x", b"ab\r\nc"),
    Message("_INBOX.1", b"{}", {"Wardiary-A": "b"}, 404),
    Message("_INBOX.1", b"", {}, 0),
    Failure("Authorization Violation"),
]


def test_messages_are_the_same_however_they_are_cut() -> None:
    for seed in range(200):
        choose, parser = Random(seed), Parser()
        cuts = sorted(choose.randrange(len(SENT)) for _ in range(choose.randrange(12)))
        parts = [SENT[start:end] for start, end in zip([0, *cuts], [*cuts, len(SENT)], strict=True)]

        assert [one for part in parts for one in parser.feed(part)] == RECEIVED


@given(st.binary(max_size=200))
def test_other_bytes_are_refused_and_nothing_else_is_raised(junk: bytes) -> None:
    parser = Parser()
    try:
        found = list(parser.feed(junk))
    except Malformed:
        found = []

    assert all(isinstance(one, Received) for one in found)


@each_row(
    "sent",
    [
        b"HTTP/1.1 400 Bad Request\r\n",
        b"MSG x\r\n",
        b"MSG x 1 -4\r\n",
        b"HMSG x 1 9 4\r\n",
        b"INFO {\r\n",
        b"x" * 70_000,
    ],
)
def test_what_is_not_of_this_protocol_is_refused(sent: bytes) -> None:
    with pytest.raises(Malformed):
        list(Parser().feed(sent))


def test_a_message_is_published_with_its_headers_and_sizes() -> None:
    assert publish("a.b", b"xyz") == b"PUB a.b 3\r\nxyz\r\n"
    assert (
        publish("a.b", b"xyz", reply="c", headers={"K": "v"}) == b"HPUB a.b c 18 21\r\nNATS/1.0\r\nK: v\r\n\r\nxyz\r\n"
    )
