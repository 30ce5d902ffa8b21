"""Decides whether an unexpected error is an internal one or comes from forged evidence.

The chain check cannot detect a forgery with recomputed hashes, and narration does not expect what the rules do not allow.
So after an unexpected error the named matches are audited before it is reported as an internal error.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NoReturn

from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, INPUT_OUTPUT, INTERNAL, UserError, user_error_of

_NAMED = ("match", "point", "a", "b")
"""The parameters of verbs that name a match of the store."""


def raise_blamed(context: Context, arguments: Mapping[str, object], error: Exception) -> NoReturn:
    """Raise the error that is being handled, or the broken evidence that an audit finds in its place.

    Args:
        context: The context with the store.
        arguments: The verb's arguments by parameter name.
        error: The unexpected error.
    """
    found = _found(context, arguments, error)
    raise found from (error.__cause__ if found is error else None)


def _found(context: Context, arguments: Mapping[str, object], error: Exception) -> Exception:
    """Return the error, or the broken evidence."""
    known = user_error_of(error)
    if known is not None and known.exit_code != INTERNAL:
        return error
    for name in _NAMED:
        # If the audit fails as well, the first error is the one to report.
        with suppress(Exception):
            found, exit_code, code = _blamed(context, arguments.get(name))
            if found:
                return UserError(f"{found}; so it cannot be shown ({known or repr(error)})", exit_code, code)
    return error


def _blamed(context: Context, text: object) -> tuple[str, int, str]:
    """Return what an audit of a named match says that explains an error, with the exit code and the stable code; empty if nothing does."""
    if not isinstance(text, str) or not text:
        return "", 0, ""
    from cli.shell.arguments import parse_point
    from core.audit.match_audit import audit_match
    from core.history.match_reader import find_match

    match = find_match(context.log, parse_point(text)[0])
    report = audit_match(context.log, match)
    for finding in report.findings:
        return f"match {match}, event {finding.seq}: {finding.problem}", BROKEN, "evidence_broken"
    if report.other_rules:
        # Words and pictures of the installed edition may not know what other rules led to.
        return f"match {match} was played under other rules than are installed", INPUT_OUTPUT, "ruleset_missing"
    return "", 0, ""
