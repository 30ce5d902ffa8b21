// A bot for `wardiary serve` that plays options at random; it needs only Node 18 or newer.
//
// Usage: node bot.mjs [--give-up-after SECONDS] ADDRESS MATCH [SEAT [SECRET [TIP]]]
//
// It takes the seat, or the first free one. With the secret of a seat that is taken already, it plays that seat.
// With sealed dice it has a chain of links, and prints its tip beside the secret; the key with which it signs its commands follows from the tip, too.
// If the server goes away, it waits for it for ten minutes, or for as long as is said, and plays on.

import { createHash, createHmac, createPrivateKey, createPublicKey, randomBytes, randomInt, sign } from "node:crypto";
import { connect } from "node:net";

const MORE = 1, LONG = 2, COMMAND = 4; // The flags of a ZMTP frame.
const random = (bytes) => randomBytes(bytes).toString("hex");
const end = (message) => { console.error(message); process.exit(1); };

// ZMTP 3.1 (rfc.zeromq.org/spec/37) with the mechanism NULL: all that a client needs.

function frame(flags, body) {
  if (body.length < 256) return Buffer.concat([Buffer.from([flags, body.length]), body]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  return Buffer.concat([Buffer.from([flags | LONG]), size, body]);
}

function command(name, data) {
  return frame(COMMAND, Buffer.concat([Buffer.from([name.length]), Buffer.from(name), data]));
}

function property(name, value) {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(value.length);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), size, Buffer.from(value)]);
}

// Return the whole frames at the beginning of what was read, and the rest.
function split(unread) {
  const frames = [];
  for (;;) {
    const head = unread[0] & LONG ? 9 : 2;
    if (unread.length < head) return { frames, unread };
    const size = head === 9 ? Number(unread.readBigUInt64BE(1)) : unread[1];
    if (unread.length < head + size) return { frames, unread };
    frames.push({ flags: unread[0], body: unread.subarray(head, head + size) });
    unread = unread.subarray(head + size);
  }
}

// A connection that is made again whenever it is lost. What `greeting` holds is sent after every handshake.
class Socket {
  constructor(address, type, greeting = []) {
    Object.assign(this, { address, type, greeting });
    this.messages = []; // Those that nobody has read yet, each a list of frames.
    this.wake = () => {};
    this.awaySince = Date.now();
    this.unready();
    this.dial();
  }

  // Nothing is sent before the handshake is over.
  unready() {
    this.ready = new Promise((resolve) => { this.open = resolve; });
  }

  dial() {
    const { hostname, port } = new URL(this.address.replace("tcp:", "http:"));
    this.parts = [];
    let unread = Buffer.alloc(0), greeted = false, why = "the server has closed the connection";
    this.tcp = connect({ host: hostname.replace(/[[\]]/g, ""), port: Number(port || 80), noDelay: true });
    this.tcp.on("error", (error) => { why = `${this.address}: ${error.message}`; });
    this.tcp.on("close", () => this.lost(why));
    this.tcp.setTimeout(30_000, () => this.tcp.destroy());
    this.tcp.on("data", (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      if (!greeted && unread.length < 64) return;
      if (!greeted) this.tcp.write(command("READY", property("Socket-Type", this.type)));
      const read = split(greeted ? unread : unread.subarray(64));
      greeted = true;
      unread = read.unread;
      for (const { flags, body } of read.frames) this.take(flags, body);
    });
    const greeting = Buffer.alloc(64);
    greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1]);
    greeting.write("NULL", 12);
    this.tcp.write(greeting);
  }

  connected() {
    if (this.isLost) this.tell("the server is back");
    this.wasThere = this.wasReady = true;
    this.isLost = false;
    this.open();
    if (this.greeting.length) this.send(...this.greeting);
  }

  // Connect again, a little later, and not all bots at the same moment.
  lost(why) {
    if (this.isClosed) return;
    if (!this.wasThere) end(why);
    if (!this.isLost) {
      this.tell("the server is away; trying again");
      this.awaySince = Date.now();
    }
    if (this.wasReady) this.unready(); // Who waits already waits for the same handshake.
    this.wasReady = false;
    this.isLost = true;
    if (Date.now() - this.awaySince > giveUpMs) end("the server has not come back");
    this.wake();
    setTimeout(() => this.isClosed || this.dial(), 100 + 900 * Math.random());
  }

  tell(line) {
    if (this.type === "DEALER") console.error(line);
  }

  close() {
    this.isClosed = true;
    this.tcp.destroy();
  }

  // The server pings a silent connection, and closes it if no answer comes. The first two bytes of a PING's data are a time.
  take(flags, body) {
    if (flags & COMMAND) {
      const name = body.toString("latin1", 1, 1 + body[0]);
      if (name === "READY") this.connected();
      if (name === "PING") this.tcp.write(command("PONG", body.subarray(7)));
      return;
    }
    this.parts.push(body);
    if (flags & MORE) return;
    this.messages.push(this.parts);
    this.parts = [];
    this.wake();
  }

  // Return the next message, or nothing if none comes in time or the connection is lost.
  async receive(timeoutMs) {
    if (!this.messages.length && !this.isLost) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.wake = () => { clearTimeout(timer); resolve(); };
      });
    }
    return this.messages.shift();
  }

  async send(...parts) {
    await this.ready;
    const frames = parts.map((part, index) => frame(index < parts.length - 1 ? MORE : 0, Buffer.from(part)));
    this.tcp.write(Buffer.concat(frames));
  }
}

