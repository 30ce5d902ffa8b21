// Checks the signatures of the commands in an archive (docs/archive.md), where the browser has Ed25519: whose seat has registered a key signs all that it sends,
// with the number of events that it has seen. It shares no code with the server.
"use strict";

const wardiaryKeys = (() => {
  const text = new TextEncoder();
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const sha256 = async (said) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", text.encode(said))));
  const ORDER = /^[^]+\/0\/(?:[2-9]|[1-9][0-9]{1,3})$/, FOLLOWS = /\/[0-9]+$/;
  const PRIVATE = new Set(["item-picked/1", "item-unpicked/1", "seat-viewed/1", "note-added/1", "standing-answer-given/1"]);
  const MATCH_FORKED = "match-forked/1";

  // The object that begins behind a mark in a line, as it is written there: what is signed are its bytes.
  function written(line, mark, from = 0) {
    const start = line.indexOf(mark, from) + mark.length;
    for (let at = start, depth = 0, isText = false; at < line.length; at += 1) {
      if (line[at] === "\\") at += 1;
      else if (line[at] === '"') isText = !isText;
      else if (!isText && line[at] === "{") depth += 1;
      else if (!isText && line[at] === "}" && (depth -= 1) === 0) return line.slice(start, at + 1);
    }
    throw new Error("a commit has no command");
  }

  async function keyOf(digits) {
    try {
      return await crypto.subtle.importKey("raw", unhex(digits), "Ed25519", false, ["verify"]);
    } catch {
      return null;
    }
  }

  // Follows the keys of seats, and which events others do not know of.
  class Seats {
    constructor() {
      Object.assign(this, { keys: new Map(), privately: [], repeated: 0, opening: "" });
    }

    seen(seat, events) {
      return events - this.privately.filter((seats) => !seats.includes(seat)).length;
    }

    take(event, seq) {
      const { event: kind, seat = "", seen_by: seenBy } = event;
      if (kind === MATCH_FORKED) {
        Object.assign(this, { keys: new Map(), repeated: event.at + 1 });
        if (seat !== "arbiter") this.privately = this.privately.map((seats) => (seats.includes(seat) ? seats : []));
      } else if (kind === "seat-left/1" || kind === "player-replaced/1") this.keys.delete(seat);
      else if (kind === "key-registered/1" && seq > this.repeated) this.keys.set(seat, event.key);
      else if (PRIVATE.has(kind) && seenBy) this.privately.push(seenBy);
    }

    // The key with which a commit is to be signed: that of its seat, or the one that it registers for the first time.
    keyFor({ seat, events }) {
      const registered = events.find((event) => event.event === "key-registered/1");
      return registered ? registered.was || registered.key : this.keys.get(seat);
    }
  }

  // Checks a commit, and returns what it is: signed, an answer that needs no signature, or unsigned by a seat without a key; null where the browser cannot tell.
  async function judged(seats, commit, line, before) {
    const { match, seat, key: name, command, events, first, expected = 0, seen = "", signature = "" } = commit;
    const key = seats.keyFor(commit), where = `event ${first}`;
    const opened = events.find((event) => event.event === "links-opened/1");
    if (!signature) {
      if (!key) return "bare";
      if (command.do === "match:open-link" && command.share && opened?.share === command.share) return "link";
      if (FOLLOWS.test(name)) return "answer";
      throw new Error(`${where} was not signed, though the seat ${seat} has a key`);
    }
    if (!key) throw new Error(`${where} is signed, and the seat ${seat} has no key`);
    const isOrder = ORDER.test(name) && before.seat === seat && before.expected === expected;
    const actual = seats.seen(seat, first - 1);
    if (!isOrder && (expected || command.do !== "match:take-seat") && expected !== actual) {
      throw new Error(`${where} is signed for ${expected} events, and the seat ${seat} had seen ${actual}`);
    }
    const digest = await sha256(written(line, '"command":'));
    const said = ["wardiary command 1", match, seats.opening, seat, name, expected || "-", digest, seen || "-"].map((one) => `${one}\n`).join("");
    const known = await keyOf(key);
    if (!known) return null;
    const signed = Uint8Array.from(atob(signature), (char) => char.charCodeAt(0));
    if (!(await crypto.subtle.verify("Ed25519", known, signed, text.encode(said)))) throw new Error(`${where} does not have the signature of the seat ${seat}`);
    return "signed";
  }

  async function check(archive) {
    const seats = new Seats(), counts = { signed: 0, answer: 0, link: 0, bare: 0, unknown: 0 };
    let before = {}, isRepeat = false;
    for (const line of new TextDecoder("utf-8", { fatal: true }).decode(archive).split("\n")) {
      if (!line.startsWith('{"commit":')) continue;
      const commit = JSON.parse(line), { events, first } = commit, kind = events[0].event;
      if (kind === "match-opened/1") seats.opening = await sha256(written(line, '"events":[', line.indexOf(written(line, '"command":'))));
      // A fork, and what it repeats of a command that it has cut, were signed in the parent.
      if (kind === MATCH_FORKED) Object.assign(counts, { signed: 0, answer: 0, link: 0 });
      else if (!isRepeat) counts[(await judged(seats, commit, line, before)) ?? "unknown"] += 1;
      events.forEach((event, place) => seats.take(event, first + place));
      isRepeat = kind === MATCH_FORKED && events[0].at >= first;
      before = commit;
    }
    return { ...counts, keys: Object.fromEntries(seats.keys) };
  }

  const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

  function words(found) {
    const keys = Object.entries(found.keys).map(([seat, key]) => `${seat} ${key.slice(0, 8)}…`).join(", ");
    if (found.unknown) return ` ${some(found.unknown, "signature")} cannot be checked by this browser (no Ed25519).`;
    if (!found.signed) return " No command is signed by its player.";
    const rest = found.answer ? ` ${some(found.answer, "standing answer")}: not signed, and not checked here.` : "";
    return ` ${some(found.signed, "command")}: signed with the keys of their seats${keys && ` (${keys})`}.${rest}`;
  }

  return { check, words };
})();

if (typeof module !== "undefined") module.exports = wardiaryKeys;
