"""Liar's Dice: two to four players roll in secret, bid on all dice together, and challenge. A small game for War Diary, to be copied.

Who is wrong loses a die, and who has the last dice wins. The dice are hidden: each player sees its own.
"""

from wardiary.game import (
    DICE,
    Act,
    Command,
    Draft,
    Inventory,
    Memory,
    Mode,
    Open,
    RuleId,
    Scenario,
    Seat,
    Side,
    Table,
    Track,
    TrackId,
    by_worth,
    faces_on,
    show_dice,
    small_game,
    take_dice_away,
)

NAMES = {"north": "North", "east": "East", "south": "South", "west": "West"}
SEATS = [Seat(name) for name in NAMES]
MODES = [Mode(f"{count}", f"{count} players", {seat: Side(seat) for seat in SEATS[:count]}) for count in (2, 3, 4)]
DICE_EACH = 5
ROLL, BID, CHALLENGE, END = RuleId("roll"), RuleId("bid"), RuleId("challenge"), RuleId("end")
LEFT = {seat: TrackId(f"left-{seat}") for seat in SEATS}
"""How many dice each player still has."""


def players(table: Table) -> list[Seat]:
    """Return the seats that still have dice, in the order of play."""
    return [seat for seat in table.seats if table.track(LEFT[seat])]


def after(table: Table, seat: Seat) -> Seat:
    """Return the next seat that still has dice."""
    order = [*table.seats, *table.seats]
    return next(one for one in order[order.index(seat) + 1 :] if one in players(table))


def total(table: Table) -> int:
    """Return how many dice all players have."""
    return sum(table.track(LEFT[seat]) for seat in table.seats)


def set_up(draft: Draft) -> None:
    """Give dice to each player, and begin the first round."""
    for seat in draft.table.seats:
        draft.track(LEFT[seat], DICE_EACH, ROLL)
    begin_round(draft, draft.table.seats[0])


def begin_round(draft: Draft, seat: Seat) -> None:
    """Let each player roll in secret, and ask a seat for the first bid."""
    number = draft.table.round + 1
    draft.begin_round(number, ROLL)
    for one in players(draft.table):
        draft.dice(draft.table.track(LEFT[one]), f"round {number}", ROLL, about=one, seen_by=(one,))
    ask(draft, seat, 0, 0)


def ask(draft: Draft, seat: Seat, count: int, face: int) -> None:
    """Ask a seat to answer a bid; a count of 0 is none."""
    draft.begin_turn(draft.table.side_of(seat), BID)
    so_far = f"{count} of {face}" if count else "none"
    draft.ask("bid", seat, BID, {"count": count, "face": face, "so_far": so_far})


class Bid(Act, frozen=True):
    """Bid that so many dice at least show a face, among all."""

    asked = "bid"
    rule = BID
    words = "Bid {count} of {face}"

    count: int
    face: int

    @classmethod
    def candidates(cls, table: Table, asked: Open) -> list["Bid"]:
        """Return all bids on the dice that there are."""
        return [cls(count, face) for count in range(1, total(table) + 1) for face in range(1, 7)]

    def refuse(self, table: Table, asked: Open) -> str | None:
        """Refuse a bid that cannot be, or that is no higher than the one before."""
        if not (1 <= self.face <= 6 and 1 <= self.count <= total(table)):
            return "bid_must_be_possible"
        is_higher = (self.count, self.face) > (asked.number("count"), asked.number("face"))
        return None if is_higher else "bid_must_be_higher"

    def take(self, draft: Draft, asked: Open) -> None:
        """Put the bid to the next player."""
        draft.apply(BID, f"{NAMES[asked.seat]} bids {self.count} of {self.face}")
        ask(draft, after(draft.table, asked.seat), self.count, self.face)


class Challenge(Act, frozen=True):
    """Challenge the bid of the player before."""

    asked = "bid"
    rule = CHALLENGE
    words = "Challenge the bid"
    is_final = True

    def refuse(self, table: Table, asked: Open) -> str | None:
        """Refuse it where nothing was bid."""
        return None if asked.number("count") else "bid_must_be_made"

    def take(self, draft: Draft, asked: Open) -> None:
        """Show all dice; who was wrong loses one."""
        count, face = asked.number("count"), asked.number("face")
        seats = players(draft.table)
        bidder = seats[seats.index(asked.seat) - 1]
        found = sum(show_dice(draft, seat, CHALLENGE).count(face) for seat in seats)
        draft.apply(CHALLENGE, f"{found} dice show {face}, and {count} were bid")
        loser = asked.seat if found >= count else bidder
        draft.track(LEFT[loser], draft.table.track(LEFT[loser]) - 1, CHALLENGE)
        if loser not in players(draft.table):
            take_dice_away(draft, loser, CHALLENGE)
        winner, *others = players(draft.table)
        if not others:
            draft.end_match("Last Dice", (draft.table.side_of(winner),), END)
        begin_round(draft, loser if loser in players(draft.table) else after(draft.table, loser))


def cautious(table: Table, seat: Seat, option: Command) -> float:
    """Return how likely an option looks: by the own dice, and a sixth of the others."""
    asked, own = table.stack[-1], faces_on(table, seat)
    bid = option if isinstance(option, Bid) else Bid(asked.number("count"), asked.number("face"))
    surplus = own.count(bid.face) + (total(table) - len(own)) / 6 - bid.count
    return surplus if isinstance(option, Bid) else -surplus


GAME = small_game(
    __name__,
    key="liars_dice",
    title="Liar's Dice",
    seats={},
    scenarios=(Scenario("table", "At the Table", tuple(MODES)),),
    acts=(Bid, Challenge),
    set_up=set_up,
    inventory=Inventory(
        sides={Side(seat): name for seat, name in NAMES.items()},
        tracks=[Track(id=track, name=f"{NAMES[seat]}'s Dice", most=DICE_EACH) for seat, track in LEFT.items()],
        memory=Memory({"side": (DICE,)}),
    ),
    rule=ROLL,
    bots={"cautious": by_worth(cautious)},
)
