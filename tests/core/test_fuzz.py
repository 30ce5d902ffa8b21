"""Random matches of every game: no dead end, an end within the step limit, all invariants, and a clean audit.

The number of matches grows with the budget. A failed match is saved as a store, which the failure names.
The planted faults of the test game are the canaries: these tests must find them.
"""

from pathlib import Path
from random import Random

import pytest

from core.checking.choice_watch import ChoiceWatch
from core.checking.conformance import FoldWatch, question_watch, side_watch, view_watch
from core.checking.inventory_watch import InventoryWatch
from core.checking.sentence_watch import SentenceWatch
from core.engine.draft import Draft
from core.match.live_match import Prepared, load_match
from core.positions.position import parse_position
from core.registry.games import GAMES, load_game
from events.codec import encode
from events.ids import ARBITER, PUBLIC, MatchId, Seat, TrackId
from events.vocabulary import Value
from server.store.sqlite_log import SqliteLog
from tests.core.test_positions import FILES
from tests.support import playouts
from tests.support.desk import Desk
from tests.support.playouts import Playout, Watch, legality_watch, rule_watch
from tests.support.soak import sampled

GIVEN: dict[str, dict[str, Value]] = {"skirmish": {"bug": "none"}, "battle": {"turn_cap": 10}}
"""Options that are not left to chance: no planted fault, and an end where random play may never come to one by itself."""

COMMANDS = 6
"""How many commands are played at budget 1 from a worked example, of which there are more than a hundred."""

EXAMPLES_SHARE = 12
"""At budget 1 one in so many worked examples is played on from."""

LONG, LONG_COMMANDS = {("race", "auction")}, 150
"""At budget 1 only so many commands of these modes of Axis & Allies are played, whose matches take as long as those of all others together."""

ALIKE = {("race", "standard"), ("uranus", "auction"), ("standard", "co_op"), ("standard", "two_vs_one")}
"""Modes that another one is like, of the same game or of the other scenario; at budget 1 they are left out."""


def scenes() -> list[tuple[str, str, str]]:
    """List every game with each of its scenarios and modes."""
    return [
        (key, scenario.key, mode.key)
        for key in GAMES
        for scenario in load_game(key).scenarios
        for mode in scenario.modes
    ]


def watches(game: str, seed: int) -> list[Watch]:
    """Return all checks that run after each command."""
    legality = legality_watch(game, Random(seed), share=0.01, wishes=60)
    choices = ChoiceWatch(Random(seed), share=0.01, bends=4)
    kept: list[Watch] = [FoldWatch(), InventoryWatch(every=5), rule_watch(game), legality, choices, SentenceWatch()]
    return [*kept, view_watch, question_watch, side_watch]


@pytest.mark.parametrize(
    ("game", "scenario", "mode"),
    sampled([*scenes(), ("skirmish", "field", "")], lambda _, scenario, mode: (scenario, mode) not in ALIKE),
)
def test_random_matches_satisfy_all_checks(game: str, scenario: str, mode: str, budget: float, tmp_path: Path) -> None:
    given = GIVEN.get(game, {})
    most = LONG_COMMANDS if game == "axis_allies" and (scenario, mode) in LONG and budget <= 1 else None
    for seed in range(max(1, round(budget))):
        desk = Playout(game, scenario, seed, mode=mode, given=given).run(watches(game, seed), keep=tmp_path, most=most)
        ended = desk.table.ended
        if most is not None:
            assert ended is not None or desk.options()
            continue

        assert ended is not None
        assert ended.kind == "rules" or (ended.kind == "limit" and game == "battle")
        assert desk.options() == []


