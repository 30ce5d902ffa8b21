"""Windows: public information decides which seats are asked, and the window stays open while an answer asks a question."""

from core.chance.chance_sources import ManualChance
from core.engine.attributes import Attribute
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.reactions import Window, WindowDecision
from core.engine.steps import Step, StepSequence
from core.refusal import Refusal
from events.codec import tag_of
from events.ids import TABLE, MarkerId, RuleId, Seat
from events.vocabulary import Event
from projections.state.table import Open, Table
from tests.support.rows import each_row

RULE = RuleId("1.window")
RED, BLUE = Seat("red"), Seat("blue")
CHIPS, MOVED = MarkerId("chips"), MarkerId("moved")
ANSWERED: Attribute[bool] = Attribute("answered", bool, within=("council",))


class Pass(Command, frozen=True, tag="pass"):
    """Say nothing."""


class Play(Command, frozen=True, tag="play"):
    """Spend a chip: to cancel, to look, or to say a word."""

    what: str


FOR_SALE = (Play("cancel"), Play("look"), Play("word"), Play("house"))
"""What is asked for; all but the last one can be bought with a chip."""


def refuse_purchase(table: Table, asked: Open, command: Play) -> Refusal | None:
    """Refuse what is not for sale."""
    return None if command in FOR_SALE[:3] else Refusal("chip_must_buy", RULE, "No chip buys that.")


def refuse_other(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse what is neither a purchase nor a pass."""
    return Refusal("answer_must_fit", RULE, "Pass, or spend a chip.")


def spend(draft: Draft, asked: Open, command: Play) -> None:
    """Spend a chip."""
    left = draft.table.marker(asked.seat, CHIPS) - 1
    if left:
        draft.mark(asked.seat, CHIPS, RULE, left)
    else:
        draft.unmark(asked.seat, CHIPS, RULE)
    if command == Play("cancel"):
        draft.end_sequence("order", RULE)
    elif command == Play("look"):
        draft.ask("look", asked.seat, RULE)


def answered(draft: Draft, asked: Open, command: Pass) -> None:
    """Close the question."""
    draft.answered(RULE)


def decision(window: Window) -> WindowDecision:
    """Return the question of a window; a cancellation closes a single one."""
    closes = None if window.following is not None else lambda command: command == Play("cancel")
    answer = Answer(Play, lambda *_: FOR_SALE, refuse_purchase, spend)
    return WindowDecision(window, answer, Pass(), ANSWERED, refuse_other, closes=closes)


def has_chips(table: Table, seat: Seat) -> bool:
    """Return whether a seat can answer."""
    return table.marker(seat, CHIPS) > 0


def other(table: Table, seat: Seat) -> Seat:
    """Return the other seat."""
    return BLUE if seat == RED else RED


ANSWER = Window("answer", RULE, has_chips)
COUNCIL = Window("council", RULE, has_chips, other)


class Orders:
    """An order of Red that Blue may answer, and a council of both; `play` returns the events."""

    def __init__(self, red: int, blue: int) -> None:
        self.table = Table(began=True, seats=(RED, BLUE))
        draft = Draft(self.table, ManualChance(()))
        for seat, chips in ((RED, red), (BLUE, blue)):
            if chips:
                draft.mark(seat, CHIPS, RULE, chips)
        self.order = StepSequence(
            "order",
            RULE,
            (Step("answer", RULE, lambda draft, at: ANSWER.open(draft, BLUE, {"about": at.text("unit")})),),
            then=lambda draft, at: draft.mark(at.text("unit"), MOVED, RULE),
        )
        kinds = {one.kind: decision(one) for one in (ANSWER, COUNCIL)}
        look = Question([always(Pass(), answered)], refuse_other)
        self.rules = DecisionRules({**kinds, "look": look}, sequences=(self.order,))

    def begin(self, unit: str) -> list[Event]:
        """Give an order to a unit."""
        draft = Draft(self.table, ManualChance(()))
        self.order.begin(draft, {"unit": unit})
        self.rules.settle(draft)
        return draft.events

    def meet(self, first: Seat) -> None:
        """Open the council."""
        draft = Draft(self.table, ManualChance(()))
        COUNCIL.open(draft, first)
        self.rules.settle(draft)

    def play(self, command: Command) -> list[str]:
        """Answer the open question, and return the kinds of the events."""
        draft = Draft(self.table, ManualChance(()))
        self.rules.take(draft, command)
        return [tag_of(type(event)).partition("/")[0] for event in draft.events]

    @property
    def stack(self) -> list[tuple[str, str]]:
        """Return the elements of the stack, and the seats that they ask."""
        return [(element.kind, str(element.seat)) for element in self.table.stack]


def test_a_window_stays_open_while_an_answer_asks_a_question() -> None:
    """ACID 24: Blue looks for a cancellation and then plays it; only the order leaves the stack."""
    game = Orders(0, 2)
    game.begin("tank")

    assert game.play(Play("look")) == ["marker-placed", "decision-opened"]
    assert game.stack == [("order", ""), ("answer", "blue"), ("look", "blue")]
    assert game.play(Pass()) == ["decision-closed"]
    assert game.stack == [("order", ""), ("answer", "blue")]
    assert game.play(Play("cancel")) == ["marker-removed", "sequence-ended"]
    assert (game.stack, game.table.marker("tank", MOVED)) == ([], 0)


def test_the_question_of_a_window_names_its_subject() -> None:
    """ACID 13: a late answer cannot be mistaken for an answer to the window of the next order."""
    game = Orders(0, 1)
    about = []
    for unit in ("tank", "gun"):
        game.begin(unit)
        about.append(game.table.stack[-1].text("about"))
        game.play(Pass())

    assert about == ["tank", "gun"]
    assert [game.table.marker(unit, MOVED) for unit in about] == [1, 1]


@each_row("chips", [0, 1])
def test_whether_a_window_opens_depends_only_on_public_events(chips: int) -> None:
    game = Orders(0, chips)
    game.begin("tank")

    assert (game.stack != []) is (chips > 0)


def test_a_single_window_closes_when_its_seat_cannot_answer_any_more() -> None:
    game = Orders(0, 1)
    game.begin("tank")
    game.play(Play("look"))

    assert game.play(Pass()) == ["decision-closed", "sequence-ended", "marker-placed"]


def test_a_council_is_over_after_two_passes_in_a_row() -> None:
    game = Orders(2, 1)
    game.meet(RED)

    assert game.play(Pass()) == ["rule-applied", "decision-opened"]
    assert game.play(Play("word")) == ["marker-removed", "decision-opened"]
    assert game.stack == [("council", "red")]
    assert game.play(Pass()) == ["rule-applied", "decision-closed"]


def test_in_a_council_the_other_seat_is_asked_after_each_answer() -> None:
    """The question that an answer asks lies above the window's question on the stack."""
    game = Orders(2, 1)
    game.meet(RED)

    assert game.play(Play("look")) == ["marker-placed", "decision-opened", "attribute-set"]
    assert game.stack == [("council", "red"), ("look", "red")]
    assert game.play(Pass()) == ["decision-closed", "decision-opened"]
    assert game.stack == [("council", "blue")]
    assert game.table.attribute(TABLE, ANSWERED.key) is None


def test_an_answer_that_is_not_legal_is_refused() -> None:
    game = Orders(0, 1)
    game.begin("tank")
    asked = game.table.stack[-1]
    window = game.rules.kinds["answer"]

    assert window.refuse(game.table, asked, Pass()) is None
    assert window.refuse(game.table, asked, Play("house")) is not None
    assert game.rules.options(game.table) == [Pass(), *FOR_SALE[:3]]
