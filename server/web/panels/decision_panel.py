"""Decision of a seat: its options as buttons, narrowed by what was chosen on the picture, and typed dice of a real table."""

from collections import Counter
from collections.abc import Sequence

from core.chance.schemes import MANUAL
from core.engine.selection import Choose, Pick
from core.telling.phrases import listed, to_be_picked
from core.wording import capital
from projections.catalogue import InstalledRules
from projections.state.seating import is_full
from server.client.adopting import adoption
from server.page_parts.forms import form, hidden_fields, stepper
from server.page_parts.html import Attribute, Content, Html, div, html, link, span, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import (
    ABOUT,
    ADOPT,
    ASKED,
    BEGIN,
    CHOOSE,
    ENDS,
    PLAY,
    TIMES,
    TOGETHER,
    Typed,
    fields_for,
    is_last_pick,
    said_about,
)
from server.web.http.addresses import at_match, of_match
from server.web.http.cookies import Confirmation
from server.web.panels.chance_bar import all_chances, chance_bar, chance_on_button, weighing_link
from server.web.panels.confirmation import (
    asked_about,
    asked_at,
    is_asked,
    kept,
    may_be_taken_back,
    question,
    warning,
)
from server.web.panels.offered_options import (
    BUTTONS_MAX,
    OfferedOptions,
    Row,
    card_text,
)
from server.web.panels.option_filter import PIECE_SEPARATOR, OptionSubjects, narrowed_to
from server.web.panels.option_words import Kind, act_and_consequence
from server.web.panels.page_model import PageModel
from server.web.panels.seat_tools import hidden, single_switch
from server.web.panels.whole_choices import (
    Together,
    all_link,
    back_to_marks,
    mix_links,
    offered_whole,
    whole_asked_about,
    whole_form,
    whole_words,
)

BUTTON_CHARACTERS_MAX = 80
"""How long a button may be that says what a whole choice does."""


def decision_panel(model: PageModel, subjects: OptionSubjects, offered: OfferedOptions | None) -> Html | None:
    """Return what the seat can do now, with what is offered to it if it is to decide; None if it is not to be asked."""
    legal = model.decision.legal
    if legal is None or model.story.now.ended is not None:
        return None
    if model.decision.typed is not None:
        return div("choices", _typed(model, legal, model.decision.typed))
    if legal.installed is not None:
        return div("choices", _adopting(model, legal, legal.installed))
    chosen = asked_about(model)
    if chosen is not None:
        return div("choices", _confirmed(model, legal, subjects, chosen))
    if items := whole_asked_about(model):
        return div("choices", _whole_confirmed(model, legal, items))
    options = None if offered is None else [_options(model, legal, offered), weighing_link(model, offered.choices)]
    return div("choices", _told(model, legal, subjects), _begin(model, legal), options)


def _adopting(model: PageModel, legal: LegalReply, installed: InstalledRules) -> Content:
    """Return the form by which the seat of a match that stands still adopts the installed rules."""
    offered = adoption(model.story.now, model.seat, installed)
    if offered is None:
        return tag("p", {"class": "other"}, "The arbiter decides about that.")
    button = tag("button", {"type": "submit", "class": "main"}, offered.words)
    rules = hidden_fields({"rules": installed.rules})
    return form(of_match(model.story.match, ADOPT), model.token, hidden(model, legal), rules, button)


def _told(model: PageModel, legal: LegalReply, subjects: OptionSubjects) -> Content:
    """Return how many items are asked for, unless the form in which they are marked says that, and which are picked."""
    parts: list[Content] = [_texts([warning(model)])]
    if (legal.maximum > 1 or legal.picked) and not offered_whole(model):
        now = model.story.now
        question = (
            "" if now.top is None or model.story.narration is None else model.story.narration.question(now, now.top)
        )
        picked = _picked(model, legal) if legal.picked else ""
        said = to_be_picked(legal.minimum, legal.maximum, question, picked)
        parts.append(tag("p", {"class": "picked"}, said) if said else None)
    if about := model.decision.about:
        chips = [_chip(model, subjects, place) for place in range(len(about))]
        every = link(narrowed_to(model, ()), f"All {legal.count}", span("if-wide", " options"), class_="every")
        parts.append(tag("p", {"class": "narrowed", "aria-label": "Chosen"}, chips, every))
        cards = [one.partition(PIECE_SEPARATOR)[0] for one in about]
        parts += _texts([card_text(model, subjects, [one]) for one in cards])
    return parts


