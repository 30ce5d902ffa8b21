"""Acts carry their words, candidates, refusal and effect; a question is made of the acts that answer it."""

from typing import ClassVar

import pytest
from typing_extensions import override

from core.authoring.act import Act, ActQuestion, described, questions_of
from core.authoring.worth import by_worth
from core.bots.bot_port import Asked, Considered, answer_of
from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done
from core.refusal import Refusal, Refusals
from events.codec import encode
from events.ids import RuleId, Seat
from projections.state.table import Open, Table
from tests.support.desk import Desk
from tests.support.skirmish import RED, RULE, SkirmishRules

TAKEN: list[str] = []


class FallBack(Act, frozen=True):
    """Fall back by some steps."""

    rule: ClassVar[str] = RULE
    words: ClassVar[str] = "Fall back to {to} by {steps}"

    to: str
    steps: int = 1

    @override
    @classmethod
    def candidates(cls, table: Table, asked: Open) -> list["FallBack"]:
        return [cls("camp"), cls("field")]

    @override
    def refuse(self, table: Table, asked: Open) -> str | None:
        return "place_must_be_open" if self.to == "field" else None

    @override
    def take(self, draft: Draft, asked: Open) -> None:
        TAKEN.append(self.to)


class Stand(Act, frozen=True):
    """Stand."""

    asked: ClassVar[str] = "attack"


class Known(Refusals):
    """Refusals without a file."""

    @override
    def refused(self, code: str, sentence: str = "", rule: RuleId | None = None) -> Refusal:
        return Refusal(code, rule or RULE, sentence or "No.")


@pytest.fixture
def question() -> ActQuestion:
    """The question that both acts would answer."""
    return ActQuestion((FallBack, Stand), Known("core"))


ASKED = Open("turn", RED)


def test_the_tag_of_an_act_is_the_name_of_its_class() -> None:
    assert encode(FallBack("camp")) == b'{"do":"fall-back","to":"camp"}'
    assert encode(Stand()) == b'{"do":"stand"}'


def test_acts_answer_the_question_that_they_name() -> None:
    kinds = questions_of((FallBack, Stand), Known("core"))

    assert {kind: one.acts for kind, one in kinds.items()} == {"turn": (FallBack,), "attack": (Stand,)}


def test_candidates_of_all_acts_are_judged_by_themselves(question: ActQuestion) -> None:
    assert [*question.candidates(Table(), ASKED)] == [FallBack("camp"), FallBack("field"), Stand()]

    codes = [question.refuse(Table(), ASKED, wish) for wish in (FallBack("camp"), FallBack("field"), Stand(), Done())]

    assert [code and code.code for code in codes] == [None, "place_must_be_open", None, "answer_must_fit"]


def test_an_act_with_a_rule_closes_its_question(question: ActQuestion) -> None:
    draft = Draft(Desk.open().table.clone(), ManualChance())
    question.take(draft, ASKED, FallBack("camp"))

    assert draft.answer == RULE
    assert TAKEN.pop() == "camp"


def test_words_name_the_fields() -> None:
    assert described(FallBack("camp", 2), {"camp": "Red Camp"}) == "Fall back to Red Camp by 2"
    assert described(Stand(), {}) == "Stand"


def test_a_bot_by_worth_chooses_the_best_and_among_equals_by_chance() -> None:
    bot = by_worth(lambda _table, _seat, option: 1.0 if isinstance(option, FallBack) else 0.0)
    desk = Desk.open()
    rules = desk.match.ruleset.rules
    options: list[Command] = [Stand(), FallBack("camp"), FallBack("field")]
    asked = [Asked(rules, desk.table, Seat("red"), options, below) for below in (lambda _: 0, lambda count: count - 1)]
    answers = [answer_of(bot, one) for one in asked]

    assert isinstance(rules, SkirmishRules)
    assert [answer.command for answer in answers] == [FallBack("camp"), FallBack("field")]
    assert answers[0].considered == (
        Considered(Stand(), 0.0),
        Considered(FallBack("camp"), 1.0),
        Considered(FallBack("field"), 1.0),
    )
