"""A battle from its Rubble to its totals: the battle window, the Firefight, the flips, the sums. The order is in `battle`.

Source: attack.sequence, attack.firefight.sample, ruling.battle-window, ruling.sample-slips.
"""

from core.engine import reactions as windows
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.reactions import WindowDecision
from core.games.battle import memory
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import CONTROL, RUSSIAN, SIDES, area, enemy, firefight, hand
from core.games.battle.rules import queries
from core.games.battle.rules.changes import Chapter, flip, move_force, place_rubble
from core.games.battle.rules.commands import FireCard, Pass, PlayCard
from core.games.battle.rules.refusals import misplaced, refuse_unheld, refused
from core.games.battle.rules.windows import CardRule, Play, Window, other_seat, plain
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Open, Table

COMMITTED = RuleId("attack.cost")
DEFENDERS = RuleId("attack.defenders")
RUBBLE_RULE = RuleId("attack.rubble")
FIREFIGHT = RuleId("attack.firefight.attacker-first")
ALTERNATE = RuleId("attack.firefight.alternate-until-two-passes")
ONE_CARD = RuleId("attack.firefight.one-card")
FLIP = RuleId("attack.flip")
TOTALS = RuleId("attack.totals")
INITIATED = RuleId("location.note.initiated-battle-bonus")
COUNTEROFFENSIVE = RuleId("uranus.effect.battle-bonus")
TOGETHER = RuleId("attack.totals.fixed-together")
NOT_BELOW_ZERO = RuleId("attack.totals.not-below-zero")
POSITIVE = RuleId("attack.firefight.positive")
NEGATIVE = RuleId("attack.firefight.negative")
RESERVES = RuleId("card.reserve-forces")
HEAVY_WEAPONS = RuleId("card.heavy-weapons")
W_BATTLE = Window("answer_battle", frozenset({"battle"}), RuleId("attack.battle-window"), alternating=True)

FIREFIGHT_WINDOW = windows.Window(
    "firefight",
    ALTERNATE,
    lambda table, seat: queries.hand_size(table, table.side_of(seat)) > 0,
    other_seat,
    must_be_asked=True,
)
"""A side without cards passes by itself, and two passes end the card phase.

Source: attack.firefight.no-hand, attack.firefight.alternate-until-two-passes, ruling.pass-not-final.
"""


def attacker(at: Open) -> Side:
    """Return who attacks in a battle."""
    return Side(at.text("attacker"))


def defender(at: Open) -> Side:
    """Return who defends in a battle."""
    return enemy(attacker(at))


def is_firefight(table: Table, at: Open) -> bool:
    """Return whether there are Firefight cards and flips. Source: card.sewer-warfare."""
    return not memory.NO_FIREFIGHT.of(table)


def base_parts(cards: Cards, table: Table, side: Side, attacking: Side, location: str) -> tuple[Modifier, ...]:
    """Return what makes up a side's Hits before Firefight cards and flips.

    Source: attack.totals, location.note.initiated-battle-bonus, uranus.effect.battle-bonus, ruling.totals.
    """
    parts = [
        part for force in queries.participants(cards, table, side) for part in queries.combat_parts(cards, table, force)
    ]
    return (*parts, *(initiative_parts(cards, table, side, location) if side == attacking else ()))


def initiative_parts(cards: Cards, table: Table, side: Side, location: str) -> list[Modifier]:
    """Return what is added to the Hits of a side that attacks at a Location, whatever its Forces.

    Source: location.note.initiated-battle-bonus, uranus.effect.battle-bonus.
    """
    holders = queries.note_holders(cards, table, side, "initiated_battle_bonus")
    parts = [Modifier(INITIATED, f"note of {one.id}", one.note.amount) for one in holders if one.id != location]
    more = queries.uranus_amount(cards, table, "own_initiated_battle_bonus") if side == RUSSIAN else 0
    return [*parts, Modifier(COUNTEROFFENSIVE, "Operation Uranus", more)] if more else parts


