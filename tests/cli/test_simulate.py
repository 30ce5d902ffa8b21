"""Simulations: which matches are played, how results are reported, and how failures are saved."""

import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from core.audit.match_audit import audit_match
from core.checking.simulated_match import Plan
from core.checking.simulation_plan import plans, seated, swept
from core.match.match_creation import text_digest
from core.registry.games import load_game
from events.commit import decode_commit
from events.ids import Seat
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.project.tree import ROOT
from tests.support.soak import few, sampled

RED, BLUE = Seat("red"), Seat("blue")


def planned(game: str, matches: int, bots: list[str], *, is_swept: bool = True, **named: str | bool) -> list[Plan]:
    record = load_game(game)
    scenarios = [(scenario, mode) for scenario in record.scenarios for mode in scenario.modes]
    return list(
        plans(
            record,
            matches=matches,
            bots=bots,
            scenarios=scenarios,
            named=named,
            is_swept=is_swept,
            seed="7",
            steps_max=100,
            is_audited=True,
            save_failures="",
            make_randomness=random.Random,
        )
    )


def test_every_bot_meets_every_scenario() -> None:
    met = {(plan.scenario, plan.mode, *plan.bots.values()) for plan in planned("advance", 4, ["random", "greedy"])}

    assert len(met) == 4


def test_two_hundred_matches_try_each_option_alone_none_and_all() -> None:
    played = planned("advance", 200, ["random", "greedy"])
    for scenario in load_game("advance").scenarios:
        switches = {
            spec.key
            for spec in load_game("advance").options
            if isinstance(spec.default, bool) and (not spec.scenarios or scenario.key in spec.scenarios)
        }
        tried = [
            {key for key, on in plan.options.items() if on is True} for plan in played if plan.scenario == scenario.key
        ]

        assert [option for option in switches if {option} not in tried] == []
        assert set() in tried
        assert switches in tried


def test_seats_take_turns_among_the_bots() -> None:
    assert [seated((RED, BLUE), ["a", "b"], turn) for turn in (0, 1)] == [{RED: "a", BLUE: "b"}, {RED: "b", BLUE: "a"}]
    assert [seated((RED,), ["a", "b"], turn) for turn in (0, 1)] == [{RED: "a"}, {RED: "b"}]


def test_options_that_are_given_do_not_vary() -> None:
    assert {plan.options["bug"] for plan in planned("skirmish", 60, ["random"], bug="none")} == {"none"}


def test_without_a_sweep_nothing_varies() -> None:
    assert {str(plan.options) for plan in planned("skirmish", 20, ["random"], is_swept=False, fog=True)} == {
        "{'fog': True}"
    }


def test_every_mixture_of_options_is_allowed_by_the_game() -> None:
    game = load_game("skirmish")
    for turn in range(60):
        options = swept([spec for spec in game.options if not spec.scenarios], turn, random.Random(turn))

        game.full_options(game.scenario("field"), game.scenario("field").mode(""), options)


def test_the_same_seed_plays_the_same_matches(terminal: Terminal) -> None:
    words = ["simulate", "skirmish", "--matches", "6", "--jobs", "1", "-o", "bug=none", "--json"]
    first, again, other = (terminal.done(*words, "--seed", seed).out.splitlines()[:-1] for seed in ("1", "1", "2"))

    assert first == again != other


def test_results_are_added_up(terminal: Terminal) -> None:
    ran = terminal.done("simulate", "skirmish", "--matches", "9", "--jobs", "1", "-o", "bug=none", "--json")
    *matches, summary = ran.objects

    assert [one["number"] for one in matches] == list(range(1, 10))
    assert {one["audited"] for one in matches} == {True}
    assert summary["results"] == dict(Counter(str(one["result"]) for one in matches).most_common())
    assert (summary["matches"], summary["ended"], summary["problems"], summary["audited"]) == (9, 9, 0, 9)
    assert summary["steps"] == sum(int(str(one["steps"])) for one in matches)


def test_a_simulation_prints_a_summary(terminal: Terminal) -> None:
    out = terminal.done("simulate", "skirmish", "--matches", "4", "--jobs", "1", "-o", "bug=none", "--no-sweep").out

    assert "4 matches: 4 ended, 0 dead ends, 0 failed, 4 audits clean." in out


@pytest.mark.parametrize(("game", "title"), few([("skirmish", "Rounds"), ("battle", "Turns"), ("inferno", "Turns")]))
def test_a_summary_counts_rounds_in_the_word_of_the_game(game: str, title: str, terminal: Terminal) -> None:
    out = terminal.done("simulate", game, "--matches", "1", "--jobs", "1", "--no-sweep", "--no-audit").out

    assert f"Events  {title}  Results" in out


