"""Selections: questions that take several items, one small command at a time.

A seat picks items, undoes picks and ends the selection; or it sends the whole choice in one command. Choosing n of m, naming an
item several times and assigning items to places are the same question. What was picked lies in the question itself
(`projections.state.table.Open.picked`) and vanishes with it, and the order of picking makes no difference.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates
from core.refusal import Refusal
from events.ids import RuleId, Seat
from events.vocabulary import ItemPicked, ItemUnpicked
from projections.bounds import PRIVATE_EVENTS_MAX, PRIVATE_EVENTS_OF_SEAT_MAX
from projections.state.table import Open, Table

SELECTION = RuleId("match.selection")

Picks = Sequence[tuple[str, str]]
"""Items with their places; a place is empty if items are not assigned."""


class Pick(Command, frozen=True, tag="pick"):
    """Pick an item; in an assignment, for a place. There it also moves an item that is picked already."""

    item: str
    to: str = ""


class Unpick(Command, frozen=True, tag="unpick"):
    """Undo the pick of an item."""

    item: str


class Done(Command, frozen=True, tag="done"):
    """Be done with what can be ended: with picking, with buying, with a step or a phase."""


class Choose(Command, frozen=True, tag="choose"):
    """Send the whole choice at once; it replaces earlier picks.

    `items` are in ascending order. In an assignment `places` says where each of them goes.
    """

    items: tuple[str, ...]
    places: tuple[str, ...] = ()

    @property
    def picks(self) -> list[tuple[str, str]]:
        """The items with their places."""
        return list(zip(self.items, self.places or [""] * len(self.items), strict=True))


SelectionCommand = Pick | Unpick | Done | Choose


Items = Callable[[Table, Open], Iterable[str]]
Bounds = Callable[[Table, Open], tuple[int, int]]
Places = Callable[[Table, Open, str], Iterable[str]]
Judge = Callable[[Table, Open], Refusal | None]


class Selection:
    """A question that takes several items. A game defines which, how many, and the result.

    Everything that a game says is asked again after every pick, and may depend on what is picked so far (`asked.picked`).
    The legal commands are those of `options`, and `Choose` with any choice that they can make. Where exactly one item is
    chosen, picking it answers the question. A question is only asked where there is a whole choice.

    Args:
        rule: Returns the rule under which the choice is made.
        items: Returns the candidates, in a stable order that discloses no secret.
        bounds: Returns how many items are chosen, at least and at most.
        carry_out: Executes a whole choice, whose picks are in ascending order; the question is closed already.
        places: Returns where an item might be assigned, if items are assigned.
        refuse_pick: Returns why an item may not be added to what is picked so far, its number aside; by default all `items` may.
        refuse_count: Returns why this number of items is not a whole choice, in the game's own words.
        refuse_whole: Returns why items within the bounds are not a whole choice. With it goes `is_completable`.
        is_completable: Returns whether a whole choice can be made with what is picked, which is none yet. By default there must
            be items enough for the minimum.
        refuse_other: Returns why a command that makes no selection does not answer the question.
        is_secret: No other seat learns of the picks, not even their number.
        may_repeat: An item may be picked more than once.
    """

    def __init__(
        self,
        rule: Callable[[Open], RuleId],
        items: Items,
        bounds: Bounds,
        carry_out: Callable[[Draft, Open, Picks], None],
        *,
        places: Places | None = None,
        refuse_pick: Callable[[Table, Open, Pick], Refusal | None] | None = None,
        refuse_count: Judge | None = None,
        refuse_whole: Judge | None = None,
        is_completable: Callable[[Table, Open], bool] | None = None,
        refuse_other: Callable[[Table, Open, Command], Refusal] | None = None,
        is_secret: bool = False,
        may_repeat: bool = False,
    ) -> None:
        self.rule = rule
        self.items = items
        self.bounds = bounds
        self.carry_out = carry_out
        self.places = places or _nowhere
        self.is_secret = is_secret
        self.may_repeat = may_repeat
        self._judge_pick = refuse_pick or self._refuse_item
        self._judge_count = refuse_count
        self._judge_whole = refuse_whole
        self._judge_other = refuse_other
        self._is_completable = is_completable or self._has_enough

    def _refuse_item(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item in self.items(table, asked) and pick.to in self.places(table, asked, pick.item):
            return None
        return Refusal("item_must_be_candidate", self.rule(asked), f"{pick.item!r} cannot be chosen here.")

    def _has_enough(self, table: Table, asked: Open) -> bool:
        missing = self.bounds(table, asked)[0] - len(asked.picked)
        wanted, found = min(missing, 1) if self.may_repeat else missing, set[str]()
        for pick in self._new_picks(table, asked):
            if len(found) >= wanted:
                break
            if self._judge_pick(table, asked, pick) is None:
                found.add(pick.item)
        return len(found) >= wanted

    # The decision

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every pick that can lead to a whole choice, being done if it is possible, and every pick to be taken back.

        Where the seat has caused as many private events as a table holds, one whole choice is listed instead.
        """
        if self._is_full(table, asked):
            return [self._any_choice(table, asked)]
        found: list[Command] = list(self._picks(table, asked))
        if not self._is_single(table, asked) and self._refuse_done(table, asked) is None:
            found.append(Done())
        return [*found, *map(Unpick, dict.fromkeys(asked.picked))]

    def sampled(self, table: Table, asked: Open) -> Candidates:
        """Yield the candidates of the options; see `core.engine.decision.Sampled`."""
        if self._is_full(table, asked):
            yield (self._any_choice(table, asked),), None
            return
        if len(asked.picked) < self.bounds(table, asked)[1]:
            yield self._new_picks(table, asked), lambda one: isinstance(one, Pick) and self._may_add(table, asked, one)
        last: list[Command] = list(self._other_places(table, asked))
        if not self._is_single(table, asked):
            last.append(Done())
        yield last, lambda one: self.refuse(table, asked, one) is None

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command does not select, or None if it does."""
        match command:
            case Choose():
                return self._refuse_choice(table, asked, command)
            case Pick() | Unpick() if self._is_full(table, asked):
                return Refusal("picks_must_be_few", SELECTION, "Send the whole choice in one command.")
            case Pick():
                return self._refuse_pick(table, asked, command)
            case Unpick():
                return None if command.item in asked.picked else self._unpicked(asked, command.item)
            case Done():
                return self._refuse_done(table, asked)
            case _ if self._judge_other is not None:
                return self._judge_other(table, asked, command)
            case _:
                return Refusal(
                    "answer_must_be_choice",
                    self.rule(asked),
                    "Pick an item, undo a pick, or end the selection.",
                )

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Pick, take a pick back, or carry the whole choice out."""
        match command:
            case Unpick(item=item):
                self._unpick(draft, asked, item)
            case Pick(item=item, to=to) if not self._is_single(draft.table, asked):
                if not self.may_repeat and item in asked.picked:
                    self._unpick(draft, asked, item)
                draft.emit(ItemPicked(rule=self.rule(asked), item=item, to=to, seen_by=self._seen_by(asked)))
            case _:
                draft.answered(self.rule(asked))
                self.carry_out(draft, asked, _chosen(asked, command))

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return the small commands that a whole choice stands for; see `core.engine.decision.Expanding`."""
        if not isinstance(command, Choose) or self._is_full(table, asked):
            return (command,)
        picks = self._in_order(table, asked, command.picks)
        assert not isinstance(picks, Refusal), "the choice is not legal"
        found: list[Command] = [Unpick(item) for item in asked.picked]
        found += [Pick(item, to) for item, to in picks]
        return tuple(found) if self._is_single(table, asked) else (*found, Done())

    # What is legal

    def _picks(self, table: Table, asked: Open) -> Iterator[Pick]:
        """Yield the picks that can lead to a whole choice."""
        if len(asked.picked) < self.bounds(table, asked)[1]:
            yield from filter(lambda pick: self._may_add(table, asked, pick), self._new_picks(table, asked))
        yield from filter(lambda pick: self._refuse_pick(table, asked, pick) is None, self._other_places(table, asked))

    def _new_picks(self, table: Table, asked: Open) -> Iterator[Pick]:
        """Yield the picks that might be added."""
        for item in self.items(table, asked):
            if self.may_repeat or item not in asked.picked:
                for place in self.places(table, asked, item):
                    yield Pick(item, place)

    def _other_places(self, table: Table, asked: Open) -> Iterator[Pick]:
        """Yield what is picked, with each other place where it might go."""
        for item, place in asked.picks if asked.places and not self.may_repeat else ():
            for other in self.places(table, _without(asked, item), item):
                if other != place:
                    yield Pick(item, other)

    def _may_add(self, table: Table, asked: Open, pick: Pick) -> bool:
        """Return whether a pick may be added, and leads to a whole choice."""
        return self._judge_pick(table, asked, pick) is None and self._leads_on(table, with_pick(asked, pick))

    def _leads_on(self, table: Table, asked: Open) -> bool:
        return self._refuse_done(table, asked) is None or self._is_completable(table, asked)

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if not self.may_repeat and pick.item in asked.picked:
            if (pick.item, pick.to) in asked.picks:
                return Refusal("item_must_not_be_picked", self.rule(asked), f"{pick.item!r} is picked already.")
            asked = _without(asked, pick.item)
        refusal = self._refuse_place(asked, pick.to) or self._judge_pick(table, asked, pick)
        if refusal is not None:
            return refusal
        after = with_pick(asked, pick)
        if len(after.picked) > self.bounds(table, asked)[1]:
            return self._refuse_number(table, after)
        if self._leads_on(table, after):
            return None
        sentence = f"With {pick.item!r} no whole choice could be made."
        no = None if self._judge_whole is None else self._judge_whole(table, after)
        return no or Refusal("choice_must_be_completable", self.rule(asked), sentence)

    def _refuse_place(self, asked: Open, to: str) -> Refusal | None:
        """Return why items have no places here, or None if none is named or they have."""
        if not to or self.places is not _nowhere:
            return None
        return Refusal("item_must_be_candidate", self.rule(asked), "The items of this choice have no places.")

    def _unpicked(self, asked: Open, item: str) -> Refusal:
        return Refusal("item_must_be_picked", self.rule(asked), f"{item!r} is not picked.")

    def _refuse_done(self, table: Table, asked: Open) -> Refusal | None:
        refusal = self._refuse_number(table, asked)
        return self._judge_whole(table, asked) if refusal is None and self._judge_whole is not None else refusal

    def _refuse_number(self, table: Table, asked: Open) -> Refusal | None:
        low, high = self.bounds(table, asked)
        if low <= len(asked.picked) <= high:
            return None
        no = None if self._judge_count is None else self._judge_count(table, asked)
        if no is not None:
            return no
        if len(asked.picked) > high:
            return Refusal("choice_must_not_exceed_maximum", self.rule(asked), f"At most {high} can be chosen.")
        return Refusal("choice_must_reach_minimum", self.rule(asked), f"At least {low} must be chosen.")

    def _refuse_choice(self, table: Table, asked: Open, command: Choose) -> Refusal | None:
        items, places = command.items, command.places
        is_sorted = all(one < other or (self.may_repeat and one == other) for one, other in pairwise(items))
        if not is_sorted or (places and (len(places) != len(items) or not any(places))):
            order = "in ascending order" if self.may_repeat else "in ascending order, each once"
            sentence = f"A choice names its items {order}, and one place for each if they have places."
            return Refusal("choice_must_be_sorted", SELECTION, sentence)
        no = self._refuse_place(asked, "".join(places))
        if no is not None:
            return no
        asked = asked.with_picks(())
        if len(items) > self.bounds(table, asked)[1]:
            return self._refuse_number(table, asked.with_picks(command.picks))
        picks = self._in_order(table, asked, command.picks)
        return picks if isinstance(picks, Refusal) else self._refuse_done(table, asked.with_picks(picks))

    def _in_order(self, table: Table, asked: Open, picks: Picks) -> list[tuple[str, str]] | Refusal:
        """Return the picks of a whole choice in an order in which each may be added, or why there is none."""
        left, found = list(picks), list[tuple[str, str]]()
        while left:
            now = asked.with_picks(found)
            refusals = [self._judge_pick(table, now, Pick(item, to)) for item, to in left]
            if None not in refusals:
                first = refusals[0]
                assert first is not None
                return first
            found.append(left.pop(refusals.index(None)))
        return found

    def _any_choice(self, table: Table, asked: Open) -> Choose:
        """Return some whole choice: the first pick that leads on, again and again."""
        now = asked.with_picks(())
        while self._refuse_done(table, now) is not None:
            now = with_pick(now, next(self._picks(table, now)))
        return Choose(now.picked, now.places)

    # What is recorded

    def _unpick(self, draft: Draft, asked: Open, item: str) -> None:
        was = next(place for picked, place in asked.picks if picked == item)
        draft.emit(ItemUnpicked(rule=self.rule(asked), item=item, was=was, seen_by=self._seen_by(asked)))

    def _is_single(self, table: Table, asked: Open) -> bool:
        """Return whether exactly one item is chosen, so that picking it answers the question."""
        return self.bounds(table, asked) == (1, 1)

    def _seen_by(self, asked: Open) -> tuple[Seat, ...] | None:
        return (asked.seat,) if self.is_secret else None

    def _is_full(self, table: Table, asked: Open) -> bool:
        """Return whether the table cannot hold further picks that only some seats know of."""
        if not self.is_secret:
            return False
        # Moving an item in an assignment takes two events.
        private_events_of = len(table.private_events_of.get(asked.seat, ()))
        return private_events_of > PRIVATE_EVENTS_OF_SEAT_MAX - 2 or len(table.private_events) > PRIVATE_EVENTS_MAX - 2


def one_of(
    rule: RuleId,
    items: Items,
    take: Callable[[Draft, Open, str, str], None],
    *,
    places: Places | None = None,
    refuse_pick: Callable[[Table, Open, Pick], Refusal | None] | None = None,
    refuse_count: Judge | None = None,
    refuse_other: Callable[[Table, Open, Command], Refusal] | None = None,
) -> Selection:
    """Return the question which one of some items is chosen; `take` is called with the item and its place. See `Selection`."""
    return Selection(
        lambda _: rule,
        items,
        lambda *_: (1, 1),
        lambda draft, asked, picks: take(draft, asked, *picks[0]),
        places=places,
        refuse_pick=refuse_pick,
        refuse_count=refuse_count,
        refuse_other=refuse_other,
    )


def _nowhere(table: Table, asked: Open, item: str) -> tuple[str, ...]:
    return ("",)


def with_pick(asked: Open, pick: Pick) -> Open:
    """Return a question with one pick more."""
    return asked.with_picks([*asked.picks, (pick.item, pick.to)])


def after_pick(table: Table, pick: Pick) -> Table:
    """Return a table on which the topmost question has one pick more."""
    ahead = table.clone()
    ahead.stack = (*table.stack[:-1], with_pick(table.stack[-1], pick))
    return ahead


def _without(asked: Open, item: str) -> Open:
    return asked.with_picks([pick for pick in asked.picks if pick[0] != item])


def _chosen(asked: Open, command: Command) -> Picks:
    """Return the whole choice of a command."""
    match command:
        case Choose():
            return command.picks
        case Pick(item=item, to=to):
            return [(item, to)]
        case _:
            return asked.picks


def refuse_unsorted(items: Sequence[str], *, may_repeat: bool = False) -> Refusal | None:
    """Return why a list does not name a choice, or None if it does: in ascending order, and each item once if none may repeat."""
    if all(one < other or (may_repeat and one == other) for one, other in pairwise(items)):
        return None
    sentence = "Name the items in ascending order." if may_repeat else "Name the items in ascending order, each once."
    return Refusal("choice_must_be_sorted", SELECTION, sentence)


def onward(options: Sequence[Command]) -> list[Command]:
    """Return the options that undo no pick, for random bots, which would make no progress otherwise."""
    return [option for option in options if not isinstance(option, Unpick)] or list(options)


def has_exact_sum(values: Iterable[int], total: int) -> bool:
    """Return whether some of the values, each used once at most, add up to exactly a total; for `is_completable`."""
    sums = {0}
    for value in values:
        sums |= {one + value for one in sums if one + value <= total}
    return total in sums
