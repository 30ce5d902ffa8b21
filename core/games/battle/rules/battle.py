"""A battle, step by step, and what follows it: Heroic Service, the cards put away, the window of the aftermath.

What happens in the steps before is in `fighting` and `absorb`.
"""

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.repeated_questions import ask_among
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import CONTROL, SIDES, area, enemy
from core.games.battle.memory import takes_part
from core.games.battle.options import MEDAL_TO_ANY_FORCE_THERE
from core.games.battle.rules.absorb import Hits
from core.games.battle.rules.changes import CONDITIONS, Chapter, award
from core.games.battle.rules.commands import Award
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
from core.games.battle.rules.queries import controller, participants
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import Window, put_played_away
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
from projections.state.table import Open, Table

OVER = RuleId("attack.no-advance-after-battle")
DEFENDER_FIRST = RuleId("attack.hits.defender-first")
RECIPIENT = RuleId("heroic.recipient")
W_AFTER = Window(
    "answer_aftermath", frozenset({"after_battle", "own_force_destroyed"}), RuleId("window.aftermath"), alternating=True
)


class Aftermath(Chapter):
    """The end of a battle."""

    def is_earned(self, table: Table, at: Open) -> bool:
        """Return whether a Force gets a Heroic Service counter."""
        side = self._earner(table, at.text("location"))
        return side is not None and bool(_eligible(table, side, at.text("location")))

    def heroic_service(self, draft: Draft, at: Open) -> None:
        """Give the counter to the only Force that may get it, or ask.

        Source: heroic.conditions, heroic.defender-may-earn, ruling.heroic.
        """
        location = at.text("location")
        side = self._earner(draft.table, location)
        assert side is not None
        asked = Open("award", draft.table.seat_of(side), {"location": location})
        forces = _eligible(draft.table, side, location)
        ask_among(draft, asked, RECIPIENT, forces, lambda draft, _, force: award(draft, force))

    def _earner(self, table: Table, location: str) -> Side | None:
        """Return who earned a counter: all enemy participants Destroyed, and in Control. At most one side can."""
        for side in SIDES:
            if not participants(self.cards, table, enemy(side)) and controller(table, location) == side:
                return side
        return None

    def award_question(self) -> Question:
        """Return which Force gets the counter; it must be given. Source: heroic.recipient."""
        return Question([Answer(Award, self._candidates, self._refuse, self._award, ends=RECIPIENT)], misplaced)

    def _candidates(self, table: Table, asked: Open) -> list[Award]:
        return [Award(force) for force in _eligible(table, table.side_of(asked.seat), asked.text("location"))]

    def _refuse(self, table: Table, asked: Open, command: Award) -> Refusal | None:
        if self.cards.is_enemy_force(command.force, table.side_of(asked.seat)):
            return refused("force_must_be_own")
        is_candidate = command in self._candidates(table, asked)
        return None if is_candidate else refused("force_must_be_eligible_for_medal")

    def _award(self, draft: Draft, asked: Open, command: Award) -> None:
        award(draft, command.force)

    def open_window(self, draft: Draft, at: Open) -> None:
        """Put the battle's cards away and let both sides answer, the Acting Player first. Source: ruling.aftermath-order."""
        put_played_away(draft, at)
        W_AFTER.open(draft, self.cards, draft.table.turn, {"location": at.text("location")})


def _eligible(table: Table, side: Side, location: str) -> list[PieceId]:
    """Return who may get the counter. Source: heroic.recipient, ruling.heroic."""
    is_open_to_all = MEDAL_TO_ANY_FORCE_THERE.is_on(table)
    there = table.pieces_at(area(location, side, CONTROL))
    return [force for force in there if is_open_to_all or takes_part(table, force)]


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
