"""Rulings of an arbiter on disputes, as forms ask for them, and the way of a visitor to the match as which a disputed one goes on."""

from collections.abc import Callable, Mapping
from hashlib import sha256

from core.match.arbitration.disputes import line_defect
from core.match.player_commands import MakeRuling
from core.telling.cited_rules import rule_defect
from events.ids import ARBITER, PUBLIC, MatchId, RuleId, Seat
from events.vocabulary import Effect
from projections.state.offices import Dispute
from projections.state.table import Table
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.web.backend.gateway import Caller
from server.web.http.requests import number_of

STAND, FORK, LINE, EDIT, CONFIRM = "stand", "fork", "go-on", "edit", "confirm"
"""What a form can let become of a disputed match; with `FORK` the pages make the fork from before the disputed event, with `CONFIRM` a first ruling holds."""


class NotRuled(Exception):
    """A ruling that cannot be made as a form says; the message is a sentence."""


async def rule_on(caller: Caller, match: MatchId, fields: Mapping[str, str]) -> MatchId:
    """Rule on a dispute, and let the players of a match that goes on have their seats there; return the match as which it goes on, or nothing.

    A form that is sent twice rules once, because it holds a key.

    Raises:
        NotRuled: A rule is not known, or the match cannot go on as the named one.
        RequestFailed: The rules refuse, or the visitor is not the arbiter.
    """
    at, key = number_of(fields.get("at", "")) or 0, f"web-{fields.get('key', '')}-rule"
    then = (await caller.state(match, ARBITER)).table
    rules = fields.get("rules", "").replace(",", " ").split()
    if defect := next(filter(None, [rule_defect(then.game, rule) for rule in rules]), ""):
        raise NotRuled(_sentence(defect))
    was = then.dispute(at)
    effect, line = await _effect(caller, match, then, fields, key)
    command = MakeRuling(
        text=fields.get("text", "").strip(),
        about=RuleId(rules[0]) if rules else None,
        at=at,
        cites=tuple([RuleId(rule) for rule in rules[1:]]),
        effect=effect,
        line=line,
        reverses=was is not None and was.stand == "appealed" and fields.get("effect") != CONFIRM,
        house=fields.get("house", "").strip(),
    )
    said = sha256("\n".join([command.text, effect, *rules, command.house]).encode()).hexdigest()[:16]
    await caller.play(match, ARBITER, command, key=f"{key}-{said}")
    if line:
        await _hand_over(caller, match, was, line, command.text)
    return line


async def _effect(
    caller: Caller, match: MatchId, then: Table, fields: Mapping[str, str], key: str
) -> tuple[Effect, MatchId]:
    """Return the effect that a form asks for, and the match as which the disputed one goes on, which is made if it has to be."""
    wish, at = fields.get("effect", ""), number_of(fields.get("at", "")) or 0
    was = then.dispute(at)
    if wish == CONFIRM and was is not None:
        return was.effect, was.line
    if wish == FORK:
        forked = (await caller.fork(match, ARBITER, at - 1, key=f"{key}-fork")).match
        caller.add_token(forked, ARBITER, caller.token(match, ARBITER))
        return "go-on", forked
    if wish not in (LINE, EDIT):
        return "stand", MatchId("")
    effect: Effect = "go-on" if wish == LINE else "edit"
    line = MatchId(fields.get("line", "").strip())
    if not line:
        raise NotRuled("Name the match as which it goes on.")
    if not caller.token(line, ARBITER):
        caller.add_token(line, ARBITER, caller.token(match, ARBITER))
    if defect := line_defect(match, then, line, (await caller.state(line)).table, effect):
        raise NotRuled(_sentence(defect))
    return effect, line


async def _hand_over(caller: Caller, match: MatchId, was: Dispute | None, line: MatchId, text: str) -> None:
    if was is not None and was.line and was.line != line:
        if not caller.token(was.line, ARBITER):
            caller.add_token(was.line, ARBITER, caller.token(match, ARBITER))
        await caller.rule_on_line(was.line, line, text)
        await caller.hand_over(was.line, line)
    await caller.hand_over(match, line)


async def follow_on(
    caller: Caller, match: MatchId, seat: Seat, secret_of: Callable[[MatchId], str]
) -> tuple[MatchId, str]:
    """Take the visitor's seat of a match in the one as which it goes on.

    Args:
        caller: The visitor.
        match: The match.
        seat: The seat, or `public`.
        secret_of: Returns the secret that the seat has from then on, the same one if the form is sent again.

    Returns:
        The match as which it goes on, or the same one, and the secret of the seat there; empty if it cannot be taken.
    """
    line = (await caller.state(match)).table.goes_on
    if not line:
        return match, ""
    if seat == PUBLIC:
        return line, ""
    own = caller.token(match, seat)
    table = (await caller.state(line)).table
    invited = table.reserved.get(seat)
    # A fork from before play began leaves the seats as they were.
    is_kept = seat == ARBITER or table.credentials.get(seat) == credential(own)
    secret = own if is_kept else secret_of(line)
    caller.add_token(line, seat, secret)
    try:
        if invited is not None and invited.credential == credential(own):
            await caller.take_seat(line, seat, invited.name, secret=secret, invitation=own)
        else:
            await caller.state(line, seat)
    except RequestFailed:
        return line, ""
    return line, secret


def _sentence(said: str) -> str:
    return f"Not ruled: {said[:1].upper()}{said[1:]}."
