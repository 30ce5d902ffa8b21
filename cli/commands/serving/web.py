"""Serves the pages for browsers."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple

import typer

from cli.commands.serving.serve import SECRET_CHARACTERS_MIN
from cli.schemas.server import PagesShape
from cli.shell.context import Context
from cli.shell.exit_codes import input_output, usage
from cli.shell.input_files import read_text
from cli.shell.link_key import links_key
from cli.shell.processes import Processes
from cli.shell.remote import check_addresses, host_and_port, own_key, server_key_of
from cli.shell.seat_secrets import seats_file
from cli.shell.settings import OWNER_VARIABLE
from cli.views.kept_evidence import Keeper
from core.extras import require
from core.registry.games import game_keys, load_game, typed_key
from events.ids import MatchId, Seat
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.store.one_server import only_server
from server.store.private_files import make_private
from server.store.whole_file import belongs_to_a_store, beside_store

if TYPE_CHECKING:
    from server.web.backend.lobby_games import OfferedBoards
    from server.web.backend.services import OwnSeats
    from server.web.http.session_file import SessionFile
    from server.web.notices.notices import Notices

HOST, PORT = "127.0.0.1", 8042
MAIL_VARIABLE = "WARDIARY_MAIL"
"""Names the operator's mail server."""
SENDER_VARIABLE = "WARDIARY_MAIL_FROM"
"""Names the address from which mail comes."""
LOGIN_VARIABLE = "WARDIARY_MAIL_LOGIN"
"""Holds NAME:PASSWORD for the mail server, which are for no list of processes."""


class NoticeWish(NamedTuple):
    """Wish to tell players when it is their turn.

    Attributes:
        book: The file that keeps who wants to be told; empty for no notices.
        url: The address of the pages as players know it; empty for the one at which they are served.
        is_private_allowed: Whether webhooks may lead to machines that are not on the public internet.
    """

    book: str = ""
    url: str = ""
    is_private_allowed: bool = False


NO_NOTICES = NoticeWish()
PLAYOUTS_S = 300.0
"""How long bots play on from the points of a match that is over, unless something else is wished for (seconds)."""


class ServedPages(NamedTuple):
    """Pages that answer from now on.

    Attributes:
        pages: Their address, with a slash at its end.
        requests: Where the server behind them takes requests.
        own_seats: The seats of the person who serves them.
    """

    pages: str
    requests: str
    own_seats: "OwnSeats"


def announce(context: Context, served: ServedPages) -> None:
    """Print where the pages are."""
    store = "" if context.address else str(context.store)
    lines = [f"Pages:  {served.pages}", f"Store:  {store}" if store else f"Server: {served.requests}"]
    context.print_result(PagesShape(pages=served.pages, requests=served.requests, store=store), lines)
    context.flush()


