"""An option that changes a rule is told where the rule is cited, where the match is opened, and where the table is shown."""

from itertools import islice

from cli.output.explanation import explained, explained_lines
from cli.views.stored_match import StoredMatch
from core.telling.chosen_options import chosen_options, options_words
from events.ids import ARBITER, GameKey
from events.vocabulary import Value
from tests.support.playouts import Playout
from tests.support.rows import each_row

MEDAL = "medal_to_any_force_there"
USUAL: dict[str, Value] = {"free_move_no_return": True, "one_reshuffle_per_turn": True, MEDAL: False}


def explained_medal(options: dict[str, Value]) -> list[str]:
    """Play until a Heroic Service counter is given, and return the explanation of that event."""
    playout = Playout("battle", "standard", 3, given=options)
    for _ in islice(playout.steps(), 4_000):
        if any(event.rule == "heroic.conditions" for event in playout.desk.events):
            break
    number = next(n for n, event in enumerate(playout.desk.events, start=1) if event.rule == "heroic.conditions")
    seen = StoredMatch(playout.desk.log, playout.desk.match.id, ARBITER, number)
    shape, books = explained(seen)
    return list(explained_lines(shape, books, seen.names, 10_000))


@each_row("is_on", [False, True])
def test_a_rule_is_cited_with_the_option_that_changes_it(is_on: bool) -> None:
    lines = explained_medal({**USUAL, MEDAL: is_on})
    (option,) = [line for line in lines if line.startswith("  in this match: ")]
    ruled = lines[lines.index(option) - 1]

    if is_on:
        assert option.startswith(f"  in this match: {MEDAL}=on (not the default, off): A Heroic Service counter may go")
        assert ruled.startswith("  ruled by default: ")
    else:
        assert option.startswith(f"  in this match: {MEDAL}=off (the default): ")
        assert ruled.startswith("  ruled: ")


def test_options_are_told_by_what_differs_and_what_is_on_by_default() -> None:
    options = chosen_options(GameKey("battle"), {**USUAL, "one_reshuffle_per_turn": False, MEDAL: True, "turn_cap": 9})
    other, usual = options_words(options)

    assert other == (
        "Options: An Action deck is formed anew at most once in a turn: off; A Heroic Service counter may go to any own Force in the "
        "Control Area, not only to one that took part; Turns of both players after which the match is stopped without a winner; 0 for "
        "no limit: 9."
    )
    assert (
        usual
        == "By default: A Force with free Moves does not return to an Area it has been in since the last other Action."
    )


def test_a_game_that_is_not_installed_has_no_options_to_tell() -> None:
    assert chosen_options(GameKey("unheard-of"), {"a": True}) == ()
