"""What a seat can do besides its options: take back, pass in windows, give standing answers, write a note, be asked before each command, and resign."""

from core.standing_answers import passing
from core.telling.answers import answer_words
from core.windows import passes_in_advance
from core.wording import capital
from events.codec import encode
from projections.table import Standing
from server.pages.html import Attribute, Content, Html, tag
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import of_match
from server.web.asking import Asking
from server.web.layout import form, hidden_fields
from server.web.plays import ANSWER, NOTE, NOTE_MAX, PASS, RESIGN, TAKE_BACK
from server.web.sight import Sight

ANSWERS_MAX = 30
"""A question with more options is not answered in advance."""


def hidden(sight: Sight, legal: LegalReply) -> list[Html]:
    """Return the fields that every form of a seat holds."""
    return hidden_fields({"seat": sight.seat, "expected": str(legal.seq), "key": sight.key})


def tools(sight: Sight, legal: LegalReply) -> list[Content]:
    """Return what a seat can do besides."""
    match = sight.story.match
    found: list[Content] = []
    if legal.take_back is not None:
        back = tag("button", {"type": "submit", "class": "back", "data-key": "Backspace"}, "Take back the last command")
        found.append(form(of_match(match, TAKE_BACK), sight.token, hidden(sight, legal), back, class_="inline"))
    if legal.installed is None:
        found += [_passing(sight, legal), _answers(sight, legal)]
    found += [_note(sight, legal), _switches(sight, legal)]
    if sight.story.now.began:
        really = tag("button", {"type": "submit"}, f"Resign as {sight.story.names.seat(sight.seat)}, for good")
        found.append(
            _tool(
                "Resign", form(of_match(match, RESIGN), sight.token, hidden(sight, legal), really), class_="tool resign"
            )
        )
    return found


def _tool(title: str, *contents: Content, class_: str = "tool") -> Html:
    return tag("details", {"class": class_}, tag("summary", None, title), *contents)


# Standing answers


def _passing(sight: Sight, legal: LegalReply) -> Html | None:
    """Return the switch that lets the seat pass in every window until its own next turn; None in a game without such windows."""
    if sight.bound is None or not sight.story.now.began:
        return None
    passes = passes_in_advance(sight.bound.rules)
    if not passes:
        return None
    begun = passing(sight.story.now, sight.seat, passes, is_on=True)
    answers = begun or passing(sight.story.now, sight.seat, passes, is_on=False)
    kept = hidden_fields({"answers": encode(answers).decode()})
    said = "Pass in every window until your next turn" if begun else "Ask in windows again"
    button = tag("button", {"type": "submit", "class": "passing"}, said)
    to = of_match(sight.story.match, PASS)
    return form(to, sight.token, hidden(sight, legal), kept, button, class_="inline")


def _answers(sight: Sight, legal: LegalReply) -> Html | None:
    """Return the standing answers of the seat, and the form that gives one to the open question."""
    given = [_given(sight, legal, one) for one in sight.story.now.standing if one.seat == sight.seat]
    can = sight.bound is not None and legal.decision in sight.bound.rules.standing_decisions
    own = legal.to_move == sight.seat and can and not sight.about and 0 < len(legal.options) <= ANSWERS_MAX
    asked = _in_advance(sight, legal) if own else None
    if not given and asked is None:
        return None
    return _tool(f"Standing answers{f': {len(given)}' if given else ''}", given, asked)


def _given(sight: Sight, legal: LegalReply, standing: Standing) -> Html:
    ends = ", until your next turn" if standing.until else ""
    names = sight.story.names
    words = f"{capital(names.decision(standing.decision))}: {answer_words(names, standing.answer)}{ends}. "
    kept = hidden_fields({"decision": standing.decision, "answer": ""})
    button = tag("button", {"type": "submit"}, "Withdraw")
    to = of_match(sight.story.match, ANSWER)
    return tag("div", None, words, form(to, sight.token, hidden(sight, legal), kept, button, class_="inline"))


def _in_advance(sight: Sight, legal: LegalReply) -> Html:
    """Return the form that answers the open question now and whenever it is asked again."""
    last = legal.options[-1]
    passing: LegalOption = next((one for one in legal.options if one.words.casefold().startswith("pass")), last)
    options = [tag("option", {"value": one.number, "selected": one == passing}, one.words) for one in legal.options]
    until = [
        tag("option", {"value": value}, words)
        for value, words in (("turn", "Until your next turn"), ("", "Until you withdraw it"))
    ]
    decision = hidden_fields({"decision": legal.decision})
    fields = [
        tag(
            "label",
            {"for": "answer"},
            f"{capital(sight.story.names.decision(legal.decision))}: whenever it is asked, at any place, answer",
        ),
        tag("select", {"name": "answer", "id": "answer"}, options),
        tag("label", {"for": "until"}, "How long"),
        tag("select", {"name": "until", "id": "until"}, until),
        tag("button", {"type": "submit"}, "Give this standing answer"),
    ]
    to = of_match(sight.story.match, ANSWER)
    return form(to, sight.token, hidden(sight, legal), decision, fields, class_="sit")


# Notes and switches


def _note(sight: Sight, legal: LegalReply) -> Html:
    text: dict[str, Attribute] = {"name": "text", "id": "text", "required": True, "maxlength": NOTE_MAX, "rows": 3}
    fields = [
        tag("label", {"for": "text"}, "Note, a part of the match"),
        tag("textarea", text),
        tag(
            "p",
            None,
            tag("input", {"type": "checkbox", "name": "private", "id": "private", "value": "1"}),
            tag("label", {"for": "private"}, " only for me"),
        ),
        tag("button", {"type": "submit"}, "Write the note"),
    ]
    return _tool(
        "Write a note", form(of_match(sight.story.match, NOTE), sight.token, hidden(sight, legal), fields, class_="sit")
    )


def single_switch() -> Html:
    """Return the switch, for a browser with scripts, that plays a single option without asking."""
    return tag(
        "p",
        {"class": "single"},
        tag("input", {"type": "checkbox", "id": "single"}),
        tag("label", {"for": "single"}, " In this match play a single option, such as passing, without asking"),
    )


ASKED = {
    Asking.FINAL: "Ask before what cannot be taken back",
    Asking.EACH: "Ask before each command",
    Asking.NEVER: "Play at a click",
}


def _switches(sight: Sight, legal: LegalReply) -> Html:
    """Return how to be asked: before which commands, and the switch of a single option unless it stands at that option."""
    buttons = [
        tag("button", {"type": "submit", "name": "asking", "value": one, "disabled": one == sight.asking}, said)
        for one, said in ASKED.items()
    ]
    asked = form(of_match(sight.story.match, "ask"), sight.token, hidden_fields({"seat": sight.seat}), buttons)
    is_elsewhere = sight.asking is Asking.EACH or legal.count == 1
    return _tool("How to be asked", asked, None if is_elsewhere else single_switch())
