"""Plays an option that a person chooses, or another command, and prints what happens."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from cli.commands.playing.seats import follow_on, take_seat
from cli.output.columns import wrapped
from cli.output.log_text import chapter_lines, event_shapes
from cli.output.table_text import decision_lines
from cli.schemas.matches import PlayedShape
from cli.shell.context import Context
from cli.shell.exit_codes import REFUSED, UserError, check_failed, usage
from cli.shell.remembered_events import LISTED
from cli.shell.seat_secrets import read_secrets
from cli.views.named_match import named_at_head, only_seat, own_seat
from cli.views.option_words import BEGIN_WORDS, option_by_words, waits_to_begin, with_names
from cli.views.served_match import bound_on
from core.chance.schemes import MANUAL
from core.match.live_match import load_match
from core.match.match_commands import MatchCommand
from core.match.player_commands import Undo
from core.match.ruleset import AdoptRules
from core.match.standing_answers import AnswerAlways
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import DecodeError, decode_plain, encode
from events.ids import ARBITER, NO_SEAT, PUBLIC, MatchId, Seat
from events.vocabulary import CommandsUndone
from projections.chronicle import Chapter, Heading, chronicle
from projections.state.fold import fold
from projections.state.seating import is_full
from projections.state.table import Table
from projections.state.view import EventSlice, seat_number
from server.client.checked_events import fold_checked
from server.client.client import Client
from server.protocol.errors import RequestFailed
from server.protocol.replies import LegalOption, LegalReply


class Typed(NamedTuple):
    """The arguments beside a command: the seat, the dice and draws of a real table, the expected last event."""

    seat: str
    dice: tuple[int, ...]
    draws: list[str]
    expected: int | None


class _Chair(NamedTuple):
    """A seat of a match, and the client that plays it."""

    client: Client
    match: MatchId
    seat: Seat


class _Moment(NamedTuple):
    """The table that was read for a command, and the options at that moment if the command is one of them in words."""

    table: Table
    legal: LegalReply | None = None


_Played = tuple[Sequence[EventSlice], int]
"""What a seat sees of a command or an order, and how many commands of an order were not played."""


def choose(context: Context, match: str, command: str, typed: Typed) -> None:
    """Play a command, or those on the lines of stdin, until one is refused.

    Raises:
        UserError: The text is not a command.
        RequestFailed: The desk or the rules refuse.
    """
    known = named_at_head(context, match, typed.seat, is_own=True)
    if command != "-":
        _play_one(context, known, command, typed)
        return
    if typed.dice or typed.draws or typed.expected is not None:
        raise usage("commands from stdin take no dice, draws or expected number")
    for line in sys.stdin.buffer:
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise usage(f"{line[:40]!r} is not valid UTF-8", "malformed") from None
        if text:
            _play_one(context, known, text, typed)


def adopt_rules(context: Context, match: str, seat: str) -> None:
    """Adopt the installed rules, as the seat that decides or, if the match has one, as its arbiter.

    Raises:
        UserError: The match is played under the installed rules already.
        RequestFailed: The rules refuse, or the seat is not proved.
    """
    known = named_at_head(context, match, seat)
    if not seat and context.client.state(known).table.arbiter is not None:
        seat = ARBITER
    asker = Seat(seat) or _acting_seat(context, known)
    legal = context.client.legal(known, asker)
    if legal.installed is None:
        raise UserError("the match is played under the installed rules already", REFUSED, "rules_must_differ")
    command = encode(AdoptRules(rules=legal.installed.rules)).decode()
    _play_one(context, known, command, Typed(asker, (), [], legal.seq))


def undo(context: Context, match: str, seat: str, to: int | None) -> None:
    """Take back the last command of a seat, by default of the seat whose command was last, or all after an event.

    Raises:
        RequestFailed: The rules refuse.
    """
    known, expected = named_at_head(context, match, seat), None
    if not seat and not context.address:
        loaded = load_match(context.log, known)
        last = loaded.recent.commands
        if last:
            seat = last[-1].seat
            expected = seat_number(loaded.table, last[-1].seat, loaded.head.seq)
    _play_one(context, known, encode(Undo(to=to)).decode(), Typed(seat, (), [], expected), is_tied=True)


def send(context: Context, match: str, seat: str, command: MatchCommand) -> None:
    """Play a match command of a seat; without a seat of the only one that this user has, or that the match has on the store.

    Raises:
        UserError: There are several.
        RequestFailed: The rules refuse, or the seat is not proved.
    """
    known = named_at_head(context, match, seat)
    seat = seat or only_seat(context, known)
    _play_one(context, known, encode(command).decode(), Typed(seat, (), [], None))


def answer_always(context: Context, match: str, decision: str, answer: str, *, seat: str, until: str) -> None:
    """Give a seat's standing answer to a kind of decision, as JSON, or withdraw it with `off`.

    Raises:
        UserError: The answer is neither.
        RequestFailed: The rules refuse, or the seat is not proved.
    """
    if answer == "off":
        answer = ""
    else:
        _check_json(answer, match)
    send(context, match, seat, AnswerAlways(decision=decision, answer=answer, until=until))


def redo(context: Context, match: str, seat: str, *, everything: bool) -> None:
    """Put back the next command that a seat has taken back, by default the seat that took back last, or all of them.

    Raises:
        RequestFailed: Nothing is left to put back.
    """
    known = named_at_head(context, match, seat)
    if not seat and not context.address:
        seat = load_match(context.log, known).recent.undone_by

    def put_back(chair: _Chair, moment: _Moment, typed: Typed) -> _Played:
        reply = chair.client.redo(chair.match, chair.seat, everything=everything, expected=moment.table.seq)
        return reply.slices, reply.left

    _carry_out(context, known, Typed(seat, (), [], None), put_back)


def _play_one(context: Context, match: MatchId, text: str, typed: Typed, *, is_tied: bool = False) -> None:
    """Play a command and print what happens; with `is_tied` it is played on the table only that is read for it."""

    def played(chair: _Chair, moment: _Moment, typed: Typed) -> _Played:
        table = moment.table
        if is_tied and typed.expected is None:
            typed = typed._replace(expected=table.seq)
        if text == "begin" or (text in ("1", BEGIN_WORDS) and waits_to_begin(table)):
            return _begin(context, match, chair.seat, table, typed), 0
        return _ask(chair, text, moment, typed)

    _carry_out(context, match, typed, played, is_words=_is_words(text), is_number=_is_number(text))


def _is_words(text: str) -> bool:
    """Return whether a command is the words of an option, rather than a number, JSON or a word of this program."""
    is_digits = text.isascii() and text.isdecimal()
    return bool(text.strip()) and not (
        is_digits or text in ("begin", BEGIN_WORDS, "resign") or text.startswith(("{", "["))
    )


def _is_number(text: str) -> bool:
    """Return whether a command is the number of an option."""
    return text.isascii() and text.isdecimal() and len(text) <= 9


def _carry_out(
    context: Context,
    match: MatchId,
    typed: Typed,
    ask: Callable[[_Chair, _Moment, Typed], _Played],
    *,
    is_words: bool = False,
    is_number: bool = False,
) -> None:
    """Ask for a command and print what happens.

    The table is read once. What is expected, refused and told follows from that table and from what was appended, whoever else plays
    at the same time.

    Args:
        context: The run of the verb.
        match: The match.
        typed: The arguments of the verb.
        ask: Asks for the command, on the table that was read.
        is_words: The options are read with the table.
        is_number: They are, too, for a seat that signs: it sends what stands under the number, not the number.
    """
    client = context.client
    seat = Seat(typed.seat) or _acting_seat(context, match)
    # Before its secret is known, a seat of a server sees what the public sees.
    viewer = seat if client.token(match, seat) or not context.address else PUBLIC
    legal = client.legal(match, seat, table=True) if is_words else None
    if is_number and client.public_key(match, seat):
        # Where nothing can be decided, what the number is refused for is told by the command.
        with suppress(RequestFailed):
            legal = client.legal(match, seat, table=True)
    known = client.state(match, viewer).table if legal is None or legal.table is None else legal.table
    names = Names(bound_on(client, match, viewer, known).narration)
    chair = _Chair(client, match, seat)
    try:
        slices, left = ask(chair, _Moment(known, legal), typed)
    except RequestFailed as error:
        if known.goes_on:
            follow_on(context, match)
        raise with_names(error, lambda: names) from None
    LISTED.forget(match, seat)
    _catch_up(chair, known, slices)
    after = known.clone()
    for slice_ in slices:
        fold_checked(match, slice_, after)
    shape = PlayedShape(
        match=match,
        seq=slices[-1].last if slices else known.seq,
        seat=seat,
        events=tuple(event_shapes(match, slices, Narrator(names, known))),
        decision="" if after.top is None else after.top.kind,
        to_move=NO_SEAT if after.top is None else after.top.seat,
        ended=after.ended,
        left=left,
    )

    def restored(to: int) -> Heading:
        return Heading.of(client.state(match, seat, to).table)

    if slices and isinstance(back := slices[-1].events[-1], CommandsUndone):
        # What was taken back is told again, and marked.
        told = client.log(match, seat, back.to)
        known = client.state(match, seat, back.to).table
        slices = [slice_ for slice_ in told if slice_.last <= shape.seq]
    chapters = chronicle(slices, Heading.of(known), restored)
    context.print_result(shape, _played_lines(context, Narrator(names, known), chapters, after))
    context.flush()
    if left:
        context.echo_err(
            f"{left} of the order's commands were not played: they come after dice, a draw, a disclosure or the end"
        )


def _played_lines(context: Context, teller: Narrator, chapters: Sequence[Chapter], after: Table) -> Iterator[str]:
    yield from chapter_lines(context, teller, chapters)
    yield ""
    for said in decision_lines(teller.names, after):
        yield from wrapped("", said, context.width)


def _acting_seat(context: Context, match: MatchId) -> Seat:
    """Return the seat that acts if none is named: the one that decides, on a server among this user's."""
    if context.address:
        listed = [one for one in read_secrets(context.address).get(match, {}) if LISTED.of(match, one) is not None]
        return listed[0] if len(listed) == 1 else own_seat(context, match)
    top = context.client.state(match, ARBITER).table.top
    return ARBITER if top is None else top.seat


