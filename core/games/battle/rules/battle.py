"""A battle, step by step; what happens in each is in `fighting`, `absorb` and `aftermath`."""

from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.rules.absorb import Hits
from core.games.battle.rules.aftermath import W_AFTER, Aftermath
from core.games.battle.rules.changes import CONDITIONS
from core.games.battle.rules.fighting import (
    FIREFIGHT,
    FLIP,
    RUBBLE_RULE,
    TOGETHER,
    W_BATTLE,
    Fighting,
    attacker,
    defender,
    is_firefight,
)
from core.sequence import Step, StepSequence
from events.ids import PieceId, RuleId, Side

OVER = RuleId("attack.no-advance-after-battle")
DEFENDER_FIRST = RuleId("attack.hits.defender-first")


class Battle:
    """The course of a battle, bound to the cards. Source: attack.sequence."""

    def __init__(self, cards: Cards) -> None:
        fighting, hits, aftermath = Fighting(cards), Hits(cards), Aftermath(cards)
        self.sequence = StepSequence(
            "battle",
            OVER,
            (
                Step("rubble", RUBBLE_RULE, fighting.place_rubble),
                Step("cards", W_BATTLE.rule, fighting.open_window),
                Step("firefight", FIREFIGHT, fighting.begin_firefight),
                Step("flips", FLIP, fighting.flips, when=is_firefight),
                Step("totals", TOGETHER, fighting.totals),
                hits.step("defender_absorbs", DEFENDER_FIRST, defender),
                hits.step("attacker_absorbs", DEFENDER_FIRST, attacker),
                Step("heroic_service", CONDITIONS, aftermath.heroic_service, when=aftermath.is_earned),
                Step("aftermath", W_AFTER.rule, aftermath.open_window),
            ),
        )

    def begin(self, draft: Draft, side: Side, location: str, forces: tuple[PieceId, ...]) -> None:
        """Begin the battle of an Attack that is declared and paid."""
        self.sequence.begin(draft, {"location": location, "attacker": side, "forces": tuple(sorted(forces))})
