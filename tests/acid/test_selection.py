"""Selections, assignments and orders on a made-up game; the numbers are those of the situations that the kernel must carry."""

from itertools import combinations
from math import comb
from random import Random

import pytest

from core.assignment import matching
from core.command import Command
from core.legal import legal_commands
from core.match import Prepared, load_match
from core.refusal import Refusal
from core.selection import Choose, Done, Pick, Selection, Unpick, has_exact_sum
from events.codec import encode
from events.ids import ARBITER, PUBLIC, PlaceId, Seat
from events.vocabulary import DecisionOpened, DiceRolled, ItemPicked
from projections.fold import fold
from projections.table import Table
from projections.table_codec import decode_table, encode_table
from projections.view import seen_events
from tests.acid.selection_game import BLUE, CITY, LEADERS, MINES, QUESTIONS, RED, REDS, TARGET, Evict
from tests.support.desk import Desk


def opened(scenario: str, name: str = "m1") -> Desk:
    """Open a match at the question of a scenario."""
    return Desk.open("garrison", scenario, name=name)


def game_part(table: Table) -> tuple[object, ...]:
    """Return what a table says of the game, bookkeeping aside."""
    return (table.pieces, table.at, table.markers, table.attributes, table.piles, table.stack, table.chance_position)


def stream(desk: Desk, seat: Seat) -> list[bytes]:
    """Return a seat's stream as bytes."""
    return [encode(event) for event in seen_events(desk.events, seat)]


# 28


def test_candidates_are_listed_and_no_subsets() -> None:
    """ACID 28: of 24 units 1 to 4 are chosen; `legal` lists the 24, what is picked, and how many there must be."""
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


@pytest.mark.parametrize("order", [("guards", "navy"), ("navy", "guards")])
def test_both_ways_of_choosing_end_in_the_same_table(order: tuple[str, str]) -> None:
    """ACID 28: picks and done, or the whole set in one command; also what was picked first makes no difference."""
    picked, whole = opened("advance", "a"), opened("advance", "b")
    for item in order:
        picked.accept(Pick(item))
    picked.accept(Done())
    whole.accept(Choose(("guards", "navy")))

    assert game_part(picked.table) == game_part(whole.table)
    assert picked.table.pieces_at(PlaceId("field")) == ("guards", "navy")
    assert picked.audit().findings == whole.audit().findings == ()


@pytest.mark.parametrize(
    "items", [("navy", "guards"), ("guards", "guards"), ("guards", "guards", "navy"), ("navy", "navy", "guards")]
)
def test_a_set_travels_sorted_and_without_repetition_or_is_refused(items: tuple[str, ...]) -> None:
    """ACID 28: two commands for one set would have different bytes."""
    assert opened("advance").refused(Choose(items)) == "choice_must_be_sorted"


def test_picks_are_taken_back_freely_and_the_dice_do_not_notice() -> None:
    """ACID 14, 28: un-picking leaves the question as it was, and buys no other die in a seeded match."""
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


def test_a_command_that_makes_no_selection_is_refused() -> None:
    """match.selection: only picks, picks taken back, done and whole choices answer."""
    assert opened("advance").refused(Evict("guards", "farm")) == "answer_must_be_choice"


def test_done_waits_for_the_minimum_and_picks_stop_at_the_maximum() -> None:
    """ACID 28: minimum and maximum hold for picks and for whole choices."""
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


def test_what_is_picked_belongs_to_the_question_and_vanishes_with_it() -> None:
    """ACID 28, 32: nothing is left on the table to be cleared; a snapshot and the fold hold the picks meanwhile."""
    desk = opened("advance")
    desk.accept(Pick("guards"))
    top = desk.table.top

    assert top is not None
    assert top.picked == ("guards",)
    assert fold(desk.events) == desk.table == decode_table(encode_table(desk.table))
    assert load_match(desk.log, desk.match.id).table == desk.table
    desk.accept({"do": "match:resign"}, RED)
    assert desk.table.stack == ()


def test_where_exactly_one_is_chosen_picking_it_answers() -> None:
    """ACID 28: a choice of one of m is one command."""
    desk = opened("lead")
    desk.accept(Pick("guards"))

    assert desk.table.top is not None and desk.table.top.kind == "after"
    assert not any(isinstance(event, ItemPicked) for event in desk.events)


