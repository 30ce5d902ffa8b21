"""State of the server's loop between two turns."""

from server.protocol.clock import Clock

LOOK_S = 0.25
"""How often the server looks at the connections (seconds)."""

NEWS_S = 0.1
"""How often it asks a store for what other processes have written to it (seconds); while there is news, in every turn."""


class LoopState:
    """State of the loop: when the next heartbeat, the next look at connections and the next question for news are due, whether more work waits, and whether the last poll was idle.

    `tidied` is how many requests there had been when garbage was last collected.
    """

    __slots__ = ("_clock", "_heartbeat_s", "has_more", "is_quiet", "next_heartbeat", "next_look", "next_news", "tidied")

    def __init__(self, clock: Clock, heartbeat_s: float) -> None:
        self._clock = clock
        self._heartbeat_s = heartbeat_s
        self.next_heartbeat = clock.monotonic() + heartbeat_s
        self.next_look = clock.monotonic()
        self.next_news = clock.monotonic()
        self.has_more = False
        self.is_quiet = True
        self.tidied = 0

    def wait_s(self, now: float, *, looks: bool, is_shared: bool) -> float:
        """Return how long it takes until something is due.

        Args:
            now: Monotonic seconds.
            looks: There are connections to look at.
            is_shared: Other processes may write to the store.
        """
        due_at = [self.next_heartbeat]
        if looks:
            due_at.append(self.next_look)
        if is_shared:
            due_at.append(self.next_news)
        return max(0.0, min(due_at) - now)

    def is_heartbeat_due(self) -> bool:
        """Return whether a heartbeat is due; if so, schedule the next one."""
        now = self._clock.monotonic()
        if now < self.next_heartbeat:
            return False
        self.next_heartbeat = now + self._heartbeat_s
        return True

    def is_look_due(self) -> bool:
        """Return whether it is time to look at the connections; if so, schedule the next look."""
        now = self._clock.monotonic()
        if now < self.next_look:
            return False
        self.next_look = now + LOOK_S
        return True

    def is_news_due(self) -> bool:
        """Return whether it is time to ask for news; if so, schedule the next time."""
        now = self._clock.monotonic()
        if now < self.next_news:
            return False
        self.next_news = now + NEWS_S
        return True
