"""The page of a report: one file that needs nothing else, for reading on a screen or on paper."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import groupby

from core.audit.verdicts import BROKEN, HOLDS, UNCHECKED
from core.drawing.drawing import drawing_of
from core.svg.palette import style_sheet
from core.svg.plot_svg import draw_plot
from core.svg.themes import AUTO
from core.telling.chosen_options import has_dice
from core.telling.phrases import listed, outcome, won
from core.wording import capital, counted, does
from events.ids import ARBITER, PUBLIC, Side
from server.page_parts.dice_html import shared_pips
from server.page_parts.html import Content, Html, described, div, link, span, tag
from server.page_parts.page_style import shared_style
from server.page_parts.story import Story
from server.page_parts.times import moment
from server.report.figures import Figures, fork_point
from server.report.luck import RollLuck
from server.report.methods import METHODS, OF_DICE
from server.report.moments import Stretch, stretches
from server.report.pictures import Pictures
from server.report.plots import plots_of
from server.report.report_tables import (
    CHECK_NAMES,
    CHECK_NAMES_OF_DRAWS,
    checks_table,
    counts_table,
    fairness_table,
    luck_table,
    rolls_table,
    thinking_table,
)
from server.report.round_figures import rounds_table
from server.report.words import duration, percent

NAME = "War Diary"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The page asks for nothing, whatever it holds."""

VERDICTS = {HOLDS: "✓ All checks hold", BROKEN: "✗ The evidence is broken", UNCHECKED: "– Not checked in full"}

OCCURRENCES = (
    (("undone",), "Take-backs", "take-backs"),
    (("note",), "Notes", "notes"),
    (("dispute", "ruling", "appeal"), "Disputes and rulings", "disputes or rulings"),
    (("arbiter",), "The arbiter's deeds", "other deeds of the arbiter"),
    (("seat",), "Seats left", "players who left"),
    (("rules",), "Other rules adopted", "changes of the rules"),
)
"""The kinds of what a report lists beside the game, each with its heading and its words in a sentence."""


def report_page(story: Story, figures: Figures) -> str:
    """Return the report of a match as one page.

    Args:
        story: The match as the seat has seen it.
        figures: Its figures.
    """
    parts = stretches(story)
    drawn = [part.last for part in parts if part.is_drawn] if story.narration is not None else []
    pictures = None if story.narration is None else Pictures(story, story.narration, drawn, figures.title)
    title = f"{figures.title}: {', '.join(filter(None, (figures.scenario, figures.mode)))}"
    sections = [
        _section("match", "The match", _match(story, figures, parts, pictures)),
        _section("players", "Who played what", _players(story, figures)),
        _section("figures", "The figures", *_figures(story, figures)),
        *([_section("rolls", "Every roll", rolls_table(story, figures.rolls))] if figures.rolls else []),
        _section("beside", "Beside the game", _occurrences(figures)),
        _section("checks", "What was checked", checks_table(figures.checks, _check_names(figures))),
        _section("methods", "How the figures were made", _methods(figures)),
    ]
    contents = [(key, words) for key, words, _ in sections]
    return whole_page(
        title,
        [
            _definitions(pictures),
            tag("header", {"class": "head"}, _head(story, figures)),
            _contents(contents, parts),
            [section for _, _, section in sections],
        ],
    )


