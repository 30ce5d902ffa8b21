"""The arena: pairs with the same dice and seats swapped, bots that lose by their own fault, and files that go on where they end."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cli.commands.bots.arena import _contender
from cli.commands.bots.arena_job import Adjudicated, Agreement, Contender, Opinions, PairPlan, _score, play_pair, teams
from core.bots.bot_port import Answer, Asked, Policy
from core.bots.budget import NO_BUDGET
from core.engine.command import Command
from core.registry.bot_policies import GENERIC, choose_at_random
from core.registry.games import load_game
from events.codec import decode_plain, encode
from events.ids import Seat
from tests.cli.running import Ran, Terminal
from tests.support.browsing import words
from tests.support.parsing import HTML, parsed
from tests.support.rows import each_row

SMALL = ("arena", "random", "random", "--game", "skirmish", "--jobs", "1")
RED, BLUE = Seat("red"), Seat("blue")


class Nonsense(Command, frozen=True, tag="nonsense"):
    """No command of any game."""


def raising(asked: Asked) -> Command:
    """Raise an error."""
    raise ValueError("no idea\nat all")


def stalling(asked: Asked) -> Command:
    """Never answer, and catch what can be caught."""
    while True:
        with suppress(Exception):
            time.sleep(0.001)


def illegal(asked: Asked) -> Command:
    """Answer with a command of the game that is not legal."""
    return asked.rules.decode(b'{"do":"reply","contest":true}')


def foreign(asked: Asked) -> Command:
    """Answer with a command that no game has."""
    return Nonsense()


def wordy(asked: Asked) -> Command:
    """Answer with something that is no command."""
    return "roll"  # type: ignore[return-value]


@pytest.fixture
def with_bots(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add policies for every game."""

    def add(*bots: Policy) -> None:
        named = {getattr(bot, "__name__", "bot"): bot for bot in bots}
        monkeypatch.setattr("core.registry.bot_policies.GENERIC", {**GENERIC, **named})

    return add