def _begin(context: Context, match: MatchId, seat: Seat, before: Table, typed: Typed) -> Sequence[EventSlice]:
    """Take the seat that is named, or else all free seats, and begin, unless play began when the last seat was taken.

    Raises:
        RequestFailed: Play has begun, or the set-up needs dice; seats taken by then stay taken.
    """
    client = context.client
    free = [] if before.began else [known for known in before.seats if known not in before.players]
    if typed.seat and typed.seat != ARBITER:
        free = [known for known in free if known == typed.seat]
    if not free or (before.chance.scheme != MANUAL and (typed.dice or typed.draws)):
        return client.begin(match, seat, dice=typed.dice, draws=typed.draws).slices
    for one in free:
        take_seat(context, match, one, "", has_links=before.links is not None)
    now = client.state(match).table
    if not now.began and is_full(now):
        client.begin(match, seat, dice=typed.dice, draws=typed.draws)
    return client.log(match, seat, before.seq)


def _catch_up(chair: _Chair, known: Table, slices: Sequence[EventSlice]) -> None:
    """Bring a table up to the event before a command, if others have played since it was read."""
    if not slices or slices[0].first <= known.seq + 1:
        return
    client, match, seat = chair
    for missed in client.log(match, seat, known.seq):
        fold(missed.events[: max(0, slices[0].first - missed.first)], known)


