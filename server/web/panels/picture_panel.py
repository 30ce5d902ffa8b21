"""The picture of a table on a page, with what the last command changed and what the options are about."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.drawing.card_table_svg import brief
from core.drawing.drawing import drawing_of, spread_of
from core.drawing.own_stacks import with_own_stacks
from core.drawing.picture_svg import map_keys
from core.drawing.window_svg import Shown, Subject, is_on, map_with, near_sheet, resting, shown_map, thumbnails
from core.narration.sheet import Drawing, Sheet, Spread
from core.svg.highlights import Lit
from events.codec import replace
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import DiceRolled
from projections.state.table import Table
from server.page_parts.change_words import changes_between
from server.page_parts.column_links import column_links
from server.page_parts.html import Attribute, Html, div, html, link, tag
from server.page_parts.just_happened import first_told
from server.page_parts.lost_strip import lost_strip
from server.page_parts.picture import map_legend, panelled, pictured
from server.page_parts.story import Story
from server.page_parts.strip_html import strip_parts
from server.web.http.addresses import at_match
from server.web.panels.confirmation import asked_about
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.option_highlights import chosen_instead, option_highlights
from server.web.panels.page_model import PageModel

PARTS_LEVEL = 2
"""The level of the headings of strips and panels, below the question."""


def picture(
    model: PageModel, table: Table, subjects: OptionSubjects, keys: Mapping[int, int] = MappingProxyType({})
) -> Html:
    """Return the picture of the table, on which options bear their keys, or why there is none."""
    story = model.story
    if story.narration is None:
        why = f"There is no picture, and ids stand for names: {model.problem}."
        return tag("section", {"class": "picture"}, tag("p", {"class": "remark"}, why))
    narration = story.narration

    def draw() -> Html:
        drawing = _with_dice(drawing_of(narration, table, model.title), model)
        near = replace(drawing, sheet=near_sheet(drawing.sheet))
        is_zoomed = near.sheet is not drawing.sheet
        own = table.side_of(model.seat)
        spread = _laid_out(model, near, table, own)
        if _is_end(model):
            # Who has won and where it turned come first there.
            spread = brief(spread)
        lit = option_highlights(model, subjects, spread, keys)
        # What is chosen stays where it lies.
        unchosen = model._replace(decision=model.decision._replace(about=(), asked=""))
        is_chosen = bool(model.decision.about or model.decision.asked)
        first = option_highlights(unchosen, subjects, spread, {}) if is_chosen else lit
        links = {**lit, **chosen_instead(model, subjects, lit, first)}
        if not is_zoomed or map_with(near.sheet, ()) is None:
            maps, strips = pictured(drawing.sheet, spread, model.title, links, level=PARTS_LEVEL, first=first)
            columns = column_links(drawing.sheet, spread, lit)
            whole = tag("section", {"class": "picture", "aria-label": "The table"}, columns, maps, _zoom())
            return html([whole, strips])
        subject = _subject(near, spread, lit, place_asked(model, table), _taken(model))
        legal = model.decision.legal
        if asked_about(model) is not None or (legal is not None and legal.to_move == model.seat and legal.count == 1):
            # From where to where it goes, and what it attacks.
            subject = subject._replace(stake=subject.places)
        places = subject.places or resting(near.sheet, spread, map_keys(near.sheet)).places
        likely = places if subject.first else _from_last_change(near.sheet, places, subject.changed)
        key = map_with(near.sheet, likely, model.map_view.key) or ""
        if not is_on(near.sheet, key, subject.places):
            subject = resting(near.sheet, spread, (key,))
        if _is_end(model) if model.map_view.is_whole is None else model.map_view.is_whole:
            near, spread = drawing, _laid_out(model, drawing, table, own)
        shown = shown_map(near.sheet, spread, key, subject, links)
        return _zoomed(model, near, spread, shown, _Choices(lit, links, first))

    if model.decision.legal is not None and model.decision.legal.to_move == model.seat:
        return draw()
    return Html(story.made_once(("picture", model.number, model.is_live, *model.map_view), draw))


def _laid_out(model: PageModel, drawing: Drawing, table: Table, near: Side) -> Spread:
    """Return what lies on a drawing, with what the sides have lost so far."""
    story = model.story
    assert story.narration is not None, "a drawing is made by it"
    spread = spread_of(drawing, story.narration, table, _before(model), near=near)
    lost = lost_strip(story, model.number)
    return spread if lost is None else replace(spread, strips=(*spread.strips, lost))


class _Choices(NamedTuple):
    """Things that can be chosen, all that lead to choices, and the cards that lie first in a hand."""

    lit: Mapping[str, Lit]
    links: Mapping[str, Lit]
    first: Mapping[str, Lit]


def _zoomed(model: PageModel, drawing: Drawing, spread: Spread, shown: Shown, choices: _Choices) -> Html:
    """Return a map that has room in part: what is vital above it, the whole maps and what stands beside it, the rest below."""
    beside = with_own_stacks(drawing.sheet, spread, choices.lit)
    on_map = {piece for stack in spread.pieces.values() for pieces in stack for piece in pieces}
    # What was clicked on last is named once on the page, on the map.
    lit = {id_: replace(one, is_last=one.is_last and id_ not in on_map) for id_, one in choices.links.items()}
    strips = strip_parts(drawing.sheet, beside, PARTS_LEVEL, lit, choices.first)
    aside = div("aside", _insets(model, drawing, spread, shown, choices.lit), strips.aside)
    figure = tag("section", {"class": "picture", "aria-label": "The table"}, _figure(shown, model.title))
    legend = map_legend(drawing.sheet, spread)
    return html([div("field", strips.vital, figure, aside), legend, strips.below])


def _subject(
    drawing: Drawing, spread: Spread, lit: Mapping[str, Lit], asked: PlaceId | None, taken: Sequence[PlaceId]
) -> Subject:
    """Return what is to be seen: what can be chosen and where it goes on, or else what has changed, or else where the question is asked."""
    pieces = {piece: place for place, stack in spread.pieces.items() for there in stack for piece in there}
    on_map = {place.id for place in drawing.sheet.places if not place.is_box}

    def places(things: Mapping[str, Lit]) -> list[PlaceId]:
        found = [pieces.get(PieceId(one), PlaceId(one)) for one in things]
        return [one for one in found if one in on_map]

    fights = [*sorted(spread.at_stake), *[place for attack in spread.attacks for place in attack[::-1]]]
    fights += sorted({pieces[piece] for one in drawing.at_stake if (piece := PieceId(one)) in pieces})
    chosen = places({one: look for one, look in lit.items() if look.is_chosen})
    choices = places(lit)
    where = [asked] if asked in on_map and asked is not None else []
    # Where all that can be chosen is at one place, that is seen before what it is about.
    alone = choices if len(set(choices)) == 1 else []
    first = [*chosen, *alone, *fights, *where]
    changes = spread.changes
    moves = [place for move in changes.moves for place in move[::-1]]
    others = {pieces[piece] for piece in changes.pieces if piece in pieces}
    changed = [*taken, *moves, *sorted(others), *sorted(changes.places)]
    last = [place for place in changed if place in on_map]
    seen = [*first, *choices] or last
    stake = () if chosen else tuple(fights)
    return Subject(tuple(dict.fromkeys(seen)), tuple(dict.fromkeys(first)), tuple(dict.fromkeys(last)), stake)


def _taken(model: PageModel) -> list[PlaceId]:
    """Return the places that have changed hands since the viewer's last command, at the present of a match in which the viewer has a seat."""
    story = model.story
    first = first_told(story) if model.is_live and model.seat in story.now.seats else 0
    changes = changes_between(story, first, story.last) if first else []
    return [one.place for one in changes if one.place is not None]


