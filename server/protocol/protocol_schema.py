"""The messages of the protocol as data, for `docs/protocol.md`, JSON Schema and clients in other languages."""

from typing import get_args

from events.codec import Struct, schemas
from server.protocol.publications import AnyPublication
from server.protocol.wire import REPLIES, REQUESTS

PUBLICATIONS: tuple[type[Struct], ...] = get_args(AnyPublication)

CODES: dict[str, str] = {
    "malformed": "The frames hold no request, or a field, a command, a key or a secret is not valid.",
    "too_large": "The request is larger than the limit.",
    "unsupported_version": "The protocol frame names another protocol; `message` names the one that the server speaks.",
    "busy": "A match cannot be loaded or a file checked at the moment: too many requests wait, or it took too long. Nothing was done; `retry` is set.",
    "too_many": "The client has opened too many matches or sent too many files; `message` says when it may try again. A repeated request still gets its first outcome.",
    "unknown_match": "There is no match with that id.",
    "unknown_seat": "The match has no such seat; `wanted` lists those it has.",
    "within_command": "The event lies in the middle of a command, when nothing is to decide; the message names the nearest events.",
    "unknown_sequence": "The seat has seen no event with that number; `actual` is the last one it has seen.",
    "unknown_study": "The match has no such study, or the seat may not read it.",
    "unknown_game": "There is no such game.",
    "unknown_scenario": "The game has no such scenario.",
    "unknown_mode": "The scenario has no such mode.",
    "unknown_option": "The scenario has no such option; `defects` lists every defect.",
    "unknown_dice": "There is no such source of dice.",
    "unknown_name": "Another name in the request does not exist; `message` lists those that do.",
    "unknown_choice": "There is no option with that number.",
    "setup_invalid": "The match cannot be opened with these settings; `defects` lists every defect.",
    "not_your_seat": "The request lacks the seat's secret, or the public tries to act.",
    "bad_token": "The secret does not prove the seat; the seat may have changed hands.",
    "not_your_turn": "An option was chosen by its number, but no decision is open, or it is another seat's.",
    "refused": "The rules refuse the command; `refusal` is the rules' code, `rule` the rule that the command would break.",
    "lost_race": "The seat has seen `actual` events, not `expected`: the match has moved on, or has not got that far. "
    "With `retry`, another process wrote at the same time, and the same request may be sent again.",
    "key_used": "The key belongs to a command of another seat, or to a seat that was taken with another secret.",
    "dice_missing": "The command needs more typed dice; `message` says how many and what for.",
    "draw_missing": "The command needs to know what was drawn; `wanted` lists what it may have been.",
    "dice_impossible": "The typed dice are impossible for such dice, are not needed, or the match rolls its own.",
    "seed_missing": "The sealed seed of the match is not in this store; the match can be viewed, or forked with fresh dice.",
    "ruleset_missing": "The game, the board or the position of the match is not installed or stored, so the server cannot load the match; the command line can still show it.",
    "fork_not_allowed": "While the match runs, such a fork would disclose to the seat what it may not know.",
    "rules_changed": "The recorded commands cannot be decided again, because the rules have changed since.",
    "no_log": "The server keeps no log of entries and checkpoints, or the log has ended.",
    "not_canonical": "A signed command is not in the form in which commands are signed; `wanted` has it in that form.",
    "not_logged": "No checkpoint of the server's log covers this yet; one is signed within some seconds, so `retry` is set.",
    "not_possible": "The request cannot be carried out; `message` gives the reason.",
    "evidence_broken": "The stored match, or the store's file, differs from what was written, so it is not loaded; the server has logged where the damage begins.",
    "store_unavailable": "The store cannot be read or written at the moment. Nothing was done; `retry` is set.",
    "outcome_unknown": "The store failed during the write: it is not known whether the request took effect. Send the same bytes "
    "again: with the same key it takes effect once. Without a key `retry` is not set: check the match before you repeat the request.",
    "internal": "An internal error, which the server has logged. If it met the reply alone, the request took effect: send a command again with its key.",
}
"""Every code of a failed request, and its meaning."""


def wire_schemas() -> dict[str, object]:
    """Return the JSON Schema of every message by its name in `docs/protocol.md`, and of the shared types."""
    return dict(schemas((*REQUESTS, *REPLIES, *PUBLICATIONS)))
