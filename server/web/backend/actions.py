"""Carries out what a form of a seat asks for: an option, taking back, resigning, a note, standing answers, or the beginning of a match with typed dice."""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from core.engine.selection import Choose, Done, Pick
from core.match.arbitration.consents import AnswerUndo, AskUndo
from core.match.arbitration.disputes import Appeal, OpenDispute
from core.match.player_commands import AddNote, Resign
from core.match.signatures import MUST_BE_SIGNED, MUST_FIT
from core.match.standing_answers import AnswerAlways
from events.codec import DecodeError, Decoder, Raw, decode_plain, encode, tag_of
from events.ids import Digest, MatchId, Seat
from server.protocol.errors import RequestFailed
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.gateway import Caller
from server.web.http.faults import Fault, PageFault
from server.web.http.requests import number_of

PLAY, UNDO, REDO, RESIGN, NOTE, ANSWER, PASS = "play", "undo", "redo", "resign", "note", "answer", "pass"
BEGIN, CHOOSE, ADOPT = "begin", "choose", "adopt-rules"
ASK_UNDO, ANSWER_UNDO = "ask-undo", "answer-undo"
DISPUTE, APPEAL = "dispute", "appeal"
ABOUT = "about"
"""The field that says what was chosen when an option was played."""
ITEM = "n."
"""The beginning of the names of the fields that say how often an item is chosen."""
TIMES = "times."
"""The beginning of the name of the field that says how often an option is played, before its number."""
TIMES_MAX = 20
"""The most times that an option is played at once."""
TOGETHER = "together"
"""The field by which several options are played as one order, each as often as it says."""
ASKED = "asked"
"""The field of a form by which the visitor has been asked whether to play what it holds."""
ENDS = "ends"
"""The field by which the pick of the last item ends the selection, too."""
CHANGE = "change"
"""The field of an address that says that a whole choice is to be changed."""
ACTIONS = (PLAY, UNDO, REDO, ASK_UNDO, ANSWER_UNDO, RESIGN, NOTE, ANSWER, PASS, BEGIN, CHOOSE, ADOPT, DISPUTE, APPEAL)
_ANSWERS: Decoder[list[AnswerAlways]] = Decoder(list[AnswerAlways])
_CHOSEN: Decoder[list[str]] = Decoder(list[str])
NOTE_MAX = 1_200
"""The most characters of a note; a form of so many in any alphabet is small enough."""
ITEMS_MAX = 100
"""The most times that an item can be chosen."""
TYPED_MAX = 200
"""The most dice or draws that a command is told."""

NOT_PLAYED = frozenset(
    (
        "refused",
        "lost_race",
        "not_your_turn",
        "unknown_choice",
        "key_used",
        "not_possible",
        "dice_impossible",
        "malformed",
        "unknown_sequence",
    )
)
"""The codes of failures after which the seat goes on as before."""

WANTED = frozenset(("dice_missing", "draw_missing"))
"""The codes of failures after which the seat types dice or a draw, and the command is tried again."""


class Typed(NamedTuple):
    """A command that waits for dice or draws of a real table.

    Attributes:
        what: `PLAY` or `BEGIN`.
        option: The number of the option; empty for the beginning.
        dice: The dice typed so far, joined by spaces.
        draws: The draws typed so far, joined by line feeds.
        wanted: What may have been drawn; empty if dice are wanted.
        why: What is wanted and what for.
    """

    what: str
    option: str
    dice: str
    draws: str
    wanted: tuple[str, ...]
    why: str


def said_about(about: Sequence[str]) -> str:
    """Return the field that says what was chosen."""
    return encode(list(about)).decode()


def about_of(fields: Mapping[str, str]) -> list[str]:
    """Return what was chosen when the option of a form was played; nothing if the form does not say it."""
    try:
        return _CHOSEN.decode(fields.get(ABOUT, "").encode())
    except DecodeError:
        return []


def field_of(item: str) -> str:
    """Return the name of the field that says how often an item is chosen."""
    return f"{ITEM}{item}"


def fields_for(items: Sequence[str]) -> Mapping[str, str]:
    """Return the fields that stand for items."""
    return {field_of(item): str(count) for item, count in Counter(items).items()}


