"""The words of an option: what is done, and apart from it what comes of that."""

from core.telling.option_parts import OptionParts
from events.codec import Raw
from server.protocol.replies import LegalOption
from server.web.panels.option_words import (
    act_and_consequence,
    act_anywhere,
    is_on_the_spot,
    shared,
    told_apart,
    way_of,
    without_shared,
)
from tests.support.rows import each_row


@each_row(
    ("words", "consequence", "said"),
    [
        ("Pass", "", ("Pass", "")),
        (
            "Play Rubble in the Firefight: Russian 4 → 1",
            "Russian 4 → 1",
            ("Play Rubble in the Firefight", "Russian 4 → 1"),
        ),
        ("End the step (this decides the match)", "this decides the match", ("End the step", "this decides the match")),
        (
            "Move 1 Tank to Kalach; 3 over the stacking limit",
            "3 over the stacking limit",
            ("Move 1 Tank to Kalach", "3 over the stacking limit"),
        ),
        (
            "Draw Action: draw 1 card (9 cards in the deck)",
            "draw 1 card (9 cards in the deck)",
            ("Draw Action", "draw 1 card (9 cards in the deck)"),
        ),
    ],
)
def test_what_comes_of_an_option_stands_apart_from_what_is_done(
    words: str, consequence: str, said: tuple[str, str]
) -> None:
    option = LegalOption(1, Raw(b'{"do":"move"}'), words, OptionParts(consequence=consequence))

    assert act_and_consequence(option) == said


@each_row(
    ("consequences", "said", "left"),
    [
        (["3 RPCs", "3 RPCs: Assault on 1 Tank"], "3 RPCs", ["", "Assault on 1 Tank"]),
        (["joins the Assault", "joins the Assault"], "joins the Assault", ["", ""]),
        (["3 RPCs", "4 RPCs"], "", ["3 RPCs", "4 RPCs"]),
        (["3 RPCs"], "", ["3 RPCs"]),
        (["", ""], "", ["", ""]),
    ],
)
def test_what_comes_of_all_options_that_stand_together_is_said_once(
    consequences: list[str], said: str, left: list[str]
) -> None:
    labels = [(str(number), one) for number, one in enumerate(consequences)]

    assert shared(labels) == said
    assert [without_shared(one, said)[1] for one in labels] == left


@each_row(
    ("words", "said"),
    [
        ("Long Move: 1st and 2nd from hex 3 by hex 4 to hex 5", "by hex 4 to hex 5"),
        ("Hasty Attack on hex 5: 1st from hex 3 to hex 4", "Hasty Attack on hex 5: to hex 4"),
        ("Move 1st from hex 3 to hex 4", ""),
    ],
)
def test_the_way_of_an_option_names_neither_who_goes_nor_from_where(words: str, said: str) -> None:
    assert way_of(LegalOption(1, Raw(b"{}"), words, OptionParts(kind="Long Move", start="hex 3"))) == said


@each_row(
    ("words", "to", "said"),
    [
        ("Fighter 1 flies to attack Kalach", "Kalach", "Flies to attack"),
        ("Fighter 1 flies to attack", "Kalach", ""),
        ("Move Fighter 1 to Kalach, 1 over the stacking limit", "Kalach", ""),
        ("Play Attack! (+1) with 14th Panzer", "", ""),
        ("", "", ""),
    ],
)
def test_what_is_done_wherever_it_is_done_is_told_without_the_place(words: str, to: str, said: str) -> None:
    option = LegalOption(1, Raw(b'{"do":"fly"}'), words, OptionParts(who="Fighter 1", to=to))

    assert act_anywhere(option) == said


def test_what_is_done_where_the_pieces_are_is_not_told_as_a_way() -> None:
    attacks = [
        LegalOption(
            number,
            Raw(b"{}"),
            f"Attack at {place} with {who}",
            OptionParts(kind="Attack", who=who, start=f"{place} (Russian Control)", to=place),
        )
        for number, (who, place) in enumerate([("39th Guards", "Pavlov's House"), ("37th Guards", "Univermag")], 1)
    ]

    assert [told_apart(one, attacks, attacks) for one in attacks] == ["", ""]
    assert [is_on_the_spot(one) for one in attacks] == [True, True]
