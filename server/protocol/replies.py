"""The replies of protocol `wardiary/1`, as JSON; `server.protocol.wire` has the requests. The field `reply` is the type."""

from core.odds.option_odds import OptionOdds
from core.telling.option_parts import NO_PARTS, OptionKind, OptionParts
from events.archive import Attachment
from events.codec import Raw, Struct
from events.ids import NO_SEAT, PUBLIC, Digest, GameKey, MatchId, RuleId, Seat, StudyId
from events.transparency.key_changes import KeyChange
from events.vocabulary import Value
from projections.catalogue import InstalledRules, MatchSummary
from projections.state.table import Table
from projections.state.view import EventSlice


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="reply", gc=False):
    """The common field of replies: the correlation id of the request."""

    id: str = ""


class HelloReply(Reply, frozen=True, kw_only=True, tag="hello"):
    """The server's version and games. `protocols` are those it speaks, `heartbeat_s` is the interval of its heartbeats in seconds.

    `bots` are the policies of the bots that the server plays itself, by game, the best one last; there are none if it plays no bots. `log` is the public key of its log
    (`NAME+ID+KEY`), whose name is the log's; empty if it keeps none. `nodes` are the request addresses of all servers of this store, if there are several:
    each of them serves every match. `workers` is where programs connect that take decisions of these bots; empty if the server takes no such help.
    """

    version: str
    protocols: tuple[str, ...]
    games: tuple[GameKey, ...]
    heartbeat_s: float = 0.0
    publisher: str = ""
    bots: dict[GameKey, tuple[str, ...]] = {}
    log: str = ""
    nodes: tuple[str, ...] = ()
    workers: str = ""


class OpenedReply(Reply, frozen=True, kw_only=True, tag="opened"):
    """A match or a fork is in the log. `repeated`: this is the outcome of an earlier request with the same key."""

    match: MatchId
    seats: tuple[Seat, ...]
    seq: int
    repeated: bool = False


class TakenReply(Reply, frozen=True, kw_only=True, tag="taken"):
    """The seat is taken; `token` proves it from now on. `began`: play has begun."""

    match: MatchId
    seat: Seat
    token: str
    seq: int
    began: bool
    repeated: bool = False


class BotReply(Reply, frozen=True, kw_only=True, tag="bot"):
    """A bot of the server has the seat under this name, and plays it. `began`: play has begun."""

    match: MatchId
    seat: Seat
    name: str
    seq: int
    began: bool
    repeated: bool = False


class PlayedReply(Reply, frozen=True, kw_only=True, tag="played"):
    """The command is durably in the log.

    `slices` are its events as the requesting seat sees them: several for an order or if standing answers followed at once. `seq` is the
    number of the last one, `left` that of the commands of an order that come after a fence and were not played. `repeated`: this is
    the outcome of an earlier request with the same key.
    """

    match: MatchId
    seq: int
    slices: tuple[EventSlice, ...] = ()
    repeated: bool = False
    left: int = 0


class LegalOption(Struct, frozen=True, omit_defaults=True, gc=False):
    """One legal command: its number (1-based), the command as JSON, its description, and the same in parts.

    One that ends the step is the last; as a number it is 0 as well.
    """

    number: int
    command: Raw
    words: str = ""
    parts: OptionParts = NO_PARTS


class LegalReply(Reply, frozen=True, kw_only=True, tag="legal"):
    """The open decision after event `seq`: its kind and the seat that is to decide; both empty if there is none.

    The fields from `options` to `places` are empty for all but that seat and the arbiter. `options` are the requested ones, with
    their numbers among all `count` options; `kinds` are the sorts of all options in the order of their use, with those that are not possible now and why, if
    descriptions were requested. If several items answer the decision, `minimum` and `maximum` say how many, `may_repeat`
    whether one may be picked more than once, `picked` lists those picked so far, and in an assignment `places` lists where each of them goes. `undo_to` is the event to which the
    match would return if the requesting seat took back what it sent last, a command or an order, or None if it cannot. `ask_undo_to` is the one to
    which it would return if the others agreed to that, or None if nobody can be asked or none has to. `can_redo` says whether the seat has taken back commands that it can put back. `installed` is there while the match
    is played under other rules than these: then it has no options until the command `match:adopt-rules` adopts them; nor while `link_due` names a seat that opens a link for the dice first. `table` is the
    table as the seat sees it after event `seq`, if it was requested; so are the `slices`, which hold whole commits and may end before `seq`.
    """

    match: MatchId
    seq: int
    decision: str = ""
    to_move: Seat = NO_SEAT
    arguments: dict[str, Value] = {}
    options: tuple[LegalOption, ...] = ()
    count: int = 0
    kinds: tuple[OptionKind, ...] = ()
    minimum: int = 0
    maximum: int = 0
    may_repeat: bool = False
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    undo_to: int | None = None
    ask_undo_to: int | None = None
    can_redo: bool = False
    installed: InstalledRules | None = None
    link_due: Seat = NO_SEAT
    table: Table | None = None
    slices: tuple[EventSlice, ...] = ()


class OddsReply(Reply, frozen=True, kw_only=True, tag="odds"):
    """The chances of options of the decision that is open after event `seq`; `options` is empty for all but its seat and the arbiter.

    Each has its `number`, and as `odds` the `lines` of chances: results in one respect, from the worst for the seat that decides to the best, each with its share and the bounds within which
    it lies; they are equal where `ways` equally likely throws and draws were counted, and apart where `samples` were taken at random. `assumed` is
    what is assumed about the questions between.
    """

    match: MatchId
    seq: int
    decision: str = ""
    to_move: Seat = NO_SEAT
    options: tuple[OptionOdds, ...] = ()


