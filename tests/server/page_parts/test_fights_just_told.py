"""What is told of fights since the viewer's last command: who hit, and what both sides lost."""

import re
from collections import Counter

from core.telling.dice_text import Roll
from events.ids import GameKey, Seat
from events.memory_log import MemoryLog
from events.vocabulary import DiceRolled
from projections.state.table import Table
from server.client.local import local_client
from server.page_parts.just_happened import Part, first_told, just_happened
from server.page_parts.story import Story
from tests.server.page_parts.test_just_happened import ADDED, asked, shown
from tests.support.browsing import narrator_of, played
from tests.support.rows import each_row
from tests.support.sample_matches import play


def test_throws_count_for_the_side_that_fired_whoever_has_the_turn_now() -> None:
    """The last fight of a phase is told when the turn has passed on: its hits were told for the wrong sides."""
    log = MemoryLog()
    match, client = played(log, "axis-allies", 0), local_client(log)
    play(client, GameKey("axis_allies"), match, 130, "1")
    checked = 0
    for story in asked(log, match, "axis-allies", Seat("allies")):
        for part in just_happened(story):
            then = story.table(part.first - 1)
            if re.fullmatch(ADDED, part.words) and then.turn != story.now.turn:
                checked += 1
                assert _hits(part.words) == _thrown(story, part, then)
    assert checked


def _hits(words: str) -> dict[str, int]:
    """Return how often each side hit, as told."""
    return {side: int(count) for side, count in re.findall(r"(Axis|Allies) hits? (\d+)", words)}


def _thrown(story: Story, part: Part, then: Table) -> dict[str, int]:
    """Return how often each side hit by the dice and by whose turn it was."""
    hits: Counter[str] = Counter()
    narration = narrator_of("axis-allies")
    for event in story.events[part.first - 1 : part.last]:
        if isinstance(event, DiceRolled) and event.each and event.needed is not None:
            hits[story.names.side(narration.favours(then, event))] += Roll(event).total
    return dict(hits)


@each_row(("game", "commands"), [("axis-allies", 150), ("advance", 200)])
def test_the_losses_of_both_sides_in_a_single_fight_are_told_even_where_there_is_least_room(
    game: str, commands: int
) -> None:
    """The later loss filled the line alone: that of the own force, or a unit Out of Action, stood only in the list."""
    log = MemoryLog()
    match, client = played(log, game, 0), local_client(log)
    play(client, GameKey(game.replace("-", "_")), match, commands, "1")
    checked = 0
    for seat in client.state(match).table.seats:
        for story in asked(log, match, game, seat):
            first = first_told(story)
            fights = [one for one in story.combats() if one.last >= first]
            lost = [one for one in story.losses() if one.number >= first]
            begun, ended = story.last_combat()
            if len(fights) != 1 or begun > fights[0].last or ended == story.last:
                continue
            rolled = any(isinstance(event, DiceRolled) for event in story.events[fights[0].first - 1 : fights[0].last])
            if rolled and lost and all(fights[0].first <= one.number <= fights[0].last for one in lost):
                checked += len({one.side for one in lost}) > 1 or game == "advance"
                line = shown(story, room=0)
                assert [one for one in lost if story.names.side(one.side) not in line] == []
                assert re.search(r"loses? \d", line)
    assert checked
