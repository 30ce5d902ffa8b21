"""A tiny game for the kernel's tests: two seats, hidden hands, dice, draws, a reaction and a sequence on the stack.

A seat rolls two dice towards a goal and its opponent may contest the roll with a third die; or it plays a card from its
hand; or it draws an omen. In fog it may also lay an ambush, in a place that only it knows until a contest springs the
ambush. Its log has nearly every kind of event. The option `bug` plants a fault, to show that tests find it. The example
to copy for a new game is another one, `docs/examples/skirmish`.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial

from typing_extensions import override

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places, Track
from core.engine.attributes import Attribute
from core.engine.command import Command
from core.engine.dealing import Deal, Dealing, Pick, Unknown
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.option_by_chance import Below
from core.engine.steps import Step, StepSequence
from core.errors import SetupInvalid
from core.game.bound_game import BoundGame
from core.game.game_record import Game, Mode, OptionSpec, Scenario
from core.narration.place_name import PlaceName
from core.narration.render_model import MapPlace, Picture
from core.narration.sheet import Drawing
from core.narration.told_option import Told
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, Position
from core.refusal import Refusal
from events.codec import Decoder, Struct
from events.ids import (
    NO_SIDE,
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
    TrackId,
)
from events.vocabulary import DiceRolled, Event, Modifier, Value
from projections.state.table import Open, Table

BOARD = "goal = 20\n"
GOAL = 20
RED = Seat("red")
BLUE = Seat("blue")
REDS, BLUES = Side("red"), Side("blue")
SIDES = {RED: REDS, BLUE: BLUES}
DECK = PileId("deck")
OMENS = PileId("omens")
FIELD = PlaceId("field")
CAMP = PlaceId("camp")
AMBUSH = AttributeKey("ambush")
SPRUNG: Attribute[str] = Attribute(AMBUSH, str)
RULE = RuleId("1.turn")
REPLY = RuleId("2.reply")
ROUNDS = 12


class Roll(Command, frozen=True, tag="roll"):
    """Roll towards the goal."""


class Play(Command, frozen=True, tag="play"):
    """Play a card from the hand."""

    card: CardId


class Omen(Command, frozen=True, tag="omen"):
    """Draw an omen."""


class Reply(Command, frozen=True, tag="reply"):
    """Let a roll stand, or contest it."""

    contest: bool


class Hide(Command, frozen=True, tag="hide"):
    """Lay an ambush; the place is asked afterwards."""


class HideAt(Command, frozen=True, tag="hide-at"):
    """Choose the place of the ambush."""

    place: PlaceId


SkirmishCommand = Roll | Play | Omen | Reply | Hide | HideAt
DECODER: Decoder[SkirmishCommand] = Decoder(SkirmishCommand)


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return BLUE if seat == RED else RED


def hand(seat: Seat) -> PileId:
    """Return a seat's hand."""
    return PileId(f"hand/{seat}")


def score(seat: Seat) -> TrackId:
    """Return a seat's track."""
    return TrackId(f"score/{seat}")


def flag(seat: Seat) -> PieceId:
    """Return a seat's piece."""
    return PieceId(f"{seat}-flag")


class Turn:
    """A seat's turn."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List a roll, the cards of the hand, and an omen while any are left."""
        cards: list[Command] = [Play(card) for card in sorted(table.pile(hand(asked.seat)).cards)]
        hide: list[Command] = [Hide()] if table.options["fog"] else []
        return [Roll(), *cards, *([Omen()] if table.pile(OMENS).cards else []), *hide]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        if isinstance(command, Play) and command not in self.options(table, asked):
            return Refusal("card_must_be_in_hand", RULE, "The card is not in the hand.")
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Roll, play or draw."""
        seat = asked.seat
        draft.answered(RULE)
        draft.close()
        if isinstance(command, Roll):
            bonus = Modifier(RULE, "cards played", draft.table.marker(flag(seat), MarkerId("glory")))
            faces = draft.dice(2, f"advance of {seat}", RULE, about=flag(seat), modifiers=(bonus,), needed=2)
            ADVANCE.begin(draft, {"seat": seat, "amount": sum(faces)})
        elif isinstance(command, Play):
            draft.play_card(command.card, hand(seat), PileId("played"), RULE)
            draft.discard(command.card, PileId("played"), PileId("discard"), RULE)
            glory = MarkerId("glory")
            draft.mark(flag(seat), glory, RULE, draft.table.marker(flag(seat), glory) + 1)
            if draft.table.pile(DECK).cards:
                draft.draw_card(DECK, hand(seat), f"draw of {seat}", RULE, seen_by=(seat,))
            next_turn(draft)
        elif isinstance(command, Hide):
            draft.ask("hide", seat, RULE)
        else:
            omen = draft.draw_piece(OMENS, f"omen of {seat}", RULE)
            draft.turn(flag(seat), omen, RULE, steps=2)
            draft.move(flag(seat), FIELD if draft.table.pieces[flag(seat)].place == CAMP else CAMP, RULE)
            next_turn(draft)


class Ambush:
    """The place of a seat's ambush."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both places."""
        return [HideAt(CAMP), HideAt(FIELD)]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        return None if command in self.options(table, asked) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Remember the place as a secret of the seat."""
        assert isinstance(command, HideAt)
        draft.answered(RULE)
        draft.close()
        lay_ambush(draft, asked.seat, command.place)
        next_turn(draft)


def lay_ambush(draft: Draft, seat: Seat, place: PlaceId) -> None:
    """Remember the place of a seat's ambush."""
    draft.set_attribute(seat, AMBUSH, place, RULE, seen_by=(seat,))


