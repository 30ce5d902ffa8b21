"""Sealed dice that depend on links: each way in which somebody could foresee, choose or repeat them is tried here, and fails.

The dishonest server of these tests knows the seed and everything in its store, and leaves out all its own checks.
"""

import hmac
from collections.abc import Sequence
from random import Random

import pytest

from core.chance.links import LINKS, LinkChain, LinkedChance, SealedChance, ServerLinks, context
from core.chance.recorded_chance import Drawn, Rolled
from core.chance.schemes import veil_of
from core.engine.chance_port import Chance
from core.engine.command import Command
from core.match.live_match import Prepared, load_match
from events.codec import Raw, encode, replace, tag_of
from events.commit import Commit
from events.ids import ARBITER, Seat
from events.vocabulary import CardDrawn, ChanceCalled, DiceRolled, Event, LinksOpened, SeatSecured
from projections.state.fold import evolve
from projections.state.links import Links
from projections.state.table import Table
from tests.support.desk import SEED, Desk
from tests.support.forgery import forged
from tests.support.links import SHORT, LinkedDesk
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED

ROLL: dict[str, object] = {"do": "roll"}
BEGIN: dict[str, object] = {"do": "match:begin"}
GAMES = ("skirmish", "advance", "battle", "inferno", "axis-allies")


def played(steps: int = 6) -> LinkedDesk:
    """Return a match in the middle, with nothing due but what its next command brings."""
    return LinkedDesk.linked().play(steps, Random(1))


def mover(desk: Desk) -> Seat:
    """Return the seat that decides."""
    assert desk.table.top is not None
    return desk.table.top.seat


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return BLUE if seat == RED else RED


def called() -> LinkedDesk:
    """Return a match in which a roll was called for and waits for its link."""
    desk = played()
    while ROLL not in [{"do": tag_of(type(one))} for one in desk.options()]:
        desk.play(1, Random(2))
    desk.accept(ROLL)
    return desk


def faces(events: Sequence[Event]) -> list[tuple[int, ...]]:
    """Return the dice that fell."""
    return [event.faces for event in events if isinstance(event, DiceRolled)]


def links_of(desk: Desk) -> Links:
    """Return the links of a match."""
    assert desk.table.links is not None
    return desk.table.links


def foreseen(desk: Desk, caller: Seat, share: str) -> Chance:
    """Return the dice that a server computes which guesses the link of a seat."""
    scheme = desk.table.chance
    server = ServerLinks(SEED, scheme.stream, scheme.length)
    chance = SealedChance(scheme, server, links_of(desk), seed=SEED, seat=caller, share=share)
    chance.prepare(is_veiled=False)
    return chance


# The ordinary way


@each_row("game", GAMES)
@each_row("secured", ["all", "none", "first"])
def test_every_game_is_played_with_links_and_its_audit_is_clean(game: str, secured: str) -> None:
    """Bare clients contribute nothing, and roll in one commit."""
    first: list[Seat] = []

    def is_secured(seat: Seat) -> bool:
        first.append(seat)
        return secured == "all" or (secured == "first" and seat == first[0])

    desk = LinkedDesk.linked(game, secured=is_secured).play(60, Random(4))
    report = desk.audit()

    assert (report.findings, report.verdict) == ((), "clean")
    assert bool(report.secured) == (secured != "none")
    assert any(isinstance(event, LinksOpened) for event in desk.events)
    assert any(isinstance(event, ChanceCalled) for event in desk.events) == (secured != "none")


def test_a_command_that_needs_chance_is_on_record_before_its_link_and_its_dice_fall_with_it() -> None:
    desk = called()
    seat = mover(desk)
    call, opened = desk.commits[-1], desk.open_link(seat).commit

    assert [type(event) for event in call.events] == [ChanceCalled]
    assert bytes(call.command) == encode(ROLL)
    before = next(place for place, event in enumerate(opened.events) if isinstance(event, DiceRolled))

    assert isinstance(opened.events[before - 1], LinksOpened)
    assert len(faces(opened.events)) == 1
    assert links_of(desk).call is None


