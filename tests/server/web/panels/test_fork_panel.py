"""From every moment a visitor can try something else: a fork with seats of the visitor's own; two lines are compared side by side."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import httpx
import pytest

from core.registry.games import game_keys
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import DiceRolled, MatchEnded, MatchForked, SeatTaken
from server.client.client import Client
from server.client.local import local_client
from server.web.backend.fork_wishes import EVERY
from tests.support.browsing import (
    HTML,
    SVG,
    Browser,
    Pages,
    browsed,
    fields_of,
    found,
    play_on,
    played,
    read,
    resign,
    secret_of,
    words,
)
from tests.support.page_checks import check
from tests.support.rows import each_row
from tests.support.sample_matches import play
from tests.support.sitting import OWNER
from tests.support.soak import sampled

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
DIFF_BYTES = 200_000
"""How large a page that compares two lines may be."""


class Shelf:
    """A log with a running and a finished match, and their pages."""

    def __init__(self, log: MemoryLog, pages: Pages, running: MatchId, over: MatchId) -> None:
        self.log = log
        self.client = local_client(log)
        self.pages = pages
        self.running = running
        self.over = over
        self.end = ends(self.client, running)[6]
        """An event of the running match with which a command ends, before the last."""

    def lines(self, match: MatchId) -> list[MatchId]:
        """Return the forks of a match."""
        return [one.match for one in self.client.matches() if one.parent == match]


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    log = MemoryLog()
    running = played(log, "battle", 12, dice="sealed")
    over = played(log, "battle", 12, dice="sealed")
    resign(local_client(log), over)
    with browsed(log) as (pages, _):
        yield Shelf(log, pages, running, over)


def tried(browser: Browser, match: MatchId, number: int, viewer: str = PUBLIC, /, **changes: str) -> httpx.Response:
    """Send the form of a moment, with other values for some of its fields."""
    page = read(browser.get(f"/m/{match}@{number}?seat={viewer}&try=1"))
    return browser.post(f"/m/{match}/try", {**fields_of(page, "try"), **changes})


def ends(client: Client, match: MatchId) -> list[int]:
    """Return the last event of each commit of a match."""
    return [slice_.first + len(slice_.events) - 1 for slice_ in client.log(match, PUBLIC)]


def line_of(response: httpx.Response) -> MatchId:
    assert response.status_code == 303, response.text
    return MatchId(response.headers["location"].removeprefix("/m/").partition("?")[0])


def choices(page: Element, name: str) -> list[str]:
    """Return the values of a list of choices; none if there is no such list."""
    lists = [one for one in page.iter(f"{HTML}select") if one.get("id") == f"try-{name}"]
    return [option.attrib["value"] for one in lists for option in one.iter(f"{HTML}option")]


def refusal(response: httpx.Response) -> str:
    assert response.status_code == 409
    return words(found(read(response), "p", "wrong")[0])


def test_a_visitor_tries_something_else_and_plays_on_with_every_seat(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    at = shelf.client.state(shelf.running, PUBLIC).seq
    response = tried(browser, shelf.running, at, sit=EVERY, name="Ada")
    line = line_of(response)
    page = read(browser.get(response.headers["location"]))
    check(page)
    before = shelf.client.state(line, ARBITER).seq
    own = words(found(page, "p", "who")[0])
    mover = shelf.client.legal(line).to_move
    played_ = browser.post(f"/m/{line}/play", {**fields_of(page, "play"), "option": "1"})
    forked = [
        event for slice_ in shelf.client.log(line, ARBITER) for event in slice_.events if isinstance(event, MatchForked)
    ]

    assert own.startswith("You decide, ")
    assert response.headers["location"].endswith(f"?seat={mover}")
    assert played_.status_code == 303
    assert shelf.client.state(line, ARBITER).seq > before
    assert shelf.client.state(line).table.players == {GERMAN: "Ada", RUSSIAN: "Ada"}
    assert (forked[0].seat, forked[0].hidden, forked[0].chance.scheme) == (PUBLIC, "resample", "sealed/2")


def test_a_seat_tries_something_else_and_the_other_seat_stays_free(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    browser.sit(shelf.running, GERMAN, secret_of(GERMAN))
    at = shelf.client.state(shelf.running, GERMAN).seq
    line = line_of(tried(browser, shelf.running, at, GERMAN))

    assert list(shelf.client.state(line).table.players) == [GERMAN]
    assert browser.get(f"/m/{line}?seat=german").status_code == 200
    assert browser.get(f"/m/{line}?seat=russian").status_code == 403


def test_who_plays_every_seat_is_shown_the_way_to_the_one_that_decides(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    line = line_of(tried(browser, shelf.running, shelf.client.state(shelf.running, PUBLIC).seq))
    mover = shelf.client.legal(line).to_move
    (other,) = {GERMAN, RUSSIAN} - {mover}
    ways = found(read(browser.get(f"/m/{line}?seat={other}")), "p", "other")

    assert f"/m/{line}?seat={mover}" in [link.attrib["href"] for way in ways for link in way.iter(f"{HTML}a")]
    elsewhere = found(read(shelf.pages.browser().get(f"/m/{line}")), "p", "other")
    assert [link for way in elsewhere for link in way.iter(f"{HTML}a") if "seat=" in link.attrib["href"]] == []


def test_a_seat_of_a_fork_has_a_link_that_proves_it_elsewhere(shelf: Shelf) -> None:
    browser, elsewhere = shelf.pages.browser(), shelf.pages.browser()
    line = line_of(tried(browser, shelf.running, shelf.client.state(shelf.running, PUBLIC).seq))
    sit = f"/m/{line}/sit"
    shown = browser.post(f"/m/{line}/link", {"token": browser.token(sit), "seat": GERMAN})
    page = read(shown)
    check(page)
    (secret,) = [
        one.attrib["href"].partition("#")[2] for one in page.iter(f"{HTML}a") if "seat=german#" in one.attrib["href"]
    ]
    refused = elsewhere.post(f"/m/{line}/link", {"token": elsewhere.token(sit), "seat": GERMAN})

    assert shown.headers["cache-control"] == "no-store"
    assert refused.status_code == 403
    assert secret not in refused.text
    assert elsewhere.sit(line, GERMAN, secret).status_code == 303


def test_the_secret_of_the_match_does_not_prove_a_seat_of_its_fork_and_the_page_says_so(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    line = line_of(tried(browser, shelf.running, shelf.end, name="Ada"))
    other = shelf.pages.browser()
    response = other.sit(line, GERMAN, secret_of(GERMAN))

    assert response.status_code == 403
    assert "its seats have secrets of their own" in words(found(read(response), "p", "wrong")[0])
    assert other.sit(shelf.running, GERMAN, secret_of(GERMAN)).status_code == 303
    wrong = other.sit(shelf.running, RUSSIAN, secret_of(GERMAN))
    assert "fork" not in words(found(read(wrong), "p", "wrong")[0])


def test_a_form_that_is_sent_twice_begins_one_fork(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    browser.sit(shelf.running, GERMAN, secret_of(GERMAN))
    fields = fields_of(read(browser.get(f"/m/{shelf.running}@{shelf.end}?try=1")), "try")
    to = [browser.post(f"/m/{shelf.running}/try", fields).headers["location"] for _ in range(2)]

    assert to[0] == to[1]
    assert len(shelf.lines(shelf.running)) == 1
    assert browser.get(to[0]).status_code == 200


def test_a_form_of_a_visitor_who_got_a_session_meanwhile_begins_nothing_again(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    fields = fields_of(read(browser.get(f"/m/{shelf.running}@{shelf.end}?try=1")), "try")
    to = [browser.post(f"/m/{shelf.running}/try", fields).headers["location"] for _ in range(2)]

    assert to[0] == to[1]
    assert len(shelf.lines(shelf.running)) == 1
    assert browser.get(to[0]).status_code == 200


def test_the_cookie_of_a_visitor_proves_no_seat_of_a_fork(shelf: Shelf) -> None:
    victim, thief = shelf.pages.browser(), shelf.pages.browser()
    path = f"/m/{shelf.running}@{shelf.end}?try=1"
    fields = fields_of(read(victim.get(path)), "try")
    thief.become({name: value for name, value in victim.cookies.items() if "visitor" in name})
    stolen = fields_of(read(thief.get(path)), "try")
    line = line_of(victim.post(f"/m/{shelf.running}/try", {**fields, "sit": EVERY}))
    again = line_of(thief.post(f"/m/{shelf.running}/try", {**stolen, "sit": EVERY}))

    assert stolen["token"] == fields["token"]
    assert again != line
    assert victim.get(f"/m/{line}?seat={GERMAN}").status_code == 200
    assert thief.get(f"/m/{line}?seat={GERMAN}").status_code == 403


def test_two_wishes_of_one_page_are_two_forks(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    fields = fields_of(read(browser.get(f"/m/{shelf.over}@9?try=1")), "try")
    lines = {line_of(browser.post(f"/m/{shelf.over}/try", {**fields, "dice": dice})) for dice in ("fresh", "seeded")}

    assert len(lines) == 2


def test_only_what_the_rules_of_forks_allow_is_offered(shelf: Shelf) -> None:
    seeded = played(shelf.log, "battle", 4)
    offered = {}
    for name, match in (("running", shelf.running), ("over", shelf.over), ("seeded", seeded)):
        page = read(shelf.pages.browser().get(f"/m/{match}@{ends(shelf.client, match)[6]}?try=1"))
        offered[name] = choices(page, "dice"), choices(page, "hidden")
        check(page)

    assert offered == {
        "running": ([], []),
        "over": (["fresh", "seeded", "manual"], ["truth", "resample"]),
        "seeded": (["fresh", "same"], []),
    }


@pytest.mark.parametrize("change", [{"dice": "same"}, {"dice": "manual"}, {"hidden": "truth"}])
def test_a_wish_that_would_disclose_something_is_refused_with_the_reason(shelf: Shelf, change: dict[str, str]) -> None:
    last = shelf.client.state(shelf.running, PUBLIC).seq
    response = tried(shelf.pages.browser(), shelf.running, last, **change)

    assert refusal(response).startswith("Not tried: While the match runs, ")
    assert shelf.lines(shelf.running) == []
    assert "open" in found(read(response), "details", "try")[0].attrib


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"faces": "six"}, "Faces of dice are numbers"),
        ({"faces": "9"}, "cannot show 9"),
        ({"faces": "6 " * 101}, "At most 100 faces of dice can be chosen"),
        ({"name": "Anna\N{NO-BREAK SPACE}Bob"}, "A name is one line"),
        ({"sit": "nobody"}, "The match has no seat 'nobody'"),
        ({"seed": "7"}, "Only dice that follow from a seed"),
        ({"dice": "loaded"}, "a fork's dice are"),
    ],
)
def test_a_wish_that_is_not_possible_says_why(shelf: Shelf, change: dict[str, str], said: str) -> None:
    assert said.casefold() in refusal(tried(shelf.pages.browser(), shelf.over, 9, **change)).casefold()


def test_before_play_begins_a_seat_that_is_taken_stays_with_its_player(shelf: Shelf) -> None:
    events = [event for slice_ in shelf.client.log(shelf.over, PUBLIC) for event in slice_.events]
    taken = next(at for at, event in enumerate(events, start=1) if isinstance(event, SeatTaken))
    refused, free = (
        tried(shelf.pages.browser(), shelf.over, taken, sit=seat, dice="fresh")
        for seat in (events[taken - 1].seat, "")  # type: ignore[union-attr]
    )

    assert "seat stays with its player in the fork" in refusal(refused)
    assert free.status_code == 303


@each_row(("game", "label", "is_asked"), [("battle", "Draws", False), ("advance", "Dice", True)])
def test_faces_of_dice_can_be_chosen_only_in_a_game_with_dice(game: str, label: str, is_asked: bool) -> None:
    log = MemoryLog()
    match = played(log, game, 12)
    with browsed(log) as (pages, _):
        page = read(pages.browser().get(f"/m/{match}@{ends(local_client(log), match)[-1]}?try=1"))
        labels = {one.attrib["for"]: words(one) for one in page.iter(f"{HTML}label")}

    assert labels["try-dice"] == label
    assert ("try-faces" in labels) == is_asked


def test_chosen_faces_are_those_of_the_next_dice() -> None:
    log = MemoryLog()
    match = played(log, "advance", 1)
    client = local_client(log)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        events = [event for slice_ in client.log(match, PUBLIC) for event in slice_.events]
        roll = next(at for at, event in enumerate(events, start=1) if isinstance(event, DiceRolled))
        before = max(end for end in ends(client, match) if end < roll)
        line = line_of(tried(browser, match, before, faces=", ".join("6" for _ in events[roll - 1].faces)))  # type: ignore[union-attr]
        told = [event for slice_ in client.log(line, PUBLIC) for event in slice_.events]

        assert next(set(event.faces) for event in told if isinstance(event, DiceRolled)) == {6}


def test_nobody_forks_as_a_seat_that_is_not_proved(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    response = tried(browser, shelf.running, shelf.end, PUBLIC, seat=GERMAN)

    assert response.status_code == 403
    assert shelf.lines(shelf.running) == []


@pytest.mark.parametrize(
    ("change", "status"),
    [({"at": "0"}, 404), ({"at": "x"}, 400), ({"key": ""}, 400), ({"token": "x"}, 403), ({"at": "99999"}, 404)],
)
def test_a_form_that_is_not_one_of_ours_is_refused(shelf: Shelf, change: dict[str, str], status: int) -> None:
    assert tried(shelf.pages.browser(), shelf.running, shelf.end, **change).status_code == status
    assert shelf.lines(shelf.running) == []


def test_an_address_begins_so_many_forks_and_no_more(shelf: Shelf) -> None:
    browser = shelf.pages.browser("10.0.0.6")
    fields = fields_of(read(browser.get(f"/m/{shelf.over}@9?try=1")), "try")
    codes = [browser.post(f"/m/{shelf.over}/try", {**fields, "sit": "", "seat": "none"}).status_code for _ in range(21)]

    assert codes[-1] == 429
    assert 429 not in codes[:20]


def test_a_wish_that_is_refused_does_not_count_as_a_fork(shelf: Shelf) -> None:
    browser = shelf.pages.browser("10.0.0.7")
    last = shelf.client.state(shelf.running, PUBLIC).seq
    fields = fields_of(read(browser.get(f"/m/{shelf.running}@{last}?try=1")), "try")
    wishes = [{"dice": "same"}, {"faces": "six"}] * 12
    codes = [browser.post(f"/m/{shelf.running}/try", {**fields, **wish}).status_code for wish in wishes]

    assert codes == [409] * len(wishes)
    assert browser.post(f"/m/{shelf.running}/try", fields).status_code == 303


def test_before_play_begins_only_seats_that_are_free_are_offered(shelf: Shelf) -> None:
    match = shelf.client.open("battle", dice="seeded", seed="4").match
    browser = shelf.pages.browser()
    last = shelf.client.state(match).seq
    taken = next(at for at in range(1, 9) if len(shelf.client.state(shelf.running, PUBLIC, at).table.players) == 2)

    assert choices(read(browser.get(f"/m/{match}@{last}?try=1")), "sit") == [EVERY, RUSSIAN, GERMAN, ""]
    assert choices(read(browser.get(f"/m/{shelf.running}@{taken}?try=1")), "sit") == []


def test_within_a_command_of_a_running_match_the_page_leads_to_where_a_fork_can_begin(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    slice_ = next(one for one in shelf.client.log(shelf.running, PUBLIC) if len(one.events) > 1 and one.first > 1)
    last = slice_.first + len(slice_.events) - 1
    page = read(browser.get(f"/m/{shelf.running}@{slice_.first}"))
    check(page)
    (told,) = [one for one in page.iter(f"{HTML}p") if one.get("id") == "try"]
    ways = [one.attrib["href"] for one in told.iter(f"{HTML}a")]

    assert [form for form in page.iter(f"{HTML}form") if form.attrib["action"].endswith("/try")] == []
    assert ways == [f"/m/{shelf.running}@{slice_.first - 1}#try", f"/m/{shelf.running}@{last}#try"]
    for way in ways:
        assert found(read(browser.get(way.partition("#")[0])), "details", "try")[0].get("id") == "try"


def test_an_ended_match_has_no_form_at_its_end(shelf: Shelf) -> None:
    browser = shelf.pages.browser()

    assert found(read(browser.get(f"/m/{shelf.over}")), "details", "try") == []
    assert found(read(browser.get(f"/m/{shelf.over}@9")), "details", "try")


def test_a_fork_from_the_end_is_refused_with_the_last_moment_at_which_one_begins(shelf: Shelf) -> None:
    browser, last = shelf.pages.browser(), shelf.client.state(shelf.over, PUBLIC).seq
    events = [event for slice_ in shelf.client.log(shelf.over, PUBLIC) for event in slice_.events]
    ended = next(at for at, event in enumerate(events, start=1) if isinstance(event, MatchEnded))
    sent = fields_of(read(browser.get(f"/m/{shelf.over}@9?try=1")), "try")
    said = [refusal(browser.post(f"/m/{shelf.over}/try", {**sent, "at": str(at)})) for at in range(ended, last + 1)]

    assert last > ended
    assert set(said) == {
        f"Not tried: The match ended with event {ended}, after which nothing can be tried: fork at event {ended - 1} or earlier."
    }
    assert shelf.lines(shelf.over) == []
    assert browser.post(f"/m/{shelf.over}/try", {**sent, "at": str(ended - 1)}).status_code == 303


def test_the_explanation_of_a_note_after_the_end_leads_to_no_fork(shelf: Shelf) -> None:
    seat = shelf.client.state(shelf.over, PUBLIC).table.seats[0]
    last = shelf.client.state(shelf.over, PUBLIC).seq
    shelf.client.play(shelf.over, seat, {"do": "match:note", "text": "Well played."})
    browser = shelf.pages.browser()
    ways = [found(read(browser.get(f"/m/{shelf.over}@{at}?why=1")), "a", "again") for at in (last, last + 1)]

    assert [len(one) for one in ways] == [1, 0]


def test_the_arbiter_tries_with_what_is_hidden(shelf: Shelf) -> None:
    with browsed(shelf.log, is_operator_allowed=True) as (pages, _):
        owner = pages.browser()
        owner.sit(shelf.running, ARBITER, OWNER)
        page = read(owner.get(f"/m/{shelf.running}@9?seat=arbiter&try=1"))
        response = owner.post(f"/m/{shelf.running}/try", {**fields_of(page, "try"), "hidden": "truth", "sit": ""})

        assert choices(page, "hidden") == ["truth", "resample"]
        assert response.headers["location"].endswith("?seat=arbiter")
        assert owner.get(response.headers["location"]).status_code == 200


# The tree


def test_forks_are_a_tree_of_links_to_the_events_at_which_they_leave(shelf: Shelf) -> None:
    line = shelf.client.fork(shelf.over, ARBITER, at=9).match
    deeper = shelf.client.fork(line, ARBITER, at=12).match
    page = read(shelf.pages.browser().get(f"/m/{line}"))
    check(page)
    rows = [
        ([link.get("href") for link in row.iter(f"{HTML}a")], row.get("class"), words(row).partition(":")[0])
        for row in found(page, "section", "lines")[0].iter(f"{HTML}li")
    ]

    assert [row for row in rows if row[2] != "After event 8"] == [
        ([f"/m/{shelf.over}", f"/m/{line}/diff/{shelf.over}"], "d0", rows[0][2]),
        ([], "d1 own", "After event 9"),
        ([f"/m/{deeper}@12", f"/m/{line}/diff/{deeper}"], "d2", "After event 12"),
    ]


def names(page: Element) -> list[str]:
    """Return what the forks of a page are called, those of the parent and of the line itself left out."""
    rows = [row for row in found(page, "section", "lines")[0].iter(f"{HTML}li") if row.get("class") != "d0"]
    return [words(next(row.iter(f"{HTML}a"))) for row in rows if "own" not in row.attrib["class"]]


def told_after(browser: Browser, match: MatchId, number: int) -> list[str]:
    """Return the sentences of the log about the events after one."""
    lines = found(read(browser.get(f"/m/{match}")), "a", "line")
    said = {words(found_in(one, "no")): words(found_in(one, "said")) for one in lines}
    return [text for numbers, text in said.items() if int(numbers.partition("-")[0]) > number]


def found_in(element: Element, class_: str) -> Element:
    return next(one for one in element.iter() if one.get("class") == class_)


def test_a_fork_is_called_by_what_was_first_done_in_it_and_not_taken_back(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.web.backend.match_list.FRESH_S", 0.0)
    monkeypatch.setattr("server.web.backend.match_list.FRESH_TIMES", 0.0)
    browser, at = shelf.pages.browser(), shelf.end
    line = line_of(tried(browser, shelf.running, at, name="Ada"))
    first = names(read(browser.get(f"/m/{shelf.running}")))
    mover = shelf.client.legal(line).to_move
    page = read(browser.get(f"/m/{line}?seat={mover}"))
    begun = int(words(found(page, "p", "where")[0]).rpartition(" ")[2])
    browser.post(f"/m/{line}/play", {**fields_of(page, "play"), "option": "1"})
    told = told_after(browser, line, begun)
    (name,) = names(read(browser.get(f"/m/{shelf.running}")))

    assert len(first) == 1
    assert first[0].startswith("Ada, ")
    assert told
    assert name.startswith(told[0].removesuffix(".")[:60])
    back = read(browser.get(f"/m/{line}?seat={mover}"))
    browser.post(f"/m/{line}/undo", fields_of(back, "undo"))
    (again,) = names(read(browser.get(f"/m/{shelf.running}")))
    assert again.startswith("Ada, ")


def test_a_match_without_forks_lists_none(shelf: Shelf) -> None:
    assert found(read(shelf.pages.browser().get(f"/m/{shelf.over}")), "section", "lines") == []


# Two lines side by side


@pytest.mark.parametrize("game", sampled(list(game_keys()), lambda game: game == "battle"))
def test_two_lines_are_compared_side_by_side(game: str) -> None:
    log = MemoryLog()
    match = played(log, game, 12)
    client = local_client(log)
    at = client.state(match, PUBLIC).seq
    line = client.fork(match, ARBITER, dice="seeded", seed="9").match
    play_on(client, match, 4, "1")
    play_on(client, line, 4, "2")
    with browsed(log) as (pages, _):
        response = pages.browser().get(f"/m/{match}/diff/{line}")
        page = read(response)
        check(page)
        columns = found(page, "section", "parting")[0].findall(f".//{HTML}section")
        firsts = [int(words(next(iter(found(column, "span", "no")))).partition("-")[0]) for column in columns]

        told = words(found(page, "section", "parting")[0])
        other = words(read(pages.browser().get(f"/m/{line}/diff/{match}")))

        assert (
            f"The first {firsts[0] - 1} events of A are also those of B. B has 1 more: the event that made it a fork."
            in told
        )
        assert "are also those of B. A has 1 more: the event that made it a fork." in other
        assert response.status_code == 200
        assert firsts[0] > at
        assert firsts[1] > at
        assert found(page, "table", "differences")
        assert len([one for one in found(page, "div", "maps") if list(one.iter(f"{SVG}svg"))]) == 2


@pytest.mark.long
@each_row(("game", "begun"), [("axis_allies", 30), ("inferno", 12)])
def test_a_page_that_compares_two_long_lines_stays_small(game: str, begun: int) -> None:
    """The maps of these games are the largest; in these positions much of what lies on them differs."""
    log = MemoryLog()
    client = local_client(log)
    match = played(log, game, begun)
    line = client.fork(match, ARBITER, dice="seeded", seed="9").match
    play(client, client.state(match).table.game, match, 90, "1")
    play(client, client.state(line).table.game, line, 90, "2")
    with browsed(log) as (pages, _):
        response = pages.browser().get(f"/m/{match}/diff/{line}")

    assert found(read(response), "table", "differences")
    assert len(response.content) < DIFF_BYTES


def test_a_match_is_compared_with_itself_and_with_an_earlier_moment(shelf: Shelf) -> None:
    browser = shelf.pages.browser()
    same = read(browser.get(f"/m/{shelf.over}/diff/{shelf.over}"))
    earlier = read(browser.get(f"/m/{shelf.over}@9/diff/{shelf.over}@12"))

    assert "The two lines are the same, event by event." in words(same)
    assert "A: nothing more" in words(earlier)
    assert "B, from event 10" in words(earlier)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/m/{0}/diff/none", 404),
        ("/m/{0}/diff/{1}@999999", 404),
        ("/m/{0}/diff/{1}@x", 404),
        ("/m/{0}/diff/{2}", 400),
        ("/m/{0}/diff/{1}?seat=german", 403),
    ],
)
def test_lines_that_cannot_be_compared_say_why(shelf: Shelf, path: str, status: int) -> None:
    advance = played(shelf.log, "advance", 0)
    response = shelf.pages.browser().get(path.format(shelf.over, shelf.running, advance))

    assert response.status_code == status
    assert len(list(read(response).iter(f"{HTML}p"))) >= 2
