"""Questions put together from answers: options, refusals and effects follow from the same few functions."""

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.refusal import Refusal
from events.ids import MarkerId, PlaceId, RuleId, Seat
from projections.state.table import Open, Table

RULE = RuleId("1.question")
RED = Seat("red")


class Enter(Command, frozen=True, tag="enter"):
    """Enter a place."""

    place: PlaceId


class Stay(Command, frozen=True, tag="stay"):
    """Do nothing."""


class Shout(Command, frozen=True, tag="shout"):
    """Answers nothing."""


def places(table: Table, asked: Open) -> list[Enter]:
    """Return a way into each of three places."""
    return [Enter(PlaceId(name)) for name in ("house", "river", "wood")]


def refuse(table: Table, asked: Open, command: Enter) -> Refusal | None:
    """Refuse the river."""
    return Refusal("place_must_be_dry", RULE, "Nobody swims.") if command.place == "river" else None


def enter(draft: Draft, asked: Open, command: Enter) -> None:
    """Mark the place."""
    draft.mark(command.place, MarkerId("entered"), RULE)


def stay(draft: Draft, asked: Open, command: Stay) -> None:
    """Mark the seat."""
    draft.mark(asked.seat, MarkerId("stayed"), RULE)


def otherwise(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse what does not answer."""
    return Refusal("place_must_be_named", RULE, "Name a place, or stay.")


ASKED = Open("where", RED)
WHERE = Question((always(Stay(), stay), Answer(Enter, places, refuse, enter)), otherwise)


def test_the_options_are_the_candidates_that_are_not_refused_answer_by_answer() -> None:
    assert WHERE.options(Table(), ASKED) == [Stay(), Enter(PlaceId("house")), Enter(PlaceId("wood"))]


def test_candidates_that_are_all_legal_are_not_judged_one_by_one() -> None:
    def fail(table: Table, asked: Open, command: Enter) -> Refusal | None:
        raise AssertionError

    question = Question([Answer(Enter, places, fail, enter, are_legal=True)], otherwise)

    assert question.options(Table(), ASKED) == places(Table(), ASKED)


def test_a_command_is_refused_by_the_answer_of_its_type_and_others_in_the_games_own_words() -> None:
    table = Table()

    assert WHERE.refuse(table, ASKED, Stay()) is None
    assert WHERE.refuse(table, ASKED, Enter(PlaceId("wood"))) is None
    assert WHERE.refuse(table, ASKED, Enter(PlaceId("river"))) == refuse(table, ASKED, Enter(PlaceId("river")))
    assert WHERE.refuse(table, ASKED, Shout()) == otherwise(table, ASKED, Shout())


def test_a_command_is_executed_by_the_answer_of_its_type() -> None:
    draft = Draft(Table(began=True, seats=(RED,)), ManualChance(()))
    WHERE.take(draft, ASKED, Enter(PlaceId("wood")))
    WHERE.take(draft, ASKED, Stay())

    assert draft.table.marker("wood", MarkerId("entered")) == 1
    assert draft.table.marker(RED, MarkerId("stayed")) == 1