def timeless(pairs: list[dict[str, Any]]) -> bytes:
    """Return pairs without the times that bots took."""
    return encode([{**pair, "matches": [{**one, "ms": {}} for one in pair["matches"]]} for pair in pairs])


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file."""
    found: list[dict[str, Any]] = [decode_plain(line) for line in path.read_bytes().splitlines()]  # type: ignore[misc]
    return found


def strength(ran: Ran) -> dict[str, Any]:
    """Return the strength that was printed last with --json."""
    assert ran.code == 0, ran.err
    return ran.objects[-1]


def test_a_pair_has_the_same_dice_and_swapped_seats(terminal: Terminal) -> None:
    *pairs, last = terminal("--json", *SMALL, "--pairs", "3").objects
    matches: list[Any] = [pair["matches"] for pair in pairs]

    assert [[one["seats"] for one in pair] for pair in matches] == [[{"red": 1, "blue": 2}, {"red": 2, "blue": 1}]] * 3
    # The same bots with the same chance play the same match from both sides.
    assert all(first["winning_seats"] == second["winning_seats"] for first, second in matches)
    assert [pair["half_points"] for pair in pairs] == [2, 2, 2]
    assert (last["shape"], last["score"], last["elo"], last["pairs"]) == ("strength", 0.5, 0.0, [0, 0, 3, 0, 0])


def test_the_stronger_bot_is_found_and_the_test_ends(terminal: Terminal) -> None:
    ran = terminal("arena", "greedy", "random", "--game", "battle", "--pairs", "40", "--sprt", "0,150", "--jobs", "1")

    assert ran.code == 0
    assert "SPRT 0 to 150 Elo: LLR " in ran.out and "greedy is nearer to 150 Elo than to 0" in ran.out
    assert "greedy scores 100.0%" in ran.out
    assert int(ran.out.splitlines()[1].split()[0]) < 20


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        (raising, r"it raised ValueError: no idea\nat all."),
        (illegal, "it played an illegal command: answer_must_fit (2.reply)."),
        (foreign, "it played an illegal command:"),
        (wordy, "it answered str, which is no command."),
        (stalling, "it thought for more than 0.2 s about one decision."),
    ],
)
def test_a_bot_loses_by_its_own_fault_and_is_named(
    bot: Policy, fault: str, terminal: Terminal, with_bots: Callable[..., None]
) -> None:
    with_bots(bot)
    name = getattr(bot, "__name__", "")
    mode = load_game("skirmish").scenario("").mode("")
    plan = PairPlan(
        1, "skirmish", "", "", {}, (Contender("random", NO_BUDGET), Contender(name, NO_BUDGET)), "0/1", 500, 0.2
    )
    pair = play_pair(plan)
    ran = terminal("arena", "random", name, "--game", "skirmish", "--jobs", "1", "--pairs", "1", "--stall", "1s")

    assert pair.half_points == 4
    assert [match.result for match in pair.matches] == ["forfeit", "forfeit"]
    assert {match.at_fault for match in pair.matches} == set(mode.seats)
    assert f"{name} lost 2 matches by its own fault; in pair 1, as " in ran.out
    assert fault.replace("0.2 s", "1 s") in ran.out
    assert (ran.code, ran.err.count(f"{name} lost every match by its own fault: it ")) == (1, 1)


def test_an_arena_that_was_cut_off_anywhere_goes_on_to_the_same_result(terminal: Terminal, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    known = strength(terminal("--json", *SMALL, "--pairs", "4", "--keep", str(whole)))
    content = whole.read_bytes()
    for at in range(0, len(content) + 1, 131):
        cut.write_bytes(content[:at])
        again = strength(terminal("--json", *SMALL, "--pairs", "4", "--keep", str(cut)))

        assert timeless(lines(cut)[1:]) == timeless(lines(whole)[1:]), at
        assert {**again, "ms_per_decision": 0} == {**known, "ms_per_decision": 0}

    more = strength(terminal("--json", *SMALL, "--pairs", "6", "--keep", str(whole)))
    assert whole.read_bytes().startswith(content)
    assert sum(more["pairs"]) == 6
    assert sum(strength(terminal("--json", *SMALL, "--pairs", "2", "--keep", str(whole)))["pairs"]) == 2


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (None, ("--seed", "1"), "its seed is 0, not 1; name another file"),
        (None, ("--stall", "2m"), "its stall_s is 60.0, not 120.0"),
        (b"my own work\n", (), "its first line is not that of an arena"),
        (b"my own", (), "its first line is not that of an arena"),
    ],
)
def test_a_file_of_something_else_is_refused_and_kept(
    content: bytes | None, arguments: tuple[str, ...], message: str, terminal: Terminal, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    if content is None:
        terminal(*SMALL, "--pairs", "1", "--keep", str(path))
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    ran = terminal(*SMALL, "--pairs", "1", "--keep", str(path), *arguments)

    assert (ran.code, message in ran.err) == (3, True), ran.err
    assert path.read_bytes() == before


def test_a_file_with_a_pair_left_out_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    terminal(*SMALL, "--pairs", "3", "--keep", str(path))
    first, _, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, *rest]))

    assert "line 2 holds pair 2, not 1" in terminal(*SMALL, "--pairs", "3", "--keep", str(path)).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arena", "random", "clever", "--game", "skirmish"), "no policy for skirmish is called 'clever'"),
        (("arena", "random:0", "random", "--game", "skirmish"), "a budget has 1 to 10000000 playouts, not 0"),
        (("arena", "random", "random:5000s", "--game", "skirmish"), "a budget is 1 to 600000 ms long"),
        ((*SMALL, "--pairs", "0"), "--pairs is 1 to 1000000"),
        ((*SMALL, "--sprt", "5,0"), "--sprt names two differences of Elo, the lower first, as in 0,20, not '5,0'"),
        ((*SMALL, "--sprt", "nan,1"), "--sprt names two differences"),
        ((*SMALL, "--sprt", "3"), "--sprt names two differences"),
        ((*SMALL, "--mode", "duel"), "duel"),
        ((*SMALL, "--keep", "/dev/null/x"), "/dev/null/x cannot be used"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[str, ...], message: str, terminal: Terminal) -> None:
    ran = terminal(*arguments)

    assert ran.code == (3 if "/dev" in message else 2)
    assert message in ran.err


def test_a_bots_budget_is_told_and_does_not_change_other_bots(
    terminal: Terminal, with_bots: Callable[..., None]
) -> None:
    told: set[tuple[int, int]] = set()

    def counting(asked: Asked) -> Command:
        told.add((asked.budget.playouts, asked.budget.ms))
        return choose_at_random(asked)

    with_bots(counting)
    first = strength(
        terminal(
            "--json", "arena", "counting:500", "counting:20ms", "--game", "skirmish", "--jobs", "1", "--pairs", "1"
        )
    )

    assert told == {(500, 0), (0, 20)}
    assert first["bots"] == ["counting:500", "counting:20ms"]


def test_alone_at_the_table_each_bot_plays_a_match_of_a_pair(terminal: Terminal) -> None:
    *pairs, _ = terminal(
        "--json", "arena", "greedy", "random", "--game", "inferno", "--mode", "solo", "--pairs", "2", "--jobs", "1"
    ).objects
    matches: list[Any] = [one for pair in pairs for one in pair["matches"]]  # type: ignore[attr-defined]

    assert [one["seats"] for one in matches] == [{"german": 1}, {"german": 2}] * 2
    assert [one["score"] for one in matches] == [
        float(bool(one["winning_seats"]) == (one["seats"]["german"] == 1)) for one in matches
    ]


def test_a_match_without_an_end_is_drawn(terminal: Terminal) -> None:
    ran = terminal(*SMALL, "--pairs", "1", "--steps", "3")

    assert "2 matches had no end after 3 commands, and count as drawn." in ran.out


def test_seats_of_one_side_are_one_bots() -> None:
    inferno = load_game("inferno").scenario("")

    assert teams(inferno.mode("two_vs_one")) == (("yellow", "blue"), ("soviet",))
    assert teams(inferno.mode("one_vs_one")) == (("german",), ("soviet",))
    assert len(teams(load_game("axis-allies").scenario("race").mode("auction"))) == 2


@each_row(
    ("winners", "at_fault", "score"),
    [
        ((RED,), None, 1.0),
        ((BLUE,), None, 0.0),
        ((), None, 0.5),
        ((RED, BLUE), None, 0.5),
        ((BLUE,), 0, 0.0),
        ((RED,), 1, 1.0),
    ],
)
def test_the_score_is_the_first_bots(winners: tuple[Seat, ...], at_fault: int | None, score: float) -> None:
    assert _score({RED: 0, BLUE: 1}, winners, at_fault) == score


@pytest.mark.long
def test_several_processes_play_the_same_pairs(terminal: Terminal) -> None:
    """This takes a second, because a process is started."""
    arguments = ("--json", "arena", "greedy", "random", "--game", "battle", "--pairs", "3")
    one, two = [terminal(*arguments, "--jobs", jobs).objects[:-1] for jobs in "12"]

    assert timeless(one) == timeless(two)


def test_the_page_holds_the_strength_and_each_match(
    terminal: Terminal, tmp_path: Path, with_bots: Callable[..., None]
) -> None:
    with_bots(illegal)
    file = tmp_path / "arena.html"
    ran = terminal(
        "arena", "random", "illegal", "--game", "skirmish", "--jobs", "1", "--pairs", "2", "--page", str(file)
    )
    page = parsed(file.read_text(encoding="utf-8"))
    said = [words(one) for one in page.iter(f"{HTML}p")]
    rows = [[words(cell) for cell in row.iter(f"{HTML}td")] for row in page.iter(f"{HTML}tr")][1:]

    assert said[0].partition(" Rules ")[0] == (
        "The Field, with bug=none, fog=off, omens=comet and speed=3. A match ends after 20000 commands at most, "
        "and a decision takes 60 s at most."
    )
    assert said[1:] == ran.out.splitlines()[1:]
    assert [row[:4] for row in rows[:2]] == [
        [number, *sides, "forfeit: illegal played an illegal command: answer_must_fit (2.reply)"]
        for number, sides in (("1", ("random as red", "illegal as blue")), ("1", ("illegal as red", "random as blue")))
    ]
    assert [row[0] for row in rows] == ["1", "1", "2", "2"]


def test_a_level_plays_as_the_bot_that_it_stands_for() -> None:
    game = load_game("battle")

    assert [_contender(game, level).title for level in ("recruit", "sergeant", "general")] == [
        "greedy",
        "search:20",
        "search:500",
    ]


@each_row(
    ("said", "winners"),
    [
        ([(RED, 0.99), (BLUE, 0.01)] * 2, (RED,)),
        ([(RED, 0.01), (BLUE, 0.99)] * 2, (BLUE,)),
        ([(RED, 0.99), (BLUE, 0.01), (RED, None), (RED, 0.99), (BLUE, 0.01)], (RED,)),
        ([(RED, 0.99), (BLUE, 0.99)] * 9, None),
        ([(RED, 0.01), (BLUE, 0.01)] * 9, None),
        ([(RED, 0.99)] * 9, None),
        ([(RED, 0.99), (BLUE, 0.01), (RED, 0.5), (RED, 0.99), (BLUE, 0.01)], None),
        ([(RED, 0.99), (BLUE, 0.01), (RED, 0.01), (BLUE, 0.01)], None),
    ],
)
def test_a_match_is_adjudicated_when_all_seats_agree_often_enough(
    said: list[tuple[Seat, float | None]], winners: tuple[Seat, ...] | None
) -> None:
    opinions, found = Opinions({RED: 0, BLUE: 1}, Agreement(0.98, 2)), None
    try:
        for seat, chance in said:
            opinions.hear(seat, chance)
    except Adjudicated as agreed:
        found = agreed.winners

    assert found == winners


def confident(asked: Asked) -> Answer:
    """Play at random, and know that red wins."""
    return Answer(choose_at_random(asked), chance=0.99 if asked.seat == RED else 0.01)


def test_an_adjudicated_match_is_won_and_kept_as_such(terminal: Terminal, with_bots: Callable[..., None]) -> None:
    with_bots(confident)
    bots = ("arena", "confident", "confident", "--game", "skirmish", "--jobs", "1", "--pairs", "1", "--json")
    pair: Any = terminal(*bots, "--adjudicate", "0.98,2").objects[0]
    wrong = terminal(*bots, "--adjudicate", "0.3,2")
    told = terminal(*bots[:-1], "--adjudicate", "0.98,2").out

    assert [(one["result"], one["winning_seats"], one["score"]) for one in pair["matches"]] == [
        ("adjudicated", ["red"], 1.0),
        ("adjudicated", ["red"], 0.0),
    ]
    assert (
        "\n2 matches ended when all bots had said 2 times in a row that the same one wins with 98% or more.\n" in told
    )
    assert (wrong.code, "between 0.5 and 1" in wrong.err) == (2, True)
