"""What a seat may not know never appears in its text: log, questions, options and pictures."""

from collections.abc import Iterator
from itertools import count

import pytest

from cli.output.table_text import Drawing
from core.games.axis_allies.ids import ALLIES_SEAT, AXIS_SEAT, RACE, URANUS, URANUS_DECK, URANUS_DEPLOYED, URANUS_FRONT
from core.games.axis_allies.narration.forces import card_kinds
from core.games.axis_allies.rules.commands import Wait
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import PUBLIC, CardId, Seat
from events.vocabulary import Event
from projections.chronicle import chronicle
from projections.state.table import Table
from projections.state.view import EventSlice, seen_events
from tests.support.axis_allies import BOARD, NARRATION
from tests.support.playouts import Playout
from tests.support.rows import each_row

NAMES = Names(NARRATION)
LOOK_EVERY = 50


def played(scenario: str, until_round: int) -> Iterator[Playout]:
    """Play a random match with factories hidden in hands and a late launch up to a round, and look at it now and then."""
    given = {"factory_placement": True} if scenario == RACE else {}
    playout = Playout("axis_allies", scenario, 31, given={**given, "heroes": False})
    before = -1
    for number in count():
        now = playout.desk.table.round
        if number % LOOK_EVERY == 0 or now > before or (number < LOOK_EVERY and not now):
            yield playout
        before, options = now, playout.desk.options()
        if now >= until_round:
            return
        playout.desk.accept(Wait() if Wait() in options else playout.choose(options))


def text(playout: Playout, seat: Seat) -> str:
    """Return all that a seat can read: its verbose log and its picture with the question."""
    teller = Narrator(NAMES)
    events: list[Event] = list(seen_events(playout.desk.events, seat))
    chapters = chronicle([EventSlice(1, 0, tuple(events))])
    said = [line.sentence for part in chapters for line in teller.lines(part.entries, is_full=True)]
    table = playout.seen_by(seat)
    return "\n".join([*said, *Drawing(NAMES, table, 200, lambda part, _: part, is_full=True).lines()])


def secret(table: Table) -> list[CardId]:
    """Return the Operation Uranus cards that only the Allies may know, or nobody."""
    return [card for pile in (URANUS_DECK, *URANUS_FRONT.values()) for card in table.pile(pile).cards]


@pytest.mark.parametrize("seat", [AXIS_SEAT, PUBLIC])
def test_neither_the_axis_nor_a_spectator_reads_a_card_before_the_launch(seat: Seat) -> None:
    """order.7.secret, order.7.draw, ruling.uranus-undrawn-hidden"""
    placed = 0
    for playout in played(RACE, 5):
        table = playout.desk.table
        if any(table.pile(pile).cards for pile in URANUS_FRONT.values()) and not table.pile(URANUS_DEPLOYED).cards:
            said = text(playout, seat)
            placed += 1

            assert not any(f"{NARRATION.name(card)} " in f"{said} " for card in secret(table))
            assert "face down" in said
    assert placed


def test_the_allies_read_the_cards_that_they_placed_with_their_units() -> None:
    """A check of the check."""
    found = 0
    for playout in played(RACE, 5):
        table = playout.desk.table
        said = text(playout, ALLIES_SEAT)
        for card in [card for pile in URANUS_FRONT.values() for card in table.pile(pile).cards]:
            found += 1

            assert f"{NARRATION.name(card)} ({NARRATION.forces.counted(card_kinds(BOARD, card))})" in said
    assert found


@each_row("seat", [AXIS_SEAT, PUBLIC])
def test_nobody_else_learns_which_factory_is_in_which_hand_before_one_is_picked(seat: Seat) -> None:
    """optional.factory-placement.hidden"""
    hidden = 0
    for playout in played(RACE, 1):
        top = playout.desk.table.top
        if top is not None and top.kind == "pick_hand":
            hidden += 1

            assert "In the left hand" in text(playout, ALLIES_SEAT)
            assert not any(word in text(playout, seat).lower() for word in ("tank factory", "artillery factory"))
    assert hidden


@pytest.mark.parametrize("scenario", [RACE, URANUS])
def test_options_and_questions_say_the_same_on_the_table_that_the_deciding_seat_sees(scenario: str) -> None:
    """The server words the options on the true table, which has more than the deciding seat may know."""
    looked = 0
    for playout in played(scenario, 9):
        table = playout.desk.table
        if table.top is None:
            continue
        seen = playout.seen_by(table.top.seat)
        looked += 1

        assert NARRATION.question(table, table.top) == NARRATION.question(seen, table.top)
        for option in playout.desk.options():
            assert NARRATION.describe(table, option) == NARRATION.describe(seen, option)
    assert looked > 3
