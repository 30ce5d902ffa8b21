"""Standing answers: to other seats, declining beforehand looks the same as declining by hand."""

from collections.abc import Mapping
from random import Random

from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.ids import GERMAN, GERMAN_SEAT, RUSSIAN, RUSSIAN_SEAT, SEATS, hand
from core.games.battle.memory import LOCKED
from core.games.battle.rules.battle_rules import WINDOWS, BattleRules
from core.match.standing_answers import standing_answer
from core.positions.position import parse_position
from core.refusal import Refusal
from events.codec import Raw, encode
from events.ids import ARBITER, PUBLIC, Seat
from events.memory_log import MemoryLog
from events.vocabulary import DecisionOpened, StandingAnswerGiven, StandingAnswersRevealed
from projections.state.fold import fold
from projections.state.view import SeatView, seen_events
from server.desk.desk import Desk as ServerDesk
from server.protocol.replies import LogReply, OpenedReply, PlayedReply, TakenReply
from server.protocol.wire import LogRequest, OpenRequest, PlayRequest, TakeRequest
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.sitting import OWNER, CountedIdentity, StillClock

SAMPLE = (ROOT / "fixtures" / "positions" / "battle" / "sample-game.toml").read_text(encoding="utf-8")
STEPS = [step for step in parse_position(SAMPLE).steps[1:] if not step.refused]
PASS: dict[str, object] = {"do": "pass"}
ANSWER = '{"do":"pass"}'
RULES = BattleRules(CARD_FILE.load())
Stream = list[tuple[int, tuple[bytes, ...]]]


def always(decision: str, answer: str = ANSWER, until: str = "") -> dict[str, object]:
    """Word the command that answers a kind of question beforehand."""
    return {"do": "match:answer-always", "decision": decision, "answer": answer, "until": until}


def opened(position: str = SAMPLE) -> Desk:
    """Begin the sample game with typed draws."""
    desk = Desk.open("battle", dice="manual", position=position)
    desk.accept({"do": "match:begin"}, ARBITER)
    return desk


def stream(desk: Desk, seat: Seat) -> Stream:
    """Return what a seat has seen, commit by commit, with its numbers."""
    view = SeatView(seat)
    found: Stream = []
    for commit in desk.commits:
        seen = view.take(commit.events, commit.at, commit.last)
        if seen is not None:
            found.append((seen.first, tuple(encode(event) for event in seen.events)))
    return found


def follow(desk: Desk) -> None:
    """Play the standing answers that are due, as the host of a match does."""
    while answer := standing_answer(desk.match.ruleset.rules, desk.table):
        desk.accept(desk.match.decode(answer[1]), answer[0])


def sample_game(upto: int, decline: Mapping[int, tuple[str, str]]) -> Desk:
    """Play so many steps of the sample game; what the Russian declines beforehand he need not decline by hand.

    Args:
        upto: How many steps.
        decline: Before which step (0-based) the Russian answers which kind of question beforehand, and how.
    """
    desk = opened()
    for number, step in enumerate(STEPS[:upto]):
        if number in decline:
            desk.accept(always(*decline[number]), RUSSIAN_SEAT)
        top = desk.table.top
        assert top is not None
        given = [one for one in desk.table.standing if (one.seat, one.decision, one.answer) == (*top_of(desk), ANSWER)]
        if given and step.command == PASS:
            seat, answer = standing_answer(desk.match.ruleset.rules, desk.table) or (Seat(""), b"")
            assert (seat, answer) == (top.seat, ANSWER.encode())
            desk.accept(desk.match.decode(answer), seat, draws=step.draws)
        else:
            desk.accept(step.command, top.seat, draws=step.draws)
    return desk


def top_of(desk: Desk) -> tuple[Seat, str]:
    """Return who is asked what."""
    top = desk.table.top
    return (Seat(""), "") if top is None else (top.seat, top.kind)


