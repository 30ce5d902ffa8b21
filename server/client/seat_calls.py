"""The seats of a client, and what it does for dice that depend on links: it keeps the chains of its seats, and opens the links that are called for or owed.

A link is sent only if the events that the seat was shown, and that its next signature names, call for it: a table that shows more could be a lie, by which a server
would gather links and foresee dice. One that is owed since dice fell is sent when the player decides, and not before: who has it while another seat rolls could let it count for
those dice or not. It is sent again with the same bytes until it has an outcome, also by another process that knows the tip of the chain.
"""

from contextlib import suppress
from typing import TypeVar

from typing_extensions import override

from core.chance.links import LENGTH, LinkChain, tip_of
from core.engine.command import MATCH_TAGS
from core.match.command_keys import link_key
from core.match.player_commands import Begin
from core.match.signatures import MUST_BE_SIGNED, MUST_FIT
from events.codec import Raw, decode_plain, encode, replace
from events.errors import BrokenEvidence
from events.ids import ARBITER, MatchId, Seat
from events.vocabulary import ChanceCalled
from projections.state.links import Links
from projections.state.seating import BEGIN, part_of
from projections.state.table import Table
from server.client.calls import Call, ClientCall, asked
from server.client.checked_events import Shown
from server.client.signed_calls import SignedCalls
from server.protocol.errors import AnchorsUnanswered, RequestFailed
from server.protocol.identity import Identity, credential
from server.protocol.replies import LegalReply, PlayedReply, StateReply, TakenReply
from server.protocol.wire import (
    BeginRequest,
    CommandRequest,
    LegalRequest,
    PlayRequest,
    RedoRequest,
    StateRequest,
    TakeRequest,
)

SeenReply = TypeVar("SeenReply", StateReply, LegalReply)

ANCHORS_MAX = 3
"""How many chains of one other seat are answered: a player may lose one, and be replaced."""

PARTS_MAX = 8
"""How often a client looks what is due before it leaves the rest for later."""

MOVED_ON = frozenset(
    (
        "link_must_be_due",
        "link_must_be_opened",
        "link_must_follow",
        "anchor_must_be_answered",
        "match_must_not_have_begun",
        "match_must_not_be_paused",
        "match_must_be_running",
        "seats_must_be_taken",
        "rules_must_be_adopted",
        MUST_BE_SIGNED,
        MUST_FIT,
    )
)
"""The refusals of a link, or of the beginning, which mean that another program was quicker or that it has to wait."""


