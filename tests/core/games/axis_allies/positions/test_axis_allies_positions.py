"""Position files of this game: what can be wrong with one, each defect at its place in the file; and what a valid one sets up."""

import pytest

from core.errors import SetupInvalid
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    AXIS,
    CAPTURED_FACTORY,
    DON,
    FACTORY,
    FERRY,
    FROZEN,
    ICE_BRIDGE,
    ORDER_BOX,
    ORDER_DECK,
    ORDER_DISCARDS,
    RPC,
    URANUS_DECK,
    URANUS_FRONT,
    token,
)
from core.games.axis_allies.memory import FIRED, FOUGHT, LIBERATED, MISSION, MOVE
from core.games.axis_allies.positions.axis_allies_positions import AxisAlliesPositions
from core.positions.position import parse_position
from events.ids import PlaceId
from tests.support.axis_allies import BOARD
from tests.support.desk import Desk
from tests.support.rows import each_row

POSITIONS = AxisAlliesPositions(BOARD)
HEADER = 'format = "wardiary-position/1"\ngame = "axis_allies"'
TANK = '{ id = "ger_tank/1", place = "surovikino" }'
INFANTRY = '{ id = "sov_infantry/1", place = "kalach" }'
MOVING = 'phase = "axis_movement"\ndecision = { kind = "move" }'
BATTLES = 'phase = "axis_attack"\ndecision = { kind = "next_combat" }'
OUT = 'order_box = ["order/7"]'
STORM = '"round/9" = { winter_storm = 1 }'


def text(*pieces: str, top: str = "", rest: str = "") -> str:
    """Return a position file with these pieces."""
    listed = ", ".join(pieces or (TANK, INFANTRY))
    return f"{HEADER}\n{top}\npieces = [{listed}]\n{rest}"


def at(place: str, kind: str = "ger_infantry", number: int = 1, *, face: str = "") -> str:
    """Return a piece of a position file."""
    return f'{{ id = "{kind}/{number}", place = "{place}", face = "{face}" }}'


def markers(**there: str) -> str:
    """Return the markers of a position file, each given by its place."""
    return "markers = { " + ", ".join(f'"{on}" = {{ "{marker}" = 1 }}' for on, marker in there.items()) + " }"


def remembered(on: str, what: str) -> str:
    """Return an attribute of a position file."""
    return f'attributes = {{ "{on}" = {{ {what} }} }}'


def defects(position: str) -> list[tuple[str, str]]:
    """Return the path and the sentence of each defect."""
    found = POSITIONS.check_position(parse_position(position))
    return [(".".join(map(str, defect.path)), defect.problem) for defect in found]


def opened(position: str) -> Desk:
    """Open a match with a position."""
    return Desk.open("axis_allies", position=position)


