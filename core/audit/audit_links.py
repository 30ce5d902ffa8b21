"""The audit of the links of sealed dice: which link may be opened when, as `match.links` says. It needs no seed and no rules of a game."""

from core.chance.links import LINKS, ServerLinks, is_next
from core.chance.public_results import UNUSED
from core.chance.recorded_chance import Drawn, Rolled, is_use
from core.chance.schemes import SEALED, is_hex_32
from core.engine.command import MATCH_TAGS
from core.match.link_commands import share_in
from core.match.player_commands import Begin
from core.match.standing_answers import is_standing_answer
from events.codec import Struct, decode_plain, tag_of
from events.commit import Commit
from events.ids import Seat
from events.vocabulary import (
    ChanceCalled,
    ChanceScheme,
    LinksOpened,
    MatchBegan,
    MatchEnded,
    MatchForked,
    RulingMade,
    SeatSecured,
    SeedRevealed,
)
from projections.state.links import Links
from projections.state.seating import decider
from projections.state.table import Table


class LinkRemark(Struct, frozen=True):
    """Something about links that the rules allow and a reader should know: an event, the seat, and what it is.

    `what` is `new-anchor`, if the seat had published one before, or `not-opened`, if it called for chance and never opened its link.
    """

    seq: int
    seat: Seat
    what: str


def link_problem(commit: Commit, table: Table) -> tuple[int, str] | None:
    """Return the event of a commit that opens or calls for links against the rule, and the defect; None if there is none.

    Args:
        commit: A commit.
        table: The table before it.
    """
    opening = commit.events[0]
    if isinstance(opening, MatchForked):
        return None
    own = [
        (number, event)
        for number, event in enumerate(commit.events, start=commit.first)
        if isinstance(event, ChanceCalled | LinksOpened | SeatSecured) and number > table.dice_from
    ]
    links = table.links
    if links is None:
        return (own[0][0], "the dice of this match depend on no links") if own else None
    for number, event in own:
        problem = _problem(commit, table, links, event)
        if problem:
            return number, problem
    if sum(isinstance(event, LinksOpened) for _, event in own) > 1:
        return own[-1][0], "links are opened once for a command"
    unused = [number for number, event in own if is_use(event) and not _is_used(commit, number)]
    if unused:
        return unused[0], UNUSED
    ends, reveals, rules = (
        any(isinstance(event, kind) for event in commit.events) for kind in (MatchEnded, SeedRevealed, RulingMade)
    )
    # A match that a ruling ends goes on as another one, in which the same is hidden.
    if reveals != (ends and not rules):
        return commit.last, "the seed is not revealed with the end, or is without it"
    if links.call is not None and _is_decision(commit):
        return (
            commit.first,
            f"the seat {links.call.seat} had called for dice, and nothing can be decided before its link",
        )
    chain = links.held(commit.seat)
    if chain is not None and chain.is_due and _is_decision(commit) and not is_standing_answer(commit, table):
        return commit.first, f"the seat {commit.seat} owed a link when it decided"
    return None


def _is_used(commit: Commit, number: int) -> bool:
    """Return whether a result comes after the event of a number in its commit."""
    return any(isinstance(event, Rolled | Drawn) for event in commit.events[number - commit.first :])


def _problem(commit: Commit, table: Table, links: Links, event: ChanceCalled | LinksOpened | SeatSecured) -> str:
    if event.rule != LINKS:
        return f"links are called for, opened and published by the rule {LINKS}"
    if isinstance(event, SeatSecured):
        return _anchor_problem(links, event)
    if isinstance(event, ChanceCalled):
        return _call_problem(commit, links, event)
    return _opened_problem(commit, table, links, event)


def _anchor_problem(links: Links, event: SeatSecured) -> str:
    if not is_hex_32(event.anchor) or event.length < 1:
        return "an anchor has 64 lower-case hexadecimal digits, and its chain at least one link"
    if links.call is not None:
        return "an anchor was published while a command waited for a link"
    held = links.held(event.seat)
    if held is not None and held.left > 0:
        return f"the seat {event.seat} published another anchor while links of its chain were left"
    if any(event.seat in chain.unanswered for chain in links.chains.values()):
        return f"the seat {event.seat} had published an anchor that was not answered yet"
    return ""


