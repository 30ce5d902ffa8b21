"""The log on a page: sentences by round, phase and commit; each is a link to its event, and the chosen one can be explained."""

from collections.abc import Sequence
from itertools import groupby

from core.telling.shared_sentences import Line
from events.vocabulary import DiceRolled, Event, SeedRevealed
from server.page_parts.dice_html import faces, shared_pips
from server.page_parts.html import Html, div, link, span, tag
from server.page_parts.just_happened import first_told
from server.page_parts.story import Told
from server.page_parts.unread_events import first_after_own
from server.web.http.addresses import at_match
from server.web.panels.explanation_panel import explanation_panel
from server.web.panels.page_model import PageModel

SINCE = "since"
"""The mark of the sentence with which begins what has happened since the viewer's last command."""
AROUND, BEFORE = 55, 25
"""How many sentences before and after the chosen one a page has at most, and how many before it at least, if there are so many."""
SEED_SHOWN = 8
"""How many digits of a seed a sentence shows."""
SINCE_MAX = 120
"""How many sentences before the present a page has at most where it begins with what the others did since the viewer's last turn."""


def log_panel(model: PageModel) -> Html:
    """Return the sentences of the chosen event's round with some before it, or as many of them around it as a page has."""
    story = model.story
    # After the end nothing but secrets are told.
    told, chosen = story.told, story.line_of((model.is_live and story.end) or model.number)
    if chosen is None:
        return tag("section", {"class": "log", "aria-label": "Log"}, tag("p", None, "Nothing has been told yet."))
    first = max(min(_edge_of_round(told, chosen, -1), chosen - BEFORE), chosen - AROUND, 0)
    news = None
    if model.is_live:
        since, ended = _of_others(model, chosen)
        first = max(min(first, since), chosen - SINCE_MAX, 0)
        if since < chosen and _has_begun_turn(model, told[ended].line):
            seen = story.line_of(first_after_own(story, told[since].line.first) - 1)
            news = told[max(first, min(chosen, 0 if seen is None else seen + 1))].line
    last = min(_edge_of_round(told, chosen, 1), chosen + AROUND)
    chapters = []
    shown = story.joined(first, last)
    begun = first_told(story) if model.is_live else 0
    own = next((one.line for one in shown if begun and one.line.last >= begun), None)
    for heading, group in groupby(shown, lambda one: one.heading):
        rows = _rows(model, [one.line for one in group], told[chosen].line, news, own)
        # A heading that stays at the top goes with what it is above.
        chapters.append(div("chapter", tag("h2", None, story.heading(heading)), tag("ol", None, rows)))
    before = link(_at(model, told[first - 1].line.last), "Earlier", class_="more") if first else None
    after = link(_at(model, told[last + 1].line.last), "Later", class_="more") if last + 1 < len(told) else None
    return tag("section", {"class": "log", "aria-label": "Log"}, shared_pips(), before, chapters, after)


def _of_others(model: PageModel, chosen: int) -> tuple[int, int]:
    """Return the places of the first and the last sentence between the last turns of the viewer's side, in which others decided; the chosen one if there is none."""
    told, side = model.story.told, model.story.now.side_of(model.seat)
    others = chosen
    while side and others >= 0 and told[others].heading.turn == side:
        others -= 1
    first = others
    while side and first >= 0 and told[first].heading.turn != side:
        first -= 1
    return (first + 1, others) if first >= 0 else (chosen, chosen)


def _has_begun_turn(model: PageModel, others: Line) -> bool:
    """Return whether it is the turn of the viewer's side, and no command has followed that of the last sentence about others."""
    now = model.story.now
    is_own = bool(now.turn) and now.turn == now.side_of(model.seat)
    return is_own and model.story.last_played(model.number) <= others.last


def _edge_of_round(told: list[Told], chosen: int, step: int) -> int:
    """Return the place of the first or the last sentence of a round."""
    round_, at = told[chosen].heading.round, chosen
    while 0 <= at + step < len(told) and told[at + step].heading.round == round_:
        at += step
    return at


def _at(model: PageModel, number: int | None, *, is_why: bool = False) -> str:
    return at_match(model.story.match, number, model.seat, is_why=is_why, to="why" if is_why else "now")


def _rows(model: PageModel, lines: list[Line], chosen: Line, news: Line | None, since: Line | None) -> list[Html]:
    """Return sentences, the chosen one with its explanation.

    Args:
        model: What the page shows.
        lines: The sentences.
        chosen: The chosen one.
        since: The one with which begins what has happened since the viewer's last command.
        news: The first one about others at the beginning of the viewer's turn, from which on the log is read; else None.
    """
    story = model.story
    rows = []
    commit = 0
    # At the present red marks on the picture what the last command has changed.
    changed = story.last_played(model.number) if model.is_live else chosen.last
    for line in lines:
        ends = story.commit_of(line.last)[1]
        is_chosen = line.first <= chosen.first <= line.last and model.number >= line.first
        classes = [
            *(["first"] if ends != commit else []),
            *(["now"] if is_chosen else ["changed"] if line.last >= changed and line.first < chosen.first else []),
            *(["later"] if line.first > model.number else []),
            *(["unread"] if news is not None and line.first <= news.first <= line.last else []),
            *(["undone"] if line.first in story.undone else []),
        ]
        commit = ends
        rows.append(
            tag(
                "li",
                {"class": " ".join(classes) or None, "id": "now" if is_chosen else None},
                _sentence(model, line, is_chosen=is_chosen, mark=SINCE if line is since else None),
                _remarks(model, line),
                _why(model, line) if is_chosen else None,
            )
        )
    return rows


def _sentence(model: PageModel, line: Line, *, is_chosen: bool, mark: str | None = None) -> Html:
    events = model.story.events[line.first - 1 : line.last]
    dice = [faces(event, is_shared=True) for event in events if isinstance(event, DiceRolled)]
    undone = span("gone", " (taken back)") if line.first in model.story.undone else None
    return link(
        _at(model, line.last),
        span("no", line.numbers),
        span("said", _shortened(line.sentence, events), undone, dice),
        class_="line",
        id=mark,
        aria_current="step" if is_chosen else None,
    )


def _shortened(sentence: str, events: Sequence[Event]) -> str:
    """Return a sentence; one about the seed of the dice with the beginning of the seed only, which the evidence has in full."""
    seeds = [event.seed for event in events if isinstance(event, SeedRevealed)]
    return sentence.replace(seeds[0], f"{seeds[0][:SEED_SHOWN]}…") if seeds else sentence


def _remarks(model: PageModel, line: Line) -> list[Html]:
    """Return the notes and rulings on the events of a sentence, which also stand where they were made."""
    story = model.story
    told = {at: story.line_of(at) for at in story.remarks}
    # An event without a sentence belongs to the one before it.
    about = [
        at
        for at, place in told.items()
        if place is not None and line.first <= story.told[place].line.first <= line.last
    ]
    numbers = [one for at in about for one in story.remarks[at]]
    places = [place for one in numbers if (place := story.line_of(one)) is not None]
    return [_sentence(model, story.told[place].line, is_chosen=False) for place in places]


def _why(model: PageModel, line: Line) -> Html:
    """Return the explanation of the chosen sentence, or the link that opens it."""
    # The options stay on the page of the present.
    number = None if model.is_live else min(model.number, line.last)
    if model.explanation is not None:
        shut = link(_at(model, number), "Close the explanation", class_="ask")
        return Html(shut + explanation_panel(model.story, model.explanation))
    return link(_at(model, number, is_why=True), "Why?", class_="ask")
