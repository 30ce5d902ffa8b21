"""The component file of a game, and the components of the one that ships with it. Knows no game."""

import tomllib
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Generic, TypeVar

from core.components.fields import ProvenanceSections
from core.toml.findings import Findings
from events.codec import Struct, convert
from events.ids import Digest

SHIPPED_FILE = ("data", "board.toml")

_File = TypeVar("_File", bound=ProvenanceSections)
_Components = TypeVar("_Components")


class Source(Struct, frozen=True):
    """Origin of components: the digest of their file, whether it is the shipped one, and the name of its variant or empty."""

    digest: Digest
    is_shipped: bool
    variant: str = ""


class ComponentFile(Generic[_File, _Components]):
    """The component file of one game.

    Args:
        package: The game's package, which holds the shipped file.
        struct: What the file holds.
        build: Builds the values that the rules use from a file without defects.
        check: Records defects that concern several places of a well-formed file.
    """

    def __init__(
        self,
        package: str,
        struct: type[_File],
        build: Callable[[_File, Source], _Components],
        check: Callable[[_File, Findings], None],
    ) -> None:
        self._package = package
        self.struct = struct
        self.build = build
        self.check = check

    def load(self) -> _Components:
        """Return the components of the shipped file, which is read once; see `core.file_checks.checked_file` for another file."""
        return self._shipped

    @cached_property
    def shipped_bytes(self) -> bytes:
        """The exact bytes of the file that ships with the game."""
        return files(self._package).joinpath(*SHIPPED_FILE).read_bytes()

    @cached_property
    def shipped_plain(self) -> dict[str, object]:
        """The data of the shipped file."""
        return tomllib.loads(self.shipped_bytes.decode())

    @cached_property
    def _shipped(self) -> _Components:
        # The tests have checked the shipped file, so that opening a match need not check it again.
        source = Source(component_digest(self.shipped_bytes), is_shipped=True)
        return self.build(convert(self.shipped_plain, self.struct), source)


def component_digest(data: bytes) -> Digest:
    """Return the name under which a match records its components: the SHA-256 over the file's exact bytes."""
    return Digest(sha256(data).hexdigest())
