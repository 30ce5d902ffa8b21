"""Timestamps (RFC 3161): an authority signs that a checkpoint of a server's log existed at a time. They need the extra `timestamps`.

An authority is asked by a verb only, never by a server: what it answers is kept, and checked later without it.
"""

from base64 import b64decode, b64encode
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from cli.shell.exit_codes import input_output, usage
from core.extras import require
from events.errors import ProofInvalid
from events.transparency.signed_note import read_note
from server.client.kept_log import Stamped

TIMEOUT_S = 10.0
"""How long is waited for an authority (seconds)."""

REPLY_BYTES_MAX = 1 << 16


def require_timestamps(url: str = "") -> None:
    """Refuse to check timestamps, or to ask an authority for one, where the extra is missing.

    Args:
        url: The address of the authority; empty if none is asked.

    Raises:
        ExtraMissing: It is.
        UserError: The address is not one.
    """
    if url and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
        raise usage(f"an authority is named by its address, https://…, not {url!r}")
    require("timestamps", "timestamps", "rfc3161_client")


def stamped_text(note: str) -> bytes:
    """Return what is stamped of a checkpoint: its text, which is also what the log has signed; `read_note` tells the errors."""
    return read_note(note).text.encode()


def ask_authority(url: str, text: bytes) -> str:
    """Return what an authority answers when it is asked to stamp a text (base64); the address was checked by `require_timestamps`.

    Raises:
        UserError: The authority is away or slow, or does not stamp this.
    """
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder, decode_timestamp_response

    asked = TimestampRequestBuilder().data(text).hash_algorithm(HashAlgorithm.SHA256).build()
    headers = {"content-type": "application/timestamp-query", "user-agent": "wardiary"}
    request = Request(url, asked.as_bytes(), headers)  # noqa: S310 - The scheme was checked.
    try:
        with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - As above.
            content: bytes = answer.read(REPLY_BYTES_MAX)
    except (URLError, HTTPException, OSError, ValueError) as error:
        if isinstance(error, HTTPError):
            error.close()
        reason = getattr(error, "reason", "") or error
        raise input_output(
            f"the authority {url} does not stamp this: {reason}; everything else was kept", "no_timestamp"
        ) from None
    try:
        reply = decode_timestamp_response(content)
        is_own = reply.status == 0 and reply.tst_info.nonce == asked.nonce
        is_own = is_own and reply.tst_info.message_imprint.message == asked.message_imprint.message
    except ValueError:
        is_own = False
    if not is_own:
        raise input_output(
            f"the authority {url} answers with something that is not the timestamp which was asked for", "no_timestamp"
        )
    return b64encode(content).decode()


def stamped_at(stamped: Stamped, authorities: bytes) -> int:
    """Return when an authority has stamped the checkpoint of a line (seconds since 1970).

    Args:
        stamped: The line and the answer of the authority.
        authorities: The certificates (PEM) of those that are believed: roots, and what lies between them and an authority.

    Raises:
        ProofInvalid: None of them has signed it, or it is the timestamp of something else.
        UserError: The file holds no certificates.
    """
    from cryptography import x509
    from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

    try:
        certificates = x509.load_pem_x509_certificates(authorities)
    except ValueError:
        raise input_output(
            "--authority is a file of certificates in PEM, as the authority has published them"
        ) from None
    builder = VerifierBuilder()
    for one in certificates:
        is_root = one.issuer == one.subject
        builder = builder.add_root_certificate(one) if is_root else builder.add_intermediate_certificate(one)
    try:
        reply = decode_timestamp_response(b64decode(stamped.reply))
        builder.build().verify_message(reply, stamped_text(stamped.line.note))
        at_s = int(reply.tst_info.gen_time.timestamp())
    except (VerificationError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0] or "it is not valid"
        raise ProofInvalid(f"a timestamp is not what the authority has signed of this checkpoint: {reason}") from None
    return at_s
