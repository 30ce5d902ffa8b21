"""The page of a match: the open question first, then the picture, the log, the way through it, and the evidence."""

import re
from collections.abc import Callable, Sequence

from core.narration.side_sum import SideSum
from core.registry.games import GAMES, load_game
from core.telling.arbiter_sentences import awaited_links
from core.telling.cited_rules import RuleBooks
from core.telling.phrases import listed, won
from core.wording import capital
from events.ids import NO_SEAT, PUBLIC, Seat
from projections.chronicle import Heading
from projections.state.offices import Invitation
from projections.state.seating import winning_players
from projections.state.table import Table
from server.client.adopting import standstill
from server.page_parts.html import Attribute, Content, Html, div, link, span, tag
from server.page_parts.just_happened import Weight, first_told, just_happened, levels
from server.page_parts.story import Story
from server.page_parts.sum_card import sum_card
from server.page_parts.times import moment, moment_words
from server.page_parts.unread_events import are_passes, first_unseen
from server.protocol.bot_seats import policy_of
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.learning.player_aid import advice
from server.web.learning.rule_entry import rule_entry
from server.web.pages.dispute_forms import dispute_panel, onward
from server.web.panels.decision_panel import decision_panel
from server.web.panels.end_panel import end_panel, winner_tone, winner_words
from server.web.panels.evidence_panel import evidence_panel
from server.web.panels.fork_panel import fork_form, fork_panel
from server.web.panels.log_panel import SINCE, log_panel
from server.web.panels.navigation_panel import navigation_panel
from server.web.panels.offered_options import OfferedOptions, offered_now
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.page_model import PageModel, seat_words
from server.web.panels.picture_panel import panels, picture, place_asked
from server.web.panels.seat_tools import seat_tools, take_back
from server.web.panels.share_panel import share_panel
from server.web.panels.summary_text import reserved_words
from server.web.panels.whole_choices import offered_whole

SO_FAR = re.compile("; (totals )?so far:? .*")
"""The end of a question that says what the card of the sums shows below it."""
ROOM_CLASSES = (None, "if-taller", "if-wide")
"""The classes of what is told where there is room for it, by the places in `ROOMS`."""
ROWS_MAX = 8
"""Beside how many options there is room for all else."""
PARTS_MAX = 40
"""How many parts of what has happened are listed; more are in the log."""
SPARE = {"roomy": 110, "airy": 160, "ample": 200}
"""How high the lists of options are at most that leave room to the map of a phone, the most first, in pixels."""

SCRIPTS = (
    "sending.js",
    "connection.js",
    "page.js",
    "map-signs.js",
    "map.js",
    "chances.js",
    "columns.js",
    "below.js",
    "enlarged.js",
    "motion.js",
    "marks.js",
    "sound.js",
    "notification.js",
    "together.js",
    "verify.js",
    "verify-course.js",
    "verify-log.js",
    "sign.js",
    "help.js",
)
"""What adds to each page of a match; the signs of the map hear of it from the map, and come before it."""


def match_page(model: PageModel) -> str:
    """Return the page of a match."""
    table, subjects = model.story.table(model.number), OptionSubjects(model.story, model.bound)
    where = model.story.heading(Heading.of(table))
    header = [
        span("game", tag("bdi", {"data-brief": _brief(model)}, _called(model))),
        span("stand", where),
        _live(model),
        _viewer(model),
        _help(model),
    ]
    is_own = model.is_live and table.top is not None and table.top.seat == model.seat
    title = f"{_called(model)}, {where}" if model.is_live else f"{_called(model)}, event {model.number}"

    def kept(name: str, make: Callable[[], Html]) -> Html:
        story = model.story
        return Html(story.made_once((name, model.number, story.last, model.is_live, model.is_explained), make))

    offered = offered_now(model, subjects)
    seen = div(
        "seen",
        share_panel(model),
        picture(model, table, subjects, {} if offered is None else offered.keys),
        div("beside", panels(model, table), fork_panel(model), evidence_panel(model)),
    )
    log, way = kept("log", lambda: log_panel(model)), kept("way", lambda: navigation_panel(model))
    question = _question(model, table, subjects, offered, log)
    return page(
        f"Your turn: {title}" if is_own else title,
        div(_board_class(model, offered, is_own=is_own), question, seen, log, way),
        is_gold=is_own,
        kind="match",
        header=header,
        scripts=[*SCRIPTS, *(["again.js"] if model.is_live and table.ended is not None else [])],
        data={
            "last": model.known,
            "live": int(model.is_live),
            "news": of_match(model.story.match, "news", model.seat, after=model.known),
            "present": _present(model),
        },
    )


