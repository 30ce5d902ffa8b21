"""Combats: one round in each contested zone, in the order that the attacker chooses, and each in its six steps.

The active side attacks, whoever began the Assault or controls the zone.
"""

from collections.abc import Callable, Sequence

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.repeated_questions import InTurn
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import COMBAT, DESIGNATED, FOUGHT
from core.games.axis_allies.rules import control
from core.games.axis_allies.rules.casualties import TARGETS, Losses, Targeting, Wanted, exposed
from core.games.axis_allies.rules.fire import Value, attack_value, defence_value, roll
from core.games.axis_allies.rules.queries import contested, is_occupied, reacting, units
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import COMBAT_USE, SPENDING, STATUS, Tokens, show_supply
from core.wording import counted
from events.ids import TABLE, PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

MANDATORY = RuleId("combat.mandatory")
ONE_ROUND = RuleId("combat.one-round")
ATTACKERS_FIRE = RuleId("combat.step2.attackers-fire")
DEFENDERS_FIRE = RuleId("combat.step3.defenders-fire")
REMOVE = RuleId("combat.step4.remove")

NEXT_COMBAT = "next_combat"
DEFENDER_STEP = "defender_token"
ATTACK_FIRE = "attack"
DEFENCE_FIRE = "defense"


class Combats:
    """The combats of an Attack phase.

    Source: combat.mandatory, combat.order, combat.six-steps, combat.who-attacks,
    combat.simultaneous.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.tokens = Tokens(board)
        self.targeting = Targeting(board, self.inflict)
        self.designate = Losses(board, "designate", self._designate)
        self.casualties = Losses(board, "casualties", control.lose)
        in_turn = InTurn(
            NEXT_COMBAT,
            RuleId("combat.order"),
            self.left,
            self.begin,
            wrong=lambda: refused("zone_must_be_eligible", "No combat is to be fought there now.", ONE_ROUND),
            otherwise=misplaced,
            refuse_count=lambda *_: refused("all_combats_must_be_resolved"),
        )
        self.step = in_turn.step("combats", MANDATORY)
        losses: dict[str, Decision] = {one.kind: one.question for one in (self.designate, self.casualties)}
        named: dict[str, Decision] = {SPENDING: self.tokens.question, TARGETS: self.targeting.question}
        self.decisions = {NEXT_COMBAT: in_turn.question, **named, **losses}
        steps = (
            Step("no_defenders", RuleId("combat.no-defender-units"), _skip, self._has_no_defenders),
            Step("no_attackers", RuleId("combat.no-attacker-units"), _skip, self._has_no_attackers),
            self._token_step("attacker_token", lambda table: table.turn),
            self._token_step(DEFENDER_STEP, reacting),
            self._fire_step("attack", ATTACK_FIRE, ATTACKERS_FIRE, attack_value, lambda table: table.turn),
            self._fire_step("defend", DEFENCE_FIRE, DEFENDERS_FIRE, defence_value, reacting),
            Step("remove", REMOVE, _remove, lambda table, _: bool(DESIGNATED.of(table))),
            Step("conclude", RuleId("combat.step6.control"), self._conclude),
        )
        self.sequences = (StepSequence(COMBAT, RuleId("combat.six-steps"), steps),)

    def left(self, table: Table) -> list[PlaceId]:
        """Return the contested zones still to be fought over in this phase. Source: combat.one-round."""
        return [zone for zone in contested(table, self.board) if not FOUGHT.of(table, zone)]

    def begin(self, draft: Draft, zone: str) -> None:
        """Begin the combat in a contested zone, or above a Volga Crossing. Source: optional.interceptors.crossing-combat."""
        self.sequences[0].begin(draft, {"zone": zone})

    # Step 1

    def _there(self, table: Table, at: Open) -> list[Side]:
        """Return the sides with units in the zone of a combat, the attacker first."""
        return [one for one in (table.turn, reacting(table)) if is_occupied(table, self.board, zone_of(at), one)]

    def _has_no_defenders(self, table: Table, at: Open) -> bool:
        return reacting(table) not in self._there(table, at)

    def _has_no_attackers(self, table: Table, at: Open) -> bool:
        """Return whether only the attacker has no units. Source: ruling.no-attackers-left."""
        return self._there(table, at) == [reacting(table)]

    def _is_fought(self, table: Table, at: Open) -> bool:
        return len(self._there(table, at)) > 1

    def _token_step(self, name: str, side: Callable[[Table], Side]) -> Step:
        """Return the step in which a side may spend a token. Source: combat.step1.supply-status."""
        return Step(
            name,
            STATUS,
            lambda draft, at: self.tokens.ask(draft, zone_of(at), side(draft.table), COMBAT_USE),
            lambda table, at: self._is_fought(table, at) and self.tokens.can_spend(table, zone_of(at), side(table)),
        )

    # Steps 2 to 4

    def _fire_step(self, name: str, purpose: str, rule: RuleId, value: Value, side: Callable[[Table], Side]) -> Step:
        """Return the step in which a side fires with all its units, the defender's casualties included.

        Source: combat.step1.participants, combat.step2.attackers-fire,
        combat.defender-casualties-fire-back.
        """

        def fire(draft: Draft, at: Open) -> None:
            table, zone, firing = draft.table, zone_of(at), side(draft.table)
            shots = [value(table, self.board, piece, zone) for piece in units(table, self.board, zone, firing)]
            self.targeting.settle(draft, zone, firing, roll(draft, zone, shots, purpose, rule))

        return Step(name, rule, fire, self._is_fought)

    def inflict(self, draft: Draft, place: PlaceId, side: Side, hits: int, wanted: Wanted) -> None:
        """Let the enemy of a side choose its casualties: the defender designates them, those of the attacker are removed at once.

        Hits beyond its units are lost, and recorded.
        """
        table, victim = draft.table, enemy(side)
        losses, cause = self.casualties, RuleId("combat.step3.attacker-chooses")
        if side == table.turn:
            losses, cause = self.designate, RuleId("combat.step2.defender-chooses")
        pool = exposed(table, self.board, place, victim)
        surplus = hits - len(pool)
        losses.ask(draft, table.seat_of(victim), pool, hits, cause, wanted=wanted)
        if surplus > 0:
            draft.apply(cause, f"{counted(surplus, 'surplus hit')}, for which no unit is left", place)

    def _designate(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Designate units; a crossing does not fire back, and is hit at once."""
        for crossing in [PlaceId(one) for one in pieces if one not in draft.table.pieces]:
            control.hit_crossing(draft, self.board, crossing)
        hit = [piece for piece in pieces if piece in draft.table.pieces]
        if hit:
            DESIGNATED.set(draft, TABLE, tuple(sorted(hit)), RuleId("combat.defender-casualties-fire-back"))

    # Steps 5 and 6

    def _conclude(self, draft: Draft, at: Open) -> None:
        """Settle who holds the zone. Source: combat.step5.return, combat.one-round."""
        control.conclude(draft, self.board, zone_of(at))
        FOUGHT.set(draft, zone_of(at), value=True, rule=ONE_ROUND)
        show_supply(draft, self.board)


def zone_of(at: Open) -> PlaceId:
    """Return the zone of a combat."""
    return PlaceId(at.text("zone"))


def _skip(draft: Draft, at: Open) -> None:
    """Do nothing: the step only shows why no die is rolled."""


def _remove(draft: Draft, at: Open) -> None:
    control.lose(draft, DESIGNATED.of(draft.table) or (), REMOVE)
