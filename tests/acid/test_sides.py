"""Sides own pieces, seats decide: partners, sides without a seat, an auction, and decisions about another side's pieces."""

import json
from pathlib import Path

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.errors import SetupInvalid, UnknownName
from core.match.match_creation import Opening, open_match
from core.refusal import Refusal
from core.registry.games import load_game
from events.codec import encode
from events.ids import NO_SEAT, PUBLIC, MatchId, PieceId, RuleId, Seat
from events.vocabulary import (
    DecisionOpened,
    DiceRolled,
    MatchEnded,
    MatchOpened,
    SideAssigned,
    StandingAnswerGiven,
    TurnBegan,
)
from projections.diff import WordDiff, diff_tables
from projections.state.fold import fold
from projections.state.table import Standing
from projections.state.view import seen_events
from server.protocol.errors import RequestFailed
from tests.acid.sides_game import (
    ALLIES,
    AXIS,
    BLUE,
    CAMP,
    CAPTURED_BY,
    CITY,
    EXTRA_TURNS,
    MONEY,
    NORTH,
    RIVER,
    SOUTH,
    YELLOW,
    Assault,
    Extra,
    Go,
    Offer,
    hand,
)
from tests.cli.running import Terminal
from tests.support.desk import NOON, Desk
from tests.support.rows import each_row
from tests.support.served import client_of, eventually, served

UNDO = {"do": "match:undo"}
PANZERS = [f"panzer-{number}" for number in range(6)]
STAY = Go()


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """Return a terminal with an empty store."""
    return Terminal(tmp_path / "store.db")


def go(name: str) -> Go:
    """Return the command that moves a unit."""
    return Go(PieceId(name))


def asked(desk: Desk) -> tuple[str, Seat]:
    """Return the kind of the open question and the seat that is asked."""
    assert desk.table.top is not None
    return desk.table.top.kind, desk.table.top.seat


def stream(desk: Desk, seat: Seat) -> list[bytes]:
    """Return a seat's stream as bytes."""
    return [encode(event) for event in seen_events(desk.events, seat)]


def judge(desk: Desk) -> None:
    """Check that the fold of the log is the live table, the audit is clean, and forks at every event before the end agree with the match."""
    events = desk.events
    assert fold(events) == desk.table
    assert desk.audit().clean
    tables = {commit.last: fold(events[: commit.last]) for commit in desk.commits}
    ended = next((seq for seq, event in enumerate(events, 1) if isinstance(event, MatchEnded)), len(events) + 1)
    for at in range(1, ended):
        fork = desk.fork(at, dice="same", name=f"{desk.match.id}-{at}")
        last = next(last for last in tables if last >= at)
        assert diff_tables(fork.table, tables[last]).is_empty


def auctioned(accepting: Seat = SOUTH, *cards: str) -> Desk:
    """Auction the Allies for 5 with typed dice: one seat bids 5, the other accepts and plays the Axis."""
    desk = Desk.open("coalition", mode="auction", dice="manual", name=f"to-{accepting}-{'-'.join(cards)}")
    desk.accept(
        {"do": "match:begin"}, NORTH, dice=[6 if accepting == SOUTH else 1], draws=cards or ("card-1", "card-2")
    )
    for amount in (2, 4, 5):
        desk.accept(Offer(amount))
    desk.accept(Offer(0), draws=("card-6",))
    return desk


# 16


@each_row("accepting", [NORTH, SOUTH])
def test_an_auction_records_which_side_each_seat_plays(accepting: Seat) -> None:
    """ACID 16: the record holds the die, the bids, then each seat's side; the accepting seat plays the Axis and gets the bid."""
    desk = auctioned(accepting)
    bidding = NORTH if accepting == SOUTH else SOUTH
    opened = desk.events[0]
    dice = [event for event in desk.events if isinstance(event, DiceRolled)]

    assert isinstance(opened, MatchOpened)
    assert (opened.sides, opened.seats, opened.plays) == ((AXIS, ALLIES), (NORTH, SOUTH), {})
    assert [die.purpose for die in dice] == ["who bids first"]
    assert [(event.seat, event.side, event.was) for event in desk.events if isinstance(event, SideAssigned)] == [
        (accepting, AXIS, ""),
        (bidding, ALLIES, ""),
    ]
    assert (desk.table.seat_of(AXIS), desk.table.seat_of(ALLIES)) == (accepting, bidding)
    assert (desk.table.track(MONEY), asked(desk)) == (5, ("orders", accepting))
    judge(desk)


