"""Scenes of a combat in the third game: blocks in a few words, one combat, typed dice and draws, dice that miss where no more are typed.

    fight = Fight(german={"8": "64-panzer-grenadier:3"}, soviet={"9": "45-rifle 13-guards:2"}, hands={"german": ["german/stuka-1"]})
    fight.attack("8", "9", dice=[...])
    fight.do(CommitCards((CardId("german/stuka-1"),)), dice=[...])

A block is named by what it is, with its Strength after a colon, 4 or its maximum by default; `0` is a blank edge. All blocks
are concealed; the rules know what they are, as after an earlier combat.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from typing_extensions import override

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.selection import Choose
from core.errors import DiceMissing
from core.games.inferno.ids import (
    DEATH_POOL,
    EDGES,
    GERMAN,
    PLAYS,
    POOL_PILES,
    SIDES,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    deck,
    hand,
    leaders,
)
from core.games.inferno.memory import ADVANTAGES, COMBAT
from core.games.inferno.options import OPTIONS
from core.games.inferno.rules import combat
from core.games.inferno.rules.commands import CommitCards
from core.refusal import Refusal
from events.ids import CardId, Digest, GameKey, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import ChanceScheme, DiceRolled, Event, MatchBegan, MatchOpened, SequenceBegan, StepBegan, Value
from projections.state.table import Table
from tests.support.inferno import BOARD, RULES

SET_UP = RuleId("match.position")
_Event = TypeVar("_Event")


class Dice(ManualChance):
    """Typed dice and draws; where no more dice are typed, all show a face that never hits."""

    MISS = 2

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return typed dice, and misses after them."""
        try:
            return super().dice(seq, count, sides, purpose)
        except DiceMissing as missing:
            return (*super().dice(seq, count - missing.count, sides, purpose), *[self.MISS] * missing.count)


def unit(name: str) -> PieceId:
    """Return the token of a block in these scenes."""
    return PieceId(f"{BOARD.blocks[CardId(name)].side}/{name}")


def cards(names: Sequence[str]) -> tuple[CardId, ...]:
    """Return cards by their ids."""
    return tuple([CardId(name) for name in names])


def commit(*names: str) -> CommitCards:
    """Return the command that lays cards face down."""
    return CommitCards(cards(sorted(names)))


def opened(mode: str, options: Mapping[str, Value]) -> MatchOpened:
    """Return the first event of a match in a mode."""
    of_mode = {spec.key: spec.default for spec in OPTIONS if not spec.modes or mode in spec.modes}
    return MatchOpened(
        rule=SET_UP,
        game=GameKey("inferno"),
        edition="",
        scenario="",
        mode=mode,
        options={**of_mode, **options},
        sides=SIDES,
        seats=tuple(PLAYS[mode]),
        plays=PLAYS[mode],
        rules=Digest(""),
        board=Digest(""),
        chance=ChanceScheme(scheme="manual/1"),
    )


