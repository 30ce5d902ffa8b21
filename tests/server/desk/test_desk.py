"""Replies of a desk, one request at a time."""

import pytest

from core.audit.match_audit import audit_match
from core.registry.games import load_game
from events.codec import Raw, decode_plain, replace
from events.commit import decode_commit
from events.ids import ARBITER, PUBLIC, MatchId, Seat, match_id
from events.memory_log import MemoryLog
from events.vocabulary import MatchEnded, SeatLeft, SeatTaken
from projections.state.fold import fold
from server.desk.desk import Desk
from server.protocol.identity import credential
from server.protocol.replies import (
    BoardReply,
    FailedReply,
    HelloReply,
    LegalReply,
    MatchesReply,
    OpenedReply,
    PlayedReply,
    TakenReply,
)
from server.protocol.wire import (
    BeginRequest,
    BoardRequest,
    ForkRequest,
    HelloRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OpenRequest,
    PlayRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from tests.support.sitting import NOON, OWNER, ROLL, STAND, CountedIdentity, Sitting, StillClock, flat
from tests.support.skirmish import BLUE, RED

SECRET = "s" * 32


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


def test_hello_tells_the_protocol_and_the_games(sitting: Sitting) -> None:
    hello = sitting.ask(HelloRequest(id="7"), HelloReply)

    assert (hello.id, hello.protocols, "skirmish" in hello.games) == ("7", ("wardiary/1",), True)


def test_a_match_is_opened_under_the_id_that_its_key_makes() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity())
    opened = desk.handle(OpenRequest(game="skirmish", key="mine", id="1"))

    assert opened == OpenedReply(id="1", match=match_id("mine"), seats=(RED, BLUE), seq=1)


def test_opening_again_with_the_same_key_returns_the_first_match() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity())
    first = desk.handle(OpenRequest(game="skirmish", key="mine"))
    again = desk.handle(OpenRequest(game="skirmish", key="mine"))

    assert isinstance(first, OpenedReply)
    assert isinstance(again, OpenedReply)
    assert (first.repeated, again.repeated, again.match, len(desk.log.matches())) == (False, True, first.match, 1)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (OpenRequest(game="chess"), "unknown_game"),
        (OpenRequest(game="skirmish", scenario="swamp"), "unknown_scenario"),
        (OpenRequest(game="skirmish", mode="loud"), "unknown_mode"),
        (OpenRequest(game="skirmish", dice="loaded"), "unknown_dice"),
        (OpenRequest(game="skirmish", options={"colour": "red"}), "unknown_option"),
        (OpenRequest(game="skirmish", options={"speed": 9}), "setup_invalid"),
        (OpenRequest(game="skirmish", board="no board"), "setup_invalid"),
        (OpenRequest(game="skirmish", position="no position"), "setup_invalid"),
        (OpenRequest(game="skirmish", seed="secret"), "setup_invalid"),
        (OpenRequest(game="skirmish", dice="seeded", seed="s" * 201), "setup_invalid"),
        (OpenRequest(game="skirmish", key="k" * 201), "malformed"),
        (TakeRequest(match=MatchId("nowhere"), seat=RED), "unknown_match"),
        (LegalRequest(match=MatchId("nowhere")), "unknown_match"),
        (MatchesRequest(after=MatchId("nowhere")), "unknown_match"),
    ],
)
def test_a_missing_match_seat_or_event_is_named_by_its_code(sitting: Sitting, request_: Request, code: str) -> None:
    assert sitting.fail(request_) == code


def test_every_defect_of_a_set_up_is_listed(sitting: Sitting) -> None:
    reply = sitting.ask(OpenRequest(game="skirmish", options={"speed": 9, "fog": "thick"}), FailedReply)

    assert len(reply.defects) == 2


def test_play_begins_when_the_last_seat_is_taken() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity())
    opened = desk.handle(OpenRequest(game="skirmish"))
    assert isinstance(opened, OpenedReply)
    red = desk.handle(TakeRequest(match=opened.match, seat=RED))
    blue = desk.handle(TakeRequest(match=opened.match, seat=BLUE))

    assert isinstance(red, TakenReply)
    assert isinstance(blue, TakenReply)
    assert (red.began, blue.began) == (False, True)


def test_the_log_holds_only_the_digest_of_a_seats_secret(sitting: Sitting) -> None:
    bodies = b"".join(stored.body for stored in sitting.log.read(sitting.match))

    assert all(token.encode() not in bodies for token in sitting.tokens.values())
    assert all(credential(sitting.tokens[seat]).encode() in bodies for seat in (RED, BLUE))


