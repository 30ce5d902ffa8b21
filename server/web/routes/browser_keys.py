"""Keys of browsers: the pages compose what a seat signs, and the visitor's browser signs it."""

from collections.abc import Mapping

from typing_extensions import override

from events.codec import DecodeError, Decoder
from events.transparency.signed_command import SeatSigner

JSON = "application/json"
"""What a script accepts that asks what its browser has to sign."""
SIGNER, SIGNED = "signer", "signed"
"""The fields of a form with the public key of the browser, and with its signatures (base64) by the texts that they are of, as JSON."""

_SIGNED: Decoder[dict[str, str]] = Decoder(dict[str, str])


class BrowserKey(SeatSigner):
    """The key of a browser: it signs what the browser has signed already, and notes what is missing.

    Args:
        public_key: Its public half (hex).
        signed: The signatures by the texts that they are of.
    """

    def __init__(self, public_key: str, signed: Mapping[str, str]) -> None:
        self._public_key = public_key
        self._signed = signed
        self.missing: list[str] = []

    @property
    @override
    def public_key(self) -> str:
        """The public half (hex)."""
        return self._public_key

    @override
    def sign(self, text: str) -> str:
        """Return the signature of a text; empty, so that the server refuses the command, if the browser has not signed it."""
        if text not in self._signed:
            self.missing.append(text)
        return self._signed.get(text, "")


def key_in(fields: Mapping[str, str]) -> BrowserKey | None:
    """Return the key of the browser that sends a form; None if the pages sign."""
    public_key = fields.get(SIGNER, "")
    if not public_key:
        return None
    try:
        return BrowserKey(public_key, _SIGNED.decode(fields.get(SIGNED, "") or "{}"))
    except DecodeError:
        return BrowserKey(public_key, {})