def serve_web(
    context: Context,
    *,
    listen: str,
    names: Sequence[str],
    is_operator_allowed: bool,
    ready: Callable[[Context, ServedPages], None] = announce,
    keep: Callable[[MatchId, Mapping[Seat, str]], None] = lambda *_: None,
    notice_wish: NoticeWish = NO_NOTICES,
    playouts_s: float = PLAYOUTS_S,
    boards: Sequence[str] = (),
) -> None:
    """Serve pages through the server that was named, or through one of their own, until a signal.

    Args:
        context: The run of the verb.
        listen: Where pages are served, HOST:PORT; empty for the usual place.
        names: By which browsers call the server.
        is_operator_allowed: Whether the operator's key shows everything.
        ready: Called once the pages can be asked for.
        keep: Keeps the secrets of the seats that the person who serves the pages gets in a rematch.
        notice_wish: How players are told when it is their turn.
        playouts_s: How long bots play on from the points of a match that is over (seconds); 0 for never.
        boards: Boards that visitors may choose for new matches, each GAME=FILE.

    Raises:
        UserError: The extra is not installed, an address is malformed, or a board cannot be read.
        UnknownName: There is no such game.
        SetupInvalid: A board has defects.
        PortUnavailable: It cannot listen there.
        StoreUnavailable: The store has a server already, or cannot be written.
    """
    check_libraries()
    from server.web.backend.gateway import Gateway
    from server.web.backend.services import OwnSeats
    from server.web.web_server import Listening, address_of, bound, serve_pages

    listening = Listening(*parse_listen(listen), names)
    offered = _offered(boards)
    settings = context.settings
    server_key = server_key_of(settings)
    client_key = own_key(server_key, settings.client_key, context.echo_err)
    # The library ends in order after a signal, and then sends it again.
    end_by_signals()
    with bound(listening) as made, own_server(context, is_operator_allowed=is_operator_allowed) as address:
        own_seats = OwnSeats(keep)
        notices = _notices(context, notice_wish, address, address_of(made))
        ready(context, ServedPages(address_of(made), address, own_seats))
        gateway = Gateway(address, server_key=server_key, client_key=client_key, links_key=links_key)
        if context.address:
            # Of another's server: who serves the store has no need to keep what it signs.
            gateway.shown = Keeper(context).shown
        serve_pages(
            gateway,
            made,
            listening.hosts,
            is_operator_allowed=is_operator_allowed,
            own_seats=own_seats,
            notices=notices,
            playouts_s=playouts_s,
            boards=offered,
            session_file=_session_file(context),
            log_level="info" if context.is_verbose else "warning",
        )


def _session_file(context: Context) -> "SessionFile | None":
    """Return the file that keeps the seats of browsers: beside the store that is served, else beside the user's own seats.

    None if it cannot be used, which is said, or if the store is read-only, where no seat is played.
    """
    from server.web.http.session_file import SessionFile

    if not context.address and _is_read_only(context.store):
        return None
    path = seats_file().with_suffix(".sessions") if context.address else beside_store(context.store, "-sessions")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return SessionFile(path, context.echo_err)
    except OSError as error:
        context.echo_err(f"browsers keep their seats until the pages end only: {error}")
        return None


def _offered(boards: Sequence[str]) -> "OfferedBoards":
    """Return the boards that visitors may choose.

    Raises:
        UserError: One is not GAME=FILE, cannot be read, or has the name of another one of its game.
        UnknownName: There is no such game.
        SetupInvalid: One has defects.
    """
    from server.web.backend.lobby_games import OfferedBoards, offered_board

    found = []
    for text in boards:
        game, _, file = text.partition("=")
        if not file:
            raise usage(f"--board is GAME=FILE, such as {next(iter(game_keys()))}=mine.toml, not {text!r}")
        found.append(offered_board(load_game(game).key, Path(file).stem, read_text(file)))
    names = [(one.game, one.name) for one in found]
    if twice := [one for one in names if names.count(one) > 1]:
        raise usage(f"two boards of {typed_key(twice[0][0])} are called {twice[0][1]!r}: name their files differently")
    return OfferedBoards(found)


