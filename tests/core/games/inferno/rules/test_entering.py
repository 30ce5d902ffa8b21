"""What follows when units enter a hex, and what is drawn by whom."""

from contextlib import suppress

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.games.inferno.ids import CO_OP, FORTIFICATIONS, GERMAN, HEADQUARTERS, ONE_VS_ONE, SOVIET, discards
from core.games.inferno.memory import CAPTURED_BY
from core.games.inferno.rules.cards import draw_german, draw_soviet, has_leader
from core.games.inferno.rules.entering import enter
from events.ids import CardId, PlaceId, RuleId, Seat
from events.vocabulary import CardDrawn, CardMoved
from tests.support.inferno import BOARD, Scene, order, scene
from tests.support.rows import each_row

RULE = RuleId("german.short-move.one-hex")
FAR = {"50": ["98-rifle"]}
PANZER = "2-panzer"


def entered(table: Scene, unit: str, place: str, draws: tuple[str, ...] = ()) -> Draft:
    """Let a unit enter a hex."""
    draft = Draft(table.table, ManualChance((), draws))
    enter(draft, BOARD, (table.piece(unit),), PlaceId(place), RULE)
    return draft


def test_control_switches_on_entry_and_stays_when_the_hex_is_empty() -> None:
    """control.switch-on-entry, control.persists-when-empty, control.retake"""
    table = scene(german={"29": [PANZER]}, soviet=FAR)
    entered(table, PANZER, "44")
    entered(table, PANZER, "45")

    assert table.control("44") == table.control("45") == GERMAN

    entered(table, "98-rifle", "44")

    assert table.control("44") == SOVIET


@each_row(
    ("value", "place", "control", "cards"),
    [
        ("enemy-only", "13", SOVIET, 1),
        ("enemy-only", "13", GERMAN, 0),
        ("enemy-only", "X", SOVIET, 0),
        ("any-of-nine", "X", SOVIET, 1),
        ("enemy-only", "14", SOVIET, 0),
    ],
)
def test_a_captured_spawn_hex_gives_a_card(value: str, place: str, control: str, cards: int) -> None:
    """capture.spawn-hex-card, ruling.enemy-spawn-hex, card.german-draw-source"""
    table = scene(
        german={"29": [PANZER]}, soviet=FAR, control={control: [place]}, options={"spawn_capture_card": value}
    )
    entered(table, PANZER, place, ("german/stuka-1",) * cards)

    assert table.count("german_hand") == cards


def test_paulus_doubles_the_card_of_a_captured_hex() -> None:
    """leader.paulus, ruling.paulus-timing: only from the next draw on."""
    doubled = scene(german={"29": [PANZER]}, soviet=FAR, in_play=["german/paulus"])
    entered(doubled, PANZER, "13", ("german/stuka-1", "german/stuka-2"))
    drawn = scene(german={"29": [PANZER]}, soviet=FAR)
    entered(drawn, PANZER, "13", ("german/paulus",))

    assert doubled.count("german_hand") == 2
    assert (drawn.count("german_hand"), drawn.count("german_leaders")) == (0, 1)


def test_germans_destroy_a_fortification_that_they_enter() -> None:
    """designer.fortification.destroyed"""
    table = scene(german={"41": [PANZER]}, soviet=FAR, markers={"26": FORTIFICATIONS["red"]})
    entered(table, PANZER, "26")

    assert not table.table.marker("26", FORTIFICATIONS["red"])


def test_chuikov_is_lost_with_his_headquarters() -> None:
    """designer.chuikov.lost"""
    table = scene(german={"29": [PANZER]}, soviet=FAR, in_play=["soviet/chuikov"], markers={"14": HEADQUARTERS})
    entered(table, PANZER, "14")

    assert not table.table.marker("14", HEADQUARTERS)
    assert not has_leader(table.table, BOARD, "chuikov")
    assert table.count("soviet_discards") == 1


def test_leaders_come_into_play_at_once_and_all_work() -> None:
    """card.german-leader-immediate, card.leaders-stay, card.no-hand-limit"""
    table = scene(german={"Y": [PANZER]}, soviet=FAR)
    draft = Draft(table.table, ManualChance((), ("german/hoth", "german/linden", "german/pak-1")))
    draw_german(draft, BOARD, Seat("german"), 3, RULE)

    assert has_leader(table.table, BOARD, "hoth")
    assert has_leader(table.table, BOARD, "linden")
    assert table.count("german_hand") == 1


