"""Forks that pages ask for count for their visitors; who is not trusted cannot make up visitors."""

import socket as sockets
from collections.abc import Iterator

import pytest

from events.ids import PUBLIC, MatchId
from server.broker import payers
from server.broker.connections import Connection
from server.broker.limits import Limits
from server.broker.payers import Payers
from server.broker.tcp import is_local
from server.client.client import Client
from server.protocol.errors import RequestFailed
from server.protocol.wire import ForkRequest, HelloRequest
from tests.support.browsing import Pages, fields_of, read
from tests.support.rows import each_row
from tests.support.served import client_of, seated, served


def fork(client: Client, match: MatchId, visitor: str = "") -> str:
    """Fork a match for a visitor, and return the code of the failure; empty if it was forked."""
    try:
        client.fork(match, PUBLIC, visitor=visitor)
    except RequestFailed as error:
        return error.code
    return ""


def test_each_visitor_of_pages_on_this_machine_has_a_quota() -> None:
    with served(limits=Limits(opens=2)) as broker, client_of(broker) as client:
        match = seated(client)
        codes = [fork(client, match, visitor) for visitor in ("a", "a", "a", "b", "", "")]

    assert codes == ["", "", "too_many", "", "", "too_many"]


def test_another_client_does_not_escape_its_quota_by_naming_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payers, "is_local", lambda _: False)
    with served(limits=Limits(opens=2)) as broker, client_of(broker) as client:
        match = seated(client)
        codes = [fork(client, match, visitor) for visitor in ("a", "b")]

    assert codes == ["", "too_many"]


@each_row(
    ("identity", "visitor", "payer"),
    [("PAGES", "a", "a"), ("PAGES", "", "PAGES"), ("OTHER", "a", "OTHER"), ("10.0.0.7", "a", "10.0.0.7")],
)
def test_only_listed_servers_of_pages_are_believed_from_other_machines(identity: str, visitor: str, payer: str) -> None:
    away = Connection(-1, identity, 0.0)

    assert Payers({"PAGES"}).of(ForkRequest(match=MatchId("m"), visitor=visitor), away) == payer


def test_other_requests_and_messages_without_a_connection_have_no_visitor() -> None:
    assert Payers({"PAGES"}).of(HelloRequest(), Connection(-1, "PAGES", 0.0)) == "PAGES"
    assert Payers(()).of(ForkRequest(match=MatchId("m"), visitor="a"), None) == ""


@pytest.fixture
def listening() -> Iterator[sockets.socket]:
    with sockets.create_server(("127.0.0.1", 0)) as made:
        yield made


def test_a_connection_is_local_if_it_comes_from_this_machine(listening: sockets.socket) -> None:
    with sockets.create_connection(listening.getsockname()) as connection:
        assert is_local(connection.fileno())
    one, other = sockets.socketpair()
    with one, other:
        assert is_local(one.fileno())


def test_a_connection_that_is_gone_is_not_local() -> None:
    assert not is_local(-1)


def test_a_fork_of_the_pages_counts_for_the_visitors_address() -> None:
    with served(limits=Limits(opens=1)) as broker, client_of(broker) as client, Pages(broker.address) as pages:
        match = seated(client)

        def tried(address: str) -> int:
            browser = pages.browser(address)
            fields = fields_of(read(browser.get(f"/m/{match}?try=1")), "try")
            return browser.post(f"/m/{match}/try", fields).status_code

        answers = [tried(address) for address in ("10.0.0.1", "10.0.0.2", "2001:db8::1", "10.0.0.1", "2001:db8::2")]

    assert answers == [303, 303, 303, 409, 409]