def test_a_seat_keeps_its_belongings_when_its_side_is_assigned() -> None:
    """ACID 16: credentials and hands belong to the seat; the audience of earlier events does not change."""
    desk = Desk.open("coalition", mode="auction", seats=())
    for number, seat in enumerate((NORTH, SOUTH), start=1):
        secret = {"credential": str(number) * 64}
        desk.accept({"do": "match:take-seat", "seat": seat, "name": str(seat), **secret}, seat)
    before, known = desk.table, {seat: stream(desk, seat) for seat in (NORTH, SOUTH, PUBLIC)}
    desk.accept(Offer(1))
    desk.accept(Offer(0))
    after = desk.table

    assert before.plays == {} != after.plays
    assert (after.seats, after.credentials) == (before.seats, before.credentials)
    for seat, stream_before in known.items():
        assert stream(desk, seat)[: len(stream_before)] == stream_before
    for seat, other in ((NORTH, SOUTH), (SOUTH, NORTH)):
        view = fold(seen_events(desk.events, seat))
        assert set(before.pile(hand(seat)).cards) <= set(view.pile(hand(seat)).cards)
        assert view.pile(hand(other)).cards == ()


def test_players_keep_their_secrets_and_topics_through_the_auction() -> None:
    """ACID 16: over a server, each client keeps its secret and continues to receive the topics that it followed before."""
    with served() as broker, client_of(broker) as north, client_of(broker) as south:
        match = north.open("coalition", mode="auction").match
        players = {NORTH: north, SOUTH: south}
        for seat, client in players.items():
            client.take_seat(match, seat, share=False)
        with north.follow(match, NORTH) as heard:
            heard.confirm()
            for amount in (1, 0):
                bidder = north.state(match, PUBLIC).table.top
                assert bidder is not None
                players[bidder.seat].play(match, bidder.seat, Offer(amount))
            attacker = south.state(match, SOUTH).table.seat_of(AXIS)
            players[attacker].play(match, attacker, Assault())
            eventually(lambda: heard.next(0.1) is None, "all was heard")

            assert players[attacker].legal(match, attacker).decision == "advance"
            assert heard.table == north.state(match, NORTH).table
            assert south.state(match, SOUTH).table.pile(hand(NORTH)).cards == ()
        with pytest.raises(RequestFailed, match="secret"):
            south.state(match, NORTH)


@each_row("watching", [SOUTH, PUBLIC])
def test_the_cards_of_a_seat_without_a_side_are_secret(watching: Seat) -> None:
    """ACID 16: two auctions that differ only in north's card look the same to the others, even after the sides are assigned."""
    one, other = auctioned(NORTH, "card-1", "card-2"), auctioned(NORTH, "card-3", "card-2")

    def shown(desk: Desk) -> list[bytes]:
        return [line.replace(desk.match.id.encode(), b"m") for line in stream(desk, watching)]

    assert shown(one) == shown(other)
    assert stream(one, NORTH) != stream(other, NORTH)


def test_a_bid_can_be_taken_back_until_it_is_answered() -> None:
    """ACID 16: the other seat's bid prevents it; accepting can be taken back together with the sides."""
    desk = Desk.open("coalition", mode="auction", dice="manual")
    desk.accept({"do": "match:begin"}, NORTH, dice=[6], draws=("card-1", "card-2"))
    before = desk.table
    desk.accept(Offer(3))
    desk.accept(UNDO, NORTH)

    assert (desk.table.stack, desk.table.plays) == (before.stack, {})
    desk.accept(Offer(1))
    desk.accept(Offer(2))
    assert isinstance(desk.ask(UNDO, NORTH), Refusal)
    judge(desk)


def test_a_seat_that_resigns_before_it_plays_a_side_loses_to_the_other_seats() -> None:
    """ACID 16: the other seat wins, although no side does."""
    desk = Desk.open("coalition", mode="auction")
    desk.accept({"do": "match:resign"}, NORTH)

    ended = desk.events[-1]
    assert isinstance(ended, MatchEnded)
    assert (ended.winners, ended.winning_seats) == ((), (SOUTH,))


POSITION = 'format = "wardiary-position/1"\ngame = "coalition"\n'


