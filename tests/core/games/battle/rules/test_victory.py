"""A match ends by Control of all five Locations, by an agreed limit, or by a resignation."""

from core.engine.command import Command
from events.ids import Seat
from events.vocabulary import CardDrawn, MatchEnded
from tests.support.battle import Scene, deck_of, order, place, scene
from tests.support.desk import Desk
from tests.support.rows import each_row

END = order("done")
FIVE = {"r_169_rifle": "GAc", "r_248_rifle": "GEc", "r_84_tank": "DTFc", "r_126_rifle": "TDc", "r_15_guards": "PHc"}


def ends(table: Scene) -> None:
    """End a turn whose player draws whatever comes first; the other one passes where he is asked."""
    seat = table.table.turn
    other = "german" if seat == "russian" else "russian"
    held = 5 + sum(1 for name in FIVE.values() if controls(table, seat, name))
    cards = table.pile(f"deck/{seat}")[:held]
    is_asked = seat == "german" and bool(table.hand("russian"))
    table.do(seat, END, () if is_asked else cards)
    if is_asked:
        table.do(other, order("pass"), cards)


def controls(table: Scene, seat: str, short: str) -> bool:
    """Return whether only one side has Forces in a Control Area."""
    other = "german" if seat == "russian" else "russian"
    return bool(table.table.pieces_at(place(short, seat))) and not table.table.pieces_at(place(short, other))


def test_all_five_locations_win_at_the_end_of_the_own_turn() -> None:
    """victory.five-locations-own-turn, victory.timing: after the Draw step, and the match is over."""
    table = scene(forces=FIVE, turn="russian")
    events = table.do("russian", END, deck_of("russian")[:10])

    assert table.result == "Russian Victory"
    assert isinstance(events[-1], MatchEnded)
    assert (events[-1].rule, events[-1].kind, events[-1].winners) == (
        "victory.five-locations-own-turn",
        "rules",
        ("russian",),
    )
    assert sum(1 for event in events if isinstance(event, CardDrawn)) == 10


def test_four_and_a_contested_one_are_not_enough() -> None:
    """victory.five-locations-own-turn, control.both."""
    table = scene(forces={**FIVE, "g_16_panzer": "GAc"}, turn="russian")
    ends(table)

    assert table.result == ""
    assert table.table.turn == "german"


def test_control_wins_nothing_in_the_enemys_turn() -> None:
    """victory.timing: not from the set-up on, not at the end of the German's turn, but at the end of the Russian's first."""
    table = scene(forces={**FIVE, "g_16_panzer": "GAp"})
    ends(table)

    assert (table.result, table.table.turn) == ("", "russian")
    for _ in range(2):
        table.do("russian", order("pick", item="r_248_rifle"))
    ends(table)
    assert table.result == "Russian Victory"


def test_control_in_mid_turn_wins_nothing() -> None:
    """victory.timing: five for a moment, four at the end."""
    forces = {**FIVE, "r_15_guards": "PHp"}
    table = scene(forces=forces, rations={"r_15_guards": 1, "r_84_tank": 1}, turn="russian")
    table.do("russian", order("move", force="r_15_guards", to=place("PHc", "russian")))
    assert all(controls(table, "russian", short) for short in FIVE.values())
    table.do("russian", order("move", force="r_84_tank", to=place("DTFp", "russian")))
    ends(table)

    assert (table.result, table.table.turn) == ("", "german")


def test_a_side_without_forces_and_cards_plays_on() -> None:
    """victory.only-way, draw.deck-exhausted: a match does not end by five hundred turns without Actions."""
    table = scene(forces={"r_169_rifle": "GAp"}, decks={"german": [], "russian": []}, rations={"r_169_rifle": 0})
    for turn in range(500):
        table.do(("german", "russian")[turn % 2], END)

    assert (table.result, table.table.round) == ("", 501)
    assert table.rations("r_169_rifle") == 250


def test_an_agreed_number_of_turns_stops_the_match_without_a_winner() -> None:
    """end.table-options, victory.only-way, ruling.end-of-game: a result of its own kind."""
    table = scene(forces={"g_16_panzer": "GAp"}, options={"turn_cap": 2})
    ends(table)
    assert table.result == ""
    ends(table)

    ended = table.table.ended
    assert ended is not None
    assert (ended.kind, ended.result, ended.winners) == ("limit", "Turn limit reached", ())


def test_a_victory_comes_before_the_limit() -> None:
    """end.table-options, victory.timing: in the last turn it still counts."""
    table = scene(forces=FIVE, turn="russian", options={"turn_cap": 1})
    ends(table)

    assert table.result == "Russian Victory"


def test_a_seat_may_resign() -> None:
    """end.table-options: the other seat wins, and the result is not a victory by Control."""
    desk = Desk.open("battle")
    desk.accept({"do": "match:resign"}, Seat("russian"))

    ended = desk.table.ended
    assert ended is not None
    assert (ended.kind, ended.result, ended.winners) == ("resigned", "Resignation", ("german",))


AFTERWARDS = [
    order("move", force="r_169_rifle", to=place("GAp", "russian")),
    order("pass"),
    END,
]


@each_row("command", AFTERWARDS)
@each_row("seat", ["russian", "german"])
def test_nothing_is_played_after_the_end(seat: str, command: Command) -> None:
    """victory.over: every command of every seat is refused."""
    table = scene(forces=FIVE, turn="russian")
    ends(table)

    assert table.refused(seat, command) == "match_must_be_running"
    assert table.options == []
