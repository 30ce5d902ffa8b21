"""Card 7, the launch of Operation Uranus and its deployment, and the draws of the scenario."""

from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    ASSAULT,
    AXIS,
    AXIS_SEAT,
    BATTLE,
    FLYING,
    ORDER_BOX,
    ORDER_DECK,
    PHASES,
    RACE,
    SUPPLY,
    URANUS,
    URANUS_DECK,
    URANUS_DEPLOYED,
    URANUS_FRONT,
    order_card,
    round_space,
)
from core.games.axis_allies.rules.commands import DeployCard, Front, Launch, Wait
from core.games.axis_allies.rules.queries import free_unit, storm_round
from core.games.axis_allies.rules.uranus import CounterOffensive
from events.ids import CardId, PileId, PlaceId, Seat
from events.vocabulary import Event
from projections.state.table import Table
from projections.state.view import see
from tests.support.axis_allies import BOARD, SCENE, Scene, bare, charts
from tests.support.rows import each_row

CHAPTER = CounterOffensive(BOARD)
RULES = DecisionRules(CHAPTER.decisions, sequences=CHAPTER.sequences)
NORTHWEST, SOUTHEAST = URANUS_FRONT.values()
FROLOVO, TERKIN, VESHENSKAYA = PlaceId("frolovo"), PlaceId("terkin"), PlaceId("veshenskaya")
KRASNOARMEYSK, LAKE_SARPA = PlaceId("krasnoarmeysk"), PlaceId("lake_sarpa")


def card(number: int) -> CardId:
    return CardId(f"uranus_{number}")


def cards(table: Table, pile: PileId) -> list[CardId]:
    return list(table.pile(pile).cards)


def phase(draft: Draft, number: int, draws: tuple[int, ...] = ()) -> Scene:
    """Begin card 7 in a round, with the cards that are drawn."""
    draft.begin_round(number, SCENE)
    draft.begin_turn(ALLIES, SCENE)
    for before in range(1, 7):
        if order_card(before) in draft.table.pile(ORDER_DECK).cards:
            draft.discard(order_card(before), ORDER_DECK, PileId("order_discards"), SCENE)
    draft.begin_phase(PHASES[7], SCENE)
    scene = Scene(draft, RULES)
    scene.run(CHAPTER.begin, draws=[card(one) for one in draws])
    return scene


def placed(draft: Draft, northwest: tuple[int, ...] = (), southeast: tuple[int, ...] = ()) -> Draft:
    """Lay cards on the fronts, as in earlier rounds."""
    for numbers, pile in ((northwest, NORTHWEST), (southeast, SOUTHEAST)):
        for one in numbers:
            draft.move_card(card(one), URANUS_DECK, pile, SCENE, seen_by=(ALLIES_SEAT,))
    return draft


def launched(number: int, northwest: tuple[int, ...], southeast: tuple[int, ...], draft: Draft | None = None) -> Scene:
    """Launch in a round with these cards, the last of each front drawn in it."""
    before = placed(draft or charts(), northwest[:-1], southeast[:-1])
    scene = phase(before, number, (northwest[-1], southeast[-1]))
    commands = [Pick(card(northwest[-1])), *([Launch()] if number < 7 else [])]
    scene.do(*commands)
    return scene


def bare_match() -> Draft:
    """Return a table without units, with all cards in their piles."""
    draft = bare()
    for pile, there in charts().table.piles.items():
        draft.form(pile, there.cards, SCENE, seen_by=there.seen_by)
    return draft


def views(events: list[Event], seat: Seat) -> str:
    return repr([see(event, seat) for event in events])


# Cards drawn and placed


@each_row("number", [1, 2])
def test_card_7_does_nothing_in_the_first_two_rounds(number: int) -> None:
    """RuleId("order.7.rounds-1-2")."""
    scene = phase(charts(), number)

    assert (scene.asked, len(cards(scene.table, URANUS_DECK))) == ("", 14)
    assert [event.rule for event in scene.events] == ["order.7.rounds-1-2"]


