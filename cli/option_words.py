"""Finds an option by its words or by a part of them."""

from collections.abc import Iterable, Sequence

from cli.exit_codes import REFUSED, UserError, usage
from core.suggestions import NAME_CHARACTERS_MAX, nearest
from events.ids import Seat
from server.protocol.replies import LegalOption, LegalReply

NAMED_MAX = 3
"""The most options that an error names."""


def option_by_words(legal: LegalReply, seat: Seat, words: str) -> LegalOption:
    """Return the one option whose description is or contains these words, in upper or lower case.

    Args:
        legal: The options of the seat, with their descriptions.
        seat: The seat that plays.
        words: As typed; not blank.

    Raises:
        UserError: The seat has no options now, no option has the words, or several have them.
    """
    if legal.to_move != seat:
        why = f"the open decision belongs to {legal.to_move}, not to {seat}" if legal.to_move else "no decision is open"
        raise UserError(why, REFUSED, "not_your_turn")
    wanted, said = _folded(words), repr(words[:NAME_CHARACTERS_MAX])
    having = options_with(legal.options, words)
    exact = [one for one in having if wanted == _folded(one.words)]
    found = exact if len(exact) == 1 else having
    if len(found) == 1:
        return found[0]
    if found:
        raise usage(f"{len(found)} options have the words {said}: {_named(found)}", "ambiguous_choice")
    near = [legal.options[place] for place in nearest(wanted, [one.words for one in legal.options])]
    offer = f"nearest: {_named(near)}" if near else f"`wardiary legal {legal.match}` lists all {legal.count}"
    raise usage(f"no option has the words {said}; {offer}", "unknown_choice")


def options_with(options: Sequence[LegalOption], words: str) -> list[LegalOption]:
    """Return the options whose description contains these words, in upper or lower case."""
    wanted = _folded(words)
    return [one for one in options if wanted in _folded(one.words)]


def _folded(words: str) -> str:
    """Return words without what is the same to a reader: upper and lower case, and the width of spaces."""
    return " ".join(words.casefold().split())


def _named(options: Iterable[LegalOption]) -> str:
    """Return the first options by their numbers and words."""
    said = [f"{one.number} {one.words!r}" for one in options]
    return ", ".join(said[:NAMED_MAX]) + (", …" if len(said) > NAMED_MAX else "")
