"""Changes of the table that several chapters make: Rations, Rubble, Force decks, Destroyed Forces, Action decks.

No deck has an order: a card is chosen when it is drawn. Chance enters only by cards: game.chance-is-cards; the decks are secret:
secrecy.decks. Followed here: ruling.reshuffle-moment, ruling.empty-action-deck, ruling.open-information.
"""

from collections.abc import Iterable

from core.engine.draft import Draft
from core.games.battle import ids
from core.games.battle.components.card_model import Cards
from core.games.battle.memory import FORCES, LOST, REMEMBERED, RESHUFFLED
from core.games.battle.options import ONE_RESHUFFLE_PER_TURN
from core.games.battle.rules.queries import controller, is_destroyed, medals, rations, rubble
from core.wording import counted
from events.ids import NO_SIDE, CardId, PieceId, PlaceId, RuleId, Side

THRESHOLD = RuleId("location.destroyed.threshold")
NO_RUBBLE = RuleId("location.destroyed.takes-no-rubble")
TO_BOTTOM = RuleId("force.destroyed-to-bottom")
LOSES = RuleId("force.destroyed-loses-counters")
DECK_WAS_EMPTY = RuleId("force.deck-was-empty")
CONDITIONS = RuleId("heroic.conditions")
RESHUFFLE = RuleId("draw.reshuffle")
ONCE = RuleId("draw.reshuffle-once-a-turn")
EXHAUSTED = RuleId("draw.deck-exhausted")
OWN = RuleId("control.own")
BOTH = RuleId("control.both")
NEITHER = RuleId("control.neither")