class SeatCalls(SignedCalls):
    """The calls of a client that take seats and open links, and the chains of its seats.

    Args:
        identity: Generates keys, secrets and chains of links.
        owner: The secret of the store's owner, for the arbiter's seat.

    Attributes:
        anchors_max: How many chains of one other seat this client answers in a match: with the operator, each is another try at the next roll. A player who
            knows why there are more raises it.
    """

    def __init__(self, identity: Identity, owner: str = "") -> None:
        super().__init__(identity, owner)
        self.anchors_max = ANCHORS_MAX
        self._chains: dict[tuple[MatchId, Seat], LinkChain] = {}
        # The seats for which whatever a table shows to be due is done.
        self._tended: dict[MatchId, set[Seat]] = {}

    def tend(self, match: MatchId, seat: Seat) -> None:
        """Do from now on what is due of a seat for the dice, whenever the table that a call reads shows it; no request is made to find out."""
        self._tended.setdefault(match, set()).add(seat)

    def add_chain(self, match: MatchId, seat: Seat, tip: str) -> None:
        """Add the chain of a seat by its tip (hex), which never leaves this client; one that is known already is kept as it is."""
        known = self._chains.get((match, seat))
        if known is None or known.tip != tip:
            self._chains[match, seat] = LinkChain(bytes.fromhex(tip))

    @override
    def forget(self, match: MatchId, seat: Seat) -> None:
        """Forget the secrets and the chain of a seat, which the caller can add again."""
        super().forget(match, seat)
        self._chains.pop((match, seat), None)
        self._tended.get(match, set()).discard(seat)

    def has_chain(self, match: MatchId, seat: Seat) -> bool:
        """Return whether this client may hold the chain of a seat."""
        return (match, seat) in self._chains or (self.links_key is not None and (match, seat) in self._tokens)

    def _chain(self, match: MatchId, seat: Seat) -> LinkChain:
        """Return the chain of a seat, which is made when it is needed first."""
        if (match, seat) not in self._chains:
            self._chains[match, seat] = self._derived(match, seat, self._tokens[match, seat])
        return self._chains[match, seat]

    def _derived(self, match: MatchId, seat: Seat, secret: str) -> LinkChain:
        """Return the chain that follows from the secret of a seat."""
        assert self.links_key is not None, "chains follow from a key that processes share"
        return LinkChain(tip_of(self.links_key(), f"{match}|{seat}|{credential(secret)}"))

    @ClientCall
    def take_seat(
        self,
        match: MatchId,
        seat: Seat,
        name: str = "",
        *,
        share: bool = True,
        sign: bool | None = None,
        secret: str = "",
        invitation: str = "",
        tip: str = "",
    ) -> Call[TakenReply]:
        """Take a seat with a secret, which is kept for later calls and returned.

        Args:
            match: The match.
            seat: A free seat of it, or the arbiter's.
            name: The name of the player.
            share: Whether to publish a chain of links if the dice are sealed, so that the server alone can neither choose nor foresee them.
            sign: Whether to register a key and sign whatever the seat sends, so that nobody else can act for it; by default if `share`.
            secret: A secret that the caller has kept already; by default a new one.
            invitation: The secret of the invitation to a reserved seat; for the arbiter's also a capability for all matches.
            tip: The tip of a chain of links (hex) that the caller has kept already. Without one the chain follows from `links_key`, or is a new one if the
                caller keeps no secret either: then this client alone plays the seat.

        Raises:
            BrokenEvidence: The server did not publish the chain or the key that it was sent.
        """
        is_own = not secret
        secret = secret or self._identity.token()
        request = TakeRequest(
            match=match, seat=seat, name=name, secret=secret, invitation=invitation, key=self._identity.key()
        )
        for known in (self._chains, self._signers):
            known.pop((match, seat), None)
        chain, may_keep = None, seat != ARBITER and (self.links_key is not None or is_own)
        if share and seat != ARBITER and (tip or may_keep):
            if tip or self.links_key is None:
                chain = LinkChain(bytes.fromhex(tip or self._identity.seed()))
            else:
                chain = self._derived(match, seat, secret)
            request = replace(request, anchor=chain.anchor, length=LENGTH, holder=self.holder)
        # Who has kept a tip keeps no key here, so that another process could not go on.
        may_sign = may_keep and not (tip and self.links_key is None) and (share if sign is None else sign)
        signer = self._new_signer(match, seat, secret) if may_sign else None
        try:
            reply = yield from asked((yield from self._signed_take(request, signer)), TakenReply)
        except RequestFailed as error:
            # Whatever else is said against an anchor: a server that wants to foresee the seat's dice could say it, too.
            if not (request.anchor and error.reply.refusal == "dice_must_have_links"):
                raise
            chain = None
            request = replace(request, anchor="", length=0, holder="", key=self._identity.key())
            reply = yield from asked((yield from self._signed_take(request, signer)), TakenReply)
        self.add_token(match, seat, reply.token)
        if signer is not None:
            self.add_signer(match, seat, signer)
        if chain is not None:
            self._chains[match, seat] = chain
            self.tend(match, seat)
        if chain is not None or signer is not None:
            table = yield from self._published(match, seat)
            if chain is not None:
                yield from self._do_part(match, seat, table)
        return reply

    def _published(self, match: MatchId, seat: Seat) -> Call[Table]:
        """Return the table on which a server has published the chain and the key that it was sent: with others it would foresee dice, or act for the seat.

        Raises:
            BrokenEvidence: It has not.
        """
        state = yield from asked(StateRequest(match=match, seat=seat, token=self.token(match, seat)), StateReply)
        self._heed_keys(match, state.table)
        if (match, seat) in self._signers and (match, seat) not in self._signing:
            self._signers.pop((match, seat))
            raise BrokenEvidence(
                match,
                state.seq,
                f"the server did not register the key that was sent for the seat {seat}: it could act for it",
            )
        if (match, seat) in self._chains and not self._fits(state.table.links, match, seat):
            self._chains.pop((match, seat))
            raise BrokenEvidence(
                match,
                state.seq,
                f"the server did not publish the chain of links that was sent for the seat {seat}: it could foresee its dice",
            )
        return state.table

    @ClientCall
    def do_part(
        self, match: MatchId, seat: Seat, table: Table | None = None, *, decides: bool = False
    ) -> Call[list[PlayedReply]]:
        """Open the links of a seat that are called for or due for an anchor, and begin a match whose seats are all taken; do nothing without its chain.

        Args:
            match: The match.
            seat: The seat.
            table: The table as the seat sees it, if the caller knows it.
            decides: Whether to open what the seat owes before it decides, too, though no decision is sent yet: for chains that are the operator's anyway.

        Returns:
            The replies, in order.
        """
        return (yield from self._do_part(match, seat, table, decides=decides))

    def _do_part(
        self, match: MatchId, seat: Seat, table: Table | None = None, *, decides: bool = False
    ) -> Call[list[PlayedReply]]:
        done: list[PlayedReply] = []
        if not self.has_chain(match, seat):
            return done
        for _ in range(PARTS_MAX):
            if table is None:
                state = yield from asked(
                    StateRequest(match=match, seat=seat, token=self.token(match, seat)), StateReply
                )
                table = state.table
            part = part_of(table, seat, decides=decides)
            if not part or not self._fits(table.links, match, seat):
                break
            try:
                step = self._begin(match, seat) if part == BEGIN else self._open_next(match, seat, decides=decides)
                reply = yield from step
            except RequestFailed as error:
                if error.reply.refusal not in MOVED_ON:
                    raise
                break
            if reply is None:
                break
            done.append(reply)
            table = None
        return done

    def _check_anchors(self, links: Links, seat: Seat) -> None:
        """Check that no link is opened for yet another chain of a seat. What pages and the server's bots hold is the operator's anyway.

        Raises:
            AnchorsUnanswered: A seat has published too many.
        """
        for one in () if self.holder else links.chains[seat].unanswered:
            if one != seat and links.anchors(one) > self.anchors_max:
                raise AnchorsUnanswered(
                    f"the seat {one} has published {links.anchors(one)} chains of links: with the operator, its player can choose among rolls. Ask why; "
                    f"who accepts it sets WARDIARY_ANCHORS={links.anchors(one)}"
                )

    def _fits(self, links: Links | None, match: MatchId, seat: Seat) -> bool:
        """Return whether the chain of this client is the one that a seat published; another program of the player may hold it."""
        chain = None if links is None else links.held(seat)
        own = self._chain(match, seat)
        return chain is not None and chain.opened < own.length and own.link(chain.opened).hex() == chain.link

    def _begin(self, match: MatchId, seat: Seat) -> Call[PlayedReply]:
        request = BeginRequest(match=match, seat=seat, token=self.token(match, seat), key=self._identity.key())
        return (yield from self._send(request, [encode(Begin())]))

    def _open_next(self, match: MatchId, seat: Seat, *, decides: bool = False) -> Call[PlayedReply | None]:
        """Open the next link of a seat, if the events that it was shown call for it, or if it owes one and decides; None if they do not.

        Raises:
            AnchorsUnanswered: A seat has published too many anchors.
        """
        links = self._shown.get((match, seat), Shown()).opened
        if not _is_due(links, seat, decides=decides):
            links = (yield from self._read_on(match, seat, self.token(match, seat))).opened
        if links is None or not _is_due(links, seat, decides=decides) or not self._fits(links, match, seat):
            return None
        self._check_anchors(links, seat)
        return (yield from self._open_link(match, seat, links.chains[seat].opened))

    def _open_link(self, match: MatchId, seat: Seat, opened: int) -> Call[PlayedReply]:
        """Open the link of a seat that follows so many."""
        share = self._chain(match, seat).link(opened + 1).hex()
        request = PlayRequest(
            match=match,
            seat=seat,
            token=self.token(match, seat),
            command=Raw(encode({"do": "match:open-link", "share": share})),
            key=link_key(share),
        )
        reply = yield from asked(request, PlayedReply)
        self._show(match, seat, reply.slices)
        return reply

    def _open_called(self, match: MatchId, seat: Seat) -> Call[list[PlayedReply]]:
        """Open the link that a command has just called for; most often nothing has to be asked for it."""
        links = self._shown.get((match, seat), Shown()).opened
        opened = (yield from self._paid(match, seat)) if _is_due(links, seat, decides=False) else []
        return opened or (yield from self._do_part(match, seat))

    def _paid(self, match: MatchId, seat: Seat) -> Call[list[PlayedReply]]:
        """Open the next link of a seat for a command that it sends; return no reply if another program was quicker, or another seat is to decide."""
        try:
            reply = yield from self._open_next(match, seat, decides=True)
        except RequestFailed as error:
            if error.reply.refusal not in MOVED_ON:
                raise
            return []
        return [] if reply is None else [reply]

    def _tended_table(self, request: StateRequest | LegalRequest, reply_type: type[SeenReply]) -> Call[SeenReply]:
        """Read a table; if it shows that something is due of a seat that is tended, do that and read the table again.

        Who asks for options alone has them once the link that the seat owes is open.
        """
        reply = yield from asked(request, reply_type)
        match reply:
            case LegalReply(table=None, link_due=request.seat):
                opened = yield from self._do_part(request.match, request.seat)
                return (yield from asked(request, reply_type)) if opened else reply
            case _:
                pass
        if reply.table is not None:
            self._heed_keys(request.match, reply.table)
        if request.at is not None or reply.table is None:
            return reply
        done: list[PlayedReply] = []
        for seat in sorted(self._tended.get(request.match, ())):
            if part_of(reply.table, seat):
                # A secret that proves nothing is told by the call that needs it.
                with suppress(RequestFailed, AnchorsUnanswered):
                    done += yield from self._do_part(request.match, seat, None if done else reply.table)
        return (yield from asked(request, reply_type)) if done else reply

    def sent(self, request: CommandRequest, *commands: bytes) -> Call[PlayedReply]:
        """Send a command of a seat, signed if the seat signs, with the links that are due before it and those that it calls for.

        Every call of a command sends it so; `asked` is for requests that are no commands.

        Args:
            request: The request; without a key it gets a new one.
            commands: The commands (JSON) for which the server plays it, which are signed; a `PlayRequest` holds them itself, and of what is put back the server names them.
        """
        match, seat = request.match, request.seat
        request = request if request.key else replace(request, key=self._identity.key())
        shown = self._shown.get((match, seat), Shown())
        is_up_to_date = request.expected in (None, shown.number) and _is_decision(request)
        if is_up_to_date and _is_due(shown.opened, seat, decides=True) and self.has_chain(match, seat):
            # What this client was shown calls for a link: the server need not ask for it.
            request = _after(request, (yield from self._paid(match, seat)))
        try:
            reply = yield from self._send(request, commands)
        except RequestFailed as error:
            if error.reply.refusal != "link_must_be_opened" or not self.has_chain(match, seat):
                raise
            paid = yield from self._do_part(match, seat, decides=_is_decision(request))
            if not paid:
                raise
            reply = yield from self._send(_after(request, paid), commands)
        if not (self.has_chain(match, seat) and is_called(reply, seat)):
            return reply
        opened = yield from self._open_called(match, seat)
        slices = [slice_ for one in (reply, *opened) for slice_ in one.slices]
        return PlayedReply(
            id=reply.id,
            match=match,
            seq=max(one.seq for one in (reply, *opened)),
            slices=tuple(slices),
            repeated=reply.repeated,
            left=reply.left,
        )


def _is_due(links: Links | None, seat: Seat, *, decides: bool) -> bool:
    """Return whether a seat opens its next link, as links show that were shown to it."""
    return links is not None and (links.is_wanted(seat) or (decides and links.is_payable(seat, seat)))


def _is_decision(request: CommandRequest) -> bool:
    """Return whether a request is a decision of the game: a server that asks for a link before another command is not to be believed."""
    plain = decode_plain(bytes(request.command)) if isinstance(request, PlayRequest) else None
    is_own = isinstance(plain, dict) and str(plain.get("do", "")).startswith(MATCH_TAGS)
    return isinstance(request, PlayRequest | BeginRequest | RedoRequest) and not is_own


def is_called(reply: PlayedReply, seat: Seat) -> bool:
    """Return whether a command of a seat called for chance."""
    return any(
        isinstance(event, ChanceCalled) and event.seat == seat for slice_ in reply.slices for event in slice_.events
    )


def _after(request: CommandRequest, paid: list[PlayedReply]) -> CommandRequest:
    """Return a command that expects the seat's own links as well, if nothing else has happened since."""
    expected = request.expected
    if expected is None or not paid or paid[-1].seq != expected + len(paid):
        return request
    return replace(request, expected=paid[-1].seq)
