"""A board that cannot be played on is refused; one that contradicts the rulebook's text is so too, unless it is a variant."""

from functools import partial

from core.games.axis_allies.components.board_file import BOARD_FILE
from tests.support.component_texts import Change, changed, defects_of, not_contradicting, not_refused, row_of, within

TEXT = BOARD_FILE.shipped_bytes.decode()
row = partial(row_of, TEXT)


def chart(scenario: str, old: str, new: str) -> Change:
    """Change something within the table of a scenario."""
    start = TEXT.index(f"[scenarios.{scenario}]")
    end = TEXT.find("[scenarios.", start + 1)
    block = TEXT[start : end if end > 0 else len(TEXT)]
    return within(TEXT, block, old, new)


Z, R = "zones.rows", "roads.rows"

IMPOSSIBLE: dict[str, tuple[list[Change], str]] = {
    "two zones of one name": ([row("terkin", "Terkin", "Frolovo")], f"{Z}[id 'frolovo'].name"),
    "two zones of one id": ([row("terkin", '"terkin"', '"frolovo"')], f"{Z}[id 'frolovo'].id"),
    "a site called as a zone": ([row("ambush_station", '"ambush_station"', '"terkin"')], "ambush_sites.rows[id 'terkin'].id"),
    "two zones at one spot": ([row("terkin", "x = 300, y = 60", "x = 560, y = 60")], f"{Z}[id 'frolovo'].x"),
    "a sector in the country": ([row("terkin", "y = 60", 'y = 60, sector = "white"')], f"{Z}[id 'terkin'].sector"),
    "a city zone without a sector": ([row("kuporosnoye", ', sector = "white"', "")], f"{Z}[id 'kuporosnoye'].sector"),
    "an exit over another edge": ([row("dubovka", 'edge = "north"', 'edge = "west"')], f"{Z}[id 'dubovka'].edge"),
    "an exit without a road": ([row("terkin", "y = 60", 'y = 60, exit = "allies", edge = "north"')], f"{Z}[id 'terkin'].exit"),
    "a front that never opens": ([row("tsatsa", ", opens = 7", "")], f"{Z}[id 'tsatsa'].opens"),
    "a base without an airfield": ([row("tatsinskaya", ", airfield = true", "")], f"{Z}[id 'tatsinskaya'].airfield"),
    "two bases of one side": ([row("pitomnik", "airfield = true", 'airfield = true, base = "axis"')], Z),
    "too few Uranus zones": ([row("frolovo", "opens = 3", "opens = 5")], Z),
    "a zone linked with itself": ([('["veshenskaya", "terkin"]', '["terkin", "terkin"]')], "links.region[no. 1]"),
    "a pair twice": ([('["veshenskaya", "terkin"]', '["kletskaya", "frolovo"]')], "links.region[no. 1]"),
    "a link to nowhere": ([('["veshenskaya", "terkin"]', '["veshenskaya", "moscow"]')], "links.region[no. 1][no. 2]"),
    "a link over both boards in the wrong array": ([('["veshenskaya", "terkin"]', '["veshenskaya", "orlovka"]')], "links.region[no. 1]"),
    "a region zone where a city zone belongs": ([('["orlovka", "rynok"]', '["rynok", "orlovka"]')], "links.city[no. 1]"),
    "a zone that is not linked": ([('["tinguta", "tsatsa"], ', ""), ('["lake_sarpa", "tsatsa"],', ""), ('["abganerovo_station", "tsatsa"], ', "")], "links.city"),
    "a bridge over the Volga": ([('["veshenskaya", "terkin"]', '["beketovka", "srednyaya_akhtuba"]')], "links.region[no. 1]"),
    "a river that leads nowhere": ([('don = [\n  ["veshenskaya", "bolshoy"]', 'don = [\n  ["veshenskaya", "terkin"]')], "links.don[no. 1]"),
    "a gap in the river": ([('don = [\n  ["veshenskaya", "bolshoy"],', "don = [\n ")], "links.don"),
    "a road that leads nowhere": ([row("zety_road", '"abganerovo_station", "buzinovka"', '"abganerovo_station", "kalach"')], f"{R}[id 'zety_road'].zones[no. 2]"),
    "a road that comes back": ([row("zety_road", '"buzinovka"]', '"buzinovka", "abganerovo_station"]')], f"{R}[id 'zety_road'].zones"),
    "an exit in the middle of a road": ([row("kamyshin_line", 'zones = ["ilovinska"]', 'zones = ["dubovka", "ilovinska", "kotluban"]')], f"{R}[id 'kamyshin_line'].exits[no. 1]"),
    "a junction of a road elsewhere": ([('{ zone = "kalach", roads = ["don_line", "kotelnikovo_road"]', '{ zone = "kalach", roads = ["don_line", "zety_road"]')], "roads.junctions[no. 7].roads"),
    "a junction of an unknown road": ([('{ zone = "kalach", roads = ["don_line", "kotelnikovo_road"]', '{ zone = "kalach", roads = ["don_line", "a_road"]')], "roads.junctions[no. 7].roads[no. 2]"),
    "a ferry to another sector": ([row("crossing_gray", '"barrikady_factory"', '"chemical_factory"')], "crossings.rows[id 'crossing_gray'].landing"),
    "two crossings of a colour": ([row("crossing_gray", 'sector = "gray", landing = "barrikady_factory"', 'sector = "brown", landing = "chemical_factory"')], "crossings.rows"),
    "crossings from the west bank": ([('start = "krasnaya_sloboda"', 'start = "gumrak"')], "crossings.start"),
    "a site outside the city": ([row("ambush_station", '"pavlovs_house"', '"rynok"')], "ambush_sites.rows[id 'ambush_station'].zones"),
    "a round without weather": ([("  { round = 9, faces = [3, 4, 5, 6] },\n", "")], "weather.rows"),
    "a face twice": ([("{ round = 6, faces = [5, 6] }", "{ round = 6, faces = [6, 6] }")], "weather.rows[no. 1].faces"),
    "an Axis unit on a Uranus card": ([row("uranus_1", "sov_tank", "ger_tank")], "uranus.cards[id 'uranus_1'].units"),
    "two cards of a number": ([row("uranus_1", "number = 1", "number = 3")], "uranus.cards[id 'uranus_1'].number"),
    "a unit of the other side": ([chart("race", '"oblivskaya", units = { ger_fighter = 2', '"oblivskaya", units = { sov_fighter = 2')], "scenarios.race.axis[no. 10].units"),
    "nine land units": ([chart("race", '"akimovsky", units = { ger_infantry = 6', '"akimovsky", units = { ger_infantry = 7')], "scenarios.race.axis[no. 7].place"),
    "five air units": ([chart("race", '"tatsinskaya", units = { ger_bomber = 4', '"tatsinskaya", units = { ger_bomber = 5')], "scenarios.race.axis[no. 9].place"),
    "air units without an airfield": ([chart("race", '"oblivskaya", units = { ger_fighter', '"kopania", units = { ger_fighter')], "scenarios.race.axis[no. 10].place"),
    "land units in a base zone": ([chart("race", '"srednyaya_akhtuba", units = { sov_fighter = 1', '"srednyaya_akhtuba", units = { sov_tank = 1')], "scenarios.race.allies[no. 11].place"),
    "tanks in an Ambush Site": ([chart("uranus", '"ambush_station", units = { sov_infantry', '"ambush_station", units = { sov_tank')], "scenarios.uranus.allies[no. 13].place"),
    "cargo without a ferry": ([chart("uranus", 'ferries = ["crossing_brown"]', 'ferries = ["crossing_gray"]')], "scenarios.uranus.allies[no. 15].place"),
    "a battle of one side": ([chart("race", 'battles = ["abganerovo_station", "tinguta"]', 'battles = ["kalach", "tinguta"]')], "scenarios.race.battles"),
    "a marker in a base zone": ([chart("race", '"surovikino",\n]', '"surovikino", "tatsinskaya",\n]')], "scenarios.race.axis_control"),
    "more tokens than there are": ([chart("uranus", '"tatsinskaya", number = 3', '"tatsinskaya", number = 8')], "scenarios.uranus.axis_tokens"),
    "bad weather to come": ([chart("uranus", "bad_rounds = [6]", "bad_rounds = [7]")], "scenarios.uranus.bad_rounds"),
    "a storm that has passed": ([chart("uranus", "storm_round = 10", "storm_round = 7")], "scenarios.uranus.storm_round"),
    "one factory": ([chart("race", 'tank_factory = "tractor_factory"\n', "")], "scenarios.race.tank_factory"),
    "more stacks than pieces": ([row("min_infantry", "figures = 8", "figures = 2")], "units.rows[id 'min_infantry'].figures"),
}  # fmt: skip
"""What is wrong, the changes, and where it is found. No variant may have these."""


