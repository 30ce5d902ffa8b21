"""Finding events: in a store, in archives, over a server; every filter, and no secret of another seat."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.commands.history.event_search import KINDS, Wanted
from events.ids import RuleId
from events.memory_log import MemoryLog
from events.vocabulary import DiceRolled, Modifier
from tests.cli.running import Terminal
from tests.support.served import served
from tests.support.tampering import tamper


@pytest.fixture
def played(terminal: Terminal, tmp_path: Path) -> str:
    """The first of three finished matches of the test game."""
    words = ("simulate", "skirmish", "--matches", "3", "--bots", "random", "--jobs", "1", "--no-sweep", "-q")
    terminal.done(*words, "--save", str(terminal.store.with_suffix(".db")))
    terminal.done(*words, "--save", str(tmp_path / "archives"))
    return str(terminal.done("list", "--json").objects[0]["match"])


def events_of(terminal: Terminal, match: str, *more: str) -> list[dict[str, object]]:
    return terminal.done("log", match, "--json", *more).objects


def test_what_is_found_is_what_the_log_says(terminal: Terminal, played: str) -> None:
    found = terminal.done("find", played, "--json").objects
    logged = events_of(terminal, played)

    assert [(one["seq"], one["event"], one["sentence"], one["fork"]) for one in found] == [
        (one["seq"], one["event"], one["sentence"], one["fork"]) for one in logged
    ]


def test_every_match_of_the_store_is_searched_in_order(terminal: Terminal, played: str) -> None:
    ran = terminal.done("find", "--kind", "match-opened")
    matches = [str(one["match"]) for one in terminal.done("list", "--json").objects]

    assert [line.partition("@")[0] for line in ran.out.splitlines()] == matches
    assert ran.err == "3 events found in 3 matches\n"


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        (("--kind", "dice-rolled"), lambda one: one["event"]["event"] == "dice-rolled/1"),
        (
            ("--kind", "dice_rolled", "--kind", "card-drawn"),
            lambda one: one["event"]["event"][:9] in {"dice-roll", "card-draw"},
        ),
        (("--dice", "2"), lambda one: len(one["event"].get("faces", ())) == 2),
        (("--faces", "6"), lambda one: 6 in one["event"].get("faces", ())),
        (("--faces", "5,5"), lambda one: one["event"].get("faces", []).count(5) >= 2),
        (("--text", "TAKES the"), lambda one: "takes the" in one["sentence"].casefold()),
        (("--about", "blue flag"), lambda one: "Blue Flag" in one["sentence"]),
    ],
)
def test_each_filter_keeps_what_fits(
    words: tuple[str, ...], fits: Callable[[Any], bool], terminal: Terminal, played: str
) -> None:
    found = terminal.done("find", played, "--json", *words).objects
    wanted = [one["seq"] for one in events_of(terminal, played) if fits(one)]

    if words[0] == "--about":
        assert {*wanted} <= {one["seq"] for one in found}
        assert all("blue" in str(one["event"]) for one in found)
    else:
        assert [one["seq"] for one in found] == wanted


def test_a_rule_is_found_in_events_and_in_their_numbers() -> None:
    roll = DiceRolled(rule=RuleId("9.5.roll"), faces=(3,), purpose="x", modifiers=(Modifier(RuleId("7.2"), "fog", 1),))

    assert all(Wanted(rule=rule).may_fit(roll) for rule in ("9.5.roll", "9.5", "9", "7.2", "7"))
    assert not any(Wanted(rule=rule).may_fit(roll) for rule in ("9.5.ro", "9.4", "7.20", "5"))


def test_rules_are_found(terminal: Terminal, played: str) -> None:
    rule = str(next(one["event"]["rule"] for one in events_of(terminal, played) if "dice-rolled" in str(one)))  # type: ignore[index]
    found = terminal.done("find", played, "--json", "--rule", rule, "--kind", "dice-rolled").objects

    assert found
    assert all(rule in str(one["event"]) for one in found)


def test_who_decided_is_a_filter_and_part_of_the_result(terminal: Terminal, played: str) -> None:
    found = terminal.done("find", played, "--json", "--by", "red").objects

    assert {one["by"] for one in found} == {"red"}
    assert len(found) < len(events_of(terminal, played))


def test_cards_are_found_by_name_as_far_as_the_viewing_seat_knows_them(terminal: Terminal, played: str) -> None:
    drawn = terminal.done("find", played, "--json", "--kind", "card-drawn", "--seat", "red").objects
    card = next(str(one["event"]["card"]) for one in drawn if one["event"]["card"]).removeprefix("card-")  # type: ignore[index]
    seen = terminal.done("find", played, "--json", "--card", f"Card {card}", "--seat", "red").objects
    public = terminal.done("find", played, "--json", "--card", f"Card {card}").objects

    assert seen
    assert len(public) < len(seen)
    assert terminal.done("find", played, "--json", "--seat", "blue", "--card", f"Card {card}").objects == [
        one
        for one in terminal.done("find", played, "--json", "--seat", "blue").objects
        if one["event"].get("card") == f"card-{card}"  # type: ignore[attr-defined]
    ]


def test_games_and_results_are_filters(terminal: Terminal, played: str) -> None:
    listed = terminal.done("list", "--json").objects
    result = str(listed[0]["ended"]["result"])  # type: ignore[index]
    wanted = [one["match"] for one in listed if one["ended"]["result"] == result]  # type: ignore[index]

    assert [
        one["match"] for one in terminal.done("find", "--kind", "match-opened", "--result", result, "--json").objects
    ] == wanted
    assert terminal.done("find", "--game", "advance").out == ""
    assert len(terminal.done("find", "--game", "skirmish", "--kind", "match-opened", "--json").objects) == 3


def test_a_limit_ends_the_search(terminal: Terminal, played: str) -> None:
    every = terminal.done("find", "--kind", "dice-rolled").out.splitlines()

    assert terminal.done("find", "--kind", "dice-rolled", "--limit", "3").out.splitlines() == every[:3]


def test_archives_are_searched_like_a_store(terminal: Terminal, played: str, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    stored = sorted(terminal.done("find", "--dice", "2").out.splitlines())
    one = next(path for path in folder.iterdir() if played in path.name)

    assert sorted(terminal.done("find", str(folder), "--dice", "2").out.splitlines()) == stored
    assert terminal.done("find", str(one), "--dice", "2").out == terminal.done("find", played, "--dice", "2").out
    assert terminal.done("find", str(one), "--json", "--limit", "1").objects[0]["file"] == str(one)


def test_a_seats_view_is_not_searched_and_named(terminal: Terminal, played: str, tmp_path: Path) -> None:
    terminal.done("export", played, str(tmp_path / "archives" / "view.ndjson"), "--seat", "red")
    ran = terminal("find", str(tmp_path / "archives"), "--kind", "match-opened")

    assert (ran.code, len(ran.out.splitlines())) == (4, 3)
    assert "view.ndjson" in ran.err


def test_a_damaged_match_is_named_and_the_others_are_searched(terminal: Terminal, played: str) -> None:
    tamper(terminal.store, '"name":"random bot"', '"name":"rendom bot"')
    ran = terminal("find", "--kind", "match-opened")

    assert ran.code == 4
    assert "match " in ran.err
    assert len(ran.out.splitlines()) < 3


def test_what_was_taken_back_is_marked(terminal: Terminal, skirmish: str) -> None:
    terminal.done("choose", skirmish, '{"do":"match:note","text":"a"}', "--seat", "red")
    found = terminal.done("find", skirmish, "--json", "--kind", "note-added").objects

    assert [(one["by"], one["undone"]) for one in found] == [("red", False)]


def test_over_a_server_each_seat_finds_what_it_may_see(terminal: Terminal) -> None:
    with served(MemoryLog()) as broker:
        server = {"WARDIARY_CONNECT": broker.address}
        red = {**server, "WARDIARY_SEATS": str(terminal.store.with_name("red.json"))}
        here = Terminal(terminal.store.with_name("none.db"))
        match = here("new", "skirmish", "--dice", "seeded:2", variables=red).out.strip()
        own = here("find", "--kind", "card-drawn", "--seat", "red", "--json", variables=red)
        public = here("find", "--kind", "card-drawn", "--json", variables=server)
        refused = here("find", "--seat", "red", variables={**server, "WARDIARY_SEATS": "/nonexistent/seats.json"})

    assert own.code == public.code == 0
    assert match in own.out
    assert public.objects
    assert all(one["event"]["card"] is None for one in public.objects)  # type: ignore[index]
    assert any(one["event"]["card"] for one in own.objects)  # type: ignore[index]
    assert (refused.code, "no match of these shows its events to seat 'red'" in refused.err) == (2, True), refused


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--kind", "dice-roled"), "dice-rolled"),
        (("--game", "advence"), "advance"),
        (("--limit", "-1"), "--limit is a number"),
        (("--faces", "six"), "numbers joined by commas"),
        (("--seat", "green"), "there are: red, blue, public, arbiter"),
        (("--by", "green"), "there are: red, blue, public, arbiter"),
        (("--rule", "nope"), "`wardiary rules GAME` lists them"),
        (("--rule", "match.sets"), "did you mean match.seats"),
        (("nowhere",), "nowhere"),
    ],
)
def test_what_is_wrong_is_said(words: tuple[str, ...], said: str, terminal: Terminal, played: str) -> None:
    ran = terminal("find", *words)

    assert (ran.code, ran.out, said in ran.err) == (2, "", True), ran


def test_forks_are_left_out_if_asked(terminal: Terminal, played: str, tmp_path: Path) -> None:
    """They repeat the events of their parents."""
    before = terminal.done("find", "--kind", "dice-rolled").out
    fork = terminal.line("fork", f"{played}@{len(events_of(terminal, played)) - 1}")
    terminal.done("export", fork, str(tmp_path / "archives" / "fork.ndjson"))

    assert len(terminal.done("find", "--kind", "dice-rolled").out) > len(before)
    assert terminal.done("find", "--kind", "dice-rolled", "--no-forks").out == before
    archives = terminal.done("find", str(tmp_path / "archives"), "--kind", "dice-rolled", "--no-forks").out
    assert sorted(archives.splitlines()) == sorted(before.splitlines())


def test_a_ruling_is_found_by_the_rule_on_which_it_is(terminal: Terminal, played: str) -> None:
    terminal.done("ruling", played, "So be it.", "--rule", "match.pause")

    (found,) = terminal.done("find", "--rule", "match.pause").out.splitlines()
    assert "So be it." in found


def test_kinds_are_those_of_the_vocabulary() -> None:
    assert {"dice-rolled", "card-played", "match-forked"} <= set(KINDS)
