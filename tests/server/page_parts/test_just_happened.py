"""What has happened since the viewer's last command is told in a line: what decided, who holds what, losses, and what was written."""

import re
from collections.abc import Iterator

import pytest

from core.match.player_commands import AddNote
from core.telling.names import Names
from events.ids import GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import AttributeSet, ControlChanged, DiceRolled
from server.client.local import local_client
from server.page_parts.just_happened import first_told, just_happened
from server.page_parts.story import Story
from server.web.pages.match_page import SO_FAR
from tests.support.browsing import narrator_of, played
from tests.support.rows import each_row
from tests.support.sample_matches import play

DICE = r"\((\d(, \d)* at \d or less(; )?)+\)"
ADDED = rf"[\w' ]+: Axis hits \d+ {DICE}, Allies hit [1-9]\d* {DICE}\."
"""How the throws of a fight are added up, with the dice of each side by what they need."""
SIDES = {"german": "German", "russian": "Russian"}


def asked(log: MemoryLog, match: MatchId, game: str, seat: Seat) -> Iterator[Story]:
    """Yield the story of a match at each question of a seat."""
    narration = narrator_of(game)
    story = Story(match, seat, Names(narration), narration)
    for slice_ in local_client(log).log(match, seat):
        story.take(slice_)
        if story.now.top is not None and story.now.top.seat == seat:
            yield story


@pytest.mark.long
@each_row(
    ("game", "seat", "commands"), [("advance", "german", 150), ("inferno", "german", 150), ("axis-allies", "axis", 400)]
)
def test_each_roll_and_each_place_that_changes_hands_is_told_at_the_next_own_question(
    game: str, seat: str, commands: int
) -> None:
    log = MemoryLog()
    match = played(log, game, commands)
    rolls = changes = 0
    for story in asked(log, match, game, Seat(seat)):
        events = story.events[max(first_told(story) - 1, 0) :] if first_told(story) else ()
        has_dice = any(isinstance(event, DiceRolled) for event in events)
        has_changed = any(isinstance(event, ControlChanged) and event.to != event.was for event in events)
        rolls, changes = rolls + has_dice, changes + has_changed

        assert just_happened(story) or not (has_dice or has_changed)
    assert rolls + changes


def test_own_cards_that_were_drawn_are_told_and_those_of_others_are_not() -> None:
    """On a phone the hand is below the fold."""
    log = MemoryLog()
    match = played(log, "battle", 150)
    told = {seat: [just_happened(story) for story in asked(log, match, "battle", Seat(seat))] for seat in SIDES}

    for seat, name in SIDES.items():
        own = [one for one in told[seat] if f"{name} draws" in one]
        assert own
        assert all("(" in one.partition(f"{name} draws")[2] for one in own)
        assert not any(f"{name} draws" in one for other in SIDES if other != seat for one in told[other])


def test_the_result_of_an_attack_stands_before_what_it_changed() -> None:
    log = MemoryLog()
    match = played(log, "advance", 400)
    told = [just_happened(story) for story in asked(log, match, "advance", Seat("german"))]
    fought = [one for one in told if one.startswith("The attack on ")]

    assert fought
    assert any(one.partition(". ")[2] for one in fought)


def test_of_several_fights_each_has_its_result_and_the_last_its_dice() -> None:
    """Bots play for a second: fights of a whole phase between two own commands come late."""
    log = MemoryLog()
    match, client = played(log, "axis-allies", 0), local_client(log)
    play(client, GameKey("axis_allies"), match, 130, "1")
    every = [
        (just_happened(story), no_fight_goes_on(story)) for story in asked(log, match, "axis-allies", Seat("allies"))
    ]
    told, over = [one for one, _ in every], [one for one, is_over in every if is_over]
    several = [one for one in told if re.search(r"\w: (\w+ loses? \d+|no losses).*; ", one)]

    assert several
    assert any(re.search(r"Axis takes \w+: Allies lose \d+(, Axis \d+)?; ", one) for one in several)
    assert not [one for one in several if one.count("; dice ") > 1]
    assert [one for one in over if one in several and re.match(rf"[\w' ]+: \w+ hits? \d+ {DICE}.*\. .*; ", one)]


def no_fight_goes_on(story: Story) -> bool:
    """Return whether the last combat is over."""
    fights = story.combats()
    return bool(fights) and fights[-1].first == story.last_combat()[0]


def test_hits_to_absorb_are_told_unless_the_question_shows_the_sums_and_its_heading_does_not_repeat_these() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    hits, totals = 0, []
    for story in asked(log, match, "battle", Seat("russian")):
        assert story.now.top is not None
        if story.names.narration.sums(story.now, story.now.top) is None:
            hits += " to absorb." in just_happened(story)
        else:
            totals.append(SO_FAR.sub("", story.names.narration.question(story.now, story.now.top)))
            assert "otal" not in just_happened(story)

    assert hits
    assert totals
    assert not [one for one in totals if "so far" in one]


