"""Answers to requests: pages, files, moments that a browser may have already, and pages about what went wrong."""

from collections.abc import Callable
from hashlib import sha256

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from server.protocol.errors import ServerError
from server.web.http.addresses import match_of
from server.web.http.faults import Fault, PageFault, fault_of, no_such_page
from server.web.http.page_frame import message_page, ways_on
from server.web.http.requests import plain_name
from server.web.http.static_files import FILES, VERSION

MOMENT = "private, no-cache"
"""A page of a past event is asked for again, and comes again only if it has changed."""
FOR_EVER = "public, max-age=31536000, immutable"


async def static_answer(request: Request) -> Response:
    """Send a style sheet or an icon; its address changes with the version."""
    file = FILES.get(str(request.path_params["name"]))
    if file is None:
        raise PageFault(no_such_page(request.url.path))
    return Response(file.data, headers={"cache-control": FOR_EVER, "etag": file.etag}, media_type=file.media_type)


def page_answer(text: str, status: int = 200) -> Response:
    """Answer with a page that is not kept."""
    return Response(text, status, {"cache-control": "no-store"}, "text/html; charset=utf-8")


def moment_answer(request: Request, make: Callable[[], str], state: str) -> Response:
    """Answer with a page that depends on a state only; if the browser has it, tell only that."""
    etag = f'"{sha256(f"{VERSION}/{state}".encode()).hexdigest()[:32]}"'
    headers = {"cache-control": MOMENT, "etag": etag, "vary": "Cookie"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(make(), 200, headers, "text/html; charset=utf-8")


def file_answer(data: bytes, name: str, media_type: str = "application/x-ndjson") -> Response:
    """Answer with a file to be kept, by default of lines of JSON."""
    headers = {"content-disposition": f'attachment; filename="{plain_name(name)}"', "cache-control": "no-store"}
    return Response(data, headers=headers, media_type=media_type)


def fault_answer(request: Request, fault: Fault) -> Response:
    """Answer with a page about what went wrong, which leads back to the match to which the request belongs."""
    ways = ways_on(
        request.url.path,
        request.url.query,
        request.headers.get("referer", ""),
        is_shown=fault.is_shown,
        is_seated=fault.is_seated,
    )
    response = page_answer(message_page(fault.title, fault.what, fault.advice, ways), fault.status)
    if fault.again_s:
        response.headers["retry-after"] = str(fault.again_s)
    if fault.loads_again:
        response.headers["refresh"] = str(fault.again_s)
    return response


async def page_fault(request: Request, error: Exception) -> Response:
    """Answer a request that ended with a page about what went wrong."""
    assert isinstance(error, PageFault)
    # The address of a form is not that of a page.
    return fault_answer(request, error.fault if request.method == "GET" else error.fault._replace(loads_again=False))


async def server_error(request: Request, error: Exception) -> Response:
    """Answer an error of the broker, or of the way to it."""
    assert isinstance(error, ServerError)
    return fault_answer(request, fault_of(error, is_form=request.method == "POST"))


async def http_error(request: Request, error: Exception) -> Response:
    """Answer an address that leads nowhere, or a method that is not possible there."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return fault_answer(request, no_such_page(request.url.path))
    response = fault_answer(
        request, Fault(error.status_code, "Not possible here", f"{error.detail}.", "Check the link.")
    )
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


async def cut_off(request: Request, error: Exception) -> Response:
    """Answer a request whose body did not come whole, because its sender has left or because it is too large."""
    assert isinstance(error, ClientDisconnect)
    return fault_answer(
        request,
        Fault(
            400,
            "The form is not whole",
            "It was cut off, or is larger than a form may be.",
            "Go back, and send it again.",
        ),
    )


async def internal_error(request: Request, error: Exception) -> Response:
    """Answer a fault of the pages themselves, or one that a match brings which does not follow its rules, as no audit has found yet."""
    match = match_of(request.url.path)
    what = "The fault is on our side, and it is logged"
    if request.method == "GET":
        what = f"{what}; {'nothing was changed' if match is None else 'the match is as it was'}."
    else:
        what = f"{what}. Look first whether what you sent was carried out."
    advice = "If it happens again, tell the operator of the server."
    return fault_answer(request, Fault(500, "The page could not be made", what, advice))
