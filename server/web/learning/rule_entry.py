"""A rule with the rulings that bear on it, or a ruling, in our own words."""

from core.game_files.rulebook import Rule, Rulebook, Ruling
from core.telling.cited_rules import Entry
from events.ids import RuleId
from server.page_parts.html import Html, div, span, tag


def rule_entry(found: Entry | None, id_: RuleId, *, is_folded: bool = False) -> Html:
    """Return a rule or a ruling; of one that is not in the rules as they are now, that it is not.

    Args:
        found: The rule and the index that has it.
        id_: Its id.
        is_folded: Whether the rulings that bear on a rule are folded behind their questions.
    """
    if found is None:
        return tag("p", {"class": "rule-text"}, f"Rule {id_} is not in the rules as they are now.")
    book, entry = found
    if isinstance(entry, Ruling):
        return _ruling(entry)
    where = f"{entry.id} (section {entry.page}, {entry.kind})"
    return Html(
        tag("p", {"class": "rule-text"}, entry.text, " ", span("rule", where))
        + _needs(book, entry)
        + "".join([_ruling(one, is_folded=is_folded) for one in book.bearing(entry)])
    )


def _needs(book: Rulebook, rule: Rule) -> Html:
    known = [book.rules[id_] for id_ in rule.needs if id_ in book.rules]
    rows = [tag("li", None, need.text, " ", span("rule", need.id)) for need in known]
    if not rows:
        return Html("")
    return tag("details", {"class": "needs"}, tag("summary", None, "Rules that it refers to"), tag("ul", None, rows))


def _ruling(ruling: Ruling, *, is_folded: bool = False) -> Html:
    """Return a ruling with its question, its readings and its reason."""
    readings = [tag("li", None, reading) for reading in ruling.readings]
    asked = [tag("strong", None, "Ruling: "), ruling.question]
    said = [
        # A ruling is often told as one of its readings.
        tag("ol", {"class": "readings"}, readings) if readings else None,
        tag("p", None, ruling.ruling, " ", ruling.why, " ", span("rule", f"{ruling.id} ({ruling.weight} weight)")),
    ]
    if is_folded:
        return tag("details", {"class": "ruling"}, tag("summary", None, asked), said)
    return div("ruling", tag("p", None, asked), said)