ABOVE = {"above/crossing_white": "assault"}
DON_FROZEN = {"don": "frozen"}
BRIDGE = {"crossing_gray": "ice_bridge"}
ROUND_6 = {"round/6": "frozen"}
VOLGA = {"round/6": "frozen", "round/7": "frozen", "crossing_gray": "ferry"}
CASES = [
    (text(top='mode = "duel"'), "mode", "no mode of this game"),
    (text(top='mode = "auction"'), "plays", "must give the seats first and second the sides axis and allies"),
    (text(top='mode = "auction"\nplays = { first = "axis", second = "axis" }'), "plays", "the sides axis and allies"),
    (text(top="round = 14"), "round", "1 to 13"),
    (text(top='scenario = "uranus"\nround = 3'), "round", "7 to 13"),
    (text(top='phase = "winter"'), "phase", "phase in which a position can open"),
    (text(top='phase = "axis_movement"\nturn = "allies"'), "turn", "did you mean axis?"),
    (text(top='phase = "axis_movement"\nturn_seat = "allies"'), "turn_seat", "did you mean axis?"),
    (text(top='decision = { kind = "targets" }'), "decision.kind", "targets"),
    (text(top='decision = { kind = "move" }'), "decision.kind", "belongs to the phase axis_movement"),
    (text(top=MOVING.replace(" }", ', seat = "axis" }')), "decision.seat", "it names no seat"),
    (text(top=MOVING.replace(" }", ', arguments = { zone = "x" } }')), "decision.arguments.zone", "can have zone"),
    (
        text(top=BATTLES.replace(" }", ', arguments = { zone = "kalach" } }')),
        "decision.arguments.zone",
        "no combat begins in kalach",
    ),
    (text(at("kalach", "ger_cavalry")), "pieces.0.id", "ger_cavalry/1"),
    (text(at("stalingrad")), "pieces.0.place", "stalingrad"),
    (text(TANK, TANK), "pieces.0.id", "2 times"),
    (text(at("kalach")), "pieces.0.place", "under control of the allies; a Combat Marker, assault or battle, must be"),
    (text(rest='control = { surovikino = "allies" }'), "pieces.0.place", "under control of the allies"),
    (f'{HEADER}\ncontrol = {{ bolshoy = "allies" }}', "control", "min_infantry/1 is in bolshoy, under control of"),
    (text(at("surovikino", "ger_fighter")), "pieces.0.place", "has no airfield; in the air its face is air"),
    (
        text(*[at("oblivskaya", "ger_fighter", number) for number in range(1, 6)]),
        "pieces.4.place",
        "than the 4 that an airfield takes",
    ),
    (text(at("above/crossing_white", "ger_bomber", face="air")), "pieces.0.place", "the marker assault must be there"),
    (text(at("above/crossing_white", "ger_bomber"), rest=markers(**ABOVE)), "pieces.0.place", "its face must be air"),
    (text(at("ambush_station")), "pieces.0.place", "the axis must control one of train_station_1"),
    (text(at("pool/allies", "token")), "pieces.0.place", "its pool is pool/axis, not pool/allies"),
    (
        text(at("crossing_white", "sov_infantry"), rest=markers(crossing_gray="ferry")),
        "pieces.0.place",
        "neither a ferry nor an ice bridge",
    ),
    (text(at("crossing_white", "sov_tank")), "pieces.0.place", "takes infantry or a supply token"),
    (text(at("crossing_white", "sov_infantry"), at("crossing_white", "token", 8)), "pieces.0.place", "which takes one"),
    (text(at("oblivskaya", "ger_bomber"), at("ger_bomber/1", "token")), "pieces.0.place", "'' cannot carry supply"),
    (
        text(
            at("oblivskaya", "ger_bomber"),
            at("ger_bomber/1", "token", 8),
            rest=remembered("ger_bomber/1", 'mission = "supply_drop"'),
        ),
        "pieces.0.place",
        "takes its own side's",
    ),
    (text(rest=markers(kalach="unsupplied/axis")), "markers.kalach.unsupplied/axis", "no marker"),
    (text(rest=markers(**DON_FROZEN)), "markers.don.frozen", "1 frozen on don must be 0"),
    (text(rest=markers(**BRIDGE)), "markers.crossing_gray.ice_bridge", "1 ice_bridge on crossing_gray must be 0"),
    (text(top="round = 7", rest=markers(**VOLGA)), "markers.crossing_gray.ferry", "1 ferry on crossing_gray must be 0"),
    (text(rest=markers(**ROUND_6)), "markers.round/6.frozen", "the weather of round 6 is not known yet"),
    (
        text(rest=markers(kalach="captured_factory/tank")),
        "markers.kalach.captured_factory/tank",
        "must be factory/tank or factory/artillery",
    ),
    (text(rest='piles = { order_box = ["order/3"] }'), "piles.order_box", "order/3 never leaves the game"),
    (text(rest='piles = { order_deck = ["order/3"] }'), "piles.order_deck", "order_deck"),
    (text(rest=f"piles = {{ {OUT} }}"), "piles.order_box", "exactly if the marker winter_storm is on the track"),
    (text(rest=f"markers = {{ {STORM} }}"), "piles.order_box", "exactly if the marker winter_storm is on the track"),
    (text(top="round = 8"), "piles.order_box", "Operation Uranus is launched by round 7"),
    (text(top='round = 7\nphase = "heroic_workers"'), "piles.order_box", "Operation Uranus is launched by round 7"),
    (
        text(top='phase = "counter_offensive"', rest=f"piles = {{ {OUT} }}\nmarkers = {{ {STORM} }}"),
        "phase",
        "is out of the game",
    ),
    (text(rest='piles = { uranus_deployed = ["uranus_1"] }'), "piles.uranus_deployed", "in uranus_deployed after it"),
    (
        text(rest=f'piles = {{ {OUT}, uranus_southeast = ["uranus_1"] }}\nmarkers = {{ {STORM} }}'),
        "piles.uranus_southeast",
        "on a front before the launch",
    ),
    (text(rest=remembered("ger_tank/1", 'move = "moved"')), "attributes.ger_tank/1.move", "no attribute"),
    (text(top=MOVING, rest=remembered("ger_tank/1", 'move = "gone"')), "attributes.ger_tank/1.move", "gone"),
    (text(rest=remembered("kalach", 'taken = "june"')), "attributes.kalach.taken", "june"),
    (text(rest=remembered("kalach", "across_river = true")), "attributes.kalach.across_river", "marker assault must"),
    (text(rest=remembered("table", "bid = 4")), "attributes.table.bid", "bid"),
    (
        text(at("oblivskaya", "ger_fighter"), rest=remembered("ger_fighter/1", 'mission = "scramble"')),
        "attributes.ger_fighter/1.home",
        "exactly if its mission is scramble",
    ),
    (
        text(at("oblivskaya", "ger_fighter"), rest=remembered("ger_fighter/1", 'mission = "rest"')),
        "attributes.ger_fighter/1.mission",
        "rest",
    ),
]


