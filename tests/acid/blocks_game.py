"""A made-up block game: two sides have hidden blocks, which combat reveals and then conceals again.

Each block has a public arm and two secrets: its unit and its edge. Units are drawn from pools that only their side sees, and return
to them when their last step is lost; the set-up mix contains no guards. A side may refit a block unseen. The soviet hides a token in
one of two hands until the german picks one.
"""

import hashlib
from collections.abc import Sequence

from typing_extensions import override

from core.engine.command import Command
from core.engine.dealing import Deal, Dealing, Identity, Pick, Unknown
from core.engine.decision import Decision
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.game.bound_game import BoundGame
from core.game.game_record import Game, Mode, Scenario
from core.positions.position import Defect, Position, place_known
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import (
    TABLE,
    AttributeKey,
    CardId,
    Digest,
    GameKey,
    MarkerId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
)
from projections.state.table import Open, Table
from tests.support.skirmish import SkirmishRules, not_asked

GERMAN, SOVIET = Seat("german"), Seat("soviet")
SIDES = (GERMAN, SOVIET)
OF = {seat: Side(seat) for seat in SIDES}
HEXES = tuple(PlaceId(name) for name in "abcd")
HOMES = {GERMAN: HEXES[0], SOVIET: HEXES[-1]}
ARM, ENTERED, HAND, FIRE = AttributeKey("arm"), AttributeKey("entered"), AttributeKey("hand"), AttributeKey("fire")
MARKED = MarkerId("drawn")
HANDS = ("left", "right")
ARMS = ("armor", "infantry")
DOTS = {"guards": 4, "rifle": 2, "militia": 1, "tanks": 4, "assault": 3}
MIX = ("rifle-1", "rifle-2", "rifle-3", "militia-1", "militia-2")
RULE, FIGHT, SPAWN, EDGE = RuleId("1.turn"), RuleId("2.fight"), RuleId("3.spawn"), RuleId("4.edge")
ROUNDS = 10


class March(Command, frozen=True, tag="march"):
    """Move a block to a neighbouring hex, and fight an enemy there."""

    block: PieceId
    to: PlaceId


class Refit(Command, frozen=True, tag="refit"):
    """Turn a block to its strongest edge, unseen."""

    block: PieceId


class Spawn(Command, frozen=True, tag="spawn"):
    """Draw a unit of an arm at home."""

    arm: str


class Enter(Command, frozen=True, tag="enter"):
    """Bring the block that was drawn to its hex."""

    to: PlaceId


class Hold(Command, frozen=True, tag="hold"):
    """Take the token into a hand."""

    hand: str


class Guess(Command, frozen=True, tag="guess"):
    """Pick a hand."""

    hand: str


DECODER: Decoder[March | Refit | Spawn | Enter | Hold | Guess] = Decoder(March | Refit | Spawn | Enter | Hold | Guess)


def other(side: Seat) -> Seat:
    """Return the enemy."""
    return SOVIET if side == GERMAN else GERMAN


def owner(table: Table, block: PieceId) -> Seat:
    """Return the seat that plays the side of a block."""
    return Seat(table.pieces[block].side)


def pool(side: Seat, arm: str) -> PileId:
    """Return the pool of a side's units of an arm."""
    return PileId(f"{side} {arm}")


def units(side: Seat, arm: str) -> tuple[CardId, ...]:
    """Return all units of a side of an arm."""
    names = ("guards-1", "guards-2", *MIX) if arm == "infantry" else ("tanks-1", "tanks-2", "assault-1")
    return tuple(CardId(f"{side} {name}") for name in names)


def dots(unit: str) -> int:
    """Return how many steps a unit has at its strongest edge."""
    return DOTS[unit.split(" ")[1].partition("-")[0]]


def is_guards(unit: str) -> bool:
    """Return whether a unit is a guards unit, which the set-up mix does not contain."""
    return "guards" in unit


def enter(draft: Draft, side: Seat, arm: str, source: PileId, place: PlaceId) -> PieceId:
    """Draw a unit and its edge, which are two secrets of its side, for a new block."""
    block = PieceId(f"{side}-{draft.table.marker('blocks', MARKED) + 1}")
    draft.mark("blocks", MARKED, SPAWN, draft.table.marker("blocks", MARKED) + 1)
    unit = draft.draw_piece(source, f"unit of {block}", SPAWN, piece=block, seen_by=(side,))
    edges = [str(steps) for steps in range(1, dots(unit) + 1)]
    edge = draft.choose(edges, f"edge of {block}", EDGE, about=block, seen_by=edge_seen_by(side))
    draft.place(block, place, SPAWN, kind=unit, side=OF[side], steps=int(edge), seen_by=(side,))
    draft.set_attribute(block, ARM, arm, SPAWN)
    draft.set_attribute(block, ENTERED, draft.table.round, SPAWN)
    return block


def edge_seen_by(side: Seat) -> tuple[Seat, ...] | None:
    """Return who sees at which edge a block enters."""
    return (side,)