def test_a_match_that_was_loaded_again_goes_on_with_the_command_that_waits() -> None:
    desk = called()
    again = load_match(desk.log, desk.match.id)
    desk.match = again

    assert faces(desk.open_link(mover(desk)).commit.events)
    assert desk.audit().clean


def test_public_rolls_are_checked_before_the_seed_is_revealed() -> None:
    desk = called()
    desk.settle()
    commits = desk.commits
    place = max(place for place, commit in enumerate(commits) if faces(commit.events))
    wrong = tuple(
        replace(event, faces=tuple(face % 6 + 1 for face in event.faces)) if isinstance(event, DiceRolled) else event
        for event in commits[place].events
    )
    report = forged(desk, [*commits[:place], replace(commits[place], events=wrong)], covered=True).audit()

    assert "the seed does not give" in report.findings[0].problem


# Foresee


def test_the_server_cannot_compute_a_roll_before_the_link_of_its_seat() -> None:
    """It knows the seed. It does not know the link: no link that it can compute gives the dice, whose number is large here."""
    desk = called()
    seat = mover(desk)
    chain = links_of(desk).chains[seat]
    true = foreseen(desk, seat, desk.chains[seat].link(chain.opened + 1).hex()).dice(0, 40, 6, "x")
    known = [chain.link, links_of(desk).link, "00" * 32, *links_of(desk).last().values()]

    assert [foreseen(desk, seat, link).dice(0, 40, 6, "x") == true for link in known] == [False] * len(known)


def test_a_player_cannot_compute_a_roll_before_the_link_of_the_server() -> None:
    desk = called()
    seat, links = mover(desk), links_of(desk)
    share = desk.chains[seat].link(links.chains[seat].opened + 1).hex()
    text = context(desk.table.chance.stream, links.opened + 1, {**links.last(), seat: share})
    guessed = LinkedChance(hmac.digest(bytes.fromhex(links.link), text, "sha256")).dice(0, 40, 6, "x")

    assert guessed != foreseen(desk, seat, share).dice(0, 40, 6, "x")


def test_a_seat_decides_nothing_while_it_owes_a_link() -> None:
    desk = called()
    seat = mover(desk)
    desk.open_link(seat)
    owing = other(seat)

    assert links_of(desk).chains[owing].owes
    assert mover(desk) == owing
    assert {desk.refused(command, owing) for command in desk.options()} == {"link_must_be_opened"}
    desk.open_link(owing)
    assert not links_of(desk).chains[owing].is_due
    assert desk.refused(desk.share(owing), owing) == "link_must_be_due"


# Roll again


@each_row(
    "between",
    [
        ({"do": "match:note", "text": "now?"}, RED),
        ({"do": "match:note", "text": "now?", "private": True}, BLUE),
        ({"do": "match:ruling", "text": "so be it"}, ARBITER),
        ({"do": "match:pause", "reason": "tea"}, ARBITER),
    ],
)
@each_row("is_before", [True, False])
def test_notes_rulings_and_pauses_change_no_dice(between: tuple[dict[str, object], Seat], *, is_before: bool) -> None:
    def rolled(*, with_words: bool) -> list[tuple[int, ...]]:
        desk = called() if not is_before else played()
        if with_words:
            desk.accept(*between)
            if desk.table.paused is not None:
                desk.accept({"do": "match:resume"}, ARBITER)
        desk.play(8, Random(3))
        return faces(desk.events)

    assert rolled(with_words=True) == rolled(with_words=False)