class StateReply(Reply, frozen=True, kw_only=True, tag="state"):
    """The table after the seat's event `seq`, folded from what the seat may see; `installed` as in `LegalReply`, if that is the last event."""

    match: MatchId
    seat: Seat
    seq: int
    table: Table
    installed: InstalledRules | None = None


class LogReply(Reply, frozen=True, kw_only=True, tag="log"):
    """Events that the seat has seen; `seq` is the number of the last event: if it is not among these, request the rest. `installed` as in `LegalReply`."""

    match: MatchId
    seq: int
    slices: tuple[EventSlice, ...] = ()
    installed: InstalledRules | None = None


class MatchesReply(Reply, frozen=True, kw_only=True, tag="matches"):
    """Matches; `more` says whether others follow the last of these.

    A match that is damaged or whose game is missing has a `problem`, one line, and nothing else; no request about it succeeds.
    """

    matches: tuple[MatchSummary, ...] = ()
    more: bool = False


class BoardReply(Reply, frozen=True, kw_only=True, tag="board"):
    """The board of a match: the text of its file, and whether it is the one that ships with the game."""

    match: MatchId
    text: str = ""
    is_shipped: bool = False


class CommitsReply(Reply, frozen=True, kw_only=True, tag="commits"):
    """Commits of a match, each exactly as a line of its archive; `seq` and `head` are the number and hash of the last one there is.

    If the last of these is not that one, request the rest. `files` are the board and the position that the match was opened with; they
    come with the first commits.
    """

    match: MatchId
    seq: int
    head: Digest
    commits: tuple[Raw, ...] = ()
    files: tuple[Attachment, ...] = ()


class CheckpointReply(Reply, frozen=True, kw_only=True, tag="checkpoint"):
    """The last checkpoint of the server's log, a signed note; `docs/server-log.md` has the formats.

    `consistency` are the hashes (base64) that prove that it continues the log of `since` entries; none if that is empty, whole, or longer than this one. `changes` are those of the
    log's key, in order.
    """

    note: str
    consistency: tuple[str, ...] = ()
    changes: tuple[KeyChange, ...] = ()


class ProofReply(Reply, frozen=True, kw_only=True, tag="proof"):
    """An entry of the server's log, one line of JSON, and the proof that it lies in the log (a tlog-proof).

    `nonce` (hex) and `last`, the log's number of the last event of the commit, are there for who may have the commits; see `commits`.
    """

    match: MatchId
    entry: str
    proof: str
    nonce: str = ""
    last: int | None = None


class EntriesReply(Reply, frozen=True, kw_only=True, tag="entries"):
    """Entries of a match in the server's log, each one line of JSON, from number `after` + 1 on, as many as fit, as far as a checkpoint covers them.

    `nonces` (hex) are what blinds them, for who may have the commits of the match.
    """

    match: MatchId
    entries: tuple[str, ...]
    nonces: tuple[str, ...] = ()


class TileReply(Reply, frozen=True, kw_only=True, tag="tile"):
    """A tile of the server's log (base64): its hashes, or entries, each after two bytes with its length."""

    content: str


class ListedStudy(Struct, frozen=True, omit_defaults=True, gc=False):
    """A study in a list: its title, the seat whose view it is of, who opened it and when (milliseconds since 1970, UTC), and how much is in it.

    One that is damaged has a `problem`, one line, and nothing else.
    """

    study: StudyId
    title: str = ""
    view: Seat = PUBLIC
    author: str = ""
    at: int = 0
    comments: int = 0
    lines: int = 0
    chapters: int = 0
    problem: str = ""


class StudiesReply(Reply, frozen=True, kw_only=True, tag="studies"):
    """The studies of a match that the seat may read, in the order in which they were opened; those that were withdrawn are not listed."""

    match: MatchId
    studies: tuple[ListedStudy, ...] = ()


class StudyReply(Reply, frozen=True, kw_only=True, tag="study"):
    """Entries of a study, each as it was written, from number `after` + 1 on, as many as fit; it has `count`.

    `numbers` are pairs: the number of an event that the study or the request names, as the seat counts whose view it is of, and as the requesting seat counts.
    """

    match: MatchId
    study: StudyId
    count: int
    entries: tuple[Raw, ...] = ()
    numbers: tuple[tuple[int, int], ...] = ()


class WrittenReply(Reply, frozen=True, kw_only=True, tag="written"):
    """The entry is durably in the study; `hash` is what the next one names as `previous`. `repeated`: it was there already."""

    match: MatchId
    study: StudyId
    number: int
    hash: Digest
    repeated: bool = False


class AppointedReply(Reply, frozen=True, kw_only=True, tag="appointed"):
    """The names of all who have a capability for all matches of the server.

    `ended` are the matches whose arbiter's office rests on a capability that has ended: its secret proves nothing any more, and the
    client ends the office with `leave`, so that the match says so. Nothing is lost if it does not: they are listed again.
    """

    names: tuple[str, ...]
    ended: tuple[MatchId, ...] = ()


class FailedReply(Reply, frozen=True, kw_only=True, tag="failed"):
    """The request failed and had no effect; with `outcome_unknown` it may have had one.

    `code` is stable (`docs/protocol.md` lists the codes), `message` is one line for the user. With `refused`, `refusal` is the rules'
    own code and `rule` the rule that the command would break. With `lost_race`, `expected` and `actual` are numbers of the requesting
    seat. With `retry`, the same request may succeed later. `defects` lists the defects of a set-up, `wanted` the names that exist, or the commands that have
    to be signed, in the form in which that is done;
    `number` is that of the first command of an order that failed, from 1.
    """

    code: str
    message: str
    refusal: str = ""
    rule: RuleId = RuleId("")
    expected: int | None = None
    actual: int | None = None
    retry: bool = False
    defects: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    number: int | None = None
