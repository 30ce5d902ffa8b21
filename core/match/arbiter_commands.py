"""The arbiter's commands: invitations, players and arbiters who are replaced, pauses, awards, annulments.

Each is an event that all seats see. Rulings and notes are in `core.match.match_commands`; the rules in `core/game_files/match_rules.toml`.
"""

from hmac import compare_digest

from core.engine.command import MatchOwnCommand
from core.engine.draft import Draft
from core.refusal import Refusal
from events.ids import ARBITER, RuleId, Seat, Side
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    MatchPaused,
    MatchResumed,
    PlayerReplaced,
    SeatReserved,
)
from projections.state.offices import still_reserved
from projections.state.table import Table

OFFICE = RuleId("match.arbiter")
INVITE = RuleId("match.invite")
REPLACE = RuleId("match.replace")
PAUSE = RuleId("match.pause")
AWARD = RuleId("match.award")
ANNUL = RuleId("match.annul")
RUNNING = RuleId("match.running")

TEXT_CHARACTERS_MAX = 4_000
NAME_CHARACTERS_MAX = 200
ARBITERS_MAX = 100
"""The most persons who may be the arbiter of one match, one after the other."""
INVITED_DAYS_MAX = 366
INVITED_MS_MAX = INVITED_DAYS_MAX * 24 * 3_600_000
"""How long an invitation that expires may hold (milliseconds)."""

_HEX = frozenset("0123456789abcdef")


class ReserveSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:reserve-seat"):
    """Reserve a free seat, or the arbiter's, for the holder of an invitation.

    `credential` is the SHA-256 (hex) of its secret; an empty one withdraws the invitation. It expires at `until` (milliseconds since 1970, UTC;
    0 for never). `key` is the public key (hex) with which the player has to sign; empty for any.
    """

    seat: Seat
    name: str = ""
    credential: str = ""
    until: int = 0
    key: str = ""


class ReplacePlayer(MatchOwnCommand, frozen=True, kw_only=True, tag="match:replace-player"):
    """Remove a player from a seat and reserve it for the holder of an invitation, who may be the same person."""

    seat: Seat
    name: str = ""
    credential: str
    reason: str


class SeatArbiter(MatchOwnCommand, frozen=True, kw_only=True, tag="match:seat-arbiter"):
    """Take the arbiter's office by an `invitation` or by a `capability` for all matches of the server (SHA-256 of its secret).

    `is_granted`: the server gives it to the store's owner, or to the arbiter who made this fork.
    """

    name: str
    credential: str
    invitation: str = ""
    capability: str = ""
    is_granted: bool = False


class PauseMatch(MatchOwnCommand, frozen=True, kw_only=True, tag="match:pause"):
    """Pause the match."""

    reason: str


class ResumeMatch(MatchOwnCommand, frozen=True, tag="match:resume"):
    """Resume the match."""


class AwardMatch(MatchOwnCommand, frozen=True, kw_only=True, tag="match:award"):
    """End the match and award it to seats or sides; a seat wins with its side."""

    to: tuple[str, ...]
    reason: str


class AnnulMatch(MatchOwnCommand, frozen=True, kw_only=True, tag="match:annul"):
    """End the match without a result."""

    reason: str


ArbiterCommand = ReserveSeat | ReplacePlayer | SeatArbiter | PauseMatch | ResumeMatch | AwardMatch | AnnulMatch


def take_arbiter_command(draft: Draft, seat: Seat, command: ArbiterCommand, at: int) -> Refusal | None:
    """Execute an arbiter's command, or return its refusal; then the draft must be discarded.

    Args:
        draft: A draft over the table of the match.
        seat: The seat that sends the command.
        command: The command.
        at: The time of its commit, in milliseconds since 1970 (UTC).
    """
    if seat != ARBITER:
        return Refusal("seat_must_be_arbiter", OFFICE, "Only the arbiter may do this.")
    match command:
        case ReserveSeat():
            return _reserve(draft, command, at)
        case ReplacePlayer():
            return _replace(draft, command)
        case SeatArbiter():
            return _seat_arbiter(draft, command, at)
        case PauseMatch():
            return _pause(draft, command)
        case ResumeMatch():
            return _resume(draft)
        case AwardMatch():
            return _award(draft, command)
        case AnnulMatch():
            return _annul(draft, command)


def refuse_invitation(table: Table, seat: Seat, invitation: str, at: int) -> Refusal | None:
    """Return why an invitation does not open a seat, or None if it does or the seat is open to all.

    Args:
        table: The table of the match.
        seat: A free seat, or the arbiter's.
        invitation: The SHA-256 (hex) of the invitation's secret; empty if there is none.
        at: The time at which it must hold, in milliseconds since 1970 (UTC).
    """
    reserved = still_reserved(table.reserved, at).get(seat)
    if reserved is None:
        if invitation:
            late = table.reserved.get(seat)
            is_late = late is not None and compare_digest(invitation.encode(), late.credential.encode())
            what = "has expired" if is_late else "is of another match, or was used, withdrawn or replaced"
            said = f"This invitation {what}; the seat {seat} is free, and is taken without one."
            office = "This secret is no invitation to this office that still holds, and no capability that still holds."
            return Refusal("invitation_must_hold", INVITE, office if seat == ARBITER else said)
        return None
    if not invitation:
        return Refusal("seat_must_be_open", INVITE, f"The seat {seat} is reserved: sit down with its invitation.")
    if not compare_digest(invitation.encode(), reserved.credential.encode()):
        said = f"This is not the invitation to the seat {seat} of this match."
        return Refusal("invitation_must_hold", INVITE, said)
    return None


