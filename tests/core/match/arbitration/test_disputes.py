"""Disputes: opened at an event, ruled on with an effect, appealed, reversed."""

import pytest

from core.match.arbitration.disputes import Appeal, OpenDispute
from core.match.match_creation import house_defect
from core.match.player_commands import MakeRuling, Resign
from core.refusal import Refusal
from events.ids import ARBITER, PUBLIC, MatchId, RuleId, Seat
from events.vocabulary import DisputeOpened, MatchEnded, MatchPaused, RulingAppealed, RulingMade
from projections.state.offices import Dispute
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.rows import each_row

RED, BLUE = Seat("red"), Seat("blue")
Command = OpenDispute | Appeal | MakeRuling


def ruling(effect: str = "stand", line: str = "", **more: object) -> dict[str, object]:
    return {"do": "match:ruling", "text": "So be it.", "at": 3, "effect": effect, "line": line} | more


def disputed(*steps: str) -> Desk:
    """Return a match in which event 3 is disputed, and after that ruled on, appealed against and ruled on again."""
    desk = Desk.open(dice="sealed")
    desk.accept(OpenDispute(at=3, text="Out of range."), RED)
    for step in steps:
        word, _, line = step.partition(" ")
        if word == "appeal":
            desk.accept(Appeal(at=3, text="The errata."), BLUE)
        else:
            desk.accept(ruling("go-on" if line else "stand", line, reverses=word == "reverse"), ARBITER)
    return desk


def test_a_dispute_goes_from_its_opening_to_a_reversal() -> None:
    desk = disputed("rule", "appeal")
    desk.accept(ruling("go-on", "m7", reverses=True, about="7.1", cites=["7.2"], house="Guns"), ARBITER)
    told = [
        event for event in desk.events if isinstance(event, DisputeOpened | RulingMade | RulingAppealed | MatchEnded)
    ]

    assert [type(event) for event in told] == [DisputeOpened, RulingMade, RulingAppealed, RulingMade, MatchEnded]
    last = told[3]
    assert isinstance(last, RulingMade)
    assert (last.effect, last.line, last.about, last.cites, last.house) == (
        "go-on",
        MatchId("m7"),
        RuleId("7.1"),
        (RuleId("7.2"),),
        "Guns",
    )
    assert desk.table.disputes == (Dispute(3, "final", desk.table.seq - 1, "go-on", MatchId("m7")),)
    assert desk.table.ended is not None
    assert desk.table.ended.kind == "annulled"
    assert desk.audit().findings == ()


@pytest.mark.parametrize(
    ("steps", "effect", "line"),
    [
        (("rule m7", "appeal"), "go-on", "m8"),
        (("rule m7", "appeal"), "edit", "m8"),
        (("rule", "appeal"), "go-on", "m8"),
        (("rule", "appeal"), "stand", ""),
    ],
)
def test_a_match_goes_on_as_the_last_ruling_says(steps: tuple[str, ...], effect: str, line: str) -> None:
    desk = disputed(*steps)

    desk.accept(ruling(effect, line, reverses=True), ARBITER)

    assert (desk.table.goes_on, desk.audit().findings) == (line, ())


def test_a_result_stands_again_when_a_ruling_after_the_end_is_reversed() -> None:
    desk = disputed()
    desk.accept(Resign(), RED)
    desk.accept(ruling("go-on", "m7"), ARBITER)
    desk.accept(Appeal(at=3, text="The errata."), BLUE)

    desk.accept(ruling("stand", reverses=True), ARBITER)

    assert desk.table.goes_on == ""


def test_a_dispute_is_of_its_match_and_not_of_a_fork() -> None:
    desk = disputed("rule")
    at = desk.table.seq

    assert desk.fork(at).table.disputes == ()


def test_play_goes_on_unless_the_arbiter_stops_it() -> None:
    desk = disputed()
    assert desk.table.paused is None

    done = desk.accept(OpenDispute(at=4, text="Wait.", pauses=True), ARBITER)

    assert [type(event) for event in done.commit.events] == [DisputeOpened, MatchPaused]