@each_row(("position", "path", "words"), CASES)
def test_a_defect_of_a_position_is_found_at_its_place(position: str, path: str, words: str) -> None:
    found = defects(position)

    assert [problem for where, problem in found if where == path and words in problem], found


def test_all_defects_are_listed_with_their_lines() -> None:
    wrong = text(at("kalach"), top='phase = "winter"', rest='control = { kalach = "nobody" }')

    with pytest.raises(SetupInvalid) as caught:
        opened(wrong)

    assert [line.partition(",")[0] for line in caught.value.defects] == ["line 3", "line 5", "line 4"]


def test_an_air_unit_of_the_attacker_over_a_fight_has_a_mission() -> None:
    """movement.air.attack-target: without one it takes no part in the combat, which nobody who states a position means."""
    fight, enemy = at("kalach"), at("kalach", "sov_fighter", face="air")
    fighter, marked = at("kalach", "ger_fighter", face="air"), markers(kalach="battle")
    ((path, problem),) = defects(text(fight, INFANTRY, fighter, top=BATTLES, rest=marked))
    stays = "\n".join([marked, remembered("ger_fighter/1", 'mission = "stay"')])

    assert path == "pieces.2.place"
    assert problem == (
        "ger_fighter/1 flies in the combat in kalach without a mission; its attribute mission must be attack if it came in this turn, "
        "stay if it was there before"
    )
    assert defects(text(fight, INFANTRY, fighter, top=BATTLES, rest=stays)) == []
    assert defects(text(fight, INFANTRY, fighter, top=MOVING, rest=marked)) == [], "it is given one yet"
    assert defects(text(fight, INFANTRY, enemy, top=BATTLES, rest=marked)) == [], "a defender needs none"