def items_of(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the items that a form or an address names, in ascending order; an item as often as it is chosen."""
    counts = {name.removeprefix(ITEM): number_of(said) or 0 for name, said in fields.items() if name.startswith(ITEM)}
    return tuple([item for item in sorted(counts) for _ in range(min(counts[item], ITEMS_MAX))])


def each_item(legal: LegalReply, items: Sequence[str]) -> tuple[str, ...]:
    """Return marked items with those that are the same in words in place of one that is marked more often than it can be picked, since a form has one row for all of them."""
    if legal.may_repeat or len({*items}) == len(items):
        return tuple(items)
    picks = {plain["item"]: one for one in legal.options if (plain := _pick_in(one)) is not None}
    found = list(dict.fromkeys(items))
    for item, count in Counter(items).items():
        said = picks[item].words if item in picks else ""
        others = [other for other, one in picks.items() if one.words == said and other not in found] if said else []
        found += [*others, *[item] * count][: count - 1]
    return tuple(sorted(found))


def _pick_in(option: LegalOption) -> dict[str, str] | None:
    """Return the command of an option that picks an item; None for any other."""
    plain = decode_plain(bytes(option.command))
    return plain if isinstance(plain, dict) and plain.get("do") == tag_of(Pick) else None


def typed_of(what: str, fields: Mapping[str, str], error: RequestFailed) -> Typed:
    """Return the command of a form that waits for what a failure names."""
    return Typed(
        what=what,
        option=fields.get("option", ""),
        dice=" ".join(map(str, _dice(fields))),
        draws="\n".join(_draws(fields)),
        wanted=error.reply.wanted if error.code == "draw_missing" else (),
        why=str(error).partition(": one of ")[0],
    )


def is_last_pick(legal: LegalReply, option: LegalOption) -> bool:
    """Return whether an option picks the last of several items, after which nothing can be done but to end the selection or to change it."""
    # Where exactly one item is chosen, its pick answers the question. Of hundreds of options none is decoded where no pick can be the last.
    if len(legal.picked) + 1 != legal.maximum or (legal.minimum, legal.maximum) == (1, 1):
        return False
    plain = _pick_in(option)
    if plain is None:
        return False
    # Where an item can be picked once only, its pick moves it if it is picked already.
    return legal.may_repeat or plain["item"] not in legal.picked


async def carry_out(caller: Caller, match: MatchId, seat: Seat, what: str, fields: Mapping[str, str]) -> None:
    """Carry out what a form asks for.

    Args:
        caller: The visitor, who has proved the seat.
        match: The match.
        seat: The seat that plays.
        what: One of `ACTIONS`.
        fields: Those of the form: the last event that the visitor saw (`expected`), the `key` of the command, and more for each.

    Raises:
        PageFault: The form is not one of ours.
        RequestFailed: The command was not played.
        TimedOut: It is not known whether the command was played; the same form, sent again, is played at most once.
    """
    expected, key = number_of(fields.get("expected", "")), fields.get("key", "")
    option = number_of(fields.get("option", ""))
    if expected is None or not key or (what == PLAY and option is None):
        advice = "Go back, load the page again, and choose again."
        raise PageFault(Fault(400, "Not understood", "The form lacks a field.", advice))
    # Each choice of a page is a command of its own; the same choice, sent twice, is one.
    chosen = "\n".join(
        fields.get(name, "") for name in ("text", "private", "answer", "answers", "decision", "until", "agrees", "at")
    )
    mark = (
        f"-{sha256(chosen.encode()).hexdigest()[:16]}"
        if what in (NOTE, ANSWER, PASS, ANSWER_UNDO, DISPUTE, APPEAL)
        else ""
    )
    own = f"web-{key}-{what}-{'' if option is None else option}{mark}"
    if what == PLAY and option is not None:
        await _play(caller, match, seat, option, fields, expected=expected, key=own)
    elif what == CHOOSE:
        await _choose(caller, match, seat, items_of(fields), expected=expected, key=own)
    elif what == UNDO:
        await caller.undo(match, seat, expected=expected, key=own)
    elif what == REDO:
        await caller.redo(match, seat, expected=expected, key=own)
    elif what in (ASK_UNDO, ANSWER_UNDO, RESIGN):
        await caller.play(match, seat, encode(_of_match(what, fields)), expected=expected, key=own)
    elif what == BEGIN:
        await caller.begin(match, seat, dice=_dice(fields), draws=_draws(fields))
    elif what == ADOPT:
        await caller.adopt_rules(match, seat, Digest(fields.get("rules", "")), expected=expected, key=own)
    elif what in (NOTE, DISPUTE, APPEAL):
        await caller.play(match, seat, _words_of(what, fields), key=own)
    elif what == PASS:
        for number, command in enumerate(_standing_answers(fields)):
            await caller.play(match, seat, encode(command), key=f"{own}-{number}")
    else:
        answer = await _answer(caller, match, seat, fields.get("answer", ""))
        always = {"decision": fields.get("decision", ""), "answer": answer, "until": fields.get("until", "")}
        await caller.play(match, seat, {"do": "match:answer-always", **always}, expected=expected, key=own)


def _words_of(what: str, fields: Mapping[str, str]) -> AddNote | OpenDispute | Appeal:
    """Return the note, the dispute or the appeal of a form."""
    text, at = fields.get("text", "").strip(), number_of(fields.get("at", "")) or 0
    if what == NOTE:
        return AddNote(text=text, private=fields.get("private") == "1")
    return Appeal(at=at, text=text) if what == APPEAL else OpenDispute(at=at, text=text, pauses="pause" in fields)


def _of_match(what: str, fields: Mapping[str, str]) -> AskUndo | AnswerUndo | Resign:
    """Return the command that asks the others to agree to a take-back, the answer of a form to such a request, or the one that resigns."""
    if what == RESIGN:
        return Resign()
    if what == ASK_UNDO:
        return AskUndo(to=number_of(fields.get("to", "")))
    return AnswerUndo(request=number_of(fields.get("request", "")) or 0, is_agreed=fields.get("agrees") == "1")


async def _play(
    caller: Caller, match: MatchId, seat: Seat, option: int, fields: Mapping[str, str], *, expected: int, key: str
) -> None:
    """Play an option, once or several times, or several of them as one order."""
    order, times = await _order(caller, match, seat, option, fields), _times_of(option, fields)
    if TOGETHER in fields:
        key = f"{key}-{TOGETHER}"
    elif times > 1:
        key = f"{key}-{times}"
    played = option if order is None else order
    await caller.play(match, seat, played, expected=expected, key=key, dice=_dice(fields), draws=_draws(fields))


async def _choose(
    caller: Caller, match: MatchId, seat: Seat, items: tuple[str, ...], *, expected: int, key: str
) -> None:
    """Send a whole choice."""
    if len({*items}) < len(items):
        items = each_item(await caller.legal(match, seat), items)
    whole = f"{key}-{sha256(encode(items)).hexdigest()[:16]}"
    await caller.play(match, seat, encode(Choose(items)), expected=expected, key=whole)


async def _order(caller: Caller, match: MatchId, seat: Seat, option: int, fields: Mapping[str, str]) -> bytes | None:
    """Return the order of a form that plays several commands; None for any other."""
    if _times_of(option, fields) == 1 and not {ENDS, TOGETHER} & fields.keys():
        return None
    legal = await caller.legal(match, seat, words=False)
    played = option_of(legal, fields)
    commands = () if played is None else commands_of(legal, played, fields)
    return encode(commands) if len(commands) > 1 else None


def option_of(legal: LegalReply, fields: Mapping[str, str]) -> LegalOption | None:
    """Return the option of a question that a form names; None if there is none."""
    number = number_of(fields.get("option", ""))
    return next((one for one in legal.options if one.number == number), None)


def commands_of(legal: LegalReply, option: LegalOption, fields: Mapping[str, str]) -> Sequence[Raw]:
    """Return what a form plays of a question: an option, once or several times, the last pick with the end of the selection, or several options one after the other."""
    if TOGETHER in fields:
        return [one.command for one in legal.options for _ in range(_times_of(one.number, fields, least=0))]
    if (times := _times_of(option.number, fields)) > 1:
        return [option.command] * times
    return [option.command, Raw(encode(Done()))] if ENDS in fields and is_last_pick(legal, option) else [option.command]


def _times_of(option: int, fields: Mapping[str, str], *, least: int = 1) -> int:
    """Return how often a form plays an option."""
    return max(least, min(number_of(fields.get(f"{TIMES}{option}", "")) or least, TIMES_MAX))


def _standing_answers(fields: Mapping[str, str]) -> list[AnswerAlways]:
    """Return the standing answers that a form holds.

    Raises:
        PageFault: The form holds no standing answers.
    """
    try:
        return _ANSWERS.decode(fields.get("answers", "").encode())
    except DecodeError:
        advice = "Go back, load the page again, and choose again."
        raise PageFault(Fault(400, "Not understood", "The form lacks its answers.", advice)) from None


async def _answer(caller: Caller, match: MatchId, seat: Seat, number: str) -> str:
    """Return the command of an option as JSON; empty to withdraw an answer."""
    if not number:
        return ""
    legal = await caller.legal(match, seat, words=False)
    return next((bytes(one.command).decode() for one in legal.options if str(one.number) == number), "")


def _dice(fields: Mapping[str, str]) -> tuple[int, ...]:
    """Return the dice that a form holds.

    Raises:
        PageFault: They are not numbers.
    """
    words = f"{fields.get('dice', '')} {fields.get('more-dice', '')}".replace(",", " ").split()
    faces = [number_of(word) for word in words]
    if None in faces or len(faces) > TYPED_MAX:
        advice = "Go back, and type the faces of the dice as numbers, such as 3 4."
        raise PageFault(Fault(400, "Not understood", "What was typed is not a row of dice.", advice))
    return tuple(face for face in faces if face is not None)


def _draws(fields: Mapping[str, str]) -> tuple[str, ...]:
    names = f"{fields.get('draws', '')}\n{fields.get('more-draw', '')}".splitlines()
    return tuple(name for name in names if name)[:TYPED_MAX]


def not_played(error: RequestFailed, what: str = "played") -> str:
    """Return why a command was not played, or what else was not done, in a sentence."""
    reply = error.reply
    said = f"{reply.message[:1].upper()}{reply.message[1:]}".rstrip(".")
    if reply.code == "lost_race":
        return "The match has moved on since this page was made, and nothing was played. Choose again."
    if reply.refusal in (MUST_BE_SIGNED, MUST_FIT):
        return f"Not {what}: another browser or program signs for this seat. Play there, or see Evidence: these pages can sign again."
    return f"Not {what}: {said}.{' Nothing was changed.' if (reply.code, what) == ('refused', 'played') else ''}"
