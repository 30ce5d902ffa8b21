"""Chances before a roll: a bar beside an option, all results on its confirmation, and the link that asks for them."""

from collections.abc import Sequence

from core.engine.command import Command
from core.engine.selection import Choose
from core.odds.odds_lines import Line
from core.odds.odds_text import basis, headline, mean_text, outcome_text
from core.wording import capital
from server.page_parts.html import Content, Html, div, html, link, tag
from server.protocol.replies import LegalOption
from server.protocol.wire import ODDS_OPTIONS_MAX
from server.web.backend.actions import fields_for
from server.web.http.addresses import NOTHING, at_match
from server.web.panels.confirmation import asked_about
from server.web.panels.offered_options import offered_options
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.page_model import PageModel
from server.web.panels.whole_choices import share_bar, whole_asked_about, whole_marked

WHOLE = 0
"""The number of a whole choice among the chances."""


def chances_wanted(model: PageModel, *, is_weighing: bool) -> Sequence[int] | Command | None:
    """Return the numbers of the options whose chances a page shows, or the whole choice; None if it shows no chances.

    Args:
        model: The page.
        is_weighing: Whether the visitor has asked for the chances of the options.
    """
    legal = model.decision.legal
    if legal is None or not legal.options or legal.to_move != model.seat:
        return None
    chosen = asked_about(model)
    if chosen is not None:
        return (chosen.number,)
    if items := whole_asked_about(model):
        return Choose(tuple(sorted(items)))
    if is_weighing and (items := whole_marked(model)):
        return Choose(tuple(sorted(items)))
    if not is_weighing:
        return None
    # Chances of options behind a link would be counted and not shown.
    shown = offered_options(model, OptionSubjects(model.story, model.bound), legal).choices
    return [one.number for one in shown[:ODDS_OPTIONS_MAX]] or None


def weighing_link(model: PageModel, shown: Sequence[LegalOption]) -> Html | None:
    """Return the link to the page with the chances of the options that it shows, or why it shows none though they were asked for.

    None if the question, or all options that the page shows, lead to no roll. Where the chances are shown it says what they assume, and if they are the same whatever is chosen, the chances too.
    """
    legal = model.decision.legal
    assumed = dict.fromkeys([one for odds in model.decision.odds.values() for one in odds.assumed])
    if same := _same(model):
        return tag("p", {"class": "weigh same"}, f"Whatever you choose: {same}{_assuming([*assumed])}.")
    if model.decision.odds:
        return tag("p", {"class": "weigh"}, f"Chances{_assuming([*assumed])}.") if assumed else None
    if legal is None or legal.to_move != model.seat or model.bound is None:
        return None
    if note := _without_chances(model):
        return note
    rolls, rules, now = model.bound.rolls, model.bound.rules, model.story.now
    # While the match goes on, the options belong to an earlier table.
    if legal.decision not in rolls.weighed or legal.seq != model.story.last:
        return None
    if not any(rolls.may_roll(now, rules.decode(bytes(one.command))) for one in shown):
        return None
    to = at_match(model.story.match, None, model.seat, about=model.decision.about, is_weighing=True)
    return tag("p", {"class": "weigh"}, link(to, "Show the chances"))


def _without_chances(model: PageModel) -> Html | None:
    """Return why the page shows no chances, or that they are being counted, with the way to them."""
    decision, story = model.decision, model.story
    if why := decision.no_odds:
        return tag("p", {"class": "weigh"}, f"{capital(why)}.")
    if not decision.is_late:
        return None
    to = at_match(
        story.match,
        None,
        model.seat,
        about=decision.about,
        choose=decision.asked,
        marked=fields_for(decision.marked) if decision.asked else NOTHING,
        is_weighing=not decision.asked,
    )
    return tag("p", {"class": "weigh late"}, "The chances are still being counted. ", link(to, "Show them"))


def chance_bar(model: PageModel, option: LegalOption) -> Html | None:
    """Return the chance of an option in a few words, with a bar if there is a result that is rolled for."""
    odds = model.decision.odds.get(option.number)
    if odds is None or _same(model):
        return None
    return tag("small", {"class": "chance"}, share_bar(odds), headline(odds))


def _same(model: PageModel) -> str:
    """Return the chance that all options of a question have; nothing if they differ, or there is one option."""
    legal, told = model.decision.legal, {headline(one) for one in model.decision.odds.values()}
    is_of_all = legal is not None and 1 < legal.count == len(model.decision.odds)
    return next(iter(told)) if is_of_all and len(told) == 1 else ""


def chance_on_button(model: PageModel, option: LegalOption | None = None) -> Html | None:
    """Return the chance of what is rolled for, to stand on the button that plays the option or the whole choice."""
    odds = model.decision.odds.get(WHOLE if option is None else option.number)
    if odds is None or all(line.good is None for line in odds.lines):
        return None
    return tag("small", {"class": "stake"}, f"{headline(odds)}{_assuming(odds.assumed)}")


def _assuming(assumed: Sequence[str]) -> str:
    """Return what chances assume of the choices that come before the dice, to stand behind them."""
    return f" ({'; '.join(assumed)})" if assumed else ""


def all_chances(model: PageModel, option: LegalOption | None = None) -> Content:
    """Return all results that an option, or the whole choice, can have, with their chances and what they were counted over."""
    odds = model.decision.odds.get(WHOLE if option is None else option.number)
    if odds is None:
        return _without_chances(model)
    return div("chances", [_line(line) for line in odds.lines], tag("p", {"class": "other"}, basis(odds)))


def _line(line: Line) -> Html:
    mean = "" if line.mean is None else f", mean {mean_text(line.mean)}"
    rows = [
        tag(
            "tr",
            None,
            tag("th", {"scope": "row"}, one.words),
            tag(
                "td", None, tag("meter", {"min": 0, "max": 100, "value": round(one.share * 100), "aria-hidden": "true"})
            ),
            tag("td", None, outcome_text(one)),
        )
        for one in line.outcomes
    ]
    return html(tag("table", None, tag("caption", None, f"{line.about}{mean}"), rows))
