"""Libraries that are not installed with War Diary unless one of its extras is asked for."""

from importlib.util import find_spec

from core.errors import KernelError


class ExtraMissing(KernelError, ImportError):
    """A library is not installed; the message says how to get it."""


def require(what: str, extra: str, *modules: str) -> None:
    """Check that the libraries of an extra are installed.

    Args:
        what: The thing that needs them, in the plural.
        extra: The name of the extra.
        modules: Their modules.

    Raises:
        ExtraMissing: They are not.
    """
    if missing := [name for name in modules if find_spec(name) is None]:
        are = "is" if len(missing) == 1 else "are"
        raise ExtraMissing(
            f"{what} need the extra `{extra}` ({', '.join(missing)} {are} missing): pip install 'wardiary[{extra}]'"
        )