def total(cards: Cards, table: Table, at: Open, side: Side) -> int:
    """Return a side's total in a battle so far; before the Firefight what its Forces bring. Source: attack.totals."""
    if memory.TOTAL.on(table):
        return memory.TOTAL.of(table, side)
    return sum([part.amount for part in base_parts(cards, table, side, attacker(at), at.text("location"))])


def total_parts(cards: Cards, table: Table, at: Open, side: Side) -> tuple[Modifier, ...]:
    """Return what makes up a side's total so far: what its Forces bring, then the Firefight cards and flips of both sides.

    Source: attack.totals.
    """
    values = [
        Modifier(POSITIVE if card.value > 0 else NEGATIVE, card.title.name, card.value)
        for owner in SIDES
        for card in map(cards.cards.__getitem__, table.pile(firefight(owner)).cards)
        if side == (owner if card.value > 0 else enemy(owner))
    ]
    return (*base_parts(cards, table, side, attacker(at), at.text("location")), *values)


class Fighting(Chapter):
    """The steps of a battle up to its totals, and the Firefight."""

    def place_rubble(self, draft: Draft, at: Open) -> None:
        """Record who attacks and who defends, and place the Rubble of an Attack. Source: attack.rubble, attack.defenders, ruling.defenders."""
        defenders = draft.table.pieces_at(area(at.text("location"), defender(at), CONTROL))
        memory.ATTACKING.set(draft, TABLE, tuple([PieceId(force) for force in at.texts("forces")]), COMMITTED)
        memory.DEFENDING.set(draft, TABLE, tuple(sorted(defenders)), DEFENDERS)
        place_rubble(draft, self.cards, at.text("location"), self.cards.figures.attack_rubble, RUBBLE_RULE)

    def open_window(self, draft: Draft, at: Open) -> None:
        """Let both sides play cards of the battle, the attacker first. Source: ruling.battle-window."""
        W_BATTLE.open(draft, self.cards, attacker(at), {"location": at.text("location")})

    def begin_firefight(self, draft: Draft, at: Open) -> None:
        """Add up what the Forces bring, and ask for the first Firefight card.

        Source: attack.totals, attack.firefight.attacker-first, card.sewer-warfare.
        """
        for side in SIDES:
            parts = base_parts(self.cards, draft.table, side, attacker(at), at.text("location"))
            memory.TOTAL.set(draft, side, sum([part.amount for part in parts]), TOTALS, parts=parts)
        if is_firefight(draft.table, at):
            first = draft.table.seat_of(attacker(at))
            FIREFIGHT_WINDOW.open(draft, first, {"location": at.text("location")}, rule=FIREFIGHT)

    def firefight_question(self) -> WindowDecision:
        """Return which card is played for its value. Source: attack.firefight.one-card, attack.firefight.text-ignored."""
        fire = Answer(
            FireCard, self._candidates, lambda table, asked, fire: refuse_unheld(table, asked, fire.card), self._fire
        )
        return WindowDecision(FIREFIGHT_WINDOW, fire, Pass(), memory.ANSWERED, misplaced)

    def _candidates(self, table: Table, asked: Open) -> list[FireCard]:
        return [FireCard(card.id) for card in queries.cards_in_hand(self.cards, table, table.side_of(asked.seat))]

    def _fire(self, draft: Draft, asked: Open, command: FireCard) -> None:
        side = draft.table.side_of(asked.seat)
        draft.play_card(command.card, hand(side), firefight(side), ONE_CARD)
        self._apply_value(draft, command.card)

    def _apply_value(self, draft: Draft, card: CardId) -> None:
        """Apply a Firefight value: plus to the own side, minus to the enemy's.

        Source: attack.firefight.positive, attack.firefight.negative.
        """
        played = self.cards.cards[card]
        side = played.side if played.value > 0 else enemy(played.side)
        rule, so_far = POSITIVE if played.value > 0 else NEGATIVE, memory.TOTAL.of(draft.table, side)
        parts = (Modifier(TOTALS, "so far", so_far), Modifier(rule, played.title.name, played.value))
        memory.TOTAL.set(draft, side, so_far + played.value, rule, parts=parts)

    def flips(self, draft: Draft, at: Open) -> None:
        """Let both sides turn up their top card. Source: attack.flip, draw.deck-exhausted."""
        for side in (attacker(at), defender(at)):
            card = flip(draft, side, FLIP)
            if card is not None:
                self._apply_value(draft, card)

    def totals(self, draft: Draft, at: Open) -> None:
        """Fix both totals as Hits to absorb before either side absorbs.

        Source: attack.totals.fixed-together, attack.totals.not-below-zero, ruling.simultaneous-hits.
        """
        for side in SIDES:
            total = memory.TOTAL.of(draft.table, side)
            if total > 0:
                parts = total_parts(self.cards, draft.table, at, side)
                memory.HITS.set(draft, enemy(side), total, TOTALS, parts=parts)
            elif total < 0:
                draft.apply(NOT_BELOW_ZERO, f"a total of {total} counts as 0 Hits", side)