def test_the_allies_place_one_of_two_drawn_cards_on_each_front() -> None:
    """RuleId("order.7.draw"), RuleId("order.7.place")."""
    scene = phase(charts(), 3, (4, 9))

    assert scene.asked == "allies place_cards"
    assert scene.options == [Pick(card(4)), Pick(card(9))]
    assert scene.refused(Choose((card(4), card(9)))) == ("cards_must_keep_to_fronts", "order.7.place")
    assert scene.refused(Launch())[0] == "decision_must_be_open"
    for wrong in (Choose(()), Choose((card(4), card(9)))):
        refusal = scene.refusal(wrong)
        assert refusal is not None and refusal.sentence == "Choose one card; the other front gets the other."

    scene.do(Pick(card(9)))

    assert (cards(scene.table, NORTHWEST), cards(scene.table, SOUTHEAST)) == ([card(9)], [card(4)])
    assert (scene.asked, scene.options) == ("allies launch", [Launch(), Wait()])

    scene.do(Wait())

    assert (scene.asked, storm_round(scene.table, BOARD)) == ("", 0)
    assert order_card(7) in cards(scene.table, ORDER_DECK)


def test_only_the_allies_see_what_is_drawn_and_placed() -> None:
    """RuleId("order.7.secret"), RuleId("order.7.draw")."""
    scene = phase(charts(), 3, (4, 9))
    drawn = scene.events
    moved = scene.do(Pick(card(9)))
    waited = scene.do(Wait())

    for events in (drawn, moved, waited):
        assert "uranus_4" not in views(events, AXIS_SEAT)
        assert "uranus_9" not in views(events, AXIS_SEAT)
    assert "uranus_4" in views(drawn, ALLIES_SEAT)
    assert "uranus_9" in views(moved, ALLIES_SEAT)
    assert str(NORTHWEST) in views(moved, AXIS_SEAT), "the number of cards on each front is public"


def test_cards_placed_earlier_stay_where_they_are() -> None:
    """RuleId("order.7.place")."""
    scene = phase(placed(charts(), (1,), (2,)), 4, (3, 5))
    scene.do(Pick(card(5)))

    assert (cards(scene.table, NORTHWEST), cards(scene.table, SOUTHEAST)) == (
        [card(1), card(5)],
        [card(2), card(3)],
    )


# The launch


@each_row(("number", "storm"), [(3, 6), (6, 9)])
def test_a_launch_ends_card_7_and_sets_the_round_of_winter_storm(number: int, storm: int) -> None:
    """RuleId("order.7.launch"), RuleId("order.7.removed"), RuleId("winter-storm.marker-place"), ruling.uranus-undrawn-hidden."""
    scene = launched(number, (9,), (4,))

    assert storm_round(scene.table, BOARD) == storm
    assert cards(scene.table, ORDER_BOX) == [order_card(7)]
    assert order_card(7) not in cards(scene.table, ORDER_DECK)
    assert len(cards(scene.table, URANUS_DECK)) == 12
    assert scene.table.pile(URANUS_DECK).seen_by == ()


def test_a_launch_reveals_what_was_placed_but_not_in_which_round() -> None:
    """RuleId("order.7.launch"), RuleId("order.7.secret")."""
    scene = launched(6, (9, 1), (4,))
    seen = views(scene.events, AXIS_SEAT)

    assert all(f"'{card(one)}'" in seen for one in (9, 1, 4))
    assert scene.table.pile(NORTHWEST).seen_by is None
    assert cards(scene.table, NORTHWEST) == [card(1), card(9)]


def test_in_round_7_the_launch_cannot_wait() -> None:
    """RuleId("order.7.launch-uranus-deadline"), RuleId("winter-storm.marker-place")."""
    scene = launched(7, (9, 1), (4, 2))

    assert scene.asked == "allies deploy_card"
    assert scene.refused(Wait()) == ("uranus_must_be_launched", "order.7.launch-uranus-deadline")
    assert storm_round(scene.table, BOARD) == 10
    assert "order.7.launch-uranus-deadline" in [event.rule for event in scene.events]


# Deployment


def test_in_round_3_there_is_one_zone_for_each_card() -> None:
    """RuleId("uranus.deploy.card-together"), RuleId("uranus.deploy.air"), ruling.uranus-capacity."""
    scene = launched(3, (7,), (3,), bare_match())

    assert scene.options == [DeployCard(card(7), FROLOVO), DeployCard(card(3), KRASNOARMEYSK)]

    scene.do(DeployCard(card(7), FROLOVO))

    assert (scene.asked, cards(scene.table, URANUS_DEPLOYED)) == ("", [card(7), card(3)])
    assert sorted(scene.kinds(FROLOVO)) == [
        "sov_artillery",
        "sov_bomber",
        "sov_infantry",
        "sov_infantry",
        "sov_rocket_launcher",
        SUPPLY,
    ]
    (bomber,) = [piece for piece in scene.table.pieces_at(FROLOVO) if scene.table.pieces[piece].kind == "sov_bomber"]
    assert scene.table.pieces[bomber].face == FLYING
    assert sorted(scene.kinds(KRASNOARMEYSK)) == ["sov_artillery", "sov_fighter", *["sov_infantry"] * 3]


