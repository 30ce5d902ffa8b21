"""Every kind of page meets WCAG 2.1 A and AA, as far as an engine can tell, and is laid out well in every width."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page

from core.match.match_creation import TITLE_MAX
from events.ids import MatchId, Seat
from server.web.http.addresses import at_match
from tests.project.tree import ROOT
from tests.support.browsing import secret_of
from tests.support.site import Site, site
from tests.support.soak import few, sampled
from tests.support.visitors import Visitor, Visitors

LAYOUT = (ROOT / "tests" / "support" / "layout.js").read_text(encoding="utf-8")
ENGINE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
"""axe-core, as the package contains it."""
RUN = """
([context, options]) => axe.run(context, options).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)))
"""
GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
CONTRAST = "color-contrast"
WIDTHS = ((360, 740), (390, 844), (1280, 800), (1920, 1080))
ENGINE_WIDTHS = (390, 1280)
COLOURS: dict[int, tuple[str, ...]] = {390: (), 1280: ("light",)}
"""In which colours contrasts are measured, where another page of the same parts is measured in all; other guidelines in one width then."""
GAMES = {
    "advance": ("factory", ""),
    "battle": ("standard", ""),
    "inferno": ("standard", "one_vs_one"),
    "axis_allies": ("uranus", ""),
}
MIDDLE = 40
"""After how many commands a running match is looked at."""


CREDENTIAL = "0" * 64
"""The SHA-256 of an invitation that nobody has."""


class Gallery:
    """Matches to look at; each is played when it is looked at first."""

    def __init__(self, made: Site) -> None:
        self.site = made
        self._known: dict[tuple[str, int], MatchId] = {}

    def match(self, game: str, commands: int) -> MatchId:
        """Return a match of a game after so many commands."""
        if (game, commands) not in self._known:
            scenario, mode = GAMES[game]
            self._known[game, commands] = self.site.prepared(game, scenario, mode, commands=commands, seed="3")
        return self._known[game, commands]

    def free(self) -> MatchId:
        """Return a match whose seats are free."""
        return self.site.owner.open("battle", dice="seeded", seed="1").match

    def open(self, visitor: Visitor, page: str) -> None:
        """Open a page by its name, which is the kind, for a match after that of the game."""
        game, _, kind = page.rpartition(" ")
        if kind in ("start", "middle", "end", "seat", "why"):
            self._open_match(visitor, game, kind)
            return
        match = self.match("battle", MIDDLE)
        if kind == "fork":
            visitor.look(match)
            visitor.page.click("#try summary")
            return
        addresses = {
            "home": "/",
            "new": "/new?game=inferno",
            "list": "/matches",
            "learn": "/learn/battle?q=retreat+destroyed",
            "help": f"/m/{match}/help",
            "sit": f"/m/{self.free()}/sit",
            "invited": f"/m/{self.site.reserved('battle', Seat('german'), 'Ada', CREDENTIAL)}/sit?seat=german",
            "unproved": at_match(match, None, Seat("german")),
            "unknown": "/m/nothing",
            "late": at_match(match, 999_999),
            "diff": f"/m/{match}/diff/{self.match('battle', MIDDLE // 2)}",
        }
        visitor.faults = {403, 404}
        if kind == "waiting":
            visitor.go("/new?game=battle&against=friend")
            visitor.follow("button.main")
            return
        visitor.go(addresses[kind])
        if kind == "sit":
            # The fields of those who have a secret are looked at too.
            visitor.page.click("main summary")

    def _open_match(self, visitor: Visitor, game: str, kind: str) -> None:
        match = self.match(game, 3_000 if kind == "end" else MIDDLE)
        if kind == "start":
            visitor.look(match, 3)
        elif kind in ("middle", "end"):
            visitor.look(match)
        else:
            visitor.sit(match, self.site.mover(match))
        if kind == "why":
            visitor.page.keyboard.press("w")
            visitor.page.wait_for_selector("#why")


KINDS = ("start", "seat", "why", "end")
PAGES = [
    *(f"{game} {kind}" for game in GAMES for kind in KINDS),
    *(
        "battle middle",
        "home",
        "new",
        "list",
        "learn",
        "help",
        "sit",
        "waiting",
        "invited",
        "unproved",
        "unknown",
        "late",
        "diff",
        "fork",
    ),
]
"""Why a thing happened, and what a seat can choose, are looked at in the middle of a match."""
IN_ALL_COLOURS = frozenset(page for page in PAGES if not page.endswith(("start", "why", "end")))
OF_EVERY_KIND = frozenset(("battle seat", "home", "sit"))
"""Pages whose contrasts are always measured in all colours: the table, the lobby and a form. The others of `IN_ALL_COLOURS` are so with a larger budget."""
ALIKE = frozenset(
    (
        *("advance end", "axis_allies end", "inferno end"),
        *("advance start", "axis_allies start", "battle start", "inferno start"),
        *("advance why", "battle why", "inferno why", "battle middle"),
        *("advance seat", "axis_allies seat", "inferno seat"),
        *("diff", "fork"),
        *("list", "help", "invited", "unproved", "late"),
    )
)
"""Pages that are made like another one: of another game, a table, a page of help, a free seat, an error."""


@pytest.fixture(scope="module")
def gallery(browser: Browser) -> Iterator[Gallery]:
    with site() as made:
        yield Gallery(made)


def opened(gallery: Gallery, visitors: Visitors, page: str) -> Visitor:
    """Return a visitor who looks at a page, with the engine in it."""
    visitor = visitors.new(gallery.site)
    gallery.open(visitor, page)
    visitor.page.evaluate(ENGINE)
    return visitor


def violations(page: Page, *, is_of_contrast: bool = False) -> list[str]:
    """Return what breaks the guidelines: contrasts, or anything else."""
    # In drawings the engine cannot tell what is behind a text; the tests of the drawing layer count those contrasts. Of the many
    # sentences of a phase, which look alike, the first are enough.
    context = (
        {"exclude": [[".sheet svg"], [".log li:nth-child(n + 4):not(.now)"]]}
        if is_of_contrast
        else {"include": [["html"]]}
    )
    rules = {"type": "rule", "values": [CONTRAST]} if is_of_contrast else {"type": "tag", "values": GUIDELINES}
    off = {} if is_of_contrast else {CONTRAST: {"enabled": False}}
    found: list[str] = page.evaluate(RUN, [context, {"runOnly": rules, "rules": off}])
    return found


@pytest.mark.parametrize("page", sampled(PAGES, lambda page: page not in ALIKE))
def test_every_page_is_laid_out_well_and_keeps_the_guidelines(
    page: str, gallery: Gallery, visitors: Visitors, budget: float
) -> None:
    visitor = opened(gallery, visitors, page)
    colours = IN_ALL_COLOURS if budget > 1 else OF_EVERY_KIND
    found: list[tuple[int, str]] = []
    for width, height in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": height})
        found += [(width, one) for one in visitor.page.evaluate(LAYOUT)]
        if width in ENGINE_WIDTHS:
            if page in colours or width == ENGINE_WIDTHS[-1]:
                found += [(width, one) for one in violations(visitor.page)]
            for scheme in ("light", "dark") if page in colours else COLOURS[width]:
                visitor.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                found += [(width, f"{scheme}: {one}") for one in violations(visitor.page, is_of_contrast=True)]

    assert found == []


LONG_NAME = "W" * 64
LONG_TITLE = "W" * TITLE_MAX
"""Words without a space."""
OF_PEOPLE = [
    *("/", "/matches", "/m/{}", "/m/{}?seat=german", "/m/{}/sit", "/m/{}?why=1&try=1", "/m/{}/diff/{}@5"),
    *("/m/{}/help", "/m/{}/studies"),
    "waiting",
    "ended",
]


@pytest.mark.parametrize("page", sampled(OF_PEOPLE, lambda page: page == "/m/{}?seat=german"))
def test_names_and_titles_of_one_long_word_have_room_in_every_width(
    page: str, gallery: Gallery, visitors: Visitors
) -> None:
    owner, visitor = gallery.site.owner, visitors.new(gallery.site)
    opened = owner.open("battle", title=LONG_TITLE, dice="seeded", seed="1")
    for seat in opened.seats[: 1 if page == "waiting" else None]:
        owner.take_seat(opened.match, seat, LONG_NAME, share=False, secret=secret_of(seat))
    if page == "ended":
        owner.play(opened.match, opened.seats[0], {"do": "match:resign"})
    if "seat=" in page:
        visitor.sit(opened.match, Seat("german"))
    visitor.go((page if page.startswith("/") else "/m/{}").format(opened.match, opened.match))
    found: list[tuple[int, str]] = []
    for width, height in (*WIDTHS, (900, 700), (1400, 900)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        found += [(width, one) for one in visitor.page.evaluate(LAYOUT)]

    assert found == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "width", "height"),
    [
        (page, width, height)
        for page in ("battle middle", "axis_allies why", "inferno middle")
        for width, height in ((740, 360), (667, 375))
    ],
)
def test_the_map_has_most_of_a_phone_that_is_held_sideways(
    page: str, width: int, height: int, gallery: Gallery, visitors: Visitors
) -> None:
    visitor = visitors.new(gallery.site)
    gallery.open(visitor, page)
    visitor.page.set_viewport_size({"width": width, "height": height})
    high = visitor.page.evaluate("document.querySelector('.sheet').getBoundingClientRect().height")

    assert high >= height * 0.6
    # The options follow the map.
    assert [one for one in visitor.page.evaluate(LAYOUT) if one != "the first option is not in view"] == []


@pytest.mark.parametrize(
    ("harm", "rule"),
    few(
        [
            ("document.querySelector('button.main').textContent = ''", "button-name"),
            ("document.querySelector('select').labels[0].remove()", "select-name"),
            ("document.querySelector('h2 + p').style.color = '#c8bfa8'", "color-contrast"),
        ]
    ),
)
def test_the_engine_finds_what_is_wrong(harm: str, rule: str, gallery: Gallery, visitors: Visitors) -> None:
    visitor = opened(gallery, visitors, "sit")
    visitor.page.evaluate(harm)
    found = [*violations(visitor.page), *violations(visitor.page, is_of_contrast=True)]

    assert [one.partition(":")[0] for one in found] == [rule]


@pytest.mark.parametrize(
    ("harm", "said"),
    few(
        [
            ("document.querySelector('.viewer').style.width = '3000px'", "the page is"),
            ("document.querySelector('.log').style.marginTop = '-200px'", "overlap"),
            (
                "Object.assign(document.querySelector('.step').style, { minWidth: 0, width: '12px' })",
                "is too small for its words",
            ),
            ("document.querySelector('.question h1').style.marginTop = '600px'", "the question is not at the top"),
            (
                "document.querySelector('.option').innerHTML = '<span>112th</span><b>Rifle</b>'; document.querySelector('.option').style = 'display: block'",
                "have no space between them",
            ),
        ]
    ),
)
def test_what_overlaps_or_is_cut_off_is_found(harm: str, said: str, gallery: Gallery, visitors: Visitors) -> None:
    visitor = opened(gallery, visitors, "battle seat")
    visitor.page.evaluate(harm)

    assert said in " ".join(visitor.page.evaluate(LAYOUT))


@pytest.mark.parametrize("name", few(["axis_allies seat", "advance seat"]))
@pytest.mark.parametrize(("width", "height"), few([(1366, 768), (1400, 900), (1920, 1080)]))
def test_what_decides_is_seen_above_the_map_without_scrolling(
    width: int, height: int, name: str, gallery: Gallery, visitors: Visitors
) -> None:
    visitor = visitors.new(gallery.site, width=width, height=height)
    gallery.open(visitor, name)
    tracks, picture, seen = (
        visitor.page.locator(one).first.bounding_box() for one in (".vital", ".sheet svg", ".seen")
    )
    assert tracks is not None and picture is not None and seen is not None

    assert tracks["y"] >= seen["y"]
    assert tracks["y"] + tracks["height"] <= picture["y"]
    assert picture["y"] + picture["height"] <= seen["y"] + seen["height"]
    assert picture["width"] > 0.75 * seen["width"]
    assert picture["height"] > 0.75 * seen["height"]


@pytest.mark.long
@pytest.mark.parametrize(("width", "height", "screens"), [(1400, 900, 1.6), (390, 844, 3)])
def test_the_form_of_a_new_match_is_short_and_its_button_in_sight(
    width: int, height: int, screens: float, gallery: Gallery, visitors: Visitors
) -> None:
    visitor = visitors.new(gallery.site, width=width, height=height)
    visitor.go("/new?game=inferno")
    button = visitor.page.locator("form.new button.main").bounding_box()
    assert button is not None

    assert visitor.page.evaluate("document.documentElement.scrollHeight") < screens * height
    assert 0 < button["y"] < button["y"] + button["height"] <= height


@pytest.mark.long
@pytest.mark.parametrize("width", [1340, 1400, 1920])
def test_units_to_choose_from_beside_a_map_have_room_in_its_pane(
    width: int, gallery: Gallery, visitors: Visitors
) -> None:
    """Reinforcements enter here."""
    match = gallery.site.prepared("advance", "main", commands=71, seed="3")
    visitor = visitors.new(gallery.site, width=width, height=900)
    visitor.sit(match, gallery.site.mover(match))
    drawn, meant = visitor.page.evaluate(
        "() => { const one = document.querySelector('.aside .cells svg'); return [one.getBoundingClientRect().width, one.viewBox.baseVal.width]; }"
    )

    assert visitor.page.evaluate(LAYOUT) == []
    assert drawn == pytest.approx(meant), "the counters are not made smaller"


@pytest.mark.long
def test_what_is_printed_on_a_thing_stands_apart_from_its_name_on_a_phone(gallery: Gallery, visitors: Visitors) -> None:
    """Forces are bought here, each behind a link."""
    match = gallery.site.prepared("battle", commands=8, seed="16")
    visitor = visitors.new(gallery.site, width=390, height=844)
    visitor.sit(match, gallery.site.mover(match))

    assert visitor.page.locator(".option.fold .remark").count() > 1
    assert visitor.page.evaluate(LAYOUT) == []


@pytest.mark.long
def test_on_a_phone_the_picture_shows_what_can_be_chosen(gallery: Gallery, visitors: Visitors) -> None:
    """A Hit is absorbed by a Force in the lower half of the map, while the attack has left its marks in the upper half."""
    match = gallery.site.prepared("battle", commands=95, seed="3")
    visitor = visitors.new(gallery.site, width=390, height=844)
    visitor.sit(match, gallery.site.mover(match))
    sheet, lit = (visitor.page.locator(one).first.bounding_box() for one in (".sheet", ".sheet .lit"))
    assert sheet is not None and lit is not None
    middle = (lit["x"] + lit["width"] / 2, lit["y"] + lit["height"] / 2)

    assert sheet["x"] <= middle[0] <= sheet["x"] + sheet["width"]
    assert sheet["y"] <= middle[1] <= sheet["y"] + sheet["height"]


@pytest.mark.long
def test_after_an_attack_its_last_dice_and_its_result_are_in_sight(gallery: Gallery, visitors: Visitors) -> None:
    """The last command has more sentences than the log has room for."""
    match = gallery.site.prepared("advance", "factory", commands=53, seed="3")
    visitor = visitors.new(gallery.site, width=1400, height=900)
    visitor.sit(match, gallery.site.mover(match))
    log = visitor.page.locator(".log").bounding_box()
    dice = visitor.page.locator(".log li:has(.die)").last.bounding_box()
    result = visitor.page.locator(".log li:has(.die) + li:not(:has(.die))").last
    there = result.bounding_box()
    assert log is not None and dice is not None and there is not None

    assert " The attack on " in f" {result.locator('.said').inner_text()}"
    assert log["y"] <= dice["y"]
    assert there["y"] + there["height"] <= log["y"] + log["height"]


@pytest.mark.long
def test_the_headings_of_the_log_never_lie_on_each_other(gallery: Gallery, visitors: Visitors) -> None:
    """In a narrow window one of them has two lines: its second one showed below the next heading."""
    match = gallery.site.prepared("axis_allies", commands=60, seed="1")
    visitor = visitors.new(gallery.site, width=320, height=844)
    visitor.sit(match, gallery.site.mover(match))
    heights, met = visitor.page.evaluate(
        """() => {
          const log = document.querySelector(".log");
          const heads = [...log.querySelectorAll("h2")];
          const met = [];
          for (let at = 0; at <= log.scrollHeight; at += 10) {
            log.scrollTop = at;
            const boxes = heads.map((one) => one.getBoundingClientRect());
            boxes.slice(1).forEach((box, number) => box.top < boxes[number].bottom - 1 && met.push([at, heads[number].textContent]));
          }
          return [heads.map((one) => one.offsetHeight), met];
        }"""
    )

    assert len(set(heights)) > 1
    assert met == []


@pytest.mark.long
def test_the_board_on_which_something_can_be_chosen_is_shown(gallery: Gallery, visitors: Visitors) -> None:
    """In this position only places of the second board can be chosen."""
    visitor = visitors.new(gallery.site)
    match = gallery.site.open("axis_allies", "uranus", seed="1")
    gallery.site.advance(match, MIDDLE)
    visitor.sit(match, gallery.site.mover(match))

    assert visitor.page.get_attribute(".sheet", "data-map") == "city"
    assert visitor.page.locator(".sheet .lit").count()
    assert visitor.text(".inset:not([aria-current])") == "Region Board"


@pytest.mark.long
def test_the_round_that_is_shown_is_in_view_among_many(gallery: Gallery, visitors: Visitors) -> None:
    visitor = visitors.new(gallery.site)
    visitor.look(gallery.match("inferno", 3_000))
    many, is_in_view = visitor.page.evaluate("""() => {
      const list = document.querySelector(".rounds"), one = list.querySelector("[aria-current]").getBoundingClientRect();
      const frame = list.getBoundingClientRect();
      return [list.scrollWidth > 2 * list.clientWidth, frame.left <= one.left && one.right <= frame.right];
    }""")

    assert many
    assert is_in_view


def test_what_a_step_has_changed_is_in_sight(gallery: Gallery, visitors: Visitors, budget: float) -> None:
    visitor = visitors.new(gallery.site)
    match = gallery.match("axis_allies", MIDDLE)
    seen = 0
    visitor.look(match)
    for number in range(gallery.site.last(match) - 1, gallery.site.last(match) - 25, -1):
        visitor.page.keyboard.press("ArrowLeft")
        visitor.wait_until_shown(number)
        views = visitor.page.evaluate(
            """() => [...document.querySelectorAll(".sheet .s-bad")].map((one) => {
              const box = one.getBoundingClientRect(), frame = document.querySelector(".sheet").getBoundingClientRect();
              return Math.min(box.bottom, frame.bottom) > Math.max(box.top, frame.top) && Math.min(box.right, frame.right) > Math.max(box.left, frame.left);
            })"""
        )
        if views:
            seen += 1
            assert any(views)
        if seen > 2 and budget <= 1:
            break

    assert seen > 1


SCROLLING = """
[...document.querySelectorAll("main *")].filter((one) => one.scrollHeight > one.clientHeight + 2
  && ["auto", "scroll"].includes(getComputedStyle(one).overflowY) && !one.matches(".sheet, .log")).map((one) => one.className)