// The protocol wardiary/1.

let asked = 0;

// The same bytes are sent until the reply comes, which takes effect once if the request has a key.
async function ask(server, request) {
  const id = String(++asked);
  const began = Date.now();
  for (;;) {
    await server.send("wardiary/1", JSON.stringify({ ...request, id }));
    let reply = null;
    do {
      const message = await server.receive(5_000);
      reply = message ? JSON.parse(message.at(-1)) : null;
    } while (reply && reply.id !== id);
    if (reply && !(reply.retry && Date.now() - began < giveUpMs)) return reply;
    if (Date.now() - began > giveUpMs) end("no reply: is the server running?");
    if (reply) await new Promise((resolve) => { setTimeout(resolve, 100 + 900 * Math.random()); });
  }
}

async function demand(server, request) {
  const reply = await ask(server, request);
  return reply.reply === "failed" ? end(`${reply.code}: ${reply.message}`) : reply;
}

const LENGTH = 4_096; // The number of links of the seat's chain; a match opens some hundred.

// Return the links of a chain, its anchor first, by its tip; each is the hash of the next one.
function chainOf(tip) {
  const links = [tip];
  while (links.length <= LENGTH) {
    links.push(createHash("sha256").update("wardiary link 2\n").update(Buffer.from(links.at(-1), "hex")).digest("hex"));
  }
  return links.reverse();
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

// Return the digest of what everybody was shown, with one more commit; see `docs/protocol.md`.
function recorded(before, { at, events }) {
  const shown = events.filter((one) => !("seen_by" in one)).map((one) => ({
    ...one,
    ...("at" in one && { at: 0 }),
    ...("to" in one && one.event.includes("undo") && { to: 0 }),
  }));
  if (!shown.length) return before;
  return sha256(`wardiary record 1|${before}|${at}|${JSON.stringify(shown)}`);
}

// Signs the commands of a seat, if it has registered the key; see `docs/protocol.md`. The server learns neither the tip nor the key.
class Signer {
  static async of(server, match, tip) {
    const signer = new Signer();
    const seed = createHmac("sha256", Buffer.from(tip, "hex")).update("wardiary player key 1|").digest();
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]); // RFC 8410
    signer.key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    signer.publicKey = createPublicKey(signer.key).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
    const { slices } = await demand(server, { ask: "log", match, limit: 1 });
    signer.above = ["wardiary command 1", match, sha256(JSON.stringify(slices[0].events[0]))];
    signer.isOn = false;
    Object.assign(signer, { server, shown: 0, record: "" });
    return signer;
  }

  // Return the signature of a command, which is in its canonical form.
  sign(seat, key, command, expected = "-") {
    const lines = [...this.above, seat, key, expected, sha256(JSON.stringify(command)), (expected !== "-" && this.record) || "-"];
    return sign(null, Buffer.from(lines.map((line) => `${line}\n`).join("")), this.key).toString("base64");
  }

  // Return what a request has besides its command. What is signed for more events than the server shows, it could keep back until others have happened.
  async signed(who, command, expected) {
    const key = random(8);
    if (!this.isOn) return { key, expected };
    while (this.shown < expected) {
      const { slices } = await demand(this.server, { ask: "log", ...who, since: this.shown });
      if (slices[0]?.first !== this.shown + 1) end(`the server shows ${this.shown} events, and says that there are ${expected}: nothing is signed`);
      for (const one of slices) {
        this.shown += one.events.length;
        this.record = recorded(this.record, one);
      }
    }
    return { key, expected, signatures: [this.sign(who.seat, key, command, expected)] };
  }
}

// Take a seat; return it, its secret and the tip of its chain, which the server never learns.
async function takeSeat(server, match, wanted) {
  const { table } = await demand(server, { ask: "state", match });
  const busy = { ...table.players, ...table.reserved };
  const seat = wanted || table.seats.find((one) => !(one in busy)) || end("no seat is free");
  const secret = random(24);
  const tip = table.chance.scheme === "sealed/2" ? random(32) : "";
  const name = "bot.mjs", key = random(8);
  const more = tip ? { anchor: chainOf(tip)[0], length: LENGTH } : {};
  if (tip) {
    const signer = await Signer.of(server, match, tip);
    more.public_key = signer.publicKey;
    more.signature = signer.sign(seat, key, { do: "match:take-seat", seat, name, credential: sha256(secret), ...more });
  }
  await demand(server, { ask: "take", match, seat, secret, name, key, ...more });
  return { seat, secret, tip };
}

