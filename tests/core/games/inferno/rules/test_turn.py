"""The course of the turns, the ends of the game, and the extra turns under OKH."""

from core.games.inferno.ids import CO_OP, GERMAN, ONE_VS_ONE, SOVIET, TWO_VS_ONE
from core.games.inferno.memory import CAPTURED_BY, EXTRA_TURNS
from core.games.inferno.rules.ending import GERMAN_VICTORY, SOVIET_VICTORY, german_losses
from core.games.inferno.rules.queries import decider, defending_seat
from events.ids import TABLE, PlaceId, RuleId
from events.vocabulary import MatchEnded, RuleApplied, Value
from tests.support.inferno import BOARD, NARRATION, Scene, order, scene
from tests.support.rows import each_row

DONE = order("done")
SPAWN_HEXES = list(BOARD.soviet_spawn)
NINETEEN = [str(number) for number in range(1, 20)]
FAR = {"50": ["98-rifle"]}
CARDS = ["soviet/sniper-1", "soviet/sniper-2"]
R_UNITS = ["64-panzer-grenadier", "120-motorized", "103-panzer-grenadier", "26-panzer-grenadier", "71-motorized"]
OTHERS = [block.id for block in BOARD.blocks_of(GERMAN) if not block.is_r_unit]
OKH = ["german/okh"]


def ended(table: Scene) -> MatchEnded:
    """Return how the match ended."""
    return next(event for event in table.events if isinstance(event, MatchEnded))


def result(table: Scene) -> tuple[str, str]:
    """Return the result and the rule of it."""
    return ended(table).result, ended(table).rule


def german_turn_ends(**more: object) -> Scene:
    """Return a scene after a German turn in which nothing was moved."""
    table = scene(**{"german": {"Y": ["2-panzer"]}, "soviet": FAR, **more})  # type: ignore[arg-type]
    table.do("german", DONE)
    return table


# Victory


def test_all_six_spawn_hexes_win_at_the_end_of_a_turn() -> None:
    """victory.german-decisive.spawn-hexes, victory.check-at-end-of-turn; V13"""
    table = german_turn_ends(control={"german": SPAWN_HEXES})

    assert result(table) == (GERMAN_VICTORY, "victory.german-decisive.spawn-hexes")
    assert (ended(table).winners, ended(table).winning_seats) == ((GERMAN,), ("german",))
    assert table.refused("german", DONE) == "match_must_be_running"


def test_no_soviet_unit_on_the_map_wins() -> None:
    """victory.german-decisive.no-soviets"""
    assert result(german_turn_ends(soviet={})) == (GERMAN_VICTORY, "victory.german-decisive.no-soviets")


def test_ten_losses_lose_and_r_units_count_double() -> None:
    """victory.soviet-decisive.losses, german.reinforce.removed-not-destroyed, ruling.removed-counts; V12"""
    nine = scene(german={"Y": ["2-panzer"]}, soviet=FAR, dead=[R_UNITS[0], *OTHERS[1:8]], removed={2: R_UNITS[1]})
    nine.do("german", DONE, dice=[6])
    ten = german_turn_ends(dead=[R_UNITS[0], *OTHERS[1:9]])

    assert (german_losses(nine.table, BOARD), nine.result) == (9, "")
    assert result(ten) == (SOVIET_VICTORY, "victory.soviet-decisive.losses")
    assert ended(ten).winning_seats == ()


@each_row(
    ("value", "winners"),
    [("active", (GERMAN,)), ("german", (GERMAN,)), ("soviet", (SOVIET,)), ("draw", ())],
)
def test_if_both_sides_win_the_side_on_turn_does(value: str, winners: tuple[str, ...]) -> None:
    """ruling.simultaneous-victory"""
    table = german_turn_ends(dead=OTHERS[1:11], control={"german": SPAWN_HEXES}, options={"victory_tie": value})

    assert ended(table).winners == winners


