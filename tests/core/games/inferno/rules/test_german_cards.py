"""German cards: which may be played, and what they do."""

from core.games.inferno.ids import GERMAN, GERMAN_SEAT, discards, hand
from core.games.inferno.memory import RUBBLE_BONUS
from events.ids import CardId
from events.vocabulary import AttributeSet, CardMoved
from tests.support.inferno import BOARD, RULES
from tests.support.inferno_combat import Fight, commit
from tests.support.rows import each_row

LINDEN, RICHTHOFEN = "german/linden", "german/von_richthofen"
PIONEERS = ["german/pioneer-162", "german/pioneer-50", "german/pioneer-672"]


def fight_with(*held: str, in_play: tuple[str, ...] = (), soviet: str = "45-rifle") -> Fight:
    """Return a Deliberate Attack on a Rough hex whose German card is asked for."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": soviet}, hands={"german": held}, in_play=in_play)
    fight.attack("42", "28")
    return fight


def test_the_germans_play_cards_in_their_deliberate_attacks_only() -> None:
    """combat.german-card-deliberate-only, german.hasty-attack.no-card, soviet.hasty-attack.cards: refused elsewhere."""
    hasty = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle 87-rifle"}, hands={"german": ["german/stuka-1"]})
    hasty.attack("42", "28", hasty=True, dice=[2] * 8 + [6, 1, 1, 1])
    assert hasty.asked == "hits"
    assert hasty.code(commit("german/stuka-1")) == "hasty_attack_must_be_without_card"
    soviet = Fight(german={"28": "2-panzer 36-panzer"}, soviet={"42": "45-rifle"}, hands={"german": ["german/stuka-1"]})
    soviet.attack("42", "28", hasty=True, dice=[6, 1, 1, 1])
    assert soviet.asked == "hits"
    assert soviet.code(commit("german/stuka-1")) == "german_card_must_support_deliberate_attack"


def test_a_german_card_in_a_soviet_attack_is_refused_whoever_is_asked() -> None:
    """combat.german-card-deliberate-only: though the Soviet seat is asked; its own cards are another matter."""
    fight = Fight(
        german={"28": "2-panzer"},
        soviet={"42": "45-rifle"},
        mode="one_vs_one",
        hands={"german": ["german/stuka-1"], "soviet": ["soviet/aa-7"]},
    )
    fight.attack("42", "28", hasty=True)
    refusal = RULES.refuse(fight.table, GERMAN_SEAT, commit("german/stuka-1"))
    assert refusal is not None
    assert refusal.code == "german_card_must_support_deliberate_attack"
    assert fight.code(commit("soviet/aa-7")) == ""


def test_one_support_card_of_the_hand_or_none() -> None:
    """german.card.one-per-attack: two are refused, and one that is not held is refused like any other."""
    fight = fight_with("german/sniper-1", "german/pak-1")
    assert fight.code(commit("german/sniper-1", "german/pak-1")) == "support_card_must_be_single"
    assert fight.code(commit("german/stuka-1")) == fight.code(commit("soviet/aa-7")) == "card_must_be_in_hand"
    assert fight.code(commit("no such card")) == "card_must_be_in_hand"
    fight.do(commit())
    assert fight.pile(hand(GERMAN_SEAT)) == ["german/pak-1", "german/sniper-1"]


def test_the_options_are_what_is_not_refused() -> None:
    """leader.linden.multiple-pioneers: none, each card, and with Linden each group of Pioneers."""
    without = RULES.options(fight_with(*PIONEERS, "german/stuka-1").table)
    assert len(without) == 1 + 3
    with_linden = RULES.options(fight_with(*PIONEERS, "german/stuka-1", in_play=(LINDEN,)).table)
    assert len(with_linden) == 1 + 4 + 3 + 1


def test_pioneers_need_linden_to_be_played_together() -> None:
    """leader.linden.multiple-pioneers, leader.linden.pioneers-only, leader.linden.672nd."""
    without = fight_with(*PIONEERS)
    assert without.code(commit("german/pioneer-672")) == "linden_must_be_in_play"
    assert without.code(commit("german/pioneer-50", "german/pioneer-162")) == "support_card_must_be_single"
    assert without.code(commit("german/pioneer-50")) == ""
    linden = fight_with(*PIONEERS, "german/stuka-1", in_play=(LINDEN,))
    assert linden.code(commit("german/pioneer-50", "german/stuka-1")) == "pioneers_must_be_alone"
    linden.do(commit(*PIONEERS))
    assert {event.rule for event in linden.of_type(CardMoved)} == {"leader.linden.multiple-pioneers"}
    assert [len(event.faces) for event in linden.dice("Pioneer")] == [5, 5, 5]
    assert bonus(linden) == 3
    assert linden.pile(discards(GERMAN)) == sorted(PIONEERS)


def bonus(fight: Fight) -> int:
    """Return what the cards added to the Rubble Roll."""
    found = [event.value for event in fight.of_type(AttributeSet) if event.key == RUBBLE_BONUS.key]
    value = found[0] if found else 0
    assert isinstance(value, int)
    return value


@each_row(
    ("card", "title", "dice", "rubble"),
    [
        ("heinkel_111-1", "Heinkel 111", 6, 3),
        ("stuka-1", "Stuka", 5, 2),
        ("howitzer-1", "Howitzer", 6, 2),
        ("pioneer-50", "Pioneer", 5, 1),
    ],
)
def test_cards_with_dice_hit_from_four(card: str, title: str, dice: int, rubble: int) -> None:
    """german.card.heinkel, german.card.stuka, german.card.howitzer, german.card.pioneer, german.card.dice-are-triple-fire.

    card.hits-immediate: before anything else happens.
    """
    fight = fight_with(f"german/{card}")
    fight.do(commit(f"german/{card}"), dice=[4, 5, 6, 3, 1])
    [thrown] = fight.dice(title)
    assert (len(thrown.faces), thrown.needed, thrown.about) == (dice, 4, f"german/{card}")
    assert fight.strength("45-rifle") == 1
    assert bonus(fight) == rubble


def test_von_richthofen_doubles_airstrikes() -> None:
    """leader.richthofen.dice, leader.richthofen.rubble, german.card.airstrike: Heinkel and Stuka, no others (V7)."""
    for card, title, dice, rubble in (
        ("heinkel_111-1", "Heinkel 111", 12, 6),
        ("stuka-1", "Stuka", 10, 4),
        ("howitzer-1", "Howitzer", 6, 2),
    ):
        fight = fight_with(f"german/{card}", in_play=(RICHTHOFEN,))
        fight.do(commit(f"german/{card}"))
        assert [len(event.faces) for event in fight.dice(title)] == [dice]
        assert bonus(fight) == rubble


def test_a_sniper_hits_the_strongest_infantry_and_ignores_rubble() -> None:
    """german.card.sniper: no die, no modifier of the Rubble Roll."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "6-tank 10-rifle-brigade:3 45-rifle:2"},
        hands={"german": ["german/sniper-1"]},
        markers={"9": ["rubble"]},
    )
    fight.attack("8", "9")
    fight.do(commit("german/sniper-1"))
    assert [fight.strength(name) for name in ("6-tank", "10-rifle-brigade", "45-rifle")] == [3, 2, 2]
    assert bonus(fight) == 0


