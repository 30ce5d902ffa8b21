"""Chapter 9.5 A and B: from the reveal to the dice, with the isolation roll of 12.3.

Two questions are answered by the rules where there is but one answer: the Lead of a lone attacker, and the support where
no marker can be placed. The Lead comes first: ruling.lead-then-support.
"""

from core.command import Command
from core.decision import Decision, Procedure
from core.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.ids import AIR, ARTILLERY, AVAILABLE, ENGINEER, GERMAN_SEAT, SOVIET
from core.games.advance.memory import AIR_BAN, EVENT, LEAD, attackers, was_contested
from core.games.advance.options import ISOLATION_ROLL, LIMITED_AIR_POWER, chosen, is_on
from core.games.advance.rules.changes import move_markers
from core.games.advance.rules.combat_results import resolve, roll_isolation
from core.games.advance.rules.commands import NameLead, PlaceSupport
from core.games.advance.rules.queries import available, is_urban
from core.games.advance.rules.refusals import not_asked, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Open, Table

SEQUENCE = RuleId("9.5.sequence")
LEAD_CHOICE = RuleId("9.5.a-lead")
SUPPORT_CHOICE = RuleId("9.5.b-support")


class Combat:
    """The course of one combat, bound to a board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def begin(self, draft: Draft, asked: Open) -> None:
        """Roll for isolation and ask for the Lead; there is no combat where Barrage has left no attacker.

        Source: 9.5, 12.3, ruling.isolation-roll-moment; RuleId("9.5.sequence"), RuleId("9.4.barrage-lone").
        """
        draft.take_up(SEQUENCE)
        area = PlaceId(asked.text("area"))
        units = attackers(draft.table)
        if not units:
            return
        if chosen(draft.table, ISOLATION_ROLL) == "before-support":
            roll_isolation(draft, self.board, area)
        if len(units) == 1:
            self.name_lead(draft, area, units[0])
        else:
            draft.ask("lead", GERMAN_SEAT, LEAD_CHOICE, {"area": area})

    def name_lead(self, draft: Draft, area: PlaceId, unit: PieceId) -> None:
        """Name the Lead Attacking Unit and go on to support. Source: 9.5A, RuleId("9.5.a-lead")."""
        LEAD.set(draft, area, unit, LEAD_CHOICE)
        if any(self.most(draft.table, area)):
            draft.ask("support", GERMAN_SEAT, SUPPORT_CHOICE, {"area": area})
        else:
            resolve(draft, self.board, area)

    def most(self, table: Table, area: PlaceId) -> tuple[int, int, int]:
        """Return how many Artillery, Engineer and Air markers could be placed at most, each by itself.

        Source: 9.5.4; RuleId("9.5.4.one-air").
        """
        air = available(table, AIR) if self.air_ban(table, area) is None else 0
        return available(table, ARTILLERY), available(table, ENGINEER), min(air, self.board.combat.air_max_per_combat)

    def air_ban(self, table: Table, area: PlaceId) -> RuleId | None:
        """Return the rule that forbids Air Support in an Area, or None.

        Source: 6.2, 12.5; RuleId("6.2.event-and-air"), RuleId("12.5.contested-urban").
        """
        if AIR_BAN.of(table, EVENT):
            return RuleId("6.2.event-and-air")
        if is_on(table, LIMITED_AIR_POWER) and is_urban(self.board, area) and was_contested(table, area):
            return RuleId("12.5.contested-urban")
        return None


class Lead:
    """Which of the attackers leads. Source: 9.5A, ruling.lead-not-additional; RuleId("9.5.a-lead")."""

    def __init__(self, combat: Combat) -> None:
        self.combat = combat

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every attacker."""
        return [NameLead(unit) for unit in attackers(table)]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept any attacker."""
        if not isinstance(command, NameLead):
            return not_asked(asked.kind)
        piece = table.pieces.get(command.unit)
        if piece is not None and piece.side == SOVIET:
            return refused("unit_must_be_german")
        if command.unit not in attackers(table):
            return refused("lead_must_be_attacking", f"{command.unit} is not attacking.")
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Name the Lead; that is final for this combat."""
        assert isinstance(command, NameLead)
        draft.answered(LEAD_CHOICE)
        self.combat.name_lead(draft, PlaceId(asked.text("area")), command.unit)


class Support:
    """Which support markers are placed.

    Source: 9.5B, 9.5.4; RuleId("9.5.b-support"), RuleId("9.5.4.limit"), RuleId("9.5.4.one-air").
    """

    def __init__(self, combat: Combat) -> None:
        self.combat = combat

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every combination, none first."""
        artillery, engineer, air = self.combat.most(table, PlaceId(asked.text("area")))
        limit = len(attackers(table))
        found: list[Command] = []
        for planes in range(min(air, limit) + 1):
            for engineers in range(min(engineer, limit - planes) + 1):
                guns = min(artillery, limit - planes - engineers)
                found += [PlaceSupport(count, engineers, planes) for count in range(guns + 1)]
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept Available markers within the limits."""
        if not isinstance(command, PlaceSupport):
            return not_asked(asked.kind)
        for marker, count in ((ARTILLERY, command.artillery), (ENGINEER, command.engineer), (AIR, command.air)):
            if not 0 <= count <= available(table, marker):
                return refused(
                    "support_must_be_available",
                    f"{count} {marker} markers are asked for, {available(table, marker)} are Available.",
                )
        ban = self.combat.air_ban(table, PlaceId(asked.text("area")))
        if command.air and ban is not None:
            return refused("air_must_be_permitted", rule=ban)
        if command.air > self.combat.board.combat.air_max_per_combat:
            return refused("air_must_be_single")
        attacking = len(attackers(table))
        if command.artillery + command.engineer + command.air > attacking:
            return refused(
                "support_must_not_exceed_attackers", f"{attacking} attackers allow as many markers, not more."
            )
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Place the markers; they cannot be taken back. Then the dice fall."""
        assert isinstance(command, PlaceSupport)
        draft.answered(SUPPORT_CHOICE)
        area = PlaceId(asked.text("area"))
        for marker, count in ((ARTILLERY, command.artillery), (ENGINEER, command.engineer), (AIR, command.air)):
            move_markers(draft, marker, count, SUPPORT_CHOICE, source=AVAILABLE, to=area)
        resolve(draft, self.combat.board, area)


def decisions(board: Board) -> dict[str, Decision]:
    """Return the questions of a combat."""
    combat = Combat(board)
    return {"lead": Lead(combat), "support": Support(combat)}


def procedures(board: Board) -> dict[str, Procedure]:
    """Return the procedure that begins a combat once a Barrage has been answered."""
    return {"combat": Combat(board).begin}