def test_a_position_may_begin_after_the_auction() -> None:
    """ACID 16: the position assigns the sides that the mode leaves open, and the first event records this."""
    settled = POSITION + 'mode = "auction"\nplays = { north = "allies", south = "axis" }\n'
    desk = Desk.open("coalition", position=settled)
    opened = desk.events[0]

    assert isinstance(opened, MatchOpened)
    assert (opened.mode, opened.plays) == ("auction", {NORTH: ALLIES, SOUTH: AXIS})
    assert asked(desk) == ("orders", SOUTH)
    judge(desk)


@each_row(
    ("plays", "mode", "words"),
    [
        ('{ west = "axis" }', "auction", "no seat without a side in this mode is called 'west'"),
        ('{ north = "allies" }', "duel", "no seat without a side in this mode is called 'north'"),
        ('{ north = "neutrals" }', "auction", "no side of coalition is called 'neutrals'"),
    ],
)
def test_a_position_assigns_only_sides_that_the_mode_leaves_open(plays: str, mode: str, words: str) -> None:
    """ACID 16: all defects are reported before a match is opened."""
    opening = Opening(game="coalition", mode=mode, position=f"{POSITION}plays = {plays}\n", dice="manual")

    with pytest.raises(SetupInvalid, match=words):
        open_match(MatchId("m"), opening, key="open", at=NOON)


def test_a_position_names_the_partner_whose_turn_it_is() -> None:
    """ACID 17: a position names the seat as well as the side."""
    desk = Desk.open("coalition", position=f'{POSITION}turn = "axis"\nturn_seat = "blue"\n')

    assert (desk.table.turn, desk.table.turn_seat, asked(desk)) == (AXIS, BLUE, ("orders", BLUE))


# 17


def co_op(name: str = "m1") -> Desk:
    """Open a match of two partners against the rules."""
    return Desk.open("coalition", name=name)


def played_out(desk: Desk, *first: Go) -> Desk:
    """Take the city with these units in the first turn; then end the match as soon as possible."""
    for command in (Assault(), *first):
        desk.accept(command)
    while desk.table.ended is None:
        kind, _ = asked(desk)
        desk.accept(Extra(take=False) if kind == "extra" else desk.options()[-1])
    return desk


def test_partners_share_an_army_and_have_separate_hands() -> None:
    """ACID 17: units and places belong to the side, hands and credit to the seat; turns name the side and its seat."""
    desk = co_op()
    desk.accept(Assault())
    desk.accept(go("panzer-0"))
    desk.accept(STAY)
    desk.accept(STAY)
    while asked(desk) != ("orders", BLUE):
        desk.accept(desk.options()[0])
    turns = [
        (event.side, event.seat, event.was, event.seat_was) for event in desk.events if isinstance(event, TurnBegan)
    ]
    views = {seat: fold(seen_events(desk.events, seat)) for seat in (YELLOW, BLUE, PUBLIC)}

    assert {desk.table.pieces[PieceId(panzer)].side for panzer in PANZERS} == {AXIS}
    assert desk.table.control == {CITY: AXIS}
    assert desk.table.attribute(CITY, CAPTURED_BY) == YELLOW
    assert turns == [(AXIS, YELLOW, "", ""), (ALLIES, "", AXIS, YELLOW), (AXIS, BLUE, ALLIES, "")]
    for seat, other in ((YELLOW, BLUE), (BLUE, YELLOW)):
        assert len(views[seat].pile(hand(seat)).cards) == 1
        assert (views[seat].pile(hand(other)).cards, views[seat].pile(hand(other)).count) == ((), 1)
        assert views[seat].pieces == desk.table.pieces
    judge(desk)


def test_a_side_without_a_seat_can_win() -> None:
    """ACID 17: the Allies, played by the rules, win if the city is not taken."""
    desk = co_op()
    desk.accept({"do": "match:resign"}, BLUE)

    assert desk.table.ended is not None
    assert (desk.table.seats_of(ALLIES), desk.table.ended.winners, desk.table.ended.winning_seats) == (
        (),
        (ALLIES,),
        (),
    )


def test_a_partner_does_not_win_when_the_other_resigns() -> None:
    """ACID 17: a seat resigns for its side, and all other sides win."""
    against_rules, duel = co_op(), Desk.open("coalition", mode="duel")
    against_rules.accept({"do": "match:resign"}, YELLOW)
    duel.accept({"do": "match:resign"}, NORTH)
    ends = [desk.table.ended for desk in (against_rules, duel)]

    assert [(end.winners, end.winning_seats) for end in ends if end is not None] == [
        ((ALLIES,), ()),
        ((ALLIES,), (SOUTH,)),
    ]
    assert against_rules.audit().clean


