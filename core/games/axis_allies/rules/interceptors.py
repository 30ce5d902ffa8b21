"""The optional rule Interceptors: fighters scramble to where the enemy attacks from the air, defend there, and return."""

from collections.abc import Iterator

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import FIGHTER
from core.games.axis_allies.ids import FLYING, GROUND, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, HOME, MISSION, SCRAMBLE, STAY
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, INTERCEPTORS
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.queries import air, first_like, is_bad_weather, is_friendly, like
from core.games.axis_allies.rules.refusals import REFUSALS, misplaced, refused
from core.question import Answer, Question, always
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

SCRAMBLED = RuleId("optional.interceptors.scramble")
UNMOVED = RuleId("optional.interceptors.unmoved-attackers")
ADJACENCY = RuleId("optional.interceptors.adjacency")
RETURN = RuleId("optional.interceptors.return")

INTERCEPT = "intercept"


class Interceptors(Question):
    """The first step of a Reaction phase: fighters scramble one after another, as often as the reacting side wishes.

    Source: RuleId("optional.interceptors.scramble"), ruling.interceptor-details.
    """

    def __init__(self, board: Board) -> None:
        super().__init__((Answer(Fly, self._candidates, self._refuse, self._fly), always(Done(), _end)), misplaced)
        self.board = board
        self.step = Step(INTERCEPT, SCRAMBLED, self._ask, when=lambda table, _: self._can_scramble(table))

    @property
    def decisions(self) -> dict[str, Decision]:
        """The question of the step."""
        return {INTERCEPT: self}

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the step once no fighter is left that can scramble."""
        if not self._can_scramble(draft.table):
            _end(draft, asked, Done())

    def _ask(self, draft: Draft, at: Open) -> None:
        draft.ask(INTERCEPT, draft.table.seat_of(enemy(draft.table.turn)), SCRAMBLED)

    def _can_scramble(self, table: Table) -> bool:
        has_sorties = BAD_WEATHER_SORTIES.is_on(table) or not is_bad_weather(table)
        return INTERCEPTORS.is_on(table) and has_sorties and next(self._flights(table), None) is not None

    def _flights(self, table: Table) -> Iterator[Fly]:
        side = enemy(table.turn)
        attacked = [place for place in (*self.board.zones, *self.board.crossings) if self._attackers(table, place)]
        for zone, reach in self.board.interceptors_reach.items() if attacked else ():
            ready = [like(table, piece) for piece in air(table, self.board, zone, side) if self._is_ready(table, piece)]
            for unit in dict.fromkeys(ready):
                yield from [Fly(unit, zone, place, SCRAMBLE) for place in attacked if place in reach]

    def _is_ready(self, table: Table, piece: PieceId) -> bool:
        there = table.pieces[piece]
        return self.board.units[there.kind].type == FIGHTER and there.face == GROUND

    def _attackers(self, table: Table, place: PlaceId) -> list[PieceId]:
        """Return the enemy aircraft that attack a zone or a Volga Crossing. Source: RuleId("optional.interceptors.unmoved-attackers")."""
        there = air(table, self.board, _sky(self.board, place), table.turn)
        return [piece for piece in there if MISSION.of(table, piece) in (ATTACK_MISSION, STAY)]

    def _candidates(self, table: Table, asked: Open) -> Iterator[Fly]:
        return self._flights(table)

    def _unit(self, table: Table, command: Fly, side: Side) -> PieceId | None:
        piece = first_like(table, command.origin, command.unit)
        if piece is None or piece not in air(table, self.board, command.origin, side):
            return None
        return piece if self._is_ready(table, piece) else None

    def _refuse(self, table: Table, asked: Open, command: Fly) -> Refusal | None:
        """Judge who scrambles where. Source: RuleId("optional.interceptors.scramble"), RuleId("optional.interceptors.adjacency")."""
        if command.mission != SCRAMBLE:
            return misplaced(table, asked, command)
        if self._unit(table, command, table.side_of(asked.seat)) is None:
            return refused("unit_must_be_eligible", "No fighter of that kind is on the ground there.", SCRAMBLED)
        is_near = command.to in self.board.interceptors_reach.get(command.origin, ())
        no_attack = "No enemy air unit attacks there."
        return REFUSALS.first(
            (
                refused("cargo_must_fit_mission", rule=SCRAMBLED) if command.cargo else None,
                None if is_near else refused("zones_must_be_adjacent", "That is no adjacent place.", ADJACENCY),
                None if self._attackers(table, command.to) else refused("target_must_be_present", no_attack, SCRAMBLED),
            )
        )

    def _fly(self, draft: Draft, asked: Open, command: Fly) -> None:
        table = draft.table
        piece = self._unit(table, command, table.side_of(asked.seat))
        assert piece is not None
        has_moved = any(table.pieces[one].face == FLYING for one in self._attackers(table, command.to))
        MISSION.set(draft, piece, SCRAMBLE, SCRAMBLED)
        HOME.set(draft, piece, command.origin, RETURN)
        draft.turn(piece, FLYING, SCRAMBLED)
        draft.move(piece, _sky(self.board, command.to), ADJACENCY if has_moved else UNMOVED)


def _sky(board: Board, place: PlaceId) -> PlaceId:
    return above(place) if place in board.crossings else place


def _end(draft: Draft, asked: Open, command: Done) -> None:
    draft.answered(SCRAMBLED)


def _return(draft: Draft, at: Open) -> None:
    """Let the interceptors return. Source: RuleId("optional.interceptors.return"), ruling.interceptor-details."""
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
