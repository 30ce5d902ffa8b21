"""The cards can be looked at before a match: a map, lists with marks on what is reconstructed, and their provenance."""

import re
from typing import get_args
from xml.etree import ElementTree

import pytest

from core.errors import SetupInvalid
from core.games.battle import GAME
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import CardFile, Timing
from core.games.battle.components.view.card_view import Invented, card_lines, make_report
from core.games.battle.components.view.map import INVENTED_RIM, map_places, map_remark, sheet
from core.games.battle.components.words.card_words import MOMENTS, chart_words, force_notes, values_words
from core.narration.sheet import Land
from core.toml.outside_toml import OutsideText, read_outside
from core.wording import counted
from events.codec import convert
from events.ids import PieceId, PlaceId
from tests.support.rows import each_row

TEXT = CARD_FILE.shipped_bytes.decode()
CARDS = CARD_FILE.load()
PLAIN = read_outside(CARD_FILE.shipped_bytes)


def lines() -> tuple[str, ...]:
    assert isinstance(PLAIN, OutsideText)
    return card_lines(convert(PLAIN.plain, CardFile), Invented(PLAIN.plain))


def look(name: str) -> Land:
    """Return how a Location is drawn."""
    assert isinstance(PLAIN, OutsideText)
    return sheet(CARDS, Invented(PLAIN.plain)).land[PlaceId(name)]


def test_the_sheet_shows_every_card_and_says_what_is_reconstructed() -> None:
    """ruling.reconstructed-cards."""
    report = make_report(None)

    assert report.digest == CARDS.source.digest
    assert report.map_lines == lines()
    assert report.provenance[0].startswith("in all: ")
    assert report.counts["X"] > 0 < len(report.words["X"])
    assert sum(": X" in line for line in report.doubtful) > 100


def test_the_sheet_quotes_the_sentences_that_invented_figures_fit() -> None:
    report = make_report(None)
    quoted = [line for line in report.doubtful if re.match(r"C\d+: ", line)]
    fitted = {key for line in report.doubtful if line not in quoted for key in re.findall(r"\bC\d+\b", line)}

    assert {line.partition(":")[0] for line in quoted} == fitted
    assert (
        "C99: Sample Game, German Second Turn: Gumrak gives 1 at 1 Rubble, the Grain Elevator 2 at 2 Rubble." in quoted
    )


@each_row(
    "expected",
    [
        "Gumrak Airfield 0-4: 1, 5: Destroyed* note lost*",
        "Mamayev Kurgan 0-4: 3, 5-7: 2, 8-9: 1, 10: Destroyed note kept*",
        "Univermag Department Store* 0-3: 1, 4: Destroyed* note kept*",
        "While you Control it, every Resupply Action of yours hands out 3 Rations instead of 2.",
        "14th Panzer 7* 4 3*",
        "16th Panzer 5* 4 3* Moves free",
        "24th Panzer* 5* 3* 3* +2 Combat when attacking*",
        "248th Rifle 3* 1 2* stops 1 extra when Retreating",
        "6th Guards 1 0 1* +1 Combat when attacking*",
        "Dive Bombers: own Actions step; German +1 +1 -1, Russian -*",
        "Heavy Weapons: battle, before the Firefight*; German +1 -1 +2, Russian +1 -1*",
        "Operation: Uranus (the ring closes)*: -1*; Destroy 1 own Force; removed: discard 3 cards*",
        "* reconstructed: the rulebook's text does not give it",
    ],
)
def test_what_the_lists_say(expected: str) -> None:
    """location.rubble-chart, force.combat, force.cost, force.starting-rations, card.firefight-value, uranus.play-cost."""
    assert expected in [re.sub(" +", " ", line).strip() for line in lines()]


def test_the_lists_name_every_card() -> None:
    listed = "\n".join(lines())
    names = [*(one.name for one in CARDS.locations.values()), *(one.name for one in CARDS.forces.values())]
    names += [card.title.name for card in CARDS.cards.values()]

    assert [name for name in names if name not in listed] == []


def test_columns_are_aligned_and_no_line_is_too_long() -> None:
    listed = lines()
    head = next(line for line in listed if line.startswith("Force "))
    row = next(line for line in listed if line.startswith("16th Panzer"))

    assert row[head.index("Combat")] == "5"
    assert max(map(len, listed)) <= 100
    assert all(line == line.rstrip() for line in listed)


