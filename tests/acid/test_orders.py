"""Orders: ordinary commands that are appended together, up to the first one that discloses information."""

from core.audit.match_audit import audit_match
from core.history.match_reader import read_match
from events.codec import Raw, encode
from events.commit import Commit, decode_commit
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Log
from events.vocabulary import CommandsUndone, MatchEnded
from projections.state.fold import fold
from projections.state.table import Table
from server.protocol.replies import FailedReply, OpenedReply, PlayedReply, Reply
from server.protocol.wire import ForkRequest, PlayRequest, RedoRequest
from tests.acid.orders_game import BLUE, BLUES, CITY, LOST, MINE, RED
from tests.support.rows import each_row
from tests.support.sitting import FaultyLog, Sitting

Wish = dict[str, object]

UNDO: Wish = {"do": "match:undo"}
SHELL: Wish = {"do": "shell"}
PARLEY: Wish = {"do": "parley"}
TERMS: Wish = {"do": "terms"}


def leave(first: int, second: int, gate: str = "east") -> Wish:
    return {"do": "leave", "units": [f"infantry-{first}", f"infantry-{second}"], "gate": gate}


def lose(unit: int) -> Wish:
    return {"do": "lose", "unit": f"infantry-{unit}"}


FOUR_LEAVE = [leave(1, 2), lose(1), leave(3, 4), lose(4)]


class Sally(Sitting):
    """A match of the made-up game after blue has mined a gate."""

    def __init__(self, mined: str = "west", log: Log | None = None) -> None:
        super().__init__(log, game="sally")
        self.play(Raw(encode({"do": "mine", "gate": mined})), BLUE, key="mine")

    def order(self, *wishes: object, seat: Seat = RED, key: str = "", expected: int | None = None) -> Reply:
        """Send an order."""
        return self.desk.handle(self.command(Raw(encode(list(wishes))), seat, key, expected))

    def one(self, wish: Wish, seat: Seat = RED) -> Reply:
        """Send a command."""
        return self.desk.handle(self.command(Raw(encode(wish)), seat))

    @property
    def commits(self) -> list[Commit]:
        """The commits of the match."""
        return [decode_commit(stored.body) for stored in self.log.read(self.match)]

    @property
    def table(self) -> Table:
        """The true table."""
        return self.state(ARBITER).table


def failed(reply: Reply) -> tuple[str, str, int | None]:
    assert isinstance(reply, FailedReply), reply
    return reply.code, reply.refusal, reply.number


def carried_out(reply: Reply) -> tuple[int, int]:
    """Return how many commits a seat was shown, and how many commands of the order were left."""
    assert isinstance(reply, PlayedReply), reply
    return len(reply.slices), reply.left


def test_an_order_equals_its_commands_sent_one_by_one() -> None:
    """ACID 15: each command, including the answers about losses, becomes an ordinary commit; judges 2 and 3."""
    together, apart = Sally(), Sally()
    reply = together.order(*FOUR_LEAVE)
    for wish in FOUR_LEAVE:
        assert isinstance(apart.one(wish), PlayedReply)

    assert carried_out(reply) == (4, 0)
    assert [(one.seat, one.command, one.events) for one in together.commits] == [
        (one.seat, one.command, one.events) for one in apart.commits
    ]
    assert together.table.pieces_at(CITY) == ("infantry-5",)
    assert together.table.track(LOST) == 2
    assert fold(event for commit in together.commits for event in commit.events) == together.table
    assert audit_match(together.log, together.match).findings == ()
    for seat in (RED, BLUE, PUBLIC):
        assert [one.events for one in together.since(seat).slices] == [one.events for one in apart.since(seat).slices]


def test_an_order_is_appended_in_one_step() -> None:
    """ACID 15: no other command can be written between two commands of an order."""
    log = FaultyLog()
    sally = Sally(log=log)
    steps, count = log.steps, len(log.kept)
    sally.order(*FOUR_LEAVE)

    assert (log.steps, len(log.kept)) == (steps + 1, count + 4)


def test_an_order_is_refused_whole_and_the_refusal_names_the_first_illegal_command() -> None:
    """ACID 15: the fifth unit has no partner, so no unit leaves."""
    sally = Sally()
    before = sally.commits
    alone: Wish = {"do": "leave", "units": ["infantry-5"], "gate": "east"}
    reply = sally.order(*FOUR_LEAVE, alone, leave(1, 2))

    assert failed(reply) == ("refused", "units_must_be_paired", 5)
    assert isinstance(reply, FailedReply) and reply.message == "command 5 of the order: Units leave in pairs."
    assert failed(sally.order(leave(2, 3))) == ("refused", "answer_must_fit", None)
    assert failed(sally.order(lose(1), leave(1, 2))) == ("refused", "answer_must_fit", 1)
    assert sally.commits == before
    assert carried_out(sally.order(*FOUR_LEAVE)) == (4, 0)


