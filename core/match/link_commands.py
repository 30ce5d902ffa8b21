"""The commands and restrictions of sealed dice that depend on links; the rule is `match.links` in `core/game_files/match_rules.toml`.

A command of a seat that has a chain waits, once it needs chance, for that seat's next link: what was called for is on record before anybody but the
player knows the link. A seat owes a link after another one used chance, which it opens when it decides next, and after any anchor was published, its own too.
"""

from core.chance.links import LINKS, OPENED_BY, is_next
from core.chance.schemes import LENGTH_MAX, is_hex_32
from core.engine.command import Command, MatchOwnCommand
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.match.arbiter_commands import (
    AnnulMatch,
    AwardMatch,
    PauseMatch,
    ReplacePlayer,
    ReserveSeat,
    ResumeMatch,
    SeatArbiter,
)
from core.match.arbitration.disputes import Appeal, OpenDispute
from core.match.arbitration.seat_views import ViewSeat
from core.match.player_commands import AddNote, Begin, LeaveSeat, MakeRuling, RegisterKey, Resign, TakeSeat
from core.match.ruleset import AdoptRules
from core.refusal import Refusal
from events.codec import DecodeError, Decoder
from events.ids import ARBITER, Seat
from events.vocabulary import LinksOpened, SeatSecured
from projections.state.links import Chain, ChanceCall, Links
from projections.state.seating import decider
from projections.state.table import Table

PAGES_HOLDER, BOT_HOLDER = "pages", "bot"
HOLDERS = ("", PAGES_HOLDER, BOT_HOLDER)
"""Who may hold the chain of a seat: the player's own program, the pages, or a bot beside the server."""


class OpenLink(MatchOwnCommand, frozen=True, kw_only=True, tag="match:open-link"):
    """Open the next link of the seat's chain (hex): the command that waits for it is played, or what the seat owes is paid."""

    share: str


class SecureSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:secure-seat"):
    """Publish the anchor of a new chain of the seat, with the number of its links; see `SeatSecured`."""

    anchor: str
    length: int
    holder: str = ""


_IN_BETWEEN = (
    AddNote
    | MakeRuling
    | ViewSeat
    | OpenDispute
    | Appeal
    | RegisterKey
    | Resign
    | AdoptRules
    | ReserveSeat
    | SeatArbiter
    | PauseMatch
    | ResumeMatch
    | AwardMatch
    | AnnulMatch
)
"""The commands that are possible while another one waits for a link, whoever sends them."""


def refuse_while_called(call: ChanceCall, seat: Seat) -> Refusal:
    """Return the refusal of what cannot come between a call for chance and its link."""
    who = "your seat" if call.seat == seat else f"the seat {call.seat}"
    return Refusal("link_must_be_opened", LINKS, f"Dice were called for: first {who} opens its link. {OPENED_BY}")


def refuse_by_links(rules: Rules, table: Table, seat: Seat, command: Command) -> Refusal | None:
    """Return why a command has to wait for a link, or None."""
    links = table.links
    if links is None or table.ended is not None:
        return None
    if links.call is not None and not _may_come_between(table, links.call.seat, seat, command):
        return refuse_while_called(links.call, seat)
    is_decision = isinstance(command, Begin) or not isinstance(command, MatchOwnCommand)
    if not is_decision or _is_standing(rules, table, seat, command):
        return None
    return refuse_debtor(links.held(seat))


def _may_come_between(table: Table, caller: Seat, seat: Seat, command: Command) -> bool:
    """Return whether a command is possible while another one waits for the link of a seat, whose dice it must not change."""
    if isinstance(command, ReplacePlayer):
        return table.began or command.seat == caller
    if isinstance(command, LeaveSeat):
        return seat == ARBITER or (table.began and seat != caller)
    if isinstance(command, TakeSeat):
        return not command.anchor
    if isinstance(command, OpenLink):
        return seat == caller
    return isinstance(command, _IN_BETWEEN)


def _is_standing(rules: Rules, table: Table, seat: Seat, command: Command) -> bool:
    """Return whether a command is the standing answer of its seat to the open decision, given before the link was due."""
    top = table.top if table.standing else None
    return top is not None and any(
        (one.seat, one.decision) == (seat, top.kind) == (top.seat, top.kind)
        and rules.decode(one.answer.encode()) == command
        for one in table.standing
    )