def test_cards_keep_to_their_fronts_and_to_the_zones_that_are_open() -> None:
    """RuleId("uranus.deploy.fronts"), RuleId("uranus.deploy.round-zones"), RuleId("uranus.deploy.card-together")."""
    scene = launched(6, (9, 1), (4, 2), bare_match())

    assert scene.options == [
        *[DeployCard(card(one), zone) for one in (1, 9) for zone in (TERKIN, FROLOVO)],
        *[DeployCard(card(one), zone) for one in (2, 4) for zone in (KRASNOARMEYSK, LAKE_SARPA)],
    ]
    assert scene.refused(DeployCard(card(9), LAKE_SARPA)) == ("cards_must_keep_to_fronts", "uranus.deploy.fronts")
    assert scene.refused(DeployCard(card(12), FROLOVO))[0] == "cards_must_keep_to_fronts"
    closed = ("zone_must_be_eligible", "uranus.deploy.round-zones")
    assert scene.refused(DeployCard(card(9), VESHENSKAYA)) == closed
    assert scene.refused(DeployCard(card(9), PlaceId("kalach"))) == closed
    assert scene.refused(DeployCard(card(9), PlaceId("nowhere"))) == closed

    scene.do(DeployCard(card(9), TERKIN))

    assert sorted(scene.kinds(TERKIN)) == ["sov_infantry", "sov_mech_infantry", "sov_tank", "sov_tank"]
    assert scene.refused(DeployCard(card(9), FROLOVO)) == (
        "card_units_must_stay_together",
        "uranus.deploy.card-together",
    )


def test_a_zone_takes_two_cards() -> None:
    """RuleId("uranus.deploy.two-cards")."""
    scene = launched(5, (9, 1, 5), (4,), bare_match())
    scene.do(DeployCard(card(1), FROLOVO))
    scene.do(DeployCard(card(5), FROLOVO))

    assert scene.refused(DeployCard(card(9), FROLOVO)) == (
        "zone_must_take_at_most_two_cards",
        "uranus.deploy.two-cards",
    )
    assert DeployCard(card(9), TERKIN) in scene.options


def test_cards_without_a_zone_are_lost() -> None:
    """RuleId("uranus.deploy.two-cards"), ruling.uranus-capacity."""
    scene = launched(3, (9, 1, 5), (4,), bare_match())
    lost = scene.do(DeployCard(card(9), FROLOVO), DeployCard(card(4), KRASNOARMEYSK), DeployCard(card(1), FROLOVO))

    assert scene.asked == ""
    assert card(5) in cards(scene.table, URANUS_DEPLOYED)
    assert "no zone is left" in repr(lost)
    assert len(scene.kinds(FROLOVO)) == 8


@each_row("is_held", [True, False])
def test_cards_assault_or_take_hostile_zones(is_held: bool) -> None:
    """RuleId("uranus.deploy.hostile")."""
    draft = bare_match()
    draft.control(FROLOVO, AXIS, SCENE)
    if is_held:
        draft.place(free_unit(draft.table, "min_infantry"), FROLOVO, SCENE, kind="min_infantry", side=AXIS)
    scene = launched(3, (2,), (4,), draft)
    scene.do(DeployCard(card(2), FROLOVO))

    assert scene.table.control[FROLOVO] == (AXIS if is_held else ALLIES)
    assert scene.table.marker(FROLOVO, ASSAULT) == int(is_held)
    assert "uranus.deploy.hostile" in [event.rule for event in scene.events]