// Open the link of the seat that is called for or owed, or begin the match once all sit; return whether there was anything to do.
async function didPart(server, who, chain, signer, { table, seq, to_move: toMove }) {
  const { chains = {}, call } = table.links;
  const own = chains[who.seat] ?? { is_held: false };
  if (table.ended || table.paused || own.is_held === false) return false;
  // Each anchor is followed by a link of every seat, so that the last one to sit is waited for.
  if (!table.began && Object.keys(table.players ?? {}).length < table.seats.length) return false;
  // Who has the link that is owed for dice while another seat rolls could choose whether it counts: it is opened right before this seat decides.
  if (call ? call.seat === who.seat : own.unanswered?.length || (own.owes && toMove === who.seat)) {
    const share = chain[(own.opened ?? 0) + 1];
    const command = { do: "match:open-link", share };
    const opened = await ask(server, { ask: "play", ...who, command, key: `link-${share}` });
    if (opened.reply === "failed" && !MOVED_ON.includes(opened.refusal)) end(`${opened.code}: ${opened.message}`);
    return true;
  }
  if (call || table.began || Object.values(chains).some((one) => one.unanswered?.length)) return false;
  // If the opponent was quicker, that is refused.
  const more = await signer.signed(who, { do: "match:begin" }, seq);
  return (await ask(server, { ask: "begin", ...who, ...more })).reply !== "failed";
}

// The refusals of a link which mean that another seat was quicker: the bot looks again.
const MOVED_ON = ["link_must_be_opened", "link_must_be_due", "match_must_not_be_paused"];
// The refusals after which the bot waits: for the arbiter, or for the link of another seat.
const PATIENT = ["match_must_not_be_paused", "anchor_must_be_answered"];

// Play until another seat is to decide; return the number of the last event seen, or null if the match is over.
async function playOn(server, who, chain, signer) {
  for (;;) {
    const legal = await demand(server, { ask: "legal", table: chain.length > 0, ...who });
    if (signer) signer.isOn = legal.table.keys?.[who.seat]?.key === signer.publicKey;
    if (signer && await didPart(server, who, chain, signer, legal)) continue;
    if (!legal.to_move && (await demand(server, { ask: "state", ...who })).table.ended) return null;
    if (legal.to_move !== who.seat || !legal.options?.length) return legal.seq;
    // An answer of several items ends sooner if no item is put back.
    const onward = legal.options.filter((option) => option.command.do !== "unpick");
    const options = onward.length ? onward : legal.options;
    const option = options[randomInt(options.length)];
    const { command } = option, { seq } = legal;
    const more = signer ? await signer.signed(who, command, seq) : { expected: seq, key: random(8) };
    const played = await ask(server, { ask: "play", ...who, command, ...more });
    if (played.reply !== "failed") console.log(option.words);
    else if (PATIENT.includes(played.refusal)) return legal.seq;
    // After a lost race the match has moved on, and the loop looks again.
    else if (played.code !== "lost_race" && !MOVED_ON.includes(played.refusal)) end(`${played.code}: ${played.message}`);
  }
}

// Subscribe to what a seat sees, where the server publishes now; return the socket, and after what silence to do so again.
async function follow(server, who) {
  const { publisher, heartbeat_s: heartbeat } = await demand(server, { ask: "hello" });
  const events = new Socket(publisher, "XSUB", [`\x01${who.match}/${who.seat}/${who.token}`]);
  events.wasThere = true; // The server has just answered: it is there, or comes back.
  return { events, silenceMs: 3_000 * heartbeat };
}

const given = process.argv.slice(2);
const giveUpMs = 1_000 * (given[0] === "--give-up-after" ? Number(given.splice(0, 2)[1]) : 600);
const [address, match, wanted, known, ownTip = ""] = given;
if (!match) end("Usage: node bot.mjs [--give-up-after SECONDS] ADDRESS MATCH [SEAT [SECRET [TIP]]]");
const server = new Socket(address, "DEALER");
const { seat, secret, tip } = known ? { seat: wanted, secret: known, tip: ownTip } : await takeSeat(server, match, wanted);
console.log(`seat ${seat}, secret ${secret}${tip && `, tip ${tip}`}`);
const chain = tip ? chainOf(tip) : [], signer = tip ? await Signer.of(server, match, tip) : null;
const who = { match, seat, token: secret };

let { events, silenceMs } = await follow(server, who);
let seq = await playOn(server, who, chain, signer);
while (seq !== null) {
  const message = await events.receive(silenceMs);
  if (!message) {
    // The server may have been started again, and publish somewhere else.
    events.close();
    ({ events, silenceMs } = await follow(server, who));
    seq = await playOn(server, who, chain, signer);
    continue;
  }
  const [publication] = message;
  const news = JSON.parse(publication.subarray(publication.indexOf("{")));
  const newest = news.pub === "heartbeat" ? news.seq : news.first + news.events.length - 1;
  // A missed publication needs no repair: the next heartbeat has a higher number, and `legal` tells the present.
  if (newest > seq) seq = await playOn(server, who, chain, signer);
}
console.log("the match is over");
process.exit(0);
