"""Maps every error to one line and one exit code. No other module knows which error has which exit code."""

import sys
from collections.abc import Callable, Iterable
from types import TracebackType

DONE = 0
CHECK_FAILED = 1
USAGE = 2
INPUT_OUTPUT = 3
BROKEN = 4
REFUSED = 5
INTERNAL = 70
"""An internal error, or a fault in the code of a game; no input may lead here."""
INTERRUPTED = 130


class UserError(Exception):
    """A user-facing error.

    Args:
        message: One line.
        exit_code: What the process ends with.
        code: A stable code for programs.
        rule: The rule that refused, if one did.
        defects: Everything that is wrong, where more than one thing can be.
    """

    def __init__(self, message: str, exit_code: int, code: str, *, rule: str = "", defects: Iterable[str] = ()) -> None:
        from core.telling.phrases import shortened

        super().__init__(" ".join(map(shortened, message.split())))
        self.exit_code = exit_code
        self.code = code
        self.rule = rule
        self.defects = tuple(defects)


class OutputClosed(Exception):
    """The reader of the output closed it; that is not an error."""


def usage(message: str, code: str = "usage", *, defects: Iterable[str] = ()) -> UserError:
    """Return a usage error."""
    return UserError(message, USAGE, code, defects=defects)


def input_output(message: str, code: str = "input_output") -> UserError:
    """Return the error of a file, a database or a socket."""
    return UserError(message, INPUT_OUTPUT, code)


def check_failed(message: str, code: str = "check_failed") -> UserError:
    """Return the error of a check that failed."""
    return UserError(message, CHECK_FAILED, code)


WIRE_EXIT_CODES = {
    "refused": REFUSED,
    "not_your_turn": REFUSED,
    "lost_race": CHECK_FAILED,
    "evidence_broken": BROKEN,
    "rules_changed": BROKEN,
    "store_unavailable": INPUT_OUTPUT,
    "outcome_unknown": INPUT_OUTPUT,
    "seed_missing": INPUT_OUTPUT,
    "ruleset_missing": INPUT_OUTPUT,
    "no_log": INPUT_OUTPUT,
    "not_logged": INPUT_OUTPUT,
    "not_possible": REFUSED,
    "fork_not_allowed": REFUSED,
    "busy": INPUT_OUTPUT,
    "internal": INTERNAL,
}
"""The exit code of each code of a failed request; all others are usage errors."""

UNKNOWN = frozenset(("event_must_be_seen", "seat_must_exist", "seat_must_be_named", "winner_must_be_named"))
"""The refusals of what names an event, a seat or a side that there is not: wrong use, wherever it is noticed."""

ADOPT_FIRST = "; `wardiary choose MATCH --adopt-rules` adopts them, for everybody to see"
SIT_FIRST = "; `wardiary sit MATCH --seat SEAT` takes a free seat"


def user_error_of(error: BaseException) -> UserError | None:
    """Return the user-facing form of an error, or None if the outside world cannot cause it.

    Imports what raises such errors only now, because most commands need none of it.
    """
    if isinstance(error, UserError):
        return error
    if isinstance(error, OSError):
        return input_output(_said_by_system(error))
    return _of_log(error) or _of_texts(error) or _of_kernel(error) or _of_server(error)


def fault_of(error: Exception) -> UserError:
    """Return the user-facing form of any error; one that no input may cause is an internal one."""
    # Every usage error of typer formats itself; the name of its base class differs between versions.
    word: Callable[[], str] | None = getattr(error, "format_message", None)
    fault = user_error_of(error) if word is None else UserError(word(), USAGE, "usage")
    if fault is None:
        from core.registry.game_fault import game_fault
        from core.registry.games import packages

        of_game = game_fault(error, packages())
        fault = None if of_game is None else user_error_of(of_game)
    if fault is None:
        where = _innermost(error.__traceback__)
        fault = UserError(f"an internal error of wardiary, please report it: {error!r} {where}", INTERNAL, "internal")
    return fault


