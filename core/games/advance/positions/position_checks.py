"""What can be wrong with a position file of this game besides what its inventory says; every defect is named.

Source: RuleId("12.0.options-fixed") for what cannot be played at all; each check cites the rule that a position broke.
"""

from collections.abc import Collection, Iterator

from core.components.inventory_checks import position_defects
from core.games.advance import ids
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import TERRAINS
from core.games.advance.components.inventory import units_in_play
from core.games.advance.memory import ACTIVATED, ENTERED_FROM, in_play
from core.games.advance.positions.action_round_checks import round_defects
from core.games.advance.positions.position_set_up import DECISIONS, IN_AN_ATTACK
from core.games.advance.rules.queries import support_total
from core.position import Defect, PlacedPiece, Position
from core.suggestions import unknown
from events.ids import PieceId, PlaceId

PHASES = (ids.DAWN, ids.RANDOM_EVENT, ids.SUPPLY_PHASE, ids.COMBAT)
"""The phases in which a position can open. Without a decision the phase begins, with its rolls."""


def check(board: Board, position: Position) -> tuple[Defect, ...]:
    """Name every defect of a position; empty if it can be played."""
    scenario = board.scenarios.get(position.scenario)
    if scenario is None:
        known = list(board.scenarios)
        return (Defect(("scenario",), unknown("scenario of this position", position.scenario, known)),)
    unnamed: Collection[PieceId] = () if position.pieces else units_in_play(scenario)
    soviets = _soviets(position, scenario)
    return (
        *_moment(position, scenario),
        *_decision(position, soviets),
        *position_defects(in_play(board, position.scenario, position.options), position, unnamed),
        *_control_count(board, position, soviets),
        *_soviet_units(board, position),
        *_contested(position, soviets),
        *_mixes(board, position, scenario),
        *_control(position, soviets),
        *_support(board, position),
        *_activated(position),
        *round_defects(board, position),
    )


def _moment(position: Position, scenario: Scenario) -> Iterator[Defect]:
    """Check turn, phase, seat and mode. Source: 3.2, 5.1, 6.0, 14.1."""
    first, last = scenario.first_turn, scenario.last_turn
    if position.round and not first <= position.round <= last:
        yield Defect(("round",), f"turn {position.round} is not one of this scenario, {first} to {last}")
    if position.phase and position.phase not in PHASES:
        yield Defect(("phase",), unknown("phase in which a position can open", position.phase, list(PHASES)))
    if position.turn not in ("", ids.GERMAN):
        yield Defect(("turn",), f"the turn is always {ids.GERMAN}'s, not {position.turn}'s")
    if position.turn_seat not in ("", ids.GERMAN_SEAT):
        problem = f"the turn is always that of seat {ids.GERMAN_SEAT}, not of {position.turn_seat!r}"
        yield Defect(("turn_seat",), problem)
    if position.mode:
        yield Defect(("mode",), f"this game has no modes, so not {position.mode!r} either")


def _decision(position: Position, soviets: dict[PlaceId, PlacedPiece | None]) -> Iterator[Defect]:
    """Check that the decision exists, fits the phase and is the German seat's."""
    asked = position.decision
    if asked is None:
        return
    if asked.kind not in DECISIONS:
        known = list(DECISIONS)
        yield Defect(("decision", "kind"), unknown("decision with which a position can open", asked.kind, known))
        return
    if position.phase not in ("", DECISIONS[asked.kind]):
        yield Defect(("decision", "kind"), f"decision {asked.kind} belongs to the phase {DECISIONS[asked.kind]}")
    if asked.seat not in ("", ids.GERMAN_SEAT):
        yield Defect(("decision", "seat"), f"all decisions are {ids.GERMAN_SEAT}'s, not {asked.seat}'s")
    area = asked.arguments.get("area")
    if asked.kind in IN_AN_ATTACK and (not isinstance(area, str) or area not in soviets):
        needed = f"decision {asked.kind} needs the argument area, where a Soviet unit is attacked"
        yield Defect(("decision", "arguments"), needed)


def _soviets(position: Position, scenario: Scenario) -> dict[PlaceId, PlacedPiece | None]:
    """Return the Areas where a Soviet unit is, with what the position says of it if it does."""
    if not position.pieces:
        return {row.area: None for row in scenario.soviet_setup}
    return {piece.place: piece for piece in position.pieces if piece.id == ids.soviet_unit(piece.place)}


def _control_count(board: Board, position: Position, soviets: dict[PlaceId, PlacedPiece | None]) -> Iterator[Defect]:
    """Check that the control count is what the Soviet units make it. Source: 3.4, 5.2, 14.2."""
    value, actual = position.tracks.get(ids.CONTROL_COUNT), len(board.areas) - len(soviets)
    if value is not None and value != actual:
        problem = f"the control count says {value}, but {actual} Areas are German-controlled"
        yield Defect(("tracks", ids.CONTROL_COUNT), problem)


