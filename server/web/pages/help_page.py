"""The page that says how a game is played: beside a table with its open question and the rule behind it, and by itself."""

from collections.abc import Sequence
from typing import NamedTuple

from core.game.game_record import Game
from core.game_files.player_aid import PlayerAid
from core.game_files.rule_search import QUERY_CHARACTERS_MAX
from core.game_files.rulebook import Rule, Rulebook, Ruling
from core.registry.games import typed_key
from core.telling.cited_rules import Entry
from core.wording import capital
from events.ids import RuleId
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, link, span, tag
from server.web.backend.lobby_games import weight_of
from server.web.backend.new_match import BOT
from server.web.http.page_frame import page
from server.web.learning.keys import keys_section
from server.web.learning.player_aid import aid_sections
from server.web.learning.rule_entry import rule_entry
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header

EXAMPLES = ("move", "attack", "victory")
"""What may be asked: words that the rules of each game have."""


class Question(NamedTuple):
    """The open question of a match.

    Attributes:
        asked: Its words.
        is_own: Whether the visitor answers it.
        rule: The rule under which it is asked; empty if that is not known.
        advice: What a first match says to it; empty in other matches.
        phase: The phase on the table.
        side: The side whose turn it is.
        now: Where the match stands, in words.
    """

    asked: str
    is_own: bool
    rule: RuleId
    advice: str
    phase: str
    side: str
    now: str


class Help(NamedTuple):
    """Contents of the page.

    Attributes:
        title: The title of the game.
        key: The key of the game.
        aid: The player aid, if it has one.
        book: The rules of the game.
        to: The address of the page, to which a search is sent.
        query: What was searched for.
        found: What was found.
        back: The address of the table beside which it stands; empty without one.
        seat: As whom that table is seen; empty for everybody.
        question: The open question of that table, if any.
        rule: The rule of that question.
        token: Proves the form that opens the first match.
        cards: Its cards and what they say, if it has any.
        form_key: From which that match follows, so that a form that is sent twice opens one.
    """

    title: str
    key: str
    aid: PlayerAid | None
    book: Rulebook
    to: str
    query: str = ""
    found: Sequence[Rule | Ruling] = ()
    back: str = ""
    seat: str = ""
    question: Question | None = None
    rule: Entry | None = None
    token: str = ""
    form_key: str = ""
    cards: Html | None = None


def help_page(shown: Help) -> str:
    """Return the page; its script puts the part of the class `help` beside a table."""
    return page(
        f"How to play {shown.title}",
        div(
            "help",
            _head(shown),
            _parts(shown),
            _search(shown),
            _found(shown),
            _advice(shown.question),
            _aid(shown),
            _first_match(shown),
            shown.cards,
            keys_section(),
        ),
        kind="learn",
        header=lobby_header("learn"),
        styles=LOBBY_STYLES,
    )


def learn_page(games: Sequence[Game]) -> str:
    """Return the page that leads to how each game is played, the lightest first."""
    ways = [
        link(
            f"/learn/{typed_key(game.key)}",
            tag("img", {"src": f"/learn/{typed_key(game.key)}/card.svg", "alt": ""}),
            tag("span", None, tag("b", None, game.title), tag("small", None, game.pitch or game.scenarios[0].summary)),
        )
        for game in sorted(games, key=weight_of)
    ]
    return page(
        "How to play",
        tag("h1", None, "How to play"),
        tag("nav", {"class": "chosen-game to-learn", "aria-label": "Games"}, ways),
        kind="lobby narrow",
        header=lobby_header("learn"),
        styles=LOBBY_STYLES,
    )


def _head(shown: Help) -> Html:
    """Return the heading: the open question, with the way back to it."""
    if not shown.back:
        return tag("h1", None, f"How to play {shown.title}")
    question = shown.question
    asked = "The table" if question is None else capital(question.asked.partition(";")[0])
    back = link(shown.back, "← ", asked, class_="back")
    hint = tag("span", {"class": "esc"}, "back to the table ", tag("kbd", None, "Esc"))
    return tag(
        "header", {"class": "own" if question is not None and question.is_own else None}, tag("h1", None, back), hint
    )


