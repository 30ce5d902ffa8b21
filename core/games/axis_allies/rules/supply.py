"""Supply lines and supply tokens.

Lines depend on the control of zones alone, and on ferries and ice bridges. The fold makes a new mapping of control whenever control changes, so that
what was computed for one is kept as long as it holds, and nothing is computed for other changes of the table.
"""

from collections.abc import Mapping

from core.derived_markers import update_markers
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, POOL, SIDES, STALINGRAD, UNSUPPLIED
from core.games.axis_allies.memory import LAUNCHERS, SUPPLIED, TOKEN_SPENT, TOKENS_KEPT
from core.games.axis_allies.memory import UNSUPPLIED as NOT_SUPPLIED
from core.games.axis_allies.rules.commands import Decline, FightUnsupplied, KeepTokens, Spend
from core.games.axis_allies.rules.queries import has_crossing, is_friendly, land, tokens
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.geometry.paths import distances
from core.question import Answer, Question, always
from core.refusal import Refusal
from events.codec import Struct
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

CONTINUOUS = RuleId("supply.continuous")
AFTER_MOVE = RuleId("supply.marker-check-after-move")
FERRY_SUPPLIES = RuleId("ferry.supply-role")
FERRY_LOST = RuleId("supply.city.ferry-lost")
"""Why supply may have changed."""

KEPT = 8
"""For how many mappings of control the lines are kept: those of the latest tables."""


class Lines(Struct, frozen=True):
    """How a side's friendly zones hang together.

    Zones that friendly zones join have the same number in `part`; `supplied` are the numbers of the parts with an exit zone of the side.

    Source: RuleId("supply.region.trace"), RuleId("supply.region.via-city"), RuleId("supply.city.via-region").
    """

    part: dict[PlaceId, int]
    supplied: frozenset[int]


class Supply:
    """Supply on a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._kept: tuple[tuple[Mapping[PlaceId, Side], dict[Side, Lines]], ...] = ()

    def lines(self, table: Table, side: Side) -> Lines:
        """Return a side's lines. Source: RuleId("supply.continuous"), RuleId("supply.region.length")."""
        for control, found in self._kept:
            if control is table.control:
                return found[side]
        made = {one: self._join(table.control, one) for one in SIDES}
        self._kept = ((table.control, made), *self._kept[: KEPT - 1])
        return made[side]

    def _join(self, control: Mapping[PlaceId, Side], side: Side) -> Lines:
        zones = self.board.zones
        friendly = {zone for zone in zones if control.get(zone) == side}
        part: dict[PlaceId, int] = {}
        for zone in zones:
            if zone in friendly and zone not in part:
                number = len(part)
                joined = distances((zone,), lambda at: [near for near in zones[at].near if near in friendly])
                part.update(dict.fromkeys(joined, number))
        return Lines(part, frozenset(part[zone] for zone in self.board.exits[side] if zone in part))

    def _parts(self, lines: Lines, zone: PlaceId) -> set[int]:
        """Return the parts into which a path out of a zone leads. Source: RuleId("supply.region.out-of-hostile")."""
        return {lines.part[at] for at in (zone, *self.board.zones[zone].near) if at in lines.part}

    def has_line(self, table: Table, zone: PlaceId, side: Side) -> bool:
        """Return whether a path leads from a zone to an exit zone of a side, the Volga left aside.

        Source: RuleId("supply.region.trace"), RuleId("supply.region.hostile-exit-zone"), RuleId("supply.city.axis-exits"),
        ruling.victory-supply-line.
        """
        if zone in self.board.exits[side]:
            return True
        lines = self.lines(table, side)
        return not lines.supplied.isdisjoint(self._parts(lines, zone))

    def is_supplied(self, table: Table, zone: PlaceId, side: Side) -> bool:
        """Return whether a side's land force in a zone is supplied, tokens aside.

        Source: RuleId("supply.definition"), RuleId("supply.city.krasnaya-sloboda").
        """
        if self.has_line(table, zone, side):
            return True
        return side == ALLIES and (zone == self.board.east_bank or self._has_crossing(table, zone))

    def _has_crossing(self, table: Table, zone: PlaceId) -> bool:
        """Return whether a path leads from a zone over the crossing of its own sector.

        Source: RuleId("supply.city.volga-crossing"), RuleId("supply.city.hostile-landing-zone"),
        RuleId("supply.city.crossing-path-may-wander"), RuleId("supply.city.entering-sector"), ruling.city-sector-trace.
        """
        crossing = self.board.crossing_of(zone)
        if crossing is None or not has_crossing(table, crossing.id):
            return False
        lines = self.lines(table, ALLIES)
        return zone == crossing.landing or lines.part.get(crossing.landing) in self._parts(lines, zone)

    def tokens_in_reach(self, table: Table, zone: PlaceId, side: Side) -> list[PieceId]:
        """Return the supply tokens that a side's force in a zone can spend, in the order of the board.

        Source: RuleId("supply.token.path"), RuleId("supply.token.path-limits"), ruling.token-path-boards.
        """
        lines = self.lines(table, side)
        parts = self._parts(lines, zone)
        found: list[PieceId] = []
        for place, there in self.board.zones.items():
            mine = tokens(table, place, side)
            if not mine or there.base is not None or place == self.board.east_bank:
                continue
            is_near = place == zone or place in self.board.zones[zone].near
            joins = {lines.part[place]} if is_friendly(table, place, side) else self._parts(lines, place)
            if is_near or not parts.isdisjoint(joins):
                found += mine
        return found

    def show(self, draft: Draft, rule: RuleId = CONTINUOUS) -> None:
        """Place and remove Unsupplied Markers, which only show what holds; `rule` is why supply may have changed.

        Source: RuleId("supply.marker-check-after-move"), RuleId("components.unsupplied-markers"), ruling.status-counters-derived.
        """
        table = draft.table
        for side in SIDES:
            forces = [zone for zone in self.board.zones if land(table, self.board, zone, side)]
            wanted = [zone for zone in forces if not self.is_supplied(table, zone, side)]
            city = [zone for zone in forces if self.board.zones[zone].sector]
            if city and set(city) <= set(wanted):
                wanted = [*[zone for zone in wanted if zone not in city], STALINGRAD]
            update_markers(draft, UNSUPPLIED[side], wanted, rule)


