"""The page of a match: the open question first, then the picture, the log, the way through it, and the evidence."""

from collections.abc import Callable, Sequence

from core.chance import SEEDED
from core.drawing.drawing import drawing_of, spread_of
from core.drawing.sheet import Drawing
from core.telling.chosen_options import chance_noun, played_title
from core.telling.phrases import listed, won
from core.wording import capital
from events.codec import replace
from events.ids import ARBITER, PUBLIC, PlaceId, Seat
from events.vocabulary import DiceRolled
from projections.catalogue import dice_name
from projections.chronicle import Heading
from projections.seating import winning_players
from projections.table import Table
from server.pages.html import Content, Html, described, div, html, link, span, tag
from server.pages.picture import panelled, pictured
from server.pages.story import Story
from server.pages.times import moment
from server.pages.verdicts import Audited, checks_of
from server.web.addresses import at_match, of_match
from server.web.audits import Audit
from server.web.choices import choices
from server.web.layout import form, hidden_fields, page
from server.web.log_html import log_html
from server.web.narrowing import Things, lit_things
from server.web.past import first_unseen
from server.web.scrubber import scrubber
from server.web.side_lines import side_lines, try_form
from server.web.sight import Sight, seat_words
from server.web.summaries import reserved_words

DIGITS = 8
"""How many digits of a digest are shown; the whole one is its title."""
LONG = 190_000
"""A page of more characters shows only by what its options fold."""
PARTS_LEVEL = 2
"""The level of the headings of strips and panels, below the question."""

SEED_TELLS = "Who has it can work out all dice and draws beforehand, also what is hidden."


def match_page(sight: Sight) -> str:
    """Return the page of a match."""
    table, things = sight.story.table(sight.number), Things(sight.story, sight.bound)
    where = sight.story.heading(Heading.of(table))
    header = [span("game", sight.title), span("stand", where), _live(sight), _viewer(sight)]
    is_own = sight.is_live and table.top is not None and table.top.seat == sight.seat
    title = f"{sight.title}, {where}" if sight.is_live else f"{sight.title}, event {sight.number}"

    def kept(name: str, make: Callable[[], Html]) -> Html:
        story = sight.story
        return Html(story.made_once((name, sight.number, story.last, sight.is_live, sight.is_why), make))

    seen = div(
        "seen",
        _picture(sight, table, things),
        div("beside", _panels(sight, table), side_lines(sight), _facts(sight)),
    )
    log, way = kept("log", lambda: log_html(sight)), kept("way", lambda: scrubber(sight))
    question = _question(sight, table, things)
    if sum(map(len, (question, seen, log, way))) > LONG:
        question = _question(sight._replace(is_short=True), table, things)
    return page(
        title,
        div("board own" if is_own else "board", question, seen, log, way),
        kind="match",
        header=header,
        scripts=["page.js", "verify.js"],
        data={
            "last": sight.known,
            "live": int(sight.is_live),
            "news": of_match(sight.story.match, "news", sight.seat, after=sight.known),
            "present": at_match(sight.story.match, None, sight.seat),
        },
    )


# The header


def _live(sight: Sight) -> Html:
    story = sight.story
    if story.now.ended is not None and sight.number == story.last:
        return span("state", "The match is over")
    if sight.is_live:
        return tag("span", {"class": "state live"}, "Live")
    newer = tag("span", {"id": "newer", "data-number": sight.number}, story.last - sight.number)
    back = link(at_match(story.match, None, story.seat), "to the present")
    return span("state back", f"Back at {sight.number} · newer events: ", newer, " · ", back)


def _viewer(sight: Sight) -> Html:
    story = sight.story
    said = "as everybody sees it" if sight.is_public else f"as {sight.viewer}"
    return link(of_match(story.match, "sit"), said, class_="viewer", title="See the match as a seat")


# The question


def _place_asked(sight: Sight, table: Table) -> str | None:
    """Return the place of the map that the open question is about, if it names one."""
    values = () if table.top is None else table.top.arguments.values()
    return next((one for one in values if isinstance(one, str) and sight.story.names.is_on_map(PlaceId(one))), None)


def _question(sight: Sight, table: Table, things: Things) -> Html:
    """Return the open question in words, or how the match ended."""
    story = sight.story
    names = story.names.on(table)
    about: Sequence[str] = ()
    if table.ended is not None:
        winners = names.winners(table.ended.winners, table.ended.winning_seats)
        who, asked = "The match is over", table.ended.result
        about = tuple(filter(None, [won(asked, winners, winning_players(table.ended, table.players))]))
    elif not table.began:
        who, asked = "Before play", "Play has not begun"
    elif table.paused is not None:
        who, asked, about = "Paused", "The match is paused", [table.paused] if table.paused else ()
    elif table.top is None or not table.top.seat:
        who = "Under way"
        asked = names.narration.question(table, table.top) if table.top is not None else "A command is carried out"
    else:
        is_own = sight.is_live and table.top.seat == sight.seat
        who = f"You decide, {names.seat(table.top.seat)}" if is_own else f"{names.seat(table.top.seat)} to decide"
        asked, about = names.narration.question(table, table.top), names.details(table.top)
    since = tag("p", {"class": "since"}, f"event {sight.number}, ", moment(story.at(sight.number)))
    return tag(
        "section",
        {"class": "question", "aria-live": "polite", "aria-label": "The open question"},
        tag("p", {"class": "who"}, who),
        tag("h1", {"data-place": _place_asked(sight, table)}, asked[:1].upper(), asked[1:]),
        [tag("p", None, line) for line in about],
        tag("p", {"class": "wrong", "role": "alert"}, sight.notice) if sight.notice else None,
        _own_seat(sight, table),
        choices(sight, things),
        _not_taken(sight, table),
        since,
        _news(sight),
        try_form(sight, table),
    )


