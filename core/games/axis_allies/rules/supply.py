"""Supply lines and supply tokens.

Lines depend on the control of zones alone, and on ferries and ice bridges. What was computed for the zones of a side is kept for as long as it
holds them, and nothing is computed for other changes of the table.
"""

from core.engine.derived_markers import update_markers
from core.engine.draft import Draft
from core.engine.question import Answer, always
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.supply_lines import is_supplied, lines, parts_near
from core.games.axis_allies.ids import ALLIES, POOL, SIDES, STALINGRAD, SUPPLY, UNSUPPLIED
from core.games.axis_allies.memory import ALL, LAUNCHERS, SUPPLIED, TOKEN_SPENT, TOKENS_KEPT
from core.games.axis_allies.memory import UNSUPPLIED as NOT_SUPPLIED
from core.games.axis_allies.rules.commands import Decline, FightUnsupplied, KeepTokens, Spend
from core.games.axis_allies.rules.queries import forces, land, tokens
from core.games.axis_allies.rules.refusals import asks, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

CONTINUOUS = RuleId("supply.continuous")
AFTER_MOVE = RuleId("supply.marker-check-after-move")
FERRY_SUPPLIES = RuleId("ferry.supply-role")
FERRY_LOST = RuleId("supply.city.ferry-lost")
"""Why supply may have changed."""


def tokens_in_reach(table: Table, board: Board, zone: PlaceId, side: Side) -> list[PieceId]:
    """Return the supply tokens that a side's force in a zone can spend, in the order of the board.

    Source: supply.token.path, supply.token.path-limits, ruling.token-path-boards.
    """
    part = lines(table, board, side).part
    parts = parts_near(board, part, zone)
    found: list[PieceId] = []
    held = {piece.place for piece in table.pieces.values() if piece.kind == SUPPLY and piece.side == side}
    for place, there in board.zones.items():
        if place not in held or there.base is not None or place == board.east_bank:
            continue
        is_near = place == zone or place in board.zones[zone].near
        if is_near or not parts.isdisjoint(parts_near(board, part, place)):
            found += tokens(table, place, side)
    return found


def show_supply(draft: Draft, board: Board, rule: RuleId = CONTINUOUS) -> None:
    """Place and remove Unsupplied Markers, which only show what holds; `rule` is why supply may have changed.

    Source: supply.marker-check-after-move, components.unsupplied-markers, ruling.status-counters-derived.
    """
    table = draft.table
    there = forces(table, board)
    for side in SIDES:
        held, supplied = [zone for zone, force in there.items() if force.land[side]], lines(table, board, side).supplied
        wanted = [zone for zone in held if zone not in supplied and not is_supplied(table, board, zone, side)]
        city = [zone for zone in held if board.zones[zone].sector]
        if city and set(city) <= set(wanted):
            wanted = [*[zone for zone in wanted if zone not in city], STALINGRAD]
        update_markers(draft, UNSUPPLIED[side], wanted, rule)


