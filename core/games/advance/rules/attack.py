"""Chapter 9.0 to 9.3: who may attack, and the declaration. `combat` has the attack itself."""

from collections.abc import Sequence

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Pick, Selection, refuse_unsorted
from core.engine.steps import StepSequence
from core.games.advance.components.board_model import Board
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.memory import (
    ATTACKERS,
    ActionRound,
    entered,
    entrants,
    entry_area,
    has_moved,
    is_attack_due,
    starters,
    was_attacked,
    was_contested,
)
from core.games.advance.rules.commands import DeclareAttack
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import is_vacant
from core.games.advance.rules.refusals import REFUSALS, not_asked, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

SEQUENCE = RuleId("9.5.sequence")
ACTIVE_UNITS_ONLY = RuleId("9.0.active-units-only")


class Attacks:
    """The rules of declaring attacks, bound to a board and to the sequence that an attack begins."""

    def __init__(self, board: Board, movement: Movement, sequence: StepSequence) -> None:
        self.board = board
        self.movement = movement
        self.sequence = sequence

    # Which attacks there are

    def groups(self, table: Table, now: ActionRound) -> list[tuple[PlaceId, tuple[PieceId, ...]]]:
        """List the groups that can attack, each with its Area; a group is not empty.

        A group is what entered an Area, or what stood in the Contested Active Area and stayed. In the Active Area there
        can be one of each, which never fight together; an Area is attacked only once in a round.

        Source: 9.1, RuleId("8.2.1.one-attack-per-area"), RuleId("9.0.contested-mix"), RuleId("9.3.contested-active"),
        RuleId("9.3.no-joint-attack"), ruling.entering-contested, ruling.one-attack-per-area.
        """
        found = list(entered(table, now).items())
        if was_contested(table, now.area) and not was_attacked(table, now.area):
            able = [unit for unit in starters(table, now) if self.movement.may_act(table, unit)]
            able = [unit for unit in able if not self.movement.is_barred(table, unit, now.area)]
            if able and not is_vacant(table, now.area):
                found.append((now.area, tuple(able)))
        return found

    def add_attacks(self, table: Table, now: ActionRound, found: list[Command]) -> None:
        """Add every attack that can be declared: a Mandatory one by all entrants, others by any part of one group.

        Where there are several choices, the Area alone is named, and which units attack is asked next.

        Source: RuleId("9.1.all-entrants"), RuleId("9.2.optional"), ruling.all-entrants.
        """
        groups = self.groups(table, now)
        for place, (area, group) in enumerate(groups):
            if not self._is_choice(table, area, groups):
                found.append(DeclareAttack(area, group))
            elif area not in [other for other, _ in groups[:place]]:
                found.append(DeclareAttack(area))

    def _is_choice(self, table: Table, area: PlaceId, groups: Sequence[tuple[PlaceId, tuple[PieceId, ...]]]) -> bool:
        """Return whether units can be chosen for an attack on an Area, other than all that there are."""
        sizes = [len(group) for other, group in groups if other == area]
        return bool(sizes) and not is_attack_due(table, area) and sizes != [1]

    def attackers(self) -> Selection:
        """Return the question which units attack an Area, of one group."""
        return Selection(
            lambda _: SEQUENCE,
            self._candidates,
            lambda table, asked: (1, max([len(group) for group in self._groups_at(table, asked)])),
            lambda draft, asked, picks: self.declare(
                draft, ActionRound(draft.table), _attack(asked, [item for item, _ in picks])
            ),
            refuse_pick=self._refuse_pick,
            refuse_count=lambda *_: refused("attack_must_have_a_unit"),
            refuse_other=not_asked,
        )

    def _candidates(self, table: Table, asked: Open) -> list[str]:
        """Return the units of the groups that can attack an Area, by name."""
        return sorted([unit for group in self._groups_at(table, asked) for unit in group])

    def _groups_at(self, table: Table, asked: Open) -> list[tuple[PieceId, ...]]:
        """Return the groups that can attack an Area; one alone attacks. Source: 9.3."""
        return [group for area, group in self.groups(table, ActionRound(table)) if area == asked.text("area")]

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Return why a unit cannot attack together with those that are picked."""
        return self.refuse_attack(table, ActionRound(table), _attack(asked, [*asked.picked, pick.item]))

    # Why an attack is refused

    def refuse_attack(self, table: Table, now: ActionRound, command: DeclareAttack) -> Refusal | None:
        """Return why an attack cannot be declared, by the precedence of the refusals."""
        area = command.area
        if area not in self.board.areas:
            return refused("area_must_exist", f"There is no Area {area!r}.")
        no = self._refuse_units(table, now, command) or refuse_unsorted(command.units)
        if no is not None:
            return no
        if was_attacked(table, area):
            return refused(
                "area_must_not_have_been_attacked",
                f"Area {area} was attacked in this Action Round.",
                RuleId("8.2.1.one-attack-per-area"),
            )
        if is_vacant(table, area):
            return refused("area_must_hold_soviet_unit", f"There is no Soviet unit in Area {area}.")
        return self._refuse_group(table, now, command)

    def _refuse_units(self, table: Table, now: ActionRound, command: DeclareAttack) -> Refusal | None:
        """Return the first refusal in the order of precedence that any of the units meets by itself."""
        refusals = [self.movement.refuse_unit(table, now, unit, ACTIVE_UNITS_ONLY) for unit in command.units]
        first = REFUSALS.first(*refusals)
        if first is None and any(self.movement.is_barred(table, unit, command.area) for unit in command.units):
            return self.movement.refuse_north(table)
        return first

    def _refuse_group(self, table: Table, now: ActionRound, command: DeclareAttack) -> Refusal | None:
        """Return why these units, each of which can be given orders, do not make an attack on this Area."""
        area, units = command.area, command.units
        came = entrants(table, now, area)
        stayed = starters(table, now) if area == now.area else ()
        for unit in units:
            if has_moved(table, unit) and unit not in came:
                rule = None if area == now.area else RuleId("9.2.optional")
                return refused("unit_must_not_have_moved", f"{unit} has moved and did not enter Area {area}.", rule)
        if any(unit in came for unit in units) and any(unit in stayed for unit in units):
            return refused("groups_must_attack_apart")
        if units != came and is_attack_due(table, area):
            return refused("all_entrants_must_attack", _who_must_attack(area, units, came))
        if not units and not self._is_choice(table, area, self.groups(table, now)):
            return refused("attack_must_have_a_unit")
        for unit in units:
            if unit not in came and unit not in stayed:
                sentence = f"{unit} is not in Area {area} and cannot attack there."
                return refused("attack_must_have_a_unit", sentence, ACTIVE_UNITS_ONLY)
        return None

    # The attack begins

    def declare(self, draft: Draft, now: ActionRound, command: DeclareAttack) -> None:
        """Begin an attack, which closes the Area for the rest of the round.

        Attackers that entered in this round pay no further MF; their strength does not depend on what they have left.

        Source: 9.5, RuleId("9.0.no-extra-mf"), RuleId("9.0.all-entered-first"), RuleId("8.2.1.no-entry-after-attack"),
        ruling.reveal-closes-entry.
        """
        area = command.area
        if not command.units:
            draft.ask("attackers", GERMAN_SEAT, SEQUENCE, {"area": area})
            return
        self.movement.finish(draft, now.moving)
        ATTACKERS.set(draft, area, command.units, self._rule_of_attack(draft.table, area, command.units[0]))
        self.sequence.begin(draft, {"area": area})

    def _rule_of_attack(self, table: Table, area: PlaceId, unit: PieceId) -> RuleId:
        if is_attack_due(table, area):
            return RuleId("9.1.all-entrants")
        return RuleId("9.2.optional") if entry_area(table, unit) else RuleId("9.3.contested-active")


def _who_must_attack(area: PlaceId, units: Sequence[PieceId], came: Sequence[PieceId]) -> str:
    """Return which units a Mandatory Attack leaves out, and which it names though they have not entered the Area."""
    missing, others = [unit for unit in came if unit not in units], [unit for unit in units if unit not in came]
    said = [f"{', '.join(missing)} also entered it"] if missing else []
    said += [f"{', '.join(others)} did not"] if others else []
    return f"Every unit that entered Area {area} must attack, and no other: {'; '.join(said)}."


def _attack(asked: Open, units: Sequence[str]) -> DeclareAttack:
    return DeclareAttack(PlaceId(asked.text("area")), tuple([PieceId(unit) for unit in sorted(units)]))
