"""Names of players: which ones the server takes, so that a client can tell before it asks for anything."""

NAME_CHARACTERS_MAX = 200


def name_problem(name: str) -> str:
    """Return why no seat is given under a name, in a sentence without its full stop; empty if nothing is wrong with it."""
    if len(name) > NAME_CHARACTERS_MAX:
        return f"a name has at most {NAME_CHARACTERS_MAX} characters, not {len(name)}"
    if not name.isprintable():
        return "a name is one line, without control characters and marks that cannot be seen"
    return ""
