"""Selections, some of items that get places, on a made-up game; each test names its ACID situation."""

from itertools import combinations
from math import comb
from random import Random

import pytest

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Selection, Unpick, has_exact_sum
from core.legal.legal_options import Legal, legal_commands
from core.match.live_match import Prepared, load_match
from core.refusal import Refusal
from events.codec import encode
from events.ids import ARBITER, PUBLIC, PlaceId, Seat
from events.vocabulary import DecisionOpened, DiceRolled, ItemPicked
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from projections.table_codec import decode_table, encode_table
from tests.acid.selection_game import BLUE, CITY, LEADERS, MINES, QUESTIONS, RED, REDS, TARGET, Evict
from tests.support.desk import Desk
from tests.support.rows import each_row


def opened(scenario: str, name: str = "m1") -> Desk:
    """Open a match at the question of a scenario."""
    return Desk.open("garrison", scenario, name=name)


def game_part(table: Table) -> tuple[object, ...]:
    """Return the game part of a table."""
    return (table.pieces, table.at, table.markers, table.attributes, table.piles, table.stack, table.chance_position)


def stream(desk: Desk, seat: Seat) -> list[bytes]:
    """Return a seat's stream as bytes."""
    return [encode(event) for event in seen_events(desk.events, seat)]


# 28


def test_candidates_are_listed_but_not_subsets() -> None:
    """ACID 28: 1 to 4 of 24 units are chosen; `legal` lists the 24, those picked so far, and the bounds."""
    desk = opened("advance")
    before = legal_commands(desk.match.ruleset.rules, desk.table)
    desk.accept(Pick("guards"))
    desk.accept(Pick("navy"))
    after = legal_commands(desk.match.ruleset.rules, desk.table)

    assert sum(comb(24, size) for size in range(1, 5)) == 12_950
    assert (before.count, before.minimum, before.maximum, before.picked) == (24, 1, 4, ())
    assert after.picked == ("guards", "navy")
    assert [type(command) for _, command in after.options].count(Pick) == 22
    assert [command for _, command in after.options][-3:] == [Unpick("guards"), Unpick("navy"), Done()]


@each_row("order", [("guards", "navy"), ("navy", "guards")])
def test_picks_and_a_whole_choice_lead_to_the_same_table(order: tuple[str, str]) -> None:
    """ACID 28: picks followed by done, in any order, or the whole set in one command."""
    picked, whole = opened("advance", "a"), opened("advance", "b")
    for item in order:
        picked.accept(Pick(item))
    picked.accept(Done())
    whole.accept(Choose(("guards", "navy")))

    assert game_part(picked.table) == game_part(whole.table)
    assert picked.table.pieces_at(PlaceId("field")) == ("guards", "navy")
    assert picked.audit().findings == whole.audit().findings == ()


@each_row("items", [("navy", "guards"), ("guards", "guards"), ("guards", "guards", "navy"), ("navy", "navy", "guards")])
def test_a_whole_choice_must_be_sorted_and_without_duplicates(items: tuple[str, ...]) -> None:
    """ACID 28: each set has exactly one encoding."""
    assert opened("advance").refused(Choose(items)) == "choice_must_be_sorted"


def test_taking_picks_back_does_not_change_the_dice() -> None:
    """ACID 14, 28: taking a pick back restores the question, and does not change the next die of a seeded match."""
    fiddled, straight = opened("advance", "m"), opened("advance", "m")
    before = game_part(fiddled.table)
    for item in ("guards", "navy"):
        fiddled.accept(Pick(item))
    for item in ("navy", "guards"):
        fiddled.accept(Unpick(item))

    assert game_part(fiddled.table) == before
    for desk in (fiddled, straight):
        desk.accept(Choose(("guards",)))
        desk.accept(Done())
    faces = [[event.faces for event in desk.events if isinstance(event, DiceRolled)] for desk in (fiddled, straight)]
    assert faces[0] == faces[1] != []
    assert fiddled.audit().findings == ()


def test_a_command_that_does_not_answer_a_selection_is_refused() -> None:
    """match.selection: the only answers are a pick, a pick taken back, done and a whole choice."""
    assert opened("advance").refused(Evict("guards", "farm")) == "answer_must_be_choice"


