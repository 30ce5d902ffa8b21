"""Many reports have one page and one CSV file, whose columns have stable names."""

import csv
import io

import html5lib

from events.ids import Seat
from events.memory_log import MemoryLog
from server.report.index import COLUMNS, Entry, csv_file, index_page
from tests.server.report.test_report import note, reported
from tests.support.browsing import HTML, played, words

STABLE = (
    "file,match,seat,game,scenario,mode,players,result,winners,rounds,events,first_at,last_at,thinking_s,verdict,rolls,luck,"
    "faces_p_value,taken_back,rulings,notes,problem"
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
