"""Metrics of a server for its operator, over HTTP as Prometheus reads them; the only module that knows its client library."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector
from typing_extensions import override

from events.log import Log
from server.broker.broker import Broker
from server.protocol.errors import PortUnavailable


@runtime_checkable
class RemoteLog(Protocol):
    """A log on other machines."""

    @property
    def connections(self) -> int:
        """How often one of them was connected: once, and after each loss."""


class BrokerMetrics(Collector):
    """Counters of a server. They are read from another thread than the server's, and may be one turn old.

    Args:
        broker: The server.
        log: Its store.
    """

    def __init__(self, broker: Broker, log: Log) -> None:
        self._broker = broker
        self._log = log

    @override
    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        counts = self._broker.counts
        for name, value, told in (
            ("requests", counts.requests, "Requests that were answered."),
            ("commits", counts.commits, "Commits that this server has stored."),
            ("malformed", counts.malformed, "Requests that are none."),
            ("dropped", counts.dropped, "Messages that could not be answered."),
            ("undelivered", counts.undelivered, "Replies whose client was gone, or did not read."),
            ("faults", counts.faults, "Internal errors; each is told in the server's own log."),
        ):
            yield CounterMetricFamily(f"wardiary_{name}", told, value=value)
        failed = CounterMetricFamily(
            "wardiary_failed",
            "Replies that say why not, by code: `lost_race`, `store_unavailable` and `outcome_unknown` among them.",
            labels=["code"],
        )
        for code, count in list(counts.failed.items()):
            failed.add_metric([code], count)
        yield failed
        yield SummaryMetricFamily(
            "wardiary_followed_seconds",
            "Commits of other servers of the store, and how long ago these had decided them when they were heard of.",
            count_value=counts.followed,
            sum_value=counts.followed_ms / 1000,
        )
        open_now = GaugeMetricFamily("wardiary_connections", "Connections that are open.", labels=["socket"])
        open_now.add_metric(["requests"], len(self._broker.requesters))
        open_now.add_metric(["events"], len(self._broker.subscribers))
        yield open_now
        if isinstance(self._log, RemoteLog):
            yield CounterMetricFamily(
                "wardiary_store_connections",
                "How often the store was connected: more than once where a machine of it was lost or another one leads now.",
                value=self._log.connections,
            )


@contextmanager
def metrics_served(host: str, port: int) -> Iterator[tuple[int, CollectorRegistry]]:
    """Serve metrics at an address until the block ends: those of this process, and what is registered meanwhile; yield the port and the registry.

    Args:
        host: The name or number of the machine, as it is listened to.
        port: The port; 0 for any free one.

    Raises:
        PortUnavailable: The address cannot be bound.
    """
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise PortUnavailable.at(host, port, error) from None
    try:
        yield server.server_port, registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
