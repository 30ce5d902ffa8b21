"""Requests to the broker that explain an event: the command that caused it, and the other legal options."""

from typing import NamedTuple

from core.engine.command import Command
from core.legal.legal_options import legal_commands
from core.telling.command_text import command_words
from events.commit import decode_commit
from events.ids import ARBITER
from projections.chronicle import Heading
from projections.state.undo_history import KEPT
from server.page_parts.story import Story
from server.protocol.errors import RequestFailed
from server.web.backend.gateway import Caller
from server.web.backend.story_cache import CachedStory
from server.web.http.faults import DAMAGED

OPTIONS_MAX = 60
"""How many options are told; of more, these are the first."""


class Explanation(NamedTuple):
    """Circumstances of an event.

    Attributes:
        number: The event that is explained.
        command: The command that caused it, in words; empty if the viewer may not know it.
        options: What was legal before the command, in words, at most `OPTIONS_MAX`; empty if the viewer may not know it.
        total: How many options there were.
    """

    number: int
    command: str = ""
    options: tuple[str, ...] = ()
    total: int = 0


def explained_event(story: Story, number: int, *, is_live: bool) -> int:
    """Return the event that a page explains: at the present the last one that was told, else the one that is shown."""
    place = story.line_of(number)
    return number if place is None or not is_live else min(number, story.told[place].line.last)


def is_automatic(story: Story, number: int) -> bool:
    """Return whether an event belongs to a later turn or phase than the command behind it: the rules brought it, and no option would have been another one."""
    return Heading.of(story.table(story.commit_of(number)[0] - 1)) != Heading.of(story.table(number))


async def explanation_of(caller: Caller, cached: CachedStory, number: int, head: str | None) -> Explanation:
    """Return what happened around an event, as far as the viewer may know it.

    Args:
        caller: The visitor.
        cached: The story.
        number: The event.
        head: The hash of the last commit, if the whole evidence is for the viewer.

    Raises:
        RequestFailed: The match is damaged.
    """
    story = cached.story
    first, last = story.commit_of(number)
    is_whole = head is not None or story.seat == ARBITER
    command = ""
    if is_whole:
        try:
            reply = await caller.commits(story.match, story.seat, first - 1)
            commit = decode_commit(bytes(reply.commits[0]))
            seen, before = story.events[first - 1 : last], story.table(first - 1)
            command = command_words(story.names, commit, seen, before, cached.bound)
        except RequestFailed as error:
            if error.code == DAMAGED:
                raise
            is_whole = False
    if is_automatic(story, number):
        return Explanation(number, command)
    options, count = await _options(caller, cached, first, is_whole=is_whole)
    return Explanation(number, command, options, count)


async def _options(caller: Caller, cached: CachedStory, first: int, *, is_whole: bool) -> tuple[tuple[str, ...], int]:
    """Return what was legal before a command, and how much; nothing if the command answered no decision that the viewer knows."""
    story, bound = cached.story, cached.bound
    before = first - 1
    table = story.table(before)
    if before < 1 or table.top is None or not table.top.seat or type(story.events[before]) in KEPT:
        return (), 0
    if story.seat in (table.top.seat, ARBITER):
        try:
            legal = await caller.legal(story.match, story.seat, at=before)
        except RequestFailed as error:
            if error.code == DAMAGED:
                raise
            return (), 0
        return tuple([option.words for option in legal.options[:OPTIONS_MAX]]), legal.count
    if not is_whole or bound is None:
        return (), 0
    # Nothing was ever hidden, so that the viewer's table is the one on which the rules decided.
    found = legal_commands(bound.rules, table)
    commands: list[Command] = [option for _, option in found.options[:OPTIONS_MAX]]
    return tuple([bound.narration.told(table, one).words for one in commands]), found.count
