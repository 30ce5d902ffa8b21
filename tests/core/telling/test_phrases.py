"""Who has won is said once: not again where the result says it."""

from core.telling.phrases import counted_alike, over, plain_words, standing, to_be_picked, unnamed, winning, won, won_by
from tests.support.rows import each_row


@each_row(
    ("result", "winners", "left", "said", "ended"),
    [
        ("Soviet Victory", ("Soviet",), (), "", "Soviet Victory"),
        ("Resignation", ("Soviet",), ("Soviet",), "the Soviet side", "Resignation. Winner: Soviet"),
        ("Goal", ("Red", "Blue"), ("Red", "Blue"), "the Red side and the Blue side", "Goal. Winners: Red and Blue"),
        ("Prepared", ("Red",), ("Red",), "the Red side", "Prepared. Winner: Red"),
        ("Time", ("Axis (Blue)",), ("Axis (Blue)",), "Axis (Blue)", "Time. Winner: Axis (Blue)"),
        ("Draw", (), (), "", "Draw. No player has won"),
    ],
)
def test_winners_are_named_where_the_result_does_not(
    result: str, winners: tuple[str, ...], left: tuple[str, ...], said: str, ended: str
) -> None:
    assert unnamed(result, winners) == left
    assert winning(result, winners) == said
    assert won(result, winners, ()) == (f"Won by {said}." if said else "" if winners else "No player has won.")
    assert over(result, winners) == ended


@each_row(
    ("side", "players", "said"),
    [
        ("", (), ""),
        ("", ("Ada",), "Ada"),
        ("Red", (), "Red"),
        ("Red", ("Ada",), "Red (Ada)"),
        ("Axis (Blue)", ("Ada", "Ben"), "Axis (Blue): Ada and Ben"),
    ],
)
def test_the_players_who_have_won_are_named(side: str, players: tuple[str, ...], said: str) -> None:
    assert won_by(side, players) == said


def test_the_sentence_about_the_winners_names_the_players() -> None:
    assert won("Goal", ("Red",), ("Ada",)) == "Won by the Red side (Ada)."
    assert won("Soviet Victory", ("Soviet",), ("Ada",)) == "Won by the Soviet side (Ada)."


@each_row(
    ("typed", "meant"),
    [
        ("Pavlov\u2019s House", "pavlov's house"),
        ("\u201cHill\u201d  102\u20138\u2026", '"hill" 102-8...'),
        ("No\u00a0Retreat", "no retreat"),
        ("\uff21da", "ada"),
        ("Stra\u00dfe", "strasse"),
    ],
)
def test_typographic_variants_are_the_same_to_a_search(typed: str, meant: str) -> None:
    assert plain_words(typed) == meant


def test_equal_names_are_counted() -> None:
    assert counted_alike(["White Checker", "Black Checker", "White Checker"]) == ["2 White Checkers", "Black Checker"]
    assert counted_alike(["Battery"] * 3) == ["3 Batteries"]


@each_row(
    ("low", "high", "question", "picked", "said"),
    [
        (3, 3, "which units are lost", "", "To be picked: 3."),
        (0, 4, "which 4 units are lost", "", "To be picked: 0 to 4."),
        (3, 3, "which 3 units are lost", "", ""),
        (3, 3, "which 3 units are lost", "a tank", "Picked: a tank."),
        (3, 3, "which 2 units are lost", "a tank", "To be picked: 3; picked: a tank."),
    ],
)
def test_how_many_items_are_to_be_picked_is_said_once(
    low: int, high: int, question: str, picked: str, said: str
) -> None:
    assert to_be_picked(low, high, question, picked) == said


def test_whose_turn_it_is_goes_without_saying_where_the_phase_says_it() -> None:
    """On a phone the end of the phase was cut off."""
    assert standing("Round 1", "Allies", "9 Allies Reinforcement") == "Round 1: 9 Allies Reinforcement"
    assert standing("Round 1", "Axis", "4 Allies Reaction") == "Round 1, Axis: 4 Allies Reaction"
    assert standing("Turn 3", "German", "Supply Phase") == "Turn 3, German: Supply Phase"
    assert standing("", "German", "German Phase") == "German Phase"
