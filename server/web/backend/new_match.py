"""A new match as a visitor wishes for it: what its form asks, and how it is opened, seated, and given its bots."""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from core.errors import SetupInvalid, UnknownName
from core.game.game_record import Game, Mode, Scenario, option_defect, parse_option
from core.match.bound_games import is_on_shipped_board
from core.match.match_creation import title_defect
from core.registry.bot_policies import leveled, levels
from core.registry.games import load_game
from core.suggestions import unknown
from events.ids import MatchId, Seat, match_id
from events.vocabulary import TakingBack, Value
from projections.state.offices import Invitation
from projections.state.table import Table
from server.protocol.bot_seats import policy_of, without_budget
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.protocol.player_names import name_problem
from server.web.backend.gateway import Caller
from server.web.backend.lobby_games import OfferedBoard, first_match
from server.web.http.faults import Fault, PageFault

BOT, FRIEND, OPEN, SELF, WATCH = "bot", "friend", "open", "self", "watch"
AGAINST = (BOT, FRIEND, OPEN, SELF, WATCH)
"""Who has the other seats: bots, a friend with a link, anybody, the visitor, or bots also the visitor's."""
DICE = ("sealed", "seeded", "manual")
LOT = Seat("lot")
"""The seat of a visitor who lets the lot decide."""
OPTION = "option."
"""The beginning of the names of the fields of options."""
GUEST = "Guest"
"""The name of a visitor who gives none."""
INVITED_DAYS = 7
INVITED_MS = INVITED_DAYS * 24 * 3_600_000
"""How long the link to a friend's seat holds (milliseconds)."""
NAME_MAX = 60
SEED_MAX = 60


TAKING_BACK: dict[TakingBack, str] = {
    "consent": "what nobody has learned from; anything else if all agree",
    "free": "what nobody has learned from",
    "no": "nothing",
}
"""What may be taken back in a match, in words."""


class FieldWrong(SetupInvalid):
    """Fault of one field of the form of a new match.

    Args:
        field: The name of the field.
        why: A sentence.
    """

    def __init__(self, field: str, why: str) -> None:
        super().__init__((why,))
        self.field = field


class NewMatch(NamedTuple):
    """A match that a visitor wishes for.

    Attributes:
        game: The game.
        scenario: Its scenario.
        mode: Its mode.
        seat: The visitor's seat, or `LOT`.
        against: Who has the other seats, one of `AGAINST`.
        policy: How bots play, a level or a policy; empty for the usual one.
        dice: The source of dice, one of `DICE`.
        seed: The seed of seeded dice; empty for a new one.
        title: The title of the match, or nothing.
        name: The name of the visitor.
        taking_back: What may be taken back.
        options: The options that differ from the defaults, as texts.
        board: The name of an offered board; empty for that of the game.
    """

    game: Game
    scenario: Scenario
    mode: Mode
    seat: Seat
    against: str
    policy: str
    dice: str
    seed: str
    title: str
    name: str
    taking_back: TakingBack
    options: Mapping[str, str]
    board: str = ""

    @property
    def own_seats(self) -> Sequence[Seat]:
        """The seats that the visitor takes."""
        if self.against == WATCH:
            return ()
        return tuple(self.mode.seats) if self.against == SELF else (self.seat,)

    @property
    def invited_seats(self) -> Sequence[Seat]:
        """The seats that only a link of the visitor opens."""
        return [seat for seat in self.mode.seats if seat != self.seat] if self.against == FRIEND else ()

    @property
    def bot_seats(self) -> Sequence[Seat]:
        """The seats that bots take."""
        if self.against not in (BOT, WATCH):
            return ()
        return [seat for seat in self.mode.seats if seat not in self.own_seats]


def wish_of(fields: Mapping[str, str]) -> NewMatch:
    """Return the match that the fields of a form or of an address wish for; what they leave out has a good value.

    Raises:
        PageFault: They name something that there is not.
    """
    try:
        game = load_game(fields.get("game", ""))
        first_scenario, first_mode, first_seat = first_match(game)
        scenario = game.scenario(fields.get("scenario", "") or first_scenario.key)
        own_mode = first_mode.key if first_mode in scenario.modes else scenario.modes[0].key
        alone = [one.key for one in scenario.modes if len(one.seats) == 1]
        if fields.get("against") == SELF and alone:
            own_mode = alone[0]
        mode = scenario.mode(fields.get("mode", own_mode))
    except UnknownName as error:
        raise PageFault(not_understood(str(error))) from None
    against = fields.get("against", "") or (BOT if len(mode.seats) > 1 else SELF)
    dice = fields.get("dice", "") or "sealed"
    if why := _problem(against, dice):
        raise PageFault(not_understood(why))
    wished = Seat(fields.get("seat", ""))
    seat = (
        wished if wished in (*mode.seats, LOT) else first_seat if first_seat in mode.seats else next(iter(mode.seats))
    )
    return NewMatch(
        game=game,
        scenario=scenario,
        mode=mode,
        seat=seat,
        against=SELF if len(mode.seats) == 1 and against in (BOT, FRIEND, OPEN) else against,
        policy=fields.get("policy", ""),
        dice=dice,
        seed=fields.get("seed", "").strip()[:SEED_MAX],
        title=fields.get("title", "").strip(),
        name=fields.get("name", "").strip() or GUEST,
        taking_back=next((one for one in TAKING_BACK if one == fields.get("taking_back", "")), "consent"),
        options={key.removeprefix(OPTION): value for key, value in fields.items() if key.startswith(OPTION)},
        board=fields.get("board", "").strip()[:NAME_MAX],
    )


