"""Opening, listing and showing matches, and reading their logs."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from freezegun import freeze_time

from cli.shell.context import Context
from events.ids import MatchId
from events.log import StoredSummary
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal


def test_new_opens_a_match_takes_all_seats_and_begins(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--name", "Ada")
    (table,) = terminal.done("show", match, "--json").objects
    plain = table["table"]
    assert isinstance(plain, dict)

    assert (plain["began"], plain["players"]) == (True, {"red": "Ada", "blue": "Ada"})


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


def test_seats_can_be_left_free(terminal: Terminal) -> None:
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


def test_list_shows_the_state_of_each_match(terminal: Terminal, skirmish: str) -> None:
    (entry,) = terminal.done("list", "--json").objects

    assert (entry["shape"], entry["match"], entry["game"], entry["dice"]) == ("match", skirmish, "skirmish", "seeded")
    assert skirmish in terminal.done("list").out


def test_a_missing_default_store_has_no_matches(tmp_path: Path) -> None:
    ran = Terminal(tmp_path / "no.db").as_process("list", WARDIARY_STORE="", HOME=str(tmp_path), XDG_DATA_HOME="")

    assert (ran.code, ran.out) == (0, "")
    assert "no match has been played yet" in ran.err


def test_a_match_is_found_by_a_prefix_of_its_id(terminal: Terminal, skirmish: str) -> None:
    assert terminal.done("show", skirmish[:4]).out == terminal.done("show", skirmish).out


def test_show_shows_earlier_tables(terminal: Terminal, skirmish: str) -> None:
    (now,) = terminal.done("show", skirmish, "--json").objects
    (then,) = terminal.done("show", f"{skirmish}@1", "--json").objects

    assert (then["seq"], now["seq"] != 1) == (1, True)


@pytest.mark.parametrize(("seat", "known"), [("public", 0), ("red", 2), ("arbiter", 2)])
def test_a_hand_is_shown_only_to_seats_that_may_see_it(
    seat: str, known: int, terminal: Terminal, skirmish: str
) -> None:
    (shape,) = terminal.done("show", skirmish, "--seat", seat, "--json").objects
    table = shape["table"]
    assert isinstance(table, dict)

    assert len(table["piles"]["hand/red"].get("cards", ())) == known


def test_the_log_numbers_events_as_the_viewing_seat_sees_them(terminal: Terminal, skirmish: str) -> None:
    note = '{"do":"match:note","text":"psst","private":true}'
    terminal.done("choose", skirmish, note, "--seat", "red")
    last = {
        seat: terminal.done("log", skirmish, "--seat", seat, "--json").objects[-1]
        for seat in ("public", "red", "arbiter")
    }

    assert last["red"]["sentence"] == last["arbiter"]["sentence"] == "Private note by Red (Ada): psst"
    assert last["public"]["seq"] == int(str(last["red"]["seq"])) - 1


def test_the_log_can_be_read_in_part(terminal: Terminal, skirmish: str) -> None:
    numbers = [one["seq"] for one in terminal.done("log", skirmish, "--from", "3", "--to", "5", "--json").objects]

    assert numbers == [3, 4, 5]


def test_quiet_and_verbose_logs_show_less_and_more(terminal: Terminal, skirmish: str) -> None:
    short, long = terminal.done("log", skirmish).out, terminal.done("log", skirmish, "-v").out

    assert "(1.turn)" in long
    assert "(1.turn)" not in short
    assert len(long.splitlines()) > len(short.splitlines())


def test_statistics_add_up_the_events_of_the_log(terminal: Terminal, skirmish: str) -> None:
    for _ in range(6):
        terminal.done("choose", skirmish, "1")
    (figures,) = terminal.done("show", skirmish, "--statistics", "--json").objects
    events = terminal.done("log", skirmish, "--json").objects
    rolls = sum("dice-rolled/1" in str(one["event"]) for one in events)
    dice = figures["dice"]
    assert isinstance(dice, list)

    assert sum(one["rolls"] for one in dice) == rolls > 0
    assert "Dice" in terminal.done("show", skirmish, "--statistics").out


# Stored summaries


def summaries_kept(store: Path) -> int:
    with SqliteLog(store, read_only=True) as log:
        return sum(kept.current is not None for kept in log.summaries())


@freeze_time("2026-03-01")
def test_a_list_stores_the_summaries_that_it_made(terminal: Terminal) -> None:
    matches = [terminal.line("new", "skirmish", "--dice", f"seeded:{number}") for number in range(3)]

    assert summaries_kept(terminal.store) == 0

    first, shapes = terminal.done("list").out, terminal.done("list", "--json").out

    assert summaries_kept(terminal.store) == 3

    terminal.done("choose", matches[1], "1")

    assert summaries_kept(terminal.store) == 2

    after = terminal.done("list").out.splitlines()

    assert summaries_kept(terminal.store) == 3
    assert [old == new for old, new in zip(first.splitlines(), after, strict=True)] == [True, True, False, True]
    assert f"{head(terminal, matches[1])}" in after[2].split()
    assert shapes.count("\n") == 3


def head(terminal: Terminal, match: str) -> object:
    return terminal.done("show", match, "--json").objects[0]["seq"]


def test_a_list_writes_nothing_while_the_store_is_in_use(terminal: Terminal) -> None:
    """A process that serves the store is its only writer."""
    match = terminal.line("new", "skirmish")
    with SqliteLog(terminal.store):
        ran = terminal.as_process("list", "--json")

        assert (ran.code, ran.err) == (0, "")
        assert summaries_kept(terminal.store) == 0

    assert terminal.as_process("list", "--json").objects[0]["match"] == match
    assert summaries_kept(terminal.store) == 1


def test_a_list_can_start_after_a_match_and_be_limited(terminal: Terminal) -> None:
    matches = [terminal.line("new", "skirmish") for _ in range(4)]

    def listed(*words: str) -> list[object]:
        return [one["match"] for one in terminal.done("list", "--json", *words).objects]

    assert listed() == listed("--limit", "0") == matches
    assert listed("--limit", "2") == matches[:2]
    assert listed("--after", matches[0][:12], "--limit", "2") == matches[1:3]
    assert listed("--after", matches[3]) == []

    ran = terminal("list", "--after", "gone")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("wardiary: no match 'gone' in this store")
    assert terminal("list", "--limit", "-1").code == 2


def test_a_tree_does_not_read_matches_outside_its_family(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    root = terminal.line("new", "skirmish")
    others = [terminal.line("new", "skirmish") for _ in range(3)]
    child = terminal.line("fork", root)
    grandchild = terminal.line("fork", child)
    asked: list[str] = []
    summary = SqliteLog.summary

    def noted(log: SqliteLog, match: MatchId) -> StoredSummary:
        asked.append(match)
        return summary(log, match)

    monkeypatch.setattr(SqliteLog, "summary", noted)
    for whole in ("matches", "summaries"):
        monkeypatch.setattr(SqliteLog, whole, None)
    lines = terminal.done("tree", child).out.splitlines()

    assert [match in line for match, line in zip((root, child, grandchild), lines, strict=True)] == [True] * 3
    assert sorted(asked) == sorted([root, child, grandchild])
    assert not set(asked) & set(others)


def test_a_fork_of_the_shared_prefix_is_shown_below_the_match_that_was_forked(terminal: Terminal) -> None:
    """In the store its parent is the match that wrote the prefix; in the tree it is the match that was forked."""
    root = terminal.line("new", "skirmish")
    child = terminal.line("fork", root)
    meant = terminal.line("fork", f"{child}@1")
    shapes = terminal.done("tree", meant, "--json").objects

    assert [(one["match"], one["parent"], one["depth"]) for one in shapes] == [
        (root, "", 0),
        (child, root, 1),
        (meant, child, 2),
    ]


def test_the_list_loads_no_rules(terminal: Terminal) -> None:
    terminal.line("new", "advance", "--dice", "seeded:1")
    code = (
        "import sys\nfrom cli.main import run\nrun(['list'])\n"
        "print([name for name in sys.modules if name.startswith('core.games.') or name in ('core.match.match_commands', 'core.match.live_match')])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "WARDIARY_STORE": str(terminal.store)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_name_that_is_too_long_opens_no_match(terminal: Terminal) -> None:
    terminal.line("new", "skirmish")
    ran = terminal("new", "skirmish", "--name", "x" * 201)

    assert (ran.code, "a name has at most 200 characters" in ran.err) == (2, True)
    assert len(terminal.done("list", "--json").objects) == 1


def test_a_name_with_control_characters_opens_no_match(terminal: Terminal) -> None:
    terminal.line("new", "skirmish")
    ran = terminal("new", "skirmish", "--name", "Anna\nBob")

    assert (ran.code, "a name is one line" in ran.err) == (2, True)
    assert len(terminal.done("list", "--json").objects) == 1


def test_a_long_list_of_options_has_a_heading_and_a_whole_line_for_each(terminal: Terminal) -> None:
    """Battle, set-up, outside a terminal: each line can be found by any of its words."""
    match = terminal.line("new", "battle", "--dice", "seeded:3", "--name", "Ada", "-q")
    lines = terminal.done("legal", match).out.splitlines()
    words = "Take 112th Rifle (Cost 1, Combat 1, 1 Ration; stops 1 extra when Retreating) and place it at"

    assert lines[0].endswith("(11 of 11 points left).")
    assert lines[2:4] == ["Choose Force: 260 options", f"   1  {words} Mamayev Kurgan (Russian Control)"]
    assert len(lines) < 320
    assert (
        terminal.done("choose", match, "1")
        .out.splitlines()[1]
        .endswith("Placed: 112th Rifle in Mamayev Kurgan (Russian Control).")
    )


def listed(terminal: Terminal, *words: str) -> list[str]:
    """Return the ids of listed matches."""
    return [str(one["match"]) for one in terminal.done("list", "--json", *words).objects]


def test_a_game_is_named_as_it_is_typed(terminal: Terminal) -> None:
    match = terminal.line("new", "axis-allies", "--free-seats")

    assert " axis-allies " in terminal.done("list").out
    assert "there are: advance, axis-allies, " in terminal("find", "--game", "x").err
    assert terminal.done("list", "--json", "--game", "axis_allies").objects[0]["game"] == "axis_allies"
    assert "under axis-allies, " in terminal.done("audit", match).out


def test_a_list_shows_only_the_matches_that_are_asked_for(terminal: Terminal) -> None:
    ada = terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada Lovelace")
    ben = terminal.line("new", "skirmish", "--dice", "seeded:3", "--name", "Ben")
    over = terminal.line("new", "advance", "--dice", "seeded:4", "--name", "Ben")
    terminal.done("choose", over, "resign")
    mover = {str(one["match"]): str(one["to_move"]) for one in terminal.done("list", "--json").objects}

    assert listed(terminal, "--game", "skirmish") == [ada, ben]
    assert listed(terminal, "--game", "advance", "--open") == []
    assert listed(terminal, "--over") == [over]
    assert listed(terminal, "--open") == [ada, ben]
    assert listed(terminal, "--name", "LOVELACE") == [ada]
    assert listed(terminal, "--name", "ben", "--open") == [ben]
    assert listed(terminal, "--seat", mover[ada]) == [one for one in (ada, ben) if mover[one] == mover[ada]]
    assert listed(terminal, "--name", "ben", "--limit", "1") == [ben]
    fork = terminal.line("fork", f"{over}@9")
    assert listed(terminal, "--game", "advance") == [over, fork]
    assert listed(terminal, "--game", "advance", "--no-forks") == [over]
    waiting = terminal.line("new", "skirmish", "--free-seats")
    terminal.line("invite", waiting, "--seat", "red", "--name", "Benedict")
    assert listed(terminal, "--name", "benedict") == [waiting]
    unknown = terminal("list", "--seat", "green")
    assert (unknown.code, "there are: red, blue" in unknown.err) == (2, True)
    assert "Ada Lovelace" in terminal.done("list").out
    terminal.done("sit", waiting, "--seat", "blue", "--name", "Carl")
    assert "Carl (blue)" in terminal.done("list", "--name", "carl").out
    assert terminal("list", "--open", "--over").code == 2
    assert "advance" in terminal("list", "--game", "advence").err


def test_show_and_the_first_line_of_the_log_tell_the_options(terminal: Terminal) -> None:
    usual = terminal.line("new", "skirmish")
    other = terminal.line("new", "skirmish", "-o", "fog=on")

    assert "Options: " not in terminal.done("show", usual).out
    assert "Options: " in terminal.done("show", other).out
    assert "with sealed dice. Options: " in terminal.done("log", other, "--to", "1").out.replace("\n           ", " ")


# Who has won, and who played before


@pytest.fixture
def replaced(terminal: Terminal) -> str:
    """A match in which Cem followed Ben at the blue seat, and that red has resigned."""
    match = terminal.line("new", "skirmish", "--dice", "seeded:2", "--free-seats")
    terminal.done("sit", match, "--seat", "red", "--name", "Ada")
    terminal.done("sit", match, "--seat", "blue", "--name", "Ben O\N{RIGHT SINGLE QUOTATION MARK}Neil")
    invitation = terminal.line("replace", match, "--seat", "blue", "--reason", "away", "--name", "Cem")
    terminal.done("sit", match, "--seat", "blue", "--token", invitation)
    terminal.done("choose", match, "resign", "--seat", "red")
    return match


def test_the_list_names_who_has_won_and_who_was_replaced(terminal: Terminal, replaced: str) -> None:
    (line,) = terminal.done("list").out.splitlines()[1:]
    (shape,) = terminal.done("list", "--json").objects

    assert "Resignation, won by Cem" in line
    assert "Ada (red), Cem (blue), formerly Ben O\N{RIGHT SINGLE QUOTATION MARK}Neil (blue)" in line
    assert (shape["won_by"], shape["former"]) == (["Cem"], {"blue": ["Ben O\N{RIGHT SINGLE QUOTATION MARK}Neil"]})
    assert "The match is over: Resignation of Red, won by Blue (Cem)." in terminal.done("show", replaced).out


@pytest.mark.parametrize("name", ["ben o'neil", "Ben O\N{MODIFIER LETTER APOSTROPHE}N", "cem"])
def test_a_name_is_found_however_it_is_typed(terminal: Terminal, replaced: str, name: str) -> None:
    assert len(terminal.done("list", "--name", name, "--json").objects) == 1
    assert terminal.done("list", "--name", "nobody", "--json").objects == []


def test_events_are_found_however_a_text_is_typed(terminal: Terminal, replaced: str) -> None:
    found = terminal.done("find", replaced, "--text", "ben o'neil takes", "--json").objects

    assert [one["match"] for one in found] == [replaced]


# At a terminal


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_list_fits_into_the_terminal(
    terminal: Terminal, replaced: str, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    for name in ("A" * 64, "Ada Lovelace and Ben"):
        terminal.done("new", "axis-allies", "--dice", "seeded:1", "--name", name)
    running = terminal.line("new", "skirmish", "--dice", "seeded:1", "--name", "Ada")
    terminal.done("fork", running, "--dice", "seeded:2")
    piped = terminal.done("list").out.splitlines()
    monkeypatch.setattr(Context, "is_terminal", True)
    monkeypatch.setattr(Context, "width", width)
    lines = terminal.done("list").out.splitlines()
    starts = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]

    assert len(piped) == 6
    assert max(map(len, lines)) <= width
    assert [row.split()[0].startswith(start) for row, start in zip(piped[1:], starts, strict=True)] == [True] * 5
    assert "Stands" in lines[0]


# Times


def test_a_log_says_when_it_was_played(terminal: Terminal, skirmish: str) -> None:
    times = [one["at"] for one in terminal.done("log", skirmish, "--json").objects]
    assert isinstance(times[0], int)
    when = f"{datetime.fromtimestamp(times[0] / 1000, UTC):%Y-%m-%d %H:%M} UTC"

    assert terminal.done("log", skirmish).out.splitlines()[0] == f"Before play, {when}"
    assert f", event {len(times)}, " in terminal.done("show", skirmish).out
    assert f"  {when}" in terminal.done("explain", f"{skirmish}@1").out.splitlines()


def test_a_log_says_when_play_goes_on_after_a_pause(terminal: Terminal) -> None:
    with freeze_time("2026-01-02 22:00"):
        match = terminal.line("new", "skirmish", "--dice", "seeded:2")
        terminal.done("note", match, "good night", "--seat", "red")
    with freeze_time("2026-01-03 09:30"):
        terminal.done("note", match, "good morning", "--seat", "red")
    lines = terminal.done("log", match).out.splitlines()
    place = next(number for number, line in enumerate(lines) if "good morning" in line)

    assert lines[place - 1].strip() == "2026-01-03 09:30 UTC"
    assert "good night" in lines[place - 2]


def test_a_note_on_an_earlier_event_is_told_there_too(terminal: Terminal, skirmish: str) -> None:
    terminal.done("note", skirmish, "why so early?", "--seat", "red", "--at", "2")
    terminal.done("ruling", skirmish, "it stands", "--at", "2")
    lines = terminal.done("log", skirmish).out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.strip().startswith(("2 ", "2-")))
    numbers = [one["seq"] for one in terminal.done("log", skirmish, "--json").objects]

    assert lines[place + 1].strip() == f"[{numbers[-2]}] Note by Red (Ada) on event 2: why so early?"
    assert lines[place + 2].strip() == f"[{numbers[-1]}] Ruling on event 2: it stands"
    assert [line.split("  ")[-1] for line in lines[-2:]] == [
        "Note by Red (Ada) on event 2: why so early?",
        "Ruling on event 2: it stands",
    ]

    part = terminal.done("log", skirmish, "--from", "2", "--to", "2").out.splitlines()

    assert [line.strip() for line in part[-2:]] == [line.strip() for line in lines[place + 1 : place + 3]]

    refused = terminal("note", skirmish, "x", "--seat", "red", "--at", "999")

    assert (refused.code, "there is no event 999" in refused.err.lower()) == (2, True)
