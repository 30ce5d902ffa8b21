"""Casualties: for each hit a unit of the pool, which its owner or the enemy chooses; nothing is asked where there is no choice."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from core.engine.draft import Draft
from core.engine.selection import Pick, Picks, Selection
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import number_of
from core.games.axis_allies.components.map_records import ASSAULT_GUN, BOMBER, FIGHTER, TANK
from core.games.axis_allies.ids import ALLIES, above, enemy
from core.games.axis_allies.rules.fire import INTERCEPTOR, ORDINARY, TARGETING
from core.games.axis_allies.rules.queries import has_target, like, units
from core.games.axis_allies.rules.refusals import called, misplaced, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Seat, Side
from projections.state.table import Open, Table

AIR = "air"
"""What fighters target. Bombers and assault guns target types of land units."""
CROSSING = "crossing"
"""What bombers target above a Volga Crossing: the ferry, or what is on the ice bridge."""

Wanted = Mapping[str, Sequence[str]]
"""The targets on which hits must fall, by their shooters; a type may occur more than once."""

NO_TARGETS: Wanted = {}
TOO_FEW_LEFT = "Too few hits would be left for the units on which they must fall."

Take = Callable[[Draft, Sequence[PieceId], RuleId], None]
"""Does to the chosen units, which are in one place, what a rule says."""


def target(table: Table, board: Board, piece: PieceId) -> str:
    """Return as what a unit is targeted: its row of the reference chart, `AIR`, or `CROSSING`. Source: ruling.unit-type-for-targeting."""
    if piece not in table.pieces:
        return CROSSING
    kind = board.units[table.pieces[piece].kind]
    return AIR if kind.is_air else kind.type


def exposed(table: Table, board: Board, place: PlaceId, side: Side) -> list[PieceId]:
    """Return what a side might lose in a combat: its units, and above a Volga Crossing, by its own id, what is hit there.

    Source: optional.interceptors.crossing-combat, ruling.interceptor-crossing-hits.
    """
    found = units(table, board, place, side)
    if side == ALLIES:
        found += [PieceId(one) for one in board.crossings if place == above(one) and has_target(table, one)]
    return found


class Losses:
    """One kind of question which units are hit. Its items are classes of units (`queries.like`).

    `take` is called with the chosen units and the rule that caused the loss.
    """

    def __init__(self, board: Board, kind: str, take: Take) -> None:
        self.board = board
        self.kind = kind
        self.take = take
        self.question = Selection(
            _cause,
            lambda table, asked: list(dict.fromkeys([like(table, piece) for piece in _pool(asked)])),
            lambda _, asked: (asked.number("hits"), asked.number("hits")),
            self._carry_out,
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
            may_repeat=True,
        )

    def ask(
        self,
        draft: Draft,
        seat: Seat,
        pool: Sequence[PieceId],
        hits: int,
        cause: RuleId,
        *,
        wanted: Wanted = NO_TARGETS,
    ) -> None:
        """Let a seat choose who takes hits; hits beyond the units are lost.

        Args:
            draft: The draft.
            seat: The seat that chooses.
            pool: The units, all in one place, in the order of their arrival.
            hits: How many hits there are.
            cause: The rule that causes them.
            wanted: The targets that must be among the units; there are as many in the pool.

        Source: combat.step2.defender-chooses, combat.step3.attacker-chooses.
        """
        number = min(hits, len(pool))
        if not number:
            return
        chosen = self._only_choice(draft.table, pool, number, wanted)
        if chosen is not None:
            self.take(draft, chosen, cause)
        else:
            targets = {shooter: tuple(there) for shooter, there in wanted.items() if there}
            draft.ask(self.kind, seat, cause, {"pool": tuple(pool), "hits": number, "cause": cause, **targets})

    def _only_choice(self, table: Table, pool: Sequence[PieceId], number: int, wanted: Wanted) -> list[PieceId] | None:
        """Return the units that are hit, or None if a unit of them could be exchanged for one of another class."""
        types = {piece: target(table, self.board, piece) for piece in pool}
        needed = Counter([one for there in wanted.values() for one in there])
        chosen = [piece for one in needed for piece in [at for at in pool if types[at] == one][: needed[one]]]
        chosen += [piece for piece in pool if piece not in chosen][: number - len(chosen)]
        free = Counter([types[piece] for piece in chosen]) - needed
        pairs = [(piece, other) for piece in chosen for other in pool if other not in chosen]
        unlike = [(one, other) for one, other in pairs if like(table, one) != like(table, other)]
        can_exchange = any(types[one] == types[other] or free[types[one]] for one, other in unlike)
        return None if can_exchange else chosen

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge a casualty: a unit of the pool, and one that leaves room for the targets still to be hit.

        Source: combat.step2.defender-chooses, unit.bomber.targeted-land, unit.assault-gun.targeted-tanks,
        unit.fighter.targeted-air, supply.token.vulnerable-only-moving.
        """
        there: dict[str, list[PieceId]] = {}
        for piece in _pool(asked):
            there.setdefault(like(table, piece), []).append(piece)
        picked = (*asked.picked, pick.item)
        if pick.to or picked.count(pick.item) > len(there.get(pick.item, ())):
            return refused("casualty_must_be_eligible", self._too_many(table, there, pick), rule=_cause(asked))
        types = [target(table, self.board, there[item][0]) for item in picked]
        left = asked.number("hits") - len(picked)
        for shooter, rule in TARGETING.items():
            for wanted in asked.texts(shooter):
                if wanted in types:
                    types.remove(wanted)
                else:
                    left -= 1
            if left < 0:
                return refused("casualty_must_be_eligible", TOO_FEW_LEFT, rule)
        return None

    def _too_many(self, table: Table, there: Mapping[str, Sequence[PieceId]], pick: Pick) -> str:
        """Return how many units of a class can be lost at most, or what such units are called; empty for what has a name of its own."""
        alike = there.get(pick.item, ())
        if not alike:
            return called(table, [piece for pieces in there.values() for piece in pieces], pick.item)
        if pick.to or alike[0] not in table.pieces:
            return ""
        kind = str(table.pieces[alike[0]].kind)
        others = [piece for piece in table.pieces_at(table.pieces[alike[0]].place) if piece not in alike]
        such = " in that state" if any(table.pieces[piece].kind == kind for piece in others) else ""
        return f"Only {number_of(self.board, len(alike), kind)} {'is' if len(alike) == 1 else 'are'} there{such}."

    def _carry_out(self, draft: Draft, asked: Open, picks: Picks) -> None:
        left = Counter([item for item, _ in picks])
        chosen: list[PieceId] = []
        for piece in _pool(asked):
            one = like(draft.table, piece)
            if left[one]:
                left[one] -= 1
                chosen.append(piece)
        self.take(draft, chosen, _cause(asked))


