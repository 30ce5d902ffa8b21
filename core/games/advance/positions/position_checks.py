"""Checks of position files of this game that go beyond its inventory.

Source: RuleId("12.0.options-fixed") for what cannot be played at all; each check cites the rule that a position broke.
"""

from collections.abc import Collection, Iterator

from core.games.advance import ids
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import TERRAINS
from core.games.advance.memory import (
    ACT,
    ACTIVE_UNITS,
    ATTACK,
    ATTACKERS,
    ATTRIBUTES,
    ENTERED_FROM,
    LEAD,
    TURN,
    in_play,
)
from core.games.advance.positions.position_set_up import DECISIONS, IN_A_ROUND, IN_AN_ATTACK
from core.games.advance.rules.set_up import pool
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, PlacedPiece, Position
from core.positions.position_checks import Openings, opening_defects
from core.suggestions import unknown
from events.ids import CardId, PieceId, PlaceId

PHASES = (ids.DAWN, ids.RANDOM_EVENT, ids.SUPPLY_PHASE, ids.COMBAT)
"""The phases in which a position can open. Without a decision the phase begins, with its rolls."""

IN_COMBAT = tuple([kind for kind, phase in DECISIONS.items() if phase == ids.COMBAT])

Soviets = dict[PlaceId, PlacedPiece | None]
"""The Areas where a Soviet unit is, with what the position says of it if it does."""


def check(board: Board, position: Position) -> tuple[Defect, ...]:
    """Return every defect of a position; empty if it can be played."""
    scenario = board.scenarios.get(position.scenario)
    if scenario is None:
        known = list(board.scenarios)
        return (Defect(("scenario",), unknown("scenario of this position", position.scenario, known)),)
    openings = Openings(
        rounds=range(scenario.first_turn, scenario.last_turn + 1),
        phases=PHASES,
        sides=(ids.GERMAN,),
        seats=(ids.GERMAN_SEAT,),
        decisions=DECISIONS,
    )
    soviets: Soviets = {row.area: None for row in scenario.soviet_setup}
    if position.pieces:
        soviets = {piece.place: piece for piece in position.pieces if piece.id == ids.soviet_unit(piece.place)}
    placed = (*scenario.units(), *[ids.soviet_unit(row.area) for row in scenario.soviet_setup])
    unnamed: Collection[PieceId] = () if position.pieces else placed
    return (
        *opening_defects(position, openings),
        *position_defects(in_play(board, position.scenario, position.options), position, unnamed),
        *_control(board, position, soviets),
        *_soviet_units(board, position),
        *_contested(position, soviets),
        *_mixes(board, position, scenario),
        *_support(board, position),
        *_out_of_place(board, position),
        *_entries(board, position),
        *_action_round(board, position, soviets),
    )


def _control(board: Board, position: Position, soviets: Soviets) -> Iterator[Defect]:
    """Check that control and its count are what the Soviet units make it.

    Source: 3.4, 5.2, 7.2, 14.2, RuleId("7.4.vacant-is-german").
    """
    value, actual = position.tracks.get(ids.CONTROL_COUNT), len(board.areas) - len(soviets)
    if value is not None and value != actual:
        problem = f"the control count says {value}, but {actual} Areas are German-controlled"
        yield Defect(("tracks", ids.CONTROL_COUNT), problem)
    for area, side in position.control.items():
        if side == ids.GERMAN and area in soviets:
            yield Defect(("control", area), f"Area {area} holds a Soviet unit and so is not German-controlled")
        elif side == ids.SOVIET and area not in soviets:
            yield Defect(("control", area), f"Area {area} holds no Soviet unit and so is German-controlled")


def _soviet_units(board: Board, position: Position) -> Iterator[Defect]:
    """Check that Soviet units are in their own Areas or eliminated, and have a kind once they are Revealed.

    Source: 5.4, 7.1, 8.1.2, 14.5.1.
    """
    homes = {ids.soviet_unit(area): area for area in board.areas}
    for index, piece in enumerate(position.pieces):
        path = ("pieces", index)
        home = homes.get(piece.id, piece.place)
        if piece.place in board.areas and home != piece.place:
            problem = f"{piece.id} never leaves Area {home}, so it cannot be in {piece.place!r}"
            yield Defect((*path, "place"), problem)
        if piece.kind and piece.face == ids.UNREVEALED:
            yield Defect((*path, "kind"), f"{piece.id} is Unrevealed, so its kind, {piece.kind}, cannot be known")
        if piece.face == ids.REVEALED and not piece.kind:
            yield Defect((*path, "face"), f"{piece.id} is Revealed, so its kind must say which counter it is")


def _contested(position: Position, soviets: Soviets) -> Iterator[Defect]:
    """Check that Contested Areas are Revealed, except for units that entered in this very round.

    Source: RuleId("7.3.contested-is-revealed").
    """
    for index, piece in enumerate(position.pieces):
        soviet = soviets.get(piece.place)
        is_entering = ENTERED_FROM.key in position.attributes.get(piece.id, {})
        if soviet is not None and not soviet.kind and piece is not soviet and not is_entering:
            problem = f"{piece.id} is in Area {piece.place} with an Unrevealed Soviet unit"
            yield Defect(("pieces", index, "place"), problem)


