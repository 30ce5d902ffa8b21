"""A seat is played in a browser, by clicks or by keys, to the end of a match of every game; nothing is played twice."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Request, Route

from core.engine.command import Command
from core.match.player_commands import AddNote
from events.ids import MatchId, PlaceId, Seat
from server.protocol.replies import LegalOption
from server.web.backend.actions import ASKED
from server.web.http.addresses import at_match
from tests.support.browsing import play_on, secret_of
from tests.support.site import Site
from tests.support.soak import few, sampled
from tests.support.visitors import Visitor, Visitors, wait_until_shown

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
NEWS = "**/news?*"
CHOICES_MAX = 5_000
"""A match with more choices of one seat does not end."""
FOLDS_MAX = 6
"""So many links to things lead at most to an option."""


def tell_nothing(route: Route) -> None:
    """Answer a request for news as if nothing ever happened."""
    route.fulfill(status=200, content_type="text/event-stream", body="retry: 60000\n\n")


class Player:
    """A visitor who plays a seat as a bot would, so that the match ends.

    Args:
        visitor: Who plays.
        match: The match.
        seat: The seat.
    """

    def __init__(self, visitor: Visitor, match: MatchId, seat: Seat) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.match = match
        self.seat = seat
        self.lit = 0
        self.asked = 0
        self.at_once = 0
        self._plan: list[Command] = []
        visitor.sit(match, seat)

    @property
    def site(self) -> Site:
        return self.visitor.site

    def play_on(self, *, by_keys: bool = False) -> int:
        """Play until the match is over; return how many options were chosen."""
        for number in range(CHOICES_MAX):
            self.visitor.wait_until(
                lambda: self.site.mover(self.match) in (self.seat, ""), "it is never the turn of this seat"
            )
            if not self.site.mover(self.match):
                return number
            self.see_options()
            option = self.site.next_option(self.match, self.seat, self._plan)
            if by_keys:
                self.press(option)
            else:
                self.click(option)
        raise AssertionError("the match does not end")

    def see_options(self) -> None:
        """Wait until the page offers what can be chosen now."""
        last = self.site.last(self.match, self.seat)
        self.visitor.wait_for(f"form[action$='/play'] input[name=expected][value='{last}']")
        # What was chosen for the last command is still chosen.
        self.show_all()

    def show_all(self) -> None:
        """Give up all that is chosen."""
        if self.page.locator(".narrowed .every").count():
            self.page.locator(".narrowed .every").press("Enter")
            self.page.wait_for_selector(".narrowed", state="detached")

    def click(self, option: LegalOption) -> None:
        """Play an option by clicks on the picture, if what it is about is lit, or else by its button."""
        if self.played_on_the_picture(option):
            return
        names = self.page.eval_on_selector_all(".lit", "places => places.map((one) => one.getAttribute('aria-label'))")
        for index, name in enumerate(names):
            about = name.rpartition(": ")[0]
            if about and about in option.words:
                self.visitor.click_on(self.page.locator(".lit").nth(index))
                self.page.wait_for_selector(".narrowed")
                self.lit += 1
                if self.played_on_the_picture(option):
                    return
                break
        self.find(option)
        shown = self.shown(option)
        self.play(shown, shown.click)

    def played_on_the_picture(self, option: LegalOption) -> bool:
        """Play an option by a click on what stands for it alone, if something does that needs no other click on the picture."""
        lit = self.page.locator(f".lit[data-option='{option.number}']:is([data-plays], [href*='choose='])").first
        # In a form of several items the click only marks it.
        if not lit.count() or self.page.locator(f".mark[data-option='{option.number}']").count():
            return False
        self.lit += 1
        self.play(lit, lambda: self.visitor.click_on(lit))
        return True

    def shown(self, option: LegalOption) -> Locator:
        """Return an option of the list: a button that plays it, or a link that asks about it first."""
        return self.page.locator(f".option[data-option='{option.number}']").first

    def play(self, shown: Locator, choose: Callable[[], object]) -> None:
        """Choose an option of the list or of the picture, play it if it is asked about first, and wait for the page that answers."""
        if shown.evaluate("one => one.matches('button, [data-plays]')"):
            self.wait_for_the_next(choose)
            if not self.page.locator(f"input[name={ASKED}]").count():
                return
        else:
            choose()
        self.page.wait_for_selector("button.main[name=option]:focus")
        self.asked += 1
        self.wait_for_the_next(lambda: self.page.keyboard.press("Enter"))

    def find(self, option: LegalOption) -> None:
        """Follow the links to kinds and to things until the page shows an option, and open the fold in which it lies."""
        if not self.shown(option).count():
            self.show_all()
        for links in ("a.kind:not([aria-current])", *["a.fold"] * FOLDS_MAX):
            if self.shown(option).count():
                break
            self.follow(links, option)
        fold = self.page.locator("details:not([open])", has=self.shown(option))
        if fold.count():
            fold.locator("summary").click()

    def follow(self, links: str, option: LegalOption) -> None:
        """Follow the first of some links to a kind or a thing that the option is of or about."""
        found = self.page.eval_on_selector_all(
            links, "all => all.map((one) => [one.querySelector('b').textContent, one.getAttribute('href')])"
        )
        for index, (said, to) in enumerate(found):
            things = parse_qs(urlsplit(to).query).get("about", [""])[-1].split("\n")
            is_named = any(f'"{one}"'.encode() in bytes(option.command) for one in things)
            if (
                said == option.parts.kind
                or is_named
                or said.partition(", at ")[0].casefold() in option.words.casefold()
            ):
                chosen = self.page.locator(".chip").count()
                self.page.locator(links).nth(index).press("Enter")
                self.wait_until_chosen(chosen + 1)
                if links.startswith("a.kind") or self.page.locator("a.fold").count() or self.shown(option).count():
                    return
                self.page.go_back()
                self.wait_until_chosen(chosen)

    def wait_until_chosen(self, count: int) -> None:
        """Wait for the page on which so many things are chosen; its address is there before it."""
        self.page.wait_for_function("count => document.querySelectorAll('.chip').length === count", arg=count)

    def press(self, option: LegalOption) -> None:
        """Go to an option by typing its key, or by steps if its digits mark an item, and play it with Enter unless its key is enough."""
        self.find(option)
        shown = self.shown(option)
        key = shown.locator("i, kbd").first
        typed = key.inner_text().lower() if key.is_visible() else ""
        if typed and shown.evaluate(ENOUGH, typed):
            self.at_once += 1
            self.play(shown, lambda: self.page.keyboard.type(typed))
            return
        if typed:
            self.page.keyboard.type(typed)
        else:
            shown.focus()

        assert self.page.evaluate("document.activeElement.dataset.option") == str(option.number)
        self.play(shown, lambda: self.page.keyboard.press("Enter"))

    def wait_for_keys(self, option: LegalOption) -> None:
        """Wait until the keys are at an option."""
        focused = "document.activeElement.dataset.option"
        self.visitor.wait_until(
            lambda: self.page.evaluate(focused) == str(option.number), f"option {option.number} has no keys"
        )

    def wait_for_the_next(self, choose: object) -> None:
        """Choose something, and wait for the page that answers."""
        assert callable(choose)
        with self.page.expect_navigation():
            choose()
        self.page.wait_for_load_state("domcontentloaded")


ENDINGS = {
    "advance": ("factory", "", GERMAN, Seat(""), 5),
    "battle": ("standard", "", GERMAN, RUSSIAN, 8),
    "inferno": ("standard", "one_vs_one", GERMAN, Seat("soviet"), 10),
    "axis_allies": ("uranus", "", Seat("allies"), Seat("axis"), 5),
}
"""For each game a scenario with its mode, the seat that is played in the browser, that of the bot, and how long before the end it begins."""


def near_the_end(place: Site, game: str) -> MatchId:
    """Return a match that bots would end with a few commands."""
    scenario, mode, _, _, left = ENDINGS[game]
    return place.before_the_end(place.prepared(game, scenario, mode, seed="2"), left)


@pytest.mark.parametrize("game", sampled(ENDINGS, lambda game: game == "battle"))
def test_a_match_of_every_game_is_played_to_its_end_by_clicks_against_a_bot(
    game: str, place: Site, visitors: Visitors, budget: float
) -> None:
    """At budget 1 the last commands of a match are played, with more of it the whole match."""
    scenario, mode, seat, bot, _ = ENDINGS[game]
    match = place.open(game, scenario, mode, seed="2") if budget > 1 else near_the_end(place, game)
    player = Player(visitors.new(place), match, seat)
    with place.bot(match, bot) if bot else nullcontext():
        chosen = player.play_on()
    player.visitor.wait_until(lambda: player.visitor.text(".who") == "The match is over", "the end is not shown")

    assert chosen >= 3
    assert "The match is over" not in player.visitor.text(".top")
    assert player.page.locator("button.option").count() == 0


@pytest.mark.parametrize("game", sampled(["advance", "inferno"], lambda game: game == "advance"))
def test_a_match_is_played_to_its_end_by_keys_alone(game: str, place: Site, visitors: Visitors) -> None:
    match = near_the_end(place, game)
    player = Player(visitors.new(place), match, GERMAN)
    bot = ENDINGS[game][3]
    with place.bot(match, bot) if bot else nullcontext():
        chosen = player.play_on(by_keys=True)
    player.visitor.wait_until(lambda: player.visitor.text(".who") == "The match is over", "the end is not shown")

    assert chosen >= 5
    assert player.visitor.text(".who") == "The match is over"


def test_what_ends_a_step_has_the_key_0_and_a_kind_has_a_letter(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="7")
    play_on(place.owner, match, 12)
    player = Player(visitors.new(place), match, place.mover(match))
    page = player.page
    page.keyboard.type("0")
    ending = page.inner_text(":focus")
    sign = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    page.keyboard.type("m")
    page.wait_for_selector(".narrowed")
    kind = player.visitor.text(".narrowed .chip")
    first = page.inner_text("a.option.fold b")
    page.keyboard.type("1")
    player.wait_until_chosen(2)

    assert ending.startswith("0\nEnd the Actions step"), "it waits for Enter"
    assert "Enter" in sign, "which is said at it"
    assert kind == "Move ×"
    assert player.visitor.text(".narrowed .chip:nth-of-type(2)").startswith(first)


def test_a_key_plays_what_can_be_taken_back_and_only_leads_to_what_cannot(place: Site, visitors: Visitors) -> None:
    match = place.open("advance", seed="7")
    play_on(place.owner, match, 5)
    player = Player(visitors.new(place), match, GERMAN)
    last = place.last(match, GERMAN)
    moves = player.page.locator("button[data-once][data-option]")
    key = next(
        one for one in map(str, range(2, 10)) if moves.filter(has=player.page.locator(f"i:text-is('{one}')")).count()
    )
    player.wait_for_the_next(lambda: player.page.keyboard.type(key))
    moved = place.last(match, GERMAN)
    attack = player.page.locator("a.option[href*='choose=']").first
    player.page.keyboard.type(attack.locator("i").inner_text())
    player.page.wait_for_selector("button.main[name=option]:focus")

    assert moved > last
    assert place.last(match, GERMAN) == moved


@pytest.mark.long
def test_like_pieces_go_by_a_number_and_one_click(place: Site, visitors: Visitors) -> None:
    match = place.open("axis_allies", seed="7")
    player = Player(visitors.new(place), match, place.mover(match))
    page, last = player.page, place.last(match, player.seat)
    option = next(
        one
        for one in place.owner.legal(match, player.seat).options
        if one.words == "Move 1 German Infantry from Kletskaya to Serafimovich"
    )
    page.goto(f"{at_match(match, None, player.seat)}&about=ger_infantry/4&about=serafimovich")
    said = [player.visitor.text(".many .times")]
    page.click(".many [data-by='1']")
    said.append(player.visitor.text(".many .times"))
    player.wait_for_the_next(player.shown(option).click)

    assert [one.strip() for one in said] == ["1 \N{MULTIPLICATION SIGN}", "2 \N{MULTIPLICATION SIGN}"]
    assert place.last(match, player.seat) >= last + 2
    assert "2 German Infantry move from Kletskaya to Serafimovich" in player.visitor.text("#now .said")


ENOUGH = """(one, typed) => one.matches("a:not(.ending *), [data-once]:not(.many *)") &&
  [...document.querySelectorAll(document.querySelector(".singly[open]") ? ".option:has(> i)" : ":is(.mark, .option):has(> i)")].filter((other) => other.querySelector("i").textContent.startsWith(typed)).length < 2"""
"""Says whether the key of an option is enough to choose it."""


@pytest.mark.long
def test_a_click_on_a_counter_plays_it_alone_and_a_key_all_that_can_go_together(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("axis_allies", seed="7")
    player = Player(visitors.new(place), match, place.mover(match))
    page = player.page

    def left() -> int:
        return len(place.owner.state(match).table.pieces_at(PlaceId("serafimovich")))

    page.goto(f"{at_match(match, None, player.seat)}&about=serafimovich&about=terkin")
    before, offered = left(), player.visitor.text("form[id^=together] b")
    lit = page.locator(".sheet .lit.piece[data-plays]").first
    player.wait_for_the_next(lambda: player.visitor.click_on(lit))

    assert offered == f"All {before} to Terkin"
    assert left() == before - 1

    page.goto(f"{at_match(match, None, player.seat)}&about=serafimovich&about=terkin")
    key = player.visitor.text("form[id^=together] i")
    player.wait_for_the_next(lambda: page.keyboard.type(key))
    assert (key, left()) == ("1", 0)


COUNTER, TARGET = "16/RCN, at Area 50 (Latashanka)", "Option 1: Move 16/RCN to Area 43 (Hill 101.3)"


@pytest.mark.parametrize(("width", "height"), few([(1400, 900), (390, 844)]))
def test_a_move_is_played_by_clicks_on_a_counter_and_on_a_place_of_a_picture_that_does_not_jump(
    width: int, height: int, place: Site, visitors: Visitors
) -> None:
    match = place.open("advance", seed="7")
    play_on(place.owner, match, 5)
    player = Player(visitors.new(place, width=width, height=height), match, GERMAN)
    page, last = player.page, place.last(match, GERMAN)

    def click(name: str) -> tuple[float, float]:
        """Click on what is lit, and return by how much the picture has moved then."""
        lit = page.locator(f".lit[aria-label^='{name}']")
        # What is under the pointer has a wide edge, so that its middle is elsewhere.
        page.mouse.move(0, 0)
        lit.evaluate("one => one.scrollIntoView({ block: 'center', inline: 'center' })")
        picture = page.locator(".sheet svg").first
        before = picture.bounding_box()
        asked = page.url
        player.visitor.click_on(lit)
        page.wait_for_function("address => location.href !== address", arg=asked)
        after = picture.bounding_box()
        assert before is not None
        assert after is not None
        return round(after["x"] - before["x"]), round(after["y"] - before["y"])

    moved = click(COUNTER)
    target = page.locator(".lit[data-plays][aria-label*='Move 16/RCN to Area 43 (Hill 101.3)']")
    player.wait_for_the_next(lambda: player.visitor.click_on(target))

    assert moved == (0, 0)
    assert place.last(match, GERMAN) > last
    assert player.visitor.text(".narrowed").startswith("Area 43 (Hill 101.3) ×")
    assert [one for one in place.owner.legal(match, GERMAN).options if "Move 16/79 to Area 43" in one.words]


@pytest.mark.long
def test_a_click_on_a_counter_chooses_it_and_not_its_place(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="7")
    play_on(place.owner, match, 12)
    player = Player(visitors.new(place), match, place.mover(match))
    page = player.page
    player.visitor.click_on(page.locator(".lit.piece[aria-label^='371st Infantry, at The Docks']"))
    page.wait_for_selector(".narrowed")
    told = [player.visitor.text(".narrowed")]
    page.locator(".narrowed .every").click()
    page.wait_for_selector(".narrowed", state="detached")
    player.visitor.click_on(page.locator(".lit:not(.piece)[aria-label^='The Docks (German Perimeter): ']"))
    page.wait_for_selector(".narrowed")
    told.append(player.visitor.text(".narrowed"))

    assert [one.partition(" ×")[0] for one in told] == [
        "371st Infantry, at The Docks",
        "The Docks (German Perimeter)",
    ]


def test_a_seat_is_taken_by_a_link_whose_secret_is_never_sent_in_an_address(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    visitor = visitors.new(place)
    visitor.sit(match, GERMAN)
    secret = secret_of(GERMAN)
    visitor.page.go_back()

    assert [url for url in [*visitor.asked, visitor.page.url] if secret in url or quote(secret) in url] == []
    assert secret not in visitor.page.content()


def test_a_free_seat_is_taken_by_a_click_and_its_link_works_elsewhere(place: Site, visitors: Visitors) -> None:
    match = place.owner.open("battle", dice="seeded", seed="4").match
    ada, elsewhere = visitors.new(place, "ada"), visitors.new(place, "elsewhere")
    ada.look(match)
    ada.follow("a:has-text('Take the German seat')")
    ada.page.fill("#name", "Ada")
    ada.follow("button:has-text('Take the German seat')")
    ada.page.click("summary:has-text('This browser keeps your seat')")
    ada.follow("button:has-text('Show the link to German')")
    ada.page.click("summary:text-is('To play it in another browser, too')")
    link = ada.page.get_by_role("link", name="The link to your seat").get_attribute("href")
    assert link is not None
    elsewhere.go(link)
    elsewhere.page.wait_for_url(f"**{at_match(match, None, GERMAN)}")

    assert elsewhere.text(".chairs .here") == "GAda, Germanyou; attacks; moves first✓ ready"


def opened(place: Site) -> MatchId:
    """Return a match in the middle, with a choice to be made; all of them are alike."""
    match = place.open("battle", seed="3")
    place.advance(match, 40)
    while len(place.owner.legal(match, place.mover(match)).options) < 2:
        place.advance(match, 1)
    return match


@pytest.fixture
def player(place: Site, visitors: Visitors) -> Player:
    """A player whose turn it is, and who is never asked once more."""
    match = opened(place)
    visitor = visitors.new(place)
    visitor.context.add_cookies([{"name": "wardiary_ask", "value": "never", "url": place.address}])
    return Player(visitor, match, place.mover(match))


def test_a_form_that_is_sent_again_because_no_answer_came_is_played_once(player: Player) -> None:
    """A page sends a choice once, whatever is clicked meanwhile; a browser may send its form again."""
    visitor, site = player.visitor, player.site
    twin = opened(site)
    site.owner.play(twin, player.seat, 1, expected=site.last(twin, player.seat))
    played = site.last(twin, player.seat)
    tries: list[Request] = []

    def lose_the_answer(route: Route) -> None:
        tries.append(route.request)
        route.fetch(max_redirects=0)

    player.page.route(NEWS, tell_nothing)
    player.page.route("**/play", lose_the_answer)
    visitor.look(player.match, None, player.seat)
    box = player.page.locator("button.option").first.bounding_box()
    assert box is not None
    click = partial(player.page.mouse.click, box["x"] + 20, box["y"] + 20)
    click()
    visitor.wait_until(lambda: site.last(player.match, player.seat) == played, "nothing is played")
    click()
    (sent,) = tries
    again = player.page.request.post(sent.url, data=sent.post_data, headers=sent.headers, max_redirects=0)

    assert again.status == 303
    assert site.last(player.match, player.seat) == played
    assert len(tries) == 1


def test_going_back_after_a_command_shows_what_can_be_chosen_now(player: Player) -> None:
    first = player.page.locator("button.option").first
    player.wait_for_the_next(first.click)
    last = player.site.last(player.match, player.seat)
    player.page.go_back()
    player.visitor.wait_until_shown(last)

    assert player.site.last(player.match, player.seat) == last
    assert player.page.locator("input[name=expected]").first.get_attribute("value") == str(last)


def test_a_command_is_taken_back_by_a_key(place: Site, visitors: Visitors) -> None:
    """In Advance to the Volga the first choice can be taken back."""
    match = place.open("advance", seed="7")
    player = Player(visitors.new(place), match, GERMAN)
    player.see_options()
    option = place.owner.legal(match, GERMAN).options[0]
    player.find(option)
    player.play(player.shown(option), player.shown(option).click)
    player.page.keyboard.press("Backspace")
    sign = player.page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    player.wait_for_the_next(lambda: player.page.keyboard.press("Enter"))

    assert "Enter" in sign
    assert player.page.locator(".gone").first.inner_text() == " (taken back)"
    assert "takes back what was done" in player.visitor.text("#now .said")


def test_a_single_option_is_played_without_asking_once_the_switch_beside_it_is_on(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")
    while len(place.owner.legal(match, place.mover(match)).options) != 1:
        place.advance(match, 1)
    player = Player(visitors.new(place), match, place.mover(match))
    before = place.last(match, player.seat)
    player.page.check("#single")

    def is_asked_nothing() -> bool:
        return place.mover(match) != player.seat or len(place.owner.legal(match, player.seat).options) > 1

    player.visitor.wait_until(is_asked_nothing, "a single option is not played")
    player.visitor.wait_until_shown(place.last(match, player.seat))

    assert place.last(match, player.seat) > before


@pytest.mark.long
def test_a_click_on_a_card_that_stands_for_one_option_is_all_it_takes_to_play_it(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")

    def lonely() -> list[LegalOption]:
        """Return the options that play a card alone, of many."""
        options = place.owner.legal(match, place.mover(match)).options
        played = [(one, json.loads(bytes(one.command))) for one in options]
        cards = Counter(command.get("card") for _, command in played)
        return [one for one, said in played if said["do"] == "play-card" and cards[said["card"]] == 1 < len(options)]

    while not lonely():
        place.advance(match, 1)
    option = lonely()[0]
    player = Player(visitors.new(place), match, place.mover(match))
    last = place.last(match, player.seat)

    assert player.played_on_the_picture(option)
    assert place.last(match, player.seat) > last


@pytest.mark.long
def test_a_click_on_a_card_that_can_be_played_or_discarded_gives_the_keys_to_the_first_way(
    place: Site, visitors: Visitors
) -> None:
    """Nothing more can be clicked then, and Enter does not give the card up again."""
    match = place.open("battle", seed="3")

    def twice() -> list[LegalOption]:
        """Return the first of two options about a card that name nothing else."""
        options = place.owner.legal(match, place.mover(match)).options
        about = {tuple(json.loads(bytes(one.command)).items())[1:]: one for one in reversed(options)}
        counts = Counter(json.loads(bytes(one.command)).get("card") for one in options)
        return [one for said, one in about.items() if len(said) == 1 and counts[dict(said).get("card")] == 2]

    while not twice():
        place.advance(match, 1)
    option = twice()[0]
    card = json.loads(bytes(option.command))["card"]
    player = Player(visitors.new(place), match, place.mover(match))
    player.page.click(f".cells a.lit[href$='about={quote(card, safe='')}']")
    player.page.wait_for_selector(".narrowed")
    player.wait_for_keys(option)

    assert player.page.locator(".options:not(.kinds, .ending) .option").count() == 2


def test_the_question_before_a_final_command_outlasts_a_note_but_not_another_command(
    place: Site, visitors: Visitors
) -> None:
    match = place.prepared("inferno", "standard", "one_vs_one", commands=60)
    seat = place.mover(match)
    player = Player(visitors.new(place), match, seat)
    link = player.page.locator("a.option[data-option]").first
    number = int(link.get_attribute("data-option") or 0)
    words = next(one.words for one in place.owner.legal(match, seat).options if one.number == number)
    link.click()
    player.page.wait_for_selector("button.main[name=option]:focus")
    place.owner.play(match, seat, {"do": "match:note", "text": "Back in a minute"})
    player.visitor.wait_until_shown(place.last(match, seat))

    assert words in player.page.inner_text(".choices")
    assert words.startswith(player.page.inner_text("button.main[name=option]:focus").partition("\n")[0])
    place.owner.play(match, seat, number, expected=place.last(match, seat))
    player.visitor.wait_until_shown(place.last(match, seat))
    assert player.page.locator("button.main[name=option]").count() == 0


@pytest.mark.long
def test_on_a_phone_the_question_before_a_final_command_is_in_sight(place: Site, visitors: Visitors) -> None:
    match = place.prepared("axis_allies", "race", commands=80)
    while place.owner.legal(match, place.mover(match)).decision != "next_combat":
        place.advance(match, 1)
    player = Player(visitors.new(place, width=390, height=844), match, place.mover(match))
    # As in a browser that keeps its place by pixels, not by what stands there.
    player.page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    link = player.page.locator("a.option").last
    link.evaluate("one => one.scrollIntoView({ block: 'start' })")
    link.click()
    button = player.page.locator("button.main[name=option]")
    button.wait_for()
    way = player.page.locator(".way").bounding_box()
    words, answer = [
        player.page.locator(one).bounding_box() for one in (".choices .picked", "button.main[name=option]")
    ]

    assert way is not None
    assert words is not None
    assert answer is not None
    # A page is scrolled by whole pixels.
    assert words["y"] > -1
    assert answer["y"] + answer["height"] < way["y"]


@pytest.mark.long
def test_on_a_phone_a_choice_far_down_leads_back_to_its_question(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    player = Player(visitors.new(place, width=390, height=844), match, place.mover(match))
    # As in a browser that keeps its place by pixels, not by what stands there.
    player.page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    link = player.page.locator("a.option.fold").last
    link.evaluate("one => one.scrollIntoView({ block: 'center' })")
    before = player.page.evaluate("scrollY")
    link.click()
    player.page.wait_for_selector(".narrowed")
    question = player.page.locator(".question h1").bounding_box()

    assert before > 844
    assert question is not None
    assert 0 <= question["y"] < 844


@pytest.mark.long
def test_the_last_item_that_is_picked_ends_the_selection(place: Site, visitors: Visitors) -> None:
    """A cost of cards is picked and paid with nothing but numbers and Enter, without a page that only ends it."""
    match = place.open("battle", seed="3")

    def is_paid_in_cards() -> bool:
        legal = place.owner.legal(match, place.mover(match))
        return legal.minimum == legal.maximum > 1 and legal.options[0].words.startswith("Pay with ")

    while not is_paid_in_cards():
        place.advance(match, 1)
    most = place.owner.legal(match, place.mover(match)).maximum
    player = Player(visitors.new(place), match, place.mover(match))
    for _ in range(most):
        assert is_paid_in_cards()
        player.press(place.owner.legal(match, player.seat).options[0])

    assert player.asked == 1
    assert not is_paid_in_cards()


def test_items_are_marked_by_their_digits_and_chosen_with_enter_though_news_come(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")

    def is_paid_in_cards() -> bool:
        legal = place.owner.legal(match, place.mover(match))
        return legal.decision == "pay_cards" and legal.maximum > 1 and not legal.picked

    while not is_paid_in_cards():
        place.advance(match, 1)
    legal = place.owner.legal(match, place.mover(match))
    player = Player(visitors.new(place), match, legal.to_move)
    send = player.page.locator(".send button")
    said = [(send.inner_text(), send.is_disabled())]
    for digit in range(1, legal.maximum + 1):
        player.page.keyboard.press(str(digit))
        said.append((send.inner_text(), send.is_disabled()))
    player.page.locator("summary:text-is('Write a note')").click()
    player.page.locator("#text").fill("Not sent yet")
    place.owner.play(match, legal.to_move, {"do": "match:note", "text": "Back in a minute"})
    player.visitor.wait_until_shown(place.last(match, legal.to_move))
    written = player.page.input_value("#text")
    marked = player.page.locator(".mark:has(:checked) i").all_inner_texts()
    player.page.locator(".mark input:checked").last.press("Enter")
    player.page.wait_for_selector(".choices button.main:focus")

    assert marked == [str(digit) for digit in range(1, legal.maximum + 1)]
    assert written == "Not sent yet"
    assert said[0] == (f"Mark {legal.minimum} first", True)
    assert said[-1] == ("Choose these", False)
    player.wait_for_the_next(lambda: player.page.keyboard.press("Enter"))
    assert not is_paid_in_cards()


@pytest.mark.long
def test_the_button_of_a_choice_says_how_many_items_may_be_marked(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")

    def is_of_a_range() -> bool:
        legal = place.owner.legal(match, place.mover(match))
        return 0 < legal.minimum < legal.maximum and not legal.picked

    while not is_of_a_range():
        place.advance(match, 1)
    legal = place.owner.legal(match, place.mover(match))
    player = Player(visitors.new(place), match, legal.to_move)

    said = player.page.locator(".send button").inner_text()
    assert said == f"Mark {legal.minimum} {'to' if legal.maximum > legal.minimum + 1 else 'or'} {legal.maximum} first"


@pytest.mark.long
def test_resigning_takes_two_clicks(player: Player) -> None:
    player.page.click("summary:text-is('Resign')")
    player.wait_for_the_next(lambda: player.page.click("button:has-text('for good')"))

    assert player.visitor.text(".who") == "The match is over"


@pytest.mark.long
def test_what_is_played_in_one_tab_is_shown_in_the_other(player: Player) -> None:
    other = player.visitor.context.new_page()
    other.goto(at_match(player.match, None, player.seat))
    player.wait_for_the_next(player.page.locator("button.option").first.click)
    last = player.site.last(player.match, player.seat)
    wait_until_shown(other, last)
    for page in (player.page, other):
        # What is new is marked for a while, in each from its own moment on.
        page.wait_for_selector("[data-fresh]", state="detached")

    assert other.inner_html(".log") == player.page.inner_html(".log")


def test_another_choice_in_a_tab_that_was_told_nothing_is_not_played_and_it_says_so(player: Player) -> None:
    other = player.visitor.context.new_page()
    other.route(NEWS, tell_nothing)
    other.goto(at_match(player.match, None, player.seat))
    player.wait_for_the_next(player.page.locator("button.option").first.click)
    last = player.site.last(player.match, player.seat)
    player.visitor.faults = {409}
    other.locator("button.option").last.click()
    other.wait_for_selector(".wrong")

    assert "The match has moved on" in other.inner_text(".wrong")
    assert player.site.last(player.match, player.seat) == last
    assert other.locator("input[name=expected]").first.get_attribute("value") == str(last)


def test_something_else_is_tried_from_a_moment_and_played_there(player: Player) -> None:
    """A fork is begun by a click on a moment of the past, and both sides are played in it."""
    page, last = player.page, player.site.last(player.match)
    page.keyboard.press("Alt+ArrowLeft")
    player.visitor.wait_for("a[id=present]")
    page.keyboard.press("t")
    page.locator("#try select").nth(1).select_option(label="Every seat, to play both sides")
    player.visitor.follow("#try button.main")
    page.wait_for_selector(".board")
    line = MatchId(page.url.rpartition("/m/")[2].partition("?")[0])
    player.visitor.look(line, None, player.site.mover(line))
    before = player.visitor.shown
    player.wait_for_the_next(page.locator("button.option").first.click)

    assert line != player.match
    assert player.visitor.shown > before
    assert player.site.last(player.match) == last


@pytest.mark.long
def test_what_decided_stands_above_the_options_of_a_phone_and_leads_to_the_log(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 30)
    while place.mover(match) != GERMAN:
        place.advance(match, 1)
    place.owner.play(match, RUSSIAN, AddNote(text="Well fought"))
    visitor = visitors.new(place, width=390, height=844)
    visitor.sit(match, GERMAN)
    visitor.wait_for(".happened")
    page = visitor.page
    line, options = (page.locator(one).first.bounding_box() for one in (".happened", ".choices"))

    assert line is not None
    assert options is not None
    assert line["y"] + line["height"] <= min(options["y"], 300)
    assert visitor.text(".happened").startswith("Just now: ")
    assert "Note by Russian (Player of russian): Well fought" in visitor.text(".happened .said")
    before = visitor.address
    page.locator(".told summary").click()
    page.locator(".told > a").click()
    page.wait_for_function("document.activeElement.id === 'since'")
    top = page.evaluate("document.getElementById('since').getBoundingClientRect().top")

    assert 0 < top < 700, "the log begins there"
    assert visitor.address == before, "and the present is still shown"
