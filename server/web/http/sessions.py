"""Sessions of visitors who have proved a seat: bounded, forgotten after a while, and kept in a file if the pages have one."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256

from events.ids import MatchId, Seat
from server.protocol.clock import Clock
from server.web.http.session_file import KeptSeat, KeptSession, SessionFile

IDLE_MS = 28 * 24 * 3_600_000
"""A session that was not used for so long (milliseconds) is forgotten."""
NOTED_MS = 3_600_000
"""After how long the file is told again that a session is used (milliseconds)."""
RETRY_MS = 60_000
"""After how long that is tried again if the file could not be written (milliseconds)."""
SESSIONS_MAX = 10_000
"""Beyond so many sessions in memory the one that was used longest ago is left to the file."""
SEATS_MAX = 100
"""How many seats a session holds; beyond them the one that was proved first is forgotten."""
ID_MAX = 100
"""No id of a session is longer."""


class Session:
    """Seats and capabilities that a visitor has proved.

    Attributes:
        secrets: The secrets of seats, by match and seat.
        used_ms: When it was used last (milliseconds since 1970).
        noted_ms: When the file was told last that it is used.
        earlier: The id that the browser had before, until it shows the new one; empty afterwards.
    """

    __slots__ = ("earlier", "noted_ms", "secrets", "used_ms")

    def __init__(self) -> None:
        self.secrets: OrderedDict[tuple[MatchId, Seat], str] = OrderedDict()
        self.used_ms = 0
        self.noted_ms = 0
        self.earlier = ""


class Sessions:
    """All sessions, by the random id in the visitor's cookie.

    Args:
        clock: Measures how long sessions are not used.
        file: Keeps them when the pages end; None for memory only.
        sessions_max: How many are in memory.
    """

    def __init__(self, clock: Clock, file: SessionFile | None = None, sessions_max: int = SESSIONS_MAX) -> None:
        self._clock = clock
        self._file = file
        self._sessions_max = sessions_max
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._key = secrets.token_bytes(32)

    def __len__(self) -> int:
        """Return the number of sessions in memory."""
        return len(self._sessions)

    def secrets(self, id_: str) -> Mapping[tuple[MatchId, Seat], str]:
        """Return the secrets that a visitor has proved; none for an id without a session."""
        session = self._found(id_)
        return {} if session is None else session.secrets

    def prove(self, id_: str, match: MatchId, seat: Seat, secret: str) -> str:
        """Keep a secret that proves a seat.

        Returns:
            The id of the session from now on. It is a new one, so that an id that was planted in a visitor's browser proves nothing more. The old
            one proves what it did until the new one is shown: an answer that does not arrive costs no seat.
        """
        before = self._found(id_)
        session = Session()
        if before is not None:
            session.secrets.update(before.secrets)
            session.earlier = id_
        new = new_id()
        self._keep(new, session, match, seat, secret)
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
        self._keep(id_, session, match, seat, secret)
        return id_

    def _keep(self, id_: str, session: Session, match: MatchId, seat: Seat, secret: str) -> None:
        session.secrets[match, seat] = secret
        session.secrets.move_to_end((match, seat))
        while len(session.secrets) > SEATS_MAX:
            session.secrets.popitem(last=False)
        session.used_ms = self._clock.now_ms()
        self._remember(id_, session)
        self._note(id_, session)

    def forget(self, id_: str, match: MatchId, seat: Seat) -> None:
        """Forget the secret of a seat, and the session with its last one."""
        session = self._found(id_)
        if session is not None and session.secrets.pop((match, seat), None) is not None:
            if session.secrets:
                self._note(id_, session)
            else:
                self.forget_all(id_)

    def forget_all(self, id_: str) -> None:
        """Forget a session with all its seats."""
        session = self._found(id_)
        if session is not None:
            self._delete(id_)

    def _found(self, id_: str) -> Session | None:
        """Return the session with an id, which is used by that; None if there is none."""
        now = self._clock.now_ms()
        while self._sessions:
            oldest, first = next(iter(self._sessions.items()))
            if now - first.used_ms < IDLE_MS:
                break
            self._sessions.pop(oldest)
        if not id_ or len(id_) > ID_MAX:
            return None
        session = self._sessions.get(id_) or self._read(id_)
        if session is None or now - session.used_ms >= IDLE_MS:
            return None
        session.used_ms = now
        if session.earlier:
            # The browser has got the new id.
            self._delete(session.earlier)
            session.earlier, session.noted_ms = "", 0
        self._remember(id_, session)
        if now - session.noted_ms >= NOTED_MS:
            self._note(id_, session)
        return session

    def _remember(self, id_: str, session: Session) -> None:
        self._sessions[id_] = session
        self._sessions.move_to_end(id_)
        while len(self._sessions) > self._sessions_max:
            self._sessions.popitem(last=False)

    def _delete(self, id_: str) -> None:
        self._sessions.pop(id_, None)
        if self._file is not None:
            self._file.delete(id_)

    def _read(self, id_: str) -> Session | None:
        found = self._file.read(id_) if self._file is not None else None
        if found is None:
            return None
        session = Session()
        session.secrets.update({(one.match, one.seat): one.secret for one in found.session.seats})
        session.used_ms = session.noted_ms = found.used_ms
        session.earlier = found.session.earlier
        return session

    def _note(self, id_: str, session: Session) -> None:
        """Let the file hold a session as it is; if it cannot, that is tried again when the session is next noted."""
        if self._file is None:
            return
        kept = KeptSession(
            tuple(KeptSeat(*place, secret) for place, secret in session.secrets.items()), session.earlier
        )
        is_kept = self._file.write(id_, kept, session.used_ms, forget_up_to_ms=session.used_ms - IDLE_MS)
        session.noted_ms = session.used_ms - (0 if is_kept else NOTED_MS - RETRY_MS)

    # Forms

    def form_token(self, id_: str) -> str:
        """Return what proves that a form was made for the visitor with this id, also before the pages were started again."""
        return hmac.new(id_.encode(), b"a form of these pages", sha256).hexdigest()

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
