"""Scenes of the third game for tests, in a few words.

    table = scene(german={"58": ["64-panzer-grenadier"]}, soviet={"59": ["6-tank"]})
    table.do("german", order("deliberate-attack", targets=["59"], hexes=["58"]), dice=(...), draws=(...))

A scene has only the units that it names, and all cards in the decks except those named.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.ids import (
    DEATH_POOL,
    EDGES,
    GERMAN,
    GERMAN_POOL,
    PLAYS,
    POOL_PILES,
    SETUP_MIX,
    SIDES,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    deck,
    discards,
    hand,
    leaders,
    removed_box,
    token,
    track_box,
)
from core.games.inferno.memory import POOL
from core.games.inferno.narration.inferno_narration import InfernoNarration
from core.games.inferno.options import OPTIONS
from core.games.inferno.rules.inferno_rules import InfernoRules
from core.refusal import Refusal
from events.codec import encode
from events.ids import CardId, GameKey, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import ChanceScheme, Event, MatchBegan, MatchOpened, Value
from projections.state.table import Table

BOARD = BOARD_FILE.load()
RULES = InfernoRules(BOARD)
NARRATION = InfernoNarration(BOARD)
SCENE = RuleId("setup.step-1")


def order(do: str, **fields: object) -> Command:
    """Return a command."""
    return RULES.decode(encode({"do": do, **fields}))


class Scene:
    """A table and what is done at it: the events of the last step, and all of them."""

    def __init__(self, table: Table, past: list[Event]) -> None:
        self.table = table
        self.events: list[Event] = []
        self.past = past

    def do(
        self,
        seat: str,
        command: Command,
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        *,
        is_listed: bool = True,
    ) -> list[Event]:
        """Execute a legal command of a seat with exactly these dice and draws, and return the events."""
        refusal = RULES.refuse(self.table, Seat(seat), command)
        assert refusal is None, refusal
        assert not is_listed or command in self.options, "the options do not list a legal command"
        chance = ManualChance(dice, draws)
        draft = Draft(self.table, chance)
        with suppress(MatchOver):
            RULES.take(draft, command)
        chance.check_used_up()
        self.events = draft.events
        self.past += draft.events
        return draft.events

    def soviet_turn(self, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Begin the Soviet turn, with exactly these dice and draws, and return the events."""
        chance = ManualChance(dice, draws)
        draft = Draft(self.table, chance)
        with suppress(MatchOver):
            RULES.turns.begin_soviet(draft)
            RULES.settle(draft)
        chance.check_used_up()
        self.events = draft.events
        self.past += draft.events
        return draft.events

    def tokens(self, *kinds: str) -> list[PieceId]:
        """Return the tokens of units, sorted."""
        return sorted(self.piece(kind) for kind in kinds)

    def refusal(self, seat: str, command: Command) -> Refusal:
        """Return the refusal that answers an illegal command of a seat."""
        refusal = RULES.refuse(self.table, Seat(seat), command)
        assert refusal is not None, "the command is legal"
        assert self.table.top is None or self.table.top.seat != seat or command not in self.options
        return refusal

    def refused(self, seat: str, command: Command) -> str:
        """Return the code of the refusal that answers an illegal command of a seat."""
        return self.refusal(seat, command).code

    @property
    def options(self) -> list[Command]:
        """The legal commands."""
        return RULES.options(self.table)

    @property
    def asked(self) -> str:
        """Who is asked what, as in `german action`; empty when the match is over."""
        top = self.table.top
        return "" if top is None else f"{top.seat} {top.kind}"

    def at(self, place: str) -> tuple[PieceId, ...]:
        """Return the pieces in a place."""
        return self.table.pieces_at(PlaceId(place))

    def kinds(self, place: str) -> list[str]:
        """Return what lies in a place."""
        return [self.table.pieces[piece].kind for piece in self.at(place)]

    def piece(self, kind: str) -> PieceId:
        """Return the token of a unit."""
        return next(piece.id for piece in self.table.pieces.values() if piece.kind == kind)

    def count(self, pile: str) -> int:
        """Return the number of cards of a pile."""
        return self.table.pile(PileId(pile)).count

    def control(self, place: str) -> Side:
        """Return the side that controls a hex."""
        return self.table.control[PlaceId(place)]

    @property
    def result(self) -> str:
        """The result; empty while the match runs."""
        return "" if self.table.ended is None else self.table.ended.result


