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


FOLDER = files(__name__.rpartition(".")[0]) / "static"
TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
"""The type of a file by the end of its name."""

TOGETHER = ("page.css", "map.css", "help.css")
"""Style sheets that are sent as one, under the name of the first."""


def _file(name: str, data: bytes) -> File:
    return File(data, TYPES[name.rpartition(".")[2]], f'"{sha256(data).hexdigest()[:32]}"')


def _files() -> Mapping[str, bytes]:
    """Return the bytes of all files: those of the folder, and the style sheets that are made of others."""
    found = {one.name: one.read_bytes() for one in FOLDER.iterdir() if one.name.rpartition(".")[2] in TYPES}
    whole = b"".join([shared_style().encode(), *[found.pop(name) for name in TOGETHER]])
    return {**found, "page.css": whole, "drawing.css": style_sheet(AUTO).encode()}


FILES: Mapping[str, File] = MappingProxyType({name: _file(name, data) for name, data in sorted(_files().items())})
"""Each file by its name."""

VERSION = sha256(b"".join(file.data for file in FILES.values())).hexdigest()[:12]
"""Changes with any file; addresses with it can be kept for ever."""
