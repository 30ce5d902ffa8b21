"""Chapter 9.5: the sequence of an attack, and its parts A and B: the Lead and support.

The Lead of a lone attacker is not asked for, nor is support if no marker can be placed. The Lead comes first:
ruling.lead-then-support.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.selection import Picks, Selection
from core.engine.steps import Step, StepSequence
from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.ids import AIR, ARTILLERY, AVAILABLE, ENGINEER, GERMAN_SEAT, SOVIET, SUPPORT
from core.games.advance.options import ISOLATION_ROLL, LIMITED_AIR_POWER
from core.games.advance.rules import combat_results, defense_strategies
from core.games.advance.rules.changes import move_markers
from core.games.advance.rules.commands import NameLead
from core.games.advance.rules.queries import is_isolated
from core.games.advance.rules.refusals import not_asked, refused
from core.games.advance.rules.retreat import Retreats
from core.refusal import Refusal
from events.ids import MarkerId, PlaceId, RuleId
from projections.state.table import Open, Table

LEAD_CHOICE = RuleId("9.5.a-lead")
SUPPORT_CHOICE = RuleId("9.5.b-support")
EVENT_AND_AIR = RuleId("6.2.event-and-air")


def attack(board: Board, retreats: Retreats) -> StepSequence:
    """Return the sequence of an attack on an Area.

    There is no combat if Barrage has left no attacker or the attack is broken off.

    Source: 9.5, 12.3, ruling.isolation-roll-moment, 9.4.barrage-lone.
    """

    def step(
        name: str,
        rule: RuleId,
        do: Callable[[Draft, Board, PlaceId], None],
        when: Callable[[Table, Board, PlaceId], object],
        *,
        repeats: bool = False,
    ) -> Step:
        return Step(
            name,
            rule,
            lambda draft, at: do(draft, board, PlaceId(at.text("area"))),
            lambda table, at: bool(when(table, board, PlaceId(at.text("area")))),
            repeats,
        )

    def question(name: str, rule: RuleId, when: Callable[[Table, Board, PlaceId], bool]) -> Step:
        return step(name, rule, lambda draft, _, area: draft.ask(name, GERMAN_SEAT, rule, {"area": area}), when)

    def retreat(name: str, rule: RuleId) -> Step:
        return step(
            name,
            rule,
            lambda draft, *_: retreats.go_on(draft),
            lambda table, *_: memory.retreating(table),
            repeats=True,
        )

    return StepSequence(
        memory.ATTACK,
        RuleId("9.5.sequence"),
        (
            step("reveal", defense_strategies.REVEAL, defense_strategies.reveal, defense_strategies.is_unrevealed),
            question("barrage", defense_strategies.BARRAGE_CHOICE, defense_strategies.is_barraged),
            retreat("barrage_retreat", RuleId("9.5.8.barrage-too")),
            step("isolation", combat_results.ISOLATION_DIE, combat_results.roll_isolation, rolls_isolation_first),
            question("lead", LEAD_CHOICE, has_leads),
            question("support", SUPPORT_CHOICE, can_support),
            step("dice", combat_results.DICE, combat_results.resolve, is_fought),
            retreat("retreat", RuleId("9.5.5.repulse-retreat")),
            step("markers", combat_results.MARKERS_USED, combat_results.close_attack, combat_results.is_unclosed),
        ),
    )


def is_fought(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether there is a combat: an attacker is left, and the attack is not broken off. Source: 9.4, 9.5."""
    return memory.RESULT.of(table, area) is None and bool(memory.attackers_of(table, area))


