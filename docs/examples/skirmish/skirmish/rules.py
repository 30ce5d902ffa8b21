"""The rules: commands, questions, and what follows from the answers. Comments and names follow `data/rules.toml`."""

from collections.abc import Iterator, Sequence

from skirmish.components import (
    BLUE,
    BLUES,
    CAMPS,
    DECK,
    DISCARDS,
    FIELD_NAMES,
    FRESH,
    HANDS,
    HILL,
    MARCHED,
    NEIGHBOURS,
    RALLIED,
    RED,
    REDS,
    SIDES,
    SQUAD_NAMES,
    inventory,
)
from wardiary.game import (
    CardId,
    Choose,
    Command,
    Dealing,
    DecisionRules,
    Decoder,
    Done,
    Draft,
    Modifier,
    Open,
    Pick,
    Picks,
    PieceId,
    PlaceId,
    Refusal,
    RuleId,
    Seat,
    Selection,
    Side,
    Table,
    Unpick,
    families,
)

SET_UP, TURN, MARCH = RuleId("1.set-up"), RuleId("2.turn"), RuleId("2.march")
ATTACK, DICE, ON_HILL = RuleId("3.attack"), RuleId("3.dice"), RuleId("3.hill")
RALLY, END = RuleId("4.rally"), RuleId("5.end")


class March(Command, frozen=True, tag="march"):
    """March a squad to a neighbouring place, or attack an enemy there."""

    squad: PieceId
    to: PlaceId


class Rally(Command, frozen=True, tag="rally"):
    """Discard a card; which squads it rallies is asked next."""

    card: CardId


class Stand(Command, frozen=True, tag="stand"):
    """Stand and let the dice decide."""


class FallBack(Command, frozen=True, tag="fall-back"):
    """Leave the field to the attacker."""

    to: PlaceId


SkirmishCommand = March | Rally | Stand | FallBack | Pick | Unpick | Done | Choose


def squads(table: Table, side: Side) -> list[PieceId]:
    """Return the squads of a side on the table, in a stable order."""
    return [squad for squad in SQUAD_NAMES[side] if squad in table.pieces]


def spent(table: Table, seat: Seat) -> list[PieceId]:
    """Return the squads of a seat that have lost a step."""
    return [squad for squad in squads(table, SIDES[seat]) if table.pieces[squad].steps < FRESH]


def holder(table: Table, place: PlaceId) -> PieceId | None:
    """Return the squad that holds a field, or None if it is empty or a camp."""
    return next(iter(table.pieces_at(place)), None) if place in FIELD_NAMES else None


def is_open(table: Table, place: PlaceId, side: Side) -> bool:
    """Return whether a squad of a side may go to a place without a fight."""
    return holder(table, place) is None if place in FIELD_NAMES else place == CAMPS[side]


def set_up(draft: Draft) -> None:
    """Deal the cards, place the squads and let Red begin."""
    draft.form(DECK, tuple(RALLIED), SET_UP, seen_by=())
    draft.form(DISCARDS, (), SET_UP)
    for seat, side in SIDES.items():
        draft.form(HANDS[seat], (), SET_UP, seen_by=(seat,))
        for _ in range(2):
            draft.draw_card(DECK, HANDS[seat], f"deal to {seat}", SET_UP, seen_by=(seat,))
        for squad in SQUAD_NAMES[side]:
            draft.place(squad, CAMPS[side], SET_UP, kind="squad", side=side, steps=FRESH)
    draft.begin_round(1, TURN)
    begin_turn(draft, RED)


def begin_turn(draft: Draft, seat: Seat) -> None:
    """Begin a seat's turn with its question."""
    draft.begin_turn(SIDES[seat], TURN)
    draft.ask("turn", seat, TURN)