def spring_ambush(draft: Draft, seat: Seat) -> None:
    """Disclose a seat's ambush for the rest of the round."""
    place = draft.table.attribute(seat, AMBUSH)
    if place is not None:
        draft.set_attribute(seat, AMBUSH, place, REPLY, until="round")


class Answer:
    """The opponent's answer to a roll."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both answers; none at all with the planted dead end."""
        return (
            []
            if table.options["bug"] == "dead-end" and table.round > 1
            else [Reply(contest=False), Reply(contest=True)]
        )

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse other commands."""
        return None if isinstance(command, Reply) else not_asked()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Close the question; a contest rolls a third die and turns up the spy."""
        assert isinstance(command, Reply)
        draft.answered(REPLY)
        draft.close()
        if command.contest:
            spring_ambush(draft, asked.seat)
            fall = draft.dice(1, f"contest of {asked.seat}", REPLY)[0]
            draft.track(score(asked.seat), max(0, draft.table.track(score(asked.seat)) + 3 - fall), REPLY)
            spy = PieceId(f"{asked.seat}-spy")
            if spy in draft.table.pieces:
                draft.reveal(spy, "spy", "up", REPLY)
                draft.remove(spy, REPLY)


def not_asked() -> Refusal:
    """Refuse a command that does not answer the question."""
    return Refusal("answer_must_fit", REPLY, "That is not what is asked.")


def ask_reply(draft: Draft, at: Open) -> None:
    """Ask the opponent whether a roll stands."""
    seat = Seat(at.text("seat"))
    draft.ask("reply", other(seat), REPLY, {"amount": at.number("amount"), "about": (flag(seat),)})


def settle(draft: Draft, at: Open) -> None:
    """Add a roll, and give control of the field to the leading side."""
    seat = Seat(at.text("seat"))
    draft.track(score(seat), draft.table.track(score(seat)) + at.number("amount"), RULE)
    leader = max((RED, BLUE), key=lambda one: draft.table.track(score(one)))
    draft.control(FIELD, SIDES[leader], RULE)
    next_turn(draft)


ADVANCE = StepSequence("settle", RULE, (Step("reply", RULE, ask_reply),), then=settle)


def next_turn(draft: Draft) -> None:
    """End the match, or begin the other seat's turn."""
    table = draft.table

    for seat in (RED, BLUE):
        if table.track(score(seat)) >= GOAL:
            draft.end_match("Goal", (SIDES[seat],), RULE)
            return
    if table.turn_seat == BLUE and table.round >= ROUNDS and table.options["bug"] != "endless":
        draft.end_match("Dusk", (), RULE)
        return
    begin_turn(draft, other(table.turn_seat))


def begin_turn(draft: Draft, seat: Seat) -> None:
    """Begin a seat's turn."""
    if seat == RED:
        draft.begin_round(draft.table.round + 1, RULE)
    draft.begin_turn(SIDES[seat], RULE)
    draft.begin_phase(f"turn of {seat}", RULE)
    draft.ask("turn", seat, RULE)
    if draft.table.options["bug"] == "wrong-rule" and draft.table.round == 2:
        draft.mark("table", MarkerId("odd"), RuleId("9.no-such-rule"))


class SkirmishDealing(Dealing):
    """Exchange all cards, and deal the place of every ambush again."""

    @override
    def family(self, name: str, known: Table) -> str:
        return super().family(name, known) if PieceId(name) in known.pieces else "cards"

    @override
    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        deal = super().complete(unknown, deal, pick) or deal
        laid = {on: {key: pick((CAMP, FIELD), f"{key} of {on}")} for on, key in unknown.attributes}
        return Deal(deal.piles, deal.pieces, {on: dict(there) for on, there in laid.items()})