@each_row(("first", "winner"), [((go("panzer-0"), STAY, go("panzer-1")), YELLOW), ((STAY, go("panzer-1")), BLUE)])
def test_of_two_partners_one_wins(first: tuple[Go, ...], winner: Seat) -> None:
    """ACID 17: their side wins by holding the city, and of its seats the one that took it."""
    desk = played_out(co_op(), *first)

    assert desk.table.ended is not None
    assert (desk.table.ended.winners, desk.table.ended.winning_seats) == ((AXIS,), (winner,))
    judge(desk)


def test_a_fork_by_one_partner_deals_the_others_hand_again() -> None:
    """ACID 17: blue's fork keeps blue's state but may change yellow's hand, and can be played on."""
    desk = co_op()
    seen = fold(seen_events(desk.events, BLUE))
    hands = set()
    for number in range(8):
        fork = desk.fork(
            len(desk.events), hidden="resample", seat=BLUE, seed=f"{number:064x}", name=f"by-blue-{number}"
        )
        hands.add(fork.table.pile(hand(YELLOW)).cards)
        assert diff_tables(fold(seen_events(fork.events, BLUE)), seen).is_empty
        fork.accept(Assault())

    assert len(hands) > 1


def test_a_difference_of_seats_and_sides_is_shown() -> None:
    """ACID 17: a comparison shows who plays which side, and which partner's turn it is."""
    desk = co_op()
    other = desk.table.clone()
    other.plays, other.turn_seat = {YELLOW: AXIS}, BLUE

    assert diff_tables(desk.table, other).words == (
        WordDiff("plays", "blue=axis, yellow=axis", "yellow=axis"),
        WordDiff("turn_seat", "yellow", "blue"),
    )


# 18


def advancing(desk: Desk) -> list[tuple[Seat, int, int]]:
    """Return which seat was asked about its own units, how many units had gone in, and whether it must move one."""
    questions = [event for event in desk.events if isinstance(event, DecisionOpened) and event.kind == "advance"]
    found = []
    for question in questions:
        gone, must = (question.arguments or {})["gone"], (question.arguments or {})["must"]
        assert isinstance(gone, int)
        assert isinstance(must, int)
        found.append((question.seat, gone, must))
    return found


def test_partners_decide_in_turn_each_for_its_own_units() -> None:
    """ACID 18: each partner is asked in turn; the second question tells how many went in; neither can move the other's units."""
    desk = co_op()
    desk.accept(Assault())
    own = {option for option in desk.options() if option != STAY}
    refused = desk.refused(go("panzer-1"))
    for name in ("panzer-0", "panzer-2", "panzer-4"):
        desk.accept(go(name))
    partners = desk.options()
    desk.accept(go("panzer-1"))

    assert own == {go("panzer-0"), go("panzer-2"), go("panzer-4")}
    assert refused == "answer_must_fit"
    assert partners == [go("panzer-1"), go("panzer-3"), go("panzer-5"), STAY]
    assert advancing(desk) == [(YELLOW, 0, 0), (YELLOW, 1, 0), (YELLOW, 2, 0), (BLUE, 3, 0)]
    assert asked(desk)[0] == "tie"
    judge(desk)


def test_if_the_partner_declines_as_well_the_active_seat_must_move() -> None:
    """ACID 18: if both decline, the first is asked again and cannot decline."""
    desk = co_op()
    desk.accept(Assault())
    desk.accept(STAY)
    assert asked(desk) == ("advance", BLUE)
    assert desk.refused(STAY, YELLOW) == "seat_must_be_asked"
    desk.accept(STAY)

    assert asked(desk) == ("advance", YELLOW)
    assert STAY not in desk.options()
    assert desk.refused(STAY) == "answer_must_fit"
    desk.accept(go("panzer-2"))
    desk.accept(go("panzer-4"))
    judge(desk)


# 19


