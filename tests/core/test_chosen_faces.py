"""Forks that choose the faces of their next dice: on the record, and understood by audits."""

from random import Random

import pytest

from core.audit.audit_report import ChosenDice
from core.errors import DiceImpossible, KernelError
from core.match.fork import CHOSEN_MAX
from events.codec import replace
from events.ids import ARBITER, Seat
from events.vocabulary import CardDrawn, DiceRolled, MatchForked
from tests.support.desk import Desk
from tests.support.forgery import own_commits, refork
from tests.support.rows import each_row
from tests.support.soak import few

RED = Seat("red")


def rolls(desk: Desk) -> list[tuple[int, DiceRolled]]:
    """Return the rolls of a match with their numbers."""
    return [(seq, event) for seq, event in enumerate(desk.events, start=1) if isinstance(event, DiceRolled)]


def parent_of(dice: str = "seeded", steps: int = 8) -> Desk:
    """Play a match of the test game for a while."""
    return Desk.open(dice=dice).play(steps, Random(1))


def game_roll(desk: Desk) -> tuple[int, DiceRolled]:
    """Return the first roll of two dice after the set-up."""
    return next((seq, event) for seq, event in rolls(desk) if len(event.faces) == 2 and seq > 30)


@each_row("dice", ["fresh", "same", "seeded"])
def test_a_fork_before_a_roll_chooses_its_faces(dice: str) -> None:
    parent = parent_of()
    seq, roll = game_roll(parent)
    chosen = tuple(7 - face for face in roll.faces)
    fork = parent.fork(seq - 1, dice, faces=chosen)

    # The event of the fork comes before it, and so does the link of sealed dice.
    assert dict(rolls(fork))[seq + (2 if dice == "fresh" else 1)].faces == chosen
    report = fork.audit()
    origin = fork.log.origin(fork.match.id)
    assert origin is not None
    assert (report.findings, report.chosen) == ((), (ChosenDice(origin.seq + 1, seq, ARBITER, chosen),))


def test_a_fork_between_two_commands_chooses_the_faces_of_later_rolls_and_then_goes_on_with_its_own() -> None:
    parent = parent_of(steps=2)
    chosen = parent.fork(parent.match.head.seq, "seeded", name="chosen", faces=(1, 2, 1, 2)).play(30, Random(4))
    plain = parent.fork(parent.match.head.seq, "seeded", name="plain").play(30, Random(4))
    own = [event.faces for seq, event in rolls(chosen) if seq > parent.match.head.seq]
    faces = [face for roll in own for face in roll]

    assert faces[:4] == [1, 2, 1, 2]
    assert len(faces) > 4
    assert rolls(plain) != rolls(chosen)
    assert chosen.match.table.chosen_faces is None
    assert chosen.audit().findings == plain.audit().findings == ()


@pytest.mark.parametrize("dice", few(["fresh", "same", "seeded"]))
@each_row("after", [0, 1])
def test_forks_of_forks_with_chosen_faces_are_audited_wherever_they_leave(dice: str, after: int) -> None:
    """Every event at which a fork with chosen faces can be left again, with and without chosen faces of its own.

    The first fork repeats the command up to the roll, or that as well.
    """
    seq, _ = game_roll(parent_of())
    parent = parent_of().fork(seq - 1 + after, "seeded", name="first", faces=(6, 6, 5, 5)).play(4, Random(5))
    last = parent.match.head.seq - (parent.match.table.ended is not None)
    for number, at in enumerate(range(seq, last + 1)):
        for faces in ((), (1, 2)):
            again = parent.fork(at, dice, name=f"second-{number}-{len(faces)}", faces=faces).play(2, Random(number))
            report = again.audit()

            assert report.findings == (), (at, faces)
            assert len(report.chosen) == 1 + bool(faces)


def test_the_same_dice_keep_faces_that_were_chosen_and_not_used() -> None:
    parent = parent_of(steps=2).fork(parent_of(steps=2).match.head.seq, "seeded", name="first", faces=(6, 6, 6, 6))
    same = parent.fork(parent.match.head.seq, "same", name="same").play(4, Random(1))
    fresh = parent.fork(parent.match.head.seq, "seeded", name="fresh", seed="9")

    assert [face for seq, roll in rolls(same) if seq > parent.match.head.seq for face in roll.faces][:2] == [6, 6]
    assert same.audit().findings == ()
    assert fresh.match.table.chosen_faces is None