@each_row(
    ("wishes", "number"),
    [((1,), 1), ((1, 2, lose(1)), 1), ((leave(1, 2), 1), 2), ((leave(1, 2), "x"), 2), ((None,), 1)],
)
def test_an_order_holds_nothing_but_commands(wishes: tuple[object, ...], number: int) -> None:
    """A number is that of an option at one moment, and an order goes on to others."""
    sally = Sally()
    before = sally.commits

    assert failed(sally.order(*wishes, expected=before[-1].last)) == ("malformed", "", number)
    assert sally.commits == before


def test_a_question_is_answered_before_the_next_command() -> None:
    sally = Sally()

    assert failed(sally.order(leave(1, 2), leave(3, 4))) == ("refused", "answer_must_fit", 2)


def test_an_order_may_end_with_a_command_that_discloses_information() -> None:
    sally = Sally()

    assert carried_out(sally.order(leave(1, 2), lose(1), SHELL)) == (3, 0)


def test_an_order_stops_after_dice_and_at_the_end_of_the_match() -> None:
    """ACID 15, 22: the remaining commands are counted but neither checked nor carried out."""
    dice, end = Sally(), Sally()

    assert carried_out(dice.order(leave(1, 2), lose(1), SHELL, leave(3, 4), lose(9))) == (3, 2)
    assert dice.table.pieces_at(CITY) == ("infantry-3", "infantry-4", "infantry-5")
    assert carried_out(end.order({"do": "yield"}, SHELL)) == (1, 1)
    assert isinstance(end.commits[-1].events[-1], MatchEnded)


def test_a_refused_order_does_not_disclose_a_mine() -> None:
    """ACID 15: otherwise a refused order could locate a hidden mine at no cost; judge 1.

    An order with an illegal last command is refused at a gate without a mine; at a mined gate the pair leaves and finds the mine.
    """
    free, mined = Sally(), Sally("east")
    probe = [leave(1, 2), {"do": "mine", "gate": "east"}]

    assert failed(free.order(*probe)) == ("refused", "answer_must_fit", 2)
    assert carried_out(mined.order(*probe)) == (1, 1)
    assert mined.state(BLUE).table.attribute(BLUES, MINE) == mined.state(RED).table.attribute(BLUES, MINE) == "east"
    assert failed(mined.one(UNDO)) == ("refused", "nothing_must_be_learned", None)


def test_an_order_does_not_tell_whether_the_other_seat_has_a_standing_answer() -> None:
    """ACID 12: an order stops at a question to the other seat, with or without a standing answer."""
    replies = []
    for has_answer in (False, True):
        sally = Sally()
        if has_answer:
            sally.one({"do": "match:answer-always", "decision": "terms", "answer": encode(TERMS).decode()}, BLUE)
        replies.append(encode(sally.order(PARLEY, SHELL)))
        at_the_end = sally.order(leave(1, 2), lose(2), PARLEY)

        assert carried_out(at_the_end) == (4 if has_answer else 3, 0)

    assert replies[0] == replies[1]


def test_a_standing_answer_does_not_answer_questions_inside_its_own_seats_order() -> None:
    """The order itself answers the questions that it causes; a standing answer applies only after its end."""
    sally = Sally()
    sally.one({"do": "match:answer-always", "decision": "loss", "answer": encode(lose(3)).decode()})

    assert carried_out(sally.order(leave(1, 2), lose(1), leave(3, 4))) == (4, 0)
    assert sorted(sally.table.pieces) == ["infantry-2", "infantry-4", "infantry-5"]