def _texts(said: Sequence[str]) -> list[Html]:
    """Return what cards say that were chosen."""
    return [tag("p", {"class": "other"}, one) for one in said if one]


def _chip(model: PageModel, subjects: OptionSubjects, place: int) -> Html:
    """Return a thing that was chosen; a click gives it up again."""
    about = model.decision.about
    left = [one for other, one in enumerate(about) if other != place]
    name = subjects.called(about[place])
    parts = [
        tag("span", None, capital(subjects.called(about[place], is_brief=True))),
        tag("span", {"aria-hidden": "true"}, " ×"),
    ]
    return link(narrowed_to(model, left), parts, class_="chip", title=f"{name}: choose again")


def _picked(model: PageModel, legal: LegalReply) -> str:
    """Return what is picked, in an assignment in the words of the options that were played."""
    narration, now = model.story.narration, model.story.now
    if narration is None or not legal.places:
        return listed(map(model.story.names.on(now).anything, legal.picked))
    picks = map(Pick, legal.picked, legal.places)
    times = Counter([narration.told(now, pick).words for pick in picks])
    return "; ".join([f"{words} (×{count})" if count > 1 else words for words, count in times.items()])


def _options(model: PageModel, legal: LegalReply, offered: OfferedOptions) -> Html | None:
    if not legal.options:
        return None
    marked = offered_whole(model)
    singly = [_row(model, offered, row) for row in offered.rows]
    if marked:
        title = tag("summary", None, "One after the other")
        singly = [div("folded", tag("details", {"class": "singly"}, title, singly))]
    is_asked_each = model.decision.confirmation is Confirmation.EACH
    is_single = legal.count == 1 and not is_asked_each and may_be_taken_back(model, legal.options[0])
    parts = [singly, _outdone(model, offered), _kinds(model, offered), _ending(model, offered)]
    to = of_match(model.story.match, PLAY)
    played = form(to, model.token, hidden(model, legal), _chosen(model, legal), parts, is_single=is_single)
    names = {one.number: offered.labels[one.number][0] for one in marked if one.number in offered.labels}
    whole = whole_form(model, legal, marked, names, chance_on_button(model)) if marked else None
    # Each number has a form of its own, so that Enter in it plays the option beside it.
    own = [
        form(to, model.token, hidden(model, legal), _chosen(model, legal), id_=_form_of(number))
        for number in offered.repeats
    ]
    alone = tag("p", {"class": "picked"}, tag("b", None, capital(offered.alone))) if offered.alone else None
    all_at_once = [_together(model, legal, one) for one in offered.together]
    mixes = mix_links(model, legal) if marked else None
    every = all_link(model, legal) if marked else None
    return html([every, whole, mixes, alone, all_at_once, played, own, single_switch() if is_single else None])


def _together(model: PageModel, legal: LegalReply, together: Together) -> Html:
    """Return the button that plays all options at once that lead from one place to another."""
    first, key = together.options[0], together.key
    consequence = tag("small", None, together.consequence) if together.consequence else None
    told = [tag("i", None, key), tag("b", None, together.words), consequence]
    is_typed = key <= BUTTONS_MAX
    attributes: dict[str, Attribute] = {
        "name": "option",
        "value": first.number,
        "class": "option",
        "title": "All or none",
        "data-key": key if is_typed else None,
        "data-once": is_typed,
    }
    times = {f"{TIMES}{one.number}": str(count) for one, count in zip(together.options, together.times, strict=True)}
    return form(
        of_match(model.story.match, PLAY),
        model.token,
        hidden(model, legal),
        _chosen(model, legal),
        hidden_fields({**times, TOGETHER: "1"}),
        tag("button", attributes, told),
        id_=f"{TOGETHER}-{first.number}",
    )


