"""The messages of the protocol as data: for `docs/protocol.md`, for JSON Schema, and for clients in other languages."""

from typing import get_args

from events.codec import Struct, schemas
from server.protocol.publications import AnyPublication
from server.protocol.wire import REPLIES, REQUESTS

PUBLICATIONS: tuple[type[Struct], ...] = get_args(AnyPublication)

CODES: dict[str, str] = {
    "malformed": "The frames hold no request, or a field, a command, a key or a secret is not what it may be.",
    "too_large": "The request has more bytes than are read.",
    "unsupported_version": "The protocol frame names another protocol; `message` names the one that is spoken.",
    "busy": "Too many requests wait for a match to be loaded or a file to be checked; with `retry`, nothing was done.",
    "too_many": "The client has opened too many matches or brought too many files; `message` says when it may ask again. Who asks again for an earlier outcome gets it all the same.",
    "unknown_match": "There is no match of that id.",
    "unknown_seat": "The match has no such seat; `wanted` lists those it has.",
    "unknown_sequence": "The seat has seen no event of that number; `actual` is the last one it has.",
    "unknown_game": "There is no such game.",
    "unknown_scenario": "The game has no such scenario.",
    "unknown_mode": "The scenario has no such mode.",
    "unknown_option": "The scenario has no such option; `defects` lists everything that is wrong.",
    "unknown_dice": "There is no such source of dice.",
    "unknown_name": "Something else that was named does not exist; `message` says what does.",
    "unknown_choice": "There is no option of that number.",
    "setup_invalid": "The match cannot be opened like this; `defects` lists everything that is wrong.",
    "not_your_seat": "The seat is asked for without its secret, or the public wants to act.",
    "bad_token": "The secret does not prove the seat; it may have changed hands.",
    "not_your_turn": "An option was chosen by its number, but the open decision is another seat's.",
    "refused": "The rules refuse the command; `refusal` is their own code, `rule` the rule it would break.",
    "lost_race": "The seat has seen `actual` events, not `expected`: the match has moved on, or is not that far yet. "
    "With `retry` others wrote at the same time, and the same request may be sent again.",
    "key_used": "The key belongs to a command of another seat, or to a seat that was taken with another secret.",
    "dice_missing": "The command needs more typed dice; `message` says how many and what for.",
    "draw_missing": "The command needs to know what was drawn; `wanted` lists what it may have been.",
    "dice_impossible": "Typed dice that no such die shows, that are not needed, or in a match that rolls its own.",
    "seed_missing": "The sealed dice of the match are kept elsewhere; it can be looked at, or forked with fresh dice.",
    "ruleset_missing": "The game, the board or the position of the match is not here, so the server cannot load it; the command line tells what happened.",
    "fork_not_allowed": "While the match runs, such a fork would tell its asker what it may not know.",
    "rules_changed": "What was recorded cannot be decided again, because the rules have changed since.",
    "not_possible": "It cannot be done, for a reason that `message` gives.",
    "evidence_broken": "What is stored of the match is not what was written, so it is not loaded; `message` names the first bad event.",
    "store_unavailable": "The store cannot be read or written at the moment; with `retry`, as always here, nothing was done.",
    "outcome_unknown": "The store failed while it stored what was asked: it is not known whether that was done. Send the same bytes "
    "again: with the same key it takes effect once. Without a key there is no `retry`: look before asking anew.",
    "internal": "A fault of the server, which has logged it; nothing was done.",
}
"""Every code that a failed request may have, and what it means."""


def wire_schemas() -> dict[str, object]:
    """Return the JSON Schema of every message, by the names that `docs/protocol.md` uses, with what they share."""
    return dict(schemas((*REQUESTS, *REPLIES, *PUBLICATIONS)))
