"""Several answers one after the other: a series stays open until its seat is done, and what comes next is asked only if it is open."""

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.repeated_questions import InTurn, Series, ask_among
from core.engine.selection import Done, Pick
from core.engine.steps import StepSequence
from core.refusal import Refusal
from events.ids import MarkerId, PlaceId, RuleId, Seat, Side
from projections.state.table import Open, Table
from tests.support.rows import each_row

RULE = RuleId("1.series")
RED = Seat("red")
SIDE = Side("red")
HELD = MarkerId("held")
HILLS = ("alder", "birch", "cedar")


class Take(Command, frozen=True, tag="take"):
    """Take a hill."""

    place: PlaceId


def left(table: Table) -> list[str]:
    return [hill for hill in HILLS if not table.marker(hill, HELD)]


def take(draft: Draft, asked: Open, command: Take) -> None:
    draft.mark(command.place, HELD, RULE)


def otherwise(table: Table, asked: Open, command: Command) -> Refusal:
    return Refusal("hill_must_be_taken", RULE, "Take a hill.")


def refuse_done(table: Table, asked: Open, command: Done) -> Refusal | None:
    return otherwise(table, asked, command) if len(left(table)) == len(HILLS) else None


def candidates(table: Table, asked: Open) -> list[Take]:
    return [Take(PlaceId(hill)) for hill in left(table)]


SERIES = Series("hills", lambda _: RULE, (Answer(Take, candidates, None, take),), otherwise, refuse_done)
NEXT = InTurn(
    "next",
    RULE,
    left,
    lambda draft, hill: draft.mark(hill, HELD, RULE),
    wrong=lambda: Refusal("hill_must_be_left", RULE, "That hill is taken."),
    otherwise=otherwise,
)
SEQUENCE = StepSequence("hill_by_hill", RULE, (NEXT.step("hills", RULE),))


class Rules(DecisionRules):
    """One of the questions."""

    def set_up(self, draft: Draft) -> None:
        """Do nothing."""

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Judge a command by the open question."""
        assert table.top is not None
        return self.kinds[table.top.kind].refuse(table, table.top, command)


RULES = Rules({"hills": SERIES, "next": NEXT.question}, sequences=(SEQUENCE,))


def opened(held: int = 0) -> Draft:
    draft = Draft(Table(seats=(RED,), plays={RED: SIDE}, turn=SIDE), ManualChance())
    for hill in HILLS[:held]:
        draft.mark(hill, HELD, RULE)
    return draft


def test_a_series_stays_open_and_ends_when_its_seat_is_done() -> None:
    draft = opened()
    SERIES.ask(draft, SIDE)

    assert RULES.refuse(draft.table, RED, Done()) is not None
    RULES.take(draft, Take(PlaceId("birch")))
    assert draft.table.top is not None
    assert RULES.options(draft.table) == [Take(PlaceId("alder")), Take(PlaceId("cedar")), Done()]
    RULES.take(draft, Done())
    assert draft.table.top is None


def test_a_series_ends_by_itself_with_the_last_choice() -> None:
    draft = opened(held=2)
    SERIES.ask(draft, SIDE)
    RULES.take(draft, Take(PlaceId("cedar")))

    assert draft.table.top is None
    assert not SERIES.is_possible(draft.table, SIDE)


def test_the_step_of_a_series_is_left_out_where_there_is_no_choice() -> None:
    step = SERIES.step("hills", RULE, lambda _: SIDE)
    at = Open("hill_by_hill", Seat(""))

    assert [step.takes_place(opened(held).table, at) for held in (2, 3)] == [True, False]


def test_items_are_taken_in_the_chosen_order_and_the_last_without_a_question() -> None:
    draft = opened()
    SEQUENCE.begin(draft)
    RULES.take(draft, Pick("cedar"))
    asked = draft.table.top

    assert asked is not None
    assert asked.kind == "next"
    refusal = RULES.refuse(draft.table, RED, Pick("cedar"))
    assert refusal is not None
    assert refusal.code == "hill_must_be_left"
    RULES.take(draft, Pick("birch"))
    assert left(draft.table) == []
    assert draft.table.top is None


@each_row(("held", "asked"), [(1, True), (2, False)])
def test_a_question_with_one_answer_is_not_asked(held: int, asked: bool) -> None:
    draft = opened(held)
    about = {"wood": "old"}
    question = Open("hills", RED, dict(about))
    ask_among(draft, question, RULE, candidates(draft.table, question), take)

    assert (draft.table.top == question) is asked
    assert len(left(draft.table)) == (2 if asked else 0)
