"""Tools of a seat besides its options: take back, redo, pass in windows, give standing answers, write a note, be asked before each command, and resign."""

from core.engine.reactions import passes_in_advance
from core.match.standing_answers import passing
from core.telling.answer_text import answer_words
from core.telling.phrases import listed
from core.wording import capital, does
from events.codec import encode
from events.vocabulary import CommandsUndone
from projections.state.table import Standing
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, link, span, tag
from server.page_parts.story import Story
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import ANSWER, ANSWER_UNDO, ASK_UNDO, NOTE, NOTE_MAX, PASS, REDO, RESIGN, UNDO
from server.web.http.addresses import of_match
from server.web.http.cookies import Confirmation
from server.web.panels.page_model import PageModel

ANSWERS_MAX = 30
"""A question with more options is not answered in advance."""


def hidden(model: PageModel, legal: LegalReply) -> list[Html]:
    """Return the fields that every form of a seat holds."""
    return hidden_fields({"seat": model.seat, "expected": str(legal.seq), "key": model.key})


def seat_tools(model: PageModel) -> list[Content]:
    """Return what a seat can do besides, but for taking back; nothing while it is asked about a command or for dice."""
    legal, match = model.decision.legal, model.story.match
    if legal is None or not _has_tools(model):
        return []
    found: list[Content] = []
    found.append(_asked_back(model, legal))
    if legal.can_redo:
        again = tag("button", {"type": "submit", "class": "back"}, "Redo what was taken back")
        found.append(form(of_match(match, REDO), model.token, hidden(model, legal), again, class_="inline"))
    if legal.installed is None:
        found += [_passing(model, legal), _answers(model, legal)]
    found += [_note(model, legal), _switches(model, legal), _notices(model)]
    if model.story.now.began:
        really = tag("button", {"type": "submit"}, f"Resign as {model.story.names.seat(model.seat)}, for good")
        found.append(
            _tool(
                "Resign", form(of_match(match, RESIGN), model.token, hidden(model, legal), really), class_="tool resign"
            )
        )
    return found


def take_back(model: PageModel) -> Html | None:
    """Return the button that takes back what the seat sent last, or asks the others to let it, which stands above the options, however many there are; None if it cannot."""
    legal = model.decision.legal
    if legal is None or not _has_tools(model):
        return None
    words: Content
    if legal.undo_to is not None:
        count = _sent_together(model.story, legal.undo_to)
        rest, number = (" the last command", "") if count == 1 else (" the last", f" {count} commands")
        title, words, to = f"Take back{rest}{number}", ["Take back", span("unseen", rest), number], UNDO
    elif legal.ask_undo_to is not None:
        title, words, to = "Ask the others to let you take back your last command", "Ask to take back", ASK_UNDO
    else:
        return None
    back = tag("button", {"type": "submit", "class": "back", "data-key": "Backspace", "title": title}, words)
    return form(of_match(model.story.match, to), model.token, hidden(model, legal), back, class_="take-back")


def _has_tools(model: PageModel) -> bool:
    """Return whether the seat can do more than choose: not while it is asked about a command or for dice, nor at the end."""
    decision = model.decision
    return not (
        decision.legal is None or model.story.now.ended is not None or decision.asked or decision.typed is not None
    )


def _sent_together(story: Story, undo_to: int) -> int:
    """Return how many commands that still hold followed an event: more than one if they were sent as an order."""
    number, count = story.last, 0
    while number > undo_to:
        first, _ = story.commit_of(number)
        opening = story.events[first - 1]
        if isinstance(opening, CommandsUndone):
            number = opening.to
        else:
            count += story.last_played(number) == first
            number = first - 1
    return count


