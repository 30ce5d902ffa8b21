"""Lets a language model play: the verb `mcp`."""

import os
from importlib.metadata import version
from urllib.parse import quote

from cli.commands.playing.new import check_name
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.remote import check_addresses
from cli.shell.seat_secrets import SEATS_VARIABLE, seats_file
from cli.shell.settings import OWNER_VARIABLE, Settings
from core.extras import require
from server.broker.serving import ADDRESS


def serve_model(context: Context, name: str) -> None:
    """Serve the tools of a language model over standard input and output until the input ends.

    Raises:
        ExtraMissing: The extra is not installed.
        UserError: An argument is not valid.
    """
    require("tools of a language model", "mcp", "mcp")
    check_name(name)
    if not name:
        raise usage("--name is the model's name as a player; it is empty")
    address = context.address or ADDRESS
    check_addresses(address)
    # The model has secrets of its own: it must not see the seats of the person at this machine, nor of another model.
    file = seats_file()
    os.environ[SEATS_VARIABLE] = str(file.with_name(f"mcp-{quote(name, safe='')}") / file.name)
    os.environ.pop(OWNER_VARIABLE, None)
    typed = context.settings
    settings = Settings(connect=address, server_key=typed.server_key, client_key=typed.client_key, color=False)
    from cli.commands.bots.model_server import serve_stdio

    serve_stdio(settings, name, version("wardiary"))