def _ask(chair: _Chair, text: str, moment: _Moment, typed: Typed) -> _Played:
    """Ask for a command in any of its spellings, or for an order.

    The number of an option is that of the options that were listed last, its words are those at this moment.

    Args:
        chair: The seat that plays.
        text: The command as typed.
        moment: The table as it was read, and the options if the text is one of them.
        typed: The arguments beside it.

    Returns:
        What the seat sees of it, and how many commands of an order were not played.

    Raises:
        UserError: The text has none of these forms.
        RequestFailed: The desk or the rules refuse.
    """
    client, match, seat = chair
    expected, seq = typed.expected, moment.table.seq
    if text == "resign":
        text = '{"do":"match:resign"}'
    elif _is_number(text):
        number, option = int(text), None
        if expected is None:
            _check_listed(chair, number, seq)
            expected = seq
        if moment.legal is not None:
            option = _option(moment.legal, number)
        text = str(number) if option is None else bytes(option.command).decode()
    elif text.startswith(("{", "[")):
        _check_json(text, match)
    elif not text.strip():
        raise usage("a command is an option's number or words, JSON, begin or resign; it is blank", "malformed")
    else:
        legal = client.legal(match, seat) if moment.legal is None else moment.legal
        text = bytes(option_by_words(legal, seat, text).command).decode()
        expected = legal.seq if expected is None else expected
    played = client.play(match, seat, text, dice=typed.dice, draws=typed.draws, expected=expected)
    return played.slices, played.left


def _check_listed(chair: _Chair, number: int, seq: int) -> None:
    """Check that an option is still what stood under its number when the options were listed last.

    Raises:
        UserError: It is another one now. What was listed of a match that has no such event says nothing.
    """
    client, match, seat = chair
    listed = LISTED.of(match, seat)
    if listed is None or listed >= seq:
        return
    with suppress(RequestFailed):
        then, now = (_option(client.legal(match, seat, at=at), number) for at in (listed, seq))
        if now is not None and (then is None or then.command != now.command):
            was = "not there" if then is None else repr(then.words)
            raise check_failed(
                f"option {number} was {was} when the options were listed, after event {listed}, and is {now.words!r} now: "
                f"`wardiary legal {match}` lists them again",
                "lost_race",
            )


def _option(legal: LegalReply, number: int) -> LegalOption | None:
    return next((one for one in legal.options if one.number == number), None)


def _check_json(text: str, match: str) -> None:
    """Refuse text that begins as JSON and is not valid JSON.

    Raises:
        UserError: The text is not valid; the message shows the form of a command.
    """
    try:
        decode_plain(text.encode())
    except DecodeError as error:
        raise usage(
            f'{text[:40]!r} is not valid JSON ({error}); a command is an object such as {{"do":"match:resign"}}, '
            f"and `wardiary legal {match} --json` shows those that are legal now",
            "malformed",
        ) from None
