"""Messages between a server's bots and the workers that take their decisions, as JSON behind a frame with the protocol's name. `docs/bots.md` describes them."""

from events.codec import Decoder, Raw, Struct
from events.ids import GameKey, MatchId, Seat
from projections.state.view import EventSlice
from server.protocol.replies import LegalReply

WORK = b"wardiary-work/1"
"""First frame of every message."""

MESSAGE_BYTES_MAX = 1 << 18
"""The largest message of a worker; a whole choice fits many times."""


class FromWorker(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="work"):
    """A message of a worker."""


class Ready(FromWorker, frozen=True, kw_only=True, tag="ready"):
    """It has nothing to do, and is sent every second then: the secret that lets it work, its name, and the versions of its policies by game."""

    secret: str
    name: str
    policies: dict[GameKey, dict[str, str]]


class Thinking(FromWorker, frozen=True, kw_only=True, tag="thinking"):
    """It thinks about the question with this lease; sent every second."""

    lease: str


class Events(FromWorker, frozen=True, kw_only=True, tag="events"):
    """It asks for the events that the seat has seen after number `since`, because its policy imagines."""

    lease: str
    since: int


class Chosen(FromWorker, frozen=True, kw_only=True, tag="chosen"):
    """Its answer; it has nothing to do again."""

    lease: str
    command: Raw


class Failed(FromWorker, frozen=True, kw_only=True, tag="failed"):
    """It cannot answer; it has nothing to do again."""

    lease: str
    problem: str


class Leaving(FromWorker, frozen=True, kw_only=True, tag="leaving"):
    """It ends; its question is asked again elsewhere."""


class AskStatus(FromWorker, frozen=True, kw_only=True, tag="status"):
    """An operator asks who works."""

    secret: str


class ToWorker(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="bots"):
    """A message to a worker."""


class Welcome(ToWorker, frozen=True, kw_only=True, tag="welcome"):
    """It is known; sent for each `ready`."""


class Refused(ToWorker, frozen=True, kw_only=True, tag="refused"):
    """It is not wanted, and ends; `problem` says why in one line."""

    problem: str


class Question(ToWorker, frozen=True, kw_only=True, tag="question"):
    """A decision to take.

    `bot` is the policy with its budget, `seed` that of its source of chance, `legal` the reply to the request of that name with `table`, as the seat sees it.
    `board` is the text of the board file, unless the match is played on the shipped one.
    """

    match: MatchId
    seat: Seat
    bot: str
    version: str
    seed: str
    legal: LegalReply
    board: str | None = None
    lease: str = ""


class Seen(ToWorker, frozen=True, kw_only=True, tag="seen"):
    """Events that the seat has seen, as a worker asked."""

    lease: str
    slices: tuple[EventSlice, ...]


class WorkerStatus(Struct, frozen=True, kw_only=True):
    """A worker: its name, what it thinks about, how many decisions it took, and how often it failed, was given up or was late."""

    name: str
    match: MatchId = MatchId("")
    seat: Seat = Seat("")
    decided: int = 0
    failed: int = 0
    given_up: int = 0
    late: int = 0


class Status(ToWorker, frozen=True, kw_only=True, tag="status"):
    """The workers, the server's own one last, and how many decisions wait for one."""

    workers: tuple[WorkerStatus, ...]
    waiting: int


AnyFromWorker = Ready | Thinking | Events | Chosen | Failed | Leaving | AskStatus
AnyToWorker = Welcome | Refused | Question | Seen | Status

decode_from_worker: Decoder[AnyFromWorker] = Decoder(AnyFromWorker)
decode_to_worker: Decoder[AnyToWorker] = Decoder(AnyToWorker)