def _mixes(board: Board, position: Position, scenario: Scenario) -> Iterator[Defect]:
    """Check that a mix has enough counters for the units that are to be drawn from it, and none that lies open at set-up.

    A mix that the position does not name has every counter that does not lie open.

    Source: RuleId("5.4.one-counter-per-area").
    """
    shown = {row.counter for row in scenario.soviet_setup}
    unseen = [row.area for row in scenario.soviet_setup if row.counter is None]
    if position.pieces:
        shown = {CardId(piece.kind) for piece in position.pieces}
        pieces = [piece for piece in position.pieces if ids.soviet_unit(piece.place) == piece.id]
        unseen = [piece.place for piece in pieces if not piece.kind and piece.place in board.areas]
    left = [card for card in pool(position.options, scenario, board) if card not in shown]
    for terrain in TERRAINS:
        pile = ids.mix(terrain)
        named = position.piles.get(pile)
        for index, card in enumerate(named or ()):
            if card in shown and not position.pieces:
                yield Defect(("piles", pile, index), f"{pile}: counter {card} is on the table already")
        cards = [card for card in left if board.counter(card).terrain == terrain] if named is None else named
        needed = len([area for area in unseen if board.areas[area].terrain == terrain])
        if len(cards) < needed:
            problem = f"{pile}: {len(cards)} counters are too few for {needed} Unrevealed units"
            yield Defect(("pieces",) if named is None else ("piles", pile), problem)


def _support(board: Board, position: Position) -> Iterator[Defect]:
    """Check that no support marker is missing if the position says how many are Used.

    Source: 3.6, RuleId("4.5.marker-totals").
    """
    for marker in ids.SUPPORT:
        total = board.markers.of(marker)
        missing = total - sum(there.get(marker, 0) for there in position.markers.values())
        if position.markers.get(ids.USED, {}).get(marker) and missing > 0:
            yield Defect(("markers", ids.USED, marker), f"{missing} of {total} {marker} markers are missing")


# Action Rounds and attacks


def _kind(position: Position) -> str:
    return "" if position.decision is None else position.decision.kind


def _attacked(position: Position) -> PlaceId | None:
    """Return the Area under attack, or None if the position does not open in an attack."""
    asked = position.decision
    area = None if asked is None or asked.kind not in IN_AN_ATTACK else asked.arguments.get("area")
    return PlaceId(area) if isinstance(area, str) else None


def _out_of_place(board: Board, position: Position) -> Iterator[Defect]:
    """Check that there is nothing that belongs to another moment than that at which the position opens. Source: 8.1, 9.5."""
    kind, attacked = _kind(position), _attacked(position)
    within = {attribute.key: attribute.within for attribute in ATTRIBUTES}
    for on, there in position.attributes.items():
        moments = {
            TURN: ("the Combat Phase", kind in IN_COMBAT),
            ACT: ("an Action Round", kind in IN_A_ROUND),
            ATTACK: ("an attack on that Area", on == attacked),
        }
        for key in there:
            for moment, is_open in [moments[one] for one in within.get(key, ())]:
                if not is_open:
                    problem = f"attribute {key} of {on} belongs to {moment}, and the position does not open in one"
                    yield Defect(("attributes", on, key), problem)
    for on, markers in position.markers.items():
        for marker in [one for one, count in markers.items() if count]:
            if on in board.areas and marker in ids.SUPPORT and kind not in IN_A_ROUND:
                problem = f"marker {marker} on {on} belongs to an Action Round, and the position does not open in one"
                yield Defect(("markers", on, marker), problem)


def _entries(board: Board, position: Position) -> Iterator[Defect]:
    """Check that a unit with an entry Area is beside it, with a Soviet unit. Source: 9.1, 9.5.8."""
    places = {piece.id: piece.place for piece in position.pieces}
    for on, there in position.attributes.items():
        entry = there.get(ENTERED_FROM.key)
        here = places.get(PieceId(on), PlaceId(""))
        path = ("attributes", on, ENTERED_FROM.key)
        if not isinstance(entry, str) or _kind(position) not in IN_A_ROUND:
            continue
        if places.get(ids.soviet_unit(here)) != here:
            yield Defect(path, f"{on} has entered no Area with a Soviet unit")
        elif entry in board.areas and not board.adjacency.are_adjacent(here, PlaceId(entry)):
            yield Defect(path, f"{on} cannot have entered Area {here} from {entry}")


def _action_round(board: Board, position: Position, soviets: Soviets) -> Iterator[Defect]:
    """Check that there is one Active Area, and that units attack a Revealed unit, with one Lead if support is placed.

    Source: 6.4.2, 8.1, 9.4, 9.5.
    """
    kind, area = _kind(position), _attacked(position)
    active = [on for on, there in position.attributes.items() if on in board.areas and ACTIVE_UNITS.key in there]
    if kind in IN_A_ROUND and len(active) != 1:
        yield Defect(("attributes",), f"an Action Round has one Active Area, not {len(active)}")
    if kind in IN_AN_ATTACK and area not in soviets:
        needed = f"decision {kind} needs the argument area, where a Soviet unit is attacked"
        yield Defect(("decision", "arguments"), needed)
    if area is None:
        return
    there = position.attributes.get(area, {})
    attackers, lead = there.get(ATTACKERS.key), there.get(LEAD.key)
    named = attackers if isinstance(attackers, tuple) else ()
    standing = {piece.id for piece in position.pieces if piece.place == area}
    path = ("attributes", area)
    for on in named:
        if on not in standing:
            yield Defect((*path, ATTACKERS.key), f"{on} is not in Area {area}, which is attacked")
    if not named:
        yield Defect(path, f"no unit attacks Area {area}: its attribute {ATTACKERS.key} lists those that do")
    soviet = soviets.get(area)
    if soviet is not None and not soviet.kind:
        index = position.pieces.index(soviet)
        yield Defect(("pieces", index), f"the Soviet unit of Area {area} is attacked and so is Revealed")
    if kind == "support" and lead not in named:
        yield Defect(path, "one of the attackers leads where support is placed")
    if kind != "support" and lead is not None:
        yield Defect((*path, LEAD.key), f"the Lead is not named yet at the decision {kind}")
