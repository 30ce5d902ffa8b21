"""Notices are delivered to real servers of mail and of HTTP, and what goes wrong is told without a secret."""

import json
import socket

import pytest

from server.web.notices.contacts import Contact, ContactRefused, Kind
from server.web.notices.delivery import NotDelivered, Notice
from server.web.notices.mail import Mail, parse_mail_server
from server.web.notices.webhook import Webhooks
from tests.support.loopback import hook_server, mail_server
from tests.support.rows import each_row

NOTICE = Notice("Your turn: Battle", "Turn 3.\n", "http://127.0.0.1/m/1", "http://127.0.0.1/notices/1-2")
SENDER = "war@example.org"
ADA = Contact(Kind.MAIL, "ada@example.org")


def test_mail_arrives_with_the_button_that_stops_it() -> None:
    with mail_server() as box:
        Mail(parse_mail_server(f"smtp://127.0.0.1:{box.port}?tls=off", SENDER)).deliver(ADA, NOTICE)
    (message,) = box.messages

    assert (message["From"], message["To"], message["Subject"]) == (SENDER, ADA.address, NOTICE.subject)
    assert message["List-Unsubscribe"] == f"<{NOTICE.leave}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message.get_payload() == "Turn 3.\n".replace("\n", "\r\n")


def test_a_recipient_that_is_refused_is_final_and_an_absent_server_is_not() -> None:
    with mail_server() as box:
        box.refused.add(ADA.address)
        mail = Mail(parse_mail_server(f"smtp://127.0.0.1:{box.port}?tls=off", SENDER))
        with pytest.raises(NotDelivered) as refused:
            mail.deliver(ADA, NOTICE)
    with pytest.raises(NotDelivered) as absent:
        mail.deliver(ADA, NOTICE)

    assert refused.value.is_final
    assert not absent.value.is_final


def test_a_server_without_encryption_gets_no_password() -> None:
    with mail_server() as box:
        mail = Mail(parse_mail_server(f"smtp://127.0.0.1:{box.port}", SENDER, "ada:secret"))
        with pytest.raises(NotDelivered) as refused:
            mail.deliver(ADA, NOTICE)

    assert box.messages == []
    assert "secret" not in str(refused.value)


@each_row(
    ("url", "sender", "login"),
    [
        ("", SENDER, ""),
        ("mail.example.org", SENDER, ""),
        ("smtp://", SENDER, ""),
        ("smtp://b:port", SENDER, ""),
        ("smtp://b?tls=maybe", SENDER, ""),
        ("smtp://b", "", ""),
        ("smtp://b", "https://example.org", ""),
        ("smtp://b", SENDER, "secret"),
    ],
)
def test_a_mail_server_that_is_malformed_is_told_without_its_password(url: str, sender: str, login: str) -> None:
    with pytest.raises(ContactRefused) as refused:
        parse_mail_server(url, sender, login)

    assert "secret" not in str(refused.value)


def test_a_webhook_gets_what_chats_know() -> None:
    with hook_server() as hook:
        Webhooks(is_private_allowed=True).deliver(Contact(Kind.WEBHOOK, hook.url), NOTICE)

    assert [json.loads(body) for body in hook.bodies] == [
        {"text": NOTICE.text, "content": NOTICE.text, "link": NOTICE.link, "leave": NOTICE.leave}
    ]


def test_a_webhook_on_this_machine_is_refused_unless_it_is_allowed() -> None:
    with hook_server() as hook:
        with pytest.raises(ContactRefused, match="encrypted"):
            Webhooks().check(Contact(Kind.WEBHOOK, hook.url))
        with pytest.raises(NotDelivered, match="not on the public internet"):
            Webhooks().deliver(Contact(Kind.WEBHOOK, hook.url.replace("127.0.0.1", "localhost")), NOTICE)

    assert hook.bodies == []


def test_a_webhook_that_sends_on_is_not_followed() -> None:
    with hook_server() as hook, hook_server() as other:
        hook.status, hook.to = 307, other.url
        with pytest.raises(NotDelivered, match="answered with 307"):
            Webhooks(is_private_allowed=True).deliver(Contact(Kind.WEBHOOK, hook.url), NOTICE)

    assert other.bodies == []


def test_a_webhook_that_is_gone_is_final() -> None:
    with hook_server() as hook:
        hook.status = 410
        with pytest.raises(NotDelivered) as gone:
            Webhooks(is_private_allowed=True).deliver(Contact(Kind.WEBHOOK, hook.url), NOTICE)

    assert gone.value.is_final


def test_a_machine_that_answers_nonsense_or_not_at_all_is_told() -> None:
    with socket.socket() as shut:
        shut.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{shut.getsockname()[1]}/"
        with pytest.raises(NotDelivered, match="does not answer"):
            Webhooks(is_private_allowed=True).deliver(Contact(Kind.WEBHOOK, url), NOTICE)
    with mail_server() as box, pytest.raises(NotDelivered, match="did not take it"):
        Webhooks(is_private_allowed=True).deliver(Contact(Kind.WEBHOOK, f"http://127.0.0.1:{box.port}/"), NOTICE)
