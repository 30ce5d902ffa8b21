"""The audit of forks: cards dealt again, the forking event, and the command that a fork cut."""

from collections.abc import Callable, Sequence
from random import Random

from typing_extensions import override

from core.audit.audit_forks import REDEAL_NONE, REDEAL_NOT_YET, REDEAL_VERIFIED, Resting
from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.engine.chance_port import Chance
from core.match.live_match import Prepared, load_match
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.codec import Raw, replace
from events.ids import CardId, Digest, MatchId, PileId, RuleId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import (
    ChanceScheme,
    DiceRolled,
    Event,
    MatchEnded,
    PieceRevealed,
    SecretsRedealt,
    SeedRevealed,
    StandingAnswersRevealed,
)
from tests.support.desk import SEED, Desk
from tests.support.forgery import own_commits, refork, write_fork
from tests.support.rows import each_row

RED, BLUE = Seat("red"), Seat("blue")
DECK, HAND = PileId("deck"), PileId("hand/blue")
UNREVEALED = "f0" * 32


def parent_of(dice: str = "seeded", steps: int = 6) -> Desk:
    """Play a match of the test game for a while."""
    return Desk.open(dice=dice).play(steps, Random(1))


def dealt_again(dice: str = "seeded") -> Desk:
    """Fork a match by the knowledge of red, which knows neither blue's hand nor the deck nor blue's spy."""
    parent = parent_of(steps=2)
    return parent.fork(parent.match.head.seq, dice, hidden="resample", seat=RED)


def ended(fork: Desk) -> Desk:
    """End a match, so that its seed is revealed."""
    fork.accept({"do": "match:resign"}, RED)
    return fork


def with_first(fork: Desk, change: Callable[[list[Event]], list[Event]]) -> Desk:
    """Forge the first commit of a fork."""
    (first,) = own_commits(fork)
    events = tuple(change(list(first.events)))
    assert events != first.events
    return refork(fork, [replace(first, events=events)])


def found(report: AuditReport) -> str:
    """Return the problem that an audit found."""
    assert len(report.findings) == 1, report
    return report.findings[0].problem


def redealt(events: list[Event], pile: PileId) -> tuple[int, SecretsRedealt]:
    """Return the event that dealt a pile again, and its number."""
    place, event = next(
        (place, event) for place, event in enumerate(events) if isinstance(event, SecretsRedealt) and event.pile == pile
    )
    assert isinstance(event, SecretsRedealt)
    return place, event


def changed(pile: PileId, **change: object) -> Callable[[list[Event]], list[Event]]:
    """Return a forgery that changes how a pile was dealt again."""

    def forge(events: list[Event]) -> list[Event]:
        place, event = redealt(events, pile)
        return [*events[:place], replace(event, **change), *events[place + 1 :]]

    return forge


def swapped(events: list[Event]) -> list[Event]:
    """Swap a card of blue's hand for one of the deck, as a cheating operator might."""
    (deck_place, deck), (hand_place, hand) = redealt(events, DECK), redealt(events, HAND)
    assert deck.cards and hand.cards
    events[deck_place] = replace(deck, cards=tuple(sorted((*deck.cards[1:], hand.cards[0]))))
    events[hand_place] = replace(hand, cards=tuple(sorted((*hand.cards[1:], deck.cards[0]))))
    return events


def without(kind: type[Event]) -> Callable[[list[Event]], list[Event]]:
    """Return a forgery that omits events of a type."""
    return lambda events: [event for event in events if not isinstance(event, kind)]


def with_known_hand(events: list[Event]) -> list[Event]:
    """Deal red's hand again, which red knows."""
    event = SecretsRedealt(
        rule=RuleId("match.resample"), pile=PileId("hand/red"), cards=(CardId("card-1"),), seen_by=(RED,)
    )
    return [*events, event]


def without_pile(pile: PileId) -> Callable[[list[Event]], list[Event]]:
    """Return a forgery that does not deal a pile again."""
    return lambda events: [event for event in events if getattr(event, "pile", "") != pile]


def larger(events: list[Event]) -> list[Event]:
    """Deal one more card from the deck to blue's hand."""
    (deck_place, deck), (hand_place, hand) = redealt(events, DECK), redealt(events, HAND)
    assert deck.cards and hand.cards
    events[deck_place] = replace(deck, cards=deck.cards[1:])
    events[hand_place] = replace(hand, cards=tuple(sorted((*hand.cards, deck.cards[0]))))
    return events