def refuse_debtor(chain: Chain | None) -> Refusal | None:
    """Return why the player of a seat may not decide yet, or None: the seat owes a link."""
    if chain is None or not chain.is_due:
        return None
    if chain.unanswered:
        return Refusal(
            "link_must_be_opened", LINKS, f"Your seat owes a link, since an anchor was published. {OPENED_BY}"
        )
    said = "Your seat owes a link, since another command used chance. Its player's program opens it with its next decision."
    return Refusal("link_must_be_opened", LINKS, said)


def refuse_unanswered(links: Links) -> Refusal | None:
    """Return why chance cannot be used yet, or None: some seats have not opened a link since an anchor was published."""
    debtors = links.debtors()
    if not debtors:
        return None
    named = ", ".join(debtors)
    return Refusal(
        "anchor_must_be_answered",
        LINKS,
        f"Before dice can fall a link is due, for a new anchor, from: {named}. {OPENED_BY}",
    )


def refuse_share(table: Table, seat: Seat, share: str) -> Refusal | None:
    """Return why a seat cannot open a link, or None."""
    links = table.links
    chain = None if links is None else links.held(seat)
    if links is None or chain is None:
        return Refusal("seat_must_be_secured", LINKS, "This seat has no chain of links.")
    if not is_next(share, chain.link):
        return Refusal("link_must_follow", LINKS, f"This is not link {chain.opened + 1} of the seat's chain.")
    if not (links.is_wanted(seat) or links.is_payable(seat, decider(table))):
        return Refusal("link_must_be_due", LINKS, "No link of this seat is called for, or owed before it decides.")
    return None


def pay_link(draft: Draft, seat: Seat, share: str) -> None:
    """Open the link that a seat owes."""
    draft.emit(LinksOpened(rule=LINKS, seat=seat, share=share))


def refuse_anchor(table: Table, seat: Seat, anchor: str, length: int, holder: str) -> Refusal | None:
    """Return why a seat cannot publish an anchor, or None."""
    links = table.links
    if links is None:
        return Refusal("dice_must_have_links", LINKS, "The dice of this match depend on no links.")
    if not is_hex_32(anchor) or not 1 <= length <= LENGTH_MAX:
        said = f"An anchor has 64 lower-case hexadecimal digits, and its chain 1 to {LENGTH_MAX} links."
        return Refusal("anchor_must_be_hex", LINKS, said)
    if holder not in HOLDERS:
        return Refusal(
            "holder_must_be_known", LINKS, "The holder of a chain is nobody but the player, `pages` or `bot`."
        )
    if links.call is not None:
        return refuse_while_called(links.call, seat)
    chain = links.held(seat)
    if chain is not None and chain.left > 0:
        # Who could take another chain at will could try until the dice please.
        said = f"The seat has a chain of which {chain.left} links are left."
        return Refusal("chain_must_be_used_up", LINKS, said)
    waiting = [other for other, chain in links.chains.items() if seat in chain.unanswered]
    if waiting:
        named = ", ".join(sorted(waiting))
        said = f"The seat has published an anchor that is not answered yet by: {named}."
        return Refusal("anchor_must_be_answered", LINKS, said)
    return None


def secure_seat(draft: Draft, seat: Seat, command: SecureSeat) -> Refusal | None:
    """Publish a new anchor of a taken seat, or return the refusal."""
    if seat not in draft.table.players:
        return Refusal("seat_must_be_taken", LINKS, "Only the player of a seat publishes its anchor.")
    refusal = refuse_anchor(draft.table, seat, command.anchor, command.length, command.holder)
    if refusal is None:
        draft.emit(secured_by(seat, command.anchor, command.length, command.holder))
    return refusal


def secured_by(seat: Seat, anchor: str, length: int, holder: str) -> SeatSecured:
    """Return the event of an anchor."""
    return SeatSecured(rule=LINKS, seat=seat, anchor=anchor, length=length, holder=holder)


_OPEN_LINK: Decoder[OpenLink] = Decoder(OpenLink)


def share_in(command: bytes) -> str:
    """Return the link that a command of the log opens (hex); empty for any other command."""
    try:
        return _OPEN_LINK.decode(command).share
    except DecodeError:
        return ""


def share_of(command: Command) -> str:
    """Return the link that a command opens (hex); empty for any other command."""
    return command.share if isinstance(command, OpenLink) else ""
