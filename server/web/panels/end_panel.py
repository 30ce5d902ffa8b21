"""The end of a match: who won and why, the commands that changed most, what each side lost, luck, and what can be done next."""

import re
from collections import Counter
from collections.abc import Mapping

from core.drawing.drawing import drawing_of
from core.narration.narration_port import Narration
from core.svg.counter_svg import Counters
from core.telling.phrases import outcome
from core.trials.win_shares import turns
from core.wording import capital, counted
from events.ids import Side
from projections.losses import LEFT
from projections.state.seating import winning_players
from server.page_parts.change_words import Change, change_words, changes_between, round_words
from server.page_parts.forms import form
from server.page_parts.html import Content, Html, div, link, span, tag
from server.page_parts.story import Story
from server.report.luck import luck_by_side, rolls_of
from server.web.http.addresses import at_match, of_match
from server.web.panels.page_model import PageModel
from server.web.panels.share_panel import points_of

TURNS_MAX = 3
"""How many commands are told."""
HELD, LOST = 3, 1
"""How much a place that changes hands and a piece that is lost weigh in the choice of the commands that changed most."""


def winner_words(story: Story) -> str:
    """Return who won, by the names of the players where they differ: `Vera wins as Russian`; the result itself if no player has won."""
    table = story.now
    ended = table.ended
    assert ended is not None
    names = story.names.on(table)
    winners = names.winners(ended.winners, ended.winning_seats)
    return outcome(names.result(ended), winners, winning_players(ended, table.players), list(table.players.values()))


def winner_tone(story: Story) -> str:
    """Return the tone of the one side that has won; empty if that is none, or several have."""
    ended = story.now.ended
    if ended is None or len(ended.winners) != 1 or story.narration is None:
        return ""
    return Counters(drawing_of(story.narration, story.now, "").sheet.sides).rank(ended.winners[0])


def turning_points(story: Story) -> list[tuple[int, list[Change]]]:
    """Return the last events of the commands that changed most after the set-up, in their order, with what each changed."""
    found: dict[int, list[Change]] = {}
    for change in changes_between(story, story.set_up_end + 1, story.last):
        found.setdefault(story.commit_of(change.number)[1], []).append(change)
    weights = {number: sum(LOST if one.place is None else HELD for one in each) for number, each in found.items()}
    most = sorted(found, key=lambda number: (-weights[number], -number))[:TURNS_MAX]
    return [(number, found[number]) for number in sorted(most)]


def end_panel(model: PageModel) -> Html:
    """Return what is said and offered at the end of a match."""
    story = model.story
    shares = model.playouts.found
    is_told = shares is not None and bool(turns(shares.points))
    told = Html(story.made_once(("end", story.last, is_told), lambda: _told(story, is_told=is_told)))
    return div("end", told, _next(model))


def _told(story: Story, *, is_told: bool) -> Html:
    """Return what is told of the end; where it turned only if the shares of wins do not tell it."""
    return div("told", _why(story), None if is_told else _turns(story), _sides(story), _luck(story))


def _why(story: Story) -> Html | None:
    """Return what the sentence of the end says besides the result, or else the last one of its command, if there is one."""
    end = story.end
    first = story.commit_of(end)[0] if end else 0
    ended = story.now.ended
    result = "" if ended is None else story.names.on(story.now).result(ended)
    lines = [told.line for told in story.told if first and first <= told.line.first and told.line.last <= end]
    for line in reversed(lines):
        said = line.sentence if line.last < end else besides_result(line.sentence, result)
        if said:
            return tag("p", None, link(at_match(story.match, line.last, story.seat, is_why=True), said))
    return None


def besides_result(sentence: str, result: str) -> str:
    """Return what a sentence about the end says besides that the match is over, the result, and who has won; empty if it says no more."""
    said = sentence.removeprefix("The match is over: ").removesuffix(" The match is over.")
    # Who has won is the heading.
    rest = re.sub(r"^[.:] Winners?: [^.]*", "", said.removeprefix(result))
    return capital(rest[1:].strip()) if result and rest[:1] in (".", ":") else said


def _turns(story: Story) -> Html | None:
    """Return the commands that changed most."""
    rows = [
        tag(
            "li",
            None,
            link(
                at_match(story.match, number, story.seat),
                tag("b", None, round_words(story, number)),
                f" {change_words(story, changes)}",
            ),
        )
        for number, changes in turning_points(story)
    ]
    title = tag("h2", None, "The commands that changed most")
    return tag("section", None, title, tag("ol", {"class": "turns"}, rows)) if rows else None


