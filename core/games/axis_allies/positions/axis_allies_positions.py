"""The position files of this game: what can be wrong with one besides what its inventory says.

A position opens with the Order Card of its `phase`, or with a `decision` within that card: `buy`, `move`, `ambush`, `launch` or
`next_combat`, whose argument `zone` can name the first combat. What is remembered until the phase ends needs a decision.

What a position leaves out is as in the set-up chart of its scenario; `position_set_up` says how. Pieces are units (`ger_tank/1`), by
default on the ground, and supply tokens (`token/1`), by default in the pools. The deck of Order Cards follows from the phase; cards out
of the game lie in the pile `order_box`. Unsupplied Markers follow from the table, ice bridges and the Don's Frozen Marker from those of
the Round Track.
"""

from collections.abc import Iterator
from functools import cached_property

from core.components.inventory import Inventory
from core.engine.draft import Draft
from core.games.axis_allies import ids, memory
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import in_play
from core.games.axis_allies.positions.position_set_up import (
    DECISIONS,
    NUMBERS,
    completed,
    factory_faces,
    frozen_rounds,
    half,
    set_up_position,
)
from core.games.axis_allies.rules.automatic_cards import WORKERS_CARD
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.combat import NEXT_COMBAT
from core.games.axis_allies.rules.missions import loads
from core.games.axis_allies.rules.uranus import URANUS_CARD
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, PlacedPiece, Position, Question
from core.positions.position_checks import Openings, opening_defects
from core.toml.toml_lines import Path
from events.codec import replace
from events.ids import NO_SIDE, PlaceId

REMOVABLE = (ids.order_card(URANUS_CARD), ids.order_card(WORKERS_CARD))
"""The Order Cards that can leave the game. Source: sequence.removed-cards."""

ATTACK_PHASES = (ids.PHASES[5], ids.PHASES[12])

FIGHT = f"a Combat Marker, {ids.ASSAULT} or {ids.BATTLE}, must be there"

Aboard = dict[str, list[PlacedPiece]]
"""The pieces by their places."""


def whole_defects(board: Board, stated: Position, position: Position) -> Iterator[Defect]:
    """Yield what cannot be.

    `stated` is the position as its file states it, `position` the one with what that leaves out.
    """
    yield from _decision(position)
    aboard: Aboard = {}
    for piece in position.pieces:
        aboard.setdefault(piece.place, []).append(piece)
    for index, piece in enumerate(position.pieces):
        path: Path = ("pieces", index, "place") if index < len(stated.pieces) else ("control",)
        problems = (*_misplaced(board, position, piece), *_crossing(board, position, piece, aboard))
        problems = (*problems, *_grounded(board, piece, aboard))
        problems = (*problems, *(_idle(board, position, piece) if index < len(stated.pieces) else ()))
        for problem in (*problems, *_cargo(board, position, piece, aboard)):
            yield Defect(path, problem)
    yield from _markers(board, stated, position)
    yield from _cards(board, position)
    yield from _memory(position)


def _is_contested(position: Position, place: str) -> bool:
    return not {ids.ASSAULT, ids.BATTLE}.isdisjoint(position.markers.get(place, ()))


def _decision(position: Position) -> Iterator[Defect]:
    asked = position.decision or Question("")
    if asked.seat:
        yield Defect(("decision", "seat"), "who decides follows from the decision; it names no seat")
    for name, zone in asked.arguments.items():
        path = ("decision", "arguments", name)
        if name != "zone" or asked.kind != NEXT_COMBAT:
            yield Defect(path, f"the decision has no argument {name}; {NEXT_COMBAT} can have zone")
        elif not _is_contested(position, str(zone)):
            yield Defect(path, f"no combat begins in {zone}; {FIGHT}")


# Pieces


def _misplaced(board: Board, position: Position, piece: PlacedPiece) -> Iterator[str]:
    """Yield why a piece cannot be where it is.

    Source: zone.contested, zone.airfield, volga-attack.declare, ambush.destroyed-if-surrounded,
    supply.token.ownership.
    """
    here, side, name = piece.place, piece.side, piece.id
    kind, zone, site = board.units.get(piece.kind), board.zones.get(here), board.sites.get(here)
    if here in ids.POOL.values() and here != ids.POOL.get(side):
        yield f"{name} belongs to the {side}, so that its pool is {ids.POOL.get(side)}, not {here}"
    if kind is None:
        return
    is_fight = _is_contested(position, here)
    if zone is not None and not kind.is_air and position.control.get(here) != side and not is_fight:
        yield f"{name} is in {here}, under control of the {ids.enemy(side)}; {FIGHT}"
    if zone is not None and piece.face == ids.GROUND and not zone.has_airfield:
        yield f"{name} is on the ground in {here}, which has no airfield; in the air its face is {ids.FLYING}"
    is_resolved = position.phase == ids.PHASES[6] or (position.decision or Question("")).kind == NEXT_COMBAT
    if here in map(ids.above, board.crossings) and not (piece.face == ids.FLYING and (is_fight or is_resolved)):
        yield f"{name} is {here}; its face must be {ids.FLYING}, and the marker {ids.ASSAULT} must be there"
    if site is not None and all(position.control.get(near) != side for near in site.zones):
        yield f"{name} cannot be in {here}; the {side} must control one of {', '.join(site.zones)}"