def test_a_position_without_defects_has_none() -> None:
    bomber = at("above/crossing_white", "ger_bomber", face="air")

    assert defects(text()) == []
    assert defects(text(bomber, top='phase = "axis_landing"')) == [], "its attack is over"
    assert defects(text(bomber, top=BATTLES)) == [], "its attack is over"
    assert defects(f'{HEADER}\nscenario = "uranus"') == []
    assert defects(text(top=MOVING, rest=remembered("ger_tank/1", 'move = "moved"'))) == []


# What is set up


def test_a_position_that_says_nothing_is_the_set_up_chart() -> None:
    """RuleId("setup.common.pools"), RuleId("setup.common.control"), RuleId("setup.common.order-deck")."""
    made, printed = opened(HEADER).table, Desk.open("axis_allies").table

    assert (made.pieces, made.control, made.markers) == (printed.pieces, printed.control, printed.markers)
    assert (made.piles, made.tracks) == (printed.piles, printed.tracks)
    assert (made.stack, made.attributes) == (printed.stack, printed.attributes)


def test_the_chart_of_operation_uranus_begins_with_its_own_card() -> None:
    """RuleId("setup.uranus.marker-round-7"), RuleId("setup.uranus.deck"), RuleId("setup.uranus.axis-rpc"),
    RuleId("setup.uranus.supply-tokens")."""
    table = opened(f'{HEADER}\nscenario = "uranus"').table

    assert (table.round, table.phase, table.track(RPC[AXIS])) == (7, "allies_reinforcement", 40)
    assert table.pile(ORDER_BOX).cards == ("order/7", "order/8")
    kinds = [table.pieces[piece].kind for piece in table.pieces_at(PlaceId("tatsinskaya"))]
    assert sorted(kinds) == ["ger_bomber", "ger_bomber", "supply", "supply", "supply"]


def test_named_units_replace_those_of_the_chart_and_their_battles() -> None:
    table = opened(text(top=MOVING)).table

    assert [piece.id for piece in table.pieces.values() if piece.kind != "supply"] == ["ger_tank/1", "sov_infantry/1"]
    assert not any("battle" in there for there in table.markers.values())
    assert table.marker("crossing_gray", FERRY) == 1


def test_the_units_of_the_chart_keep_their_battles_and_can_be_named_where_something_is_remembered() -> None:
    moved = remembered("ger_tank/1", 'move = "moved"')
    rest = f"{markers(kalach='assault')}\n{moved}"
    table = opened(f"{HEADER}\n{MOVING}\n{rest}").table

    fights = {on: {*there} & {"assault", "battle"} for on, there in table.markers.items()}
    assert {on: there for on, there in fights.items() if there} == {
        "kalach": {"assault"},
        "abganerovo_station": {"battle"},
        "tinguta": {"battle"},
    }
    assert MOVE.of(table, "ger_tank/1") == "moved"


def test_counters_of_a_kind_replace_those_of_the_chart() -> None:
    rest = 'markers = { crossing_gray = { ferry = 1 }, kalach = { "factory/tank" = 1 } }'
    table = opened(text(top=MOVING, rest=rest)).table

    assert [on for on, there in table.markers.items() if "ferry" in there] == ["crossing_gray"]
    assert [on for on, there in table.markers.items() if "factory/tank" in there] == ["kalach"]
    assert table.marker("barrikady_factory", FACTORY["artillery"]) == 1


def test_a_factory_of_the_chart_shows_who_holds_it() -> None:
    """RuleId("order.8.flip")."""
    table = opened(text(top=MOVING, rest='control = { tractor_factory = "axis" }')).table

    assert table.marker("tractor_factory", CAPTURED_FACTORY["tank"]) == 1