def test_an_order_is_taken_back_and_put_back_as_it_was_sent() -> None:
    """ACID 15: one event takes back what was sent last, an order or a command; a part of an order goes by its number."""
    sally = Sally()
    sally.order(*FOUR_LEAVE[:2])
    sally.order(*FOUR_LEAVE[2:])
    ends = [commit.last for commit in sally.commits[-5:]]
    for end in (ends[2], ends[0]):
        assert isinstance(sally.one(UNDO), PlayedReply)
        assert sally.table.game_part() == sally.state(ARBITER, end).table.game_part()
    assert failed(sally.one(UNDO))[0] == "refused"
    assert sum(isinstance(commit.events[0], CommandsUndone) for commit in sally.commits) == 2
    for end in (ends[2], ends[4]):
        redo = RedoRequest(match=sally.match, seat=RED, token=sally.tokens[RED], key=f"redo-{end}")
        assert carried_out(sally.desk.handle(redo)) == (2, 0)
        assert sally.table.game_part() == sally.state(ARBITER, end).table.game_part()
    # Put back, it is one order again.
    assert isinstance(sally.one({**UNDO, "to": sally.commits[-2].last}), PlayedReply)
    assert sally.table.game_part() == sally.state(ARBITER, ends[3]).table.game_part()
    assert isinstance(sally.one(UNDO), PlayedReply)

    assert sally.table.game_part() == sally.state(ARBITER, ends[2]).table.game_part()
    assert audit_match(sally.log, sally.match).findings == ()


def test_a_fork_may_cut_between_any_two_commands_of_an_order() -> None:
    """ACID 15: a fork inside a command completes that command, but not the rest of the order; judges 3 and 5."""
    sally = Sally()
    sally.order(*FOUR_LEAVE)
    for commit in sally.commits[-4:]:
        for at in range(commit.first, commit.last + 1):
            request = ForkRequest(
                match=sally.match,
                seat=ARBITER,
                token=sally.tokens[ARBITER],
                at=at,
                dice="seeded",
                seed="7",
                key=f"{at}",
            )
            forked = sally.ask(request, OpenedReply).match

            assert read_match(sally.log, forked).table.pieces == sally.state(ARBITER, commit.last).table.pieces
            assert audit_match(sally.log, forked).findings == ()


def test_an_order_has_one_idempotency_key() -> None:
    """A repeated order gets the same reply, with standing answers and the number of remaining commands, and has no effect."""
    sally = Sally()
    sally.one({"do": "match:answer-always", "decision": "terms", "answer": encode(TERMS).decode()}, BLUE)
    asked = (
        [leave(1, 2), lose(1), PARLEY],
        [leave(3, 4), lose(3), SHELL, PARLEY, PARLEY],
        [SHELL, SHELL],
    )
    for number, wishes in enumerate(asked):
        first = sally.order(*wishes, key=f"order-{number}")
        count = len(sally.commits)
        again = sally.order(*wishes, key=f"order-{number}")

        assert isinstance(first, PlayedReply) and isinstance(again, PlayedReply)
        assert (again.slices, again.seq, again.left) == (first.slices, first.seq, first.left)
        assert (first.repeated, again.repeated) == (False, True)
        assert len(sally.commits) == count
    assert failed(sally.order(SHELL, SHELL, seat=BLUE, key="order-0"))[0] in ("key_used", "refused")


def test_the_expected_event_applies_to_the_first_command_of_an_order() -> None:
    sally = Sally()
    seq = sally.state(RED).seq

    assert failed(sally.order(*FOUR_LEAVE, expected=seq - 1))[0] == "lost_race"
    assert carried_out(sally.order(*FOUR_LEAVE, expected=seq)) == (4, 0)


def test_an_order_holds_one_to_64_commands_of_the_game() -> None:
    sally = Sally()
    note: Wish = {"do": "match:note", "text": "n"}

    assert failed(sally.order()) == ("malformed", "", None)
    assert failed(sally.order(*[SHELL] * 65)) == ("malformed", "", None)
    assert failed(sally.order(SHELL, 1)) == ("malformed", "", 2)
    assert failed(sally.order(SHELL, note)) == ("malformed", "", 2)
    assert failed(sally.order(SHELL, UNDO)) == ("malformed", "", 2)
    assert failed(sally.order(SHELL, {"do": "no-such"})) == ("malformed", "", 2)
    request = PlayRequest(
        match=sally.match, seat=RED, token=sally.tokens[RED], command=Raw(encode([SHELL, SHELL])), dice=(1,)
    )
    assert sally.fail(request) in ("malformed", "dice_impossible")


def test_a_late_order_does_not_answer_a_question_that_was_taken_back() -> None:
    """ACID 13: like a late command, a late order must name the question that it answers."""
    sally = Sally()
    sally.one(PARLEY)
    sally.one(UNDO)

    assert failed(sally.order(TERMS, TERMS, seat=BLUE))[0] == "lost_race"


def test_the_commits_of_an_order_carry_the_id_of_the_match() -> None:
    sally = Sally()
    sally.order(*FOUR_LEAVE, key="k")

    assert {commit.match for commit in sally.commits} == {MatchId(sally.match)}
    assert [commit.key for commit in sally.commits[-4:]] == ["k", "k/0/2", "k/0/3", "k/0/4"]