@pytest.mark.parametrize("secret", ["short", "x" * 201])
def test_a_secret_is_too_long_to_be_guessed(sitting: Sitting, secret: str) -> None:
    assert sitting.fail(TakeRequest(match=sitting.match, seat=RED, secret=secret)) == "malformed"


def test_a_taken_seat_is_refused_by_the_rules(sitting: Sitting) -> None:
    reply = sitting.ask(TakeRequest(match=sitting.match, seat=RED), FailedReply)

    assert (reply.code, reply.refusal, reply.rule) == ("refused", "seat_must_be_free", "match.seats")


def test_a_seat_cannot_be_taken_by_playing_the_command(sitting: Sitting) -> None:
    sneaky = Raw(b'{"do":"house\\u003atake-seat","seat":"blue","credential":"00"}')
    sitting.ask(LeaveRequest(match=sitting.match, seat=BLUE, token=sitting.tokens[BLUE]), PlayedReply)

    assert sitting.fail(sitting.command(sneaky)) == "malformed"
    assert sitting.state().table.players.keys() == {RED}


def test_leaving_frees_the_seat_and_invalidates_the_secret(sitting: Sitting) -> None:
    left = sitting.ask(LeaveRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED]), PlayedReply)

    assert [type(event) for slice_ in left.slices for event in slice_.events] == [SeatLeft]
    assert sitting.fail(sitting.command()) == "bad_token"
    taken = sitting.ask(TakeRequest(match=sitting.match, seat=RED, secret=SECRET), TakenReply)
    assert taken.token == SECRET


def test_the_deciding_seat_gets_its_options_as_json_and_in_words(sitting: Sitting) -> None:
    legal = sitting.legal(RED)

    assert (legal.decision, legal.to_move, [option.number for option in legal.options]) == ("turn", RED, [1, 2, 3, 4])
    assert decode_plain(bytes(legal.options[0].command)) == {"do": "roll"}
    assert legal.options[0].words == "Roll()"


def test_options_about_one_piece_come_with_the_total_number_of_options(sitting: Sitting) -> None:
    whole = sitting.legal(RED)
    card = bytes(whole.options[1].command).decode().rpartition(":")[2].strip('"}')
    reply = sitting.ask(LegalRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED], about=card), LegalReply)

    assert (reply.options, reply.count, whole.count) == ((whole.options[1],), 4, 4)


@pytest.mark.parametrize("seat", [BLUE, PUBLIC])
def test_other_seats_are_told_who_decides_but_no_options(sitting: Sitting, seat: Seat) -> None:
    legal = sitting.legal(seat)

    assert (legal.decision, legal.to_move, legal.options, legal.count) == ("turn", RED, (), 0)


def test_options_can_be_requested_without_words(sitting: Sitting) -> None:
    reply = sitting.desk.handle(LegalRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED], words=False))

    assert b"Roll()" not in repr(reply).encode()


@pytest.mark.parametrize("seat", [RED, BLUE, PUBLIC, ARBITER])
def test_options_can_be_requested_with_the_table_at_that_moment(sitting: Sitting, seat: Seat) -> None:
    first = sitting.state(seat).seq
    sitting.play(ROLL)
    token = OWNER if seat == ARBITER else sitting.tokens.get(seat, "")
    for at in (first, None):
        legal = sitting.ask(LegalRequest(match=sitting.match, seat=seat, token=token, at=at, table=True), LegalReply)
        state = sitting.state(seat, at)

        assert (legal.table, legal.seq) == (state.table, state.seq)


def test_a_command_is_answered_with_its_events_as_the_seat_sees_them(sitting: Sitting) -> None:
    before = sitting.since(RED).seq
    played = sitting.play(ROLL)

    assert [slice_.first for slice_ in played.slices] == [before + 1]
    assert flat(played.slices) == flat(sitting.since(RED, before).slices)
    assert played.seq == sitting.since(RED).seq


def test_commits_have_the_time_of_the_given_clock(sitting: Sitting) -> None:
    sitting.clock.ms = NOON + 5
    played = sitting.play(ROLL)

    assert played.slices[0].at == NOON + 5
    assert [decode_commit(stored.body).at for stored in sitting.log.read(sitting.match)][-2:] == [NOON, NOON + 5]


