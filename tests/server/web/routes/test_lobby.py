"""A visitor plays in one click from the home page, finds the own matches there, and opens others as wished."""

import re
from xml.etree.ElementTree import Element

import httpx
import pytest

from core.drawing.drawing import drawing_of
from core.match.bound_games import bound_game
from core.registry.games import GAMES, game_keys, load_game
from core.svg.palette import RANKS
from events.ids import GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from projections.catalogue import MatchSummary
from projections.state.table import Ended
from server.client.local import local_client
from server.web.backend.lobby_games import OfferedBoards, length_of, length_words, offered_board
from server.web.backend.new_match import drawn, rematch_of, wish_of
from server.web.http.faults import PageFault
from server.web.routes import lobby_routes
from tests.support.browsing import HTML, Browser, browsed, fields_of, found, played, read, resign, words
from tests.support.page_checks import check
from tests.support.rows import each_row
from tests.support.served import eventually
from tests.support.soak import sampled

PAGE_BYTES_MAX = 200_000
GERMAN = Seat("german")


def press(browser: Browser, label: str, number: int = 0, path: str = "/") -> httpx.Response:
    """Send the form whose button has this label."""
    forms = [
        form
        for form in read(browser.get(path)).iter(f"{HTML}form")
        if label in [words(button) for button in form.iter(f"{HTML}button")]
    ]
    fields = {
        one.attrib["name"]: one.get("value", "")
        for one in forms[number].iter(f"{HTML}input")
        if one.get("type") != "radio" or "checked" in one.attrib
    }
    return browser.post(forms[number].attrib["action"], fields)


def rows(browser: Browser, part: str) -> list[str]:
    """Return the rows of a part of the home page."""
    return [
        words(row)
        for section in found(read(browser.get("/")), "section", f"of-{part}")
        for row in section.iter(f"{HTML}li")
    ]


def match_of(response: httpx.Response) -> MatchId:
    """Return the match to which an answer leads."""
    assert response.status_code == 303, response.text
    return MatchId(response.headers["location"].removeprefix("/m/").partition("?")[0])


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_a_stranger_plays_in_one_click_and_is_asked(game: GameKey) -> None:
    """Bots of all games play in a process, which starts in a second."""
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        token = browser.token("/")
        fields = {"token": token, "game": game, "against": "bot", "key": "k"}
        answers = [browser.post("/new", fields) for _ in range(2)]
        match = match_of(answers[0])
        client = local_client(log)
        (own,) = [seat for seat, name in client.state(match).table.players.items() if name == "Guest"]
        # The pages open the links that the visitor owes whenever a page of the match is read.
        at = answers[0].headers["location"]
        eventually(lambda: bool(browser.get(at)) and client.legal(match).to_move == own, "the bots do not play")
        page = read(browser.get(at))
        # The list is up to a second old.
        eventually(lambda: "Your turn" in browser.get("/").text, "the list does not tell whose turn it is")
        home = read(browser.get("/"))

        assert match_of(answers[1]) == match
        assert len(client.matches()) == 1
        assert words(found(page, "p", "who")[0]).startswith("You decide")
        assert found(page, "button", "option") or found(page, "a", "option")
        assert [words(one) for one in found(home, "span", "turn")] == ["Your turn"]
        assert "icon-turn.svg" in browser.get("/").text


def test_own_matches_say_who_waits_and_for_how_long() -> None:
    log = MemoryLog()
    with browsed(log) as (pages, _):
        host, guest = pages.browser(), pages.browser("10.0.0.9")
        opened = {"token": host.token("/"), "key": "k", "game": "battle", "against": "open", "name": "Ada"}
        match = match_of(host.post("/new", opened))
        form = {**fields_of(read(guest.get(f"/m/{match}/sit?seat=russian")), "take"), "seat": "russian", "name": "Vera"}
        guest.post(f"/m/{match}/take", form)
        client = local_client(log)
        # The pages begin the match, and open the links that the visitors owe, whenever a page of it is read.
        pages_of = [(host, f"/m/{match}?seat=german"), (guest, f"/m/{match}?seat=russian")]
        eventually(
            lambda: bool([one.get(at) for one, at in pages_of]) and bool(client.legal(match).to_move),
            "play does not begin",
        )
        mover = client.legal(match).to_move
        to_move, waits = (host, guest) if mover == GERMAN else (guest, host)
        name, other = ("Ada", "Vera") if mover == GERMAN else ("Vera", "Ada")

        def row(browser: Browser) -> str:
            return "".join(rows(browser, "mine"))

        eventually(lambda: f"{other} waits for 1 min" in row(to_move), f"{other} is not said to wait")
        assert f"{mover.title()} ({name}) to move, 1 min" in row(waits)


