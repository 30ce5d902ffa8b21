"""Decision of a seat: its options as buttons, narrowed by what was chosen on the picture, and typed dice of a real table."""

from collections.abc import Sequence
from itertools import groupby

from core.chance.schemes import MANUAL
from core.engine.selection import Done, Pick
from core.telling.option_headings import heading_of
from core.telling.phrases import listed, to_be_picked
from core.wording import in_common
from events.codec import decode_plain, tag_of
from projections.catalogue import InstalledRules
from server.client.adopting import adoption
from server.page_parts.html import Attribute, Content, Html, div, html, link, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import (
    ABOUT,
    ADOPT,
    BEGIN,
    CHOOSE,
    ENDS,
    PLAY,
    Typed,
    fields_for,
    is_last_pick,
    said_about,
)
from server.web.http.addresses import at_match, of_match
from server.web.http.cookies import Confirmation
from server.web.panels.chance_bar import all_chances, chance_bar, chance_on_button, weighing_link
from server.web.panels.confirmation import asked_about, is_asked, mark_of
from server.web.panels.forms import form, hidden_fields, option_words
from server.web.panels.option_filter import UNGROUPED_MAX, OptionSubjects, narrowed_to
from server.web.panels.page_model import PageModel
from server.web.panels.seat_tools import hidden, single_switch, tools
from server.web.panels.whole_choices import back_to_marks, offered, whole_asked_about, whole_form, whole_words

UNFOLDED_MAX = 8
"""More options of a sort than these fold, where there are so many options that their sorts stand under headings."""
FIGURES_MAX = 80
"""How many characters of what is printed on a thing stand beside its name at most."""
DIGITS = 9
"""Options up to this number have a key; of others a script lets the digits be typed one after the other."""


def decision_panel(model: PageModel, subjects: OptionSubjects) -> Html | None:
    """Return what the seat can do now; None if it is not to be asked."""
    legal = model.decision.legal
    if legal is None or model.story.now.ended is not None:
        return None
    if model.decision.typed is not None:
        return div("choices", _typed(model, legal, model.decision.typed))
    if legal.installed is not None:
        return div("choices", _adopting(model, legal, legal.installed), tools(model, legal))
    chosen = asked_about(model)
    if chosen is not None:
        return div("choices", _confirmed(model, legal, chosen))
    if items := whole_asked_about(model):
        return div("choices", _whole_confirmed(model, legal, items))
    return div(
        "choices",
        _told(model, legal, subjects),
        _begin(model, legal),
        _options(model, legal, subjects),
        tools(model, legal),
    )


def _adopting(model: PageModel, legal: LegalReply, installed: InstalledRules) -> Content:
    """Return the form by which the seat of a match that stands still adopts the installed rules."""
    offered = adoption(model.story.now, model.seat, installed)
    if offered is None:
        return tag("p", {"class": "other"}, "The arbiter decides about that.")
    button = tag("button", {"type": "submit", "class": "main"}, offered.words)
    rules = hidden_fields({"rules": installed.rules})
    return form(of_match(model.story.match, ADOPT), model.token, hidden(model, legal), rules, button)


def _told(model: PageModel, legal: LegalReply, subjects: OptionSubjects) -> Content:
    """Return how many items are asked for, and which are picked."""
    parts: list[Content] = []
    if legal.maximum > 1 or legal.picked:
        picked = f"; picked: {_picked(model, legal)}" if legal.picked else ""
        parts.append(tag("p", {"class": "picked"}, f"{to_be_picked(legal.minimum, legal.maximum)}{picked}."))
    if model.decision.about:
        every = link(narrowed_to(model, ()), f"all {legal.count} options")
        called = listed(map(subjects.called, model.decision.about))
        parts.append(tag("p", {"class": "narrowed"}, f"About {called}; ", every))
    return [*parts, weighing_link(model)]


def _picked(model: PageModel, legal: LegalReply) -> str:
    """Return what is picked, in an assignment in the words of the options that were played."""
    narration, now = model.story.narration, model.story.now
    if narration is None or not legal.places:
        return listed(map(model.story.names.on(now).anything, legal.picked))
    picks = map(Pick, legal.picked, legal.places)
    return "; ".join([narration.told(now, pick).words for pick in picks])


