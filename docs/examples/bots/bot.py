"""A bot for `wardiary serve` that plays options at random; it needs only `pyzmq`, and signs its commands if there is `cryptography`.

Usage: python bot.py [--name NAME] [--give-up-after SECONDS] ADDRESS MATCH [SEAT [SECRET [TIP]]]

It takes the seat, or the first free one, under that name or its own. It ends when the match is over or the seat has changed hands. With the secret of a seat that is taken already, it plays that seat.
With sealed dice it has a chain of links, and prints its tip beside the secret; the key with which it signs follows from the tip, too.
If the server goes away, it waits for it for ten minutes, or for as long as is said, and plays on.
"""

import hashlib
import hmac
import json
import random
import secrets
import sys
import time
from base64 import b64encode
from contextlib import suppress
from typing import Any

import zmq

with suppress(ImportError):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TIMEOUT_MS = 5_000
"""How long to wait for a reply before the request is sent again."""

FIRST_S = 15
"""How long to wait for a server that has never answered: the address may be wrong."""

LENGTH = 4_096
"""The number of links of the seat's chain; a match opens some hundred."""

MOVED_ON = ("link_must_be_opened", "link_must_be_due", "match_must_not_be_paused")
"""The refusals of a link which mean that another seat was quicker: the bot looks again."""

PATIENT = ("match_must_not_be_paused", "anchor_must_be_answered")
"""The refusals after which the bot waits: for the arbiter, or for the link of another seat."""


