"""Explanation of an event: its command, the dice with their sum, the rule with its rulings, what else was legal, cards, and the chapter of which it is part."""

from collections.abc import Iterator

from core.telling.chapter_account import account
from core.telling.chosen_options import chosen_options, written
from core.telling.cited_rules import RuleBooks
from core.telling.dice_text import dice_of
from core.telling.narrator import Narrator
from core.telling.roll_chance import chance_words
from events.codec import decode_plain, encode
from events.ids import RuleId
from events.vocabulary import AttributeSet, DiceRolled, Event, MatchForked
from projections.fork_points import closed_upto, fork_points
from server.page_parts.dice_html import added, arithmetic, faces, needed
from server.page_parts.html import Content, Html, div, link, span, tag
from server.page_parts.story import Story
from server.web.backend.event_explanation import Explanation
from server.web.http.addresses import at_match
from server.web.learning.rule_entry import rule_entry


def explanation_panel(story: Story, past: Explanation) -> Html:
    """Return the explanation of an event that the story has."""
    number = past.number
    event = story.events[number - 1]
    first, last = story.commit_of(number)
    favours = None if story.narration is None else story.narration.favours
    rolled = dice_of(story.events[:number], first, story.names.on(story.table(number - 1)), favours)
    books = RuleBooks(story.now.game)
    return tag(
        "section",
        {"class": "why", "id": "why", "aria-label": f"Why event {number} happened"},
        _sentence(story, number),
        tag("p", None, "Command of ", past.command, ".") if past.command else None,
        [_roll(story, at, roll, books) for at, roll in rolled],
        _parts(story, event, books),
        [_deciding(books, id_) for id_ in _deciding_rules(story, event, number)],
        rule_entry(books.find(event.rule), event.rule),
        _chosen(books, event.rule, story),
        _cards(story, event),
        _options(past),
        _again(story, number, (first, last)),
        _chapter(story, number),
    )


def _sentence(story: Story, number: int) -> Content:
    """Return the sentence of an event that shares its own with others, or has none, and the lines below it."""
    teller, event = Narrator(story.names, story.table(number - 1)), story.events[number - 1]
    details = [tag("p", None, line) for line in teller.details(event)]
    place = story.line_of(number)
    if place is not None and (line := story.joined_at(place)).first == line.last == number:
        return details
    return [tag("p", None, f"Event {number}: {teller.sentence(event)}"), details]


# Numbers


def _roll(story: Story, number: int, event: DiceRolled, books: RuleBooks) -> Html:
    names = story.names.on(story.table(number))
    # Some dice are about what they are called after.
    told = dict.fromkeys([event.purpose, *([names.anything(event.about)] if event.about else [])])
    wanted, chance = needed(event), chance_words(event)
    return div(
        "roll",
        tag("h3", None, f"Event {number}, dice for {', '.join(told)}"),
        faces(event),
        arithmetic(event, names, books.text) if event.modifiers or len(event.faces) > 1 else None,
        tag("p", None, wanted) if wanted else None,
        tag("p", None, f"{chance}.") if chance else None,
    )


def _parts(story: Story, event: Event, books: RuleBooks) -> Content:
    if not (isinstance(event, AttributeSet) and event.parts):
        return None
    return tag("table", {"class": "sum"}, tag("tbody", None, added(event.parts, story.names, books.text)))


# Rules


def _deciding_rules(story: Story, event: Event, number: int) -> tuple[RuleId, ...]:
    return story.names.narration.deciding(story.table(number - 1), event)


def _deciding(books: RuleBooks, id_: RuleId) -> Html:
    """Return a rule that decides an event which cites another one."""
    return tag("p", {"class": "rule-text"}, "Decided by: ", books.text(id_), " ", span("rule", id_))


def _chosen(books: RuleBooks, id_: RuleId, story: Story) -> Html | None:
    """Return the options of the match that change a rule or one of its rulings."""
    options = books.options_on(id_, chosen_options(story.now.game, story.now.options))
    rows = [
        tag("li", None, option.words, " ", span("rule", f"{option.key}={written(option.value)}")) for option in options
    ]
    return tag("ul", {"class": "options", "aria-label": "Options of this match"}, rows) if rows else None


# Cards, options, and what can be tried


def _cards(story: Story, event: Event) -> Html | None:
    """Return what the cards say that an event names."""
    narration = story.narration
    if narration is None:
        return None
    said = {id_: narration.card_text(id_) for id_ in _texts(decode_plain(encode(event)))}
    rows: list[Content] = [
        [tag("dt", None, story.names.of(id_)), tag("dd", None, text)] for id_, text in said.items() if text
    ]
    return tag("dl", {"class": "cards", "aria-label": "What the cards say"}, rows) if rows else None


def _texts(value: object) -> Iterator[str]:
    """Yield all texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inside in value.values():
            yield from _texts(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _texts(inside)


def _options(past: Explanation) -> Html | None:
    """Return what was legal before the command."""
    if not past.options:
        return None
    rows = [tag("li", None, words) for words in past.options]
    left = past.total - len(rows)
    more = tag("li", None, f"and {left} more") if left > 0 else None
    title = f"What was legal: {past.total} option{'' if past.total == 1 else 's'}"
    return tag("details", {"class": "needs"}, tag("summary", None, title), tag("ul", None, rows, more))


def _again(story: Story, number: int, command: tuple[int, int]) -> Html | None:
    """Return the ways to moments from which the event can be changed in a fork."""
    event, first = story.events[number - 1], command[0]
    is_new_deal, after = isinstance(story.events[first - 1], MatchForked), closed_upto(story.now, story.seat)
    is_over = story.table(first - 1).ended is not None
    points = fork_points(event, number, *command, is_new_deal=is_new_deal, after=after, is_over=is_over)
    ways = []
    if points.to_roll is not None:
        what = "Roll these dice again" if isinstance(event, DiceRolled) else "Draw this again"
        ways.append(_way(story, points.to_roll, what))
    if points.to_decide is not None:
        is_own = points.to_decide in (number, number - 1)
        ways.append(_way(story, points.to_decide, f"Decide {'this' if is_own else 'the command behind it'} again"))
    return tag("p", None, ways) if ways else None


def _way(story: Story, number: int, what: str) -> Html:
    to = at_match(story.match, number, story.seat, is_trying=True, to="try")
    return Html(link(to, f"{what} in a fork", class_="again") + " ")


def _chapter(story: Story, number: int) -> Html | None:
    chapter = account(story, number)
    lines = [
        tag(
            "li",
            None,
            link(at_match(story.match, line.last, story.seat, is_why=True), span("no", line.numbers), line.sentence),
        )
        for line in chapter
    ]
    if len(lines) < 2:
        return None
    return Html(tag("h3", None, "The chapter of which it is part") + tag("ol", {"class": "account"}, lines))
