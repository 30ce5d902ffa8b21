"""The context of a language model's tool: what a verb prints is its answer, and nothing reaches a terminal."""

from typing_extensions import override

from cli.shell.context import Context
from cli.shell.settings import Settings


class ModelContext(Context):
    """One call of a tool.

    Args:
        settings: How the server is reached; they are this call's own.
        player: The name under which the model sits down.

    Attributes:
        said: The answer, line by line.
    """

    def __init__(self, settings: Settings, player: str) -> None:
        self.said: list[str] = []
        self.player = player
        super().__init__(settings, can_connect=True)

    @property
    @override
    def is_terminal(self) -> bool:
        return False

    @override
    def echo_err(self, line: str) -> None:
        self.echo(line)

    @override
    def flush(self) -> None:
        """Do nothing: the answer is sent as a whole."""

    @override
    def _write(self, line: str, end: str = "\n") -> None:
        self.said.append(line)
