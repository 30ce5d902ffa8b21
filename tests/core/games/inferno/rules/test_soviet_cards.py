"""Soviet cards in a combat: each one's effect, in attack and in defence, and the Leaders."""

from collections.abc import Mapping, Sequence

from core.engine.selection import Choose
from core.games.inferno.ids import GERMAN, HEADQUARTERS, SOVIET, SOVIET_SEAT, discards, hand, leaders, token
from events.ids import PlaceId
from events.vocabulary import CardDrawn, PiecePlaced, PieceRevealed
from tests.support.inferno import NARRATION
from tests.support.inferno_combat import Fight, commit, unit
from tests.support.rows import each_row

FLOTILLA = "soviet/volga_river_flotilla-1"


def defence(card: str, german: str, soviet: str = "45-rifle", *, in_play: Sequence[str] = ()) -> Fight:
    """Return a Soviet defence of the Rough hex 28 in which a card is committed."""
    return Fight(german={"42": german}, soviet={"28": soviet}, hands={"soviet": [card]}, in_play=in_play)


def test_a_sniper_hits_the_strongest_infantry_in_any_combat() -> None:
    """soviet.card.sniper, soviet.card.any-combat, units.panzer-grenadier-mixed: Motorized and Panzer Grenadiers included."""
    fight = defence("soviet/sniper-1", "2-panzer 64-panzer-grenadier:3 544-infantry:2")
    fight.attack("42", "28", draws=["soviet/sniper-1"])
    assert [fight.strength(name) for name in ("2-panzer", "64-panzer-grenadier", "544-infantry")] == [4, 2, 2]
    attack = Fight(
        german={"9": "544-infantry"},
        soviet={"8": "45-rifle"},
        hands={"soviet": ["soviet/sniper-1"]},
        markers={"9": ["rubble"]},
    )
    attack.attack("8", "9", hasty=True, draws=["soviet/sniper-1"])
    assert attack.strength("544-infantry") == 3


def test_zaytsev_makes_a_sniper_count_twice() -> None:
    """leader.zaytsev, card.leaders-stay: each time the then strongest (V15)."""
    fight = defence("soviet/sniper-1", "544-infantry 545-infantry 546-infantry:3", in_play=["soviet/zaytsev"])
    fight.attack("42", "28", draws=["soviet/sniper-1"])
    assert [fight.strength(name) for name in ("544-infantry", "545-infantry", "546-infantry")] == [3, 3, 3]


def test_an_anti_tank_gun_hits_panzers_and_panzer_grenadiers() -> None:
    """soviet.card.anti-tank: the strongest of them; without one it has no effect."""
    fight = defence("soviet/anti_tank-1", "544-infantry 2-panzer:2")
    fight.attack("42", "28", draws=["soviet/anti_tank-1"])
    assert (fight.strength("544-infantry"), fight.strength("2-panzer")) == (4, 1)
    none = defence("soviet/anti_tank-1", "544-infantry")
    none.attack("42", "28", draws=["soviet/anti_tank-1"])
    assert none.strength("544-infantry") == 4


def test_a_tommy_gunner_throws_two_dice() -> None:
    """soviet.card.tommy-gunner, leader.khrushchev.not-cards: DF, and Khrushchev changes nothing."""
    fight = defence("soviet/tommy_gunner-1", "2-panzer", in_play=["soviet/khrushchev"])
    fight.attack("42", "28", draws=["soviet/tommy_gunner-1"], dice=[1, 4])
    assert (fight.strength("2-panzer"), fight.strength("45-rifle")) == (4, 4)
    hit = defence("soviet/tommy_gunner-1", "2-panzer")
    hit.attack("42", "28", draws=["soviet/tommy_gunner-1"], dice=[5, 2])
    assert hit.strength("2-panzer") == 3


def test_card_dice_against_defenders_in_rubble_are_halved() -> None:
    """german.card.rubble-halves-dice, rubble.either-side: for Germans in defence as well (A17)."""
    fight = Fight(
        german={"9": "2-panzer"},
        soviet={"8": "45-rifle"},
        hands={"soviet": ["soviet/tommy_gunner-1"]},
        markers={"9": ["rubble"]},
    )
    fight.attack("8", "9", hasty=True, draws=["soviet/tommy_gunner-1"], dice=[5, 6])
    assert fight.strength("2-panzer") == 3


