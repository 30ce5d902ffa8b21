"""A made-up game for selections: a garrison of infantry with four leaders, secret mines, landings, guns, evictions.

The scenario decides which question is asked. After the answer, red rolls dice until the test ends.
"""

import hashlib
from collections.abc import Callable, Sequence

from typing_extensions import override

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick, Picks, Selection, Unpick, has_exact_sum
from core.game.bound_game import BoundGame
from core.game.game_record import Game, Mode, Scenario
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import AttributeKey, CardId, Digest, GameKey, PieceId, PileId, PlaceId, RuleId, Seat, Side
from projections.state.table import Open, Table
from tests.support.skirmish import SkirmishRules

RED, BLUE = Seat("red"), Seat("blue")
REDS, BLUES = Side("red"), Side("blue")
RULE = RuleId("1.turn")
CITY, HAND, MINES = PlaceId("city"), PileId("hand/red"), PileId("mines")
TARGET = AttributeKey("target")
LEADERS = ("guards", "navy", "police", "tanks")
COSTS = {"guards": 5, "navy": 4, "police": 3, "tanks": 8}
GUNS = ("gun-1", "gun-2", "gun-3")
SUITS = {"bomber": ("north", "south"), "fighter": ("north",), "glider": ("north", "south"), "balloon": ("south",)}
ROOM = {"north": 1, "south": 1}


class Evict(Command, frozen=True, tag="evict"):
    """Move one unit out of the city; the question is then asked again."""

    piece: str
    to: str


DECODER: Decoder[Pick | Unpick | Done | Choose | Evict] = Decoder(Pick | Unpick | Done | Choose | Evict)


def rule(asked: Open) -> RuleId:
    """Return the rule of every question."""
    return RULE


def garrison(table: Table, asked: Open) -> Sequence[str]:
    """Return the pieces in the city."""
    return table.pieces_at(CITY)


def march(draft: Draft, asked: Open, picks: Picks) -> None:
    """Move the chosen units out of the city."""
    for item, _ in picks:
        draft.move(PieceId(item), PlaceId("field"), RULE)


def between(low: int, high: int) -> Callable[[Table, Open], tuple[int, int]]:
    """Return fixed bounds."""
    return lambda *_: (low, high)


def advance() -> Selection:
    """One to four of those in the city advance."""
    return Selection(rule, garrison, between(1, 4), march)


def lead() -> Selection:
    """Exactly one leads."""
    return Selection(rule, garrison, between(1, 1), march)


def recruits() -> Selection:
    """Leaders worth exactly twelve points come along."""

    def missing(asked: Open) -> int:
        return 12 - sum(COSTS[item] for item in asked.picked)

    def refuse_whole(table: Table, asked: Open) -> Refusal | None:
        return Refusal("costs_must_add_up", RULE, "They cost exactly 12.") if missing(asked) else None

    def is_completable(table: Table, asked: Open) -> bool:
        return has_exact_sum([cost for item, cost in COSTS.items() if item not in asked.picked], missing(asked))

    return Selection(
        rule,
        lambda *_: LEADERS,
        between(1, 4),
        march,
        refuse_whole=refuse_whole,
        is_completable=is_completable,
    )


def mines() -> Selection:
    """Red lays any number of its cards face down; only their number is public."""

    def lay(draft: Draft, asked: Open, picks: Picks) -> None:
        for item, _ in picks:
            draft.move_card(CardId(item), HAND, MINES, RULE, seen_by=(RED,))

    return Selection(rule, lambda table, _: table.pile(HAND).cards, between(0, 3), lay, is_secret=True)


def rations() -> Selection:
    """Three rations are given to leaders, who may get more than one."""

    def give(draft: Draft, asked: Open, picks: Picks) -> None:
        for item in LEADERS:
            given = [one for one, _ in picks].count(item)
            if given:
                draft.set_attribute(item, TARGET, given, RULE)

    return Selection(rule, lambda *_: LEADERS, between(3, 3), give, may_repeat=True)


def aim(draft: Draft, asked: Open, picks: Picks) -> None:
    """Remember the target that each piece is assigned."""
    for item, place in picks:
        draft.set_attribute(item, TARGET, place, RULE)


def guns() -> Selection:
    """Each gun covers one place or none."""
    return Selection(
        rule,
        lambda *_: GUNS,
        between(0, 3),
        aim,
        places=lambda *_: ("east", "west"),
    )


