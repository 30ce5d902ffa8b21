"""Plays a game at once: opens a match, seats the person and a bot, and shows the table in a browser or on the screen of the terminal."""

import os
import sys
import webbrowser
from collections.abc import Iterable, Mapping
from shlex import quote
from threading import Thread
from typing import NamedTuple

from cli.commands.playing.new import Wish, check_name, open_match, parse_dice
from cli.commands.playing.seats import proves
from cli.commands.playing.table import check_terminal, named_again, show_screen
from cli.commands.serving.web import ServedPages, check_libraries, end_by_signals, free_place, own_server, serve_web
from cli.schemas.matches import PlayingShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import INTERRUPTED, UserError, usage
from cli.shell.remote import match_on
from cli.shell.seat_secrets import keep_secret, players_of, read_secrets, secret_kept
from cli.shell.settings import Settings
from cli.views.served_match import bound_on
from core.errors import UnknownName
from core.game.game_record import Game, Mode
from core.game_files.player_aid import load_aid
from core.history.match_reader import find_match
from core.registry.bot_policies import LEVELS, policy_names, usual_policy
from core.registry.games import game_key, game_keys, load_game, typed_key
from core.suggestions import unknown
from core.telling.names import Names
from core.telling.phrases import listed
from core.wording import joined
from events.errors import UnknownMatch
from events.ids import PUBLIC, MatchId, Seat
from server.client.client import Client
from server.protocol.bot_seats import check_bot
from server.protocol.identity import SystemIdentity
from server.web.http.addresses import of_match

NOBODY = "none"
"""Stands for no opponent: the person plays all seats."""


class PlayWish(NamedTuple):
    """The arguments of `play`: those of a new match, and how it is played."""

    new: Wish
    against: str = ""
    side: str = ""
    listen: str = ""
    is_terminal: bool = False
    has_browser: bool = True


class Plan(NamedTuple):
    """Seats of the person in a new match, the one to begin with first, those of the bots, and the policy of these."""

    own: tuple[Seat, ...]
    others: tuple[Seat, ...]
    policy: str


class Chairs(NamedTuple):
    """The person's seats in a match, each with its secret, and what is said of it."""

    match: MatchId
    secrets: dict[Seat, str]
    title: str


def play(context: Context, wish: PlayWish) -> None:
    """Play a new match of a game, or go on with one that was begun like this, until a signal or until the screen is left.

    Raises:
        UserError: An argument is not valid; or it was ended by Ctrl-C, with how to go on.
        UnknownName: There is no such game, scenario, seat or policy.
        RequestFailed: The server refuses.
    """
    plan = _plan(wish) if game_key(wish.new.game) in game_keys() else None
    if plan is None:
        _check_going_on(context, wish)
    if wish.is_terminal:
        check_terminal(context)
        _play_on_screen(context, wish, plan)
        return
    found: list[Chairs] = []

    def ready(context: Context, served: ServedPages) -> None:
        found.append(_seated(context, wish, plan, served.requests))
        served.own_seats.secrets.update(found[0].secrets.values())
        _show(context, wish, found[0], served)

    def keep(match: MatchId, secrets: Mapping[Seat, str]) -> None:
        for seat, secret in secrets.items():
            keep_secret(_place(context), match, seat, secret)
        found.append(Chairs(match, dict(secrets), ""))

    check_libraries()
    listen = wish.listen or free_place()
    try:
        serve_web(context, listen=listen, names=(), is_operator_allowed=False, ready=ready, keep=keep)
    except KeyboardInterrupt:
        if not found:
            raise
        raise UserError(_how_to_go_on(context, found[-1], ""), INTERRUPTED, "interrupted") from None


