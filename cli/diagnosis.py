"""Whose fault it is when a match cannot be told: ours, or that of whoever wrote what never happened.

The chain check cannot know a forger who computes every hash again, and words are not made for what the rules do not allow.
So when something goes wrong that nobody foresaw, the matches that were asked for are audited before it is called a fault.
"""

from collections.abc import Mapping
from contextlib import suppress

from cli.exit_codes import BROKEN, INTERNAL, Fault, fault_of
from cli.world import World

_NAMED = ("match", "point", "a", "b")
"""The parameters of verbs that name a match of the store."""


def blamed(world: World, arguments: Mapping[str, object], error: Exception) -> Exception:
    """Return an error as it is, or evidence that turns out to be broken in its place.

    Args:
        world: With the store.
        arguments: What was typed, by the names of the verb's parameters.
        error: What went wrong.
    """
    known = fault_of(error)
    if known is not None and known.exit_code != INTERNAL:
        return error
    for name in _NAMED:
        # Whatever goes wrong here, the first error is the one to be told.
        with suppress(Exception):
            found = _broken(world, arguments.get(name))
            if found:
                return Fault(f"{found}; so it cannot be told ({known or repr(error)})", BROKEN, "evidence_broken")
    return error


def _broken(world: World, text: object) -> str:
    """Return what an audit of a match that was named finds; empty if nothing, or if none was named."""
    if not isinstance(text, str) or not text:
        return ""
    from cli.match_view import parse_point
    from core.audit import audit_match
    from core.match_reader import find_match

    match = find_match(world.log, parse_point(text)[0])
    for finding in audit_match(world.log, match).findings:
        return f"match {match}, event {finding.seq}: {finding.problem}"
    return ""