def target(table: Table, enemies: Sequence[PieceId]) -> PieceId:
    """Return which of several enemies is fought: the one that arrived first."""
    return enemies[0]


def ask_where(draft: Draft, side: Seat, block: PieceId) -> None:
    """Ask where a block enters, even if it is a guards unit with only one option: skipping the question would reveal it."""
    unit = draft.table.pieces[block].kind
    draft.ask("enter", side, SPAWN, {"block": block, "unit": unit}, seen_by=(side,))


def fight(draft: Draft, attacker: PieceId, defender: PieceId) -> None:
    """Reveal both blocks, let them fire at each other, and close those that survive."""
    both = (attacker, defender)
    for block in both:
        unit = draft.table.pieces[block]
        draft.reveal(block, unit.kind, unit.face, FIGHT)
        draft.set_attribute(block, FIRE, dots(unit.kind), FIGHT)
    hits = [
        sum(1 for face in draft.dice(draft.table.pieces[one].steps, "fire", FIGHT, about=one) if face > 4)
        for one in both
    ]
    for block, suffered in zip(both, reversed(hits), strict=True):
        unit = draft.table.pieces[block]
        if suffered >= unit.steps:
            draft.return_piece(block, pool(owner(draft.table, block), str(draft.table.attribute(block, ARM))), FIGHT)
        else:
            draft.turn(block, unit.face, FIGHT, steps=unit.steps - suffered)
            close(draft, block)


def close(draft: Draft, block: PieceId) -> None:
    """Close a block that combat has revealed: only its side still knows it."""
    draft.conceal(block, FIGHT, known_to=(owner(draft.table, block),), attributes=(FIRE,))


class Turn:
    """A side's turn: one block marches or is refitted, or a unit is drawn."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List what each block can do, in the order of the ids, and the arms that can still be drawn."""
        found: list[Command] = []
        for block in sorted(table.pieces):
            piece = table.pieces[block]
            if owner(table, block) == asked.seat:
                near = HEXES.index(piece.place)
                found += [March(block, HEXES[to]) for to in (near - 1, near + 1) if 0 <= to < len(HEXES)]
                found.append(Refit(block))
        found += [Spawn(arm) for arm in ARMS if table.pile(pool(asked.seat, arm)).count]
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """March, refit or draw."""
        draft.answered(RULE)
        draft.close()
        if isinstance(command, March):
            enemies = [one for one in draft.table.pieces_at(command.to) if owner(draft.table, one) != asked.seat]
            if enemies:
                fight(draft, command.block, target(draft.table, enemies))
            else:
                draft.move(command.block, command.to, RULE)
        elif isinstance(command, Refit):
            refit(draft, command.block)
        elif isinstance(command, Spawn):
            source = pool(asked.seat, command.arm)
            ask_where(draft, asked.seat, enter(draft, asked.seat, command.arm, source, HOMES[asked.seat]))
        if draft.table.top is None:
            next_turn(draft)


def refit(draft: Draft, block: PieceId) -> None:
    """Turn a block to its strongest edge; only its side sees whether that changes anything."""
    unit = draft.table.pieces[block]
    draft.turn(block, unit.face, RULE, steps=dots(unit.kind))


class Entry:
    """Where a block enters: guards at home, others in the next hex too."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the hexes that the unit may enter."""
        home = HOMES[asked.seat]
        near = HEXES[1 if asked.seat == GERMAN else 2]
        enemies = [one for one in table.pieces_at(near) if owner(table, one) != asked.seat]
        return [Enter(home)] if is_guards(asked.text("unit")) or enemies else [Enter(home), Enter(near)]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the block there."""
        assert isinstance(command, Enter)
        draft.answered(SPAWN)
        draft.close()
        block = PieceId(asked.text("block"))
        if draft.table.pieces[block].place != command.to:
            draft.move(block, command.to, SPAWN)
        next_turn(draft)


class HandChoice:
    """In which hand the soviet takes the token."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both hands."""
        return [Hold(hand) for hand in HANDS]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Remember the hand as a secret of the soviet."""
        assert isinstance(command, Hold)
        draft.answered(RULE)
        draft.close()
        draft.set_attribute(TABLE, HAND, command.hand, RULE, seen_by=(SOVIET,))
        begin_turn(draft, GERMAN)


class HandGuess:
    """Which hand the german picks."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both hands."""
        return [Guess(hand) for hand in HANDS]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Disclose the hand; the winner goes first for the rest of the match."""
        assert isinstance(command, Guess)
        draft.answered(RULE)
        draft.close()
        hand = draft.table.attribute(TABLE, HAND)
        assert hand is not None
        draft.set_attribute(TABLE, HAND, hand, RULE)
        begin_turn(draft, GERMAN if hand == command.hand else SOVIET)


def begin_turn(draft: Draft, side: Seat) -> None:
    """Begin a side's turn."""
    draft.begin_turn(OF[side], RULE)
    draft.ask("turn", side, RULE)


