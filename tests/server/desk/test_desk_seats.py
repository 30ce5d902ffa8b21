"""Which clients may view and act; no seat learns another seat's secrets."""

import re
from random import Random

import pytest

from core.audit.match_audit import audit_match
from core.match.arbiter_commands import ReserveSeat
from events.codec import Raw, encode, replace
from events.commit import decode_commit
from events.ids import ARBITER, PUBLIC, MatchId, Seat, match_id
from events.memory_log import MemoryLog
from events.vocabulary import MatchForked
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import see
from server.desk.desk import Desk
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.protocol.publications import publish, subscription_text, topic
from server.protocol.replies import FailedReply, LegalReply, LogReply, OpenedReply, PlayedReply, StateReply, TakenReply
from server.protocol.wire import (
    BeginRequest,
    BoardRequest,
    ForkRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    PlayRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from tests.support.rows import each_row
from tests.support.sitting import CONTEST, OWNER, ROLL, STAND, CountedIdentity, Sitting, StillClock
from tests.support.skirmish import BLUE, RED, hand

PRIVATE = Raw(b'{"do":"match:note","text":"for my eyes","private":true}')
OPEN_NOTE = Raw(b'{"do":"match:note","text":"for all"}')


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


def requests_of(sitting: Sitting, seat: Seat, token: str) -> list[Request]:
    """Return every request that can be sent as a seat."""
    match = sitting.match
    return [
        LegalRequest(match=match, seat=seat, token=token),
        StateRequest(match=match, seat=seat, token=token),
        LogRequest(match=match, seat=seat, token=token),
        BoardRequest(match=match, seat=seat, token=token),
        ForkRequest(match=match, seat=seat, token=token),
        PlayRequest(match=match, seat=seat, token=token, command=OPEN_NOTE),
        LeaveRequest(match=match, seat=seat, token=token),
    ]


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize(
    ("seat", "token", "code"),
    [
        (RED, "", "not_your_seat"),
        (RED, "wrong", "bad_token"),
        (RED, "w" * 100_000, "bad_token"),
        (ARBITER, "", "not_your_seat"),
        (ARBITER, "wrong", "bad_token"),
        (Seat("green"), "any", "unknown_seat"),
        (Seat(""), "any", "unknown_seat"),
    ],
)
def test_a_seat_must_be_proved(sitting: Sitting, number: int, seat: Seat, token: str, code: str) -> None:
    assert sitting.fail(requests_of(sitting, seat, token)[number]) == code


@pytest.mark.parametrize("number", range(7))
def test_the_secret_of_another_seat_is_refused(sitting: Sitting, number: int) -> None:
    assert sitting.fail(requests_of(sitting, RED, sitting.tokens[BLUE])[number]) == "bad_token"


@each_row("owner", ["", OWNER])
@each_row("seat", [RED, BLUE])
@each_row("number", range(7))
def test_a_player_of_a_running_match_is_refused_the_arbiters_view(number: int, seat: Seat, owner: str) -> None:
    """This holds for a server with an arbiter's secret, without one, and with an empty one."""
    sitting = Sitting(desk=Desk(MemoryLog(), StillClock(), CountedIdentity(), owner=owner))

    assert sitting.fail(requests_of(sitting, ARBITER, sitting.tokens[seat])[number]) == "bad_token"
    assert sitting.fail(requests_of(sitting, ARBITER, credential(sitting.tokens[seat]))[number]) == "bad_token"
    assert sitting.fail(requests_of(sitting, ARBITER, "")[number]) == "not_your_seat"


def test_the_arbiters_secret_gives_the_arbiters_view(sitting: Sitting) -> None:
    """The canary: with the arbiter's secret the same requests are answered."""
    state = StateRequest(match=sitting.match, seat=ARBITER, token=OWNER)
    log = LogRequest(match=sitting.match, seat=ARBITER, token=OWNER)

    assert sitting.ask(state, StateReply).table == fold(
        event for one in sitting.ask(log, LogReply).slices for event in one.events
    )
    assert sitting.ask(state, StateReply).table.pile(hand(RED)).hidden == 0


def test_the_digest_in_the_log_does_not_work_as_a_secret(sitting: Sitting) -> None:
    digest = credential(sitting.tokens[RED])

    assert sitting.fail(StateRequest(match=sitting.match, seat=RED, token=digest)) == "bad_token"


def test_the_public_can_view_but_not_act(sitting: Sitting) -> None:
    assert sitting.fail(PlayRequest(match=sitting.match, command=ROLL)) == "not_your_seat"
    assert sitting.fail(LeaveRequest(match=sitting.match)) == "not_your_seat"


def test_only_the_owner_can_act_as_arbiter() -> None:
    closed = Sitting(desk=Desk(MemoryLog(), StillClock(), CountedIdentity()))
    ruling = Raw(b'{"do":"match:ruling","text":"The die was cocked."}')

    assert closed.fail(closed.command(ruling, ARBITER)) == "bad_token"
    Sitting().play(ruling, ARBITER)


def test_a_private_note_leaves_no_trace_for_other_seats(sitting: Sitting) -> None:
    before = sitting.since(RED)
    sitting.play(PRIVATE, BLUE)

    assert sitting.since(RED) == before
    assert sitting.since(PUBLIC).seq == before.seq
    assert sitting.since(BLUE).seq == before.seq + 1


def shown(sitting: Sitting, seat: Seat) -> list[bytes]:
    """Return everything that the desk tells a seat about the match now and at earlier events."""
    token = sitting.tokens.get(seat, "")
    last = sitting.since(seat).seq
    replies = [
        sitting.desk.handle(LegalRequest(match=sitting.match, seat=seat, token=token)),
        *[sitting.desk.handle(LogRequest(match=sitting.match, seat=seat, token=token, since=n)) for n in (0, 9, last)],
        *[sitting.desk.handle(StateRequest(match=sitting.match, seat=seat, token=token, at=n)) for n in (5, 12, last)],
    ]
    return [encode(reply) for reply in replies]


def begun_by_hand() -> Sitting:
    """Begin a match with typed dice, which do not depend on the number of earlier events."""
    sitting = Sitting(dice="manual")
    draws = ("card-1", "card-2", "card-3", "card-4")
    begin = BeginRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED], dice=(6,), draws=draws)
    sitting.ask(begin, PlayedReply)
    return sitting


