"""No stream depends on another seat's secrets, and whole choices are as good as their parts."""

from random import Random

from core.checking.choice_comparison import makes_a_whole
from core.engine.selection import Choose, onward
from core.games.inferno.ids import CO_OP, GERMAN, SOLO, SOVIET_SEAT
from core.games.inferno.rules import attacks, movement
from events.codec import encode
from events.ids import PUBLIC, Seat
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.inferno import BOARD, RULES, order, scene
from tests.support.rows import each_row

POSITION = """
format = "wardiary-position/1"
game = "inferno"
mode = "{mode}"
round = 3
pieces = [
  {{ id = "german/1", place = "58", kind = "{first}" }},
  {{ id = "german/2", place = "23", kind = "{second}" }},
  {{ id = "soviet/1", place = "73", kind = "{third}" }},
  {{ id = "soviet/2", place = "18", kind = "{fourth}", face = "edge-{edge}" }},
]
[attributes]
"soviet/1" = {{ pool = "infantry" }}
"soviet/2" = {{ pool = "infantry" }}
[piles]
{hand}_hand = ["{card}"]
soviet_hand = ["{soviet_card}"]
"""
NAMES = {
    "first": "64-panzer-grenadier",
    "second": "79-panzer-grenadier",
    "third": "45-rifle",
    "fourth": "87-rifle",
    "edge": "1",
    "card": "german/stuka-1",
    "soviet_card": "soviet/sniper-1",
}
SHORT = {"do": "short-move", "units": ["german/2"], "to": "22"}
COMMANDS: tuple[dict[str, object], ...] = (
    {"do": "commit-cards", "cards": ["german/stuka-1"]},
    {"do": "commit-cards", "cards": ["soviet/sniper-1"]},
    {"do": "short-move", "units": ["45-rifle"], "to": "22"},
    {"do": "short-move", "units": ["64-panzer-grenadier"], "to": "22"},
    {"do": "deliberate-attack", "targets": ["18"], "hexes": ["58"]},
)
"""What is asked of both twins and refused alike."""


def stream(mode: str, seat: Seat, **others: str) -> bytes:
    """Return what a seat sees of a match from a position with other names, and how what it asks for is refused."""
    hand = "german" if mode == "one_vs_one" else "yellow"
    desk = Desk.open("inferno", position=POSITION.format(**{**NAMES, "mode": mode, "hand": hand, **others}), seed="7")
    answers = [encode(desk.ask(command, seat)) if seat != PUBLIC else b"" for command in COMMANDS]
    desk.accept(SHORT)
    desk.accept({"do": "done"})
    answers += [encode(desk.ask(command, seat)) if seat != PUBLIC else b"" for command in COMMANDS]
    return encode(list(seen_events(desk.events, seat))[1:]) + b"".join(answers)


UNSEEN_BY_SOVIETS = [
    {"first": "79-panzer-grenadier", "second": "64-panzer-grenadier"},
    {"first": "2-panzer"},
    {"card": "german/howitzer-1"},
]
UNSEEN_BY_GERMANS = [
    {"third": "87-rifle", "fourth": "45-rifle"},
    {"third": "13-guards"},
    {"edge": "3"},
    {"soviet_card": "soviet/aa-7"},
]
TWINS = [
    *[("one_vs_one", SOVIET_SEAT, others) for others in UNSEEN_BY_SOVIETS],
    *[("two_vs_one", SOVIET_SEAT, others) for others in UNSEEN_BY_SOVIETS],
    *[("one_vs_one", Seat("german"), others) for others in UNSEEN_BY_GERMANS],
    *[("two_vs_one", Seat("blue"), others) for others in (*UNSEEN_BY_GERMANS, {"card": "german/howitzer-1"})],
    *[("one_vs_one", PUBLIC, others) for others in (*UNSEEN_BY_SOVIETS, *UNSEEN_BY_GERMANS)],
]


@each_row(("mode", "seat", "others"), TWINS)
def test_a_stream_does_not_depend_on_what_its_seat_does_not_know(mode: str, seat: Seat, others: dict[str, str]) -> None:
    """fog.blocks-upright, fog.1v1-soviet-sees-own, mode.co-op.cards-private: byte for byte, refusals too."""
    assert stream(mode, seat, **others) == stream(mode, seat)


def test_a_stream_depends_on_what_its_seat_knows() -> None:
    """The twins differ at all."""
    for others in UNSEEN_BY_GERMANS:
        assert stream("one_vs_one", SOVIET_SEAT, **others) != stream("one_vs_one", SOVIET_SEAT)
    for others in UNSEEN_BY_SOVIETS:
        assert stream("one_vs_one", Seat("german"), **others) != stream("one_vs_one", Seat("german"))


def test_a_whole_choice_that_ends_the_match_is_as_good_as_its_parts() -> None:
    """advance.german-up-to-four: the advance takes the last Spawn Hex, and so the match."""
    held = [place for place in BOARD.soviet_spawn if place != "3"]
    table = scene(
        german={"20": ["544-infantry", "545-infantry"]},
        soviet={"3": ["45-rifle"], "50": ["87-rifle"]},
        edges={"45-rifle": 4},
        control={GERMAN: held},
    )
    table.do("german", order("deliberate-attack", targets=["3"], hexes=["20"]), dice=[1, *[6] * 8])

    assert table.asked == "german advance"
    assert makes_a_whole(RULES, table.table, Choose(tuple(table.tokens("544-infantry"))))


@each_row("mode", [SOLO, CO_OP])
def test_the_orders_that_are_kept_are_those_found_anew(mode: str) -> None:
    desk, dice = Desk.open("inferno", mode=mode, seed="kept"), Random(5)
    for _ in range(120):
        options = desk.options()
        if not options:
            break
        movement._short_moves.cache_clear()
        attacks._hasty_attacks.cache_clear()
        attacks._deliberate_attacks.cache_clear()
        anew = desk.options()

        assert options == anew
        assert len(set(anew)) == len(anew)
        desk.accept(dice.choice(onward(anew)))
