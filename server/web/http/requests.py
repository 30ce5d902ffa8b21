"""Contents of requests: the sender, the address, and the fields of forms."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from server.web.http.faults import Fault, PageFault
from server.web.http.rate_limits import whose

NUMBER_DIGITS_MAX = 15
FIELDS_MAX = 100
"""How many fields a form has at most: that of a new match has one for each house rule."""


def fields_of(body: bytes) -> Mapping[str, str]:
    """Return the fields of a form.

    Raises:
        PageFault: It is not one.
    """
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS_MAX))
    except ValueError:
        raise PageFault(
            Fault(400, "Not understood", "The request holds no form.", "Go back and send the form again.")
        ) from None


def number_of(digits: str) -> int | None:
    """Return a number of an address; None if it is none."""
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= NUMBER_DIGITS_MAX):
        return None
    return int(digits)


def address_of(request: Request) -> str:
    """Return the address by which a visitor is limited."""
    return "" if request.client is None else whose(request.client.host)


def is_same_origin(request: Request) -> bool:
    """Return whether a browser says that a request comes from a page of this server."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is not None and origin == f"{request.url.scheme}://{request.headers.get('host', '')}"


def is_from_elsewhere(request: Request) -> bool:
    """Return whether a browser says that a request was caused by a page of another site."""
    return request.headers.get("sec-fetch-site") == "cross-site"


def plain_name(text: str) -> str:
    """Return text as a part of the name of a file."""
    return "".join(char for char in text if char.isascii() and (char.isalnum() or char in "-_."))