def _plan(wish: PlayWish) -> Plan:
    """Return who sits where, before anything is opened.

    Raises:
        UnknownName: There is no such scenario, seat or policy.
        UserError: The dice are typed, or nobody else plays.
    """
    game = load_game(wish.new.game)
    check_name(wish.new.name)
    if parse_dice(wish.new.dice)[0] == "manual":
        raise usage("dice of `play` are rolled, not typed; a match with typed dice is opened with `wardiary new`")
    mode = game.scenario(wish.new.scenario).mode(wish.new.mode)
    seats = tuple(mode.seats)
    usual = game.first_seat if game.first_seat in seats else seats[0]
    first = _seat_of(game, mode, wish.side) if wish.side else usual
    others = tuple(seat for seat in seats if seat != first)
    if wish.against == NOBODY:
        return Plan((first, *others), (), "")
    if wish.against and not others:
        others_in = [one.key for one in game.scenario(wish.new.scenario).modes if len(one.seats) > 1]
        way = f"; there is an opponent with --mode {joined(others_in, 'or')}" if others_in else ""
        raise usage(f"{typed_key(game.key)} has one seat in mode {mode.key}, and nobody plays against you{way}")
    policy = wish.against or usual_policy(policy_names(game))
    try:
        check_bot(game, policy)
    except UnknownName:
        raise UnknownName(unknown("opponent", policy, [*policy_names(game), *LEVELS, NOBODY])) from None
    return Plan((first,), others, policy)


def _seat_of(game: Game, mode: Mode, side: str) -> Seat:
    """Return the seat that is meant by its name, or by the side that it alone plays.

    Raises:
        UnknownName: None is.
    """
    if Seat(side) in mode.seats:
        return Seat(side)
    playing = [seat for seat, played in mode.seats.items() if played == side]
    if len(playing) == 1:
        return playing[0]
    raise UnknownName(unknown(f"seat of {typed_key(game.key)}", side, [str(seat) for seat in mode.seats]))


def _check_going_on(context: Context, wish: PlayWish) -> None:
    """Check that a word that names no game may name a match, which is found in the store at once.

    Raises:
        UnknownName: It names neither.
        UserError: Arguments of a new match were typed with it.
    """
    text = wish.new.game
    if not context.address:
        try:
            find_match(context.log, text)
        except (UnknownMatch, UserError):
            raise _neither(text) from None
    if wish.new != Wish(text) or wish.against:
        raise usage(
            "a match goes on as it is: its scenario, options, dice and opponents were chosen when it was opened"
        )


def _neither(text: str) -> UnknownName:
    return UnknownName(unknown("game or match", text, [typed_key(key) for key in game_keys()]))


def toured(key: str, dice: str, side: str, *, is_terminal: bool) -> tuple[str, str]:
    """Return the dice and the side of the match that explains itself.

    Raises:
        UnknownName: There is no such game.
        UserError: It has no such match, or other dice or the terminal were named.
    """
    game = load_game(key)
    aid = load_aid(game.package, game.shipped_board())
    if aid is None or aid.first_match is None:
        raise usage(
            f"{typed_key(game.key)} has no match that explains itself; `wardiary learn {key}` shows how it is played"
        )
    first = aid.first_match
    if dice != "sealed" or is_terminal or side not in ("", first.seat):
        raise usage(
            f"--tour has dice of its own, and its advice stands on the pages, for {first.seat}: leave out --dice, --terminal and --side"
        )
    return f"seeded:{first.seed}", first.seat


def refuse_option(match: str, words: str) -> UserError:
    """Return the error of an option that was typed with a match, as it is given to `choose`."""
    return usage(f"to choose an option: wardiary choose {quote(match)} {quote(words)}")


def _place(context: Context) -> str:
    """Return under which name the secrets of the person's seats are kept."""
    return context.address or players_of(context.place)


def _seated(context: Context, wish: PlayWish, plan: Plan | None, requests: str) -> Chairs:
    """Open a match and seat everybody, or find the seats that the person has in the match that goes on."""
    with context.connect(requests) as client:
        if plan is None:
            return _chairs_kept(context, client, wish)
        opened = open_match(context, client, wish.new)
        secrets: dict[Seat, str] = {}
        # Where one person plays all seats, chains of links would prove nothing more.
        has_links = parse_dice(wish.new.dice)[0] == "sealed" and len(plan.own) == 1
        for seat in plan.own:
            with secret_kept(_place(context), opened.match, seat) as secret:
                client.take_seat(opened.match, seat, wish.new.name, share=has_links, secret=secret)
            secrets[seat] = secret
        for seat in plan.others:
            client.seat_bot(opened.match, seat, plan.policy)
        return Chairs(opened.match, secrets, _told(client, opened.match, plan.own, plan.policy))