@pytest.mark.parametrize(
    "path",
    sampled(FILES, lambda path: FILES.index(path) % EXAMPLES_SHARE == 0),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_random_matches_from_worked_examples_satisfy_all_checks(path: Path, budget: float, tmp_path: Path) -> None:
    """Random play hardly ever reaches the positions of the worked examples. How matches end is for the test above."""
    text = path.read_text(encoding="utf-8")
    position = parse_position(text)
    given = {**GIVEN.get(position.game, {}), **position.options}
    for seed in range(max(1, round(budget))):
        playout = Playout(position.game, position.scenario, seed, given=given, position=text)
        desk = playout.run(watches(position.game, seed), keep=tmp_path, most=round(COMMANDS * budget))

        assert desk.table.ended is not None or desk.options()


@pytest.mark.parametrize("game", [*GAMES, "skirmish"])
def test_notes_rulings_and_changes_of_players_do_not_disturb_a_match(game: str, budget: float, tmp_path: Path) -> None:
    given = GIVEN.get(game, {})
    for seed in range(max(1, round(budget))):
        playout = Playout(game, "", seed, given=given, dice="sealed")
        rng = Random(seed)
        for _ in playout.steps():
            if rng.random() < 0.2:
                chatter(playout.desk, rng)
        for watch in (FoldWatch(), rule_watch(game)):
            watch(playout.desk)
        report = playout.desk.audit()

        assert report.findings == ()
        assert report.dice == "checked"


def chatter(desk: Desk, rng: Random) -> None:
    """Ask for a random match command; it may be refused."""
    seat = rng.choice((*desk.table.seats, PUBLIC, ARBITER, Seat("nobody")))
    kind = desk.table.top.kind if desk.table.top else "turn"
    answer = encode(rng.choice(desk.options())).decode() if desk.options() else ""
    commands: tuple[dict[str, object], ...] = (
        {"do": "match:note", "text": "well", "private": rng.random() < 0.5},
        {"do": "match:ruling", "text": "so be it"},
        {"do": "match:leave-seat"},
        {"do": "match:take-seat", "seat": seat, "name": "Ada"},
        {"do": "match:begin"},
        {"do": "match:answer-always", "decision": kind, "answer": answer},
    )
    command = rng.choice(commands)
    if isinstance(desk.ask(command, seat), Prepared):
        desk.accept(command, seat)


@pytest.mark.parametrize(
    ("bug", "words"), [("dead-end", "a dead end"), ("endless", "does not end"), ("wrong-rule", "9.no-such-rule")]
)
def test_a_planted_fault_is_found_and_the_match_is_saved(
    bug: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playouts, "STEPS_MAX", 100)
    monkeypatch.setattr("tests.support.skirmish.GOAL", 10**9)
    playout = Playout("skirmish", "field", 1, given={"bug": bug}, dice="sealed")
    with pytest.raises(AssertionError) as caught:
        playout.run([FoldWatch(), rule_watch("skirmish")], keep=tmp_path)
    (kept,) = tmp_path.glob("*.sqlite")

    assert words in str(caught.value)
    assert f"wardiary --store {kept} show skirmish-field-1" in str(caught.value)
    with SqliteLog(kept) as store:
        match = load_match(store, MatchId("skirmish-field-1"))
        assert match.table == playout.desk.table
        assert Desk(store, match).audit().findings == ()


def test_rules_that_accept_what_they_do_not_offer_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.skirmish.Turn.refuse", lambda *_: None)
    with pytest.raises(AssertionError, match="is accepted"):
        Playout("skirmish", "field", 1, given={"bug": "none"}).run(watches("skirmish", 1), keep=tmp_path)


def test_rules_that_offer_what_they_refuse_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.skirmish import not_asked

    monkeypatch.setattr("tests.support.skirmish.Turn.refuse", lambda *_: not_asked())
    with pytest.raises(AssertionError, match="is offered and refused"):
        Playout("skirmish", "field", 1, given={"bug": "none"}).run(watches("skirmish", 1), keep=tmp_path)


def test_a_table_changed_without_an_event_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support import skirmish

    original = skirmish.next_turn

    def next_turn(draft: Draft) -> None:
        draft.table.tracks[TrackId("unseen")] = 1
        original(draft)

    monkeypatch.setattr(skirmish, "next_turn", next_turn)
    monkeypatch.setattr("core.match.live_match.bound_game", lambda *_: skirmish.bind(None))
    monkeypatch.setattr("core.match.match_creation.bound_game", lambda *_: skirmish.bind(None))
    with pytest.raises(AssertionError, match="the fold of the log is not the live table"):
        Playout("skirmish", "field", 1, given={"bug": "none"}).run(watches("skirmish", 1), keep=tmp_path)
