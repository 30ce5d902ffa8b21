"""The server and its clients, simulations, the demonstration."""

from typing import Literal

from cli.schemas.base import Shape
from events.codec import Struct
from events.ids import GameKey, MatchId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Ended
from server.bots.work_messages import WorkerStatus


class PagesShape(Shape, frozen=True, kw_only=True, tag="pages"):
    """Pages for browsers are served: their address, the server behind them, and its store if it is their own."""

    pages: str
    requests: str
    store: str


class ServingShape(Shape, frozen=True, kw_only=True, tag="serving"):
    """Address at which a server listens; `key` is its public key where connections are encrypted."""

    requests: str
    events: str
    store: str
    key: str = ""


class LogKey(Struct, frozen=True, kw_only=True):
    """A key of the log of a server: the log's name, the public key, and whether it `signs`, was `replaced` by another, or has `ended`."""

    name: str
    key: str
    state: Literal["signs", "replaced", "ended"]


class KeysShape(Shape, frozen=True, kw_only=True, tag="keys"):
    """Public keys of the logs of a store, the newest last; `size` is the number of entries that were signed last, `folder` holds the secret key."""

    folder: str
    keys: tuple[LogKey, ...]
    size: int = 0


class OwnKeyShape(Shape, frozen=True, kw_only=True, tag="own-key"):
    """The public key (hex) with which this user signs commands on servers."""

    key: str


class InvitationShape(Shape, frozen=True, kw_only=True, tag="invitation"):
    """A seat that was reserved with the arbiter's event `seq`; `invitation` is the secret that opens it, empty if it was withdrawn."""

    match: MatchId
    seat: Seat
    name: str
    seq: int
    invitation: str


class ArbitersShape(Shape, frozen=True, kw_only=True, tag="arbiters"):
    """Names with a capability for all matches of a server or a store; `capability` is the new one of `name`, if one was given.

    `ended` are the matches whose arbiter has lost the office with a capability.
    """

    names: tuple[str, ...]
    ended: tuple[MatchId, ...] = ()
    name: str = ""
    capability: str = ""


class BotShape(Shape, frozen=True, kw_only=True, tag="bot"):
    """The report of a bot."""

    match: MatchId
    seat: Seat
    policy: str
    commands: int
    ended: Ended | None


class WorkedShape(Shape, frozen=True, kw_only=True, tag="worked"):
    """The report of a worker: its name, the server that it worked for, and how many decisions it took."""

    name: str
    server: str
    decided: int


class WorkersShape(Shape, frozen=True, kw_only=True, tag="workers"):
    """The workers of a server, its own one last, and how many decisions wait for one.

    `match` and `seat` are what a worker thinks about now, `failed` how often it could not answer, `given_up` how often it was silent or slow, `late` how often it answered then.
    """

    server: str
    workers: tuple[WorkerStatus, ...]
    waiting: int


class SimulatedShape(Shape, frozen=True, kw_only=True, tag="simulated"):
    """One simulated match. `problem` is empty unless the match failed; `file` is the archive it was saved to, if it was, `match` its id, `counts` what the game counts at the end."""

    number: int
    scenario: str
    mode: str
    options: dict[str, Value]
    bots: dict[Seat, str]
    seed: str
    steps: int
    events: int
    rounds: int
    result: str
    winners: tuple[Side, ...]
    winning_seats: tuple[Seat, ...]
    audited: bool
    problem: str = ""
    file: str = ""
    match: MatchId = MatchId("")
    counts: dict[str, int] = {}


class SummaryShape(Shape, frozen=True, kw_only=True, tag="summary"):
    """The totals of all simulated matches; `variant` is empty for the printed game."""

    game: GameKey
    variant: str
    matches: int
    ended: int
    dead_ends: int
    problems: int
    audited: int
    steps: int
    events: int
    seconds: float
    steps_per_second: float
    results: dict[str, int]


class CheckShape(Shape, frozen=True, kw_only=True, tag="check"):
    """One check of a game: how many items were checked, and what is wrong with them.

    `missing` lists what a game may have and this one has not.
    """

    game: GameKey
    check: str
    count: int
    problems: tuple[str, ...]
    missing: tuple[str, ...]


class StepShape(Shape, frozen=True, kw_only=True, tag="step"):
    """One step of the demonstration: what was shown, its result, and how to do it by hand."""

    number: int
    title: str
    outcome: str
    by_hand: str
