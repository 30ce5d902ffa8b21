"""The log of the server over HTTP, as mirrors and monitors of others read it: its checkpoint, and tiles of hashes and entries.

Source: C2SP tlog-tiles.
"""

import re
from base64 import b64decode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.wording import capital
from events.ids import PUBLIC
from server.protocol.errors import RequestFailed
from server.web.backend.match_evidence import log_evidence
from server.web.backend.services import Services
from server.web.http.faults import Fault, PageFault, no_archive, no_such_page
from server.web.http.responses import FOR_EVER, file_answer
from server.web.routes.request_context import RequestContext

ENTRIES = "entries"

_TILE = re.compile(r"((?:x[0-9]{3}/){0,4})([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_LEVEL = re.compile("[0-9]|[1-5][0-9]|6[0-3]")


class LogRoutes:
    """The addresses of the log.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/log/checkpoint", self.checkpoint, methods=["GET"]),
            Route("/log/tile/{level}/{tile:path}", self.tile, methods=["GET"]),
            Route("/m/{match}/evidence.ndjson", self.evidence, methods=["GET"]),
        ]

    async def checkpoint(self, request: Request) -> Response:
        """Send the last checkpoint, with its cosignatures."""
        try:
            reply = await RequestContext(self._services, request).caller.checkpoint()
        except RequestFailed as error:
            raise _no_checkpoint(error) from None
        return Response(reply.note, headers={"cache-control": "no-cache"}, media_type="text/plain; charset=utf-8")

    async def evidence(self, request: Request) -> Response:
        """Send what ties the archive of a match to the log."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        try:
            lines = await log_evidence(context.caller, viewpoint.match, viewpoint.seat)
        except RequestFailed as error:
            if error.code == "not_your_seat" and viewpoint.seat == PUBLIC:
                raise PageFault(no_archive(error)) from None
            raise _no_checkpoint(error) from None
        return file_answer(lines, f"{viewpoint.match}-evidence.ndjson")

    async def tile(self, request: Request) -> Response:
        """Send a tile of hashes or entries, which never changes."""
        level, found = str(request.path_params["level"]), _TILE.fullmatch(str(request.path_params["tile"]))
        if found is None or not (level == ENTRIES or _LEVEL.fullmatch(level)):
            raise PageFault(no_such_page(request.url.path))
        number = int((found[1] + found[2]).replace("x", "").replace("/", ""))
        caller = RequestContext(self._services, request).caller
        try:
            reply = await caller.tile(-1 if level == ENTRIES else int(level), number, int(found[3] or 256))
        except RequestFailed as error:
            if error.code not in ("no_log", "not_logged"):
                raise
            raise PageFault(no_such_page(request.url.path)) from None
        return Response(
            b64decode(reply.content), headers={"cache-control": FOR_EVER}, media_type="application/octet-stream"
        )


def _no_checkpoint(error: RequestFailed) -> RequestFailed | PageFault:
    """Return the page about a checkpoint that there is not, or not yet; another error as it is."""
    if error.code not in ("no_log", "not_logged"):
        return error
    advice = "Its operator knows more." if error.code == "no_log" else "Try again in a second."
    return PageFault(Fault(404, "No checkpoint", f"{capital(error.reply.message)}.", advice))