def _board_class(model: PageModel, offered: OfferedOptions | None, *, is_own: bool) -> str:
    """Return the class of the board; on a phone the map has the room that a short list of options leaves."""
    is_listed = offered is not None and not model.decision.asked and not offered_whole(model)
    height = offered.height if offered is not None and is_listed else 0
    spare = next((name for name, most in SPARE.items() if 0 < height <= most), "")
    return " ".join(filter(None, ("board", "own" if is_own else "", spare)))


# The header


def _called(model: PageModel) -> str:
    """Return what the match is called, or the title of its game."""
    return model.story.now.title or model.title


def _brief(model: PageModel) -> str | None:
    """Return the short title of the game for a narrow window, unless the match has a title of its own or the game is not installed."""
    table = model.story.now
    return None if table.title or table.game not in GAMES else load_game(table.game).called


def _present(model: PageModel) -> str:
    """Return the address of the present; before play begins it asks for the table, since that of the match is where players are waited for."""
    address = at_match(model.story.match, None, model.seat)
    return address if model.story.now.began else f"{address}{'&' if '?' in address else '?'}table=1"


def _live(model: PageModel) -> Html | None:
    """Return whether it is the present that is shown, or the way to it; None at the end, of which the question tells."""
    story = model.story
    if story.now.ended is not None and model.number == story.last:
        return None
    if model.is_live:
        return tag("span", {"class": "state live"}, "Live")
    newer = tag("span", {"id": "newer", "data-number": model.number}, story.last - model.number)
    back = link(at_match(story.match, None, story.seat), "to the present")
    return span("state back", f"Back at {model.number} · newer events: ", newer, " · ", back)


def _viewer(model: PageModel) -> Html:
    story = model.story
    said = "as everybody sees it" if model.is_public else f"as {model.viewer}"
    return link(of_match(story.match, "sit"), said, class_="viewer", title="See the match as a seat")


def _sound(table: Table) -> Html | None:
    """Return the switch of the sounds, which are there with scripts only; None at the end, after which nothing sounds."""
    if table.ended is not None:
        return None
    return tag("button", {"type": "button", "class": "sound", "aria-pressed": "false"}, "Sound off")


def _notification(model: PageModel, table: Table) -> Html | None:
    """Return the switch of the system's notification of an own turn, which a script shows where there can be one."""
    if model.is_public or table.ended is not None:
        return None
    attributes: dict[str, Attribute] = {"type": "button", "class": "notify", "aria-pressed": "false", "hidden": True}
    return tag("button", attributes, "Notification off")


def _help(model: PageModel) -> Html:
    """Return the way to how the game is played, which a script opens beside the table."""
    to = of_match(model.story.match, "help", model.seat)
    return link(
        to, "?", class_="ask-help", aria_label="How to play", title="How to play, with keys (?)", data_help=True
    )


# The question


