"""The words of an option: all of them, but of long ones what it is called stands out."""

from xml.etree.ElementTree import Element, fromstring

import pytest

from events.codec import Raw
from server.page_parts.html import tag
from server.protocol.replies import LegalOption
from server.web.panels.forms import WORDS_MAX, option_words

FORCES = (
    "Axis 6 German Infantry at 1 or less; ",
    "Allies 1 Soviet Tank at 4 or less (3, +1 Throw Them Back) and no other unit",
)
FIGHT = f"Fight in Kalach: {''.join(FORCES)}"


def shown(words: str, command: bytes = b'{"do":"pick"}') -> Element:
    return fromstring(str(tag("p", None, option_words(LegalOption(1, Raw(command), words)))))


def test_what_a_long_option_is_called_stands_out_and_each_part_below_it_has_its_line() -> None:
    option = shown(FIGHT)

    assert option.text == "Fight in Kalach: "
    assert [part.text for part in option.findall("small")] == list(FORCES)
    assert "".join(option.itertext()) == FIGHT


@pytest.mark.parametrize(
    "words",
    [
        "Fight in Kalach: Axis 6 German Infantry at 1 or less",
        f"Fight in Kalach with {'many ' * WORDS_MAX}units",
        f"Spawn Action (hex 3: Infantry and Tank; {'hex 9: Infantry; ' * 8}hex 19: a card)",
    ],
    ids=["short", "without a name before it", "in brackets"],
)
def test_other_options_stand_out_as_a_whole(words: str) -> None:
    option = shown(words)

    assert option.text == words
    assert len(option) == 0


def test_the_sort_of_an_option_does_not_stand_out() -> None:
    words = f"Long Move: {'64th Panzer Grenadier Regiment and ' * 4}2nd Panzer Regiment from hex X to hex 12"
    option = shown(words, b'{"do":"inferno:long-move"}')

    assert option.text == words
    assert len(option) == 0


def test_what_stands_in_brackets_is_one_part() -> None:
    rest = "draw 1 card, then throw 6 dice (units left in rows 1 to 6: 5, 5, 5, 5, 5, 5; room for 2 in X, 2 in Y and 4 in Z)"
    option = shown(f"Call for Reinforcements: {rest}", b'{"do":"inferno:call"}')

    assert [part.text for part in option.findall("small")] == [rest]