def _pool(asked: Open) -> list[PieceId]:
    return [PieceId(piece) for piece in asked.texts("pool")]


def _cause(asked: Open) -> RuleId:
    return RuleId(asked.text("cause"))


TARGETS = "targets"
FREE = (BOMBER, ASSAULT_GUN, FIGHTER)
"""The shooters that may name a target, and need not."""

Inflict = Callable[[Draft, PlaceId, Side, int, Wanted], None]
"""Lets the enemy of a side choose its casualties in a place: how many hits there are, and on what some must fall."""


class Targeting:
    """The question which targets hits must fall on: each pick is a shooter with the type that it names.

    `inflict` goes on with all hits.

    Source: ruling.hit-allocation-order, ruling.targeted-once.
    """

    def __init__(self, board: Board, inflict: Inflict) -> None:
        self.board = board
        self.inflict = inflict
        self.question = Selection(
            _rule,
            lambda _, asked: [shooter for shooter in FREE if asked.number(shooter)],
            lambda table, asked: (0, sum(hits_to_name(table, board, asked).values())),
            self._carry_out,
            places=self._targets,
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
            may_repeat=True,
        )

    def settle(self, draft: Draft, place: PlaceId, side: Side, hits: Counter[str]) -> None:
        """Ask a side what its targeted hits must fall on, if that makes a difference, and go on with all hits.

        Args:
            draft: The draft.
            place: Where it fires.
            side: The side.
            hits: Its hits by shooter.

        Source: unit.assault-gun.targeted-tanks, unit.fighter.targeted-air, unit.bomber.targeted-land,
        optional.interceptors.must-target-air.
        """
        table, seat = draft.table, draft.table.seat_of(side)
        asked = Open(TARGETS, seat, {"place": place, **{shooter: number for shooter, number in hits.items() if number}})
        there = self._there(table, place, side)
        can_name = any(self._targets(table, asked, shooter) for shooter in FREE if hits[shooter])
        if can_name and hits.total() < there.total() and len(there) > 1:
            draft.ask(TARGETS, seat, _rule(asked), asked.arguments)
        elif hits.total():
            self._carry_out(draft, asked, ())

    def _there(self, table: Table, place: PlaceId, side: Side) -> Counter[str]:
        """Return what the enemy might lose in a place by what it is targeted as."""
        return exposed_types(table, self.board, place, enemy(side))

    def _targets(self, table: Table, asked: Open, shooter: str) -> list[str]:
        """Return the types that a shooter may still name."""
        left = self._there(table, PlaceId(asked.text("place")), table.side_of(asked.seat)) - Counter(asked.places)
        left -= Counter({AIR: asked.number(INTERCEPTOR)})
        return _nameable(shooter, left)

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge a shooter with its target: it has a hit left, and may name an undesignated unit of that type.

        Source: unit.assault-gun.targeted-tanks, unit.fighter.targeted-air, unit.bomber.targeted-land.
        """
        has_hit = pick.item in FREE and asked.picked.count(pick.item) < asked.number(pick.item)
        if has_hit and pick.to in self._targets(table, asked, pick.item):
            return None
        return refused("target_must_be_eligible", rule=TARGETING.get(pick.item, _rule(asked)))

    def _carry_out(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Record what is named, since what was picked is told to nobody, and go on with all hits."""
        place, side = PlaceId(asked.text("place")), draft.table.side_of(asked.seat)
        for (shooter, to), number in Counter(picks).items():
            draft.apply(TARGETING[shooter], str(number), to)
        wanted: Mapping[str, list[str]] = {shooter: [to for item, to in picks if item == shooter] for shooter in FREE}
        forced = min(asked.number(INTERCEPTOR), self._there(draft.table, place, side)[AIR])
        hits = sum([asked.number(shooter) for shooter in (ORDINARY, *TARGETING)])
        self.inflict(draft, place, side, hits, {**wanted, INTERCEPTOR: [AIR] * forced})


