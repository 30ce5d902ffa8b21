"""A disputed match through a server: it is read, ruled on and appealed there."""

from core.match.arbitration.disputes import Appeal, OpenDispute
from events.ids import ARBITER
from projections.state.offices import Dispute
from tests.support.served import client_of, seated, served
from tests.support.sitting import OWNER
from tests.support.skirmish import RED


def test_a_dispute_goes_to_its_ruling_over_sockets() -> None:
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = seated(client)
        client.play(match, RED, OpenDispute(at=2, text="Out of range."))
        opened = client.state(match, RED).table
        client.play(match, ARBITER, {"do": "match:ruling", "text": "So be it.", "at": 2, "effect": "stand"})
        client.play(match, RED, Appeal(at=2, text="The errata."))
        appealed = client.legal(match, RED, table=True).table

    assert opened.disputes == (Dispute(2),)
    assert appealed is not None
    assert appealed.disputes[0].stand == "appealed"
