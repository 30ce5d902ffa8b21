"""Whole choices: the items of a selection are marked in one form and sent in one command, instead of one after the other."""

from collections.abc import Sequence

from core.chance import MANUAL
from core.refusal import Refusal
from core.selection import Choose, Done, Pick, after_pick
from server.pages.html import Attribute, Html, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import at_match, of_match
from server.web.asking import Asking
from server.web.confirming import asked_about, mark_of
from server.web.layout import form, hidden_fields, option_words
from server.web.plays import CHANGE, CHOOSE, field_of, fields_for
from server.web.seat_tools import hidden
from server.web.sight import Sight

ROWS_MAX = 20
"""A form with more items than these would be longer than what it spares."""


def offered(sight: Sight) -> Sequence[LegalOption]:
    """Return the options that pick an item, if several can be marked at once: none is picked yet, and none is for a place."""
    legal, bound = sight.legal, sight.bound
    if legal is None or bound is None or legal.maximum < 2 or legal.picked or sight.about:
        return ()
    picks = [one for one in legal.options if isinstance(bound.rules.decode(bytes(one.command)), Pick)]
    is_plain = all(not _pick(sight, one).to for one in picks)
    return picks if is_plain and 2 <= len(picks) <= ROWS_MAX and sight.story.now.chance.scheme != MANUAL else ()


def whole_form(sight: Sight, legal: LegalReply, picks: Sequence[LegalOption]) -> Html:
    """Return the form in which items are marked; it leads to the question before what cannot be taken back, or plays at once."""
    rows = [_refused(sight), *[_row(sight, legal, number, one) for number, one in enumerate(picks, start=1)]]
    button = tag("button", {"type": "submit", "class": "main"}, "Choose these")
    if not is_whole_asked(sight):
        return form(
            of_match(sight.story.match, CHOOSE), sight.token, hidden(sight, legal), rows, button, class_="whole"
        )
    kept = hidden_fields({"seat": sight.seat, "choose": mark_of(sight, legal)})
    attributes: dict[str, Attribute] = {"method": "get", "action": at_match(sight.story.match), "class": "whole"}
    return tag("form", attributes, kept, rows, button)


def is_whole_asked(sight: Sight) -> bool:
    """Return whether a whole choice is asked about before it is played."""
    if sight.asking is not Asking.FINAL or sight.bound is None:
        return sight.asking is Asking.EACH
    return sight.bound.narration.is_final(sight.story.now, Done())


def whole_asked_about(sight: Sight) -> Sequence[str]:
    """Return the items of the whole choice about which the page asks; none if it shows the options."""
    return sight.marked if sight.choice and sight.marked and _refusal(sight) is None else ()


def settled(sight: Sight) -> Sight:
    """Return what a page shows, without what was chosen or marked for a question that is not asked any more.

    What is marked and makes no whole choice is not asked about, and neither is what the visitor wants to change.
    """
    if not sight.choice or asked_about(sight) is not None:
        return sight._replace(marked=())
    legal = sight.legal
    is_same = legal is not None and mark_of(sight, legal) == sight.choice
    known = {_pick(sight, one).item for one in offered(sight)} if is_same else set()
    if not sight.marked or not known.issuperset(sight.marked):
        return sight._replace(about=(), choice="", marked=())
    return sight if whole_asked_about(sight) and not sight.is_changing else sight._replace(choice="")


def whole_words(sight: Sight, items: Sequence[str]) -> str:
    """Return a whole choice in words."""
    assert sight.bound is not None, "only what is offered is asked about"
    return sight.bound.narration.describe(sight.story.now, Choose(tuple(items)))


def back_to_marks(sight: Sight, legal: LegalReply) -> str:
    """Return the address of the form as it was filled in."""
    marked = {**fields_for(sight.marked), CHANGE: "1"}
    return at_match(sight.story.match, None, sight.seat, choose=mark_of(sight, legal), marked=marked)


def _refusal(sight: Sight) -> Refusal | None:
    """Return why what is marked is no whole choice, or None if it is."""
    assert sight.bound is not None, "items are marked where the rules are known"
    return sight.bound.rules.refuse(sight.story.now, sight.seat, Choose(tuple(sight.marked)))


def _refused(sight: Sight) -> Html | None:
    """Return why what is marked is no whole choice, and how many items it has; if a command was refused, that says so."""
    no = _refusal(sight) if sight.marked and not sight.notice else None
    if no is None:
        return None
    return tag("p", {"class": "wrong", "role": "alert"}, f"{no.sentence} Chosen: {len(sight.marked)}.")


def _most(sight: Sight, pick: Pick, maximum: int) -> int:
    """Return how often an item can be picked if no other is."""
    assert sight.bound is not None, "items are offered where the rules are known"
    ahead, count = sight.story.now, 0
    while count < maximum and pick in sight.bound.rules.options(ahead):
        ahead, count = after_pick(ahead, pick), count + 1
    return count


def _row(sight: Sight, legal: LegalReply, number: int, option: LegalOption) -> Html:
    """Return an item with the field in which it is marked; how often, if it can be picked more than once."""
    pick = _pick(sight, option)
    name, count = field_of(pick.item), sight.marked.count(pick.item)
    said = [tag("i", None, number), tag("span", None, option_words(option))]
    if not legal.may_repeat:
        box: dict[str, Attribute] = {"type": "checkbox", "name": name, "value": 1, "checked": count > 0}
        return tag("label", {"class": "mark"}, said, tag("input", box))
    most = _most(sight, pick, legal.maximum)
    field: dict[str, Attribute] = {"type": "number", "name": name, "min": 0, "max": most, "value": count}
    return tag("label", {"class": "mark"}, said, tag("input", field), tag("small", None, f"of {most}"))


def _pick(sight: Sight, option: LegalOption) -> Pick:
    assert sight.bound is not None, "items are offered where the rules are known"
    command = sight.bound.rules.decode(bytes(option.command))
    assert isinstance(command, Pick), "only picks are offered"
    return command
