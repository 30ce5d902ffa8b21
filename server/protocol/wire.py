"""The requests of protocol `wardiary/1`, as JSON (replies: `server.protocol.replies`, publications: `server.protocol.publications`).

The field `ask` is the type of a request, `reply` that of a reply. `id` is the client's own correlation id; the reply repeats it.
Sequence numbers count the events that the requesting seat may see, from 1. `docs/protocol.md` describes frames, order and guarantees.
"""

from typing import ClassVar

from events.codec import JsonObject, Raw, Struct
from events.ids import PUBLIC, Digest, MatchId, Seat, StudyId
from events.studies.study_entry import AnySaid
from events.vocabulary import TakingBack, Value
from projections.state.offices import Invitation
from server.protocol.replies import (
    AppointedReply,
    BoardReply,
    BotReply,
    CheckpointReply,
    CommitsReply,
    EntriesReply,
    FailedReply,
    HelloReply,
    LegalReply,
    LogReply,
    MatchesReply,
    OddsReply,
    OpenedReply,
    PlayedReply,
    ProofReply,
    Reply,
    StateReply,
    StudiesReply,
    StudyReply,
    TakenReply,
    TileReply,
    WrittenReply,
)

PROTOCOL = "wardiary/1"
"""First frame of every request and reply; another version of the protocol will have another first frame."""

REQUEST_BYTES_MAX = 1 << 19
"""The largest request that is accepted; an owner's board or position file must fit."""

LOG_EVENTS_MAX = 2_000
"""The largest number of events in a reply to `log`; the rest takes another request."""

ODDS_OPTIONS_MAX = 64
"""Of how many options one request may ask for the chances."""

MATCHES_MAX = 20
"""The largest number of matches in a reply to `matches`."""


class Request(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="ask", gc=False
):
    """The common parts of requests: the client's correlation id, and the type of the reply unless the request fails."""

    reply: ClassVar[type[Reply]]

    id: str = ""


class MatchRequest(Request, frozen=True, kw_only=True):
    """The common field of requests about one match."""

    match: MatchId


class SeatRequest(MatchRequest, frozen=True, kw_only=True):
    """The common fields of requests from a seat: the seat, and the secret that proves it; `public` needs none."""

    seat: Seat = PUBLIC
    token: str = ""


class CommandRequest(SeatRequest, frozen=True, kw_only=True):
    """The common fields of commands from a seat.

    With `key` (up to 200 characters, new for every command) a repeated request takes effect once and gets the first outcome. With `expected` it takes effect only if the
    seat has seen exactly that many events. A seat that has registered a key sends in `signatures` that of the command (base64), or of each command of an order.
    """

    key: str = ""
    expected: int | None = None
    signatures: tuple[str, ...] = ()


class HelloRequest(Request, frozen=True, kw_only=True, tag="hello"):
    """Request the server's version, protocols and games."""

    reply = HelloReply


class OpenRequest(Request, frozen=True, kw_only=True, tag="open"):
    """Open a match.

    `dice` is `sealed`, `seeded` (with `seed`, public; without one the server generates one) or `manual`. `board` and `position` are texts of files; `variant` names a
    variant, whose board contradicts the printed game. `title` (at most 80 characters, one line) is what those who play call the match. `taking_back` says what may be
    taken back: `consent` also what was disclosed, if all others agree; `free` only what nobody has learned from; `no` nothing. `house_rules` are what they agreed on
    beside the rules, by its name. The id of the match is derived from `key`. `invitations` reserves seats for the holders of secrets, as an arbiter does with
    `match:reserve-seat`. `visitor` is the address of the person for whom a server of pages asks; see `fork`.
    """

    reply = OpenedReply

    game: str
    scenario: str = ""
    mode: str = ""
    options: dict[str, Value] = {}
    dice: str = "sealed"
    seed: str = ""
    board: str | None = None
    variant: str = ""
    title: str = ""
    taking_back: TakingBack = "consent"
    house_rules: dict[str, str] = {}
    position: str | None = None
    invitations: dict[Seat, Invitation] = {}
    key: str = ""
    visitor: str = ""


class TakeRequest(MatchRequest, frozen=True, kw_only=True, tag="take"):
    """Take a free seat, or the arbiter's.

    `secret` (32 to 200 characters) proves the seat from then on; without one the server generates one and sends it once. With sealed dice, `anchor` (hex) is that of the seat's chain of `length` links, which `holder` keeps: nobody but the player, `pages` or `bot`.
    `public_key` (hex) is that of the key which signs the seat's commands and which `key_holder` keeps; `signature` is that of `match:take-seat`.
    `invitation` is the secret of the invitation to a reserved seat; for the seat `arbiter` it may also be a capability for all matches of the server, or the secret of the store's owner.
    """

    reply = TakenReply

    seat: Seat
    name: str = ""
    secret: str = ""
    invitation: str = ""
    anchor: str = ""
    length: int = 0
    holder: str = ""
    public_key: str = ""
    key_holder: str = ""
    signature: str = ""
    key: str = ""