def _not_taken(sight: Sight, table: Table) -> list[Html] | None:
    """Return for whom seats are reserved, and the way to these and to the free ones, while the match runs."""
    names, open_ = sight.story.names, [seat for seat in table.seats if seat not in table.players]
    if table.ended is not None:
        return None
    found: list[Html] = []
    if reserved := [seat for seat in open_ if seat in table.reserved]:
        said = listed([reserved_words(names.seat(seat), table.reserved[seat].name) for seat in reserved])
        to = of_match(sight.story.match, "sit", reserved[0] if len(reserved) == 1 else PUBLIC)
        way = link(to, "Sit down with an invitation") if sight.is_live else None
        found.append(tag("p", {"class": "other"}, f"Reserved: {said}. ", way))
    if free := [names.seat(seat) for seat in open_ if seat not in table.reserved]:
        way = link(of_match(sight.story.match, "sit"), "Take a seat, or let a bot play it") if sight.is_live else None
        found.append(tag("p", {"class": "other"}, f"Free: {listed(free)}. ", way))
    return found


def _own_seat(sight: Sight, table: Table) -> Html | None:
    """Return the way to the seat that is to decide, if it is the visitor's too."""
    if not sight.is_live or table.top is None or table.top.seat == sight.seat or table.top.seat not in sight.proved:
        return None
    words = f"Decide as {sight.story.names.seat(table.top.seat)}"
    return tag(
        "p", {"class": "other"}, link(at_match(sight.story.match, seat=table.top.seat), words, class_="button main")
    )


def _news(sight: Sight) -> Html | None:
    """Return the way to what happened since the visitor looked last."""
    story, seen = sight.story, sight.seen
    if seen is None or not sight.is_live or not 0 < seen < story.last:
        return None
    first = first_unseen(story, seen)
    count = story.last + 1 - first
    if not count:
        return None
    words = f"{count} event{'' if count == 1 else 's'} since you last looked: go to event {first}"
    return tag("p", {"class": "news"}, link(at_match(story.match, first, story.seat), words, id="news"))


# The picture


def _picture(sight: Sight, table: Table, things: Things) -> Html:
    story = sight.story
    if story.narration is None:
        why = f"There is no picture, and ids stand for names: {sight.problem}."
        return tag("section", {"class": "picture"}, tag("p", {"class": "remark"}, why))
    narration = story.narration

    def draw() -> Html:
        drawing = _with_dice(drawing_of(narration, table, sight.title), sight)
        spread = spread_of(drawing, narration, table, _before(sight))
        lit = lit_things(sight, things, spread)
        # What is chosen stays where it lies.
        first = lit_things(sight._replace(about=(), choice=""), things, spread) if sight.about or sight.choice else lit
        maps, strips = pictured(drawing.sheet, spread, sight.title, lit, level=PARTS_LEVEL, first=first)
        return html([tag("section", {"class": "picture", "aria-label": "The table"}, maps, _zoom()), strips])

    if sight.legal is not None and sight.legal.to_move == sight.seat:
        return draw()
    return Html(story.made_once(("picture", sight.number, sight.is_live), draw))


def _with_dice(drawing: Drawing, sight: Sight) -> Drawing:
    """Return a drawing on which what the dice of a chosen sentence are about is at stake, too; at the present it is what goes on alone."""
    if sight.is_live:
        return drawing
    first, last = _chosen(sight.story, sight.number)
    events = sight.story.events[first - 1 : last]
    about = [event.about for event in events if isinstance(event, DiceRolled) and event.about]
    return replace(drawing, at_stake=drawing.at_stake.union(about))


def _zoom() -> Html:
    """Return the buttons that change the size of the picture; they are there with scripts only."""
    ways = (("-", "−", "Smaller"), ("0", "▣", "The whole picture"), ("+", "+", "Larger"))
    return tag(
        "div",
        {"class": "zoom", "role": "group", "aria-label": "Size of the picture"},
        [
            tag("button", {"type": "button", "data-zoom": way, "aria-label": words, "title": words}, sign)
            for way, sign, words in ways
        ],
    )


def _before(sight: Sight) -> Table:
    """Return the table before the chosen sentence, or before the chosen event if no sentence is about it; at the present that before the last command."""
    story, number = sight.story, sight.number
    if sight.is_live and number:
        return story.table(story.last_played(number) - 1)
    return story.table(_chosen(story, number)[0] - 1)