def _innermost(trace: TracebackType | None) -> str:
    """Return the module and line in which an error arose."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"at {trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}"


def _said_by_system(error: OSError) -> str:
    """Return the message of an operating system error: which file, and what is wrong with it."""
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename else what


def _of_log(error: BaseException) -> UserError | None:
    from events.codec import DecodeError
    from events.errors import (
        ArchiveError,
        BrokenEvidence,
        LogError,
        LostRace,
        NoArchive,
        NoForkPoint,
        OtherMatch,
        OutcomeUnknown,
        OutputRefused,
        ProofInvalid,
        StoreDamaged,
        StoreUnavailable,
        UnknownMatch,
    )

    message = str(error)
    if isinstance(error, UnknownMatch):
        return usage(f"{message}; `wardiary list` shows what there is", "unknown_match")
    if isinstance(error, LostRace):
        return check_failed(message, "lost_race")
    if isinstance(error, StoreDamaged):
        return UserError(message, BROKEN, "evidence_broken")
    if isinstance(error, OutputRefused):
        return input_output(message, "output_refused")
    if isinstance(error, StoreUnavailable):
        return input_output(message, "outcome_unknown" if isinstance(error, OutcomeUnknown) else "store_unavailable")
    if isinstance(error, NoForkPoint):
        return usage(message, "unknown_sequence")
    if isinstance(error, NoArchive):
        return usage(message, "no_archive")
    if isinstance(error, BrokenEvidence | ArchiveError | OtherMatch | ProofInvalid):
        return UserError(message, BROKEN, "evidence_broken")
    if isinstance(error, DecodeError):
        # Arguments are decoded where they are parsed; here it can only be what was stored or sent.
        return UserError(f"what was stored cannot be read: {message}", BROKEN, "evidence_broken")
    return input_output(message, "log") if isinstance(error, LogError) else None


def _of_texts(error: BaseException) -> UserError | None:
    """Return the error of a match or a moment as text."""
    from core.notation.notation import NotationInvalid, NotationRefused
    from core.notation.recorded_notation import NoNotation
    from core.position_files.saved_position import NoPosition

    if isinstance(error, NotationRefused):
        return UserError(str(error), REFUSED, "refused", rule=error.rule)
    codes = {NotationInvalid: "notation_invalid", NoNotation: "no_notation", NoPosition: "no_position"}
    code = codes.get(type(error))
    return None if code is None else usage(str(error), code)


def _of_kernel(error: BaseException) -> UserError | None:
    from core.bots.budget import BudgetInvalid
    from core.errors import (
        DiceImpossible,
        DiceMissing,
        DrawMissing,
        KernelError,
        RecordDiffers,
        RulesetDamaged,
        RulesetMissing,
        SeedMissing,
        SetupInvalid,
        UnknownName,
    )
    from core.extras import ExtraMissing
    from core.registry.bot_policies import PolicyMissing
    from core.registry.game_fault import GameFault

    message = str(error)
    if isinstance(error, GameFault):
        return UserError(f"a fault in the code of the game: {message}; -v prints the traceback", INTERNAL, "game_fault")
    if isinstance(error, SetupInvalid):
        return usage(message, "setup_invalid", defects=error.defects)
    if isinstance(error, ExtraMissing):
        return usage(message, "extra_missing")
    if isinstance(error, BudgetInvalid):
        return usage(message, "budget")
    if isinstance(error, PolicyMissing):
        return input_output(message, "policy_missing")
    if isinstance(error, UnknownName):
        return usage(message, "unknown_name")
    if isinstance(error, DiceMissing | DrawMissing):
        return usage(f"{message}; add --{'dice' if isinstance(error, DiceMissing) else 'draw'}", "chance_missing")
    if isinstance(error, DiceImpossible):
        return usage(message, "dice_impossible")
    if isinstance(error, SeedMissing):
        return input_output(message, "seed_missing")
    if isinstance(error, RecordDiffers | RulesetDamaged):
        return UserError(message, BROKEN, "evidence_broken")
    if isinstance(error, RulesetMissing):
        return input_output(message, "ruleset_missing")
    return UserError(message, REFUSED, "not_possible") if isinstance(error, KernelError) else None


def _of_server(error: BaseException) -> UserError | None:
    from server.protocol.errors import RequestFailed, ServerError

    if isinstance(error, RequestFailed):
        reply = error.reply
        code = USAGE if reply.refusal in UNKNOWN else WIRE_EXIT_CODES.get(reply.code, USAGE)
        message = f"{reply.message} ({reply.rule})" if reply.rule else reply.message
        message += SIT_FIRST if reply.code == "not_your_seat" else ""
        message += ADOPT_FIRST if reply.refusal == "rules_must_be_adopted" else ""
        return UserError(message, code, reply.refusal or reply.code, rule=reply.rule, defects=reply.defects)
    # Without the socket library imported, no error can be its own.
    sockets = sys.modules.get("zmq")
    is_of_sockets = sockets is not None and isinstance(error, sockets.ZMQBaseError)
    return input_output(str(error), "server") if isinstance(error, ServerError) or is_of_sockets else None