def whole_page(title: str, contents: Content) -> str:
    """Return a page that needs nothing but itself."""
    own = (files(__name__.rpartition(".")[0]) / "report.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        None,
        tag("meta", {"charset": "utf-8"}),
        tag("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        tag("meta", {"name": "color-scheme", "content": "light dark"}),
        tag("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
        tag("title", None, f"{title} · {NAME}"),
        tag("style", None, Html(style_sheet(AUTO) + shared_style() + own)),
    )
    body = tag("body", None, tag("main", {"class": "report"}, contents))
    return f"<!DOCTYPE html>\n{tag('html', {'lang': 'en'}, head, body)}\n"


def _section(key: str, words: str, *contents: Content) -> tuple[str, str, Html]:
    return key, words, tag("section", {"id": key, "class": f"part {key}"}, tag("h2", None, words), *contents)


def _check_names(figures: Figures) -> Mapping[str, str]:
    return CHECK_NAMES if has_dice(figures.game) else CHECK_NAMES_OF_DRAWS


def _definitions(pictures: Pictures | None) -> Html:
    return shared_pips() if pictures is None else Html(shared_pips() + pictures.definitions)


# The head


def _head(story: Story, figures: Figures) -> Content:
    viewer = "the arbiter" if story.seat == ARBITER else story.names.seat(story.seat)
    seen = "as everybody sees it" if story.seat == PUBLIC else f"as {does(viewer, 'see')} it"
    verdict = f"– {figures.other_rules}" if figures.other_rules else VERDICTS[figures.verdict]
    if figures.verdict == HOLDS and any(one.verdict != HOLDS for one in figures.checks):
        verdict = "✓ Nothing is wrong, but not everything is proven"
    others = [place.player for place in figures.places]
    if figures.result:
        who = outcome(figures.result, figures.winners, figures.won_by, others)
        more = won(figures.result, figures.winners, figures.won_by) if who == figures.result else f"{figures.result}."
        result: Content = [tag("strong", None, f"{who}."), " ", more]
    else:
        stand = "The match goes on as far as it is told" if figures.cut else "The match is running"
        result = [tag("strong", None, stand), f", in {story.names.round.lower()} {figures.rounds}."]
    return [
        tag("p", {"class": "home"}, f"{NAME} · report of a match, {seen}"),
        tag("h1", None, tag("bdi", None, story.now.title) if story.now.title else figures.title),
        tag(
            "p",
            {"class": "stand"},
            ", ".join(filter(None, (figures.title if story.now.title else "", figures.scenario, figures.mode))),
        ),
        tag("p", {"class": "result"}, result),
        tag("p", {"class": f"verdict {figures.verdict}"}, verdict),
        tag("p", {"class": "problem"}, f"Ids stand for names, and there are no pictures: {figures.problem}.")
        if figures.problem
        else None,
        tag("p", {"class": "problem"}, f"The match is told up to event {story.last} only: {figures.cut}")
        if figures.cut
        else None,
    ]


def _contents(sections: Sequence[tuple[str, str]], parts: Sequence[Stretch]) -> Html:
    rounds = [
        tag("li", None, link(f"#{_anchor(part)}", part.title)) for part in parts if part.begins_round and part.told
    ]
    rows = [
        tag("li", None, link(f"#{key}", words), None)
        if key != "match"
        else tag("li", {"class": "inner"}, link(f"#{key}", words), tag("ol", {"class": "rounds"}, rounds))
        for key, words in sections
    ]
    return tag("nav", {"class": "contents", "aria-label": "Contents"}, tag("ol", None, rows))


def _anchor(part: Stretch) -> str:
    return f"event-{part.first}"


# Players


def _players(story: Story, figures: Figures) -> Content:
    names, now = story.names, story.now
    rows: list[tuple[Content, Content]] = []
    for place in figures.places:
        plays = (
            f"plays {names.side(place.side)}" if place.side and names.side(place.side) != names.seat(place.seat) else ""
        )
        who = ", ".join(filter(None, (place.seated, plays, "winner" if place.has_won else "")))
        rows.append((capital(names.seat(place.seat)), who))
    played = {place.side for place in figures.places}
    if all(played):
        rules = [names.side(side) for side in now.sides if side not in played]
        rows += [(capital(side), "played by the rules") for side in rules]
    first, last = figures.first_at, figures.last_at
    span_ = [moment(first), " to ", moment(last), f", {duration(last - first)}"] if first else None
    forked = f"match {figures.parent}, after event {fork_point(story)}" if figures.parent else None
    rows += [
        ("Result", figures.result or None),
        ("Played", span_),
        ("Length", f"{counted(figures.rounds, names.round.lower())}, {counted(figures.events, 'event')}"),
        ("Dice" if has_dice(figures.game) else "Draws", figures.dice),
        ("Edition", f"{figures.edition}{f', variant {figures.variant}' if figures.variant else ''}"),
        ("Options", ", ".join(figures.options) or None),
        *[(f"House rule {name}", text) for name, text in figures.house_rules.items()],
        ("Forked from", forked),
        ("Goes on as", f"match {figures.goes_on}, by a ruling" if figures.goes_on else None),
        ("Match", tag("code", None, figures.match)),
        ("Rules", tag("code", None, now.rules)),
        ("Board", tag("code", None, now.board)),
    ]
    return described(rows)


# Figures


def _figures(story: Story, figures: Figures) -> Iterable[Content]:
    sides = _sides(story)
    names = story.names.on(story.now)
    drawn = [
        tag(
            "figure",
            None,
            tag("figcaption", None, tag("strong", None, plot.title), f", {plot.up}"),
            Html(draw_plot(plot)),
        )
        for plot in plots_of(figures, names, sides)
    ]
    yield div("plots", drawn) if drawn else None
    rounds = rounds_table(figures, names, sides)
    yield [tag("h3", None, f"By {names.round.lower()}"), rounds] if rounds is not None else None
    if figures.luck:
        yield [tag("h3", None, "Luck"), luck_table(figures.luck, names)]
    if figures.fairness:
        yield [tag("h3", None, "Fairness of the dice"), fairness_table(figures.fairness), counts_table(figures.rolls)]
    elif story.narration is None:
        yield tag("p", None, "Without the game, dice are not counted.")
    elif has_dice(figures.game):
        yield tag("p", None, "No dice were rolled.")
    if figures.thinking:
        yield [tag("h3", None, "Thinking time"), thinking_table(figures, names)]


def _sides(story: Story) -> Sequence[Side]:
    """Return the sides in the order of their colours."""
    found = () if story.narration is None else drawing_of(story.narration, story.now, "").sheet.sides
    return tuple(dict.fromkeys([*found, *story.now.sides]))


# The match


def _match(story: Story, figures: Figures, parts: Sequence[Stretch], pictures: Pictures | None) -> Iterable[Content]:
    if pictures is not None:
        yield tag("details", {"open": True}, tag("summary", None, "What the pictures show"), pictures.legend)
    rolls = {roll.number: roll for roll in figures.rolls}
    before = 0
    for part in parts:
        shown = pictures if part.is_drawn else None
        yield _stretch(story, part, shown, rolls, before)
        before = part.last if part.is_drawn else before


def _stretch(
    story: Story, part: Stretch, pictures: Pictures | None, rolls: dict[int, RollLuck], before: int
) -> Html | None:
    if not part.told and pictures is None:
        return None
    times: list[Content] = [", ", moment(story.at(part.first))] if story.at(part.first) else []
    if times and story.at(part.last) // 60_000 > story.at(part.first) // 60_000:
        times += [Html(" to "), moment(story.at(part.last))]
    # What was set up before the first round is not marked as a change.
    since = f"; marked is what changed since event {before}" if story.table(before).round else ""
    classes = ["stretch", *(["round"] if part.begins_round else []), *(["drawn"] if pictures is not None else [])]
    picture = None if pictures is None else pictures.one(part.last, f"The table after event {part.last}{since}")
    return tag(
        "section",
        {"class": " ".join(classes), "id": _anchor(part)},
        tag("h3", None, part.title),
        tag("p", {"class": "since"}, f"Events {part.first} to {part.last}", times),
        picture,
        _told(story, part, rolls),
    )


def _told(story: Story, part: Stretch, rolls: dict[int, RollLuck]) -> Html:
    chapters = []
    for heading, group in groupby(part.told, lambda one: one.heading):
        rows = []
        for line in [told.line for told in group]:
            is_undone = line.first in story.undone
            said = [line.sentence, span("mark", " (taken back)") if is_undone else None, _chance(rolls.get(line.first))]
            rows.append(
                tag("li", {"class": "undone" if is_undone else None}, span("no", line.numbers), span("said", said))
            )
        chapters.append([tag("h4", None, story.heading(heading)), tag("ol", None, rows)])
    return div("log", chapters)


def _chance(roll: RollLuck | None) -> Html | None:
    """Return how likely the result of a roll was, or a higher one."""
    if roll is None or roll.chance is None:
        return None
    return span("chance", f" this or higher: {percent(roll.chance)}")


# The rest


def _occurrences(figures: Figures) -> Iterable[Content]:
    none = []
    for kinds, heading, words in OCCURRENCES:
        there = [one for one in figures.occurrences if one.kind in kinds]
        rows = [
            tag("li", None, span("no", one.number), span("said", one.words), " ", tag("small", None, moment(one.at)))
            for one in there
        ]
        if rows:
            yield [tag("h3", None, heading), tag("ol", {"class": "plain"}, rows)]
        else:
            none.append(f"no {words}")
    said = f"There were {listed(none)}." if none else ""
    yield tag("p", None, " ".join(filter(None, (said, figures.refusals))))


def _methods(figures: Figures) -> Html:
    shown: list[tuple[Content, Content]] = [
        (term, text) for term, text in METHODS if figures.rolls or term not in OF_DICE
    ]
    return described(shown, "facts methods")
