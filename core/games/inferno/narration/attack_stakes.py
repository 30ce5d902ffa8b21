"""Stakes of an attack before anybody knows how it ends: dice, who fires first, what is added, Rubble, Opportunity Fire, cards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import PANZER_GRENADIER
from core.games.inferno.ids import GERMAN, HEADQUARTERS, RUBBLE, SOVIET, SOVIET_SEAT, enemy, hand
from core.games.inferno.options import PG_ALWAYS_BONUS
from core.games.inferno.rules.cards import CHUIKOV, has_leader
from core.games.inferno.rules.fire import (
    OPPORTUNITY_BONUS,
    bonuses,
    may_combine,
    opportunity_dice,
    opportunity_hexes,
)
from core.games.inferno.rules.queries import is_soviet_played
from core.games.inferno.rules.rubble import declared_modifiers, may_lie
from core.wording import counted, joined
from events.ids import CardId, PieceId, PlaceId, Side
from events.vocabulary import Modifier
from projections.state.table import Table


class Attack(NamedTuple):
    """An attack that a seat may order: its units attack from hexes, which may be entered just before."""

    target: PlaceId
    units: tuple[PieceId, ...]
    hexes: tuple[PlaceId, ...]
    is_deliberate: bool


class Stake(NamedTuple):
    """One thing at stake: a value, and the words around it."""

    value: str
    after: str = ""
    before: str = ""


def attack_words(table: Table, board: Board, attack: Attack, hoped: Attack | None = None, consent: str = "") -> str:
    """Return what an attack would bring, and how that changes if a partner agrees that Stacks of his join it.

    Args:
        table: The table, as the deciding seat knows at least its own units.
        board: The board.
        attack: The attack that is made in any case.
        hoped: The attack with the Stacks of the partner, if any are invited.
        consent: The condition of that, such as `if Blue agrees`.
    """
    sure = dict(_stakes(table, board, attack))
    with_partner = sure if hoped is None else dict(_stakes(table, board, hoped))
    said = [_merged(sure.get(kind), stake, consent) for kind, stake in with_partner.items()]
    return f"; {', '.join(said)}" if said else ""


def _merged(sure: Stake | None, hoped: Stake, consent: str) -> str:
    """Return what is at stake without and with the partner, once if it is the same."""
    if sure is None:
        return f"{hoped.before}{hoped.value}{hoped.after} {consent}"
    if sure == hoped:
        return f"{sure.before}{sure.value}{sure.after}"
    more = hoped.value if sure.after == hoped.after else f"{hoped.value}{hoped.after}"
    return f"{sure.before}{sure.value}{sure.after}, or {more} {consent}"


def _stakes(table: Table, board: Board, attack: Attack) -> Iterator[tuple[str, Stake]]:
    """Yield what is at stake by its kind."""
    units = [unit for unit in attack.units if unit in table.pieces]
    if attack.target not in board.hexes or not units:
        return
    side = table.pieces[units[0]].side
    dice = [table.pieces[unit].steps for unit in units]
    if all(dice):
        own = bonuses(table, board, side, table.pieces[units[0]].place, is_attacking=True)
        yield "dice", Stake(counted(sum(dice), "die"), f" of the attacker{_added(own)}")
    against = bonuses(table, board, enemy(side), attack.target, is_attacking=False)
    if against:
        yield "defence", Stake(f"{_amounts(against)} on each die of the defender")
    yield "order", Stake(_order(table, board, attack.target, units, side))
    if table.marker(attack.target, RUBBLE):
        yield "rubble", Stake(f"Rubble: {board.rubble.hits_per_step} hits for each Step of the defender")
    if side == GERMAN and has_leader(table, board, CHUIKOV):
        yield from _opportunity(table, board, attack.hexes)
    held = table.pile(hand(SOVIET_SEAT)).count
    if held and not is_soviet_played(table):
        yield "card", Stake(f"one of {counted(held, 'Soviet card')} by chance")
    if side == GERMAN and attack.is_deliberate and may_lie(table, board, attack.target):
        yield "roll", _rubble_roll(table, board, units, len(attack.hexes))


def _added(parts: Sequence[Modifier]) -> str:
    """Return what is added to each die, as in ` (+1 for Khrushchev)`."""
    return f" ({_amounts(parts)})" if parts else ""


def _amounts(parts: Sequence[Modifier]) -> str:
    return ", ".join([f"{part.amount:+d} for {part.what}" for part in parts])


def _order(table: Table, board: Board, target: PlaceId, units: Sequence[PieceId], attacker: Side) -> str:
    """Return who fires first, as far as the viewer can know it before the Showdown."""
    if board.terrain_of(target).defender_first:
        return "the defender fires first"
    if not may_combine(table, board, target, attacker):
        return "both sides fire together"
    kinds = [table.pieces[unit].kind for unit in units]
    if attacker != GERMAN or not all(kinds):
        return "the Germans fire first if they have the Combined Force Bonus"
    blocks = [board.blocks[CardId(kind)] for kind in kinds]
    if PG_ALWAYS_BONUS.is_on(table) and any(block.kind == PANZER_GRENADIER for block in blocks):
        return "the Germans fire first by the Combined Force Bonus"
    if any(block.is_tank for block in blocks) and any(block.is_infantry for block in blocks):
        return "the Germans fire first unless the Soviets have Tanks and Infantry too"
    return "both sides fire together"


def _opportunity(table: Table, board: Board, hexes: Sequence[PlaceId]) -> Iterator[tuple[str, Stake]]:
    """Yield the dice of Opportunity Fire with what is added to them; none if entering one of the hexes ends Chuikov first.

    Source: designer.chuikov.lost.
    """
    if any(table.marker(place, HEADQUARTERS) for place in hexes):
        return
    firing = opportunity_hexes(table, board, [place for place in hexes if place in board.hexes])
    dice = sum([opportunity_dice(table, board, place, near) for place, near in firing.items()])
    parts = {
        place: bonuses(table, board, SOVIET, place, is_attacking=False, rule=OPPORTUNITY_BONUS) for place in firing
    }
    yield "opportunity", Stake(counted(dice, "die"), f" of Opportunity Fire{_added_in(parts)}")


def _added_in(parts: Mapping[PlaceId, Sequence[Modifier]]) -> str:
    """Return what is added to the dice of Stacks, with the hexes where it is not added in all."""
    said = []
    for part in dict.fromkeys([part for found in parts.values() for part in found]):
        hexes = [f"hex {place}" for place, found in parts.items() if part in found]
        where = f" in {joined(hexes)}" if len(hexes) < len(parts) else ""
        said.append(f"{part.amount:+d} for {part.what}{where}")
    return f" ({', '.join(said)})" if said else ""


def _rubble_roll(table: Table, board: Board, units: Sequence[PieceId], hexes: int) -> Stake:
    """Return the Rubble Roll with what the attackers add to it, cards aside."""
    parts = declared_modifiers(table, board, [unit for unit in units if table.pieces[unit].kind], hexes)
    total = sum(part.amount for part in parts)
    added = ", ".join(f"{part.amount} for {part.what}" for part in parts)
    dice, limit = counted(board.rubble.dice, "die"), board.rubble.must_exceed
    return Stake(f"{dice} {total:+d} ({added})", f" must exceed {limit}", "Rubble Roll ")
