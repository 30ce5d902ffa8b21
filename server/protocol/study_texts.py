"""Texts of studies: which ones the server takes, so that a client can tell before it asks for anything."""

import re

from events.studies.study_entry import (
    AnySaid,
    ChapterAdded,
    ChaptersOrdered,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    OptionsTried,
    StudyOpened,
)
from server.protocol.player_names import name_problem

TITLE_CHARACTERS_MAX = 120
TEXT_CHARACTERS_MAX = 4_000
WORDS_CHARACTERS_MAX = 500
"""How many characters the words of an option have at most."""
OPTIONS_MAX = 100
TRIALS_MAX = 100_000
CHAPTERS_MAX = 100
ENTRIES_MAX = 1_000
"""How many entries a study has at most."""

STUDIES_MAX = 200
"""How many studies a match has at most."""

STUDY_ID = re.compile(r"[a-z2-7]{8}")


def said_problem(said: AnySaid) -> str:
    """Return why no study takes an entry because of its words, in a sentence without its full stop; empty if nothing is wrong with them."""
    match said:
        case StudyOpened():
            return _line_problem("a study has a title", said.title)
        case CommentWritten():
            return _text_problem(said.text, said.mark)
        case LineAdded():
            return _line_problem("a line has a name", said.name)
        case OptionsTried():
            return _trials_problem(said)
        case ChapterAdded():
            return _line_problem("a chapter has a title", said.title)
        case ChaptersOrdered():
            is_short = 0 < len(set(said.chapters)) == len(said.chapters) <= CHAPTERS_MAX
            return "" if is_short else f"an order names each of 1 to {CHAPTERS_MAX} chapters once"
        case EntryWithdrawn():
            return ""


def author_problem(name: str) -> str:
    """Return why nobody writes under a name; empty if nothing is wrong with it."""
    return name_problem(name) if name.strip() else "who writes has a name"


def _line_problem(what: str, text: str, most: int = TITLE_CHARACTERS_MAX) -> str:
    if not 0 < len(text.strip()) <= len(text) <= most:
        return f"{what}, of {most} characters at most"
    return "" if text.isprintable() else f"{what} on one line, {_SEEN}"


def _trials_problem(said: OptionsTried) -> str:
    if not 1 <= len(said.options) <= OPTIONS_MAX or not 1 <= said.times <= TRIALS_MAX:
        return f"of 1 to {OPTIONS_MAX} options each is tried 1 to {TRIALS_MAX} times"
    if not all(0 <= one.points <= 2 * said.times for one in said.options):
        return f"an option has 0 to {2 * said.times} points of {said.times} trials"
    lines = [("a bot has a name", said.policy), ("trials have a seed", said.seed)]
    return next(filter(None, [_line_problem(*one) for one in lines]), "") or next(
        filter(None, [_line_problem("an option has words", one.words, WORDS_CHARACTERS_MAX) for one in said.options]),
        "",
    )


def _text_problem(text: str, mark: str) -> str:
    if len(text) > TEXT_CHARACTERS_MAX:
        return f"a comment has {TEXT_CHARACTERS_MAX} characters at most, not {len(text)}"
    if not text.strip() and (text or not mark):
        return "a comment has a text, a mark, or both"
    is_plain = all(line.isprintable() for line in text.split("\n"))
    return "" if is_plain else f"a comment is plain text, {_SEEN}"


_SEEN = "without control characters and marks that cannot be seen, such as those that turn the direction of a text"