def test_the_home_page_says_what_there_is_and_is_small() -> None:
    with browsed(MemoryLog(), bots=True) as (pages, _):
        browser = pages.browser()
        response = browser.get("/")
        page = read(response)
        check(page)

        assert len(response.content) < PAGE_BYTES_MAX
        assert len(found(page, "article", "card")) == len(game_keys())
        assert "board wargames" in words(page)
        # No length is invented before a match was finished, and nothing leads nowhere.
        assert not re.search(r"\d+ (min|h)\b", words(page))
        for link in page.iter(f"{HTML}a"):
            assert browser.get(link.attrib["href"].partition("#")[0] or "/").status_code == 200, link.attrib


def test_a_server_without_bots_offers_none_on_the_home_page() -> None:
    with browsed(MemoryLog()) as (pages, _):
        page = words(read(pages.browser().get("/")))

        assert "Play against a bot" not in page
        assert "Watch" not in page.replace("PlayWatch", "")
        assert "Play both sides" in page


def test_both_sides_one_side_with_a_link_and_bots_alone_are_one_click_each() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        alone = match_of(press(browser, "Both sides"))
        solo = match_of(press(browser, "Solitaire"))
        watched = press(browser, "Watch bots")
        friend = match_of(press(browser, "Play", path="/new?game=battle&against=friend"))
        client = local_client(log)
        own = {match: client.state(match).table for match in (alone, solo, friend)}
        table = client.state(match_of(watched)).table

        assert list(own[alone].players.values()) == ["Guest", "Guest"]
        assert (own[solo].game, own[solo].mode) == ("inferno", "solo")
        assert own[friend].players == {Seat("german"): "Guest"}
        assert set(table.players.values()) == {"greedy bot"}
        assert watched.headers["location"] == f"/m/{match_of(watched)}"
        assert len(rows(browser, "mine")) == 3
        assert [row.count("Invited") for row in rows(browser, "mine")].count(1) == 1
        assert len(rows(pages.browser("10.0.0.9"), "live")) >= 2
        assert rows(pages.browser("10.0.0.9"), "mine") == []


def test_finished_matches_are_told_by_the_names_of_the_winners() -> None:
    log = MemoryLog()
    match = played(log, "battle", 3)
    client = local_client(log)
    loser = client.legal(match).to_move
    resign(client, match)
    winner = "german" if loser == "russian" else "russian"
    with browsed(log) as (pages, _):
        (row,) = rows(pages.browser(), "over")
        text = pages.browser().get("/").text

    assert row.startswith(f"Player of {winner} won as {winner.title()}")
    assert f'class="side {"first" if winner == GERMAN else "second"}"' in text


@each_row(("minutes", "said"), [(0, ""), (45, "45 min"), (100, "1.5 h"), (4_000, "3 days")])
def test_lengths_are_told_in_words(minutes: int, said: str) -> None:
    assert length_words(minutes) == said


def test_the_length_of_a_game_is_the_median_of_matches_that_people_have_played_to_the_end() -> None:
    def ended(minutes: int, name: str, kind: str = "rules") -> MatchSummary:
        return MatchSummary(
            MatchId("m"),
            GameKey("battle"),
            "standard",
            9,
            (GERMAN,),
            players={GERMAN: name},
            ended=Ended(kind, "Russian Victory", ()),
            opened_at=60_000,
            ended_at=60_000 * (1 + minutes),
        )

    finished = [ended(30, "Ada"), ended(50, "Vera"), ended(45, "Hal")]
    others = [ended(1, "greedy bot"), ended(2, "Ada", "resigned")]

    assert length_of(others) == 0
    assert length_of([*finished, *others]) == 45