# Honest forks


@each_row(
    ("fork", "redeal"),
    [
        (dealt_again, REDEAL_VERIFIED),
        (lambda: dealt_again("fresh"), REDEAL_NOT_YET),
        (lambda: ended(dealt_again("fresh")), REDEAL_VERIFIED),
        (lambda: parent_of().fork(40, seat=RED), REDEAL_NONE),
        (parent_of, REDEAL_NONE),
    ],
)
def test_the_report_states_how_far_a_new_deal_was_checked(fork: Callable[[], Desk], redeal: str) -> None:
    report = fork().audit()

    assert (report.findings, report.redeal) == ((), redeal)


def test_one_deal_with_an_unknown_seed_makes_the_report_say_not_yet() -> None:
    first = dealt_again("fresh")
    second = first.fork(first.match.head.seq, "seeded", name="second", hidden="resample", seat=BLUE)

    assert (second.audit().findings, second.audit().redeal) == ((), REDEAL_NOT_YET)


# Forged deals


@each_row("dice", ["seeded", "fresh"])
@each_row(
    "forge",
    [
        changed(HAND, seen_by=(RED, BLUE)),
        changed(HAND, seen_by=()),
        changed(HAND, seen_by=None),
        changed(DECK, seen_by=(BLUE,)),
        changed(HAND, rule=RuleId("0")),
        changed(HAND, cards=(CardId("card-9"), CardId("card-8"))),
        changed(HAND, cards=None),
        without(SecretsRedealt),
        without_pile(DECK),
        without_pile(HAND),
        without(PieceRevealed),
        with_known_hand,
        larger,
        lambda events: [*events, events[-1]],
        lambda events: [events[0], *reversed(events[1:])],
        lambda events: [replace(events[0], hidden="truth"), *events[1:]],
    ],
)
def test_a_forged_deal_is_found_whether_its_seed_is_known_or_not(
    dice: str, forge: Callable[[list[Event]], list[Event]]
) -> None:
    """match.resample: audiences, piles, numbers and the set of cards can be checked without the seed."""
    fork = with_first(dealt_again(dice), forge)

    assert fork.audit().findings != ()


def test_a_fork_that_promised_to_deal_again_and_did_not_is_found() -> None:
    """match.resample"""
    parent = parent_of()
    fork = parent.fork(parent.match.head.seq, "fresh", hidden="truth", seat=RED)
    forged = with_first(fork, lambda events: [replace(events[0], hidden="resample")])

    assert "not dealt again" in found(forged.audit())


def test_swapped_cards_are_found_once_the_seed_is_known() -> None:
    """match.resample"""
    assert "the rules give" in found(with_first(dealt_again(), swapped).audit())


def test_swapped_cards_of_a_sealed_fork_are_found_after_its_end_and_unverified_before() -> None:
    """match.resample: without the seed this deal is possible."""
    fork = with_first(dealt_again("fresh"), swapped)
    fork.match.seed = UNREVEALED

    assert (fork.audit().findings, fork.audit().redeal) == ((), REDEAL_NOT_YET)
    report = ended(fork).audit()
    assert "the rules give" in found(report)
    assert report.redeal != REDEAL_VERIFIED


def test_cards_that_the_forking_seat_knew_must_stay() -> None:
    """match.resample: cards that the forking seat has seen in a pile must stay there in the record."""
    fork = dealt_again("fresh")
    again = fork.fork(fork.match.head.seq, "fresh", name="again", hidden="resample", seat=BLUE, seed="0e" * 32)
    report = with_first(again, changed(PileId("hand/red"), cards=())).audit()

    assert "another number of cards" in found(report)


# The forking event


def test_a_fork_without_a_forking_event_is_found() -> None:
    """match.fork: otherwise the fork could rewrite a part of its parent."""
    parent = parent_of()
    fork = parent.fork(parent.match.head.seq, "seeded")
    (first,) = own_commits(fork)
    going_on = parent.ask(parent.options()[0], key=first.key)
    assert isinstance(going_on, Prepared)
    forged = write_fork(fork, [replace(going_on.commit, match=fork.match.id)])

    assert found(forged.audit()) == "a commit of match fork follows one of match m1 without being its fork"


