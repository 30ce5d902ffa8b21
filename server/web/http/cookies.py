"""The cookies of the pages: which there are, what they are called, and when they are set.

Two say who sends a request. The one of the visitor only says for which browser forms were made. It proves nothing, is sent along when a link of
another site is followed (`Lax`), and stays the same when a seat is proved, so that the forms of open pages stay valid. The one of the session leads
to the seats that were proved. It never comes from another site (`Strict`), and is set only in answers to forms, so that no request that came without
it, as every request from another site does, can end or replace a session. Over HTTPS both have a name with which browsers take a cookie only from
this very host, not from another one of its domain.
"""

from enum import StrEnum
from typing import Literal
from urllib.parse import quote, unquote

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import Response

from server.web.http.last_seen import LastSeen

SESSION = "wardiary_session"
VISITOR = "wardiary_visitor"
SEEN = "wardiary_seen"
ASKING = "wardiary_ask"
PLAYER = "wardiary_player"
MAP = "wardiary_map"
WHOLE = "whole"
"""Stands for the whole of a map."""
HOST_ONLY = "__Host-"
"""Begins the names of cookies that a browser takes from this host only, and over HTTPS only."""
PLAYER_MAX = 60
"""How many characters of a visitor's name are kept."""
KEPT_S = 365 * 24 * 3600
"""How long a browser keeps a cookie. Longer than a session is kept here: the server decides when a session ends, by its use."""


class Confirmation(StrEnum):
    """Commands that a visitor wants to confirm before they are played; by default those that cannot be taken back."""

    FINAL = "final"
    EACH = "each"
    NEVER = "never"

    @classmethod
    def of(cls, kept: str | None) -> "Confirmation":
        """Return what a text stands for; anything else stands for the first."""
        return next((one for one in cls if one == kept), cls.FINAL)


def session_of(request: Request) -> str:
    """Return the id of the session in a request; empty if there is none."""
    return request.cookies.get(_own(request, SESSION), "")


def visitor_of(request: Request) -> str:
    """Return the id of the visitor in a request; empty if there is none."""
    return request.cookies.get(_own(request, VISITOR), "")


def seen_of(request: Request) -> LastSeen:
    """Return what the visitor has looked at before."""
    return LastSeen(request.cookies.get(SEEN, ""))


def confirmation_of(request: Request) -> Confirmation:
    """Return before which commands the visitor wants to be asked."""
    return Confirmation.of(request.cookies.get(ASKING))


def is_map_whole(request: Request) -> bool:
    """Return whether the visitor wants to see whole maps; a script sets the cookie."""
    return request.cookies.get(MAP) == WHOLE


def player_of(request: Request) -> str:
    """Return the name under which the visitor last took a seat; empty if there is none."""
    return unquote(request.cookies.get(PLAYER, ""))[:PLAYER_MAX]


def with_player(request: Request, response: Response, name: str) -> Response:
    """Set the name under which the visitor takes seats."""
    return _set(request, response, PLAYER, quote(name[:PLAYER_MAX], safe=""), samesite="strict")


def with_session(request: Request, response: Response, id_: str) -> Response:
    """Set the id of a session; only for an answer to a form."""
    return _set(request, response, _own(request, SESSION), id_, samesite="strict")


def without_cookies(request: Request, response: Response) -> Response:
    """Let the browser forget the cookies of the pages."""
    for name in (_own(request, SESSION), _own(request, VISITOR), SEEN, ASKING, PLAYER, MAP):
        response.delete_cookie(name, path="/", secure=request.url.scheme == "https", httponly=True)
    return response


def with_visitor(request: Request, response: Response, id_: str) -> Response:
    """Set the id of a visitor who has none yet; it is kept until the browser is closed."""
    if visitor_of(request) == id_:
        return response
    return _set(request, response, _own(request, VISITOR), id_, max_age=None, samesite="lax")


def with_seen(request: Request, response: Response, noted: str) -> Response:
    """Set what the visitor has looked at."""
    return _set(request, response, SEEN, noted, samesite="lax")


def with_confirmation(request: Request, response: Response, confirmation: Confirmation) -> Response:
    """Set before which commands the visitor wants to be asked."""
    return _set(request, response, ASKING, confirmation, samesite="strict")


def _own(request: Request, name: str) -> str:
    """Return the name of a cookie with the port that the browser asks, because browsers send the cookies of a host to all of its ports.

    Source: `__Host-` in RFC 6265bis, 4.1.3.2.
    """
    name = f"{HOST_ONLY}{name}" if request.url.scheme == "https" else name
    try:
        port = URL(f"{request.url.scheme}://{request.headers.get('host', '')}/").port
    except ValueError:
        port = None
    return name if port is None else f"{name}_{port}"


def _set(
    request: Request,
    response: Response,
    name: str,
    value: str,
    *,
    samesite: Literal["lax", "strict"],
    max_age: int | None = KEPT_S,
) -> Response:
    is_secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=max_age, path="/", httponly=True, samesite=samesite, secure=is_secure)
    return response
