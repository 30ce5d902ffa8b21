"""Tells a command in plain words, without the rules of its game: for standing answers, which may outlive them."""

from core.telling.names import Names
from core.telling.phrases import listed, spoken
from core.wording import capital
from events.codec import DecodeError, decode_plain


def answer_words(names: Names, answer: str) -> str:
    """Return a command in words, as in `Play card: Sniper, 169th Rifle`; the text itself if it is not a command.

    Args:
        names: The names of the match.
        answer: The command as JSON.
    """
    try:
        command = decode_plain(answer)
    except DecodeError:
        return answer
    if not isinstance(command, dict) or not isinstance(command.get("do"), str):
        return answer
    fields = [_field(names, key, value) for key, value in command.items() if key != "do"]
    said = ", ".join(filter(None, fields))
    return f"{capital(spoken(command['do']))}{f': {said}' if said else ''}"


def _field(names: Names, key: str, value: object) -> str:
    match value:
        case bool():
            return spoken(key) if value else f"not {spoken(key)}"
        case str():
            return names.anything(value) if value else ""
        case list():
            return listed(names.anything(str(one)) for one in value)
        case _:
            return f"{spoken(key)} {value}"
