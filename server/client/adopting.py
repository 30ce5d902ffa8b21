"""A match that does not go on as it is: it stands still until the installed rules are adopted, or goes on as another one by a ruling."""

from contextlib import suppress

from core.match.arbiter_commands import ReserveSeat
from core.match.arbitration.disputes import OpenDispute
from core.match.player_commands import MakeRuling
from core.match.ruleset import AdoptRules, may_adopt, under_other_rules
from events.codec import Raw, Struct, encode
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.catalogue import InstalledRules
from projections.state.table import Table
from server.client.calls import Call, ClientCall, asked, command_json
from server.client.seat_calls import SeatCalls
from server.protocol.bot_seats import policy_of
from server.protocol.errors import RequestFailed
from server.protocol.replies import BotReply, LegalOption, PlayedReply, StateReply
from server.protocol.wire import BotRequest, PlayRequest, StateRequest


def standstill(table: Table, installed: InstalledRules) -> str:
    """Return why a match stands still, in a sentence."""
    return f"{under_other_rules(table, installed.edition, installed.rules)}: nothing is decided here until these are adopted."


def adoption(table: Table, seat: Seat, installed: InstalledRules) -> LegalOption | None:
    """Return the command by which a seat adopts the installed rules, or None if it does not decide that.

    It is not an option of a decision, so that no bot ever chooses it: only a person is asked.
    """
    if not may_adopt(table, seat):
        return None
    words = f"Adopt the installed rules, edition {installed.edition}, and go on; everybody sees it"
    return LegalOption(1, Raw(encode(AdoptRules(rules=installed.rules))), words)


class HandedOver(Struct, frozen=True):
    """The seats of a match as which another one goes on: `kept` for the players who had them, each opened by the secret of the seat before, and those that `bots` have taken again.

    `problem` says why seats are not handed over; empty if all are that were taken.
    """

    kept: tuple[Seat, ...] = ()
    bots: tuple[Seat, ...] = ()
    problem: str = ""


class RulingCalls(SeatCalls):
    """The calls of a client whose match goes on as another one."""

    @ClientCall
    def hand_over(self, match: MatchId, line: MatchId) -> Call[HandedOver]:
        """Let the players of a match have their seats in the one as which it goes on, as its arbiter.

        A player sits down with the secret of the seat before, as with an invitation; bots of the server sit down at once.
        """
        then, now = (yield from self._seen(match, PUBLIC)), (yield from self._seen(line, PUBLIC))
        # A fork from before play began leaves the seats as they were.
        kept = [
            one for one in now.seats if one in now.players and now.credentials.get(one) == then.credentials.get(one, "")
        ]
        bots: list[Seat] = []
        try:
            for seat in [one for one in now.seats if one in then.players and one not in now.players]:
                # Only the server knows whether it is its own bot, or a person who is called so.
                if policy_of(then.players[seat]):
                    if seat in now.reserved:
                        yield from self._by_arbiter(line, ReserveSeat(seat=seat))
                    with suppress(RequestFailed):
                        request = BotRequest(match=line, seat=seat, of=match, key=self._identity.key())
                        yield from asked(request, BotReply)
                        bots.append(seat)
                        continue
                if then.credentials.get(seat):
                    name, secret = then.players[seat], then.credentials[seat]
                    yield from self._by_arbiter(line, ReserveSeat(seat=seat, name=name, credential=secret))
                    kept.append(seat)
        except RequestFailed as error:
            return HandedOver(tuple(kept), tuple(bots), str(error))
        return HandedOver(tuple(kept), tuple(bots))

    @ClientCall
    def rule_on_line(self, match: MatchId, line: MatchId, text: str) -> Call[bool]:
        """Let a match that is the line of a reversed ruling go on as the line of the new one, as its arbiter; return whether it was running and does."""
        table = yield from self._seen(match, ARBITER)
        if table.ended is not None:
            return False
        try:
            yield from self._by_arbiter(match, OpenDispute(at=table.seq, text=text))
            yield from self._by_arbiter(match, MakeRuling(text=text, at=table.seq, effect="go-on", line=line))
        except RequestFailed:
            return False
        return True

    def _seen(self, match: MatchId, seat: Seat) -> Call[Table]:
        reply = yield from asked(StateRequest(match=match, seat=seat, token=self.token(match, seat)), StateReply)
        return reply.table

    def _by_arbiter(self, match: MatchId, command: ReserveSeat | OpenDispute | MakeRuling) -> Call[PlayedReply]:
        token = self.token(match, ARBITER)
        return (
            yield from self.sent(PlayRequest(match=match, seat=ARBITER, token=token, command=command_json(command)))
        )