def test_the_germans_choose_among_equals_for_a_sniper() -> None:
    """german.card.sniper: ties by the German player, among Infantry only."""
    fight = fight_with("german/sniper-1", soviet="45-rifle 87-rifle 6-tank")
    fight.do(commit("german/sniper-1"))
    fight.choose("87-rifle")
    assert [fight.strength(name) for name in ("45-rifle", "87-rifle", "6-tank")] == [4, 3, 3]


def test_pak_hits_the_strongest_tank() -> None:
    """german.card.pak: no effect without one, and it is discarded."""
    fight = fight_with("german/pak-1", soviet="45-rifle 6-tank:2")
    fight.do(commit("german/pak-1"))
    assert (fight.strength("45-rifle"), fight.strength("6-tank")) == (4, 1)
    without = fight_with("german/pak-1")
    without.do(commit("german/pak-1"))
    assert without.strength("45-rifle") == 4
    assert without.pile(discards(GERMAN)) == ["german/pak-1"]


def test_a_partner_card_is_refused_like_one_that_nobody_holds() -> None:
    """mode.co-op.cards-private: each seat plays from its own hand."""
    hands = {"yellow": ["german/stuka-1"], "blue": ["german/sniper-1"]}
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"}, hands=hands, mode="co_op")
    fight.attack("42", "28")
    assert fight.table.stack[-1].seat == "yellow"
    assert fight.code(commit("german/sniper-1")) == "card_must_be_in_hand"
    fight.do(commit("german/stuka-1"))


def test_exactly_the_airstrike_cards_can_be_cancelled() -> None:
    """german.card.airstrike: eight of the deck."""
    assert sum(BOARD.cards[CardId(card)].title.is_airstrike for card in BOARD.deck(GERMAN)) == 8
