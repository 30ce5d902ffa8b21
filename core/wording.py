"""Words that rules, narrations and pictures share."""


def counted(count: int, thing: str, things: str = "") -> str:
    """Return how many of a thing there are, as in `2 Rations`; `things` is an irregular plural."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"