def test_victory_is_looked_at_after_each_turn_or_each_round() -> None:
    """ruling.turn-end"""
    table = scene(german={"Y": ["2-panzer"]}, soviet=FAR, dead=OTHERS[1:11], options={"victory_check": "full-round"})
    table.do("german", DONE, dice=[6])

    assert result(table) == (SOVIET_VICTORY, "victory.soviet-decisive.losses")


def test_the_last_soviet_card_ends_the_game_at_once() -> None:
    """victory.soviet-decisive.deck, ruling.deck-before-turn-end, card.soviet-draw-source"""
    table = scene(
        german={"Y": ["2-panzer"]}, soviet={"9": ["98-rifle"], "25": ["45-rifle"]}, decks={"soviet": CARDS[:1]}
    )
    table.do("german", DONE, dice=[1, 4], draws=CARDS[:1])

    assert result(table) == (SOVIET_VICTORY, "victory.soviet-decisive.deck")
    assert table.kinds("25") == ["45-rifle"]


# OKH


def test_okh_replaces_the_german_objectives() -> None:
    """leader.okh, victory.okh.replaces, victory.okh.nineteen-hexes, victory.okh.no-soviets"""
    six = scene(german={"Y": ["2-panzer"]}, soviet=FAR, control={"german": SPAWN_HEXES}, in_play=OKH)
    six.do("german", DONE, draws=CARDS[:1])
    all_hexes = german_turn_ends(control={"german": NINETEEN}, in_play=OKH)
    nobody = german_turn_ends(soviet={}, in_play=OKH)

    assert six.result == ""
    assert result(all_hexes) == (GERMAN_VICTORY, "victory.okh.nineteen-hexes")
    assert result(nobody) == (GERMAN_VICTORY, "victory.okh.no-soviets")


def last_card(
    *, removed: dict[int, str], options: dict[str, Value] | None = None, dead: list[str] | None = None
) -> Scene:
    """Return a scene with OKH in play after the last Soviet card was drawn in a Soviet turn."""
    table = scene(
        german={"Y": ["2-panzer"]},
        soviet={"9": ["98-rifle"]},
        decks={"soviet": CARDS[:1]},
        in_play=OKH,
        removed=removed,
        dead=dead or [],
        options=options,
    )
    table.do("german", DONE, dice=[1], draws=CARDS[:1])
    return table


def test_removed_r_units_give_extra_turns_and_destroyed_ones_do_not() -> None:
    """victory.okh.extra-turns, victory.okh.destroyed-r-no-turn, ruling.okh-soviet-turns, ruling.okh-draw-from-empty"""
    none = last_card(removed={}, dead=R_UNITS[:2])
    table = last_card(removed={1: R_UNITS[0], 2: R_UNITS[1]})

    assert result(none) == (SOVIET_VICTORY, "victory.soviet-decisive.deck")
    assert table.asked == "german extra_turn"

    table.do("german", order("extra-turn", play=True))
    table.do("german", DONE, dice=[1])
    table.do("german", order("extra-turn", play=True))
    table.do("german", DONE, dice=[1])

    assert result(table) == (SOVIET_VICTORY, "victory.okh.extra-turns")


def test_a_die_for_a_card_says_that_the_deck_is_empty() -> None:
    """ruling.okh-draw-from-empty, soviet.move.one-draws: what a die leads to is told, though nothing can be drawn."""
    table = last_card(removed={1: R_UNITS[0]})
    table.do("german", order("extra-turn", play=True))
    table.do("german", DONE, dice=[1])
    told = [
        (event.rule, NARRATION.tell(table.table, [event])) for event in table.events if isinstance(event, RuleApplied)
    ]

    assert (
        "soviet.move.one-draws",
        "1 card cannot be drawn, as the Soviet deck is empty (a 1 without Germans that way).",
    ) in told


