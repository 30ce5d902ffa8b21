"""A file's statements about the provenance of its figures: the innermost one applies, and every term is explained."""

from core.file_checks.provenance import OWNER, Provenance, check_provenance, written
from core.toml.findings import Findings
from core.toml.outside_toml import OutsideText, read_outside
from tests.support.rows import each_row

TEXT = """
[provenance]
R = { kind = "rulebook", text = "Stated." }
X = { kind = "reconstructed", text = "Invented." }
[sources]
C1 = "A sentence."
[units]
prov = { _ = "X", id = "R C1", "cost.money" = "R" }
rows = [
  { id = "a", attack = 1, cost = { money = 1, time = 2 } },
  { id = "b", attack = 1, prov = { attack = "R" } },
  { id = "c", attack = 1, prov = "R" },
  { id = "d", attack = 1, prov = "R C1" },
]
[bare]
figure = 1
"""


def text_of(toml: str) -> OutsideText:
    read = read_outside(toml)
    assert isinstance(read, OutsideText)
    return read


@each_row(
    ("path", "words"),
    [
        (("units", "rows", 0, "id"), ("R", "C1")),
        (("units", "rows", 0, "attack"), ("X",)),
        (("units", "rows", 0, "cost", "money"), ("R",)),
        (("units", "rows", 0, "cost", "time"), ("X",)),
        (("units", "rows", 1, "attack"), ("R",)),
        (("units", "rows", 1, "id"), ("R", "C1")),
        (("units", "rows", 2, "id"), ("R",)),
        (("units", "rows", 3, "id"), ("R", "C1")),
        (("units", "rows"), ("X",)),
        (("bare", "figure"), (OWNER,)),
    ],
)
def test_the_innermost_statement_about_a_field_applies(path: tuple[str | int, ...], words: tuple[str, ...]) -> None:
    assert Provenance(text_of(TEXT).plain).of(path) == words


def test_a_figure_is_printed_reconstructed_or_invented_by_its_terms() -> None:
    said = Provenance(text_of(TEXT).plain)
    paths: list[tuple[str | int, ...]] = [
        ("units", "rows", 0, "id"),
        ("units", "rows", 0, "attack"),
        ("bare", "figure"),
    ]

    assert [(said.is_printed(path), said.is_invented(path)) for path in paths] == [
        (True, False),
        (False, True),
        (False, False),
    ]


@each_row(
    ("old", "new", "expected"),
    [
        ('prov = "R" }', 'prov = "Z" }', "begins with 'Z'; expected a word of [provenance]: R, X, owner"),
        ('prov = "R" }', 'prov = "R C2" }', "names 'C2'; expected keys of [sources] after the first word"),
    ],
)
def test_an_unexplained_term_or_source_is_a_defect(old: str, new: str, expected: str) -> None:
    text = text_of(TEXT.replace(old, new))
    findings = Findings(text)
    check_provenance(text.plain, findings)

    assert [defect.sentence().partition("prov: ")[2] for defect in findings.defects()] == [expected]


@each_row("section", ["provenance", "sources"])
def test_statements_are_not_judged_by_words_or_sources_that_have_defects(section: str) -> None:
    """Whoever mends the section would otherwise be told of every statement in the file."""
    text = text_of(TEXT.replace('prov = "R" }', 'prov = "Z C9" }'))
    findings = Findings(text)
    findings.add((section,), "is 1", "a table")
    check_provenance(text.plain, findings)

    assert [defect.where for defect in findings.defects()] == [section]


@each_row(
    ("value", "words"),
    [
        ({"op": "gain", "amount": 2, "prov": "R"}, "gain amount 2"),
        ([{"op": "gain", "amount": 2}, {"op": "nothing"}], "gain amount 2, nothing"),
        ([1, 2], "[1, 2]"),
        ("x", "'x'"),
    ],
)
def test_a_figure_is_written_in_words_and_an_effect_by_its_name(value: object, words: str) -> None:
    assert written(value) == words