def _chosen(story: Story, number: int) -> tuple[int, int]:
    """Return the first and the last event of the chosen sentence up to the chosen event; that event alone if no sentence is about it."""
    place = story.line_of(number)
    line = None if place is None else story.joined_at(place)
    return (number if line is None or number > line.last else line.first), number


def _panels(sight: Sight, table: Table) -> Html | None:
    narration = sight.story.narration
    return None if narration is None else panelled(narration, table, PARTS_LEVEL)


# Evidence


def _facts(sight: Sight) -> Html:
    """Return what proves the match, and what is known of it."""
    story, now = sight.story, sight.story.now
    seats = tag("ul", None, [tag("li", None, words, _share(now, seat)) for seat, words in seat_words(story).items()])
    revealed = story.revealed
    chance = now.chance
    sealed = _digest(chance.commitment) if chance.commitment else None
    later = "when the match is over" if now.ended is None else "not in this match"
    open_ = link(at_match(story.match, revealed, story.seat), f"at event {revealed}") if revealed else later
    rows: list[tuple[Content, Content]] = [
        ("Match", now.scenario and played_title(now.game, now.scenario, now.mode)),
        ("Id", tag("code", None, story.match)),
        ("Edition", f"{now.edition}{f', variant {now.variant}' if now.variant else ''}"),
        ("Seats", seats),
        (capital(chance_noun(now.game)), dice_name(chance)),
        ("Commitment to the sealed seed", sealed),
        ("The seed is opened", open_ if sealed is not None else None),
        ("Public seed", [tag("code", None, chance.seed), f" {SEED_TELLS}"] if chance.seed else None),
        ("Head of the chain", _digest(sight.head) if sight.head else None),
        ("Rules", _digest(now.rules)),
        ("Board", _digest(now.board)),
        ("Events", tag("span", None, f"{story.last}, the last one ", moment(story.at(story.last)))),
    ]
    file = of_match(story.match, "view.ndjson", story.seat)
    download = tag("p", None, link(file, f"Download what {sight.viewer} has seen"), ", as lines of JSON.")
    return tag(
        "section",
        {"class": "panel evidence", "id": "evidence"},
        tag("h2", None, "Evidence"),
        described(rows),
        download,
        _dice(sight),
        _archive(sight),
        _audit(sight),
    )


def _audit(sight: Sight) -> Content:
    """Return what the last audit found, and the button that makes one, for those who may have the evidence."""
    return [_audited(sight, sight.audit) if sight.audit is not None else None, _to_audit(sight)]


def _audited(sight: Sight, audit: Audit) -> Html:
    """Return the result of an audit, as far as the viewer may know it."""
    story, is_whole = sight.story, _has_evidence(sight)
    later = "" if audit.at >= story.at(story.last) else " Events have followed since."
    said = tag("p", None, "Audited ", moment(audit.at), f" for {audit.by}: {audit.verdict}.{later}")
    checks = checks_of(Audited(report=audit.report, is_whole=is_whole, parent=story.now.parent))
    return html([said, tag("ul", None, [tag("li", None, check.words) for check in checks])])


def _to_audit(sight: Sight) -> Html:
    """Return the form that audits the match here; for those who may not have its evidence how its operator does."""
    match = sight.story.match
    if not sight.is_live or not _has_evidence(sight):
        command = tag("code", None, f"wardiary audit {match}")
        return tag("p", None, "The operator audits the match with ", command, ".")
    button = tag("button", {"type": "submit"}, "Audit the match here")
    return form(of_match(match, "audit"), sight.token, hidden_fields({"seat": sight.seat}), button, class_="audit")


def _has_evidence(sight: Sight) -> bool:
    """Return whether the whole evidence is for the viewer."""
    return sight.head is not None or sight.seat == ARBITER


def _archive(sight: Sight) -> Html | None:
    """Return the way to the whole evidence, and a button that lets the browser check it."""
    if sight.head is None:
        return None
    file = of_match(sight.story.match, "archive.ndjson", sight.seat)
    whole = tag("p", None, link(file, "Download the archive"), ", the whole evidence with its chain.")
    return Html(whole + _verify(file, sight.head, "Check chain and dice in this browser"))


def _dice(sight: Sight) -> Html | None:
    """Return a button that lets the browser roll the dice again, where the viewer has no archive; None while no seed is known."""
    story = sight.story
    known = story.now.chance.scheme == SEEDED or story.revealed is not None
    if sight.head is not None or not known:
        return None
    return _verify(of_match(story.match, "view.ndjson", story.seat), None, "Roll the dice again in this browser")


def _verify(file: str, head: str | None, words: str) -> Html:
    button = tag("button", {"type": "button", "data-verify": file, "data-head": head}, words)
    return div("verify", button, tag("p", {"role": "status"}))


def _share(table: Table, seat: Seat) -> str:
    return ", with a share in the dice" if seat in table.contributions else ""


def _digest(digest: str) -> Html | None:
    return tag("code", {"title": digest}, f"{digest[:DIGITS]}…") if digest else None
