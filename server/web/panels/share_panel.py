"""The turns of a match that is over: the share of wins from point to point, and what happened where it changed most."""

from collections.abc import Callable, Sequence

from core.drawing.drawing import drawing_of
from core.svg.palette import RANKS
from core.svg.share_chart_svg import ChartPoint, ChartSide, ShareChart, draw_share_chart
from core.telling.phrases import listed
from core.trials.trial import Outcome
from core.trials.trial_words import percent_of, stretch_words
from core.trials.win_shares import SharePoint, Turn, WinShares, told_apart, turns, value, wins_of
from core.wording import counted, does
from events.ids import PUBLIC, Side
from projections.state.view import see
from server.page_parts.change_words import change_words, changes_between, round_words
from server.page_parts.html import Attribute, Html, div, html, link, span, tag
from server.page_parts.story import Story
from server.web.backend.playouts import Playouts
from server.web.backend.processes.process_runs import Progress
from server.web.http.addresses import at_match
from server.web.panels.page_model import PageModel

WIDE, NARROW = (930, 176), (360, 196)
"""The sizes of the drawing, for windows and for phones."""
LETTERS = "ABC"
AGAIN_S = 4
"""After how long a script looks for more (seconds)."""


Address = Callable[[int | None], str]
"""Returns the address of the page at an event, or as it is asked for without one."""


def share_panel(model: PageModel, address: Address | None = None) -> Html | None:
    """Return the shares of wins at the end of a match, or why there are none yet; None while the match goes on.

    Args:
        model: The page.
        address: Leads to an event of the page; by default it is the match's own page, which has the shares at its end alone.
    """
    story = model.story
    if story.now.ended is None or not (model.is_live or address):
        return None
    to = address or (lambda number: at_match(story.match, number, story.seat))
    shares = model.playouts.found
    is_drawn = shares is not None and bool(shares.points)
    if is_drawn and shares is not None:
        told = Html(
            story.made_once(
                ("shares", story.last, shares.playouts, len(shares.points), to(1)), lambda: _told(story, shares, to)
            )
        )
    else:
        told = html([tag("h2", None, "Where it turned")])
    again = model.playouts.is_going_on
    data: dict[str, Attribute] = {"class": "swings", "id": "swings", "data-again": AGAIN_S if again else None}
    return tag("section", data, told, _progress(model, model.playouts, to(None)))


def _progress(model: PageModel, playouts: Playouts, to: str) -> Html | None:
    """Return what is not told, and why."""
    shares = playouts.found
    again = link(to, "load the page again")
    if playouts.progress == Progress.ABSENT:
        why = f"The share of wins is not computed: these pages let no bots play on. wardiary turning-points {model.story.match} does."
        return tag("p", {"class": "remark"}, why)
    if playouts.progress == Progress.REFUSED:
        return tag(
            "p",
            {"class": "remark"},
            "The share of wins is not computed yet: too many matches wait for it. To ask once more, ",
            again,
            ".",
        )
    if playouts.problem:
        return tag("p", {"class": "remark"}, f"The share of wins is not computed: {playouts.problem}.")
    if playouts.progress == Progress.WAITING:
        return tag("p", {"class": "remark"}, "Bots are about to play on from points of this match. ", _found(again))
    if playouts.progress == Progress.RUNNING:
        said = (
            "More games are being played. " if shares is not None else "Bots are playing on from points of this match. "
        )
        return tag("p", {"class": "remark"}, said, _found(again))
    return None


def _found(again: Html) -> Html:
    """Return how what is found comes onto the page: by itself, or without scripts when it is loaded again."""
    scripted = span("if-scripted", "What they find appears here by itself.")
    return html([scripted, span("if-plain", "To see what they have found, ", again, ".")])


def points_of(story: Story, shares: WinShares) -> list[SharePoint]:
    """Return the points of shares by the viewer's own numbers: bots play on from what everybody has seen, and the viewer may have seen more events."""
    known = [number for number, event in enumerate(story.events, start=1) if see(event, PUBLIC) is not None]
    return [SharePoint(known[one.number - 1], one.won) for one in shares.points]


