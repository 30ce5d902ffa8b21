"""Formats lists, signed numbers, ids without a printed name, and foreign text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from unicodedata import normalize

from core.wording import counted, joined

_SPACE = re.compile(r"[^\S ]+")

WORD_MAX = 240
"""The longest word of a message that is printed whole; paths are seldom longer."""


def listed(words: Iterable[str]) -> str:
    """Join words as in a sentence: `a`, `a and b`, `a, b and c`."""
    return joined(tuple(words))


def counted_alike(names: Iterable[str]) -> list[str]:
    """Return names in their order, equal ones once and with their number, as in `5 White Checkers`."""
    return [counted(count, name) if count > 1 else name for name, count in Counter(names).items()]


def unnamed(result: str, winners: Sequence[str], players: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the winners that the result of a match does not name, as `Soviet Victory` names one; all if players are named beside them.

    The players of several sides may have one name, as bots do, so that the name alone does not tell who has won.
    """
    if players:
        return tuple(winners)
    return tuple(winner for winner in winners if not re.search(rf"\b{re.escape(winner)}\b", result, re.IGNORECASE))


def winning(result: str, winners: Sequence[str], players: Sequence[str] = ()) -> str:
    """Return who has won, as in `the Red side`; empty if the result says it and no players are named beside it, or if no player has won."""
    # The seats of a side that is named stand after it in brackets.
    return listed(
        winner if winner.endswith(")") else f"the {winner} side" for winner in unnamed(result, winners, players)
    )


def won_by(side: str, players: Sequence[str]) -> str:
    """Return who has won, as in `Red (Ada)`; empty if nobody is named.

    Args:
        side: The sides and seats in words, as far as the result of the match does not name them; may be empty.
        players: The names of their players.
    """
    names = listed(players)
    # The seats of a side that is named stand after it in brackets.
    return (f"{side}: {names}" if side.endswith(")") else f"{side} ({names})") if side and names else side or names


def won(result: str, winners: Sequence[str], players: Sequence[str]) -> str:
    """Return a sentence about who has won, with the names of the players; empty if the result says it."""
    if not winners:
        return "No player has won."
    who = won_by(winning(result, winners, players), players)
    return f"Won by {who}." if who else ""


def outcome(result: str, winners: Sequence[str], players: Sequence[str], everybody: Sequence[str]) -> str:
    """Return who won by name, as in `Vera wins as Russian`; the result alone if one player had all seats, or no player has won.

    Args:
        result: That of the match.
        winners: The sides and seats that won, in words.
        players: The names of their players.
        everybody: The names of all players.
    """
    names = list(dict.fromkeys(players))
    if not winners or not names or len(set(everybody)) < 2:
        return result
    return f"{listed(names)} win{'s' if len(names) == 1 else ''} as {listed(winners)}"


def over(result: str, winners: Sequence[str]) -> str:
    """Return how a match ended as sentences without the last full stop; winners that the result names are not named again."""
    if not winners:
        return f"{result}. No player has won"
    left = unnamed(result, winners)
    return f"{result}. {'Winner' if len(left) == 1 else 'Winners'}: {listed(left)}" if left else result


def repeated(count: int, what: str, goal: str = "") -> str:
    """Return what is chosen, and for what: how often, if that is not once, as in `2 × Bread Factory for Rynok`."""
    return f"{what if count == 1 else f'{count} × {what}'}{f' for {goal}' if goal else ''}"


def to_be_picked(low: int, high: int, question: str, picked: str = "") -> str:
    """Return how many items are to be picked, unless the question begins with that, and which are picked, in a sentence; empty if that is nothing.

    Args:
        low: How many at least.
        high: How many at most.
        question: The text of the question, such as `which 3 units are lost`.
        picked: What is picked.
    """
    is_said = low == high and question.casefold().startswith(f"which {low} ")
    count = "" if is_said else f"To be picked: {low}" if low == high else f"To be picked: {low} to {high}"
    said = "; ".join(filter(None, (count, f"picked: {picked}" if picked else "")))
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def signed(number: int) -> str:
    """Return a number with its sign."""
    return f"{number:+d}"


def standing(round_: str, turn: str, phase: str) -> str:
    """Return where a match stands, as in `Turn 3, German: Supply Phase`; each part may be empty. Whose turn it is goes without saying where the phase says it."""
    is_said = turn in phase.split()
    before = ", ".join(filter(None, (round_, "" if is_said else turn)))
    if not before or not phase:
        return before or phase
    return f"{before}{':' if turn else ','} {phase}"


_LIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u0060", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        "\u2026": "...",
        "\u00ad": None,
    }
)
"""Typographic variants of plain characters: quotation marks and apostrophes, dashes, an ellipsis, a soft hyphen."""


def plain_words(text: str) -> str:
    """Return a text without what is the same to a reader who searches: upper and lower case, the width of spaces, typographic variants."""
    plain = text if text.isascii() else normalize("NFKC", text.translate(_LIKE))
    return " ".join(plain.casefold().split())


def spoken(word: str) -> str:
    """Return an id without a printed name as words: `random_event` becomes `random event`."""
    return word.replace("_", " ").replace("-", " ")


def printable(text: str) -> str:
    """Return text in one line and without control characters: names, notes and commands are unchecked input of clients.

    Line breaks, tabs and unusual spaces become a space.
    """
    if text.isprintable():
        return text
    line = _SPACE.sub(" ", text)
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


def shortened(word: str) -> str:
    """Return a word, or the beginning and the end of one so long that it can only be a typed argument."""
    return word if len(word) <= WORD_MAX else f"{word[: WORD_MAX // 2]}…{word[-WORD_MAX // 4 :]}"
