"""Replaying, forking, comparing."""

import re
from pathlib import Path

import pytest

import wardiary
from tests.cli.running import Terminal


@pytest.fixture
def played(terminal: Terminal, skirmish: str) -> str:
    """A match in which some commands were played."""
    terminal.done("choose", skirmish, "-", typed="1\n1\n1\n2\n1\n1\n")
    return skirmish


def last_of(terminal: Terminal, match: str) -> int:
    return int(str(terminal.done("show", match, "--json").objects[0]["seq"]))


@pytest.mark.parametrize("step", ["event", "command", "phase", "round", "7"])
def test_a_replay_runs_from_the_first_event_to_the_last(step: str, terminal: Terminal, played: str) -> None:
    last = last_of(terminal, played)
    numbers = [one["seq"] for one in terminal.done("replay", played, "--step", step, "--json").objects]

    assert (numbers[0], numbers[-1]) == (1, last)
    assert numbers == sorted(set(map(str, numbers)), key=int) or numbers == sorted(map(int, map(str, numbers)))


def test_a_replay_by_events_stops_at_each_event(terminal: Terminal, played: str) -> None:
    numbers = [
        one["seq"]
        for one in terminal.done("replay", played, "--step", "event", "--from", "3", "--to", "9", "--json").objects
    ]

    assert numbers == list(range(3, 10))


def test_a_backward_replay_shows_the_same_tables(terminal: Terminal, played: str) -> None:
    last = str(last_of(terminal, played))
    forwards = terminal.done("replay", played, "--step", "command", "--json").out.splitlines()
    backwards = terminal.done("replay", played, "--step", "command", "--from", last, "--to", "1", "--json").out

    assert backwards.splitlines() == forwards[::-1]


def test_a_verbose_replay_tells_the_events_between_the_steps(terminal: Terminal, played: str) -> None:
    assert "Dice for advance" in terminal.done("replay", played, "--step", "round", "-v").out


def test_a_timed_replay_prints_the_same(terminal: Terminal, played: str) -> None:
    at_once = terminal.done("replay", played, "--step", "round").out

    assert terminal.done("replay", played, "--step", "round", "--speed", "500").out == at_once


def test_a_fork_shares_the_earlier_events(terminal: Terminal, played: str) -> None:
    last = last_of(terminal, played)
    fork = terminal.line("fork", f"{played}@{last - 1}")
    shared = terminal.done("log", played, "--to", str(last - 8), "--json").out.replace(played, fork)

    assert terminal.done("log", fork, "--to", str(last - 8), "--json").out == shared
    assert terminal("audit", fork).code == 0


def test_a_fork_reports_how_it_was_made(terminal: Terminal, played: str) -> None:
    (shape,) = terminal.done("fork", f"{played}@20", "--dice", "seeded:5", "--json").objects

    assert (shape["shape"], shape["parent"], shape["at"], shape["dice"]) == ("opened", played, 20, "seeded")
    assert shape["hidden"] == "truth"


def test_a_fork_with_the_same_dice_rolls_the_same(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish, "--dice", "same")
    own = terminal.done("choose", skirmish, "1", "--json").objects[0]["events"]
    other = terminal.done("choose", fork, "1", "--json").objects[0]["events"]
    assert isinstance(own, list)
    assert isinstance(other, list)

    assert [one["sentence"] for one in other] == [one["sentence"] for one in own]


def test_a_fork_can_deal_again_the_cards_that_a_seat_does_not_know(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish, "--hidden", "resample", "--seat", "red")

    def hand(match: str) -> object:
        table = terminal.done("show", match, "--seat", "red", "--json").objects[0]["table"]
        assert isinstance(table, dict)
        return table["piles"]["hand/red"]

    assert hand(fork) == hand(skirmish)
    assert terminal("audit", fork).code == 0


def test_a_fork_takes_typed_dice(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish, "--dice", "manual")

    assert "6, 6 = 12" in terminal.done("choose", fork, "1", "--dice", "6,6").out