@each_row(
    "change",
    [
        {"hidden": "guess"},
        {"seat": Seat("green")},
        {"seat": BLUE},
        {"rule": RuleId("0")},
        {"at": 3},
        {"chance": ChanceScheme(scheme="sealed/3", commitment="a" * 64, stream="fork")},
        {"chance": ChanceScheme(scheme="")},
        {"chance": ChanceScheme(scheme="seeded/1")},
        {"chance": ChanceScheme(scheme="seeded/1", seed="1", stream="fork")},
        {"chance": ChanceScheme(scheme="seeded/1", seed="2", shift=1)},
        {"chance": ChanceScheme(scheme="seeded/1", seed="1", shift=2)},
        {"chance": ChanceScheme(scheme="sealed/2", stream="fork")},
        {"chance": ChanceScheme(scheme="sealed/2", commitment="a" * 63, stream="fork", veil="a" * 64, length=9)},
        {"chance": ChanceScheme(scheme="sealed/2", commitment="a" * 64, stream="m1", veil="a" * 64, length=9)},
        {"chance": ChanceScheme(scheme="sealed/2", commitment="a" * 64, stream="fork", veil="a" * 64)},
        {
            "chance": ChanceScheme(
                scheme="sealed/2", commitment="a" * 64, stream="fork", veil="a" * 64, length=9, shift=3
            )
        },
        {"chance": ChanceScheme(scheme="manual/1", seed="1")},
    ],
)
def test_a_forged_field_of_the_forking_event_is_found(change: dict[str, object]) -> None:
    """match.fork"""
    parent = parent_of()
    fork = parent.fork(parent.match.head.seq, "seeded", seat=RED)
    forged = with_first(fork, lambda events: [replace(events[0], **change)])
    report = forged.audit()

    assert report.findings != ()
    assert report.findings[0].seq == own_commits(fork)[0].first


def test_a_fork_with_unknown_dice_is_reported() -> None:
    fork = parent_of().fork(40, "seeded")
    first, cut = own_commits(fork)
    unknown = replace(first.events[0], chance=ChanceScheme(scheme="sealed/3"))
    report = refork(fork, [replace(first, events=(unknown,)), cut]).audit()

    assert found(report) == "dice scheme 'sealed/3' is not known to this program, so its dice are not verified"
    assert report.dice == "unknown"


def test_a_fork_whose_own_dice_are_sealed_with_its_parents_seed_is_found() -> None:
    """match.fork: a seat of the parent may know those dice. It is found once the seed is revealed, also by the fork alone."""
    parent = parent_of("sealed")
    fork = ended(parent.fork(parent.match.head.seq, "fresh", seed=SEED))

    assert "one of its ancestors has used" in found(fork.audit())


def test_a_fork_that_begins_elsewhere_than_its_store_lists_is_found() -> None:
    """match.fork"""
    fork = parent_of().fork(40, "seeded")
    log = fork.log
    assert isinstance(log, MemoryLog)
    stream = log._streams[fork.match.id]
    assert stream.origin is not None
    stream.origin = replace(stream.origin, hash=Digest("0" * 64))

    assert found(fork.audit()) == "a fork begins here that the store does not list"


def test_of_a_fork_with_a_used_seed_and_other_defects_of_its_dice_the_form_is_named_first() -> None:
    parent = parent_of("sealed")
    fork = parent.fork(parent.match.head.seq, "fresh", seed=SEED)
    chance = replace(fork.table.chance, shift=1)

    assert "other fields than match fork can have" in found(
        with_first(fork, lambda events: [replace(events[0], chance=chance)]).audit()
    )


def test_typed_dice_and_the_parents_dice_deal_nothing_again() -> None:
    """match.resample"""
    for scheme in (ChanceScheme(scheme="manual/1"), ChanceScheme(scheme="seeded/1", seed="1", shift=1)):
        fork = dealt_again()
        forged = with_first(fork, lambda events, scheme=scheme: [replace(events[0], chance=scheme), *events[1:]])  # type: ignore[misc]

        assert "needs dice of the fork's own" in found(forged.audit())


@each_row("change", [{"command": Raw(b"{}")}, {"seat": RED}])
def test_a_fork_that_another_command_made_is_found(change: dict[str, object]) -> None:
    parent = parent_of()
    fork = parent.fork(parent.match.head.seq, "seeded")
    (first,) = own_commits(fork)

    assert "the command that makes forks" in found(refork(fork, [replace(first, **change)]).audit())