def test_the_flotilla_brings_gunboats_to_a_coastal_hex() -> None:
    """soviet.card.flotilla, soviet.card.flotilla-gunboats, components.coastal-hexes: three dice DF (V9)."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"soviet": [FLOTILLA]})
    fight.attack("8", "9", hasty=True, draws=[FLOTILLA], dice=[5, 6, 1])
    assert fight.strength("2-panzer") == 2


def land(dice: list[int], german: Mapping[str, str] | None = None, marines: Sequence[str] = ("92-naval",)) -> Fight:
    """Return a defence of 28, which is not coastal, with a landing where the dice say."""
    fight = Fight(
        german={"42": "2-panzer", **(german or {})},
        soviet={"28": "45-rifle"},
        hands={"soviet": [FLOTILLA]},
        pools={"marine": marines},
    )
    fight.attack("42", "28", draws=[FLOTILLA], dice=dice)
    return fight


def test_elsewhere_the_flotilla_lands_a_marine() -> None:
    """soviet.card.flotilla-landing, units.marines: in the hex of the sum, concealed and not in the combat (V8)."""
    fight = land([2, 2, 3])
    [marine] = fight.table.pieces_at(PlaceId("7"))
    assert fight.table.pieces[marine].side == SOVIET
    assert marine in fight.table.known_to
    assert marine not in {event.piece for event in fight.of_type(PieceRevealed)}


def test_an_empty_german_landing_hex_becomes_soviet() -> None:
    """soviet.card.flotilla-german-empty: without a card, for it is a Soviet Spawn Hex (ruling.landing-control)."""
    fight = land([2, 2, 3], {"7": ""})
    assert [event.rule for event in fight.of_type(PiecePlaced) if event.to == "7"] == [
        "soviet.card.flotilla-german-empty"
    ]
    assert fight.table.control[PlaceId("7")] == SOVIET
    assert fight.table.pile(hand(SOVIET_SEAT)).count == 0


def test_germans_prevent_a_landing_without_a_card() -> None:
    """soviet.card.flotilla-enemy: though no Marine is left (V16)."""
    fight = land([3, 3, 3], {"9": "544-infantry"}, ())
    assert fight.table.pile(hand(SOVIET_SEAT)).count == 0
    assert fight.table.pieces_at(PlaceId("9")) == (unit("544-infantry"),)


@each_row("is_full", [True, False])
def test_a_landing_in_a_full_hex_or_without_marines_draws_a_card(is_full: bool) -> None:
    """soviet.card.flotilla-full-or-none, soviet.spawn.no-marine-left: into the hand, where it is not played."""
    soviet = {"28": "45-rifle", "9": "87-rifle 95-rifle 98-rifle 112-rifle"} if is_full else {"28": "45-rifle"}
    pools = {"marine": ["92-naval"]} if is_full else {}
    fight = Fight(german={"42": "2-panzer"}, soviet=soviet, hands={"soviet": [FLOTILLA]}, pools=pools)
    fight.attack("42", "28", draws=[FLOTILLA, "soviet/sniper-2"], dice=[3, 3, 3])
    drawn = fight.of_type(CardDrawn)[-1]
    besides = ("soviet.spawn.no-marine-left",) if not is_full else ()

    assert drawn.rule == "soviet.card.flotilla-full-or-none"
    assert NARRATION.deciding(fight.table, drawn) == besides
    assert NARRATION.tell(fight.table, [drawn]) == (
        f"Sniper is drawn to the Soviet hand ({'the hex is full' if is_full else 'the Marine pool is empty'})."
    )
    assert fight.pile(hand(SOVIET_SEAT)) == ["soviet/sniper-2"]
    assert fight.strength("2-panzer") == 4


def test_the_hex_that_started_the_attack_decides_on_the_flotilla() -> None:
    """soviet.card.soviet-hex: though another attacking Stack stands in a coastal hex (ruling.flotilla-several-hexes)."""
    fight = Fight(
        german={"24": "2-panzer"},
        soviet={"25": "45-rifle", "8": "87-rifle"},
        hands={"soviet": [FLOTILLA]},
        pools={"marine": ["92-naval"]},
        in_play=["soviet/chuikov"],
    )
    fight.attack("25 8", "24", draws=[FLOTILLA], dice=[3, 3, 3])
    assert fight.dice("Landing Hex")


def test_aa_cancels_an_airstrike_and_nothing_else() -> None:
    """soviet.card.aa, combat.german-card-second, rubble.roll.modifier-card: dice and modifier both; the card is discarded."""
    for card, dice in (("german/heinkel_111-1", 0), ("german/howitzer-1", 6)):
        fight = Fight(
            german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"german": [card], "soviet": ["soviet/aa-7"]}
        )
        fight.attack("8", "9", draws=["soviet/aa-7"])
        fight.do(commit(card))
        assert sum(len(event.faces) for event in fight.dice("Heinkel 111") + fight.dice("Howitzer")) == dice
        [roll] = fight.dice("Rubble Roll")
        assert ("German cards" in [part.what for part in roll.modifiers]) == bool(dice)
        assert fight.pile(discards(GERMAN)) == [card]


def test_infiltration_brings_a_unit_that_fights_at_once() -> None:
    """soviet.card.infiltration, combat.soviet-card-first: revealed and adjusted before the German card works."""
    fight = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "45-rifle"},
        hands={"soviet": ["soviet/infiltration-1"]},
        pools={"infantry": ["10-rifle-brigade"]},
    )
    fight.attack("42", "28", draws=["soviet/infiltration-1", "10-rifle-brigade", "edge-4"])
    assert [event.about for event in fight.dice("Close Combat")][:2] == [unit("45-rifle"), token(SOVIET, 1)]
    new = fight.table.pieces[token(SOVIET, 1)]
    assert (new.kind, new.steps, new.place) == ("10-rifle-brigade", 1, "28")
    assert fight.table.known_to[token(SOVIET, 1)] == ()


def test_infiltration_joins_an_attack_as_well() -> None:
    """soviet.card.infiltration: in the hex that started it, and it may advance (ruling.deployed-joins-combat)."""
    fight = Fight(
        german={"42": "2-panzer:1"},
        soviet={"28": "45-rifle:1"},
        hands={"soviet": ["soviet/infiltration-1"]},
        pools={"infantry": ["87-rifle"]},
    )
    fight.attack("28", "42", hasty=True, draws=["soviet/infiltration-1", "87-rifle", "edge-1"], dice=[6])
    assert fight.table.pieces_at(PlaceId("42")) == (token(SOVIET, 1),)


@each_row(
    ("card", "soviet", "pools"),
    [
        ("soviet/infiltration-1", "45-rifle", {}),
        ("soviet/infiltration-1", "45-rifle 87-rifle 95-rifle 98-rifle", {"infantry": ["10-nkvd"]}),
        ("soviet/t34_dug_in-1", "45-rifle", {"infantry": ["10-nkvd"]}),
        ("soviet/t34_dug_in-1", "45-rifle 87-rifle 95-rifle 98-rifle", {"tank": ["6-tank"]}),
    ],
)
def test_a_deployment_that_is_impossible_draws_a_card(card: str, soviet: str, pools: dict[str, list[str]]) -> None:
    """soviet.card.infiltration-blocked, soviet.card.t34-blocked: the hex is full or the pool empty."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": soviet}, hands={"soviet": [card]}, pools=pools)
    fight.attack("42", "28", draws=[card, "soviet/sniper-2"])
    assert fight.pile(hand(SOVIET_SEAT)) == ["soviet/sniper-2"]
    assert len(fight.table.pieces_at(PlaceId("28"))) == len(soviet.split())


