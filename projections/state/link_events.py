"""The part of the fold that applies the events about links: anchors, calls and what is opened."""

from events.vocabulary import ChanceCalled, LinksOpened, SeatSecured
from projections.state.links import links_on
from projections.state.table import Table


def link_event(table: Table, event: ChanceCalled | LinksOpened | SeatSecured) -> None:
    """Publish the anchor of a seat, let the match wait for a link, or open links."""
    if not isinstance(event, SeatSecured) or event.seat in table.seats:
        table.links = links_on(table.links, event, table.seq, table.dice_from)
