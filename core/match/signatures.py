"""Signed commands: the keys of seats, and which commits have to be signed; the rule is `match.signatures` in `core/game_files/match_rules.toml`.

A seat that has registered a key signs whatever it sends, but for the links of its chain, which prove themselves. The server checks that before it stores a commit, and the audit checks it again with the same function.
"""

from collections.abc import Iterable

from core.chance.schemes import is_hex_32
from core.engine.command import MATCH_TAGS
from core.engine.draft import Draft
from core.match.command_keys import before_answer, before_in_order, link_key
from core.match.link_commands import HOLDERS, share_in
from core.match.own_words import words_problem
from core.match.player_commands import RegisterKey, TakeSeat
from core.match.standing_answers import is_standing_answer
from core.refusal import Refusal
from events.codec import Struct, decode_plain, tag_of
from events.commit import Commit
from events.ids import ARBITER, RuleId, Seat
from events.transparency.signed_command import is_signed_by
from events.vocabulary import (
    KeyRegistered,
    LinksOpened,
    MatchBegan,
    MatchEnded,
    MatchForked,
    RulesAdopted,
    events_with,
)
from projections.state.public_record import recorded
from projections.state.table import Table
from projections.state.view import seat_number

SIGNATURES = RuleId("match.signatures")

MUST_BE_SIGNED = "command_must_be_signed"
MUST_FIT = "signature_must_fit"
"""The codes of the refusals of a command that has no signature, and of one that has another than that of the seat's key."""

BESIDE_ARBITER = events_with(lambda traits: traits.is_beside_game) | {MatchForked, RulesAdopted, MatchEnded}
"""Events that a command of the arbiter can cause, but for those with which play begins."""


class Signed(Struct, frozen=True):
    """A signature (base64) as it comes with a command, and how many events the seat had seen, 0 if it does not say."""

    signature: str = ""
    expected: int = 0


NOT_SIGNED = Signed()


class PublicRecord(Struct, frozen=True):
    """The record of what everybody was shown up to a commit.

    `digest` is that of all of it (hex), and `named` the one that a signature of the commit names: the commands of an order, which are signed as a whole, all name what was shown before the first.
    """

    digest: str = ""
    named: str = ""

    def before(self, key: str) -> str:
        """Return the digest that the signature of the next commit names, which has this idempotency key."""
        return self.named if before_in_order(key) else self.digest

    def followed_by(self, commit: Commit) -> "PublicRecord":
        """Return what everybody was shown with one more commit."""
        return PublicRecord(recorded(self.digest, commit.at, commit.events), self.before(commit.key))


NOTHING_SHOWN = PublicRecord()


def record_of(commits: Iterable[Commit]) -> PublicRecord:
    """Return what everybody was shown by the commits of a match, from the first one on."""
    record = NOTHING_SHOWN
    for commit in commits:
        record = record.followed_by(commit)
    return record


def refuse_key(table: Table, seat: Seat, public_key: str, holder: str) -> Refusal | None:
    """Return why a seat cannot register a key, or None."""
    if not is_hex_32(public_key):
        return Refusal("key_must_be_hex", SIGNATURES, "A public key has 64 lower-case hexadecimal digits.")
    if holder not in HOLDERS:
        return Refusal(
            "holder_must_be_known", SIGNATURES, "The holder of a key is nobody but the player, `pages` or `bot`."
        )
    present = table.keys.get(seat)
    if present is not None and present.key == public_key:
        return Refusal("key_must_be_new", SIGNATURES, "The seat has this key already.")
    return None


def refuse_other_key(table: Table, seat: Seat, public_key: str) -> Refusal | None:
    """Return why the key of a player does not fit the invitation to a seat, or None."""
    invited = table.reserved.get(seat)
    if invited is None or invited.key in ("", public_key):
        return None
    said = f"The invitation is for a player who signs with the key {invited.key}."
    return Refusal("key_must_be_invited", SIGNATURES, said)


def register_key(draft: Draft, seat: Seat, command: RegisterKey) -> Refusal | None:
    """Register the key of a taken seat, or return the refusal."""
    table = draft.table
    if seat not in table.players:
        return Refusal("seat_must_be_taken", SIGNATURES, "Only the player of a seat registers its key.")
    refusal = refuse_key(table, seat, command.public_key, command.key_holder)
    if refusal is None:
        present = table.keys.get(seat)
        was = "" if present is None or command.is_lost else present.key
        draft.emit(registered(seat, command.public_key, command.key_holder, was))
    return refusal


def registered(seat: Seat, public_key: str, holder: str, was: str = "") -> KeyRegistered:
    """Return the event of a key."""
    return KeyRegistered(rule=SIGNATURES, seat=seat, key=public_key, holder=holder, was=was)


