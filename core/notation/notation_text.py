"""Notation as text: written, and read with the line of each thing."""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.notation.notation import FORMAT, MARKS, Move, Notation, NotationInvalid, Remark, Tag
from core.notation.order_text import WORD, OrderInvalid, escaped, in_quotes, quoted, unquoted
from events.ids import NO_SEAT, Seat

CHARACTERS_MAX = 8 << 20
DEPTH_MAX = 20
"""How deep variations may lie in each other."""

LISTED = ("Option", "HouseRule", "Seat")
"""The tags of which there may be several, by their first values."""

_TOKEN = re.compile(
    rf"""(?P<heading>^[^\S\n]*\d+\.[^\n]*)|(?P<result>^[^\S\n]*=[^\n]*|^[^\S\n]*\*)|(?P<space>[^\S\n]+)|(?P<end>\n)
    |(?P<remark>\{{(?:[^}}\\]|\\.)*\}})|(?P<dice>\[[ ]*(?:[0-9]{{1,4}}(?:[ ]+[0-9]{{1,4}})*)?[ ]*\])|(?P<draw><(?:{WORD})>)|(?P<mark>[!?]{{1,2}})
    |(?P<open>\()|(?P<close>\))|(?P<untold>\.\.\.)|(?P<seat>[\w-]+:(?=\s))
    |(?P<word>(?:\w+:)?(?:{WORD})(?:\+(?:{WORD}))*)""",
    re.VERBOSE | re.MULTILINE,
)
_TAG = re.compile(r"\[(\w+)((?: +\"(?:[^\"\\]|\\.)*\")*) *\]")
_VALUE = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
_REMARK_SEAT = re.compile(r"(\w+): ", re.ASCII)


def notation_text(notation: Notation) -> str:
    """Return the text of a notation."""
    lines = [f"[{tag.name}{''.join([f' {in_quotes(value)}' for value in tag.values])}]" for tag in notation.tags]
    lines += ["", *_moves(notation.moves, "", NO_SEAT), ""]
    lines.append(notation.result if notation.result == "*" else f"= {notation.result}")
    return "\n".join([*lines, ""])


def _moves(moves: Sequence[Move], indent: str, seat: Seat) -> Iterator[str]:
    heading = ""
    for move in moves:
        if move.heading != heading:
            heading = move.heading
            yield f"{indent}{heading}"
        who = f"{move.seat}: " if move.seat != seat else ""
        seat = move.seat
        rolls = [part for number, roll in enumerate(move.rolls, start=1) for part in _roll(move, number, roll)]
        parts = [" ".join(move.words), *rolls, *[f"<{quoted(one)}>" for one in move.draws], move.mark]
        yield f"{indent}  {who}{' '.join([part for part in parts if part])}"
        yield from [f"{indent}    {_remark(one)}" for one in move.remarks if not one.roll]
        for line in move.lines:
            yield f"{indent}    ("
            yield from _moves(line, f"{indent}    ", NO_SEAT)
            yield f"{indent}    )"


def _roll(move: Move, number: int, faces: Sequence[int]) -> Iterator[str]:
    """Yield a roll, and behind it what was said of it."""
    yield f"[{' '.join(map(str, faces))}]"
    yield from [_remark(one) for one in move.remarks if one.roll == number]


def _remark(remark: Remark) -> str:
    text = escaped(remark.text.replace("\\", "\\\\").replace("}", "\\}"))
    return f"{{{f'{remark.seat}: ' if remark.seat else ''}{text}}}"


_BRACKETS: Mapping[str, tuple[str, str]] = {
    "[": ("]", "dice stand in brackets, as in [3 4]"),
    "<": (">", "what was drawn stands in angle brackets, as in <NAME>"),
    "{": ("}", "a remark stands in braces, as in {a remark}"),
    '"': ('"', "a name with blanks stands in quotation marks"),
}
"""How each sign that opens something is closed, and what stands between both."""


def _meant(text: str) -> str:
    """Return what would be right in the place of a text that cannot be read, by its first sign; nothing if that tells nothing."""
    end, use = _BRACKETS.get(text[:1], ("", ""))
    if not use:
        return ""
    return f": {use}{'' if end in text[1:] else f', and {end} is missing'}"