def _options(model: PageModel, legal: LegalReply, subjects: OptionSubjects) -> Html | None:
    if not legal.options or legal.to_move != model.seat:
        return None
    left = subjects.narrowed(legal.options, model.decision.about)
    shown = subjects.of_use(left)
    groups: list[Content] = []
    marked = offered(model)
    unfolded = UNFOLDED_MAX if len(shown) > UNGROUPED_MAX else UNGROUPED_MAX
    for sort, group in groupby(shown, lambda one: heading_of(bytes(one.command), model.story.names)):
        found = list(group)
        is_headed = legal.count > UNGROUPED_MAX and (len(found) > 1 or _has_arguments(found[0]))
        title = f"{sort}: {len(found)}" if len(found) > 1 else sort
        said = _listed(model, subjects, found) if len(found) > unfolded else _buttons(model, found)
        if found[0] in marked:
            said = div("folded", tag("details", {"class": "singly"}, tag("summary", None, "One after the other"), said))
        groups.append([tag("h2", None, title) if is_headed else None, said])
    groups.append(_outdone(model, [one for one in left if one not in shown]))
    to, is_single = (
        of_match(model.story.match, PLAY),
        legal.count == 1 and model.decision.confirmation is not Confirmation.EACH,
    )
    played = form(to, model.token, hidden(model, legal), _chosen(model, legal), groups, is_single=is_single)
    whole = whole_form(model, legal, marked) if marked else None
    return html([whole, played, single_switch() if is_single else None])


def _outdone(model: PageModel, options: Sequence[LegalOption]) -> Html | None:
    """Return the options that others outdo under a fold of their own."""
    if not options:
        return None
    title = tag("summary", None, f"Never better than another option: {len(options)}")
    return div("folded", tag("details", {"class": "outdone"}, title, _buttons(model, options)))


def _chosen(model: PageModel, legal: LegalReply) -> list[Html]:
    """Return the fields by which what was chosen can stay chosen, and the pick of the last item ends a selection."""
    ends = model.story.now.chance.scheme != MANUAL and any(is_last_pick(legal, one) for one in legal.options)
    return hidden_fields(
        {**({ABOUT: said_about(model.decision.about)} if model.decision.about else {}), **({ENDS: "1"} if ends else {})}
    )


def _has_arguments(option: LegalOption) -> bool:
    plain = decode_plain(bytes(option.command))
    return isinstance(plain, dict) and len(plain) > 1


def _buttons(model: PageModel, options: Sequence[LegalOption]) -> Html:
    return div("options", [_button(model, one) for one in options])


def _listed(model: PageModel, subjects: OptionSubjects, options: Sequence[LegalOption]) -> Content:
    """Return many options of a sort as buttons that fold by what each names first, a piece of a stack by its place.

    On a page that would be too large a fold is a link to the page with its options.
    """
    folds: dict[str, tuple[str, list[LegalOption]]] = {}
    apart = subjects.told_apart(options, model.decision.about)
    if (cards := _of_cards(model, subjects, apart)) is not None:
        return cards
    # The other pieces of what was chosen are still to be chosen one by one.
    stacks = subjects.stacks(apart) if not model.decision.about else ()
    for option, named in apart:
        first = named[0] if named else ""
        place = subjects.place_of(first)
        thing = place if place is not None and place in stacks else first
        folds.setdefault(_title(model, subjects, thing) if thing else "", (thing, []))[1].append(option)
    if len(folds) <= 1:
        return _buttons(model, options)
    parts: list[Content] = []
    for title, (thing, found) in folds.items():
        said = f"{title}: {len(found)}"
        if thing and len(found) > 1 and model.decision.is_short:
            parts.append(link(narrowed_to(model, (*model.decision.about, thing)), said, class_="fold"))
            continue
        buttons = _buttons(model, found)
        parts.append(tag("details", None, tag("summary", None, said), buttons) if thing and len(found) > 1 else buttons)
    return div("folded", parts)


def _of_cards(
    model: PageModel, subjects: OptionSubjects, apart: Sequence[tuple[LegalOption, Sequence[str]]]
) -> Html | None:
    """Return options that are about a card each with what it says, those that say the same under one fold; None if others are among them."""
    narration = model.story.narration
    said: dict[str, list[tuple[str, LegalOption]]] = {}
    for option, named in apart:
        is_card = narration is not None and len(named) == 1 and subjects.place_of(named[0]) is None
        text = narration.card_text(named[0]) if narration is not None and is_card else ""
        if not text:
            return None
        said.setdefault(text, []).append((subjects.called(named[0]), option))
    parts: list[Content] = []
    for text, found in said.items():
        buttons = _buttons(model, [option for _, option in found])
        title = f"{in_common([name for name, _ in found])}: {len(found)}"
        folded = tag("details", None, tag("summary", None, title), buttons) if len(found) > 1 else buttons
        parts.append(div("card", folded, tag("p", {"class": "remark"}, text)))
    return div("folded", parts)


