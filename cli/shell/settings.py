"""The global options, and the variables of the environment that stand for some of them."""

STORE_VARIABLE = "WARDIARY_STORE"
CONNECT_VARIABLE = "WARDIARY_CONNECT"
SERVER_KEY_VARIABLE = "WARDIARY_SERVER_KEY"
OWNER_VARIABLE = "WARDIARY_OWNER"
WORKERS_VARIABLE = "WARDIARY_WORKERS_SECRET"
"""Holds the secret that lets workers take decisions of a server's bots."""
ANCHORS_VARIABLE = "WARDIARY_ANCHORS"


class Settings:
    """The global options that were given, before the verb or after it, and how a verb connects to a server.

    Attributes:
        connect: The address of the server; empty if it was not typed.
        server_key: Its public key, if connections are encrypted.
        client_key: The file of the client's own key.
        token: The secret of the seat that the verb names.
        patience_s: How long the verb waits for a server that was there to come back (seconds).
    """

    __slots__ = (
        "client_key",
        "color",
        "connect",
        "is_json",
        "is_quiet",
        "patience_s",
        "server_key",
        "store",
        "token",
        "verbosity",
    )

    def __init__(
        self,
        *,
        store: str = "",
        connect: str = "",
        server_key: str = "",
        client_key: str = "",
        token: str = "",
        is_json: bool = False,
        is_quiet: bool = False,
        verbosity: int = 0,
        color: bool = True,
    ) -> None:
        self.store = store
        self.connect = connect
        self.server_key = server_key
        self.client_key = client_key
        self.token = token
        self.is_json = is_json
        self.is_quiet = is_quiet
        self.verbosity = verbosity
        self.color = color
        self.patience_s = 0.0

    def joined(self, later: "Settings") -> "Settings":
        """Return these options, overridden by those given after the verb."""
        return Settings(
            store=later.store or self.store,
            connect=later.connect,
            server_key=later.server_key,
            client_key=later.client_key,
            token=later.token,
            is_json=self.is_json or later.is_json,
            is_quiet=self.is_quiet or later.is_quiet,
            verbosity=self.verbosity + later.verbosity,
            color=self.color and later.color,
        )
