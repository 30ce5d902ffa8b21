"""Finds an option by words of it, in any order; `play` and the screen use the same reading."""

import re
from collections.abc import Iterable, Sequence

from cli.exit_codes import ADOPT_FIRST, REFUSED, UserError, usage
from core.suggestions import NAME_CHARACTERS_MAX, nearest
from core.telling.phrases import plain_words
from events.ids import Seat
from server.protocol.replies import LegalOption, LegalReply

NAMED_MAX = 3
"""The most options that an error names."""


def option_by_words(legal: LegalReply, seat: Seat, words: str) -> LegalOption:
    """Return the one option that these words mean (`options_with`).

    Args:
        legal: The options of the seat, with their descriptions.
        seat: The seat that plays.
        words: As typed; not blank.

    Raises:
        UserError: The seat has no options now, no option has the words, or several have them.
    """
    if legal.installed is not None and not legal.options:
        why = "the match is played under other rules than are installed, and nothing is decided until these are adopted"
        raise UserError(f"{why}{ADOPT_FIRST}", REFUSED, "rules_must_be_adopted")
    if legal.to_move != seat:
        why = f"the open decision belongs to {legal.to_move}, not to {seat}" if legal.to_move else "no decision is open"
        raise UserError(why, REFUSED, "not_your_turn")
    wanted, said = plain_words(words), repr(words[:NAME_CHARACTERS_MAX])
    found = options_with(legal.options, words)
    if len(found) == 1:
        return found[0]
    if found:
        raise usage(f"{len(found)} options have the words {said}: {_named(found)}", "ambiguous_choice")
    near = [legal.options[place] for place in nearest(wanted, [one.words for one in legal.options])]
    offer = f"nearest: {_named(near)}" if near else f"`wardiary legal {legal.match}` lists all {legal.count}"
    raise usage(f"no option has the words {said}; {offer}", "unknown_choice")


def options_with(options: Sequence[LegalOption], words: str) -> list[LegalOption]:
    """Return the options whose description contains each of these words, in any order, as `plain_words` compares them.

    If the words as they stand are the whole description of one option, whole words of one only, or a part of one only, then it is that option
    alone: `a1` means A1, not A10. Of options with equal descriptions, such as those of two like cards, the first stands for all.
    """
    wanted = plain_words(words)
    described = [plain_words(one.words) for one in options]
    first = {text: place for place, text in reversed(list(enumerate(described)))}
    texts = {place: text for place, text in enumerate(described) if first[text] == place}
    phrased = [place for place, text in texts.items() if wanted in text]
    exact = [place for place in phrased if texts[place] == wanted]
    whole = [place for place in phrased if _has_words(texts[place], wanted)]
    parts = wanted.split(" ")
    loose = [place for place, text in texts.items() if all(part in text for part in parts)]
    in_words = [place for place in loose if all(_has_words(texts[place], part) for part in parts)]
    single = next((found for found in (exact, whole, phrased, in_words) if len(found) == 1), loose)
    return [options[place] for place in single]


def _has_words(text: str, words: str) -> bool:
    """Return whether a text has words that are not parts of longer ones."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _named(options: Iterable[LegalOption]) -> str:
    """Return the first options by their numbers and words."""
    said = [f"{one.number} {one.words!r}" for one in options]
    return ", ".join(said[:NAMED_MAX]) + (", …" if len(said) > NAMED_MAX else "")