def next_turn(draft: Draft) -> None:
    """Begin the other side's turn; in the third round ask for the hand instead, and after the last round end the match."""
    side = other(draft.table.turn_seat)
    sides = {piece.side for piece in draft.table.pieces.values()}
    if side == GERMAN:
        draft.begin_round(draft.table.round + 1, RULE)
    if len(sides) < len(SIDES) or draft.table.round > ROUNDS:
        draft.end_match("Attrition", tuple(sorted(sides)), RULE)
    elif side == GERMAN and draft.table.round == 4:
        draft.ask("guess", GERMAN, RULE)
    else:
        begin_turn(draft, side)


class BlocksDealing(Dealing):
    """Exchange units among the blocks and the pool of a side and arm, and draw edges again."""

    @override
    def family(self, name: str, known: Table) -> str:
        piece = known.pieces.get(PieceId(name))
        return name if piece is None else pool(Seat(piece.side), str(known.attribute(piece.id, ARM)))

    @override
    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        pieces = {}
        for block, dealt in sorted(deal.pieces.items()):
            edges = [str(steps) for steps in range(1, dots(dealt.kind) + 1)]
            pieces[block] = Identity(dealt.kind, "", int(pick(edges, f"edge of {block}")))
        hands = {on: {key: pick(HANDS, f"hand on {on}")} for on, key in unknown.attributes}
        return Deal(deal.piles, pieces, {on: {HAND: there[HAND]} for on, there in hands.items()})

    @override
    def problem(self, table: Table) -> str:
        for block in table.pieces.values():
            if block.kind and is_guards(block.kind) and table.attribute(block.id, ENTERED) == 0:
                return f"{block.id} was set up, and no guards are in the mix"
            if block.kind and not 0 < block.steps <= dots(block.kind):
                return f"{block.id} has another number of steps than an edge of its unit"
        return ""


DEALING = BlocksDealing()


class BlocksRules(SkirmishRules):
    """The rules; names and pictures are inherited from the skirmish."""

    def __init__(self) -> None:
        super().__init__("")
        kinds: dict[str, Decision] = {"turn": Turn(), "enter": Entry(), "hands": HandChoice(), "guess": HandGuess()}
        self.stack = DecisionRules(kinds, dealing=DEALING)

    @property
    @override
    def dealing(self) -> Dealing:
        return DEALING

    @property
    @override
    def standing_decisions(self) -> tuple[str, ...]:
        return ()

    @override
    def set_up(self, draft: Draft) -> None:
        for side in SIDES:
            mix = PileId(f"{side} mix")
            draft.form(
                mix, tuple(unit for unit in units(side, "infantry") if not is_guards(unit)), SPAWN, seen_by=(side,)
            )
            for place in (HOMES[side], HEXES[1 if side == GERMAN else 2]):
                enter(draft, side, "infantry", mix, place)
            rest = draft.table.pile(mix).cards
            guards = tuple(unit for unit in units(side, "infantry") if is_guards(unit))
            draft.form(mix, (), SPAWN)
            draft.form(pool(side, "infantry"), (*rest, *guards), SPAWN, seen_by=(side,))
            draft.form(pool(side, "armor"), units(side, "armor"), SPAWN, seen_by=(side,))
            enter(draft, side, "armor", pool(side, "armor"), HOMES[side])
        draft.begin_round(1, RULE)
        draft.ask("hands", SOVIET, RULE)

    @override
    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)

    @override
    def check_position(self, position: Position) -> tuple[Defect, ...]:
        unknown = [(index, piece.kind) for index, piece in enumerate(position.pieces) if piece.kind not in ALL_UNITS]
        return tuple([Defect(("pieces", index, "kind"), f"there is no unit {kind}") for index, kind in unknown])

    @override
    def set_up_position(self, draft: Draft, position: Position) -> None:
        draft.begin_round(1, RULE)
        for piece in position.pieces:
            place_known(draft, piece, RULE, kind=piece.kind, side=piece.side, steps=piece.steps)
            draft.set_attribute(piece.id, ARM, "infantry", SPAWN)
        for side in SIDES:
            taken = [piece.kind for piece in position.pieces]
            draft.form(
                pool(side, "infantry"),
                tuple(unit for unit in units(side, "infantry") if unit not in taken),
                SPAWN,
                seen_by=(side,),
            )
        begin_turn(draft, GERMAN)


ALL_UNITS = ("", *(unit for side in SIDES for arm in ARMS for unit in units(side, arm)))


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the game; it has no board."""
    return BoundGame(Digest(hashlib.sha256(b"").hexdigest()), BlocksRules, BlocksRules, BlocksRules)


GAME = Game(
    key=GameKey("blocks"),
    title="Blocks",
    edition="0.1",
    sides=tuple(OF.values()),
    scenarios=(Scenario("road", "The Road", (Mode("", "Two players", OF),)),),
    options=(),
    bind=bind,
    shipped_board=bytes,
    package="tests.acid",
    deciding=("blocks_game.py",),
    load_policies=dict,
)