@each_row(("rounds", "don", "bridges"), [((), 0, 0), ((6,), 1, 0), ((6, 7), 1, 3)])
def test_frozen_rivers_follow_from_the_rounds_of_bad_weather(rounds: tuple[int, ...], don: int, bridges: int) -> None:
    """RuleId("freeze.don-first"), RuleId("icebridge.place-all")."""
    rest = markers(**{f"round/{number}": "frozen" for number in rounds})
    table = opened(text(top=f"round = 7\n{MOVING}", rest=rest)).table

    assert table.marker(DON, FROZEN) == don
    assert sum([table.marker(one, ICE_BRIDGE) for one in BOARD.crossings]) == bridges
    assert sum([table.marker(one, FERRY) for one in BOARD.crossings]) == 3 - bridges


def test_tokens_are_in_the_pools_or_where_the_position_has_them() -> None:
    """RuleId("setup.common.pools")."""
    taken = '{ id = "token/1", place = "kalach", side = "allies" }'
    table = opened(text(TANK, INFANTRY, at("surovikino", "token", 2), taken, top=MOVING)).table

    tokens = [table.pieces[token(number)] for number in (1, 2)]
    assert [(piece.side, piece.place) for piece in tokens] == [(ALLIES, "kalach"), (AXIS, "surovikino")]
    assert [len(table.pieces_at(PlaceId(f"pool/{side}"))) for side in (AXIS, ALLIES)] == [5, 11]


def test_the_order_deck_follows_from_the_phase() -> None:
    """RuleId("sequence.card-order"), RuleId("sequence.removed-cards")."""
    rest = f"piles = {{ {OUT} }}\nmarkers = {{ {STORM} }}"
    table = opened(text(top='round = 6\nphase = "allies_movement"', rest=rest)).table

    assert table.pile(ORDER_DECK).cards == ("order/10", "order/11", "order/12", "order/13", "order/14")
    assert table.pile(ORDER_DISCARDS).count == 8
    assert table.pile(ORDER_BOX).cards == ("order/7",)


def test_cards_on_a_front_are_known_to_the_allies_only() -> None:
    """RuleId("order.7.secret")."""
    table = opened(text(top=MOVING, rest='piles = { uranus_northwest = ["uranus_4"] }')).table

    assert table.pile(URANUS_FRONT["northwest"]).cards == ("uranus_4",)
    assert table.pile(URANUS_FRONT["northwest"]).seen_by == (ALLIES_SEAT,)
    assert (table.pile(URANUS_DECK).count, table.pile(URANUS_DECK).seen_by) == (13, ())


def test_a_position_says_what_is_remembered_in_the_midst_of_a_phase() -> None:
    bomber = at("surovikino", "ger_bomber", face="air")
    rest = f"""{markers(pitomnik="assault", surovikino="battle", kalach="battle")}
    [attributes]
    kalach = {{ liberated = true, fought = true }}
    "ger_bomber/1" = {{ mission = "attack" }}
    "sov_infantry/1" = {{ fired = true }}
    """
    table = opened(text(TANK, INFANTRY, bomber, top=BATTLES, rest=rest)).table

    assert table.top is not None and table.top.kind == "next_combat"
    assert (LIBERATED.of(table, "kalach"), FOUGHT.of(table, "kalach")) == (True, True)
    assert (MISSION.of(table, "ger_bomber/1"), FIRED.of(table, "sov_infantry/1")) == ("attack", True)


def test_a_decision_goes_on_in_the_midst_of_its_phase() -> None:
    rest = remembered("ger_tank/1", 'move = "moved"')
    desk = opened(text(TANK, at("manoilin", "ger_tank", 2), INFANTRY, top=MOVING, rest=rest))

    assert MOVE.of(desk.table, "ger_tank/1") == "moved"
    assert {getattr(option, "origin", "manoilin") for option in desk.options()} == {"manoilin"}


def test_a_position_settles_who_plays_which_side() -> None:
    """ruling.auction-mode"""
    top = f'mode = "auction"\nplays = {{ first = "allies", second = "axis" }}\nturn_seat = "second"\n{MOVING}'
    table = opened(text(top=top)).table

    assert table.top is not None and table.top.seat == "second"
