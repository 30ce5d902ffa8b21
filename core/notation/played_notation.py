"""A notation played by the rules: each order must be legal, and the dice and draws those that the rules ask for."""

from collections.abc import Sequence
from typing import get_args

from typing_extensions import override

from core.chance.recorded_chance import faces_of
from core.errors import SetupInvalid
from core.match.live_match import Match, load_match
from core.match.match_creation import Opening, open_match
from core.notation.notation import (
    RUNNING,
    Move,
    Notation,
    NotationInvalid,
    Remark,
    Tag,
)
from core.notation.order_player import OrderPlayer
from core.notation.study_notation import STUDY, ToldStudy, event_of
from core.position_files.position_line import text_of_line
from core.registry.games import load_game, typed_key
from events.archive_reader import Archive
from events.codec import DecodeError, convert, decode_plain, encode
from events.commit import decode_commit
from events.ids import ARBITER, Digest
from events.vocabulary import TakingBack, Value
from projections.state.view import seat_number

PLAYED = ("rules", "limit", "resigned", "")
"""The ends to which orders lead."""


class PlayedNotation(OrderPlayer):
    """The matches that a notation tells: its own and a fork for each variation, in memory.

    Args:
        notation: What was read.
        name: From it the ids of the matches follow.
        at: When they are played, in milliseconds since 1970 (UTC).

    Attributes:
        study: The study that it tells, or None.

    Raises:
        NotationInvalid: A tag or an order cannot be; the message says on which line.
        NotationRefused: The rules do not allow an order.
        SetupInvalid: The match cannot be opened like this.
        UnknownName: The game, the scenario or the mode is not there.
    """

    def __init__(self, notation: Notation, name: str, at: int) -> None:
        super().__init__(name, at)
        self.attachments: dict[Digest, bytes] = {}
        tags = [tag for tag in notation.tags if tag.name == STUDY]
        self.study = ToldStudy(tags[0]) if tags else None
        match = self._opened(notation)
        self._play(match, notation.moves)
        self._check_result(match, notation)

    def archives(self) -> list[Archive]:
        """Return the matches to be stored, parents first."""
        return [
            Archive(match, load_match(self._log, match).table.game, self.attachments, self._commits(match))
            for match in self.matches
        ]

    def _opened(self, notation: Notation) -> Match:
        """Open the match, and take its seats."""
        game = load_game(notation.value("Game"))
        edition = notation.value("Edition")
        if edition not in ("", game.edition):
            raise SetupInvalid(
                (f"the notation is of edition {edition} of {typed_key(game.key)}; installed is {game.edition}",)
            )
        position = notation.value("Position")
        opening = Opening(
            game=game.key,
            scenario=notation.value("Scenario"),
            mode=notation.value("Mode"),
            options=dict([_option(tag) for tag in notation.tags if tag.name == "Option"]),
            dice="manual",
            title=notation.value("Title"),
            taking_back=_taking_back(notation),
            house_rules=dict([_house_rule(tag) for tag in notation.tags if tag.name == "HouseRule"]),
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

    @override
    def _told(self, match: Match, move: Move, before: int) -> list[tuple[Match, Sequence[Move]]]:
        """Write what was said of an order as notes, or keep it for the study."""
        is_match = match.id == self.matches[0]
        numbers = self._numbers(match, before)
        if self.study is not None:
            self.study.take(move, numbers, is_match=is_match)
        self._remark(match, move, numbers)
        lines: list[tuple[Match, Sequence[Move]]] = []
        for line in move.lines:
            fork = self._fork(match, before, line[0].line)
            if self.study is not None and is_match:
                self.study.add_line(line, before, fork.id)
            lines.append((fork, line))
        return lines

    def _numbers(self, match: Match, before: int) -> list[int]:
        """Return the numbers of the events of the order that was played last: of its first one that is no roll, and of its rolls."""
        (stored,) = self._log.read(match.id, before)
        rolls, others = list[int](), list[int]()
        for number, event in enumerate(decode_commit(stored.body).events, start=before + 1):
            (others if faces_of(event) is None else rolls).append(number)
        return [*(others or rolls)[:1], *rolls]

    def _remark(self, match: Match, move: Move, numbers: Sequence[int]) -> None:
        """Write what was said of an order as notes about it."""
        remarks = [*move.remarks]
        if move.mark and all(one.roll for one in remarks):
            remarks.append(Remark("", move.seat, move.line))
        marked = next((one for one in remarks if not one.roll), None) if move.mark else None
        for remark in remarks:
            table = match.table
            seats = (*table.seats, ARBITER)
            is_named = remark.seat in seats
            seat = remark.seat if is_named else (move.seat or table.seats[0])
            text = remark.text if is_named or not remark.seat else f"{remark.seat}: {remark.text}"
            if remark is marked:
                text = f"{move.mark} {text}".strip()
            at = seat_number(table, seat, event_of(remark, numbers))
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


def _taking_back(notation: Notation) -> TakingBack:
    """Return what may be taken back in the match."""
    said = notation.value("TakingBack") or "consent"
    known: tuple[TakingBack, ...] = get_args(TakingBack)
    found = next((one for one in known if one == said), None)
    if found is None:
        line = next(tag.line for tag in notation.tags if tag.name == "TakingBack")
        raise NotationInvalid(line, f"TakingBack is {', '.join(known)}, not {said!r}")
    return found


def _house_rule(tag: Tag) -> tuple[str, str]:
    """Return the name and the text of a house rule."""
    if len(tag.values) != 2:
        raise NotationInvalid(tag.line, 'a house rule is written [HouseRule "name" "text"]')
    return tag.values[0], tag.values[1]


def _option(tag: Tag) -> tuple[str, Value]:
    """Return the key and the value of an option."""
    try:
        key, written = tag.values
        return key, convert(decode_plain(written), Value)  # type: ignore[arg-type]
    except (DecodeError, ValueError):
        problem = 'an option is written [Option "key" "value"], its value as JSON'
        raise NotationInvalid(tag.line, problem) from None