def test_a_seat_moves_units_of_the_other_side() -> None:
    """ACID 19: too many Axis units are in the city; south chooses which leave, one question for each."""
    desk = Desk.open("coalition", mode="duel")
    desk.accept(Assault())
    for panzer in PANZERS[:4]:
        desk.accept(go(panzer))
    desk.accept(desk.options()[0])
    first = asked(desk), desk.options()
    desk.accept(go("panzer-3"))
    second = asked(desk), desk.options()
    desk.accept(go("panzer-1"))

    assert first == (("evict", SOUTH), [go(panzer) for panzer in PANZERS[:4]])
    assert second == (("evict", SOUTH), [go("panzer-0"), go("panzer-1"), go("panzer-2")])
    assert [desk.table.pieces[PieceId(panzer)].place for panzer in PANZERS[:4]] == [CITY, CAMP, CITY, CAMP]
    assert {desk.table.pieces[PieceId(panzer)].side for panzer in PANZERS} == {AXIS}
    assert asked(desk) == ("orders", NORTH)
    judge(desk)


# 20


@each_row(
    ("mode", "options", "seat"),
    [("co-op", {}, YELLOW), ("duel", {}, NORTH), ("duel", {"tie_chooser": "owner"}, SOUTH)],
)
def test_the_rules_play_a_side_and_a_seat_breaks_its_ties(mode: str, options: dict[str, str], seat: Seat) -> None:
    """ACID 20: the attacker chooses among equal Allied units, which it does not own; with an option, their owner chooses."""
    desk = Desk.open("coalition", mode=mode, options=dict(options))
    desk.accept(Assault())
    desk.accept(go("panzer-0"))
    while asked(desk)[0] == "advance":
        desk.accept(STAY)

    assert asked(desk) == ("tie", seat)
    assert desk.options() == [go("guards"), go("sailors")]
    desk.accept(go("sailors"))
    assert (desk.table.pieces[PieceId("sailors")].place, desk.table.pieces[PieceId("sailors")].side) == (RIVER, ALLIES)
    judge(desk)


# 27


def test_an_answer_until_ones_own_next_turn_outlasts_the_partners_turn() -> None:
    """ACID 27: blue's standing answer stays valid in the turns of yellow and the Allies, and ends with blue's own next turn."""
    desk = co_op()
    desk.accept({"do": "match:answer-always", "decision": "advance", "answer": '{"do":"go"}', "until": "turn"}, BLUE)
    given = desk.table.standing
    lasted: dict[tuple[str, Seat], bool] = {}
    while desk.table.ended is None and asked(desk) != ("extra", YELLOW):
        before = len(desk.events)
        desk.accept(desk.options()[0])
        for number in range(before, len(desk.events)):
            event = desk.events[number]
            if isinstance(event, TurnBegan):
                lasted.setdefault((event.side, event.seat), fold(desk.events[: number + 1]).standing == given)

    assert given == (Standing(BLUE, "advance", '{"do":"go"}', "turn"),)
    assert lasted == {(ALLIES, ""): True, (AXIS, BLUE): False, (AXIS, YELLOW): False}


def test_a_turn_of_a_whole_side_is_a_turn_of_each_of_its_seats() -> None:
    """ACID 27: a turn of the whole side ends a seat's standing answer, even if the sides were assigned during the match."""
    opened = [event for event in co_op().events if not isinstance(event, TurnBegan)]
    draft = Draft(fold(opened), ManualChance())
    draft.begin_turn(ALLIES, RuleId("turn"))
    waiting = {"decision": "advance", "answer": "{}", "until": "turn"}
    for seat in (YELLOW, BLUE):
        draft.emit(StandingAnswerGiven(rule=RuleId("match.standing"), seat=seat, seen_by=(seat,), **waiting))
    draft.assign_side(BLUE, ALLIES, RuleId("turn"))
    draft.begin_turn(AXIS, RuleId("turn"), seat=NO_SEAT)
    left = [standing.seat for standing in draft.table.standing]
    draft.begin_turn(ALLIES, RuleId("turn"))

    assert (left, draft.table.standing) == ([BLUE], ())
    assert [(event.side, event.seat) for event in draft.events if isinstance(event, TurnBegan)] == [
        (ALLIES, ""),
        (AXIS, ""),
        (ALLIES, BLUE),
    ]


def test_extra_turns_begin_for_the_seat_that_is_due() -> None:
    """ACID 27: an attribute counts the extra turns left; the partner who is due is asked, and declining ends the match."""
    desk = co_op()
    due = []
    while desk.table.ended is None:
        kind, seat = asked(desk)
        if kind == "extra":
            due.append((seat, desk.table.attribute("table", EXTRA_TURNS)))
            desk.accept(Extra(take=len(due) < 2))
        else:
            desk.accept(desk.options()[0])

    assert due == [(BLUE, 2), (YELLOW, 1)]
    assert desk.table.ended.winners == (AXIS,)