def test_a_form_of_a_new_match_has_good_values_and_opens_what_is_chosen() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        path = "/new?game=axis-allies&scenario=uranus"
        page = read(browser.get(path))
        check(page)
        token = browser.token(path)
        fields = {"token": token, "key": "k", "game": "axis_allies", "scenario": "uranus", "mode": "standard"}
        fields |= {"against": "friend", "seat": "axis", "dice": "seeded", "seed": "1942", "name": "Ada"}
        match = match_of(browser.post("/new", {**fields, "title": "Freitag <b>am</b> שולחן"}))
        table = local_client(log).state(match).table
        home = browser.get("/").text

        assert (table.scenario, table.players, table.chance.seed) == ("uranus", {Seat("axis"): "Ada"}, "1942")
        assert table.title == "Freitag <b>am</b> שולחן"
        assert "<bdi>Freitag &lt;b&gt;am&lt;/b&gt; שולחן</bdi>" in home
        assert 'value="Ada"' in browser.get("/new?game=battle").text


def filled(page: Element) -> dict[str, str]:
    """Return all that a browser sends with the form of a new match as it is."""
    form = next(one for one in page.iter(f"{HTML}form") if one.get("class") == "new")
    inputs = [one for one in form.iter(f"{HTML}input") if one.get("type") != "radio" or "checked" in one.attrib]
    selects = {
        one.attrib["name"]: next(way.attrib["value"] for way in one if "selected" in way.attrib)
        for one in form.iter(f"{HTML}select")
    }
    return {one.attrib["name"]: one.get("value", "") for one in inputs} | selects


MODES = [
    (game, scenario.key, mode.key)
    for game in GAMES
    for scenario in load_game(game).scenarios
    for mode in scenario.modes
]


@each_row(("game", "scenario", "mode"), MODES)
def test_the_form_of_every_mode_opens_a_match_as_a_browser_sends_it(game: str, scenario: str, mode: str) -> None:
    """Inferno has a field for each of nearly thirty house rules."""
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        page = read(browser.get(f"/new?game={game}&scenario={scenario}&mode={mode}"))
        table = local_client(log).state(match_of(browser.post("/new", filled(page)))).table

        assert (table.game, table.scenario, table.mode) == (game, scenario, mode)


def test_a_new_match_of_no_game_is_one_of_the_first_game_on_the_page() -> None:
    with browsed(MemoryLog(), bots=True) as (pages, _):
        browser = pages.browser()
        page = read(browser.get("/new"))
        first = next(one for one in found(page, "nav", "chosen-game")[0])
        wrong = browser.get("/new?game=battle&mode=zz")

        assert first.get("aria-current") == "page"
        assert wrong.status_code == 400
        assert "the only one has no name" in wrong.text


def test_the_lot_draws_a_side_once_for_each_form() -> None:
    log = MemoryLog()
    with browsed(log) as (pages, _):
        browser = pages.browser()
        token = browser.token("/new?game=battle")
        fields = {"token": token, "game": "battle", "against": "open", "seat": "lot", "name": "Ada"}
        matches = [match_of(browser.post("/new", {**fields, "key": f"k{number // 2}"})) for number in range(16)]
        tables = {match: local_client(log).state(match).table for match in matches}
        seats = [seat for match in tables for seat in tables[match].players]

        assert matches[::2] == matches[1::2]
        assert len(tables) == len(seats) == 8
        assert set(seats) <= {GERMAN, Seat("russian")}


@each_row("lot", range(5))
def test_every_number_of_a_lot_draws_a_seat(lot: int) -> None:
    wish = wish_of({"game": "battle", "seat": "lot"})

    assert drawn(wish, lot).seat == list(wish.mode.seats)[lot % 2]
    assert drawn(wish_of({"game": "battle", "seat": "russian"}), lot).seat == "russian"