class Chapter:
    """The rules of one chapter, bound to the cards of a match."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards


# Forces and Locations


def move_force(draft: Draft, cards: Cards, force: PieceId, to: PlaceId, rule: RuleId) -> None:
    """Move a Force, and record what that does to the Control of the Locations that it leaves and enters."""
    was = draft.table.pieces[force].place
    draft.move(force, to, rule)
    show_control(draft, cards, was)
    show_control(draft, cards, to)


def show_control(draft: Draft, cards: Cards, place: PlaceId) -> None:
    """Record who Controls the Location of a Control Area, if that has changed. Source: control.immediate."""
    if place not in cards.areas or not cards.is_control(place):
        return
    location = cards.location_of(place)
    holder = controller(draft.table, location)
    nobody = BOTH if draft.table.pieces_at(place) else NEITHER
    draft.control(PlaceId(location), holder or NO_SIDE, OWN if holder else nobody)


def give_rations(draft: Draft, force: PieceId, count: int, rule: RuleId) -> None:
    """Put Rations on a Force. Source: force.rations-stay."""
    if count:
        draft.mark(force, ids.RATION, rule, rations(draft.table, force) + count)


def take_rations(draft: Draft, force: PieceId, count: int, rule: RuleId) -> int:
    """Take up to `count` Rations off a Force and return how many there were. Source: card.remove-missing-rations."""
    there = rations(draft.table, force)
    taken = min(there, count)
    if taken and taken == there:
        draft.unmark(force, ids.RATION, rule)
    elif taken:
        draft.mark(force, ids.RATION, rule, there - taken)
    return taken


def award(draft: Draft, force: PieceId) -> None:
    """Put a Heroic Service counter on a Force. Source: heroic.combat, heroic.effects-permanent."""
    draft.mark(force, ids.HEROIC_SERVICE, CONDITIONS, medals(draft.table, force) + 1)


def place_rubble(draft: Draft, cards: Cards, location: str, count: int, rule: RuleId) -> None:
    """Place Rubble counter by counter; the one that Destroys the Location is the last.

    Source: location.destroyed.threshold, location.destroyed.takes-no-rubble, location.destroyed.still-counts,
    counter.not-a-limit, ruling.rubble-overflow, ruling.destroyed-mid-action, ruling.counter-supply.
    """
    for _ in range(count):
        if is_destroyed(draft.table, location):
            draft.apply(NO_RUBBLE, "takes no Rubble, since it is Destroyed", location)
            return
        there = rubble(draft.table, location) + 1
        draft.mark(location, ids.RUBBLE, rule, there)
        if there >= cards.locations[location].destroyed_at:
            draft.unmark(location, ids.RUBBLE, THRESHOLD)
            draft.mark(location, ids.DESTROYED, THRESHOLD)


def destroy_force(draft: Draft, cards: Cards, force: PieceId, rule: RuleId) -> None:
    """Put a Force under its side's Force deck, without its counters; if the deck was empty it is its open top.

    Source: force.destroyed-to-bottom, force.destroyed-loses-counters, force.deck-was-empty, force.conserved,
    secrecy.force-deck-bottom, ruling.destroyed-at-once, ruling.empty-force-deck, ruling.force-deck-bottom-known.
    """
    side = cards.forces[force].side
    move_force(draft, cards, force, ids.bottom(side), rule)
    for marker in (ids.HEROIC_SERVICE, ids.RATION):
        draft.unmark(force, marker, LOSES)
    for attribute in REMEMBERED.of[FORCES[0]]:
        attribute.forget(draft, force, TO_BOTTOM)
    LOST.add(draft, side, TO_BOTTOM)
    if not draft.table.pieces_at(ids.top(side)) and not draft.table.pile(ids.force_pool(side)).count:
        turn_up_top(draft, side, DECK_WAS_EMPTY)


def turn_up_top(draft: Draft, side: Side, rule: RuleId) -> None:
    """Turn the next card of a Force deck up, if there is any.

    First come the shuffled ones, whose order does not exist until then; then the Destroyed ones from beneath, in order.

    Source: buy.place-before-reveal, force.destroyed-to-bottom, force.deck-was-empty.
    """
    if draft.table.pile(ids.force_pool(side)).count:
        force = PieceId(draft.draw_piece(ids.force_pool(side), "top Force", rule))
        draft.place(force, ids.top(side), rule, kind=force, side=side)
    elif beneath := draft.table.pieces_at(ids.bottom(side)):
        draft.move(beneath[0], ids.top(side), rule)


# Action decks


def draw(draft: Draft, side: Side, parts: Iterable[tuple[RuleId, int]], purpose: str) -> None:
    """Draw cards into a hand, unseen by the other side, as long as there are any.

    Args:
        draft: The draft.
        side: Whose deck and hand.
        parts: How many cards each rule gives, 0 or more.
        purpose: What they are drawn for.

    Source: draw.reshuffle, draw.deck-exhausted, secrecy.hands.
    """
    rules = [rule for rule, count in parts for _ in range(count)]
    for number, rule in enumerate(rules):
        if not make_ready(draft, side):
            left = len(rules) - number
            lack_card(draft, side, f"{counted(left, 'card')} {'is' if left == 1 else 'are'} not drawn")
            return
        draft.draw_card(ids.deck(side), ids.hand(side), purpose, rule, seen_by=(draft.table.seat_of(side),))


def flip(draft: Draft, side: Side, rule: RuleId) -> CardId | None:
    """Turn up the top card for the Firefight, and return it; None if there is none. Source: attack.flip, draw.deck-exhausted."""
    if make_ready(draft, side):
        return draft.draw_card(ids.deck(side), ids.firefight(side), "flip", rule)
    lack_card(draft, side, "no card is flipped")
    return None


def lack_card(draft: Draft, side: Side, what: str) -> None:
    """Record what does not happen because `make_ready` finds no card. Source: draw.deck-exhausted, draw.reshuffle-once-a-turn."""
    if draft.table.pile(ids.discards(side)).count:
        draft.apply(ONCE, f"{what}, since the deck is empty and was formed anew in this turn already", side)
    else:
        draft.apply(EXHAUSTED, f"{what}, since deck and discards are empty", side)


def make_ready(draft: Draft, side: Side) -> bool:
    """Form an empty deck anew from the discards, and return whether there is a card now.

    The number of cards in a deck is public, so this discloses nothing.

    Source: draw.reshuffle, draw.reshuffle-once-a-turn (ruling.reshuffle-loop), card.own-deck-own-discards.
    """
    table = draft.table
    if table.pile(ids.deck(side)).count:
        return True
    if not table.pile(ids.discards(side)).count:
        return False
    if ONE_RESHUFFLE_PER_TURN.is_on(table) and RESHUFFLED.of(table, side):
        return False
    draft.shuffle(ids.deck(side), RESHUFFLE, source=ids.discards(side))
    RESHUFFLED.set(draft, side, value=True, rule=ONCE)
    return True