"""


@pytest.mark.parametrize("game", few(["inferno", "axis_allies"]))
def test_on_a_phone_the_map_is_as_wide_as_the_screen_and_options_scroll_with_the_page(
    game: str, gallery: Gallery, visitors: Visitors
) -> None:
    match = gallery.match(game, MIDDLE)
    visitor = visitors.new(gallery.site)
    width, height = WIDTHS[0]
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.sit(match, gallery.site.mover(match))
    tops = visitor.page.evaluate(
        """() => ["h1", ".sheet", ".option, .folded summary"].map((one) => document.querySelector(one).getBoundingClientRect())
          .map((box) => [box.top, box.width])"""
    )
    (asked, _), (map_, wide), (option, _) = tops

    assert asked < map_ < option < height - 100
    assert wide > 0.9 * width
    assert visitor.page.evaluate(SCROLLING) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
@pytest.mark.parametrize(
    ("commands", "order"), [(0, ["h1", ".above .panel", ".option"]), (2, ["h1", ".option", ".above .panel"])]
)
def test_cards_stand_before_the_options_on_a_phone_unless_these_say_the_same(
    commands: int, order: list[str], gallery: Gallery, visitors: Visitors
) -> None:
    """On which front the drawn cards are placed, and which of them is deployed next, which the options name one by one."""
    match = gallery.site.prepared("axis_allies", "uranus", commands=commands)
    visitor = visitors.new(gallery.site)
    width, height = WIDTHS[0]
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.sit(match, gallery.site.mover(match))
    tops = visitor.page.evaluate(
        "order => order.map((one) => document.querySelector(one).getBoundingClientRect().top)", order
    )

    assert tops == sorted(tops)


@pytest.mark.long
def test_the_picture_is_next_to_the_question_on_a_phone_however_many_options_there_are(
    gallery: Gallery, visitors: Visitors
) -> None:
    match = gallery.match("battle", 0)
    visitor = visitors.new(gallery.site)
    visitor.sit(match, gallery.site.mover(match))
    width, height = WIDTHS[0]
    visitor.page.set_viewport_size({"width": width, "height": height})
    top = visitor.page.evaluate("document.querySelector('.sheet').getBoundingClientRect().top + scrollY")

    assert visitor.page.locator("a.option, button.option").count() > 20
    assert top < height