def test_an_option_is_played_by_its_number(sitting: Sitting) -> None:
    legal = sitting.legal(RED)
    sitting.play(Raw(b"1"), expected=legal.seq)

    assert sitting.legal(BLUE).decision == "reply"


@pytest.mark.parametrize(
    ("command", "expected", "seat", "code"),
    [
        (b"1", False, RED, "malformed"),
        (b"5", True, RED, "unknown_choice"),
        (b"0", True, RED, "unknown_choice"),
        (b"true", True, RED, "malformed"),
        (b"1.5", True, RED, "malformed"),
        (b'"roll"', True, RED, "malformed"),
        (b"null", True, RED, "malformed"),
        (b"[]", True, RED, "malformed"),
        (b"1", True, BLUE, "not_your_turn"),
        (b"{}", True, RED, "malformed"),
        (b'{"do":"fly"}', True, RED, "malformed"),
        (b'{"do":"roll","twice":true}', True, RED, "malformed"),
    ],
)
def test_an_invalid_command_has_its_own_code(
    sitting: Sitting, command: bytes, expected: bool, seat: Seat, code: str
) -> None:
    number = sitting.legal(seat).seq if expected else None

    assert sitting.fail(sitting.command(Raw(command), seat, expected=number)) == code


def test_an_illegal_command_is_refused_with_code_rule_and_sentence(sitting: Sitting) -> None:
    reply = sitting.ask(sitting.command(STAND, BLUE, id_="9"), FailedReply)

    assert reply == FailedReply(
        id="9",
        code="refused",
        message="The question is put to red.",
        refusal="seat_must_be_asked",
        rule=reply.rule,
    )
    assert reply.rule == "1.turn"


def test_a_refused_command_leaves_no_trace(sitting: Sitting) -> None:
    before = sitting.log.head(sitting.match)
    sitting.fail(sitting.command(STAND, BLUE))

    assert sitting.log.head(sitting.match) == before


def test_a_lost_race_names_the_expected_and_the_actual_number(sitting: Sitting) -> None:
    seq = sitting.legal(RED).seq
    sitting.play(ROLL, expected=seq)
    reply = sitting.ask(sitting.command(STAND, BLUE, expected=seq), FailedReply)

    assert (reply.code, reply.expected, reply.actual) == ("lost_race", seq, sitting.since(BLUE).seq)


def test_a_repeated_key_gets_the_first_outcome_and_takes_effect_once(sitting: Sitting) -> None:
    seq = sitting.legal(RED).seq
    first = sitting.play(ROLL, key="once", expected=seq)
    sitting.play(STAND, BLUE)
    again = sitting.play(ROLL, key="once", expected=seq)

    assert (again.repeated, again.seq, flat(again.slices)) == (True, first.seq, flat(first.slices))
    assert [stored.key for stored in sitting.log.read(sitting.match)].count("once") == 1


def test_the_key_of_another_seat_gives_no_reply(sitting: Sitting) -> None:
    sitting.play(ROLL, key="mine")

    assert sitting.fail(sitting.command(STAND, BLUE, key="mine")) == "key_used"


def test_a_key_used_for_another_command_is_refused_even_if_the_expected_number_fits(sitting: Sitting) -> None:
    first = sitting.play(ROLL, key="once")
    sitting.play(STAND, BLUE)
    sitting.play(ROLL, BLUE)
    again = sitting.play(STAND, RED, key="once", expected=sitting.legal(RED).seq)

    assert (again.repeated, again.seq) == (True, first.seq)


def test_taking_a_seat_again_with_key_and_secret_gets_the_first_reply() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity())
    opened = desk.handle(OpenRequest(game="skirmish"))
    assert isinstance(opened, OpenedReply)
    request = TakeRequest(match=opened.match, seat=RED, secret=SECRET, key="sit")
    first, again = desk.handle(request), desk.handle(request)

    assert isinstance(first, TakenReply)
    assert isinstance(again, TakenReply)
    assert (again.repeated, again.token, again.seq) == (True, SECRET, first.seq)
    other = desk.handle(TakeRequest(match=opened.match, seat=RED, secret="t" * 32, key="sit"))
    assert isinstance(other, FailedReply)
    assert other.code == "key_used"


def test_present_and_earlier_tables_are_folds_of_the_seats_view(sitting: Sitting) -> None:
    sitting.random_match()
    events = [event for slice_ in sitting.since(RED).slices for event in slice_.events]

    for at in (0, 1, 7, 20, len(events)):
        assert sitting.state(RED, at).table == fold(events[:at])
    assert sitting.state(RED).seq == len(events)


