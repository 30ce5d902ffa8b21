"""The library opens, plays, shows, replays, forks, audits, saves and loads matches in memory; the examples of its page work."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

import wardiary
from cli.public_names import EXPORTS
from core.errors import UnknownName
from core.games.advance.components.board import BOARD_FILE
from events.errors import ArchiveError
from events.vocabulary import PieceMoved, SecretsRedealt
from projections.state.fold import fold
from tests.project.tree import ROOT
from tests.support.rows import each_row

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


@pytest.fixture
def skirmish() -> wardiary.Match:
    return wardiary.open("skirmish", dice="seeded", seed="1")


def test_the_examples_of_the_library_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
            exec(block, names)
    match, again, other, events = (names[name] for name in ("match", "again", "other", "events"))

    assert isinstance(match, wardiary.Match) and isinstance(again, wardiary.Match) and isinstance(other, wardiary.Match)
    assert again.table() == match.table() and again.id == match.id
    assert other.events()[:199] == match.events()[:199]
    assert any(isinstance(event, PieceMoved) for event in match.events())
    assert events
    assert "True" in printed.getvalue()
    assert re.search(r"^\w+_must_\w+ \S+ \S", printed.getvalue(), re.MULTILINE)


def test_the_library_exports_exactly_its_listed_names() -> None:
    assert {*EXPORTS, "main"} == set(wardiary.__all__)
    assert {name for name in wardiary.__all__ if getattr(wardiary, name, None) is None} == set()
    with pytest.raises(AttributeError, match="has no attribute 'clsoe'"):
        _ = wardiary.clsoe


def test_dir_lists_the_public_names_before_they_are_used() -> None:
    assert {*wardiary.__all__} <= {*dir(wardiary)}


def test_options_of_a_match_are_typed_or_text_as_on_the_command_line() -> None:
    opened = wardiary.open("axis-allies", options={"heroes": "on", "interdiction": True, "component-limits": "none"})

    assert {key for key, value in opened.table().options.items() if value is True} >= {"heroes", "interdiction"}
    assert opened.table().options["component_limits"] == "none"


@each_row(
    ("key", "value", "message"),
    [
        ("heroes", "maybe", "option heroes must be on or off, not 'maybe'"),
        ("component_limits", "all", "option component_limits must be one of deployment, none, not 'all'"),
        ("component_limits", True, "option component_limits must be one of deployment, none, not True"),
        ("heros", "on", "did you mean heroes?"),
    ],
)
def test_a_wrong_option_is_refused_with_the_values_that_it_allows(key: str, value: str | bool, message: str) -> None:
    with pytest.raises(wardiary.RequestFailed, match=re.escape(message)):
        wardiary.open("axis-allies", options={key: value})


def test_an_option_can_be_given_by_number_command_or_json(skirmish: wardiary.Match) -> None:
    option = skirmish.legal()[0]
    tries = [skirmish.fork(dice="same") for _ in range(4)]
    commands: list[Any] = [option, 1, option.command, '{"do":"roll"}']
    played = [one.play(command) for one, command in zip(tries, commands, strict=True)]

    assert played[0]
    assert [[type(event) for event in events] for events in played] == [[type(event) for event in played[0]]] * 4


def test_a_refused_command_changes_nothing(skirmish: wardiary.Match) -> None:
    before = len(skirmish)
    with pytest.raises(wardiary.RequestFailed) as caught:
        skirmish.play({"do": "reply", "contest": True})

    assert (caught.value.reply.refusal, caught.value.reply.rule) == ("answer_must_fit", "2.reply")
    assert len(skirmish) == before


def test_a_seat_sees_only_its_own_secrets(skirmish: wardiary.Match) -> None:
    red = skirmish.table("red")

    assert len(red.piles["hand/red"].cards) == 2  # type: ignore[index]
    assert red.piles["hand/blue"].cards == ()  # type: ignore[index]
    assert len(skirmish.table().piles["hand/blue"].cards) == 2  # type: ignore[index]


@pytest.mark.parametrize("seat", ["red", "blue", wardiary.PUBLIC, wardiary.ARBITER])
def test_a_replay_ends_at_the_table_that_the_seat_sees(skirmish: wardiary.Match, seat: str) -> None:
    for _ in range(12):
        skirmish.play(skirmish.suggest())
    steps = list(skirmish.replay(seat))

    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert [step.event for step in steps] == skirmish.events(seat)
    assert steps[-1].table == skirmish.table(seat) == fold(skirmish.events(seat))
    assert steps[20].table == skirmish.table(seat, at=21)


def test_a_match_is_played_to_its_end_and_audited(skirmish: wardiary.Match) -> None:
    while skirmish.ended is None:
        skirmish.play(skirmish.suggest(seed="9"))

    assert skirmish.seat_to_move is None
    assert skirmish.legal() == []
    assert skirmish.audit().clean
    with pytest.raises(ValueError, match="no open decision"):
        skirmish.suggest()


def test_a_fork_continues_independently(skirmish: wardiary.Match) -> None:
    skirmish.play("1")
    there = len(skirmish)
    fork = skirmish.fork(seat="red")
    fork.play(fork.legal()[0])

    assert len(skirmish) == there < len(fork)
    assert fork.id != skirmish.id
    assert fork.audit().clean


def test_seats_can_stay_free_and_dice_can_be_typed() -> None:
    free, manual = wardiary.open("skirmish", begin=False), wardiary.open("battle", dice="manual")

    assert not free.table().players
    assert free.legal() == []
    assert repr(free) == f"<Match {free.id} of skirmish, {len(free)} events>"
    assert len(manual.table().players) == 2
    assert not manual.table().began


def test_a_variant_is_played_on_a_board_that_contradicts_the_printed_game() -> None:
    board = BOARD_FILE.shipped_bytes.decode().replace("cost_vacant = 1", "cost_vacant = 2")
    match = wardiary.open("advance", dice="seeded", seed="1", board=board, variant="Slow March")

    assert match.table().variant == "Slow March"
    assert match.audit().clean
    with pytest.raises(wardiary.RequestFailed):
        wardiary.open("advance", dice="seeded", seed="1", board=board)


def test_an_unknown_game_or_policy_is_reported(skirmish: wardiary.Match) -> None:
    with pytest.raises(wardiary.RequestFailed, match="no game"):
        wardiary.open("chess")
    with pytest.raises(UnknownName, match="policy"):
        skirmish.suggest("clever")
    assert {game.key for game in wardiary.games()} >= {"advance", "battle"}


def test_a_damaged_archive_is_not_loaded(skirmish: wardiary.Match, tmp_path: Path) -> None:
    skirmish.save(tmp_path / "match.ndjson")
    text = (tmp_path / "match.ndjson").read_bytes()
    (tmp_path / "match.ndjson").write_bytes(text.replace(b"flag", b"frog", 1))

    with pytest.raises(ArchiveError):
        wardiary.load(tmp_path / "match.ndjson")


def test_a_fork_by_a_seat_deals_the_cards_that_it_does_not_know_again() -> None:
    match = wardiary.open("battle", dice="seeded", seed="0")
    for _ in range(60):
        match.play(match.suggest("random"))
    fork, truth = match.fork(seat="german", dice="seeded", seed="1"), match.fork()

    assert any(isinstance(event, SecretsRedealt) for event in fork.events())
    assert not any(isinstance(event, SecretsRedealt) for event in truth.events())
    assert fork.audit().clean


def test_a_program_imagines_what_its_seat_cannot_know(skirmish: wardiary.Match) -> None:
    before = len(skirmish)
    hands = {next(worlds).table.piles["hand/blue"].cards for worlds in [skirmish.imagine("red")] for _ in range(20)}  # type: ignore[index]
    again = [next(skirmish.imagine("red", "7")).table for _ in range(2)]
    world = next(skirmish.imagine(wardiary.ARBITER))
    world.play(world.options()[0])

    assert len(hands) > 1
    assert again[0] == again[1]
    assert next(skirmish.imagine(wardiary.ARBITER)).table.game_part() == skirmish.table().game_part()
    assert len(skirmish) == before


def test_without_an_open_decision_a_seat_is_named_to_imagine() -> None:
    match = wardiary.open("skirmish", begin=False)

    with pytest.raises(ValueError, match="has no open decision; name a seat"):
        match.imagine()
    assert next(match.imagine("red")).options() == []


def test_a_function_is_a_bot_too(skirmish: wardiary.Match) -> None:
    answer = skirmish.consider(lambda asked: asked.options[-1], budget="5")

    assert (answer.command, answer.considered) == (skirmish.legal()[-1].command, ())