def test_the_locations_lie_in_rows_of_six_between_the_areas_of_both_sides() -> None:
    """setup.areas: four Areas for each Location."""
    places = {place.id: place for place in map_places(CARDS)}
    gumrak = [
        places[PlaceId(name)]
        for name in (
            *("gumrak_airfield/german/perimeter", "gumrak_airfield/german/control", "gumrak_airfield"),
            *("gumrak_airfield/russian/control", "gumrak_airfield/russian/perimeter"),
        )
    ]

    assert len(places) == 50
    assert len({place.x for place in gumrak}) == 1
    assert [place.y for place in gumrak] == sorted(place.y for place in gumrak)
    assert len({places[PlaceId(name)].y for name in CARDS.locations}) == 2
    assert len({places[PlaceId(name)].x for name in CARDS.locations}) == 6


def test_the_map_draws_no_lines_between_locations() -> None:
    """setup.locations.no-adjacency."""
    assert {place.neighbours for place in map_places(CARDS)} == {()}


def test_the_map_tells_charts_and_notes_with_marks() -> None:
    drawn = look("the_docks")

    assert drawn.words[:4] == (
        *("0-2 Rubble: 3 Rations*", "3-4 Rubble: 2 Rations*", "5-6 Rubble: 1 Ration*", "7 Rubble: Destroyed*"),
    )
    assert " ".join(drawn.words[4:]).endswith("than its Starting Rations. Kept when Destroyed.*")
    assert look("mamayev_kurgan").words[3] == "10 Rubble: Destroyed"


def test_a_guessed_location_has_another_outline() -> None:
    assert look("univermag_department_store").rim == INVENTED_RIM
    assert not look("gumrak_airfield").rim


def test_the_map_is_drawn() -> None:
    root = ElementTree.fromstring(make_report(None).svg)
    drawn = [one for one in root.iter("{http://www.w3.org/2000/svg}g") if "id" in one.attrib]
    texts = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]

    assert len(drawn) == 50
    assert map_remark(CARDS) in texts
    assert "Dzerzhinskiy Tractor Factory" in " ".join(texts)


def test_the_sheet_of_an_owners_cards_counts_what_the_owner_read() -> None:
    owned = TEXT.replace('name = "45th Rifle"\ncombat = 1', 'name = "45th Rifle"\ncombat = 2')
    owned = owned.replace(
        'prov = { _ = "X", id = "H", name = "P4" }\n\n[[force]]\nid = "r_95_rifle"',
        'prov = "owner"\n\n[[force]]\nid = "r_95_rifle"',
    )
    report = make_report(owned)

    assert report.counts["owner"] == 6
    assert any(re.fullmatch(r"45th Rifle +2 +2 +1", line) for line in report.map_lines)
    assert "An owner's own file" in report.svg
    assert report.digest != make_report(None).digest


def test_cards_with_defects_have_no_sheet() -> None:
    with pytest.raises(SetupInvalid) as caught:
        make_report("schema = 1")

    assert caught.value.defects


def test_a_bare_file_is_shown_in_the_rules_own_words() -> None:
    bare = re.sub(r"(?m)^(?:note_)?text = .*\n", "", TEXT)
    bare = re.sub(r"(?m)^prov = .*$", lambda prov: re.sub(r', (?:note_)?text = "[^"]*"', "", prov[0]), bare)
    listed = make_report(bare).map_lines

    assert "    rations anywhere*" in listed
    assert "    card attack" in listed


def test_the_game_offers_its_report() -> None:
    assert GAME.make_report is not None
    assert GAME.make_report(None, "") == make_report(None)


def test_charts_notes_and_values_are_written_in_words() -> None:
    assert set(MOMENTS) == set(get_args(Timing))
    assert (counted(1, "card"), counted(2, "card"), counted(0, "card")) == ("1 card", "2 cards", "0 cards")
    assert (values_words(()), values_words((1, -3))) == ("-", "+1 -3")
    assert force_notes(CARDS.forces[PieceId("g_295_infantry")]) == "ignores the first 2 Hits of each fight"
    assert chart_words(CARDS.locations["gumrak_airfield"]) == "0-4: 1, 5: Destroyed"