def _title(model: PageModel, subjects: OptionSubjects, thing: str) -> str:
    """Return what a thing is called, and in brackets what is printed on it if that fits and the map does not show it."""
    narration = model.story.narration
    is_seen = subjects.place_of(thing) is not None
    said = "" if narration is None or is_seen else narration.card_text(thing).removesuffix(".")
    return f"{subjects.called(thing)} ({said})" if 0 < len(said) <= FIGURES_MAX else subjects.called(thing)


def _button(model: PageModel, option: LegalOption) -> Html:
    """Return an option as a button that plays it, or as a link that asks about it first."""
    key = option.number if option.number <= DIGITS else None
    told = [tag("i", None, option.number), option_words(option), chance_bar(model, option)]
    if model.decision.legal is not None and is_asked(model, option):
        mark = mark_of(model, model.decision.legal, option)
        to = at_match(model.story.match, None, model.seat, about=model.decision.about, choose=mark)
        return link(to, told, class_="option button", data_key=key)
    # A button sends its form unless it says otherwise; hundreds of options say nothing.
    attributes: dict[str, Attribute] = {"name": "option", "value": option.number, "class": "option"}
    return tag("button", {**attributes, "data-key": key, "data-next": _is_next(model, option)}, told)


def _is_next(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option ends a selection of which all items are picked."""
    legal = model.decision.legal
    if legal is None or not 0 < legal.maximum <= len(legal.picked):
        return False
    command = decode_plain(bytes(option.command))
    return isinstance(command, dict) and command.get("do") == tag_of(Done)


def _confirmed(model: PageModel, legal: LegalReply, option: LegalOption) -> Content:
    """Return one option, to be played or not."""
    play = _play_it(chance_on_button(model, option), name="option", value=option.number)
    sent = form(of_match(model.story.match, PLAY), model.token, hidden(model, legal), _chosen(model, legal), play)
    picked = tag("p", {"class": "picked"}, f"Picked: {_picked(model, legal)}.") if legal.picked else None
    return [
        picked,
        _asked(model, option.words),
        all_chances(model, option),
        sent,
        _back(narrowed_to(model, model.decision.about)),
    ]


def _whole_confirmed(model: PageModel, legal: LegalReply, items: Sequence[str]) -> Content:
    """Return a whole choice, to be played or not."""
    sent = form(
        of_match(model.story.match, CHOOSE),
        model.token,
        hidden(model, legal),
        hidden_fields(fields_for(items)),
        _play_it(chance_on_button(model)),
    )
    asked = _asked(model, whole_words(model, items))
    return [asked, all_chances(model), sent, _back(back_to_marks(model, legal))]


def _asked(model: PageModel, words: str) -> Html:
    kept = " As a rule this cannot be taken back." if model.decision.confirmation is Confirmation.FINAL else ""
    return tag("p", {"class": "picked"}, f"{words}?{kept}")


def _play_it(chance: Html | None, **attributes: Attribute) -> Html:
    button: dict[str, Attribute] = {"type": "submit", "class": "main", **attributes}
    return tag("button", {**button, "data-key": 1, "data-next": True}, "Play it", chance)


def _back(to: str) -> Html:
    return tag("p", None, link(to, "Back to the options", class_="step"))


# Typed dice


def _begin(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the button that begins a match with typed dice, once all its seats are taken; other matches begin by themselves."""
    now = model.story.now
    if now.began or now.chance.scheme != MANUAL or len(now.players) < len(now.seats):
        return None
    button = tag("button", {"type": "submit", "class": "main"}, "Begin the match")
    return form(of_match(model.story.match, BEGIN), model.token, hidden(model, legal), button)


def _typed(model: PageModel, legal: LegalReply, typed: Typed) -> Content:
    """Return the form in which the dice or a draw of a real table are typed for a command."""
    names = model.story.names.on(model.story.now)
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
        of_match(model.story.match, typed.what),
        model.token,
        hidden(model, legal),
        kept,
        label,
        field,
        button,
        class_="sit",
    )
    back = link(at_match(model.story.match, None, model.seat), "Back to the options", class_="step")
    why = f"{option}: {typed.why}." if option else f"{typed.why[:1].upper()}{typed.why[1:]}."
    return [tag("p", {"class": "picked", "role": "alert"}, why), sent, tag("p", None, back)]
