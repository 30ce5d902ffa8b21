"""What can be wrong with a position file of this game; every defect is named, one sentence each.

Source: RuleId("12.0.options-fixed") for what cannot be played at all; each check cites the rule that a position broke.
"""

from collections import Counter

from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import TERRAINS
from core.games.advance.ids import (
    AVAILABLE,
    COMBAT,
    CONTROL_COUNT,
    DAWN,
    ELIMINATED,
    FRESH,
    GERMAN,
    GERMAN_SEAT,
    ISOLATED,
    MORALE,
    OUT_OF_ACTION,
    RANDOM_EVENT,
    REVEALED,
    SOVIET,
    SPENT,
    SUPPLY,
    SUPPLY_PHASE,
    SUPPORT,
    UNREVEALED,
    USED,
    mix,
    soviet_unit,
)
from core.games.advance.memory import ENTERED_FROM
from core.games.advance.options import PAVLOVS_HOUSE
from core.games.advance.positions.action_round_checks import round_defects
from core.games.advance.positions.position_memory import memory_defects
from core.games.advance.positions.position_set_up import DECISIONS, IN_AN_ATTACK
from core.games.advance.rules.dawn import arrivals
from core.games.advance.rules.queries import support_total
from core.position import PlacedPiece, Position
from core.suggestions import unknown
from events.ids import CardId, MarkerId, PlaceId

PHASES = (DAWN, RANDOM_EVENT, SUPPLY_PHASE, COMBAT)
"""The phases in which a position can open. Without a decision the phase begins, with its rolls."""


def check(board: Board, position: Position) -> tuple[str, ...]:
    """Name every defect of a position; empty if it can be played."""
    scenario = board.scenarios.get(position.scenario)
    if scenario is None:
        return (unknown("scenario of this position", position.scenario, list(board.scenarios)),)
    return _Checks(board, position, scenario).run()


