"""The pages that say how a game is played need no script, and beside a table say what can be done before they cite the rule of its open question."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from core.game_files.rulebook import load_rulebook
from core.registry.games import GAMES, typed_key
from events.ids import GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.web.http import static_files
from server.web.http.addresses import of_match
from tests.support.browsing import HTML, Pages, browsed, fields_of, found, read, words
from tests.support.page_room import Room
from tests.support.rows import each_row

PAGE_BYTES_MAX = 200_000


@pytest.fixture
def pages() -> Iterator[Pages]:
    with browsed(MemoryLog()) as (made, _):
        yield made


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_a_page(key: str, pages: Pages) -> None:
    answer = pages.browser().get(f"/learn/{typed_key(key)}")
    page = read(answer)

    assert answer.status_code == 200
    assert len(answer.content) < PAGE_BYTES_MAX
    assert [words(one) for one in page.iter(f"{HTML}h2")][:2] == ["In short", "A turn"]
    assert found(page, "section", "keys") != []


def test_the_keys_of_the_picture_are_those_of_its_script(pages: Pages) -> None:
    """The help named a key that ends a step."""
    page = read(pages.browser().get("/learn/battle"))
    script = (Path(static_files.__file__).parent / "static" / "map.js").read_text()
    (row,) = [one for one in page.iter(f"{HTML}tr") if "The picture" in words(one)]
    keys = [words(one) for one in row.iter(f"{HTML}kbd")]

    assert str(keys).replace("'", '"') in script


def test_cards_are_listed_with_what_they_say(pages: Pages) -> None:
    page = read(pages.browser().get("/learn/battle"))
    said = [words(one) for one in found(page, "details", "card-list")]

    assert [one.partition(",")[0] for one in said][:2] == ["Location cards", "Russian Action cards"]
    assert "Big Push" in said[1]
    assert found(read(pages.browser().get("/learn/advance")), "details", "card-list") == []


def test_all_of_them_are_listed(pages: Pages) -> None:
    page = read(pages.browser().get("/learn"))
    ways = [one.get("href") for one in page.iter(f"{HTML}a")]

    shown = [one.get("src") for one in page.iter(f"{HTML}img")]

    assert {f"/learn/{typed_key(key)}" for key in GAMES} <= set(ways)
    assert {f"/learn/{typed_key(key)}/card.svg" for key in GAMES} <= set(shown)


def test_the_rules_are_searched(pages: Pages) -> None:
    page = read(pages.browser().get("/learn/battle?q=retreat+once"))
    (section,) = found(page, "section", "found")

    assert words(section).startswith("20 rules found by these words")
    assert "retreat.once" in words(section)


@each_row("game", GAMES)
def test_the_examples_of_what_may_be_asked_are_in_the_rules_of_each_game(game: GameKey, pages: Pages) -> None:
    address = f"/learn/{typed_key(game)}"
    (field,) = (one for one in read(pages.browser().get(address)).iter(f"{HTML}input") if one.get("id") == "rules")
    examples = field.attrib["placeholder"].partition(": ")[2].split(", ")

    assert examples
    for example in examples:
        (section,) = found(read(pages.browser().get(f"{address}?q={example}")), "section", "found")
        assert not words(section).startswith("No rules")


@pytest.mark.parametrize("query", ["unicorn", "<script>alert(1)</script>", "(" * 1_500, "\U0001f600", "a\x00b"])
def test_whatever_is_searched_is_answered(query: str, pages: Pages) -> None:
    answer = pages.browser().get(f"/learn/battle?q={quote(query)[:1900]}")

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert words(found(read(answer), "section", "found")[0]).startswith(("No rule", "20 rules"))


@pytest.mark.parametrize("path", ["/learn/chess", "/m/nothing/help", "/learn/battle/more"])
def test_what_is_not_there_is_not_found(path: str, pages: Pages) -> None:
    assert pages.browser().get(path).status_code == 404


def test_beside_a_table_the_rule_of_the_open_question_comes_after_what_can_be_done(room: Room) -> None:
    mover = room.mover
    browser = room.seated(mover)
    page = read(browser.get(of_match(room.match, "help", mover)))
    (now,) = found(page, "section", "now")
    ids = {rule for rule in load_rulebook("core.games.battle").rules if rule in words(now)}

    said, sections = words(page), [one.get("id") for one in page.iter(f"{HTML}section")]
    assert ids != set()
    assert sections.index("turn") < sections.index("now-asked") < sections.index("short")
    assert said.index("Resupply") < said.index("The open question")
    assert [one.get("class") for one in page.iter(f"{HTML}header")][-1] == "own"
    assert sum(one.get("aria-current") == "step" for one in page.iter(f"{HTML}li")) <= 1


def test_the_help_beside_a_table_is_for_who_may_see_the_table(room: Room) -> None:
    assert room.pages.browser().get(of_match(room.match, "help", room.mover)).status_code == 403
    assert room.pages.browser().get(of_match(room.match, "help")).status_code == 200


def test_a_first_match_advises_its_own_player_only() -> None:
    log = MemoryLog()
    client = local_client(log)
    first = client.open("battle", dice="seeded", seed="first-match")
    other = client.open("battle", dice="seeded", seed="another")
    with browsed(log) as (pages, _):
        said = {}
        for match in (first.match, other.match):
            said[match] = advised(pages, match, Seat("russian"))
        public = pages.browser().get(f"/m/{first.match}").text

    assert "points and spread them" in said[first.match]
    assert said[other.match] == ""
    assert "points and spread them" not in public


def test_the_first_match_is_opened_by_a_click_and_advises_at_once() -> None:
    with browsed(bots=True) as (pages, _):
        browser = pages.browser()
        form = fields_of(read(browser.get("/learn/battle")), "new")
        opened = browser.post("/new", form)
        page = read(browser.get(opened.headers["location"]))

    assert opened.status_code == 303
    assert "First match: Choose Forces for exactly 11 points" in words(found(page, "p", "advice")[0])


def advised(pages: Pages, match: MatchId, seat: Seat) -> str:
    """Take all seats of a match, and return what its page advises the first one that is asked."""
    browser = pages.browser()
    for name in ("russian", "german"):
        token = browser.token(f"/m/{match}/sit")
        browser.post(f"/m/{match}/take", {"token": token, "seat": name, "key": name, "name": name})
    page = read(browser.get(f"/m/{match}?seat={seat}"))
    return " ".join(words(one) for one in found(page, "p", "advice"))