DEALING = SkirmishDealing()


class SkirmishRules:
    """Rules, narration and positions, bound to a board that defines the goal."""

    piece_noun = "piece"

    def __init__(self, text: str) -> None:
        self.stack = DecisionRules({"turn": Turn(), "reply": Answer(), "hide": Ambush()}, sequences=(ADVANCE,))
        self.digest = Digest(hashlib.sha256(text.encode()).hexdigest())

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        return DECODER.kinds

    def knows(self, element: Open) -> bool:
        return self.stack.knows(element)

    def options(self, table: Table) -> list[Command]:
        return self.stack.options(table)

    def any_option(self, table: Table, below: Below) -> Command | None:
        return self.stack.any_option(table, below)

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        return self.stack.expand(table, command)

    def bounds(self, table: Table) -> tuple[int, int] | None:
        return self.stack.bounds(table)

    def may_repeat(self, table: Table) -> bool:
        return self.stack.may_repeat(table)

    def equal_class(self, table: Table, piece: PieceId) -> str:
        return self.stack.equal_class(table, piece)

    def take(self, draft: Draft, command: Command) -> None:
        self.stack.take(draft, command)

    def settle(self, draft: Draft) -> None:
        self.stack.settle(draft)

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        return ("reply",)

    @property
    def dealing(self) -> Dealing:
        return DEALING

    def set_up(self, draft: Draft) -> None:
        draft.form(DECK, tuple(CardId(f"card-{number}") for number in range(1, 9)), RULE, seen_by=())
        draft.form(OMENS, (CardId("comet"), CardId("eclipse"), CardId("raven")), RULE)
        for seat in (RED, BLUE):
            draft.form(hand(seat), (), RULE, seen_by=(seat,))
            for _ in range(2):
                draft.draw_card(DECK, hand(seat), f"deal to {seat}", RULE, seen_by=(seat,))
            draft.place(flag(seat), CAMP, RULE, kind="flag", side=SIDES[seat], steps=2)
            draft.place(PieceId(f"{seat}-spy"), CAMP, RULE, kind="spy", side=SIDES[seat], face="down", seen_by=(seat,))
            draft.conceal(PieceId(f"{seat}-spy"), RULE, known_to=(seat,))
        first = draft.dice(1, "who begins", RULE)[0]
        draft.begin_round(1, RULE)
        draft.begin_turn(SIDES[RED if first > 3 else BLUE], RULE)
        draft.begin_phase(f"turn of {draft.table.turn}", RULE)
        draft.ask("turn", draft.table.turn_seat, RULE)

    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        if table.ended is not None or table.top is None:
            return Refusal("match_must_be_running", RULE, "The match is over.")
        if seat != table.top.seat:
            return Refusal("seat_must_be_asked", RULE, f"The question is put to {table.top.seat}.")
        return self.stack.kinds[table.top.kind].refuse(table, table.top, command)

    def name(self, id_: str) -> str:
        return id_.replace("-", " ").title()

    def told(self, table: Table, command: Command) -> Told:
        return Told(repr(command))

    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        return ()

    def is_final(self, table: Table, command: Command) -> bool:
        return False

    def piece(self, table: Table, piece: PieceId) -> str:
        return self.name(piece)

    def is_outdone(self, table: Table, command: Command) -> bool:
        return False

    def question(self, table: Table, asked: Open) -> str:
        about = ", ".join(f"{name}: {value}" for name, value in asked.arguments.items())
        return f"{asked.kind.title()}{f' ({about})' if about else ''}"

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        return ()

    def sums(self, table: Table, asked: Open) -> None:
        return None

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        return ""

    def is_force(self, kind: str) -> bool:
        """Every piece is lost if it leaves the map."""
        return True

    def card_text(self, card: str, table: Table | None = None) -> str:
        return f"The text of {card}." if card.startswith("card") else ""

    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        return {}

    def favours(self, table: Table, roll: DiceRolled) -> Side:
        return table.pieces[PieceId(roll.about)].side if roll.about in table.pieces else NO_SIDE

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        return ()

    def picture(self, table: Table) -> Picture | None:
        return None

    def drawing(self, table: Table) -> Drawing | None:
        return None

    def place_names(self) -> tuple[PlaceName, ...]:
        return tuple([place.named for place in self.places()])

    def places(self) -> tuple[MapPlace, ...]:
        return (MapPlace(FIELD, "Field", "F", 300, 500, (CAMP,)), MapPlace(CAMP, "Camp", "C", 700, 500, (FIELD,)))

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        return tuple(position_defects(inventory(), position))

    def set_up_position(self, draft: Draft, position: Position) -> None:
        for piece in position.pieces:
            draft.place(
                piece.id, piece.place, RULE, kind=piece.kind, side=piece.side, face=piece.face, steps=piece.steps
            )
        for track, value in position.tracks.items():
            draft.track(track, value, RULE)
        draft.form(DECK, position.piles.get(DECK, ()), RULE, seen_by=())
        draft.begin_round(position.round or 1, RULE)
        draft.begin_turn(position.turn or SIDES[RED], RULE)
        draft.ask("turn", draft.table.turn_seat, RULE)


