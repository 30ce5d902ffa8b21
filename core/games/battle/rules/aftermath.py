"""What follows a battle: Heroic Service, the cards put away, the window of the aftermath."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import AFTER_BATTLE, FORCE_DESTROYED, Cards
from core.games.battle.ids import CONTROL, HEROIC_SERVICE, SIDES, area, discards, enemy, firefight, played
from core.games.battle.memory import takes_part
from core.games.battle.options import MEDAL_TO_ANY_FORCE_THERE, is_on
from core.games.battle.rules.commands import Award
from core.games.battle.rules.fighting import participants
from core.games.battle.rules.queries import controller, medals
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import Window
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
from projections.table import Open, Table

CONDITIONS = RuleId("heroic.conditions")
RECIPIENT = RuleId("heroic.recipient")
PUT_AWAY = RuleId("card.own-deck-own-discards")
W_AFTER = Window(
    "answer_aftermath", frozenset({AFTER_BATTLE, FORCE_DESTROYED}), RuleId("window.aftermath"), alternating=True
)


class Aftermath:
    """The end of a battle, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def is_earned(self, table: Table, at: Open) -> bool:
        """Return whether a Force gets a Heroic Service counter."""
        side = self.earner(table, at.text("location"))
        return side is not None and bool(self.eligible(table, side, at.text("location")))

    def heroic_service(self, draft: Draft, at: Open) -> None:
        """Give the counter to the only Force that may get it, or ask.

        Source: RuleId("heroic.conditions"), RuleId("heroic.defender-may-earn"), ruling.heroic.
        """
        location = at.text("location")
        side = self.earner(draft.table, location)
        assert side is not None
        forces = self.eligible(draft.table, side, location)
        if len(forces) == 1:
            award(draft, forces[0])
        else:
            draft.ask("award", draft.table.seat_of(side), RECIPIENT, {"location": location})

    def earner(self, table: Table, location: str) -> Side | None:
        """Return who earned a counter: all enemy participants Destroyed, and in Control. At most one side can."""
        for side in SIDES:
            if not participants(self.cards, table, enemy(side)) and controller(table, location) == side:
                return side
        return None

    def eligible(self, table: Table, side: Side, location: str) -> list[PieceId]:
        """Return who may get the counter. Source: RuleId("heroic.recipient"), ruling.heroic."""
        there = table.pieces_at(area(location, side, CONTROL))
        if is_on(table, MEDAL_TO_ANY_FORCE_THERE):
            return list(there)
        return [force for force in there if takes_part(table, force)]

    def open_window(self, draft: Draft, at: Open) -> None:
        """Put the battle's cards away and let both sides answer, the Acting Player first. Source: ruling.aftermath-order."""
        put_played_away(draft, at)
        W_AFTER.open(draft, self.cards, draft.table.turn, at.text("location"))


class AwardDecision:
    """Which Force gets the Heroic Service counter. Source: RuleId("heroic.recipient")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.aftermath = Aftermath(cards)

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Force that may get it."""
        return [
            Award(force) for force in self.aftermath.eligible(table, table.side_of(asked.seat), asked.text("location"))
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept one of them; the counter must be given."""
        side = table.side_of(asked.seat)
        if not isinstance(command, Award):
            return misplaced(table, asked, command, "Name the Force that gets the Heroic Service counter.")
        force = self.cards.forces.get(command.force)
        if force is not None and force.side != side:
            return refused("force_must_be_own")
        if command.force not in self.aftermath.eligible(table, side, asked.text("location")):
            return refused("force_must_be_eligible_for_medal")
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Give the counter."""
        assert isinstance(command, Award)
        draft.answered(RECIPIENT)
        award(draft, command.force)


def award(draft: Draft, force: PieceId) -> None:
    """Put a Heroic Service counter on a Force. Source: RuleId("heroic.combat"), RuleId("heroic.effects-permanent")."""
    draft.mark(force, HEROIC_SERVICE, CONDITIONS, medals(draft.table, force) + 1)


def put_played_away(draft: Draft, at: Open) -> None:
    """Discard the cards of a battle: those played in its window, Firefight cards and flips. Source: ruling.discard-moment."""
    for side in SIDES:
        for pile in (played(side), firefight(side)):
            for card in draft.table.pile(pile).cards:
                draft.discard(card, pile, discards(side), PUT_AWAY)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter; its window is the rules' own."""
    return {"award": AwardDecision(cards)}
