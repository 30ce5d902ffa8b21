"""Messages about unknown names, with suggestions."""

from collections.abc import Sequence
from difflib import get_close_matches

NAME_CHARACTERS_MAX = 60
"""A longer name is cut, and no similar one is searched, which takes time quadratic in its length."""


COMPARED_MAX = 20
"""The most unknown names of one file or request for which similar ones are searched, which is slow."""


LISTED_MAX = 30
"""The most names listed if none is similar."""


def unknown(what: str, name: str, known: list[str], *, before: int = 0, listed_by: str = "") -> str:
    """Return the message about a name that does not exist, with similar names or all names.

    Args:
        what: The kind of thing it should name.
        name: The name, which may be foreign data.
        known: The existing names.
        before: How many defects were reported before this one.
        listed_by: What lists all names, if they are too many for a message; then it is named in their place.
    """
    said = repr(name if len(name) <= NAME_CHARACTERS_MAX else f"{name[:NAME_CHARACTERS_MAX]}…")
    # A single unnamed thing offers no choice of names.
    named = [one for one in known if one]
    if not named:
        return f"no {what} is called {said}; {'the only one has no name' if known else 'there are none'}"
    if before >= COMPARED_MAX:
        return f"no {what} is called {said}"
    close = get_close_matches(name, named, n=3) if len(name) <= NAME_CHARACTERS_MAX else []
    if not close and listed_by:
        return f"no {what} is called {said}; {listed_by} lists them"
    offer = (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"there {'is' if len(named) == 1 else 'are'}: {', '.join(named[:LISTED_MAX])}"
        + (", …" if len(named) > LISTED_MAX else "")
    )
    return f"no {what} is called {said}; {offer}"


def nearest(words: str, texts: Sequence[str]) -> list[int]:
    """Return the places of the texts that have most of the typed words, or words similar to them; none if no text has any.

    Args:
        words: The typed words, which may be foreign data.
        texts: The texts, in which upper and lower case are the same.
    """
    if len(words) > NAME_CHARACTERS_MAX:
        return []
    split = [set(text.casefold().split()) for text in texts]
    vocabulary = sorted(set().union(*split))
    similar = {close for word in words.casefold().split() for close in get_close_matches(word, vocabulary, n=1)}
    shared = [len(similar & known) for known in split]
    most = max(shared, default=0)
    return [place for place, count in enumerate(shared) if count == most] if most else []
