"""Each field of a card file says where it comes from, and a report counts and lists them."""

import re
import tomllib
from collections import Counter

import pytest

from core.board_provenance import BoardFact, ProvenanceReport, provenance_lines
from core.games.battle.components.card_file import packaged_bytes
from core.games.battle.components.checks.provenance import Origins, provenance_of, records, report_provenance
from core.outside_toml import OutsideText, read_outside
from core.toml_lines import Path

TEXT = packaged_bytes().decode()
PLAIN = tomllib.loads(TEXT)


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
    assert [one.section for one in report.sections] == [
        *("game", "components", "counter", "rules", "location", "force", "action", "uranus")
    ]


def test_every_record_is_reported_with_every_field(report: ProvenanceReport) -> None:
    rows = {(section.section, fact.row) for section in report.sections for fact in section.facts}

    assert len(rows) == 2 + 3 + len(PLAIN["rules"]) + 10 + 46 + 21 + 6
    assert [fact.field for fact in facts(report, "force", row="126th Rifle")] == [
        *("id", "side", "name", "combat", "rations", "cost", "notes")
    ]


def test_every_fact_of_the_packaged_cards_has_a_word_that_is_explained(report: ProvenanceReport) -> None:
    """ruling.reconstructed-cards: nothing that is invented goes unmarked."""
    assert set(report.counts) <= set(report.words)
    assert "owner" not in report.counts
    assert report.settled == ("R", "I")


def test_every_record_of_the_packaged_cards_says_where_its_fields_come_from() -> None:
    bare = [path for path, record in records(PLAIN) if "_" not in provenance_of(record)]

    assert bare == []


def test_what_the_rulebook_says_names_the_sentence_that_says_it(report: ProvenanceReport) -> None:
    everything = [fact for section in report.sections for fact in section.facts]
    unsourced = [fact for fact in everything if fact.word in report.settled and not fact.sources]
    cited = {source for fact in everything for source in fact.sources}

    assert unsourced == []
    assert cited - {"fits"} <= set(report.sources)
    assert list(report.sources) == [f"C{number}" for number in range(1, 119)]


def test_sections_add_up_to_the_whole(report: ProvenanceReport) -> None:
    total: Counter[str] = Counter()
    for section in report.sections:
        assert section.counts == dict(Counter(fact.word for fact in section.facts))
        total += Counter(section.counts)

    assert dict(total) == report.counts


def test_a_word_holds_for_a_field_or_for_a_part_of_one(report: ProvenanceReport) -> None:
    """card.artillery-barrage: the text gives its Rubble, but not its Hits."""
    found = {
        fact.field: (fact.value, fact.word, fact.sources) for fact in facts(report, "action", row="Artillery Barrage")
    }

    assert found["effect.rubble"] == ("1", "R", ("C39", "C42"))
    assert found["effect.hits"] == ("2", "X", ("fits", "C42"))
    assert found["timing"] == ("'own_action'", "R", ("C39", "C42"))
    assert "effect" not in found


def test_a_fact_has_its_value_its_sources_and_its_line(report: ProvenanceReport) -> None:
    """force.combat."""
    (fact,) = facts(report, "force", row="16th Panzer", field="combat")

    assert (fact.value, fact.word, fact.sources) == ("5", "R", ("C70",))
    assert TEXT.split("\n")[fact.line - 1] == "combat = 5"
    assert 'name = "16th Panzer"' in TEXT.split("\n")[fact.line - 2]


def test_tables_are_written_for_people(report: ProvenanceReport) -> None:
    (chart,) = facts(report, "location", row="Grain Elevator", field="chart")
    (note,) = facts(report, "location", row="The Docks", field="note")
    (copies,) = facts(report, "action", row="High Morale", field="copies")

    assert chart.value == "from 0 to 2 rations 2, from 3 to 5 rations 1"
    assert note.value == "buy_ration_bonus amount 1"
    assert copies.value == "russian [2, -1]"


SETTLED: list[tuple[Path, str]] = [
    (("location", 0), "note"),
    (("location", 5), "chart"),
    (("force", 0), "combat"),
    (("action", 0), "effect"),
    (("rules", "draw"), "base"),
]
INVENTED: list[tuple[Path, str]] = [
    (("location", 0), "chart"),
    (("location", 8), "name"),
    (("force", 0), "cost"),
    (("action", 1), "effect"),
    (("uranus", 1), "effect"),
    (("components",), "cards_total"),
]


@pytest.mark.parametrize(("path", "field", "is_invented"), [
    *[(*one, False) for one in SETTLED],
    *[(*one, True) for one in INVENTED],
])  # fmt: skip
def test_what_the_text_does_not_give_is_invented(path: Path, field: str, is_invented: bool) -> None:
    """location.note.resupply-bonus and location.rubble-chart are the text's for Gumrak and Mamayev Kurgan."""
    assert Origins(PLAIN).is_invented(path, field) == is_invented


def test_a_record_without_provenance_is_the_owners() -> None:
    bare = re.sub(r'(?m)^prov = .*"R C48".*\n|^prov = "R C48"\n', "", TEXT)
    found = facts(report_of(bare), "rules", row="resupply")

    assert [(fact.field, fact.word) for fact in found] == [("discard", "owner"), ("rations", "owner")]
    assert not Origins(tomllib.loads(bare)).is_invented(("rules", "resupply"), "rations")


def test_a_field_that_no_word_covers_is_the_owners() -> None:
    found = facts(report_of('[[force]]\nid = "a"\ncombat = 3\nprov = { id = "R C1" }\n'), "force")

    assert [(fact.row, fact.field, fact.word) for fact in found] == [("a", "id", "R"), ("a", "combat", "owner")]


def test_a_file_without_words_and_sentences_is_reported() -> None:
    report = report_of("[rules.draw]\nprov = 'R C51'\nbase = 5\n[components]\ncards_total = 168\n")

    assert (report.words, report.sources, report.settled) == ({}, {}, ())
    assert report.counts == {"owner": 1, "R": 1}


def test_the_lines_begin_with_totals_and_list_what_the_text_does_not_give(report: ProvenanceReport) -> None:
    lines = provenance_lines(report)
    listed = lines[1 + len(report.sections) :]

    assert lines[0] == "in all: 337 X, 258 R, 58 H, 12 P4, 3 P1, 3 I, 3 P5, 1 P2, 1 P6"
    assert "uranus: 45 X, 3 R" in lines
    assert "force 16th Panzer: X fits C65: cost 3" in listed
    assert "location The Docks: X fits C84 C87 C98: note buy_ration_bonus amount 1" in listed
    assert not [line for line in listed if ": R " in line or ": I " in line]
