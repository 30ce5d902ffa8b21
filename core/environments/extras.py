"""The libraries of learning environments, which are not installed with War Diary unless they are asked for."""

from collections.abc import Sequence
from importlib.util import find_spec

from core.errors import KernelError

LEARN = ("numpy", "gymnasium", "pettingzoo")
OPENSPIEL = ("numpy", "pyspiel")


class ExtraMissing(KernelError, ImportError):
    """A library is not installed; the message says how to get it."""


def require(what: str, extra: str, modules: Sequence[str]) -> None:
    """Check that the libraries of an extra are installed.

    Args:
        what: The thing that needs them, in the plural.
        extra: The name of the extra.
        modules: Their modules.

    Raises:
        ExtraMissing: They are not.
    """
    if missing := [name for name in modules if find_spec(name) is None]:
        raise ExtraMissing(
            f"{what} need the extra `{extra}` ({', '.join(missing)} is missing): pip install 'wardiary[{extra}]'"
        )