def _from_last_change(sheet: Sheet, places: Sequence[PlaceId], changed: Sequence[PlaceId]) -> Sequence[PlaceId]:
    """Return places with those first that are on the map on which something has just changed: what happens there goes on there."""
    maps = {place.id: place.map for place in sheet.places if not place.is_box}
    return sorted(places, key=lambda place: maps[place] != maps[changed[0]]) if changed else places


def _is_end(model: PageModel) -> bool:
    """Return whether the page is that of a match that is over, which shows the whole of a map first."""
    return model.is_live and model.story.now.ended is not None


def place_asked(model: PageModel, table: Table) -> PlaceId | None:
    """Return the place of the map that the open question is about, if it names one."""
    values = () if table.top is None else table.top.arguments.values()
    found = (PlaceId(one) for one in values if isinstance(one, str) and model.story.names.is_on_map(PlaceId(one)))
    return next(found, None)


def _figure(shown: Shown, title: str) -> Html:
    """Return the map that is shown; what a script needs to fit it into its window is told with it."""
    window = shown.window
    data: dict[str, Attribute] = {
        "class": "sheet",
        "tabindex": 0,
        "role": "group",
        "aria-label": shown.title or title,
        "data-map": shown.key or "map",
        "data-size": _numbers(shown.size),
        "data-focus": None if window is None else _numbers(window.focus),
        "data-first": None if window is None else _numbers(window.first),
        "data-stake": None if window is None or window.stake is None else _numbers(window.stake),
        "data-at": None if window is None else window.place,
        "data-alike": "" if window is not None and window.are_alike else None,
    }
    return div("maps", tag("figure", {"class": "map"}, tag("div", data, Html(shown.svg))))


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(str(round(value)) for value in values)