class BattleCards(Chapter):
    """The cards of the battle window. They stay with the played ones until the battle is over."""

    def card_rules(self) -> dict[str, CardRule]:
        """Return how they are played."""
        return {
            "join_battle": CardRule(RESERVES, self._refuse_reserve, self._join, self._own_forces),
            "multiply_combat": CardRule(HEAVY_WEAPONS, self._refuse_double, self._double, self._own_forces),
            "no_firefight": plain(RuleId("card.sewer-warfare"), self._no_firefight),
            "no_enemy_retreat": plain(RuleId("card.tanks"), self._no_retreat),
        }

    def _own_forces(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        return [PlayCard(card.id, force=force) for force in queries.forces_of(self.cards, table, side)]

    def _refuse_reserve(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Judge a reserve by the documented precedence. Source: card.reserve-forces, ruling.reserve-forces."""
        force = command.force
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        if queries.is_locked(table, force):
            return refused("force_must_not_be_locked")
        if not queries.is_on_map(table, force) or command.other or command.to:
            return refused("target_must_exist", "Name an own Force of a Perimeter Area (force).", RESERVES)
        if self.cards.is_control(table.pieces[force].place):
            return refused("target_must_exist", "Reserves come from Perimeter Areas.", RESERVES)
        battle = table.topmost("battle")
        where = "" if battle is None else battle.text("location")
        has_place = queries.has_room(self.cards, table, area(where, side, CONTROL))
        return None if has_place else refused("area_must_have_room")

    def _join(self, draft: Draft, play: Play) -> None:
        battle = draft.table.topmost("battle")
        assert battle is not None
        fighting = memory.ATTACKING if attacker(battle) == play.side else memory.DEFENDING
        move_force(draft, self.cards, play.command.force, area(battle.text("location"), play.side, CONTROL), play.rule)
        fighting.set(draft, TABLE, tuple(sorted((*(fighting.of(draft.table) or ()), play.command.force))), play.rule)

    def _refuse_double(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Refuse all but own participants, and a second doubling. Source: card.heavy-weapons."""
        if self.cards.is_enemy_force(command.force, side):
            return refused("force_must_be_own")
        if command.force not in queries.participants(self.cards, table, side) or command.other or command.to:
            return refused("target_must_exist", "Name an own Force that takes part (force).", HEAVY_WEAPONS)
        return refused("combat_must_not_be_doubled") if memory.DOUBLED.of(table, command.force) else None

    def _double(self, draft: Draft, play: Play) -> None:
        memory.DOUBLED.set(draft, play.command.force, value=True, rule=play.rule)

    def _no_firefight(self, draft: Draft, play: Play) -> None:
        memory.NO_FIREFIGHT.set(draft, TABLE, value=True, rule=play.rule)

    def _no_retreat(self, draft: Draft, play: Play) -> None:
        memory.NO_RETREAT.set(draft, enemy(play.side), value=True, rule=play.rule)
