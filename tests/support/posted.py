"""Serves a double on loopback: whatever is posted to it is answered by a function."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from typing_extensions import override


@contextmanager
def answering(answer: Callable[[str, bytes], tuple[int, bytes, str]], may_answer: Event) -> Iterator[str]:
    """Serve until the block ends, and yield the address.

    Args:
        answer: Returns the status, content and type of the answer to what was posted to a path.
        may_answer: Cleared while answers are held back, for some seconds at most.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted = self.rfile.read(int(self.headers["content-length"]))
            may_answer.wait(5)
            status, content, kind = answer(self.path, posted)
            # Who has not waited is gone.
            with suppress(OSError):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.end_headers()
                self.wfile.write(content)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        may_answer.set()
        server.shutdown()
        thread.join()
        server.server_close()
