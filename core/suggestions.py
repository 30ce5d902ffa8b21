"""How a name that does not exist is answered: with those that do."""

from difflib import get_close_matches

NAME_CHARACTERS_MAX = 60
"""A longer name is cut, and nothing like it is looked for: that takes time that grows with the square of its length."""


COMPARED_MAX = 20
"""For how many unknown names of one file or request a similar one is looked for, which is slow, and others are offered."""


LISTED_MAX = 30
"""How many names are offered where none is similar."""


def unknown(what: str, name: str, known: list[str], *, before: int = 0) -> str:
    """Word the message about a name that does not exist, with what is like it or with all there are.

    Args:
        what: What it would be the name of.
        name: The name, which may be foreign.
        known: The names that there are.
        before: How many defects were named before this one.
    """
    said = repr(name if len(name) <= NAME_CHARACTERS_MAX else f"{name[:NAME_CHARACTERS_MAX]}…")
    # Where there is nothing to choose between, the one thing there is has no name.
    named = [one for one in known if one]
    if not named:
        return f"no {what} is called {said}; there are none"
    if before >= COMPARED_MAX:
        return f"no {what} is called {said}"
    close = get_close_matches(name, named, n=3) if len(name) <= NAME_CHARACTERS_MAX else []
    offer = (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"there {'is' if len(named) == 1 else 'are'}: {', '.join(named[:LISTED_MAX])}"
        + (", …" if len(named) > LISTED_MAX else "")
    )
    return f"no {what} is called {said}; {offer}"