def test_a_board_that_cannot_be_played_on_is_refused_even_as_a_variant() -> None:
    assert not_refused(BOARD_FILE, IMPOSSIBLE) == []


CONTRADICTIONS: dict[str, tuple[list[Change], str]] = {
    "a figure of the rules": ([("ambush = 2\n", "ambush = 3\n")], "fire.ambush"),
    "a price": ([row("ger_tank", "cost = 6", "cost = 7")], "units.rows[id 'ger_tank'].cost"),
    "a link of the examples": ([('["frolovo", "kremenskaya"], ', ""), ('["veshenskaya", "terkin"]', '["veshenskaya", "terkin"], ["frolovo", "kremenskaya"]')], "links.printed"),
    "a link that the text denies": ([('["veshenskaya", "terkin"]', '["veshenskaya", "terkin"], ["lake_sarpa", "beketovka"]')], "links"),
    "a fourth gate": ([('["orlovka", "rynok"]', '["orlovka", "rynok"], ["kuporosnoye", "beketovka"]')], "links.city"),
    "a gate of two sectors": ([('["orlovka", "rynok"]', '["orlovka", "rynok"], ["army_camp", "pitomnik"], ["mamayev_kurgan", "rynok"]')], "links.city"),
    "a seventh fortress": ([row("army_camp", 'sector = "white"', 'sector = "white", fortified = true')], Z),
    "a sixth exit": ([row("terkin", "y = 60", 'y = 60, exit = "allies", edge = "north"'), row("serafimovich_road", '"terkin"], exits = ["perelazovskii"', '"terkin"], exits = ["perelazovskii", "terkin"')], Z),
    "a city without an airfield": ([row("gumrak", ", airfield = true", "")], Z),
    "two sites at the Tractor Factory": ([row("ambush_barrikady", '"sculpturny_park"', '"tractor_factory"')], "ambush_sites"),
    "no site of three at the station": ([row("ambush_station", '"train_station_1"', '"army_camp"')], "ambush_sites"),
    "another brown landing": ([row("crossing_brown", '"pavlovs_house"', '"chemical_factory"')], "crossings.rows[id 'crossing_brown'].landing"),
    "a road on to Tormosin": ([('roads = ["don_line", "kletskaya_road", "petrovka_road"]', 'roads = ["don_line", "kletskaya_road", "petrovka_road", "tormosin_road"]')], "roads"),
    "no road from Buzinovka to Kalach": ([row("kotelnikovo_road", ', "buzinovka", "kalach"]', ', "buzinovka"]'), ('  { zone = "kalach", roads = ["don_line", "kotelnikovo_road"] },\n', "")], "roads"),
    "a supplied force in Tinguta": ([('["veshenskaya", "terkin"]', '["veshenskaya", "terkin"], ["tinguta", "verkhne_kumskii"]')], "scenarios.race"),
}  # fmt: skip


def test_a_board_that_contradicts_the_text_must_be_a_variant() -> None:
    assert not_contradicting(BOARD_FILE, CONTRADICTIONS) == []


def test_a_defect_has_its_line_and_column() -> None:
    text = changed(TEXT, row("zety_road", '"abganerovo_station", "buzinovka"', '"abganerovo_station", "kalach"'))
    number = next(line for line, words in enumerate(text.split("\n"), start=1) if '"zety_road", name' in words)
    (defect,) = [one for one in defects_of(BOARD_FILE, text) if "zety_road" in one.where]

    assert (defect.line, defect.column) == (number, text.split("\n")[number - 1].index('"kalach"') + 1)
    assert "which do not touch" in defect.problem
