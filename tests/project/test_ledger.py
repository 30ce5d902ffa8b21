"""The ledger finds rules that were not met, and rules declared silent that were cited."""

from core.game_files.rulebook import Rule, Silence
from events.ids import RuleId
from tests.support.ledger import Ledger
from tests.support.rows import each_row


def rule(kind: str, silent: Silence = "") -> Rule:
    """Return a rule of a kind."""
    return Rule(RuleId("1.1"), "1", kind, "text", "test", silent=silent)


@each_row("kind", ["automatic", "definition", "restriction"])
def test_a_rule_that_was_not_met_is_missing(kind: str) -> None:
    assert Ledger().missing("game", [rule(kind)]) == [rule(kind)]


@each_row("way", ["emitted", "refused"])
def test_a_rule_cited_by_an_event_or_a_refusal_is_met(way: str) -> None:
    ledger = Ledger()
    ledger.add({way: [("game", "1.1", 2)]})

    assert ledger.state("game", rule("automatic")) == way
    assert ledger.missing("game", [rule("automatic")]) == []
    assert ledger.missing("other", [rule("automatic")]) != []


@each_row(("kind", "silent", "is_met"), [("automatic", "", False), ("limit", "", True), ("choice", "order", True)])
def test_a_definition_or_prohibition_is_met_if_a_test_names_it(kind: str, silent: Silence, is_met: bool) -> None:
    ledger = Ledger()
    ledger.add({"named": [("game", "1.1", 1)]})

    assert (ledger.missing("game", [rule(kind, silent)]) == []) is is_met


def test_a_rule_declared_silent_must_not_be_cited() -> None:
    ledger = Ledger()
    ledger.add({"emitted": [("game", "1.1", 1)]})

    assert ledger.missing("game", [rule("automatic", "absence")]) != []
    assert "NOT SILENT" in next(ledger.lines("game", [rule("automatic", "absence")]))
