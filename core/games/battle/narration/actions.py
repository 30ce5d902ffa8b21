"""Actions of the Actions step in the order of their use, each with why it might not be possible now."""

from collections.abc import Sequence

from core.engine.command import Command
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import CONTROL, POINTS, area, enemy, hand, top
from core.games.battle.rules import commands
from core.games.battle.rules.buy import price
from core.games.battle.rules.queries import forces_of, rations
from core.wording import counted
from events.ids import Side
from projections.state.table import Table

NO_CARD = "your hand is empty"
NO_FORCE = "you have no Force on the table"


def sorts(cards: Cards, table: Table) -> Sequence[tuple[type[Command], str]]:
    """Return the Actions of the Acting Player; see `core.narration.narration_port.Words.sorts`. Source: action.kinds."""
    held = table.pile(hand(table.turn)).count
    return (
        (commands.Move, _no_move(cards, table)),
        (commands.Attack, _no_attack(cards, table)),
        (commands.PlayCard, "no card fits this moment" if held else NO_CARD),
        (commands.BuyForce, _no_purchase(cards, table, held)),
        (commands.Resupply, NO_FORCE if held else NO_CARD),
        (commands.RemoveUranus, ""),
    )


def _no_move(cards: Cards, table: Table) -> str:
    forces = forces_of(cards, table, table.turn)
    if not forces:
        return NO_FORCE
    return "" if any(rations(table, force) for force in forces) else "no Force has a Ration"


def _no_attack(cards: Cards, table: Table) -> str:
    """Return why nobody can attack. Source: attack.declare, attack.cost."""
    faced = [
        one for one in cards.locations if all(_stands(table, one, side) for side in (table.turn, enemy(table.turn)))
    ]
    return "no Force that faces an enemy has a Ration" if faced else "nobody stands face to face"


def _stands(table: Table, location: str, side: Side) -> bool:
    return bool(table.pieces_at(area(location, side, CONTROL)))


def _no_purchase(cards: Cards, table: Table, held: int) -> str:
    """Return why the next Force cannot be bought. Source: buy.top-card-only, buy.pay-exactly."""
    force = next(iter(table.pieces_at(top(table.turn))), None)
    if force is None:
        return "no Force is left to buy"
    cost = price(cards, table, table.turn, force)
    is_short = cost > held + table.track(POINTS)
    return f"the next Force costs {counted(cost, 'card')}" if is_short else "no Area has room"