def test_whatever_is_accepted_goes_in_listed_steps_to_the_same_table() -> None:
    """ACID 15, 28: a whole choice expands into picks and done; each step is listed when its turn comes."""
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


def test_an_exact_sum_stays_within_reach() -> None:
    """ACID 29: leaders of exactly 12 points: 5, 4 and 3, or 8 and 4; what could not be completed is not offered."""
    desk = opened("recruits")
    desk.accept(Pick("tanks"))

    assert [option for option in desk.options() if isinstance(option, Pick)] == [Pick("navy")]
    assert desk.refused(Pick("guards")) == desk.refused(Done()) == "costs_must_add_up"
    assert Unpick("tanks") in desk.options()
    desk.accept(Pick("navy"))
    desk.accept(Done())


def test_every_path_of_picks_leads_to_a_whole_choice() -> None:
    """ACID 29, 30: wherever picks lead, there is a next pick or done; no question is dead."""
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
    """Return whether an option picks an item that is not picked yet, or picks it once more."""
    top = desk.table.top
    return isinstance(option, Pick) and top is not None and (top.kind == "rations" or option.item not in top.picked)


def test_exact_sums() -> None:
    """ACID 29: some of the values add up to the total."""
    assert has_exact_sum([5, 4, 3], 12)
    assert has_exact_sum([5, 4, 3], 0)
    assert not has_exact_sum([5, 4, 3], 11)
    assert not has_exact_sum([], 1)


# 19


def test_a_seat_that_is_no_owner_moves_units_one_at_a_time() -> None:
    """ACID 19: blue moves red's units; what is open is computed again after each, since each fills a place."""
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
    """ACID 30: a target for each gun, or none, changeable until confirmed; then an attribute of the piece."""
    desk = opened("guns")
    desk.accept(Pick("gun-1", "east"))
    desk.accept(Pick("gun-2", "east"))
    desk.accept(Pick("gun-1", "west"))

    assert desk.table.attributes == {}
    assert Pick("gun-2", "west") in desk.options()
    desk.accept(Done())
    assert [desk.table.attribute(gun, TARGET) for gun in ("gun-1", "gun-2", "gun-3")] == ["west", "east", None]
    assert fold(desk.events) == desk.table


def test_no_unit_is_left_without_room_that_others_could_have_left_to_it() -> None:
    """ACID 30: the bomber must not take the north, the only place for the fighter; all land before done."""
    desk = opened("landings")

    assert desk.refused(Pick("bomber", "north")) == "choice_must_be_completable"
    assert desk.refused(Choose(("bomber",), ("south",))) == desk.refused(Done()) == "choice_must_reach_minimum"
    assert desk.refused(Choose(("bomber", "fighter"), ("north", "north"))) == "place_must_have_room"
    assert desk.refused(Pick("fighter", "south")) == "place_must_suit"
    desk.accept(Pick("bomber", "south"))
    desk.accept(Pick("fighter", "north"))
    desk.accept(Done())
    assert [desk.table.attribute(unit, TARGET) for unit in ("bomber", "fighter")] == ["south", "north"]


def test_where_not_all_have_room_as_many_as_possible_are_assigned() -> None:
    """ACID 30: four aircraft, two places of one each: two land, done before that is refused."""
    desk = opened("landings-crowded")
    legal = legal_commands(desk.match.ruleset.rules, desk.table)

    assert (legal.minimum, legal.maximum) == (2, 2)
    desk.accept(Pick("bomber", "north"))
    assert desk.refused(Done()) == "choice_must_reach_minimum"
    assert Pick("fighter", "north") not in desk.options()


def test_a_matching_assigns_as_many_as_possible() -> None:
    """ACID 30: compared with trying every assignment."""
    rng = Random(30)
    for _ in range(200):
        places = ["p", "q", "r"]
        suits = {f"i{n}": rng.sample(places, rng.randrange(4)) for n in range(5)}
        room = {place: rng.randrange(3) for place in places}

        assert matching(suits, room) == most_by_trial(suits, room)


