"""The evidence of a match on its page: what proves it, its files, its audit, and checks in the browser."""

from core.audit.verdicts import Audited, checks_of
from core.chance.schemes import MANUAL
from core.telling.chosen_options import chance_noun, played_title
from core.wording import capital, does
from events.ids import ARBITER, Seat
from projections.catalogue import dice_name
from projections.state.table import Table
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, described, div, html, link, tag
from server.page_parts.times import moment
from server.web.backend.audits import Audit
from server.web.http.addresses import at_match, of_match
from server.web.panels.page_model import PageModel, seat_words

DIGITS = 8
"""How many digits of a digest are shown; the whole one is its title."""

SEED_TELLS = "Who has it can work out all dice and draws beforehand, also what is hidden."


def evidence_panel(model: PageModel) -> Html:
    """Return what proves the match, and what is known of it."""
    story, now = model.story, model.story.now
    seats = tag("ul", None, [tag("li", None, words, *_links(now, seat)) for seat, words in seat_words(story).items()])
    revealed = story.revealed
    chance = now.chance
    sealed = _digest(chance.commitment) if chance.commitment else None
    later = "when the match is over" if now.ended is None else "not in this match"
    opened = story.events[revealed - 1] if revealed else None
    seed = tag("details", None, tag("summary", None, "the seed"), tag("code", None, getattr(opened, "seed", "")))
    open_: Content = (
        later if opened is None else [link(at_match(story.match, revealed, story.seat), f"at event {revealed}"), seed]
    )
    rows: list[tuple[Content, Content]] = [
        ("Match", now.scenario and played_title(now.game, now.scenario, now.mode)),
        ("Id", tag("code", None, story.match)),
        ("Edition", f"{now.edition}{f', variant {now.variant}' if now.variant else ''}"),
        ("Seats", seats),
        (capital(chance_noun(now.game)), dice_name(chance)),
        ("Anchor of the server's links", sealed),
        ("The seed is opened", open_ if sealed is not None else None),
        ("Public seed", [tag("code", None, chance.seed), f" {SEED_TELLS}"] if chance.seed else None),
        ("Head of the chain", _digest(model.evidence.head) if model.evidence.head else None),
        ("Rules", _digest(now.rules)),
        ("Board", _digest(now.board)),
        (
            "Events",
            tag(
                "span", None, f"{story.last}", [", the last one ", moment(at)] if (at := story.at(story.last)) else None
            ),
        ),
    ]
    file = of_match(story.match, "view.ndjson", story.seat)
    download = tag("p", None, link(file, f"Download what {does(model.viewer, 'have')} seen"), ", as lines of JSON.")
    return tag(
        "section",
        {"class": "panel evidence", "id": "evidence"},
        tag("h2", None, "Evidence"),
        described(rows),
        download,
        _signing(model),
        _dice(model),
        _archive(model),
        _audit(model),
    )


def _audit(model: PageModel) -> Content:
    """Return what the last audit found, and the button that makes one, for those who may have the evidence."""
    return [_audited(model, model.evidence.audit) if model.evidence.audit is not None else None, _to_audit(model)]


def _audited(model: PageModel, audit: Audit) -> Html:
    """Return the result of an audit, as far as the viewer may know it."""
    story, is_whole = model.story, _has_evidence(model)
    later = "" if audit.at >= story.at(story.last) else " Events have followed since."
    said = tag("p", None, "Audited ", moment(audit.at), f" for {audit.by}: {audit.verdict}.{later}")
    checks = checks_of(Audited(report=audit.report, is_whole=is_whole, parent=story.now.parent))
    return html([said, tag("ul", None, [tag("li", None, check.words) for check in checks])])