def _told(client: Client, match: MatchId, seats: Iterable[Seat], policy: str = "") -> str:
    """Return who plays what, as a sentence."""
    table = client.state(match).table
    names = Names(bound_on(client, match, PUBLIC, table).narration)
    against = f" against {policy}" if policy and len(table.seats) > 1 else ""
    return f"{load_game(table.game).title}: you play {listed(map(names.seat, seats))}{against}"


def _chairs_kept(context: Context, client: Client, wish: PlayWish) -> Chairs:
    """Return the seats of a match that the person has taken.

    Raises:
        UnknownName: There is no such match, or the named seat is not the person's.
        UserError: None is known here.
    """
    try:
        match = match_on(client, wish.new.game).match
    except UserError:
        raise _neither(wish.new.game) from None
    table = client.state(match).table
    kept = read_secrets(_place(context)).get(match, {})
    secrets = {seat: secret for seat, secret in kept.items() if proves(table, seat, secret)}
    if not secrets:
        raise usage(
            f"you have no seat in match {match} that `play` can go on with: `wardiary web` shows it", "not_your_seat"
        )
    if wish.side:
        if Seat(wish.side) not in secrets:
            raise UnknownName(unknown("seat of yours", wish.side, [str(seat) for seat in secrets]))
        secrets = {Seat(wish.side): secrets.pop(Seat(wish.side)), **secrets}
    return Chairs(match, secrets, _told(client, match, secrets))


def _show(context: Context, wish: PlayWish, chairs: Chairs, served: ServedPages) -> None:
    """Print where the table is, and open a browser there."""
    links = {seat: _link(served, chairs.match, seat, secret) for seat, secret in chairs.secrets.items()}
    store = "" if context.address else str(context.store)
    lines = [
        chairs.title,
        *(f"Table:  {link}" if len(links) == 1 else f"Table:  {seat}: {link}" for seat, link in links.items()),
        f"Store:  {store}" if store else f"Server: {served.requests}",
        "Ctrl-C ends the pages, and the match is kept. Whoever has the address of the table plays your seat.",
    ]
    shape = PlayingShape(match=chairs.match, seats=links, pages=served.pages, requests=served.requests, store=store)
    context.print_result(shape, lines)
    context.flush()
    if wish.has_browser:
        first, secret = next(iter(chairs.secrets.items()))
        # Other users of the machine can see with which address a program is started.
        ticket = SystemIdentity().token()
        served.own_seats.tickets[ticket] = secret
        _open_browser(context, _link(served, chairs.match, first, ticket))


def _link(served: ServedPages, match: MatchId, seat: Seat, word: str) -> str:
    return f"{served.pages.rstrip('/')}{of_match(match, 'sit', seat)}#{word}"


def _open_browser(context: Context, address: str) -> None:
    """Open a browser of this machine; without a display none is looked for, since one of a terminal would take the terminal."""
    has_display = sys.platform in ("darwin", "win32") or any(
        map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    )

    def attempt() -> None:
        if not (has_display and webbrowser.open(address)):
            context.echo_err("no browser was found here: open the address of the table in one")

    # A browser may not return before it is closed, and the pages have to answer it.
    Thread(target=attempt, daemon=True).start()


def _play_on_screen(context: Context, wish: PlayWish, plan: Plan | None) -> None:
    """Show the screen of the seat while the server and the bots run beside it."""
    end_by_signals()
    with own_server(context, is_operator_allowed=False) as requests:
        chairs = _seated(context, wish, plan, requests)
        seat, secret = next(iter(chairs.secrets.items()))
        settings = context.settings
        own = Settings(
            connect=requests,
            server_key=settings.server_key,
            client_key=settings.client_key,
            token=secret,
            color=settings.color,
        )
        with Context(own, can_connect=True) as at_table:
            show_screen(at_table, chairs.match, seat)
    context.echo(_how_to_go_on(context, chairs, " --terminal"))


def _how_to_go_on(context: Context, chairs: Chairs, more: str) -> str:
    kept = f" in {shown_file(context.store)}" if not context.address else ""
    return f"the match is kept{kept}; to go on: wardiary play {chairs.match}{more}{named_again(context.settings)}"