def _asked_back(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the question whether commands may be taken back, for a seat that is asked, or for whom the seat that asked waits."""
    asked, names = model.story.now.asked_back, model.story.names
    if asked is None or legal.installed is not None:
        return None
    if model.seat not in asked.awaited:
        waited = listed([names.seat(seat) for seat in asked.awaited])
        said = f"{does(names.seat(asked.seat), 'ask')} to take back all after event {asked.to}; {waited} may agree, until play goes on."
        return tag("p", {"class": "other"}, said)
    said = f"{does(names.seat(asked.seat), 'ask')} you to agree that all after event {asked.to} is taken back. Play on if you do not want to answer."
    answers = [
        tag("button", {"type": "submit", "class": "back", "name": "agrees", "value": value}, words)
        for value, words in (("1", "Agree"), ("0", "Refuse"))
    ]
    kept = hidden_fields({"request": str(asked.at)})
    to = of_match(model.story.match, ANSWER_UNDO)
    return tag(
        "div", {"class": "other"}, said, form(to, model.token, hidden(model, legal), kept, answers, class_="inline")
    )


def _tool(title: str, *contents: Content, class_: str = "tool") -> Html:
    return tag("details", {"class": class_}, tag("summary", None, title), *contents)


# Standing answers


def _passing(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the switch that lets the seat pass in every window until its own next turn; None in a game without such windows."""
    if model.bound is None or not model.story.now.began:
        return None
    passes = passes_in_advance(model.bound.rules)
    if not passes:
        return None
    begun = passing(model.story.now, model.seat, passes, is_on=True)
    answers = begun or passing(model.story.now, model.seat, passes, is_on=False)
    kept = hidden_fields({"answers": encode(answers).decode()})
    said = "Pass at every chance to react until your next turn" if begun else "Ask me again at every chance to react"
    button = tag("button", {"type": "submit", "class": "passing"}, said)
    to = of_match(model.story.match, PASS)
    return form(to, model.token, hidden(model, legal), kept, button, class_="inline")


def _answers(model: PageModel, legal: LegalReply) -> Html | None:
    """Return the standing answers of the seat, and the form that gives one to the open question."""
    given = [_given(model, legal, one) for one in model.story.now.standing if one.seat == model.seat]
    can = model.bound is not None and legal.decision in model.bound.rules.standing_decisions
    own = legal.to_move == model.seat and can and not model.decision.about and 0 < len(legal.options) <= ANSWERS_MAX
    asked = _in_advance(model, legal) if own else None
    if not given and asked is None:
        return None
    return _tool(f"Standing answers{f': {len(given)}' if given else ''}", given, asked)


def _given(model: PageModel, legal: LegalReply, standing: Standing) -> Html:
    ends = ", until your next turn" if standing.until else ""
    names = model.story.names
    words = f"{capital(names.decision(standing.decision))}: {answer_words(names, standing.answer)}{ends}. "
    kept = hidden_fields({"decision": standing.decision, "answer": ""})
    button = tag("button", {"type": "submit"}, "Withdraw")
    to = of_match(model.story.match, ANSWER)
    return tag("div", None, words, form(to, model.token, hidden(model, legal), kept, button, class_="inline"))


def _in_advance(model: PageModel, legal: LegalReply) -> Html:
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
            f"{capital(model.story.names.decision(legal.decision))}: whenever it is asked, at any place, answer",
        ),
        tag("select", {"name": "answer", "id": "answer"}, options),
        tag("label", {"for": "until"}, "How long"),
        tag("select", {"name": "until", "id": "until"}, until),
        tag("button", {"type": "submit"}, "Give this standing answer"),
    ]
    to = of_match(model.story.match, ANSWER)
    return form(to, model.token, hidden(model, legal), decision, fields, class_="sit")


# Notes and switches


def _note(model: PageModel, legal: LegalReply) -> Html:
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
        "Write a note", form(of_match(model.story.match, NOTE), model.token, hidden(model, legal), fields, class_="sit")
    )


def _notices(model: PageModel) -> Html | None:
    to = of_match(model.story.match, "notices", model.seat)
    return tag("p", {"class": "tool"}, link(to, "Tell me when it is my turn")) if model.has_notices else None


def single_switch() -> Html:
    """Return the switch, for a browser with scripts, that plays a single option without asking."""
    return tag(
        "p",
        {"class": "single"},
        tag("input", {"type": "checkbox", "id": "single"}),
        tag("label", {"for": "single"}, " In this match play a single option, such as passing, without asking"),
    )


ASKED = {
    Confirmation.FINAL: "Ask before what cannot be taken back",
    Confirmation.EACH: "Ask before each command",
    Confirmation.NEVER: "Play at a click",
}


def _switches(model: PageModel, legal: LegalReply) -> Html:
    """Return how to be asked: before which commands, and the switch of a single option unless it stands at that option."""
    buttons = [
        tag(
            "button",
            {"type": "submit", "name": "asking", "value": one, "disabled": one == model.decision.confirmation},
            said,
        )
        for one, said in ASKED.items()
    ]
    asked = form(of_match(model.story.match, "ask"), model.token, hidden_fields({"seat": model.seat}), buttons)
    is_elsewhere = model.decision.confirmation is Confirmation.EACH or legal.count == 1
    return _tool("How to be asked", asked, None if is_elsewhere else single_switch())
