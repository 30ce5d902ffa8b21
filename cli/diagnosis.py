"""Decides whether an unexpected error is an internal one or comes from forged evidence.

The chain check cannot detect a forgery with recomputed hashes, and narration does not expect what the rules do not allow.
So after an unexpected error the named matches are audited before it is reported as an internal error.
"""

from collections.abc import Mapping
from contextlib import suppress

from cli.context import Context
from cli.exit_codes import BROKEN, INTERNAL, UserError, user_error_of

_NAMED = ("match", "point", "a", "b")
"""The parameters of verbs that name a match of the store."""


def blamed(context: Context, arguments: Mapping[str, object], error: Exception) -> Exception:
    """Return the error, or the broken evidence that an audit finds in its place.

    Args:
        context: The context with the store.
        arguments: The verb's arguments by parameter name.
        error: The unexpected error.
    """
    known = user_error_of(error)
    if known is not None and known.exit_code != INTERNAL:
        return error
    for name in _NAMED:
        # If the audit fails as well, the first error is the one to report.
        with suppress(Exception):
            found = _broken(context, arguments.get(name))
            if found:
                return UserError(f"{found}; so it cannot be shown ({known or repr(error)})", BROKEN, "evidence_broken")
    return error


def _broken(context: Context, text: object) -> str:
    """Return the first finding of an audit of the named matches; empty if there is none."""
    if not isinstance(text, str) or not text:
        return ""
    from cli.match_view import parse_point
    from core.audit import audit_match
    from core.match_reader import find_match

    match = find_match(context.log, parse_point(text)[0])
    for finding in audit_match(context.log, match).findings:
        return f"match {match}, event {finding.seq}: {finding.problem}"
    return ""