def _told(story: Story, shares: WinShares, to: Address) -> Html:
    found = points_of(story, shares)
    sides = _sides(story, found)
    side = sides[0]
    changed = turns(found)
    games = f"{counted(shares.playouts, 'bot game')} from each of {counted(len(found), 'point')}"
    remark = f"{story.names.side(side)} share of wins: {games}, with 95 % intervals"
    chart = _chart(story, found, sides, changed)
    return html(
        [
            div("head", tag("h2", None, "Where it turned"), tag("p", {"class": "remark"}, remark)),
            [span(kind, Html(draw_share_chart(chart, *size))) for kind, size in (("wide", WIDE), ("narrow", NARROW))],
            tag(
                "ol",
                {"class": "turns"},
                [_turn(story, one, side, letter, to) for one, letter in zip(changed, LETTERS, strict=False)],
            ),
            tag("p", {"class": "remark"}, _caution(shares, changed)),
            _numbers(story, found, sides, to),
        ]
    )


def _sides(story: Story, found: Sequence[SharePoint]) -> list[Side]:
    """Return the sides in the order of their colours."""
    assert story.narration is not None, "bots play on from matches whose game is here"
    known = drawing_of(story.narration, story.now, "").sheet.sides
    return sorted(found[0].won, key=lambda side: known.index(side) if side in known else len(known))


def _chart(story: Story, found: Sequence[SharePoint], sides: Sequence[Side], changed: Sequence[Turn]) -> ShareChart:
    names, now = story.names, story.now
    assert now.ended is not None
    end = SharePoint(story.last, wins_of([Outcome(now.ended, {})], now))
    side, *others = sides
    points = [_point(one, side) for one in found]
    # The end is no estimate.
    certain = value(end.won[side])
    said = f"{names.side(side)} share of wins, from {_percent(found[0], side)} to {100 * certain:.0f} % at the end"
    rank = {one: RANKS[number % len(RANKS)] for number, one in enumerate(sides)}
    other = others[0] if others else side
    return ShareChart(
        said=said,
        side=ChartSide(does(names.side(side), "win"), rank[side]),
        others=ChartSide(does(listed([names.side(one) for one in others]), "win"), rank[other]),
        points=(*points, ChartPoint(story.last, certain, certain, certain)),
        last=story.last,
        rounds=tuple([(number, f"{names.round} {round_}") for number, round_ in story.rounds]),
        marks=tuple([(_point(one.after, side), letter) for one, letter in zip(changed, LETTERS, strict=False)]),
    )


def _point(one: SharePoint, side: Side) -> ChartPoint:
    won = one.won[side]
    return ChartPoint(one.number, won.low, value(won), won.high)


def _percent(one: SharePoint, side: Side) -> str:
    return f"{100 * value(one.won[side]):.0f} %"


def _turn(story: Story, turn: Turn, side: Side, letter: str, to: Address) -> Html:
    """Return a turn as a link to the last event of it: when, from which share to which, and what happened in it."""
    before, after = turn.before.number, turn.after.number
    share = f"{_percent(turn.before, side)} → {_percent(turn.after, side)}"
    when = stretch_words(round_words(story, before), round_words(story, after))
    said = change_words(story, changes_between(story, before + 1, after))
    words = [
        tag("i", None, letter),
        span("", tag("b", None, f"{when}: {share}"), f" {said}" if said else ""),
    ]
    return tag("li", None, link(to(after), words))


def _caution(shares: WinShares, changed: Sequence[Turn]) -> str:
    """Return what the shares do not tell."""
    apart = f"{100 * told_apart(shares.playouts):.0f}"
    luck = f"Shares less than about {apart} points apart may be the same: their strips overlap."
    none = "" if changed else " No change within a fifth of the match is larger than that."
    dealt = f"{shares.policy} plays all sides; what nobody could see at a point is dealt anew in each game."
    return f"{luck}{none} {dealt}"


def _numbers(story: Story, found: Sequence[SharePoint], sides: Sequence[Side], to: Address) -> Html:
    """Return all shares with their intervals, for who cannot see the drawing or wants to know them exactly."""
    head = [tag("th", {"scope": "col"}, words) for words in ("Event", *map(story.names.side, sides))]
    rows = [
        tag(
            "tr",
            None,
            tag("th", {"scope": "row"}, link(to(one.number), one.number)),
            [tag("td", None, percent_of(one.won[side])) for side in sides],
        )
        for one in found
    ]
    table = tag("table", {"class": "tally"}, tag("tr", None, head), rows)
    return tag("details", None, tag("summary", None, "The numbers"), table)
