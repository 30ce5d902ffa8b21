"""The schema walk over annotated structs finds every defect of a file, at any depth, and lists its fields."""

from typing import Annotated, ClassVar, Literal

from core.components.fields import Name, Prose, ProvenanceSections, Text, row_of
from core.file_checks.schema import check_form, leaves
from core.toml.findings import Findings
from core.toml.outside_toml import OutsideText, read_outside
from events.codec import Meta, Struct, convert
from tests.support.rows import each_row

Small = Annotated[int, Meta(ge=1, le=9)]


class Gain(Struct, frozen=True, tag_field="op", tag="gain"):
    """The first of two effects."""

    amount: Small


class Nothing(Struct, frozen=True, tag_field="op", tag="nothing"):
    """The second of two effects."""

    remark: Text = "none"


class Card(Struct, frozen=True, rename={"is_rare": "rare"}):
    """A card."""

    id: Name
    effects: tuple[Gain | Nothing, ...]
    follows: Annotated[str, row_of("cards")] | None = None
    is_rare: bool = False
    text: Prose = ""


class Band(Struct, frozen=True):
    """A row without an id."""

    ROW_KEY: ClassVar[str] = "low"

    low: Small
    pair: tuple[Small, Small]


class Box(ProvenanceSections, frozen=True, kw_only=True):
    """A file."""

    colour: Literal["red", "blue"]
    title: Text
    cards: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=3)]
    bands: tuple[Band, ...] = ()


SOUND = """
colour = "red"
title = "Box"
cards = [
  { id = "one", effects = [ { op = "gain", amount = 2 } ], rare = true },
  { id = "two", effects = [ { op = "nothing" } ], follows = "one", text = "It follows." },
]
bands = [ { low = 1, pair = [2, 3] } ]
"""


def text_of(toml: str) -> OutsideText:
    read = read_outside(toml)
    assert isinstance(read, OutsideText)
    return read


def defects(toml: str) -> list[str]:
    read = text_of(toml)
    findings = Findings(read)
    check_form(Box, read.plain, findings)
    return [defect.sentence() for defect in findings.defects()]


def test_a_file_of_the_right_form_has_no_defect_and_can_be_converted() -> None:
    assert defects(SOUND) == []
    assert convert(text_of(SOUND).plain, Box).cards[1].follows == "one"


@each_row(
    ("old", "new", "expected"),
    [
        ('"red"', '"green"', "line 2, column 1: colour: is 'green'; expected one of blue, red"),
        ('"Box"', "7", "line 3, column 1: title: is 7; expected a text"),
        ('"Box"', '" "', "line 3, column 1: title: is ' '; expected a text"),
        ('"Box"', '"' + "x" * 1_001 + '"', f"line 3, column 1: title: is '{'x' * 56}...; expected a text"),
        ('"Box"', '"a\\u001b"', "line 3, column 1: title: is 'a\\x1b'; expected a text of one line without control characters"),
        ('title = "Box"\n', "", "line 1, column 1: title: is missing; expected a text"),
        ('title = "Box"', 'title = "Box"\ntitel = 1', "line 4, column 1: titel: is not known here; expected perhaps title; known are provenance, sources, colour, title, cards, bands"),
        ("amount = 2", "amount = true", "line 5, column 44: cards[id 'one'].effects[no. 1].amount: is true; expected a whole number from 1 to 9"),
        ("amount = 2", "amount = 10", "line 5, column 44: cards[id 'one'].effects[no. 1].amount: is 10; expected a whole number from 1 to 9"),
        ('"nothing"', '"something"', "line 6, column 31: cards[id 'two'].effects[no. 1].op: is 'something'; expected one of gain, nothing"),
        ('"one", effects', '"One", effects', "line 5, column 5: cards[id 'One'].id: is 'One'; expected up to 60 lower-case letters, digits and underscores"),
        ('id = "two"', 'id = "one"', "line 6, column 5: cards[id 'one'].id: 'one' is there twice; expected each id once"),
        ('follows = "one"', 'follows = "three"', "line 6, column 51: cards[id 'two'].follows: is 'three'; expected an id of cards: one, two"),
        ("rare = true", 'rare = "yes"', "line 5, column 60: cards[id 'one'].rare: is 'yes'; expected true or false"),
        ("[2, 3]", "[2]", "line 8, column 22: bands[no. 1].pair: has 1 elements; expected 2"),
        ("pair = [2, 3] }", "pair = [2, 3] }, { low = 1, pair = [1, 1] }",
         "line 8, column 41: bands[no. 2].low: 1 is there twice; expected each low once"),
        ("bands = [ { low = 1, pair = [2, 3] } ]", "bands = 1", "line 8, column 1: bands: is 1; expected an array of 0 or more, each a table with low, pair"),
        ("rare = true", 'prov = { rarity = "x" }', "line 5, column 69: cards[id 'one'].prov.rarity: is not a field here; expected a field of the table, or of a table or row within"),
    ],
)  # fmt: skip
def test_each_defect_is_reported_with_its_place_and_the_expected_form(old: str, new: str, expected: str) -> None:
    assert SOUND.count(old) == 1
    assert defects(SOUND.replace(old, new)) == [expected]


@each_row("field", ["effects.amount", "effects.remark", "effects", "text"])
def test_a_statement_of_provenance_may_name_a_field_of_any_effect(field: str) -> None:
    assert defects(SOUND.replace("rare = true", f'prov = {{ "{field}" = "x" }}')) == []


def test_all_defects_are_reported_together_in_the_order_of_the_file() -> None:
    found = defects("colour = 1\ncards = []\nbands = [ { low = 0, pair = 1 } ]\n")

    assert [one.partition(": ")[2].partition(":")[0] for one in found] == [
        "title",
        "colour",
        "cards",
        "bands[no. 1].low",
        "bands[no. 1].pair",
    ]


def test_the_fields_are_listed_by_the_keys_of_their_rows() -> None:
    found = {".".join(leaf.address): (leaf.value, leaf.is_written) for leaf in leaves(Box, text_of(SOUND).plain)}

    assert found["cards.two.follows"] == ("one", True)
    assert found["cards.two.rare"] == (False, False)
    assert found["bands.1.pair"] == ([2, 3], True)
    assert [leaf.address for leaf in leaves(Box, text_of(SOUND).plain) if leaf.is_prose and leaf.is_written] == [
        ("cards", "two", "text")
    ]