def test_nothing_that_changes_the_dice_comes_between_a_call_and_its_link() -> None:
    desk = called()
    seat = mover(desk)
    rival = other(seat)
    anchor = {"anchor": LinkChain(b"z" * 32, SHORT).anchor, "length": SHORT}
    tried: list[tuple[dict[str, object], Seat]] = [
        (ROLL, seat),
        ({"do": "omen"}, seat),
        ({"do": "match:undo"}, seat),
        ({"do": "match:leave-seat"}, seat),
        ({"do": "match:secure-seat", **anchor}, seat),
        ({"do": "match:secure-seat", **anchor}, rival),
        (desk.share(rival), rival),
    ]

    assert [desk.refused(*one) for one in tried] == ["link_must_be_opened"] * len(tried)


def test_a_player_who_leaves_changes_no_dice_of_the_other() -> None:
    desk, stayed = called(), called()
    seat = mover(desk)
    desk.accept({"do": "match:leave-seat"}, other(seat))

    assert faces(desk.open_link(seat).commit.events) == faces(stayed.open_link(seat).commit.events)


def test_taking_back_and_trying_again_gives_the_same_dice() -> None:
    """Links are not counted by what was taken back."""
    quiet: list[Command] = []
    desk, straight = (LinkedDesk.linked(options={"fog": True}) for _ in range(2))
    for _ in range(200):
        quiet = [one for one in desk.options() if "hide" in encode(one).decode()]
        if quiet and mover(desk) in (RED, BLUE):
            break
        same = desk.options()[0]
        desk.accept(same)
        straight.accept(same)
        desk.settle()
        straight.settle()
    seat = mover(desk)
    desk.accept(quiet[0])
    desk.accept({"do": "match:undo"}, seat)
    for one in (desk, straight):
        one.play(6, Random(5))

    assert faces(desk.events) == faces(straight.events)


def test_a_call_is_kept_whatever_is_tried_and_its_dice_stay() -> None:
    """Who asks again, after the process was started again, gets what the first answer would have been."""
    desk = called()
    seat = mover(desk)
    first = desk.ask(desk.share(seat), seat)
    desk.match = load_match(desk.log, desk.match.id)
    again = desk.ask(desk.share(seat), seat)

    assert isinstance(first, Prepared)
    assert isinstance(again, Prepared)
    assert first.commit.events == again.commit.events


# Choose a chain


def test_the_last_to_sit_cannot_begin_before_all_have_opened_a_link() -> None:
    desk = LinkedDesk.linked(begin=False)

    assert links_of(desk).debtors() == [BLUE, RED]
    assert [desk.refused(BEGIN, seat) for seat in (BLUE, RED)] == ["link_must_be_opened"] * 2
    assert desk.refused(BEGIN, ARBITER) == "seat_must_be_secured"
    desk.open_link(BLUE)
    assert desk.refused(BEGIN, BLUE) == "anchor_must_be_answered"
    desk.open_link(RED)
    desk.accept(BEGIN, BLUE)
    assert desk.table.began


@each_row("game", GAMES)
def test_whoever_begins_the_set_up_is_the_same(game: str) -> None:
    """All seats have opened a link before. With one more of whoever begins, the operator and some players would choose who does."""

    def begun_by(place: int) -> list[Event]:
        desk = LinkedDesk.linked(game, begin=False)
        for seat in desk.table.seats:
            desk.open_link(seat)
        return list(desk.accept(BEGIN, desk.table.seats[place]).commit.events)

    assert begun_by(0) == begun_by(-1)


def test_nobody_chooses_another_anchor_before_the_first_is_answered() -> None:
    """Otherwise an operator who holds back the answer could let a friend choose an anchor that fits it."""
    desk = LinkedDesk.linked(begin=False)
    anchor = {"anchor": LinkChain(b"z" * 32, SHORT).anchor, "length": SHORT}
    again = {"do": "match:take-seat", "seat": BLUE, "name": "Ben", **anchor}

    assert desk.refused({"do": "match:secure-seat", **anchor}, BLUE) == "chain_must_be_used_up"
    desk.accept({"do": "match:leave-seat"}, BLUE)
    assert desk.refused(again, BLUE) == "anchor_must_be_answered"
    desk.open_link(RED)
    desk.accept(again, BLUE)
    assert links_of(desk).debtors() == [BLUE, RED]


