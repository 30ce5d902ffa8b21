"""Attacks on sealed dice that take more than one party or more than one match; those of one command are in `test_links`.

Each attack on dice that somebody may think of, and the test that makes it:

* foresee: `test_links` (the server, a player, a seat that owes a link), here what a hidden hand gives away;
* roll again by a note, a ruling or a pause, by leaving, by taking back: `test_links`; by a race and by replacing a player: here;
* refuse a roll that was computed, and try again: `test_links` (a call is kept); abort the match, or the call, and try again: here;
* choose the set-up as the last to sit: `test_links`; with two accomplices of three seats: here;
* skip a link, use one twice, send one early: `test_links`; use one in another match: here;
* fork to look ahead: `test_links`; fork at the link: here;
* probe for what is hidden with a command that may need chance: here.
"""

from random import Random

import pytest

from core.chance.links import LinkChain
from core.chance.schemes import veil_of
from core.engine.command import Command
from core.match.live_match import Prepared, load_match
from events.codec import encode, tag_of
from events.errors import LostRace
from events.ids import ARBITER, PileId, Seat
from events.vocabulary import ChanceCalled, DiceRolled, Event, LinksOpened, MatchForked
from tests.support.links import SHORT, LinkedDesk
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return BLUE if seat == RED else RED


ROLL: dict[str, object] = {"do": "roll"}


def mover(desk: LinkedDesk) -> Seat:
    """Return the seat that decides."""
    assert desk.table.top is not None
    return desk.table.top.seat


def at_roll(**more: object) -> LinkedDesk:
    """Return a match in which a seat may roll, and nothing is due."""
    desk = LinkedDesk.linked(**more).play(2, Random(1))  # type: ignore[arg-type]
    while "roll" not in [tag_of(type(one)) for one in desk.options()]:
        desk.play(1, Random(2))
    return desk


def called(**more: object) -> LinkedDesk:
    """Return a match in which a roll waits for the link of its seat."""
    desk = at_roll(**more)
    desk.accept(ROLL)
    return desk


def outcomes(events: list[Event]) -> list[object]:
    """Return what everybody sees of chance: the links, and the dice that fell."""
    return [event for event in events if isinstance(event, ChanceCalled | LinksOpened | DiceRolled)]


def remarks(desk: LinkedDesk) -> list[tuple[Seat, str]]:
    """Return what an audit says of calls and anchors; the match is clean."""
    report = desk.audit()
    assert report.clean, report.findings
    return [(one.seat, one.what) for one in report.links]


# Roll again


def test_of_two_commands_that_race_for_one_link_one_is_on_record_and_the_other_is_refused() -> None:
    """A player who sends both, or a server that keeps one back, has the dice of one of them only."""
    desk = at_roll()
    seat = mover(desk)
    first, second = desk.ask(ROLL, seat, key="first"), desk.ask({"do": "omen"}, seat, key="second")
    assert isinstance(first, Prepared)
    assert isinstance(second, Prepared)
    desk.log.append([first.new])
    desk.match.adopt(first)

    assert isinstance(desk.log.append([second.new])[0], LostRace)
    assert desk.refused({"do": "omen"}, seat) == "link_must_be_opened"
    assert bytes(desk.match.called) == encode(ROLL)


def test_a_player_who_is_replaced_during_a_call_does_not_roll_unseen_again() -> None:
    """The call is void, the next dice need a link of both seats after the new anchor, and the audit lists both."""
    desk = called()
    seat = mover(desk)
    secret = "a" * 64
    desk.accept({"do": "match:replace-player", "seat": seat, "credential": secret, "reason": "gone"}, ARBITER)
    desk.sit(seat, tip=b"n" * 32, invitation=secret)

    assert desk.refused(ROLL, seat) == "link_must_be_opened"
    desk.open_link(seat)
    assert desk.refused(ROLL, seat) == "anchor_must_be_answered"
    desk.settle()
    desk.accept(ROLL, seat)
    desk.settle()
    assert remarks(desk) == [(seat, "not-opened"), (seat, "new-anchor")]


@each_row(("game", "steps"), [("battle", 350), ("axis-allies", 150)])
def test_nobody_chooses_which_links_that_are_owed_count_for_a_roll(game: str, steps: int) -> None:
    """A seat opens what it owes for dice when it decides, and not while another one rolls: with its link and without it there would be two rolls to choose from."""
    desk, tried = LinkedDesk.linked(game), 0
    for _ in range(steps):
        links = desk.table.links
        if links is None or desk.table.top is None:
            break
        owing = [seat for seat, chain in links.chains.items() if chain.owes and seat != mover(desk)]
        tried += len(owing)
        assert {desk.refused(desk.share(seat), seat) for seat in owing} <= {"link_must_be_due"}
        desk.play(1, Random(len(desk.events)))

    assert tried > 20