def _soviet_units(board: Board, position: Position) -> Iterator[Defect]:
    """Check that Soviet units are in their own Areas or eliminated, and have a kind once they are Revealed.

    Source: 5.4, 7.1, 8.1.2, 14.5.1.
    """
    homes = {ids.soviet_unit(area): area for area in board.areas}
    for index, piece in enumerate(position.pieces):
        path = ("pieces", index)
        if piece.place in board.areas and homes.get(piece.id, piece.place) != piece.place:
            yield Defect(
                (*path, "place"), f"{piece.id} never leaves Area {homes[piece.id]}, so it cannot be in {piece.place!r}"
            )
        if piece.kind and piece.face == ids.UNREVEALED:
            yield Defect((*path, "kind"), f"{piece.id} is Unrevealed, so nobody can know that it is {piece.kind}")
        if piece.face == ids.REVEALED and not piece.kind:
            yield Defect((*path, "face"), f"{piece.id} is Revealed, so its kind must say which counter it is")


def _contested(position: Position, soviets: dict[PlaceId, PlacedPiece | None]) -> Iterator[Defect]:
    """Check that Contested Areas are Revealed, but for units that entered in this very round.

    Source: 7.3, RuleId("7.3.contested-is-revealed").
    """
    for index, piece in enumerate(position.pieces):
        soviet = soviets.get(piece.place)
        is_entering = ENTERED_FROM.key in position.attributes.get(piece.id, {})
        if soviet is not None and not soviet.kind and piece is not soviet and not is_entering:
            problem = f"{piece.id} is in Area {piece.place} with an Unrevealed Soviet unit"
            yield Defect(("pieces", index, "place"), problem)


def _mixes(board: Board, position: Position, scenario: Scenario) -> Iterator[Defect]:
    """Check that a mix has enough counters for the units that are to be drawn from it, and none that lies open at set-up.

    Source: 5.4, RuleId("5.4.one-counter-per-area").
    """
    shown = [] if position.pieces else [row.counter for row in scenario.soviet_setup]
    unseen = [row.area for row in scenario.soviet_setup if row.counter is None]
    if position.pieces:
        unseen = [
            piece.place for piece in position.pieces if ids.soviet_unit(piece.place) == piece.id and not piece.kind
        ]
    for terrain in TERRAINS:
        pile = ids.mix(terrain)
        cards = position.piles.get(pile)
        if cards is None:
            continue
        for index, card in enumerate(cards):
            if card in shown:
                yield Defect(("piles", pile, index), f"{pile}: counter {card} is on the table already")
        needed = len([area for area in unseen if area in board.areas and board.areas[area].terrain == terrain])
        if len(cards) < needed:
            problem = f"{pile}: {len(cards)} counters are too few for {needed} Unrevealed units"
            yield Defect(("piles", pile), problem)


def _control(position: Position, soviets: dict[PlaceId, PlacedPiece | None]) -> Iterator[Defect]:
    """Check that control is what the Soviet units make it. Source: 7.2, 7.4, RuleId("7.4.vacant-is-german")."""
    for area, side in position.control.items():
        if side == ids.GERMAN and area in soviets:
            yield Defect(("control", area), f"Area {area} holds a Soviet unit and so is not German-controlled")
        elif side == ids.SOVIET and area not in soviets:
            yield Defect(("control", area), f"Area {area} holds no Soviet unit and so is German-controlled")


def _support(board: Board, position: Position) -> Iterator[Defect]:
    """Check that no support marker is missing where the position says how many are Used.

    Source: 3.6, 4.5, RuleId("4.5.marker-totals").
    """
    for marker in ids.SUPPORT:
        total = support_total(board, marker)
        missing = total - sum(there.get(marker, 0) for there in position.markers.values())
        if position.markers.get(ids.USED, {}).get(marker) and missing > 0:
            yield Defect(("markers", ids.USED, marker), f"{missing} of {total} {marker} markers are missing")


def _activated(position: Position) -> Iterator[Defect]:
    """Check that Areas have been activated in a Combat Phase only. Source: 8.1."""
    is_combat = position.decision is not None and DECISIONS.get(position.decision.kind) == ids.COMBAT
    for on, there in position.attributes.items():
        if ACTIVATED.key in there and not is_combat:
            problem = (
                f"attribute {ACTIVATED.key} of {on} belongs to the Combat Phase, and the position does not open in it"
            )
            yield Defect(("attributes", on, ACTIVATED.key), problem)
