"""The match commands of players and of the arbiter's pen: seats, the beginning, resigning, notes, rulings, taking back."""

from core.engine.command import MatchOwnCommand
from events.ids import MatchId, RuleId, Seat
from events.vocabulary import Effect


class TakeSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:take-seat"):
    """Take the seat.

    Without a `name` the player has that of the invitation. `credential` proves the player's identity; `invitation` is the SHA-256 of the secret that
    opens a reserved seat. `anchor`, `length` and `holder` publish a chain of links for sealed dice; see `SeatSecured`. `public_key` and `key_holder` register
    the key that signs the seat's commands, this one included; see `KeyRegistered`.
    """

    seat: Seat
    name: str = ""
    credential: str = ""
    invitation: str = ""
    anchor: str = ""
    length: int = 0
    holder: str = ""
    public_key: str = ""
    key_holder: str = ""


class RegisterKey(MatchOwnCommand, frozen=True, kw_only=True, tag="match:register-key"):
    """Register the public key (hex) that signs the seat's commands from then on, which `key_holder` keeps; see `KeyRegistered`.

    The seat signs it with the key that it has, or, if it has none or `is_lost`, with the new one. After a loss its standing answers are withdrawn.
    """

    public_key: str
    key_holder: str = ""
    is_lost: bool = False


class LeaveSeat(MatchOwnCommand, frozen=True, tag="match:leave-seat"):
    """Leave the seat; the match waits for another player."""


class Begin(MatchOwnCommand, frozen=True, tag="match:begin"):
    """Begin a match whose seats are all taken. Only matches with manual dice need it; others begin by themselves."""


class Resign(MatchOwnCommand, frozen=True, tag="match:resign"):
    """Resign the match; before play has begun, call it off: it ends without a winner."""


class AddNote(MatchOwnCommand, frozen=True, kw_only=True, tag="match:note"):
    """Write a note, for all seats or, if `private`, for one's own; with `at` on an earlier event, in the seat's numbers."""

    text: str
    private: bool = False
    at: int | None = None


class MakeRuling(MatchOwnCommand, frozen=True, kw_only=True, tag="match:ruling"):
    """Record the arbiter's decision on a disputed point: `about` a rule, or with `at` on an earlier event; see `RulingMade`.

    Of a dispute the `effect` is required. With `go-on` and `edit` the match ends, and goes on as `line`.
    """

    text: str
    about: RuleId | None = None
    at: int | None = None
    cites: tuple[RuleId, ...] = ()
    effect: Effect = ""
    line: MatchId = MatchId("")
    reverses: bool = False
    house: str = ""


class Undo(MatchOwnCommand, frozen=True, kw_only=True, tag="match:undo"):
    """Take back the seat's last command, with those of its order, or all after event `to` in the seat's numbers, if nothing was learned since."""

    to: int | None = None
