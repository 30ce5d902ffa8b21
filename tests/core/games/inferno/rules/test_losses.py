"""Hits: whom they fall on, who chooses among equals, and where destroyed units go."""

from core.engine.selection import Choose, Pick
from core.games.inferno.ids import POOL_PILES
from core.games.inferno.rules.commands import CommitCards, ShortMove
from events.ids import PlaceId
from tests.support.inferno_combat import Fight, unit
from tests.support.rows import each_row


def clear_fight(german: str, soviet: str) -> Fight:
    """Return Germans in 59 and Soviets in the Clear hex 60."""
    return Fight(german={"59": german}, soviet={"60": soviet})


def test_each_hit_takes_a_step_from_the_strongest() -> None:
    """hits.reduce, hits.strongest-first, hits.reassess: judged anew before every hit."""
    fight = clear_fight("2-panzer", "45-rifle 10-rifle-brigade:1")
    fight.attack("59", "60", dice=[2] * 5 + [6, 6, 1, 1])
    assert (fight.strength("45-rifle"), fight.strength("10-rifle-brigade")) == (2, 1)


def test_the_german_seat_chooses_among_equally_strong_units_of_either_army() -> None:
    """hits.tie-german-chooses: the last of three hits on 4 and 2 falls on either."""
    fight = clear_fight("2-panzer", "45-rifle 13-guards:2")
    fight.attack("59", "60", dice=[2] * 6 + [6, 6, 6, 1])
    assert fight.asked == "hits"
    assert fight.code(Pick(unit("2-panzer"))) == "hit_must_fall_on_participant"
    fight.choose("13-guards")
    assert (fight.strength("45-rifle"), fight.strength("13-guards")) == (2, 1)
    own = clear_fight("2-panzer 36-panzer", "45-rifle")
    own.attack("59", "60", dice=[6, 2, 2, 2])
    own.choose("36-panzer")
    assert (own.strength("2-panzer"), own.strength("36-panzer")) == (4, 3)


def test_a_weaker_unit_is_refused() -> None:
    """hits.strongest-first: the choice is among the strongest only; other commands do not answer it."""
    fight = clear_fight("2-panzer", "45-rifle 87-rifle 13-guards:2")
    fight.attack("59", "60", dice=[2] * 10 + [6, 1, 1, 1])
    assert fight.code(Pick(unit("13-guards"))) == "hit_must_fall_on_strongest"
    assert fight.code(ShortMove((unit("2-panzer"),), PlaceId("58"))) == "turn_must_have_one_action"
    assert fight.code(CommitCards()) == "decision_must_be_open"


def test_several_hits_among_equals_are_chosen_at_once() -> None:
    """hits.tie-german-chooses: two hits on three equals take two different units; three take all, and nothing is asked."""
    fight = clear_fight("2-panzer", "45-rifle 87-rifle 95-rifle")
    fight.attack("59", "60", dice=[2] * 12 + [6, 6, 1, 1])
    assert fight.code(Choose((unit("45-rifle"),))) != ""
    fight.choose("45-rifle", "95-rifle")
    assert [fight.strength(name) for name in ("45-rifle", "87-rifle", "95-rifle")] == [3, 4, 3]
    all_hit = clear_fight("2-panzer", "45-rifle 87-rifle 95-rifle")
    all_hit.attack("59", "60", dice=[2] * 12 + [6, 6, 6, 1])
    assert not all_hit.asked
    assert [all_hit.strength(name) for name in ("45-rifle", "87-rifle", "95-rifle")] == [3, 3, 3]


def test_only_units_of_the_combat_are_hit() -> None:
    """hits.scope: attackers of several hexes are one group, and who does not attack is safe."""
    fight = Fight(german={"59": "544-infantry:3", "61": "2-panzer:2", "44": "36-panzer"}, soviet={"60": "45-rifle:1"})
    fight.attack("59 61", "60", dice=[6])
    assert [fight.strength(name) for name in ("544-infantry", "2-panzer", "36-panzer")] == [2, 2, 4]
    tied = Fight(german={"59": "544-infantry:3", "61": "2-panzer:3", "44": "36-panzer"}, soviet={"60": "45-rifle:1"})
    tied.attack("59 61", "60", dice=[6])
    assert tied.code(Pick(unit("36-panzer"))) == "hit_must_fall_on_participant"


def test_a_destroyed_unit_leaves_the_map() -> None:
    """hits.destroyed, hits.soviet-to-pool, hits.german-to-death-pool: to its own pool, or to the Death Pool for good."""
    fight = clear_fight("544-infantry:1", "6-tank:1")
    fight.attack("59", "60", dice=[6, 6])
    assert fight.pile(POOL_PILES["tank"]) == ["6-tank"]
    assert fight.place("544-infantry") == "death_pool"


def test_hits_without_a_target_are_lost() -> None:
    """hits.excess-lost: those left over when no enemy unit of the combat remains."""
    fight = clear_fight("2-panzer", "45-rifle:1")
    fight.attack("59", "60", dice=[2, 6, 6, 6, 1])
    assert fight.strength("45-rifle") == 0
    assert [event.rule for event in fight.events if "no Soviet unit is left" in getattr(event, "outcome", "")] == [
        "hits.excess-lost"
    ]


@each_row(("chooser", "seat"), [("german", "german"), ("owner", "soviet")])
def test_an_option_lets_the_owner_choose_among_soviet_units(chooser: str, seat: str) -> None:
    """hits.tie-german-chooses: only with a Soviet seat (ruling.tie-chooser)."""
    fight = Fight(
        german={"59": "2-panzer"},
        soviet={"60": "45-rifle 87-rifle"},
        mode="one_vs_one",
        options={"tie_chooser": chooser},
    )
    fight.attack("59", "60", dice=[2] * 8 + [6, 1, 1, 1])
    assert fight.table.stack[-1].seat == seat


def test_hits_on_both_sides_are_two_questions() -> None:
    """combat.simultaneous: each side's hits are chosen for it alone."""
    fight = clear_fight("2-panzer 36-panzer", "45-rifle 87-rifle")
    fight.attack("59", "60", dice=[6] + [2] * 7 + [6] + [2] * 7)
    fight.choose("87-rifle")
    fight.choose("2-panzer")
    assert [fight.strength(name) for name in ("2-panzer", "36-panzer", "45-rifle", "87-rifle")] == [3, 4, 4, 3]
    assert not fight.table.stack