def _call_problem(commit: Commit, links: Links, event: ChanceCalled) -> str:
    if len(commit.events) > 1 or event.seat != commit.seat or links.held(event.seat) is None:
        return "a call for chance is alone in the commit of a seat that has a chain of links"
    if links.call is not None or event.number != links.opened + 1:
        return f"the link that can be called for is {links.opened + 1}, and only once"
    return _unanswered(links)


def _opened_problem(commit: Commit, table: Table, links: Links, event: LinksOpened) -> str:
    chain = links.held(commit.seat)
    if event.share:
        if event.seat != commit.seat or chain is None or share_in(bytes(commit.command)) != event.share:
            return f"a link of the seat {event.seat} is opened by that seat alone"
        if not is_next(event.share, chain.link):
            return f"this is not the next link of the seat {event.seat}"
    elif event.seat or not event.number:
        return "the link of a seat is missing"
    if not event.number:
        is_payable = links.is_payable(event.seat, decider(table))
        return "" if is_payable else f"no link of the seat {event.seat} was owed, or another seat was to decide first"
    if event.number != links.opened + 1 or not is_next(event.link, links.link):
        return "this is not the next link of the server"
    if isinstance(commit.events[0], MatchBegan) and (event.number == 1 or event.share):
        # All seats have opened a link before: one more of whoever begins would let the set-up be chosen.
        return "play begins without a link of the seat that begins it" if event.share else _unanswered(links)
    if chain is not None and (links.call is None or (links.call.seat, links.call.number) != (event.seat, event.number)):
        return f"the seat {commit.seat} has a chain of links, and used chance without calling for it first"
    return _unanswered(links)


def _unanswered(links: Links) -> str:
    debtors = links.debtors()
    return f"chance was used before an anchor was answered by {', '.join(debtors)}" if debtors else ""


def _is_decision(commit: Commit) -> bool:
    """Return whether a commit is that of a command of the game, or begins it."""
    plain = decode_plain(bytes(commit.command))
    tag = str(plain.get("do", "")) if isinstance(plain, dict) else ""
    return not tag.startswith(MATCH_TAGS) or tag == tag_of(Begin)


def reveal_problem(seed: str, scheme: ChanceScheme) -> str:
    """Return why a revealed seed, which keeps its promise, gives other links than those published; empty if it does not."""
    if scheme.scheme != SEALED:
        return ""
    is_same = ServerLinks(seed, scheme.stream, scheme.length).chain.anchor == scheme.commitment
    return (
        "" if is_same else "the revealed seed gives another chain of links than the one that was published before play"
    )


def remarks(commit: Commit, links: Links | None, after: Links | None) -> list[LinkRemark]:
    """Return what a reader should know of the links of a commit.

    Args:
        commit: A commit.
        links: The links before it.
        after: The links after it.
    """
    if links is None:
        return []
    found = [
        LinkRemark(number, event.seat, "new-anchor")
        for number, event in enumerate(commit.events, start=commit.first)
        if isinstance(event, SeatSecured) and event.seat in links.chains
    ]
    call = links.call
    if (
        call is not None
        and (after is None or after.call is None)
        and not any(isinstance(event, LinksOpened) for event in commit.events)
    ):
        found.append(LinkRemark(call.seq, call.seat, "not-opened"))
    return found


def without_link(commit: Commit, table: Table, before: frozenset[Seat]) -> frozenset[Seat]:
    """Return the seats that have used chance of the match's own dice without opening a link of their own.

    Args:
        commit: A commit.
        table: The table after it.
        before: Those that had before it.
    """
    if isinstance(commit.events[0], MatchForked):
        return before if table.links is None or table.links.chains else frozenset()
    if isinstance(commit.events[0], MatchBegan):
        return before
    is_bare = any(
        isinstance(event, LinksOpened) and event.number and not event.share and number > table.dice_from
        for number, event in enumerate(commit.events, start=commit.first)
    )
    return before | {commit.seat} if is_bare else before


def secured_seats(table: Table, without: frozenset[Seat]) -> dict[Seat, str]:
    """Return the seats of whose links all their dice depend, each with the holder of its chain.

    Args:
        table: The table at the end.
        without: The seats that used chance without a link.
    """
    chains = {} if table.links is None else table.links.chains
    return {seat: chains[seat].holder for seat in sorted(chains) if chains[seat].is_held and seat not in without}