def test_replies_to_a_seat_do_not_depend_on_anothers_secrets(budget: float) -> None:
    """Two matches that differ only in blue's private notes look the same to red and to the public."""
    for seed in range(max(1, round(5 * budget))):
        choose = Random(seed)
        told, untold = begun_by_hand(), begun_by_hand()
        for step in range(20):
            to_move, asked = told.legal(PUBLIC).to_move, told.legal(PUBLIC).decision
            if not to_move:
                break
            command = ROLL if asked == "turn" else choose.choice((STAND, CONTEST))
            dice = () if command == STAND else (choose.randrange(1, 7),) * (2 if command == ROLL else 1)
            if step == 0 or choose.random() < 0.4:
                told.play(PRIVATE, BLUE)
            for sitting in (told, untold):
                expected = sitting.legal(to_move).seq
                request = sitting.command(command, to_move, f"step {step}", expected)
                sitting.ask(replace(request, dice=dice), PlayedReply)

        assert shown(told, RED) == shown(untold, RED), f"seed {seed}"
        assert shown(told, PUBLIC) == shown(untold, PUBLIC), f"seed {seed}"
        assert told.since(BLUE).seq > untold.since(BLUE).seq, f"seed {seed} tries nothing"


def test_no_reply_or_publication_to_a_seat_names_a_card_that_only_the_other_knows(sitting: Sitting) -> None:
    mine = {
        seat: {card for pile, held in sitting.state(seat).table.piles.items() for card in held.cards if "hand" in pile}
        for seat in (RED, BLUE)
    }
    assert len(mine[RED]) == len(mine[BLUE]) == 2
    batch = sitting.desk.handle_batch([sitting.command(ROLL)])
    published = [
        publish(one.match, seat, "", slice_)
        for one in batch.committed
        for seat in (RED, PUBLIC)
        if (slice_ := one.slice_for(seat)) is not None
    ]

    for card in mine[BLUE]:
        assert all(f'"{card}"'.encode() not in said for said in [*shown(sitting, RED)[1:], *published])
    for card in mine[RED] | mine[BLUE]:
        assert all(f'"{card}"'.encode() not in said for said in shown(sitting, PUBLIC)[1:])


