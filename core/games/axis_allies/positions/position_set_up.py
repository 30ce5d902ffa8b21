"""Setting the table up as a position file says; `axis_allies_positions` checks it.

What a position leaves out is as in the set-up chart of its scenario. Units that it names replace all units of the chart with their Combat
Markers; other counters of a kind that it lays anywhere replace those of the chart.
"""

from collections.abc import Iterator

from core.components.inventory import Inventory
from core.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.board_records import ScenarioRow
from core.games.axis_allies.ids import ALLIES, AXIS, DON, FERRY, FROZEN, ICE_BRIDGE, ORDER_BOX, PHASES, order_card
from core.games.axis_allies.memory import ATTACK, COMBAT, REACTION
from core.games.axis_allies.rules.axis_allies_rules import CARD_ORDER, FIRST_ALLIED_CARD, ROUND, AxisAlliesRules
from core.games.axis_allies.rules.combat import MANDATORY, NEXT_COMBAT
from core.games.axis_allies.rules.movement import MOVE_UNITS
from core.games.axis_allies.rules.purchase import BUY
from core.games.axis_allies.rules.reaction import AMBUSH
from core.games.axis_allies.rules.set_up import chart_units
from core.games.axis_allies.rules.uranus import LAUNCHING
from core.position import PlacedPiece, Position, put_attributes
from events.codec import replace
from events.ids import CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Side

PLACED = RuleId("setup.scenario-choice")
NUMBERS = {phase: number for number, phase in PHASES.items()}
"""The Order Card of each phase."""

DECISIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    BUY: ("buy", (PHASES[2], PHASES[9])),
    MOVE_UNITS: ("move", (PHASES[3], PHASES[10])),
    AMBUSH: ("ambush", (PHASES[4], PHASES[11])),
    NEXT_COMBAT: ("combats", (PHASES[5], PHASES[12])),
    LAUNCHING: ("launch", (PHASES[7],)),
}
"""The decisions with which a position can open, each with the step that asks it and the phases of that step."""

SEQUENCES = {PHASES[4]: REACTION, PHASES[11]: REACTION, PHASES[5]: ATTACK, PHASES[12]: ATTACK}
"""The sequences of phases, where they are not called like the phase."""

Markers = dict[str, dict[MarkerId, int]]


def half(phase: str) -> Side:
    """Return the side in whose half of the round a phase is."""
    return AXIS if NUMBERS[phase] < FIRST_ALLIED_CARD else ALLIES


# What a position leaves out


def completed(board: Board, box: Inventory, position: Position) -> Position:
    """Return a position with all that it leaves out. What is wrong with it stays; added pieces come after its own."""
    row = board.scenarios[position.scenario or ids.RACE]
    zones = board.zones.items()
    control = {place: zone.base or (AXIS if place in row.axis_control else ALLIES) for place, zone in zones}
    tokens = {piece.id: piece for piece in _tokens(board, row)}
    named = {piece.id for piece in position.pieces}
    chart = chart_units(row) if named <= tokens.keys() else ()
    units = [PlacedPiece(piece, place) for piece, _, place in chart]
    pieces = [*position.pieces, *units, *[piece for piece in tokens.values() if piece.id not in named]]
    position = replace(
        position,
        round=position.round or row.first_round,
        phase=position.phase or PHASES[row.first_card],
        tracks={ids.RPC[AXIS]: row.axis_rpcs, **position.tracks},
        control={**control, **position.control},
        pieces=tuple([_complete(box, piece, tokens.get(piece.id)) for piece in pieces]),
    )
    battles = row.battles if units else ()
    return replace(position, markers=_markers(board, box, row, position, battles), piles=_piles(board, row, position))


def _complete(box: Inventory, piece: PlacedPiece, token: PlacedPiece | None) -> PlacedPiece:
    group = box.pieces_of.get(piece.id)
    if group is None:
        return piece
    side = group.sides[0] if token is None else token.side
    face = ids.GROUND if group.faces else ""
    kind = group.kinds[piece.id][0]
    return replace(piece, kind=piece.kind or kind, side=piece.side or side, face=piece.face or face)


def _tokens(board: Board, row: ScenarioRow) -> Iterator[PlacedPiece]:
    """Yield the supply tokens where the chart has them. Source: RuleId("setup.common.pools")."""
    placed = [one.place for one in row.axis_tokens for _ in range(one.number)]
    for number in range(1, board.components.supply_tokens + 1):
        side = AXIS if number <= board.components.axis_tokens else ALLIES
        yield PlacedPiece(ids.token(number), placed.pop() if placed else ids.POOL[side], side=side)


