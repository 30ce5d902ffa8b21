"""Whole choices: the items of a selection are marked in one form and sent in one command, and like options are played at one button, instead of one after the other."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.chance.schemes import MANUAL
from core.engine.selection import Choose, Done, Pick, after_pick
from core.game.bound_game import BoundGame
from core.legal.repeats import in_turn
from core.odds.odds_lines import Odds
from core.odds.odds_text import decisive, headline
from core.refusal import Refusal
from core.telling.option_parts import OptionParts
from core.telling.phrases import listed
from core.wording import capital
from server.page_parts.forms import form, hidden_fields, stepper
from server.page_parts.html import Attribute, Html, div, link, span, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import CHANGE, CHOOSE, TIMES_MAX, each_item, field_of, fields_for
from server.web.http.addresses import WEIGHING, at_match, of_match
from server.web.http.cookies import Confirmation
from server.web.panels.confirmation import asked_about, mark_of
from server.web.panels.option_filter import SORT
from server.web.panels.option_words import act_and_consequence, common_end, done_by_all, without_subject
from server.web.panels.page_model import PageModel
from server.web.panels.seat_tools import hidden

TOGETHER_MAX = 9
"""So many options at most are played at one button."""
WAYS_MAX = 6
"""All pieces of a place are offered to go together to at most so many places, the first ones: each way is tried when the page is made."""
SINGLY_MAX = 3
SINGLY_ROWS_MAX = 4
"""So few like items, of so few kinds, are picked one after the other at a click each, as a single one is: numbers would only lengthen that."""
ROWS_MAX = 20
"""A form with more items than these would be longer than what it spares."""


class Together(NamedTuple):
    """Options that are played at one button, such as those for all pieces of a place that go to another: its words, how often each is played, and its key."""

    options: Sequence[LegalOption]
    times: Sequence[int]
    words: str
    key: int = 0

    @property
    def consequence(self) -> str:
        """What comes of each of them, or as the costs may differ, what does besides; nothing if that differs too."""
        said = [one.parts.consequence for one in self.options]
        whole, rest = {*said}, {one.partition(": ")[2] for one in said}
        return whole.pop() if len(whole) == 1 else rest.pop() if len(rest) == 1 else ""


def all_together(
    model: PageModel, bound: BoundGame, options: Sequence[LegalOption], repeats: Mapping[int, int]
) -> Sequence[Together]:
    """Return what can go at once: for each of a few places all pieces of a place that can go there, and for each of a few targets all that can be assigned to it.

    Args:
        model: What the page shows.
        bound: The game on its board.
        options: The options that fit what was chosen.
        repeats: How often each can be played, if more than once, by its number.
    """
    names, about = model.story.names.on(model.story.now), model.decision.about
    starts = {one.parts.start for one in options if one.parts.start}
    # Between two places with pieces those go that are where was chosen first; all others have one place where they are.
    chosen = next((one for one in about if not one.startswith(SORT)), "")
    start = next(iter(starts)) if len(starts) == 1 else names.anything(chosen) if chosen else ""
    ways: dict[tuple[str, str, str], list[LegalOption]] = {}
    legal = model.decision.legal
    is_assigned = legal is not None and legal.maximum > 1
    for one in options:
        command = bound.rules.decode(bytes(one.command)) if is_assigned else None
        if isinstance(command, Pick) and command.to:
            ways.setdefault(("", command.to, ""), []).append(one)
        elif one.parts.start and one.parts.start == start and one.parts.kind and one.parts.to:
            ways.setdefault((one.parts.kind, one.parts.to, without_subject(one)), []).append(one)
    several = [
        (those, done_by_all(to, act) if kind else "")
        for (kind, to, act), those in ways.items()
        if 2 <= len(those) <= TOGETHER_MAX or repeats.get(those[0].number, 1) > 1
    ]
    if len(several) > WAYS_MAX:
        # Of what one button does there may be more of the same: that can be typed beside it.
        several = [(those, said) for those, said in several if len(those) > 1][:WAYS_MAX]
    found = [made for those, said in several if (made := _all_of(model, bound, those, said)) is not None]
    most = max([sum(way.times) for way in found], default=0)
    return [way._replace(words=f"{_how_many(sum(way.times), most)}{way.words}") for way in found]


def _how_many(count: int, most: int) -> str:
    """Return how many pieces go at once, of so many that can go somewhere at once."""
    if count < most:
        return f"{count} of {most}"
    return "Both" if count == 2 else f"All {count}"


def _all_of(model: PageModel, bound: BoundGame, options: Sequence[LegalOption], said: str) -> Together | None:
    """Return several options that can be played in one order, each for other pieces; else None. Of what is assigned nothing is said yet."""
    now, commands = model.story.now, [bound.rules.decode(bytes(one.command)) for one in options]
    if any(not isinstance(one, Pick) and bound.narration.is_final(now, one) for one in commands):
        return None
    times = in_turn(bound.rules, now, commands, TIMES_MAX)
    if not times:
        return None
    # Of what is assigned the sentences end alike: with what it does, and to whom.
    acts = {without_subject(one) for one in options}
    act = acts.pop() if len(acts) == 1 else ""
    said = said or done_by_all("", act or common_end([one.words for one in options]))
    return Together(options, times, f" {said}")


def offered_whole(model: PageModel) -> Sequence[LegalOption]:
    """Return the options that pick an item, if several are marked at once: none is picked yet, none is for a place, and they are not a few like ones that take a click each."""
    legal, bound = model.decision.legal, model.bound
    if legal is None or bound is None or legal.maximum < 2 or legal.picked or model.decision.about:
        return ()
    picks = [one for one in legal.options if isinstance(bound.rules.decode(bytes(one.command)), Pick)]
    is_exact = legal.may_repeat and legal.minimum == legal.maximum
    is_short = legal.maximum <= SINGLY_MAX and len(picks) <= SINGLY_ROWS_MAX
    if (is_exact and is_short) or not 2 <= len(picks) <= ROWS_MAX or model.story.now.chance.scheme == MANUAL:
        return ()
    return picks if all(not _pick(model, one).to for one in picks) else ()


def whole_form(
    model: PageModel,
    legal: LegalReply,
    picks: Sequence[LegalOption],
    names: Mapping[int, str],
    chance: Html | None = None,
) -> Html:
    """Return the form in which items are marked; it leads to the question before what cannot be taken back, or plays at once.

    Args:
        model: What the page shows.
        legal: The open question.
        picks: The options that pick an item.
        names: What tells them apart, by their numbers, those that are the same in words aside; if it does, that is all that is said of them.
        chance: That of what is marked, if it is known.
    """
    alike: dict[tuple[str, OptionParts], list[LegalOption]] = {}
    for one in picks:
        alike.setdefault((one.words, one.parts), []).append(one)
    groups = [*alike.values()]
    is_apart = len(groups) == len({names.get(there[0].number) for there in groups} - {None})
    acts = {one.number: act_and_consequence(one)[0] for one in picks}
    said = names if is_apart else acts
    rows = [
        _refused(model),
        *[_row(model, legal, number, there, said[there[0].number]) for number, there in enumerate(groups, start=1)],
    ]
    button = div("send", _counted(model, legal), _send(model, legal, chance))
    if not is_whole_asked(model):
        return form(
            of_match(model.story.match, CHOOSE), model.token, hidden(model, legal), rows, button, class_="whole"
        )
    kept = hidden_fields({"seat": model.seat, "choose": mark_of(model.story.now, legal)})
    attributes: dict[str, Attribute] = {"method": "get", "action": at_match(model.story.match), "class": "whole"}
    return tag("form", attributes, kept, rows, button, _weighing(model, legal))


def _send(model: PageModel, legal: LegalReply, chance: Html | None) -> Html:
    """Return the button that sends what is marked: golden if that can be sent. A script keeps that true, and lets it say how many are missing."""
    least, is_enough = max(legal.minimum, 1), _refusal(model) is None and bool(model.decision.marked)
    attributes: dict[str, Attribute] = {
        "type": "submit",
        "class": "main" if is_enough else None,
        "data-least": least,
        "data-most": legal.maximum,
    }
    return tag("button", attributes, tag("span", {"class": "act"}, "Choose these"), chance)


def _counted(model: PageModel, legal: LegalReply) -> Html:
    """Return how many items are to be marked, and with scripts, which keep it true, how many are."""
    low, high = legal.minimum, legal.maximum
    wanted = f"{low}" if low == high else f"{low} to {high}" if low else f"up to {high}"
    so_far = f" of {wanted} marked" if low == high else f" marked, {wanted} to be marked"
    live = span("if-scripted", tag("b", None, len(model.decision.marked)), so_far)
    return tag("p", {"class": "counted", "role": "status"}, span("if-plain", f"{wanted} to be marked"), live)


def _weighing(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the button that shows the chance of what is marked, of a question whose answer leads to a roll."""
    if model.bound is None or legal.decision not in model.bound.rolls.weighed:
        return None
    attributes: dict[str, Attribute] = {"type": "submit", "name": WEIGHING, "value": 1, "class": "step"}
    return tag("button", attributes, "Show the chance of these")


