"""The options of a seat: those that fit what was typed, their headings, and the command that the typed text stands for."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from cli.shell.exit_codes import usage
from cli.views.option_words import UNGROUPED_MAX, option_by_words, options_with
from core.telling.names import Names
from core.telling.option_parts import heading_of
from events.codec import DecodeError, decode_plain
from events.ids import Seat
from server.protocol.replies import LegalOption, LegalReply

RESIGN = "resign"


class Row(NamedTuple):
    """A row of the list of options: an option, or the heading of several ones if there is no option."""

    text: str
    option: LegalOption | None = None


class Wish(NamedTuple):
    """A command that was chosen: its JSON, what it is in words, and the last event that the seat had seen."""

    command: str
    words: str
    expected: int | None


def key_of(option: LegalOption) -> int:
    """Return the number by which an option is typed: what ends the step has the same one everywhere."""
    return 0 if option.parts.ends else option.number


def fitting(options: Sequence[LegalOption], typed: str) -> list[LegalOption]:
    """Return the options whose number begins with what was typed, or that its words mean; all if nothing was typed."""
    wanted = typed.strip()
    if not wanted:
        return list(options)
    having = options_with(options, wanted)
    if wanted.isascii() and wanted.isdecimal():
        with_number = [one for one in options if str(key_of(one)).startswith(wanted) or str(one.number) == wanted]
        return sorted({one.number: one for one in with_number + having}.values(), key=lambda one: one.number)
    return having


def rows(options: Sequence[LegalOption], count: int, names: Names) -> Iterator[Row]:
    """Yield the rows of some options, under headings if there are many options in all.

    Args:
        options: Those to be listed.
        count: The number of all options of the question.
        names: What the headings are called.
    """
    for sort, group in groupby(options, lambda one: heading_of(bytes(one.command), names)):
        choices = list(group)
        if count > UNGROUPED_MAX and len(choices) > 1:
            yield Row(f"{sort}: {len(choices)} options")
        for one in choices:
            yield Row(one.words, one)


def wished(legal: LegalReply, seat: Seat, typed: str, pointed: LegalOption | None) -> Wish:
    """Return the command that is meant.

    Args:
        legal: The options.
        seat: The seat that plays.
        typed: A number, words that only one option has, JSON, `resign`, or nothing.
        pointed: The option on which the cursor is, if it is on one.

    Raises:
        UserError: Nothing, or more than one option, is meant, or the seat is not to decide.
    """
    text = typed.strip()
    if text.casefold() == RESIGN:
        return Wish('{"do":"match:resign"}', RESIGN, legal.seq)
    if text.startswith(("{", "[")):
        _check_json(text)
        return Wish(text, text, legal.seq)
    is_one = len(legal.options) == 1 and legal.installed is None
    if pointed is None and not text and not is_one and legal.to_move == seat:
        raise usage("choose an option with the arrow keys, or type its number or a part of its words", "no_choice")
    option = pointed or _typed_option(legal, seat, text)
    return Wish(bytes(option.command).decode(), option.words, legal.seq)


def _typed_option(legal: LegalReply, seat: Seat, text: str) -> LegalOption:
    if not text and len(legal.options) == 1:
        return legal.options[0]
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        for one in legal.options:
            if int(text) in (key_of(one), one.number):
                return one
    return option_by_words(legal, seat, text)


def _check_json(text: str) -> None:
    """Refuse text that begins as JSON and is not valid JSON."""
    try:
        decode_plain(text.encode())
    except DecodeError as error:
        raise usage(f"{text[:40]!r} is not valid JSON ({error})", "malformed") from None