@each_row(
    ("change", "said"),
    [
        ({"title": "x" * 200}, "at most 80 characters"),
        ({"title": "to \u202ethe left"}, "one line"),
        ({"game": "chess"}, "chess"),
        ({"scenario": "moon"}, "moon"),
        ({"against": "God"}, "God"),
        ({"dice": "loaded"}, "loaded"),
        ({"dice": "manual"}, "real table"),
        ({"policy": "perfect"}, "perfect"),
        ({"option.air_raid": "perhaps"}, ""),
        ({"name": "x\ny"}, "a name is one line"),
        ({"name": "\U0001f468\u200d\U0001f469 Eva"}, "a name is one line"),
        ({"name": "E\u200bva"}, "a name is one line"),
        ({"name": "\u202eEva", "against": "open"}, "a name is one line"),
        ({"name": "x" * 201}, "at most 200 characters, not 201"),
    ],
)
def test_a_form_that_asks_for_what_there_is_not_is_told(change: dict[str, str], said: str) -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        fields = {"token": browser.token("/new?game=battle"), "key": "k", "game": "battle", "against": "bot"}
        response = browser.post("/new", {**fields, **change})

        if said:
            assert response.status_code == 400
            assert said.casefold() in words(read(response)).casefold()
            assert local_client(log).matches() == []
        else:
            assert response.status_code in {303, 400}


@each_row(
    ("field", "value"),
    [
        ("title", "x" * 200),
        ("name", "x\ny"),
        ("policy", "perfect"),
        ("dice", "manual"),
        ("option.action_cap", "many"),
    ],
)
def test_what_is_wrong_stands_at_its_field(field: str, value: str) -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        fields = {"token": browser.token("/new?game=battle"), "key": "k", "game": "battle", "against": "bot"}
        page = read(browser.post("/new", {**fields, field: value}))
        (said,) = [one for one in page.iter(f"{HTML}p") if one.get("role") == "alert"]
        marked = [one for one in page.iter() if one.get("aria-describedby") == said.get("id")]
        folds = [one for one in page.iter(f"{HTML}details") if said in [*one.iter()]]
        check(page)

        assert words(said)
        if field != "policy":
            # A level that there is not is no button of the form.
            assert [(one.get("name"), one.get("aria-invalid")) for one in marked] == [(field, "true")]
        assert all("open" in one.attrib for one in folds)


@pytest.mark.parametrize("game", GAMES)
def test_each_side_to_choose_has_its_colours_and_says_what_it_does(game: str) -> None:
    record = load_game(GameKey(game))
    log = MemoryLog()
    match, bound = played(log, game, 0), bound_game(record.key, None)
    table = local_client(log).state(match).table
    with browsed(MemoryLog(), bots=True) as (pages, _):
        page = read(pages.browser().get(f"/new?game={game}&against=open"))
        signs = {
            one.get("for", ""): [
                sign.get("class") for sign in one.iter(f"{HTML}span") if "side" in sign.get("class", "")
            ]
            for one in page.iter(f"{HTML}label")
        }
        notes = {one.get("for"): words(one) for one in page.iter(f"{HTML}label")}

    # The colours are those of the map.
    assert tuple(record.roles) == drawing_of(bound.narration, table, "").sheet.sides
    for seat, side in record.scenarios[0].modes[0].seats.items():
        if f"seat-{seat}" in signs:
            assert signs[f"seat-{seat}"] == [f"side {RANKS[list(record.roles).index(side)]}"]
            assert record.roles[side] in notes[f"seat-{seat}"]


def test_a_server_without_bots_opens_no_match_against_one() -> None:
    log = MemoryLog()
    with browsed(log) as (pages, _):
        browser = pages.browser()
        fields = {"token": browser.token("/new?game=battle"), "key": "k", "game": "battle", "against": "bot"}
        response = browser.post("/new", fields)

        assert response.status_code == 400
        assert "plays no bots" in words(read(response))
        assert local_client(log).matches() == []


def test_an_address_opens_so_many_matches_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_routes, "OPENS", 3.0)
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        answers = [press(browser, "Both sides") for _ in range(4)]
        other = press(pages.browser("10.0.0.9"), "Both sides")

        assert [one.status_code for one in answers] == [303, 303, 303, 429]
        assert "Try again in" in words(read(answers[-1]))
        assert other.status_code == 303


def test_a_form_of_another_site_opens_nothing() -> None:
    log = MemoryLog()
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        fields = {"token": browser.token("/"), "key": "k", "game": "battle", "against": "bot"}
        answers = [
            browser.post("/new", fields, site="cross-site"),
            browser.post("/new", {**fields, "token": "guessed"}),
        ]

        assert [one.status_code for one in answers] == [403, 403]
        assert local_client(log).matches() == []