def drawn(wish: NewMatch, lot: int) -> NewMatch:
    """Return a wish with a seat of the visitor: the one that a number draws, 0 or more, if the lot decides."""
    seats = list(wish.mode.seats)
    return wish._replace(seat=seats[lot % len(seats)]) if wish.seat == LOT else wish


def rematch_of(
    table: Table, own: Sequence[Seat], policies: Sequence[str], name: str, board: OfferedBoard | None = None
) -> NewMatch:
    """Return the match that a player wishes for after one that is over: the same game with changed sides.

    Seats that bots had are played by bots again; others are free, for those who played them.

    Args:
        table: That of the match that is over.
        own: The seats of the player in it.
        policies: How the bots of the server can play.
        name: The name of the player.
        board: The offered board on which it was played, if it is one of these.

    Raises:
        PageFault: The match was played on another board or from a position of its own, or its game is not installed.
    """
    is_known = board is not None or (not table.variant and is_on_shipped_board(table))
    if table.position is not None or not is_known:
        raise PageFault(not_understood("a match on a board or from a position of its own is opened with wardiary new"))
    seats = list(table.seats)
    after = seats.index(own[0]) + 1
    # Every player takes the seat after the own one, so that no two want the same.
    others = [seat for seat in (*seats[after:], *seats[:after]) if seat not in own]
    names = [policy_of(table.players.get(seat, "")) for seat in others]
    bots = [name for name in names if without_budget(name) in policies]
    against = SELF if not others else BOT if len(bots) == len(others) else FRIEND
    seat = others[0] if others else own[0]
    fields = {"game": table.game, "scenario": table.scenario, "mode": table.mode, "seat": seat, "against": against}
    wish = wish_of(
        {
            **fields,
            "title": table.title,
            "taking_back": table.taking_back,
            "name": name,
            "policy": bots[0] if bots else "",
        }
    )
    options = {key: option_text(value) for key, value in table.options.items()}
    return wish._replace(options=options, board="" if board is None else board.name)


def option_text(value: Value) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _problem(against: str, dice: str) -> str:
    """Return what is wrong with the names of an opponent and a source of dice; empty if nothing is."""
    if against not in AGAINST:
        return f"there is no opponent {against[:NAME_MAX]!r}"
    if dice not in DICE:
        return f"there are no dice {dice[:NAME_MAX]!r}"
    return ""


def options_of(wish: NewMatch) -> Mapping[str, Value]:
    """Return the options of a match that differ from their defaults.

    Raises:
        FieldWrong: One is not of its type, or out of its bounds.
    """
    specs = {spec.key: spec for spec in wish.game.options if spec.is_for(wish.scenario, wish.mode)}
    found: dict[str, Value] = {}
    for key, text in wish.options.items():
        spec = specs.get(key)
        if spec is None:
            # A field of another scenario or mode, which the form also had.
            continue
        try:
            value = parse_option(spec, text.strip())
        except SetupInvalid as error:
            raise FieldWrong(f"{OPTION}{key}", str(error)) from None
        if why := option_defect(spec, value):
            raise FieldWrong(f"{OPTION}{key}", why)
        if value != spec.default:
            found[key] = value
    return found


def not_understood(why: str) -> Fault:
    """Return the fault of a form that names what there is not."""
    end = "" if why.endswith((".", "?")) else "."
    return Fault(
        400, "Not understood", f"{why[:1].upper()}{why[1:]}{end}", "Go back, load the page again, and choose again."
    )


