"""The events at which to fork in order to change an event, as `log` and `explain` name them, can be forked at without trial."""

import pytest

from events.ids import PileId, RuleId
from events.vocabulary import CardDrawn, DiceRolled, MatchBegan
from projections.fork_points import ForkPoints, fork_points
from tests.cli.running import Terminal

ROLL = DiceRolled(rule=RuleId("1"), faces=(3, 4), purpose="advance")


@pytest.fixture
def played(terminal: Terminal, skirmish: str) -> str:
    """A match of a few commands with dice and draws."""
    for _ in range(5):
        terminal("choose", skirmish, "1")
    return skirmish


def points(terminal: Terminal, match: str, *more: str) -> dict[int, dict[str, int | None]]:
    """Return the fork points of each event as `log --json` names them."""
    return {int(str(one["seq"])): one["fork"] for one in terminal.done("log", match, "--json", *more).objects}  # type: ignore[misc]


def test_each_named_event_can_be_forked_at(terminal: Terminal, played: str) -> None:
    named = points(terminal, played)
    wanted = {at for one in named.values() for at in one.values() if at is not None}

    assert len(wanted) > 5
    for at in sorted(wanted):
        assert terminal("fork", f"{played}@{at}").code == 0, at


def test_a_fork_where_a_roll_is_named_rolls_that_roll_again(terminal: Terminal, played: str) -> None:
    events = terminal.done("log", played, "--json").objects
    roll = next(one for one in events if one["fork"]["to_roll"] and "'faces'" in str(one))  # type: ignore[index]
    seq, at = int(str(roll["seq"])), roll["fork"]["to_roll"]  # type: ignore[index]
    faces = ["6"] * len(roll["event"]["faces"])  # type: ignore[index]
    fork = terminal.line("fork", f"{played}@{at}", "--faces", ",".join(faces))
    again = next(
        one
        for one in terminal.done("log", fork, "--json").objects
        if int(str(one["seq"])) > seq and "'faces'" in str(one)
    )

    assert again["event"] == {**roll["event"], "faces": [6] * len(faces)}  # type: ignore[dict-item]


def test_a_fork_where_a_decision_is_named_has_that_decision_open(terminal: Terminal, played: str) -> None:
    last = terminal.done("log", played, "--json").objects[-1]
    at = last["fork"]["to_decide"]  # type: ignore[index]
    (then,) = terminal.done("legal", f"{played}@{at}", "--json").objects
    (again,) = terminal.done("legal", terminal.line("fork", f"{played}@{at}"), "--json").objects

    assert (again["decision"], again["options"]) == (then["decision"], then["options"])


def test_a_log_that_begins_in_the_middle_of_a_command_names_the_same_events(terminal: Terminal, played: str) -> None:
    whole = points(terminal, played)
    start = next(number for number, one in whole.items() if one["to_decide"] not in {None, number - 1})

    assert points(terminal, played, "--from", str(start)) == {seq: one for seq, one in whole.items() if seq >= start}


def test_the_text_names_them_quietly(terminal: Terminal, played: str) -> None:
    seq, one = next((seq, one) for seq, one in points(terminal, played).items() if one["to_roll"])
    explained = terminal.done("explain", f"{played}@{seq}").out

    assert "fork at" not in terminal.done("log", played).out
    assert f"fork at {one['to_roll']} to roll again)" in terminal.done("log", played, "-v").out
    assert f"again: wardiary fork {played}@{one['to_roll']}" in explained
    assert f"To decide the command behind it again: wardiary fork {played}@{one['to_decide']}" in explained
    assert terminal.done("explain", f"{played}@{seq}", "--json").objects[0]["fork"] == one


@pytest.mark.parametrize(("at", "nearest"), [("0", "1"), ("99999", "LAST")])
def test_a_fork_where_there_is_no_event_names_the_nearest(
    at: str, nearest: str, terminal: Terminal, played: str
) -> None:
    last = str(max(points(terminal, played)))
    ran = terminal("fork", f"{played}@{at}")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"fork at event {nearest.replace('LAST', last)}\n")