@each_row("seat", [GERMAN, PUBLIC])
def test_a_standing_pass_looks_like_a_pass_by_hand(seat: Seat) -> None:
    """secrecy.hands, ruling.window-leak, match.standing: commit for commit and number for number."""
    by_hand = sample_game(35, {})
    beforehand = sample_game(
        35,
        {
            0: ("answer_move", ANSWER),
            3: ("answer_card", ANSWER),
            5: ("answer_battle", ANSWER),
            6: ("answer_battle", ""),
        },
    )

    assert len(beforehand.events) == len(by_hand.events) + 4
    assert stream(beforehand, seat) == stream(by_hand, seat)
    assert fold(seen_events(beforehand.events, seat)) == fold(seen_events(by_hand.events, seat))


def test_only_its_owner_sees_a_standing_answer() -> None:
    """match.standing"""
    desk = sample_game(3, {0: ("answer_move", ANSWER)})
    seen = {
        seat: [event for event in seen_events(desk.events, Seat(seat)) if isinstance(event, StandingAnswerGiven)]
        for seat in (GERMAN, RUSSIAN, PUBLIC, ARBITER)
    }
    tables = {seat: fold(seen_events(desk.events, Seat(seat))).standing for seat in seen}

    assert {seat: len(events) for seat, events in seen.items()} == {GERMAN: 0, RUSSIAN: 1, PUBLIC: 0, ARBITER: 1}
    assert {seat: len(standing) for seat, standing in tables.items()} == {GERMAN: 0, RUSSIAN: 1, PUBLIC: 0, ARBITER: 1}


def test_windows_and_the_firefight_can_be_declined_beforehand_and_nothing_else() -> None:
    """ruling.window-leak"""
    desk = opened()
    answers = {kind: desk.ask(always(kind), RUSSIAN_SEAT) for kind in RULES.kinds}
    refused = {kind: answer.code for kind, answer in answers.items() if isinstance(answer, Refusal)}

    assert sorted(set(answers) - set(refused)) == sorted([*WINDOWS, "firefight"])
    assert set(refused.values()) == {"decision_must_allow_standing"}
    assert sorted(WINDOWS) == [
        "answer_aftermath",
        "answer_battle",
        "answer_card",
        "answer_draw",
        "answer_loss",
        "answer_move",
    ]


def test_a_standing_answer_that_is_not_legal_now_leaves_the_question_to_the_seat() -> None:
    """match.standing: the German sees the same question as ever."""
    sniper = '{"do":"play-card","card":"russian/sniper-2"}'
    desk, other = opened(), opened()
    desk.accept(always("answer_move", sniper), RUSSIAN_SEAT)
    for each in (desk, other):
        each.accept(STEPS[0].command, GERMAN_SEAT)

        assert "russian/sniper-2" not in each.table.pile(hand(RUSSIAN)).cards
        assert standing_answer(each.match.ruleset.rules, each.table) is None
        assert top_of(each) == (RUSSIAN_SEAT, "answer_move")
    assert stream(desk, GERMAN_SEAT) == stream(other, GERMAN_SEAT)


def test_a_card_can_be_played_by_a_standing_answer() -> None:
    """match.standing: what looks like an answer is one, and is gone with the card."""
    desk = opened()
    desk.accept(always("answer_move", '{"do":"play-card","card":"russian/sniper-1"}'), RUSSIAN_SEAT)
    desk.accept(STEPS[0].command, GERMAN_SEAT)
    follow(desk)

    assert LOCKED.of(desk.table, "g_16_panzer") is True
    assert top_of(desk) == (GERMAN_SEAT, "action")


def test_a_standing_answer_until_the_own_turn_ends_there() -> None:
    """match.standing: it declines in the German's turn and is gone when the Russian's begins."""
    desk = opened()
    desk.accept(always("answer_draw", until="turn"), RUSSIAN_SEAT)
    desk.accept(always("answer_move"), RUSSIAN_SEAT)
    desk.accept({"do": "done"}, GERMAN_SEAT)
    draws = [f"german/tanks-{number}" for number in (1, 2, 3)] + ["german/attack-1", "german/attack-2"]
    seat, answer = standing_answer(desk.match.ruleset.rules, desk.table) or (Seat(""), b"")
    desk.accept(desk.match.decode(answer), seat, draws=draws)

    assert desk.table.turn == RUSSIAN
    assert [standing.decision for standing in desk.table.standing] == ["answer_move"]