def rolls_isolation_first(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether the isolation die is rolled before the Lead is named. Source: ruling.isolation-roll-moment."""
    is_due = ISOLATION_ROLL.chosen(table) == "before-support" and is_isolated(table, area)
    return is_due and is_fought(table, board, area)


def has_leads(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether more than one unit could lead. Source: 9.5A."""
    return len(memory.attackers_of(table, area)) > 1 and is_fought(table, board, area)


def can_support(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether any support marker can be placed. Source: 9.5.4."""
    return is_fought(table, board, area) and any(most_support(table, board, area))


def most_support(table: Table, board: Board, area: PlaceId) -> tuple[int, int, int]:
    """Return how many Artillery, Engineer and Air markers could be placed at most, each by itself.

    Source: RuleId("9.5.4.one-air").
    """
    air = 0 if air_ban(table, board, area) else min(table.marker(AVAILABLE, AIR), board.combat.air_max_per_combat)
    return table.marker(AVAILABLE, ARTILLERY), table.marker(AVAILABLE, ENGINEER), air


def markers_max(table: Table, board: Board, area: PlaceId) -> int:
    """Return how many support markers can be placed at most: one for each attacker, as far as there are any. Source: RuleId("9.5.4.limit")."""
    return min(sum(most_support(table, board, area)), len(memory.attackers_of(table, area)))


def air_ban(table: Table, board: Board, area: PlaceId) -> RuleId | None:
    """Return the rule that forbids Air Support in an Area, or None. Source: 6.2, 12.5."""
    if memory.AIR_BAN.of(table, memory.EVENT):
        return EVENT_AND_AIR
    if LIMITED_AIR_POWER.is_on(table) and board.areas[area].is_urban and memory.was_contested(table, area):
        return RuleId("12.5.contested-urban")
    return None


def where_banned(ban: RuleId) -> str:
    """Return when or where no Air Support can be placed, by the rule that forbids it."""
    return "this turn" if ban == EVENT_AND_AIR else "in an urban Area that was Contested when the round began"


def lead() -> Question:
    """Return the question which of the attackers leads; that is final for this combat.

    Source: 9.5A, ruling.lead-not-additional.
    """

    def refuse(table: Table, asked: Open, command: NameLead) -> Refusal | None:
        piece = table.pieces.get(command.unit)
        if piece is not None and piece.side == SOVIET:
            return refused("unit_must_be_german")
        if command.unit not in memory.attackers(table):
            return refused("lead_must_be_attacking", f"{command.unit!r} is not attacking.")
        return None

    def take(draft: Draft, asked: Open, command: NameLead) -> None:
        draft.answered(LEAD_CHOICE)
        memory.LEAD.set(draft, asked.text("area"), command.unit, LEAD_CHOICE)

    leads = Answer(NameLead, lambda table, _: [NameLead(unit) for unit in memory.attackers(table)], refuse, take)
    return Question([leads], not_asked)


def support(board: Board) -> Selection:
    """Return the question which support markers are placed; they cannot be taken back.

    Source: 9.5B, RuleId("9.5.4.limit"), RuleId("9.5.4.one-air").
    """

    def bounds(table: Table, asked: Open) -> tuple[int, int]:
        return 0, markers_max(table, board, PlaceId(asked.text("area")))

    def refuse(table: Table, asked: Open, markers: Sequence[str]) -> Refusal | None:
        counts = Counter(markers)
        for marker, count in counts.items():
            if marker not in SUPPORT:
                return refused("support_must_be_available", f"There is no support marker {marker!r}.")
            there = table.marker(AVAILABLE, MarkerId(marker))
            if count > there:
                sentence = f"{marker.title()} markers asked for: {count}; Available: {there}."
                return refused("support_must_be_available", sentence)
        ban = air_ban(table, board, PlaceId(asked.text("area")))
        if counts[AIR] and ban is not None:
            return refused("air_must_be_permitted", f"No Air Support can be placed {where_banned(ban)}.", ban)
        if counts[AIR] > board.combat.air_max_per_combat:
            return refused("air_must_be_single")
        attacking = len(memory.attackers(table))
        if len(markers) > attacking:
            sentence = f"Markers asked for: {len(markers)}; one for each attacker is allowed: {attacking}."
            return refused("support_must_not_exceed_attackers", sentence)
        return None

    def place(draft: Draft, asked: Open, picks: Picks) -> None:
        counts = Counter([marker for marker, _ in picks])
        for marker in SUPPORT:
            move_markers(draft, marker, counts[marker], SUPPORT_CHOICE, source=AVAILABLE, to=asked.text("area"))

    return Selection(
        lambda _: SUPPORT_CHOICE,
        lambda *_: SUPPORT,
        bounds,
        place,
        refuse_pick=lambda table, asked, pick: refuse(table, asked, (*asked.picked, pick.item)),
        refuse_count=lambda table, asked: refuse(table, asked, asked.picked),
        refuse_other=not_asked,
        may_repeat=True,
    )
