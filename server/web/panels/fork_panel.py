"""Forks on the page of a match: the tree of them, and the form with which one is begun."""

from collections.abc import Sequence
from contextlib import suppress

from core.telling.chosen_options import chance_noun, has_dice
from core.telling.phrases import listed
from events.ids import ARBITER, PUBLIC, MatchId
from projections.catalogue import Branch, MatchSummary
from projections.state.table import Table
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, link, span, tag
from server.page_parts.untold_matches import UNTOLD
from server.web.backend.fork_wishes import EVERY, FACES_MAX, NAME_MAX, dice_choices, free_seats, hidden_choices
from server.web.http.addresses import at_match, compared, of_match
from server.web.panels.page_model import PageModel
from server.web.panels.summary_text import SummaryWords

BRANCHES_MAX = 40
"""How many lines of a family are listed at most."""
DEPTH_MAX = 6
"""Deeper lines are indented no further."""
SEED_MAX = 200


def fork_panel(model: PageModel) -> Html | None:
    """Return the tree of forks: each one leads to the event at which it leaves its parent."""
    if not model.forks.family:
        return None
    shown = listed_forks(model.forks.family, model.story.match)
    left = len(model.forks.family) - len(shown)
    rows = [_row(model, branch) for branch in shown]
    more = tag("p", None, f"{left} more are not listed here.") if left else None
    return tag("section", {"class": "panel lines"}, tag("h2", None, "Forks"), tag("ul", None, rows), more)


def listed_forks(family: Sequence[Branch[MatchSummary]], match: MatchId) -> Sequence[Branch[MatchSummary]]:
    """Return the lines of a family that the page of a match lists: of many, those around the match."""
    own = [place for place, one in enumerate(family) if one.entry.match == match]
    first = max(0, min(own[0] if own else 0, len(family) - BRANCHES_MAX // 2) - BRANCHES_MAX // 2)
    return family[first : first + BRANCHES_MAX]


def _row(model: PageModel, branch: Branch[MatchSummary]) -> Html:
    """Return a line; one that is damaged, or cannot be told, is named."""
    summary, depth = branch.entry, f"d{min(branch.depth, DEPTH_MAX)}"
    from_ = f"After event {summary.forked_at}: " if summary.parent else ""
    if not summary.problem:
        with suppress(*UNTOLD):
            return _told(model, summary, depth, from_)
    return tag("li", {"class": depth}, f"{from_}{summary.match} is damaged")


def _told(model: PageModel, summary: MatchSummary, depth: str, from_: str) -> Html:
    words = SummaryWords(summary)
    dice = f"{summary.dice} {chance_noun(summary.game)}"
    names = listed(dict.fromkeys(filter(None, summary.players.values()))) if any(summary.players.values()) else ""
    told = ", ".join(filter(None, [names, dice, words.stand(), f"{summary.seq} events"]))
    name = model.forks.names.get(summary.match, "")
    beside = tag("small", None, told) if name else None
    if summary.match == model.story.match:
        own = span("name", name or told)
        return tag("li", {"class": f"{depth} own", "aria-current": "true"}, from_, own, " (this line)", beside)
    to = at_match(summary.match, summary.forked_at or None, PUBLIC)
    seat = model.seat if summary.match in model.forks.proved else PUBLIC
    said = f"Compare with {name or told}"
    compare = link(compared(model.story.match, summary.match, seat), "compare", aria_label=said)
    return tag("li", {"class": depth}, from_, link(to, name or told), " · ", compare, beside)


# The form


def fork_form(model: PageModel, table: Table) -> Html | None:
    """Return the form that begins a fork after the event that is shown; None where nothing can be tried."""
    story = model.story
    if table.ended is not None or not model.number:
        return None
    now = story.now
    first, last = story.commit_of(model.number)
    if not hidden_choices(now, model.seat) and model.number != last:
        return _nearest(model, [number for number in (first - 1, last) if number])
    seats, own = _seats(model, table)
    dice, hidden = dice_choices(now, model.seat), hidden_choices(now, model.seat)
    rolls = has_dice(now.game)
    given = f"Its {'dice' if rolls else 'draws'} are new ones. " if len(dice) == 1 else ""
    given += f"What is hidden from {model.viewer} is dealt again." if not hidden else ""
    fields: list[Content] = [
        _select("dice", "Dice" if rolls else "Draws", dice, dice[0][0]) if len(dice) > 1 else None,
        _text("seed", f"Seed, for {'dice' if rolls else 'draws'} that follow from one", SEED_MAX)
        if "seeded" in dict(dice)
        else None,
        _text("faces", "Faces of the next dice, to choose them (6, 6, 1)", FACES_MAX * 3) if rolls else None,
        _select("hidden", "What is hidden", hidden, hidden[0][0]) if hidden else None,
        _select("sit", "Your seat", seats, own) if seats else None,
        _text("name", "Your name, which everybody sees", NAME_MAX) if model.seat != ARBITER else None,
    ]
    kept = hidden_fields({"seat": model.seat, "at": str(model.number), "key": model.forks.key})
    button = tag("button", {"type": "submit", "class": "main"}, f"Try from event {model.number}")
    sent = form(of_match(story.match, "try"), model.token, kept, fields, button, class_="sit")
    explained = f"A fork begins after event {model.number}; this match stays as it is."
    return tag(
        "details",
        {"class": "try", "id": "try", "open": model.forks.is_open},
        tag("summary", {"data-key": "t"}, "Try something else from here"),
        tag("p", None, explained, " ", given),
        sent,
    )


def _nearest(model: PageModel, numbers: Sequence[int]) -> Html:
    """Return the ways to the moments nearest to the one that is shown at which a fork can begin."""
    story = model.story
    ways = [link(f"{at_match(story.match, number, story.seat)}#try", f"event {number}") for number in numbers]
    told = "A fork can begin between two commands: at "
    return tag("p", {"class": "try", "id": "try"}, told, ways[0], [[" or ", way] for way in ways[1:]], ".")


def _seats(model: PageModel, table: Table) -> tuple[list[tuple[str, str]], str]:
    """Return the seats that can be taken in a fork, with their words, and the one that is meant; before play begins the others stay taken."""
    names = model.story.names
    free = free_seats(table)
    if not free:
        return [], ""
    found = [(str(seat), names.seat(seat)) for seat in free] + [("", "None, only to look")]
    every = [(EVERY, "Every seat, to play both sides")] if len(free) > 1 else []
    own = model.seat if model.seat in free else EVERY if every else free[0]
    return every + found, own


def _select(name: str, label: str, choices: list[tuple[str, str]], chosen: str) -> Html:
    options = [tag("option", {"value": value, "selected": value == chosen}, words) for value, words in choices]
    return Html(
        tag("label", {"for": f"try-{name}"}, label) + tag("select", {"name": name, "id": f"try-{name}"}, options)
    )


def _text(name: str, label: str, most: int) -> Html:
    attributes: dict[str, Attribute] = {"type": "text", "name": name, "id": f"try-{name}", "maxlength": most}
    return Html(tag("label", {"for": f"try-{name}"}, label) + tag("input", {**attributes, "autocomplete": "off"}))