def scene(
    *,
    german: Mapping[str, Sequence[str]] | None = None,
    soviet: Mapping[str, Sequence[str]] | None = None,
    edges: Mapping[str, int] | None = None,
    control: Mapping[str, Sequence[str]] | None = None,
    track: Mapping[int, Sequence[str]] | None = None,
    removed: Mapping[int, str] | None = None,
    dead: Sequence[str] = (),
    hands: Mapping[str, Sequence[str]] | None = None,
    decks: Mapping[str, Sequence[str]] | None = None,
    in_play: Sequence[str] = (),
    pools: Mapping[str, Sequence[str]] | None = None,
    markers: Mapping[str, str] | None = None,
    mode: str = SOLO,
    turn: str = GERMAN,
    round_: int = 0,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Set a scene, at the beginning of a turn.

    Args:
        german: Hex to German units.
        soviet: Hex to Soviet units, which nobody knows where the rules play the Soviets.
        edges: Unit to the number of the edge on top; by default 1.
        control: Side to further hexes that it controls; hexes with units are controlled by them, all others by the Soviets, W to Z by the
            Germans.
        track: Row to units on the Reinforcement Track, which nobody knows, from the right-most box on.
        removed: Row to its Removed unit.
        dead: Units in the Death Pool.
        hands: Seat to cards.
        decks: Side to cards; by default all that are nowhere else.
        in_play: Leaders in play.
        pools: Pool to units; by default all that are nowhere else.
        markers: Hex to a marker.
        mode: The mode.
        turn: The side whose turn begins.
        round_: The rounds before.
        options: Options that differ from the defaults.
    """
    draft = Draft(Table(), ManualChance())
    draft.emit(
        MatchOpened(
            rule=RuleId("match.open"),
            game=GameKey("inferno"),
            edition="1.0",
            scenario="standard",
            mode=mode,
            options={**{spec.key: spec.default for spec in OPTIONS}, **(options or {})},
            sides=SIDES,
            seats=tuple(PLAYS[mode]),
            plays=PLAYS[mode],
            rules=BOARD.source.digest,
            board=BOARD.source.digest,
            chance=ChanceScheme(scheme="manual/1"),
        )
    )
    draft.emit(MatchBegan(rule=RuleId("match.begin")))
    given = {side: units or {} for side, units in ((GERMAN, german), (SOVIET, soviet))}
    own: dict[str, Side] = dict.fromkeys(("W", "X", "Y", "Z"), GERMAN)
    own |= {place: side for side, units in given.items() for place in units}
    own |= {place: Side(side) for side, places in (control or {}).items() for place in places}
    for place in BOARD.hexes:
        draft.control(place, own.get(place, SOVIET), SCENE)
    for marked, marker in (markers or {}).items():
        draft.mark(marked, MarkerId(marker), SCENE)
    used = _place_units(draft, given, edges or {}, track or {}, removed or {}, dead)
    _form_piles(draft, used, hands or {}, decks or {}, in_play, pools or {})
    if round_:
        draft.begin_round(round_, SCENE)
    if turn == GERMAN:
        RULES.turns.begin_german(draft)
        RULES.settle(draft)
    else:
        draft.begin_turn(GERMAN, SCENE)
    return Scene(draft.table, draft.events)


def _place_units(
    draft: Draft,
    given: Mapping[Side, Mapping[str, Sequence[str]]],
    edges: Mapping[str, int],
    track: Mapping[int, Sequence[str]],
    removed: Mapping[int, str],
    dead: Sequence[str],
) -> set[str]:
    number = 0
    used: set[str] = set()
    for side, places in given.items():
        number = 0
        for place, units in places.items():
            for unit in units:
                number += 1
                used.add(unit)
                _place(draft, token(side, number), place, unit, edges.get(unit, 1))
    number = sum(len(units) for units in given[GERMAN].values())
    for place, units in [(str(removed_box(row)), [unit]) for row, unit in removed.items()] + [
        (str(DEATH_POOL), [*dead])
    ]:
        for unit in units:
            number += 1
            used.add(unit)
            _place(draft, token(GERMAN, number), place, unit, 1, is_open=True)
    for row, units in track.items():
        for index, unit in enumerate(units):
            number += 1
            used.add(unit)
            box = track_box(row, BOARD.track.boxes - index)
            _place(draft, token(GERMAN, number), box, unit, 1)
            draft.conceal(token(GERMAN, number), SCENE)
    return used


def _place(draft: Draft, piece: PieceId, place: str, unit: str, edge: int, *, is_open: bool = False) -> None:
    block = BOARD.blocks[CardId(unit)]
    face = EDGES[edge - 1]
    steps = block.edge(face).strength
    seats = draft.table.seats_of(block.side)
    seen_by = None if is_open or not seats else seats
    draft.place(piece, PlaceId(place), SCENE, kind=unit, side=block.side, face=face, steps=steps, seen_by=seen_by)
    if not seats:
        draft.conceal(piece, SCENE)
    if block.side == SOVIET:
        POOL.set(draft, piece, block.pool, SCENE)


def _form_piles(
    draft: Draft,
    used: set[str],
    hands: Mapping[str, Sequence[str]],
    decks: Mapping[str, Sequence[str]],
    in_play: Sequence[str],
    pools: Mapping[str, Sequence[str]],
) -> None:
    seats = [*draft.table.seats_of(GERMAN), SOVIET_SEAT]
    taken = {
        *in_play,
        *(card for cards in hands.values() for card in cards),
        *(c for cards in decks.values() for c in cards),
    }
    for side in SIDES:
        rest = tuple(card for card in BOARD.deck(side) if card not in taken)
        draft.form(deck(side), tuple(map(CardId, decks[side])) if side in decks else rest, SCENE, seen_by=())
        draft.form(discards(side), (), SCENE)
        mine = tuple(card for card in map(CardId, in_play) if BOARD.cards[card].side == side)
        draft.form(leaders(side), mine, SCENE)
    for seat in seats:
        knowers = (seat,) if seat in draft.table.seats else ()
        draft.form(hand(seat), tuple(map(CardId, hands.get(seat, ()))), SCENE, seen_by=knowers)
    hidden = () if draft.table.seats_of(SOVIET) else None
    for arm, pile in POOL_PILES.items():
        rest = tuple(block.id for block in BOARD.blocks_of(SOVIET) if block.pool == arm and block.id not in used)
        draft.form(pile, tuple(map(CardId, pools[arm])) if arm in pools else rest, SCENE, seen_by=hidden)
    draft.form(SETUP_MIX, (), SCENE)
    draft.form(GERMAN_POOL, (), SCENE)