def _markers(
    board: Board, box: Inventory, row: ScenarioRow, position: Position, battles: tuple[PlaceId, ...]
) -> Markers:
    """Return all markers, with those that follow from the rounds of bad weather.

    Source: RuleId("order.8.flip"), RuleId("freeze.don-first"), RuleId("icebridge.place-all").
    """
    stated = {marker for there in position.markers.values() for marker in there}
    factories = {ids.TANK_FACTORY: row.tank_factory, ids.ARTILLERY_FACTORY: row.artillery_factory}
    chart: list[tuple[str, MarkerId]] = [
        *[(ids.round_space(number), FROZEN) for number in row.bad_rounds],
        *[(ids.round_space(row.storm_round), ids.WINTER_STORM) for _ in range(row.storm_round and 1)],
        *[(crossing, FERRY) for crossing in row.ferries],
        *[(zone, factory_faces(position.control[zone])[name]) for name, zone in factories.items() if zone],
    ]
    found = {on: {marker: count for marker, count in there.items() if count} for on, there in position.markers.items()}
    for on, marker in chart:
        if stated.isdisjoint(box.counters_of[marker].faces):
            found.setdefault(on, {})[marker] = 1
    for zone in battles:
        if {ids.ASSAULT, ids.BATTLE}.isdisjoint(position.markers.get(zone, ())):
            found.setdefault(zone, {})[ids.BATTLE] = 1
    bad = len(frozen_rounds(board, found))
    found[DON] = {FROZEN: 1} if bad else {}
    for crossing in board.crossings:
        found[crossing] = {ICE_BRIDGE: 1} if bad > 1 else {FERRY: 1} if FERRY in found.get(crossing, ()) else {}
    return found


def factory_faces(side: Side) -> dict[str, MarkerId]:
    """Return the faces that factories show in the hands of a side. Source: RuleId("order.8.flip")."""
    return ids.CAPTURED_FACTORY if side == AXIS else ids.FACTORY


def frozen_rounds(board: Board, markers: Markers) -> list[int]:
    """Return the rounds of bad weather. Source: RuleId("order.1.marker")."""
    return [
        number for number in range(1, board.limits.rounds + 1) if FROZEN in markers.get(ids.round_space(number), ())
    ]


def _piles(board: Board, row: ScenarioRow, position: Position) -> dict[PileId, tuple[CardId, ...]]:
    """Return all piles: the deck of Order Cards begins with that of the phase, undrawn cards are those that lie nowhere else."""
    current = NUMBERS.get(position.phase, row.first_card)
    out = position.piles.get(ORDER_BOX, tuple(map(order_card, row.removed_cards)))
    cards = {order_card(number): number >= current for number in sorted(board.order_cards)}
    laid = {pile: position.piles.get(pile, ()) for pile in (*ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED)}
    drawn = {card for there in laid.values() for card in there}
    return {
        ids.ORDER_DECK: tuple([card for card, is_to_come in cards.items() if is_to_come and card not in out]),
        ids.ORDER_DISCARDS: tuple([card for card, is_to_come in cards.items() if not is_to_come and card not in out]),
        ORDER_BOX: out,
        ids.URANUS_DECK: tuple([card for card in board.uranus_cards if card not in drawn]),
        ids.URANUS_DRAWN: (),
        **laid,
    }


# The table


def set_up_position(draft: Draft, rules: AxisAlliesRules, box: Inventory, position: Position) -> None:
    """Set the table up as a valid position says, and go on to its decision, or with the Order Card of its phase."""
    full = completed(rules.board, box, replace(position, scenario=draft.table.scenario))
    for place, side in full.control.items():
        draft.control(place, side, PLACED)
    for on, there in full.markers.items():
        for marker, count in there.items():
            draft.mark(on, marker, PLACED, count)
    for track, value in full.tracks.items():
        draft.track(track, value, PLACED)
    for piece in sorted(full.pieces, key=lambda piece: PieceId(piece.place) in box.pieces_of):
        draft.place(piece.id, piece.place, PLACED, kind=piece.kind, side=piece.side, face=piece.face)
    fronts = [pile for pile in ids.URANUS_FRONT.values() if full.piles[pile]]
    knows = {ids.URANUS_DECK: (), **dict.fromkeys(fronts, (draft.table.seat_of(ALLIES),))}
    for pile, cards in full.piles.items():
        draft.form(pile, cards, PLACED, seen_by=knows.get(pile))
    draft.begin_round(full.round, CARD_ORDER)
    draft.begin_turn(half(full.phase), CARD_ORDER)
    _remember(draft, box, full, is_of_phase=False)
    rules.supply.show(draft)
    _open(draft, rules, box, full)


def _remember(draft: Draft, box: Inventory, position: Position, *, is_of_phase: bool) -> None:
    declared = {one for there in box.memory.of.values() for one in there if (one.until == "phase") is is_of_phase}
    put_attributes(draft, position, sorted(declared, key=lambda one: one.key), PLACED)


def _open(draft: Draft, rules: AxisAlliesRules, box: Inventory, position: Position) -> None:
    """Begin the phase, or go on with the step of a decision in a phase that is under way."""
    asked, phase = position.decision, position.phase
    if asked is None:
        rules.rounds.sequence.begin(draft, start=phase)
        return
    draft.begin_sequence(ROUND, phase, CARD_ORDER)
    draft.begin_phase(phase, CARD_ORDER)
    _remember(draft, box, position, is_of_phase=True)
    step, _ = DECISIONS[asked.kind]
    if "zone" in asked.arguments:
        draft.begin_sequence(ATTACK, step, MANDATORY)
        rules.sequences[COMBAT].begin(draft, asked.arguments)
    else:
        rules.sequences[SEQUENCES.get(phase, phase)].begin(draft, start=step)