@pytest.mark.parametrize("is_last", [True, False])
def test_a_match_that_is_over_is_forked_before_its_end_only(is_last: bool, terminal: Terminal, played: str) -> None:
    terminal.done("choose", played, '{"do":"match:resign"}', "-q")
    events = [one["event"] for one in terminal.done("log", played, "--json").objects]
    ended = next(seq for seq, event in enumerate(events, 1) if "match-ended/1" in str(event))
    ran = terminal("fork", f"{played}@{ended}" if is_last else played, "--json")

    assert (ran.code, ran.out) == (5, "")
    assert '"code":"not_possible"' in ran.err
    assert (
        f"ended with event {ended}, after which nothing can be tried: fork at event {ended - 1} or earlier" in ran.err
    )
    assert terminal("fork", f"{played}@{ended - 1}", "-q").code == 0


def test_a_hint_for_a_seat_names_the_seat_whose_numbers_it_counts(terminal: Terminal, skirmish: str) -> None:
    terminal.done("note", skirmish, "only for red", "--seat", "red", "--private")
    terminal.done("choose", skirmish, "1")
    count = len(points(terminal, skirmish, "--seat", "red"))
    explained = terminal.done("explain", f"{skirmish}@{count}", "--seat", "red").out
    (command,) = [line.partition("again: wardiary ")[2] for line in explained.splitlines() if "To decide" in line]
    fork = terminal.line(*command.split())

    assert command.endswith(" --seat red")
    assert len(points(terminal, skirmish)) < count
    assert terminal.done("legal", fork).out == terminal.done("legal", skirmish).out
    assert f"fork at {count} --seat red" not in terminal.done("log", skirmish, "-v").out


def test_the_open_question_is_decided_again_where_it_is_open(terminal: Terminal, played: str) -> None:
    last = len(points(terminal, played))
    explained = terminal.done("explain", f"{played}@{last}").out

    assert f"To decide this again: wardiary fork {played}@{last}\n" in explained


def test_an_event_within_a_command_is_changed_by_the_command_behind_it(terminal: Terminal, played: str) -> None:
    named = points(terminal, played)
    seq = next(seq for seq, one in named.items() if one["to_decide"] and one["to_decide"] < seq - 1)
    explained = terminal.done("explain", f"{played}@{seq}").out

    assert f"To decide the command behind it again: wardiary fork {played}@{named[seq]['to_decide']}\n" in explained


def test_what_follows_the_end_of_a_match_cannot_be_tried_otherwise(terminal: Terminal, played: str) -> None:
    terminal.done("choose", played, '{"do":"match:resign"}', "-q")
    ended = max(points(terminal, played))
    terminal.done("note", played, "Well played.", "--seat", "red")
    terminal.done("note", played, "Indeed.", "--seat", "red")
    found = points(terminal, played)

    assert found[ended]["to_decide"] == ended - 1
    assert [found[seq] for seq in sorted(found) if seq > ended] == [{"to_decide": None, "to_roll": None}] * 2
    assert points(terminal, played, "--from", str(ended + 1)) == {seq: found[seq] for seq in (ended + 1, ended + 2)}
    assert "wardiary fork" not in terminal.done("explain", f"{played}@{ended + 1}").out
    assert "wardiary fork" in terminal.done("explain", f"{played}@{ended}").out


def test_only_chance_within_a_command_is_rolled_again() -> None:
    draw = CardDrawn(rule=RuleId("1"), deck=PileId("deck"), to=PileId("hand"), card=None, purpose="deal")

    assert fork_points(ROLL, 12, 10, 14) == ForkPoints(9, 11)
    assert fork_points(draw, 12, 10, 14) == ForkPoints(9, 11)
    assert fork_points(ROLL, 10, 10, 14) == ForkPoints(9, None)
    assert fork_points(ROLL, 12, 10, 14, is_new_deal=True) == ForkPoints(9, None)
    assert fork_points(ROLL, 12, 10, 14, after=10) == ForkPoints(None, 11)
    assert fork_points(ROLL, 12, 10, 14, after=11) == ForkPoints(None, None)
    assert fork_points(MatchBegan(rule=RuleId("1")), 1, 1, 1) == ForkPoints(None, None)