class Fight:
    """A table with a combat; `past` are all its events, `events` those after the set-up.

    Args:
        german: The blocks in German hexes.
        soviet: The blocks in Soviet hexes; all hexes without German blocks are Soviet-controlled.
        hands: The cards of each seat's hand; that of the Soviet side without a seat, too.
        in_play: The Leaders in play.
        decks: The cards of each side's deck, two Howitzers or Snipers by default.
        pools: The units in the Soviet pools.
        markers: The markers in hexes.
        mode: The mode.
        options: The options that are not as by default.
        advantages: The Soviet Advantages.
    """

    def __init__(
        self,
        *,
        german: Mapping[str, str],
        soviet: Mapping[str, str],
        hands: Mapping[str, Sequence[str]] | None = None,
        in_play: Sequence[str] = (),
        decks: Mapping[str, Sequence[str]] | None = None,
        pools: Mapping[str, Sequence[str]] | None = None,
        markers: Mapping[str, Sequence[str]] | None = None,
        mode: str = SOLO,
        options: Mapping[str, Value] | None = None,
        advantages: Sequence[str] = (),
    ) -> None:
        self.table = Table()
        self.events: list[Event] = []
        draft = Draft(self.table, ManualChance())
        draft.emit(opened(mode, dict(options or {})))
        draft.emit(MatchBegan(rule=SET_UP))
        for hex_ in BOARD.hexes:
            draft.control(hex_, GERMAN if hex_ in german else SOVIET, SET_UP)
        for side, blocks in ((GERMAN, german), (SOVIET, soviet)):
            for place, names in blocks.items():
                for name in names.split():
                    self._place(draft, side, PlaceId(place), name)
        for side in SIDES:
            in_deck = (decks or {}).get(side, [f"{side}/sniper-2", f"{side}/sniper-3"])
            draft.form(deck(side), cards(in_deck), SET_UP, seen_by=())
            draft.form(leaders(side), cards([one for one in in_play if one.startswith(side)]), SET_UP)
        for seat in (*PLAYS[mode], SOVIET_SEAT):
            seen_by = (seat,) if seat in PLAYS[mode] else ()
            draft.form(hand(seat), cards((hands or {}).get(seat, ())), SET_UP, seen_by=seen_by)
        for arm, pool in POOL_PILES.items():
            draft.form(pool, cards((pools or {}).get(arm, ())), SET_UP, seen_by=())
        for marked, there in (markers or {}).items():
            for marker in there:
                draft.mark(marked, MarkerId(marker), SET_UP)
        if advantages:
            ADVANTAGES.set(draft, SOVIET, tuple(sorted(advantages)), SET_UP)
        seat = next(iter(PLAYS[mode]))
        draft.begin_turn(GERMAN, SET_UP, seat=seat)
        self.past = list(draft.events)

    def _place(self, draft: Draft, side: Side, place: PlaceId, name: str) -> None:
        kind, _, steps = name.partition(":")
        block = BOARD.blocks[CardId(kind)]
        assert block.side == side
        strengths = [edge.strength for edge in block.edges]
        face = EDGES[strengths.index(int(steps) if steps else max(strengths))]
        piece = unit(kind)
        draft.place(piece, place, SET_UP, kind=kind, side=side, face=face, steps=block.edge(face).strength)
        draft.conceal(piece, SET_UP, known_to=draft.table.seats_of(side))

    # Playing

    def attack(
        self,
        hexes: str,
        target: str,
        *,
        hasty: bool = False,
        seat: Seat | None = None,
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
    ) -> list[Event]:
        """Begin a combat of the Stacks of one or more hexes, the starting one first, and settle what nobody is asked."""
        attackers = tuple([PlaceId(place) for place in hexes.split()])
        side = self.table.pieces[self.table.pieces_at(attackers[0])[0]].side
        chance = Dice(dice, draws)
        draft = Draft(self.table, chance)
        if side == SOVIET:
            draft.begin_turn(SOVIET, SET_UP)
        combat.begin(
            draft,
            RULES.sequences[COMBAT],
            target=PlaceId(target),
            attackers=attackers,
            side=side,
            is_deliberate=not hasty,
            seat=seat or self.table.seats_of(GERMAN)[0],
        )
        with suppress(MatchOver):
            RULES.settle(draft)
        return self._played(draft, chance)

    def do(self, command: Command, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Answer the open question with these dice, misses after them, and exactly these draws; return the events."""
        refusal = self.refusal(command)
        assert refusal is None, refusal
        chance = Dice(dice, draws)
        draft = Draft(self.table, chance)
        with suppress(MatchOver):
            RULES.take(draft, command)
        return self._played(draft, chance)

    def choose(self, *names: str, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Answer a question with blocks."""
        return self.do(Choose(tuple(sorted([unit(name) for name in names]))), dice, draws)

    def refusal(self, command: Command) -> Refusal | None:
        """Return why a command is refused."""
        return RULES.refuse(self.table, self.table.stack[-1].seat, command)

    def code(self, command: Command) -> str:
        """Return the code of the refusal of a command; empty if it is legal."""
        refusal = self.refusal(command)
        return "" if refusal is None else refusal.code

    def _played(self, draft: Draft, chance: ManualChance) -> list[Event]:
        chance.check_used_up()
        self.events += draft.events
        self.past += draft.events
        return draft.events

    # Looking

    @property
    def asked(self) -> str:
        """The kind of the open question; empty if there is none."""
        return self.table.stack[-1].kind if self.table.stack else ""

    @property
    def steps(self) -> list[str]:
        """The steps of the combat that took place."""
        return [event.step for event in self.events if isinstance(event, SequenceBegan | StepBegan)]

    def strength(self, name: str) -> int:
        """Return the Strength of a block, 0 if it is destroyed."""
        piece = self.table.pieces.get(unit(name))
        return 0 if piece is None or piece.place == DEATH_POOL else piece.steps

    def place(self, name: str) -> str:
        """Return where a block is."""
        return self.table.pieces[unit(name)].place

    def pile(self, pile: PileId) -> list[str]:
        """Return the cards of a pile, sorted."""
        return sorted(self.table.pile(pile).cards)

    def of_type(self, kind: type[_Event]) -> list[_Event]:
        """Return the events of a type."""
        return [event for event in self.events if isinstance(event, kind)]

    def dice(self, purpose: str) -> list[DiceRolled]:
        """Return the dice rolled for a purpose."""
        return [event for event in self.of_type(DiceRolled) if event.purpose == purpose]

    def rules(self) -> set[str]:
        """Return the rules that the events cite."""
        return {event.rule for event in self.events}