def refuse_player(table: Table, name: str, credential: str) -> Refusal | None:
    """Return why somebody may not play in a match, or None: the arbiter has seen what its seats hide from each other."""
    is_arbiter = table.arbiter is not None and credential and credential == table.arbiter.credential
    if is_arbiter or any(_is_same(name, arbiter) for arbiter in table.arbiters):
        return Refusal(
            "arbiter_must_not_play", OFFICE, "An arbiter of this match has seen everything and cannot play in it."
        )
    return None


def refuse_nameless(table: Table, seat: Seat, name: str, at: int = 0) -> Refusal | None:
    """Return why a player needs a name, or None: without one, an arbiter could sit down who has seen everything.

    The owner of a store may act for every seat and needs none. `at` is as for `name_at`.
    """
    if table.arbiters and not name_at(table, seat, name, at).strip():
        return Refusal("player_must_have_name", OFFICE, "This match has an arbiter: its players sit down under a name.")
    return None


def name_at(table: Table, seat: Seat, name: str, at: int = 0) -> str:
    """Return the name under which a person takes a seat: the given one, or that of the invitation.

    Args:
        table: The table of the match.
        seat: The seat.
        name: The given name, or nothing.
        at: The time at which the invitation must hold, in milliseconds since 1970 (UTC); by default one that has expired counts, too.
    """
    reserved = still_reserved(table.reserved, at).get(seat)
    return name if name.strip() or reserved is None else reserved.name


def leave_office(draft: Draft) -> Refusal | None:
    """Let the arbiter leave."""
    if draft.table.arbiter is None:
        return Refusal("seat_must_be_taken", OFFICE, "This match has no arbiter who could leave.")
    draft.emit(ArbiterLeft(rule=OFFICE, name=draft.table.arbiter.name))
    return None


def over(table: Table) -> Refusal:
    """Return the refusal of a command that needs a running match."""
    onward = f" By a ruling it goes on as {table.goes_on}." if table.goes_on else ""
    return Refusal("match_must_be_running", RUNNING, f"The match is not running.{onward}")


def is_hash(text: str) -> bool:
    """Return whether a text has the form of a SHA-256 (hex)."""
    return len(text) == 64 and _HEX.issuperset(text)


def _reserve(draft: Draft, command: ReserveSeat, at: int) -> Refusal | None:
    table = draft.table
    problem = _unknown(table, command.seat) if command.seat != ARBITER else None
    if problem is not None:
        return problem
    if table.ended is not None and command.seat != ARBITER:
        return over(table)
    if command.seat in table.players:
        return Refusal("seat_must_be_free", INVITE, f"The seat {command.seat} is taken; replace its player instead.")
    if not command.credential and command.seat not in table.reserved:
        return Refusal("invitation_must_hold", INVITE, f"There is no invitation to the seat {command.seat}.")
    if command.credential and (refusal := _no_secret(command.credential, command.name)):
        return refusal
    if command.until and not at < command.until <= at + INVITED_MS_MAX:
        said = f"An invitation expires after it is given, at most {INVITED_DAYS_MAX} days later, or never."
        return Refusal("invitation_must_end_later", INVITE, said)
    if command.key and command.seat == ARBITER:
        return Refusal("seat_must_play", INVITE, "Players sign their commands; the arbiter's are not signed.")
    if command.key and not is_hash(command.key):
        return Refusal("key_must_be_hex", INVITE, "A public key has 64 lower-case hexadecimal digits.")
    draft.emit(
        SeatReserved(
            rule=INVITE,
            seat=command.seat,
            name=command.name,
            credential=command.credential,
            until=command.until,
            key=command.key,
        )
    )
    return None


def _replace(draft: Draft, command: ReplacePlayer) -> Refusal | None:
    table = draft.table
    if (problem := _unknown(table, command.seat)) is not None:
        return problem
    if table.ended is not None:
        return over(table)
    if command.seat not in table.players:
        return Refusal("seat_must_be_taken", REPLACE, f"The seat {command.seat} is free; invite a player instead.")
    if refusal := _no_secret(command.credential, command.name) or _no_reason(command.reason, REPLACE):
        return refusal
    was = table.players[command.seat]
    draft.emit(PlayerReplaced(rule=REPLACE, seat=command.seat, name=was, reason=command.reason))
    draft.emit(SeatReserved(rule=REPLACE, seat=command.seat, name=command.name, credential=command.credential))
    return None


