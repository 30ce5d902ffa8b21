"""The audit of a match that was played under other rules than are installed: evidence apart from what these would decide."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from typing_extensions import override

from core.audit.audit_report import AuditReport, PlayedUnder
from core.match.live_match import Prepared, load_match
from core.match.ruleset import AdoptRules
from core.registry.games import load_game
from events.codec import replace
from events.commit import Commit
from events.ids import Digest, MatchId, RuleId, Seat
from events.log import Stored
from events.memory_log import MemoryLog
from events.vocabulary import (
    CardDrawn,
    DiceRolled,
    Event,
    MatchForked,
    MatchOpened,
    PieceDrawn,
    RulesAdopted,
    SecretsRedealt,
    SeedRevealed,
    TrackMoved,
)
from tests.support.desk import Desk
from tests.support.forgery import changed, forged, own_commits, renumbered, with_command, write_fork
from tests.support.mended import mend
from tests.support.rows import each_row
from tests.support.skirmish import RULE

RED = Seat("red")
OLD = Digest("0" * 64)


def played(dice: str = "sealed", steps: int = 500) -> Desk:
    """Play a match of the test game under the rules that are installed first."""
    return Desk.open(dice=dice).play(steps, Random(1))


def adopted(patch: pytest.MonkeyPatch, steps: int = 8) -> Desk:
    """Play a match, mend a rule, adopt it, and play on to the end."""
    desk = played(steps=steps)
    mend(patch, goal=40)
    desk = Desk(desk.log, load_match(desk.log, desk.match.id))
    desk.accept(AdoptRules(rules=load_game("skirmish").rules_digest), RED)
    return desk.play(500, Random(2))


def numbers(desk: Desk, kind: type[Event]) -> list[int]:
    """Return the numbers of all events of a kind."""
    return [number for number, event in enumerate(desk.events, start=1) if isinstance(event, kind)]


def under(desk: Desk, commits: list[Commit], rules: Digest = OLD) -> Desk:
    """Write a match anew, with a valid chain and an opening that names other rules."""
    return forged(desk, changed(commits, 1, lambda event: replace(event, rules=rules)), covered=True)


def found(report: AuditReport) -> list[int]:
    """Return the events that an audit found defective."""
    return [one.seq for one in report.findings]


# A rule is mended


def test_a_finished_match_keeps_its_evidence_and_each_decision_that_would_differ_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = played()
    before = load_game("skirmish")
    later = mend(monkeypatch)
    report = desk.audit()
    first = next(
        number
        for number in numbers(desk, TrackMoved)
        if isinstance(event := desk.events[number - 1], TrackMoved) and event.to >= 12
    )

    assert (report.verdict, report.clean, report.findings, report.dice) == ("other-rules", False, (), "checked")
    assert report.played_under == (PlayedUnder(1, "0.1", before.rules_digest),)
    assert (report.edition_now, report.rules_now) == ("0.2", later.rules_digest)
    assert report.events == desk.match.head.seq
    assert len(report.differences) > 1
    # The decision that reaches the goal is the first, and the others follow the record.
    assert report.differences[0].seq > first
    assert [one.seq for one in report.differences] == sorted({one.seq for one in report.differences})
    assert {one.rule for one in report.differences} == {RULE}
    assert '"result":"Goal"' in report.differences[0].problem


def test_a_match_under_the_installed_rules_whose_decisions_differ_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = played()
    monkeypatch.setattr("tests.support.skirmish.GOAL", 12)
    report = desk.audit()

    assert (report.verdict, len(report.findings), report.differences) == ("broken", 1, ())


def test_another_digest_does_not_make_a_forgery_clean() -> None:
    """The forger takes a decision that the rules refuse, and names other rules in the opening."""
    desk = played()
    place = next(n for n, commit in enumerate(desk.commits) if b'"roll"' in bytes(commit.command))
    forgery = under(
        desk, [*desk.commits[:place], with_command(desk.commits[place], {"do": "omen"}), *desk.commits[place + 1 :]]
    )
    report = forgery.audit()

    assert (report.verdict, report.clean, report.findings) == ("other-rules", False, ())
    assert report.differences[0].seq in range(desk.commits[place].first, desk.commits[place].last + 1)
    assert under(desk, desk.commits).audit().differences == ()


def test_whatever_the_installed_rules_do_at_a_table_that_they_do_not_know_is_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = under(played(), played().commits)

    def fails(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("tests.support.skirmish.next_turn", fails)
    report = desk.audit()

    assert report.findings == ()
    assert "they fail: RecursionError: next_turn(draft) (skirmish.py, line " in report.differences[0].problem


# What stays evidence under other rules


def other_faces(event: Event) -> Event:
    """Turn every die of a roll to its next face."""
    assert isinstance(event, DiceRolled)
    return replace(event, faces=tuple([face % 6 + 1 for face in event.faces]))


def other_card(event: Event) -> Event:
    """Draw another card."""
    assert isinstance(event, CardDrawn)
    return replace(event, card="card-7" if event.card != "card-7" else "card-8")


def other_piece(event: Event) -> Event:
    """Draw another counter."""
    assert isinstance(event, PieceDrawn)
    return replace(event, drawn="comet" if event.drawn != "comet" else "raven")


@each_row("dice", ["sealed", "seeded"])
@each_row(("kind", "change"), [(DiceRolled, other_faces), (CardDrawn, other_card), (PieceDrawn, other_piece)])
def test_an_outcome_that_the_seed_does_not_give_is_found_under_any_rules(
    dice: str, kind: type[Event], change: Callable[[Event], Event]
) -> None:
    desk = played(dice)
    assert numbers(desk, kind)
    for number in numbers(desk, kind):
        report = under(desk, changed(desk.commits, number, change)).audit()

        assert (found(report), report.verdict) == ([number], "broken")


@each_row(
    "fields",
    [
        {"faces": (0, 3)},
        {"faces": (7, 3)},
        {"faces": ()},
        {"sides": 0, "faces": ()},
        {"sides": 1 << 80},
    ],
)
@each_row("dice", ["seeded", "sealed"])
def test_impossible_dice_are_found_under_any_rules(dice: str, fields: dict[str, object]) -> None:
    desk = played(dice)
    number = numbers(desk, DiceRolled)[1]

    assert found(under(desk, changed(desk.commits, number, lambda event: replace(event, **fields))).audit()) == [number]


def test_relabelled_dice_are_found_under_any_rules_if_they_are_bound_to_their_purpose() -> None:
    """Seeded dice are bound to it. Sealed ones are bound to their place after the links, so that only the rules tell what they are for."""
    seeded, sealed = played("seeded"), played()
    number, other = numbers(seeded, DiceRolled)[1], numbers(sealed, DiceRolled)[1]

    def luck(event: Event) -> Event:
        return replace(event, purpose="luck")

    assert found(under(seeded, changed(seeded.commits, number, luck)).audit()) == [number]
    assert found(under(sealed, changed(sealed.commits, other, luck)).audit()) == []
    assert found(forged(sealed, changed(sealed.commits, other, luck), covered=True).audit()) == [other]


def test_a_seed_that_was_not_promised_is_found_under_any_rules() -> None:
    desk = played()
    (number,) = numbers(desk, SeedRevealed)

    # Without the promised seed no die can be rolled again before the finding.
    assert found(under(desk, changed(desk.commits, number, lambda event: replace(event, seed="ab" * 32))).audit()) == [
        number
    ]


def test_events_that_cannot_have_happened_are_found_under_any_rules() -> None:
    desk = played()
    number = numbers(desk, PieceDrawn)[0] + 2
    commits = changed(desk.commits, number, lambda event: replace(event, piece="nobody"))

    assert found(under(desk, commits).audit()) != []


@each_row("event", [MatchForked, RulesAdopted])
def test_the_source_of_dice_and_the_rules_change_with_the_first_event_of_a_command_only(event: type[Event]) -> None:
    """A forger could else give a match under other rules a seed of choice in the middle of a command."""
    desk = played()
    place = 6
    opening = desk.events[0]
    assert isinstance(opening, MatchOpened)
    forgeries: dict[type[Event], Event] = {
        MatchForked: MatchForked(
            rule=RULE, parent=MatchId("m0"), at=1, chance=opening.chance, hidden="truth", seat=Seat("arbiter")
        ),
        RulesAdopted: RulesAdopted(
            rule=RuleId("match.adopt"), seat=RED, edition="9", rules=OLD, edition_was="0.1", rules_was=OLD
        ),
    }
    commit = desk.commits[place]
    more = replace(commit, events=(*commit.events, forgeries[event]))
    report = under(desk, renumbered([*desk.commits[:place], more, *desk.commits[place + 1 :]])).audit()

    assert (found(report), "first event" in report.findings[0].problem) == ([commit.last + 1], True)


@each_row("change", [{"game": "chess"}, {"board": OLD}])
def test_dice_are_checked_where_the_rules_are_missing(change: dict[str, object]) -> None:
    desk = played()
    number = numbers(desk, DiceRolled)[1]
    commits = changed(desk.commits, 1, lambda event: replace(event, **change))

    assert forged(desk, commits, covered=True).audit().dice == "checked"
    assert found(forged(desk, changed(commits, number, other_faces), covered=True).audit()) == [number]


def test_a_fork_under_other_rules_is_linked_and_its_deal_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.fork"""
    parent = played(steps=2)
    fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=RED)
    (first,) = own_commits(fork)
    place = next(
        place
        for place, event in enumerate(first.events)
        if isinstance(event, SecretsRedealt) and len(event.cards or ()) > 1
    )
    dealt = first.events[place]
    assert isinstance(dealt, SecretsRedealt)
    assert dealt.cards
    otherwise = replace(dealt, cards=tuple(reversed(dealt.cards)))

    assert (fork.audit().verdict, fork.audit().redeal) == ("clean", "verified")
    mend(monkeypatch)
    assert (fork.audit().verdict, fork.audit().redeal) == ("other-rules", "verified")
    events = (*first.events[:place], otherwise, *first.events[place + 1 :])
    report = write_fork(fork, [replace(first, events=events)]).audit()
    assert (report.findings, report.redeal) == ((), "other-rules")
    assert first.first + place in [one.seq for one in report.differences]
    rolled = replace(first, events=(*first.events, DiceRolled(rule=RULE, faces=(6,), purpose="luck")))
    assert found(write_fork(fork, [rolled]).audit()) == [first.last + 1]


