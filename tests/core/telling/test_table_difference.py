"""What differs between two tables is told with where each piece is, as far as the viewer knows."""

from core.match.bound_games import bound_game
from core.telling.names import Names
from core.telling.table_difference import difference_rows
from events.ids import CardId, GameKey, PieceId, PileId, PlaceId, Side
from projections.diff import diff_tables
from projections.state.table import Piece, Pile, Table
from tests.support.rows import each_row

FORCE, OTHER = "g_79_infantry", "g_16_panzer"
DECK = PileId("forces/german")


def table(*, deck: tuple[str, ...] = (), place: str = "") -> Table:
    """Return a table of Battle with a Force deck, and one Force at a place if one is named."""
    force = Piece(PieceId(FORCE), FORCE, Side("german"), PlaceId(place))
    pieces = {force.id: force} if place else {}
    return Table(game=GameKey("battle"), pieces=pieces, piles={DECK: Pile(tuple(map(CardId, deck)))})


def told(one: Table, other: Table) -> list[str]:
    """Return the row of the Force."""
    names = Names(bound_game(GameKey("battle"), None).narration)
    rows = difference_rows((names.on(one), names.on(other)), diff_tables(one, other), is_full=False)
    (row,) = [row for row in rows if row[0] == "79th Infantry"]
    return row[1:]


def test_the_order_of_a_pile_is_no_difference_to_be_told() -> None:
    one, other = table(deck=(FORCE, OTHER)), table(deck=(OTHER, FORCE))
    names = Names(bound_game(GameKey("battle"), None).narration)

    assert not diff_tables(one, other).is_empty
    assert list(difference_rows((names.on(one), names.on(other)), diff_tables(one, other), is_full=False)) == []


@each_row(
    ("deck", "where"),
    [
        ((FORCE, OTHER), "somewhere in the German Force deck"),
        ((FORCE,), "in the German Force deck"),
        ((OTHER,), "not on the table"),
    ],
)
def test_a_force_in_its_deck_is_there_whichever_table_has_it(deck: tuple[str, ...], where: str) -> None:
    here, there = table(place="top/german"), table(deck=deck)

    assert told(here, there) == ["top of the German Force deck", where]
    assert told(there, here) == [where, "top of the German Force deck"]