def most_by_trial(suits: dict[str, list[str]], room: dict[str, int]) -> int:
    """Return the size of the largest assignment, by trying all."""
    if not suits:
        return 0
    (_, places), *rest = suits.items()
    best = most_by_trial(dict(rest), room)
    for place in places:
        if room[place]:
            best = max(best, 1 + most_by_trial(dict(rest), {**room, place: room[place] - 1}))
    return best


# 31


def test_of_equal_pieces_one_is_listed_about_their_place() -> None:
    """ACID 31: eight infantry are alike; once one is remembered to have moved there are two kinds of them."""
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
    """ACID 28, 31: the options that name it, under their numbers in the whole list."""
    desk = opened("evict")
    found = legal_commands(desk.match.ruleset.rules, desk.table, "navy")

    assert found.count == 24
    assert [command for _, command in found.options] == [Evict("navy", "farm"), Evict("navy", "mill")]
    assert [desk.options()[number - 1] for number, _ in found.options] == [command for _, command in found.options]


def test_an_item_can_be_picked_more_than_once_where_the_game_says_so() -> None:
    """ACID 31: three rations to four leaders, whoever gets how many."""
    desk = opened("rations")
    for item in ("navy", "navy", "guards"):
        desk.accept(Pick(item))
    desk.accept(Unpick("navy"))
    desk.accept(Pick("navy"))
    desk.accept(Done())

    assert [desk.table.attribute(leader, TARGET) for leader in LEADERS] == [1, 2, None, None]
    assert opened("rations").refused(Choose(("navy", "guards", "navy"))) == "choice_must_be_sorted"


@pytest.mark.parametrize(("game", "once"), [("rations", False), ("advance", True)])
def test_a_choice_out_of_order_is_asked_for_each_item_once_unless_items_may_repeat(game: str, once: bool) -> None:
    refusal = opened(game).ask(Choose(("navy", "guards")))

    assert isinstance(refusal, Refusal)
    assert refusal.code == "choice_must_be_sorted"
    assert ("each once" in refusal.sentence) == once


# 5, 8, 18


def test_secret_picks_are_in_no_other_stream_not_even_as_a_number() -> None:
    """ACID 8: the enemy learns how many cards lie face down, not how often the player changed its mind."""
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


def test_the_question_is_asked_whatever_is_secret() -> None:
    """ACID 5: which cards red holds decides nothing that blue can see; automatic answers rest on open events only."""
    first, second = opened("mines", "m"), opened("mines", "m")
    first.accept(Choose(()))
    second.accept(Choose(("heavy",)))

    asked = [
        [event for event in seen_events(desk.events, BLUE) if isinstance(event, DecisionOpened)]
        for desk in (first, second)
    ]
    assert asked[0] == asked[1]


def test_a_fork_does_not_show_what_another_seat_had_picked() -> None:
    """ACID 8: blue forks while red is picking; in the fork red begins anew, and blue has seen nothing."""
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


def test_picks_go_on_in_forks_at_every_event() -> None:
    """ACID 28: a fork can be made between any two picks, and play goes on from there."""
    desk = opened("advance")
    for command in (Pick("guards"), Pick("navy"), Unpick("guards"), Done()):
        desk.accept(command)
    for at in range(1, desk.match.head.seq + 1):
        fork = desk.fork(at, name=f"f{at}")
        assert fork.audit().findings == ()
        if fork.table.began:
            assert isinstance(fork.ask(fork.options()[0]), Prepared)


def test_when_a_seat_has_caused_too_many_private_events_it_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACID 8: secret picks are bounded, and the bound makes no dead end: a whole choice is listed, and any is accepted."""
    monkeypatch.setattr("core.selection.PRIVATE_EVENTS_OF_SEAT_MAX", 5)
    desk = opened("mines")
    for command in (Pick("heavy"), Unpick("heavy"), Pick("heavy"), Unpick("heavy")):
        desk.accept(command)

    assert desk.options() == [Choose(())]
    assert desk.refused(Pick("heavy")) == "picks_must_be_few"
    desk.accept(Choose(("light",)))


def test_whole_choices_are_those_that_picks_can_make() -> None:
    """ACID 28: whole choices that are accepted are exactly those that picks can make."""
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