def test_done_needs_the_minimum_and_picks_stop_at_the_maximum() -> None:
    """ACID 28: minimum and maximum apply to picks and to whole choices."""
    desk = opened("advance")

    assert desk.refused(Done()) == desk.refused(Choose(())) == "choice_must_reach_minimum"
    for item in LEADERS:
        desk.accept(Pick(item))
    assert desk.refused(Pick("infantry-01")) == "choice_must_not_exceed_maximum"
    assert desk.refused(Choose((*LEADERS[:1], "infantry-01", *LEADERS[1:]))) == "choice_must_not_exceed_maximum"
    assert desk.refused(Pick("guards")) == "item_must_not_be_picked"
    assert desk.refused(Unpick("infantry-01")) == "item_must_be_picked"
    assert desk.refused(Choose(("nobody",))) == "item_must_be_candidate"
    assert not [option for option in desk.options() if isinstance(option, Pick)]


def test_picks_belong_to_the_question_and_vanish_with_it() -> None:
    """ACID 28, 32: no picks stay on the table after the answer; until then the fold and snapshots contain them."""
    desk = opened("advance")
    desk.accept(Pick("guards"))
    top = desk.table.top

    assert top is not None
    assert top.picked == ("guards",)
    assert fold(desk.events) == desk.table == decode_table(encode_table(desk.table))
    assert load_match(desk.log, desk.match.id).table == desk.table
    desk.accept({"do": "match:resign"}, RED)
    assert desk.table.stack == ()


def test_picking_the_only_item_of_a_choice_of_one_answers() -> None:
    """ACID 28: choosing one of m takes one command."""
    desk = opened("lead")
    desk.accept(Pick("guards"))

    assert desk.table.top is not None and desk.table.top.kind == "after"
    assert not any(isinstance(event, ItemPicked) for event in desk.events)


def test_every_accepted_choice_can_be_made_in_listed_steps() -> None:
    """ACID 15, 28: a whole choice expands into picks and done, and each of these steps is a listed option."""
    for scenario, choice in (
        ("advance", Choose(("guards", "infantry-03"))),
        ("lead", Choose(("navy",))),
        ("recruits", Choose(("guards", "navy", "police"))),
        ("mines", Choose(("heavy", "smoke"))),
        ("rations", Choose(("guards", "navy", "navy"))),
        ("guns", Choose(("gun-1", "gun-3"), ("east", "east"))),
        ("landings", Choose(("bomber", "fighter"), ("south", "north"))),
    ):
        whole, small = opened(scenario, "m"), opened(scenario, "m")
        first = next(option for option in small.options() if isinstance(option, Pick))
        if scenario != "lead":
            small.accept(first)
        steps = small.match.ruleset.rules.expand(small.table, choice)
        whole.accept(choice)
        for step in steps:
            assert step in small.options(), (scenario, step)
            small.accept(step)

        assert game_part(small.table) == game_part(whole.table), scenario
        assert small.audit().findings == (), scenario


# 29


def test_only_picks_that_can_reach_the_exact_sum_are_listed() -> None:
    """ACID 29: leaders worth exactly 12 points: 5, 4 and 3, or 8 and 4; a pick that cannot be completed is not offered."""
    desk = opened("recruits")
    desk.accept(Pick("tanks"))

    assert [option for option in desk.options() if isinstance(option, Pick)] == [Pick("navy")]
    assert desk.refused(Pick("guards")) == desk.refused(Done()) == "costs_must_add_up"
    assert Unpick("tanks") in desk.options()
    desk.accept(Pick("navy"))
    desk.accept(Done())


def test_every_sequence_of_picks_can_be_completed() -> None:
    """ACID 29, 30: after any picks, another pick or done is legal; there is no dead end."""
    for scenario in ("advance", "recruits", "mines", "rations", "guns", "landings", "landings-crowded"):
        for seed in range(6):
            rng = Random(seed)
            desk = opened(scenario)
            while desk.table.top is not None and desk.table.top.kind != "after":
                forward = [option for option in desk.options() if not isinstance(option, Unpick)]
                assert forward, (scenario, desk.table.top)
                if Done() in forward and rng.random() < 0.5:
                    desk.accept(Done())
                    continue
                added = [option for option in forward if is_new(desk, option)]
                desk.accept(rng.choice(added or [Done()]))


def is_new(desk: Desk, option: Command) -> bool:
    """Return whether an option picks an item for the first time, or once more."""
    top = desk.table.top
    return isinstance(option, Pick) and top is not None and (top.kind == "rations" or option.item not in top.picked)


def test_exact_sums() -> None:
    """ACID 29: `has_exact_sum` finds whether some of the values add up to the total."""
    assert has_exact_sum([5, 4, 3], 12)
    assert has_exact_sum([5, 4, 3], 0)
    assert not has_exact_sum([5, 4, 3], 11)
    assert not has_exact_sum([], 1)


# 19


