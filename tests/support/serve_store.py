"""Serve a store with the test game in a separate process: `python -m tests.support.serve_store FILE|LOCATOR [ADDRESS EVENTS]`."""

import json
import sys
from pathlib import Path

from server.broker.broker import Broker
from server.broker.json_logger import JsonLogger
from server.broker.serving import Serving, serve
from server.protocol.clock import SystemClock
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.opening import open_served
from server.transparency.log_keys import KeyFolder
from tests.support.desk import skirmish_listed


def ready(broker: Broker) -> None:
    """Print the addresses of the server for the parent."""
    sys.stdout.write(json.dumps({"address": broker.address, "events": broker.events}) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until told to stop."""
    address, events = sys.argv[2:] or ("tcp://127.0.0.1:*", "tcp://127.0.0.1:*")
    with skirmish_listed():
        is_file = "://" not in sys.argv[1]
        serve(
            ConcurrentSqliteLog(Path(sys.argv[1])) if is_file else open_served(sys.argv[1]),
            Serving(address=address, events=events),
            log_keys=KeyFolder(Path(sys.argv[1])) if is_file else None,
            logger=JsonLogger(sys.stderr.buffer, SystemClock(), "warning"),
            ready=ready,
        )


if __name__ == "__main__":
    main()
