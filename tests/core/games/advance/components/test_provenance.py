"""Each field of a board says where it comes from, and a report counts and lists them."""

import re
import tomllib
from collections import Counter

import pytest

from core.board_provenance import BoardFact, ProvenanceReport, provenance_lines
from core.games.advance.components.board import packaged_bytes
from core.games.advance.components.checks.provenance import report_provenance
from core.outside_toml import OutsideText, read_outside

TEXT = packaged_bytes().decode()


def report_of(text: str) -> ProvenanceReport:
    parsed = read_outside(text.encode())

    assert isinstance(parsed, OutsideText)
    return report_provenance(parsed)


@pytest.fixture(scope="module")
def report() -> ProvenanceReport:
    return report_of(TEXT)


def facts(report: ProvenanceReport, section: str, **wanted: str) -> list[BoardFact]:
    """Return the facts of a section with these attributes."""
    found = next(one.facts for one in report.sections if one.section == section)
    return [fact for fact in found if all(getattr(fact, name) == value for name, value in wanted.items())]


def test_every_section_is_reported_once(report: ProvenanceReport) -> None:
    plain = tomllib.loads(TEXT)
    nested = {f"{name}.{inner}" for name in ("random_events", "scenarios") for inner in plain[name]}
    plainly = set(plain) - {"schema", "provenance", "sources", "random_events", "scenarios"}

    assert {one.section for one in report.sections} == plainly | nested
    assert len(report.sections) == len(plainly | nested)


def test_every_fact_of_the_packaged_board_has_a_word_that_is_explained(report: ProvenanceReport) -> None:
    assert set(report.counts) <= set(report.words)
    assert "owner" not in report.counts


def test_sections_add_up_to_the_whole(report: ProvenanceReport) -> None:
    total: Counter[str] = Counter()
    for section in report.sections:
        assert section.counts == dict(Counter(fact.word for fact in section.facts))
        total += Counter(section.counts)

    assert dict(total) == report.counts


def test_history_names_a_source_that_is_listed(report: ProvenanceReport) -> None:
    named = {source for one in report.sections for fact in one.facts for source in fact.sources}
    unsourced = [fact for one in report.sections for fact in one.facts if fact.word == "history" and not fact.sources]

    assert named <= set(report.sources)
    assert unsourced == []


def test_p9_volga_and_control_are_the_rulebooks(report: ProvenanceReport) -> None:
    """Rules 3.1.volga-areas and 3.1.1.identifier."""
    words = Counter(fact.word for field in ("volga", "control") for fact in facts(report, "areas", field=field))

    assert words == {"rulebook": 100}


def test_p9_the_terrain_of_18_soviet_areas_is_the_rulebooks(report: ProvenanceReport) -> None:
    settled = {fact.row.split()[0] for fact in facts(report, "areas", field="terrain", word="rulebook")}
    german = {"1", "2", "3", "4", "5", "6", "48", "49", "50"}
    of_14_5_1 = {"14", "21", "22", "25", "26", *(str(number) for number in range(35, 45))}

    assert settled == german | of_14_5_1 | {"10", "15", "19"}


def test_p9_one_pair_of_areas_is_the_rulebooks(report: ProvenanceReport) -> None:
    """Rule 3.1.adjacency."""
    pairs = facts(report, "adjacency")

    assert [fact.row for fact in pairs if fact.word == "rulebook"] == ["8-10"]
    assert Counter(fact.word for fact in pairs) == {"reconstructed": 123, "rulebook": 1}


def test_p9_defence_factors_of_the_factory_counters_are_the_rulebooks(report: ProvenanceReport) -> None:
    plain = tomllib.loads(TEXT)
    used = {row["id"] for row in plain["soviet_units"]["rows"] if row["factory"] != "-"}
    settled = {fact.row for fact in facts(report, "soviet_units", field="defence", word="rulebook")}

    assert settled == used


def test_the_main_chart_is_reconstructed_but_for_what_the_text_gives(report: ProvenanceReport) -> None:
    """Rules 6.2.chart.3 and 6.2.chart.15-16 are certain, the bands are not."""
    rolls = [
        fact.row.split("]")[0] + "]" for fact in facts(report, "random_events.main", field="roll", word="rulebook")
    ]
    certain = [
        fact.row.split("]")[0] + "]" for fact in facts(report, "random_events.main", field="effects", word="rulebook")
    ]

    assert rolls == ["[3, 3]"]
    assert certain == ["[3, 3]", "[5, 6]", "[15, 16]"]


def test_a_fact_has_its_value_its_sources_and_its_line(report: ProvenanceReport) -> None:
    (fact,) = facts(report, "german_units", row="29/15", field="id")

    assert (fact.value, fact.word, fact.sources) == ("'29/15'", "rulebook-ocr", ("H1",))
    assert TEXT.split("\n")[fact.line - 1].strip().startswith('{ id = "29/15"')


def test_a_section_without_provenance_is_the_owners() -> None:
    bare = re.sub(r"(?m)^\[markers\]\n(#.*\n)*provenance = .*\n", "[markers]\n", TEXT)

    assert {fact.field: fact.word for fact in facts(report_of(bare), "markers")} == {
        "air": "owner",
        "artillery": "owner",
        "engineer": "owner",
        "isolation": "owner",
    }


def test_a_file_without_words_and_sources_is_reported() -> None:
    report = report_of("[markers]\nair = 3\n[morale]\nprovenance = 'rulebook 5.2'\nmax = 19\n")

    assert (report.words, report.sources) == ({}, {})
    assert report.counts == {"owner": 1, "rulebook": 1}


def test_the_lines_begin_with_totals_and_list_what_the_text_does_not_give(report: ProvenanceReport) -> None:
    lines = provenance_lines(report)
    listed = lines[1 + len(report.sections) :]

    assert lines[0].startswith("in all: 868 rulebook, 552 reconstructed, 70 rulebook-ocr, 22 history")
    assert "markers: 2 reconstructed, 1 rulebook-derived, 1 rulebook" in lines
    assert "markers: reconstructed: artillery 8, engineer 4" in listed
    assert "areas 12 Food Combine: history H8: name 'Food Combine'" in listed
    assert "adjacency 6-8: reconstructed: pair" in listed
    assert not [line for line in listed if ": rulebook:" in line or ": rulebook-derived:" in line]
