"""Numbers of things are written in one way."""

import re
from pathlib import Path

import core
from core.wording import counted, does, in_common, joined
from tests.support.rows import each_row


@each_row(
    ("count", "thing", "things", "words"),
    [
        (0, "Ration", "", "0 Rations"),
        (1, "Ration", "", "1 Ration"),
        (2, "die", "dice", "2 dice"),
        (1, "die", "dice", "1 die"),
        (2, "Soviet Infantry", "", "2 Soviet Infantry"),
        (2, "battery", "", "2 batteries"),
    ],
)
def test_a_thing_is_in_the_plural_unless_there_is_exactly_one(count: int, thing: str, things: str, words: str) -> None:
    assert counted(count, thing, things) == words


@each_row(("words", "sentence"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_words_are_joined_as_in_a_sentence(words: list[str], sentence: str) -> None:
    assert joined(words) == sentence
    assert joined(words, "or") == sentence.replace("and", "or")


@each_row(
    ("names", "words"),
    [
        (["Big Push (+1)", "Big Push (-1)"], "Big Push"),
        (["Rubble (-1)", "Rubble (-2)"], "Rubble"),
        (["Rubble (-1)", "Rubble (-1)"], "Rubble (-1)"),
        (["Rubble", "Rubble (-1)"], "Rubble"),
        (["Tanks", "Scouts"], ""),
    ],
)
def test_names_have_whole_words_in_common(names: list[str], words: str) -> None:
    assert in_common(names) == words


@each_row(
    ("name", "verb", "words"),
    [
        ("German", "take", "German takes"),
        ("Axis", "lose", "Axis loses"),
        ("Allies", "lose", "Allies lose"),
        ("Allies (Vera)", "be", "Allies (Vera) are"),
        ("Soviet (Boris)", "be", "Soviet (Boris) is"),
        ("First player", "have", "First player has"),
        ("RPCs of the Allies", "go", "RPCs of the Allies go"),
        ("Morale of the Germans", "go", "Morale of the Germans goes"),
        ("Allies", "publish", "Allies publish"),
        ("German", "publish", "German publishes"),
    ],
)
def test_what_a_name_does_agrees_with_its_number(name: str, verb: str, words: str) -> None:
    assert does(name, verb) == words


def test_no_sentence_takes_the_name_of_a_side_or_a_seat_for_singular() -> None:
    root = Path(core.__file__).parent.parent
    files = [file for part in ("core", "server", "cli") for file in (root / part).rglob("*.py")]
    taken = re.compile(r"\{(self\.)?names\.(seat|side)\([^{}]*\)\} (is|has|(?!as\b|this\b)[a-z]+s)\b")
    found = [f"{file.name}: {match[0]}" for file in files for match in taken.finditer(file.read_text())]

    assert not found