# 39


def test_seats_and_sides_follow_from_the_mode() -> None:
    """ACID 39: the first event names the mode, its seats, and who plays which side."""
    openings = []
    for mode in ("", "duel", "auction"):
        opened = Desk.open("coalition", mode=mode, seats=(), name=f"mode-{mode}").events[0]
        assert isinstance(opened, MatchOpened)
        openings.append((opened.mode, opened.seats, opened.plays))

    assert openings == [
        ("co-op", (YELLOW, BLUE), {YELLOW: AXIS, BLUE: AXIS}),
        ("duel", (NORTH, SOUTH), {NORTH: AXIS, SOUTH: ALLIES}),
        ("auction", (NORTH, SOUTH), {}),
    ]


def test_a_seat_of_another_mode_cannot_be_taken() -> None:
    """ACID 39: north is not a seat of the partners' mode."""
    desk = Desk.open("coalition", seats=())

    assert desk.refused({"do": "match:take-seat", "seat": "north"}, NORTH) == "seat_must_exist"


@each_row("mode", ["", "co-op", "auction"])
def test_an_option_of_another_mode_is_refused(mode: str) -> None:
    """ACID 39: the option of who chooses among equals exists only in modes where both sides have a seat."""
    opening = Opening(game="coalition", mode=mode, options={"tie_chooser": "owner"}, dice="manual")

    with pytest.raises(SetupInvalid, match="option of coalition in scenario city, mode"):
        open_match(MatchId("m"), opening, key="open", at=NOON)


def test_the_options_of_a_match_are_those_of_its_mode() -> None:
    """ACID 39: the first event does not list options of other modes, which would have no effect."""
    game = load_game("coalition")
    scenario = game.scenario("")

    assert [list(game.full_options(scenario, mode, {})) for mode in scenario.modes] == [[], ["tie_chooser"], []]


def test_an_unknown_mode_is_refused_with_a_suggestion() -> None:
    """ACID 39: the message names the scenario and a similar mode."""
    with pytest.raises(UnknownName, match=r"no mode of scenario city is called 'dual'; did you mean duel\?"):
        open_match(MatchId("m"), Opening(game="coalition", mode="dual", dice="manual"), key="open", at=NOON)


# Output


def test_games_lists_the_sides_and_the_seats_of_each_mode(terminal: Terminal) -> None:
    """ACID 39: a seat whose name differs from its side is listed with its side."""
    said = terminal.done("games", "coalition").out
    rows = [" ".join(line.split()) for line in said.splitlines()]

    assert "Sides: axis, allies" in rows
    assert "city co-op yellow (axis), blue (axis) The City." in rows
    assert "duel north (axis), south (allies)" in rows
    assert "auction north (side settled in play), south (side settled in play)" in rows
    assert "only in duel" in said


def test_sentences_name_the_side_and_its_acting_seat(terminal: Terminal) -> None:
    """ACID 17: sentences about turns and winners name the side, and the seat if its name differs."""
    match = terminal.line("new", "coalition", "--dice", "seeded:1", "--quiet").split()[-1]
    (listed,) = (json.loads(line) for line in terminal.done("list", "--json").out.splitlines())
    terminal.done("choose", match, '{"do":"assault"}')
    shown, sentences = terminal.done("show", match).out, terminal.done("log", match).out
    verbose = terminal.done("log", match, "-v").out
    terminal.done("choose", match, "resign", "--seat", "blue")

    assert listed["plays"] == {"yellow": "axis", "blue": "axis"}
    assert "Axis (Yellow)" in shown
    assert "Round 1, Axis (Yellow)" in sentences
    assert "Yellow begins a turn (Axis)." in verbose
    assert "Winner: Allies." in terminal.done("log", match).out


def test_the_log_tells_the_sides_assigned_by_an_auction(terminal: Terminal) -> None:
    """ACID 16: the log has a sentence for each seat."""
    match = terminal.line("new", "coalition", "--mode", "auction", "--dice", "seeded:1", "--quiet").split()[-1]
    terminal.done("choose", match, '{"do":"offer","amount":1}')
    terminal.done("choose", match, '{"do":"offer","amount":0}')
    told = terminal.done("log", match).out

    assert ("North plays Axis." in told) != ("South plays Axis." in told)
    assert ("North plays Allies." in told) != ("South plays Allies." in told)
