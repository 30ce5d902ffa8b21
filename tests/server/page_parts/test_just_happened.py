"""What has happened since the viewer's last command is told in order and whole: in a line as far as there is room, and in a list."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from core.match.player_commands import AddNote
from core.telling.names import Names
from core.telling.shared_sentences import Line
from events.ids import GameKey, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    ControlChanged,
    DiceRolled,
    NoteAdded,
    PieceMoved,
    PiecePlaced,
    PieceRevealed,
    SequenceBegan,
)
from server.client.local import local_client
from server.page_parts.just_happened import Part, Weight, first_told, just_happened, levels
from server.page_parts.story import Story
from server.web.pages.match_page import SO_FAR
from tests.support.browsing import narrator_of, play_on, played, secret_of
from tests.support.rows import each_row
from tests.support.sample_matches import play

DICE = r"\((\d(, \d)* at \d or less(; )?)+\)"
ADDED = rf"[\w' ]+: Axis hits \d+ {DICE}, Allies hit \d+ {DICE}\."
"""How the throws of a fight are added up, with the dice of each side by what they need."""
SIDES = {"german": "German", "russian": "Russian"}


def asked(log: Log, match: MatchId, game: str, seat: Seat) -> Iterator[Story]:
    """Yield the story of a match at each question of a seat."""
    narration = narrator_of(game)
    story = Story(match, seat, Names(narration), narration)
    for slice_ in local_client(log).log(match, seat):
        story.take(slice_)
        if story.now.top is not None and story.now.top.seat == seat:
            yield story


def told(story: Story) -> str:
    """Return all that has happened, as in the list."""
    return " ".join([part.words for part in just_happened(story)])


def shown(story: Story, room: int = 2) -> str:
    """Return what a line shows of what has happened, by default on a desktop."""
    parts = just_happened(story, is_brief=True)
    rooms = levels(parts)
    return " ".join([part.words for at, part in enumerate(parts) if rooms.get(at, room + 1) <= room])


def opened(game: str, mode: str, commands: int) -> tuple[MemoryLog, MatchId]:
    """Open a match of a mode, and play options chosen at random."""
    log = MemoryLog()
    client = local_client(log)
    match = client.open(GameKey(game), mode=mode, dice="seeded", seed="5")
    for seat in match.seats:
        client.take_seat(match.match, seat, share=False, secret=secret_of(seat))
    play_on(client, match.match, commands, "5")
    return log, match.match


def may_be_folded(story: Story, line: Line) -> bool:
    """Return whether a line may be told with others in fewer words: moves, arrivals, unseen draws, throws, and what a fight of several led to."""
    event = story.events[line.first - 1]
    is_in_fight = any(one.first <= line.first <= one.last for one in story.combats())
    if isinstance(event, AttributeSet):
        return is_in_fight and event.names_pieces
    if isinstance(event, DiceRolled):
        return event.each and event.needed is not None
    is_moved = isinstance(event, PieceMoved | PiecePlaced) or (isinstance(event, CardDrawn) and event.card is None)
    is_said = is_in_fight and isinstance(event, ControlChanged | SequenceBegan)
    return is_moved or is_said or is_lost(story, line)


def is_lost(story: Story, line: Line) -> bool:
    """Return whether a line tells a loss in a combat that is over."""
    inside = [one for one in story.combats() if one.first <= line.first <= one.last]
    return bool(inside) and any(line.first <= loss.number <= line.last for loss in story.losses())


def left_out(story: Story, parts: list[Part]) -> list[str]:
    """Return the sentences of the log since the viewer's last command that no part tells."""
    sums = story.now.top is not None and story.names.narration.sums(story.now, story.now.top) is not None
    missing = []
    for line in [one.line for one in story.told if one.line.first >= first_told(story)]:
        event = story.events[line.first - 1]
        is_shown = sums and isinstance(event, AttributeSet) and event.parts and isinstance(event.value, int)
        is_beside = event.traits.is_beside_game and not isinstance(event, NoteAdded)
        if line.first in story.undone or is_beside or is_shown:
            continue
        said = [part.words for part in parts if part.first <= line.first <= part.last]
        if not said or not (may_be_folded(story, line) or any(line.sentence[:12] in words for words in said)):
            missing.append(line.sentence)
    return missing


@each_row(
    ("game", "mode", "commands"),
    [
        ("advance", "", 120),
        ("battle", "", 200),
        ("inferno", "", 60),
        ("inferno", "one_vs_one", 80),
        ("axis_allies", "", 250),
    ],
)
def test_nothing_that_changed_the_position_is_left_out_and_all_of_it_stands_in_order(
    game: str, mode: str, commands: int
) -> None:
    """Whatever the narration tells in a random match of any game is told at the next own question: draws, the compass, medals and passes, too."""
    log, match = opened(game, mode, commands)
    several = 0
    for seat in local_client(log).state(match).table.seats:
        for story in asked(log, match, game.replace("_", "-"), seat):
            for parts in (just_happened(story), just_happened(story, is_brief=True)):
                several += len(parts) > 1

                assert left_out(story, parts) == []
                assert [part.last for part in parts] == sorted([part.last for part in parts])
                assert bool(levels(parts)) == bool(parts)
    assert several