def _idle(board: Board, position: Position, piece: PlacedPiece) -> Iterator[str]:
    """Yield why an air unit of the side that attacks cannot be in the air over a fight: none fires there that was given no move.

    Source: movement.air.attack-target, movement.air.stay-and-fight.
    """
    is_attacking = position.phase in ATTACK_PHASES and piece.side == half(position.phase)
    is_over_fight = piece.face == ids.FLYING and _is_contested(position, piece.place)
    kind, there = board.units.get(piece.kind), position.attributes.get(piece.id, {})
    if is_attacking and is_over_fight and kind is not None and kind.is_air and memory.MISSION.key not in there:
        missions = f"{memory.ATTACK_MISSION} if it came in this turn, {memory.STAY} if it was there before"
        yield f"{piece.id} flies in the combat in {piece.place} without a mission; its attribute mission must be {missions}"


def _grounded(board: Board, piece: PlacedPiece, aboard: Aboard) -> Iterator[str]:
    """Yield why an air unit cannot be on the ground. Source: zone.airfield.capacity, ruling.base-airfield-capacity."""
    there = [one for one in aboard[piece.place] if one.side == piece.side and one.face == ids.GROUND]
    most = board.file.limits.air_units
    if piece.place in board.zones and piece.id in [one.id for one in there[most:]]:
        yield f"{piece.id} is one more air unit on the ground in {piece.place} than the {most} that an airfield takes"


def _crossing(board: Board, position: Position, piece: PlacedPiece, aboard: Aboard) -> Iterator[str]:
    """Yield why a piece cannot be on a Volga Crossing. Source: movement.volga.capacity."""
    here, kind = piece.place, board.units.get(piece.kind)
    if here not in board.crossings:
        return
    markers = position.markers[here]
    if not markers:
        yield f"{piece.id} is on {here}, where neither a ferry nor an ice bridge is"
    elif ids.ICE_BRIDGE not in markers and kind is not None and not kind.is_infantry:
        yield f"{piece.id} is on the ferry of {here}, which takes infantry or a supply token"
    if len(aboard[here]) > 1:
        yield f"{len(aboard[here])} pieces are on {here}, which takes one"


def _cargo(board: Board, position: Position, bomber: PlacedPiece, aboard: Aboard) -> Iterator[str]:
    """Yield why an air unit cannot carry what it does. Source: unit.bomber.one-mission."""
    cargo = aboard.get(bomber.id, [])
    kinds = tuple(sorted([piece.kind for piece in cargo]))
    mission = str(position.attributes.get(bomber.id, {}).get(memory.MISSION.key, ""))
    is_own = all(piece.side == bomber.side for piece in cargo)
    if cargo and not (is_own and kinds in loads(board, bomber.side, mission)):
        yield f"{bomber.id} with the mission {mission!r} cannot carry {', '.join(kinds)}; its mission must be one that takes its own side's"


# Markers, cards and memory


def _markers(board: Board, stated: Position, position: Position) -> Iterator[Defect]:
    """Check markers that follow from others, and faces of factories.

    Source: order.1.marker, freeze.don-first, icebridge.place-all, order.8.flip.
    """
    for on, there in stated.markers.items():
        for marker, count in there.items():
            path: Path = ("markers", on, marker)
            follows = position.markers[on].get(marker, 0)
            if count != follows:
                why = f"by the rounds with the marker {ids.FROZEN}"
                yield Defect(path, f"{count} {marker} on {on} must be {follows}, {why}")
            side = position.control.get(PlaceId(on), NO_SIDE)
            shown = factory_faces(side).values() if side else ()
            if count and marker in (*ids.FACTORY.values(), *ids.CAPTURED_FACTORY.values()) and marker not in shown:
                yield Defect(path, f"{on} is under control of the {side}; the factory must be {' or '.join(shown)}")
    for number in frozen_rounds(board, position.markers):
        if number > position.round:
            path = ("markers", ids.round_space(number), ids.FROZEN)
            yield Defect(path, f"in round {position.round} the weather of round {number} is not known yet")