@each_row("is_held", [True, False])
def test_without_a_combat_marker_an_enemy_zone_cannot_be_assaulted(is_held: bool) -> None:
    """RuleId("components.combat-markers.exhausted"), ruling.marker-shortage-forced, ruling.uranus-capacity."""
    draft = bare_match()
    draft.control(FROLOVO, AXIS, SCENE)
    if is_held:
        draft.place(free_unit(draft.table, "min_infantry"), FROLOVO, SCENE, kind="min_infantry", side=AXIS)
    for zone in list(BOARD.zones)[-BOARD.file.components.combat_markers :]:
        draft.mark(zone, BATTLE, SCENE)
    scene = launched(5, (1, 2), (4,), draft)

    assert scene.refused(DeployCard(card(1), FROLOVO)) == (
        "combat_marker_must_be_available",
        "components.combat-markers.exhausted",
    )


# Components that run short


def test_a_card_deploys_what_it_can() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    draft = bare_match()
    figures = BOARD.units["sov_rocket_launcher"].figures
    for zone in list(BOARD.zones)[-figures:]:
        draft.place(free_unit(draft.table, "sov_rocket_launcher"), zone, SCENE, kind="sov_rocket_launcher", side=ALLIES)
    scene = launched(3, (2,), (4,), draft)
    scene.do(DeployCard(card(2), FROLOVO))

    assert sorted(scene.kinds(FROLOVO)) == ["sov_infantry", "sov_infantry", "sov_tank"]
    assert "no piece is left" in repr(scene.events)


def test_the_allies_choose_what_a_card_leaves_behind() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    box = BOARD.file.components
    draft = bare_match()
    kinds = ("sov_infantry", "sov_tank", "sov_rocket_launcher")
    chips = box.gray_chips + box.green_chips * box.green_worth - 1
    for kind in kinds:
        for _ in range(BOARD.units[kind].figures + (chips if kind == "sov_infantry" else 0)):
            draft.place(free_unit(draft.table, kind), FROLOVO, SCENE, kind=kind, side=ALLIES)
    scene = launched(3, (2,), (4,), draft)
    scene.do(DeployCard(card(2), FROLOVO))

    assert scene.asked == "allies leave_units"
    assert scene.options == [Pick(kind) for kind in kinds]
    assert scene.refused(Choose(("sov_infantry",)))[0] == "choice_must_reach_minimum"

    for kind in ("sov_infantry", "sov_tank", "sov_infantry"):
        scene.do(Pick(kind))
    scene.do(Done())

    table = scene.table
    assert [sum(piece.kind == kind for piece in table.pieces.values()) for kind in kinds] == [
        BOARD.units["sov_infantry"].figures + chips,
        BOARD.units["sov_tank"].figures,
        BOARD.units["sov_rocket_launcher"].figures + 1,
    ]


# The scenario


def test_in_the_scenario_each_front_gets_five_cards() -> None:
    """RuleId("setup.uranus.draws"), RuleId("setup.uranus.deploy"), RuleId("setup.uranus.undrawn")."""
    scene = Scene(charts(URANUS), RULES)
    drawn = scene.run(CHAPTER.set_up.begin, draws=[card(one) for one in (1, 2, 3, 4, 5)])

    assert (scene.asked, scene.options) == ("allies front", [Front("northwest"), Front("southeast")])
    assert scene.refused(Front("both")) == ("cards_must_keep_to_fronts", "setup.uranus.draws")
    assert "uranus_5" not in views(drawn, AXIS_SEAT)

    scene.do(Front("southeast"), draws=[card(one) for one in (6, 7, 8, 9, 10)])

    assert cards(scene.table, SOUTHEAST) == [card(one) for one in range(1, 6)]
    assert cards(scene.table, NORTHWEST) == [card(one) for one in range(6, 11)]
    assert scene.asked == "allies deploy_card"
    assert DeployCard(card(6), VESHENSKAYA) in scene.options, "all zones are open"
    assert len(scene.options) == 5 * 3 * 2

    while scene.asked:
        scene.do(scene.options[-1])

    assert len(cards(scene.table, URANUS_DEPLOYED)) == 10
    assert len(cards(scene.table, URANUS_DECK)) == 4
    assert scene.table.pile(URANUS_DECK).seen_by == ()
    assert scene.table.round == 0


def test_before_the_launch_no_card_is_deployed_in_the_longer_scenario() -> None:
    """RuleId("winter-storm.marker-place"), RuleId("order.7.launch")."""
    scene = phase(charts(RACE), 3, (4, 9))
    scene.do(Pick(card(9)), Wait())

    assert cards(scene.table, URANUS_DEPLOYED) == []
    assert all(not scene.table.markers.get(round_space(number)) for number in range(1, 14))