def check_fields(wish: NewMatch, policies: Sequence[str]) -> None:
    """Refuse a wish with a field that is wrong, or whose seats could not be taken as it says, before anything is opened for it.

    Args:
        wish: What the visitor wishes for.
        policies: How the bots of the server can play the game.

    Raises:
        FieldWrong: The name or the title is not one, no bot of the server plays like that, or rolls such dice, or an option has another value.
    """
    if why := name_problem(wish.name):
        raise FieldWrong("name", why)
    if why := title_defect(wish.title):
        raise FieldWrong("title", why)
    if wish.bot_seats and not policies:
        raise FieldWrong("against", "this server plays no bots; choose another opponent")
    if wish.bot_seats and wish.policy and without_budget(leveled(wish.policy, policies)) not in policies:
        raise FieldWrong("policy", unknown("policy", wish.policy, [*policies, *levels(policies)]))
    if wish.bot_seats and wish.dice == "manual":
        raise FieldWrong("dice", "bots cannot roll the dice of a real table; choose another opponent or other dice")
    options_of(wish)


async def open_new(
    caller: Caller,
    wish: NewMatch,
    *,
    board: OfferedBoard | None,
    key: str,
    secret_of: Callable[[MatchId, Seat], str],
    visitor: str,
    now_ms: int,
) -> tuple[MatchId, Mapping[Seat, str]]:
    """Open a match, take the visitor's seats and seat the bots; the same wish, sent twice, is one match.

    Args:
        caller: The visitor.
        wish: What the visitor wishes for.
        board: The board that is wished for; None for that of the game.
        key: The key of the form, so that it opens one match.
        secret_of: Returns the secret of a seat, the same one if the form is sent again.
        visitor: The address for which the pages ask.
        now_ms: Milliseconds since 1970 (UTC).

    Returns:
        The match, and the secrets of the visitor's seats.

    Raises:
        RequestFailed: The server refuses, such as a title that is too long.
        SetupInvalid: An option is not of its type.
    """
    opened = await caller.open(
        wish.game.key,
        wish.scenario.key,
        mode=wish.mode.key,
        options=options_of(wish),
        dice=wish.dice,
        seed=wish.seed if wish.dice == "seeded" else "",
        title=wish.title,
        taking_back=wish.taking_back,
        board=None if board is None else board.text,
        variant="" if board is None else board.variant,
        invitations=_invitations(wish, match_id(key), secret_of, now_ms),
        key=key,
        visitor=visitor,
    )
    taken: dict[Seat, str] = {}
    given = await _given(caller, opened.match, wish, secret_of) if opened.repeated else {}
    for seat in wish.own_seats:
        secret = secret_of(opened.match, seat)
        caller.add_token(opened.match, seat, secret)
        if not opened.repeated or not await _is_proved(caller, opened.match, seat):
            # Where one visitor plays all seats, chains of links would prove nothing more.
            is_one = len(wish.own_seats) == 1
            invitation = given.get(seat, "")
            await caller.take_seat(opened.match, seat, wish.name, secret=secret, invitation=invitation, share=is_one)
        taken[seat] = secret
    for seat in wish.bot_seats:
        await caller.seat_bot(opened.match, seat, wish.policy, key=f"{key}-{seat}", visitor=visitor)
    return opened.match, taken


async def _given(
    caller: Caller, match: MatchId, wish: NewMatch, secret_of: Callable[[MatchId, Seat], str]
) -> Mapping[Seat, str]:
    """Return the invitations that hold to seats of a match that was opened before by who wished for the same, such as the other player for a rematch."""
    reserved = (await caller.state(match)).table.reserved
    return own_invitations(match, [secret_of(match, seat) for seat in wish.mode.seats], reserved)


def _invitations(
    wish: NewMatch, match: MatchId, secret_of: Callable[[MatchId, Seat], str], now_ms: int
) -> dict[Seat, Invitation]:
    return {
        seat: Invitation("", credential(invitation_of(secret_of(match, wish.seat), match, seat)), now_ms + INVITED_MS)
        for seat in wish.invited_seats
    }


def invitation_of(secret: str, match: MatchId, seat: Seat) -> str:
    """Return the secret of the invitation to a seat that the player of another seat gives who opens a match; it follows from that player's secret."""
    return hmac.new(secret.encode(), f"wardiary invitation|{match}|{seat}".encode(), sha256).hexdigest()


def own_invitations(match: MatchId, secrets: Iterable[str], reserved: Mapping[Seat, Invitation]) -> dict[Seat, str]:
    """Return the invitations to reserved seats that a player has given.

    Args:
        match: The match.
        secrets: Those of the player's seats in it.
        reserved: The invitations that hold.
    """
    given = [(seat, invitation_of(secret, match, seat)) for secret in secrets for seat in reserved]
    return {seat: invitation for seat, invitation in given if credential(invitation) == reserved[seat].credential}


async def _is_proved(caller: Caller, match: MatchId, seat: Seat) -> bool:
    """Return whether the visitor has the seat already."""
    try:
        await caller.state(match, seat)
    except RequestFailed:
        return False
    return True
