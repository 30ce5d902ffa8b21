"""Metrics tell what a server has done, what it refused and what came from others, as Prometheus reads them."""

from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from events.ids import PUBLIC, MatchId
from events.memory_log import MemoryLog
from server.broker.metrics import BrokerMetrics, RemoteLog, metrics_served
from server.protocol.errors import PortUnavailable, RequestFailed
from tests.support.served import client_of, seated, served


class FarLog(MemoryLog):
    """A log that says how often it was connected."""

    connections = 3


def read(port: int) -> dict[tuple[str, str], float]:
    """Return each sample by its name and the value of its label."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {(one.name, "".join(one.labels.values())): one.value for family in families for one in family.samples}


def test_a_server_tells_its_metrics() -> None:
    log = FarLog()
    with (
        metrics_served("127.0.0.1", 0) as (port, registry),
        served(log=log) as broker,
        client_of(broker) as client,
    ):
        registry.register(BrokerMetrics(broker, log))
        before = read(port)
        seated(client)
        with pytest.raises(RequestFailed):
            client.state(MatchId("nowhere"), PUBLIC)
        broker.counts.heard([1_000, 9_000], 4_000)
        after = read(port)

    assert before["wardiary_commits_total", ""] == 0
    assert after["wardiary_commits_total", ""] == broker.counts.commits > 0
    assert after["wardiary_requests_total", ""] >= after["wardiary_commits_total", ""]
    assert after["wardiary_failed_total", "unknown_match"] == 1
    assert (after["wardiary_followed_seconds_count", ""], after["wardiary_followed_seconds_sum", ""]) == (2, 3)
    assert after["wardiary_connections", "requests"] == 1
    assert after["wardiary_store_connections_total", ""] == 3
    assert after["process_open_fds", ""] > 0


def test_a_file_is_not_connected_to_anything() -> None:
    assert not isinstance(MemoryLog(), RemoteLog)


def test_a_port_that_is_taken_is_told() -> None:
    with (
        metrics_served("127.0.0.1", 0) as (port, _),
        pytest.raises(PortUnavailable, match=f"cannot listen at 127.0.0.1:{port}: "),
        metrics_served("127.0.0.1", port),
    ):
        raise AssertionError("two servers listen at one port")
