"""Opening matches, listing them, looking at them, reading their logs."""

from pathlib import Path

import pytest

from tests.cli.running import Terminal


def test_new_opens_takes_all_seats_and_begins(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--name", "Ada")
    (table,) = terminal.done("show", match, "--json").objects
    plain = table["table"]
    assert isinstance(plain, dict)

    assert (plain["began"], plain["players"]) == (True, {"red": "Ada", "blue": "Ada"})


def test_sealed_dice_get_a_share_of_every_seat(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish")
    events = terminal.done("log", match, "--json").objects
    taken = [one["event"] for one in events if "seat-taken/1" in str(one["event"])]

    assert [len(str(fact["contribution"])) for fact in taken if isinstance(fact, dict)] == [64, 64]


def test_options_scenario_and_mode_are_fixed_in_the_first_event(terminal: Terminal) -> None:
    words = ["--scenario", "night", "--mode", "moon", "-o", "fog=on", "--option", "speed=5", "-o", "omens=comet,raven"]
    match = terminal.line("new", "skirmish", *words)
    first = terminal.done("log", match, "--to", "1", "--json").objects[0]["event"]
    assert isinstance(first, dict)

    assert (first["scenario"], first["mode"]) == ("night", "moon")
    assert first["options"] == {
        "bug": "none",
        "fog": True,
        "speed": 5,
        "omens": ["comet", "raven"],
        "moonlight": False,
    }


def test_free_seats_are_left_to_others(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--free-seats")

    assert "waits for 2 players" in terminal.done("list").out
    assert "free seats: Red, Blue" in terminal.done("show", match).out


def test_an_owners_board_is_named_by_its_digest(terminal: Terminal, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text("goal = 7\n", encoding="utf-8")
    own = terminal.line("new", "skirmish", "--board", str(board))
    shipped = terminal.line("new", "skirmish")
    digests = [
        one["event"]["board"]
        for match in (own, shipped)
        for one in terminal.done("log", match, "--to", "1", "--json").objects
        if isinstance(one["event"], dict)
    ]

    assert digests[0] != digests[1]


def test_a_board_can_come_from_stdin(terminal: Terminal) -> None:
    ran = terminal.done("new", "skirmish", "--board", "-", typed="goal = 7\n")

    assert len(ran.out.split()) == 1


def test_manual_dice_are_asked_for_before_play_begins(terminal: Terminal) -> None:
    ran = terminal.done("new", "skirmish", "--dice", "manual")

    assert "to begin, this needs to know what was drawn" in ran.err
    assert "waits to begin" in terminal.done("list").out


def test_a_position_opens_a_match_with_manual_dice(terminal: Terminal) -> None:
    folder = Path(__file__).parents[2] / "fixtures" / "positions"
    found = [path for path in sorted(folder.rglob("*.toml")) if 'game = "advance"' in path.read_text(encoding="utf-8")]
    match = terminal.line("new", "advance", "--position", str(found[0]), "--dice", "manual")
    (shape,) = terminal.done("legal", match, "--json").objects

    assert shape["options"]


def test_list_says_how_each_match_stands(terminal: Terminal, skirmish: str) -> None:
    (entry,) = terminal.done("list", "--json").objects

    assert (entry["shape"], entry["match"], entry["game"], entry["dice"]) == ("match", skirmish, "skirmish", "seeded")
    assert skirmish in terminal.done("list").out


def test_an_unused_default_store_has_no_matches(tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "no.db").as_process("list", WARDIARY_STORE="", HOME=str(tmp_path), XDG_DATA_HOME="")

    assert (ran.code, ran.out) == (0, "")
    assert "no match has been played yet" in ran.err


def test_a_match_is_named_by_the_beginning_of_its_id(terminal: Terminal, skirmish: str) -> None:
    assert terminal.done("show", skirmish[:4]).out == terminal.done("show", skirmish).out


def test_show_can_look_back(terminal: Terminal, skirmish: str) -> None:
    (now,) = terminal.done("show", skirmish, "--json").objects
    (then,) = terminal.done("show", f"{skirmish}@1", "--json").objects

    assert (then["seq"], now["seq"] != 1) == (1, True)


@pytest.mark.parametrize(("seat", "known"), [("public", 0), ("red", 2), ("arbiter", 2)])
def test_a_hand_is_shown_to_those_who_may_see_it(seat: str, known: int, terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("show", skirmish, "--seat", seat, "--json").objects
    table = shape["table"]
    assert isinstance(table, dict)

    assert len(table["piles"]["hand/red"].get("cards", ())) == known


def test_the_log_numbers_events_for_the_seat_that_looks(terminal: Terminal, skirmish: str) -> None:
    note = '{"do":"house:note","text":"psst","private":true}'
    terminal.done("play", skirmish, note, "--seat", "red")
    last = {
        seat: terminal.done("log", skirmish, "--seat", seat, "--json").objects[-1]
        for seat in ("public", "red", "arbiter")
    }

    assert last["red"]["sentence"] == last["arbiter"]["sentence"] == "Note by Red: psst"
    assert last["public"]["seq"] == int(str(last["red"]["seq"])) - 1


def test_the_log_can_be_read_in_part(terminal: Terminal, skirmish: str) -> None:
    numbers = [one["seq"] for one in terminal.done("log", skirmish, "--from", "3", "--to", "5", "--json").objects]

    assert numbers == [3, 4, 5]


def test_quiet_and_verbose_logs_differ_in_what_they_tell(terminal: Terminal, skirmish: str) -> None:
    short, long = terminal.done("log", skirmish).out, terminal.done("log", skirmish, "-v").out

    assert "(1.turn)" in long
    assert "(1.turn)" not in short
    assert len(long.splitlines()) > len(short.splitlines())


def test_statistics_add_up_what_the_log_holds(terminal: Terminal, skirmish: str) -> None:
    for _ in range(6):
        terminal.done("play", skirmish, "1")
    (figures,) = terminal.done("show", skirmish, "--statistics", "--json").objects
    events = terminal.done("log", skirmish, "--json").objects
    rolls = sum("dice-rolled/1" in str(one["event"]) for one in events)
    dice = figures["dice"]
    assert isinstance(dice, list)

    assert sum(one["rolls"] for one in dice) == rolls > 0
    assert "Dice" in terminal.done("show", skirmish, "--statistics").out
