"""The question whether a supply token is spent, for a force in combat or for the rocket launchers of a zone."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import LAUNCHERS, SUPPLIED, TOKEN_SPENT, TOKENS_KEPT, UNSUPPLIED
from core.games.axis_allies.rules.commands import Decline, FightUnsupplied, KeepTokens, Spend
from core.games.axis_allies.rules.queries import land, tokens
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply, spend
from core.question import Answer, Question, always
from core.refusal import Refusal
from events.ids import PlaceId, RuleId, Side
from projections.table import Open, Table

STATUS = RuleId("combat.step1.supply-status")
SPENT = RuleId("supply.token.spend")
SPENT_SUPPLIED = RuleId("supply.token.spend-when-supplied")
ONE_ZONE = RuleId("supply.token.one-zone")
OPTIONAL = RuleId("supply.token.optional")
ELIGIBLE = RuleId("unit.rocket.bombardment.eligible")

SPENDING = "spend_token"
COMBAT_USE = "combat"
BOMBARDMENT_USE = "bombardment"


class Tokens:
    """The question, with `zone` and its use as arguments. Source: RuleId("supply.token.spend"), ruling.token-timing.

    Args:
        board: The board.
        supply: The supply on it.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.question = Question(
            (
                Answer(Spend, self._candidates, self._refuse, self._spend),
                Answer(FightUnsupplied, lambda *_: (FightUnsupplied(),), self._refuse_unsupplied, _keep),
                Answer(Decline, lambda *_: (Decline(),), self._refuse_decline, _keep),
                always(KeepTokens(), _keep_all),
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
        draft.answered(SPENT)
        spend(draft, tokens(table, command.at, side)[0], SPENT_SUPPLIED if is_supplied else SPENT)
        if asked.text("use") == COMBAT_USE:
            TOKEN_SPENT.set(draft, side, value=True, rule=ONE_ZONE)
        else:
            LAUNCHERS.set(draft, zone, SUPPLIED, ELIGIBLE)


def _keep_all(draft: Draft, asked: Open, command: KeepTokens) -> None:
    _keep(draft, asked, command)
    TOKENS_KEPT.set(draft, draft.table.side_of(asked.seat), value=True, rule=OPTIONAL)


def _keep(draft: Draft, asked: Open, command: FightUnsupplied | Decline | KeepTokens) -> None:
    draft.answered(OPTIONAL)
    draft.apply(OPTIONAL, "no supply token is spent", _zone(asked))
    if asked.text("use") == BOMBARDMENT_USE:
        LAUNCHERS.set(draft, _zone(asked), UNSUPPLIED, ELIGIBLE)


def _zone(asked: Open) -> PlaceId:
    return PlaceId(asked.text("zone"))