class BotRequest(MatchRequest, frozen=True, kw_only=True, tag="bot"):
    """Let a bot of the server take a free seat, or a reserved one with the secret of its `invitation`, and play it until the match ends.

    `policy` is the name of a policy of the game, as the reply to `hello` lists them; by default `greedy`, or the last of them. A budget for each decision may follow it, in playouts (`search:500`) or time (`search:200ms`); or it is a level, `recruit`, `sergeant` or `general`. The bot sees what its seat sees,
    and nobody is told its secret. `visitor` is the address of the person for whom a server of pages asks; see `fork`. With `of`, a match that goes on as this one, it is the bot of this server that has the seat there; the request
    fails with `not_possible` if a person has.
    """

    reply = BotReply

    seat: Seat
    policy: str = ""
    of: MatchId = MatchId("")
    invitation: str = ""
    key: str = ""
    visitor: str = ""


class LeaveRequest(CommandRequest, frozen=True, kw_only=True, tag="leave"):
    """Leave the seat, so that another player may take it; or give back the invitation to it, whose secret is the `token`, so that anybody may."""

    reply = PlayedReply


class BeginRequest(CommandRequest, frozen=True, kw_only=True, tag="begin"):
    """Begin a match with manual dice; `dice` and `draws` are those of the set-up."""

    reply = PlayedReply

    dice: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()


class PlayRequest(CommandRequest, frozen=True, kw_only=True, tag="play"):
    """Play a command: a JSON object, or the number of an option in the reply to `legal` (then with `expected`).

    A list of 1 to 64 objects is an order: commands of the game, a commit each, appended together. If one fails, none is played. Those after a fence (dice, a draw, a disclosure, the end) are not played; `left` in the reply is their number. `dice` and `draws` are the
    faces rolled and the pieces or cards drawn at a real table; only matches with manual dice take them, and no orders.
    """

    reply = PlayedReply

    command: Raw
    dice: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()


class RedoRequest(CommandRequest, frozen=True, kw_only=True, tag="redo"):
    """Put back what the seat has taken back, as long as no other command of the game was played since.

    It plays the next of these commands again, with those of its order, or with `everything` all of them, as an order: they are ordinary commands and events. A seat that signs its commands is refused with `command_must_be_signed` first; `wanted` has the commands, which it then plays as an order.
    """

    reply = PlayedReply

    everything: bool = False


class LegalRequest(SeatRequest, frozen=True, kw_only=True, tag="legal"):
    """Request the open decision, and its legal commands if this seat is to decide; `words` adds their descriptions.

    With `about`, only the options that name this piece, place or other item are listed; for a place also those that name a piece there, but of interchangeable pieces only the first one. With `at`, the decision that was open after the seat's event `at`, which
    must be the last one of a command. `table` adds the table as the seat sees it at that moment, and `since` what the seat has seen after that event, as `log` tells it.
    """

    reply = LegalReply

    words: bool = True
    about: str = ""
    at: int | None = None
    table: bool = False
    since: int | None = None


class OddsRequest(SeatRequest, frozen=True, kw_only=True, tag="odds"):
    """Request the chances of what options of the open decision lead to before the next one, by what the seat knows.

    `numbers` are those of the options in the reply to `legal`, at most 64; without any, all that lead to dice, flips or draws that decide are told, at most 12, fewer where
    ways are taken at random. With `command`, a JSON object, the chances of that one are told instead, also of a whole choice that is not listed; its number in the reply is
    0. With `at`, the decision that was open after the seat's event `at`, which must be the last one of a command.
    """

    reply = OddsReply

    numbers: tuple[int, ...] = ()
    command: JsonObject | None = None
    at: int | None = None


class StateRequest(SeatRequest, frozen=True, kw_only=True, tag="state"):
    """Request the table as the seat sees it, now or after its event `at`."""

    reply = StateReply

    at: int | None = None


class LogRequest(SeatRequest, frozen=True, kw_only=True, tag="log"):
    """Request the events that the seat has seen after its event `since`, at most `limit`."""

    reply = LogReply

    since: int = 0
    limit: int = 500


class ForkRequest(SeatRequest, frozen=True, kw_only=True, tag="fork"):
    """Open a new match that shares this one's events up to the seat's event `at` (default: all of them), before the end of the match.

    `dice` is `fresh`, `same`, `seeded` (with `seed`) or `manual`; `hidden` is `truth` or `resample`. If `at` lies inside the events of one command, that command is decided
    again. `faces` are those of the next dice, which the event of the fork names as chosen; with manual dice they and `draws` are the dice and draws for a command that is
    decided again. While the match runs, a player gets fresh dice, and what is hidden from the player's seat is dealt again (`resample`, the default then): in the fork, no
    seat sees more of the shared events than that seat could. The seats of such a fork that tell what is hidden in the match (the player's; all of them for an arbiter) are
    reserved for who forks: the secret of the request proves them, and is the invitation to them. `visitor` is the address of the person for whom a server of pages asks. It
    is believed from clients of the server's own machine and from those named with `wardiary serve --pages`: the fork counts for this address then, else for the client.
    """

    reply = OpenedReply

    at: int | None = None
    dice: str = "fresh"
    hidden: str = ""
    seed: str = ""
    faces: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()
    key: str = ""
    visitor: str = ""