def test_every_event_of_a_seats_log_is_redacted(sitting: Sitting) -> None:
    sitting.random_match()
    events = [event for stored in sitting.log.read(sitting.match) for event in decode_commit(stored.body).events]
    for seat in (RED, BLUE, PUBLIC, ARBITER):
        redacted = [seen for event in events if (seen := see(event, seat)) is not None]
        logged = [event for slice_ in sitting.since(seat).slices for event in slice_.events]

        assert logged == redacted


def test_a_topic_is_disclosed_only_to_clients_that_may_subscribe(sitting: Sitting) -> None:
    desk, match = sitting.desk, sitting.match

    assert desk.topic_credential(match, PUBLIC, "") == ""
    assert desk.topic_credential(match, RED, sitting.tokens[RED]) == credential(sitting.tokens[RED])
    for seat, token in (
        (RED, ""),
        (RED, sitting.tokens[BLUE]),
        (ARBITER, ""),
        (ARBITER, sitting.tokens[RED]),
        (Seat("re"), ""),
        (Seat(""), ""),
    ):
        with pytest.raises(RequestFailed):
            desk.topic_credential(match, seat, token)


def test_a_trusted_desk_publishes_no_private_topic_without_a_secret() -> None:
    sitting = Sitting(desk=Desk(MemoryLog(), StillClock(), CountedIdentity(), trusted=True))
    with pytest.raises(RequestFailed, match="no secret proves"):
        sitting.desk.topic_credential(sitting.match, ARBITER, "")


def test_no_topic_is_a_prefix_of_another(sitting: Sitting) -> None:
    topics = [
        topic(sitting.match, PUBLIC),
        *[topic(sitting.match, seat, credential(sitting.tokens[seat])) for seat in (RED, BLUE, ARBITER)],
    ]

    assert [(a, b) for a in topics for b in topics if a != b and b.startswith(a)] == []
    assert topics[0] == subscription_text(sitting.match, PUBLIC)


# Forks


def fork(sitting: Sitting, seat: Seat = RED, **more: object) -> ForkRequest:
    token = sitting.tokens.get(seat, "")
    return ForkRequest(match=sitting.match, seat=seat, token=token, **more)  # type: ignore[arg-type]


def between_commands(sitting: Sitting) -> None:
    """Return a desk at the end of a command."""
    sitting.play(ROLL)
    sitting.play(PRIVATE, BLUE)


def state_of(sitting: Sitting, forked: OpenedReply) -> Table:
    """Return a fork as everybody sees it."""
    return sitting.ask(StateRequest(match=forked.match), StateReply).table


def cards_in(sitting: Sitting, forked: OpenedReply, seat: Seat) -> tuple[set[str], Table]:
    """Return all cards that a seat of a fork ever sees, and its table, after the seat was taken."""
    token = ""
    if seat != PUBLIC:
        own = sitting.tokens[seat] if seat in state_of(sitting, forked).reserved else ""
        token = sitting.ask(TakeRequest(match=forked.match, seat=seat, invitation=own), TakenReply).token
    asked = LogRequest(match=forked.match, seat=seat, token=token)
    log = encode(sitting.ask(asked, LogReply)).decode()
    state = sitting.ask(StateRequest(match=forked.match, seat=seat, token=token), StateReply)
    return set(re.findall(r"card-\d", log)), state.table