class Server:
    """The server's socket for requests.

    Args:
        address: Where the server takes requests.
        give_up_s: How long to wait for it to come back (seconds).
    """

    def __init__(self, address: str, give_up_s: float) -> None:
        self.give_up_s = give_up_s
        self.was_there = False
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.setsockopt(zmq.HEARTBEAT_IVL, 10_000)
        self.socket.connect(address)
        self.asked = 0

    def ask(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - A request's fields are any JSON.
        """Return the reply to a request. The same bytes are sent until it comes, which takes effect once if it has a key."""
        self.asked += 1
        frames = [b"wardiary/1", json.dumps({**request, "id": str(self.asked)}).encode()]
        began, is_away = time.monotonic(), False
        while True:
            self.socket.send_multipart(frames)
            reply = self.reply()
            if reply is not None and not reply.get("retry"):
                if is_away:
                    print("the server is back", file=sys.stderr, flush=True)
                self.was_there = True
                return reply
            if time.monotonic() - began > (self.give_up_s if self.was_there else FIRST_S):
                return reply or sys.exit("no reply: is the server running?")
            if self.was_there and not is_away:
                is_away = True
                print("the server is away; trying again", file=sys.stderr, flush=True)
            # Not all bots try again at the same moment.
            time.sleep(random.uniform(0.1, 1.0))  # noqa: S311 - Not a secret.

    def reply(self) -> dict[str, Any] | None:
        """Return the reply to the last request, or None if none comes in time."""
        while self.socket.poll(TIMEOUT_MS):
            reply: dict[str, Any] = json.loads(self.socket.recv_multipart()[-1])
            if reply.get("id") == str(self.asked):
                return reply
        return None

    def demand(self, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - A request's fields are any JSON.
        """Return the reply to a request that must succeed; end the program with the server's message if it fails."""
        reply = self.ask(**request)
        return reply if reply["reply"] != "failed" else sys.exit(f"{reply['code']}: {reply['message']}")


def compact(value: object) -> bytes:
    """Return a value as JSON without white space, its fields as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def recorded(before: str, commit: dict[str, Any]) -> str:
    """Return the digest of what everybody was shown, with one more commit; see `docs/protocol.md`."""
    shown = [one for one in commit["events"] if "seen_by" not in one]
    if not shown:
        return before
    numbers = [{"at", "to"} if "undo" in one["event"] else {"at"} for one in shown]
    shown = [one | dict.fromkeys(of & one.keys(), 0) for one, of in zip(shown, numbers, strict=True)]
    said = f"wardiary record 1|{before}|{commit['at']}|".encode() + compact(shown)
    return hashlib.sha256(said).hexdigest()


class Signer:
    """Signs the commands of a seat, if it has registered the key; see `docs/protocol.md`.

    Args:
        server: The server.
        match: The match.
        tip: The tip of the seat's chain, from which the key follows: the server never learns either.
    """

    def __init__(self, server: Server, match: str, tip: str) -> None:
        secret = hmac.digest(bytes.fromhex(tip), b"wardiary player key 1|", "sha256")
        self.key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public_key = self.key.public_key().public_bytes_raw().hex()
        first = server.demand(ask="log", match=match, limit=1)["slices"][0]["events"][0]
        self.above = ("wardiary command 1", match, hashlib.sha256(compact(first)).hexdigest())
        self.is_on = False
        self.server, self.shown, self.record = server, 0, ""

    def sign(self, seat: str, key: str, command: dict[str, Any], expected: int | None = None) -> str:
        """Return the signature of a command, which is in its canonical form."""
        digest = hashlib.sha256(compact(command)).hexdigest()
        lines = (
            *self.above,
            seat,
            key,
            "-" if expected is None else str(expected),
            digest,
            (expected and self.record) or "-",
        )
        return b64encode(self.key.sign("".join(f"{line}\n" for line in lines).encode())).decode()

    def signed(self, who: dict[str, str], command: dict[str, Any], expected: int) -> dict[str, Any]:
        """Return what a request has besides its command; what is signed for more events than the server shows, it could keep back until others have happened."""
        key = secrets.token_hex(8)
        if not self.is_on:
            return {"key": key, "expected": expected}
        while self.shown < expected:
            slices = self.server.demand(ask="log", **who, since=self.shown)["slices"]
            if not slices or slices[0]["first"] != self.shown + 1:
                sys.exit(f"the server shows {self.shown} events, and says that there are {expected}: nothing is signed")
            for one in slices:
                self.shown, self.record = self.shown + len(one["events"]), recorded(self.record, one)
        return {"key": key, "expected": expected, "signatures": [self.sign(who["seat"], key, command, expected)]}


def signer_of(server: Server, match: str, tip: str) -> Signer | None:
    """Return what signs for a seat; None without a tip, or without the package that it needs."""
    return Signer(server, match, tip) if tip and "Ed25519PrivateKey" in globals() else None


def chain_of(tip: str) -> list[str]:
    """Return the links of a chain, its anchor first, by its tip; each is the hash of the next one."""
    links = [tip]
    for _ in range(LENGTH):
        links.append(hashlib.sha256(b"wardiary link 2\n" + bytes.fromhex(links[-1])).hexdigest())
    return links[::-1]


def take_seat(server: Server, match: str, wanted: str, name: str) -> tuple[str, str, str]:
    """Take a seat, or the first free one if none is wanted; return it, its secret and the tip of its chain, which the server never learns."""
    table = server.demand(ask="state", match=match)["table"]
    busy = {*table.get("players", {}), *table.get("reserved", {})}
    seat = wanted or next((one for one in table["seats"] if one not in busy), "") or sys.exit("no seat is free")
    secret = secrets.token_hex(24)
    tip = secrets.token_hex(32) if table["chance"]["scheme"] == "sealed/2" else ""
    key, credential = secrets.token_hex(8), hashlib.sha256(secret.encode()).hexdigest()
    more = {"anchor": chain_of(tip)[0], "length": LENGTH} if tip else {}
    if signer := signer_of(server, match, tip):
        more["public_key"] = signer.public_key
        command = {"do": "match:take-seat", "seat": seat, "name": name, "credential": credential, **more}
        more["signature"] = signer.sign(seat, key, command)
    server.demand(ask="take", match=match, seat=seat, secret=secret, name=name, key=key, **more)
    return seat, secret, tip


def did_part(
    server: Server, who: dict[str, str], chain: list[str], signer: Signer | None, legal: dict[str, Any]
) -> bool:
    """Open the link of the seat that is called for or owed, or begin the match once all sit; return whether there was anything to do."""
    table, seat = legal["table"], who["seat"]
    links = table["links"]
    chains, call = links.get("chains", {}), links.get("call")
    own = chains.get(seat, {"is_held": False})
    is_full = len(table.get("players", {})) == len(table["seats"])
    if table.get("ended") or table.get("paused") or not own.get("is_held", True):
        return False
    if not (table.get("began") or is_full):
        # Each anchor is followed by a link of every seat, so that the last one to sit is waited for.
        return False
    # Who has the link that is owed for dice while another seat rolls could choose whether it counts: it is opened right before this seat decides.
    is_payable = own.get("unanswered") or (own.get("owes") and legal.get("to_move") == seat)
    if call["seat"] == seat if call else is_payable:
        share = chain[own.get("opened", 0) + 1]
        opened = server.ask(ask="play", **who, command={"do": "match:open-link", "share": share}, key=f"link-{share}")
        if opened["reply"] == "failed" and opened.get("refusal") not in MOVED_ON:
            sys.exit(f"{opened['code']}: {opened['message']}")
        return True
    if call or table.get("began") or any(one.get("unanswered") for one in chains.values()):
        return False
    # If the opponent was quicker, that is refused.
    more = signer.signed(who, {"do": "match:begin"}, legal["seq"]) if signer else {"key": secrets.token_hex(8)}
    return bool(server.ask(ask="begin", **who, **more)["reply"] != "failed")


def play_on(server: Server, who: dict[str, str], chain: list[str], signer: Signer | None) -> int | None:
    """Play until another seat is to decide; return the number of the last event seen, or None if the match is over."""
    while True:
        legal = server.demand(ask="legal", table=bool(chain), **who)
        if signer:
            signer.is_on = legal["table"].get("keys", {}).get(who["seat"], {}).get("key") == signer.public_key
        if chain and did_part(server, who, chain, signer, legal):
            continue
        if not legal.get("to_move") and server.demand(ask="state", **who)["table"].get("ended"):
            return None
        if legal.get("to_move") != who["seat"] or not legal.get("options"):
            return int(legal["seq"])
        # An answer of several items ends sooner if no item is put back.
        onward = [option for option in legal["options"] if option["command"]["do"] != "unpick"] or legal["options"]
        option = random.choice(onward)  # noqa: S311 - Not a secret.
        command, seq = option["command"], legal["seq"]
        more = signer.signed(who, command, seq) if signer else {"expected": seq, "key": secrets.token_hex(8)}
        played = server.ask(ask="play", **who, command=command, **more)
        if played["reply"] != "failed":
            print(option["words"], flush=True)
        elif played.get("refusal") in PATIENT:
            return int(legal["seq"])
        elif played["code"] != "lost_race" and played.get("refusal") not in MOVED_ON:
            # After a lost race the match has moved on, and the loop looks again.
            sys.exit(f"{played['code']}: {played['message']}")


def follow(server: Server, who: dict[str, str]) -> tuple["zmq.Socket[bytes]", float]:
    """Subscribe to what a seat sees, where the server publishes now; return the socket, and after what silence to do so again (ms)."""
    hello = server.demand(ask="hello")
    events = server.context.socket(zmq.XSUB)
    events.linger = 0
    events.connect(hello["publisher"])
    events.send(b"\1" + f"{who['match']}/{who['seat']}/{who['token']}".encode())
    return events, 3_000 * hello["heartbeat_s"]


def main(
    address: str, match: str, wanted: str = "", secret: str = "", tip: str = "", *, name: str, give_up_s: float
) -> None:
    """Take a seat and play until the match ends."""
    server = Server(address, give_up_s)
    seat, secret, tip = (wanted, secret, tip) if secret else take_seat(server, match, wanted, name)
    print(f"seat {seat}, secret {secret}" + (f", tip {tip}" if tip else ""), flush=True)
    chain, signer = chain_of(tip) if tip else [], signer_of(server, match, tip)
    who = {"match": match, "seat": seat, "token": secret}
    events, silence_ms = follow(server, who)

    known = play_on(server, who, chain, signer)
    while known is not None:
        if not events.poll(silence_ms):
            # The server may have been started again, and publish somewhere else.
            events.close()
            events, silence_ms = follow(server, who)
            known = play_on(server, who, chain, signer)
            continue
        news = json.loads(b"{" + events.recv().partition(b"{")[2])
        newest = news["seq"] if news["pub"] == "heartbeat" else news["first"] + len(news["events"]) - 1
        # A missed publication needs no repair: the next heartbeat has a higher number, and `legal` tells the present.
        if newest > known:
            known = play_on(server, who, chain, signer)
    print("the match is over")


if __name__ == "__main__":
    given = sys.argv[1:]
    options = {"--name": "bot.py", "--give-up-after": "600"}
    while given[:1] and given[0] in options:
        options[given[0]], given = (given[1:2] or [""])[0], given[2:]
    if not 2 <= len(given) <= 5:
        sys.exit(__doc__)
    main(*given, name=options["--name"], give_up_s=float(options["--give-up-after"]))
