"""The sentences of this game for events, as players describe them."""

from collections.abc import Sequence

from core.games.inferno import memory
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import (
    CALLED,
    DEATH_POOL,
    GERMAN,
    GERMAN_POOL,
    GERMAN_SEATS,
    POOL_PILES,
    SETUP_MIX,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    advantages,
    combat_card,
    discards,
    hand,
    leaders,
    removed_box,
    track_box,
)
from core.games.inferno.narration.sentences import CAUSES, Name, card_words, counted, edge_words, joined, question
from events.ids import NO_SEAT, CardId, RuleId
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChosenByChance,
    DeckFormed,
    DiceRolled,
    Event,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    SequenceBegan,
    Value,
)
from projections.table import Open

MOVES = {
    "german.long-move.distance": "{units} {make} a Long Move from {was} to {to}.",
    "german.short-move.one-hex": "{units} {make} a Short Move from {was} to {to}.",
    "german.hasty-attack.one-hex": "{units} {move} from {was} to {to} for a Hasty Attack.",
    "advance.german-up-to-four": "{units} {advance} from {was} to {to}.",
    "advance.soviet-strongest": "{units} {advance} from {was} to {to}.",
    "blitz.split": "{units} {make} a Blitz move from {was} to {to}.",
    "soviet.move.direction": "{units} {move} from {was} to {to} by the compass die.",
}
"""How units move, by the rule of the move."""

FIRE_NAMES = {
    "firepower.single": "Single Fire",
    "firepower.double": "Double Fire",
    "firepower.triple": "Triple Fire",
}

BY_DICE = RuleId("soviet.move.roll-per-hex")
"""The rule by which Top Stacked Hexes act that have a die, which is told already."""

RANDOM_UNIT = RuleId("ai.random-unit")
RANDOM_STRENGTH = RuleId("ai.random-strength")

PLANS = {
    "draw": "The Soviets control no Spawn Hex.",
    "spawn": "Spawn Action: the Spawn Hexes are fewer than the Top Stacked Hexes.",
    "must_spawn": "The Spawn Action is due: the Spawn Hexes are fewer than the Top Stacked Hexes.",
    "roll": "Movement Action: the Spawn Hexes are at least as many as the Top Stacked Hexes.",
}
"""How a Soviet turn begins, by its plan."""

CARD_CAUSES = {
    "soviet.turn.no-spawn-hex": "no Spawn Hex is Soviet",
    "soviet.spawn.full-hex": "a Spawn Hex is full",
    "soviet.spawn.pool-empty": "the pool is empty",
    "soviet.move.duplicate-dice-draw": "equal dice",
    "soviet.move.blocked-empty": "no unit can move",
    "soviet.move.blocked-edge": "the die leads off the map",
    "soviet.move.blocked-full": "the next hex is full",
    "soviet.move.one-draws": "a one",
    "soviet.card.infiltration-blocked": "no unit can come",
    "soviet.card.t34-blocked": "no unit can come",
    "soviet.card.flotilla-full-or-none": "no Marine can land",
    "soviet.spawn.no-marine-left": "no Marine is left",
    "capture.spawn-hex-card": "a Spawn Hex was captured",
    "german.reinforce.draw-card": "the Call for Reinforcements",
    "leader.paulus": "Paulus",
    "mode.1v1.draw-action": "the Draw Action",
    "ruling.human-blocked": "a Top Stacked Hex cannot act",
}
"""Why a card is drawn, by the rule of the draw."""

GERMAN_PILES = {combat_card(GERMAN), leaders(GERMAN), discards(GERMAN), *map(hand, GERMAN_SEATS)}
"""Where German cards go."""