def test_a_seat_moves_units_of_another_side_one_at_a_time() -> None:
    """ACID 19: blue moves red's units; the options are computed again after each move, since each fills a place."""
    desk = opened("evict")
    asked = [event for event in desk.events if isinstance(event, DecisionOpened)][-1]
    for number in range(1, 6):
        desk.accept(Evict(f"infantry-{number:02}", "farm"))

    assert asked.seat == BLUE
    assert {desk.table.pieces[piece].side for piece in desk.table.pieces} == {REDS}
    assert desk.refused(Evict("guards", "farm")) == "place_must_have_room"
    assert {option.to for option in desk.options() if isinstance(option, Evict)} == {"mill"}
    for number in range(6, 9):
        desk.accept(Evict(f"infantry-{number:02}", "mill"))
    assert desk.table.top is not None and desk.table.top.kind == "after"


# 30


def test_guns_are_assigned_and_changed_until_done() -> None:
    """ACID 30: each gun gets a target or none, changeable until confirmed; then the target is an attribute of the piece."""
    desk = opened("guns")
    desk.accept(Pick("gun-1", "east"))
    desk.accept(Pick("gun-2", "east"))
    desk.accept(Pick("gun-1", "west"))

    assert desk.table.attributes == {}
    assert Pick("gun-2", "west") in desk.options()
    desk.accept(Done())
    assert [desk.table.attribute(gun, TARGET) for gun in ("gun-1", "gun-2", "gun-3")] == ["west", "east", None]
    assert fold(desk.events) == desk.table


def test_no_assignment_takes_the_only_room_of_another_unit() -> None:
    """ACID 30: the bomber must not take the north, the only place for the fighter; done is legal once all have landed."""
    desk = opened("landings")

    assert desk.refused(Pick("bomber", "north")) == "choice_must_be_completable"
    assert desk.refused(Choose(("bomber",), ("south",))) == desk.refused(Done()) == "choice_must_reach_minimum"
    assert desk.refused(Choose(("bomber", "fighter"), ("north", "north"))) == "place_must_have_room"
    assert desk.refused(Pick("fighter", "south")) == "place_must_suit"
    desk.accept(Pick("bomber", "south"))
    desk.accept(Pick("fighter", "north"))
    desk.accept(Done())
    assert [desk.table.attribute(unit, TARGET) for unit in ("bomber", "fighter")] == ["south", "north"]


def test_if_room_is_short_as_many_units_as_possible_are_assigned() -> None:
    """ACID 30: four aircraft, two places with room for one each: two land; done before that is refused."""
    desk = opened("landings-crowded")
    legal = legal_commands(desk.match.ruleset.rules, desk.table)

    assert (legal.minimum, legal.maximum) == (2, 2)
    desk.accept(Pick("bomber", "north"))
    assert desk.refused(Done()) == "choice_must_reach_minimum"
    assert Pick("fighter", "north") not in desk.options()


# 31


def test_of_equal_pieces_in_one_place_one_is_listed() -> None:
    """ACID 31: eight equal infantry are one option; once one of them has an attribute, there are two."""
    desk = opened("lead")
    game = desk.match.ruleset.rules
    alike = legal_commands(game, desk.table, CITY)
    table = desk.table.clone()
    table.attributes["infantry-02"] = {TARGET: True}
    parted = legal_commands(game, table, CITY)

    assert alike.count == 12
    assert [command for _, command in alike.options] == [Pick("infantry-01"), *map(Pick, LEADERS)]
    assert [command for _, command in parted.options] == [Pick("infantry-01"), Pick("infantry-02"), *map(Pick, LEADERS)]
    assert [number for number, _ in alike.options] == [1, 9, 10, 11, 12]


def test_legal_can_be_asked_about_one_piece() -> None:
    """ACID 28, 31: only the options that name the piece, with their numbers in the whole list."""
    desk = opened("evict")
    found = legal_commands(desk.match.ruleset.rules, desk.table, "navy")

    assert found.count == 24
    assert [command for _, command in found.options] == [Evict("navy", "farm"), Evict("navy", "mill")]
    assert [desk.options()[number - 1] for number, _ in found.options] == [command for _, command in found.options]
    assert legal_commands(desk.match.ruleset.rules, desk.table, "moon").options == ()


def test_nothing_is_legal_without_an_open_question() -> None:
    rules = opened("evict").match.ruleset.rules

    assert legal_commands(rules, Table()) == legal_commands(rules, Table(), "navy") == Legal(0, ())


def test_an_item_can_be_picked_more_than_once_if_the_game_allows_it() -> None:
    """ACID 31: three rations for four leaders, any number for each."""
    desk = opened("rations")
    for item in ("navy", "navy", "guards"):
        desk.accept(Pick(item))
    desk.accept(Unpick("navy"))
    desk.accept(Pick("navy"))
    desk.accept(Done())

    assert [desk.table.attribute(leader, TARGET) for leader in LEADERS] == [1, 2, None, None]
    assert opened("rations").refused(Choose(("navy", "guards", "navy"))) == "choice_must_be_sorted"


