"""What a seat may not know never appears in its text: log, questions, options, pictures and explanations."""

from collections.abc import Iterator

import pytest

from cli.output.table_text import Drawing
from core.games.inferno.ids import PLAYS
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import PUBLIC, PieceId, Seat
from events.vocabulary import CardDrawn, Event, PiecePlaced, PieceRevealed
from projections.chronicle import chronicle
from projections.state.table import Table
from projections.state.view import EventSlice, seen_events
from tests.support.inferno import BOARD, NARRATION
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.soak import sampled

COMMANDS = 60
LOOK_EVERY = 6
NAMES = Names(NARRATION)


def played(mode: str) -> Iterator[Playout]:
    """Play a random match up to a number of commands, and look at it now and then."""
    playout = Playout("inferno", "standard", 77, mode=mode)
    for number, _ in enumerate(playout.steps()):
        if number % LOOK_EVERY == 0:
            yield playout
        if number == COMMANDS:
            return


def drawn(table: Table) -> str:
    """Return a picture with its question."""
    return "\n".join(Drawing(NAMES, table, 120, lambda text, _: text, is_full=True).lines())


def told(events: list[Event]) -> str:
    """Return the verbose log of a stream."""
    teller = Narrator(NAMES)
    chapters = chronicle([EventSlice(1, 0, tuple(events))])
    return "\n".join(line.sentence for part in chapters for line in teller.lines(part.entries, is_full=True))


def shown(events: list[Event]) -> set[str]:
    """Return the printed names of all blocks and cards that a stream has shown: these its seat knows."""
    ids: set[str] = set()
    for event in events:
        for field in event.__struct_fields__:
            value = getattr(event, field)
            ids |= (
                set(value) if isinstance(value, tuple) and all(isinstance(one, str) for one in value) else {str(value)}
            )
    return {NARRATION.name(id_) for id_ in (*BOARD.blocks, *BOARD.cards) if id_ in ids}


def printed(seat_events: list[Event]) -> set[str]:
    """Return the names of units and cards that were not shown to a seat; the track names some units to all."""
    public = {BOARD.blocks[unit].name for unit in BOARD.removed_units.values()}
    names = {block.name for block in BOARD.blocks.values()} | {card.name for card in BOARD.cards.values()}
    others = {name for name in names if any(name in longer for longer in names if longer != name)}
    return names - public - others - shown(seat_events)


@pytest.mark.parametrize("mode", sampled(sorted(PLAYS), lambda mode: mode == "solo"))
def test_a_seats_text_names_no_unit_and_no_card_that_its_stream_did_not_show(mode: str) -> None:
    """fog.blocks-upright, fog.german-hand, fog.soviet-hand-blind, fog.co-op-hands"""
    secrets = 0
    for playout in played(mode):
        for seat in (*PLAYS[mode], PUBLIC):
            events = list(seen_events(playout.desk.events, seat))
            text = f"{drawn(playout.seen_by(seat))}\n{told(events)}"
            hidden = printed(events)
            secrets += len(hidden)

            assert {name for name in hidden if f"{name} (" in text or f"{name}." in text} == set()
    assert secrets


@each_row("mode", sorted(PLAYS))
def test_options_and_questions_say_the_same_on_the_table_that_the_deciding_seat_sees(mode: str) -> None:
    """The server words the options on the true table, which has more than the deciding seat may know."""
    looked = 0
    for playout in played(mode):
        table = playout.desk.table
        if table.top is None:
            continue
        seen = playout.seen_by(table.top.seat)
        looked += 1

        assert NARRATION.question(table, table.top) == NARRATION.question(seen, table.top)
        for option in playout.desk.options():
            assert NARRATION.describe(table, option) == NARRATION.describe(seen, option)
    assert looked > 3


def test_the_names_of_shown_units_are_found() -> None:
    """A check of the check: what was revealed is in the text, by its name."""
    events: list[Event] = []
    for playout in played("solo"):
        events = list(seen_events(playout.desk.events, Seat("german")))
    revealed = [event for event in events if isinstance(event, PieceRevealed) and event.kind]
    own = [event for event in events if isinstance(event, PiecePlaced) and event.kind]
    cards = [event for event in events if isinstance(event, CardDrawn) and event.card]

    text = told(events)

    assert revealed
    for kind in [*[event.kind for event in revealed], *[event.kind for event in own]]:
        assert NARRATION.name(kind or "") in text
    for drawn_card in cards:
        assert NARRATION.name(drawn_card.card or "") in text
    assert PieceId("german/1") in playout.desk.table.pieces
