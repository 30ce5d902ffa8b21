"""A battle from its Rubble to its totals: the battle window, the Firefight, the flips, the sums.

Source: RuleId("attack.sequence"), RuleId("attack.firefight.sample"), ruling.battle-window, ruling.sample-slips. Their order is in `battle`.
"""

from core import windows
from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import IN_BATTLE, ActionCard, Cards
from core.games.battle.ids import CONTROL, PERIMETER, RUSSIAN, SIDES, area, enemy, firefight, hand
from core.games.battle.memory import (
    ANSWERED,
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
    combat_parts,
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
from core.games.battle.rules.windows import CardRule, Play, Window, other_seat
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.windows import WindowDecision
from events.ids import NO_SIDE, TABLE, CardId, PieceId, RuleId, Side
from events.vocabulary import Modifier
from projections.table import Open, Table

COMMITTED = RuleId("attack.cost")
DEFENDERS = RuleId("attack.defenders")
RUBBLE_RULE = RuleId("attack.rubble")
FIREFIGHT = RuleId("attack.firefight.attacker-first")
FLIP = RuleId("attack.flip")
TOTALS = RuleId("attack.totals")
INITIATED = RuleId("location.note.initiated-battle-bonus")
COUNTEROFFENSIVE = RuleId("uranus.effect.battle-bonus")
TOGETHER = RuleId("attack.totals.fixed-together")
NOT_BELOW_ZERO = RuleId("attack.totals.not-below-zero")
POSITIVE = RuleId("attack.firefight.positive")
NEGATIVE = RuleId("attack.firefight.negative")
W_BATTLE = Window("answer_battle", frozenset({IN_BATTLE}), RuleId("attack.battle-window"), alternating=True)


def battle_location(table: Table) -> str:
    """Return the Location of the battle that is being fought; empty if there is none."""
    battle = table.topmost("battle")
    return "" if battle is None else battle.text("location")


def attacker_of(table: Table) -> Side:
    """Return who attacks in the battle that is being fought."""
    battle = table.topmost("battle")
    return NO_SIDE if battle is None else Side(battle.text("attacker"))


def participants(cards: Cards, table: Table, side: Side) -> list[PieceId]:
    """Return a side's Forces on the map that take part, Retreated ones included.

    Source: RuleId("attack.hits.participants-only"), RuleId("retreat.still-participant").
    """
    return [force for force in forces_of(cards, table, side) if takes_part(table, force)]


def base_parts(cards: Cards, table: Table, side: Side, attacker: Side, location: str) -> tuple[Modifier, ...]:
    """Return what makes up a side's Hits before Firefight cards and flips.

    Source: RuleId("attack.totals"), RuleId("location.note.initiated-battle-bonus"), RuleId("uranus.effect.battle-bonus"),
    ruling.totals.
    """
    parts = [part for force in participants(cards, table, side) for part in combat_parts(cards, table, force)]
    if side == attacker:
        holders = note_holders(cards, table, side, "initiated_battle_bonus")
        parts += [Modifier(INITIATED, f"note of {one.id}", one.note.amount) for one in holders if one.id != location]
        more = uranus_amount(cards, table, "own_initiated_battle_bonus") if side == RUSSIAN else 0
        if more:
            parts.append(Modifier(COUNTEROFFENSIVE, "Operation Uranus", more))
    return tuple(parts)


def apply_value(draft: Draft, cards: Cards, card: CardId) -> None:
    """Apply a Firefight value: plus to the own side, minus to the enemy's. Source: RuleId("attack.firefight.positive"), .negative."""
    played = cards.cards[card]
    side = played.side if played.value > 0 else enemy(played.side)
    TOTAL.set(draft, side, total(draft.table, side) + played.value, POSITIVE if played.value > 0 else NEGATIVE)


class Fighting:
    """The steps of a battle up to its totals, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def place_rubble(self, draft: Draft, at: Open) -> None:
        """Say who defends, and place the Rubble of an Attack. Source: RuleId("attack.rubble"), RuleId("attack.defenders"), ruling.defenders."""
        defenders = draft.table.pieces_at(area(at.text("location"), defender(at), CONTROL))
        ATTACKING.set(draft, TABLE, tuple([PieceId(force) for force in at.texts("forces")]), COMMITTED)
        DEFENDING.set(draft, TABLE, tuple(sorted(defenders)), DEFENDERS)
        place_rubble(draft, self.cards, at.text("location"), self.cards.figures.attack_rubble, RUBBLE_RULE)

    def open_window(self, draft: Draft, at: Open) -> None:
        """Let both sides play cards of the battle, the attacker first. Source: ruling.battle-window."""
        W_BATTLE.open(draft, self.cards, attacker(at), at.text("location"))

    def begin_firefight(self, draft: Draft, at: Open) -> None:
        """Add up what the Forces bring, and ask for the first Firefight card.

        Source: RuleId("attack.totals"), RuleId("attack.firefight.attacker-first"), RuleId("card.sewer-warfare").
        """
        for side in SIDES:
            parts = base_parts(self.cards, draft.table, side, attacker(at), at.text("location"))
            TOTAL.set(draft, side, sum([part.amount for part in parts]), TOTALS, parts=parts)
        if is_firefight(draft.table, at):
            FIREFIGHT_WINDOW.open(draft, draft.table.seat_of(attacker(at)))

    def flips(self, draft: Draft, at: Open) -> None:
        """Let both sides turn up their top card. Source: RuleId("attack.flip"), RuleId("draw.deck-exhausted")."""
        for side in (attacker(at), defender(at)):
            card = flip(draft, side, FLIP)
            if card is not None:
                apply_value(draft, self.cards, card)

    def totals(self, draft: Draft, at: Open) -> None:
        """Fix both totals as Hits to absorb before either side absorbs.

        Source: RuleId("attack.totals.fixed-together"), RuleId("attack.totals.not-below-zero"), ruling.simultaneous-hits.
        """
        for side in SIDES:
            if total(draft.table, side) > 0:
                HITS.set(draft, enemy(side), total(draft.table, side), NOT_BELOW_ZERO)


def attacker(at: Open) -> Side:
    """Return who attacks in a battle."""
    return Side(at.text("attacker"))


def defender(at: Open) -> Side:
    """Return who defends in a battle."""
    return enemy(attacker(at))


def is_firefight(table: Table, at: Open) -> bool:
    """Return whether there are Firefight cards and flips. Source: RuleId("card.sewer-warfare")."""
    return not NO_FIREFIGHT.of(table)


FIREFIGHT_WINDOW = windows.Window(
    "firefight", FIREFIGHT, lambda table, seat: hand_size(table, table.side_of(seat)) > 0, other_seat
)
"""A side without cards passes by itself, and two passes end the card phase.

Source: RuleId("attack.firefight.no-hand"), RuleId("attack.firefight.alternate-until-two-passes"), ruling.pass-not-final.
"""


class FireCards:
    """Which card is played for its value. Source: RuleId("attack.firefight.one-card"), RuleId("attack.firefight.text-ignored")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every card of the hand."""
        return [FireCard(card.id) for card in cards_in_hand(self.cards, table, table.side_of(asked.seat))]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept any card of the hand, for its value only."""
        side = table.side_of(asked.seat)
        if isinstance(command, PlayCard) and command.card in table.pile(hand(side)).cards:
            return refused("card_must_be_played_for_value")
        if not isinstance(command, FireCard | PlayCard):
            return misplaced(table, asked, command, "A Firefight is on: play a card for its value, or pass.")
        return None if command.card in table.pile(hand(side)).cards else refused("card_must_be_in_hand")

    def closes(self, command: Command) -> bool:
        """Return that a card never ends the card phase."""
        return False

    def carry_out(self, draft: Draft, asked: Open, command: Command) -> None:
        """Apply the card's value."""
        assert isinstance(command, FireCard)
        side = draft.table.side_of(asked.seat)
        draft.play_card(command.card, hand(side), firefight(side), RuleId("attack.firefight.one-card"))
        apply_value(draft, self.cards, command.card)


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
    return {"firefight": WindowDecision(FIREFIGHT_WINDOW, FireCards(cards), Pass(), ANSWERED)}