def spend(draft: Draft, token: PieceId, rule: RuleId) -> None:
    """Take a token off the boards: it goes to the Allies' pool, Soviet side up.

    Source: components.supply-tokens.axis-shrinks, supply.token.one-zone.
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
    """The question, with `zone` and its use as arguments. Source: supply.token.spend, ruling.token-timing."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.question = asks(
            Answer(Spend, self._candidates, self._refuse, self._spend, ends=SPENT),
            Answer(FightUnsupplied, lambda *_: (FightUnsupplied(),), self._refuse_unsupplied, _keep, ends=OPTIONAL),
            Answer(Decline, lambda *_: (Decline(),), self._refuse_decline, _keep, ends=OPTIONAL),
            always(KeepTokens(), self._keep_all, ends=OPTIONAL),
            decline=KeepTokens(),
        )

    def can_spend(self, table: Table, zone: PlaceId, side: Side) -> bool:
        """Return whether a side's land force in a zone reaches a token, and the side does not keep all for such forces in this phase.

        Source: supply.token.spend, supply.token.optional.
        """
        kept = TOKENS_KEPT.of(table, side)
        if kept == ALL or not land(table, self.board, zone, side):
            return False
        if kept == SUPPLIED and is_supplied(table, self.board, zone, side):
            return False
        return bool(tokens_in_reach(table, self.board, zone, side))

    def ask(self, draft: Draft, zone: PlaceId, side: Side, use: str) -> None:
        """Ask a side that can spend one whether it spends a token: for its force in a zone, or for its rocket launchers there."""
        rule = STATUS if use == COMBAT_USE else ELIGIBLE
        draft.ask(SPENDING, draft.table.seat_of(side), rule, {"zone": zone, "use": use})

    def _candidates(self, table: Table, asked: Open) -> list[Spend]:
        found = tokens_in_reach(table, self.board, _zone(asked), table.side_of(asked.seat))
        return [Spend(place) for place in dict.fromkeys([table.pieces[token].place for token in found])]

    def _refuse(self, table: Table, asked: Open, command: Spend) -> Refusal | None:
        """Judge where the token lies.

        Source: supply.token.ownership, supply.token.path, supply.token.path-limits.
        """
        if not tokens(table, command.at, table.side_of(asked.seat)):
            return refused("token_must_be_own")
        return None if command in self._candidates(table, asked) else refused("token_must_be_reachable")

    def _fights_unsupplied(self, table: Table, asked: Open) -> bool:
        is_combat = asked.text("use") == COMBAT_USE
        return is_combat and not is_supplied(table, self.board, _zone(asked), table.side_of(asked.seat))

    def _refuse_unsupplied(self, table: Table, asked: Open, command: FightUnsupplied) -> Refusal | None:
        """Refuse to fight unsupplied to a supplied force. Source: combat.step1.supply-status."""
        return None if self._fights_unsupplied(table, asked) else refused("supplied_force_must_fight_supplied")

    def _refuse_decline(self, table: Table, asked: Open, command: Decline) -> Refusal | None:
        if self._fights_unsupplied(table, asked):
            return refused("decision_must_be_open", "The force fights unsupplied, or spends a token.", STATUS)
        return None

    def _spend(self, draft: Draft, asked: Open, command: Spend) -> None:
        """Spend a token of a zone. Source: supply.token.one-zone, supply.token.spend-when-supplied."""
        table, zone = draft.table, _zone(asked)
        side = table.side_of(asked.seat)
        rule = SPENT_SUPPLIED if is_supplied(table, self.board, zone, side) else SPENT
        spend(draft, tokens(table, command.at, side)[0], rule)
        if asked.text("use") == COMBAT_USE:
            TOKEN_SPENT.set(draft, side, value=True, rule=RuleId("supply.token.one-zone"))
        else:
            LAUNCHERS.set(draft, zone, SUPPLIED, ELIGIBLE)

    def _keep_all(self, draft: Draft, asked: Open, command: KeepTokens) -> None:
        """Keep the tokens in the rest of the phase; where a force is supplied, nothing is given up for one that is not.

        Nobody announces at the table that later forces get no token, so that only the seat knows.
        """
        _keep(draft, asked, command)
        side = draft.table.side_of(asked.seat)
        kept = SUPPLIED if is_supplied(draft.table, self.board, _zone(asked), side) else ALL
        TOKENS_KEPT.set(draft, side, kept, OPTIONAL, seen_by=(asked.seat,))


def _keep(draft: Draft, asked: Open, command: FightUnsupplied | Decline | KeepTokens) -> None:
    draft.apply(OPTIONAL, "no supply token is spent", _zone(asked))
    if asked.text("use") == BOMBARDMENT_USE:
        LAUNCHERS.set(draft, _zone(asked), NOT_SUPPLIED, ELIGIBLE)


def _zone(asked: Open) -> PlaceId:
    return PlaceId(asked.text("zone"))
