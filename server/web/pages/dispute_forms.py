"""Disputes on the page of a match: where each stands, and the forms that dispute the event that is shown, rule, appeal, and lead on."""

from core.match.arbitration.disputes import STANDS
from events.ids import ARBITER
from events.vocabulary import DisputeOpened, RulingAppealed, RulingMade
from projections.state.offices import Dispute
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, link, tag
from server.web.backend.actions import APPEAL, DISPUTE, NOTE_MAX
from server.web.backend.rulings import CONFIRM, EDIT, FORK, LINE, STAND
from server.web.http.addresses import at_match, of_match
from server.web.panels.page_model import PageModel

ID_MAX, RULES_MAX, HOUSE_MAX = 60, 400, 80


def dispute_panel(model: PageModel) -> list[Content]:
    """Return where disputes stand, with what the viewer can do about them, and the form that disputes the event that is shown."""
    now = model.story.now
    own = model.seat == ARBITER or model.seat in now.players
    told = [_told(model, one, is_own=own) for one in now.disputes]
    return [*told, _opening(model) if own and model.number and now.dispute(model.number) is None else None]


def onward(model: PageModel) -> Html | None:
    """Return the way to the match as which this one goes on; None if it does not."""
    line = model.story.now.goes_on
    if not line:
        return None
    said = tag("p", {"class": "other"}, "By a ruling the match goes on as ", link(at_match(line), line), ".")
    if model.is_public:
        return said
    button = tag("button", {"type": "submit", "class": "main"}, f"Go on there as {model.viewer}")
    kept = hidden_fields({"seat": model.seat})
    return div("onward", said, form(of_match(model.story.match, "follow"), model.token, kept, button, class_="inline"))


def _told(model: PageModel, dispute: Dispute, *, is_own: bool) -> Html:
    """Return one dispute: what was said so far, where it stands, and what the viewer can say now."""
    story = model.story
    said = [
        tag("li", None, story.names.seat(event.seat) if isinstance(event, RulingAppealed) else None, _said(event))
        for number in story.remarks.get(dispute.at, ())
        if isinstance(event := story.events[number - 1], DisputeOpened | RulingMade | RulingAppealed)
    ]
    head = [
        link(at_match(story.match, dispute.at, story.seat), f"Event {dispute.at}"),
        f" is disputed: it {STANDS[dispute.stand]}.",
    ]
    return div(
        "dispute",
        tag("p", {"class": "other"}, head),
        tag("ul", None, said),
        _ruling(model, dispute) if is_own and model.seat == ARBITER and dispute.is_due else None,
        _appeal(model, dispute) if is_own and model.seat != ARBITER and dispute.stand == "ruled" else None,
    )


def _said(event: DisputeOpened | RulingMade | RulingAppealed) -> str:
    if isinstance(event, RulingMade):
        return f"Ruling: {event.text}"
    return f" appeals: {event.text}" if isinstance(event, RulingAppealed) else event.text


def _opening(model: PageModel) -> Html:
    """Return the form that disputes the event that is shown."""
    number = model.number
    pause = [
        tag("input", {"type": "checkbox", "name": "pause", "id": "dispute-pause", "value": "1"}),
        tag("label", {"for": "dispute-pause"}, " play stops until you resume it"),
    ]
    fields = [
        *_text("dispute-text", f"What is disputed about event {number}, and why"),
        tag("p", None, pause) if model.seat == ARBITER else None,
        tag("button", {"type": "submit"}, "Open the dispute"),
    ]
    return _tool(model, f"Dispute event {number}", DISPUTE, number, fields)


def _appeal(model: PageModel, dispute: Dispute) -> Html:
    name = f"appeal-{dispute.at}"
    fields = [*_text(name, "Why the ruling should be another one"), tag("button", {"type": "submit"}, "Appeal, once")]
    return _tool(model, "Appeal against the ruling", APPEAL, dispute.at, fields)


def _ruling(model: PageModel, dispute: Dispute) -> Html:
    """Return the form of a ruling with its effect; after an appeal it confirms the first one or takes its place."""
    at, has_line = dispute.at, bool(dispute.line)
    choices = [
        (CONFIRM, "Confirm the first ruling") if dispute.stand == "appealed" else None,
        None if has_line else (STAND, "The match stands as it is"),
        (FORK, f"It goes on from before event {at}, in a fork made now"),
        (LINE, "It goes on as a fork that there is"),
        (EDIT, "It goes on as a match opened with an edited table"),
    ]
    effects: list[Content] = []
    for place, (value, words) in enumerate([one for one in choices if one is not None]):
        id_ = f"effect-{at}-{value}"
        field: dict[str, Attribute] = {"type": "radio", "name": "effect", "id": id_, "value": value}
        effects.append(
            tag("p", None, tag("input", {**field, "checked": place == 0}), tag("label", {"for": id_}, f" {words}"))
        )
    fields = [
        *_text(f"ruling-{at}", "Ruling"),
        *_line(f"rules-{at}", "rules", "Rules by which it is decided, such as 7.1 (may be empty)", RULES_MAX),
        tag("fieldset", None, tag("legend", None, "What becomes of the match"), effects),
        *_line(f"line-{at}", "line", "The id of that fork or match (only for the last two)", ID_MAX),
        *_line(f"house-{at}", "house", "Name of a house rule for later matches (may be empty)", HOUSE_MAX),
        tag("button", {"type": "submit", "class": "main"}, "Rule"),
    ]
    return _tool(model, "Rule on it", "rule", at, fields, is_open=True)


def _tool(model: PageModel, title: str, what: str, at: int, fields: Content, *, is_open: bool = False) -> Html:
    kept = {"seat": model.seat, "expected": str(model.known), "key": model.key, "at": str(at)}
    to = of_match(model.story.match, what)
    shown = form(to, model.token, hidden_fields(kept), fields, class_="sit")
    return tag("details", {"class": "tool", "open": is_open}, tag("summary", None, title), shown)


def _text(id_: str, label: str) -> list[Html]:
    attributes: dict[str, Attribute] = {"name": "text", "id": id_, "required": True, "maxlength": NOTE_MAX, "rows": 3}
    return [tag("label", {"for": id_}, label), tag("textarea", attributes)]


def _line(id_: str, name: str, label: str, most: int) -> list[Html]:
    attributes: dict[str, Attribute] = {"type": "text", "name": name, "id": id_, "maxlength": most}
    return [tag("label", {"for": id_}, label), tag("input", attributes)]