_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        sign = found[1]
        return chr(int(sign[1:], 16)) if len(sign) > 1 else _ESCAPED.get(sign, sign)

    # Signs beyond the first plane are written as two.
    return _ESCAPE.sub(meant, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_notation(text: str) -> Notation:
    """Read a notation.

    Raises:
        NotationInvalid: It is not one; the message says where and why.
    """
    if len(text) > CHARACTERS_MAX:
        raise NotationInvalid(1, f"the notation is too long: at most {CHARACTERS_MAX} characters are possible")
    reader = _Reader(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    tags = list(reader.tags())
    _check_once(tags)
    if not tags or tags[0].name != "Format" or tags[0].values != (FORMAT,):
        raise NotationInvalid(1, f'a notation begins with the line [Format "{FORMAT}"]')
    return reader.moves(Notation(tags, []))


def _check_once(tags: Sequence[Tag]) -> None:
    """Check that nothing is said twice, since only one of both could hold.

    Raises:
        NotationInvalid: A tag is.
    """
    known: set[tuple[str, ...]] = set()
    for tag in tags:
        said = (tag.name, *(tag.values[:1] if tag.name in LISTED else ()))
        if said in known:
            raise NotationInvalid(tag.line, f"the tag {' '.join(said)} stands twice: leave one out")
        known.add(said)


def read_moves(text: str) -> list[Move]:
    """Read orders without the tags and the result of a notation; there is one at least.

    Raises:
        NotationInvalid: They are none; the message says where and why.
    """
    reader = _Reader(f"{text.removeprefix(chr(0xFEFF))}\n*\n".replace("\r\n", "\n"))
    moves = reader.moves(Notation([], [])).moves
    if not moves:
        raise NotationInvalid(1, "there is no order here: write one on each line, such as `german: pass`")
    return moves


class _Reader:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at, self.line = 0, 1
        self.seat, self.heading, self.is_new, self.result = NO_SEAT, "", True, ""
        # The roll behind which the next token stands, 0 for none.
        self.roll = 0
        self.open_lines: list[list[Move]] = []
        self.opened_at: list[int] = []

    def tags(self) -> Iterator[Tag]:
        """Yield the tags, each on a line of its own, up to the first other line that is not empty."""
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end].strip()
            if line and not line.startswith("["):
                return
            if line:
                found = _TAG.fullmatch(line)
                if found is None:
                    raise NotationInvalid(self.line, f'{_short(line)} is not a tag: write [Name "value"]')
                yield Tag(found[1], tuple([self._string(one) for one in _VALUE.findall(found[2])]), self.line)
            self.at, self.line = end + 1, self.line + 1

    def _string(self, written: str) -> str:
        try:
            return unquoted(written)
        except OrderInvalid as error:
            raise NotationInvalid(self.line, str(error)) from None

    def moves(self, notation: Notation) -> Notation:
        """Read the moves into a notation, up to the result."""
        self.open_lines, self.result = [notation.moves], ""
        while self.at < len(self.text):
            token = _TOKEN.match(self.text, self.at)
            if token is None or token.lastgroup is None:
                left = self.text[self.at :].split("\n", 1)[0]
                raise NotationInvalid(self.line, f"{_short(left)} cannot be read here{_meant(left)}")
            self.at = token.end()
            if self.result and token.lastgroup not in ("space", "end"):
                raise NotationInvalid(self.line, f"{_short(token[0])} stands after the result")
            if token.lastgroup == "result":
                self.result = token[0].strip()
                notation.result, notation.result_line = self.result.removeprefix("=").strip(), self.line
            else:
                self._take(token.lastgroup, token[0])
            self.line += token[0].count("\n")
        if self.opened_at:
            raise NotationInvalid(self.opened_at[-1], "the variation that begins here is not closed: ) is missing")
        if not self.result:
            raise NotationInvalid(
                self.line, "the notation is cut short: its last line is = and the result, or * for none"
            )
        return notation

    def _take(self, kind: str, said: str) -> None:
        """Take one token of the moves."""
        moves = self.open_lines[-1]
        if kind not in ("space", "dice", "remark"):
            self.roll = 0
        match kind:
            case "end":
                self.is_new = True
            case "heading":
                self.heading = said.strip()
            case "seat":
                self.seat, self.is_new = Seat(said[:-1]), True
            case "word" | "untold":
                if self.is_new:
                    moves.append(Move((said,), self.seat, self.line, self.heading, [], [], [], "", [], []))
                    self.is_new = False
                else:
                    moves[-1].words = (*moves[-1].words, said)
            case "open":
                self._open(self._last(moves, said))
            case "close":
                self._close(moves)
            case "remark" | "dice" | "draw" | "mark":
                self._belongs(self._last(moves, said), kind, said)
            case _:
                pass

    def _open(self, move: Move) -> None:
        move.lines.append([])
        self.open_lines.append(move.lines[-1])
        self.opened_at.append(self.line)
        self.seat, self.is_new = NO_SEAT, True
        if len(self.open_lines) > DEPTH_MAX:
            raise NotationInvalid(self.line, f"variations lie more than {DEPTH_MAX} deep in each other")

    def _close(self, moves: Sequence[Move]) -> None:
        if not self.opened_at:
            raise NotationInvalid(self.line, ") closes a variation that was not opened")
        if not moves:
            raise NotationInvalid(self.line, "the variation is empty")
        self.open_lines.pop()
        self.opened_at.pop()
        self.seat, self.is_new = self.open_lines[-1][-1].seat, True

    def _last(self, moves: Sequence[Move], said: str) -> Move:
        if not moves:
            raise NotationInvalid(self.line, f"{_short(said)} stands before the first order")
        return moves[-1]

    def _belongs(self, move: Move, kind: str, said: str) -> None:
        """Add to an order what stands behind it."""
        match kind:
            case "remark":
                text = _unescaped(said[1:-1])
                found = _REMARK_SEAT.match(text)
                seat, said = (NO_SEAT, text) if found is None else (Seat(found[1]), text[found.end() :])
                move.remarks.append(Remark(said, seat, self.line, self.roll))
            case "dice":
                roll = tuple(map(int, said[1:-1].split()))
                move.rolls.append(roll)
                move.faces += roll
                self.roll = len(move.rolls)
            case "draw":
                move.draws.append(self._string(said[1:-1]))
            case _:
                if said not in MARKS or move.mark:
                    raise NotationInvalid(
                        self.line, f"{said!r} is not the mark of an order: {', '.join(MARKS)}, one each"
                    )
                move.mark = said


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