def test_no_seat_takes_another_chain_while_links_of_its_own_are_left() -> None:
    """Who could, would try with the operator until the dice please; each other anchor gives other dice."""
    desk = played()
    seat = mover(desk)
    anchor: dict[str, object] = {"anchor": LinkChain(b"z" * 32, SHORT).anchor, "length": SHORT}

    assert desk.refused({"do": "match:secure-seat", **anchor}, seat) == "chain_must_be_used_up"
    links = links_of(desk)
    used_up = replace(links.chains[seat], length=links.chains[seat].opened)
    desk.match.table.links = replace(links, chains={**links.chains, seat: used_up})
    desk.chains[seat] = LinkChain(b"z" * 32, SHORT)
    desk.accept({"do": "match:secure-seat", **anchor}, seat)
    assert desk.refused(ROLL, seat) == "link_must_be_opened"
    desk.open_link(seat)
    assert desk.refused(ROLL, seat) == "anchor_must_be_answered"


def test_an_audit_finds_another_anchor_of_a_seat_that_has_links_left() -> None:
    desk = played()
    seat = mover(desk)
    last = desk.commits[-1]
    anchor = SeatSecured(rule=LINKS, seat=seat, anchor=LinkChain(b"z" * 32, SHORT).anchor, length=SHORT)
    command = Raw(encode({"do": "match:secure-seat", "anchor": anchor.anchor, "length": SHORT}))
    forgery = replace(last, first=last.last + 1, seat=seat, key="z", command=command, events=(anchor,))
    (finding,) = forged(desk, [*desk.commits, forgery], covered=True).audit().findings

    assert (finding.seq, "links of its chain were left" in finding.problem) == (last.last + 1, True)


def test_a_player_without_a_chain_rolls_only_when_all_anchors_are_answered() -> None:
    desk = LinkedDesk.linked(secured=lambda seat: seat == RED)
    while mover(desk) != BLUE:
        desk.play(1, Random(3))
    links = links_of(desk)

    assert links.held(BLUE) is None
    desk.accept({"do": "match:leave-seat"}, BLUE)
    desk.sit(BLUE)
    desk.accept({"do": "match:leave-seat"}, BLUE)
    desk.sit(BLUE, is_secured=False)
    assert desk.refused(ROLL, BLUE) == "anchor_must_be_answered"


# Links out of order


@each_row(("ahead", "code"), [(0, "link_must_follow"), (2, "link_must_follow")])
def test_no_link_is_used_twice_or_left_out(ahead: int, code: str) -> None:
    desk = called()
    seat = mover(desk)

    assert desk.refused(desk.share(seat, ahead), seat) == code


@each_row("share", ["", "xyz", "AB" * 32, "ab" * 31, "ab" * 32])
def test_what_is_no_link_is_refused(share: str) -> None:
    desk = called()

    assert desk.refused({"do": "match:open-link", "share": share}, mover(desk)) == "link_must_follow"
    assert desk.refused({"do": "match:open-link", "share": share}, ARBITER) == "link_must_be_opened"


def test_the_same_links_give_other_dice_in_another_match() -> None:
    one, two = (LinkedDesk.linked(name=name).play(20, Random(1)) for name in ("m1", "m2"))

    assert faces(one.events) != faces(two.events)


@each_row(
    ("wrong", "code"),
    [
        ({"anchor": "ab"}, "anchor_must_be_hex"),
        ({"length": 0}, "anchor_must_be_hex"),
        ({"length": 1 << 21}, "anchor_must_be_hex"),
        ({"holder": "nobody"}, "holder_must_be_known"),
    ],
)
def test_an_anchor_that_is_none_is_refused(wrong: dict[str, object], code: str) -> None:
    desk = played()
    anchor = {"do": "match:secure-seat", "anchor": "ab" * 32, "length": SHORT} | wrong

    assert desk.refused(anchor, RED) == code


