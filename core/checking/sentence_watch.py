"""Checks that a sentence which several events share says of each of them what is true of it.

Which events share one is declared by type (`core.telling.shared_sentences.SHARED`); a game's own sentence for a run of them must not say of all
what only the first of them is. Such a fault shows itself when another event of the run comes first: the sentence then says something
else. So every run is told in each rotation, and the words must be the same, in whatever order and number. A run in which a piece occurs
twice is left out: the order of what happens to one piece is part of what is told.

To try one run by hand, as in a test of a game's narration: `disagreement(Narrator(Names(narration), table), run)` is empty, or the
sentences that contradict each other.
"""

import re
from collections import Counter
from collections.abc import Sequence

from typing_extensions import override

from core.checking.conformance import Playing, new_commits, require
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.shared_sentences import SHARED
from events.ids import ARBITER, PUBLIC, RuleId, Seat
from events.vocabulary import Event
from projections.chronicle import Chronicler
from projections.state.view import EventSlice, seen_events

WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*|[+-]?\d+")


NUMBER = re.compile(r"(?<=[a-z]{2})(e|es|s)$")
GRAMMAR = {"and", "each", "is", "are", "ha", "hav"}
"""What tells a sentence about one subject from one about several, once the endings of verbs and nouns are gone."""


class SentenceWatch:
    """Tells the new events as the public and the arbiter see them, and each run that shares a sentence in all its rotations."""

    def __init__(self) -> None:
        self.seen = 0
        self.tellers: dict[Seat, tuple[Checking, Chronicler]] = {}

    def __call__(self, playing: Playing) -> None:
        """Tell the new events."""
        for first, events in new_commits(playing, self.seen):
            self.seen = first + len(events) - 1
            for seat in (PUBLIC, ARBITER):
                teller, chronicler = self._teller(playing, seat)
                seen = EventSlice(teller.table.seq + 1, 0, tuple(seen_events(events, seat)))
                entries = chronicler.take(seen)
                told: list[tuple[type, RuleId]] = [
                    (type(event), event.rule) for event in seen.events if type(event) in SHARED
                ]
                if any(number > 1 for number in Counter(told).values()):
                    teller.lines(entries)
                else:
                    for event in seen.events:
                        teller.follow(event)

    def _teller(self, playing: Playing, seat: Seat) -> "tuple[Checking, Chronicler]":
        if seat not in self.tellers:
            self.tellers[seat] = Checking(Names(playing.match.ruleset.game.narration)), Chronicler()
        return self.tellers[seat]


class Checking(Narrator):
    """A narrator that objects to a sentence which depends on which of its events comes first."""

    @override
    def sentence_of(self, run: Sequence[Event]) -> str:
        """Return the shared sentence.

        Raises:
            NotConforming: Another event of the run would have another sentence.
        """
        told = disagreement(self, run)
        require(not told, f"a sentence says of {len(run)} events what is true of one only: {told} ({run[0]} …)")
        return super().sentence_of(run)


def disagreement(teller: Narrator, run: Sequence[Event]) -> tuple[str, ...]:
    """Return two sentences for the same events that differ in their words, by which of them comes first; empty if there are none.

    Args:
        teller: On the table before the events.
        run: Events that share a sentence.
    """
    subjects = [subject for event in run if (subject := getattr(event, "piece", None)) is not None]
    if len(set(subjects)) < len(subjects):
        return ()
    said = Narrator.sentence_of(teller, run)
    for at in range(1, len(run)):
        other = Narrator.sentence_of(teller, [*run[at:], *run[:at]])
        if _words(other) != _words(said):
            return said, other
    return ()


def _words(sentence: str) -> set[str]:
    """Return the words of a sentence, but for what only shows how many subjects a verb has."""
    return {NUMBER.sub("", word) for word in WORD.findall(sentence.casefold())} - GRAMMAR