def _rule(asked: Open) -> RuleId:
    """Return the rule by which the first shooter with a hit names targets."""
    return next(TARGETING[shooter] for shooter in FREE if asked.number(shooter))


def exposed_types(table: Table, board: Board, place: PlaceId, side: Side) -> Counter[str]:
    """Return what a side might lose in a place by what it is targeted as."""
    return Counter([target(table, board, piece) for piece in exposed(table, board, place, side)])


def hits_to_name(table: Table, board: Board, asked: Open) -> dict[str, int]:
    """Return for how many hits of each shooter there are units that it may name, whatever was picked.

    Source: unit.assault-gun.targeted-tanks, unit.fighter.targeted-air, unit.bomber.targeted-land.
    """
    there = exposed_types(table, board, PlaceId(asked.text("place")), enemy(table.side_of(asked.seat)))
    there -= Counter({AIR: asked.number(INTERCEPTOR)})
    room = {shooter: sum([there[one] for one in _nameable(shooter, there)]) for shooter in FREE}
    return {shooter: min(asked.number(shooter), room[shooter]) for shooter in FREE}


def _nameable(shooter: str, there: Counter[str]) -> list[str]:
    """Return the types that a shooter may name among what the enemy might lose."""
    allowed = {ASSAULT_GUN: [TANK], FIGHTER: [AIR]}.get(shooter, [one for one in there if one != AIR])
    return [one for one in allowed if there[one]]
