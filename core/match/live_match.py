"""A match: load it from a log, decide on a command, prepare the commit, and adopt it once it is stored.

This module does not append: a desk (in `server`) appends prepared commits, of one or several matches, and then calls
`adopt`. Until then the match is unchanged.
"""

from collections.abc import Sequence
from hashlib import sha256

from core.chance.chance_sources import LateChance, ManualChance
from core.chance.links import LINKS
from core.chance.recorded_chance import RecordedChance
from core.chance.schemes import MANUAL, SCHEMES, scheme_problem
from core.chance.seeds import kept_seed
from core.engine.chance_port import Chance
from core.engine.command import MATCH_TAGS, Command
from core.engine.draft import Draft
from core.errors import (
    ChanceWaits,
    KernelError,
    RulesetDamaged,
    RulesetMissing,
    SchemeUnusable,
    SetupInvalid,
    UnknownName,
)
from core.game.bound_game import BoundGame
from core.history.match_reader import read_match
from core.match.bound_games import bound_game, is_on_shipped_board, read_position
from core.match.link_commands import refuse_unanswered, share_of
from core.match.match_commands import MATCH_COMMAND_DECODER, decide
from core.match.match_dice import MatchDice
from core.match.player_commands import Begin
from core.match.recent_commits import called_after, called_command, recent_commands
from core.match.ruleset import Ruleset
from core.match.signatures import NOT_SIGNED, NOTHING_SHOWN, PublicRecord, Signed, record_of
from core.match.undo import NO_COMMANDS, RecentCommands
from core.match.unknown_names import telling_unknown
from core.positions.position import Position
from core.refusal import Refusal
from core.registry.game_fault import game_fault
from core.registry.games import load_game, packages
from events.codec import DecodeError, Decoder, Raw, Struct, encode
from events.commit import NO_COMMAND, Commit, Head, chain_hash
from events.ids import NO_SEAT, Digest, GameKey, MatchId, Seat
from events.log import Log, NewCommit, Origin, Stored
from events.vocabulary import ChanceCalled, Event
from projections.state.table import Table


class Prepared(Struct, frozen=True):
    """A commit that is ready to be appended, and the table after it."""

    new: NewCommit
    commit: Commit
    table: Table


class _Peek(Struct):
    """The tag of a command, without its fields."""

    do: str


_PEEK: Decoder[_Peek] = Decoder(_Peek)
_MATCH_TAGS = MATCH_TAGS.encode()


