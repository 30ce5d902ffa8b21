"""What a seat can do: its options as buttons, the places that they are about as lit places, and typed dice of a real table."""

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
from server.pages.html import Attribute, Content, Html, div, link, span, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import at_match, of_match
from server.web.layout import form, hidden_fields
from server.web.plays import BEGIN, PLAY, Typed
from server.web.seat_tools import hidden, tools
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
    if sight.typed is not None:
        return div("choices", _typed(sight, legal, sight.typed))
    chosen = [one for one in legal.options if one.number == sight.choice]
    if sight.is_asking and chosen:
        return div("choices", _confirmed(sight, legal, chosen[0]))
    return div("choices", _told(sight, legal), _begin(sight, legal), _options(sight, legal), tools(sight, legal))


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
        buttons = [_button(sight, one) for one in group]
        is_headed = legal.count > UNGROUPED_MAX and len(buttons) > 1
        groups.append([tag("h2", None, f"{sort}: {len(buttons)}") if is_headed else None, div("options", buttons)])
    if sight.is_asking:
        return div("asking", groups)
    to, is_single = of_match(sight.story.match, PLAY), len(legal.options) == legal.count == 1
    return form(to, sight.token, hidden(sight, legal), groups, is_single=is_single)


def _button(sight: Sight, option: LegalOption) -> Html:
    """Return an option as a button that plays it, or as a link that asks about it first."""
    key = option.number if option.number <= DIGITS else None
    told = [span("key", option.number), span("words", option.words)]
    if sight.is_asking:
        to = at_match(sight.story.match, None, sight.seat, about=sight.about, choose=option.number)
        return link(to, told, class_="option button", data_key=key)
    attributes: dict[str, Attribute] = {"type": "submit", "name": "option", "value": option.number, "class": "option"}
    return tag("button", {**attributes, "data-key": key}, told)


def _confirmed(sight: Sight, legal: LegalReply, option: LegalOption) -> Content:
    """Return one option, to be played or not."""
    said = f"{option.words}? What dice, draws and others' answers follow cannot be taken back."
    button: dict[str, Attribute] = {"type": "submit", "class": "main", "name": "option", "value": option.number}
    play = tag("button", {**button, "data-key": 1}, "Play it")
    sent = form(of_match(sight.story.match, PLAY), sight.token, hidden(sight, legal), play)
    back = link(at_match(sight.story.match, None, sight.seat, about=sight.about), "Back to the options", class_="step")
    return [tag("p", {"class": "picked"}, said), sent, tag("p", None, back)]


# Typed dice


def _begin(sight: Sight, legal: LegalReply) -> Html | None:
    """Return the button that begins a match with typed dice, once all its seats are taken; other matches begin by themselves."""
    now = sight.story.now
    if now.began or now.chance.scheme != MANUAL or len(now.players) < len(now.seats):
        return None
    button = tag("button", {"type": "submit", "class": "main"}, "Begin the match")
    return form(of_match(sight.story.match, BEGIN), sight.token, hidden(sight, legal), button)


def _typed(sight: Sight, legal: LegalReply, typed: Typed) -> Content:
    """Return the form in which the dice or a draw of a real table are typed for a command."""
    names = sight.story.names.on(sight.story.now)
    option = next((one.words for one in legal.options if str(one.number) == typed.option), "")
    label: Html
    if typed.wanted:
        drawn = [tag("option", {"value": name}, names.anything(name)) for name in dict.fromkeys(typed.wanted)]
        label = tag("label", {"for": "more-draw"}, "What was drawn")
        field = tag("select", {"name": "more-draw", "id": "more-draw"}, drawn)
    else:
        label = tag("label", {"for": "more-dice"}, "What the dice show, such as 3 4")
        attributes: dict[str, Attribute] = {"type": "text", "name": "more-dice", "id": "more-dice", "required": True}
        field = tag("input", {**attributes, "autocomplete": "off", "inputmode": "numeric"})
    known = {"option": typed.option, "dice": typed.dice, "draws": typed.draws}
    kept = hidden_fields({name: value for name, value in known.items() if value})
    button = tag("button", {"type": "submit", "class": "main"}, "Go on")
    sent = form(
        of_match(sight.story.match, typed.what),
        sight.token,
        hidden(sight, legal),
        kept,
        label,
        field,
        button,
        class_="sit",
    )
    back = link(at_match(sight.story.match, None, sight.seat), "Back to the options", class_="step")
    why = f"{option}: {typed.why}." if option else f"{typed.why[:1].upper()}{typed.why[1:]}."
    return [tag("p", {"class": "picked", "role": "alert"}, why), sent, tag("p", None, back)]


# Lit places


def lit_places(sight: Sight) -> Mapping[PlaceId, Lit]:
    """Return the places that the options are about; a click on one leaves only its options."""
    legal = sight.legal
    if legal is None or legal.to_move != sight.seat or sight.about or sight.typed is not None:
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