def test_a_dug_in_tank_takes_the_combined_force_bonus_away() -> None:
    """soviet.card.t34, combined.condition: judged at step 10 with the units then there (ruling.combined-moment)."""
    fight = Fight(
        german={"59": "2-panzer 544-infantry"},
        soviet={"60": "45-rifle"},
        in_play=["german/hoth"],
        hands={"soviet": ["soviet/t34_dug_in-1"]},
        pools={"tank": ["6-tank"]},
    )
    fight.attack("59", "60", draws=["soviet/t34_dug_in-1", "6-tank", "edge-1"])
    assert "close_combat" in fight.steps


def test_a_guard_that_comes_late_is_set_to_its_maximum_and_a_special_unit_does_not_work() -> None:
    """designer.advantage.immortal-guard, designer.destroyer-brigade: ruling.guard-in-late-reveal, ruling.special-in-late-reveal."""
    for name, steps, panzer in (("13-guards", 4, 4), ("20-destroyer", 1, 4)):
        fight = Fight(
            german={"42": "2-panzer"},
            soviet={"28": "45-rifle"},
            hands={"soviet": ["soviet/infiltration-1"]},
            pools={"infantry": [name]},
            advantages=["immortal_guard"],
            options={"designers_way": "hard"},
        )
        fight.attack("42", "28", draws=["soviet/infiltration-1", name, "edge-3"])
        assert fight.table.pieces[token(SOVIET, 1)].steps == steps
        assert fight.strength("2-panzer") == panzer


