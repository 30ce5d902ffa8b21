"""Declaring an Attack: by an Action of its own, or by the card Attack!."""

from collections.abc import Sequence
from functools import partial

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, area, enemy
from core.games.battle.rules.battle import Battle
from core.games.battle.rules.commands import Attack, PlayCard
from core.games.battle.rules.distribution import take_rations
from core.games.battle.rules.queries import (
    forces_of,
    has_room,
    is_locked,
    is_on_map,
    locations_in_play,
    own_areas,
    rations,
    stands_in_control,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import CardRule, Play
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection, refuse_unsorted
from events.ids import PieceId, RuleId, Side
from projections.table import Open, Table

DECLARE = RuleId("attack.declare")
COST = RuleId("attack.cost")
CARD = RuleId("card.attack")
JOIN = RuleId("card.attack.others-join")


def able(cards: Cards, table: Table, side: Side, location: str) -> list[PieceId]:
    """Return the Forces of a Control Area that can pay for an Attack, by name."""
    there = table.pieces_at(area(location, side, CONTROL))
    return sorted(force for force in there if rations(table, force) >= cards.figures.attack_cost)


class AttackAction:
    """The Attack Action.

    Source: RuleId("attack.declare"), RuleId("attack.cost"), RuleId("attack.held-back-forces"), RuleId("attack.again"),
    RuleId("attack.not-cancellable").
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.battle = Battle(cards)

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer every Location where both sides stand in their Control Areas; which Forces attack is asked next."""
        return [
            Attack(location.id)
            for location in locations_in_play(self.cards, table)
            if table.pieces_at(area(location.id, enemy(side), CONTROL)) and able(self.cards, table, side, location.id)
        ]

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Judge an Attack by the documented precedence; its Forces are named once each, by name."""
        assert isinstance(command, Attack)
        named = [self.cards.forces.get(force) for force in command.forces]
        if any(card is not None and card.side != side for card in named):
            return refused("force_must_be_own")
        known = {location.id for location in locations_in_play(self.cards, table)}
        if command.location not in known or None in named:
            return refused("target_must_exist", "Name a Location in play and its Forces.")
        if not table.pieces_at(area(command.location, side, CONTROL)):
            return refused("control_area_must_hold_own_force")
        if not table.pieces_at(area(command.location, enemy(side), CONTROL)):
            return refused("control_area_must_hold_enemy_force")
        if not all(stands_in_control(table, force, command.location) for force in command.forces):
            return refused("attacker_must_be_in_control_area")
        payers = able(self.cards, table, side, command.location)
        if not payers or not set(command.forces) <= set(payers):
            return refused("rations_must_suffice", rule=COST)
        return refuse_unsorted(command.forces)

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Ask which Forces attack, unless they are named or there is but one that can."""
        assert isinstance(command, Attack)
        forces = command.forces or able(self.cards, draft.table, side, command.location)
        if command.forces or len(forces) == 1:
            self.attack(draft, side, command.location, forces)
        else:
            draft.ask("attackers", draft.table.seat_of(side), DECLARE, {"location": command.location})

    def attack(self, draft: Draft, side: Side, location: str, forces: Sequence[str]) -> None:
        """Pay for the Attack; the battle begins at once, since nothing cancels it."""
        attackers = tuple([PieceId(force) for force in forces])
        for force in attackers:
            take_rations(draft, force, self.cards.figures.attack_cost, COST)
        self.battle.begin(draft, side, location, attackers)

    def question(self) -> Selection:
        """Return which Forces attack."""
        return Selection(
            lambda _: DECLARE,
            lambda table, asked: able(self.cards, table, table.side_of(asked.seat), asked.text("location")),
            lambda table, asked: (1, len(able(self.cards, table, table.side_of(asked.seat), asked.text("location")))),
            lambda draft, asked, picks: self.attack(
                draft, draft.table.side_of(asked.seat), asked.text("location"), [item for item, _ in picks]
            ),
            refuse_pick=partial(refuse_attacker, self.cards, COST),
            refuse_count=lambda *_: refused("attack_must_have_a_force"),
            refuse_other=partial(_misplaced, "An Attack is being declared: say which Forces attack."),
        )

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Attacking is no Move."""
        return False


class AttackCard:
    """The card Attack!: one Force goes anywhere and attacks for nothing; others there may join.

    Source: RuleId("card.attack"), RuleId("card.attack.others-join"), ruling.attack-card.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.battle = Battle(cards)

    def rule(self) -> CardRule:
        """Return how the card is played."""
        return CardRule(self.judge, self.go, self.targets, is_exact=True)

    def targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Offer every Force and every Control Area where an enemy stands in his."""
        areas = [
            area(location.id, side, CONTROL)
            for location in locations_in_play(self.cards, table)
            if table.pieces_at(area(location.id, enemy(side), CONTROL))
            and has_room(self.cards, table, area(location.id, side, CONTROL))
        ]
        return [
            PlayCard(card.id, force=force, to=to)
            for force in forces_of(self.cards, table, side)
            if not is_locked(table, force)
            for to in areas
            if to != table.pieces[force].place
        ]

    def judge(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Judge the Force and its way by the documented precedence."""
        force = self.cards.forces.get(command.force)
        if force is not None and force.side != side:
            return refused("force_must_be_own")
        if command.to in own_areas(self.cards, table, enemy(side)):
            return refused("area_must_be_own")
        if force is not None and is_locked(table, command.force):
            return refused("force_must_not_be_locked")
        if force is not None and is_on_map(table, command.force) and table.pieces[command.force].place == command.to:
            return refused("force_must_come_from_elsewhere")
        on_map = force is not None and is_on_map(table, command.force)
        if (
            not on_map
            or command.other
            or not (self.cards.is_control(command.to) and command.to in own_areas(self.cards, table, side))
        ):
            return refused("target_must_exist", "Name an own Force (force) and an own Control Area (to).")
        if not table.pieces_at(area(self.cards.location_of(command.to), enemy(side), CONTROL)):
            return refused("control_area_must_hold_enemy_force")
        if not has_room(self.cards, table, command.to):
            return refused("area_must_have_room")
        return None

    def go(self, draft: Draft, play: Play) -> None:
        """Bring the Force there, and ask who joins if the card lets anybody and anybody can pay.

        The card stays with the played ones until the battle is over.
        """
        force, to = play.command.force, play.command.to
        draft.move(force, to, CARD)
        location = self.cards.location_of(to)
        others = [other for other in able(self.cards, draft.table, play.side, location) if other != force]
        if others and play.card.title.may_join:
            draft.ask("join_attack", draft.table.seat_of(play.side), JOIN, {"location": location, "force": force})
        else:
            self.battle.begin(draft, play.side, location, (force,))


class Join:
    """Which other Forces join the Attack of a card. Source: RuleId("card.attack.others-join")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.battle = Battle(cards)

    def question(self) -> Selection:
        """Return the question; none need join."""
        return Selection(
            lambda _: JOIN,
            self.candidates,
            lambda table, asked: (0, len(self.candidates(table, asked))),
            self.join,
            refuse_pick=self.refuse_pick,
            refuse_other=partial(_misplaced, "An Attack is being declared: say who joins it."),
        )

    def candidates(self, table: Table, asked: Open) -> list[PieceId]:
        """Return the Forces that may join."""
        there = able(self.cards, table, table.side_of(asked.seat), asked.text("location"))
        return [force for force in there if force != asked.text("force")]

    def refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Accept Forces of that Control Area that can pay, but for the one that attacks already."""
        refusal = refuse_attacker(self.cards, JOIN, table, asked, pick)
        if pick.item == asked.text("force"):
            return refused("target_must_exist", "That Force attacks already.")
        return refusal

    def join(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Pay for those who join; the battle begins."""
        forces = [PieceId(item) for item, _ in picks]
        for force in forces:
            take_rations(draft, force, self.cards.figures.attack_cost, JOIN)
        attackers = (PieceId(asked.text("force")), *forces)
        self.battle.begin(draft, draft.table.side_of(asked.seat), asked.text("location"), attackers)


def refuse_attacker(cards: Cards, rule: RuleId, table: Table, asked: Open, pick: Pick) -> Refusal | None:
    """Accept an own Force of the Control Area that can pay for an Attack.

    Args:
        cards: The cards of the match.
        rule: Why it pays.
        table: The table.
        asked: The question, about a Location.
        pick: The Force.
    """
    force = PieceId(pick.item)
    card = cards.forces.get(force)
    if card is not None and card.side != table.side_of(asked.seat):
        return refused("force_must_be_own")
    if card is None or pick.to:
        return refused("target_must_exist", f"There is no Force {pick.item!r}.")
    if not stands_in_control(table, force, asked.text("location")):
        return refused("attacker_must_be_in_control_area")
    if force not in able(cards, table, table.side_of(asked.seat), asked.text("location")):
        return refused("rations_must_suffice", rule=rule)
    return None


def _misplaced(sentence: str, table: Table, asked: Open, command: Command) -> Refusal:
    return misplaced(table, asked, command, sentence)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {"attackers": AttackAction(cards).question(), "join_attack": Join(cards).question()}