def test_where_there_is_little_room_results_are_shown_rather_than_the_course_of_play_and_more_room_shows_more() -> None:
    parts = [
        Part(1, 1, "A goes to B." * 6, Weight.CHANGE),
        Part(2, 2, "A passes.", Weight.COURSE),
        Part(3, 3, "The attack is Repulsed." * 4, Weight.RESULT),
        Part(4, 4, "A card is drawn." * 3, Weight.CHANCE),
    ]

    assert levels(parts) == {2: 0, 3: 1, 0: 2}
    assert levels(parts[1:2]) == {0: 0}, "there is always one"


def test_while_items_are_picked_what_led_to_the_question_stays() -> None:
    """Which units are lost was asked without its dice as soon as the first one was picked."""
    log = MemoryLog()
    match = played(log, "axis-allies", 400)
    picking = [
        story.now.top.picked and told(story)
        for story in asked(log, match, "axis-allies", Seat("allies"))
        if story.now.top is not None and story.now.top.kind == "designate"
    ]

    assert [one for one in picking if one]
    assert "" not in picking


def test_a_whole_turn_of_the_rules_is_told_with_its_compass_and_its_draws() -> None:
    """On a phone what the rules have done goes before the hexes that the own side took."""
    log = MemoryLog()
    match = played(log, "inferno", 60)
    stories = [(told(story), shown(story), shown(story, 0)) for story in asked(log, match, "inferno", Seat("german"))]
    turns = [(whole, line, little) for whole, line, little in stories if whole.count("Compass die") > 3]

    assert turns
    assert all("drawn to the Soviet hand" in whole or "Soviet hand: " in whole for whole, _, _ in turns)
    assert any(re.search(r"Soviet hand: \d more cards\.", line) for _, line, _ in turns)
    assert any(re.search(r"Soviet moves \d pieces to ", line) for _, line, _ in turns)
    assert [little for _, _, little in turns if "Soviet moves" in little]


def test_own_cards_that_were_drawn_are_told_and_those_of_others_are_only_counted() -> None:
    """On a phone the hand is below the fold."""
    log = MemoryLog()
    match = played(log, "battle", 150)
    every = {seat: [told(story) for story in asked(log, match, "battle", Seat(seat))] for seat in SIDES}

    for seat, name in SIDES.items():
        sentences = {
            other: [said for one in every[other] for said in re.findall(rf"{name} draws [^.]*", one)] for other in SIDES
        }
        assert sentences[seat]
        assert all("(" in said for said in sentences[seat])
        assert not any("(" in said for other in SIDES if other != seat for said in sentences[other])


def test_the_result_of_an_attack_is_shown_with_what_it_changed_and_its_dice_are_told_before() -> None:
    log = MemoryLog()
    match = played(log, "advance", 400)
    stories = [(told(story), shown(story)) for story in asked(log, match, "advance", Seat("german"))]
    fought = [(whole, line) for whole, line in stories if " is Repulsed" in whole]

    assert fought
    assert all(" is Repulsed" in line and "Morale " in line for _, line in fought)
    assert all(-1 < whole.index("Dice for attack") < whole.index(" is Repulsed") for whole, _ in fought)


def test_of_several_fights_each_has_its_result_and_its_dice() -> None:
    """Bots play for a second: fights of a whole phase between two own commands come late."""
    log = MemoryLog()
    match, client = played(log, "axis-allies", 0), local_client(log)
    play(client, GameKey("axis_allies"), match, 130, "1")
    stories = [
        [part.words for part in just_happened(story)] for story in asked(log, match, "axis-allies", Seat("allies"))
    ]
    results = r"[\w' ]+: (Axis loses|Allies lose) \d+(, (Axis|Allies) \d+)?\.|[\w' ]+: no losses\."
    several = [one for one in stories if len([said for said in one if re.fullmatch(results, said)]) > 1]

    assert several
    assert any(re.fullmatch(ADDED, said) for one in several for said in one)
    assert [
        said for one in several for said in one if re.fullmatch(r"Axis takes \w+: Allies lose \d+(, Axis \d+)?\.", said)
    ]


def test_pieces_that_an_order_took_to_one_place_are_told_together() -> None:
    """An order is played one by one: only its last piece was told."""
    log = MemoryLog()
    match, client = played(log, "axis-allies", 0), local_client(log)
    play(client, GameKey("axis_allies"), match, 150, "1")
    every = [told(story) for story in asked(log, match, "axis-allies", Seat("axis"))]

    assert "3 Minor Axis Infantry move into the contested zone Buzinovka." in every


