"""The sentences of this game for what players choose: bids, factories, what fires at what, and what they may choose for nothing."""

from core.games.axis_allies.ids import AXIS, SIDE_NAMES
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.narration.forces import WORDS, Forces, Name, does, phrase
from core.games.axis_allies.narration.questions import type_name
from core.wording import counted, plural
from events.ids import PieceId
from events.vocabulary import ChosenByChance, DecisionOpened, Event, ItemPicked, ItemUnpicked, SideAssigned
from projections.table import Table


def chosen(forces: Forces, name: Name, table: Table, event: Event) -> str:
    """Return the sentence for an event by which something is chosen; empty for any other."""
    match event:
        case DecisionOpened():
            return _opened(forces, name, table, event)
        case SideAssigned(seat=seat, side=side) if BID.of(table):
            how = "as it bid" if side == BID_FOR.of(table) else f"and takes the bid of {_bid(table)}"
            return f"The {name(seat)} plays the {SIDE_NAMES[side]}, {how}."
        case ChosenByChance(chosen=seat):
            return f"Chance decides: the {name(seat or '')} begins the bidding."
        case ItemPicked(item=item, to=to) | ItemUnpicked(item=item, was=to) if item in WORDS["shooters"]:
            must = "must" if isinstance(event, ItemPicked) else "need no longer"
            return f"A hit of {plural(phrase('shooters', item))} {must} fall on 1 {type_name(to)}."
        case ItemPicked(item=item, to=to) | ItemUnpicked(item=item, was=to) if table.top is not None:
            where = f"the units {'in ' if to in forces.board.zones else ''}{name(to)}"
            target = forces.units(table, [to]) if PieceId(to) in table.pieces else where
            said = WORDS["assigned"].get(table.top.kind, "").format(item=name(item), target=target)
            return said if isinstance(event, ItemPicked) or not said else f"No longer: {said}"
        case _:
            return ""


def _opened(forces: Forces, name: Name, table: Table, event: DecisionOpened) -> str:
    """Return what led to a question: the bid that it answers, the free unit that was earned, or the hand that was picked."""
    match event.kind:
        case "auction" if BID.of(table):
            bidder = next(seat for seat in table.seats if seat != event.seat)
            return f"The {name(bidder)} bids {_bid(table)} to play the {SIDE_NAMES[BID_FOR.of(table) or AXIS]}."
        case "place_factory" if event.arguments:
            side, factory = table.side_of(event.seat), f"the {event.arguments['factory']} factory"
            picks = f"The Axis picks the hand with {factory}, and places it."
            return picks if side == AXIS else f"{does(side, 'place')} {factory}."
        case kind:
            return WORDS["earned"].get(kind, "").format(zones=forces.free_zones(table))


def _bid(table: Table) -> str:
    return counted(BID.of(table) or 0, "RP")
