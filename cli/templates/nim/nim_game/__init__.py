"""Nim: two players take counters from a heap, and who takes the last one wins."""

from wardiary.game import (
    Act,
    Command,
    Draft,
    Inventory,
    Open,
    RuleId,
    Seat,
    Side,
    Table,
    Track,
    TrackId,
    by_worth,
    small_game,
)

FIRST, SECOND = Seat("first"), Seat("second")
SIDES = {FIRST: Side("first"), SECOND: Side("second")}
HEAP, SIZE, MOST = TrackId("heap"), 15, 3
TAKE, END = RuleId("take"), RuleId("end")


def set_up(draft: Draft) -> None:
    """Lay the heap, and let the first player begin."""
    draft.track(HEAP, SIZE, TAKE)
    begin_turn(draft, FIRST)


def begin_turn(draft: Draft, seat: Seat) -> None:
    """Ask a player how many counters to take."""
    draft.begin_turn(SIDES[seat], TAKE)
    draft.ask("turn", seat, TAKE)


class Take(Act, frozen=True):
    """Take some counters from the heap."""

    rule = TAKE
    words = "Take {count}"

    count: int

    @classmethod
    def candidates(cls, table: Table, asked: Open) -> list["Take"]:
        """Return every number that may be taken at most."""
        return [cls(count) for count in range(1, MOST + 1)]

    def refuse(self, table: Table, asked: Open) -> str | None:
        """Refuse none, too many, and more than there are."""
        return None if 1 <= self.count <= min(MOST, table.track(HEAP)) else "count_must_be_possible"

    def take(self, draft: Draft, asked: Open) -> None:
        """Take the counters; who takes the last one wins."""
        draft.track(HEAP, draft.table.track(HEAP) - self.count, TAKE)
        if not draft.table.track(HEAP):
            draft.end_match("Last Counter", (SIDES[asked.seat],), END)
        begin_turn(draft, SECOND if asked.seat == FIRST else FIRST)


def thoughtful(table: Table, seat: Seat, option: Command) -> float:
    """Return 1 for a number that leaves a multiple of four, which loses."""
    return float(isinstance(option, Take) and (table.track(HEAP) - option.count) % (MOST + 1) == 0)


GAME = small_game(
    __name__,
    key="nim",
    title="Nim",
    seats=SIDES,
    acts=(Take,),
    set_up=set_up,
    inventory=Inventory(
        sides={SIDES[FIRST]: "First Player", SIDES[SECOND]: "Second Player"},
        tracks=[Track(id=HEAP, name="Heap", most=SIZE)],
    ),
    rule=TAKE,
    bots={"thoughtful": by_worth(thoughtful)},
    has_dice=False,
)