def first_roll(terminal: Terminal, match: str) -> int:
    """Return the number of the first roll after the set-up."""
    events = terminal.done("log", match, "--from", "24", "--json").objects
    return next(int(str(one["seq"])) for one in events if "'faces'" in str(one))


def test_a_fork_chooses_the_faces_of_its_next_dice(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish, "--faces", "6,6")
    assert "6, 6 = 12" in terminal.done("choose", fork, "1").out
    (shape,) = terminal.done("audit", fork, "--json").objects

    assert "the next dice show 6, 6, as chosen" in terminal.done("log", fork).out
    assert "arbiter chose 6, 6 with the fork, event " in terminal.done("audit", fork).out
    assert (shape["clean"], len(shape["chosen"])) == (True, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(("faces", "said"), [("7", "it shows 1 to 6"), ("0", "it shows 1 to 6"), ("six", "3,4,6")])
def test_impossible_faces_are_refused_with_what_is_possible(
    faces: str, said: str, terminal: Terminal, played: str
) -> None:
    ran = terminal("fork", f"{played}@20", "--faces", faces)

    assert (ran.code, ran.out, said in ran.err) == (2, "", True), ran.err


def test_faces_are_typed_for_the_rest_of_a_command_with_manual_dice(terminal: Terminal, played: str) -> None:
    before = first_roll(terminal, played) - 1
    missing = terminal("fork", f"{played}@{before}", "--dice", "manual")
    fork = terminal.line("fork", f"{played}@{before}", "--dice", "manual", "--faces", "5,5")

    assert (missing.code, "2 more dice" in missing.err) == (2, True), missing.err
    assert "5, 5 = 10" in terminal.done("log", fork).out


def test_the_tree_shows_forks_below_their_parents(terminal: Terminal, played: str) -> None:
    early = terminal.line("fork", f"{played}@18")
    late = terminal.line("fork", played)
    grandchild = terminal.line("fork", early)
    shapes = terminal.done("tree", late, "--json").objects

    assert [(one["depth"], one["match"]) for one in shapes] == [(0, played), (1, early), (2, grandchild), (1, late)]
    assert "<- this one" in terminal.done("tree", late).out.splitlines()[3]


def test_two_points_of_a_match_are_compared(terminal: Terminal, played: str) -> None:
    (shape,) = terminal.done("diff", f"{played}@10", played, "--json").objects
    parting = shape["parting"]
    assert isinstance(parting, dict)

    assert (parting["number_a"], parting["number_b"], parting["a"]) == (10, 11, None)


def test_a_comparison_does_not_replace_a_round_number_by_the_name_of_a_place(terminal: Terminal) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    out = terminal.done("diff", f"{match}@2", match).out

    assert re.search(r"^Turn +0 +1$", out, re.MULTILINE)


def test_the_second_point_of_a_comparison_defaults_to_the_end(terminal: Terminal, played: str) -> None:
    assert terminal.done("diff", f"{played}@10").out == terminal.done("diff", f"{played}@10", played).out


def test_a_match_does_not_differ_from_itself(terminal: Terminal, played: str) -> None:
    assert "are the same, event by event" in terminal.done("diff", played, played).out


def test_a_comparison_shows_where_a_fork_went_another_way(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish, "--dice", "seeded:77")
    terminal.done("choose", skirmish, "1")
    terminal.done("choose", fork, "1")
    out = terminal.done("diff", skirmish, fork).out

    assert "Dice for advance" in out
    assert "to decide" in out


def test_a_new_fork_has_the_same_table_as_its_parent(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish)

    assert "are the same, event by event" in terminal.done("diff", skirmish, fork).out


@pytest.mark.parametrize("at", [1, 2])
def test_a_fork_from_before_the_beginning_explains_how_to_begin(at: int, terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("fork", f"{skirmish}@{at}")
    fork = ran.out.strip()

    assert f"`wardiary choose {fork} begin`" in ran.err
    assert ran.err.count("\n") == 1
    assert "`sit` takes one, `choose begin` all of them." in terminal.done("legal", fork).out

    refused = terminal("choose", fork, "1")

    assert (refused.code, refused.err) == (5, "wardiary: no decision is open: play has not begun\n")

    (played,) = terminal.done("choose", fork, "begin", "--json").objects

    assert [one["event"]["event"] for one in played["events"]].count("seat-taken/1") == 3 - at  # type: ignore[attr-defined]
    assert played["to_move"] in ("red", "blue")
    assert played["seq"] == terminal.done("show", fork, "--seat", "arbiter", "--json").objects[0]["seq"]
    assert terminal.done("choose", fork, "1").code == 0
    assert terminal("audit", fork).code == 0
    assert terminal("choose", fork, "begin").code == 5


def test_a_fork_of_a_begun_match_does_not_explain_how_to_begin(terminal: Terminal, skirmish: str) -> None:
    assert terminal.done("fork", skirmish).err == ""


def test_free_seats_stay_free_if_the_typed_dice_are_refused(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--free-seats")
    ran = terminal("choose", match, "begin", "--dice", "3,4")

    assert (ran.code, ran.out) == (2, "")
    assert "this match rolls its own dice" in ran.err
    assert "free seats: Red, Blue" in terminal.done("show", match).out


def test_attributes_are_shown_and_compared_with_v_and_only_to_those_who_may_know(terminal: Terminal) -> None:
    """The attribute is an ambush laid in fog, which is a secret of its owner."""
    match = terminal.line("new", "skirmish", "--dice", "seeded:1", "-o", "fog=on")
    (before,) = terminal.done("show", match, "--json").objects
    owner = str(before["table"]["turn"]) if isinstance(before["table"], dict) else ""
    terminal.done("choose", match, '{"do":"hide"}')
    terminal.done("choose", match, '{"do":"hide-at","place":"camp"}')
    diff = ("diff", f"{match}@{before['seq']}", match)
    other = {"red": "blue", "blue": "red"}[owner]

    assert "Attributes" in terminal.done("show", match, "-v", "--seat", owner).out
    assert f"{owner.title()}: Ambush" in terminal.done(*diff, "-v", "--seat", owner).out
    assert (
        f"Noted for the rules: {owner.title()}, Ambush: Camp." in terminal.done("log", match, "-v", "--seat", owner).out
    )
    for seat in (other, "public"):
        assert "Attributes" not in terminal.done("show", match, "-v", "--seat", seat).out
        assert "Ambush" not in terminal.done(*diff, "-v", "--seat", seat).out
        assert f"{owner.title()}, Ambush: changes (hidden)" in terminal.done("log", match, "-v", "--seat", seat).out
    assert "Ambush: Camp" in terminal.done("show", match, "--seat", owner).out
    assert "Ambush" not in terminal.done(*diff, "--seat", owner).out
    assert "Ambush" not in terminal.done("log", match, "--seat", owner).out


def test_a_replay_and_the_statistics_of_battle_tell_who_held_what(terminal: Terminal, tmp_path: Path) -> None:
    """control.own: a game without dice has no table of dice."""
    played = wardiary.open("battle", dice="seeded", seed="1")
    while played.table().round < 2:
        played.play(played.suggest("greedy"))
    played.save(tmp_path / "battle.ndjson")
    match = terminal.line("import", str(tmp_path / "battle.ndjson"))
    rounds = terminal.done("replay", match, "--step", "round").out
    figures = terminal.done("show", match, "--statistics").out

    assert re.search(r"Turn 1, German: Draw Cards Step  German holds \d  Russian holds \d\n", rounds)
    assert not figures.startswith("Dice")
    assert re.search(r"Places held at the end of each turn\n  Turn +German +Russian\n  1 +\d +\d\n", figures)
