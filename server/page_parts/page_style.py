"""The style sheet of what all pages have in common."""

from importlib.resources import files


def shared_style() -> str:
    """Return it: colours, text, dice, maps, panels and facts."""
    return (files(__name__.rpartition(".")[0]) / "shared.css").read_text(encoding="utf-8")