def _seat_arbiter(draft: Draft, command: SeatArbiter, at: int) -> Refusal | None:
    table = draft.table
    if not (command.capability or command.is_granted):
        if not command.invitation:
            return Refusal("seat_must_be_open", OFFICE, "The arbiter's office is taken by invitation or capability.")
        if refusal := refuse_invitation(table, ARBITER, command.invitation, at):
            return refusal
    name = name_at(table, ARBITER, command.name, at) if command.invitation else command.name
    if not (name.strip() and name.isprintable() and len(name) <= NAME_CHARACTERS_MAX):
        return Refusal(
            "arbiter_must_have_name",
            OFFICE,
            f"An arbiter has a name: one line of 1 to {NAME_CHARACTERS_MAX} characters.",
        )
    if not is_hash(command.credential):
        return _not_a_hash()
    plays = any(table.credentials.get(seat) == command.credential for seat in table.players)
    if plays or any(_is_same(name, player) for player in table.players.values()):
        return Refusal(
            "arbiter_must_not_play",
            OFFICE,
            f"{name} plays in this match, and an arbiter sees everything in it.",
        )
    if name not in table.arbiters and len(table.arbiters) >= ARBITERS_MAX:
        return Refusal(
            "arbiters_must_be_few", OFFICE, f"A match has at most {ARBITERS_MAX} arbiters, one after the other."
        )
    if table.arbiter is not None and table.arbiter.name != name:
        draft.emit(ArbiterLeft(rule=OFFICE, name=table.arbiter.name))
    draft.emit(ArbiterSeated(rule=OFFICE, name=name, credential=command.credential, capability=command.capability))
    return None


def _pause(draft: Draft, command: PauseMatch) -> Refusal | None:
    if draft.table.ended is not None:
        return over(draft.table)
    if draft.table.paused is not None:
        return Refusal("match_must_not_be_paused", PAUSE, f"The match is paused already: {draft.table.paused}")
    if refusal := _no_reason(command.reason, PAUSE):
        return refusal
    draft.emit(MatchPaused(rule=PAUSE, reason=command.reason))
    return None


def _resume(draft: Draft) -> Refusal | None:
    if draft.table.paused is None:
        return Refusal("match_must_be_paused", PAUSE, "The match is not paused.")
    draft.emit(MatchResumed(rule=PAUSE))
    return None


def _award(draft: Draft, command: AwardMatch) -> Refusal | None:
    table = draft.table
    if table.ended is not None:
        return over(table)
    if not command.to:
        return Refusal("winner_must_be_named", AWARD, "An award names at least one seat or side.")
    sides: set[Side] = set()
    seats: set[Seat] = set()
    for name in command.to:
        if name in table.seats:
            seats.add(Seat(name))
            sides |= {table.side_of(Seat(name))} - {Side("")}
        elif name in table.sides:
            sides.add(Side(name))
        else:
            there = ", ".join(dict.fromkeys([*table.seats, *table.sides]))
            return Refusal("winner_must_be_named", AWARD, f"{name!r} is neither a seat nor a side; there are: {there}.")
    if refusal := _no_reason(command.reason, AWARD):
        return refusal
    winners = tuple([side for side in table.sides if side in sides])
    winning = tuple([seat for seat in table.seats if seat in seats or table.side_of(seat) in sides])
    draft.end_match("Awarded", winners, AWARD, kind="awarded", seats=winning, reason=command.reason)
    return None


def _annul(draft: Draft, command: AnnulMatch) -> Refusal | None:
    if draft.table.ended is not None:
        return over(draft.table)
    if refusal := _no_reason(command.reason, ANNUL):
        return refusal
    draft.end_match("Annulled", (), ANNUL, kind="annulled", seats=(), reason=command.reason)
    return None


def _unknown(table: Table, seat: Seat) -> Refusal | None:
    if seat in table.seats:
        return None
    seats = ", ".join(table.seats)
    return Refusal("seat_must_exist", INVITE, f"There is no seat {seat!r} in this match; it has: {seats}.")


def _no_secret(credential: str, name: str) -> Refusal | None:
    if not is_hash(credential):
        return _not_a_hash()
    if len(name) > NAME_CHARACTERS_MAX:
        return Refusal("name_must_be_short", INVITE, f"A name has at most {NAME_CHARACTERS_MAX} characters.")
    if not name.isprintable():
        said = "A name is one line, without control characters and marks that cannot be seen."
        return Refusal("name_must_be_printable", INVITE, said)
    return None


def _not_a_hash() -> Refusal:
    return Refusal(
        "credential_must_be_hash",
        INVITE,
        "The credential is the SHA-256 of a secret: 64 lower-case hexadecimal digits.",
    )


def _no_reason(reason: str, rule: RuleId) -> Refusal | None:
    if reason.strip() and len(reason) <= TEXT_CHARACTERS_MAX:
        return None
    return Refusal("reason_must_have_text", rule, f"A reason has 1 to {TEXT_CHARACTERS_MAX} characters.")


def _is_same(name: str, other: str) -> bool:
    return bool(name.strip()) and name.strip().casefold() == other.strip().casefold()
