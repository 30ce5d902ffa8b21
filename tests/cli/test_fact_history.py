"""`blame` and `when`: which event gave something its state, and with which a condition comes true."""

import pytest

from tests.cli.running import Terminal


@pytest.fixture(scope="module")
def advance_commands() -> str:
    """Options by number, one a line."""
    return "\n".join(["1"] * 25) + "\n"


@pytest.fixture
def match(terminal: Terminal, advance_commands: str) -> str:
    """A match of Advance in which some commands were played."""
    match = terminal.line("new", "advance", "--dice", "seeded:3")
    terminal.done("choose", match, "-", typed=advance_commands)
    return match


def test_blame_names_the_event_that_put_a_piece_where_it_is(terminal: Terminal, match: str) -> None:
    (placed,) = [one for one in terminal.done("blame", match, "94/267", "--json").objects if one["what"] == "place"]
    event = next(one for one in terminal.done("log", match, "--json").objects if one["seq"] == placed["seq"])
    line = terminal.done("blame", match, "94/267").out.splitlines()[0]

    assert event["event"]["piece"] == "94/267"  # type: ignore[index]
    assert event["event"]["to"] == placed["value"]  # type: ignore[index]
    assert line.startswith(f"{match}@{placed['seq']}  94/267: place ")


def test_blame_of_a_place_tells_of_its_owner_and_of_the_pieces_there(terminal: Terminal, match: str) -> None:
    place = terminal.done("blame", match, "94/267", "--json").objects[0]["value"]
    found = terminal.done("blame", match, str(place), "--json").objects

    assert {"control", "place"} <= {one["what"] for one in found}
    assert "94/267" in [one["of"] for one in found]


def test_blame_at_an_earlier_event_knows_nothing_of_later_ones(terminal: Terminal, match: str) -> None:
    before = terminal.done("blame", f"{match}@2", "9")

    assert (before.out, before.err) == ("", "nothing lies or happened at Area 9 (Minina Suburb) up to event 2\n")
    assert terminal("blame", f"{match}@2", "german morale").code == 2


def test_when_names_each_event_with_which_a_condition_comes_true(terminal: Terminal, match: str) -> None:
    last = int(str(terminal.done("show", match, "--json").objects[0]["seq"]))
    (found,) = terminal.done("when", match, "round >= 1 and German Morale > 5", "--json").objects
    (never, ever) = (terminal.done("when", match, f"round {sign} 99") for sign in (">", "<"))

    assert 0 < int(str(found["seq"])) < last
    assert (found["upto"], never.out) == (0, "")
    assert "it came true 1 time" in ever.err
    assert ever.out.startswith(f"{match}@")


def test_what_comes_and_goes_is_named_every_time(terminal: Terminal, match: str) -> None:
    found = terminal.done("when", match, "phase = combat", "--json").objects
    phases = [
        one["event"]["phase"]  # type: ignore[index]
        for one in terminal.done("log", match, "--json").objects
        if one["event"]["event"] == "phase-began/1"  # type: ignore[index]
    ]

    assert len(found) == phases.count("combat") > 0


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("morale", "'morale' compares nothing: write round, phase"),
        ("control of 5 = germanic", "no side is called 'germanic'"),
        ("phase = fight", "no phase is called 'fight'; there are: "),
        ("mover = german", "no track is called 'mover'"),
        ("mover = german", "besides tracks there are round, phase"),
        ("rubble of 5 > 1", "a marker is told by rubble on 5"),
        ("strength on 5 > 1", "no marker is called 'strength'"),
        ("moral > 3", "did you mean morale"),
        ("morale > high", "morale is a number"),
        ("control of 5 > 3", "compared with = or !="),
        ("control of 5 = germany", "did you mean german"),
        ("german cards in 5 > 1", "cards have no side"),
        ("morale > 3 and", "not compared with '3 and'"),
        ("", "compares nothing"),
    ],
)
def test_what_is_no_condition_is_refused_with_what_would_be(
    condition: str, said: str, terminal: Terminal, match: str
) -> None:
    done = terminal("when", match, condition)

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert said in done.err


def test_a_result_that_never_came_is_told_with_the_one_that_did(terminal: Terminal, match: str) -> None:
    terminal.done("choose", match, "resign", "--seat", "german")

    assert "the result is '" in terminal.done("when", match, "result = foo").err


def test_blame_of_a_marker_tells_of_it_wherever_it_lies(terminal: Terminal) -> None:
    played = ("simulate", "battle", "--matches", "1", "--bots", "greedy", "--seed", "3", "--jobs", "1")
    terminal.done(*played, "--save", str(terminal.store))
    (match,) = [str(one["match"]) for one in terminal.done("list", "--json").objects]
    lying = [one for one in terminal.done("blame", match, "Rubble", "--json").objects if one["what"] == "marker"]
    (place,) = {one["of"] for one in lying[:1]}

    assert {one["key"] for one in lying} == {"rubble"}
    assert terminal.done("when", match, f"rubble on {place} > 0").out
    assert "no piece, place, track, pile, card or marker" in terminal("blame", match, "Soviet").err


def test_a_name_that_nothing_has_is_refused(terminal: Terminal, match: str) -> None:
    assert terminal("blame", match, "94/268").code == 2


def test_a_seat_is_told_what_it_sees_and_nothing_else(terminal: Terminal) -> None:
    """Where an enemy's card lies is no fact for a seat, and its name is unknown."""
    match = terminal.line("new", "battle", "--dice", "seeded:3")
    terminal("choose", match, "-", typed="1\n" * 40)
    drawn = [
        one["event"]
        for one in terminal.done("log", match, "--seat", "arbiter", "--json").objects
        if str(one["event"].get("to")).startswith("hand/")  # type: ignore[attr-defined]
    ][-1]
    card, hand = str(drawn["card"]), str(drawn["to"])  # type: ignore[index]
    (other,) = {"german", "russian"} - {hand.removeprefix("hand/")}

    assert "hand" in terminal.done("blame", match, card, "--seat", "arbiter").out
    assert terminal("blame", match, card, "--seat", other).code == 2
    assert "came true" in terminal.done("when", match, f"cards in {hand} > 2", "--seat", other).err
