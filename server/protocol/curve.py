"""Keys of encrypted connections (CURVE): the server has a key file, clients are given its public key."""

import struct

import zmq
from zmq.utils import z85

from server.protocol.errors import KeyUnusable

KEY_CHARACTERS = 40


class CurveKey:
    """A key pair as the socket library writes it (Z85).

    Attributes:
        public: The public key, which the other side gets.
        secret: The secret key.
    """

    __slots__ = ("public", "secret")

    def __init__(self, secret: bytes) -> None:
        """Derive the pair from a secret key.

        Raises:
            KeyUnusable: The key is malformed.
        """
        try:
            self.public: bytes = zmq.curve_public(secret)
        except (zmq.ZMQError, ValueError, KeyError):
            raise KeyUnusable("not a secret key: it must be 40 characters of Z85") from None
        self.secret = secret

    @classmethod
    def new(cls) -> "CurveKey":
        """Generate a new pair."""
        return cls(zmq.curve_keypair()[1])


def is_public_key(text: bytes) -> bool:
    """Return whether a text is a key of 32 bytes in Z85."""
    try:
        return len(text) == KEY_CHARACTERS and z85.encode(z85.decode(text)) == text
    except (ValueError, KeyError, struct.error):
        return False


def secure_server(socket: "zmq.Socket[bytes]", key: CurveKey | None) -> None:
    """Make a listening socket accept encrypted connections only; do nothing without a key."""
    if key is not None:
        socket.curve_server = True
        socket.curve_publickey = key.public
        socket.curve_secretkey = key.secret


def secure_client(socket: "zmq.Socket[object]", server_key: str, client_key: CurveKey | None = None) -> None:
    """Make a connecting socket encrypt, and accept only the server with this public key; do nothing if the key is empty.

    Args:
        socket: A socket that is not yet connected.
        server_key: The server's public key.
        client_key: The client's own pair, for a server that lists its clients; by default a new one.

    Raises:
        KeyUnusable: The server's key is malformed.
    """
    if not server_key:
        return
    own = CurveKey.new() if client_key is None else client_key
    try:
        socket.curve_serverkey = server_key.encode()
        socket.curve_publickey = own.public
        socket.curve_secretkey = own.secret
    except (zmq.ZMQError, UnicodeError):
        raise KeyUnusable("the server's key must be 40 characters of Z85") from None