def test_a_match_with_other_dice_has_no_links() -> None:
    desk = Desk.open()

    anchor = {"do": "match:secure-seat", "anchor": "ab" * 32, "length": SHORT}
    assert desk.refused(anchor, RED) == "dice_must_have_links"
    assert desk.refused({"do": "match:open-link", "share": "ab" * 32}, RED) == "seat_must_be_secured"
    assert desk.refused(anchor, ARBITER) == "seat_must_be_taken"


def test_a_chain_that_is_used_up_ends_the_dice() -> None:
    desk = called()
    scheme = replace(desk.table.chance, length=links_of(desk).opened)
    desk.match.table.chance = scheme

    with pytest.raises(Exception, match="fork it with fresh dice"):
        desk.ask(desk.share(mover(desk)), mover(desk))


# Look ahead


def test_a_fork_has_another_chain_and_tells_nothing_of_the_dice_that_follow() -> None:
    desk = called()
    head = desk.match.head.seq
    fork = desk.fork(head)
    scheme = fork.table.chance

    assert scheme.scheme == "sealed/2"
    assert scheme.commitment != desk.table.chance.commitment
    assert links_of(fork) == Links(scheme.commitment)
    # The command that waits does not bind who plays the seat in the fork.
    fork.play(4, Random(2))
    assert fork.audit().clean
    assert faces(desk.open_link(mover(desk)).commit.events)


@each_row("dice", ["fresh", "seeded"])
def test_a_fork_within_a_roll_repeats_its_parents_dice_and_goes_on_with_its_own(dice: str) -> None:
    desk = LinkedDesk.linked("advance").play(20, Random(1))
    rolls = [
        commit.first + place
        for commit in desk.commits
        for place, event in enumerate(commit.events)
        if isinstance(event, DiceRolled) and event is not commit.events[-1]
    ]
    for number in rolls[:6]:
        fork = desk.fork(number, dice, name=f"{dice}{number}")
        parents = desk.events[:number]

        assert faces(fork.events)[: len(faces(parents))] == faces(parents)
        assert fork.audit().verdict == "clean", fork.audit().findings


def test_a_fork_cannot_have_the_dice_of_its_parent() -> None:
    desk = played()

    with pytest.raises(Exception, match="depend on links"):
        desk.fork(desk.match.head.seq, "same")


# Hidden draws


def test_hidden_draws_do_not_follow_from_links() -> None:
    """With the open key, which everybody can compute, other cards come out than were drawn; with the veil these."""
    desk = LinkedDesk.linked("battle").play(60, Random(1))
    stream, table, veil = desk.table.chance.stream, Table(), veil_of(SEED, desk.match.id)
    text, link, calls = b"", b"", 0
    guessed: list[bool] = []
    told: list[bool] = []
    for event in desk.events:
        if isinstance(event, CardDrawn) and event.seen_by is not None:
            cards = table.pile(event.deck).cards
            for key, found in ((link, guessed), (veil, told)):
                chance = LinkedChance(hmac.digest(key, text, "sha256"), calls)
                found.append(cards[chance.pick(0, cards, "")] == event.card)
        calls += isinstance(event, Rolled | Drawn)
        evolve(table, event)
        if isinstance(event, LinksOpened) and event.number:
            assert table.links is not None
            text, link, calls = context(stream, event.number, table.links.last()), bytes.fromhex(event.link), 0

    assert len(told) > 10
    assert all(told)
    assert sum(guessed) < len(guessed) / 2


# What a dishonest server writes


def numbered(commits: Sequence[Commit]) -> list[Commit]:
    """Return commits with the numbers that follow each other."""
    found: list[Commit] = []
    for commit in commits:
        found.append(replace(commit, first=found[-1].last + 1 if found else 1))
    return found