# Adopted rules


def test_events_before_an_adoption_are_compared_and_those_after_it_are_evidence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """match.adopt"""
    before = load_game("skirmish").rules_digest
    desk = adopted(monkeypatch)
    (number,) = numbers(desk, RulesAdopted)
    later = load_game("skirmish").rules_digest
    report = desk.audit()

    assert (report.verdict, report.findings, report.dice) == ("other-rules", (), "checked")
    assert report.played_under == (PlayedUnder(1, "0.1", before), PlayedUnder(number, "0.2", later))
    assert desk.table.ended is not None
    changes = [one for one in numbers(desk, TrackMoved) if one > number]
    forgery = forged(desk, changed(desk.commits, changes[0], lambda event: replace(event, to=19)), covered=True)
    assert found(forgery.audit()) == [changes[0]]


@pytest.mark.parametrize(
    "fields",
    [
        {"rules_was": OLD},
        {"edition_was": "9"},
        {"rules": OLD},
        {"rules": Digest("none")},
        {"edition": "9"},
        {"seat": Seat("blue")},
        {"rule": RULE},
    ],
)
def test_a_forged_adoption_is_found(fields: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt"""
    desk = adopted(monkeypatch)
    (number,) = numbers(desk, RulesAdopted)
    report = forged(desk, changed(desk.commits, number, lambda event: replace(event, **fields)), covered=True).audit()

    assert found(report) == [number]


def test_rules_that_are_not_installed_are_adopted_by_the_command_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.adopt: an installation with neither of the rules finds a forged change of them all the same."""
    desk = adopted(monkeypatch)
    (number,) = numbers(desk, RulesAdopted)
    place = next(n for n, commit in enumerate(desk.commits) if commit.first == number)
    monkeypatch.undo()
    rules = Digest("b" * 64)
    commits = changed(desk.commits, 1, lambda event: replace(event, rules=OLD))
    commits = changed(commits, number, lambda event: replace(event, rules=rules, rules_was=OLD))
    commits[place] = with_command(commits[place], AdoptRules(rules=rules))

    def audit(**fields: object) -> AuditReport:
        written = [*commits]
        written[place] = replace(written[place], **fields)
        return forged(desk, written, covered=True).audit()

    assert audit().findings == ()
    assert found(audit(seat=Seat("public"))) == [number]
    assert found(audit(command=with_command(commits[place], {"do": "roll"}).command)) == [number]


# One consistent read


def test_events_that_are_appended_during_an_audit_are_no_part_of_it() -> None:
    """An audit beside a server once read the head after the commits, and called the match broken."""
    desk = played(steps=9)
    asked = desk.ask(desk.options()[0])
    assert isinstance(asked, Prepared)
    more = asked.new

    class Growing(MemoryLog):
        @override
        def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
            read = list(super().read(match, after, upto))
            if more.first == self.head(match).seq + 1:
                self.append([more])
            return iter(read)

    assert isinstance(desk.log, MemoryLog)
    growing = Growing()
    growing._streams, growing._attachments = desk.log._streams, desk.log._attachments
    end = desk.match.head
    report = Desk(growing, desk.match).audit()

    assert (report.verdict, report.events, report.head) == ("clean", end.seq, end.hash)
    assert growing.head(desk.match.id).seq > end.seq