def test_khrushchev_works_from_the_combat_in_which_he_is_revealed() -> None:
    """leader.khrushchev.bonus, card.soviet-leader-in-combat: from step 5 of that combat on (A22)."""
    fight = defence("soviet/khrushchev", "2-panzer", "45-rifle:1")
    fight.attack("42", "28", draws=["soviet/khrushchev"], dice=[5])
    assert fight.strength("2-panzer") == 3


@each_row(("joins", "hexes"), [(False, 1), (True, 3)])
def test_chuikov_revealed_in_an_attack_works_from_the_next_one(joins: bool, hexes: int) -> None:
    """soviet.deliberate-attack.all-adjacent: unless an option lets adjacent Stacks join at once (ruling.chuikov-same-combat-attack)."""
    fight = Fight(
        german={"24": "2-panzer"},
        soviet={"25": "45-rifle", "8": "87-rifle", "7": "95-rifle"},
        hands={"soviet": ["soviet/chuikov"]},
        options={"chuikov_joins_at_once": joins},
    )
    fight.attack("25", "24", hasty=True, draws=["soviet/chuikov"])
    thrown = [event.about for event in fight.dice("Close Combat") if event.about != unit("2-panzer")]
    assert len(thrown) == hexes


@each_row(("german", "is_in_play"), [({}, True), ({"9": ""}, False)])
def test_chuikov_needs_a_headquarters_in_the_designers_way(german: dict[str, str], is_in_play: bool) -> None:
    """designer.chuikov.headquarters, designer.chuikov.no-place: the sum of three dice names it; he is lost if it is German."""
    fight = Fight(
        german={"42": "2-panzer", **german},
        soviet={"28": "45-rifle"},
        hands={"soviet": ["soviet/chuikov"]},
        options={"designers_way": "hard"},
    )
    fight.attack("42", "28", draws=["soviet/chuikov"], dice=[2, 3, 4])
    assert fight.table.marker("9", HEADQUARTERS) == is_in_play
    assert fight.pile(leaders(SOVIET)) == (["soviet/chuikov"] if is_in_play else [])
    assert bool(fight.dice("Opportunity Fire")) == is_in_play


def test_an_option_limits_the_headquarters_to_the_advantage() -> None:
    """designer.chuikov.headquarters: ruling.chuikov-hq-scope."""
    fight = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "45-rifle"},
        hands={"soviet": ["soviet/chuikov"]},
        options={"designers_way": "hard", "chuikov_hq": "advantage-only"},
    )
    fight.attack("42", "28", draws=["soviet/chuikov"])
    assert not fight.dice("Headquarters")
    assert fight.pile(leaders(SOVIET)) == ["soviet/chuikov"]


def test_an_empowered_marine_lands_at_its_maximum() -> None:
    """designer.advantage.marines-empowered: no edge is drawn when it is revealed."""
    fight = Fight(
        german={"42": "2-panzer", "8": "544-infantry"},
        soviet={"28": "45-rifle"},
        hands={"soviet": [FLOTILLA]},
        pools={"marine": ["92-naval"]},
        advantages=["marines_empowered"],
    )
    fight.attack("42", "28", draws=[FLOTILLA], dice=[2, 2, 3])
    fight.attack("8", "7", hasty=True, draws=["92-naval"])
    assert fight.table.pieces[token(SOVIET, 1)].steps == 3


def test_a_guard_that_was_destroyed_is_restored_when_it_comes_again() -> None:
    """designer.immortal-guard.return: it goes to the Infantry pool, and is set to its maximum in its next combat."""
    fight = Fight(
        german={"42": "2-panzer:1", "43": "36-panzer"},
        soviet={"28": "87-rifle"},
        hands={"soviet": ["soviet/infiltration-1"]},
        pools={"infantry": ["13-guards"]},
        advantages=["immortal_guard"],
    )
    fight.attack("42", "28", hasty=True, draws=["soviet/infiltration-1", "13-guards", "edge-2"])
    assert fight.table.pieces[token(SOVIET, 1)].steps == 4
    fight.attack("43", "28", hasty=True, dice=[2] * 8 + [6])
    fight.do(Choose((token(SOVIET, 1),)))
    assert fight.table.pieces[token(SOVIET, 1)].steps == 3
    fight.attack("43", "28", hasty=True, dice=[2] * 8)
    assert fight.table.pieces[token(SOVIET, 1)].steps == 4