def _sides(story: Story) -> Html | None:
    """Return what each side took, holds, lost and has left."""
    now, names = story.now, story.names
    changes = changes_between(story, story.set_up_end + 1, story.last)
    taken = Counter(change.side for change in changes if change.place is not None)
    left = Counter(
        piece.side for piece in now.pieces.values() if names.is_in_play(piece.place) and names.is_force(piece.kind)
    )
    lost: Counter[Side] = Counter(loss.side for loss in story.losses() if loss.change == LEFT)
    held: Counter[Side] = Counter(now.control.values())
    sides = [side for side in now.sides if side and (lost[side] or held[side])]
    if len(sides) < 2:
        return None
    players = {now.plays.get(seat): name for seat, name in now.players.items()}
    head = [
        tag("th", {"scope": "col"}, names.side(side), tag("small", None, " ", tag("bdi", None, players.get(side, ""))))
        for side in sides
    ]
    looks = Counters(() if story.narration is None else drawing_of(story.narration, now, "").sheet.sides)
    rows = [
        _figures(title, {side: count[side] for side in sides}, looks)
        for title, count in (
            ("Places taken", taken),
            ("Places held", held),
            ("Pieces lost", lost),
            ("Pieces left", left),
        )
    ]
    titles = [head[0], tag("td", None), *head[1:]]
    return tag("table", {"class": "tally"}, tag("tr", None, titles), rows)


def _figures(title: str, numbers: Mapping[Side, int], looks: Counters) -> Html:
    """Return a row of figures, one for each side, with bars to compare them; its title stands behind the first."""
    most = max(*numbers.values(), 1)
    bars = [tag("meter", {"min": 0, "max": most, "value": one, "aria-hidden": "true"}) for one in numbers.values()]
    cells = [
        tag("td", {"class": looks.rank(side) or None}, tag("b", None, numbers[side]), bar)
        for side, bar in zip(numbers, bars, strict=True)
    ]
    return tag("tr", None, [cells[0], tag("th", {"scope": "row"}, title), *cells[1:]])


def _luck(story: Story) -> Html | None:
    """Return how the dice of each side fell against fair ones, where they can be counted."""
    narration: Narration | None = story.narration
    if narration is None:
        return None
    found = luck_by_side(tuple(rolls_of(story.events, narration.favours)))
    if not found:
        return None
    said = [
        f"{story.names.side(one.side)}: {abs(one.luck):.1f} {'above' if one.luck >= 0 else 'below'} what fair dice give in "
        f"{counted(one.rolls, 'roll')}, {'as in most matches' if one.is_usual else 'rare'} "
        f"(95 of 100 lie within {one.band:.1f})"
        for one in found
    ]
    title = "Luck: even" if all(one.is_usual for one in found) else "Luck: out of the ordinary"
    return tag("section", None, tag("h2", None, title), [tag("p", {"class": "remark"}, f"{one}.") for one in said])


def _rematch_words(model: PageModel) -> Content:
    """Return what a rematch is, and which seat the visitor has in it, where that is one."""
    story = model.story
    seats = list(story.now.seats)
    own = [seat for seat in seats if seat in model.proved]
    then = seats[(seats.index(own[0]) + 1) % len(seats)] if len(own) == 1 else None
    said = tag("small", {"class": "stake"}, f" you play {story.names.seat(then)}") if then is not None else None
    return ["Rematch, sides changed", said]


def _turned(model: PageModel) -> int:
    """Return the event at which the match turned most, by the shares of wins, or else by what changed; 0 if nothing did."""
    shares = model.playouts.found
    told = [] if shares is None else turns(points_of(model.story, shares), 1)
    if told:
        return told[0].before.number
    story = model.story
    return int(story.made_once(("turned", story.last), lambda: str(max([0, *[at for at, _ in turning_points(story)]]))))


def _analysis(model: PageModel, number: int) -> str:
    """Return where a moment is explained, with the form by which it is played on in another way."""
    return at_match(model.story.match, number, model.story.seat, is_why=True, is_trying=True)


def _next(model: PageModel) -> Html:
    """Return what can be done next: a rematch first, for who has played."""
    story = model.story
    words: Content = [_rematch_words(model)] if len(story.now.seats) > 1 else ["Play it again"]
    again = (
        form(
            of_match(story.match, "rematch"),
            model.token,
            tag("button", {"type": "submit", "class": "main"}, words),
        )
        if any(seat in story.now.seats for seat in model.proved)
        else None
    )
    begun = story.commit_of(story.first_question or 1)[1]
    ways = [
        link(at_match(story.match, begun, story.seat), "Watch it again", class_="button"),
        *([link(_analysis(model, turned), "Analyse", class_="button")] if (turned := _turned(model)) else []),
        *[
            link(of_match(story.match, file, story.seat), words, class_="button")
            for file, words in (("report.html", "Report"), ("film.svg", "Film"))
            if story.narration is not None
        ],
        link(at_match(story.match, story.last, story.seat), "Link to this moment", class_="button"),
        link("/", "Next in the lobby", class_="button"),
    ]
    return div("next", again, span("ways", ways))
