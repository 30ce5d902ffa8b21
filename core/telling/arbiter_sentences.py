"""Sentences about invitations, the arbiter's office, replaced players, pauses, rules that are adopted, and the links of dice."""

from collections.abc import Callable

from core.chance.links import OPENED_BY
from core.telling.names import Names
from core.telling.phrases import listed
from core.wording import does, is_plural
from events.ids import ARBITER, Seat
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    ChanceCalled,
    DisputeOpened,
    Effect,
    KeyRegistered,
    LinksOpened,
    MatchEnded,
    MatchForked,
    MatchPaused,
    MatchResumed,
    PlayerReplaced,
    RulesAdopted,
    RulingAppealed,
    RulingMade,
    SeatReserved,
    SeatSecured,
    SeatViewed,
    UndoAnswered,
    UndoAsked,
)
from projections.state.seating import links_due
from projections.state.table import Table

HELD = {"pages": ", which the pages hold", "bot": ", which a bot holds"}
"""Who holds the secrets of a seat, where that is not its player."""


def arbiter_templates(names: Names) -> dict[type[object], Callable[..., str]]:
    """Return the sentences, by kind of event."""

    def reserved(run: list[SeatReserved]) -> str:
        event = run[0]
        seat = "arbiter's" if event.seat == ARBITER else names.of(event.seat)
        if not event.credential:
            return f"The invitation to the {seat} seat is withdrawn."
        whom = f"for {event.name}, " if event.name else ""
        return f"The {seat} seat is reserved {whom}by invitation{', for a time' if event.until else ''}."

    def replaced(run: list[PlayerReplaced]) -> str:
        event = run[0]
        return _with_reason(
            f"The arbiter removes {event.name or 'the player'} from the {names.of(event.seat)} seat", event.reason
        )

    def adopted(run: list[RulesAdopted]) -> str:
        event = run[0]
        who = "The arbiter" if event.seat == ARBITER else names.seat(event.seat)
        before, now = (
            f"edition {edition} (rules {rules[:12]}…)"
            for edition, rules in ((event.edition_was, event.rules_was), (event.edition, event.rules))
        )
        return f"{does(who, 'adopt')} other rules: {now} instead of {before}."

    def secured(run: list[SeatSecured]) -> str:
        event = run[0]
        return f"{does(names.seat(event.seat), 'publish')} the anchor of a chain of {event.length} links for the dice{HELD.get(event.holder, '')}."

    def registered(run: list[KeyRegistered]) -> str:
        event = run[0]
        other = "another" if event.was else "a"
        who = names.seat(event.seat)
        return f"{does(who, 'sign')} {'their' if is_plural(who) else 'its'} commands from now on with {other} key{HELD.get(event.holder, '')}; it begins with {event.key[:16]}."

    return {
        SeatSecured: secured,
        KeyRegistered: registered,
        ChanceCalled: lambda run: (
            f"{does(names.seat(run[0].seat), 'call')} for dice, which fall when the seat opens its next link."
        ),
        LinksOpened: lambda run: _opened(names, run[0]),
        SeatReserved: reserved,
        PlayerReplaced: replaced,
        ArbiterSeated: lambda run: f"{run[0].name} is now the arbiter, who sees everything that is hidden.",
        ArbiterLeft: lambda run: f"{run[0].name} is no longer the arbiter.",
        DisputeOpened: lambda run: _disputed(names, run[0]),
        RulingAppealed: lambda run: (
            f"{does(_who(names, run[0].seat), 'appeal')} against the ruling{on_event(run[0].at)}: {run[0].text}"
        ),
        UndoAsked: lambda run: _asked(names, run[0]),
        UndoAnswered: lambda run: (
            f"{does(names.seat(run[0].seat), 'agree' if run[0].is_agreed else 'refuse')} to take that back."
        ),
        SeatViewed: lambda run: _viewed(names, run[0]),
        MatchPaused: lambda run: _with_reason("The match is paused", run[0].reason),
        MatchResumed: lambda _: "The match goes on.",
        RulesAdopted: adopted,
    }


def awaited_links(names: Names, table: Table) -> str:
    """Return whose links the dice of a match wait for, and what that player has to do; empty if they wait for none."""
    links = table.links
    if links is None or table.ended is not None:
        return ""
    seats = links_due(table) if links.call is None else (links.call.seat,)
    named = listed([names.seat(seat) for seat in seats])
    return f"Dice wait for a link of: {named}. {OPENED_BY}" if seats else ""


def _opened(names: Names, event: LinksOpened) -> str:
    server = f"link {event.number} of the server" if event.number else ""
    own = f"a link of {names.seat(event.seat)}" if event.share else ""
    return f"For the dice are opened: {listed([one for one in (server, own) if one])}."


def _who(names: Names, seat: Seat) -> str:
    return "The arbiter" if seat == ARBITER else names.seat(seat)


def on_event(at: int | None) -> str:
    """Return on which event something is said, as the end of a sentence; empty if on none."""
    return "" if at is None else f" on event {at}"


def _disputed(names: Names, event: DisputeOpened) -> str:
    return f"{does(_who(names, event.seat), 'dispute')} event {event.at}: {event.text}"


EFFECTS: dict[Effect, str] = {
    "": "",
    "stand": " The match stands as it is.",
    "go-on": " It goes on as the match {}.",
    "edit": " It goes on with an edited table as the match {}.",
}
"""The effects of rulings in words, with the match as which a disputed one goes on."""


def ruling_words(event: RulingMade) -> str:
    """Return what the arbiter ruled, on what, by which rules, and with which effect."""
    rules = [one for one in (event.about, *event.cites) if one]
    on = f" on {listed(rules)}" if rules else ""
    reversal = ", which reverses the one before" if event.reverses else ""
    house = f" It is the house rule {event.house!r} for later matches." if event.house else ""
    return f"Ruling{on}{on_event(event.at)}{reversal}: {event.text}{EFFECTS[event.effect].format(event.line)}{house}"


def _asked(names: Names, event: UndoAsked) -> str:
    return f"{does(names.seat(event.seat), 'ask')} {listed(map(names.seat, event.of))} to agree that all after event {event.to} is taken back."


def _viewed(names: Names, event: SeatViewed) -> str:
    who = f"{event.name}, the arbiter," if event.name else "The operator"
    return f"{who} looks at the match as {names.seat(event.seat)} saw it after event {event.at}."


def person(names: Names, table: Table, seat: Seat) -> str:
    """Return a seat and who has it."""
    office = table.arbiter
    name = (office.name if office is not None else "") if seat == ARBITER else table.players.get(seat, "")
    return f"{names.seat(seat)} ({name})" if name else names.seat(seat)


def _with_reason(sentence: str, reason: str) -> str:
    return f"{sentence}: {reason.rstrip('.')}."


def with_reason(said: str, event: MatchEnded) -> str:
    """Return the sentence of an end with the arbiter's reason, if there is one."""
    return f"{said} {event.reason.rstrip('.')}." if event.reason else said


def whose_seats(names: Names, fork: MatchForked) -> str:
    """Return for whom the seats of a fork are that nobody else may have, as the end of a sentence; empty if all are free."""
    if not fork.reserved:
        return ""
    seats = listed(map(names.seat, fork.reserved))
    return f"; {seats} {'is' if len(fork.reserved) == 1 else 'are'} for {fork.name or 'its maker'} alone"