def test_in_a_players_fork_no_seat_sees_more_of_the_parent_than_the_forking_seat() -> None:
    """Otherwise a player could take the other seat of the fork and see that seat's hand in the shared events."""
    sitting = Sitting()
    between_commands(sitting)
    mine = set(sitting.state(RED).table.pile(hand(RED)).cards)
    there = sitting.state(PUBLIC).table.piles.values()
    played = {card for pile in there for card in pile.cards if card.startswith("card-")}
    deals = set()
    for number in range(6):
        forked = sitting.ask(fork(sitting, RED, key=f"fork {number}"), OpenedReply)
        read, table = cards_in(sitting, forked, BLUE)
        held = table.pile(hand(BLUE))
        deals.add(held.cards)

        assert held.hidden == 0
        assert read == {*held.cards, *played}
        assert read.isdisjoint(mine - played)
        assert "for my eyes" not in str(sitting.ask(LogRequest(match=forked.match), LogReply))
        assert table.pile(hand(RED)).cards == ()
        assert cards_in(sitting, forked, PUBLIC)[0] == played
        read, table = cards_in(sitting, forked, RED)
        assert set(table.pile(hand(RED)).cards) == mine
        assert read == mine | played
        assert audit_match(sitting.log, forked.match).clean
    assert len(deals) > 1


@pytest.mark.parametrize("seat", [RED, PUBLIC])
def test_a_player_cannot_keep_the_hidden_cards_in_a_fork_of_a_running_match(sitting: Sitting, seat: Seat) -> None:
    assert sitting.fail(fork(sitting, seat, hidden="truth")) == "fork_not_allowed"
    for dice in ("same", "manual", "seeded"):
        assert sitting.fail(fork(sitting, seat, dice=dice, hidden="resample")) in ("fork_not_allowed", "not_possible")


def test_a_player_can_fork_a_running_match_unchanged_if_nothing_is_hidden() -> None:
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity(), owner=OWNER)
    sitting = Sitting(desk.log, desk, dice="manual")
    forked = sitting.ask(fork(sitting), OpenedReply)

    first = next(iter(desk.log.read(forked.match, 3)))
    (event,) = decode_commit(first.body).events
    assert isinstance(event, MatchForked)
    assert event.hidden == "truth"
    for dice in ("same", "manual", "seeded"):
        assert sitting.fail(fork(sitting, dice=dice)) == "fork_not_allowed"


def unbegun(*secret: Raw) -> Sitting:
    """Open a match with typed dice, without hidden cards so far; let blue act privately, and then red write a note."""
    desk = Desk(MemoryLog(), StillClock(), CountedIdentity(), owner=OWNER)
    sitting = Sitting(desk.log, desk, dice="manual")
    for command in secret:
        sitting.play(command, BLUE, key="the secret")
    sitting.play(OPEN_NOTE, key="for all")
    return sitting


ALWAYS = Raw(b'{"do":"match:answer-always","decision":"reply","answer":"{\\"do\\":\\"reply\\",\\"contest\\":false}"}')


@each_row("secret", [PRIVATE, ALWAYS])
@each_row("seat", [RED, PUBLIC])
@each_row("more", [{}, {"hidden": "truth"}, {"hidden": "resample"}, {"dice": "manual"}, {"dice": "same"}])
def test_a_fork_does_not_tell_whether_another_seat_has_secrets(
    secret: Raw, seat: Seat, more: dict[str, object]
) -> None:
    """match.fork, match.notes: otherwise a fork would reveal the other seat's private notes and standing answers."""
    told: list[list[bytes]] = []
    for secrets in ((), (secret,)):
        sitting = unbegun(*secrets)
        asked: list[Request] = [fork(sitting, seat, key="1", **more)]
        child = match_id(f"{sitting.match}/1")
        for at in (1, 3, 4, 5):
            asked += [ForkRequest(match=child, at=at, key=f"{at}"), LogRequest(match=match_id(f"{child}/{at}"))]
        told.append([encode(sitting.desk.handle(request)) for request in (*asked, LogRequest(match=child))])

    assert told[0] == told[1]
    assert b"match.fork" in told[0][-1] or b"failed" in told[0][0]