@each_row(("is_new", "cards"), [(False, 0), (True, 1)])
def test_an_empty_german_deck_gives_nothing_unless_it_is_formed_anew(is_new: bool, cards: int) -> None:
    """ruling.german-deck-empty"""
    table = scene(german={"Y": [PANZER]}, soviet=FAR, decks={"german": []}, options={"german_reshuffle": is_new})
    draft = Draft(table.table, ManualChance((), ("german/stuka-1",) * cards))
    draft.form(discards(GERMAN), (CardId("german/stuka-1"),), RULE)
    draw_german(draft, BOARD, Seat("german"), 1, RULE)

    assert table.count("german_hand") == cards


def test_only_the_drawing_seat_knows_a_card() -> None:
    """mode.co-op.cards-private, fog.co-op-hands, ruling.co-op-hand-view, ai.card-draw-blind"""
    for is_open in (False, True):
        table = scene(german={"Y": [PANZER]}, soviet=FAR, mode=CO_OP, options={"coop_open_hands": is_open})
        draft = Draft(table.table, ManualChance((), ("german/stuka-1", "soviet/aa-7")))
        draw_german(draft, BOARD, Seat("blue"), 1, RULE)
        draw_soviet(draft, BOARD, 1, RULE)
        german, soviet = [event.seen_by for event in draft.events if isinstance(event, CardDrawn)]

        assert german == (("yellow", "blue") if is_open else ("blue",))
        assert soviet == ()


def test_a_partner_who_knows_a_hand_knows_which_card_leaves_it() -> None:
    """ruling.co-op-hand-view, fog.cards-facedown-until-showdown"""
    for is_open in (False, True):
        table = scene(
            german={"58": ["544-infantry"]},
            soviet={"59": ["45-rifle"]},
            mode=CO_OP,
            hands={"yellow": ["german/stuka-1"]},
            options={"coop_open_hands": is_open},
        )
        table.do("yellow", order("deliberate-attack", targets=["59"], hexes=["58"]))
        table.do("yellow", order("commit-cards", cards=["german/stuka-1"]), dice=[1] * 14, draws=["soviet/aa-7"])

        assert [event.seen_by for event in table.events if isinstance(event, CardMoved)] == [
            ("yellow", "blue") if is_open else ("yellow",)
        ]


def test_a_soviet_seat_sees_its_cards() -> None:
    """fog.1v1-soviet-sees-own"""
    table = scene(german={"Y": [PANZER]}, soviet=FAR, mode=ONE_VS_ONE)
    draft = Draft(table.table, ManualChance((), ("soviet/aa-7",)))
    draw_soviet(draft, BOARD, 1, RULE)

    assert [event.seen_by for event in draft.events if isinstance(event, CardDrawn)] == [("soviet",)]


def test_nothing_follows_the_last_soviet_card() -> None:
    """victory.soviet-decisive.deck, ruling.draw-then-last-card-in-combat, victory.game-over"""
    table = scene(german={"Y": [PANZER]}, soviet=FAR, decks={"soviet": ["soviet/aa-7"]})
    draft = Draft(table.table, ManualChance((), ("soviet/aa-7",)))
    with suppress(MatchOver):
        draw_soviet(draft, BOARD, 2, RULE)

    assert table.result == "Soviet Decisive Victory"
    assert table.refused("german", order("reinforce")) == "match_must_be_running"


@each_row(
    ("value", "units", "seat"),
    [
        ("captor", ["267-infantry", "576-infantry"], "blue"),
        ("captor", ["576-infantry"], "yellow"),
        ("active", ["267-infantry"], "yellow"),
    ],
)
def test_a_captured_hex_is_credited(value: str, units: list[str], seat: str) -> None:
    """ruling.co-op-capture-credit; it is Yellow's turn"""
    table = scene(german={"29": units}, soviet=FAR, mode=CO_OP, options={"coop_credit": value})
    draft = Draft(table.table, ManualChance())
    enter(draft, BOARD, table.tokens(*units), PlaceId("44"), RULE)

    assert CAPTURED_BY.of(table.table, PlaceId("44")) == seat


@each_row(("value", "seat"), [("captor", "yellow"), ("last-entered", "blue")])
def test_the_partner_who_passes_later_changes_nothing_unless_an_option_says_so(value: str, seat: str) -> None:
    """mode.co-op.control-by-colour, ruling.co-op-capture-credit"""
    table = scene(
        german={"29": ["544-infantry"], "45": ["267-infantry"]}, soviet=FAR, mode=CO_OP, options={"coop_credit": value}
    )
    entered(table, "544-infantry", "44")
    entered(table, "544-infantry", "43")
    entered(table, "267-infantry", "44")

    assert CAPTURED_BY.of(table.table, PlaceId("44")) == seat
