"""What holds for the combats of every match, whoever plays: read from the events of random matches."""

import pytest

from core.games.inferno.ids import CO_OP, GERMAN, ONE_VS_ONE, RUBBLE, SOLO, SOVIET, TWO_VS_ONE, deck
from core.games.inferno.memory import COMBAT
from core.games.inferno.rules.cards import deck_parts
from core.games.inferno.rules.combat import sequence
from events.ids import RuleId
from events.vocabulary import (
    CardDrawn,
    DiceRolled,
    Event,
    MarkerPlaced,
    MatchOpened,
    PieceConcealed,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
    TurnBegan,
    Value,
)
from tests.support.inferno import BOARD
from tests.support.playouts import Playout
from tests.support.soak import few

STEPS = [step.name for step in sequence(BOARD).steps]
GERMAN_DRAWS = {"setup.step-10", "german.reinforce.draw-card", "capture.spawn-hex-card", "leader.paulus"}
SOVIET_DRAWS = {
    "soviet.turn.no-spawn-hex",
    "soviet.spawn.full-hex",
    "soviet.spawn.pool-empty",
    "soviet.move.blocked-edge",
    "soviet.move.blocked-empty",
    "soviet.move.blocked-full",
    "soviet.move.one-draws",
    "soviet.move.duplicate-dice-draw",
    "soviet.card.infiltration-blocked",
    "soviet.card.t34-blocked",
    "soviet.card.flotilla-full-or-none",
    "soviet.spawn.no-marine-left",
    "capture.spawn-hex-card",
    "mode.1v1.draw-action",
    "mode.1v1.spawn-blocked-card",
}


@pytest.fixture(scope="module", params=few([ONE_VS_ONE, SOLO, CO_OP, TWO_VS_ONE], 2))
def events(request: pytest.FixtureRequest) -> list[Event]:
    """The events of some random matches of each mode."""
    given: dict[str, Value] = {"designers_way": "hard"}
    matches = [Playout("inferno", "standard", seed, mode=request.param, given=given).run() for seed in range(2)]
    return [event for desk in matches for event in desk.events]


def test_combats_are_never_nested_and_their_steps_go_forward(events: list[Event]) -> None:
    """combat.one-at-a-time, combat.sequence, turn.attack-uses-combat-sequence: no turn begins before a combat is over."""
    at, combats = "", 0
    for event in events:
        match event:
            case MatchOpened():
                at = ""
            case SequenceBegan(kind=kind, step=step) if kind == COMBAT:
                assert not at
                at, combats = step, combats + 1
            case StepBegan(kind=kind, step=step) if kind == COMBAT:
                assert STEPS.index(step) > STEPS.index(at)
                at = step
            case SequenceEnded(kind=kind) if kind == COMBAT:
                assert at == "conceal"
                at = ""
            case TurnBegan():
                assert not at
            case PieceConcealed():
                assert at in ("", "conceal")
            case _:
                pass
    assert combats


def test_the_german_card_is_committed_after_the_soviet_one(events: list[Event]) -> None:
    """combat.german-card-after-soviet: its step comes later in every combat."""
    assert STEPS.index("soviet_card") < STEPS.index("german_card") < STEPS.index("showdown")
    assert any(isinstance(event, StepBegan) and event.step == "showdown" for event in events)


def test_every_draw_has_one_of_the_causes_of_the_rulebook(events: list[Event]) -> None:
    """card.german-draw-source, card.soviet-draw-source, card.no-hand-limit: and nothing else draws."""
    for side, causes in ((GERMAN, GERMAN_DRAWS), (SOVIET, SOVIET_DRAWS)):
        drawn = {event.rule for event in events if isinstance(event, CardDrawn) and event.deck in deck_parts(side)}
        assert drawn
        assert drawn <= causes, (deck(side), drawn - causes)


def test_every_rubble_has_one_of_two_causes(events: list[Event]) -> None:
    """rubble.two-sources: an AA card or a successful Rubble Roll."""
    causes = {event.rule for event in events if isinstance(event, MarkerPlaced) and event.marker == RUBBLE}
    assert causes <= {RuleId("soviet.card.aa-rubble"), RuleId("rubble.roll.threshold")}


def test_all_dice_have_six_sides(events: list[Event]) -> None:
    """components.dice: any number of them."""
    dice = [event for event in events if isinstance(event, DiceRolled)]
    assert {event.sides for event in dice} == {6}
    assert {face for event in dice for face in event.faces} == {1, 2, 3, 4, 5, 6}
