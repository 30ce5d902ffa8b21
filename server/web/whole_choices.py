"""Whole choices: the items of a selection are marked in one form and sent in one command, instead of one after the other."""

from collections.abc import Sequence

from core.chance import MANUAL
from core.selection import Choose, Done, Pick
from server.pages.html import Attribute, Html, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import at_match, of_match
from server.web.asking import Asking
from server.web.confirming import asked_about, mark_of
from server.web.layout import form, hidden_fields, option_words
from server.web.plays import CHOOSE, field_of
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
    said = _miscounted(sight, legal)
    rows = [said, *[_row(sight, legal, number, one) for number, one in enumerate(picks, start=1)]]
    button = tag("button", {"type": "submit", "class": "main"}, "Choose what is marked")
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
    legal = sight.legal
    is_whole = legal is not None and legal.minimum <= len(sight.marked) <= legal.maximum
    return sight.marked if sight.choice and is_whole else ()


def settled(sight: Sight) -> Sight:
    """Return what a page shows without what was chosen for a question that is not asked any more, or marked for no whole choice."""
    if not sight.choice or asked_about(sight) is not None:
        return sight._replace(marked=())
    legal = sight.legal
    is_same = legal is not None and mark_of(sight, legal) == sight.choice
    known = {_pick(sight, one).item for one in offered(sight)} if is_same else set()
    if not sight.marked or not known.issuperset(sight.marked):
        return sight._replace(about=(), choice="", marked=())
    return sight if whole_asked_about(sight) else sight._replace(choice="")


def whole_words(sight: Sight, items: Sequence[str]) -> str:
    """Return a whole choice in words."""
    assert sight.bound is not None, "only what is offered is asked about"
    return sight.bound.narration.describe(sight.story.now, Choose(tuple(items)))


def _miscounted(sight: Sight, legal: LegalReply) -> Html | None:
    """Return how many items are marked, if they are too many or too few; if a command was refused, that says so."""
    count = len(sight.marked)
    if sight.notice or legal.minimum <= count <= legal.maximum or not count:
        return None
    return tag("p", {"class": "wrong", "role": "alert"}, f"{count} {'is' if count == 1 else 'are'} marked.")


def _row(sight: Sight, legal: LegalReply, number: int, option: LegalOption) -> Html:
    """Return an item with the field in which it is marked; how often, if it can be picked more than once."""
    item = _pick(sight, option).item
    name, count = field_of(item), sight.marked.count(item)
    field: dict[str, Attribute] = {"type": "checkbox", "name": name, "value": 1, "checked": count > 0}
    if legal.may_repeat:
        field = {"type": "number", "name": name, "min": 0, "max": legal.maximum, "value": count}
    return tag(
        "label",
        {"class": "mark"},
        tag("i", None, number),
        tag("span", None, option_words(option.words)),
        tag("input", field),
    )


def _pick(sight: Sight, option: LegalOption) -> Pick:
    assert sight.bound is not None, "items are offered where the rules are known"
    command = sight.bound.rules.decode(bytes(option.command))
    assert isinstance(command, Pick), "only picks are offered"
    return command