def test_a_fork_of_a_fork_does_not_disclose_notes_of_an_earlier_player() -> None:
    """match.notes: the player of blue in the fork need not be the writer of the notes in the parent."""
    sitting = unbegun(PRIVATE)
    child = sitting.ask(fork(sitting, BLUE), OpenedReply).match
    asked = ForkRequest(match=child, seat=BLUE, token=sitting.tokens[BLUE], at=5)
    grandchild = sitting.ask(asked, OpenedReply).match

    def read(match: MatchId, seat: Seat) -> bool:
        token = sitting.tokens.get(seat, "")
        return "for my eyes" in str(sitting.ask(LogRequest(match=match, seat=seat, token=token), LogReply))

    assert [read(child, seat) for seat in (BLUE, RED, PUBLIC)] == [True, False, False]
    assert [read(grandchild, seat) for seat in (BLUE, RED, PUBLIC)] == [False, False, False]
    assert "for all" in str(sitting.ask(LogRequest(match=grandchild), LogReply))


def test_a_private_note_is_shared_only_with_forks_by_its_writer_or_the_arbiter(sitting: Sitting) -> None:
    between_commands(sitting)
    sitting.random_match()
    for asker, is_read in ((RED, False), (PUBLIC, False), (BLUE, True), (ARBITER, True)):
        forked = sitting.ask(
            fork(sitting, asker, at=sitting.since(asker).slices[-6].last, key=f"by {asker}"), OpenedReply
        )
        own = {BLUE: sitting.tokens[BLUE], ARBITER: OWNER}.get(asker, "")
        token = sitting.ask(TakeRequest(match=forked.match, seat=BLUE, invitation=own), TakenReply).token
        log = sitting.ask(LogRequest(match=forked.match, seat=BLUE, token=token), LogReply)

        assert ("for my eyes" in str(log)) == is_read
        assert [one.first for one in log.slices][1:] == [one.last + 1 for one in log.slices][:-1]


def test_a_fork_of_a_fork_does_not_disclose_cards_that_were_dealt_again(sitting: Sitting) -> None:
    """The forking player takes both seats, resigns, and then requests the original shared events."""
    between_commands(sitting)
    shared = sitting.since(RED).seq
    forked = sitting.ask(fork(sitting, RED), OpenedReply)
    own = {RED: sitting.tokens[RED], BLUE: ""}
    tokens = {
        seat: sitting.ask(TakeRequest(match=forked.match, seat=seat, invitation=own[seat]), TakenReply).token
        for seat in (RED, BLUE)
    }
    resign = Raw(b'{"do":"match:resign"}')
    sitting.ask(PlayRequest(match=forked.match, seat=RED, token=tokens[RED], command=resign), PlayedReply)

    def again(at: int, **more: object) -> ForkRequest:
        return ForkRequest(match=forked.match, seat=BLUE, token=tokens[BLUE], at=at, **more)  # type: ignore[arg-type]

    for more in ({}, {"hidden": "truth"}, {"hidden": "resample"}, {"dice": "same"}):
        for at in (shared, shared - 3):
            assert sitting.fail(again(at, **more)) == "fork_not_allowed"
    assert sitting.fail(again(shared + 1)) == "not_possible"
    later = sitting.ask(StateRequest(match=forked.match, seat=BLUE, token=tokens[BLUE]), StateReply).seq
    # The fork is over, but the match that it was forked from is not.
    assert sitting.fail(again(later - 2, hidden="truth")) == "fork_not_allowed"
    grandchild = sitting.ask(again(later - 2), OpenedReply)
    assert held(sitting, grandchild, BLUE, tokens[BLUE]) == held(sitting, forked, BLUE, tokens[BLUE])
    assert sitting.fail(StateRequest(match=grandchild.match, seat=RED, token=tokens[RED])) == "bad_token"
    assert "for my eyes" not in str(sitting.ask(LogRequest(match=grandchild.match), LogReply))


def test_the_arbiter_can_fork_without_restrictions(sitting: Sitting) -> None:
    for more in ({}, {"dice": "same"}, {"dice": "seeded", "seed": "9"}, {"dice": "manual"}, {"hidden": "resample"}):
        forked = sitting.ask(fork(sitting, ARBITER, **more), OpenedReply)

        assert audit_match(sitting.log, forked.match).clean


def test_every_seat_may_fork_an_ended_match(sitting: Sitting) -> None:
    sitting.random_match()
    forked = sitting.ask(fork(sitting, PUBLIC, at=30, dice="same", key="again"), OpenedReply)
    again = sitting.ask(fork(sitting, PUBLIC, at=30, dice="same", key="again"), OpenedReply)

    assert (again.match, again.repeated, forked.repeated) == (forked.match, True, False)
    assert audit_match(sitting.log, forked.match).clean