def test_every_seat_counts_the_disputed_event_by_its_own_number() -> None:
    desk = Desk.open()
    desk.accept({"do": "match:note", "text": "mine", "private": True}, RED)
    at = desk.table.seq - 1
    desk.accept(OpenDispute(at=at + 1, text="My own note."), RED)

    seen = {seat: list(seen_events(desk.events, seat))[-1] for seat in (RED, BLUE)}
    assert {seat: event.at for seat, event in seen.items() if isinstance(event, DisputeOpened)} == {
        RED: at + 1,
        BLUE: at,
    }


@each_row(
    ("steps", "command", "seat", "code"),
    [
        ((), OpenDispute(at=3, text="Again."), BLUE, "dispute_must_be_new"),
        (("rule",), OpenDispute(at=3, text="Again."), BLUE, "dispute_must_be_new"),
        ((), OpenDispute(at=999, text="When?"), RED, "event_must_be_seen"),
        ((), OpenDispute(at=4, text=" "), RED, "reason_must_have_text"),
        ((), OpenDispute(at=4, text="Who?"), PUBLIC, "seat_must_be_named"),
        ((), OpenDispute(at=4, text="Stop.", pauses=True), RED, "seat_must_be_arbiter"),
        ((), ruling(), RED, "seat_must_be_arbiter"),
        ((), ruling(""), ARBITER, "effect_must_be_named"),
        ((), ruling("go-on"), ARBITER, "line_must_be_named"),
        ((), ruling("stand", "m7"), ARBITER, "line_must_be_named"),
        ((), ruling(reverses=True), ARBITER, "ruling_must_be_made"),
        ((), ruling(at=4), ARBITER, "dispute_must_be_open"),
        (("rule",), ruling(), ARBITER, "dispute_must_be_open"),
        (("rule", "appeal", "reverse"), ruling(), ARBITER, "dispute_must_be_open"),
        ((), ruling(cites=[""]), ARBITER, "rule_must_be_named"),
        ((), ruling(house="x" * 81), ARBITER, "name_must_be_printable"),
        ((), ruling(house=" "), ARBITER, "name_must_be_printable"),
        ((), ruling("go-on", "x" * 201), ARBITER, "line_must_be_named"),
        ((), ruling(text=" "), ARBITER, "ruling_must_have_text"),
        (("rule m7", "appeal"), ruling("stand", reverses=True), ARBITER, "match_must_be_running"),
        (("rule m7", "appeal"), ruling("go-on", "m7", reverses=True), ARBITER, "line_must_be_another"),
        (("rule m7", "appeal"), ruling("go-on", "m8"), ARBITER, "effect_must_be_confirmed"),
        (("rule", "appeal"), ruling("go-on", "m8"), ARBITER, "effect_must_be_confirmed"),
        ((), Appeal(at=3, text="Early."), BLUE, "ruling_must_be_made"),
        (("rule", "appeal"), Appeal(at=3, text="Twice."), BLUE, "ruling_must_be_made"),
        (("rule",), Appeal(at=3, text="I?"), ARBITER, "seat_must_play"),
    ],
)
def test_what_is_against_the_order_of_a_dispute_is_refused(
    steps: tuple[str, ...], command: Command | dict[str, object], seat: Seat, code: str
) -> None:
    answer = disputed(*steps).ask(command, seat)

    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_a_match_goes_on_by_one_dispute_alone() -> None:
    desk = disputed("rule m7")
    desk.accept(OpenDispute(at=4, text="And this?"), BLUE)

    answer = desk.ask(ruling("go-on", "m8", at=4), ARBITER)

    assert isinstance(answer, Refusal)
    assert answer.code == "line_must_be_one"


def test_house_rules_have_a_name_and_a_text() -> None:
    assert house_defect({"Guns": "They may lead."}) == ""
    assert [
        bool(house_defect(one)) for one in ({"": "x"}, {"a\nb": "x"}, {"a": ""}, {str(n): "x" for n in range(21)})
    ] == [True] * 4