def inventory() -> Inventory:
    """Declare what is in the box."""
    named = ((REDS, RED, "Red"), (BLUES, BLUE, "Blue"))
    omens = {CardId(omen): omen.title() for omen in ("comet", "eclipse", "raven")}
    cards = {CardId(f"card-{number}"): f"Card {number}" for number in range(1, 9)}
    piles = {DECK: "Deck", PileId("discard"): "Discards", PileId("played"): "Played"}
    return Inventory(
        sides={side: name for side, _, name in named},
        places=(Places(what="place", names={FIELD: "Field", CAMP: "Camp"}, control=(REDS, BLUES)),),
        pieces=[
            *[
                Pieces(
                    what=f"{name} flag",
                    names={flag(seat): f"{name} Flag"},
                    where={"place": None},
                    sides=(side,),
                    kinds={flag(seat): ("flag",)},
                    faces={"": "", **{str(omen): omen_name for omen, omen_name in omens.items()}},
                    steps=2,
                )
                for side, seat, name in named
            ],
            *[
                Pieces(
                    what=f"{name} spy",
                    names={PieceId(f"{seat}-spy"): f"{name} Spy"},
                    where={"place": None},
                    sides=(side,),
                    kinds={PieceId(f"{seat}-spy"): ("spy",)},
                    faces={"down": "Face Down", "up": "Face Up"},
                )
                for side, seat, name in named
            ],
        ],
        counters=(Counters(faces={MarkerId("glory"): "Glory"}, on={"Red flag": None, "Blue flag": None}),),
        tracks=[Track(id=score(seat), name=f"{name} Score") for _, seat, name in named],
        cards=(Cards(what="card", names=cards, are_all_out=True), Cards(what="omen", names=omens)),
        piles=(
            Piles(names={**piles, hand(RED): "Red Hand", hand(BLUE): "Blue Hand"}, holds="card"),
            Piles(names={OMENS: "Omens"}, holds="omen"),
        ),
        memory=Memory({"side": (SPRUNG,)}, {SPRUNG: ("place",)}),
    )


def in_play(scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Return what is in the box, whatever the scenario."""
    return inventory()


def make_rules(board: str | None) -> SkirmishRules:
    """Bind the rules to the shipped board or to another one."""
    text = BOARD if board is None else board
    try:
        goal = tomllib.loads(text).get("goal")
    except tomllib.TOMLDecodeError as error:
        raise SetupInvalid((f"the board is not valid TOML: {error}",)) from None
    if not isinstance(goal, int):
        raise SetupInvalid(("the board must say a goal",))
    return SkirmishRules(text)


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the game to a board; one object is its rules, its narration and its positions."""
    if variant:
        raise SetupInvalid((f"this game has no variant {variant}",))
    make = partial(make_rules, BOARD if board is None else board)
    return BoundGame(make().digest, make, make, make, in_play)


GAME = Game(
    key=GameKey("skirmish"),
    title="Skirmish",
    edition="0.1",
    sides=tuple(SIDES.values()),
    scenarios=(
        Scenario("field", "The Field", (Mode("", "Two players", SIDES),)),
        Scenario("night", "By Night", (Mode("dark", "No moon", SIDES), Mode("moon", "Full moon", SIDES))),
    ),
    options=(
        OptionSpec("bug", "A planted fault", "none", RULE, ("none", "dead-end", "endless", "wrong-rule")),
        OptionSpec("fog", "Fog", default=False, rule=RULE),
        OptionSpec("speed", "Speed", default=3, rule=RULE, low=1, high=5),
        OptionSpec("omens", "Omens that count", ("comet",), RULE, ("comet", "eclipse", "raven")),
        OptionSpec("moonlight", "Moonlight", default=False, rule=RULE, scenarios=("night",)),
    ),
    bind=bind,
    shipped_board=BOARD.encode,
    package="tests.support",
    deciding=("skirmish.py",),
    load_policies=dict,
)