def landings() -> Selection:
    """All aircraft land, or as many as there is room for, each at a place that takes its kind."""

    def flying(asked: Open) -> list[str]:
        return list(SUITS) if asked.text("crowded") else list(SUITS)[:2]

    def most(asked: Open) -> int:
        """Return how many can land, including those with a place."""
        room = {place: count - asked.places.count(place) for place, count in ROOM.items()}
        return len(asked.picked) + landings_most([one for one in flying(asked) if one not in asked.picked], room)

    def bounds(table: Table, asked: Open) -> tuple[int, int]:
        count = most(asked.with_picks(()))
        return count, count

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item not in flying(asked):
            return Refusal("item_must_be_candidate", RULE, "It is not in the air.")
        if pick.to not in SUITS[pick.item]:
            return Refusal("place_must_suit", RULE, "It cannot land there.")
        is_full = asked.places.count(pick.to) >= ROOM[pick.to]
        return Refusal("place_must_have_room", RULE, "It is full.") if is_full else None

    return Selection(
        rule,
        lambda _, asked: flying(asked),
        bounds,
        aim,
        places=lambda _, __, item: SUITS[item],
        refuse_pick=refuse_pick,
        is_completable=lambda table, asked: most(asked) == bounds(table, asked)[1],
    )


def landings_most(waiting: Sequence[str], room: dict[str, int]) -> int:
    """Return how many aircraft can land at once, found by trying every place for each, and none."""
    if not waiting:
        return 0
    first, *rest = waiting
    landed = [1 + landings_most(rest, {**room, place: room[place] - 1}) for place in SUITS[first] if room[place]]
    return max([*landed, landings_most(rest, room)])


class Eviction:
    """Blue moves red's units out of the city one at a time, into places with limited room, until four are left."""

    def candidates(self, table: Table, asked: Open) -> list[Command]:
        """Return each unit combined with each place."""
        return [Evict(piece, to) for piece in table.pieces_at(CITY) for to in ("farm", "mill")]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse a full place, and a unit that is not in the city."""
        if not isinstance(command, Evict):
            return Refusal("answer_must_fit", RULE, "Units are being moved out.")
        if command.piece not in table.pieces_at(CITY) or command.to not in ("farm", "mill"):
            return Refusal("piece_must_be_in_city", RULE, "There is no such unit in the city.")
        if len(table.pieces_at(PlaceId(command.to))) >= 5:
            return Refusal("place_must_have_room", RULE, "It is full.")
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the unit, and ask again while too many are left."""
        assert isinstance(command, Evict)
        draft.move(PieceId(command.piece), PlaceId(command.to), RULE)
        if len(draft.table.pieces_at(CITY)) <= 4:
            draft.answered(RULE)
            draft.close()


QUESTIONS: dict[str, Decision] = {
    "advance": advance(),
    "lead": lead(),
    "recruits": recruits(),
    "mines": mines(),
    "rations": rations(),
    "guns": guns(),
    "landings": landings(),
    "evict": Eviction(),
}


class Alike(DecisionRules):
    """Infantry in one place is interchangeable unless it has attributes."""

    @override
    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return the kind of a piece with its attributes."""
        return f"{table.pieces[piece].kind} {sorted(table.attributes.get(piece, {}))}"


class GarrisonRules(SkirmishRules):
    """The rules; narration and positions are inherited from the skirmish."""

    def __init__(self, text: str) -> None:
        self.stack = Alike(QUESTIONS)
        self.digest = Digest(hashlib.sha256(text.encode()).hexdigest())

    @override
    def set_up(self, draft: Draft) -> None:
        kind = draft.table.scenario
        alike = [f"infantry-{number:02}" for number in range(1, 21 if kind == "advance" else 9)]
        for piece in (*alike, *LEADERS):
            draft.place(PieceId(piece), CITY, RULE, kind=piece.partition("-")[0], side=REDS)
        draft.form(HAND, (CardId("heavy"), CardId("light"), CardId("smoke")), RULE, seen_by=(RED,))
        draft.form(MINES, (), RULE, seen_by=(RED,))
        draft.begin_round(1, RULE)
        draft.begin_turn(REDS, RULE)
        draft.ask("after", RED, RULE)
        draft.ask(kind.partition("-")[0], BLUE if kind == "evict" else RED, RULE, {"crowded": kind.partition("-")[2]})

    @override
    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)


class After:
    """The question after the answer: red rolls, again and again."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer a roll."""
        return [Done()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a roll."""
        return None if isinstance(command, Done) else Refusal("answer_must_fit", RULE, "Roll.")

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Roll."""
        draft.dice(3, "after", RULE)


QUESTIONS["after"] = After()

MODE = Mode("", "Two players", {RED: REDS, BLUE: BLUES})


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the rules."""
    rules = GarrisonRules(board or "")
    return BoundGame(rules.digest, lambda: rules, lambda: rules, lambda: rules)


GAME = Game(
    key=GameKey("garrison"),
    title="Garrison",
    edition="1.0",
    sides=(REDS, BLUES),
    scenarios=tuple(
        Scenario(key, key.title(), (MODE,))
        for key in ("advance", "lead", "recruits", "mines", "rations", "guns", "landings", "landings-crowded", "evict")
    ),
    options=(),
    bind=bind,
    shipped_board=lambda: b"",
    package="tests.support",
    deciding=("skirmish.py",),
    load_policies=dict,
)
