"""Sentences about the opening of a match and of a fork."""

from core.telling.arbiter_sentences import whose_seats
from core.telling.chosen_options import chance_noun, chosen_options, options_words, played_title, title_of
from core.telling.names import Names
from events.ids import ARBITER
from events.vocabulary import MatchForked, MatchOpened
from projections.catalogue import dice_name


def match_opened(names: Names, event: MatchOpened) -> str:
    """Return which match is opened, with which options."""
    variant = f", variant {event.variant}" if event.variant else ""
    played = f"{played_title(event.game, event.scenario, event.mode)}{variant}"
    opened = f"A match of {title_of(event.game)} is opened: {played}, with {dice_name(event.chance)} {chance_noun(event.game)}."
    titled = [f"It is called “{event.title}”."] if event.title else []
    return " ".join([opened, *titled, *options_words(chosen_options(event.game, event.options))])


def match_forked(names: Names, event: MatchForked) -> str:
    """Return where a fork leaves its parent, and with which dice."""
    # Who knows everything leaves nothing to be dealt again.
    hidden = "kept" if event.hidden == "truth" or event.seat == ARBITER else "dealt again"
    faces = f"; the next dice show {', '.join(map(str, event.faces))}, as chosen" if event.faces else ""
    dice = dice_name(event.chance)
    return f"Forked from match {event.parent} after event {event.at}, with {dice} {chance_noun(names.table.game)}; hidden information is {hidden}{faces}{whose_seats(names, event)}."
