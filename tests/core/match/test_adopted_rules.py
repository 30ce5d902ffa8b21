"""A running match does not change its rules in silence: it stands still under other rules until they are adopted."""

from collections.abc import Mapping
from random import Random

import pytest

from core.engine.command import Command
from core.errors import KernelError
from core.match.fork import Forking, fork_match
from core.match.live_match import load_match
from core.refusal import Refusal
from core.registry.games import load_game
from events.ids import ARBITER, PUBLIC, Digest, MatchId, RuleId, Seat
from events.vocabulary import MatchBegan, RulesAdopted
from tests.support.desk import NOON, Desk
from tests.support.mended import EDITION, mend

RED, BLUE = Seat("red"), Seat("blue")
ADOPT = RuleId("match.adopt")


def adopt(rules: str = "") -> dict[str, object]:
    """Return the command that adopts rules, by default those installed."""
    return {"do": "match:adopt-rules", "rules": rules or load_game("skirmish").rules_digest}


def loaded(desk: Desk) -> Desk:
    """Return a match as a process with the rules that are now installed loads it."""
    return Desk(desk.log, load_match(desk.log, desk.match.id))


@pytest.fixture
def mended(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A running match whose rules have changed since."""
    desk = Desk.open(dice="sealed").play(6, Random(1))
    mend(monkeypatch)
    return loaded(desk)


def test_a_match_under_the_installed_rules_adopts_none() -> None:
    """match.adopt"""
    desk = Desk.open()

    assert desk.refused(adopt(), RED) == "rules_must_differ"
    assert desk.refused(adopt("0" * 64), RED) == "rules_must_differ"


@pytest.mark.parametrize(
    "command",
    [
        None,
        {"do": "match:begin"},
        {"do": "match:undo"},
        {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'},
    ],
)
def test_nothing_is_decided_by_other_rules(command: Mapping[str, object] | None, mended: Desk) -> None:
    """match.adopt: rules_must_be_adopted"""
    before = mended.match.head
    answer = mended.ask(mended.options()[0] if command is None else command, None if command is None else RED)

    assert isinstance(answer, Refusal)
    assert (answer.code, answer.rule) == ("rules_must_be_adopted", ADOPT)
    assert "edition 0.1 " in answer.sentence
    assert f"edition {EDITION} " in answer.sentence
    assert answer.sentence.endswith("or once a seat adopts these.")
    assert mended.match.head == before


@pytest.mark.parametrize(
    ("command", "seat"),
    [
        ({"do": "match:note", "text": "What now?"}, RED),
        ({"do": "match:ruling", "text": "We wait."}, ARBITER),
        ({"do": "match:leave-seat"}, RED),
        ({"do": "match:pause", "reason": "Other rules."}, ARBITER),
        ({"do": "match:award", "to": ["red"], "reason": "Time."}, ARBITER),
        ({"do": "match:annul", "reason": "Time."}, ARBITER),
        ({"do": "match:resign"}, BLUE),
    ],
)
def test_what_no_rules_of_the_game_decide_goes_on(command: Mapping[str, object], seat: Seat, mended: Desk) -> None:
    """match.adopt: what is appended meanwhile is no defect of the evidence."""
    mended.accept(command, seat)

    assert mended.audit().findings == ()
    assert mended.audit().differences == ()


def test_adopted_rules_are_an_event_that_everybody_sees_and_play_goes_on(mended: Desk) -> None:
    """match.adopt"""
    was = mended.table.rules
    mended.accept(adopt(), BLUE)
    now = load_game("skirmish")
    expected = RulesAdopted(
        rule=ADOPT, seat=BLUE, edition=EDITION, rules=now.rules_digest, edition_was="0.1", rules_was=was
    )

    assert mended.events[-1] == expected
    assert (mended.table.edition, mended.table.rules) == (EDITION, now.rules_digest)
    assert mended.refused(adopt(), RED) == "rules_must_differ"
    mended.play(500, Random(2))
    assert mended.table.ended is not None
    assert mended.audit().findings == ()


def test_only_the_installed_rules_are_adopted(mended: Desk) -> None:
    """match.adopt: the client names the rules that it was told of, and these may be others by now."""
    assert mended.refused(adopt("0" * 64), RED) == "rules_must_be_installed"
    assert mended.refused(adopt("x"), RED) == "rules_must_be_installed"


def test_a_seat_that_plays_adopts_or_the_arbiter_if_there_is_one(mended: Desk) -> None:
    """match.adopt: seat_must_be_named"""
    assert mended.refused(adopt(), PUBLIC) == "seat_must_be_named"
    office = {"do": "match:seat-arbiter", "name": "Olga", "credential": "a" * 64, "capability": "b" * 64}
    mended.accept(office, ARBITER)
    assert mended.refused(adopt(), RED) == "seat_must_be_named"
    refusal = mended.ask(mended.options()[0], None)
    assert isinstance(refusal, Refusal)
    assert refusal.sentence.endswith("or once the arbiter adopts these.")
    mended.accept(adopt(), ARBITER)

    assert mended.table.edition == EDITION


def test_a_match_that_is_over_adopts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt"""
    desk = Desk.open().play(500, Random(1))
    mend(monkeypatch)

    assert loaded(desk).refused(adopt(), RED) == "match_must_be_running"


def test_the_last_seat_is_taken_once_the_rules_are_adopted(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt: the set-up is by the rules that are adopted."""
    desk = Desk.open(seats=[RED])
    mend(monkeypatch)
    desk = loaded(desk)
    sit = {"do": "match:take-seat", "seat": "blue", "name": "Ben"}
    assert desk.refused(sit, BLUE) == "rules_must_be_adopted"
    desk.accept(adopt(), RED)
    done = desk.accept(sit, BLUE)

    assert MatchBegan in map(type, done.commit.events)
    assert desk.audit().findings == ()
    assert desk.audit().differences == ()


def test_a_pause_does_not_let_play_begin_under_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt"""
    desk = Desk.open(seats=[RED])
    desk.accept({"do": "match:pause", "reason": "Dinner."}, ARBITER)
    mend(monkeypatch)
    desk = loaded(desk)
    desk.accept({"do": "match:take-seat", "seat": "blue", "name": "Ben"}, BLUE)

    assert desk.refused({"do": "match:resume"}, ARBITER) == "rules_must_be_adopted"
    desk.accept(adopt(), RED)
    desk.accept({"do": "match:resume"}, ARBITER)
    assert desk.table.began


def test_standing_answers_end_with_the_rules_for_which_they_were_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt"""
    desk = Desk.open()
    answer = {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}
    desk.accept(answer, RED)
    mend(monkeypatch)
    desk = loaded(desk)
    desk.accept(adopt(), RED)

    assert desk.table.standing == ()


def test_rules_that_do_not_know_the_open_question_are_not_adopted(
    mended: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """match.adopt: else nothing could be done in the match any more."""

    def fails(*_: object) -> list[Command]:
        raise KeyError("turn")

    monkeypatch.setattr("tests.support.skirmish.SkirmishRules.options", fails)

    assert mended.refused(adopt(), RED) == "rules_must_fit"


def test_what_was_decided_before_is_not_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt: else the new rules would decide from a table of the old ones anew, without a word."""
    desk = Desk.open(options={"fog": True})
    seat = desk.table.turn_seat
    desk.accept({"do": "hide"}, seat)
    assert not isinstance(desk.ask({"do": "match:undo"}, seat), Refusal)
    mend(monkeypatch)
    desk = loaded(desk)
    desk.accept(adopt(), seat)
    answer = desk.ask({"do": "match:undo"}, seat)

    assert isinstance(answer, Refusal)
    assert f"Other rules were adopted with event {desk.match.head.seq};" in answer.sentence


def test_a_fork_keeps_the_rules_of_its_parent_and_no_command_is_cut_under_others(mended: Desk) -> None:
    """match.adopt"""
    whole = mended.fork(mended.match.head.seq)
    assert whole.refused(whole.options()[0]) == "rules_must_be_adopted"
    whole.accept(adopt(), RED)
    whole.play(500, Random(3))
    assert whole.audit().findings == ()
    cut = mended.commits[-1]
    assert len(cut.events) > 1

    with pytest.raises(KernelError, match="cannot be decided again in a fork, by rules that have changed"):
        fork_match(
            mended.log,
            MatchId("cut"),
            Forking(parent=mended.match.id, at=cut.first, seed="f0" * 32),
            key="cut",
            at=NOON,
        )


def test_a_match_goes_on_where_its_own_rules_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt: it is the digest that counts, whatever was installed in between."""
    desk = Desk.open().play(6, Random(1))
    with monkeypatch.context() as patch:
        mend(patch)
        assert loaded(desk).refused(desk.options()[0]) == "rules_must_be_adopted"
    again = loaded(desk).play(500, Random(2))

    assert again.audit().clean
    assert Digest(load_game("skirmish").rules_digest) == again.table.rules
