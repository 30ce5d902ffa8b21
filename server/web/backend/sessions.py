"""Sessions of visitors who have proved a seat: kept in memory only, bounded, and forgotten after a while."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256

from events.ids import MatchId, Seat
from server.protocol.clock import Clock

IDLE_S = 12 * 3600.0
"""A session that was not used for so long (seconds) is forgotten."""
SESSIONS_MAX = 10_000
"""Beyond so many sessions the one that was used longest ago is forgotten."""
SEATS_MAX = 100
"""How many seats a session holds; beyond them the one that was proved first is forgotten."""


class Session:
    """Seats and capabilities that a visitor has proved.

    Attributes:
        secrets: The secrets of seats, by match and seat.
        used: When it was used last (monotonic seconds).
    """

    __slots__ = ("secrets", "used")

    def __init__(self, used: float) -> None:
        self.secrets: OrderedDict[tuple[MatchId, Seat], str] = OrderedDict()
        self.used = used


class Sessions:
    """All sessions, by the random id in the visitor's cookie.

    Args:
        clock: Measures how long sessions are not used.
    """

    def __init__(self, clock: Clock, sessions_max: int = SESSIONS_MAX) -> None:
        self._clock = clock
        self._sessions_max = sessions_max
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._key = secrets.token_bytes(32)

    def __len__(self) -> int:
        """Return the number of sessions that are kept."""
        return len(self._sessions)

    def secrets(self, id_: str) -> Mapping[tuple[MatchId, Seat], str]:
        """Return the secrets that a visitor has proved; none for an id without a session."""
        session = self._found(id_)
        return {} if session is None else session.secrets

    def prove(self, id_: str, match: MatchId, seat: Seat, secret: str) -> str:
        """Keep a secret that proves a seat.

        Returns:
            The id of the session from now on. It is a new one, so that an id that was planted in a visitor's browser proves nothing.
        """
        session = self._found(id_) or Session(0.0)
        self._sessions.pop(id_, None)
        new = new_id()
        self._sessions[new] = session
        self._keep(session, match, seat, secret)
        return new

    def seat(self, id_: str, match: MatchId, seat: Seat, secret: str) -> str:
        """Keep the secret of a seat of a fork that was taken for a visitor.

        Such a line shows no more than what the session has proved already, so that its id stays: a form that is sent twice finds its session.

        Returns:
            The id of the session from now on, a new one if there was none.
        """
        session = self._found(id_)
        if session is None:
            return self.prove(id_, match, seat, secret)
        self._keep(session, match, seat, secret)
        return id_

    def _keep(self, session: Session, match: MatchId, seat: Seat, secret: str) -> None:
        session.secrets[match, seat] = secret
        session.secrets.move_to_end((match, seat))
        while len(session.secrets) > SEATS_MAX:
            session.secrets.popitem(last=False)
        session.used = self._clock.monotonic()
        while len(self._sessions) > self._sessions_max:
            self._sessions.popitem(last=False)

    def forget(self, id_: str, match: MatchId, seat: Seat) -> None:
        """Forget the secret of a seat, and the session with its last one."""
        session = self._found(id_)
        if session is not None:
            session.secrets.pop((match, seat), None)
            if not session.secrets:
                del self._sessions[id_]

    def _found(self, id_: str) -> Session | None:
        now = self._clock.monotonic()
        while self._sessions:
            oldest, first = next(iter(self._sessions.items()))
            if now - first.used < IDLE_S:
                break
            del self._sessions[oldest]
        session = self._sessions.get(id_)
        if session is not None:
            session.used = now
            self._sessions.move_to_end(id_)
        return session

    # Forms

    def form_token(self, id_: str) -> str:
        """Return what proves that a form was made for the visitor with this id."""
        return hmac.new(self._key, id_.encode(), sha256).hexdigest()

    def derived(self, id_: str, *parts: str | int) -> str:
        """Return 64 hexadecimal digits that only these pages can know, the same ones for the same visitor and parts."""
        said = "\n".join(map(str, (id_, *parts)))
        return hmac.new(self._key, said.encode(), sha256).hexdigest()

    def is_own_form(self, id_: str, token: str) -> bool:
        """Return whether a form was made for the visitor with this id; never if there is no id."""
        return bool(id_) and hmac.compare_digest(self.form_token(id_).encode(), token.encode())


def new_id() -> str:
    """Return an id for the cookie of a visitor who has none yet."""
    return secrets.token_urlsafe(24)
