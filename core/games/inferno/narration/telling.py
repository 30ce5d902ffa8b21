"""The sentences of this game for events, as players describe them, except for those about units and the Soviet turn."""

from collections import Counter
from collections.abc import Sequence

from core.games.inferno import memory
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import (
    FORTIFICATIONS,
    GERMAN,
    GERMAN_POOL,
    MIX_ARMS,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SETUP_MIX,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    advantages,
    enemy,
)
from core.games.inferno.narration.cards_told import CardTeller
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.questions import question
from core.games.inferno.narration.sentences import (
    CANCELS,
    ENDS,
    FIRE_NAMES,
    ORDER_OF_FIRE,
    REMEMBERED,
)
from core.games.inferno.narration.soviet_told import SovietTeller
from core.games.inferno.narration.units_told import UnitTeller
from core.games.inferno.rules import rubble
from core.games.inferno.rules.cards import NONE_PLAYED
from core.games.inferno.rules.fire import opportunity_hexes
from core.games.inferno.rules.losses import combatants
from core.games.inferno.rules.queries import is_soviet_played
from core.telling.phrases import over
from core.wording import capital, counted, joined
from events.ids import NO_SEAT, NO_SIDE, CardId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChosenByChance,
    ControlChanged,
    DeckFormed,
    DiceRolled,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    MatchEnded,
    PieceDrawn,
    RuleApplied,
    SequenceBegan,
    StepBegan,
    Value,
)
from projections.state.table import Open, Table

PASS = RuleId("german.short-move.pass")
EXCESS = RuleId("hits.excess-lost")
RANDOM_UNIT = RuleId("ai.random-unit")
START = RuleId("setup.step-8")
RETURN_FIRE = "return_fire"
"""The step in which an attacker of an Urban hex fires."""
OPPORTUNITY_FIRE = "opportunity_fire"
"""The step of Opportunity Fire."""
RUBBLE_ROLL = RuleId("rubble.roll.when")

MIXED_POOLS = {POOL_PILES["tank"]: "Tanks", POOL_PILES["infantry"]: "Infantry"}
"""What the pools hold of which nobody knows what lies on the map, if the rules play the Soviets."""

NAMED_PLACES_MAX = 12
"""How many hexes that change hands are listed by name; more are counted."""