def mixes_to_weigh(model: PageModel) -> Sequence[tuple[str, ...]]:
    """Return whole choices that can be offered ready-made where the chances of each item alone are known: one of what helps most, all of it, and with as much as there may be besides."""
    legal, bound, picks = model.decision.legal, model.bound, offered_whole(model)
    chances = {one.number: decisive(odds) for one in picks if (odds := model.decision.odds.get(one.number))}
    shares = {number: good.share for number, good in chances.items() if good is not None}
    if legal is None or bound is None or not picks or len(shares) < len(picks):
        return ()
    items: list[str] = []
    ahead, of_first = model.story.now, 0
    for one in sorted(picks, key=lambda one: -shares[one.number]):
        pick = _pick(model, one)
        while len(items) < legal.maximum and pick in bound.rules.options(ahead):
            ahead, items = after_pick(ahead, pick), [*items, pick.item]
            if not legal.may_repeat:
                break
        of_first = of_first or len(items)
    every = [tuple(sorted(items[:size])) for size in sorted({1, of_first, len(items)})]
    return [one for one in every if bound.rules.refuse(model.story.now, model.seat, Choose(one)) is None]


def all_link(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the button that chooses all items at once, above those in which they are marked; None if not all of them can be chosen."""
    picks = offered_whole(model)
    if not picks or legal.may_repeat or model.bound is None:
        return None
    command = Choose(tuple(sorted([_pick(model, one).item for one in picks])))
    if model.bound.rules.refuse(model.story.now, model.seat, command) is not None:
        return None
    told = model.bound.narration.told(model.story.now, command)
    consequence = tag("small", None, told.consequence) if told.consequence else None
    said = [tag("kbd", None, "A"), tag("b", None, "Both" if len(picks) == 2 else f"All {len(picks)}"), consequence]
    return div("options", _ready(model, legal, command.items, said, key="a"))


def mix_links(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the whole choices that are offered ready-made, each in a row with its chance: a link to the question before it, or a button that plays it."""
    if not model.decision.mixes:
        return None
    rows = [_mix(model, legal, items, odds) for items, odds in model.decision.mixes.items()]
    return div("options mixes", tag("p", {"class": "picked"}, "At once"), rows)


def _mix(model: PageModel, legal: LegalReply, items: Sequence[str], odds: Odds) -> Html:
    told = [tag("b", None, _counts(model, items)), tag("small", {"class": "chance"}, share_bar(odds), headline(odds))]
    return _ready(model, legal, items, told)


def _ready(
    model: PageModel, legal: LegalReply, items: Sequence[str], told: Sequence[Html | None], key: str | None = None
) -> Html:
    """Return what plays a ready-made whole choice, or leads to the question before it."""
    fields, words = fields_for(items), whole_words(model, items)
    if is_whole_asked(model):
        to = at_match(model.story.match, None, model.seat, choose=mark_of(model.story.now, legal), marked=fields)
        return link(to, told, class_="option", title=words, data_key=key)
    attributes: dict[str, Attribute] = {"type": "submit", "class": "option", "title": words, "data-key": key}
    button = tag("button", attributes, told)
    return form(of_match(model.story.match, CHOOSE), model.token, hidden(model, legal), hidden_fields(fields), button)


def share_bar(odds: Odds) -> Html | None:
    """Return the bar of a chance; its words stand beside it, so that it says nothing to a screen reader."""
    good = decisive(odds)
    if good is None:
        return None
    percent = round(good.share * 100)
    return tag("meter", {"min": 0, "max": 100, "value": percent, "aria-hidden": "true"}, f"{percent} %")


def _counts(model: PageModel, items: Sequence[str]) -> str:
    """Return items by their names, each with how often it is chosen."""
    names = model.story.names.on(model.story.now)
    counts = Counter(map(names.anything, items))
    return capital(listed([f"{count} {name}" if max(counts.values()) > 1 else name for name, count in counts.items()]))


def whole_marked(model: PageModel) -> Sequence[str]:
    """Return the items of a whole choice that are marked in the form of the page; none if they make none."""
    marked = model.decision.marked
    return marked if marked and model.bound is not None and _refusal(model) is None else ()


def is_whole_asked(model: PageModel) -> bool:
    """Return whether a whole choice is asked about before it is played."""
    if model.decision.confirmation is not Confirmation.FINAL or model.bound is None:
        return model.decision.confirmation is Confirmation.EACH
    return model.bound.narration.is_final(model.story.now, Done())


def whole_asked_about(model: PageModel) -> Sequence[str]:
    """Return the items of the whole choice about which the page asks; none if it shows the options."""
    return model.decision.marked if model.decision.asked and model.decision.marked and _refusal(model) is None else ()


def settled(model: PageModel) -> PageModel:
    """Return what a page shows, without what was chosen or marked for a question that is not asked any more.

    What is marked and makes no whole choice is not asked about, and neither is what the visitor wants to change. If nothing is marked, the page says so.
    """
    legal = model.decision.legal
    if not model.decision.asked or asked_about(model) is not None or legal is None:
        return model._replace(decision=model.decision._replace(marked=()))
    model = model._replace(decision=model.decision._replace(marked=each_item(legal, model.decision.marked)))
    is_same = mark_of(model.story.now, legal) == model.decision.asked
    known = {_pick(model, one).item for one in offered_whole(model)} if is_same else set()
    if known and not model.decision.marked and not model.decision.is_changing:
        no = _refusal(model)
        model = model._replace(notice=f"{no.sentence} Chosen: 0." if no else "Nothing is marked.")
    if not model.decision.marked or not known.issuperset(model.decision.marked):
        return model._replace(decision=model.decision._replace(about=(), asked="", marked=()))
    return (
        model
        if whole_asked_about(model) and not model.decision.is_changing
        else model._replace(decision=model.decision._replace(asked=""))
    )


def whole_words(model: PageModel, items: Sequence[str]) -> str:
    """Return a whole choice in words."""
    assert model.bound is not None, "only what is offered is asked about"
    return model.bound.narration.told(model.story.now, Choose(tuple(items))).words


def back_to_marks(model: PageModel, legal: LegalReply) -> str:
    """Return the address of the form as it was filled in."""
    marked = {**fields_for(model.decision.marked), CHANGE: "1"}
    return at_match(model.story.match, None, model.seat, choose=mark_of(model.story.now, legal), marked=marked)


def _refusal(model: PageModel) -> Refusal | None:
    """Return why what is marked is no whole choice, or None if it is."""
    assert model.bound is not None, "items are marked where the rules are known"
    return model.bound.rules.refuse(model.story.now, model.seat, Choose(tuple(model.decision.marked)))


def _refused(model: PageModel) -> Html | None:
    """Return why what is marked is no whole choice, and how many items it has; if a command was refused, that says so."""
    no = _refusal(model) if model.decision.marked and not model.notice else None
    if no is None:
        return None
    return tag("p", {"class": "wrong", "role": "alert"}, f"{no.sentence} Chosen: {len(model.decision.marked)}.")


def _most(model: PageModel, maximum: int, may_be: Callable[[Pick], bool]) -> int:
    """Return how often some items can be picked, one after the other, if no others are."""
    assert model.bound is not None, "items are offered where the rules are known"
    ahead, count = model.story.now, 0
    while count < maximum:
        picks = [one for one in model.bound.rules.options(ahead) if isinstance(one, Pick) and may_be(one)]
        if not picks:
            break
        ahead, count = after_pick(ahead, picks[0]), count + 1
    return count


def _row(model: PageModel, legal: LegalReply, number: int, options: Sequence[LegalOption], act: str) -> Html:
    """Return an item, or several that are the same in words, with the field in which it is marked; how often, if it can be picked more than once."""
    first, items = options[0], [_pick(model, one).item for one in options]
    name, count = field_of(items[0]), sum(map(model.decision.marked.count, items))
    _, consequence = act_and_consequence(first)
    narration = model.story.narration
    # In a narrow window the hand is far from the form.
    text = "" if narration is None else narration.card_text(items[0], model.story.now)
    told = tag(
        "span",
        None,
        capital(act),
        tag("small", None, consequence) if consequence else None,
        tag("small", {"class": "says"}, text) if text else None,
    )
    said = [tag("i", None, number), told]
    numbers = " ".join([str(one.number) for one in options])
    if not legal.may_repeat and len(items) == 1:
        box: dict[str, Attribute] = {"type": "checkbox", "name": name, "value": 1, "checked": count > 0}
        return tag("label", {"class": "mark", "data-option": numbers}, said, tag("input", box))
    least, most = 0, min(len(items), legal.maximum)
    if legal.may_repeat:
        most = _most(model, legal.maximum, lambda one: one.item == items[0])
        # As many as the others leave over, such as Tanks on which hits must fall, are marked beforehand.
        least = min(most, legal.minimum - _most(model, legal.minimum, lambda one: one.item not in items))
    times = stepper(name, act, max(least, count), least=least, most=most)
    return tag("div", {"class": "mark", "data-option": numbers}, said, times)


def _pick(model: PageModel, option: LegalOption) -> Pick:
    assert model.bound is not None, "items are offered where the rules are known"
    command = model.bound.rules.decode(bytes(option.command))
    assert isinstance(command, Pick), "only picks are offered"
    return command