def _parts(shown: Help) -> Html:
    keys = [span("typed", "Keys"), span("touched", "Fingers")]
    names: list[tuple[str, Content]] = [
        ("short", "In short"),
        ("turn", "Player aid"),
        ("rules", "Rules"),
        ("keys", keys),
    ]
    if shown.cards is not None:
        names.insert(2, ("cards", "Cards"))
    if shown.question is not None and shown.rule is not None:
        names.insert(2, ("now-asked", "This question"))
    if _has_first_match(shown):
        names.append(("first", "First match"))
    ways = [link(f"#{part}", name) for part, name in names]
    return tag("nav", {"class": "parts", "aria-label": "Parts of this help"}, ways)


def _search(shown: Help) -> Html:
    field: dict[str, Attribute] = {
        "type": "search",
        "name": "q",
        "id": "rules",
        "value": shown.query,
        "maxlength": QUERY_CHARACTERS_MAX,
    }
    hints: dict[str, Attribute] = {
        "placeholder": f"Ask the rules: {', '.join(EXAMPLES)}",
        "aria-label": "Search the rules",
    }
    seat = tag("input", {"type": "hidden", "name": "seat", "value": shown.seat}) if shown.seat else None
    button = tag("button", {"type": "submit"}, "Search")
    attributes: dict[str, Attribute] = {"method": "get", "action": shown.to, "class": "search", "role": "search"}
    return tag("form", {**attributes}, seat, tag("input", {**field, **hints}), button)


def _found(shown: Help) -> Content:
    if not shown.query:
        return None
    count = len(shown.found)
    said = f"{count or 'No'} rule{'' if count == 1 else 's'} found by these words"
    entries = [tag("li", None, rule_entry(Entry(shown.book, one), one.id, is_folded=True)) for one in shown.found]
    heading = tag("h2", {"role": "status"}, said)
    return tag("section", {"class": "found", "id": "found"}, heading, tag("ul", None, entries) if entries else None)


def _aid(shown: Help) -> list[Content]:
    """Return the aid: beside a table first what can be done now, then the rule that governs the open question, and last what the game is about."""
    question = shown.question
    if shown.aid is None:
        return [tag("p", None, "This game has no player aid; its rules can be searched."), _now(question, shown.rule)]
    goal, *doing = aid_sections(
        shown.aid,
        shown.book,
        phase="" if question is None else question.phase,
        side="" if question is None else question.side,
        now="" if question is None else question.now,
    )
    return [goal, *doing] if question is None else [*doing, _now(question, shown.rule), goal]


def _advice(question: Question | None) -> Html | None:
    """Return what a first match says to the open question."""
    if question is None or not question.advice:
        return None
    return tag("section", {"class": "now"}, tag("p", {"class": "advice"}, question.advice))


def _now(question: Question | None, rule: Entry | None) -> Html | None:
    """Return the rule that governs the open question."""
    if question is None or rule is None:
        return None
    return tag(
        "section",
        {"class": "now", "id": "now-asked"},
        tag("h2", None, "The open question"),
        rule_entry(rule, question.rule, is_folded=True),
    )


def _has_first_match(shown: Help) -> bool:
    return not shown.back and shown.aid is not None and shown.aid.first_match is not None


def _first_match(shown: Help) -> Content:
    """Return the way to the match that explains itself."""
    if not _has_first_match(shown) or shown.aid is None or shown.aid.first_match is None:
        return None
    first = shown.aid.first_match
    wish = {
        "game": shown.key,
        "against": BOT,
        "seat": first.seat,
        "dice": "seeded",
        "seed": first.seed,
        "key": shown.form_key,
    }
    button = tag("button", {"type": "submit", "class": "button choose"}, "▶ Play the first match")
    return tag(
        "section",
        {"id": "first"},
        tag("h2", None, "A first match that explains itself"),
        tag("p", None, first.text),
        form("/new", shown.token, hidden_fields(wish), button, class_="inline"),
    )