def _question(
    model: PageModel, table: Table, subjects: OptionSubjects, offered: OfferedOptions | None, log: str
) -> Html:
    """Return the open question in words, or how the match ended."""
    story = model.story
    names = story.names.on(table)
    about: Sequence[str] = ()
    tone = ""
    sums: tuple[SideSum, SideSum] | None = None
    who: Content
    if table.ended is not None:
        winners, result = names.winners(table.ended.winners, table.ended.winning_seats), names.result(table.ended)
        who, asked, tone = "The match is over", winner_words(story), winner_tone(story)
        told = result if asked != result else ""
        about = tuple(filter(None, [told or won(asked, winners, winning_players(table.ended, table.players))]))
    elif not table.began:
        who, asked = "Before play", "Play has not begun"
    elif table.paused is not None:
        who, asked, about = "Paused", "The match is paused", [table.paused] if table.paused else ()
    elif table.top is None or not table.top.seat:
        who = "Under way"
        asked = names.narration.question(table, table.top) if table.top is not None else "A command is carried out"
    else:
        is_own = model.is_live and table.top.seat == model.seat
        who = f"You decide, {names.seat(table.top.seat)}" if is_own else _decider(model, table.top.seat)
        asked, about = names.narration.question(table, table.top), names.details(table.top)
        sums = names.narration.sums(table, table.top)
    if model.installed is not None:
        who = "The match stands still"
    back, happened = take_back(model), _just_happened(model, log)
    # At a question that is open the time is that of the last command; the button takes its room.
    at = None if back is not None else story.at(model.number)
    since = tag("p", {"class": "since"}, f"event {model.number}", [", ", moment(at)] if at else None)
    return tag(
        "section",
        {
            "class": "question full" if _is_full(offered) else "question",
            "aria-live": "polite",
            "aria-label": "The open question",
        },
        div("head", tag("p", {"class": "who"}, who), back, since),
        tag(
            "h1",
            {"data-place": place_asked(model, table), "class": f"won {tone}" if tone else None},
            capital(asked if sums is None else SO_FAR.sub("", asked)),
        ),
        None if sums is None else sum_card(sums),
        _details([*(about if sums is None else ()), awaited_links(names, table)]),
        happened,
        _advice(model, table),
        _not_played(model),
        None if model.installed is None else tag("p", {"class": "other"}, standstill(table, model.installed)),
        _own_seat(model, table),
        decision_panel(model, subjects, offered),
        end_panel(model) if model.is_live and table.ended is not None else None,
        _not_taken(model, table),
        _news(model, is_told=happened is not None),
        onward(model) if model.is_live else None,
        _silent_bot(model, table),
        _besides(model, table),
    )


def _details(lines: Sequence[str]) -> list[Html]:
    """Return what stands below the question, line by line."""
    return [tag("p", {"class": "detail"}, line) for line in lines if line]


def _is_full(offered: OfferedOptions | None) -> bool:
    """Return whether so many options are shown that all else gives them room."""
    return offered is not None and sum([1 if row.thing else len(row.options) for row in offered.rows]) > ROWS_MAX


def _besides(model: PageModel, table: Table) -> Html:
    """Return what can be done besides, in one row."""
    switches = [_sound(table), _notification(model, table)]
    return div("tools", switches, seat_tools(model), fork_form(model, table), dispute_panel(model), _studies(model))


def _studies(model: PageModel) -> Html:
    """Return the way to the studies of the match."""
    return tag(
        "p", {"class": "other"}, link(of_match(model.story.match, "studies", model.seat), "Studies of this match")
    )


def _decider(model: PageModel, seat: Seat) -> Content:
    """Return who is to decide at a moment, or for whom the match waits, with the player's name."""
    if not model.is_live:
        return f"{model.story.names.seat(seat)} to decide"
    return ["Waiting for ", tag("bdi", None, seat_words(model.story)[seat])]


def _silent_bot(model: PageModel, table: Table) -> Html | None:
    """Return what a player can do whose bot does not answer; it is seen after a while only, since most bots answer at once."""
    waited = NO_SEAT if table.top is None or table.ended is not None or table.paused is not None else table.top.seat
    if not (model.is_live and model.proved and policy_of(table.players.get(waited, ""))):
        return None
    bot, seat = table.players[waited], model.story.names.seat(waited)
    on = at_match(model.story.match, model.number, model.seat, is_why=True, is_trying=True)
    said = f"{capital(bot)} has not answered for a while: it may think long, or have failed. What was played is kept. "
    ways: Content = ["You can wait, or ", link(on, "play on from here in a match of your own"), " . "]
    ways = [ways, f"The arbiter of the match can give the {seat} seat to another player."]
    return tag("p", {"class": "other silent"}, said, ways)


def _just_happened(model: PageModel, log: str) -> Html | None:
    """Return what has happened since the viewer's last command: what decides most of it in a line, and all of it in order, with the way to the log.

    None if nothing has, at an earlier moment, and for spectators.
    """
    story = model.story
    if not model.is_live or story.now.ended is not None or model.seat not in story.now.seats:
        return None
    to = f"#{SINCE}" if f'id="{SINCE}"' in log else at_match(story.match, first_told(story), story.seat)
    return Html(story.made_once(("happened", story.last, to), lambda: _happened(story, to))) or None


