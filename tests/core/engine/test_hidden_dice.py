"""Dice that only some seats see: one event, counted as dice, shown on purpose, rolled again in the fork of a seat that does not know them."""

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.dealing import Dealing
from core.engine.draft import Draft
from core.engine.hidden_dice import DICE, faces_on, show_dice, take_dice_away
from core.match.fork import Forking, fork_match
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import replace
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.vocabulary import HiddenDiceRolled
from projections.chronicle import Chronicler
from projections.dice import dice_report
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice, see, seen_events, sees_whole
from tests.support.desk import Desk
from tests.support.forgery import changed, forged
from tests.support.skirmish import BLUE, RED, RULE, SkirmishDealing, SkirmishRules


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A match in which each seat rolls five dice in secret before the first turn."""
    set_up = SkirmishRules.set_up

    def with_dice(rules: SkirmishRules, draft: Draft) -> None:
        set_up(rules, draft)
        for seat in (RED, BLUE):
            draft.dice(5, f"cup of {seat}", RULE, about=seat, seen_by=(seat,))

    monkeypatch.setattr(SkirmishRules, "set_up", with_dice)
    # What the kernel deals by default is what counts here.
    monkeypatch.setattr(SkirmishDealing, "complete", Dealing.complete)
    return Desk.open()


def rolls(desk: Desk) -> list[HiddenDiceRolled]:
    """Return the hidden rolls of a match."""
    return [event for event in desk.events if isinstance(event, HiddenDiceRolled)]


def view(desk: Desk, seat: Seat) -> Table:
    """Return the table as a seat sees it."""
    return fold(seen_events(desk.events, seat), Table())


def test_the_faces_lie_on_what_they_are_about_for_the_seats_that_see_them(desk: Desk) -> None:
    for roll in rolls(desk):
        faces = tuple(sorted(roll.faces or ()))

        assert len(faces) == 5
        assert faces_on(desk.table, roll.on) == faces_on(view(desk, Seat(roll.on)), roll.on) == faces
        for other in {RED, BLUE, PUBLIC} - {roll.on}:
            assert faces_on(view(desk, other), roll.on) == ()


def test_one_event_holds_the_roll_and_hides_its_faces_only(desk: Desk) -> None:
    red, blue = rolls(desk)

    assert see(red, BLUE) == replace(red, faces=None)
    assert sees_whole(red, RED)
    assert sees_whole(red, ARBITER)
    assert see(blue, PUBLIC) == replace(blue, faces=None)


def test_dice_that_are_seen_count_as_dice(desk: Desk) -> None:
    """The first die of the match, who begins, is open."""
    counted = {
        seat: sum(tally.dice for tally in dice_report(seen_events(desk.events, seat)).overall)
        for seat in (ARBITER, RED, PUBLIC)
    }

    assert counted == {ARBITER: 11, RED: 6, PUBLIC: 1}


@pytest.mark.parametrize(("seat", "red", "blue"), [(RED, True, False), (PUBLIC, False, False), (ARBITER, True, True)])
def test_the_log_says_who_rolls_how_many_dice(desk: Desk, seat: Seat, red: bool, blue: bool) -> None:
    entries = Chronicler().take(EventSlice(1, 0, tuple(seen_events(desk.events, seat))))
    said = [line.sentence for line in Narrator(Names(desk.match.ruleset.game.narration), Table()).lines(entries)]
    shown = {roll.on: f": {', '.join(map(str, roll.faces or ()))}" for roll in rolls(desk)}

    assert f"Red rolls 5 dice for cup of red{shown[RED] if red else ', unseen'}." in " ".join(said)
    assert f"Blue rolls 5 dice for cup of blue{shown[BLUE] if blue else ', unseen'}." in " ".join(said)


def test_dice_are_shown_and_taken_away(desk: Desk) -> None:
    draft = Draft(desk.table.clone(), ManualChance())
    faces = show_dice(draft, RED, RULE)

    assert faces == faces_on(desk.table, RED)
    assert faces_on(fold(seen_events(draft.events, BLUE), view(desk, BLUE)), RED) == faces
    assert show_dice(draft, "nobody", RULE) == ()

    take_dice_away(draft, RED, RULE)

    assert DICE.of(draft.table, RED) is None


def test_a_fork_rolls_again_what_its_seat_does_not_know(desk: Desk) -> None:
    """The dice of one cup differ from each other as those of any roll do, and the audit accepts what was dealt."""
    found = set[tuple[int, ...]]()
    for number in range(12):
        forking = Forking(
            parent=desk.match.id, at=desk.match.head.seq, dice="seeded", seed=f"{number}", hidden="resample", seat=RED
        )
        made = fork_match(desk.log, MatchId(f"fork-{number}"), forking, key="fork", at=0)
        table = made.match.table
        found.add(faces_on(table, BLUE))

        assert faces_on(table, RED) == faces_on(desk.table, RED)
        assert len(faces_on(table, BLUE)) == 5

    assert len(found) > 6
    assert any(len({*faces}) > 2 for faces in found)


def test_the_audit_rolls_them_again(desk: Desk) -> None:
    assert desk.audit().findings == ()


def test_forged_faces_are_found(desk: Desk) -> None:
    """The seed of the match gives other faces, whoever may see them."""
    number, roll = next((at, one) for at, one in enumerate(desk.events, 1) if isinstance(one, HiddenDiceRolled))
    commits = changed(desk.commits, number, lambda _: replace(roll, faces=(6, 6, 6, 6, 6)))

    assert "the seed does not give (6, 6, 6, 6, 6)" in str(forged(desk, commits, covered=True).audit().findings)


def test_typed_dice_are_hidden_as_well() -> None:
    draft = Draft(Desk.open().table.clone(), ManualChance((6, 1, 3)))

    assert draft.dice(3, "cup", RULE, about=RED, seen_by=(RED,)) == (6, 1, 3)
    assert faces_on(draft.table, RED) == (1, 3, 6)
