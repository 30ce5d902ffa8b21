"""Taking back: which commands a seat may take back, what is restored, and what stays visible and can be forked."""

from collections.abc import Iterator
from random import Random

import pytest

from core.match.live_match import Prepared, load_match
from core.match.undo import RecentCommand, RecentCommands, followed, has_fence, undoable, undone_by
from core.refusal import Refusal
from core.secrets.knowledge import Knowledge
from events.codec import Raw, encode
from events.commit import GENESIS, Commit, decode_commit
from events.ids import ARBITER, PUBLIC, AttributeKey, CardId, MatchId, PileId, RuleId, Seat, Side, TrackId
from events.vocabulary import (
    AttributeSet,
    CardMoved,
    ChanceScheme,
    CommandsUndone,
    DeckFormed,
    DiceRolled,
    Event,
    MatchBegan,
    MatchForked,
    NoteAdded,
    TrackMoved,
    TurnBegan,
)
from projections.snapshot import restore, take_snapshot
from projections.state.fold import evolve, fold
from projections.state.table import GamePart, Table
from projections.state.undo_history import SINCE_DROPPED, SINCE_MAX
from projections.state.view import SeatView, seat_number, seen_events
from projections.table_codec import decode_table, encode_table
from server.desk.automatic_answers import decide_chain
from server.protocol.replies import OpenedReply, TakenReply
from server.protocol.wire import OpenRequest, TakeRequest
from tests.support.desk import NOON, Desk, skirmish_listed
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.sitting import Sitting
from tests.support.skirmish import BLUE, RED, hand

UNDO = {"do": "match:undo"}
ROLL = {"do": "roll"}
STAND = {"do": "reply", "contest": False}
HIDE = {"do": "hide"}
HIDE_AT_CAMP = {"do": "hide-at", "place": "camp"}
HIDE_IN_FIELD = {"do": "hide-at", "place": "field"}
GAMES = (("skirmish", "field"), ("advance", "main"), ("battle", "standard"))


