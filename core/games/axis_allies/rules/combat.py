"""A round of combat in one zone, in its six steps. The active side attacks, whoever began the Assault or controls the zone."""

from collections.abc import Callable, Sequence

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import COMBAT, DESIGNATED, FOUGHT
from core.games.axis_allies.rules import control, fire, tokens
from core.games.axis_allies.rules.casualties import TARGETS, Losses, Targeting, Wanted, exposed
from core.games.axis_allies.rules.queries import is_occupied, units
from core.games.axis_allies.rules.supply import Supply
from core.games.axis_allies.rules.values import attack_value, defence_value
from core.sequence import Step, StepSequence
from events.ids import TABLE, PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

ATTACKERS_FIRE = RuleId("combat.step2.attackers-fire")
DEFENDER_CHOOSES = RuleId("combat.step2.defender-chooses")
DEFENDERS_FIRE = RuleId("combat.step3.defenders-fire")
ATTACKER_CHOOSES = RuleId("combat.step3.attacker-chooses")
REMOVE = RuleId("combat.step4.remove")
CONTROL = RuleId("combat.step6.control")
ONE_ROUND = RuleId("combat.one-round")

DESIGNATE = "designate"
CASUALTIES = "casualties"
DEFENDER_STEP = "defender_token"
ATTACK_FIRE = "attack"
DEFENCE_FIRE = "defense"


class Combat:
    """Combats on a board. Source: RuleId("combat.six-steps"), RuleId("combat.who-attacks"), RuleId("combat.simultaneous")."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.tokens = tokens.Tokens(board, supply)
        self.targeting = Targeting(board, self.inflict)
        self.designate = Losses(board, DESIGNATE, self._designate)
        self.casualties = Losses(board, CASUALTIES, control.lose)
        self.sequence = StepSequence(
            COMBAT,
            RuleId("combat.six-steps"),
            (
                Step("no_defenders", RuleId("combat.no-defender-units"), _skip, self._has_no_defenders),
                Step("no_attackers", RuleId("combat.no-attacker-units"), _skip, self._has_no_attackers),
                Step("attacker_token", tokens.STATUS, self._ask_attacker, self._can_spend(lambda table: table.turn)),
                Step(
                    DEFENDER_STEP,
                    tokens.STATUS,
                    self._ask_defender,
                    self._can_spend(lambda table: enemy(table.turn)),
                ),
                Step("attack", ATTACKERS_FIRE, self._attack, self._is_fought),
                Step("defend", DEFENDERS_FIRE, self._defend, self._is_fought),
                Step("remove", REMOVE, _remove, lambda table, _: bool(DESIGNATED.of(table))),
                Step("conclude", CONTROL, self._conclude),
            ),
        )

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of a combat."""
        return {
            tokens.SPENDING: self.tokens.question,
            TARGETS: self.targeting.question,
            DESIGNATE: self.designate.question,
            CASUALTIES: self.casualties.question,
        }

    def begin(self, draft: Draft, zone: PlaceId) -> None:
        """Begin the combat in a contested zone, or above a Volga Crossing. Source: RuleId("optional.interceptors.crossing-combat")."""
        self.sequence.begin(draft, {"zone": zone})

    # Step 1

    def _has(self, table: Table, at: Open, side: Side) -> bool:
        return is_occupied(table, self.board, zone_of(at), side)

    def _has_no_defenders(self, table: Table, at: Open) -> bool:
        return not self._has(table, at, enemy(table.turn))

    def _has_no_attackers(self, table: Table, at: Open) -> bool:
        """Return whether only the attacker has no units. Source: ruling.no-attackers-left."""
        return not self._has(table, at, table.turn) and self._has(table, at, enemy(table.turn))

    def _is_fought(self, table: Table, at: Open) -> bool:
        return self._has(table, at, table.turn) and self._has(table, at, enemy(table.turn))

    def _can_spend(self, of: Callable[[Table], Side]) -> Callable[[Table, Open], bool]:
        def can_spend(table: Table, at: Open) -> bool:
            return self._is_fought(table, at) and self.tokens.can_spend(table, zone_of(at), of(table))

        return can_spend

    def _ask_attacker(self, draft: Draft, at: Open) -> None:
        self.tokens.ask(draft, zone_of(at), draft.table.turn, tokens.COMBAT_USE)

    def _ask_defender(self, draft: Draft, at: Open) -> None:
        self.tokens.ask(draft, zone_of(at), enemy(draft.table.turn), tokens.COMBAT_USE)

    # Steps 2 to 4

    def _attack(self, draft: Draft, at: Open) -> None:
        """Let the attacker fire with all its units. Source: RuleId("combat.step1.participants"), RuleId("combat.step2.attackers-fire")."""
        table, zone, side = draft.table, zone_of(at), draft.table.turn
        shots = [
            attack_value(table, self.board, self.supply, piece, zone) for piece in units(table, self.board, zone, side)
        ]
        self.targeting.settle(draft, zone, side, fire.roll(draft, zone, shots, ATTACK_FIRE, ATTACKERS_FIRE))

    def _defend(self, draft: Draft, at: Open) -> None:
        """Let the defender fire, casualties included. Source: RuleId("combat.defender-casualties-fire-back")."""
        table, zone, side = draft.table, zone_of(at), enemy(draft.table.turn)
        shots = [
            defence_value(table, self.board, self.supply, piece, zone) for piece in units(table, self.board, zone, side)
        ]
        self.targeting.settle(draft, zone, side, fire.roll(draft, zone, shots, DEFENCE_FIRE, DEFENDERS_FIRE))

    def inflict(self, draft: Draft, place: PlaceId, side: Side, hits: int, wanted: Wanted) -> None:
        """Let the enemy of a side choose its casualties: the defender designates them, those of the attacker are removed at once."""
        table = draft.table
        victim = enemy(side)
        losses, cause = (
            (self.designate, DEFENDER_CHOOSES) if side == table.turn else (self.casualties, ATTACKER_CHOOSES)
        )
        pool = exposed(table, self.board, place, victim)
        losses.ask(draft, table.seat_of(victim), pool, hits, cause, wanted=wanted)

    def _designate(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Designate units; a crossing does not fire back, and is hit at once."""
        for crossing in [PlaceId(one) for one in pieces if one not in draft.table.pieces]:
            control.hit_crossing(draft, self.supply, crossing)
        hit = [piece for piece in pieces if piece in draft.table.pieces]
        if hit:
            DESIGNATED.set(draft, TABLE, tuple(sorted(hit)), RuleId("combat.defender-casualties-fire-back"))

    # Steps 5 and 6

    def _conclude(self, draft: Draft, at: Open) -> None:
        """Settle who holds the zone. Source: RuleId("combat.step5.return"), RuleId("combat.one-round")."""
        control.conclude(draft, self.board, zone_of(at))
        FOUGHT.set(draft, zone_of(at), value=True, rule=ONE_ROUND)
        self.supply.show(draft)


def zone_of(at: Open) -> PlaceId:
    """Return the zone of a combat."""
    return PlaceId(at.text("zone"))


def _skip(draft: Draft, at: Open) -> None:
    """Do nothing: the step only shows why no die is rolled."""


def _remove(draft: Draft, at: Open) -> None:
    control.lose(draft, DESIGNATED.of(draft.table) or (), REMOVE)
