"""Makes, lists, changes and ends the keys of a server's log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.schemas.server import KeysShape, LogKey, OwnKeyShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, input_output, usage
from cli.shell.link_key import links_key
from core.wording import counted
from events.errors import ProofInvalid
from events.transparency.checkpoint import checkpoint_in
from events.transparency.signed_command import SeatSigner
from events.transparency.signed_note import read_note
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.store.one_server import is_served, only_server
from server.transparency.log_keys import KeyFolder, SigningKey, random_name
from server.transparency.server_log import ServerLog

ACTIONS = ("create", "list", "rotate", "retire")
OWN = "own"
"""Prints the key with which this user signs commands, which has nothing to do with a log."""


def keys(context: Context, action: str, name: str) -> None:
    """Carry out one of the actions, and list the keys after it.

    Raises:
        UserError: There is no such action, a name is missing or too much, or a server runs on the store.
        LogKeyUnusable: The key is missing, there already, not kept safely, or of the wrong kind.
        ProofInvalid: The log has ended.
        StoreUnavailable: The store or the folder of the keys cannot be read or written.
    """
    if action == OWN:
        key = SeatSigner(links_key()).public_key
        context.print_result(OwnKeyShape(key=key), [key])
        return
    if action not in ACTIONS:
        raise usage(f"the keys of a log are looked after by {', '.join(ACTIONS)}, not by {action!r}")
    if name and action in ("list", "rotate"):
        raise usage(f"`keys {action}` takes no name")
    folder = KeyFolder(context.prepared_store())
    if action != "list":
        with _alone(context):
            if action == "create":
                _create(context, folder, name)
            elif action == "rotate":
                _rotate(context, folder)
            else:
                _retire(context, folder, name)
    _print(context, folder)


@contextmanager
def _alone(context: Context) -> Iterator[None]:
    """Let no server sign meanwhile."""
    if is_served(context.store):
        raise input_output(
            f"a server runs on {context.store}: end it first, since it signs with the key that it began with"
        )
    with only_server(context.store):
        yield


def _create(context: Context, folder: KeyFolder, name: str) -> None:
    used = [key.name for key in folder.public_keys()]
    if context.store.exists():
        used += context.log.logs()
    if name in used:
        raise usage(f"a log of this store was named {name} before; leave the name out to get one that is new")
    base = used[0] if used else random_name()
    following = (f"{base}/{number}" for number in range(2, len(used) + 3))
    folder.create(name or next(one for one in (base, *following) if one not in used))


def _rotate(context: Context, folder: KeyFolder) -> None:
    def tell(problem: str) -> None:
        raise ProofInvalid(problem)

    old, new = folder.begin_change()
    folder.end_change(new, _log(context, SigningKey(folder, old), tell).change_key(new))


def _retire(context: Context, folder: KeyFolder, name: str) -> None:
    """Remove the key, having signed everything stored, if the log has not ended before."""
    key = SigningKey(folder, folder.old_signer())
    if name != key.signer.name:
        raise usage(
            f"a log that is retired never signs again: confirm it with its name, `wardiary keys retire {key.signer.name}`"
        )
    if context.store.exists():
        _log(context, key, context.echo_err).finish()
    folder.retire()


def _log(context: Context, key: SigningKey, tell: Callable[[str], None]) -> ServerLog:
    return ServerLog(context.writable_log, key, SystemClock(), SystemIdentity(), tell)


def _print(context: Context, folder: KeyFolder) -> None:
    public = folder.public_keys()
    if not public:
        raise check_failed(
            f"no log was begun: there are no keys in {shown_file(folder.path)}; a server begins one, or `wardiary keys create`"
        )
    last = public[-1]
    rows = [
        LogKey(name=key.name, key=key.text, state="replaced" if key.name == last.name else "ended")
        for key in public[:-1]
    ]
    rows.append(LogKey(name=last.name, key=last.text, state="signs" if folder.has_key else "ended"))
    signed = folder.last_signed()
    size = checkpoint_in(read_note(signed)).size if signed else 0
    lines = [f"{row.state:9}{row.key}" for row in rows]
    lines.append(f"{counted(size, 'entry', 'entries')} signed; the secret key is in {shown_file(folder.path)}")
    context.print_result(KeysShape(folder=str(folder.path), keys=tuple(rows), size=size), lines)
    if folder.has_key:
        folder.signer()