def found_in(desk: Desk, commits: Sequence[Commit]) -> str:
    """Return what an audit finds in what a dishonest server wrote."""
    findings = forged(desk, numbered(commits), covered=True).audit().findings
    return findings[0].problem if findings else ""


def rolled() -> tuple[LinkedDesk, list[Commit]]:
    """Return a match whose last commit is that of a roll, after its call."""
    desk = called()
    desk.open_link(mover(desk))
    return desk, desk.commits


def with_links(commit: Commit, **fields: object) -> Commit:
    """Return a commit with other links."""
    events = [replace(event, **fields) if isinstance(event, LinksOpened) else event for event in commit.events]
    return replace(commit, events=tuple(events))


def test_an_audit_finds_a_link_of_the_server_that_does_not_follow() -> None:
    desk, commits = rolled()

    assert "not the next link of the server" in found_in(desk, [*commits[:-1], with_links(commits[-1], link="ab" * 32)])
    assert "not the next link of the server" in found_in(desk, [*commits[:-1], with_links(commits[-1], number=99)])


def test_an_audit_finds_a_link_of_a_seat_that_does_not_follow() -> None:
    desk, commits = rolled()
    share = "ab" * 32
    command = Raw(encode({"do": "match:open-link", "share": share}))
    bad = replace(with_links(commits[-1], share=share), command=command)

    assert "not the next link of the seat" in found_in(desk, [*commits[:-1], bad])
    assert "by that seat alone" in found_in(desk, [*commits[:-1], with_links(commits[-1], share=share)])


def test_an_audit_finds_a_link_that_was_not_owed() -> None:
    desk = called()
    asked = desk.commits[-1]
    link: dict[str, object] = desk.share(asked.seat)
    owed = LinksOpened(rule=LINKS, seat=asked.seat, share=str(link["share"]))
    early = replace(asked, key="early", command=Raw(encode(link)), events=(owed,))

    assert found_in(desk, [*desk.commits[:-1], early]).startswith(f"no link of the seat {asked.seat} was owed")
    assert found_in(desk, [*desk.commits, early]).startswith(f"no link of the seat {asked.seat} was owed")


def test_an_audit_finds_a_roll_that_was_not_called_for() -> None:
    desk, commits = rolled()
    bare = replace(with_links(commits[-1], seat=Seat(""), share=""), command=commits[-2].command)

    assert "without calling for it first" in found_in(desk, [*commits[:-2], bare])
    assert "without calling for it first" in found_in(desk, [*commits[:-2], commits[-1]])


def test_an_audit_finds_a_decision_between_a_call_and_its_link() -> None:
    desk, commits = rolled()
    again = replace(commits[-2], key="again")

    assert found_in(desk, [*commits[:-1], again]) in (
        "the link that can be called for is 3, and only once",
        f"the link that can be called for is {links_of(desk).opened}, and only once",
    )


def test_an_audit_finds_a_decision_of_a_seat_that_owed_a_link() -> None:
    desk = called()
    desk.settle()
    while mover(desk) == desk.commits[-1].seat:
        desk.play(1, Random(1))
    commits = desk.commits
    paid = max(
        place
        for place, commit in enumerate(commits)
        if isinstance(event := commit.events[0], LinksOpened) and not event.number and commit.seat == mover(desk)
    )
    desk.accept(desk.options()[0])
    later = [one for one in desk.commits[paid + 1 :] if one.seat == desk.commits[paid].seat][:1]

    assert "owed a link when it decided" in found_in(desk, [*commits[:paid], *later])


def test_an_audit_finds_a_seed_that_gives_another_chain() -> None:
    desk = called()
    desk.settle()
    desk.accept({"do": "match:resign"}, RED)

    assert desk.audit().dice == "checked"
    opening = desk.commits[0]
    other_chain = replace(opening.events[0], chance=replace(desk.table.chance, length=SHORT))
    assert found_in(desk, [replace(opening, events=(other_chain,)), *desk.commits[1:]])
