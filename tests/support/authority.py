"""An authority for tests: stamps over loopback what it is sent, by `openssl ts`, or misbehaves."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from tests.support.posted import answering

OPENSSL = shutil.which("openssl")

CONFIG = """[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[stamping]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
authorityKeyIdentifier = keyid
[tsa]
default_tsa = ours
[ours]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


class Authority:
    """An authority whose certificates lie in a folder.

    Args:
        folder: An empty folder.

    Attributes:
        root: The file with the certificate of its root.
        says: What it answers whatever it is asked, a status and a content; None while it behaves.
        may_answer: Cleared while it is slow.
        asked: How often it was asked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "root.pem"
        self.says: tuple[int, bytes] | None = None
        self.may_answer = Event()
        self.may_answer.set()
        self.asked = 0
        (folder / "openssl.cnf").write_text(CONFIG)
        (folder / "serial").write_text("01\n")
        new = [
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-config",
            "openssl.cnf",
        ]
        self.run(
            *new,
            "-x509",
            "-days",
            "30",
            "-subj",
            "/CN=root",
            "-extensions",
            "root",
            "-keyout",
            "root.key",
            "-out",
            "root.pem",
        )
        self.run(*new, "-subj", "/CN=stamps", "-keyout", "tsa.key", "-out", "tsa.csr")
        by = [
            "-CA",
            "root.pem",
            "-CAkey",
            "root.key",
            "-CAcreateserial",
            "-extfile",
            "openssl.cnf",
            "-extensions",
            "stamping",
        ]
        self.run("x509", "-req", "-in", "tsa.csr", "-days", "30", *by, "-out", "tsa.pem")

    def run(self, *arguments: str) -> None:
        """Run openssl in the folder."""
        assert OPENSSL is not None
        done = subprocess.run([OPENSSL, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def answer(self, query: bytes) -> tuple[int, bytes]:
        """Answer a query with a status and a content."""
        self.asked += 1
        if self.says is not None:
            return self.says
        (self.folder / "query").write_bytes(query)
        self.run("ts", "-reply", "-config", "openssl.cnf", "-section", "ours", "-queryfile", "query", "-out", "reply")
        return 200, (self.folder / "reply").read_bytes()


@contextmanager
def serving(authority: Authority) -> Iterator[str]:
    """Serve an authority on loopback, and yield its address."""

    def answer(path: str, query: bytes) -> tuple[int, bytes, str]:
        return (*authority.answer(query), "application/timestamp-reply")

    with answering(answer, authority.may_answer) as address:
        yield f"{address}/tsr"
