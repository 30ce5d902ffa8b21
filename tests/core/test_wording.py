"""Numbers of things are written in one way."""

from core.wording import counted, in_common, joined
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
