"""The drawn table of this game: Forces as cards, Rubble tracks, Hits so far, and what a side has besides."""

from core.games.battle.components.words.card_words import effect_words
from core.games.battle.ids import GERMAN, RUSSIAN
from core.games.battle.narration.card_table import SILHOUETTES, arm_of
from core.narration.card_table import CardTable, PlaceCard
from core.narration.sheet import Counter, Drawing
from core.svg.silhouettes import SILHOUETTES as SHAPES
from core.svg.symbols import SYMBOLS
from events.ids import PieceId
from tests.support.battle import NARRATION, RULES, SAMPLE, Scene, order, scene
from tests.support.rows import each_row


def drawing(table: Scene) -> Drawing:
    drawn = NARRATION.drawing(table.table)
    assert drawn is not None
    return drawn


def cards(table: Scene) -> CardTable:
    found = drawing(table).cards
    assert found is not None
    return found


def card(table: Scene, location: str) -> PlaceCard:
    return next(one for one in cards(table).cards if one.place == location)


def force(table: Scene, piece: str) -> Counter:
    return drawing(table).counters[PieceId(piece)]


def test_the_number_of_a_force_is_its_combat_now_and_the_printed_one_stands_below_where_it_differs() -> None:
    """heroic.combat: a Heroic Service counter adds 1 Combat."""
    table = scene(forces={"g_14_panzer": "TDp", "g_16_panzer": "TDp"}, medals={"g_16_panzer": 2})
    plain, decorated = force(table, "g_14_panzer"), force(table, "g_16_panzer")
    printed = {piece: RULES.cards.forces[PieceId(piece)].combat for piece in ("g_14_panzer", "g_16_panzer")}

    assert plain.card is not None and decorated.card is not None
    assert (plain.figures, plain.card.printed, plain.card.stars) == (str(printed["g_14_panzer"]), "", 0)
    assert decorated.figures == str(printed["g_16_panzer"] + 2)
    assert (decorated.card.printed, decorated.card.stars) == (f"printed {printed['g_16_panzer']}", 2)


@each_row("rations", [0, 1, 9])
def test_a_force_shows_its_rations_as_tokens_or_that_it_has_none(rations: int) -> None:
    shown = force(scene(forces={"g_14_panzer": "TDp"}, rations={"g_14_panzer": rations}), "g_14_panzer").card

    assert shown is not None
    assert (shown.pips, shown.without) == (rations, "no Rations")


def test_the_track_of_a_location_has_a_square_for_each_rubble_and_the_last_destroys_it() -> None:
    """location.rubble-chart: Mamayev Kurgan gives 3, 2 or 1; location.destroyed.threshold: it is Destroyed by its 10th Rubble."""
    track = card(scene(rubble={"MK": 6}, locations=("mamayev_kurgan", *SAMPLE[1:])), "mamayev_kurgan").track

    assert track is not None
    assert (track.filled, track.squares) == (6, 10)
    assert [(span.squares, span.words) for span in track.spans] == [(4, "3"), (3, "2"), (2, "1"), (1, "×")]


def test_a_destroyed_location_has_no_track_and_tells_whether_its_note_is_kept() -> None:
    table = scene(destroyed=["TD", "GE"])
    kept = {one.id: one.note_survives for one in RULES.cards.locations.values()}
    for location in ("the_docks", "grain_elevator"):
        shown = card(table, location)
        assert (shown.track, shown.gives) == (None, "Destroyed")
        assert (shown.effect == "Its note no longer applies.") == (not kept[location])


def test_every_location_has_an_effect_in_words_and_a_silhouette() -> None:
    for location in RULES.cards.locations.values():
        said = effect_words(location)
        assert said.endswith(".") and "{" not in said
        assert (str(location.note.amount) in said) == bool(location.note.amount)
        assert SILHOUETTES[location.id] in SHAPES
    assert {arm_of(one) for one in RULES.cards.forces.values()} <= set(SYMBOLS)


def test_the_hits_so_far_stand_on_the_location_of_the_battle_alone() -> None:
    table = scene(
        forces={"g_14_panzer": "TDc", "r_169_rifle": "TDc"},
        rations={"g_14_panzer": 2},
        hands={"german": ["rubble"], "russian": ["rubble"]},
    )
    table.do("german", order("attack", location="the_docks", forces=("g_14_panzer",)))
    shown = {one.place: one.scores for one in cards(table).cards if one.scores}
    combat = {
        side: RULES.cards.forces[PieceId(piece)].combat
        for side, piece in ((GERMAN, "g_14_panzer"), (RUSSIAN, "r_169_rifle"))
    }

    assert list(shown) == ["the_docks"]
    assert {score.side: score.figure for score in shown[next(iter(shown))]} == combat | {
        GERMAN: int(force(table, "g_14_panzer").figures)
    }
    acting = force(table, "g_14_panzer").card
    assert acting is not None
    assert (acting.note, acting.is_acting) == ("attacking", True)


def test_a_desk_counts_the_locations_that_its_side_controls() -> None:
    goals = {desk.side: desk.goal for desk in cards(scene(forces={"g_14_panzer": "TDc", "r_169_rifle": "GEc"})).desks}
    needed = RULES.cards.figures.victory_locations

    assert goals == {GERMAN: ("Control", 1, needed), RUSSIAN: ("Control", 1, needed)}