class Teller:
    """Tells events of one board.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board: Board = names.board
        self.units = UnitTeller(names)
        self.soviets = SovietTeller(names)
        self.cards = CardTeller(names)

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the sentence for events in a row; see `core.narration.narration_port.Narration.tell`."""
        first = run[0]
        match first:
            case AttributeSet():
                return self._remembered(table, first, [event.on for event in run if isinstance(event, AttributeSet)])
            case DiceRolled():
                return self._dice(table, first)
            case SequenceBegan(kind=kind, arguments=arguments):
                return self._began(table, Open(kind, NO_SEAT, arguments))
            case StepBegan(kind=memory.COMBAT, step=step):
                return self._order_of_fire(table, step)
            case PieceDrawn() | ChosenByChance():
                return self._drawn(table, first)
            case CardDrawn() | CardMoved() | CardPlayed() | CardDiscarded():
                together = [event for event in run if isinstance(event, CardDrawn | CardDiscarded | CardMoved)]
                return self.cards.tell(table, first, together)
            case ControlChanged():
                return self._control(table, [event for event in run if isinstance(event, ControlChanged)])
            case DeckFormed():
                return self._formed(table, first)
            case RuleApplied():
                return self._applied(table, first)
            case MarkerPlaced() | MarkerRemoved():
                return self._marker(first)
            case MatchEnded():
                return self._ended(table, first)
            case _:
                return self.units.tell(table, run)

    def _marker(self, event: MarkerPlaced | MarkerRemoved) -> str:
        """Return that Raus arrives, or that a Fortification is destroyed; empty for the default sentence."""
        if event.marker == RAUS:
            return "Raus arrives with the 6th Panzer Division, which goes onto the Reinforcement Track."
        is_lost = isinstance(event, MarkerRemoved) and event.marker in FORTIFICATIONS.values()
        where = f"{capital(self.names.name(event.marker))} in {self.names.name(event.on)}"
        return f"{where} is destroyed." if is_lost else ""

    def _began(self, table: Table, at: Open) -> str:
        """Return what begins: an attack with its target, a Call for Reinforcements, a Soviet turn that the counts decide."""
        if at.kind == memory.SOVIET_TURN:
            return self.soviets.plan(table, at.text("plan"))
        if at.kind == memory.REINFORCEMENT:
            return "The Germans call for Reinforcements."
        return f"{capital(question(self.names, table, at))}." if at.kind == memory.COMBAT else ""

    def _applied(self, table: Table, event: RuleApplied) -> str:
        """Return a pass, a card that would be drawn, dice without effect, and hits that no unit can take though some are left; empty for the default sentence."""
        if event.rule == PASS:
            return "The Germans pass: no unit moves."
        if event.outcome == NONE_PLAYED:
            return f"The {SIDE_NAMES[Side(event.about)]}s play no card in this combat."
        if said := self.units.not_removed(table, event):
            return said
        if cause := self.cards.cause(table, event.rule):
            return f"{capital(event.outcome)} ({cause})."
        at = table.topmost(memory.COMBAT)
        if event.rule != EXCESS or at is None:
            return ""
        is_left = bool(combatants(table, at, Side(event.about)))
        return f"{event.outcome}{', as the card hits units of one kind only' if is_left else ''}."

    def _formed(self, table: Table, event: DeckFormed) -> str | None:
        """Return how many units a pool has or, where nobody knows which of them lie on the map, how many there are.

        None for an empty pile and for the list of Advantages, which are told as they are drawn; empty for cards.
        """
        if not event.count or event.deck in map(advantages, SIDES):
            return None
        if event.deck == SETUP_MIX:
            arms = Counter(MIXED_POOLS[POOL_PILES[MIX_ARMS[card]]] for card in event.cards or ())
            return f"Of these, unseen on the map: {joined([f'{count} {arm}' for arm, count in arms.items()])}."
        is_mixed = event.deck in MIXED_POOLS and not is_soviet_played(table)
        if is_mixed:
            return f"Soviet {MIXED_POOLS[event.deck]}, in the pool and on the map: {counted(event.count, 'unit')}."
        is_units = event.deck in (*POOL_PILES.values(), GERMAN_POOL)
        return f"{capital(self.names.name(event.deck))}: {counted(event.count, 'unit')}." if is_units else ""

    def _control(self, table: Table, run: Sequence[ControlChanged]) -> str:
        """Return which hexes change hands; a Spawn Hex is named as one."""
        places = [self._hex(PlaceId(event.place)) for event in run]
        listed = joined(places) if len(places) <= NAMED_PLACES_MAX else f"all other {len(places)} hexes"
        was = f" (before: {SIDE_NAMES[run[0].was]})" if run[0].was in SIDES else ""
        to = SIDE_NAMES.get(run[0].to, "no")
        return f"{capital(listed)} {'comes' if len(run) == 1 else 'come'} under {to} control{was}."

    def _hex(self, place: PlaceId) -> str:
        return f"{self.names.name(place)}{' (Spawn Hex)' if self.board.hexes[place].spawn else ''}"

    def _ended(self, table: Table, event: MatchEnded) -> str:
        """Return the result with the condition that was met; empty for an end by other than the rules of this game."""
        reason = ENDS.get(event.rule)
        if reason is None:
            return ""
        names = [SIDE_NAMES[side] for side in event.winners]
        names += [name for name in map(self.names.name, event.winning_seats) if name not in names]
        points = self.units.points(table, ())
        return f"The match is over: {over(f'{event.result}, since {reason.format(points=points)}', names)}."

    # Chance

    def _dice(self, table: Table, event: DiceRolled) -> str:
        """Return what dice were thrown for; where each die counts alone, the number to hit and its reason."""
        if event.each and event.needed is not None:
            return self._fire(table, event)
        faces = ", ".join(map(str, event.faces))
        for side in SIDES:
            if event.purpose == f"{side} Advantages":
                return f"Number of {SIDE_NAMES[side]} Advantages: {faces}."
        if event.purpose == "Reinforcements":
            return f"Dice for Reinforcements, each for a row of the track: {faces}."
        return self._rubble_roll(event) if event.rule == RUBBLE_ROLL else self.soviets.compass(table, event)

    def favoured(self, table: Table, event: DiceRolled) -> Side:
        """Return the side for which a higher result is better: that of the unit, the card or the fire; none for throws for a place."""
        for side in SIDES:
            if event.purpose == f"{side} Advantages":
                return side
        if event.rule == RUBBLE_ROLL:
            return GERMAN
        if not event.each or event.needed is None:
            return NO_SIDE
        if event.about in table.pieces:
            return table.pieces[PieceId(event.about)].side
        return self.board.cards[CardId(event.about)].side if event.about in self.board.cards else SOVIET

    def _rubble_roll(self, event: DiceRolled) -> str:
        """Return the Rubble Roll as a sum, with its result."""
        needed = event.needed or 0
        total = sum(event.faces) + sum(part.amount for part in event.modifiers)
        parts = "".join(f", {part.amount:+d} for {part.what}" for part in event.modifiers)
        faces = " + ".join(map(str, event.faces))
        result = "Rubble" if total >= needed else "no Rubble"
        return f"Rubble Roll for {self.names.name(event.about)}: {faces}{parts} = {total}, {needed} needed: {result}."

    def _fire(self, table: Table, event: DiceRolled) -> str:
        """Return how many dice hit; a natural 1 never does."""
        needed = event.needed or 0
        bonus = sum(part.amount for part in event.modifiers)
        hits = sum(face > 1 and face + bonus >= needed for face in event.faces)
        reasons = [FIRE_NAMES.get(event.rule, FIRE_NAMES["firepower.single"])]
        what = f"{event.purpose}, {self._who(table, event.about)}"
        if event.about in self.board.cards:
            reasons, what = [self._firepower(event)], event.purpose
        reasons += [f"{part.what} {part.amount:+d} to each die" for part in event.modifiers]
        faces = ", ".join(map(str, event.faces))
        return f"{what}: {faces} against {needed} or more ({', '.join(reasons)}): {counted(hits, 'hit')}."

    def _who(self, table: Table, about: str) -> str:
        """Name who fires: a unit as the reader knows it, or for Opportunity Fire the Stack of a hex."""
        if about in table.pieces:
            return self.names.piece(table, PieceId(about))
        return f"{counted(len(table.pieces_at(PlaceId(about))), 'unit')} in {self.names.name(about)}"

    def _firepower(self, event: DiceRolled) -> str:
        title = self.board.cards[CardId(event.about)].title
        doubled = ", twice the dice under Von Richthofen" if len(event.faces) > title.dice else ""
        return f"{self.names.name(title.firepower)}{doubled}"

    def _order_of_fire(self, table: Table, step: str) -> str:
        """Return who fires when in Close Combat and why, with what Rubble does; empty for other steps."""
        at = table.topmost(memory.COMBAT)
        words = ORDER_OF_FIRE.get(step)
        if at is not None and step == OPPORTUNITY_FIRE:
            return self._opportunity(table, at)
        if at is None or words is None:
            return ""
        attacker, target = Side(at.text("attacker")), PlaceId(at.text("target"))
        is_urban = self.board.terrain_of(target).defender_first
        first = enemy(attacker) if is_urban else GERMAN
        terrain = self.names.name(self.board.hexes[target].terrain)
        said = words.format(terrain=terrain, first=SIDE_NAMES[first], second=SIDE_NAMES[enemy(first)])
        if step != RETURN_FIRE or not table.marker(target, RUBBLE):
            return said
        return (
            f"{said} Rubble: {self.board.rubble.hits_per_step} hits of the {SIDE_NAMES[attacker]} attacker take 1 Step."
        )

    def _opportunity(self, table: Table, at: Open) -> str:
        """Return that there is Opportunity Fire, or why there is none."""
        attacking = {table.pieces[unit].place for unit in combatants(table, at, GERMAN)}
        if not attacking:
            return "No Opportunity Fire under Chuikov: no attacker is left."
        if not opportunity_hexes(table, self.board, attacking):
            return "No Opportunity Fire under Chuikov: no Soviet unit is left next to an attacking Stack."
        return "Opportunity Fire under Chuikov: each Soviet unit next to an attacking Stack fires."

    def _drawn(self, table: Table, event: PieceDrawn | ChosenByChance) -> str | None:
        """Return what was drawn; which unit a block is, and its edge, are told when it is placed or revealed."""
        if isinstance(event, ChosenByChance):
            if event.about and event.about not in self.board.hexes:
                return None
            if event.rule == START:
                unit = self.names.name(event.chosen) if event.chosen else "a unit that only the Germans see"
                return f"Drawn at random for {self.names.name(event.about)}: {unit}."
            if event.rule == RANDOM_UNIT and event.chosen:
                unit = self.names.piece(table, PieceId(event.chosen))
                return f"Of the units in {self.names.name(event.about)}, chance moves {unit}."
            return (
                f"Not in the pool, but on the map, by chance: {self.names.name(event.chosen)}." if event.chosen else ""
            )
        for side in SIDES:
            if event.pool == advantages(side) and event.drawn:
                return f"{SIDE_NAMES[side]} Advantage: {self.names.name(event.drawn)}."
        return None if event.piece else ""

    # What the rules remember

    def _remembered(self, table: Table, event: AttributeSet, on: Sequence[str]) -> str | None:
        """Return what the rules remember; None for what plays no part: a Rubble Roll that does not take place, the credit of other hexes."""
        if event.key == memory.CAPTURED_BY.key and not set(on) & set(self.board.soviet_spawn):
            return None
        if event.key in (memory.CAME.key, memory.NUMBER.key):
            return None
        value, was = event.value, event.was
        if event.key == memory.TO_ACT.key:
            return self.soviets.to_act(table, event)
        at = table.topmost(memory.COMBAT)
        if event.key == memory.RUBBLE_BONUS.key and at is not None and not rubble.is_due(table, self.board, at):
            return None
        if value is None:
            return ""
        if event.key in (memory.ATTACKING.key, memory.JOINING.key):
            return self._group(table, event)
        if event.key == memory.POOL.key:
            return self.soviets.entered(table, on, str(value))
        named = joined([self.names.name(one) for one in on])
        texts = joined([*map(self.names.name, value)]) if isinstance(value, tuple) else self._value(value)
        before = f" (before: {was})" if was is not None else ""
        rows = joined([f"row {row}" for row in value]) if isinstance(value, tuple) else ""
        said = CANCELS.get(event.rule, "") if event.key == memory.CANCELLED.key else REMEMBERED.get(event.key, "")
        return said.format(on=capital(named), value=texts, before=before, rows=rows)

    def _value(self, value: Value) -> str:
        return self.names.name(value) if isinstance(value, str) else str(value)

    def _group(self, table: Table, event: AttributeSet) -> str:
        """Return which units or Stacks join an attack; those that attack from the start are told at the Showdown."""
        if event.key == memory.ATTACKING.key and event.was is None:
            return ""
        known = event.was if isinstance(event.was, tuple) else ()
        new = [one for one in event.value if one not in known] if isinstance(event.value, tuple) else []
        if not new:
            return ""
        if event.key == memory.ATTACKING.key:
            return f"Joins the attack: {joined([self.names.piece(table, PieceId(one)) for one in new])}."
        hexes = joined([self.names.name(one) for one in new])
        return (
            f"The Stack in {hexes} joins the Deliberate Attack."
            if known
            else f"The Deliberate Attack is made from {hexes}."
        )