def _form_of(number: int) -> str:
    return f"option-{number}"


def _row(model: PageModel, offered: OfferedOptions, row: Row) -> Html:
    """Return options as buttons, with what they have in common, or as a link to the page with those about one thing."""
    if row.thing:
        to = narrowed_to(model, (*model.decision.about, row.thing))
        figures = tag("span", {"class": "remark"}, row.remark) if row.remark else None
        told = [tag("i", None, row.key), tag("b", None, capital(row.title)), figures]
        told.append(tag("small", None, row.ways))
        return link(to, told, class_="option fold", data_key=row.key if row.key <= BUTTONS_MAX else None)
    remark = tag("p", {"class": "remark"}, row.remark) if row.remark else None
    buttons = [_button(model, offered, one) for one in row.options]
    common = tag("small", {"class": "shared"}, capital(row.shared)) if row.shared else None
    if row.is_folded:
        title = tag("summary", None, tag("b", None, capital(row.title)), f": {row.ways}")
        return div("folded", tag("details", {"class": "acts"}, title, remark, div("options", common, buttons)))
    if row.title:
        title = tag("b", None, capital(row.title))
        class_ = "options grouped" if row.is_group else "options opened"
        return div(class_, tag("p", {"class": "picked"}, title, common), remark, buttons)
    said = tag("p", {"class": "picked"}, common) if common else None
    return div("options", said, buttons, remark)


def _outdone(model: PageModel, offered: OfferedOptions) -> Html | None:
    """Return the options that others outdo under a fold of their own."""
    if not offered.outdone:
        return None
    title = tag("summary", None, f"{len(offered.outdone)} more, no better than those above")
    buttons = div("options", [_button(model, offered, one) for one in offered.outdone])
    return div("folded", tag("details", {"class": "outdone"}, title, buttons))


def _kinds(model: PageModel, offered: OfferedOptions) -> Html | None:
    """Return the kinds of options, each as a link to those of the kind, its only option, or why there is none."""
    if not offered.kinds:
        return None
    return div("options kinds", [_kind(model, offered, kind) for kind in offered.kinds])


def _kind(model: PageModel, offered: OfferedOptions, kind: Kind) -> Html:
    told = tag("b", None, kind.heading)
    if not kind.options:
        return tag("p", {"class": "option idle"}, told, tag("small", None, kind.why))
    key = tag("kbd", None, kind.key.upper()) if kind.key else None
    if len(kind.options) == 1:
        return _button(model, offered, kind.options[0], key=kind.key)
    is_chosen = kind.chosen_by in model.decision.about
    to = narrowed_to(model, () if is_chosen else (kind.chosen_by,), is_elsewhere=kind.is_elsewhere)
    return link(
        to,
        [told, tag("small", None, kind.summary), key],
        class_="option kind",
        data_key=kind.key or None,
        aria_current="true" if is_chosen else None,
    )


def _ending(model: PageModel, offered: OfferedOptions) -> Html | None:
    """Return what ends the step: always the last, and with the same key everywhere."""
    return None if offered.ending is None else div("options ending", _button(model, offered, offered.ending))


def _chosen(model: PageModel, legal: LegalReply) -> list[Html]:
    """Return the fields by which what was chosen can stay chosen, and the pick of the last item ends a selection."""
    ends = model.story.now.chance.scheme != MANUAL and any(is_last_pick(legal, one) for one in legal.options)
    return hidden_fields(
        {**({ABOUT: said_about(model.decision.about)} if model.decision.about else {}), **({ENDS: "1"} if ends else {})}
    )


