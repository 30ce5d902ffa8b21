"""The part of the fold that applies the events about links: anchors, calls and what is opened."""

from events.vocabulary import ChanceCalled, LinksOpened, SeatSecured
from projections.state.links import called, opened, secured, seen_on
from projections.state.table import Table


def seat_secured(table: Table, event: SeatSecured) -> None:
    """Publish the anchor of a seat."""
    table.seen_links = seen_on(table.seen_links, event)
    if table.links is not None and event.seat in table.seats:
        table.links = secured(table.links, event)


def chance_called(table: Table, event: ChanceCalled) -> None:
    """Let the match wait for a link."""
    table.seen_links = seen_on(table.seen_links, event)
    if table.links is not None:
        table.links = called(table.links, event, table.seq)


def links_opened(table: Table, event: LinksOpened) -> None:
    """Open links."""
    table.seen_links = seen_on(table.seen_links, event)
    # A fork repeats those of the command that it has cut, which are its parent's.
    if table.links is not None and table.seq > table.dice_from:
        table.links = opened(table.links, event)
