"""What the pages tell of an event is no less than what `wardiary explain` tells, and no more than the viewer may know."""

import re
from collections.abc import Iterator
from random import Random
from xml.etree.ElementTree import Element

import pytest

from cli.output.explanation import explained
from cli.schemas.games import RuleShape, RulingShape
from cli.views.stored_match import StoredMatch
from core.registry.games import game_keys
from core.telling.phrases import signed
from events.ids import ARBITER, PUBLIC, MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.web.backend.event_explanation import OPTIONS_MAX
from server.web.panels.log_panel import SEED_SHOWN
from tests.support.browsing import (
    HTML,
    SVG,
    Browser,
    Pages,
    browsed,
    found,
    narrator_of,
    played,
    read,
    resign,
    secret_of,
    words,
)
from tests.support.rows import each_row
from tests.support.sitting import OWNER
from tests.support.soak import sampled

SEED = re.compile("[0-9a-f]{64}")
COMMANDS = {"advance": 60, "battle": 60, "inferno": 12, "axis_allies": 40}


class Site:
    """A log with a match of each game that is over, and pages whose owner sees everything."""

    def __init__(self, log: MemoryLog, pages: Pages) -> None:
        self.log = log
        self.pages = pages
        self.client = local_client(log)
        self.matches: dict[str, MatchId] = {}
        self.owner = pages.browser()

    def match(self, game: str) -> MatchId:
        """Return the match of a game; the owner has proved the arbiter's seat of it."""
        if game not in self.matches:
            match = self.matches[game] = played(self.log, game, COMMANDS[game], dice="sealed")
            resign(self.client, match)
            self.owner.sit(match, ARBITER, OWNER)
        return self.matches[game]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    log = MemoryLog()
    with browsed(log, is_operator_allowed=True) as (pages, _):
        yield Site(log, pages)


def why(browser: Browser, match: MatchId, number: int, seat: str = PUBLIC) -> Element:
    page = read(browser.get(f"/m/{match}@{number}?seat={seat}&why=1"))
    return found(page, "section", "why")[0]


def options_of(section: Element) -> list[str]:
    """Return what was legal, as far as it is told."""
    for details in section.iter(f"{HTML}details"):
        rows = [words(one) for one in details.iter(f"{HTML}li")]
        if words(details).startswith("What was legal"):
            return [row for row in rows if not row.startswith("and ")]
    return []


def ruled(entry: RuleShape | RulingShape) -> list[str]:
    """Return what `explain` says of a rule or a ruling."""
    if isinstance(entry, RulingShape):
        return [entry.id, entry.weight, entry.question, *entry.readings, entry.ruling, entry.why]
    said = [entry.id, f"section {entry.page}", entry.kind, entry.text, *entry.needs]
    return [*said, *(text for ruling in entry.rulings for text in ruled(ruling))]


@pytest.mark.parametrize("game", sampled(list(game_keys()), lambda game: game == "battle"))
def test_all_that_explain_tells_is_on_the_page(site: Site, game: str, budget: float) -> None:
    match = site.match(game)
    last = site.log.head(match).seq
    numbers = sorted({*Random(game).sample(range(2, last), min(last - 2, round(10 * budget))), last})
    missing: list[tuple[int, str]] = []
    for number in numbers:
        seen = StoredMatch(site.log, match, ARBITER, number)
        shape, books = explained(seen)
        page = read(site.owner.get(f"/m/{match}@{number}?seat=arbiter&why=1"))
        (section,) = found(page, "section", "why")
        said, told = words(section), words(found(page, "section", "log")[0])
        expected = [*([] if shape.rule is None else ruled(shape.rule)), *(line.sentence for line in shape.account[1:])]
        expected += shape.details
        expected += [shape.command] if shape.command else []
        expected += [option.words for option in shape.options]
        expected += [words for id_ in shape.decided_by for words in (id_, books.text(id_))]
        for roll in shape.rolls:
            expected += [f"Event {roll.seq}, dice for {roll.purpose}", *([str(roll.needed)] if roll.needed else [])]
            expected += [
                part for each in roll.modifiers for part in (signed(each.amount), each.rule, books.text(each.rule))
            ]
            faces = [one.get("aria-label", "").partition(",")[0] for one in section.iter(f"{SVG}svg")]
            assert [str(face) for face in roll.faces if str(face) not in faces] == []
        ways = [link.get("href", "") for link in section.iter(f"{HTML}a")]
        points = [point for point in (shape.fork.to_roll, shape.fork.to_decide) if point is not None]
        missing += [
            (number, f"fork at {at}") for at in points if not any(f"@{at}?" in way and "try=1" in way for way in ways)
        ]
        missing += [(number, text) for text in expected if " ".join(text.split()) not in said]
        shown = SEED.sub(lambda seed: f"{seed[0][:SEED_SHOWN]}…", shape.sentence)
        missing += [(number, shown)] if shown not in told else []

    assert missing == []