def _to_audit(model: PageModel) -> Html:
    """Return the form that audits the match here; for those who may not have its evidence how its operator does."""
    match = model.story.match
    if not model.is_live or not _has_evidence(model):
        command = tag("code", None, f"wardiary audit {match}")
        return tag("p", None, "The operator audits the match with ", command, ".")
    button = tag("button", {"type": "submit"}, "Audit the match here")
    return form(of_match(match, "audit"), model.token, hidden_fields({"seat": model.seat}), button, class_="audit")


def _has_evidence(model: PageModel) -> bool:
    """Return whether the whole evidence is for the viewer."""
    return model.evidence.head is not None or model.seat == ARBITER


def _archive(model: PageModel) -> Html | None:
    """Return the way to the whole evidence, and a button that lets the browser check it."""
    if model.evidence.head is None:
        return None
    file = of_match(model.story.match, "archive.ndjson", model.seat)
    whole = tag("p", None, link(file, "Download the archive"), ", the whole evidence with its chain.")
    if not model.evidence.has_log:
        return Html(whole + _verify(file, model.evidence.head, "Check chain and dice in this browser"))
    tied = of_match(model.story.match, "evidence.ndjson", model.seat)
    log = tag("p", None, link(tied, "Download what ties it to the log"), " of the server.")
    return Html(whole + log + _verify(file, model.evidence.head, "Check chain, dice and log in this browser", tied))


def _dice(model: PageModel) -> Html | None:
    """Return a button that lets the browser roll the dice again, where the viewer has no archive; None if they are typed in."""
    story = model.story
    if model.evidence.head is not None or story.now.chance.scheme == MANUAL:
        return None
    return _verify(of_match(story.match, "view.ndjson", story.seat), None, "Roll the dice again in this browser")


def _verify(file: str, head: str | None, words: str, tied: str | None = None) -> Html:
    button = tag("button", {"type": "button", "data-verify": file, "data-head": head, "data-log": tied}, words)
    return div("verify", button, tag("p", {"role": "status"}))


def _signing(model: PageModel) -> Html | None:
    """Return who signs what the viewer's seat sends, and how that is changed; None for others, and for seats that sign nothing."""
    now, seat, match = model.story.now, model.seat, model.story.match
    key = now.keys.get(seat)
    if key is None or not (model.is_live and now.began) or now.ended is not None:
        return None
    fields = hidden_fields({"seat": seat})
    status = tag("span", {"role": "status"})
    if key.holder:
        said = "These pages sign what you send: their operator could, too."
        fields += hidden_fields({"public_key": ""})
        button = tag("button", {"type": "submit"}, "Let this browser sign")
        # The form is shown by the script that makes a key.
        attributes: dict[str, Attribute] = {
            "method": "post",
            "action": of_match(match, "key"),
            "data-take-key": True,
            "hidden": True,
        }
        way = tag("form", attributes, hidden_fields({"token": model.token}), fields, button, " ", status)
    else:
        said = "A browser or a program of yours signs what you send, with a key that it alone has."
        button = tag("button", {"type": "submit"}, "The key is lost: let these pages sign")
        way = form(of_match(match, "key"), model.token, fields, button)
    signs: dict[str, Attribute] = {"class": "signing", "data-signs": key.key, "data-match": match, "data-seat": seat}
    return tag("div", signs, tag("p", None, said), way)


def _links(table: Table, seat: Seat) -> list[Content]:
    """Return whether a seat has a chain of links and a key that signs, and who holds them."""
    chain, key = None if table.links is None else table.links.held(seat), table.keys.get(seat)
    said: list[Content] = []
    if chain is not None:
        said.append(f", with links of the dice{_HOLDERS.get(chain.holder, '')}")
    if key is not None:
        said += [f", signs with {_KEYS.get(key.holder, 'the key')} ", _digest(key.key)]
    return said


_KEYS = {"pages": "these pages' key", "bot": "the bot's key"}
_HOLDERS = {"pages": ", which these pages hold", "bot": ", which the server's bot holds"}


def _digest(digest: str) -> Html | None:
    return tag("code", {"title": digest}, f"{digest[:DIGITS]}…") if digest else None