def test_the_arbiter_sees_the_true_table(sitting: Sitting) -> None:
    sitting.play(ROLL)
    events = [event for stored in sitting.log.read(sitting.match) for event in decode_commit(stored.body).events]

    assert sitting.state(ARBITER).table == fold(events)
    assert sitting.state(ARBITER, 5).table == fold(events[:5])


@pytest.mark.parametrize("at", [-1, 10_000])
def test_a_missing_event_number_is_refused(sitting: Sitting, at: int) -> None:
    assert sitting.fail(StateRequest(match=sitting.match, at=at)) == "unknown_sequence"
    assert sitting.fail(LogRequest(match=sitting.match, since=at)) == "unknown_sequence"
    assert sitting.fail(ForkRequest(match=sitting.match, seat=ARBITER, token=OWNER, at=at)) == "unknown_sequence"


def test_a_table_in_a_reply_is_a_copy(sitting: Sitting) -> None:
    sitting.state(RED).table.tracks.clear()
    sitting.state(ARBITER).table.pieces.clear()

    assert sitting.state(RED).table.pieces != {}
    assert sitting.state(ARBITER).table.pieces != {}


def test_the_log_since_a_number_is_complete_whatever_the_page_size(sitting: Sitting) -> None:
    sitting.random_match()
    whole = flat(sitting.since(BLUE).slices)
    pieces: list[tuple[int, bytes]] = []
    while len(pieces) < len(whole):
        pieces += flat(sitting.since(BLUE, len(pieces), limit=3).slices)

    assert pieces == whole
    assert [number for number, _ in whole] == list(range(1, len(whole) + 1))
    assert flat(sitting.since(BLUE, 9).slices) == whole[9:]
    assert sitting.since(BLUE, len(whole)).slices == ()


def test_matches_are_listed_in_pages_as_the_public_sees_them(sitting: Sitting) -> None:
    for number in range(24):
        sitting.ask(OpenRequest(game="skirmish", key=f"another {number}"), OpenedReply)
    first = sitting.ask(MatchesRequest(), MatchesReply)
    rest = sitting.ask(MatchesRequest(after=first.matches[-1].match), MatchesReply)

    assert (len(first.matches), first.more, len(rest.matches), rest.more) == (20, True, 5, False)
    assert [one.match for one in (*first.matches, *rest.matches)] == list(sitting.log.matches())
    assert (first.matches[0].began, first.matches[0].to_move, first.matches[1].began) == (True, RED, False)


def test_matches_are_found_by_the_beginning_of_their_ids(sitting: Sitting) -> None:
    for number in range(40):
        sitting.ask(OpenRequest(game="skirmish", key=f"another {number}"), OpenedReply)
    every = sorted(sitting.log.matches())
    listed = {one.match: one for one in sitting.ask(MatchesRequest(limit=20), MatchesReply).matches}
    match = next(iter(listed))

    assert sitting.ask(MatchesRequest(prefix=match), MatchesReply) == MatchesReply(matches=(listed[match],))
    assert sitting.ask(MatchesRequest(prefix="no such"), MatchesReply) == MatchesReply()

    alike = [one for one in every if one[0] == every[0][0]]
    found = sitting.ask(MatchesRequest(prefix=every[0][0], limit=1), MatchesReply)

    assert ([one.match for one in found.matches], found.more) == (alike[:1], len(alike) > 1)
    assert sitting.fail(MatchesRequest(prefix="a", after=match)) == "malformed"


def test_a_match_can_be_opened_on_an_owners_board() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity())
    own = desk.handle(OpenRequest(game="skirmish", board="goal = 3\n", key="own"))
    shipped = desk.handle(OpenRequest(game="skirmish", key="shipped"))
    assert isinstance(own, OpenedReply)
    assert isinstance(shipped, OpenedReply)

    assert desk.handle(BoardRequest(match=own.match)) == BoardReply(match=own.match, text="goal = 3\n")
    assert desk.handle(BoardRequest(match=shipped.match)) == BoardReply(
        match=shipped.match, text=load_game("skirmish").shipped_board().decode(), is_shipped=True
    )


def test_typed_dice_are_accepted_only_in_manual_matches(sitting: Sitting) -> None:
    typed = PlayRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED], command=ROLL, dice=(1, 2))

    assert sitting.fail(typed) == "dice_impossible"