# The command that a fork cuts


def typed() -> Desk:
    """Play a match with typed dice."""
    desk = Desk.open(dice="manual")
    desk.accept({"do": "match:begin"}, RED, dice=(6,), draws=[f"card-{number}" for number in range(1, 5)])
    desk.accept({"do": "roll"}, dice=(4, 5))
    desk.accept({"do": "reply", "contest": False})
    desk.accept({"do": "roll"}, dice=(2, 3))
    desk.accept({"do": "reply", "contest": True}, dice=(6,))
    return desk


def last_die(desk: Desk) -> int:
    """Return the number of the last roll; in these matches it belongs to a contest and is not the last event of its commit."""
    return max(n for n, event in enumerate(desk.events, start=1) if isinstance(event, DiceRolled))


def test_a_changed_die_in_the_cut_command_is_found() -> None:
    """match.fork: typed dice cannot be checked by a seed, but by the parent's record."""
    parent = typed()
    at = last_die(parent)
    fork = parent.fork(at, "manual")
    first, again = own_commits(fork)
    assert fork.audit().findings == ()
    # The forger decides the command again with a better die.
    other = refork(fork, [first]).ask({"do": "reply", "contest": True}, again.seat, dice=(1,), key=again.key)
    assert isinstance(other, Prepared)
    report = refork(fork, [first, other.commit]).audit()

    assert found(report) == f"match m1, which the fork left after event {at}, holds another event"
    assert report.findings[0].seq == at + 1


def test_a_changed_cut_command_is_found() -> None:
    """match.fork"""
    fork = typed().fork(last_die(typed()), "manual")
    first, again = own_commits(fork)
    other = refork(fork, [first]).ask({"do": "reply", "contest": False}, again.seat, dice=(), key=again.key)
    assert isinstance(other, Prepared)

    assert "differs" in found(refork(fork, [first, other.commit]).audit())


@each_row("beyond", [1, 2, 10_000])
def test_a_fork_cannot_attribute_its_later_dice_to_its_parent(beyond: int) -> None:
    """match.fork: otherwise typed dice could pass as the fork's sealed dice, and could not be checked."""
    parent = typed()
    left = parent.match.head.seq
    fork = parent.fork(left, "fresh").play(6, Random(1))
    first, *others = own_commits(fork)
    later = replace(first, events=(replace(first.events[0], at=left + len(others[0].events) + beyond),))
    report = refork(fork, [later, *others]).audit()

    assert (report.findings[0].seq, found(report)) == (
        others[0].first,
        "the fork did not leave match m1 within this command",
    )


def test_a_fork_between_two_commands_cannot_claim_to_have_cut_the_next() -> None:
    """match.fork"""
    parent = typed()
    roll = next(n for n, event in enumerate(parent.events, start=1) if isinstance(event, DiceRolled) and n > 20)
    cut = next(commit for commit in parent.commits if commit.first <= roll <= commit.last)
    fork = parent.fork(cut.first - 1, "fresh").play(6, Random(1))
    first, *others = own_commits(fork)
    later = replace(first, events=(replace(first.events[0], at=parent.match.head.seq),))

    assert found(refork(fork, [later, *others]).audit()) == (
        f"the fork left match m1 after event {cut.first - 1}, not within a command"
    )


def claimed_cut(parent: Desk, chance: Chance) -> tuple[Desk, int]:
    """Fork a match at its head, and forge that the fork cut a command that the match never had.

    Args:
        parent: The match.
        chance: The outcomes of the forged command.

    Returns:
        The forged fork, and the event after which it claims to have left.
    """
    fork = parent.fork(parent.match.head.seq, "fresh")
    (first,) = own_commits(fork)
    done = fork.match.prepare(top_seat(fork), b'{"do":"roll"}', key="k", at=1, chance=chance)
    assert isinstance(done, Prepared)
    place = max(n for n, event in enumerate(done.commit.events) if isinstance(event, DiceRolled))
    at = parent.match.head.seq + place + 1
    return refork(fork, [replace(first, events=(replace(first.events[0], at=at),)), done.commit]), at


def top_seat(desk: Desk) -> Seat:
    """Return the seat that decides."""
    assert desk.table.top is not None
    return desk.table.top.seat