def test_the_turn_in_which_the_deck_runs_out_is_not_an_extra_one() -> None:
    """ruling.okh-current-turn: a full hex that Infiltration cannot enter draws the last card in a German turn."""
    table = scene(
        german={"60": ["2-panzer"]},
        soviet={"58": ["45-rifle", "87-rifle", "95-rifle", "98-rifle"]},
        hands={"soviet": ["soviet/infiltration-1"]},
        decks={"soviet": CARDS[:1]},
        in_play=OKH,
        removed={1: R_UNITS[0]},
    )
    attack = order("hasty-attack", units=table.at("60"), to="59", targets=["58"])
    table.do("german", attack, dice=[2] * 20 + [4], draws=["soviet/infiltration-1", *CARDS[:1], "soviet/1"])

    assert (table.asked, EXTRA_TURNS.of(table.table)) == ("german extra_turn", 1)

    table.do("german", order("extra-turn", play=True))
    table.do("german", DONE, dice=[4], draws=["soviet/2"])

    assert result(table) == (SOVIET_VICTORY, "victory.okh.extra-turns")


def test_an_extra_turn_may_be_declined() -> None:
    """ruling.okh-decline"""
    table = last_card(removed={1: R_UNITS[0]})
    table.do("german", order("extra-turn", play=False))

    assert result(table) == (SOVIET_VICTORY, "victory.okh.extra-turns")


def test_a_later_removal_gives_another_extra_turn_five_at_most() -> None:
    """victory.okh.later-removals, victory.okh.max-five"""
    table = last_card(removed={2: R_UNITS[1]})
    table.do("german", order("extra-turn", play=True))
    table.do("german", order("reinforce"), dice=[1, 6, 6, 6, 6, 6, 1], draws=["german/stuka-1"])

    assert EXTRA_TURNS.of(table.table) == 1

    on_map = scene(
        german={"Y": [R_UNITS[0]]},
        soviet={"9": ["98-rifle"]},
        decks={"soviet": CARDS[:1]},
        in_play=OKH,
        removed={2: R_UNITS[1]},
    )
    on_map.do("german", DONE, dice=[1], draws=CARDS[:1])
    on_map.do("german", order("extra-turn", play=True))
    on_map.do("german", order("reinforce"), dice=[1, 6, 6, 6, 6, 6, 1], draws=["german/stuka-1"])

    assert EXTRA_TURNS.of(on_map.table) == 2
    assert on_map.asked == "german extra_turn"


def test_extra_turns_may_follow_each_other() -> None:
    """ruling.okh-soviet-turns"""
    table = last_card(removed={1: R_UNITS[0], 2: R_UNITS[1]}, options={"okh_extra_turns": "consecutive"})
    table.do("german", order("extra-turn", play=True))
    table.do("german", DONE)

    assert table.asked == "german extra_turn"


def test_extra_turns_that_follow_each_other_are_rounds_in_which_victory_is_looked_at() -> None:
    """ruling.turn-end, ruling.okh-soviet-turns: no Soviet turn follows, so the German turn is the round."""
    table = scene(
        german={"26": ["2-panzer"]},
        soviet={"70": ["45-rifle"]},
        control={"german": [place for place in NINETEEN if place != "9"]},
        decks={"soviet": CARDS[:1]},
        in_play=OKH,
        removed={1: R_UNITS[0], 2: R_UNITS[1]},
        options={"okh_extra_turns": "consecutive", "victory_check": "full-round"},
    )
    table.do("german", DONE, dice=[1], draws=CARDS[:1])
    table.do("german", order("extra-turn", play=True))
    table.do("german", order("short-move", units=table.at("26"), to="9"), draws=["german/stuka-1"])
    table.do("german", DONE)

    assert result(table) == (GERMAN_VICTORY, "victory.okh.nineteen-hexes")


# Two German seats


