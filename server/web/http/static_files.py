"""The files that pages load: style sheets, scripts and an icon."""

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from core.svg.palette import style_sheet
from core.svg.themes import AUTO
from server.page_parts.page_style import shared_style


class File(NamedTuple):
    """A file: its bytes, its type, and its tag, which changes with the bytes."""

    data: bytes
    media_type: str
    etag: str


def _file(data: bytes, media_type: str) -> File:
    return File(data, media_type, f'"{sha256(data).hexdigest()[:32]}"')


def _bytes(name: str) -> bytes:
    return (files(__name__.rpartition(".")[0]) / "static" / name).read_bytes()


def _packaged(name: str, media_type: str) -> File:
    return _file(_bytes(name), media_type)


FILES: Mapping[str, File] = MappingProxyType(
    {
        "drawing.css": _file(style_sheet(AUTO).encode(), "text/css; charset=utf-8"),
        "page.css": _file(
            b"".join([shared_style().encode(), *map(_bytes, ("page.css", "map.css", "help.css"))]),
            "text/css; charset=utf-8",
        ),
        "lobby.css": _packaged("lobby.css", "text/css; charset=utf-8"),
        "study.css": _packaged("study.css", "text/css; charset=utf-8"),
        "help.js": _packaged("help.js", "text/javascript; charset=utf-8"),
        "map.js": _packaged("map.js", "text/javascript; charset=utf-8"),
        "new.js": _packaged("new.js", "text/javascript; charset=utf-8"),
        "lobby.js": _packaged("lobby.js", "text/javascript; charset=utf-8"),
        "chances.js": _packaged("chances.js", "text/javascript; charset=utf-8"),
        "sending.js": _packaged("sending.js", "text/javascript; charset=utf-8"),
        "columns.js": _packaged("columns.js", "text/javascript; charset=utf-8"),
        "enlarged.js": _packaged("enlarged.js", "text/javascript; charset=utf-8"),
        "page.js": _packaged("page.js", "text/javascript; charset=utf-8"),
        "motion.js": _packaged("motion.js", "text/javascript; charset=utf-8"),
        "sign.js": _packaged("sign.js", "text/javascript; charset=utf-8"),
        "sit.js": _packaged("sit.js", "text/javascript; charset=utf-8"),
        "notification.js": _packaged("notification.js", "text/javascript; charset=utf-8"),
        "sound.js": _packaged("sound.js", "text/javascript; charset=utf-8"),
        "swings.js": _packaged("swings.js", "text/javascript; charset=utf-8"),
        "together.js": _packaged("together.js", "text/javascript; charset=utf-8"),
        "verify.js": _packaged("verify.js", "text/javascript; charset=utf-8"),
        "verify-keys.js": _packaged("verify-keys.js", "text/javascript; charset=utf-8"),
        "verify-log.js": _packaged("verify-log.js", "text/javascript; charset=utf-8"),
        "icon.svg": _packaged("icon.svg", "image/svg+xml"),
        "icon-turn.svg": _packaged("icon-turn.svg", "image/svg+xml"),
    }
)
"""Each file by its name."""

VERSION = sha256(b"".join(file.data for file in FILES.values())).hexdigest()[:12]
"""Changes with any file; addresses with it can be kept for ever."""