def by_true_links() -> tuple[Desk, int]:
    """Forge a command of a parent with sealed dice, with the links that would come next."""
    parent = parent_of("sealed", steps=7)
    return claimed_cut(parent, parent.match.chance())


class Sixes(Chance):
    """Dice that always show a six."""

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        return (sides,) * count

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        return 0

    @override
    def reveal(self) -> str:
        return ""


def test_a_cut_command_that_the_parent_never_had_is_found() -> None:
    """match.fork: the store has the parent's seed, so the parent was played here and is complete."""
    fork, at = by_true_links()

    assert found(fork.audit()) == f"match m1 has no event {at}, after which the fork left it"


def test_chosen_dice_of_a_missing_parents_command_are_found_if_they_are_sealed() -> None:
    """match.links: what is open follows from the links, which the parent has published."""
    fork, _ = claimed_cut(parent_of("sealed", steps=7), Sixes())
    alone = MemoryLog()
    store_archive(read_archive(export_match(fork.log, fork.match.id)), alone)

    assert found(audit_match(alone, fork.match.id)) == "no link was opened for this result"


def test_dice_of_a_missing_parents_command_are_unverifiable() -> None:
    """match.fork: a command that never existed cannot be distinguished from one that is missing here."""
    fork, at = claimed_cut(typed(), Sixes())
    _, cut = own_commits(fork)
    alone = MemoryLog()
    store_archive(read_archive(export_match(fork.log, fork.match.id)), alone)
    report = audit_match(alone, fork.match.id)

    assert (report.findings, report.dice) == ((), "unverifiable")
    assert report.resting == (Resting(MatchId("m1"), cut.first, at + 1),)
    # The end reveals only the fork's own seed.
    over = Desk(alone, load_match(alone, fork.match.id))
    over.match.seed = UNREVEALED
    assert ended(over).audit().dice == "unverifiable"


def test_dice_stay_unverifiable_when_a_later_fork_cuts_a_command_without_dice() -> None:
    """match.fork"""
    fork, _ = claimed_cut(typed(), Sixes())
    fork.play(8, Random(1))
    plain = next(
        commit
        for commit in own_commits(fork)[2:]
        if len(commit.events) > 1 and DiceRolled not in map(type, commit.events)
    )
    again = fork.fork(plain.first, "fresh", name="again", seed="0e" * 32)
    alone = MemoryLog()
    store_archive(read_archive(export_match(again.log, again.match.id)), alone)
    report = audit_match(alone, again.match.id)

    assert len(report.resting) == 2
    assert report.dice == "unverifiable"


def test_a_cut_command_that_is_here_leaves_nothing_unverifiable() -> None:
    """match.fork"""
    parent = typed()
    fork = parent.fork(last_die(parent), "fresh")

    assert (fork.audit().resting, fork.audit().dice) == ((), "mixed")


def test_a_fork_of_a_fork_is_as_unverifiable_as_the_first() -> None:
    """match.fork: the command that it cuts was itself repeated by the first fork."""
    parent = typed()
    at = last_die(parent)
    child = parent.fork(at, "manual", name="child")
    grandchild = child.fork(at + 1, "fresh", name="grandchild")
    assert grandchild.audit().resting == ()
    alone = MemoryLog()
    for match in (child.match.id, grandchild.match.id):
        store_archive(read_archive(export_match(grandchild.log, match)), alone)
    report = audit_match(alone, grandchild.match.id)
    again = own_commits(grandchild)[1]

    assert report.findings == ()
    assert [(one.match, one.first) for one in report.resting] == [(MatchId("m1"), again.first)]
    assert report.dice == "unverifiable"


def test_a_fork_that_does_not_repeat_its_cut_command_is_found() -> None:
    """match.fork"""
    fork = typed().fork(last_die(typed()), "manual")
    first, _ = own_commits(fork)
    report = refork(fork, [first]).audit()

    assert found(report) == "the fork left match m1 within a command, which does not follow"
    assert report.findings[0].seq == first.last


def test_the_first_commit_of_a_partly_archived_fork_is_sound() -> None:
    """match.fork: the archive contains no other commit of the fork in between."""
    fork = typed().fork(last_die(typed()), "manual", name="between")
    last = fork.fork(own_commits(fork)[0].last, "fresh", name="last")
    alone = MemoryLog()
    store_archive(read_archive(export_match(last.log, last.match.id)), alone)

    for match in alone.matches():
        assert audit_match(alone, match).findings == ()


