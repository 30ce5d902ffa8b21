"""Cards 4 and 11: what scrambles, and what fires at the enemy before its Attack phase."""

from collections.abc import Iterator, Sequence

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.repeated_questions import Series
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import FIGHTER
from core.games.axis_allies.ids import FLYING, GROUND, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, FIRED, HOME, MISSION, REACTION, SCRAMBLE, STAY
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, INTERCEPTORS
from core.games.axis_allies.rules.assigned_fire import AirDefense
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.commands import Ambush, Fly
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.fire import scored
from core.games.axis_allies.rules.queries import air, first_like, is_bad_weather, is_friendly, land, like, reacting
from core.games.axis_allies.rules.refusals import REFUSALS, absent, misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

FIRE = RuleId("ambush.fire")
ROLL = RuleId("ambush.roll")
SCRAMBLED = RuleId("optional.interceptors.scramble")
ADJACENCY = RuleId("optional.interceptors.adjacency")
RETURN = RuleId("optional.interceptors.return")

AMBUSH = "ambush"
INTERCEPT = "intercept"


class Interceptors(Series):
    """Fighters scramble one after another to where the enemy attacks from the air, as often as the reacting side wishes.

    Source: optional.interceptors.scramble, ruling.interceptor-details.
    """

    def __init__(self, board: Board) -> None:
        answer = Answer(Fly, self._flights, self._refuse, self._fly, are_legal=True)
        super().__init__(INTERCEPT, lambda _: SCRAMBLED, (answer,), misplaced)
        self.board = board

    def _flights(self, table: Table, asked: Open) -> Iterator[Fly]:
        side = reacting(table)
        has_sorties = BAD_WEATHER_SORTIES.is_on(table) or not is_bad_weather(table)
        if not INTERCEPTORS.is_on(table) or not has_sorties:
            return
        attacked = [place for place in (*self.board.zones, *self.board.crossings) if self._attackers(table, place)]
        for zone, reach in self.board.interceptors_reach.items() if attacked else ():
            ready = [like(table, piece) for piece in air(table, self.board, zone, side) if self._is_ready(table, piece)]
            for unit in dict.fromkeys(ready):
                yield from [Fly(unit, zone, place, SCRAMBLE) for place in attacked if place in reach]

    def _is_ready(self, table: Table, piece: PieceId) -> bool:
        there = table.pieces[piece]
        return there.kind in self.board.units and self.board.units[there.kind].type == FIGHTER and there.face == GROUND

    def _attackers(self, table: Table, place: PlaceId) -> list[PieceId]:
        """Return the enemy aircraft that attack a zone or a Volga Crossing. Source: optional.interceptors.unmoved-attackers."""
        there = air(table, self.board, _sky(self.board, place), table.turn)
        return [piece for piece in there if MISSION.of(table, piece) in (ATTACK_MISSION, STAY)]

    def _unit(self, table: Table, asked: Open, command: Fly) -> PieceId | None:
        piece = first_like(table, table.side_of(asked.seat), command.origin, command.unit)
        return piece if piece is not None and self._is_ready(table, piece) else None

    def _refuse(self, table: Table, asked: Open, command: Fly) -> Refusal | None:
        """Judge who scrambles where. Source: optional.interceptors.scramble, optional.interceptors.adjacency."""
        if command.mission != SCRAMBLE:
            return misplaced(table, asked, command)
        if self._unit(table, asked, command) is None:
            none = "No fighter of that kind is on the ground there."
            return absent(
                table, table.side_of(asked.seat), command.origin, command.unit, rule=SCRAMBLED, otherwise=none
            )
        is_near = command.to in self.board.interceptors_reach.get(command.origin, ())
        no_attack = "No enemy air unit attacks there."
        return REFUSALS.first(
            refused("cargo_must_fit_mission", rule=SCRAMBLED) if command.cargo else None,
            None if is_near else refused("zones_must_be_adjacent", "That is no adjacent place.", ADJACENCY),
            None if self._attackers(table, command.to) else refused("target_must_be_present", no_attack, SCRAMBLED),
        )

    def _fly(self, draft: Draft, asked: Open, command: Fly) -> None:
        table = draft.table
        piece = self._unit(table, asked, command)
        assert piece is not None
        has_moved = any(table.pieces[one].face == FLYING for one in self._attackers(table, command.to))
        MISSION.set(draft, piece, SCRAMBLE, SCRAMBLED)
        HOME.set(draft, piece, command.origin, RETURN)
        draft.turn(piece, FLYING, SCRAMBLED)
        rule = ADJACENCY if has_moved else RuleId("optional.interceptors.unmoved-attackers")
        draft.move(piece, _sky(self.board, command.to), rule)


