"""Attacks made by Action cards: Dive Bombers, Artillery Barrage."""

from functools import partial

from core.draft import Draft
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import enemy
from core.games.battle.memory import DEFENDING, HITS
from core.games.battle.rules.absorb import Hits
from core.games.battle.rules.aftermath import PUT_AWAY, put_played_away
from core.games.battle.rules.commands import PlayCard
from core.games.battle.rules.losses import W_LOST, has_losses, open_loss_window
from core.games.battle.rules.queries import forces_of, is_on_map, note_amount
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.rubble import place_rubble
from core.games.battle.rules.windows import CardRule, Play
from core.refusal import Refusal
from core.sequence import Step, StepSequence
from events.ids import TABLE, CardId, PieceId, RuleId, Side
from events.vocabulary import Modifier
from projections.table import Open, Table

TARGET = RuleId("card-attack.target")
ALONE = RuleId("card-attack.target-absorbs-alone")
NO_FIREFIGHT = RuleId("card-attack.no-firefight")
CARDS = {"dive_bombers": RuleId("card.dive-bombers"), "artillery_barrage": RuleId("card.artillery-barrage")}
"""The rules of the packaged cards; an owner's cards of other titles have none of their own."""
NOTE = RuleId("location.note.card-attack-bonus")
INFLICT_RUBBLE = RuleId("card.inflict-rubble")


def target(at: Open) -> Side:
    """Return the side whose Force is attacked."""
    return Side(at.text("side"))


class CardAttack:
    """A card that inflicts Rubble and Hits on one Force.

    Source: RuleId("card.dive-bombers"), RuleId("card.artillery-barrage"), RuleId("card-attack.target"), ruling.card-attack.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        hits = Hits(cards)
        self.sequence = StepSequence(
            "card_attack",
            NO_FIREFIGHT,
            (
                Step("strike", TARGET, self.strike),
                Step("absorb", ALONE, hits.ask(target), when=hits.are_left(target), repeats=True),
                Step("put_away", PUT_AWAY, put_played_away),
                Step("losses", W_LOST.rule, partial(open_loss_window, cards), when=has_losses),
            ),
        )

    def rule(self) -> CardRule:
        """Return how such a card is played."""
        return CardRule(self.judge, self.begin, self.targets)

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

    def begin(self, draft: Draft, play: Play) -> None:
        """Begin the card attack."""
        location = self.cards.location_of(draft.table.pieces[play.command.force].place)
        self.sequence.begin(
            draft,
            {"card": play.card.id, "force": play.command.force, "side": enemy(play.side), "location": location},
        )

    def strike(self, draft: Draft, at: Open) -> None:
        """Place the Rubble, and say how many Hits the target's owner absorbs.

        Source: RuleId("card.inflict-rubble"), RuleId("card-attack.no-firefight"), RuleId("card-attack.target-absorbs-alone"),
        RuleId("location.note.card-attack-bonus").
        """
        side, title = Side(at.text("side")), self.cards.cards[CardId(at.text("card"))].title
        parts = [Modifier(CARDS.get(title.id, TARGET), title.name, title.hits)]
        more = note_amount(self.cards, draft.table, enemy(side), "card_attack_bonus")
        if more:
            parts.append(Modifier(NOTE, "note", more))
        DEFENDING.set(draft, TABLE, (PieceId(at.text("force")),), TARGET)
        place_rubble(draft, self.cards, at.text("location"), title.rubble, INFLICT_RUBBLE)
        HITS.set(draft, side, title.hits + more, ALONE, parts=tuple(parts))