def test_hits_to_absorb_are_told_unless_the_question_shows_the_sums_and_its_heading_does_not_repeat_these() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    hits, totals = 0, []
    for story in asked(log, match, "battle", Seat("russian")):
        assert story.now.top is not None
        if story.names.narration.sums(story.now, story.now.top) is None:
            hits += " to absorb." in shown(story)
        else:
            totals.append(SO_FAR.sub("", story.names.narration.question(story.now, story.now.top)))
            assert "otal" not in told(story)

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

    assert f"Note by {other.title()} (Player of {other}): Nice one." in shown(story, room=0)


def test_sums_of_attributes_are_told_without_their_parts() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    every = [told(story) for story in asked(log, match, "battle", Seat("russian"))]

    assert not [one for one in every if "Combat of" in one]
    assert any(
        isinstance(event, AttributeSet) and event.parts
        for slice_ in local_client(log).log(match)
        for event in slice_.events
    )


def test_what_the_other_side_does_weighs_more_than_an_own_card() -> None:
    log = MemoryLog()
    match = played(log, "battle", 400)
    lines = [shown(story) for story in asked(log, match, "battle", Seat("russian"))]

    assert [one for one in lines if "German plays " in one]
    assert not [one for one in lines if "Russian plays" in one and "German plays" in one]


def test_units_that_enter_are_told_with_where() -> None:
    """Called German units enter from the Reinforcement Track, spawned Soviet ones from their pools."""
    log = MemoryLog()
    match = played(log, "inferno", 150)
    every = [told(story) for story in asked(log, match, "inferno", Seat("german"))]

    assert [one for one in every if re.search(r"From the \w+ pool: a new .* enters hidden in hex \d+", one)]


@pytest.mark.long
def test_throws_of_a_fight_are_added_up_for_both_sides() -> None:
    """The last throw alone, which may have missed, does not say why a unit is lost. Bots need a thousand commands for such fights: a second."""
    log = MemoryLog()
    match = played(log, "axis-allies", 900)
    asked_for = [
        shown(story)
        for story in asked(log, match, "axis-allies", Seat("axis"))
        if story.now.top is not None and story.now.top.kind == "casualties"
    ]

    assert [one for one in asked_for if re.search(ADDED, one)]


def test_the_dice_of_a_card_are_told_by_its_name() -> None:
    """Added to those of units in the same hex, they read as fire of units of which none had fired."""
    client, narration = local_client(log := MemoryLog()), narrator_of("inferno")
    match = client.open("inferno", mode="one_vs_one", dice="seeded", seed="2").match
    seats = client.state(match).table.seats
    for seat in seats:
        client.take_seat(match, seat, str(seat), share=False)
    play(client, GameKey("inferno"), match, 150, "1")
    lines: list[tuple[str, str]] = []
    for story in chain.from_iterable(asked(log, match, "inferno", seat) for seat in seats):
        since = story.events[first_told(story) - 1 :] if first_told(story) else []
        cards = {one.purpose for one in since if isinstance(one, DiceRolled) and narration.card_text(one.about)}
        lines += [(card, told(story)) for card in cards]

    assert len({card for card, _ in lines}) > 2
    assert [(card, line) for card, line in lines if f"{card}: " not in line] == []


def test_a_unit_that_is_revealed_is_told() -> None:
    """Which unit it is decides about the support that is asked for then."""
    log = MemoryLog()
    match = played(log, "advance", 400)
    lines = [shown(story, room=0) for story in asked(log, match, "advance", Seat("german"))]

    assert [one for one in lines if "The Soviet unit of " in one and " is Revealed: " in one]
    assert any(isinstance(event, PieceRevealed) for slice_ in local_client(log).log(match) for event in slice_.events)


def test_what_is_set_up_changes_no_hands() -> None:
    """Who Controls a Location from the beginning pushed out the card that the enemy has played."""
    log = MemoryLog()
    match = played(log, "battle", 60)
    weights = [
        part.weight
        for story in asked(log, match, "battle", Seat("german"))
        for part in just_happened(story)
        if part.last <= story.set_up_end and " Controls " in part.words
    ]

    assert {*weights} == {Weight.COURSE}


def test_forces_placed_at_the_set_up_are_told_as_placed() -> None:
    log = MemoryLog()
    match = played(log, "battle", 8)
    every = [told(story) for story in asked(log, match, "battle", Seat("german"))]

    assert "Russian places " in every[0]
    assert not [one for one in every if "brings" in one or "moves" in one]


def test_what_stopped_hits_is_told_behind_the_card_that_inflicted_them() -> None:
    log = MemoryLog()
    match = played(log, "battle", 500, seed="1")
    every = [told(story) for side in SIDES for story in asked(log, match, "battle", Seat(side))]
    stopped = [one for one in every if " stopped by " in one and " to absorb" in one]

    assert stopped
    assert [one for one in stopped if one.index(" to absorb") > one.index(" stopped by ")] == []
