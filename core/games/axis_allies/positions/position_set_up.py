"""Setting the table up as a position file says; `axis_allies_positions` checks it.

What a position leaves out is as in the set-up chart of its scenario. Units that it names replace all units of the chart with their Combat
Markers; other counters of a kind that it lays anywhere replace those of the chart.
"""

from core.chance.chance_sources import ManualChance
from core.components.inventory import Inventory
from core.engine.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.board_records import ScenarioRow
from core.games.axis_allies.ids import ALLIES, AXIS, DON, FERRY, FROZEN, ICE_BRIDGE, ORDER_BOX, PHASES, order_card
from core.games.axis_allies.memory import ATTACK, COMBAT, REACTION
from core.games.axis_allies.rules.axis_allies_rules import CARD_ORDER, FIRST_ALLIED_CARD, ROUND, AxisAlliesRules
from core.games.axis_allies.rules.combat import MANDATORY, NEXT_COMBAT
from core.games.axis_allies.rules.movement import MOVE_UNITS
from core.games.axis_allies.rules.reaction import AMBUSH
from core.games.axis_allies.rules.reinforcement import BUY
from core.games.axis_allies.rules.set_up import lay_out, order_piles
from core.games.axis_allies.rules.supply import show_supply
from core.games.axis_allies.rules.uranus import LAUNCHING
from core.positions.position import PlacedPiece, Position, put_attributes, put_markers
from events.codec import replace
from events.ids import CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Side
from projections.state.table import Table

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
    draft = Draft(Table(scenario=position.scenario or ids.RACE), ManualChance())
    lay_out(draft, board)
    row, chart = board.scenarios[draft.table.scenario], draft.table
    named = {piece.id for piece in position.pieces}
    tokens = [one for one in chart.pieces.values() if one.kind == ids.SUPPLY]
    has_units = not named <= {one.id for one in tokens}
    units = [] if has_units else [one for one in chart.pieces.values() if one.kind != ids.SUPPLY]
    added = [PlacedPiece(one.id, one.place) for one in (*units, *tokens) if one.id not in named]
    position = replace(
        position,
        round=position.round or row.first_round,
        phase=position.phase or PHASES[row.first_card],
        tracks={ids.RPC[AXIS]: row.axis_rpcs, **position.tracks},
        control={**chart.control, **position.control},
        pieces=tuple([_complete(box, piece, chart) for piece in (*position.pieces, *added)]),
    )
    markers = _markers(board, box, chart, position, has_battles=not has_units)
    return replace(position, markers=markers, piles=_piles(board, row, position))


def _complete(box: Inventory, piece: PlacedPiece, chart: Table) -> PlacedPiece:
    group, there = box.pieces_of.get(piece.id), chart.pieces.get(piece.id)
    if group is None:
        return piece
    side = group.sides[0] if there is None else there.side
    face = ids.GROUND if group.faces else ""
    kind = group.kinds[piece.id][0]
    return replace(piece, kind=piece.kind or kind, side=piece.side or side, face=piece.face or face)


def _markers(board: Board, box: Inventory, chart: Table, position: Position, *, has_battles: bool) -> Markers:
    """Return all markers, with those that follow from the rounds of bad weather.

    Source: order.8.flip, freeze.don-first, icebridge.place-all.
    """
    stated = {marker for there in position.markers.values() for marker in there}
    found = {on: {marker: count for marker, count in there.items() if count} for on, there in position.markers.items()}
    for on, marker in [(on, marker) for on, there in chart.markers.items() for marker in there if on != DON]:
        faces = factory_faces(position.control.get(PlaceId(on), ALLIES))
        shown = {ids.FACTORY[name]: face for name, face in faces.items()}
        if marker == ids.BATTLE:
            is_laid = has_battles and {ids.ASSAULT, ids.BATTLE}.isdisjoint(position.markers.get(on, ()))
        else:
            is_laid = marker in box.counters_of and stated.isdisjoint(box.counters_of[marker].faces)
        if is_laid:
            found.setdefault(on, {})[shown.get(marker, marker)] = 1
    bad = len(frozen_rounds(board, found))
    found[DON] = {FROZEN: 1} if bad else {}
    for crossing in board.crossings:
        found[crossing] = {ICE_BRIDGE: 1} if bad > 1 else {FERRY: 1} if FERRY in found.get(crossing, ()) else {}
    return found


def factory_faces(side: Side) -> dict[str, MarkerId]:
    """Return the faces that factories show in the hands of a side. Source: order.8.flip."""
    return ids.CAPTURED_FACTORY if side == AXIS else ids.FACTORY


def frozen_rounds(board: Board, markers: Markers) -> list[int]:
    """Return the rounds of bad weather. Source: order.1.marker."""
    rounds = range(1, board.file.limits.rounds + 1)
    return [number for number in rounds if FROZEN in markers.get(ids.round_space(number), ())]


def _piles(board: Board, row: ScenarioRow, position: Position) -> dict[PileId, tuple[CardId, ...]]:
    """Return all piles: the deck of Order Cards begins with that of the phase, undrawn cards are those that lie nowhere else."""
    current = NUMBERS.get(position.phase, row.first_card)
    out = position.piles.get(ORDER_BOX, tuple(map(order_card, row.removed_cards)))
    laid = {pile: position.piles.get(pile, ()) for pile in (*ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED)}
    drawn = {card for there in laid.values() for card in there}
    undrawn = tuple([card for card in board.uranus_cards if card not in drawn])
    return {**order_piles(board, current, out), ids.URANUS_DECK: undrawn, ids.URANUS_DRAWN: (), **laid}


# The table


def set_up_position(draft: Draft, rules: AxisAlliesRules, box: Inventory, position: Position) -> None:
    """Set the table up as a valid position says, and go on to its decision, or with the Order Card of its phase."""
    full = completed(rules.board, box, replace(position, scenario=draft.table.scenario))
    for place, side in full.control.items():
        draft.control(place, side, PLACED)
    put_markers(draft, full.markers, PLACED)
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
    show_supply(draft, rules.board)
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
