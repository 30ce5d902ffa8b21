"""A player who plays matches against bots of the servers for some seconds: `python -m tests.support.playing_on ADDRESSES KEY SECONDS`.

It has all addresses, as pages and bots have. What it saw is printed as JSON, and whether all servers tell the same at the end.
"""

import json
import sys
import time
from dataclasses import asdict, dataclass, field
from random import Random

from events.codec import Raw, encode
from events.ids import MatchId, Seat
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import connect

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
NOTE = Raw(b'{"do":"match:note","text":"still here"}')
POLICY = RetryPolicy(timeout_s=5.0, tries=10, pause_s=0.1, patience_s=40.0)
PAUSE_S = 0.05


@dataclass
class Seen:
    """What the player saw.

    Attributes:
        matches: The matches.
        moves: How often the player decided.
        notes: How many notes it wrote while a bot was to decide.
        slowest_s: How long a command took at most (seconds).
        bot_s: How long a bot was to decide at most (seconds).
        differing: How many matches the servers tell differently at the end.
    """

    matches: list[MatchId] = field(default_factory=list)
    moves: int = 0
    notes: int = 0
    slowest_s: float = 0.0
    bot_s: float = 0.0
    differing: int = 0


def play(client: Client, match: MatchId, seen: Seen, until: float) -> None:
    """Play a match to its end, or until a time."""
    choose, asked = Random(len(seen.matches)), time.monotonic()
    while time.monotonic() < until:
        began = time.monotonic()
        legal = client.legal(match, GERMAN)
        if legal.to_move == GERMAN:
            done = client.play(match, GERMAN, choose.randint(1, len(legal.options)), expected=legal.seq)
            seen.moves += 1
        elif legal.to_move == RUSSIAN:
            seen.bot_s = max(seen.bot_s, began - asked)
            done = client.play(match, GERMAN, NOTE)
            seen.notes += 1
        else:
            return
        seen.slowest_s = max(seen.slowest_s, time.monotonic() - began)
        if legal.to_move == GERMAN or done.seq > legal.seq + 1:
            asked = time.monotonic()
        time.sleep(PAUSE_S)


def main() -> None:
    """Play."""
    addresses, key, until = sys.argv[1], sys.argv[2], time.monotonic() + float(sys.argv[3])
    client, *servers = [
        connect(each, retry_policy=POLICY, server_key=key) for each in (addresses, *addresses.split(","))
    ]
    seen = Seen()
    while time.monotonic() < until:
        match = client.open("battle", dice="seeded", seed=str(len(seen.matches))).match
        token = client.take_seat(match, GERMAN, share=False).token
        client.seat_bot(match, RUSSIAN, "greedy")
        for server in servers:
            server.add_token(match, GERMAN, token)
        seen.matches.append(match)
        play(client, match, seen, until)
    for match in seen.matches:
        heads = {encode(server.state(match, GERMAN).table) for server in servers}
        seen.differing += len(heads) > 1
    sys.stdout.write(f"{json.dumps(asdict(seen))}\n")


if __name__ == "__main__":
    main()