@each_row("faces", [(7,), (0,), (3, -1)])
def test_faces_that_no_die_shows_are_refused_with_those_that_it_shows(faces: tuple[int, ...]) -> None:
    parent = parent_of()
    seq, roll = game_roll(parent)

    with pytest.raises(DiceImpossible, match=f"a die for {roll.purpose} cannot show .*; it shows 1 to 6"):
        parent.fork(seq - 1, "seeded", faces=faces)


def test_more_faces_than_the_limit_are_refused() -> None:
    parent = parent_of()

    with pytest.raises(DiceImpossible, match=f"{CHOSEN_MAX} faces at most"):
        parent.fork(parent.match.head.seq, "seeded", faces=(1,) * (CHOSEN_MAX + 1))


def test_draws_of_a_fork_with_chosen_faces_are_checked_with_its_seed() -> None:
    """Only faces can be chosen: what is drawn beside them is the seed's."""
    parent = Desk.open()
    first_draw = next(number for number, event in enumerate(parent.events, start=1) if isinstance(event, CardDrawn))
    fork = parent.fork(first_draw - 1, "seeded", faces=(6,))
    first, begun = own_commits(fork)
    drawn = [place for place, event in enumerate(begun.events) if isinstance(event, CardDrawn)]
    assert (fork.audit().findings, len(drawn) > 1) == ((), True)
    one, two = begun.events[drawn[0]], begun.events[drawn[1]]
    assert isinstance(one, CardDrawn)
    assert isinstance(two, CardDrawn)
    events = list(begun.events)
    events[drawn[0]], events[drawn[1]] = replace(one, card=two.card), replace(two, card=one.card)
    (finding,) = refork(fork, [first, replace(begun, events=tuple(events))]).audit().findings

    assert finding.problem.startswith("the seed does not give")


@each_row(("count", "found"), [(CHOSEN_MAX, ()), (CHOSEN_MAX + 1, ("cannot choose the faces",))])
def test_a_forged_fork_that_chose_more_faces_than_the_limit_is_found(count: int, found: tuple[str, ...]) -> None:
    parent = parent_of()
    fork = parent.fork(parent.match.head.seq, "seeded")
    (first,) = own_commits(fork)
    forked = replace(first.events[0], faces=(1,) * count)
    findings = refork(fork, [replace(first, events=(forked,))]).audit().findings

    assert len(findings) == len(found)
    assert all(words in one.problem for words, one in zip(found, findings, strict=True))


def test_no_faces_are_chosen_after_the_end() -> None:
    parent = parent_of(steps=2)
    parent.accept({"do": "match:resign"}, RED)

    with pytest.raises(KernelError, match="after which nothing can be tried"):
        parent.fork(parent.match.head.seq, "seeded", faces=(1,))


def test_the_resampled_fork_of_a_player_chooses_faces_too() -> None:
    parent = parent_of(steps=2)
    fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=RED, faces=(6, 6)).play(6, Random(2))
    own = [face for seq, roll in rolls(fork) if seq > parent.match.head.seq for face in roll.faces]

    assert own[:2] == [6, 6]
    assert fork.audit().chosen[0].seat == RED
    assert fork.audit().findings == ()


@each_row("forged", [(1, 1), ()])
def test_a_fork_that_denies_or_alters_its_choice_is_found(forged: tuple[int, ...]) -> None:
    parent = parent_of()
    seq, _ = game_roll(parent)
    fork = parent.fork(seq - 1, "seeded", faces=(6, 5))
    first, *others = own_commits(fork)
    opening = first.events[0]
    assert isinstance(opening, MatchForked)
    again = refork(fork, [replace(first, events=(replace(opening, faces=forged), *first.events[1:])), *others])

    (finding,) = again.audit().findings
    assert finding.seq == seq + 1


def test_a_forged_choice_of_manual_dice_is_found() -> None:
    parent = parent_of("manual", 0)
    fork = parent.fork(parent.match.head.seq, "manual")
    (first,) = own_commits(fork)
    (opening,) = first.events
    again = refork(fork, [replace(first, events=(replace(opening, faces=(6,)),))])

    (finding,) = again.audit().findings
    assert "with manual dice cannot choose the faces 6" in finding.problem
