"""A notation played by the rules: each order must be legal, and the dice and draws those that the rules ask for."""

from collections.abc import Sequence

from core.chance.chance_sources import ManualChance
from core.errors import DiceImpossible, DiceMissing, DrawMissing, KernelError, SetupInvalid
from core.match.fork import Forking, fork_match
from core.match.live_match import Match, Prepared, load_match
from core.match.match_creation import Opening, open_match
from core.notation.notation import (
    BEGIN,
    RESIGN,
    RUNNING,
    UNTOLD,
    Move,
    Notation,
    NotationInvalid,
    NotationRefused,
    Remark,
    Tag,
)
from core.notation.order_text import OrderInvalid, command_of
from core.position_files.position_line import text_of_line
from core.refusal import Refusal
from core.registry.games import load_game
from events.archive_reader import Archive
from events.codec import DecodeError, convert, decode_plain, encode
from events.ids import ARBITER, NO_SEAT, Digest, MatchId, Seat, match_id
from events.log import NewCommit
from events.memory_log import MemoryLog
from events.vocabulary import Value
from projections.state.view import seat_number

PLAYED = ("rules", "limit", "resigned", "")
"""The ends to which orders lead."""


class PlayedNotation:
    """The matches that a notation tells: its own and a fork for each variation, in memory.

    Args:
        notation: What was read.
        name: From it the ids of the matches follow.
        at: When they are played, in milliseconds since 1970 (UTC).

    Raises:
        NotationInvalid: A tag or an order cannot be; the message says on which line.
        NotationRefused: The rules do not allow an order.
        SetupInvalid: The match cannot be opened like this.
        UnknownName: The game, the scenario or the mode is not there.
    """

    def __init__(self, notation: Notation, name: str, at: int) -> None:
        self._log = MemoryLog()
        self._at = at
        self._name = name
        self._tags = notation
        self.matches: list[MatchId] = []
        self.attachments: dict[Digest, bytes] = {}
        match = self._opened(notation)
        self._play(match, notation.moves)
        self._check_result(match, notation)

    def archives(self) -> list[Archive]:
        """Return the matches to be stored, parents first."""
        return [
            Archive(match, load_match(self._log, match).table.game, self.attachments, self._commits(match))
            for match in self.matches
        ]

    def _commits(self, match: MatchId) -> tuple[NewCommit, ...]:
        return tuple(
            [
                NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body, self._log.origin(one.match))
                for one in self._log.read(match)
            ]
        )

    def _id(self) -> MatchId:
        found = match_id(f"notation {len(self.matches)} {self._name}")
        self.matches.append(found)
        return found

    def _opened(self, notation: Notation) -> Match:
        """Open the match, and take its seats."""
        game = load_game(notation.value("Game"))
        edition = notation.value("Edition")
        if edition not in ("", game.edition):
            raise SetupInvalid((f"the notation is of edition {edition} of {game.key}; installed is {game.edition}",))
        position = notation.value("Position")
        opening = Opening(
            game=game.key,
            scenario=notation.value("Scenario"),
            mode=notation.value("Mode"),
            options=dict([_option(tag) for tag in notation.tags if tag.name == "Option"]),
            dice="manual",
            title=notation.value("Title"),
            position=text_of_line(position) if position else None,
        )
        opened = open_match(self._id(), opening, key="open", at=self._at)
        board = notation.value("Board")
        if board not in ("", opened.prepared.table.board):
            raise SetupInvalid(
                ("the match was played on a board of its own, which is not in the notation: import an archive",)
            )
        self.attachments = opened.attachments
        for digest, content in opened.attachments.items():
            self._log.attach(digest, content)
        self._log.append([opened.prepared.new])
        match = load_match(self._log, self.matches[0])
        named = {tag.values[0]: tag for tag in notation.tags if tag.name == "Seat" and tag.values}
        for seat in match.table.seats:
            tag = named.get(seat, Tag("Seat", ("",), 1))
            command = {"do": "match:take-seat", "seat": seat, "name": tag.values[-1] if len(tag.values) > 2 else ""}
            self._accept(match, seat, encode(command), Move((f"[Seat {seat}]",), line=tag.line))
        return match

    def _play(self, match: Match, moves: Sequence[Move]) -> None:
        for move in moves:
            before = match.head.seq
            self._order(match, move)
            first = before + 1
            self._remark(match, move, first)
            for line in move.lines:
                self._play(self._fork(match, before, line[0].line), line)

    def _fork(self, match: Match, at: int, line: int) -> Match:
        """Return a fork that leaves a match before an order."""
        forking = Forking(parent=match.id, at=at, dice="manual")
        try:
            forked = fork_match(self._log, self._id(), forking, key="fork", at=self._at)
        except KernelError as error:
            raise NotationInvalid(line, f"the variation cannot begin here: {error}") from None
        for prepared in forked.commits:
            self._log.append([prepared.new])
        return forked.match

    def _order(self, match: Match, move: Move) -> None:
        """Play one order."""
        said, table = " ".join(move.words), match.table
        if move.words == (UNTOLD,):
            told = "the order is not told, because the notation is what one seat saw: ask for a whole one"
            raise NotationInvalid(move.line, told)
        if table.ended is not None:
            raise NotationInvalid(move.line, f"{said!r} comes after the end of the match ({table.ended.result})")
        if move.words == (BEGIN,) and not table.began:
            self._accept(match, table.seats[0], b'{"do":"match:begin"}', move)
            return
        top = table.top
        seat = move.seat if move.words == (RESIGN,) else NO_SEAT if top is None else top.seat
        if not seat:
            raise NotationInvalid(move.line, f"{said!r} comes before play has begun: {BEGIN} is the first order")
        if move.seat not in ("", seat):
            raise NotationInvalid(move.line, f"{said!r} is an order of {move.seat}, and {seat} is to decide")
        if move.words == (RESIGN,):
            self._accept(match, seat, b'{"do":"match:resign"}', move)
            return
        try:
            command = command_of(move.words, match.ruleset.rules.commands)
        except OrderInvalid as error:
            raise NotationInvalid(move.line, f"{said!r}: {error}") from None
        self._accept(match, seat, command, move)

    def _accept(self, match: Match, seat: Seat, command: bytes, move: Move) -> None:
        """Play a command, and keep it in memory."""
        said, key = " ".join(move.words), f"notation-{match.head.seq}"
        try:
            chance = ManualChance(move.faces, move.draws)
            done = match.prepare(seat, command, key=key, at=self._at, chance=chance)
        except (DiceMissing, DrawMissing, DiceImpossible) as error:
            # A die that can fall, but did not, changes what is rolled and asked later.
            why = f"the dice of {said!r} do not fit the rules: {error}; or a die or draw before it is another one than fell"
            raise NotationInvalid(move.line, why) from None
        except DecodeError as error:
            raise NotationInvalid(move.line, f"{said!r} is not an order of this game: {error}") from None
        if isinstance(done, Refusal):
            raise NotationRefused(move.line, f"{said!r} is refused: {done.sentence} ({done.rule})", done.rule)
        self._adopt(match, done)

    def _adopt(self, match: Match, done: Prepared) -> None:
        self._log.append([done.new])
        match.adopt(done)

    def _remark(self, match: Match, move: Move, first: int) -> None:
        """Write what was said of an order as notes about it."""
        remarks = move.remarks or ([Remark("", move.seat, move.line)] if move.mark else [])
        for number, remark in enumerate(remarks):
            table = match.table
            seats = (*table.seats, ARBITER)
            is_named = remark.seat in seats
            seat = remark.seat if is_named else (move.seat or table.seats[0])
            text = remark.text if is_named or not remark.seat else f"{remark.seat}: {remark.text}"
            if number == 0 and move.mark:
                text = f"{move.mark} {text}".strip()
            at = seat_number(table, seat, first)
            note = Move((f"{{{text[:40]}}}",), line=remark.line)
            self._accept(match, seat, encode({"do": "match:note", "text": text, "at": at}), note)

    def _check_result(self, match: Match, notation: Notation) -> None:
        """Check that the result is that to which the orders lead; the arbiter's ends are none of theirs."""
        ended = match.table.ended
        led = RUNNING if ended is None else ended.result
        is_arbiters = ended is None and notation.value("End") not in PLAYED
        if led != notation.result and not is_arbiters:
            now = "the match goes on" if ended is None else f"the match ends with {led!r}"
            raise NotationInvalid(notation.result_line, f"the result is {notation.result!r}, but by its orders {now}")


def _option(tag: Tag) -> tuple[str, Value]:
    """Return the key and the value of an option."""
    try:
        key, written = tag.values
        return key, convert(decode_plain(written), Value)  # type: ignore[arg-type]
    except (DecodeError, ValueError):
        problem = 'an option is written [Option "key" "value"], its value as JSON'
        raise NotationInvalid(tag.line, problem) from None
