"""`check-game` passes a sound game and finds each kind of violation."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.commands.designing.check_game import _record_problems
from cli.commands.designing.hash_seeds import order_problem
from core.checking.conformance import NotConforming, map_problems, place_name_problems, port_problems, side_watch
from core.checking.simulated_match import Plan
from core.engine.command import Command
from core.engine.dealing import Deal, Dealing, Pick, Unknown
from core.engine.draft import Draft
from core.game.game_record import Mode, Scenario
from core.game_files.rulebook import RefusalMeaning, load_rulebook
from core.match.fork import FORK
from core.narration.narration_port import Narration
from core.narration.render_model import MapPlace
from core.refusal import Refusal
from core.registry.games import load_game
from events.codec import replace
from events.ids import PUBLIC, CardId, GameKey, PlaceId, RuleId, Seat, Side
from projections.state.table import Ended, Open, Table
from tests.cli.running import Terminal
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.skirmish import (
    AMBUSH,
    BLUE,
    CAMP,
    DECK,
    FIELD,
    GAME,
    RED,
    RULE,
    SkirmishDealing,
    SkirmishRules,
    hand,
    make_rules,
    other,
)
from tests.support.soak import sampled

PLAN = Plan(
    1, "skirmish", "field", "", {}, {RED: "random", BLUE: "random"}, "0", 100, is_audited=False, save_failures=""
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Two more processes for each check would double the time of these tests; those of a sound game start them."""
    if "sound" not in request.node.name:
        monkeypatch.setattr("cli.commands.designing.check_game.order_problem", lambda *_: "")


@pytest.mark.parametrize(
    "game", sampled(["advance", "battle", "tests.support.skirmish"], lambda game: game == "tests.support.skirmish")
)
def test_a_sound_game_passes(terminal: Terminal, game: str) -> None:
    checks = terminal.done("check-game", game, "--matches", "2", "--json").objects

    counts = {one["check"]: one["count"] for one in checks}

    assert list(counts) == [
        "record",
        "index of rules",
        "words",
        "ports",
        "map",
        "order of options",
        "matches",
        "forks",
        "optional parts",
    ]
    assert [one["problems"] for one in checks] == [[]] * 9
    assert counts["matches"] == 2
    # One fork of each match, and for a match with secrets one more for each of its two seats.
    assert counts["forks"] == (2 if game == "advance" else 6)


def test_missing_optional_parts_are_listed(terminal: Terminal) -> None:
    said = terminal("check-game", "tests.support.skirmish", "--matches", "1").out.splitlines()

    assert said[-4] == "optional parts: 3 checked, 3 missing, which a game need not have"
    assert [line.partition(":")[0] for line in said[-3:]] == ["  bots", "  pictures", "  board report"]
    assert terminal("check-game", "battle", "--matches", "1").out.endswith("optional parts: 3 checked, all there\n")