def _happened(story: Story, to: str) -> Html:
    """Return what has happened, with the way to the log; where a line has no room for all of it, the line opens a list."""
    brief = just_happened(story, is_brief=True)
    if not brief:
        return Html("")
    rooms = levels(brief)
    said = [
        tag("span", {"class": ROOM_CLASSES[rooms[at]]}, f"{part.words} ")
        for at, part in enumerate(brief)
        if at in rooms
    ]
    line = [tag("b", None, "Just now: "), said]
    # A phone shows an own move by the counter itself.
    is_own = all(part.weight <= Weight.CHANGE and story.decider_of(part.first) == story.seat for part in brief)
    kind = "happened own" if is_own else "happened"
    parts = just_happened(story)
    if len(parts) == len(brief) == sum([room == 0 for room in rooms.values()]):
        return div(kind, link(to, line, id="news", class_="said"))
    least = sorted([part.weight for part in parts], reverse=True)[:PARTS_MAX][-1]
    kept = [part for part in parts if part.weight >= least][-PARTS_MAX:]
    rows = [tag("li", None, link(at_match(story.match, part.last, story.seat), part.words)) for part in kept]
    more = f"{len(parts) - len(kept)} more in the log" if len(parts) > len(kept) else "In the log"
    summary = tag("summary", None, span("said", line), span("all", f"All {len(parts)}"))
    opened = tag("details", {"class": "told"}, summary, tag("ol", None, rows), link(to, more, id="news"))
    return div(kind, opened)


def _not_played(model: PageModel) -> list[Html]:
    """Return why the visitor's last command was not played, with the rule that it would have broken, which opens in place."""
    if not model.notice:
        return []
    why = tag("p", {"class": "wrong", "role": "alert"}, model.notice)
    if model.broken is None:
        return [why]
    rule = rule_entry(RuleBooks(model.story.now.game).find(model.broken), model.broken, is_folded=True)
    return [why, tag("details", {"class": "broken"}, tag("summary", None, "Why? ", span("rule", model.broken)), rule)]


def _advice(model: PageModel, table: Table) -> Html | None:
    """Return what a match that explains itself says to the viewer's own question."""
    is_own = model.is_live and table.top is not None and table.top.seat == model.seat and table.ended is None
    said = advice(table) if is_own else ""
    return tag("p", {"class": "advice"}, tag("strong", None, "First match: "), said) if said else None


def _not_taken(model: PageModel, table: Table) -> list[Html] | None:
    """Return for whom seats are reserved, and the way to these and to the free ones, while the match runs."""
    names, open_ = model.story.names, [seat for seat in table.seats if seat not in table.players]
    if table.ended is not None:
        return None
    found: list[Html] = []
    if reserved := [seat for seat in open_ if seat in table.reserved]:
        said = listed([_reserved_words(names.seat(seat), table.reserved[seat]) for seat in reserved])
        to = of_match(model.story.match, "sit", reserved[0] if len(reserved) == 1 else PUBLIC)
        way = link(to, "Sit down with an invitation") if model.is_live else None
        found.append(tag("p", {"class": "other"}, f"Reserved: {said}. ", way))
    if free := [names.seat(seat) for seat in open_ if seat not in table.reserved]:
        way = link(of_match(model.story.match, "sit"), "Take a seat, or let a bot play it") if model.is_live else None
        found.append(tag("p", {"class": "other"}, f"Free: {listed(free)}. ", way))
    return found


def _reserved_words(seat: str, invitation: Invitation) -> str:
    until = f", until {moment_words(invitation.until)}" if invitation.until else ""
    return f"{reserved_words(seat, invitation.name)}{until}"


def _own_seat(model: PageModel, table: Table) -> Html | None:
    """Return the way to the seat that is to decide, if it is the visitor's too."""
    if not model.is_live or table.top is None or table.top.seat == model.seat or table.top.seat not in model.proved:
        return None
    words = f"Decide as {model.story.names.seat(table.top.seat)}"
    return tag(
        "p", {"class": "other"}, link(at_match(model.story.match, seat=table.top.seat), words, class_="button main")
    )


def _news(model: PageModel, *, is_told: bool) -> Html | None:
    """Return the way to what happened since the visitor looked last, unless the line above tells what that was and leads there."""
    story, seen = model.story, model.seen
    if seen is None or not model.is_live or not 0 < seen < story.last or is_told:
        return None
    first = first_unseen(story, seen)
    count = story.last + 1 - first
    if count < 2 or are_passes(story, first):
        # The last event is the moment that the page shows; after a pass an own command goes on.
        return None
    words = f"{count} event{'' if count == 1 else 's'} since you last looked: go to event {first}"
    return tag("p", {"class": "news"}, link(at_match(story.match, first, story.seat), words, id="news"))