def test_matches_with_standing_answers_are_sound(budget: float) -> None:
    """match.standing: both seats decline and take back at random; streams keep their numbers and the audit is clean."""
    for seed in range(max(2, round(2 * budget))):
        rng = Random(seed)
        desk = Desk.open("battle", options={"turn_cap": 8}, dice="sealed", name=f"standing-{seed}")
        while desk.table.ended is None:
            if rng.random() < 0.05:
                kind = rng.choice((*WINDOWS, "firefight"))
                desk.accept(always(kind, rng.choice((ANSWER, "")), rng.choice(("", "turn"))), rng.choice(SEATS))
            follow(desk)
            if desk.table.ended is None:
                desk.play(1, rng)
        for seat in (*SEATS, PUBLIC, ARBITER):
            numbered = stream(desk, seat)
            firsts = [first for first, _ in numbered]
            counts = [len(events) for _, events in numbered]

            assert firsts == [1 + sum(counts[:place]) for place in range(len(counts))]
            assert sum(counts) == len(list(seen_events(desk.events, seat)))
        assert desk.audit().findings == ()


# At a server's desk


def served(*, beforehand: bool, to_the_end: bool = False) -> dict[Seat, LogReply]:
    """Play the beginning of the sample game at a server's desk and return the logs of the seats.

    Args:
        beforehand: The Russian declines beforehand what he would decline by hand.
        to_the_end: The Russian resigns then.
    """
    desk = ServerDesk(MemoryLog(), StillClock(), CountedIdentity(), owner=OWNER)
    match = desk.handle(OpenRequest(game="battle", dice="manual", position=SAMPLE, key="the same in both matches"))
    assert isinstance(match, OpenedReply), match
    tokens: dict[Seat, str] = {ARBITER: OWNER}
    for seat in match.seats:
        taken = desk.handle(TakeRequest(match=match.match, seat=seat, secret=f"{seat}: a secret that is long enough"))
        assert isinstance(taken, TakenReply), taken
        tokens[seat] = taken.token

    def play(command: Mapping[str, object], seat: Seat) -> None:
        reply = desk.handle(PlayRequest(match=match.match, seat=seat, token=tokens[seat], command=Raw(encode(command))))
        assert isinstance(reply, PlayedReply), (command, reply)

    play({"do": "match:begin"}, ARBITER)
    if beforehand:
        play(always("answer_move"), RUSSIAN_SEAT)
    play(STEPS[0].command, GERMAN_SEAT)
    if not beforehand:
        play(PASS, RUSSIAN_SEAT)
    play(STEPS[2].command, GERMAN_SEAT)
    play(PASS, RUSSIAN_SEAT)
    if to_the_end:
        play({"do": "match:resign"}, RUSSIAN_SEAT)
    logs: dict[Seat, LogReply] = {}
    for seat in (*SEATS, PUBLIC):
        log = desk.handle(LogRequest(match=match.match, seat=seat, token=tokens.get(seat, "")))
        assert isinstance(log, LogReply), log
        logs[seat] = log
    return logs


def test_a_servers_log_does_not_tell_a_standing_pass_from_one_by_hand() -> None:
    """ruling.window-leak: the same slices, times and numbers."""
    by_hand, beforehand = (encode(served(beforehand=each)[GERMAN_SEAT]) for each in (False, True))

    assert by_hand == beforehand
    assert b"answer_move" in by_hand
    assert b"standing" not in by_hand


@each_row("seat", [GERMAN, PUBLIC])
def test_a_server_tells_standing_answers_when_the_match_is_over_and_nothing_else_differs_then(seat: Seat) -> None:
    """match.disclose: a spectator sees from when on the Russian's passes were given beforehand, and which."""
    by_hand, beforehand = (served(beforehand=each, to_the_end=True)[seat].slices for each in (False, True))
    told = beforehand[-1].events[-1]
    asked = next(slice_ for slice_ in beforehand if DecisionOpened in map(type, slice_.events[1:]))

    assert by_hand[:-1] == beforehand[:-1]
    assert by_hand[-1].events == beforehand[-1].events[:-1]
    assert isinstance(told, StandingAnswersRevealed)
    assert [(given.seat, given.decision, given.answer) for given in told.answers] == [
        (RUSSIAN_SEAT, "answer_move", ANSWER)
    ]
    assert told.answers[0].after == asked.last