def test_a_manual_match_is_begun_and_played_with_typed_dice() -> None:
    sitting = Sitting(dice="manual")
    token = sitting.tokens[RED]
    begin = BeginRequest(match=sitting.match, seat=RED, token=token)
    short = sitting.ask(replace(begin, dice=(6,)), FailedReply)
    assert short.code == "draw_missing"
    assert "card-1" in short.wanted
    draws = ("card-1", "card-2", "card-3", "card-4")
    assert sitting.fail(replace(begin, draws=draws)) == "dice_missing"
    assert sitting.fail(replace(begin, dice=(7,), draws=draws)) == "dice_impossible"
    sitting.ask(replace(begin, dice=(6,), draws=draws), PlayedReply)
    played = sitting.ask(
        PlayRequest(match=sitting.match, seat=RED, token=token, command=ROLL, dice=(3, 4)), PlayedReply
    )

    assert b'"faces":[3,4]' in b"".join(body for _, body in flat(played.slices))


def test_a_match_played_at_the_desk_is_clean_in_the_audit(sitting: Sitting) -> None:
    sitting.random_match()

    assert audit_match(sitting.log, sitting.match).findings == ()
    assert sitting.state().table.ended is not None


def test_nothing_can_be_played_when_the_match_has_ended(sitting: Sitting) -> None:
    sitting.play(Raw(b'{"do":"match:resign"}'))

    assert sitting.fail(sitting.command(ROLL)) == "refused"
    assert sitting.legal(RED).decision == ""
    assert any(isinstance(event, MatchEnded) for slice_ in sitting.since().slices for event in slice_.events)


def test_a_standing_answer_is_played_at_once_as_the_seats_own_commit(sitting: Sitting) -> None:
    always = Raw(
        b'{"do":"match:answer-always","decision":"reply","answer":"{\\"do\\":\\"reply\\",\\"contest\\":false}"}'
    )
    sitting.play(always, BLUE)
    played = sitting.play(ROLL, key="roll")

    commits = [decode_commit(stored.body) for stored in sitting.log.read(sitting.match)][-2:]
    assert [(commit.seat, commit.key) for commit in commits] == [(RED, "roll"), (BLUE, "roll/1")]
    assert len(played.slices) == 2
    assert played.seq == sitting.since(RED).seq
    again = sitting.play(ROLL, key="roll")
    assert (again.repeated, flat(again.slices)) == (True, flat(played.slices))
    assert audit_match(sitting.log, sitting.match).findings == ()


@pytest.mark.parametrize("key", ["roll/1", "roll/2", "/1", "a/b/007"])
def test_no_client_can_use_the_key_of_a_standing_answer(sitting: Sitting, key: str) -> None:
    """match.standing: otherwise a seat could prevent the other side's standing answer from being played."""
    note = Raw(b'{"do":"match:note","text":"first"}')
    always = Raw(
        b'{"do":"match:answer-always","decision":"reply","answer":"{\\"do\\":\\"reply\\",\\"contest\\":false}"}'
    )
    sitting.play(always, BLUE)
    before = sitting.since().seq

    assert sitting.fail(sitting.command(note, RED, key=key)) == "malformed"
    assert sitting.since().seq == before
    sitting.play(ROLL, RED, key="roll")
    assert [decode_commit(stored.body).seat for stored in sitting.log.read(sitting.match)][-2:] == [RED, BLUE]


@pytest.mark.parametrize("key", ["roll/", "1", "roll/1a", "roll/1/", "a/\u0663"])
def test_other_keys_with_slashes_and_numbers_are_allowed(sitting: Sitting, key: str) -> None:
    assert sitting.play(ROLL, RED, key=key).repeated is False


def test_taking_a_seat_is_public(sitting: Sitting) -> None:
    taken = [event for slice_ in sitting.since().slices for event in slice_.events if isinstance(event, SeatTaken)]

    assert [event.seat for event in taken] == [RED, BLUE]


def test_a_trusted_desk_needs_no_secrets() -> None:
    sitting = Sitting(desk=Desk(MemoryLog(), StillClock(), CountedIdentity(), trusted=True))
    request = PlayRequest(match=sitting.match, seat=RED, command=Raw(b"1"))

    assert isinstance(sitting.desk.handle(request), PlayedReply)
    assert isinstance(sitting.desk.handle(LegalRequest(match=sitting.match, seat=ARBITER)), type(sitting.legal(PUBLIC)))
    assert OWNER not in repr(sitting.desk.handle(StateRequest(match=sitting.match, seat=ARBITER)))
