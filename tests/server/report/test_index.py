"""Many reports have one page and one CSV file, whose columns have stable names."""

import csv
import io
import re

import html5lib

from events.codec import replace
from events.ids import MatchId, Seat, Side
from events.memory_log import MemoryLog
from server.report.index import COLUMNS, Entry, csv_file, index_page
from server.report.luck import SideLuck
from tests.server.report.test_report import note, reported
from tests.support.browsing import HTML, found, played, words
from tests.support.parsing import parsed

STABLE = (
    "file,match,seat,game,scenario,mode,players,result,winners,rounds,events,first_at,last_at,thinking_s,verdict,rolls,luck,"
    "faces_p_value,undone,rulings,notes,problem,won_by,former_players,disputes,goes_on"
)


def entries() -> list[Entry]:
    log = MemoryLog()
    known = played(log, "advance", 250)
    note(log, known, Seat("german"), "so it was")
    return [Entry(file="a.html", figures=reported(log, known).report.figures), Entry(file="=b", problem="=cut off")]


def test_the_columns_are_a_public_interface() -> None:
    assert ",".join(COLUMNS) == STABLE


def test_there_is_a_line_for_each_match() -> None:
    first, second = csv.DictReader(io.StringIO(csv_file(entries())))

    assert (first["file"], first["game"], first["seat"], first["verdict"]) == ("a.html", "advance", "public", "holds")
    assert first["players"] == "german: Player of german"
    assert int(first["rolls"]) > 10
    assert first["luck"].startswith("german=")
    assert 0 <= float(first["faces_p_value"]) <= 1
    assert (first["notes"], first["rulings"], first["problem"]) == ("1", "0", "")
    # A spreadsheet must not take foreign text for a formula.
    assert (second["file"], second["problem"], second["match"]) == ("'=b", "'=cut off", "")


def test_the_page_links_each_report() -> None:
    text = index_page(entries())
    page = html5lib.HTMLParser(strict=True).parse(text)

    assert [one.get("href") for one in page.iter(f"{HTML}a")] == ["a.html", "matches.csv"]
    assert "Stalingrad: Advance to the Volga, 1942" in words(page)
    assert "=cut off" in words(page)


def test_the_page_calls_seats_sides_and_rounds_what_the_game_calls_them() -> None:
    page = parsed(index_page(entries()))
    rows = [[words(cell) for cell in row] for row in page.iter(f"{HTML}tr")]

    assert rows[1][1] == "German: Player of german"
    assert re.match(r"\d+ turns", rows[1][3])
    assert {one.partition(" ")[0] for one in re.findall(r"\w+ [+-]\d", rows[1][6])} == {"German", "Soviet"}


def test_each_cell_bears_the_name_of_its_column() -> None:
    """On a narrow screen the header is not shown."""
    page = parsed(index_page(entries()))
    header = [words(one) for one in page.iter(f"{HTML}th")]
    rows = [[cell.get("data-column") for cell in row.iter(f"{HTML}td")] for row in page.iter(f"{HTML}tr")]

    assert rows[1:] == [header, header]


def test_a_fork_names_its_parent_and_luck_outside_the_band_is_marked() -> None:
    figures = entries()[0].figures
    assert figures is not None
    lucky = SideLuck(side=Side("german"), rolls=4, luck=-5.0, band=3.9)
    usual = SideLuck(side=Side("soviet"), rolls=4, luck=1.0, band=3.9)
    fork = replace(figures, match=MatchId("fork"), parent=figures.match, luck=(lucky, usual))
    page = parsed(index_page([Entry(file="a.html", figures=figures), Entry(file="b.html", figures=fork)]))
    rows = [[words(cell) for cell in row] for row in page.iter(f"{HTML}tr")]
    (linked,) = found(page, "span", "fork")[0].iter(f"{HTML}a")

    assert "a fork of" not in rows[1][0]
    assert rows[2][0].endswith(f"a fork of {figures.match}")
    assert linked.get("href") == "a.html"
    assert rows[2][6] == "German -5.0 (±3.9), outside the bandSoviet +1.0 (±3.9)"
    elsewhere = index_page([Entry(file="b.html", figures=fork)])
    assert f"a fork of {figures.match}" in words(parsed(elsewhere))
