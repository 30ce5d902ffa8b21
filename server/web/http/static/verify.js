// Checks a match with the browser's own cryptography. It shares no code with the server, only the format and the way to the dice
// (docs/archive.md): in an archive each commit names the hash of the one before it, and the last line sums all up; in an archive and in what one
// seat has seen, seeded dice, draws and choices of chance follow from the seed, the number of the event and its purpose. Sealed ones depend on links.
"use strict";

const wardiaryVerify = (() => {
  const text = new TextEncoder();
  const PREFIX = text.encode("wardiary commit 1\n");
  const START = "0".repeat(64);
  const LINKED = "sealed/2", SEEDED = "seeded/1", MANUAL = "manual/1";

  async function sha256(bytes) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  function joined(first, second) {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  }

  function lines(bytes) {
    const found = [];
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(10, start);
      if (end < 0) throw new Error("the file does not end with a line feed");
      found.push(bytes.subarray(start, end));
      start = end + 1;
    }
    return found;
  }

  // Dice

  const UNCHECKED = { [MANUAL]: "typed", [LINKED]: "linked" };

  const keyOf = (bytes) => crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = async (key, said) => new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(said)));
  const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

  // Numbers from 0 to size - 1, each equally likely: those of a block of the key stream that are too large are left out.
  function* numbersOf(block, size) {
    const view = new DataView(block.buffer);
    const [bytes, most, read] =
      size <= 256 ? [1, 256n, (at) => BigInt(view.getUint8(at))]
      : size <= 2 ** 32 ? [4, 1n << 32n, (at) => BigInt(view.getUint32(at))]
      : [8, 1n << 64n, (at) => view.getBigUint64(at)];
    const limit = (most / BigInt(size)) * BigInt(size);
    for (let at = 0; at < block.length; at += bytes) {
      const number = read(at);
      if (number < limit) yield Number(number % BigInt(size));
    }
  }

  class Dice {
    constructor() {
      this.keys = new Map();
    }

    // The key of a source, or null if its dice do not follow from a public seed.
    key({ scheme, seed }) {
      if (scheme !== SEEDED) return null;
      if (!this.keys.has(seed)) {
        this.keys.set(seed, keyOf(text.encode(seed)).then((raw) => signed(raw, "wardiary chance 1|")).then(keyOf));
      }
      return this.keys.get(seed);
    }

    async numbers(key, scheme, position, count, size, purpose) {
      const found = [];
      for (let block = 0; found.length < count; block += 1) {
        const label = `${scheme.stream ?? ""}|${position - (scheme.shift ?? 0)}|${purpose}|${block}`;
        for (const number of numbersOf(await signed(await key, label), size)) {
          if (found.push(number) === count) break;
        }
      }
      return found;
    }
  }

  // Events that are no part of the game, and those before which nothing can be taken back: both matter only to what a taking back undoes.
  const KEPT = new Set(
    ("links-opened seat-secured arbiter-left arbiter-seated match-opened match-paused match-resumed note-added player-replaced ruling-made seat-left seat-reserved " +
      "seat-taken seed-revealed standing-answer-given standing-answers-revealed").split(" "),
  );
  const FENCES = new Set(
    "chance-called card-drawn chosen-by-chance dice-rolled hidden-dice-rolled match-began match-ended match-forked piece-drawn piece-revealed rules-adopted secrets-redealt".split(" "),
  );
  const DRAWS = new Set(["card-drawn", "piece-drawn"]);

  // Follows the piles from which cards and counters are drawn: the cards in their order, and how many more the viewer cannot name. The cards
  // that can be named are in their order, so that a pile without others can be drawn from again.
  class Piles {
    constructor() {
      this.now = new Map();
      this.earlier = [[0, this.now]];
    }

    pile(name) {
      return this.now.get(name) ?? { cards: [], hidden: 0 };
    }

    set(name, cards, hidden) {
      this.now = new Map(this.now).set(name, { cards, hidden });
    }

    remove(name, card) {
      const { cards, hidden } = this.pile(name);
      const at = cards.indexOf(card);
      if (card === null) this.set(name, [], Math.max(0, cards.length + hidden - 1));
      else if (at < 0) this.set(name, cards, Math.max(0, hidden - 1));
      else this.set(name, cards.filter((_, place) => place !== at), hidden);
    }

    add(name, card) {
      const { cards, hidden } = this.pile(name);
      this.set(name, card === null ? cards : [...cards, card], card === null ? hidden + 1 : hidden);
    }

    move(from, to, card) {
      this.remove(from, card);
      this.add(to, card);
    }

    take(event, kind, seq) {
      const before = this.now;
      if (kind === "deck-formed") this.set(event.deck, event.cards ?? [], event.cards ? 0 : event.count);
      else if (kind === "secrets-redealt" && event.cards) this.set(event.pile, event.cards, 0);
      else if (kind === "deck-shuffled" && event.source) this.join(event.deck, event.source);
      else if (kind === "card-drawn") this.move(event.deck, event.to, event.card);
      else if (kind === "piece-drawn") this.remove(event.pool, event.drawn);
      else if (kind === "piece-returned") this.add(event.to, event.card);
      else if (kind === "card-moved" || kind === "card-played" || kind === "card-discarded") this.move(event.was, event.to, event.card);
      else if (kind === "commands-undone") this.restore(event.to);
      if (FENCES.has(kind)) this.earlier = [[seq, this.now]];
      else if (this.now !== before && kind !== "commands-undone") this.earlier.push([seq, this.now]);
    }

    join(deck, source) {
      const one = this.pile(deck), other = this.pile(source);
      this.set(deck, [...one.cards, ...other.cards].sort(), one.hidden + other.hidden);
      this.set(source, [], 0);
    }

    restore(number) {
      while (this.earlier.length > 1 && this.earlier.at(-1)[0] > number) this.earlier.pop();
      this.now = this.earlier.at(-1)[1];
    }
  }

  // Follows a match event by event as far as its dice depend on it: their source, the number to which they are bound, and the piles.
  class Way {
    constructor() {
      this.seq = 0;
      this.counted = 0;
      this.since = [];
      this.scheme = { scheme: MANUAL };
      this.chosen = null;
      this.sources = [];
      this.piles = new Piles();
    }

    // The source of an outcome: that of the match, or of the parent of a fork whose command is decided again.
    source(seq) {
      return this.sources.find((one) => seq <= one.upto) ?? this;
    }

    take(event, kind) {
      this.seq += 1;
      const isPick = kind === "item-picked" || kind === "item-unpicked";
      const isPrivate = Array.isArray(event.seen_by) && (kind === "note-added" || kind === "standing-answer-given");
      if (kind === "commands-undone") {
        this.counted -= this.since.filter((number) => number > event.to).length;
        this.since = this.since.filter((number) => number <= event.to);
      } else if (!isPrivate && !isPick) {
        this.counted += 1;
        if (FENCES.has(kind)) this.since = [];
        else if (!KEPT.has(kind)) this.since.push(this.seq);
      }
      this.piles.take(event, kind, this.seq);
      if (kind === "match-opened") this.scheme = event.chance;
      if (kind === "match-forked") this.fork(event);
      if (kind === "dice-rolled") this.use(event);
    }

    fork(event) {
      const carried = on(this.scheme);
      const isSame = same(carried, event.chance);
      const before = this.seq - 1;
      const end = isSame && !(event.faces ?? []).length ? Infinity : event.at;
      const own = { upto: event.at + 1, scheme: carried, chosen: later(this.chosen) };
      const earlier = this.sources.map((one) => ({ ...one, upto: Math.min(one.upto, end) + 1, scheme: on(one.scheme), chosen: later(one.chosen) }));
      this.sources = [];
      if (event.at > before) {
        for (const one of [...earlier, own]) if (!this.sources.length || one.upto > this.sources.at(-1).upto) this.sources.push(one);
      }
      const kept = isSame ? later(this.chosen) : null;
      this.chosen = (event.faces ?? []).length ? { after: event.at + 1, faces: event.faces } : kept;
      this.scheme = event.chance;
    }

    // Chosen faces are used up by the rolls that show them.
    use(event) {
      for (const one of [this, ...this.sources]) {
        if (!one.chosen || this.seq <= one.chosen.after) continue;
        const used = chosenFor(one.chosen, this.seq, event.faces.length, event.sides ?? 6).length;
        const left = used === Math.min(event.faces.length, one.chosen.faces.length) ? one.chosen.faces.slice(used) : [];
        one.chosen = left.length ? { after: one.chosen.after, faces: left } : null;
      }
    }
  }

  const on = (scheme) => ({ ...scheme, shift: (scheme.shift ?? 0) + 1 });
  const later = (chosen) => chosen && { after: chosen.after + 1, faces: chosen.faces };
  const FIELDS = ["scheme", "commitment", "seed", "stream", "shift"];
  const same = (a, b) => FIELDS.every((name) => (a[name] || 0) === (b[name] || 0));

  function chosenFor(chosen, seq, count, sides) {
    if (!chosen || seq <= chosen.after) return [];
    const shown = chosen.faces.slice(0, count);
    const wrong = shown.findIndex((face) => face > sides);
    return wrong < 0 ? shown : shown.slice(0, wrong);
  }

  class Told {
    constructor() {
      Object.assign(this, { rolls: 0, dice: 0, choices: 0, draws: 0, weighed: 0, chosen: 0, typed: 0, linked: 0, unseen: 0, vast: 0, dealt: 0, bySides: {} });
    }
  }

  async function rolledAgain(commits) {
    const dice = new Dice(), way = new Way(), told = new Told();
    for (const events of commits) {
      const isFork = events[0].event === "match-forked/1";
      for (const event of events) {
        const kind = event.event.replace(/\/1$/, "");
        const seq = way.seq + 1, source = way.source(seq);
        const isSeen = kind === "dice-rolled" || (kind === "hidden-dice-rolled" && event.faces);
        if (isSeen) await rollAgain(dice, way, source, event, seq, told);
        else if (kind === "hidden-dice-rolled") told.unseen += event.count;
        else if (kind === "chosen-by-chance") await chooseAgain(dice, way, source, event, seq, told);
        else if (DRAWS.has(kind)) await drawAgain(dice, way, source, event, seq, told);
        else if (kind === "secrets-redealt") told.dealt += 1;
        way.take(event, kind);
      }
      // Only the commit after that of a fork may repeat outcomes of the parent.
      if (!isFork) way.sources = [];
    }
    return told;
  }

  async function rollAgain(dice, way, source, event, seq, told) {
    const sides = event.sides ?? 6, count = event.faces.length;
    // A fork chooses the faces of open dice only.
    const chosen = event.event === "dice-rolled/1" ? chosenFor(source.chosen, seq, count, sides) : [];
    const key = dice.key(source.scheme);
    if (!key) {
      told[UNCHECKED[source.scheme.scheme]] += count;
      return;
    }
    const numbers = await dice.numbers(key, source.scheme, way.counted + 1, count, sides, event.purpose ?? "");
    const faces = [...chosen, ...numbers.map((number) => number + 1).slice(chosen.length)];
    if (faces.join() !== event.faces.join()) {
      throw new Error(`the dice of event ${seq}, for ${event.purpose}, are recorded as ${event.faces.join(", ")}, but the seed gives ${faces.join(", ")}`);
    }
    told.rolls += 1;
    told.dice += count - chosen.length;
    told.chosen += chosen.length;
    told.bySides[sides] = (told.bySides[sides] ?? 0) + count - chosen.length;
  }

  async function chooseAgain(dice, way, source, event, seq, told) {
    const key = dice.key(source.scheme);
    if (!event.chosen || !event.candidates) told.unseen += 1;
    else if (!key) told[UNCHECKED[source.scheme.scheme]] += 1;
    else {
      const [number] = await dice.numbers(key, source.scheme, way.counted + 1, 1, event.candidates.length, event.purpose);
      if (event.candidates[number] !== event.chosen) {
        throw new Error(`event ${seq} records ${event.chosen}, for ${event.purpose}, but the seed gives ${event.candidates[number]}`);
      }
      told.choices += 1;
    }
  }

  // A draw takes one of the cards of its pile. Where the odds of cards differ, as of counters that only now become known, the event names them.
  async function drawAgain(dice, way, source, event, seq, told) {
    const key = dice.key(source.scheme);
    const pile = way.piles.pile(event.deck ?? event.pool), drawn = event.card ?? event.drawn ?? null;
    const weights = Object.entries(event.weights ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    const size = weights.length ? weights.reduce((sum, [, weight]) => sum + weight, 0) : pile.cards.length;
    if (drawn === null || pile.hidden) told.unseen += 1;
    else if (!pile.cards.includes(drawn) || weights.some(([card]) => !pile.cards.includes(card))) {
      throw new Error(`event ${seq} draws ${drawn}, for ${event.purpose}, from a pile that cannot give it`);
    } else if (!key) told[UNCHECKED[source.scheme.scheme]] += 1;
    else if (!Number.isSafeInteger(size)) told.vast += 1;
    else {
      const [number] = await dice.numbers(key, source.scheme, way.counted + 1, 1, size, event.purpose ?? "");
      const given = weights.length ? weighed(weights, number) : pile.cards[number];
      if (given !== drawn) throw new Error(`event ${seq} draws ${drawn}, for ${event.purpose}, but the seed gives ${given}`);
      told.draws += 1;
      if (weights.length) told.weighed += 1;
    }
  }

  function weighed(weights, number) {
    let end = 0;
    return weights.find(([, weight]) => number < (end += weight))[0];
  }

  // Files

  // The number of the event that commits to the veil of a seed, or null.
  async function veilOf(seed, veils) {
    for (const { number, stream, veil } of veils) {
      const own = await signed(await keyOf(unhex(seed)), `wardiary veil 2|${stream}`);
      if ((await sha256(joined(text.encode("wardiary veil 2\n"), own))) === veil) return number;
    }
    return null;
  }

  async function check(bytes) {
    const all = lines(bytes);
    const parsed = (line) => JSON.parse(new TextDecoder().decode(line));
    const last = all.pop();
    const isArchive = "archive" in parsed(all[0]);
    const end = parsed(last);
    const commits = [], veils = [], opened = [];
    let head = START, events = 0;
    for (const line of all) {
      const record = parsed(line);
      if (!record.events) continue;
      if (record.first !== events + 1 || (isArchive && (record.prev ?? head) !== head)) throw new Error(`the chain is broken before event ${events + 1}`);
      events += record.events.length;
      commits.push(record.events);
      if (isArchive) head = await sha256(joined(PREFIX, line));
      for (const [place, event] of record.events.entries()) {
        if (event.chance?.scheme === LINKED) veils.push({ number: record.first + place, ...event.chance });
        if (event.event !== "seed-revealed/1") continue;
        const number = await veilOf(event.seed, veils);
        if (!number) throw new Error("a revealed seed does not fit its commitment");
        opened.push(number);
      }
    }
    if ((isArchive && end.head !== head) || end.events !== events) throw new Error("the last line does not fit the commits");
    if (end.sha256 !== (await sha256(bytes.subarray(0, bytes.length - last.length - 1)))) throw new Error("the sum of all bytes differs");
    const dice = await rolledAgain(commits);
    return { head: isArchive ? head : "", events, commits: commits.length, opened, dice };
  }

  // What was found, in words

  const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

  function words(found) {
    const { dice } = found, said = [];
    if (found.head) said.push(`${some(found.commits, "commit")} with ${some(found.events, "event")} form one chain with the head ${found.head.slice(0, 8)}…`);
    for (const event of found.opened) said.push(`the revealed seed fits the commitment in ${event === 1 ? "the first event" : `event ${event}`}`);
    const kinds = Object.entries(dice.bySides).map(([sides, count]) => `${some(count, "die", "dice")} of ${sides} sides`);
    if (dice.rolls) said.push(`${kinds.join(" and ")} in ${some(dice.rolls, "roll")} were rolled again and fall as recorded`);
    if (dice.draws) {
      const odds = dice.weighed ? ` (${dice.weighed} of them by the odds that the match records)` : "";
      said.push(`${some(dice.draws, "draw")} from decks and pools came out as recorded${odds}`);
    }
    if (dice.choices) said.push(`${some(dice.choices, "choice")} of chance came out as recorded`);
    const left = [];
    if (dice.typed) left.push(`${some(dice.typed, "die, draw or choice", "dice, draws and choices")}: typed in`);
    if (dice.linked) left.push(`${some(dice.linked, "die, draw or choice", "dice, draws and choices")}: they depend on links, which wardiary audit checks`);
    if (dice.chosen) left.push(`${some(dice.chosen, "die", "dice")}: chosen by who began the fork`);
    if (dice.unseen) left.push(`${some(dice.unseen, "draw or choice", "draws and choices")}: hidden from the viewer`);
    if (dice.vast) left.push(`${some(dice.vast, "draw")}: odds too large for this script`);
    if (dice.dealt) left.push(`${some(dice.dealt, "pile")}: dealt again for the fork, which wardiary audit repeats`);
    left.push("whether the rules were kept, which wardiary audit checks");
    const rest = ` Not checked here: ${left.join("; ")}.`;
    return said.length ? `Checked here: ${said.join("; ")}.${rest}` : `Nothing could be rolled again here.${rest}`;
  }

  return { check, words };
})();

if (typeof document !== "undefined") {
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element && event.target.closest("button[data-verify]");
    if (!button) return;
    const said = button.parentElement.querySelector("[role=status]");
    if (!globalThis.crypto || !crypto.subtle) {
      said.textContent = "Browsers offer no cryptography to a page that was sent without encryption. Use https, or the check in docs/archive.md.";
      return;
    }
    said.textContent = "Checking …";
    try {
      const answer = await fetch(button.dataset.verify, { credentials: "same-origin" });
      if (!answer.ok) throw new Error(`the file cannot be fetched (${answer.status})`);
      const found = await wardiaryVerify.check(new Uint8Array(await answer.arrayBuffer()));
      if (found.head !== (button.dataset.head ?? "")) throw new Error("the archive has another head than this page; if a note has followed, load the page again");
      said.textContent = wardiaryVerify.words(found);
    } catch (error) {
      said.textContent = `Not verified: ${error.message}.`;
    }
  });
} else if (typeof module !== "undefined") {
  module.exports = wardiaryVerify;
}