def test_matches_are_found_by_players_titles_games_and_ids() -> None:
    log = MemoryLog()
    match = played(log, "battle", 1)
    played(log, "advance", 1)
    with browsed(log) as (pages, _):
        browser = pages.browser()

        def count(query: str) -> int:
            return len(found(read(browser.get(f"/matches?q={query}")), "a", "title"))

        assert [count(query) for query in ("", "player of RUSSIAN", match[:6], "battle", "nobody")] == [2, 1, 1, 1, 0]
        assert browser.get("/matches?of=none").status_code == 404
        assert "<script>" not in browser.get("/matches?q=%3Cscript%3E").text


def test_a_thumbnail_has_no_text_and_is_small() -> None:
    log = MemoryLog()
    match = played(log, "inferno", 40)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        drawn, missing = browser.get(f"/m/{match}/thumb.svg"), browser.get("/m/nothing/thumb.svg")

        assert (drawn.status_code, missing.status_code) == (200, 200)
        assert "<text" not in drawn.text
        assert len(missing.content) < len(drawn.content) < 32_000


@pytest.fixture(scope="module")
def boards() -> OfferedBoards:
    """Two boards of Battle: one that a printed game may have, and one that contradicts it."""
    text = load_game("battle").shipped_board().decode()
    first = text.index("combat = ")
    slow = text[:first] + "combat = 9" + text[text.index("\n", first) :]
    return OfferedBoards(
        [
            offered_board(GameKey("battle"), "mine", f"{text}\n# Mine.\n"),
            offered_board(GameKey("battle"), "strange", slow),
        ]
    )


def test_a_board_of_the_server_is_chosen_under_the_house_rules(boards: OfferedBoards) -> None:
    log = MemoryLog()
    with browsed(log, bots=True, boards=boards) as (pages, _):
        browser = pages.browser()
        page = read(browser.get("/new?game=battle"))
        check(page)
        (field,) = [one for one in page.iter(f"{HTML}select") if one.get("id") == "board"]
        fields = {"token": browser.token("/new?game=battle"), "key": "k", "game": "battle", "against": "self"}
        matches = [
            match_of(browser.post("/new", {**fields, "key": name, "board": name})) for name in ("mine", "strange")
        ]
        client = local_client(log)
        tables = [client.state(match).table for match in matches]

        assert [one.get("value") for one in field.iter(f"{HTML}option")] == ["", "mine", "strange"]
        assert [table.board for table in tables] == [one.digest for one in boards.of(GameKey("battle"))]
        assert [table.variant for table in tables] == ["", "strange"]
        assert "Board" not in words(read(browser.get("/new?game=inferno")))


def test_a_board_that_is_not_there_gets_a_sentence_and_opens_nothing(boards: OfferedBoards) -> None:
    log = MemoryLog()
    with browsed(log, bots=True, boards=boards) as (pages, _):
        browser = pages.browser()
        fields = {"token": browser.token("/new?game=battle"), "key": "k", "against": "self", "board": "mnie"}
        answers = [browser.post("/new", {**fields, "game": game}) for game in ("battle", "inferno")]
        said = [
            words(next(one for one in read(answer).iter(f"{HTML}p") if one.get("role") == "alert"))
            for answer in answers
        ]

        assert [answer.status_code for answer in answers] == [400, 400]
        assert said[0] == "No board of battle is called 'mnie'; did you mean mine?"
        assert said[1] == "This server offers inferno on the board of the game only."
        assert browser.get("/new?game=battle&board=mnie").status_code == 400
        assert local_client(log).matches() == []


def test_a_rematch_is_played_on_the_same_board_and_on_no_other(boards: OfferedBoards) -> None:
    strange = boards.find(GameKey("battle"), "strange")
    assert strange is not None
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded", seed="1", board=strange.text, variant=strange.variant).match
    table = client.state(match).table
    wish = rematch_of(table, [GERMAN], ["greedy"], "Ada", boards.of_match(table))
    with pytest.raises(PageFault) as elsewhere:
        rematch_of(table, [GERMAN], ["greedy"], "Ada")

    assert wish.board == "strange"
    assert "is opened with wardiary new" in elsewhere.value.fault.what
