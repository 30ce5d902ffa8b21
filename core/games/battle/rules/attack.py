"""Declaring an Attack: by an Action of its own, or by the card Attack!."""

from collections.abc import Sequence

from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.selection import Pick, Selection, refuse_unsorted
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, area, enemy
from core.games.battle.memory import LOCATIONS
from core.games.battle.rules import queries
from core.games.battle.rules.battle import Battle
from core.games.battle.rules.changes import Chapter, move_force, take_rations
from core.games.battle.rules.commands import Attack, PlayCard
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import CardRule, Play
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
from projections.state.table import Open, Table

DECLARE = RuleId("attack.declare")
COST = RuleId("attack.cost")
CARD = RuleId("card.attack")
JOIN = RuleId("card.attack.others-join")


class Attacks(Chapter):
    """Attacks that can be declared, and the Forces that can declare them."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.battle = Battle(cards)

    # The Action

    def action(self) -> Answer:
        """Return the Attack Action: where; which Forces attack is asked next.

        Source: attack.declare, attack.cost, attack.held-back-forces, attack.again, attack.not-cancellable.
        """
        return Answer(Attack, self._candidates, self._refuse, self._declare)

    def _candidates(self, table: Table, asked: Open) -> list[Attack]:
        return [Attack(location) for location in LOCATIONS.of(table) or ()]

    def _refuse(self, table: Table, asked: Open, command: Attack) -> Refusal | None:
        """Judge an Attack by the documented precedence; its Forces are named once each, by name."""
        side, there = table.turn, area(command.location, table.turn, CONTROL)
        if any(self.cards.is_enemy_force(force, side) for force in command.forces):
            return refused("force_must_be_own")
        is_known = command.location in (LOCATIONS.of(table) or ())
        if not is_known or any(force not in self.cards.forces for force in command.forces):
            return refused("target_must_exist", "Name a Location in play and its Forces.", DECLARE)
        if not table.pieces_at(there):
            return refused("control_area_must_hold_own_force")
        if not table.pieces_at(area(command.location, enemy(side), CONTROL)):
            return refused("control_area_must_hold_enemy_force")
        if not set(command.forces) <= set(table.pieces_at(there)):
            return refused("attacker_must_be_in_control_area")
        payers = queries.able_to_attack(self.cards, table, side, command.location)
        if not payers or not set(command.forces) <= set(payers):
            return refused("rations_must_suffice", rule=COST)
        return refuse_unsorted(command.forces)

    def _declare(self, draft: Draft, asked: Open, command: Attack) -> None:
        """Ask which Forces attack, unless they are named or only one can."""
        forces = command.forces or queries.able_to_attack(self.cards, draft.table, draft.table.turn, command.location)
        if command.forces or len(forces) == 1:
            self._begin(draft, command.location, forces)
        else:
            draft.ask("attackers", draft.table.seat_of(draft.table.turn), DECLARE, {"location": command.location})

    def _begin(self, draft: Draft, location: str, paying: Sequence[str], free: str = "") -> None:
        """Let Forces pay for the Attack, which one may join for nothing; the battle begins at once, since nothing cancels it."""
        for force in map(PieceId, paying):
            take_rations(draft, force, self.cards.figures.attack_cost, JOIN if free else COST)
        forces = [*paying, free] if free else paying
        self.battle.begin(draft, draft.table.turn, location, tuple(map(PieceId, forces)))

    def attackers_question(self) -> Selection:
        """Return which Forces attack, or join the Force of the card Attack!; none need join. Source: card.attack.others-join."""
        return Selection(
            lambda asked: JOIN if asked.text("force") else DECLARE,
            self._able,
            lambda table, asked: (0 if asked.text("force") else 1, len(self._able(table, asked))),
            lambda draft, asked, picks: self._begin(
                draft, asked.text("location"), [force for force, _ in picks], asked.text("force")
            ),
            refuse_pick=self._refuse_attacker,
            refuse_count=lambda *_: refused("attack_must_have_a_force"),
            refuse_other=misplaced,
        )

    def _able(self, table: Table, asked: Open) -> list[PieceId]:
        """Return the Forces that may attack, or join the one that does."""
        there = queries.able_to_attack(self.cards, table, table.side_of(asked.seat), asked.text("location"))
        return [force for force in there if force != asked.text("force")]

    def _refuse_attacker(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Refuse all but own Forces of the Control Area that can pay for an Attack and do not attack already."""
        force, side = PieceId(pick.item), table.side_of(asked.seat)
        if force == asked.text("force"):
            return refused("target_must_exist", "That Force attacks already.", JOIN)
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        if force not in self.cards.forces or pick.to:
            return refused("target_must_exist", f"There is no Force {pick.item!r}.", DECLARE)
        if force not in table.pieces_at(area(asked.text("location"), side, CONTROL)):
            return refused("attacker_must_be_in_control_area")
        if force not in self._able(table, asked):
            return refused("rations_must_suffice", rule=JOIN if asked.text("force") else COST)
        return None

    # The card Attack!: one Force goes anywhere and attacks for nothing; others there may join

    def card_rule(self) -> CardRule:
        """Return how the card is played. Source: card.attack, ruling.attack-card."""
        return CardRule(CARD, self._refuse_card, self._go, self._ways, is_exact=True)

    def _ways(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Return every Force and every Control Area where an enemy stands in his. Exact: there are up to 90 pairs."""
        areas = [
            area(location.id, side, CONTROL)
            for location in queries.locations_in_play(self.cards, table)
            if table.pieces_at(area(location.id, enemy(side), CONTROL))
            and queries.has_room(self.cards, table, area(location.id, side, CONTROL))
        ]
        return [
            PlayCard(card.id, force=force, to=to)
            for force in queries.forces_of(self.cards, table, side)
            if not queries.is_locked(table, force)
            for to in areas
            if to != table.pieces[force].place
        ]

    def _refuse_card(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Judge the Force and its way by the documented precedence."""
        force, to = command.force, command.to
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        owner = queries.owner_of(self.cards, table, to)
        if owner == enemy(side):
            return refused("area_must_be_own")
        if queries.is_locked(table, force):
            return refused("force_must_not_be_locked")
        if queries.is_on_map(table, force) and table.pieces[force].place == to:
            return refused("force_must_come_from_elsewhere")
        if not queries.is_on_map(table, force) or command.other or owner is None or not self.cards.is_control(to):
            return refused("target_must_exist", "Name an own Force (force) and an own Control Area (to).", CARD)
        if not table.pieces_at(area(self.cards.location_of(to), enemy(side), CONTROL)):
            return refused("control_area_must_hold_enemy_force")
        return None if queries.has_room(self.cards, table, to) else refused("area_must_have_room")

    def _go(self, draft: Draft, play: Play) -> None:
        """Bring the Force there, and ask which Forces join if the card lets any and any can pay.

        The card stays with the played ones until the battle is over.
        """
        force, to = play.command.force, play.command.to
        move_force(draft, self.cards, force, to, play.rule)
        location = self.cards.location_of(to)
        others = [one for one in queries.able_to_attack(self.cards, draft.table, play.side, location) if one != force]
        if others and play.card.title.may_join:
            draft.ask("join_attack", draft.table.seat_of(play.side), JOIN, {"location": location, "force": force})
        else:
            self._begin(draft, location, (), force)
