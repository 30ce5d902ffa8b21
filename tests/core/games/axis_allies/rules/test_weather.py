"""The Weather Roll, and the rivers that freeze."""

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.axis_allies.ids import FERRY, FROZEN, ICE_BRIDGE, round_space
from core.games.axis_allies.rules.automatic_cards import freeze, roll_for_weather
from core.games.axis_allies.rules.queries import is_bad_weather, is_don_frozen, is_volga_frozen
from events.ids import RuleId
from events.vocabulary import DiceRolled
from tests.support.axis_allies import BOARD, bare
from tests.support.rows import each_row

TEST = RuleId("order.1.roll")
BAD = {number: min(faces) for number, faces in BOARD.bad_faces.items() if faces}


def in_round(number: int, *frozen: int, ferries: tuple[str, ...] = ()) -> Draft:
    """Return the draft of a bare table in a round, after bad weather in others."""
    draft = bare(ferries=ferries)
    for one in frozen:
        draft.mark(round_space(one), FROZEN, TEST)
        freeze(draft, BOARD)
    draft.begin_round(number, TEST)
    return draft


def roll(draft: Draft, *dice: int) -> Draft:
    """Carry card 1 out with exactly these dice."""
    chance = ManualChance(dice)
    after = Draft(draft.table, chance)
    roll_for_weather(after, BOARD)
    chance.check_used_up()
    return after


@each_row("number", range(1, 6))
def test_there_is_no_roll_in_the_first_five_rounds(number: int) -> None:
    """RuleId("order.1.rounds-1-5"), RuleId("sequence.round-conditions")."""
    after = roll(in_round(number))

    assert not [event for event in after.events if isinstance(event, DiceRolled)]


@each_row("number", sorted(BAD))
def test_the_faces_of_the_round_bring_bad_weather(number: int) -> None:
    """RuleId("order.1.roll"), RuleId("order.1.marker"), RuleId("order.1.weather-effect")."""
    bad = roll(in_round(number), BAD[number])

    assert is_bad_weather(bad.table)
    assert bad.table.marker(round_space(number), FROZEN) == 1


@each_row("number", sorted(BAD))
def test_other_faces_bring_clear_weather(number: int) -> None:
    """RuleId("order.1.roll")."""
    clear = [face for face in range(1, 7) if face not in BOARD.bad_faces[number]]

    assert clear
    assert not is_bad_weather(roll(in_round(number), clear[0]).table)


def test_the_don_freezes_first_and_for_good() -> None:
    """RuleId("freeze.don-first"), RuleId("freeze.permanent")."""
    after = roll(in_round(min(BAD)), BAD[min(BAD)])
    assert is_don_frozen(after.table)
    assert not is_volga_frozen(after.table, BOARD)

    after.begin_round(min(BAD) + 1, TEST)

    assert is_don_frozen(after.table)
    assert not is_bad_weather(after.table)


def test_the_volga_freezes_second_and_all_ferries_become_ice_bridges() -> None:
    """RuleId("freeze.volga-second"), RuleId("icebridge.place-all"), ruling.freeze-timing."""
    first, second = sorted(BAD)[:2]
    after = roll(in_round(second, first, ferries=("crossing_white",)), BAD[second])

    assert is_volga_frozen(after.table, BOARD)
    for crossing in BOARD.crossings:
        assert after.table.marker(crossing, ICE_BRIDGE) == 1
        assert after.table.marker(crossing, FERRY) == 0


def test_bad_weather_for_the_third_time_freezes_nothing_more() -> None:
    """RuleId("freeze.third-and-later")."""
    first, second, third = sorted(BAD)[:3]
    before = in_round(third, first, second)
    markers = {place: dict(there) for place, there in before.table.markers.items()}

    after = roll(before, BAD[third])

    assert {place: dict(there) for place, there in after.table.markers.items()} == {
        **markers,
        round_space(third): {FROZEN: 1},
    }
