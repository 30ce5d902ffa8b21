"""Rows about spectators: flat-out fan-out to many subscribers, and the server's CPU for a lone delivery."""

import time
from collections.abc import Callable
from contextlib import ExitStack

import zmq

from tests.bench import children, sinks
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure

MESSAGE_BYTES = 200
TOPIC = b"match-0001/public"
PACED_SUBSCRIBERS = 100
PACED_PER_S = 200


def bare_publisher(closing: ExitStack) -> tuple[zmq.Socket[bytes], int]:
    """Open an XPUB with no high-water mark; return it with its port."""
    context = zmq.Context()
    closing.callback(context.destroy, linger=0)
    publisher = context.socket(zmq.XPUB)
    publisher.sndhwm = 0
    publisher.xpub_verbose = 1
    publisher.backlog = 2_048
    return publisher, publisher.bind_to_random_port("tcp://127.0.0.1")


def await_subscribers(publisher: zmq.Socket[bytes], count: int) -> None:
    """Wait until so many subscriptions came in.

    Raises:
        TimeoutError: They did not come.
    """
    for _ in range(count):
        if not publisher.poll(20_000):
            raise TimeoutError("the subscribers of the fan-out rows did not connect")
        publisher.recv()


def bare(subscribers: int, closing: ExitStack) -> tuple[Callable[[bytes], None], children.Child]:
    """Connect sinks to a bare XPUB; return how to publish a message to all of them, and the sinks.

    A message is a single frame: the cheapest thing an XPUB can send.
    """
    publisher, port = bare_publisher(closing)
    sinking = closing.enter_context(children.child(sinks.run, port, [TOPIC] * subscribers))
    await_subscribers(publisher, subscribers)
    sinking.pipe.recv()
    return lambda message: publisher.send(TOPIC + message), sinking


def flat_out(publish: Callable[[bytes], None], sinking: children.Child, subscribers: int, messages: int) -> Contestant:
    """Make a contestant that publishes as fast as it can until the last sink has the last message."""
    message = bytes(MESSAGE_BYTES)

    def play() -> Figures:
        sinking.pipe.send("round")
        cpu, began = time.process_time(), time.perf_counter()
        for _ in range(messages - 1):
            publish(message)
        publish(message[len(sinks.MARK) :] + sinks.MARK)
        ended = sinking.pipe.recv()
        deliveries = messages * subscribers
        return {
            "rate": deliveries / (ended - began),
            "cpu": (time.process_time() - cpu) / deliveries * 1e6,
        }

    return play


def paced(publish: Callable[[bytes], None], sinking: children.Child, subscribers: int, messages: int) -> Contestant:
    """Make a contestant that publishes lone messages, each long after the one before, and counts its own CPU."""
    message = bytes(MESSAGE_BYTES)

    def play() -> Figures:
        sinking.pipe.send("round")
        cpu, due = time.process_time(), time.perf_counter()
        for number in range(messages):
            due += 1 / PACED_PER_S
            time.sleep(max(0.0, due - time.perf_counter()))
            last = number == messages - 1
            publish(message[len(sinks.MARK) :] + sinks.MARK if last else message)
        sinking.pipe.recv()
        return {"cpu": (time.process_time() - cpu) / (messages * subscribers) * 1e6}

    return play


def fan_out(plan: Plan) -> list[Line]:
    """Measure deliveries a second to each number of subscribers."""
    lines = []
    for subscribers in plan.subscribers:
        messages = max(2, plan.deliveries // max(subscribers, 4))
        with ExitStack() as closing:
            publish, sinking = bare(subscribers, closing)
            contestants: dict[str, Contestant | None] = {
                "ours": None,
                "raw": flat_out(publish, sinking, subscribers, messages),
            }
            samples = alternate(contestants, plan.runs)
        figure, spread = our_figure(samples, "rate")
        lines.append(
            Line(
                f"fan-out.{subscribers}",
                f"fan-out to {subscribers:,}, flat out",
                "deliveries/s",
                more_is_better=True,
                ours=figure,
                spread=spread,
                limit=anchor("bare XPUB", samples, "raw", "rate"),
                goals=(Goal("limit", 0.5, 0.8),) if subscribers == PACED_SUBSCRIBERS else (),
            )
        )
    return lines


def lone_delivery(plan: Plan) -> list[Line]:
    """Measure the sender's CPU for a delivery that does not ride with others."""
    subscribers = min(PACED_SUBSCRIBERS, plan.subscribers[-1])
    messages = max(2, int(PACED_PER_S * plan.slice_s * 2))
    with ExitStack() as closing:
        publish, sinking = bare(subscribers, closing)
        contestants: dict[str, Contestant | None] = {
            "ours": None,
            "raw": paced(publish, sinking, subscribers, messages),
        }
        samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "cpu")
    return [
        Line(
            "lone-delivery",
            f"server CPU a lone delivery, {subscribers} subscribers",
            "µs",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("bare XPUB", samples, "raw", "cpu"),
            goals=(Goal("limit", 1.5, 1.15),),
        )
    ]


ROWS = (
    Row("fan-out", "fan-out to spectators", fan_out),
    Row("lone-delivery", "server CPU of a lone delivery", lone_delivery),
)
