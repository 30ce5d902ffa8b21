"""`try`: options played on many times by bots, and what can be said of them; `turning-points`: the same from the points of a match."""

import json

import pytest

from tests.cli.running import Terminal


@pytest.fixture
def match(terminal: Terminal) -> str:
    """A match of Battle with several options open."""
    match = terminal.line("new", "battle", "--dice", "seeded:3")
    terminal("choose", match, "-", typed="1\n1\n")
    return match


def tried(terminal: Terminal, match: str, *arguments: str) -> dict[str, object]:
    """Return what came of few options, on few trials, to the next step."""
    asked = ("--until", "step", "--times", "6", "--policy", "random", "--json")
    (found,) = terminal.done("try", match, *asked, *arguments).objects
    return found


def test_options_are_tried_and_nothing_is_left_in_the_store(terminal: Terminal, match: str) -> None:
    before = [(one["match"], one["seq"]) for one in terminal.done("list", "--json").objects]
    found = tried(terminal, match, "--options", "1,2", "--jobs", "1")
    options = found["options"]
    assert isinstance(options, list)

    assert [one["number"] for one in options] == [1, 2]
    assert (found["times"], found["policy"], found["verdict"]) == (6, "random", None)
    assert [(one["match"], one["seq"]) for one in terminal.done("list", "--json").objects] == before


@pytest.mark.long
def test_the_same_seed_gives_the_same_trials_with_any_number_of_processes(terminal: Terminal, match: str) -> None:
    """Another process costs a second: it imports the program afresh."""
    one, two = (tried(terminal, match, "--options", "1,2", "--times", "30", "--jobs", jobs) for jobs in ("1", "2"))
    other = tried(terminal, match, "--options", "1,2", "--times", "30", "--jobs", "1", "--seed", "9")

    assert one == two
    assert one["options"] != other["options"]


def test_a_decision_is_told_in_words_with_what_differs(terminal: Terminal, match: str) -> None:
    lines = terminal.done("try", match, "--options", "1,2", "--times", "6", "--until", "step", "--policy", "random").out

    assert "To decide: " in lines
    assert "6 trials of each option, in which random played on to the next step (seed 0)." in lines


def test_matches_that_end_are_compared_by_their_wins(terminal: Terminal) -> None:
    match = terminal.line("new", "inferno", "--dice", "seeded:3")
    terminal("choose", match, "-", typed="1\n" * 4)
    out = terminal.done("try", match, "--options", "1,2", "--times", "4", "--policy", "random", "--jobs", "1").out

    assert "Wins" in out
    assert any(words in out for words in ("is the best", "It is open", "won equally often"))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--options", "999"], 2, "there is no option 999"),
        (["--options", "1", "--all"], 2, "--options and --all exclude each other"),
        (["--options", "sing"], 2, "@20` lists all 240"),
        (["--policy", "genius"], 2, "no policy for battle is called 'genius'"),
        (["--until", "dawn"], 2, "--until is end, round, turn or step"),
        (["--times", "0"], 2, "--times is 1 to"),
        (["--jobs", "-1"], 2, "--jobs is 0"),
        ([], 2, "name some with --options 3,5,7, or give --all"),
    ],
)
def test_what_cannot_be_tried_is_refused(
    arguments: list[str], code: int, said: str, terminal: Terminal, match: str
) -> None:
    done = terminal("try", match, *arguments)

    assert (done.code, done.err.count("\n")) == (code, 1)
    assert said in done.err


def test_only_who_decides_tries(terminal: Terminal, match: str) -> None:
    (shown,) = terminal.done("legal", match, "--json").objects
    other = {"german": "russian", "russian": "german"}[str(shown["seat"])]

    assert terminal("try", match, "--seat", other).code == 5
    assert json.dumps(tried(terminal, match, "--options", "1", "--seat", "arbiter", "--jobs", "1"))


def test_turning_points_tell_shares_with_their_intervals(terminal: Terminal, match: str) -> None:
    asked = ("--times", "4", "--points", "2", "--policy", "greedy", "--jobs", "1")
    (found,) = terminal.done("turning-points", match, *asked, "--json").objects
    out = terminal.done("turning-points", match, *asked).out
    points = found["points"]
    assert isinstance(points, list)

    assert (found["shape"], found["times"], found["turns"]) == ("win-shares", 4, [])
    assert [one["won"]["german"]["of"] for one in points] == [4] * len(points)
    assert "4 games from each of" in out
    assert "No change within a fifth of the match is more than luck" in out


def test_turning_points_of_a_match_without_decisions_are_refused(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3", "--name", "")
    refused = terminal("turning-points", f"{match}@1")

    assert refused.code == 5
    assert "nothing can be played on from this match" in refused.err
    assert terminal("turning-points", match, "--points", "1").code == 2
