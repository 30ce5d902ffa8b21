"""Small servers of mail and of HTTP on this machine, which keep what they were sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from email.policy import default
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

from typing_extensions import override


class Mailbox:
    """A server of mail that refuses the recipients in `refused`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.messages: list[Message] = []
        self.refused: set[str] = set()


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    """Serve SMTP until the block ends."""

    class Session(StreamRequestHandler):
        @override
        def handle(self) -> None:
            self.connection.settimeout(5.0)
            self._say("220 here")
            for line in self.rfile:
                command = line.decode().strip()
                if command.upper().startswith("RCPT"):
                    is_refused = any(f"<{one}>" in command for one in box.refused)
                    self._say("550 nobody" if is_refused else "250 known")
                elif command.upper() == "DATA":
                    self._say("354 go on")
                    box.messages.append(
                        message_from_bytes(b"".join(iter(self.rfile.readline, b".\r\n")), policy=default)
                    )
                    self._say("250 taken")
                elif command.upper() == "QUIT":
                    self._say("221 bye")
                    return
                else:
                    self._say("250 well")

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        # A client that has left a connection open must not keep the test waiting.
        server.daemon_threads = True
        box = Mailbox(int(server.server_address[1]))
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield box
        server.shutdown()


class Hook:
    """A server of HTTP that answers with `status`, and sends on to `to` if that is set."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hook"
        self.bodies: list[bytes] = []
        self.status = 204
        self.to = ""


@contextmanager
def hook_server() -> Iterator[Hook]:
    """Serve HTTP until the block ends."""

    class Request(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            hook.bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(hook.status)
            if hook.to:
                self.send_header("location", hook.to)
            self.end_headers()

        @override
        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Request) as server:
        hook = Hook(server.server_port)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield hook
        server.shutdown()
