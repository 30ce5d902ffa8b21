"""Attacks made by Action cards: Dive Bombers, Artillery Barrage."""

from core.decision import Procedure
from core.draft import Draft
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import enemy
from core.games.battle.memory import DEFENDING, HITS
from core.games.battle.rules.absorb import Hits
from core.games.battle.rules.aftermath import put_played_away
from core.games.battle.rules.commands import PlayCard
from core.games.battle.rules.losses import open_loss_window
from core.games.battle.rules.queries import forces_of, is_on_map, note_amount
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.rubble import place_rubble
from core.games.battle.rules.windows import CardRule, Play
from core.refusal import Refusal
from events.ids import TABLE, RuleId, Side
from projections.table import Open, Table

TARGET = RuleId("card-attack.target")
ALONE = RuleId("card-attack.target-absorbs-alone")
NO_FIREFIGHT = RuleId("card-attack.no-firefight")
INFLICT_RUBBLE = RuleId("card.inflict-rubble")


class CardAttack:
    """A card that inflicts Rubble and Hits on one Force.

    Source: RuleId("card.dive-bombers"), RuleId("card.artillery-barrage"), RuleId("card-attack.target"), ruling.card-attack.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.hits = Hits(cards)

    def rule(self) -> CardRule:
        """Return how such a card is played."""
        return CardRule(self.judge, self.strike, self.targets)

    def targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Return every enemy Force as a target."""
        return [PlayCard(card.id, force=force) for force in forces_of(self.cards, table, enemy(side))]

    def judge(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Accept an enemy Force in a Control Area."""
        force = self.cards.forces.get(command.force)
        if force is None or force.side == side or not is_on_map(table, command.force) or command.other or command.to:
            return refused("target_must_exist", "Name an enemy Force in a Control Area (force).")
        if not self.cards.is_control(table.pieces[command.force].place):
            return refused("target_must_be_in_control_area")
        return None

    def strike(self, draft: Draft, play: Play) -> None:
        """Place the Rubble, then let the target's owner absorb the Hits.

        Source: RuleId("card.inflict-rubble"), RuleId("card-attack.no-firefight"), RuleId("card-attack.target-absorbs-alone"),
        RuleId("location.note.card-attack-bonus").
        """
        force, title = play.command.force, play.card.title
        location = self.cards.location_of(draft.table.pieces[force].place)
        more = note_amount(self.cards, draft.table, play.side, "card_attack_bonus")
        draft.set_aside("card_attack_over", NO_FIREFIGHT, {"side": enemy(play.side)})
        DEFENDING.set(draft, TABLE, (force,), TARGET)
        place_rubble(draft, self.cards, location, title.rubble, INFLICT_RUBBLE)
        HITS.set(draft, enemy(play.side), title.hits + more, ALONE)
        self.hits.suffer(draft, enemy(play.side), location)

    def over(self, draft: Draft, waiting: Open) -> None:
        """End the card attack: the cards are put away, and its owner may answer a loss."""
        draft.take_up(NO_FIREFIGHT)
        put_played_away(draft)
        open_loss_window(draft, self.cards, Side(waiting.text("side")))


def procedures(cards: Cards) -> dict[str, Procedure]:
    """Return what waits while the target's owner absorbs."""
    return {"card_attack_over": CardAttack(cards).over}