def test_a_game_that_cannot_deal_its_secrets_again_fails(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.skirmish.SkirmishDealing.complete", lambda *_: None)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(r"fork at event \d+ with what red does not know dealt again: .*cannot be dealt again", ran.out)


def test_secrets_that_are_always_dealt_alike_fail(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: one choice for the places of both ambushes, which no seat knows; the default chooses for each."""
    set_up = SkirmishRules.set_up

    def with_ambushes(rules: SkirmishRules, draft: Draft) -> None:
        set_up(rules, draft)
        draft.set_attribute(RED, AMBUSH, CAMP, RULE, seen_by=())
        draft.set_attribute(BLUE, AMBUSH, FIELD, RULE, seen_by=())

    def complete(dealing: SkirmishDealing, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        deal, place = Dealing.complete(dealing, unknown, deal, pick) or deal, pick((CAMP, FIELD), "the ambush")
        return Deal(deal.piles, deal.pieces, {on: {key: place} for on, key in unknown.attributes})

    monkeypatch.setattr(SkirmishRules, "set_up", with_ambushes)

    assert terminal("check-game", "tests.support.skirmish", "--matches", "1").code == 0

    monkeypatch.setattr(SkirmishDealing, "complete", complete)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert "ambush of blue and of red is dealt again as one value, 24 times of 24" in ran.out


@pytest.mark.parametrize(
    ("chosen", "kept", "words"),
    [
        (True, True, ""),
        (False, True, r"all seats see ChosenByChance.*, which decides a secret: .*AttributeSet.*is `seen_by` missing"),
        (True, False, r"sees what chance decided unseen by it: AttributeSet.*is `seen_by` missing"),
    ],
)
def test_a_forgotten_audience_of_a_choice_or_an_attribute_fails(
    chosen: bool, kept: bool, words: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ambush is laid by chance when play begins, and only its owner may know it."""
    set_up = SkirmishRules.set_up

    def with_ambush(rules: SkirmishRules, draft: Draft) -> None:
        set_up(rules, draft)
        place = draft.choose((CAMP, FIELD), "ambush", RULE, seen_by=(RED,) if chosen else None)
        draft.set_attribute(RED, AMBUSH, place, RULE, seen_by=(RED,) if kept else None)

    monkeypatch.setattr(SkirmishRules, "set_up", with_ambush)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == (1 if words else 0)
    assert re.search(words, ran.out)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("form", r"cards are drawn unseen from deck, which was formed for all to see .*`form`"),
        ("draw_card", r"hand/red was formed to be seen by red only, and all seats see CardDrawn.*`draw_card`"),
    ],
)
def test_a_forgotten_audience_of_cards_fails(
    method: str, words: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    careful = getattr(Draft, method)

    def careless(draft: Draft, *arguments: object, seen_by: tuple[Seat, ...] | None = None) -> object:
        is_forgotten = method == "draw_card" or seen_by == ()
        return careful(draft, *arguments, seen_by=None if is_forgotten else seen_by)

    monkeypatch.setattr(Draft, method, careless)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(words, ran.out)


def test_a_refusal_that_names_no_rule_of_the_index_fails(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = SkirmishRules.refuse

    def of_no_rule(rules: SkirmishRules, table: Table, seat: Seat, command: Command) -> Refusal | None:
        refusal = refuse(rules, table, seat, command)
        return None if refusal is None else replace(refusal, rule=RuleId("9.nothing"))

    monkeypatch.setattr(SkirmishRules, "refuse", of_no_rule)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(r"the refusal \w+ names 9.nothing, not a rule of the index", ran.out)


def test_sides_and_seats_without_a_word_are_reported(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.commands.designing.check_game.printed_words", lambda _: {"red": "Red"})
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert 'the seat blue has no word: add `blue = "…"` to [words] in data/words.toml of tests.support' in ran.out


def test_a_problem_of_many_matches_is_one_line(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.skirmish.other", lambda _: 1 // 0)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "6")

    faults = [line for line in ran.out.splitlines() if "ZeroDivisionError" in line]

    assert any("times more)" in line for line in faults)
    assert len(faults) <= 3


def test_options_in_the_order_of_a_set_fail(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one process a set always has the same order, so that two processes with other hash seeds are compared."""
    (tmp_path / "unsorted_game.py").write_text(
        "from tests.support import skirmish\n"
        "class Turn(skirmish.Turn):\n"
        "    def options(self, table, asked):\n"
        "        found = {str(one): one for one in super().options(table, asked)}\n"
        "        return [found[name] for name in set(found)]\n"
        "skirmish.Turn = Turn\n"
        "GAME = skirmish.GAME\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    (problem,) = [order_problem("unsorted_game", PLAN)]

    assert "the options come in another order" in problem
    assert order_problem("tests.support.skirmish", PLAN) == ""


def test_a_listed_refusal_that_names_no_rule_fails(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    book = load_rulebook("tests.support")
    wrong = replace(book, refusals=(*book.refusals, RefusalMeaning("card_must_be_red", RuleId("9.nothing"), "No.")))
    monkeypatch.setattr("cli.commands.designing.check_game.load_rulebook", lambda _: wrong)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert "the refusal card_must_be_red names the rule 9.nothing, which is not in the index" in ran.out


@pytest.mark.interpreted
def test_a_deal_that_contradicts_the_inventory_fails(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """During a deal a card may be in two piles between two events, but not after the last event."""
    monkeypatch.setattr("core.match.fork.resample", lambda draft, *_, **__: draft.form(DECK, (CardId("joker"),), FORK))
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(r"dealt again: after DeckFormed.*'joker'", ran.out)


@pytest.mark.long
def test_a_planted_dead_end_is_found(terminal: Terminal) -> None:
    """With enough matches the options vary; the option `bug` plants the fault."""
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "16")

    assert ran.code == 1
    assert "dead end at event" in ran.out
    assert "fails 2 of 9 checks" in ran.err


def test_a_failing_set_up_is_reported(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.skirmish.SkirmishRules.set_up", lambda *_: 1 // 0)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(r"match 1 \(field, seed .*\), event 0: ZeroDivisionError", ran.out)


@pytest.mark.parametrize(
    ("deciding", "words"),
    [
        ((), "deciding must list tests.support.skirmish, which has the rules"),
        (("skirmish.py", "gone.py"), "deciding lists what cannot be read: "),
    ],
)
def test_rules_outside_the_digest_are_reported(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, deciding: tuple[str, ...], words: str
) -> None:
    """Otherwise two versions of the rules could have the same digest."""
    monkeypatch.setattr("tests.support.skirmish.GAME", replace(GAME, deciding=deciding))
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert words in ran.out


@pytest.mark.long
def test_options_that_depend_on_anothers_secrets_are_found(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: a seat may roll only while its rival holds none of three cards."""
    listed = SkirmishRules.options

    def options(rules: SkirmishRules, table: Table) -> list[Command]:
        found = listed(rules, table)
        if table.top is None or table.top.kind != "turn":
            return found
        return found[1:] if table.pile(hand(other(table.top.seat))).cards < (CardId("card-4"),) else found

    monkeypatch.setattr("tests.support.skirmish.SkirmishRules.options", options)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "8")

    assert ran.code == 1
    assert "may do depends on what it does not know" in ran.out


@pytest.mark.parametrize(
    ("package", "words"),
    [("no.such.package", "cannot be imported"), ("tests.support.desk", "has no record"), ("", "cannot be imported")],
)
def test_a_module_that_is_not_a_game_is_reported(terminal: Terminal, package: str, words: str) -> None:
    ran = terminal("check-game", package)

    assert (ran.code, words in ran.err) == (2, True)


def test_defects_of_a_game_record_are_reported() -> None:
    (bug, *others) = GAME.options
    wrong = replace(
        GAME,
        scenarios=GAME.scenarios * 2,
        options=(replace(bug, default="beetle", scenarios=("dawn",), needs="net"), *others),
    )

    assert [problem.split(":")[0] for problem in _record_problems(wrong)] == [
        "the scenario field is there twice",
        "the scenario night is there twice",
        "the default of option bug is not allowed",
        "option bug names a scenario dawn that does not exist",
        "option bug needs an option net that does not exist",
    ]


def test_defects_of_modes_are_reported() -> None:
    """The reserved name of a spectator, an unknown side, a mode without seats or without a key, an option of an unknown mode."""
    red, blue = GAME.sides
    wrong = (
        Mode("odd", "Odd", {PUBLIC: red, Seat("green"): Side("greens"), Seat("grey"): Side("")}),
        Mode("empty", "Empty", {}),
        Mode("empty", "Empty", {Seat("green"): blue}),
    )
    nameless = (Mode("", "Empty", {}), Mode("", "Odd", {PUBLIC: red}))
    scenarios = (Scenario("field", "Field", wrong), Scenario("bare", "Bare", ()), Scenario("hill", "Hill", nameless))
    option = replace(GAME.options[0], modes=("odd", "even"))

    assert list(_record_problems(replace(GAME, scenarios=scenarios, options=(option,)))) == [
        "option bug names a mode even that does not exist",
        "the mode empty of field is there twice",
        "the mode odd of field has a seat 'public', which cannot be played",
        "the mode odd of field lets green play a side greens that does not exist",
        "the mode empty of field has no seat",
        "the scenario bare has no mode",
        "the mode without a key of hill is there twice",
        "the mode without a key of hill has no seat",
        "the mode without a key of hill has a seat 'public', which cannot be played",
    ]


@each_row(
    "planted",
    [
        lambda table: table.control.update({PlaceId("field"): Side("greens")}),
        lambda table: table.plays.update({Seat("green"): Side("red")}),
        lambda table: setattr(table, "turn", Side("greens")),
        lambda table: setattr(table, "turn_seat", Seat("green")),
        lambda table: setattr(table, "ended", Ended("rules", "Goal", (Side("greens"),))),
        lambda table: setattr(table, "ended", Ended("rules", "Goal", (), (Seat("green"),))),
    ],
)
def test_an_unknown_side_or_seat_in_events_is_found(planted: Callable[[Table], None]) -> None:
    desk = Desk.open()
    side_watch(desk)
    desk.table.control, desk.table.plays = {**desk.table.control}, {**desk.table.plays}
    planted(desk.table)

    with pytest.raises(NotConforming, match="of the match: "):
        side_watch(desk)


def test_defects_of_a_map_are_reported() -> None:
    one, other = PlaceId("one"), PlaceId("other")
    places = [MapPlace(one, "One", "1", 0, 0, (other, PlaceId("none"))), MapPlace(other, "Other", "2", 0, 0)]

    assert list(map_problems(places)) == [
        "place one is not a neighbour of its neighbour other",
        "place one has a neighbour none that does not exist",
    ]


@pytest.mark.parametrize("code", ["raise SystemExit(0)", "raise RuntimeError('boom')", "def ("])
def test_a_package_that_cannot_be_imported_is_reported(
    terminal: Terminal, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This includes a package that ends the program while it is imported: no check has passed then."""
    (tmp_path / "strange_package.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = terminal("check-game", "strange_package")

    assert (ran.code, "'strange_package' cannot be imported" in ran.err) == (2, True)


def test_a_question_that_is_never_closed_fails(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever forgets `answered` leaves the question on the stack for ever."""
    closes = Draft.answered

    def answered(draft: Draft, rule: RuleId) -> Open:
        top = draft.table.stack[-1]
        return top if top.kind == "turn" else closes(draft, rule)

    monkeypatch.setattr(Draft, "answered", answered)
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "2")

    assert ran.code == 1
    assert re.search(
        r"the question turn was answered \d+ times and never closed: its `take` must call `answered`", ran.out
    )


@each_row(
    ("planted", "said"),
    [
        ({"piece_noun": None}, "Other lacks `piece_noun` of the port Narration"),
        (
            {"card_text": lambda card: card},
            "`Other.card_text` must take (card, table), as the port Narration has it",
        ),
    ],
)
def test_what_a_game_binds_lacks_no_member_of_its_port(planted: dict[str, object], said: str) -> None:
    """A page would fail with it in the middle of a match."""
    narration = load_game(GameKey("battle")).bind(None).narration

    class Other:
        def __getattr__(self, name: str) -> object:
            if planted.get(name, self) is None:
                raise AttributeError(name)
            return planted.get(name, getattr(narration, name))

    assert list(port_problems(Narration, narration)) == []
    assert list(port_problems(Narration, Other())) == [said]


def test_a_place_that_sentences_name_otherwise_than_pictures_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    narration = make_rules(None)
    named = narration.place_names()
    monkeypatch.setattr(narration, "place_names", lambda: named[:-1])

    (problem,) = place_name_problems(narration)
    assert "must list the same places in the same order" in problem and f"{named[-1]} and None" in problem


def test_equal_labels_of_a_map_are_reported() -> None:
    """Signs that are no words may be equal, and so may the labels of boxes, which no sketch has."""
    labels = [("a", "A", False), ("b", "A", False), ("c", "*", False), ("d", "*", False), ("e", "A", True)]
    places = [MapPlace(PlaceId(id_), id_, label, 0, 0, is_box=is_box) for id_, label, is_box in labels]

    assert list(map_problems(places)) == ["the places a, b have one label, A: no sketch of the map can be drawn"]
