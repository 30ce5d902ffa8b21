"""Rows about spectators: fan-out to many subscribers at full speed, and the server's CPU for a single delivery."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import zmq

from tests.bench import children, our_server, sinks
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
    closing.callback(publisher.close, linger=0)
    publisher.sndhwm = 0
    publisher.xpub_verbose = 1
    publisher.backlog = 2_048
    return publisher, publisher.bind_to_random_port("tcp://127.0.0.1")


def await_subscribers(publisher: zmq.Socket[bytes], count: int) -> None:
    """Wait until this number of subscriptions has arrived.

    Raises:
        TimeoutError: They did not arrive in time.
    """
    for _ in range(count):
        if not publisher.poll(20_000):
            raise TimeoutError("the subscribers of the fan-out rows did not connect")
        publisher.recv()


def bare(subscribers: int, closing: ExitStack) -> "Feed":
    """Connect sinks to a bare XPUB. A message is a single frame, the cheapest message that an XPUB can send."""
    publisher, port = bare_publisher(closing)
    sinking = closing.enter_context(children.child(sinks.run, port, [TOPIC] * subscribers, sinks.MARK))
    await_subscribers(publisher, subscribers)
    sinking.pipe.recv()
    return Feed(lambda text: publisher.send(TOPIC + text.encode()), sinking, MESSAGE_BYTES - len(TOPIC))


def ours(subscribers: int, closing: ExitStack) -> "Feed":
    """Connect sinks to our publisher, which publishes a commit of one note each time."""
    publisher, port = bare_publisher(closing)
    publishing = our_server.OurPublisher(publisher)
    closing.callback(publishing.close)
    topics = [publishing.topic] * subscribers
    sinking = closing.enter_context(children.child(sinks.run, port, topics, sinks.MARK + our_server.BEHIND_TEXT))
    publishing.await_followers(subscribers)
    sinking.pipe.recv()
    return Feed(publishing.publish, sinking, MESSAGE_BYTES - publishing.overhead)


@dataclass(frozen=True)
class Feed:
    """A publisher with its sinks.

    Attributes:
        publish: Sends a text to all of them.
        sinking: The sinks.
        text_bytes: How long the text of a message is, so that messages of all contestants are equally long.
    """

    publish: Callable[[str], None]
    sinking: children.Child
    text_bytes: int

    def texts(self) -> tuple[str, str]:
        """Return the text of all messages of a round except the last, and the text of the last one."""
        mark = sinks.MARK.decode()
        return "x" * self.text_bytes, "x" * (self.text_bytes - len(mark)) + mark


def flat_out(feed: Feed, subscribers: int, messages: int) -> Contestant:
    """Return a contestant that publishes as fast as possible until the last sink has the last message."""
    text, last = feed.texts()

    def play() -> Figures:
        feed.sinking.pipe.send("round")
        began = time.perf_counter()
        for _ in range(messages - 1):
            feed.publish(text)
        feed.publish(last)
        return {"rate": messages * subscribers / (feed.sinking.pipe.recv() - began)}

    return play


def paced(feed: Feed, subscribers: int, messages: int) -> Contestant:
    """Return a contestant that publishes single messages at long intervals, and measures its own CPU time."""
    text, last = feed.texts()

    def play() -> Figures:
        feed.sinking.pipe.send("round")
        cpu, due = time.process_time(), time.perf_counter()
        for number in range(messages):
            due += 1 / PACED_PER_S
            time.sleep(max(0.0, due - time.perf_counter()))
            feed.publish(last if number == messages - 1 else text)
        feed.sinking.pipe.recv()
        return {"cpu": (time.process_time() - cpu) / (messages * subscribers) * 1e6}

    return play


def fan_out(plan: Plan) -> list[Line]:
    """Measure deliveries per second for each number of subscribers."""
    lines = []
    for subscribers in plan.subscribers:
        messages = max(2, plan.deliveries // max(subscribers, 4))
        with ExitStack() as closing:
            samples = alternate(
                {
                    "ours": flat_out(ours(subscribers, closing), subscribers, messages),
                    "raw": flat_out(bare(subscribers, closing), subscribers, messages),
                },
                plan.runs,
            )
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
    """Measure the sender's CPU time for a delivery that is not batched with others."""
    subscribers = min(PACED_SUBSCRIBERS, plan.subscribers[-1])
    messages = max(2, int(PACED_PER_S * plan.slice_s * 2))
    with ExitStack() as closing:
        samples = alternate(
            {
                "ours": paced(ours(subscribers, closing), subscribers, messages),
                "raw": paced(bare(subscribers, closing), subscribers, messages),
            },
            plan.runs,
        )
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