def test_what_came_before_a_link_that_was_owed_is_not_taken_back() -> None:
    """Otherwise who rolls could let another seat decide, look what its link would give, and go back to roll with it or try something else."""
    desk = LinkedDesk.linked(options={"fog": True})
    choose, passed, seat = Random(3), False, RED
    for _ in range(200):
        seat, links = mover(desk), desk.table.links
        assert links is not None
        quiet = [one for one in desk.options() if "hide" in encode(one).decode()]
        if quiet and links.chains[other(seat)].owes:
            desk.accept(quiet[0])
            passed = mover(desk) == other(seat)
            if passed:
                break
        else:
            desk.accept(choose.choice(desk.options()))
        while (links := desk.table.links) is not None and (links.call or links.is_payable(mover(desk), mover(desk))):
            desk.open_link(links.call.seat if links.call else mover(desk))
    assert passed
    desk.open_link(other(seat))

    assert desk.refused({"do": "match:undo"}, seat) == "nothing_must_be_learned"


# Abort, and try again


@each_row(
    ("command", "by"),
    [
        ({"do": "match:resign"}, "caller"),
        ({"do": "match:annul", "reason": "server trouble"}, "arbiter"),
        ({"do": "match:award", "to": ["red"], "reason": "server trouble"}, "arbiter"),
    ],
)
def test_a_match_that_is_stopped_after_a_call_shows_the_call(command: dict[str, object], by: str) -> None:
    desk = called()
    seat = mover(desk)
    desk.accept(command, seat if by == "caller" else ARBITER)

    assert desk.table.ended is not None
    assert remarks(desk) == [(seat, "not-opened")]


def test_a_match_that_is_opened_anew_has_other_dice_for_the_same_commands_and_links() -> None:
    """An operator who aborts one match and opens another one cannot know beforehand which dice it will have: the seats choose new chains."""
    one, two = (called(name=name).settle() for name in ("m1", "m2"))

    assert outcomes(one.events) != outcomes(two.events)


# Choose the set-up


def test_two_of_three_seats_with_the_operator_cannot_choose_an_anchor_after_the_links_of_the_third() -> None:
    """Each anchor is answered by every other seat, and a seat has one anchor that is not answered."""
    desk = LinkedDesk.linked("inferno", mode="two_vs_one", begin=False)
    honest, *friends = desk.table.seats
    anchor = {"do": "match:secure-seat", "anchor": LinkChain(b"z" * 32, SHORT).anchor, "length": SHORT}
    for one in friends:
        while (links := desk.table.links) is not None and links.chains[one].is_due:
            desk.open_link(one)

    assert {desk.refused({"do": "match:begin"}, one) for one in friends} == {"anchor_must_be_answered"}
    assert {desk.refused(anchor, one) for one in friends} == {"chain_must_be_used_up"}
    desk.open_link(honest)
    desk.accept({"do": "match:begin"}, friends[0])


@each_row(("game", "mode"), [("battle", ""), ("inferno", "one_vs_one"), ("advance", ""), ("axis-allies", "")])
def test_whom_the_operator_lets_sit_down_tells_nobody_the_set_up(game: str, mode: str) -> None:
    """The first chance of a match follows from a link of every seat, which nobody else knows while seats are taken; an anchor is known as soon as it is sent."""
    desk = LinkedDesk.linked(game, mode=mode).play(40, Random(1))
    opened = [event for event in desk.events if isinstance(event, LinksOpened)]
    first = next(place for place, event in enumerate(opened) if event.number)

    assert {event.seat for event in opened[:first]} == set(desk.table.seats)


# Links of another match


def test_a_link_of_another_match_opens_nothing_here() -> None:
    one, two = called(), called(name="m2")
    seat = mover(two)
    one.chains[seat] = LinkChain(b"o" * 32, SHORT)
    replayed = {"do": "match:open-link", "share": one.chains[seat].link(1).hex()}

    assert two.refused(replayed, seat) == "link_must_follow"


# Look ahead