def test_the_deciding_seat_is_told_what_was_legal_and_the_others_are_not() -> None:
    log = MemoryLog()
    match = played(log, "battle", 12)
    client = local_client(log)
    with browsed(log) as (pages, _):
        browsers = {seat: pages.browser() for seat in ("german", "russian", PUBLIC)}
        for seat in ("german", "russian"):
            browsers[seat].sit(match, seat, secret_of(seat))
        told = 0
        for slice_ in client.log(match, PUBLIC)[-8:]:
            legal = client.legal(match, ARBITER, at=slice_.first - 1)
            for seat, browser in browsers.items():
                options = options_of(why(browser, match, slice_.first, seat))

                assert options == ([one.words for one in legal.options[:OPTIONS_MAX]] if seat == legal.to_move else [])
                told += len(options)

        assert told > 10


@pytest.mark.long
def test_what_the_rules_bring_in_a_later_turn_is_told_without_options(site: Site) -> None:
    match = site.match("inferno")
    automatic, own = 0, 0
    for slice_ in site.client.log(match, ARBITER):
        asked = site.client.state(match, ARBITER, at=slice_.first - 1).table
        for number in (slice_.first, slice_.last):
            now = site.client.state(match, ARBITER, at=number).table
            if asked.top is None or now.ended is not None or not asked.began:
                continue
            is_later = (asked.round, asked.turn) != (now.round, now.turn)
            options = options_of(why(site.owner, match, number, ARBITER))
            automatic += is_later
            own += bool(options)

            assert not (is_later and options), number

    assert automatic > 2
    assert own > 2


def test_everybody_is_told_what_was_legal_where_nothing_was_ever_hidden(site: Site) -> None:
    match = site.match("advance")
    browser = site.pages.browser()
    at = site.client.log(match, PUBLIC)[-4].first
    legal = site.client.legal(match, ARBITER, at=at - 1)
    section = why(browser, match, at)

    assert options_of(section) == [one.words for one in legal.options[:OPTIONS_MAX]]
    assert "Command of German: " in words(section)


@each_row("game", ["battle", "inferno"])
def test_a_card_is_told_with_its_text(site: Site, game: str) -> None:
    match, narration = site.match(game), narrator_of(game)
    cards = [
        (number, str(card))
        for slice_ in site.client.log(match, ARBITER)
        for number, event in enumerate(slice_.events, start=slice_.first)
        if (card := getattr(event, "card", None)) and narration.card_text(card)
    ]
    number, card = cards[-1]

    assert narration.card_text(card) in words(why(site.owner, match, number, ARBITER))


@pytest.mark.parametrize("game", sampled(list(game_keys()), lambda game: game == "battle"))
def test_only_cards_have_texts(game: str) -> None:
    narration = narrator_of(game)

    assert [place.id for place in narration.places() if narration.card_text(place.id)] == []
    assert narration.card_text("nothing") == narration.card_text("") == ""