def refuse_signature(commit: Commit, table: Table, before: Commit | None, record: PublicRecord) -> Refusal | None:
    """Return why a commit that a seat has asked for cannot be stored, or None; see `signature_problem`."""
    problem = signature_problem(commit, table, before, record)
    if not problem:
        return None
    if not commit.signature:
        said = "This seat has registered a key: all that it sends is signed. Programs do that by themselves where they hold the key."
        return Refusal("command_must_be_signed", SIGNATURES, said)
    return Refusal("signature_must_fit", SIGNATURES, f"{problem[0].upper()}{problem[1:]}.")


def signature_problem(commit: Commit, table: Table, before: Commit | None, record: PublicRecord) -> str:
    """Return what is wrong with the signature of a commit, or with its absence; empty if nothing is.

    Args:
        commit: A commit.
        table: The table before it.
        before: The commit before it; None for the first, and where it is not the commit of an order, nor a standing answer.
        record: What everybody was shown before it.
    """
    if isinstance(commit.events[0], MatchForked):
        return "a fork is not signed" if commit.signature else ""
    repeats = _is_repeated(before)
    if foreign := _foreign_problem(commit, table, repeats=repeats):
        return foreign
    key = "" if commit.seat not in table.keys else table.keys[commit.seat].key
    for event in commit.events:
        if isinstance(event, KeyRegistered) and not repeats:
            if event.seat != commit.seat or event.was not in ("", key) or not is_hex_32(event.key):
                return f"the key of the seat {event.seat} was not registered by that seat"
            key = event.was or event.key
    if not commit.signature:
        if commit.expected:
            return "the command says what its seat had seen, and is not signed"
        is_free = not key or repeats or _is_link(commit) or _is_answer(commit, table, before)
        return "" if is_free else f"the seat {commit.seat} has a key, and this command is not signed"
    if not key:
        return f"the command is signed, and the seat {commit.seat} has no key"
    if problem := _expected_problem(commit, table, before):
        return problem
    # Who takes a seat has seen nothing before.
    if not is_signed_by(commit, table.opening, key, record.before(commit.key) if commit.expected else ""):
        return f"the signature is not that of the key of the seat {commit.seat} for this command after these events"
    return ""


def _foreign_problem(commit: Commit, table: Table, *, repeats: bool) -> str:
    """Return why a commit holds what its seat cannot send, with a key or without one; empty if it does not, as far as that needs no rules of a game."""
    seat = commit.seat
    if seat != ARBITER and seat not in table.seats:
        return f"{seat!r} is no seat of the match"
    if seat == ARBITER and not tag_in(bytes(commit.command)).startswith(MATCH_TAGS):
        return "the arbiter plays no commands of the game"
    if problem := words_problem(commit, table, repeats=repeats):
        return problem
    for number, event in enumerate(commit.events, start=commit.first):
        if seat == ARBITER and type(event) not in BESIDE_ARBITER:
            # The arbiter lets play begin, once, if seats were taken while it was paused, or where dice are typed in.
            is_begun = isinstance(event, MatchBegan) and not table.began
            return "" if is_begun else f"event {number} of the game stands beside a command of the arbiter"
    return ""


def _is_repeated(before: Commit | None) -> bool:
    """Return whether the commit after another one repeats what a fork has cut, which was signed in the parent."""
    opening = None if before is None else before.events[0]
    return before is not None and isinstance(opening, MatchForked) and opening.at >= before.first


def _is_link(commit: Commit) -> bool:
    """Return whether a commit opens a link of its seat and holds nothing else, or what the seat has called for with its signature."""
    share = share_in(bytes(commit.command))
    if commit.key != link_key(share):
        return False
    opened = [event for event in commit.events if isinstance(event, LinksOpened) and event.share == share]
    return bool(share) and any(event.number or len(commit.events) == 1 for event in opened)


def _is_answer(commit: Commit, table: Table, before: Commit | None) -> bool:
    """Return whether a commit is a standing answer: what gave it was signed."""
    follows = before is not None and before_answer(commit.key) == before.key
    return follows and is_standing_answer(commit, table)


def is_take(command: bytes) -> bool:
    """Return whether a command (JSON) takes a seat, before which the seat had seen nothing."""
    return tag_in(command) == tag_of(TakeSeat)


def tag_in(command: bytes) -> str:
    """Return the tag of a command (JSON); empty if it has none."""
    plain = decode_plain(command)
    return str(plain.get("do", "")) if isinstance(plain, dict) else ""


def _expected_problem(commit: Commit, table: Table, before: Commit | None) -> str:
    """Return why the number of events that a seat said it had seen is wrong; empty if it is not."""
    earlier = before_in_order(commit.key)
    if earlier:
        # An order is signed as a whole before any of it is played.
        follows = before is not None and (before.key, before.seat) == (earlier, commit.seat)
        is_same = follows and before is not None and before.expected == commit.expected
        return "" if is_same else "the command does not follow the one before it in its order"
    if not commit.expected:
        return (
            ""
            if is_take(bytes(commit.command))
            else "the command does not say what its seat had seen when it was signed"
        )
    actual = seat_number(table, commit.seat, table.seq)
    if commit.expected == actual:
        return ""
    return f"the seat {commit.seat} had seen {actual} events, and signed for {commit.expected}"
