"""List the options of the open decision."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from cli.commands.playing.seats import follow_on
from cli.output.columns import wrapped
from cli.output.table_text import decision_lines
from cli.schemas.matches import ChoiceShape, LegalShape
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.remembered_events import LISTED
from cli.views.match_view import MatchView
from cli.views.named_match import named_match, own_seat
from cli.views.option_words import BEGIN_WORDS, UNGROUPED_MAX, drawable, waits_to_begin
from cli.views.served_match import ServedMatch, is_seen_by_arbiter, view_of_seat
from cli.views.stored_match import StoredMatch
from core.chance.chance_sources import ManualChance
from core.chance.schemes import MANUAL
from core.errors import DiceMissing, DrawMissing
from core.legal.legal_options import Legal, legal_commands, named_on
from core.match.live_match import Match, resumed, ruleset_of
from core.match.player_commands import Begin
from core.match.redo import line_to_redo
from core.match.undo import last_undo
from core.registry.installed_rules import standing_still
from core.telling.names import Names
from core.telling.option_parts import OptionKind, heading_of, option_kinds, told_options
from core.telling.phrases import listed, to_be_picked
from core.wording import capital, does
from events.codec import Raw, decode_plain, encode, replace
from events.commit import Head
from events.ids import ARBITER, NO_SEAT, PUBLIC, Digest, MatchId, Seat
from projections.state.table import Table
from projections.state.view import seat_number
from server.client.adopting import standstill
from server.protocol.replies import LegalReply, StateReply

SHARED_MIN = 12
"""The fewest characters with which options about one thing must begin alike to be listed together."""

BEGIN = ChoiceShape(number=1, command=Raw(encode(Begin())), words=BEGIN_WORDS)
"""The only option where `waits_to_begin`."""


def list_legal(context: Context, point: str, seat: str, about: str = "") -> None:
    """List the options of the seat that decides at a point, all or those about one piece or place, or say who decides.

    Raises:
        UserError: The point lies in the middle of a command; the message names the nearest events.
    """
    shape, reader = open_decision(context, point, seat, about)
    is_shown = reader.seat in (shape.seat, ARBITER)
    context.print_result(shape, _legal_lines(context, reader, shape, is_shown=is_shown))
    if parse_point(point)[1] is None and reader.seat == shape.seat and shape.options:
        LISTED.remember(shape.match, shape.seat, shape.seq)


def open_decision(context: Context, point: str, seat: str, about: str = "") -> tuple[LegalShape, MatchView]:
    """Return the decision that is open at a point of a match, in the store or on the server, and the match as who asks sees it there.

    Args:
        context: The run of the verb.
        point: MATCH or MATCH@SEQ.
        seat: The seat that asks; empty for the one that decides.
        about: What the options are about; empty for all.

    Raises:
        UserError: The point lies in the middle of a command, or the match has no piece, place or card of that name.
    """
    match, number = parse_point(point)
    if context.address:
        known = named_match(context, match, seat)
        return served_legal(context, known, Seat(seat) or own_seat(context, known), number, about)
    seen = StoredMatch(context.log, named_match(context, match), Seat(seat) or PUBLIC, number, context.echo_err)
    if number is None and seen.true_table.goes_on:
        line = follow_on(context, seen.match)
        seen = StoredMatch(context.log, line, Seat(seat) or PUBLIC, None, context.echo_err)
    _check_named(about, seen, seen.true_table)
    return legal_shape(seen, seat, about)


def _check_named(about: str, seen: MatchView, table: Table) -> None:
    if about and about not in named_on(table) | {place.id for place in seen.names.narration.place_names()}:
        raise usage(f"there is no piece, place or card {about!r} in this match", "unknown_name")


def served_legal(
    context: Context, match: MatchId, seat: Seat, number: int | None, about: str
) -> tuple[LegalShape, MatchView]:
    """Return the decision of a match on a server with the options that a seat may see, and the match at that very moment.

    Args:
        context: The run of the verb.
        match: The match.
        seat: The seat that asks.
        number: The seat's event after which the decision is open; None for the latest.
        about: What the options are about; empty for all.
    """
    client = context.client
    reader: MatchView
    if is_seen_by_arbiter(client, match, seat):
        whole = view_of_seat(client, match, seat, number, context.echo_err)
        reply = client.legal(match, ARBITER, about=about, at=whole.end_of_command(whole.number))
        if reply.to_move != seat:
            reply = LegalReply(
                match=match, seq=reply.seq, decision=reply.decision, to_move=reply.to_move, arguments=reply.arguments
            )
        reader, reply = whole, replace(reply, seq=whole.number, undo_to=None, can_redo=False)
    else:
        reply = client.legal(match, seat, about=about, at=number, table=True)
        assert reply.table is not None, "it was requested"
        state = StateReply(match=match, seat=seat, seq=reply.seq, table=reply.table)
        reader = ServedMatch(client, state, context.echo_err)
    table = reader.table()
    if number is None and table.goes_on:
        return served_legal(context, follow_on(context, match), seat, None, about)
    _check_named(about, reader, table)
    choices = tuple(
        [ChoiceShape(number=one.number, command=one.command, words=one.words, parts=one.parts) for one in reply.options]
    )
    if seat != PUBLIC and waits_to_begin(table):
        choices = (BEGIN,)
    shape = LegalShape(
        match=reply.match,
        seq=reply.seq,
        decision=reply.decision,
        seat=reply.to_move,
        arguments=reply.arguments,
        options=choices,
        count=reply.count or len(choices),
        kinds=reply.kinds,
        minimum=reply.minimum,
        maximum=reply.maximum,
        may_repeat=reply.may_repeat,
        picked=reply.picked,
        places=reply.places,
        undo_to=reply.undo_to,
        can_redo=reply.can_redo,
        installed=reply.installed,
        link_due=reply.link_due,
    )
    return shape, reader


def moment(seen: StoredMatch) -> tuple[Table, Match | None]:
    """Return the table where a view ends, and the match there; no match after its end.

    Raises:
        UserError: The view ends in the middle of a command.
    """
    if seen.number == seen.last:
        table = seen.true_table
        # If the match cannot be continued here, its options are not listed either.
        return table, None if table.ended is not None else resumed(seen.log, seen.match, table, seen.head)
    table = seen.true_table_at(seen.end_of_command(seen.number))
    if table.ended is not None:
        return table, None
    return table, Match(seen.match, ruleset_of(seen.log, table), table, Head(table.seq, Digest("")))


def legal_shape(seen: StoredMatch, seat: str, about: str = "") -> tuple[LegalShape, MatchView]:
    """Return the decision that is open where a view ends, its options only for the seat that decides and for the arbiter.

    Args:
        seen: The view, by the count of the seat or, without one, of the public.
        seat: The seat that asks; empty for the one that decides.
        about: What the options are about; empty for all.

    Returns:
        The decision, and the match at that moment as the asking seat sees it.
    """
    table, match = moment(seen)
    top = table.top
    decider = ARBITER if top is None else top.seat
    asker = seen.seat if seat else decider
    choices: list[ChoiceShape] = []
    legal = Legal()
    kinds: tuple[OptionKind, ...] = ()
    bound = seen.bound if match is None else match.ruleset.game
    installed = standing_still(table)
    is_now = table is seen.true_table
    link_due = (
        table.links.awaited(decider) if is_now and top is not None and table.links is not None else None
    ) or NO_SEAT
    if installed is not None:
        match = None
    elif link_due:
        pass
    elif top is not None and asker in (decider, ARBITER):
        legal = legal_commands(bound.rules, table, about)
        kinds = option_kinds(bound, table, top)
        told = told_options(bound, table, [option for _, option in legal.options])
        for (number, option), (words, parts) in zip(legal.options, told, strict=True):
            choices.append(ChoiceShape(number=number, command=Raw(encode(option)), words=words, parts=parts))
    elif waits_to_begin(table):
        choices.append(BEGIN)
    if match is not None and table.chance.scheme == MANUAL:
        choices = [_with_wanted(match, seen.names, choice, decider) for choice in choices]
    shape = LegalShape(
        match=seen.match,
        seq=seat_number(table, asker, table.seq),
        decision="" if top is None else top.kind,
        seat=NO_SEAT if top is None else decider,
        arguments={} if top is None else top.arguments,
        options=tuple(choices),
        count=legal.count or len(choices),
        kinds=kinds,
        minimum=legal.minimum,
        maximum=legal.maximum,
        may_repeat=legal.may_repeat,
        picked=legal.picked,
        places=legal.places,
        undo_to=last_undo(table, match.recent, asker) if match is not None and is_now else None,
        can_redo=match is not None and is_now and bool(line_to_redo(seen.log, match, asker)),
        installed=installed,
        link_due=link_due,
    )
    reader = seen.by(asker)
    reader.number = shape.seq
    return shape, reader


def _with_wanted(match: Match, names: Names, choice: ChoiceShape, seat: Seat) -> ChoiceShape:
    """Return which typed dice an option needs, by trying it without any."""
    try:
        match.prepare(seat, bytes(choice.command), key="legal", at=0, chance=ManualChance())
    except DiceMissing as missing:
        dice = "die" if missing.count == 1 else "dice"
        return replace(choice, wanted=f"{missing.count} {dice} (1 to {missing.sides}) for {missing.purpose}")
    except DrawMissing as missing:
        return replace(choice, wanted=f"a draw for {missing.purpose}: {drawable(names, missing.candidates)}")
    return choice


def _legal_lines(context: Context, seen: MatchView, shape: LegalShape, *, is_shown: bool) -> Iterator[str]:
    table = seen.table()
    names = seen.names.on(table)
    for said in decision_lines(names, table):
        yield from wrapped("", said, context.width)
    if shape.installed is not None:
        yield from wrapped("", standstill(table, shape.installed), context.width)
        yield f"wardiary choose {seen.match} --adopt-rules adopts them, for everybody to see."
        return
    if shape.link_due:
        yield "Until then nothing is decided."
        return
    is_long = len(shape.options) > UNGROUPED_MAX
    if shape.count > len(shape.options):
        yield f"{len(shape.options)} of {shape.count} options."
    elif is_long:
        yield f"{shape.count} options; --about ID lists those about one piece or place."
    if shape.maximum:
        question = "" if table.top is None else names.narration.question(table, table.top)
        picked = listed(map(names.anything, shape.picked))
        yield from filter(None, [to_be_picked(shape.minimum, shape.maximum, question, picked)])
    if shape.decision and not shape.count:
        yield "No option is left." if is_shown else f"Only {does(names.seat(shape.seat), 'see')} the options."
    for sort, group in groupby(shape.options, lambda one: heading_of(bytes(one.command), names)):
        choices = tuple(group)
        if is_long and len(choices) > 1:
            yield f"{sort}: {len(choices)} options"
        for _, about in groupby(without_alike(choices), _first_named):
            yield from _listed(context, tuple(about), is_long=is_long)
    for said in _draws(shape.options):
        yield from wrapped("", said, context.width)


def without_alike(choices: Iterable[ChoiceShape]) -> list[ChoiceShape]:
    """Return options without those that are told like an earlier one, such as those of like cards; the first then says how many there are."""
    found: dict[tuple[str, str], list[ChoiceShape]] = {}
    for choice in choices:
        found.setdefault((choice.words, choice.wanted), []).append(choice)
    return [
        first if not others else replace(first, words=f"{first.words} ({1 + len(others)} alike)")
        for first, *others in found.values()
    ]


def _in_short(wanted: str) -> str:
    """Return which dice or draw an option needs, without what might be drawn; that is listed once (see `_draws`)."""
    return wanted.partition(": ")[0]


def _draws(choices: Iterable[ChoiceShape]) -> Iterator[str]:
    """Yield what might be drawn for options, a sentence a draw."""
    for what, known, names in dict.fromkeys(choice.wanted.partition(": ") for choice in choices):
        if known:
            yield f"{capital(what)} is one of: {names}."


def key_of(choice: ChoiceShape) -> int:
    """Return the number by which an option is played; what ends the step has the same one everywhere."""
    return 0 if choice.parts.ends else choice.number


def _first_named(choice: ChoiceShape) -> str:
    """Return the first thing that a command names; empty if it names nothing."""
    plain = decode_plain(bytes(choice.command))
    fields = [value for name, value in plain.items() if name != "do"] if isinstance(plain, dict) else []
    return str(fields[0]) if fields else ""


def _listed(context: Context, choices: Sequence[ChoiceShape], *, is_long: bool) -> Iterator[str]:
    """List options line by line; at a terminal, those of a long list that are about one thing share the words with which they begin.

    Elsewhere each option is one line with all its words, so that a search finds it.
    """
    said = [f"{choice.words}{f' [needs {_in_short(choice.wanted)}]' if choice.wanted else ''}" for choice in choices]
    if not context.is_terminal:
        yield from (f"{key_of(choice):>4}  {words}" for choice, words in zip(choices, said, strict=True))
        return
    same = takewhile(lambda words: len({*words}) == 1, zip(*(one.split(" ")[:-1] for one in said), strict=False))
    shared = " ".join([words[0] for words in same]) if is_long and len(said) > 1 else ""
    if len(shared) < SHARED_MIN:
        for choice, words in zip(choices, said, strict=True):
            yield from wrapped(f"{key_of(choice):>4}  ", words, context.width)
        return
    yield from wrapped("      ", f"{shared} …", context.width)
    ways = [f"{key_of(choice):>4}  {words[len(shared) + 1 :]}" for choice, words in zip(choices, said, strict=True)]
    column = max(map(len, ways)) + 3
    beside = max(1, context.width // column)
    for first in range(0, len(ways), beside):
        yield "".join(way.ljust(column) for way in ways[first : first + beside]).rstrip()