def spend(draft: Draft, token: PieceId, rule: RuleId) -> None:
    """Take a token off the boards: it goes to the Allies' pool, Soviet side up.

    Source: RuleId("components.supply-tokens.axis-shrinks"), RuleId("supply.token.one-zone").
    """
    draft.move(token, POOL[ALLIES], rule)
    if draft.table.pieces[token].side != ALLIES:
        draft.change_side(token, ALLIES, rule)


STATUS = RuleId("combat.step1.supply-status")
SPENT = RuleId("supply.token.spend")
SPENT_SUPPLIED = RuleId("supply.token.spend-when-supplied")
OPTIONAL = RuleId("supply.token.optional")
ELIGIBLE = RuleId("unit.rocket.bombardment.eligible")

SPENDING = "spend_token"
COMBAT_USE = "combat"
BOMBARDMENT_USE = "bombardment"


class Tokens:
    """The question, with `zone` and its use as arguments. Source: RuleId("supply.token.spend"), ruling.token-timing."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.question = Question(
            (
                Answer(Spend, self._candidates, self._refuse, self._spend, ends=SPENT),
                Answer(FightUnsupplied, lambda *_: (FightUnsupplied(),), self._refuse_unsupplied, _keep, ends=OPTIONAL),
                Answer(Decline, lambda *_: (Decline(),), self._refuse_decline, _keep, ends=OPTIONAL),
                always(KeepTokens(), _keep_all, ends=OPTIONAL),
            ),
            misplaced,
        )

    def can_spend(self, table: Table, zone: PlaceId, side: Side) -> bool:
        """Return whether a side's land force in a zone reaches a token, and the side does not keep all in this phase.

        Source: RuleId("supply.token.spend"), RuleId("supply.token.optional").
        """
        if TOKENS_KEPT.of(table, side) or not land(table, self.board, zone, side):
            return False
        return bool(self.supply.tokens_in_reach(table, zone, side))

    def ask(self, draft: Draft, zone: PlaceId, side: Side, use: str) -> None:
        """Ask a side that can spend one whether it spends a token: for its force in a zone, or for its rocket launchers there."""
        rule = STATUS if use == COMBAT_USE else ELIGIBLE
        draft.ask(SPENDING, draft.table.seat_of(side), rule, {"zone": zone, "use": use})

    def _candidates(self, table: Table, asked: Open) -> list[Spend]:
        found = self.supply.tokens_in_reach(table, _zone(asked), table.side_of(asked.seat))
        return [Spend(place) for place in dict.fromkeys([table.pieces[token].place for token in found])]

    def _refuse(self, table: Table, asked: Open, command: Spend) -> Refusal | None:
        """Judge where the token lies.

        Source: RuleId("supply.token.ownership"), RuleId("supply.token.path"), RuleId("supply.token.path-limits").
        """
        if not tokens(table, command.at, table.side_of(asked.seat)):
            return refused("token_must_be_own")
        return None if command in self._candidates(table, asked) else refused("token_must_be_reachable")

    def _fights_unsupplied(self, table: Table, asked: Open) -> bool:
        is_combat = asked.text("use") == COMBAT_USE
        return is_combat and not self.supply.is_supplied(table, _zone(asked), table.side_of(asked.seat))

    def _refuse_unsupplied(self, table: Table, asked: Open, command: FightUnsupplied) -> Refusal | None:
        """Refuse to fight unsupplied to a supplied force. Source: RuleId("combat.step1.supply-status")."""
        return None if self._fights_unsupplied(table, asked) else refused("supplied_force_must_fight_supplied")

    def _refuse_decline(self, table: Table, asked: Open, command: Decline) -> Refusal | None:
        if self._fights_unsupplied(table, asked):
            return refused("decision_must_be_open", "The force fights unsupplied, or spends a token.", STATUS)
        return None

    def _spend(self, draft: Draft, asked: Open, command: Spend) -> None:
        """Spend a token of a zone. Source: RuleId("supply.token.one-zone"), RuleId("supply.token.spend-when-supplied")."""
        table, zone = draft.table, _zone(asked)
        side = table.side_of(asked.seat)
        is_supplied = self.supply.is_supplied(table, zone, side)
        spend(draft, tokens(table, command.at, side)[0], SPENT_SUPPLIED if is_supplied else SPENT)
        if asked.text("use") == COMBAT_USE:
            TOKEN_SPENT.set(draft, side, value=True, rule=RuleId("supply.token.one-zone"))
        else:
            LAUNCHERS.set(draft, zone, SUPPLIED, ELIGIBLE)


def _keep_all(draft: Draft, asked: Open, command: KeepTokens) -> None:
    _keep(draft, asked, command)
    TOKENS_KEPT.set(draft, draft.table.side_of(asked.seat), value=True, rule=OPTIONAL)


def _keep(draft: Draft, asked: Open, command: FightUnsupplied | Decline | KeepTokens) -> None:
    draft.apply(OPTIONAL, "no supply token is spent", _zone(asked))
    if asked.text("use") == BOMBARDMENT_USE:
        LAUNCHERS.set(draft, _zone(asked), NOT_SUPPLIED, ELIGIBLE)


def _zone(asked: Open) -> PlaceId:
    return PlaceId(asked.text("zone"))