def test_a_note_of_the_other_player_is_told_until_the_next_own_command() -> None:
    log = MemoryLog()
    match = played(log, "battle", 60)
    client = local_client(log)
    mover = client.state(match).table.top
    assert mover is not None
    other = next(seat for seat in client.state(match).table.seats if seat != mover.seat)
    client.play(match, other, AddNote(text="Nice one"))
    (*_, story) = asked(log, match, "battle", mover.seat)

    assert just_happened(story).startswith(f"Note by {other.title()} (Player of {other}): Nice one.")


def test_sums_of_attributes_are_told_without_their_parts() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    told = [just_happened(story) for story in asked(log, match, "battle", Seat("russian"))]

    assert not [one for one in told if "Combat of" in one]
    assert any(
        isinstance(event, AttributeSet) and event.parts
        for slice_ in local_client(log).log(match)
        for event in slice_.events
    )


def test_a_few_lost_pieces_are_told_by_name() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    told = " ".join(just_happened(story) for story in asked(log, match, "battle", Seat("russian")))

    assert re.search(r"(German|Russian) loses \d+\w+ (Infantry|Rifle|Guards|Panzer|Tank|Motorized)", told), told


def test_a_card_of_the_other_player_and_what_it_did_are_told_and_how_many_pieces_came() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    told = [just_happened(story) for story in asked(log, match, "battle", Seat("russian"))]

    assert any("German plays " in one for one in told)
    assert any(re.search(r"German: \d Forces enter", one) for one in told)
    assert not [one for one in told if "Russian plays" in one or "Russian: 1 Force enters" in one]


def test_what_was_lost_stands_behind_the_sums_that_led_to_it() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    told = [just_happened(story) for story in asked(log, match, "battle", Seat("russian"))]
    both = [one for one in told if " loses " in one and " to absorb" in one]

    assert both
    assert not [one for one in both if one.index(" loses ") < one.index(" to absorb")]


def test_units_that_come_from_a_track_are_told_as_well_as_new_ones() -> None:
    """Called German units enter from the Reinforcement Track, spawned Soviet ones from their pools."""
    log = MemoryLog()
    match = played(log, "inferno", 150)
    told = [just_happened(story) for story in asked(log, match, "inferno", Seat("german"))]
    seen = {one[one.rindex(": ") - 6 : one.rindex(": ")] for one in told if one.endswith((" enters.", " enter."))}

    assert seen == {"Soviet"}, "what comes to the own side is no news"


@pytest.mark.long
def test_throws_of_a_fight_are_added_up_for_both_sides_and_its_losses_have_their_place() -> None:
    """The last throw alone, which may have missed, does not say why a unit is lost. Bots need a thousand commands for such fights: a second."""
    log = MemoryLog()
    match = played(log, "axis-allies", 900)
    told = {
        seat: [just_happened(story) for story in asked(log, match, "axis-allies", Seat(seat))]
        for seat in ("axis", "allies")
    }
    asked_for = [
        just_happened(story)
        for story in asked(log, match, "axis-allies", Seat("axis"))
        if story.now.top is not None and story.now.top.kind == "casualties" and not story.now.top.picked
    ]
    every = [one for those in told.values() for one in those]
    added = [one for one in asked_for if re.fullmatch(ADDED, one)]
    lost = [one for one in every if re.match(r"[\w' ]+: (Axis loses|Allies lose) ", one)]

    assert added
    assert lost
    assert not [one for one in every if one.startswith("Axis loses ") and "hits" in one]


def test_a_unit_that_is_revealed_is_told() -> None:
    """Which unit it is decides about the support that is asked for then."""
    log = MemoryLog()
    match = played(log, "advance", 400)
    told = [just_happened(story) for story in asked(log, match, "advance", Seat("german"))]

    assert [one for one in told if one.startswith("The Soviet unit of ") and " is Revealed: " in one]


def test_forces_placed_at_the_set_up_are_told_as_placed_and_change_no_hands() -> None:
    log = MemoryLog()
    match = played(log, "battle", 8)
    told = [just_happened(story) for story in asked(log, match, "battle", Seat("german"))]

    assert told[0].startswith("Russian places ")
    assert not [one for one in told if "takes" in one or "changes hands" in one or "enter" in one]


def test_what_stopped_hits_is_told_behind_the_card_that_inflicted_them_where_nothing_was_lost() -> None:
    log = MemoryLog()
    match = played(log, "battle", 500, seed="1")
    told = [just_happened(story) for side in ("russian", "german") for story in asked(log, match, "battle", Seat(side))]
    stopped = [one for one in told if " stopped by " in one and " to absorb" in one]
    inflicted = [
        one for one in told if re.search(r"plays (Dive Bombers|Artillery Barrage)", one) and " to absorb" in one
    ]

    assert stopped
    assert inflicted
    assert [one for one in stopped if one.index(" to absorb") > one.index(" stopped by ") or " loses " in one] == []
    assert [one for one in inflicted if one.index(" plays ") > one.index(" to absorb")] == []