def test_a_fork_right_after_the_link_was_opened_rolls_with_a_link_of_its_own() -> None:
    """The parent's links are repeated, as all events up to the fork; the dice after them are the fork's."""
    desk = LinkedDesk.linked("advance").play(30, Random(1))
    opened = [
        number
        for number, (event, later) in enumerate(zip(desk.events, desk.events[1:], strict=False), start=1)
        if isinstance(event, LinksOpened) and isinstance(later, DiceRolled)
    ]
    assert opened
    for number in opened[:4]:
        fork = desk.fork(number, name=f"at-{number}")
        own = [event for event in fork.events if not isinstance(event, MatchForked)]

        assert own[:number] == desk.events[:number]
        assert isinstance(own[number], LinksOpened)
        assert own[number] != desk.events[number - 1]
        assert fork.audit().clean, fork.audit().findings
        assert load_match(fork.log, fork.match.id).table == fork.table


# What is hidden


def test_a_command_that_called_for_dice_cannot_be_dropped_for_another() -> None:
    """Otherwise a move that needs chance only where something is hidden would find it, and could be given up."""
    desk = called(options={"fog": True})
    seat = mover(desk)
    tried: list[Command | dict[str, object]] = [*desk.options(), {"do": "match:undo"}, {"do": "match:leave-seat"}]

    assert {desk.refused(one, seat) for one in tried} == {"link_must_be_opened"}
    desk.open_link(seat)
    assert desk.refused({"do": "match:undo"}, seat) == "nothing_must_be_learned"


@pytest.mark.interpreted
def test_matches_that_differ_in_a_hand_have_the_same_links_and_open_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin has another veil, from which hidden cards are drawn, and the same chains."""

    def played() -> LinkedDesk:
        desk = LinkedDesk.linked()
        for _ in range(6):
            desk.accept(ROLL if "roll" in [tag_of(type(one)) for one in desk.options()] else reply)
            desk.settle()
        return desk

    reply: dict[str, object] = {"do": "reply", "contest": True}
    one = played()
    for module in ("chance.links", "chance.schemes", "audit.audit_dice"):
        monkeypatch.setattr(f"core.{module}.veil_of", lambda seed, stream: veil_of(f"ff{seed[2:]}", stream))
    two = played()
    hands = [[desk.table.piles[PileId(f"hand/{seat}")].cards for seat in (RED, BLUE)] for desk in (one, two)]

    assert hands[0] != hands[1]
    assert outcomes(one.events) == outcomes(two.events)
    assert len(outcomes(one.events)) > 12
    assert two.audit().clean


@each_row("game", ["skirmish", "battle", "inferno"])
def test_a_new_deal_is_made_by_the_server_alone_and_what_follows_by_all_who_sit_down(game: str) -> None:
    """It opens the first link of the fork, is verified with the end, and the anchors of the fork's players come after it."""
    desk = LinkedDesk.linked(game, mode="one_vs_one" if game == "inferno" else "").play(12, Random(1))
    seat = mover(desk)
    fork = LinkedDesk(desk.log, desk.fork(desk.match.head.seq, hidden="resample", seat=seat).match)
    fork.chains = {}
    dealt = fork.commits[-1].events
    for one in fork.table.seats:
        fork.sit(one, tip=one.encode().rjust(32, b"."))
    fork.play(400, Random(2))
    if fork.table.ended is None:
        fork.accept({"do": "match:resign"}, seat)
    report = fork.audit()

    assert [type(event) for event in dealt[:2]] == [MatchForked, LinksOpened]
    assert isinstance(dealt[1], LinksOpened)
    assert (dealt[1].number, dealt[1].share) == (1, "")
    assert (report.findings, report.redeal) == ((), "verified")
    assert (sorted(report.secured), report.unsecured) == (sorted(fork.table.seats), ())


def test_a_seat_that_rolled_without_a_chain_counts_as_unsecured_also_after_it_has_one() -> None:
    """And in a fork, whose dice are others, it begins anew."""
    desk = LinkedDesk.linked(secured=lambda seat: seat == RED)
    while not (ROLL in [{"do": tag_of(type(one))} for one in desk.options()] and mover(desk) == BLUE):
        desk.play(1, Random(2))
    desk.accept(ROLL, BLUE)
    desk.settle()
    desk.accept({"do": "match:leave-seat"}, BLUE)
    desk.sit(BLUE)
    desk.settle()
    fork = LinkedDesk(desk.log, desk.fork(desk.match.head.seq).match)
    fork.chains = {}
    fork.sit(BLUE)

    assert (desk.audit().secured, desk.audit().unsecured) == ({RED: ""}, (BLUE,))
    assert (fork.audit().secured, fork.audit().unsecured) == ({BLUE: ""}, (RED,))
