"""A battle from its Rubble to its totals: the battle window, the Firefight, the flips, the sums.

Source: RuleId("attack.sequence"), RuleId("attack.firefight.sample"), ruling.battle-window, ruling.sample-slips. The steps wait
on the stack in reverse and come up one after the other.
"""

from core.command import Command
from core.decision import Decision, Procedure
from core.draft import Draft
from core.games.battle.components.card_model import IN_BATTLE, ActionCard, Cards
from core.games.battle.ids import CONTROL, PERIMETER, RUSSIAN, SIDES, area, enemy, firefight, hand
from core.games.battle.memory import (
    ATTACKING,
    DEFENDING,
    DOUBLED,
    HITS,
    NO_FIREFIGHT,
    NO_RETREAT,
    TOTAL,
    join,
    takes_part,
    total,
)
from core.games.battle.rules.commands import FireCard, Pass, PlayCard
from core.games.battle.rules.deck import flip
from core.games.battle.rules.queries import (
    cards_in_hand,
    combat,
    forces_of,
    hand_size,
    has_room,
    is_locked,
    is_on_map,
    note_holders,
    uranus_amount,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.rubble import place_rubble
from core.games.battle.rules.windows import CardRule, Play, Window, open_alternating
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import NO_SIDE, TABLE, CardId, PieceId, RuleId, Side
from projections.table import Open, Table

SEQUENCE = RuleId("attack.sequence")
OVER = RuleId("attack.no-advance-after-battle")
COMMITTED = RuleId("attack.cost")
DEFENDERS = RuleId("attack.defenders")
RUBBLE_RULE = RuleId("attack.rubble")
FIREFIGHT = RuleId("attack.firefight.attacker-first")
PASSES = RuleId("attack.firefight.alternate-until-two-passes")
FLIP = RuleId("attack.flip")
TOTALS = RuleId("attack.totals")
NOT_BELOW_ZERO = RuleId("attack.totals.not-below-zero")
POSITIVE = RuleId("attack.firefight.positive")
NEGATIVE = RuleId("attack.firefight.negative")
W_BATTLE = Window("answer_battle", frozenset({IN_BATTLE}), RuleId("attack.battle-window"), alternating=True)


def begin_battle(draft: Draft, cards: Cards, attacker: Side, location: str, forces: tuple[PieceId, ...]) -> None:
    """Begin a battle whose Attack is declared and paid.

    Source: RuleId("attack.rubble"), RuleId("attack.defenders"), RuleId("attack.sequence"), ruling.defenders.
    """
    draft.set_aside("battle_over", OVER, {"location": location, "attacker": attacker})
    ATTACKING.set(draft, TABLE, tuple(sorted(forces)), COMMITTED)
    DEFENDING.set(
        draft, TABLE, tuple(sorted(draft.table.pieces_at(area(location, enemy(attacker), CONTROL)))), DEFENDERS
    )
    for step in ("aftermath", "attacker_absorbs", "defender_absorbs", "totals", "flips", "firefight"):
        draft.set_aside(step, SEQUENCE, {"location": location, "attacker": attacker})
    place_rubble(draft, cards, location, cards.figures.attack_rubble, RUBBLE_RULE)
    open_alternating(draft, cards, W_BATTLE, attacker, location)


def battle_location(table: Table) -> str:
    """Return the Location of the battle that is being fought; empty if there is none."""
    battle = table.topmost("battle_over")
    return "" if battle is None else battle.text("location")


def attacker_of(table: Table) -> Side:
    """Return who attacks in the battle that is being fought."""
    battle = table.topmost("battle_over")
    return NO_SIDE if battle is None else Side(battle.text("attacker"))


def participants(cards: Cards, table: Table, side: Side) -> list[PieceId]:
    """Return a side's Forces on the map that take part, Retreated ones included.

    Source: RuleId("attack.hits.participants-only"), RuleId("retreat.still-participant").
    """
    return [force for force in forces_of(cards, table, side) if takes_part(table, force)]


def base_total(cards: Cards, table: Table, side: Side, attacker: Side, location: str) -> int:
    """Return a side's Hits before Firefight cards and flips, 0 or more.

    Source: RuleId("attack.totals"), RuleId("location.note.initiated-battle-bonus"), RuleId("uranus.effect.battle-bonus"),
    ruling.totals.
    """
    base = sum(combat(cards, table, force) for force in participants(cards, table, side))
    if side == attacker:
        holders = note_holders(cards, table, side, "initiated_battle_bonus")
        base += sum(holder.note.amount for holder in holders if holder.id != location)
        if side == RUSSIAN:
            base += uranus_amount(cards, table, "own_initiated_battle_bonus")
    return base


def apply_value(draft: Draft, cards: Cards, card: CardId) -> None:
    """Apply a Firefight value: plus to the own side, minus to the enemy's. Source: RuleId("attack.firefight.positive"), .negative."""
    played = cards.cards[card]
    side = played.side if played.value > 0 else enemy(played.side)
    TOTAL.set(draft, side, total(draft.table, side) + played.value, POSITIVE if played.value > 0 else NEGATIVE)


class Battle:
    """The steps of a battle up to its totals, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def begin_firefight(self, draft: Draft, waiting: Open) -> None:
        """Add up what the Forces bring, and ask for the first Firefight card.

        Source: RuleId("attack.totals"), RuleId("attack.firefight.attacker-first"), RuleId("card.sewer-warfare").
        """
        draft.take_up(FIREFIGHT)
        attacker = Side(waiting.text("attacker"))
        for side in SIDES:
            base = base_total(self.cards, draft.table, side, attacker, waiting.text("location"))
            TOTAL.set(draft, side, base, TOTALS)
        if not NO_FIREFIGHT.of(draft.table):
            ask_for_fire(draft, attacker, 0)

    def flips(self, draft: Draft, waiting: Open) -> None:
        """Let both sides turn up their top card. Source: RuleId("attack.flip"), RuleId("draw.deck-exhausted")."""
        draft.take_up(FLIP)
        if NO_FIREFIGHT.of(draft.table):
            return
        attacker = Side(waiting.text("attacker"))
        for side in (attacker, enemy(attacker)):
            card = flip(draft, side, FLIP)
            if card is not None:
                apply_value(draft, self.cards, card)

    def totals(self, draft: Draft, waiting: Open) -> None:
        """Fix both totals as Hits to absorb before anybody absorbs.

        Source: RuleId("attack.totals.fixed-together"), RuleId("attack.totals.not-below-zero"), ruling.simultaneous-hits.
        """
        totals = {side: total(draft.table, side) for side in SIDES}
        draft.take_up(RuleId("attack.totals.fixed-together"))
        for side in SIDES:
            if totals[side] > 0:
                HITS.set(draft, enemy(side), totals[side], NOT_BELOW_ZERO)


def ask_for_fire(draft: Draft, side: Side, passed: int) -> None:
    """Ask a side for a Firefight card; one without cards passes by itself, and two passes end the card phase.

    The question itself says how many passes came directly before it.

    Source: RuleId("attack.firefight.no-hand"), RuleId("attack.firefight.alternate-until-two-passes").
    """
    while passed < 2:
        if hand_size(draft.table, side):
            draft.ask("firefight", draft.table.seat_of(side), FIREFIGHT, {"passed": passed})
            return
        passed += 1
        side = enemy(side)


class Firefight:
    """Which card is played for its value, if any.

    Source: RuleId("attack.firefight.one-card"), RuleId("attack.firefight.text-ignored"), ruling.pass-not-final.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every card of the hand, and passing."""
        return [Pass(), *(FireCard(card.id) for card in cards_in_hand(self.cards, table, table.side_of(asked.seat)))]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept any card of the hand, for its value only."""
        side = table.side_of(asked.seat)
        if isinstance(command, Pass):
            return None
        if isinstance(command, PlayCard) and command.card in table.pile(hand(side)).cards:
            return refused("card_must_be_played_for_value")
        if not isinstance(command, FireCard | PlayCard):
            return misplaced(table, asked, command, "A Firefight is on: play a card for its value, or pass.")
        return None if command.card in table.pile(hand(side)).cards else refused("card_must_be_in_hand")

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Apply the card's value, or pass; then the other side chooses."""
        side = draft.table.side_of(asked.seat)
        if isinstance(command, FireCard):
            draft.answered(FIREFIGHT)
            draft.play_card(command.card, hand(side), firefight(side), RuleId("attack.firefight.one-card"))
            apply_value(draft, self.cards, command.card)
            ask_for_fire(draft, enemy(side), 0)
        else:
            draft.answered(PASSES)
            ask_for_fire(draft, enemy(side), asked.number("passed") + 1)


class BattleCards:
    """The cards of the battle window. They stay with the played ones until the battle is over."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def rules(self) -> dict[str, CardRule]:
        """Return how they are played."""
        return {
            "join_battle": CardRule(self.judge_reserves, self.join, self.own_forces),
            "multiply_combat": CardRule(self.judge_double, self.double, self.own_forces),
            "no_firefight": CardRule(_judge_alone, self.no_firefight),
            "no_enemy_retreat": CardRule(_judge_alone, self.no_retreat),
        }

    def own_forces(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Return every own Force as what the card may be for."""
        return [PlayCard(card.id, force=force) for force in forces_of(self.cards, table, side)]

    def judge_reserves(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Judge a reserve by the documented precedence. Source: RuleId("card.reserve-forces"), ruling.reserve-forces."""
        force = self.cards.forces.get(command.force)
        if force is not None and force.side != side:
            return refused("force_must_be_own")
        if force is not None and is_locked(table, command.force):
            return refused("force_must_not_be_locked")
        named = not command.other and not command.to
        if force is None or not is_on_map(table, command.force) or not named:
            return refused("target_must_exist", "Name an own Force of a Perimeter Area (force).")
        if self.cards.is_control(table.pieces[command.force].place):
            return refused("target_must_exist", "Reserves come from Perimeter Areas.", RuleId("card.reserve-forces"))
        if not has_room(self.cards, table, area(battle_location(table), side, CONTROL)):
            return refused("area_must_have_room")
        return None

    def join(self, draft: Draft, play: Play) -> None:
        """Bring the reserve into the battle."""
        rule = RuleId("card.reserve-forces")
        draft.move(play.command.force, area(battle_location(draft.table), play.side, CONTROL), rule)
        join(ATTACKING if play.side == attacker_of(draft.table) else DEFENDING, draft, play.command.force, TABLE, rule)

    def judge_double(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Accept an own participant, once. Source: RuleId("card.heavy-weapons")."""
        force = self.cards.forces.get(command.force)
        if force is not None and force.side != side:
            return refused("force_must_be_own")
        if command.force not in participants(self.cards, table, side) or command.other or command.to:
            return refused("target_must_exist", "Name an own Force that takes part (force).")
        return refused("combat_must_not_be_doubled") if DOUBLED.of(table, command.force) else None

    def double(self, draft: Draft, play: Play) -> None:
        """Double the Force's Combat in this battle."""
        DOUBLED.set(draft, play.command.force, value=True, rule=RuleId("card.heavy-weapons"))

    def no_firefight(self, draft: Draft, play: Play) -> None:
        """Do away with Firefight cards and flips. Source: RuleId("card.sewer-warfare")."""
        NO_FIREFIGHT.set(draft, TABLE, value=True, rule=RuleId("card.sewer-warfare"))

    def no_retreat(self, draft: Draft, play: Play) -> None:
        """Keep the enemy from Retreating. Source: RuleId("card.tanks")."""
        NO_RETREAT.set(draft, enemy(play.side), value=True, rule=RuleId("card.tanks"))


def _judge_alone(table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
    if command.force or command.other or command.to:
        return refused("target_must_exist", f"{card.title.name} names nothing.")
    return None


def may_retreat_at_all(table: Table, side: Side) -> bool:
    """Whether no Tanks keep a side from Retreating. Source: RuleId("card.tanks")."""
    return not NO_RETREAT.of(table, side)


def retreat_area(location: str, side: Side) -> str:
    """Return the Perimeter Area to which a side Retreats at a Location. Source: RuleId("retreat.absorbs")."""
    return area(location, side, PERIMETER)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter; its window is the rules' own."""
    return {"firefight": Firefight(cards)}


def procedures(cards: Cards) -> dict[str, Procedure]:
    """Return the steps of a battle up to its totals."""
    battle = Battle(cards)
    return {"firefight": battle.begin_firefight, "flips": battle.flips, "totals": battle.totals}