def test_german_seats_take_turns_and_yellow_begins() -> None:
    """turn.alternate, mode.co-op.turn-order, mode.2v1.combined, mode.co-op.seats, ruling.co-op-extra-turns"""
    table = scene(german={"Y": ["2-panzer"]}, soviet={"9": ["98-rifle"]}, mode=TWO_VS_ONE)
    seen = [table.asked]
    for seat in ("yellow", "blue"):
        table.do(seat, DONE)
        seen.append(table.asked)
        table.do("soviet", order("soviet-draw"), draws=[CARDS[len(seen) // 3]])
        seen.append(table.asked)

    assert seen == ["yellow action", "soviet soviet_action", "blue action", "soviet soviet_action", "yellow action"]


def test_a_seat_without_units_may_call_or_pass_and_yellow_decides_for_white_stacks() -> None:
    """mode.co-op.free-action, mode.co-op.white-defence"""
    table = scene(german={"Y": ["544-infantry"], "75": ["576-infantry"]}, soviet=FAR, mode=CO_OP, round_=1)

    assert table.asked == "blue action"
    assert {order("reinforce"), DONE} <= {*table.options}
    assert defending_seat(table.table, BOARD, PlaceId("75")) == "yellow"
    assert decider(table.table, units_of=GERMAN, german=defending_seat(table.table, BOARD, PlaceId("75"))) == "yellow"


def credited(mode: str, **options: Value) -> Scene:
    """Return a scene in which Yellow is credited with four Spawn Hexes and Blue with two, and the Germans win or lose."""
    won = options.pop("won", True)
    table = scene(
        german={"Y": ["2-panzer"]},
        soviet=FAR,
        control={"german": SPAWN_HEXES} if won else {"german": SPAWN_HEXES[:5]},
        dead=[] if won else OTHERS[1:11],
        mode=mode,
        options=options,
    )
    for place, seat in zip(SPAWN_HEXES, ("yellow",) * 4 + ("blue",) * 2, strict=True):
        table.table.attributes[place] = {CAPTURED_BY.key: seat}
    table.do("yellow", DONE)
    return table


def test_of_the_partners_the_one_with_more_spawn_hexes_wins() -> None:
    """mode.co-op.winner, mode.co-op.control-by-colour, ruling.co-op-winner"""
    won = credited(CO_OP)
    compared = [(event.rule, event.about) for event in won.events if isinstance(event, RuleApplied)][-2:]

    assert compared == [("mode.co-op.winner", "yellow"), ("mode.co-op.winner", "blue")]
    assert ended(won).winning_seats == ("yellow",)
    assert ended(credited(CO_OP, won=False)).winning_seats == ()
    assert ended(credited(CO_OP, won=False, coop_winner="always")).winning_seats == ("yellow",)


def test_a_soviet_seat_wins_with_its_side() -> None:
    """mode.1v1.rest-as-solo"""
    table = german_turn_ends(dead=OTHERS[1:11], mode=ONE_VS_ONE)

    assert ended(table).winning_seats == ("soviet",)


def test_a_captured_hex_is_credited_to_the_colour_that_took_it() -> None:
    """mode.co-op.control-by-colour, ruling.co-op-capture-credit, mode.co-op.cards-private"""
    table = scene(german={"29": ["544-infantry", "576-infantry"], "14": ["267-infantry"]}, soviet=FAR, mode=CO_OP)
    units = table.tokens("544-infantry", "576-infantry")
    table.do("yellow", order("short-move", units=units, to="13"), draws=["german/stuka-1"])
    table.do("yellow", order("done"), dice=[6])

    assert CAPTURED_BY.of(table.table, PlaceId("13")) == "yellow"
    assert table.count("yellow_hand") == 1
    assert table.asked == "blue action"

    table.do("blue", order("short-move", units=table.tokens("267-infantry"), to="30"))
    assert CAPTURED_BY.of(table.table, PlaceId("30")) == "blue"


def test_a_turn_that_is_over_leaves_no_memory() -> None:
    """Attributes of a turn are gone when the next one begins."""
    table = scene(german={"75": ["2-panzer"]}, soviet=FAR)
    table.do("german", order("short-move", units=table.tokens("2-panzer"), to="76"))
    table.do("german", DONE, dice=[6])

    assert table.table.attributes.get(TABLE, {}) == {}
    assert RuleId("turn.alternate") in {event.rule for event in table.events}