@pytest.mark.parametrize(
    ("bug", "steps", "problem"), [("dead-end", "300", "dead end at event"), ("none", "3", "no end after 3 commands")]
)
def test_a_failed_match_is_saved_so_that_it_can_be_opened(
    bug: str, steps: str, problem: str, terminal: Terminal, tmp_path: Path
) -> None:
    words = ["--matches", "3", "--jobs", "1", "-o", f"bug={bug}", "--steps", steps, "--no-sweep"]
    ran = terminal("simulate", "skirmish", *words, "--save-failures", str(tmp_path / "failed"), "--json")
    wrong = [one for one in ran.objects if one["shape"] == "simulated" and problem in str(one["problem"])]

    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert wrong != []

    match = terminal.line("import", str(wrong[0]["file"]))

    assert terminal.done("show", match, "--json").objects[0]["seq"] == wrong[0]["events"]


def test_an_exception_in_a_rule_is_reported_as_an_outcome(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def trip(*_: object) -> None:
        raise AttributeError("a fault of the rules")

    monkeypatch.setattr("tests.support.skirmish.next_turn", trip)
    ran = terminal("simulate", "skirmish", "--matches", "1", "--jobs", "1", "--no-sweep")

    assert ran.code == 1
    assert "AttributeError: a fault of the rules (skirmish.py, line" in ran.err


@pytest.mark.long
def test_two_processes_play_the_same_matches_as_one(terminal: Terminal) -> None:
    words = ["simulate", "advance", "--matches", "4", "--bots", "random", "--scenario", "factory", "--json"]
    alone = terminal.done(*words, "--jobs", "1").out.splitlines()
    ran = terminal.as_process(*words, "--jobs", "2")

    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[:-1] == alone[:-1]


def test_audits_can_be_skipped(terminal: Terminal) -> None:
    ran = terminal.done("simulate", "skirmish", "--matches", "2", "--jobs", "1", "--no-sweep", "--no-audit", "--json")

    assert [one["audited"] for one in ran.objects] == [False, False, 0]


SKIRMISHES = ("simulate", "skirmish", "--matches", "3", "--bots", "random", "--jobs", "1", "--json")


def test_saved_matches_are_archives_that_can_be_audited_and_opened(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    played = terminal.done(*SKIRMISHES, "--save", str(folder)).objects[:-1]

    assert sorted(str(path) for path in folder.iterdir()) == sorted(str(one["file"]) for one in played)
    for one in played:
        (report,) = terminal.done("audit", str(one["file"]), "--json").objects
        assert (report["clean"], report["events"], report["match"]) == (True, one["events"], one["match"])
        assert terminal.line("import", str(one["file"])) == one["match"]
    assert terminal.done("show", str(played[0]["match"])).out


def test_saved_matches_lie_in_a_store_and_are_saved_once(terminal: Terminal, tmp_path: Path) -> None:
    store = tmp_path / "sims.db"
    played = terminal.done(*SKIRMISHES, "--save", str(store)).objects[:-1]
    again = terminal.done(*SKIRMISHES, "--save", str(store))
    other = Terminal(store)
    other.done("audit", "--all")

    assert "3 of them were there already" in again.err
    assert [one["match"] for one in other.done("list", "--json").objects] == [one["match"] for one in played]


def test_matches_of_other_bots_or_settings_are_other_matches(terminal: Terminal, tmp_path: Path) -> None:
    store = str(tmp_path / "sims.db")
    terminal.done(*SKIRMISHES, "--save", store)
    terminal.done(*SKIRMISHES, "-o", "fog=on", "--save", store)

    assert len(Terminal(tmp_path / "sims.db").done("list", "--json").objects) == 6


def test_failed_matches_are_saved_too(terminal: Terminal, tmp_path: Path) -> None:
    ran = terminal(
        *SKIRMISHES, "--steps", "1", "--save", str(tmp_path / "all"), "--save-failures", str(tmp_path / "bad")
    )

    assert ran.code == 1
    assert len(list((tmp_path / "all").iterdir())) == len(list((tmp_path / "bad").iterdir())) == 3


def test_matches_begin_from_a_position(terminal: Terminal, tmp_path: Path) -> None:
    position = min((ROOT / "fixtures" / "positions" / "advance").glob("*.toml"))
    store = tmp_path / "sims.db"
    words = ("--matches", "2", "--steps", "3", "--no-audit", "--jobs", "1", "--position", str(position))
    terminal("simulate", "advance", *words, "--save", str(store))
    shown = Terminal(store).done("log", terminal_match(store), "--to", "1", "--json").objects

    assert shown[0]["event"]["position"] == text_digest(position.read_text())  # type: ignore[index]
    refused = terminal("simulate", "battle", "--matches", "1", "--position", str(position))
    assert (refused.code, "the position is for game advance, not battle" in refused.err) == (2, True), refused.err


def terminal_match(store: Path) -> str:
    """Return the first match of a store."""
    return str(Terminal(store).done("list", "--json").objects[0]["match"])


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    """Return whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the children of a process are found in /proc")
@pytest.mark.parametrize(
    "ended_by",
    sampled([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], lambda ended_by: ended_by == signal.SIGKILL),
)
def test_a_simulation_that_is_ended_leaves_no_workers_and_a_whole_store(
    ended_by: signal.Signals, terminal: Terminal, tmp_path: Path
) -> None:
    store = tmp_path / "sims.db"
    words = ["simulate", "advance", "--matches", "500", "--jobs", "2", "--no-audit", "--json", "--save", str(store)]
    with terminal.started(words) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(9)]
        workers = children_of(process.pid)
        process.send_signal(ended_by)
        told += process.stdout.readlines()
        process.wait(30)
    due = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < due:
        time.sleep(0.05)

    assert workers
    assert [pid for pid in workers if is_running(pid)] == []
    assert process.returncode == (130 if ended_by == signal.SIGINT else -ended_by)
    with SqliteLog(store) as log:
        assert log.check() == []
        # What was reported is there, each match whole; more may have been stored than was read here.
        assert len(log.matches()) >= sum(b'"simulated"' in line for line in told if line.endswith(b"\n"))
        for match in log.matches()[-2:]:
            report = audit_match(log, match)
            assert (report.clean, decode_commit(list(log.read(match))[-1].body).events != ()) == (True, True)


# Two rules compared


AGAINST = (
    "simulate",
    "battle",
    "--matches",
    "3",
    "-o",
    "turn_cap=4",
    "--against",
    "turn_cap=2",
    "--no-audit",
    "--jobs",
    "1",
)


def test_two_rules_are_compared_by_pairs_of_matches_with_the_same_seeds(terminal: Terminal) -> None:
    *matches, summary, found = terminal.done(*AGAINST, "--json", "-q").objects
    measures = {one["name"]: one["measured"] for one in found["measures"]}  # type: ignore[attr-defined]
    again = terminal.done(*AGAINST, "--json", "-q").objects[-1]

    assert summary["shape"] == "summary"
    assert [(one["seed"], one["options"]) for one in matches[:2]] == [
        ("0/1", {"turn_cap": 4}),
        ("0/1", {"turn_cap": 2}),
    ]
    assert (found["shape"], found["other"], found["pairs"]) == ("rules-compared", "turn_cap=2", 3)
    assert [measures["rounds"][which]["value"] for which in ("first", "second", "difference")] == [4, 2, -2]
    assert not measures["rounds"]["is_told"]
    assert {"won by german", "won by russian", "commands", "control of german"} <= measures.keys()
    assert again == found


def test_what_two_rules_differ_in_is_told_in_words(terminal: Terminal) -> None:
    text = terminal.done(*AGAINST).out

    assert "With turn_cap=2" in text
    assert "Won by German" in text
    assert "about 10 pairs would tell" in text
    assert "3 pairs of matches with the same seeds: with turn_cap=2, no figure differs by more than luck." in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--against", "turn_cap=0"], "the rules after --against are those before it"),
        (["--against", "turn_caps=1"], "no option of battle is called 'turn_caps'"),
        (["--against", "turn_cap"], "an option is KEY=VALUE"),
        (["--against-variant", "Mine"], "give its file with --against-board"),
    ],
)
def test_other_rules_that_are_none_are_refused(terminal: Terminal, given: list[str], said: str) -> None:
    ran = terminal("simulate", "battle", *given)

    assert ran.code == 2
    assert said in ran.err


def test_a_board_is_compared_with_the_printed_one(terminal: Terminal, tmp_path: Path) -> None:
    board = tmp_path / "mine.toml"
    board.write_text(terminal.done("board", "battle", "--toml").out, encoding="utf-8")
    other = ["--against-board", str(board), "-o", "turn_cap=2", "--matches", "2", "--no-audit", "--jobs", "1"]
    found = terminal.done("simulate", "battle", *other, "--json", "-q").objects[-1]

    assert found["other"] == "the other board"
    assert {one["measured"]["difference"]["value"] for one in found["measures"]} == {0}  # type: ignore[attr-defined]