class MatchesRequest(Request, frozen=True, kw_only=True, tag="matches"):
    """Request matches in the order of their opening, those after the match `after`, at most `limit`.

    With `prefix`, only those whose ids begin with it, in the order of their ids: a whole id comes first. It excludes `after`.
    """

    reply = MatchesReply

    after: MatchId = MatchId("")
    prefix: str = ""
    limit: int = MATCHES_MAX


class BoardRequest(SeatRequest, frozen=True, kw_only=True, tag="board"):
    """Request the text of the board file that the match is played on."""

    reply = BoardReply


class CommitsRequest(SeatRequest, frozen=True, kw_only=True, tag="commits"):
    """Request the commits of the match after the log's event `since`: the lines of its archive.

    They are for the arbiter, because they hold what only some seats know; once a match is over in which nothing was ever hidden, and which is no fork, for everybody.
    """

    reply = CommitsReply

    since: int = 0


class CheckpointRequest(Request, frozen=True, kw_only=True, tag="checkpoint"):
    """Request the last checkpoint of the server's log, with the proof that it continues an earlier one, of `since` entries. If more was stored, the next one is signed soon."""

    reply = CheckpointReply

    since: int = 0


class EntriesRequest(SeatRequest, frozen=True, kw_only=True, tag="entries"):
    """Request the entries of a match in the server's log behind number `after`, and for who may have its commits (see `commits`) what blinds them."""

    reply = EntriesReply

    after: int = 0


class TileRequest(Request, frozen=True, kw_only=True, tag="tile"):
    """Request a tile of the server's log, of `width` hashes (1 to 256); of level -1 the entries themselves. Source: C2SP tlog-tiles."""

    reply = TileReply

    level: int
    number: int
    width: int


class ProofRequest(SeatRequest, frozen=True, kw_only=True, tag="proof"):
    """Request the proof that the commit with the seat's event `at` is in the server's log, or the next commit that has an entry; by default the last one that a checkpoint covers."""

    reply = ProofReply

    at: int | None = None


class StudiesRequest(SeatRequest, frozen=True, kw_only=True, tag="studies"):
    """Request the studies of a match that the seat may read."""

    reply = StudiesReply


class StudyRequest(SeatRequest, frozen=True, kw_only=True, tag="study"):
    """Request the entries of a study behind number `after`, and with `at` the number of that event, too, as the seat counts."""

    reply = StudyReply

    study: StudyId
    after: int = 0
    at: int | None = None


class WriteStudyRequest(SeatRequest, frozen=True, kw_only=True, tag="write-study"):
    """Append entry `number` (from 1) to a study; the first one opens it, under an id of 8 letters a to z and digits 2 to 7 that the client makes at random.

    `previous` is the hash of the entry before it; `said` says what it is, with the numbers of events as the seat counts them whose view the study is of. A seat of the match writes to
    any study that it may read; anybody else opens studies of what the public sees, and writes to those that the same `public_key` (hex) opened. With it comes the `signature` (base64) of the
    entry. A repeated request takes effect once. `visitor` is the address of the person for whom a server of pages asks; see `fork`.
    """

    reply = WrittenReply

    study: StudyId
    number: int
    previous: Digest = Digest("")
    author: str
    public_key: str = ""
    signature: str = ""
    said: AnySaid
    visitor: str = ""


class AppointRequest(Request, frozen=True, kw_only=True, tag="appoint"):
    """Give a person a capability for all matches of the server, or end it; only the store's owner, proved by `token`, may.

    `credential` is the SHA-256 (hex) of the capability's secret; an empty one ends the capability of that `name`. Without a name nothing changes.
    """

    reply = AppointedReply

    token: str = ""
    name: str = ""
    credential: str = ""


REQUESTS: tuple[type[Request], ...] = (
    HelloRequest,
    OpenRequest,
    TakeRequest,
    BotRequest,
    LeaveRequest,
    BeginRequest,
    PlayRequest,
    RedoRequest,
    LegalRequest,
    OddsRequest,
    StateRequest,
    LogRequest,
    ForkRequest,
    MatchesRequest,
    BoardRequest,
    CommitsRequest,
    CheckpointRequest,
    EntriesRequest,
    TileRequest,
    ProofRequest,
    StudiesRequest,
    StudyRequest,
    WriteStudyRequest,
    AppointRequest,
)
"""Every request of the protocol, in the order of its document."""

REPLIES: tuple[type[Reply], ...] = (*dict.fromkeys(request.reply for request in REQUESTS), FailedReply)
"""Every reply of the protocol, in the order of its document."""
