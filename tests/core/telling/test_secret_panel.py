"""What only some seats know is shown to them by default, and told to all when it is disclosed."""

import pytest

from core.engine.draft import Draft
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.secret_panel import secret_panel
from events.ids import PUBLIC, Seat
from projections.chronicle import Chronicler
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice, seen_events
from tests.support.desk import Desk
from tests.support.skirmish import AMBUSH, BLUE, CAMP, RED, RULE


@pytest.fixture
def draft() -> Draft:
    """A draft in which Red has laid an ambush."""
    desk = Desk.open()
    draft = Draft(desk.table.clone(), desk.match.chance())
    draft.set_attribute(RED, AMBUSH, CAMP, RULE, seen_by=(RED,))
    return draft


@pytest.mark.parametrize(("seat", "rows"), [(RED, (("Red", "Ambush: Camp"),)), (BLUE, ())])
def test_a_seat_is_shown_its_own_secrets(draft: Draft, seat: Seat, rows: tuple[tuple[str, str], ...]) -> None:
    desk = Desk.open()
    view = fold(seen_events(draft.events, seat), fold(seen_events(desk.events, seat), Table()))
    panel = secret_panel(Names(desk.match.ruleset.game.narration), view)

    assert (() if panel is None else panel.rows) == rows


def test_a_secret_that_is_disclosed_is_told_to_all(draft: Draft) -> None:
    """A seat that did not know it is told as well, and nobody is told when it was set in secret."""
    desk = Desk.open()
    draft.set_attribute(RED, AMBUSH, CAMP, RULE)
    for seat in (RED, BLUE, PUBLIC):
        view = fold(seen_events(desk.events, seat), Table())
        entries = Chronicler().take(EventSlice(view.seq + 1, 0, tuple(seen_events(draft.events, seat))))
        lines = Narrator(Names(desk.match.ruleset.game.narration), view).lines(entries)

        assert [line.sentence for line in lines] == ["Disclosed: Red, Ambush: Camp."]