def held(sitting: Sitting, forked: OpenedReply, seat: Seat, token: str) -> tuple[str, ...]:
    """Return the hand of a seat of a fork."""
    asked = StateRequest(match=forked.match, seat=seat, token=token)
    return tuple(sitting.ask(asked, StateReply).table.pile(hand(seat)).cards)


def test_a_players_fork_of_a_running_match_keeps_the_seat_that_knows_the_hand_for_its_maker(sitting: Sitting) -> None:
    """The opponent finds the fork in the list, and would see the hand of the match that goes on."""
    between_commands(sitting)
    mine = sitting.state(RED).table.pile(hand(RED)).cards
    forked = sitting.ask(fork(sitting, RED), OpenedReply)
    line = forked.match

    for token in ("", sitting.tokens[BLUE]):
        assert sitting.ask(TakeRequest(match=line, seat=RED, invitation=token), FailedReply).refusal in (
            "seat_must_be_open",
            "invitation_must_hold",
        )
        assert sitting.fail(StateRequest(match=line, seat=RED, token=token)) in ("not_your_seat", "bad_token")
    assert held(sitting, forked, RED, sitting.tokens[RED]) == tuple(mine)
    sitting.ask(PlayRequest(match=line, seat=RED, token=sitting.tokens[RED], command=OPEN_NOTE), PlayedReply)
    new = sitting.ask(TakeRequest(match=line, seat=RED, name="Ada", invitation=sitting.tokens[RED]), TakenReply).token
    assert held(sitting, forked, RED, new) == tuple(mine)
    assert sitting.fail(StateRequest(match=line, seat=RED, token=sitting.tokens[RED])) == "bad_token"
    sitting.ask(TakeRequest(match=forked.match, seat=BLUE), TakenReply)
    assert audit_match(sitting.log, forked.match).clean


@pytest.mark.parametrize("hidden", ["truth", "resample"])
def test_an_arbiters_fork_of_a_running_match_keeps_all_seats_for_the_arbiter(sitting: Sitting, hidden: str) -> None:
    between_commands(sitting)
    hands = {seat: sitting.state(seat).table.pile(hand(seat)).cards for seat in (RED, BLUE)}
    forked = sitting.ask(fork(sitting, ARBITER, hidden=hidden), OpenedReply)
    for seat, cards in hands.items():
        stranger = TakeRequest(match=forked.match, seat=seat, name="Eve")

        assert sitting.ask(stranger, FailedReply).refusal == "seat_must_be_open"
        assert sitting.fail(StateRequest(match=forked.match, seat=seat, token=sitting.tokens[seat])) == "bad_token"
        assert held(sitting, forked, seat, OWNER) == tuple(cards)
    top = state_of(sitting, forked).top
    assert top is not None
    option = sitting.ask(LegalRequest(match=forked.match, seat=top.seat, token=OWNER), LegalReply).options[0]
    sitting.ask(PlayRequest(match=forked.match, seat=top.seat, token=OWNER, command=option.command), PlayedReply)
    invitation = credential("for Ben")
    reserve = Raw(encode(ReserveSeat(seat=RED, name="Ben", credential=invitation)))
    sitting.ask(PlayRequest(match=forked.match, seat=ARBITER, token=OWNER, command=reserve), PlayedReply)
    assert sitting.fail(StateRequest(match=forked.match, seat=RED, token=OWNER)) == "bad_token"
    sitting.ask(TakeRequest(match=forked.match, seat=RED, name="Ben", invitation="for Ben"), TakenReply)
    assert audit_match(sitting.log, forked.match).clean


def ended_fork(sitting: Sitting, maker: Seat) -> tuple[OpenedReply, int]:
    """Let a seat fork the running match, and let its opponent end the fork; return it with the last event before its end."""
    forked = sitting.ask(fork(sitting, maker), OpenedReply)
    blue = OWNER if maker == ARBITER else sitting.ask(TakeRequest(match=forked.match, seat=BLUE), TakenReply).token
    last = sitting.ask(StateRequest(match=forked.match, seat=PUBLIC), StateReply).seq
    resign = Raw(b'{"do":"match:resign"}')
    sitting.ask(PlayRequest(match=forked.match, seat=BLUE, token=blue, command=resign), PlayedReply)
    return forked, last