class _Checks:
    """One look at one position. The defects are gathered in the order of the checks."""

    def __init__(self, board: Board, position: Position, scenario: Scenario) -> None:
        self.board = board
        self.position = position
        self.scenario = scenario
        self.homes = {soviet_unit(area): area for area in board.areas}
        self.starts = {soviet_unit(row.area): row.area for row in scenario.soviet_setup}
        self.placed = {piece.id for piece in position.pieces} or {*scenario.units(), *self.starts}
        self.boxes = [OUT_OF_ACTION, *[arrival.box for arrival in arrivals(board, scenario.key)]]
        self.found: list[str] = []

    def run(self) -> tuple[str, ...]:
        """Run all checks."""
        self._check_moment()
        self._check_decision()
        self._check_tracks()
        self._check_pieces()
        self._check_stacks()
        self._check_contested()
        self._check_counters()
        self._check_mixes()
        self._check_control()
        self._check_markers()
        self._check_support()
        self.found += memory_defects(self.board, self.position, self.placed, self.boxes)
        self.found += round_defects(self.board, self.position)
        return tuple(self.found)

    def _unknown(self, what: str, name: str, known: list[str]) -> str:
        return unknown(what, name, known, before=len(self.found))

    def _check_moment(self) -> None:
        """Check turn, phase and seat. Source: 3.2, 5.1, 6.0, 14.1."""
        scenario, position = self.scenario, self.position
        if position.round and not scenario.first_turn <= position.round <= scenario.last_turn:
            self.found.append(
                f"turn {position.round} is not one of this scenario, {scenario.first_turn} to {scenario.last_turn}"
            )
        if position.phase and position.phase not in PHASES:
            self.found.append(self._unknown("phase in which a position can open", position.phase, list(PHASES)))
        if position.turn not in ("", GERMAN):
            self.found.append(f"the turn is always {GERMAN}'s, not {position.turn}'s")
        if position.turn_seat not in ("", GERMAN_SEAT):
            self.found.append(f"the turn is always that of seat {GERMAN_SEAT}, not of {position.turn_seat!r}")
        if position.mode:
            self.found.append(f"this game has no modes, so not {position.mode!r} either")

    def _check_decision(self) -> None:
        """Check that the decision exists, fits the phase and is the German seat's."""
        asked = self.position.decision
        if asked is None:
            return
        if asked.kind not in DECISIONS:
            self.found.append(self._unknown("decision with which a position can open", asked.kind, list(DECISIONS)))
            return
        if self.position.phase not in ("", DECISIONS[asked.kind]):
            self.found.append(f"decision {asked.kind} belongs to the phase {DECISIONS[asked.kind]}")
        if asked.seat not in ("", GERMAN_SEAT):
            self.found.append(f"all decisions are {GERMAN_SEAT}'s, not {asked.seat}'s")
        area = asked.arguments.get("area")
        if asked.kind in IN_AN_ATTACK and (not isinstance(area, str) or area not in self._soviets()):
            self.found.append(f"decision {asked.kind} needs the argument area, where a Soviet unit is attacked")

    def _check_tracks(self) -> None:
        """Check Morale, Supply Points and the control count. Source: 3.3, 3.4, 5.2, 14.2."""
        for track, value in self.position.tracks.items():
            if track == MORALE:
                if not self.board.morale.min <= value <= self.board.morale.max:
                    self.found.append(f"Morale {value} is not {self.board.morale.min} to {self.board.morale.max}")
            elif track == SUPPLY:
                if value < 0:
                    self.found.append(f"there cannot be {value} Supply Points")
            elif track == CONTROL_COUNT:
                self._check_count(value)
            else:
                self.found.append(self._unknown("track of this game", track, [MORALE, SUPPLY, CONTROL_COUNT]))

    def _check_count(self, value: int) -> None:
        if not self.scenario.counts_control:
            self.found.append("the control count is not kept in this scenario")
            return
        actual = len(self.board.areas) - len(self._soviets())
        if value != actual:
            self.found.append(f"the control count says {value}, but {actual} Areas are German-controlled")

    def _soviets(self) -> dict[PlaceId, PlacedPiece | None]:
        """Return the Areas where a Soviet unit is, with what the position says of it if it does."""
        if not self.position.pieces:
            return {row.area: None for row in self.scenario.soviet_setup}
        return {piece.place: piece for piece in self._on_map() if piece.id in self.homes}

    def _on_map(self) -> list[PlacedPiece]:
        return [piece for piece in self.position.pieces if piece.place in self.board.areas]

    def _germans_at(self, area: PlaceId) -> list[PlacedPiece]:
        return [piece for piece in self.position.pieces if piece.place == area and piece.id in self.board.units]

    def _check_pieces(self) -> None:
        """Check that every unit exists in the scenario, stands somewhere that exists, and is there once."""
        for unit, count in Counter(piece.id for piece in self.position.pieces).items():
            if count > 1:
                self.found.append(f"unit {unit} is placed {count} times")
        for piece in self.position.pieces:
            if piece.id in self.homes:
                self._check_soviet(piece)
            else:
                self._check_german(piece)

    def _check_german(self, piece: PlacedPiece) -> None:
        """Check one German unit. Source: 4.2, 4.3, 14.4."""
        if piece.id not in self.board.units:
            self.found.append(self._unknown("unit", piece.id, list(self.board.units)))
            return
        if piece.id not in self.scenario.units():
            self.found.append(f"unit {piece.id} takes no part in this scenario")
        if piece.place not in self.board.areas and piece.place not in self.boxes:
            self.found.append(f"unit {piece.id}: there is no Area or box {piece.place!r}")
        if piece.face not in ("", FRESH, SPENT):
            self.found.append(f"unit {piece.id} is {FRESH} or {SPENT}, not {piece.face!r}")
        if piece.kind not in ("", self.board.units[piece.id].kind):
            self.found.append(f"unit {piece.id} is {self.board.units[piece.id].kind}, not {piece.kind!r}")
        if piece.side not in ("", GERMAN):
            self.found.append(f"unit {piece.id} is German, not {piece.side!r}")
        if piece.steps:
            self.found.append(f"unit {piece.id}: units have no steps in this game")

    def _check_soviet(self, piece: PlacedPiece) -> None:
        """Check one Soviet unit: it stands in its own Area, one that began Soviet, or has been eliminated.

        Source: 5.4, 7.1, 8.1.2, 14.5.1.
        """
        area = self.starts.get(piece.id)
        if area is None:
            self.found.append(
                self._unknown("Soviet unit of this scenario", piece.id, [str(one) for one in self.starts])
            )
            return
        if piece.place not in (area, ELIMINATED):
            self.found.append(f"{piece.id} never leaves Area {area}, so it cannot be in {piece.place!r}")
        if piece.face not in ("", REVEALED, UNREVEALED):
            self.found.append(f"{piece.id} is {REVEALED} or {UNREVEALED}, not {piece.face!r}")
        if piece.kind and piece.face == UNREVEALED:
            self.found.append(f"{piece.id} is Unrevealed, so nobody can know that it is {piece.kind}")
        if piece.face == REVEALED and not piece.kind:
            self.found.append(f"{piece.id} is Revealed, so its kind must say which counter it is")
        if piece.side not in ("", SOVIET):
            self.found.append(f"{piece.id} is Soviet, not {piece.side!r}")
        if piece.steps:
            self.found.append(f"{piece.id}: units have no steps in this game")

    def _check_stacks(self) -> None:
        """Check the stacking limits. Source: 7.1, RuleId("7.1.german-four"), RuleId("7.1.soviet-one")."""
        limit = self.board.movement.stacking_german
        germans = Counter(piece.place for piece in self._on_map() if piece.id in self.board.units)
        soviets = Counter(piece.place for piece in self._on_map() if piece.id in self.homes)
        self.found += [
            f"Area {area} holds {count} German units, {limit} at most are allowed"
            for area, count in germans.items()
            if count > limit
        ]
        self.found += [f"Area {area} holds {count} Soviet units" for area, count in soviets.items() if count > 1]

    def _check_contested(self) -> None:
        """Check that Contested Areas are Revealed, but for units that entered in this very round.

        Source: 7.3, RuleId("7.3.contested-is-revealed").
        """
        for area, soviet in self._soviets().items():
            if soviet is None or soviet.kind:
                continue
            for unit in self._germans_at(area):
                if ENTERED_FROM.key not in self.position.attributes.get(unit.id, {}):
                    self.found.append(f"{unit.id} is in Area {area} with an Unrevealed Soviet unit")

    def _check_counters(self) -> None:
        """Check that each Revealed unit is a counter of its terrain that the scenario has, and each counter but one unit.

        Source: 4.4, 5.4, 14.5.1.
        """
        known = self._known_counters()
        kinds = Counter(piece.kind for piece in self.position.pieces if piece.id in self.homes and piece.kind)
        self.found += [f"counter {kind} is on the table {count} times" for kind, count in kinds.items() if count > 1]
        for piece in self.position.pieces:
            if piece.id not in self.homes or not piece.kind:
                continue
            if piece.kind not in known:
                self.found.append(
                    self._unknown("Soviet counter of this scenario", piece.kind, [str(card) for card in known])
                )
                continue
            area = self.board.areas.get(self.homes[piece.id])
            terrain = self.board.counter(CardId(piece.kind)).terrain
            if area is not None and area.terrain != terrain:
                self.found.append(f"counter {piece.kind} is {terrain}, but Area {area.id} is {area.terrain}")

    def _known_counters(self) -> list[CardId]:
        """List every counter that the scenario and the position's options bring into play."""
        placed = [row.counter for row in self.scenario.soviet_setup if row.counter is not None]
        pavlov = [self.board.pavlovs_house.id] if self.position.options.get(PAVLOVS_HOUSE) is True else []
        return [*self.scenario.pool, *placed, *pavlov]

    def _check_mixes(self) -> None:
        """Check the piles of counters not seen yet: of the right terrain, not on the table, and enough to draw from.

        Source: 5.4, RuleId("5.4.one-counter-per-area").
        """
        piles = {mix(terrain): terrain for terrain in TERRAINS}
        shown = self._shown_counters()
        unseen = self._unrevealed()
        known = self._known_counters()
        for pile, cards in self.position.piles.items():
            terrain = piles.get(pile)
            if terrain is None:
                self.found.append(self._unknown("pile of this game", pile, [str(one) for one in piles]))
                continue
            for card, count in Counter(cards).items():
                if card not in known:
                    self.found.append(
                        f"{pile}: {self._unknown('Soviet counter of this scenario', card, [str(one) for one in known])}"
                    )
                elif self.board.counter(card).terrain != terrain:
                    self.found.append(f"{pile}: counter {card} is {self.board.counter(card).terrain}")
                if count > 1:
                    self.found.append(f"{pile}: counter {card} is there {count} times")
                if card in shown:
                    self.found.append(f"{pile}: counter {card} is on the table already")
            needed = len([area for area in unseen if self.board.areas[area].terrain == terrain])
            if len(cards) < needed:
                self.found.append(f"{pile}: {len(cards)} counters are too few for {needed} Unrevealed units")

    def _shown_counters(self) -> set[str]:
        """Return the counters that lie open, or have been eliminated."""
        if self.position.pieces:
            return {piece.kind for piece in self.position.pieces if piece.kind}
        return {row.counter for row in self.scenario.soviet_setup if row.counter is not None}

    def _unrevealed(self) -> list[PlaceId]:
        """List the Areas whose Soviet unit still has to be drawn."""
        if self.position.pieces:
            return [piece.place for piece in self._on_map() if piece.id in self.homes and not piece.kind]
        return [row.area for row in self.scenario.soviet_setup if row.counter is None]

    def _check_control(self) -> None:
        """Check that control is what the Soviet units make it. Source: 7.2, 7.4, RuleId("7.4.vacant-is-german")."""
        soviets = self._soviets()
        for area, side in self.position.control.items():
            if area not in self.board.areas:
                self.found.append(f"there is no Area {area!r} to control")
            elif side == GERMAN and area in soviets:
                self.found.append(f"Area {area} holds a Soviet unit and so is not German-controlled")
            elif side == SOVIET and area not in soviets:
                self.found.append(f"Area {area} holds no Soviet unit and so is German-controlled")
            elif side not in (GERMAN, SOVIET):
                self.found.append(f"Area {area} is controlled by {GERMAN} or {SOVIET}, not by {side!r}")

    def _check_markers(self) -> None:
        """Check that every marker exists, lies where such markers lie, and is there at least once."""
        for on, markers in self.position.markers.items():
            allowed = self._markers_on(on)
            if allowed is None:
                self.found.append(f"markers lie on {on!r}, which is not in this position")
                continue
            for marker, count in markers.items():
                if marker not in allowed:
                    self.found.append(f"no marker {marker!r} can lie on {on}")
                elif count < 1 and not (on in (AVAILABLE, USED) and count == 0):
                    self.found.append(f"there cannot be {count} {marker} markers on {on}")

    def _markers_on(self, on: str) -> tuple[MarkerId, ...] | None:
        """Return which markers can lie on something; None if that is not there."""
        if on in (AVAILABLE, USED):
            return SUPPORT
        if on in self.board.areas:
            return SUPPORT
        if on in self.placed or (on in self.boxes and on != OUT_OF_ACTION):
            return (ISOLATED,) if on in self.homes else ()
        return None

    def _check_support(self) -> None:
        """Check that no more support markers lie about than there are. Source: 3.6, 4.5, RuleId("4.5.marker-totals")."""
        for marker in SUPPORT:
            placed = {on: markers.get(marker, 0) for on, markers in self.position.markers.items()}
            total = support_total(self.board, marker)
            lying = sum(placed.values())
            if lying > total:
                self.found.append(f"there are {total} {marker} markers, not {lying}")
            elif USED in placed and placed[USED] and lying < total:
                self.found.append(f"{total - lying} of {total} {marker} markers are missing")
        isolated = sum(1 for markers in self.position.markers.values() if ISOLATED in markers)
        if isolated > self.board.markers.isolation:
            self.found.append(f"there are {self.board.markers.isolation} Isolation markers, not {isolated}")