def _sky(board: Board, place: PlaceId) -> PlaceId:
    return above(place) if place in board.crossings else place


def _return(draft: Draft, at: Open) -> None:
    """Let the interceptors return. Source: optional.interceptors.return, ruling.interceptor-details."""
    table = draft.table
    for name in HOME.on(table):
        piece, home = PieceId(name), HOME.of(table, name)
        if home is None or not is_friendly(table, home, table.pieces[piece].side):
            lose(draft, [piece], RETURN)
            continue
        draft.move(piece, home, RETURN)
        draft.turn(piece, GROUND, RETURN)
        MISSION.forget(draft, piece, RETURN)
        HOME.forget(draft, piece, RETURN)


RETURNING = Step("return", RETURN, _return, when=lambda table, _: bool(HOME.on(table)))
"""The first step of the landing of the side that attacked."""


class Ambushes(Series):
    """Ambushers fire one after another, as often as the reacting side wishes. Source: ambush.fire, ruling.optional-fire."""

    def __init__(self, board: Board) -> None:
        super().__init__(AMBUSH, lambda _: FIRE, (Answer(Ambush, self._all, self._refuse, self._fire),), misplaced)
        self.board = board
        self.losses = Losses(board, "ambush_casualty", self._remove)
        self.decisions: dict[str, Decision] = {AMBUSH: self, self.losses.kind: self.losses.question}

    def _all(self, table: Table, asked: Open) -> list[Ambush]:
        return [Ambush(site, zone) for site, row in self.board.sites.items() for zone in row.zones]

    def _refuse(self, table: Table, asked: Open, command: Ambush) -> Refusal | None:
        """Judge a shot.

        Source: ambush.fire, ambush.land-only, sequence.fire-once-per-phase.
        """
        side, row = table.side_of(asked.seat), self.board.sites.get(command.site)
        ambusher = next(iter(land(table, self.board, command.site, side)), None)
        if row is None or command.to not in row.zones:
            return refused("ambush_site_must_be_connected", rule=FIRE)
        if ambusher is None:
            return refused("unit_must_be_able_to_fire", "No ambusher of this side is there.", FIRE)
        has_target = land(table, self.board, command.to, enemy(side))
        return REFUSALS.first(
            refused("unit_must_not_have_fired") if FIRED.of(table, ambusher) else None,
            None if has_target else refused("target_must_be_present", rule=RuleId("ambush.land-only")),
        )

    def _fire(self, draft: Draft, asked: Open, command: Ambush) -> None:
        """Roll for an ambusher; the face says who chooses the casualty. Source: ambush.roll, ambush.no-return-fire."""
        table, fire = draft.table, self.board.file.fire
        victim = enemy(table.side_of(asked.seat))
        for ambusher in table.pieces_at(command.site):
            FIRED.set(draft, ambusher, value=True, rule=RuleId("sequence.fire-once-per-phase"))
        faces = draft.dice(1, AMBUSH, ROLL, about=command.to, needed=fire.ambush, each=True, or_less=True)
        seat = asked.seat if scored(faces, fire.ambusher_chooses) else table.seat_of(victim)
        pool = land(table, self.board, command.to, victim)
        self.losses.ask(draft, seat, pool, scored(faces, fire.ambush), ROLL)

    def _remove(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Remove the casualty, and the Combat Marker with the last of them. Source: ambush.last-unit-marker."""
        hit = draft.table.pieces[pieces[0]]
        lose(draft, pieces, cause)
        drop_marker_if_alone(draft, self.board, hit.place, hit.side, RuleId("ambush.last-unit-marker"))
        show_supply(draft, self.board)


class Reaction:
    """The Reaction phases of the side whose turn it is not: Interceptors, Air Defense, then ambushes.

    Source: order.4.sequence, order.11.sequence.
    """

    def __init__(self, board: Board) -> None:
        interceptors, air_defense, ambushes = Interceptors(board), AirDefense(board), Ambushes(board)
        self.decisions: dict[str, Decision] = {INTERCEPT: interceptors, **air_defense.decisions, **ambushes.decisions}
        intercept, ambush = interceptors.step(INTERCEPT, SCRAMBLED, reacting), ambushes.step(AMBUSH, FIRE, reacting)
        self.sequence = StepSequence(REACTION, RuleId("order.4.sequence"), (intercept, *air_defense.steps, ambush))
        self.sequences = (self.sequence,)
