"""What a seat can do: its options as buttons, the places that they are about as lit places, taking back and resigning."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from core.chance import MANUAL
from core.drawing.lit import Lit
from core.telling.names import Names
from core.telling.phrases import listed, to_be_picked
from core.telling.sorts import sort_of_command
from events.codec import decode_plain
from events.ids import PieceId, PlaceId
from projections.table import Table
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import at_match, of_match
from server.web.html import Content, Html, div, link, span, tag
from server.web.layout import form
from server.web.sight import Sight

UNGROUPED_MAX = 20
"""More options than these stand under headings."""
DIGITS = 9
"""Options up to this number have a key."""


def choices(sight: Sight) -> Html | None:
    """Return what the seat can do now; None if it is not to be asked."""
    legal = sight.legal
    if legal is None or sight.story.now.ended is not None:
        return None
    if sight.story.now.chance.scheme == MANUAL:
        command = tag("code", None, f"wardiary table {sight.story.match} --seat {sight.seat}")
        return tag("p", None, "The dice of this match are typed in; it is played with ", command, ".")
    return div("choices", _told(sight, legal), _options(sight, legal), _others(sight, legal))


def _told(sight: Sight, legal: LegalReply) -> Content:
    """Return how many items are asked for, and which are picked."""
    names = sight.story.names.on(sight.story.now)
    parts: list[Content] = []
    if legal.maximum:
        picked = f"; picked: {listed(map(names.anything, legal.picked))}" if legal.picked else ""
        parts.append(tag("p", {"class": "picked"}, f"{to_be_picked(legal.minimum, legal.maximum)}{picked}."))
    if sight.about:
        every = link(at_match(sight.story.match, None, sight.seat), f"all {legal.count} options")
        parts.append(tag("p", {"class": "narrowed"}, f"About {names.anything(sight.about)}; ", every))
    return parts


def _options(sight: Sight, legal: LegalReply) -> Html | None:
    if not legal.options or legal.to_move != sight.seat:
        return None
    groups: list[Content] = []
    for sort, group in groupby(legal.options, lambda one: sort_of_command(bytes(one.command))):
        buttons = [_button(one) for one in group]
        is_headed = legal.count > UNGROUPED_MAX and len(buttons) > 1
        groups.append([tag("h2", None, f"{sort}: {len(buttons)}") if is_headed else None, div("options", buttons)])
    return form(of_match(sight.story.match, "play"), sight.token, _hidden(sight, legal), groups)


def _button(option: LegalOption) -> Html:
    attributes: dict[str, str | int | bool | None] = {"type": "submit", "name": "option", "value": option.number}
    attributes |= {"class": "option", "data-key": option.number if option.number <= DIGITS else None}
    return tag("button", attributes, span("key", option.number), span("words", option.words))


def _hidden(sight: Sight, legal: LegalReply) -> list[Html]:
    fields = {"seat": sight.seat, "expected": str(legal.seq), "key": sight.key}
    return [tag("input", {"type": "hidden", "name": name, "value": value}) for name, value in fields.items()]


def _others(sight: Sight, legal: LegalReply) -> list[Html]:
    """Return what a seat can do besides: take its last command back, and resign, which takes two clicks."""
    found = []
    match = sight.story.match
    if legal.take_back is not None:
        back = tag("button", {"type": "submit", "class": "back", "data-key": "Backspace"}, "Take back the last command")
        found.append(form(of_match(match, "take-back"), sight.token, _hidden(sight, legal), back, class_="inline"))
    if sight.story.now.began:
        really = tag("button", {"type": "submit"}, f"Resign as {sight.story.names.seat(sight.seat)}, for good")
        sent = form(of_match(match, "resign"), sight.token, _hidden(sight, legal), really)
        found.append(tag("details", {"class": "resign"}, tag("summary", None, "Resign"), sent))
    return found


# Lit places


def lit_places(sight: Sight) -> Mapping[PlaceId, Lit]:
    """Return the places that the options are about; a click on one leaves only its options."""
    legal = sight.legal
    if legal is None or legal.to_move != sight.seat or sight.about or sight.story.now.chance.scheme == MANUAL:
        return {}
    names = sight.story.names.on(sight.story.now)
    options: dict[PlaceId, list[LegalOption]] = {}
    for option in legal.options:
        for place in dict.fromkeys(_places(decode_plain(bytes(option.command)), names, sight.story.now)):
            options.setdefault(place, []).append(option)
    every = len(legal.options)
    return {
        place: Lit(
            str(found[0].number) if len(found) == 1 else f"{len(found)}…",
            at_match(sight.story.match, None, sight.seat, about=place),
            f"Option {found[0].number}: {found[0].words}"
            if len(found) == 1
            else f"{names.place(place)}: {len(found)} options",
        )
        for place, found in options.items()
        # A place that every option is about is where the question is asked, not a choice.
        if len(found) < every or every == 1
    }


def _places(command: object, names: Names, table: Table) -> Iterator[PlaceId]:
    """Yield the places of the map that a command names, and those of the pieces that it names."""
    if isinstance(command, str):
        piece = table.pieces.get(PieceId(command))
        place = PlaceId(command) if piece is None else table.ground(piece.place)
        if names.is_on_map(place):
            yield place
    elif isinstance(command, dict):
        for name, value in command.items():
            if name != "do":
                yield from _places(value, names, table)
    elif isinstance(command, list | tuple):
        for value in command:
            yield from _places(value, names, table)
