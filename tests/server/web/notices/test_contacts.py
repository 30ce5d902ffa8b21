"""Contacts are read strictly: what strangers type leads neither to other programs nor to machines that are not public."""

from ipaddress import ip_address

import pytest

from server.web.notices.chat import Chats
from server.web.notices.contacts import Contact, ContactRefused, Kind, parse_contact
from server.web.notices.network import is_public
from tests.support.rows import each_row


@each_row(
    ("typed", "contact"),
    [
        (" ada@Example.org ", Contact(Kind.MAIL, "ada@example.org")),
        ("https://example.org/hook?key=1", Contact(Kind.WEBHOOK, "https://example.org/hook?key=1")),
        ("http://127.0.0.1:8000/hook", Contact(Kind.WEBHOOK, "http://127.0.0.1:8000/hook")),
        ("ntfy://stalingrad", Contact(Kind.CHAT, "ntfy://stalingrad")),
    ],
)
def test_a_contact_is_mail_a_webhook_or_a_chat(typed: str, contact: Contact) -> None:
    assert parse_contact(typed) == contact


@each_row(
    "typed",
    [
        "",
        "ada",
        "ada@localhost",
        "ada@example.org,bob@example.org",
        "ada@example.org\nBcc: bob@example.org",
        "Ada <ada@example.org>",
        ".ada@example.org",
        "ädä@example.org",
        f"{'a' * 250}@example.org",
        "file:///etc/passwd",
        "json://127.0.0.1",
        "dbus://",
        "https://",
        "https://ada:secret" + "@example.org/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://example.org/#part",
    ],
)
def test_what_is_none_is_refused_in_one_line(typed: str) -> None:
    with pytest.raises(ContactRefused) as refused:
        parse_contact(typed)

    assert "\n" not in str(refused.value)


@each_row("typed", ["ntfy://ntfy.example.org/topic", "discord://", "slack://no"])
def test_a_chat_at_another_machine_or_of_another_form_is_refused(typed: str) -> None:
    with pytest.raises(ContactRefused):
        Chats().check(parse_contact(typed))


def test_a_chat_of_the_right_form_is_taken() -> None:
    Chats().check(parse_contact("ntfy://stalingrad"))


@each_row(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_addresses_of_other_networks_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@each_row("address", ["1.1.1.1", "2606:4700:4700::1111"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(ip_address(address))