@pytest.fixture(autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield


def fog(dice: str = "seeded") -> tuple[Desk, Seat]:
    """Open a match of the test game in fog; return it with the seat whose turn it is."""
    desk = Desk.open("skirmish", dice=dice, options={"fog": True})
    assert desk.table.top is not None
    return desk, desk.table.top.seat


def other(seat: Seat) -> Seat:
    return BLUE if seat == RED else RED


def lying(table: Table) -> bytes:
    """Return the game part of a table as bytes."""
    return encode_table(Table(**{name: getattr(table, name) for name in GamePart.__struct_fields__}))


@each_row(("game", "scenario"), GAMES)
@each_row("seed", range(3))
def test_a_take_back_restores_the_game_part_of_every_seats_state(game: str, scenario: str, seed: int) -> None:
    """Judges 2, 3 and 4, over whole matches with take-backs of one command or several wherever possible."""
    playout = Playout(game, scenario, seed, given={"fog": True} if game == "skirmish" else None)
    desk, rng = playout.desk, Random(seed)
    watched = Watched(desk)
    undone = 0
    for _ in range(120):
        if desk.table.ended is not None:
            break
        desk.accept(playout.choose(desk.options()))
        watched.follow()
        for seat in desk.table.seats:
            steps = undoable(desk.table, desk.match.recent, seat).commands
            if steps and rng.random() < 0.3:
                step = rng.choice(steps)
                to = seat_number(desk.table, seat, step.before)
                desk.accept(UNDO if step == steps[-1] else {**UNDO, "to": to}, seat)
                watched.follow()
                undone += 1

                assert watched.states[desk.match.head.seq] == watched.states[step.before]
                break

    assert undone > 2
    assert fold(desk.events) == desk.table
    assert {seat: fold(seen_events(desk.events, seat)) for seat in watched.tables} == watched.tables
    loaded = load_match(desk.log, desk.match.id)
    for seat in desk.table.seats:
        assert undoable(loaded.table, loaded.recent, seat) == undoable(desk.table, desk.match.recent, seat)
    assert loaded.recent.undone_by == desk.match.recent.undone_by
    assert desk.audit().findings == ()


class Watched:
    """What every onlooker knows of a match, commit by commit; `states` holds the game part of each table after an event."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        onlookers = (*desk.table.seats, PUBLIC)
        self.views = {seat: SeatView(seat) for seat in onlookers}
        self.tables = {seat: Table() for seat in onlookers}
        self.states: dict[int, dict[Seat, bytes]] = {}
        self.seq = 0
        self.follow()

    def follow(self) -> None:
        """Show all onlookers the new commits."""
        for stored in self.desk.log.read(self.desk.match.id, self.seq):
            commit = decode_commit(stored.body)
            for seat, view in self.views.items():
                seen = view.take(commit.events, commit.at, commit.last)
                if seen is not None:
                    fold(seen.events, self.tables[seat])
            self.seq = commit.last
        self.states[self.seq] = {seat: lying(table) for seat, table in self.tables.items()}
        self.states[self.seq][ARBITER] = lying(self.desk.table)


# ACID 11: a placement taken back


def test_a_secret_choice_is_taken_back_without_telling_what_it_was() -> None:
    """ACID 11: the others see that a command was played and taken back, but not which; judge 1."""
    streams = []
    for choice in (HIDE_AT_CAMP, HIDE_IN_FIELD):
        desk, seat = fog()
        for command in (HIDE, choice):
            desk.accept(command)
        desk.accept(UNDO, seat)
        streams.append([encode(event) for event in seen_events(desk.events, other(seat))])

        assert desk.table.top is not None and desk.table.top.kind == "hide"
        assert desk.table.attributes == {}

    assert streams[0] == streams[1]
    assert b"commands-undone" in streams[0][-1]


def test_undone_events_can_be_forked_but_a_fork_takes_back_nothing_before_it() -> None:
    """ACID 11: forks at any event work, even at undone events; in the fork nothing before it can be taken back."""
    desk, seat = fog()
    start = desk.match.head.seq
    desk.accept(HIDE)
    hidden = desk.match.head.seq
    desk.accept(UNDO)
    for at in range(start, desk.match.head.seq + 1):
        fork = desk.fork(at, "seeded", f"fork-{at}")

        assert fork.refused(UNDO, seat) == "nothing_must_be_learned"
        assert fork.audit().findings == ()
        assert fork.table.top is not None
        assert fork.table.top.kind == ("turn" if at == start or at > hidden else "hide")


def test_a_command_that_a_fork_has_cut_cannot_be_taken_back_in_it() -> None:
    desk, seat = fog()
    desk.accept(HIDE)
    fork = desk.fork(desk.match.head.seq - 1, "seeded")

    assert fork.refused(UNDO, seat) == "nothing_must_be_learned"
    assert load_match(fork.log, fork.match.id).recent == fork.match.recent

    fork.accept(HIDE_AT_CAMP, seat)

    assert fork.refused({**UNDO, "to": desk.match.head.seq - 2}, seat) == "nothing_must_be_learned"


# ACID 12: private events of other seats


def test_taking_back_keeps_notes_seats_standing_answers_and_rulings() -> None:
    """ACID 12: only the game part is restored; refusals and numbers do not reveal that a private note exists."""
    told = []
    for has_note in (True, False):
        desk, seat = fog()
        opponent = other(seat)
        desk.accept(HIDE)
        if has_note:
            desk.accept({"do": "match:note", "text": "he hides", "private": True}, opponent)
            desk.accept({"do": "match:answer-always", "decision": "reply", "answer": encode(STAND).decode()}, opponent)
        desk.accept({"do": "match:ruling", "text": "So it is."}, ARBITER)
        desk.accept({"do": "match:leave-seat"}, opponent)
        desk.accept({"do": "match:take-seat", "seat": opponent, "credential": "c0ffee"}, opponent)
        desk.accept(HIDE_AT_CAMP)
        desk.accept(UNDO, seat)
        desk.accept({"do": "match:note", "text": "hm"}, seat)
        desk.accept(UNDO, seat)
        refusal = desk.ask(UNDO, seat)
        assert isinstance(refusal, Refusal)
        told.append((refusal, [encode(event) for event in seen_events(desk.events, seat)]))

        assert desk.table.top is not None and desk.table.top.kind == "turn"
        assert desk.table.credentials[opponent] == "c0ffee"
        assert len(desk.table.standing) == has_note
        assert desk.table.private_notes == ({opponent: 1} if has_note else {})
        assert fold(desk.events) == desk.table
        assert desk.audit().findings == ()

    assert told[0] == told[1]


def test_a_refused_take_back_does_not_reveal_a_standing_answer() -> None:
    """ACID 12: after a standing answer was played, a take-back is refused in the same words as after an answer by hand."""
    refusals = []
    for is_standing in (True, False):
        desk, seat = fog()
        if is_standing:
            answer = encode(STAND).decode()
            desk.accept({"do": "match:answer-always", "decision": "reply", "answer": answer}, other(seat))
        desk.accept(ROLL)
        commits = decide_chain(desk.match, desk.accept(STAND, other(seat)), NOON)
        desk.log.append([done.new for done in commits[1:]])
        refusals.append(desk.ask(UNDO, seat))

        assert isinstance(refusals[-1], Refusal)
        assert refusals[-1].code == "commands_must_be_own"

    assert refusals[0] == refusals[1]


# ACID 14: a draw in the middle, and the dice to come


@each_row("dice", ["seeded", "sealed"])
def test_taking_back_does_not_change_the_dice(dice: str) -> None:
    """ACID 14: taking back restores the chance position, so the next die is the same."""
    rolls = []
    for detour in ([], [HIDE, UNDO], [HIDE, UNDO, HIDE, UNDO]):
        desk, seat = fog(dice)
        for command in detour:
            desk.accept(command, seat)
        desk.accept(ROLL)
        rolls.append([event.faces for event in desk.events if isinstance(event, DiceRolled)])

        assert desk.audit().findings == ()

    assert rolls[0] == rolls[1] == rolls[2]


def test_a_command_with_a_draw_cannot_be_taken_back_but_later_ones_can() -> None:
    """ACID 14: a command after a draw can be taken back, the draw itself cannot, and never a part of a command."""
    desk, seat = fog()
    desk.accept({"do": "omen"})
    drawn = desk.match.head.seq
    opponent = other(seat)
    desk.accept(HIDE)
    desk.accept({**UNDO, "to": drawn}, opponent)

    assert desk.ask({**UNDO, "to": drawn - 1}, opponent) != desk.ask(UNDO, opponent)
    assert desk.refused(UNDO, opponent) == "nothing_must_be_learned"
    assert desk.refused({**UNDO, "to": drawn - 1}, opponent) == "event_must_end_command"


def test_cards_shown_from_a_hidden_hand_stay_shown() -> None:
    desk, seat = fog()
    card = desk.table.pile(hand(seat)).cards[0]
    desk.accept({"do": "play", "card": card})

    assert desk.refused(UNDO, seat) == "nothing_must_be_learned"


# ACID 15: taken back one by one


def test_commands_are_taken_back_one_by_one_or_together() -> None:
    """ACID 15: two commands are taken back one by one, and then both with one command."""
    desk, seat = fog()
    start = desk.match.head.seq
    before = lying(desk.table)
    desk.accept(HIDE)
    between = lying(desk.table)
    desk.accept(HIDE_AT_CAMP)
    desk.accept(UNDO, seat)

    assert lying(desk.table) == between

    desk.accept(UNDO, seat)

    assert lying(desk.table) == before
    assert desk.refused(UNDO, seat) == "nothing_must_be_learned"

    again = desk.match.head.seq
    desk.accept(HIDE)
    desk.accept(HIDE_AT_CAMP)
    desk.accept({**UNDO, "to": start}, seat)

    assert lying(desk.table) == before
    assert [event.to for event in desk.events if isinstance(event, CommandsUndone)] == [start + 2, start, again]


# ACID 19: until the opponent has begun


def test_a_command_can_be_taken_back_until_the_other_seat_has_decided() -> None:
    """ACID 19: "done" can be taken back until the first pick of the other seat."""
    desk, seat = fog()
    desk.accept(HIDE)
    desk.accept(HIDE_AT_CAMP)

    assert desk.table.top is not None and desk.table.top.seat == other(seat)
    assert isinstance(desk.ask(UNDO, seat), Prepared)

    desk.accept(HIDE)

    assert desk.refused(UNDO, seat) == "commands_must_be_own"
    assert desk.refused(UNDO, ARBITER) == "seat_must_play"
    assert isinstance(desk.ask(UNDO, other(seat)), Prepared)


# ACID 22: never after the end


def test_nothing_is_taken_back_before_play_or_after_the_end() -> None:
    desk = Desk.open("skirmish", seats=())

    assert desk.refused(UNDO, RED) == "match_must_be_running"

    desk, seat = fog()
    desk.accept(HIDE)
    desk.accept({"do": "match:resign"}, other(seat))

    assert desk.refused(UNDO, seat) == "match_must_be_running"


# ACID 32: attributes are restored with their lifetimes


def test_an_ended_attribute_is_restored_with_its_lifetime() -> None:
    """ACID 32: attributes that ended with a turn return when its end is taken back, and end again later."""
    key, rule = AttributeKey("moved"), RuleId("1")
    moved = AttributeSet(rule=rule, on="unit", key=key, value=True, until="turn")
    turn = TurnBegan(rule=rule, side=Side("blue"), was=Side("red"))
    table = fold([MatchBegan(rule=rule), moved, turn, CommandsUndone(rule=rule, seat=RED, to=2)])

    assert table.attribute("unit", key) is True
    assert fold([turn], table).attribute("unit", key) is None


# Snapshots and limits


def test_a_follower_that_joined_from_a_snapshot_can_fold_a_later_take_back() -> None:
    """ACID 13: a follower that joined after the command was played can apply its take-back."""
    desk, seat = fog()
    desk.accept(HIDE)
    for onlooker in (*desk.table.seats, PUBLIC):
        table = fold(seen_events(desk.events, onlooker))
        joined = decode_table(encode_table(table))
        fold([CommandsUndone(rule=RuleId("match.undo"), seat=seat, to=table.seq - 2)], joined)
        kept = restore(take_snapshot(table, desk.match.head.hash), table.seq)

        assert joined.top is not None and joined.top.kind == "turn"
        assert kept is not None and kept[0] == table


def test_how_far_back_a_take_back_reaches_is_bounded() -> None:
    """Events more than about 128 game events back may be out of reach, which the refusal says."""
    rule = RuleId("1")
    events: list[Event] = [MatchBegan(rule=rule)]
    events += [TrackMoved(rule=rule, track=TrackId("t"), to=number, was=number - 1) for number in range(1, 700)]
    whole, single = fold(events), Table()
    for event in events:
        evolve(single, event)
    assert whole == single
    assert whole.past is not None and SINCE_DROPPED <= len(whole.past.since) <= SINCE_MAX
    fold([CommandsUndone(rule=rule, seat=RED, to=len(events) - SINCE_DROPPED)], whole)

    assert whole.track(TrackId("t")) == 700 - 1 - SINCE_DROPPED
    with pytest.raises(KeyError, match="no undo history to event 3"):
        fold([CommandsUndone(rule=rule, seat=RED, to=3)], whole)
    assert undoable(whole, RecentCommands((RecentCommand(RED, 3),)), RED).refusal.code == "commands_must_be_recent"


def test_a_take_back_restores_what_an_onlooker_knows_of_hidden_cards() -> None:
    """ACID 11: commands that were taken back do not affect how a fork deals again."""
    rule, deck, held = RuleId("1"), PileId("deck"), PileId("held")
    opening: list[Event] = [
        MatchBegan(rule=rule),
        DeckFormed(rule=rule, deck=deck, count=2, cards=(CardId("a"), CardId("b"))),
        NoteAdded(rule=rule, seat=RED, text="psst", seen_by=(RED,)),
    ]
    left = CardMoved(rule=rule, card=CardId("a"), to=held, was=deck, seen_by=(RED,))
    plain = Knowledge((RED, BLUE), (), opening)
    known = Knowledge((RED, BLUE), (), [*opening, left, CommandsUndone(rule=rule, seat=RED, to=3)])
    for seat in (RED, BLUE, ARBITER):
        one, other_ = plain.of(seat), known.of(seat)

        assert lying(one.table) == lying(other_.table)
        assert (one.lost, one.groups) == (other_.lost, other_.groups)
        assert {group: +count for group, count in one.stock.items() if +count} == {
            group: +count for group, count in other_.stock.items() if +count
        }
    assert Knowledge((RED, BLUE), (), [*opening, left]).of(BLUE).lost


# ACID 13: the answer to a question that was taken back


def test_an_answer_that_crossed_a_take_back_is_refused() -> None:
    """ACID 13: an answer names the question that it answers; without a name it is refused after a take-back."""
    sitting = Sitting()
    hide, back, roll = Raw(encode(HIDE)), Raw(encode(UNDO)), Raw(b'{"do":"roll"}')
    opened = sitting.ask(OpenRequest(game="skirmish", dice="seeded", seed="3", options={"fog": True}), OpenedReply)
    sitting.match = opened.match
    for seat in opened.seats:
        sitting.tokens[seat] = sitting.ask(TakeRequest(match=opened.match, seat=seat), TakenReply).token
    mover = sitting.legal(RED).to_move
    opponent = other(mover)

    sitting.play(hide, mover)
    sitting.play(Raw(encode(HIDE_AT_CAMP)), mover)
    seen = sitting.legal(opponent)

    assert seen.to_move == opponent
    assert sitting.legal(mover).undo_to is not None
    assert seen.undo_to is None

    sitting.play(back, mover)
    sitting.play(Raw(encode(HIDE_IN_FIELD)), mover)

    assert sitting.fail(sitting.command(roll, opponent, expected=seen.seq)) == "lost_race"
    assert sitting.fail(sitting.command(roll, opponent)) == "lost_race"

    sitting.play(roll, opponent, expected=sitting.legal(opponent).seq)
    sitting.play(Raw(encode(STAND)), mover)


def test_answers_must_name_their_question_after_a_take_back_even_after_notes_and_reloading() -> None:
    """ACID 13: after a take-back, the other seats' answers must name their question until one of them has decided.

    Notes and rulings are not decisions.
    """
    desk, seat = fog()
    desk.accept(HIDE)
    desk.accept(UNDO, seat)
    desk.accept({"do": "match:note", "text": "hm"}, other(seat))
    desk.accept({"do": "match:ruling", "text": "So it is."}, ARBITER)

    assert load_match(desk.log, desk.match.id).recent.undone_by == desk.match.recent.undone_by == seat

    desk.accept(ROLL, seat)

    assert load_match(desk.log, desk.match.id).recent.undone_by == desk.match.recent.undone_by == seat

    desk.accept(STAND, other(seat))

    assert load_match(desk.log, desk.match.id).recent.undone_by == desk.match.recent.undone_by == ""


def test_a_fence_lies_behind_every_event_before_it_and_not_behind_itself() -> None:
    desk, _ = fog()
    assert desk.table.past is not None
    fence = desk.table.past.seq

    assert not has_fence(desk.table, fence)
    assert has_fence(desk.table, fence - 1)

    desk.accept(HIDE)

    assert desk.table.past.seq == fence
    assert not has_fence(desk.table, fence)
    assert has_fence(desk.table, fence - 1)


def test_a_card_shown_from_a_hidden_pile_is_a_fence_although_nothing_else_is_hidden() -> None:
    rule, hand, card = RuleId("r"), PileId("hand"), CardId("a")
    formed = DeckFormed(rule=rule, deck=hand, cards=(card,), count=1, seen_by=(RED,))
    rolled = DiceRolled(rule=rule, faces=(1,), purpose="p")
    shown = CardMoved(rule=rule, card=card, to=PileId("shown"), was=hand)
    table = fold([formed, rolled, shown], Table(seats=(RED, BLUE)))

    assert has_fence(table, 2)
    assert not has_fence(table, 3)


DEEDS: dict[str, Event] = {
    "decides": TrackMoved(rule=RuleId("r"), track=TrackId("t"), to=1, was=0),
    "rolls": DiceRolled(rule=RuleId("r"), faces=(1,), purpose="p"),
    "takes back": CommandsUndone(rule=RuleId("r"), seat=RED, to=0),
    "notes": NoteAdded(rule=RuleId("r"), seat=RED, text="n"),
    "forks": MatchForked(
        rule=RuleId("r"), parent=MatchId("p"), at=1, chance=ChanceScheme(scheme="manual/1"), hidden="truth", seat=RED
    ),
}


@each_row("seed", range(20))
def test_which_seat_has_gone_back_is_the_same_from_the_front_and_from_the_end(seed: int) -> None:
    """A match that goes on follows its commits; one that is loaded reads them from the last one on."""
    random = Random(seed)
    told = [(random.choice((RED, BLUE)), random.choice(list(DEEDS))) for _ in range(8)]
    commits = [
        Commit(
            match=MatchId("m"),
            first=number,
            prev=GENESIS,
            at=NOON,
            seat=seat,
            key=f"k-{number}",
            command=Raw(b"{}"),
            events=(DEEDS[deed],),
        )
        for number, (seat, deed) in enumerate(told, start=1)
    ]
    begin = max((number for number, (_, deed) in enumerate(told) if deed == "forks"), default=0)
    backs = [number for number, (_, deed) in enumerate(told) if deed == "takes back" and number >= begin]
    back = told[backs[-1]][0] if backs else ""
    since = {seat for seat, deed in told[backs[-1] + 1 :] if deed in ("decides", "rolls")} if backs else set()
    expected = back if since <= {back} else ""

    assert undone_by(reversed(commits)) == followed(commits).undone_by == expected
