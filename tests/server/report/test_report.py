"""A report is one well-formed page that needs nothing else, tells the whole match, and holds nothing that its viewer does not know."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

import pytest

from core.audit.audit_report import AuditFinding, Difference
from core.audit.match_audit import audit_match
from core.audit.verdicts import BROKEN, HOLDS, OTHER_RULES, UNCHECKED, Audited, checks_of
from core.match.bound_games import bound_game
from core.telling.names import IdsOnly, Names
from events.codec import encode, replace
from events.ids import ARBITER, PUBLIC, Digest, MatchId, RuleId, Seat, Side
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.page_parts.story import Story
from server.report.figures import REFUSALS, figures_of
from server.report.index import Entry, index_page
from server.report.luck import SideLuck
from server.report.moments import PICTURES_MAX, spread, stretches
from server.report.page import report_page
from server.report.report import Report, make_report
from server.report.report_tables import luck_words
from server.report.words import duration, percent
from tests.support.browsing import HTML, SVG, found, played, words
from tests.support.page_checks import HEADINGS, skipped_levels
from tests.support.parsing import parsed
from tests.support.rows import each_row
from tests.support.soak import sampled
from tests.support.twins import twin

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
PLAYED = {"advance": 260, "axis_allies": 150, "battle": 170, "inferno": 60}
"""How many commands of each game are played."""


class Reported(NamedTuple):
    """A match, its story and its report."""

    story: Story
    report: Report
    page: Element


def story_of(log: MemoryLog, match: MatchId, seat: Seat, *, is_told: bool = True) -> Story:
    client = local_client(log)
    game = client.state(match, seat).table.game
    narration = bound_game(game, None).narration if is_told else None
    story = Story(match, seat, Names(narration or IdsOnly(game)), narration)
    for slice_ in client.log(match, seat):
        story.take(slice_)
    return story


def reported(log: MemoryLog, match: MatchId, seat: Seat = PUBLIC, *, is_told: bool = True) -> Reported:
    story = story_of(log, match, seat, is_told=is_told)
    audited = Audited(report=audit_match(log, match), is_whole=seat == ARBITER, parent=story.now.parent)
    report = make_report(story, audited, problem="" if is_told else "it is missing")
    return Reported(story, report, parsed(report.page))


def note(log: MemoryLog, match: MatchId, seat: Seat, text: str) -> None:
    """Leave a note in a match."""
    local_client(log).play(match, seat, encode({"do": "match:note", "text": text}))


@pytest.fixture(scope="module", params=sampled(PLAYED, lambda game: game in ("advance", "battle")))
def match(request: pytest.FixtureRequest) -> Reported:
    log = MemoryLog()
    return reported(log, played(log, request.param, PLAYED[request.param]))


def test_it_asks_for_nothing(match: Reported) -> None:
    text = match.report.page
    addresses = re.findall(r'\s(?:href|src|action|data|poster|srcset)="([^"]*)"', text)

    assert [one for one in addresses if not one.startswith("#")] == []
    assert [one for one in re.findall(r"url\(([^)]*)\)", text) if not one.strip('"').startswith("#")] == []
    (policy,) = [one.get("content") for one in match.page.iter(f"{HTML}meta") if one.get("http-equiv")]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert re.findall(r"https?:|@import|<script|<link|<iframe|<img|<object|\son[a-z]+=", text) == []


def test_its_links_and_shared_parts_lead_to_one_place_each(match: Reported) -> None:
    ids = [one.attrib["id"] for one in match.page.iter() if "id" in one.attrib]
    wanted = {one[1:] for one in re.findall(r'href="(#[^"]*)"', match.report.page)}

    assert len(ids) == len(set(ids))
    assert wanted - set(ids) == set()
    # The style sheet names patterns as well, between quotes.
    assert set(re.findall(r"url\(#([^)\"]*)\)", match.report.page)) - set(ids) == set()


def test_every_sentence_is_told_once(match: Reported) -> None:
    said = [words(one) for one in found(match.page, "span", "said")]
    log = [words(item) for part in found(match.page, "div", "log") for item in part.iter(f"{HTML}li")]

    assert len(log) == len(match.story.told)
    assert [
        told.line.sentence
        for told, item in zip(match.story.told, log, strict=True)
        if " ".join(told.line.sentence.split()) not in item
    ] == []
    assert len(said) == len(log) + len(match.report.figures.occurrences)


def test_every_round_ends_with_a_picture(match: Reported) -> None:
    drawn = [part for part in stretches(match.story) if part.is_drawn]
    maps = found(match.page, "div", "sheet")

    assert 0 < len(drawn) <= PICTURES_MAX
    assert len(maps) % len(drawn) == 0
    assert all(list(one.iter(f"{SVG}svg")) for one in maps)
    assert drawn[-1].last == match.story.last
    # What the pictures have in common is drawn once.
    assert len(match.report.page) < 150_000 + 45_000 * len(maps) + 400 * len(match.story.told) + 1_200 * len(
        match.report.figures.rolls
    )


def test_panels_and_strips_are_headed_below_the_stretch_that_they_picture(match: Reported) -> None:
    pictures = found(match.page, "div", "picture")

    assert {one.tag for picture in pictures for one in picture.iter() if one.tag in HEADINGS} <= {f"{HTML}h4"}
    assert skipped_levels(match.page) == []


def test_every_roll_is_listed_with_its_chance(match: Reported) -> None:
    rolls = match.report.figures.rolls
    rows = [row for part in found(match.page, "section", "rolls") for row in part.iter(f"{HTML}tr")][1:]

    assert len(rows) == len(rolls)
    for roll, row in zip(rolls, rows, strict=True):
        cells = [words(cell) for cell in row.iter(f"{HTML}td")]
        assert cells[0] == str(roll.number)
        assert cells[2].startswith(roll.purpose)
        assert cells[5] == percent(roll.chance or 0)
        assert len(list(row.iter(f"{SVG}svg"))) == len(roll.faces)
    assert bool(rolls) == (match.story.now.game != "battle")


def test_dice_and_luck_are_spoken_of_where_there_are_dice(match: Reported) -> None:
    terms = [words(one) for one in match.page.iter(f"{HTML}dt")]
    checks = words(found(match.page, "section", "checks")[0]).lower()
    has_dice = match.story.now.game != "battle"

    assert [one for one in ("Chance", "Luck", "Fairness", "Dice") if (one in terms) != has_dice] == []
    assert (bool(found(match.page, "section", "rolls")), "Draws" in terms) == (has_dice, not has_dice)
    assert ("dice" in checks, "draws" in checks) == (has_dice, not has_dice)
    assert "No dice were rolled" not in words(match.page)


def test_the_opening_position_is_drawn(match: Reported) -> None:
    """Also where the pieces are set up in a phase of the first round, as in Advance."""
    parts = stretches(match.story)
    first = next(part for part in parts if part.is_drawn)
    later = parts[parts.index(first) + 1]
    seats = [number for number in match.story.stops("decision") if match.story.table(number).round]

    assert match.story.table(first.last).pieces
    assert first.last <= seats[0]
    assert first.title == ("Turn 1, Set-up" if match.story.now.game == "advance" else "Before play")
    assert later.begins_round
    assert later.title == f"{match.story.names.round} 1"


def test_a_dispute_is_told_from_its_opening_to_the_last_word() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", house_rules={"Guns": "They may lead."}).match
    for seat in ("german", "russian"):
        client.take_seat(match, Seat(seat), seat.title())
    at = client.state(match).table.seq
    commands: list[tuple[Seat, dict[str, object]]] = [
        (GERMAN, {"do": "match:dispute", "text": "Out of range."}),
        (ARBITER, {"do": "match:ruling", "text": "It stands.", "effect": "stand"}),
        (GERMAN, {"do": "match:appeal", "text": "The errata."}),
        (ARBITER, {"do": "match:ruling", "text": "It does not.", "effect": "edit", "line": "m7", "reverses": True}),
    ]
    for seat, command in commands:
        client.play(match, seat, {**command, "at": at})
    report = reported(log, match)
    told = [one for one in report.report.figures.occurrences if one.kind in ("dispute", "ruling", "appeal")]
    text = words(report.page)

    assert [one.kind for one in told] == ["dispute", "ruling", "appeal", "ruling"]
    assert report.story.remarks[at] == [one.number for one in told]
    for said in ("Disputes and rulings", "They may lead.", "match m7, by a ruling", *[one.words for one in told]):
        assert said in text, said


def test_what_did_not_happen_takes_one_sentence(match: Reported) -> None:
    (beside,) = found(match.page, "section", "beside")

    assert list(beside.iter(f"{HTML}h3")) == []
    assert len(list(beside.iter(f"{HTML}p"))) == 1
    assert "There were no take-backs, no notes, no disputes or rulings," in words(beside)


@each_row(
    ("luck", "said"),
    [
        (1.9, "within the band: nothing unusual"),
        (2.01, "outside the band: luckier than more than 97.5 of 100 fair matches"),
        (-2.01, "outside the band: less lucky than more than 97.5 of 100 fair matches"),
    ],
)
def test_luck_outside_the_band_is_more_than_the_band_holds(luck: float, said: str) -> None:
    assert luck_words(SideLuck(side=Side("red"), rolls=1, luck=luck, band=1.96)) == said


def test_the_story_comes_first_and_its_evidence_after_it(match: Reported) -> None:
    headings = [words(one) for one in match.page.iter(f"{HTML}h2")]
    players = words(found(match.page, "section", "players")[0])

    assert headings[:2] == ["The match", "Who played what"]
    assert headings.index("What was checked") > headings.index("The figures")
    assert [seat for seat in match.story.now.seats if f"Player of {seat}" not in players] == []
    assert [one.verdict for one in match.report.figures.checks] == [HOLDS, HOLDS, HOLDS]
    assert REFUSALS in words(match.page)


def test_the_same_match_gives_the_same_bytes() -> None:
    pages = []
    for _ in range(2):
        log = MemoryLog()
        pages.append(reported(log, twin(log, other_card=False)).report)

    assert pages[0].page == pages[1].page


def test_a_report_for_others_is_the_same_byte_for_byte_whatever_a_seat_holds() -> None:
    """Two matches differ only in what one seat drew; the reports for all others are made of the same bytes."""
    others: list[Sequence[bytes]] = []
    own: list[str] = []
    for other_card in (False, True):
        log = MemoryLog()
        match = twin(log, other_card=other_card)
        seen = [reported(log, match, seat).report for seat in (PUBLIC, GERMAN)]
        others.append([*(one.page.encode() for one in seen), *(encode(one.figures) for one in seen)])
        own.append(reported(log, match, RUSSIAN).report.page)

    assert others[0] == others[1]
    assert own[0] != own[1]


def test_without_the_game_ids_stand_for_names() -> None:
    log = MemoryLog()
    match = reported(log, played(log, "battle", 5), is_told=False)

    assert "Ids stand for names, and there are no pictures: it is missing." in words(match.page)
    assert found(match.page, "div", "sheet") == []
    assert len(found(match.page, "div", "log")) > 0


def test_what_players_write_is_escaped() -> None:
    log = MemoryLog()
    known = played(log, "battle", 2)
    note(log, known, GERMAN, "<script>alert(1)</script> & more")
    match = reported(log, known)

    assert "<script" not in match.report.page
    assert "<script>alert(1)</script> & more" in words(found(match.page, "section", "beside")[0])


@each_row(
    ("result", "winners", "said", "listed"),
    [
        ("Soviet Victory", ("Soviet",), "Soviet Victory.", "Soviet Victory"),
        ("Resignation", ("Soviet",), "Resignation. Won by the Soviet side.", "Resignation, won by the Soviet side"),
        (
            "Axis Victory",
            ("Axis (Yellow and Blue)",),
            "Axis Victory. Won by Axis (Yellow and Blue).",
            "Axis Victory, won by Axis (Yellow and Blue)",
        ),
        ("Draw", (), "Draw. No player has won.", "Draw"),
    ],
)
def test_who_has_won_is_said_once(result: str, winners: tuple[str, ...], said: str, listed: str) -> None:
    log = MemoryLog()
    match = reported(log, played(log, "battle", 3))
    figures = replace(match.report.figures, result=result, winners=winners, won_by=())
    page = parsed(report_page(match.story, figures))
    index = parsed(index_page([Entry(file="a.html", figures=figures)]))

    assert words(found(page, "p", "result")[0]) == said
    assert listed in [words(cell) for cell in index.iter(f"{HTML}td")]


# Verdicts


@pytest.fixture(scope="module")
def finished() -> tuple[MemoryLog, MatchId]:
    log = MemoryLog()
    return log, played(log, "battle", 3)


def test_a_head_and_findings_are_for_those_who_may_know_everything(finished: tuple[MemoryLog, MatchId]) -> None:
    log, known = finished
    report = audit_match(log, known)
    broken = replace(report, findings=(AuditFinding(7, "a card"),))

    def told(audited: Audited) -> str:
        return " ".join(one.words for one in checks_of(audited))

    assert report.head in told(Audited(report=report, is_whole=True))
    assert report.head not in told(Audited(report=report))
    assert "from event 7 on: a card" in told(Audited(report=broken, is_whole=True))
    assert "a card" not in told(Audited(report=broken))
    assert "event 7" not in told(Audited(report=broken))


def test_each_check_has_its_own_verdict(finished: tuple[MemoryLog, MatchId]) -> None:
    log, known = finished
    report = audit_match(log, known)
    finding = AuditFinding(7, "wrong")
    broken = replace(report, findings=(finding,))

    def verdicts(audited: Audited) -> dict[str, str]:
        return {one.check: one.verdict for one in checks_of(audited)}

    assert verdicts(Audited(report=None, why_not="no")) == {"chain": UNCHECKED}
    assert verdicts(Audited(report=broken)) == {"chain": HOLDS, "rules": BROKEN, "dice": UNCHECKED}
    assert verdicts(Audited(report=broken, broken_chain=finding)) == {
        "chain": BROKEN,
        "rules": UNCHECKED,
        "dice": UNCHECKED,
    }
    typed = replace(report, dice="typed")
    assert verdicts(Audited(report=typed, parent=MatchId("p"))) == {
        "chain": HOLDS,
        "rules": HOLDS,
        "dice": UNCHECKED,
        "fork": HOLDS,
    }
    missing = replace(report, unchecked="no game")
    assert verdicts(Audited(report=missing)) == {"chain": HOLDS, "rules": UNCHECKED, "dice": HOLDS}
    other = replace(report, rules_now=Digest("b" * 64))
    assert verdicts(Audited(report=other)) == {"chain": HOLDS, "rules": OTHER_RULES, "dice": HOLDS}
    assert [Audited(report=one).verdict for one in (report, broken, missing, None, other)] == [
        HOLDS,
        BROKEN,
        UNCHECKED,
        UNCHECKED,
        OTHER_RULES,
    ]


def test_what_would_differ_today_is_a_comparison_and_for_those_who_may_know_everything(
    finished: tuple[MemoryLog, MatchId],
) -> None:
    log, known = finished
    report = audit_match(log, known)
    (under,) = report.played_under
    other = replace(
        report, rules_now=Digest("b" * 64), edition_now="2.0", differences=(Difference(7, RuleId("1.turn"), "a card"),)
    )
    whole, part = Audited(report=other, is_whole=True), Audited(report=other)
    played = f"Played under edition {under.edition} (rules {under.rules[:12]}…)"
    page = parsed(report_page(reported(log, known).story, figures_of(reported(log, known).story, whole)))

    assert whole.other_rules == f"{played}; 1 decision would differ today"
    assert part.other_rules == played
    assert [words(one) for one in found(page, "p", "other-rules")] == [f"– {whole.other_rules}"]
    said = {audited.is_whole: checks_of(audited)[1].words for audited in (whole, part)}
    assert "Event 7 (rule 1.turn): a card." in said[True]
    assert "installed is edition 2.0 (rules bbbbbbbbbbbb…)" in said[False]
    assert "a card" not in said[False]


# Words and moments


@each_row(
    ("ms", "said"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (12_345, "12.3 s"),
        (200_000, "3 min 20 s"),
        (7_200_000, "2 h"),
        (90_061_000, "1 d 1 h"),
    ],
)
def test_durations_have_two_units(ms: int, said: str) -> None:
    assert duration(ms) == said


@each_row(("chance", "said"), [(1.0, "100 %"), (0.5, "50.0 %"), (0.00001, "< 0.1 %"), (0.0, "0.0 %")])
def test_chances_are_told_in_percent(chance: float, said: str) -> None:
    assert percent(chance) == said


def test_too_many_moments_are_thinned_evenly() -> None:
    assert spread([1, 2, 3], 3) == [1, 2, 3]
    assert spread(list(range(1, 101)), 4) == [25, 50, 75, 100]
