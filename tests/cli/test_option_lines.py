"""Options in the list of `wardiary legal`."""

from cli.commands.playing.legal import without_alike
from cli.schemas.matches import ChoiceShape
from events.codec import Raw


def choice(number: int, words: str, wanted: str = "") -> ChoiceShape:
    return ChoiceShape(number=number, command=Raw(b"{}"), words=words, wanted=wanted)


def test_options_that_are_told_alike_are_one_line_with_their_count() -> None:
    """Two like cards make two options, of which `choose` takes the first by its words."""
    listed = [choice(1, "Discard Rubble"), choice(2, "Discard Tanks"), choice(5, "Discard Rubble"), choice(6, "Pass")]

    assert [(one.number, one.words) for one in without_alike(listed)] == [
        (1, "Discard Rubble (2 alike)"),
        (2, "Discard Tanks"),
        (6, "Pass"),
    ]


def test_options_that_need_other_dice_are_not_alike() -> None:
    listed = [choice(1, "Roll", "1 die"), choice(2, "Roll", "2 dice")]

    assert without_alike(listed) == listed