class Turn:
    """What a seat does in its turn; the question stays open until it is done."""

    def candidates(self, table: Table, asked: Open) -> Iterator[Command]:
        """Yield all commands that might be legal; those that `refuse` accepts are the options."""
        for squad in squads(table, SIDES[asked.seat]):
            yield from [March(squad, place) for place in NEIGHBOURS[table.pieces[squad].place]]
        yield from [Rally(card) for card in sorted(table.pile(HANDS[asked.seat]).cards)]
        yield Done()

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, in the order of the index, or None if it is."""
        side = SIDES[asked.seat]
        match command:
            case March(squad, _) if squad not in squads(table, side):
                return Refusal("squad_must_be_own", MARCH, f"There is no squad {squad!r} of this side.")
            case March(squad, _) if MARCHED.of(table, squad):
                return Refusal("squad_must_be_rested", MARCH, "The squad has marched this turn.")
            case March(squad, to) if to not in NEIGHBOURS[table.pieces[squad].place]:
                return Refusal("place_must_be_neighbour", MARCH, f"{to!r} is not a neighbouring place.")
            case March(_, to):
                enemy = holder(table, to)
                if is_open(table, to, side) or (enemy is not None and table.pieces[enemy].side != side):
                    return None
                return Refusal("place_must_be_open", MARCH, f"A squad cannot go to {to!r} now.")
            case Rally(card) if card not in table.pile(HANDS[asked.seat]).cards:
                return Refusal("card_must_be_in_hand", RALLY, f"There is no card {card!r} in the hand.")
            case Rally():
                refusal = Refusal("squad_must_be_spent", RALLY, "No squad is spent.")
                return None if spent(table, asked.seat) else refusal
            case Done():
                return None
            case _:
                return Refusal("answer_must_fit", TURN, "March, rally, or be done.")

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """March, attack, rally, or end the turn."""
        match command:
            case March(squad, to):
                MARCHED.set(draft, squad, value=True, rule=MARCH)
                enemy = holder(draft.table, to)
                if enemy is None:
                    enter(draft, squad, to, MARCH)
                else:
                    defender = draft.table.seat_of(draft.table.pieces[enemy].side)
                    draft.ask("attack", defender, ATTACK, {"squad": squad, "defender": enemy})
            case Rally(card):
                draft.discard(card, HANDS[asked.seat], DISCARDS, RALLY)
                draft.ask("rally", asked.seat, RALLY, {"most": RALLIED[card]})
            case _:
                draft.answered(TURN)
                end_turn(draft, asked.seat)


def enter(draft: Draft, squad: PieceId, place: PlaceId, rule: RuleId) -> None:
    """Move a squad; it controls the field that it enters."""
    draft.move(squad, place, rule)
    if place in FIELD_NAMES:
        draft.control(place, draft.table.pieces[squad].side, rule)


class Attack:
    """Whether the defender stands; asked while the attacker's turn waits below."""

    def candidates(self, table: Table, asked: Open) -> list[Command]:
        """Return standing, and falling back to each neighbouring place."""
        place = table.pieces[PieceId(asked.text("defender"))].place
        return [Stand(), *[FallBack(to) for to in NEIGHBOURS[place]]]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is."""
        place = table.pieces[PieceId(asked.text("defender"))].place
        match command:
            case Stand():
                return None
            case FallBack(to) if to not in NEIGHBOURS[place]:
                return Refusal("place_must_be_neighbour", ATTACK, f"{to!r} is not a neighbouring place.")
            case FallBack(to) if not is_open(table, to, SIDES[asked.seat]):
                return Refusal("place_must_be_open", ATTACK, f"A squad cannot fall back to {to!r}.")
            case FallBack():
                return None
            case _:
                return Refusal("answer_must_fit", ATTACK, "Stand, or fall back.")

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Fight, or leave the field to the attacker."""
        attacker, defender = PieceId(asked.text("squad")), PieceId(asked.text("defender"))
        place = draft.table.pieces[defender].place
        draft.answered(ATTACK)
        if isinstance(command, FallBack):
            enter(draft, defender, command.to, ATTACK)
        else:
            fight(draft, attacker, defender)
        if attacker in draft.table.pieces and holder(draft.table, place) is None:
            enter(draft, attacker, place, ATTACK)
        for side, enemy in ((REDS, BLUES), (BLUES, REDS)):
            if not squads(draft.table, enemy):
                draft.end_match("Rout", (side,), END)


def fight(draft: Draft, attacker: PieceId, defender: PieceId) -> None:
    """Roll for both; the lower one loses a step, on equal dice the attacker."""
    bonus = 1 if draft.table.pieces[defender].place == HILL else 0
    (attack,) = draft.dice(1, "attack", DICE, about=attacker)
    modifiers = (Modifier(ON_HILL, "on the Hill", bonus),) if bonus else ()
    (defence,) = draft.dice(1, "defence", DICE, about=defender, modifiers=modifiers)
    loser = defender if attack > defence + bonus else attacker
    if draft.table.pieces[loser].steps > 1:
        draft.turn(loser, "", DICE, steps=draft.table.pieces[loser].steps - 1)
    else:
        draft.remove(loser, DICE)


def most(table: Table, asked: Open) -> tuple[int, int]:
    """Return how many squads a card rallies, at least and at most."""
    return 1, min(asked.number("most"), len(spent(table, asked.seat)))


def rally(draft: Draft, asked: Open, picks: Picks) -> None:
    """Make the chosen squads fresh, and draw a card if there is one."""
    for squad, _ in picks:
        draft.turn(PieceId(squad), "", RALLY, steps=FRESH)
    if draft.table.pile(DECK).count:
        draft.draw_card(DECK, HANDS[asked.seat], f"draw of {asked.seat}", RALLY, seen_by=(asked.seat,))


def rallying(table: Table, asked: Open) -> Sequence[str]:
    """Return the squads that can be chosen."""
    return spent(table, asked.seat)


RALLYING = Selection(lambda _: RALLY, rallying, most, rally)
"""Which squads are rallied: picked one at a time, or chosen in one command."""


def end_turn(draft: Draft, seat: Seat) -> None:
    """Let the other seat have its turn; after Blue's begins a round, or the match ends."""
    table, rounds = draft.table, draft.table.options["rounds"]
    assert isinstance(rounds, int)
    if seat == RED:
        begin_turn(draft, BLUE)
    elif table.round < rounds:
        draft.begin_round(table.round + 1, TURN)
        begin_turn(draft, RED)
    else:
        winner = table.control.get(HILL)
        draft.end_match("Hill", (winner,) if winner else (), END)


class SkirmishRules(DecisionRules):
    """All questions put together, and what holds before any of them is asked."""

    decoder = Decoder(SkirmishCommand)

    def __init__(self) -> None:
        super().__init__(
            {"turn": Turn(), "attack": Attack(), "rally": RALLYING},
            standing_decisions=("attack",),
            dealing=Dealing(families(inventory("", {}).piles)),
        )

    def set_up(self, draft: Draft) -> None:
        """Set the table up and ask Red."""
        set_up(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command of a seat is not legal, or None if it is."""
        asked = table.top
        if table.ended is not None or asked is None:
            return Refusal("match_must_be_running", END, "The match is over.")
        if seat != asked.seat:
            return Refusal("seat_must_be_asked", TURN, f"The question is put to {asked.seat}.")
        return self.kinds[asked.kind].refuse(table, asked, command)
