"""How a name that does not exist is answered: with those that do."""

from difflib import get_close_matches


def unknown(what: str, name: str, known: list[str]) -> str:
    """Word the message about a name that does not exist, with what is like it or with all there are."""
    # Where there is nothing to choose between, the one thing there is has no name.
    named = [one for one in known if one]
    if not named:
        return f"no {what} is called {name!r}; there are none"
    close = get_close_matches(name, named, n=3)
    offer = (
        f"did you mean {' or '.join(close)}?"
        if close
        else f"there {'is' if len(named) == 1 else 'are'}: {', '.join(named)}"
    )
    return f"no {what} is called {name!r}; {offer}"