def _notices(context: Context, wish: NoticeWish, address: str, pages: str) -> "Notices | None":
    """Begin to tell players when it is their turn; None if that was not asked for.

    Raises:
        UserError: The book cannot be opened, or the mail server or the address of the pages is malformed.
    """
    if not wish.book:
        if wish.url or wish.is_private_allowed:
            raise usage("--public-url and --private-webhooks are about notices: name their book with --notices FILE")
        return None
    from server.web.notices.contacts import ContactRefused, Kind
    from server.web.notices.delivery import Channel
    from server.web.notices.mail import Mail, parse_mail_server
    from server.web.notices.notice_book import NoticeBook
    from server.web.notices.notices import Notices
    from server.web.notices.notifier import Notifier
    from server.web.notices.webhook import Webhooks

    channels: dict[Kind, Channel] = {Kind.WEBHOOK: Webhooks(is_private_allowed=wish.is_private_allowed)}
    if find_spec("apprise") is not None:
        from server.web.notices.chat import Chats

        channels[Kind.CHAT] = Chats()
    try:
        if mail := os.environ.get(MAIL_VARIABLE, ""):
            channels[Kind.MAIL] = Mail(
                parse_mail_server(mail, os.environ.get(SENDER_VARIABLE, ""), os.environ.get(LOGIN_VARIABLE, ""))
            )
        path = Path(wish.book)
        if store := belongs_to_a_store(path):
            raise input_output(f"{path} belongs to the store {store}: name another file for the notices")
        make_private(path)
        book = NoticeBook(path, os.urandom(32))
    except ContactRefused as error:
        raise usage(str(error)) from None
    except OSError as error:
        raise input_output(f"the notices cannot be kept: {error}") from None
    url = (wish.url or pages).rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise usage(f"--public-url is the address of the pages, such as https://games.example.org, not {wish.url!r}")
    notifier = Notifier(lambda: context.connect(address), book, channels, SystemClock(), url)
    notifier.start()
    return Notices(book, notifier, channels, SystemClock())


def check_libraries() -> None:
    """Check that what the pages need is installed.

    Raises:
        ExtraMissing: It is not.
    """
    require("pages", "web", "starlette", "uvicorn")


def end_by_signals() -> None:
    """Let a signal end the verb in order."""
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, frame: FrameType | None) -> None:
    raise typer.Exit


@contextmanager
def own_server(context: Context, *, is_operator_allowed: bool) -> Iterator[str]:
    """Return the address of the server that was named; without one, serve the store in a process of its own meanwhile.

    Yields:
        The address.
    """
    if context.address:
        check_addresses(context.address)
        yield context.address
        return
    owner = os.environ.get(OWNER_VARIABLE, "")
    if is_operator_allowed and not owner:
        owner = SystemIdentity().token()
        context.echo_err(f"the operator's key, until the pages end: {owner}")
    if 0 < len(owner) < SECRET_CHARACTERS_MIN:
        raise usage(f"the arbiter's secret, {OWNER_VARIABLE}, must have {SECRET_CHARACTERS_MIN} characters or more")
    is_read_only = _is_read_only(context.store)
    if is_read_only:
        context.open_for_reading()
        context.echo_err(f"{context.store} is read-only: the pages show its matches, and nothing can be played")
    else:
        # The store is made if there is none, and a server of it is found before another one is started.
        _ = context.writable_log
        with only_server(context.store):
            pass
    context.close_store()
    failed = Event()

    def give_up() -> None:
        failed.set()
        os.kill(os.getpid(), signal.SIGTERM)

    try:
        with Processes(context.store, is_read_only=is_read_only) as processes:
            address = processes.keep_serving(context.echo_err, give_up, owner)
            yield address
    except typer.Exit:
        if failed.is_set():
            raise input_output("the pages end, because the server of the store does not start again") from None
        raise


def _is_read_only(store: Path) -> bool:
    """Return whether a store is there and cannot be written; beside its file the store needs others in its folder."""
    is_effective = os.access in os.supports_effective_ids
    files = (store, store.resolve().parent)
    return store.exists() and not all(os.access(file, os.W_OK, effective_ids=is_effective) for file in files)


def free_place() -> str:
    """Return HOST:PORT for pages that nobody has placed: the usual one, or any free port if another program listens there."""
    from server.protocol.errors import PortUnavailable
    from server.web.web_server import Listening, bound

    try:
        with bound(Listening(HOST, PORT)):
            return f"{HOST}:{PORT}"
    except PortUnavailable:
        return f"{HOST}:*"


def parse_listen(text: str) -> tuple[str, int]:
    """Parse HOST:PORT; the port may be 0 or * for any free one.

    Raises:
        UserError: It is malformed.
    """
    return host_and_port(text, f"pages are served at HOST:PORT, such as {HOST}:{PORT}") if text else (HOST, PORT)