def _button(model: PageModel, offered: OfferedOptions, option: LegalOption, key: str = "") -> Html:
    """Return an option as a button that plays it, or as a link that asks about it first; a letter is its key as the only one of its kind."""
    number = offered.keys.get(option.number)
    said, consequence = offered.labels[option.number]
    sign = tag("kbd", None, key.upper()) if key or number is None else tag("i", None, number)
    told = [sign, tag("b", None, capital(said)), tag("small", None, consequence) if consequence else None]
    told.append(chance_bar(model, option))
    told.append(tag("small", {"class": "map-name"}, board) if (board := offered.maps.get(option.number)) else None)
    # In a narrow window the hand is far from the options.
    told.append(
        tag("small", {"class": "says"}, offered.texts[option.number]) if option.number in offered.texts else None
    )
    typed = key or (number if number is not None and number <= BUTTONS_MAX else None)
    about = option.words if said != option.words else None
    if model.decision.legal is not None and is_asked(model, option):
        to = asked_at(model, option)
        at = offered.places.get(option.number)
        return link(to, told, class_="option", data_key=typed, data_option=option.number, data_at=at, title=about)
    # A button sends its form unless it says otherwise; hundreds of options say nothing.
    is_next = _is_next(model, option)
    attributes: dict[str, Attribute] = {
        "name": "option",
        "value": option.number,
        "class": "option main" if is_next or (model.decision.legal and model.decision.legal.count == 1) else "option",
        "title": about,
        "data-key": typed,
        "data-option": option.number,
        "data-at": offered.places.get(option.number),
        "data-next": is_next,
        "data-once": typed is not None and not option.parts.ends and may_be_taken_back(model, option),
    }
    most = offered.repeats.get(option.number, 1)
    if most == 1:
        return tag("button", attributes, told)
    own = _form_of(option.number)
    # A press plays it as often as the number beside it says.
    told[1] = tag("b", None, span("times", "1 \N{MULTIPLICATION SIGN} "), capital(said))
    times = stepper(f"{TIMES}{option.number}", said, 1, least=1, most=most, form_id=own)
    return div("many", tag("button", {**attributes, "form": own}, told), times)


def _is_next(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option ends a selection of which all items are picked."""
    legal = model.decision.legal
    return legal is not None and option.parts.ends and 0 < legal.maximum <= len(legal.picked)


def _confirmed(model: PageModel, legal: LegalReply, subjects: OptionSubjects, option: LegalOption) -> Content:
    """Return one option, to be played or not; its chances are below the answer, since they may be longer than a screen."""
    act, _ = act_and_consequence(option)
    play = _play_it(_short(act), chance_on_button(model, option), name="option", value=option.number)
    fields = [hidden(model, legal), _chosen(model, legal), hidden_fields({ASKED: "1"})]
    sent = form(of_match(model.story.match, PLAY), model.token, fields, play)
    picked = tag("p", {"class": "picked"}, f"Picked: {_picked(model, legal)}.") if legal.picked else None
    return [
        picked,
        tag("p", {"class": "picked"}, question(model, legal, option)),
        _texts([card_text(model, subjects, named) for _, named in subjects.of([option])]),
        sent,
        _back(narrowed_to(model, model.decision.about)),
        all_chances(model, option),
    ]


def _whole_confirmed(model: PageModel, legal: LegalReply, items: Sequence[str]) -> Content:
    """Return a whole choice, to be played or not."""
    words = whole_words(model, items)
    sent = form(
        of_match(model.story.match, CHOOSE),
        model.token,
        hidden(model, legal),
        hidden_fields({**fields_for(items), ASKED: "1"}),
        _play_it(_short(words), chance_on_button(model)),
    )
    asked = tag("p", {"class": "picked"}, f"{words}?{kept(model, [Choose(tuple(items))], is_final=True)}")
    return [asked, sent, _back(back_to_marks(model, legal)), all_chances(model)]


def _short(words: str) -> str:
    """Return the words of a button below a question that says the same in full."""
    return words if len(words) <= BUTTON_CHARACTERS_MAX else "Play it"


def _play_it(words: str, chance: Html | None, **attributes: Attribute) -> Html:
    button: dict[str, Attribute] = {"type": "submit", "class": "main", **attributes}
    return tag("button", {**button, "data-key": 1, "data-next": True}, words, chance)


def _back(to: str) -> Html:
    return tag("p", None, link(to, "Back to the options", class_="step"))


# Typed dice


def _begin(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the button that begins a match with typed dice, once all its seats are taken; other matches begin by themselves."""
    now = model.story.now
    if now.began or now.chance.scheme != MANUAL or not is_full(now):
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