class Match:
    """One match in memory, at its head.

    Args:
        match: Its id.
        ruleset: The rules and position of the match.
        table: The fold of all its events.
        head: Number and hash of its last commit.
        seed: The sealed seed (hex) if this store has it.
        recent: Its last commands; only those can be taken back.
        called: The command that waits for a link, as JSON; empty if none does.
        record: What everybody was shown; it is needed only where signatures are checked.
    """

    __slots__ = ("_dice", "called", "head", "id", "recent", "record", "ruleset", "seed", "table")

    def __init__(
        self,
        match: MatchId,
        ruleset: Ruleset,
        table: Table,
        head: Head,
        seed: str = "",
        *,
        recent: RecentCommands = NO_COMMANDS,
        called: bytes = b"",
        record: PublicRecord = NOTHING_SHOWN,
    ) -> None:
        self.id = match
        self.ruleset = ruleset
        self.table = table
        self.head = head
        self.seed = seed
        self.recent = recent
        self.called = called
        self.record = record
        self._dice = MatchDice(match)

    def chance(self, table: Table | None = None, seat: Seat = NO_SEAT, share: str = "") -> Chance:
        """Return the match's own source of chance.

        With manual dice it has no dice: pass the typed dice to `prepare` instead.

        Args:
            table: The table of the running command, by default the match's table.
            seat: The seat that sends the command.
            share: The link that it opens (hex), checked already; empty for none.

        Raises:
            SeedMissing: The dice are sealed and this store does not have the seed.
            SchemeUnusable: The source of dice is not known to this program, or not valid.
        """
        return self._dice.source(self.table if table is None else table, self.seed, seat, share)

    def decode(self, data: bytes) -> Command:
        """Decode a command of the match or of the game.

        Raises:
            DecodeError: It is neither; the message says where and why.
        """
        # A tag with escapes may hide the prefix; most commands are recognised as the game's at once.
        if (_MATCH_TAGS in data or b"\\" in data) and _PEEK.decode(data).do.startswith(MATCH_TAGS):
            return MATCH_COMMAND_DECODER.decode(data)
        return self.ruleset.rules.decode(data)

    def prepare(
        self,
        seat: Seat,
        data: bytes,
        *,
        key: str,
        at: int,
        chance: Chance | None = None,
        kept: Sequence[Event] = (),
        signed: Signed = NOT_SIGNED,
    ) -> Prepared | Refusal:
        """Decide on a command and prepare its commit.

        Args:
            seat: The seat that sends the command.
            data: The command as JSON.
            key: The idempotency key, unique within the match.
            at: Milliseconds since 1970 (UTC).
            chance: A source other than the match's own: typed dice (for a match with manual dice), or a record.
            kept: Recorded events whose dice and draws are used before the source's.
            signed: The signature of the command, which is stored with it as it is; see `core.match.signatures`.

        Returns:
            The commit to append, or the refusal.

        Raises:
            DecodeError: The data are not a command.
            KernelError: Chance failed, or the match has an unknown source of dice.
            GameFault: The game's code raised any other error.
        """
        if self.table.chance.scheme not in SCHEMES:
            raise SchemeUnusable(f"match {self.id} cannot be continued: {scheme_problem(self.table.chance)}")
        command = self.decode(data)
        if isinstance(chance, ManualChance) and self.table.chance.scheme != MANUAL:
            chance.check_empty()
            chance = None
        table = self.table.clone()
        share = share_of(command)
        # All seats have opened a link before play begins: one more of whoever begins would let that be chosen.
        caller = NO_SEAT if isinstance(command, Begin) else seat
        source = LateChance(lambda: self.chance(table, caller, share)) if chance is None else chance
        draft = Draft(table, RecordedChance(kept, after=source) if kept else source)
        try:
            waiting = self.decode(self.called) if share and self.called else None
            refusal = decide(self.ruleset, draft, seat, command, self.recent, at=at, waiting=waiting)
        except ChanceWaits:
            return self._call(seat, command, key=key, at=at, signed=signed)
        except (KernelError, DecodeError):
            raise
        except Exception as error:
            fault = game_fault(error, packages(), data)
            if fault is None:
                raise
            raise fault from error
        if refusal is not None:
            return telling_unknown(self.ruleset.game, command, refusal)
        if isinstance(chance, ManualChance):
            chance.check_used_up()
        return prepared(self.id, self.head, draft, seat=seat, command=encode(command), key=key, at=at, signed=signed)

    def _call(self, seat: Seat, command: Command, *, key: str, at: int, signed: Signed) -> Prepared | Refusal:
        """Prepare the commit by which a command calls for chance; it is decided when its seat opens the link."""
        links = self.table.links
        assert links is not None, "only dice that depend on links make a command wait"
        if refusal := refuse_unanswered(links):
            return refusal
        draft = Draft(self.table.clone(), ManualChance())
        draft.emit(ChanceCalled(rule=LINKS, seat=seat, number=links.opened + 1))
        return prepared(self.id, self.head, draft, seat=seat, command=encode(command), key=key, at=at, signed=signed)

    def adopt(self, done: Prepared) -> None:
        """Advance to a commit that is in the log."""
        self.called = called_after(self.called, done.commit, done.table)
        self.table = done.table
        self.head = Head(done.new.last, done.new.hash)
        self.recent = self.recent.followed_by(done.commit)
        self.record = self.record.followed_by(done.commit)


def prepared(
    match: MatchId,
    head: Head,
    draft: Draft,
    *,
    seat: Seat,
    command: bytes,
    key: str,
    at: int,
    signed: Signed = NOT_SIGNED,
) -> Prepared:
    """Return the commit of a draft's events.

    Args:
        match: Its match.
        head: The head of the match.
        draft: The events, at least one, and the table after them.
        seat: The seat that sent the command.
        command: The command in canonical bytes; empty if there is none.
        key: The idempotency key.
        at: Milliseconds since 1970 (UTC).
        signed: The signature of the command.
    """
    commit = Commit(
        match=match,
        first=head.seq + 1,
        prev=head.hash,
        at=at,
        seat=seat,
        key=key,
        command=Raw(command) if command else NO_COMMAND,
        expected=signed.expected,
        signature=signed.signature,
        events=tuple(draft.events),
    )
    body = encode(commit)
    new = NewCommit(match, commit.first, commit.last, key, chain_hash(body), body)
    return Prepared(new, commit, draft.table)


def ruleset_of(log: Log, table: Table) -> Ruleset:
    """Return the game and the position of a match.

    Raises:
        RulesetMissing: The game is not installed, or the board or position that the match names is not in the store, or is not
            valid.
    """
    bound, position = game_of(log, table), position_of(log, table)
    return ruleset_on(table.game, bound, position)


