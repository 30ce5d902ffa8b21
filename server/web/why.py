"""Why an event happened: the rule with its rulings, the dice with their sum, and the chapter of which it is part."""

from core.errors import UnknownName
from core.games import load_game
from core.rulebook import Rule, Rulebook, Ruling, is_match_rule, load_match_rulebook, load_rulebook
from core.telling.account import account
from core.telling.dice_text import dice_behind
from events.ids import GameKey, RuleId
from events.vocabulary import AttributeSet, DiceRolled, Event
from server.web.addresses import at_match
from server.web.dice import added, arithmetic, faces, needed
from server.web.html import Content, Html, div, link, span, tag
from server.web.story import Story


def explained(story: Story, number: int) -> Html:
    """Return the explanation of an event that the story has."""
    event = story.events[number - 1]
    first, _ = story.commit_of(number)
    rolled = dice_behind(story.events[first - 1 : number], first)
    parts = _parts(story, event)
    chapter = account(story, number)
    lines = [
        tag(
            "li",
            None,
            link(at_match(story.match, line.last, story.seat, is_why=True), span("no", line.numbers), line.sentence),
        )
        for line in chapter
    ]
    return tag(
        "section",
        {"class": "why", "id": "why", "aria-label": f"Why event {number} happened"},
        [_roll(story, at, roll) for at, roll in rolled],
        parts,
        _rule(story.now.game, event.rule),
        [tag("h4", None, "The chapter of which it is part"), tag("ol", {"class": "account"}, lines)]
        if len(lines) > 1
        else None,
    )


def _roll(story: Story, number: int, event: DiceRolled) -> Html:
    names = story.names.on(story.table(number))
    about = f", {names.anything(event.about)}" if event.about else ""
    wanted = needed(event)
    return div(
        "roll",
        tag("h4", None, f"Dice for {event.purpose}{about}"),
        faces(event),
        arithmetic(event, names) if event.modifiers or len(event.faces) > 1 else None,
        tag("p", None, wanted) if wanted else None,
    )


def _parts(story: Story, event: Event) -> Content:
    if not (isinstance(event, AttributeSet) and event.parts):
        return None
    return tag("table", {"class": "sum"}, tag("tbody", None, added(event.parts, story.names)))


def _rule(game: GameKey, id_: RuleId) -> Html:
    """Return a rule with the rulings that bear on it, or a ruling, in our own words."""
    try:
        book = _book(game, id_)
        entry = book.entry(id_)
    except UnknownName:
        return tag("p", {"class": "rule-text"}, f"Rule {id_} is not in the rules as they are now.")
    if isinstance(entry, Ruling):
        return _ruling(entry)
    return Html(
        tag("p", {"class": "rule-text"}, entry.text, " ", span("rule", entry.id))
        + _needs(book, entry)
        + "".join(map(_ruling, book.bearing(entry)))
    )


def _needs(book: Rulebook, rule: Rule) -> Html:
    known = [book.rules[id_] for id_ in rule.needs if id_ in book.rules]
    rows = [tag("li", None, need.text, " ", span("rule", need.id)) for need in known]
    return (
        tag("details", {"class": "needs"}, tag("summary", None, "Rules that it refers to"), tag("ul", None, rows))
        if rows
        else Html("")
    )


def _ruling(ruling: Ruling) -> Html:
    return tag(
        "p",
        {"class": "ruling"},
        tag("strong", None, "Ruling: "),
        ruling.question,
        " ",
        ruling.ruling,
        " ",
        ruling.why,
        " ",
        span("rule", ruling.id),
    )


def _book(game: GameKey, id_: RuleId) -> Rulebook:
    """Return the index that has a rule.

    Raises:
        UnknownName: The rule is a game's that is not installed.
    """
    return load_match_rulebook() if is_match_rule(id_) else load_rulebook(load_game(game).package)