REMEMBERED = {
    memory.CAPTURED_BY.key: "{on} is credited to {value}.",
    memory.EXTRA_TURNS.key: "Extra turns under OKH: {value}{before}.",
    memory.EXTRA_TURNS_PLAYED.key: "Extra turn {value} under OKH begins.",
    memory.CANCELLED.key: "{on} is cancelled.",
    memory.RUBBLE_BONUS.key: "The German cards add {value} to the Rubble Roll.",
    memory.EMPTY_ROWS.key: "Dice find no unit in: {rows}.",
    memory.EXHAUSTED.key: "{on}: no other die Removes a unit.",
    memory.POOL.key: "{on} {come} from the {pool} pool.",
}
"""The sentences of what the rules remember, by its key; `_remembered` has those that need more."""


class Teller:
    """Tells events of one board.

    Args:
        board: Has blocks and cards.
        name: Returns what an id is called.
    """

    def __init__(self, board: Board, name: Name) -> None:
        self.board = board
        self.name = name
        rows = range(1, board.track.rows + 1)
        self.removed = {removed_box(row): row for row in rows}
        self.track = {track_box(row, box) for row in rows for box in range(1, board.track.boxes + 1)}

    def tell(self, run: Sequence[Event]) -> str | None:
        """Return the sentence for events in a row; empty for the default sentence, None for no sentence."""
        first = run[0]
        match first:
            case AttributeSet():
                return self._remembered(first, [event.on for event in run if isinstance(event, AttributeSet)])
            case DiceRolled():
                return self._dice(first)
            case SequenceBegan(kind=kind, arguments=arguments):
                return self._began(Open(kind, NO_SEAT, arguments))
            case PieceDrawn() | ChosenByChance():
                return self._drawn(first)
            case CardDrawn() | CardMoved() | CardPlayed() | CardDiscarded():
                return self._card(first, [event for event in run if isinstance(event, CardDrawn | CardDiscarded)])
            case DeckFormed(deck=formed, count=count):
                if not count:
                    return None
                is_units = formed in (*POOL_PILES.values(), GERMAN_POOL, SETUP_MIX)
                return f"{_capital(self.name(formed))}: {counted(count, 'unit')}." if is_units else ""
            case _:
                return self._piece(run)

    def _began(self, at: Open) -> str:
        """Return what begins: an attack with its target, a Call for Reinforcements, a Soviet turn that the counts decide."""
        if at.kind == memory.SOVIET_TURN:
            return PLANS.get(at.text("plan"), "")
        is_deed = at.kind in (memory.COMBAT, memory.REINFORCEMENT)
        return f"{_capital(question(at, self.name))}." if is_deed else ""

    def _units(self, units: Sequence[str]) -> str:
        return joined([self.name(unit) for unit in units])

    # Chance

    def _dice(self, event: DiceRolled) -> str:
        """Return what dice were thrown for; where each die counts alone, the number to hit and its reason."""
        if event.each:
            return self._fire(event)
        faces = ", ".join(map(str, event.faces))
        if event.rule == BY_DICE:
            return f"Compass die of {self.name(event.about)}: {faces}."
        for side in SIDES:
            if event.purpose == f"{side} Advantages":
                return f"Number of {SIDE_NAMES[side]} Advantages: {faces}."
        return f"Dice for Reinforcements: {faces}." if event.purpose == "Reinforcements" else ""

    def _fire(self, event: DiceRolled) -> str:
        """Return how many dice hit; a natural 1 never does."""
        needed = event.needed or 0
        bonus = sum(part.amount for part in event.modifiers)
        hits = sum(face > 1 and face + bonus >= needed for face in event.faces)
        reasons = [FIRE_NAMES[event.rule]] if event.rule in FIRE_NAMES else []
        if event.about in self.board.cards:
            reasons = [self._firepower(event)]
        elif not reasons:
            reasons = [FIRE_NAMES["firepower.single"]]
        reasons += [f"{part.what} {part.amount:+d} to each die" for part in event.modifiers]
        faces = ", ".join(map(str, event.faces))
        what = f"{event.purpose}, {self.name(event.about)}" if event.about not in self.board.cards else event.purpose
        return f"{what}: {faces} against {needed} or more ({', '.join(reasons)}): {counted(hits, 'hit')}."

    def _firepower(self, event: DiceRolled) -> str:
        title = self.board.cards[CardId(event.about)].title
        doubled = ", twice the dice under Von Richthofen" if len(event.faces) > title.dice else ""
        return f"{self.name(title.firepower)}{doubled}"

    def _drawn(self, event: PieceDrawn | ChosenByChance) -> str | None:
        """Return what was drawn; which unit a block is, and its edge, are told when it is placed or revealed."""
        if isinstance(event, ChosenByChance):
            if event.rule == RANDOM_STRENGTH:
                return None
            if event.rule == RANDOM_UNIT and event.chosen:
                return f"A unit of {self.name(event.about)} is chosen at random: {self.name(event.chosen)}."
            return f"Not in the pool, but on the map, by chance: {self.name(event.chosen)}." if event.chosen else ""
        for side in SIDES:
            if event.pool == advantages(side) and event.drawn:
                return f"{SIDE_NAMES[side]} Advantage: {self.name(event.drawn)}."
        return None if event.piece else ""

    # Units

    def _piece(self, run: Sequence[Event]) -> str:
        """Return what happens to units in a row."""
        first = run[0]
        match first:
            case PieceTurned():
                return self._turned(first, [event.piece for event in run if isinstance(event, PieceTurned)])
            case PieceMoved():
                return self._moved(first, [event.piece for event in run if isinstance(event, PieceMoved)])
            case PieceReturned():
                units = joined([self._returned(event) for event in run if isinstance(event, PieceReturned)])
                are, go = ("is", "goes") if len(run) == 1 else ("are", "go")
                cause, pool = _by(first.rule), self.name(first.to)
                return f"{units} in {self.name(first.was)} {are} destroyed{cause} and {go} back to the {pool}."
            case PiecePlaced():
                return self._placed([event for event in run if isinstance(event, PiecePlaced)])
            case PieceRevealed(piece=piece, kind=kind, face=face):
                return f"{self.name(piece)} is {edge_words(self.board, kind, face or '')}." if kind else ""
            case _:
                return ""

    def _returned(self, event: PieceReturned) -> str:
        return self.name(event.piece) + (f" ({self.name(event.card)})" if event.card else "")

    def _turned(self, event: PieceTurned, units: Sequence[str]) -> str:
        """Return a loss with its cause, or how Strength was adjusted."""
        if event.steps is None or event.steps_was is None:
            return ""
        named = self._units(units)
        if event.steps < event.steps_was:
            lose = "loses a Step" if len(units) == 1 else "lose a Step each"
            return f"{named} {lose}{_by(event.rule)}: {event.steps} left."
        are = "is" if len(units) == 1 else "are"
        return f"{named} {are} set to {counted(event.steps, 'dot')} (before: {event.steps_was or 'none'})."

    def _moved(self, event: PieceMoved, units: Sequence[str]) -> str:
        named, is_one = self._units(units), len(units) == 1
        was, to = self.name(event.was), self.name(event.to)
        row = self.removed.get(event.to)
        if event.to == DEATH_POOL:
            return f"{named} in {was} {'is' if is_one else 'are'} destroyed{_by(event.rule)}: Death Pool."
        if row is not None:
            return f"{named} {'is' if is_one else 'are'} Removed from {was}: no unit was left in row {row}."
        if event.to == CALLED:
            return f"{named} {'is' if is_one else 'are'} picked up from {was}."
        if event.was == CALLED and event.to in self.board.hexes:
            return f"{named} {'enters' if is_one else 'enter'} in {to}."
        if event.to in self.track:
            return f"{named} {'goes' if is_one else 'go'} back face down: {to}."
        verbs = {word: f"{word}s" if is_one else word for word in ("make", "move", "advance")}
        template = MOVES.get(event.rule, "")
        return template.format(units=named, was=was, to=to, **verbs)

    def _placed(self, run: Sequence[PiecePlaced]) -> str:
        """Return which units were placed, hex by hex, with what is known of them; empty if nothing is."""
        if not any(event.kind for event in run):
            return ""
        by_place: dict[str, list[str]] = {}
        for event in run:
            known = f", {edge_words(self.board, event.kind, event.face or '')}" if event.kind else ""
            by_place.setdefault(event.to, []).append(f"{self.name(event.piece)}{known}")
        said = [f"{self.name(place)}: {', '.join(units)}" for place, units in by_place.items()]
        return f"Placed: {'; '.join(said)}."

    # What the rules remember

    def _remembered(self, event: AttributeSet, on: Sequence[str]) -> str:
        value, was = event.value, event.was
        if value is None:
            return ""
        if event.key in (memory.ATTACKING.key, memory.JOINING.key, memory.TO_ACT.key):
            return self._group(event)
        named = joined([self.name(one) for one in on])
        texts = ", ".join(map(self.name, value)) if isinstance(value, tuple) else self._value(value)
        before = f" (before: {was})" if was is not None else ""
        come = "comes" if len(on) == 1 else "come"
        pool = str(value).capitalize()
        rows = ", ".join(f"row {row}" for row in value) if isinstance(value, tuple) else ""
        said = REMEMBERED.get(event.key, "")
        return said.format(on=_capital(named), value=texts, before=before, come=come, pool=pool, rows=rows)

    def _value(self, value: Value) -> str:
        return self.name(value) if isinstance(value, str) else str(value)

    def _group(self, event: AttributeSet) -> str:
        """Return who attacks or has to act, when it is settled or when others join."""
        if event.rule == BY_DICE:
            return ""
        known = event.was if isinstance(event.was, tuple) else ()
        new = [one for one in event.value if one not in known] if isinstance(event.value, tuple) else []
        word = {
            memory.ATTACKING.key: "Attacking",
            memory.JOINING.key: "The Deliberate Attack is made from",
            memory.TO_ACT.key: "Top Stacked Hexes",
        }[event.key]
        return f"{word}: {', '.join(map(self.name, new))}." if new else ""

    # Cards

    def _card(
        self, event: CardDrawn | CardMoved | CardPlayed | CardDiscarded, run: Sequence[CardDrawn | CardDiscarded]
    ) -> str:
        known = [self.name(one.card) for one in run or (event,) if one.card is not None]
        hidden = len(run or (event,)) - len(known)
        cards = joined([*known, *([counted(hidden, "card") if hidden > 1 else "a card"] if hidden else [])])
        side = GERMAN if event.to in GERMAN_PILES else SOVIET
        who, is_one = SIDE_NAMES[side], len(run or (event,)) == 1
        match event:
            case CardDrawn() if event.to == combat_card(SOVIET):
                return "A Soviet card is laid face down for the combat at random."
            case CardDrawn():
                cause = CARD_CAUSES.get(event.rule)
                why = f" ({cause})" if cause else ""
                return f"{_capital(cards)} {'is' if is_one else 'are'} drawn to the {self.name(event.to)}{why}."
            case CardMoved() if event.to == combat_card(side):
                return f"{who} lays {cards} face down for the combat."
            case CardPlayed() if event.to == leaders(side):
                return f"{cards} comes into play as {who} Leader."
            case CardPlayed() if event.was == event.to:
                return f"{who} card of the combat: {cards}{self._effect(event.card)}."
            case CardDiscarded() if event.was == leaders(side):
                return f"{cards} is lost as {who} Leader."
            case CardDiscarded():
                return f"Discarded after the effect: {cards}."
            case _:
                return ""

    def _effect(self, card: CardId | None) -> str:
        words = "" if card is None else card_words(self.board, card)
        return f" ({words})" if words else ""


def _by(rule: RuleId) -> str:
    cause = CAUSES.get(rule)
    return f" by {cause}" if cause else ""


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