def test_the_end_of_a_fork_discloses_nothing_of_the_running_match(sitting: Sitting) -> None:
    """The opponent ends a fork of the other player, and forks it again to see that player's hand."""
    between_commands(sitting)
    forked, last = ended_fork(sitting, RED)
    for hidden in ("truth", "", "resample"):
        again = ForkRequest(match=forked.match, seat=PUBLIC, at=last, hidden=hidden)
        if hidden == "truth":
            assert sitting.fail(again) == "fork_not_allowed"
            continue
        line = sitting.ask(again, OpenedReply)
        token = sitting.ask(TakeRequest(match=line.match, seat=RED), TakenReply).token
        known = set(sitting.state(RED).table.pile(hand(RED)).cards)
        assert set(held(sitting, line, RED, token)) != known or len(known) < 2
        log = encode(sitting.ask(LogRequest(match=line.match, seat=RED, token=token), LogReply)).decode()
        shared = log[: log.index('"match-forked/1"')]
        assert not {card for card in known if f'"{card}"' in shared}


def test_the_end_of_an_arbiters_fork_does_not_free_the_seats_of_the_next_one(sitting: Sitting) -> None:
    between_commands(sitting)
    forked, last = ended_fork(sitting, ARBITER)
    again = ForkRequest(match=forked.match, seat=ARBITER, token=OWNER, at=last)

    assert set(state_of(sitting, sitting.ask(again, OpenedReply)).reserved) == {RED, BLUE}


@pytest.mark.parametrize("maker", [ARBITER, BLUE])
def test_private_notes_stay_private_in_forks_of_a_match_that_is_over(sitting: Sitting, maker: Seat) -> None:
    between_commands(sitting)
    sitting.random_match()
    forked = sitting.ask(fork(sitting, maker, at=30), OpenedReply)

    assert set(state_of(sitting, forked).reserved) == {BLUE}
    assert sitting.ask(TakeRequest(match=forked.match, seat=BLUE), FailedReply).refusal == "seat_must_be_open"


def test_the_seats_of_a_fork_that_tells_nothing_are_free(sitting: Sitting) -> None:
    sitting.play(ROLL)
    of_public = sitting.ask(fork(sitting, PUBLIC), OpenedReply)
    sitting.random_match()
    of_ended = sitting.ask(fork(sitting, ARBITER, at=30), OpenedReply)

    assert state_of(sitting, of_public).reserved == state_of(sitting, of_ended).reserved == {}


def test_the_players_of_a_match_are_not_those_of_its_fork(sitting: Sitting) -> None:
    forked = sitting.ask(fork(sitting, ARBITER), OpenedReply)
    old = StateRequest(match=forked.match, seat=RED, token=sitting.tokens[RED])

    assert sitting.fail(old) == "bad_token"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"dice": "loaded"}, "unknown_dice"),
        ({"hidden": "all"}, "unknown_name"),
        ({"at": 0}, "unknown_sequence"),
        ({"seed": "x"}, "setup_invalid"),
    ],
)
def test_an_impossible_fork_has_its_own_code(sitting: Sitting, more: dict[str, object], code: str) -> None:
    reply = sitting.ask(fork(sitting, ARBITER, **more), FailedReply)

    assert reply.code == code


def test_a_fork_point_is_in_the_requesting_seats_numbers(sitting: Sitting) -> None:
    sitting.play(PRIVATE, BLUE)
    sitting.random_match()
    seen = sitting.since(RED)
    at = seen.slices[-2].last
    forked = sitting.ask(fork(sitting, RED, at=at), OpenedReply)
    parent = [stored.hash for stored in sitting.log.read(sitting.match)]
    shared = [stored.hash for stored in sitting.log.read(forked.match)][:-1]

    assert shared == parent[: len(shared)]
    assert len(parent) - len(shared) == 1