@each_row(("game", "once"), [("rations", False), ("advance", True)])
def test_an_unsorted_choice_is_refused_with_a_hint_about_repetition(game: str, once: bool) -> None:
    refusal = opened(game).ask(Choose(("navy", "guards")))

    assert isinstance(refusal, Refusal)
    assert refusal.code == "choice_must_be_sorted"
    assert ("each once" in refusal.sentence) == once


# 5, 8, 18


def test_secret_picks_leave_no_trace_in_other_streams() -> None:
    """ACID 8: the opponent learns how many cards lie face down, but not how often the player changed the picks."""
    fiddled, straight = opened("mines", "m"), opened("mines", "m")
    for command in (Pick("heavy"), Pick("light"), Unpick("heavy"), Pick("smoke"), Done()):
        fiddled.accept(command)
    straight.accept(Choose(("heavy", "smoke")))

    for seat in (BLUE, PUBLIC):
        assert stream(fiddled, seat) == stream(straight, seat)
    for desk in (fiddled, straight):
        desk.accept(Done())
    assert stream(fiddled, BLUE) == stream(straight, BLUE)
    assert sorted(fiddled.table.pile(MINES).cards) == ["light", "smoke"]
    view = fold(seen_events(fiddled.events, BLUE))
    assert (view.pile(MINES).cards, view.pile(MINES).hidden) == ((), 2)
    assert fiddled.audit().findings == ()


def test_whether_a_question_is_asked_does_not_depend_on_secrets() -> None:
    """ACID 5: whether red is asked does not depend on its cards; only public information leads to an automatic answer."""
    first, second = opened("mines", "m"), opened("mines", "m")
    first.accept(Choose(()))
    second.accept(Choose(("heavy",)))

    asked = [
        [event for event in seen_events(desk.events, BLUE) if isinstance(event, DecisionOpened)]
        for desk in (first, second)
    ]
    assert asked[0] == asked[1]


def test_a_fork_does_not_show_what_another_seat_had_picked() -> None:
    """ACID 8: if blue forks while red is picking, red starts again in the fork, and blue sees no picks."""
    desk = opened("mines")
    desk.accept(Pick("heavy"))
    for seat, picked in ((BLUE, ()), (RED, ("heavy",)), (ARBITER, ("heavy",))):
        fork = desk.fork(
            desk.match.head.seq, name=f"by-{seat}", seat=seat, hidden="truth" if seat == ARBITER else "resample"
        )
        top, seen = fork.table.top, fold(seen_events(fork.events, RED)).top

        assert top is not None
        assert seen is not None
        assert top.picked == seen.picked == picked
        assert fold(fork.events) == fork.table
        assert fork.audit().findings == ()


def test_picks_continue_in_forks_at_every_event() -> None:
    """ACID 28: a fork can be made between any two picks and played on."""
    desk = opened("advance")
    for command in (Pick("guards"), Pick("navy"), Unpick("guards"), Done()):
        desk.accept(command)
    for at in range(1, desk.match.head.seq + 1):
        fork = desk.fork(at, name=f"f{at}")
        assert fork.audit().findings == ()
        if fork.table.began:
            assert isinstance(fork.ask(fork.options()[0]), Prepared)


@pytest.mark.interpreted
def test_after_too_many_private_events_a_seat_must_answer_with_a_whole_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACID 8: secret picks are bounded without a dead end: at the bound a whole choice is listed, and any legal one is accepted."""
    monkeypatch.setattr("core.engine.selection.PRIVATE_EVENTS_OF_SEAT_MAX", 5)
    desk = opened("mines")
    for command in (Pick("heavy"), Unpick("heavy"), Pick("heavy"), Unpick("heavy")):
        desk.accept(command)

    assert desk.options() == [Choose(())]
    assert desk.refused(Pick("heavy")) == "picks_must_be_few"
    desk.accept(Choose(("light",)))


def test_whole_choices_equal_those_made_by_picks() -> None:
    """ACID 28: a whole choice is accepted if and only if picks can produce it."""
    selection = QUESTIONS["recruits"]
    assert isinstance(selection, Selection)
    desk = opened("recruits")
    top = desk.table.top
    assert top is not None
    accepted = [
        items
        for size in range(5)
        for items in combinations(sorted(LEADERS), size)
        if selection.refuse(desk.table, top, Choose(items)) is None
    ]

    assert accepted == [("navy", "tanks"), ("guards", "navy", "police")]