def ruleset_on(game: GameKey, bound: BoundGame, position: Position | None) -> Ruleset:
    """Return the installed rules of a game on a board that is bound already."""
    record = load_game(game)
    return Ruleset(bound, position, record.edition, record.rules_digest)


def game_of(log: Log, table: Table) -> BoundGame:
    """Return the game of a match, on its board.

    Raises:
        RulesetMissing: The game is not installed, or the board is not in the store, or not valid.
    """
    try:
        return stored_game(log, table)
    except SetupInvalid as error:
        raise _unusable("board", error) from None


def position_of(log: Log, table: Table) -> Position | None:
    """Return the position that a match began from, or None if it began with its scenario's set-up.

    Raises:
        RulesetMissing: It is not in the store, or not valid.
    """
    try:
        return stored_position(log, table)
    except SetupInvalid as error:
        raise _unusable("position", error) from None


def own_board(log: Log, table: Table) -> str | None:
    """Return the text of the board that a match is played on, or None if it is the one that ships with the game.

    Raises:
        RulesetMissing: The game is not installed, or the board is not in the store, or not a text.
    """
    try:
        return _board(log, table)
    except SetupInvalid as error:
        raise _unusable("board", error) from None


def own_position(log: Log, table: Table) -> str | None:
    """Return the text of the position that a match began from, or None if it began with its scenario's set-up.

    Raises:
        RulesetMissing: It is not in the store, or not a text.
    """
    try:
        return _position(log, table)
    except SetupInvalid as error:
        raise _unusable("position", error) from None


def stored_game(log: Log, table: Table) -> BoundGame:
    """Return the rules of a match; errors of its board are raised in full.

    Raises:
        RulesetMissing: The game is not installed, or the board is not in the store.
        SetupInvalid: The board is not valid.
    """
    return bound_game(table.game, _board(log, table), table.variant)


def stored_position(log: Log, table: Table) -> Position | None:
    """Return the position that a match began from; its errors are raised in full.

    Raises:
        RulesetMissing: It is not in the store.
        SetupInvalid: It is not valid.
    """
    text = _position(log, table)
    return None if text is None else read_position(text)


def _board(log: Log, table: Table) -> str | None:
    try:
        is_shipped = is_on_shipped_board(table)
    except UnknownName as error:
        raise RulesetMissing(str(error)) from None
    return None if is_shipped else _attached(log, table.board, "board")


def _position(log: Log, table: Table) -> str | None:
    return None if table.position is None else _attached(log, table.position, "position")


def _unusable(what: str, error: SetupInvalid) -> RulesetMissing:
    return RulesetMissing(f"the {what} that the match was opened with cannot be used: {error}")


def _attached(log: Log, digest: Digest, what: str) -> str:
    content = log.attachment(digest)
    if content is None:
        raise RulesetMissing(f"the match was opened with another {what} ({digest[:12]}…), which is not in this store")
    if sha256(content).hexdigest() != digest:
        raise RulesetDamaged(f"the {what} that the match was opened with ({digest[:12]}…) is damaged in this store")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise SetupInvalid((f"the {what} of the match is not text: byte {error.start + 1} is invalid UTF-8",)) from None


def load_match(log: Log, match: MatchId) -> Match:
    """Load a match at its head, to continue it.

    Its whole chain is checked first, so that nothing is appended to broken evidence.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Its commits are damaged or forged; the message names the first bad event.
        RulesetMissing: Its game, board or position is not here, or not valid.
    """
    kept = read_match(log, match)
    return resumed(log, match, kept.table, kept.head, record_of(kept.commits))


def resumed(log: Log, match: MatchId, table: Table, head: Head, record: PublicRecord = NOTHING_SHOWN) -> Match:
    """Return a match at its head from a chain that was already checked and folded.

    Raises:
        RulesetMissing: The game, or the board or position that the match names, is not here or not valid.
    """
    seed = kept_seed(log, match, table.chance)
    return Match(
        match,
        ruleset_of(log, table),
        table,
        head,
        seed,
        recent=recent_commands(log, match, table),
        called=called_command(log, match, table),
        record=record,
    )


def origin_at(match: MatchId, commit: Stored | None) -> Origin:
    """Return the origin of a fork: after a commit, which may be in an ancestor's stream, or before the first."""
    return Origin(match, 0, Head().hash) if commit is None else Origin(commit.match, commit.last, commit.hash)