def _cards(board: Board, position: Position) -> Iterator[Defect]:
    """Check that Operation Uranus is launched in all respects or in none.

    Source: order.7.removed, winter-storm.marker-place, order.7.launch-uranus-deadline.
    """
    out, path, number = position.piles[ids.ORDER_BOX], ("piles", ids.ORDER_BOX), NUMBERS.get(position.phase, 1)
    for card in out:
        if card not in REMOVABLE:
            yield Defect(path, f"{card} never leaves the game; {' and '.join(REMOVABLE)} can")
    if ids.order_card(number) in out:
        yield Defect(("phase",), f"the card of {position.phase} is out of the game; another phase must be named")
    uranus, last = REMOVABLE[0], board.file.uranus.last_round
    is_launched = uranus in out
    if is_launched != any(ids.WINTER_STORM in there for there in position.markers.values()):
        yield Defect(path, f"{uranus} must be out of the game exactly if the marker {ids.WINTER_STORM} is on the track")
    if not is_launched and (position.round, number) > (last, URANUS_CARD):
        yield Defect(path, f"Operation Uranus is launched by round {last}, so that {uranus} must be out of the game")
    for pile in ids.URANUS_FRONT.values() if is_launched else (ids.URANUS_DEPLOYED,):
        if position.piles[pile]:
            problem = f"cards lie on a front before the launch, and in {ids.URANUS_DEPLOYED} after it"
            yield Defect(("piles", pile), problem)


def _memory(position: Position) -> Iterator[Defect]:
    """Check what is remembered. Source: movement.assault-marker, optional.interceptors.return."""
    for on, there in position.attributes.items():
        if memory.ACROSS_RIVER.key in there and ids.ASSAULT not in position.markers.get(on, ()):
            yield Defect(("attributes", on, memory.ACROSS_RIVER.key), f"the marker {ids.ASSAULT} must be on {on}")
        if (there.get(memory.MISSION.key) == memory.SCRAMBLE) != (memory.HOME.key in there):
            problem = f"{on} has a home exactly if its mission is {memory.SCRAMBLE}"
            yield Defect(("attributes", on, memory.HOME.key), problem)


STATED = {ids.ORDER_BOX, *ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED}
"""The piles that a position can state; the others follow."""


class AxisAlliesPositions:
    """Checks positions and sets them up; see `core.game.bound_game.Positions`."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def rules(self) -> AxisAlliesRules:
        """The rules with which positions are opened."""
        return AxisAlliesRules(self.board)

    @cached_property
    def box(self) -> Inventory:
        """What a position can state, at a decision within a phase."""
        return stated(self.board)

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""
        full = completed(self.board, self.box, position)
        lasting = self.box if position.decision is not None else stated(self.board, is_under_way=False)
        on_table = [piece.id for piece in full.pieces]
        found = (*self._openings(full), *position_defects(lasting, position, on_table))
        return (*found, *whole_defects(self.board, position, full))

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, and go on to its decision or with the Order Card of its phase."""
        set_up_position(draft, self.rules, self.box, position)

    def _openings(self, position: Position) -> Iterator[Defect]:
        """Source: sequence.rounds, sequence.card-order, ruling.auction-mode."""
        phase, mode = position.phase, ids.PLAYS.get(position.mode or ids.STANDARD, {})
        plays = {seat: position.plays.get(seat, side) for seat, side in mode.items()}
        if plays and sorted(plays.values()) != sorted(ids.SIDES):
            seats, sides = " and ".join(plays), " and ".join(ids.SIDES)
            yield Defect(("plays",), f"plays must give the seats {seats} the sides {sides}")
        active = (half(phase),) if phase in ids.PHASES.values() else ()
        first = self.board.scenarios[position.scenario or ids.RACE].first_round
        openings = Openings(
            rounds=range(first, self.board.file.limits.rounds + 1),
            phases=tuple(ids.PHASES.values()),
            sides=active,
            seats=tuple([seat for seat, side in plays.items() if side in active]),
            modes=tuple(ids.PLAYS),
            decisions={kind: phase if phase in phases else phases[0] for kind, (_, phases) in DECISIONS.items()},
        )
        yield from opening_defects(position, openings)


def stated(board: Board, *, is_under_way: bool = True) -> Inventory:
    """Return what a position can state; what is remembered until the phase ends only if a phase is under way."""
    full = in_play(board, ids.RACE, {})
    ends = ("turn", "round", "phase") if is_under_way else ("turn", "round")
    counters = [group for group in full.counters if group.faces.keys().isdisjoint(ids.UNSUPPLIED.values())]
    return replace(full.narrowed(STATED.__contains__, lambda one: one.until in ends), counters=counters)