def _insets(model: PageModel, drawing: Drawing, spread: Spread, shown: Shown, lit: Mapping[str, Lit]) -> Html:
    """Return the whole maps as small pictures: each leads to its map, and that which is shown whole back to the question."""
    number = None if model.is_live else model.number
    made = []
    for one in thumbnails(drawing.sheet, spread, shown, lit):
        is_shown = one.key == shown.key
        is_back = is_shown and shown.window is None
        to = at_match(
            model.story.match,
            number,
            model.seat,
            about=model.decision.about,
            map_="" if is_back else one.key,
            is_whole=_turned(model, is_back=is_back) if is_shown else None,
        )
        name = one.title or "Whole map"
        back = "show a part" if _is_end(model) else "back to the question"
        said = f"{name}: {back}" if is_back else f"{name}: show the whole" if is_shown else name
        current = "true" if is_shown else None
        words = tag("span", None, name)
        made.append(link(to, [words, Html(one.svg)], class_="inset", aria_label=said, aria_current=current, title=said))
    return tag("nav", {"class": "insets", "aria-label": "Whole maps"}, made, _zoom())


def _turned(model: PageModel, *, is_back: bool) -> bool | None:
    """Return what the small picture of the map that is shown asks for: the whole, or the part, which only the page of the end does not show by itself."""
    return True if not is_back else False if _is_end(model) else None


def _with_dice(drawing: Drawing, model: PageModel) -> Drawing:
    """Return a drawing on which what the dice of a chosen sentence are about is at stake, too; at the present it is what goes on alone."""
    if model.is_live:
        return drawing
    first, last = _chosen(model.story, model.number)
    events = model.story.events[first - 1 : last]
    about = [event.about for event in events if isinstance(event, DiceRolled) and event.about]
    return replace(drawing, at_stake=drawing.at_stake.union(about))


def _zoom() -> Html:
    """Return the buttons that change the size of the picture; they are there with scripts only."""
    ways = (("-", "−", "Smaller"), ("*", "▣", "The whole picture"), ("+", "+", "Larger"))
    return tag(
        "div",
        {"class": "zoom", "role": "group", "aria-label": "Size of the picture"},
        [
            tag("button", {"type": "button", "data-zoom": way, "aria-label": words, "title": words}, sign)
            for way, sign, words in ways
        ],
    )


def _before(model: PageModel) -> Table:
    """Return the table before the chosen sentence, or before the chosen event if no sentence is about it; at the present that before the last command."""
    story, number = model.story, model.number
    if model.is_live and number:
        return story.table(story.last_played(number) - 1)
    return story.table(_chosen(story, number)[0] - 1)


def _chosen(story: Story, number: int) -> tuple[int, int]:
    """Return the first and the last event of the chosen sentence up to the chosen event; that event alone if no sentence is about it."""
    place = story.line_of(number)
    line = None if place is None else story.joined_at(place)
    return (number if line is None or number > line.last else line.first), number


def panels(model: PageModel, table: Table) -> Html | None:
    """Return the panels beside the picture; None if there is no picture."""
    narration = model.story.narration
    return None if narration is None else panelled(narration, table, PARTS_LEVEL)
