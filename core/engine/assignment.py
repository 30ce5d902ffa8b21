"""Assignments: selections that put items into places of limited capacity, as many as fit at once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Items, Pick, Picks, Places, Selection
from core.refusal import Refusal
from events.ids import RuleId
from projections.state.table import Open, Table


def assignment(
    rule: Callable[[Open], RuleId],
    items: Items,
    places: Places,
    room: Callable[[Table, Open, str], int],
    carry_out: Callable[[Draft, Open, Picks], None],
    *,
    refuse_other: Callable[[Table, Open, Command], Refusal] | None = None,
    is_secret: bool = False,
) -> Selection:
    """Return a selection that assigns items to places of limited capacity: all of them, or as many as fit at once.

    A pick that would leave another item without a suitable place is refused.

    Args:
        rule: Returns the rule under which the choice is made.
        items: Returns the items to assign.
        places: Returns the places that suit an item.
        room: Returns how many of the items a place takes.
        carry_out: Executes the choice; see `Selection`.
        refuse_other: Returns why another command does not answer the question.
        is_secret: No other seat learns of the picks.
    """

    def most(table: Table, asked: Open) -> int:
        """Return how many items can be assigned, including those already assigned."""
        suits = {item: list(places(table, asked, item)) for item in items(table, asked)}
        rooms = {place: room(table, asked, place) for found in suits.values() for place in found}
        return matching(suits, rooms, asked.picks)

    def bounds(table: Table, asked: Open) -> tuple[int, int]:
        count = most(table, asked.with_picks(()))
        return count, count

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item not in items(table, asked):
            return Refusal("item_must_be_candidate", rule(asked), f"{pick.item!r} cannot be chosen here.")
        if pick.to not in places(table, asked, pick.item):
            return Refusal("place_must_suit", rule(asked), f"{pick.item!r} cannot go to {pick.to!r}.")
        if [place for _, place in asked.picks].count(pick.to) >= room(table, asked, pick.to):
            return Refusal("place_must_have_room", rule(asked), f"{pick.to!r} is full.")
        return None

    return Selection(
        rule,
        items,
        bounds,
        carry_out,
        places=places,
        refuse_pick=refuse_pick,
        is_completable=lambda table, asked: most(table, asked) == bounds(table, asked)[1],
        refuse_other=refuse_other,
        is_secret=is_secret,
    )


def matching(suits: Mapping[str, Sequence[str]], room: Mapping[str, int], fixed: Picks = ()) -> int:
    """Return how many items can be assigned at once, including those with a fixed place.

    Args:
        suits: Each item with the places that suit it.
        room: How many items each place takes.
        fixed: Items with a fixed place.
    """
    held: dict[str, list[str]] = {place: [] for place in room}
    taken = Counter([place for _, place in fixed])

    def assign(item: str, tried: set[str]) -> bool:
        """Assign an item, moving others to other suitable places if that makes room."""
        for place in suits[item]:
            if place in tried:
                continue
            tried.add(place)
            there = held[place]
            if len(there) + taken[place] < room[place]:
                there.append(item)
                return True
            for index, other in enumerate(there):
                if assign(other, tried):
                    there[index] = item
                    return True
        return False

    assigned = {item for item, _ in fixed}
    return len(fixed) + sum([assign(item, set()) for item in suits if item not in assigned])
