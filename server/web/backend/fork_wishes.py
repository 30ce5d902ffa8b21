"""Forks that a visitor begins: what may be wished for, the fork, and the seats that are taken in it."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

from core.chance.schemes import SEEDED
from core.telling.chosen_options import has_dice
from events.ids import ARBITER, MatchId, Seat
from projections.state.forks import RESAMPLE
from projections.state.seating import is_over
from projections.state.table import Table
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.protocol.player_names import name_problem
from server.web.backend.gateway import Caller
from server.web.http.requests import number_of

EVERY = "*"
"""Stands for every seat that is free in the fork."""
NAME_MAX = 60
FACES_MAX = 100

NOT_FORKED = frozenset(
    (
        "fork_not_allowed",
        "not_possible",
        "unknown_dice",
        "unknown_name",
        "dice_missing",
        "draw_missing",
        "dice_impossible",
        "seed_missing",
        "setup_invalid",
        "rules_changed",
        "key_used",
        "too_many",
    )
)
"""The codes of failures after which another fork can be wished for."""


class ForkWish(NamedTuple):
    """A fork that is wished for.

    Attributes:
        at: The event after which it leaves the match, by the count of the seat that forks.
        dice: As in a request for a fork.
        seed: That of seeded dice.
        hidden: As in a request for a fork.
        faces: Those of the next dice.
        sit: The seat that the visitor takes, `EVERY`, or nothing.
        name: The visitor's name.
        key: The idempotency key; two different wishes of one form have two keys.
    """

    at: int
    dice: str
    seed: str
    hidden: str
    faces: tuple[int, ...]
    sit: str
    name: str
    key: str


def fork_of(fields: Mapping[str, str], at: int) -> ForkWish | str:
    """Return the fork that a form wishes for, or what is wrong with it in a sentence."""
    typed = fields.get("faces", "").replace(",", " ").split()
    faces = [number_of(word) for word in typed[: FACES_MAX + 1]]
    if None in faces:
        return "Faces of dice are numbers, such as 6, 6, 1."
    if len(faces) > FACES_MAX:
        return f"At most {FACES_MAX} faces of dice can be chosen; leave the later ones out."
    dice, seed = fields.get("dice", "fresh"), fields.get("seed", "").strip()
    if seed and dice != "seeded":
        return "Only dice that follow from a seed have one: choose them, or leave the seed empty."
    name = fields.get("name", "").strip()[:NAME_MAX]
    if why := name_problem(name):
        return f"{why[:1].upper()}{why[1:]}."
    said = "\n".join(fields.get(field, "") for field in ("at", "dice", "seed", "hidden", "faces"))
    return ForkWish(
        at=at,
        dice=dice,
        seed=seed,
        hidden=fields.get("hidden", ""),
        faces=tuple(face for face in faces if face is not None),
        sit=fields.get("sit", ""),
        name=name,
        key=f"web-{fields['key']}-{sha256(said.encode()).hexdigest()[:16]}-try",
    )


def dice_choices(table: Table, seat: Seat) -> list[tuple[str, str]]:
    """Return the sources of dice that a seat may wish for, each with its words; a running match must not disclose its later dice."""
    found = [("fresh", f"new ones, {'rolled' if has_dice(table.game) else 'made'} by the server")]
    if is_over(table) or seat == ARBITER:
        found.append(("seeded", "new ones that follow from a seed"))
    if table.chance.scheme == SEEDED:
        found.append(("same", "the same as here, as long as the same is done"))
    if is_over(table) or seat == ARBITER:
        found.append(("manual", "typed in"))
    return found


def free_seats(table: Table) -> list[Seat]:
    """Return the seats that can be taken in a fork which begins here; before play begins, those that are taken stay so."""
    return [seat for seat in table.seats if table.began or seat not in table.players]


def hidden_choices(table: Table, seat: Seat) -> list[tuple[str, str]]:
    """Return what may become of what is hidden, each with its words; nothing where the rules leave no choice."""
    if not is_over(table) and seat != ARBITER:
        return []
    return [("truth", "stays as it was"), (RESAMPLE, "is dealt again")]


async def make_fork(caller: Caller, match: MatchId, seat: Seat, wish: ForkWish, visitor: str) -> MatchId:
    """Begin a fork for the visitor from an address; the same wish, sent twice, is one.

    Raises:
        RequestFailed: The seat may not have this fork, or it is not possible.
    """
    opened = await caller.fork(
        match,
        seat,
        wish.at,
        dice=wish.dice,
        hidden=wish.hidden,
        seed=wish.seed,
        faces=wish.faces,
        key=wish.key,
        visitor=visitor,
    )
    if seat == ARBITER:
        caller.add_token(opened.match, ARBITER, caller.token(match, ARBITER))
    return opened.match


async def take_seats(
    caller: Caller, match: MatchId, forked: MatchId, wish: ForkWish, secret_of: Callable[[Seat], str]
) -> tuple[Table, Mapping[Seat, str]]:
    """Take the seats that the visitor wishes for, as far as they are free.

    Args:
        caller: The visitor.
        match: The match that was forked.
        forked: The fork.
        wish: Says which seats, and under which name.
        secret_of: Returns the secret of a seat, the same one if the form is sent again.

    Returns:
        The table as the public sees it, and the secrets of the seats that are the visitor's.
    """
    table = (await caller.state(forked)).table
    wanted = [seat for seat in table.seats if wish.sit in (seat, EVERY)]
    taken: dict[Seat, str] = {}
    for seat in wanted:
        secret = secret_of(seat)
        caller.add_token(forked, seat, secret)
        try:
            if seat in table.players:
                await caller.state(forked, seat)
            else:
                own = caller.token(match, seat) if seat in table.reserved else ""
                share = len(wanted) == 1
                await caller.take_seat(forked, seat, wish.name, share=share, secret=secret, invitation=own)
        except RequestFailed:
            # Another player has the seat.
            continue
        taken[seat] = secret
    if arbiter := caller.token(forked, ARBITER):
        taken[ARBITER] = arbiter
        # The fork of a running match is the arbiter's alone, with all its seats.
        taken |= {seat: arbiter for seat in table.reserved if table.credentials.get(seat) == credential(arbiter)}
    return (await caller.state(forked)).table, taken


def not_forked(error: RequestFailed) -> str:
    """Return why a fork was not begun, in a sentence."""
    said = str(error)
    return f"Not tried: {said[:1].upper()}{said[1:]}".rstrip(".") + "."