@each_row("parent", ["", "fork", "child", "stranger"])
def test_a_named_parent_that_does_not_share_the_event_is_found(parent: str) -> None:
    """match.fork: the named parent cannot be the fork itself, its own fork, or a match that shares fewer events."""
    match = parent_of()
    Desk.open(name="stranger", log=match.log)
    fork = match.fork(match.match.head.seq, "seeded")
    fork.fork(fork.match.head.seq, "seeded", name="child")
    forged = with_first(fork, lambda events: [replace(events[0], parent=MatchId(parent)), *events[1:]])

    assert "the fork left match m1 after event" in found(forged.audit())


@each_row("at", [-5, 0, 1])
def test_a_fork_that_names_an_earlier_event_is_found(at: int) -> None:
    """match.fork: no event of the parent is dropped, and there is none before the first."""
    match = parent_of()
    fork = match.fork(match.match.head.seq, "seeded")
    left = fork.log.origin(fork.match.id)
    assert left is not None
    forged = with_first(fork, lambda events: [replace(events[0], at=at), *events[1:]])

    assert found(forged.audit()) == f"the fork left match m1 after event {left.seq}, not after event {at}"


def test_a_named_parent_that_left_earlier_is_found() -> None:
    """match.fork"""
    match = parent_of()
    match.fork(own_commits(match)[2].last, "seeded", name="earlier")
    fork = match.fork(match.match.head.seq, "seeded")
    forged = with_first(fork, lambda events: [replace(events[0], parent=MatchId("earlier")), *events[1:]])

    assert "the fork left match m1 after event" in found(forged.audit())


def test_a_missing_named_parent_is_reported_as_unverifiable() -> None:
    """match.fork: the missing parent may be a fork that shares the event but is not in the archive."""
    parent = parent_of()
    child = parent.fork(parent.match.head.seq, "seeded", name="child")
    grandchild = child.fork(10, "seeded", name="grandchild")
    assert (grandchild.audit().findings, grandchild.audit().resting) == ((), ())
    alone = MemoryLog()
    store_archive(read_archive(export_match(parent.log, grandchild.match.id)), alone)
    report = audit_match(alone, grandchild.match.id)
    first = own_commits(grandchild)[0].first

    assert (report.findings, report.resting[0]) == ((), Resting(child.match.id, first, first))


def test_a_cut_command_is_compared_whatever_parent_is_named() -> None:
    """match.fork: naming a missing match does not hide the one that the fork really left."""
    fork, at = by_true_links()
    first, *others = own_commits(fork)
    named = replace(first, events=(replace(first.events[0], parent=MatchId("neverwas")),))

    assert found(refork(fork, [named, *others]).audit()) == f"match m1 has no event {at}, after which the fork left it"


def test_the_same_dice_after_a_fork_that_cut_a_command_are_checked_correctly() -> None:
    """match.fork: events that the first fork repeated do not affect a fork that leaves before them."""
    parent = parent_of("seeded", steps=500)
    for at in range(30, 60, 5):
        child = parent.fork(at, "seeded", name=f"child-{at}")
        begins = own_commits(child)[0].last
        grandchild = child.fork(begins, "same", name=f"grandchild-{at}").play(500, Random(at))

        assert grandchild.audit().findings == ()


@each_row("dice", ["fresh", "seeded", "manual"])
def test_a_fork_does_not_repeat_its_parents_disclosures(dice: str) -> None:
    """match.reveal, match.disclose: a fork with sealed dice of its own tells its own seed."""
    parent = Desk.open(dice="sealed")
    answer = '{"do":"reply","contest":true}'
    parent.accept({"do": "match:answer-always", "decision": "reply", "answer": answer}, RED)
    parent.play(500, Random(1))
    last = parent.commits[-1]
    assert [type(event) for event in last.events[-3:]] == [MatchEnded, SeedRevealed, StandingAnswersRevealed]
    for at in range(max(last.first, last_die(parent)), last.last - 2):
        fork = parent.fork(at, dice, name=f"fork-{at}")
        report = fork.audit()

        assert report.findings == ()
        own = "sealed" if fork.table.ended is None else "checked"
        assert report.dice == (own if dice == "fresh" else "mixed")
