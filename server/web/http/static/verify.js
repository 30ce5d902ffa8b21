// Checks a match with the browser's own cryptography. It shares no code with the server, only the format and the way to the dice
// (docs/archive.md): in an archive each commit names the hash of the one before it, and the last line sums all up; in an archive and in what one
// seat has seen, dice, draws and choices of chance follow from the links of the server and of the seats, or from a public seed, the number of the event
// and its purpose.
"use strict";

const wardiaryVerify = (() => {
  const text = new TextEncoder();
  const PREFIX = text.encode("wardiary commit 1\n");
  const START = "0".repeat(64);
  // Public keys of Ed25519 (hex) of small order, with which anybody can sign.
  const WEAK = /^(0[01](00){30}[08]0|e[cde](ff){30}[7f]f|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5|c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a)$/;
  const LINKED = "sealed/2", SEEDED = "seeded/1", MANUAL = "manual/1";

  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  async function sha256(bytes) {
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
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

  // Numbers that follow from a key, of which block after block is signed under a label.
  async function numbersUnder(key, label, count, size) {
    const found = [];
    for (let block = 0; found.length < count; block += 1) {
      for (const number of numbersOf(await signed(key, `${label}|${block}`), size)) {
        if (found.push(number) === count) break;
      }
    }
    return found;
  }

  const isHash = (digits) => /^[0-9a-f]{64}$/.test(digits ?? "");
  const stepped = (link) => sha256(joined(text.encode("wardiary link 2\n"), unhex(link)));
  const follows = async (link, before) => isHash(link) && (await stepped(link)) === before;

  // The links of a match as far as they are opened: the last one of the server, how many it opened, the last one of each seat, and the call that waits.
  class Links {
    constructor(link, opened = 0, last = new Map(), call = null) {
      Object.assign(this, { link, opened, last, call });
    }

    after(kind, event) {
      const last = new Map(this.last), { seat, number = 0, link, share, anchor } = event;
      const call = this.call?.seat === seat ? null : this.call;
      if (kind === "seat-secured") return new Links(this.link, this.opened, last.set(seat, anchor), call);
      if (kind === "seat-left" || kind === "player-replaced") return new Links(this.link, this.opened, last, call);
      if (kind === "match-ended" || kind === "rules-adopted") return new Links(this.link, this.opened, last);
      if (kind === "chance-called") return new Links(this.link, this.opened, last, { seat, number });
      if (kind !== "links-opened") return this;
      if (share) last.set(seat, share);
      return number ? new Links(link, number, last) : new Links(this.link, this.opened, last, this.call);
    }

    // What the results of a command depend on, besides a key, after a check that the links which are opened for it are the next ones.
    async context(event, stream, seq) {
      const last = new Map(this.last), { seat, number = 0, link, share } = event;
      if (share && !(await follows(share, last.get(seat)))) throw new Error(`event ${seq} does not open the next link of the seat ${seat}`);
      if (share) last.set(seat, share);
      if (!number) return "";
      if (number !== this.opened + 1 || !(await follows(link, this.link))) throw new Error(`event ${seq} does not open the next link of the server`);
      if (this.call && (this.call.seat !== seat || !share)) throw new Error(`event ${seq} does not open the link of the seat ${this.call.seat}, which had called for dice`);
      return [`wardiary chance 2|${stream}|${number}`, ...[...last].sort(([a], [b]) => (a < b ? -1 : 1)).map((one) => one.join("="))].join("|");
    }
  }

  // Events that are no part of the game, and those before which nothing can be taken back even if all agree: both matter only to what a taking back undoes.
  const KEPT = new Set(
    ("key-registered links-opened seat-secured arbiter-left arbiter-seated match-opened match-paused match-resumed note-added dispute-opened ruling-appealed player-replaced ruling-made seat-left seat-reserved " +
      "seat-taken seat-viewed undo-answered undo-asked seed-revealed standing-answer-given standing-answers-revealed").split(" "),
  );
  const FIRM = new Set("match-began match-ended match-forked rules-adopted secrets-redealt".split(" "));
  // Events that dice do not count though everybody may know of them.
  const UNCOUNTED = new Set("item-picked item-unpicked seat-viewed undo-answered undo-asked".split(" "));
  const RESULTS = new Set(["dice-rolled", "hidden-dice-rolled", "chosen-by-chance", "card-drawn", "piece-drawn"]);

  // Follows the piles from which cards and counters are drawn: the cards in their order, how many more the viewer cannot name, and the seats that know
  // them all, null for every seat. The cards that can be named are in their order, so that a pile without others can be drawn from again.
  const EMPTY = { cards: [], hidden: 0, seenBy: null };

  class Piles {
    constructor() {
      this.now = new Map();
      this.earlier = [[0, this.now]];
    }

    pile(name) {
      return this.now.get(name) ?? EMPTY;
    }

    set(name, cards, hidden, seenBy) {
      this.now = new Map(this.now).set(name, { cards, hidden, seenBy: seenBy ?? null });
    }

    remove(name, card) {
      const { cards, hidden, seenBy } = this.pile(name);
      const at = cards.indexOf(card);
      if (card === null) this.set(name, [], Math.max(0, cards.length + hidden - 1), seenBy);
      else if (at < 0) this.set(name, cards, Math.max(0, hidden - 1), seenBy);
      else this.set(name, cards.filter((_, place) => place !== at), hidden, seenBy);
    }

    add(name, card, seenBy) {
      const pile = this.pile(name), added = { cards: [card], hidden: 0, seenBy: seenBy ?? null };
      this.set(name, card === null ? pile.cards : [...pile.cards, card], card === null ? pile.hidden + 1 : pile.hidden, knownOfBoth(pile, added));
    }

    move(from, to, card, seenBy) {
      this.remove(from, card);
      this.add(to, card, seenBy);
    }

    take(event, kind, seq) {
      const before = this.now, { seen_by: seenBy } = event;
      if (kind === "deck-formed") this.set(event.deck, event.cards ?? [], event.cards ? 0 : event.count, seenBy);
      else if (kind === "secrets-redealt") this.set(event.pile, event.cards ?? this.pile(event.pile).cards, event.cards ? 0 : this.pile(event.pile).hidden, seenBy);
      else if (kind === "deck-shuffled" && event.source) this.join(event.deck, event.source);
      else if (kind === "card-drawn") this.move(event.deck, event.to, event.card, seenBy);
      else if (kind === "piece-drawn") this.remove(event.pool, event.drawn);
      else if (kind === "piece-returned") this.add(event.to, event.card, seenBy);
      else if (kind === "card-moved") this.move(event.was, event.to, event.card, seenBy);
      else if (kind === "card-played" || kind === "card-discarded") this.move(event.was, event.to, event.card, null);
      else if (kind === "commands-undone") this.restore(event.to);
      if (FIRM.has(kind)) this.earlier = [[seq, this.now]];
      else if (this.now !== before && kind !== "commands-undone") this.earlier.push([seq, this.now]);
    }

    join(deck, source) {
      const one = this.pile(deck), other = this.pile(source);
      this.set(deck, [...one.cards, ...other.cards].sort(), one.hidden + other.hidden, knownOfBoth(one, other));
      this.set(source, [], 0, null);
    }

    restore(number) {
      while (this.earlier.length > 1 && this.earlier.at(-1)[0] > number) this.earlier.pop();
      this.now = this.earlier.at(-1)[1];
    }
  }

  // The seats that know all cards of two piles; an empty pile is known to all.
  function knownOfBoth(...piles) {
    const known = piles.filter((pile) => (pile.cards.length || pile.hidden) && pile.seenBy).map((pile) => pile.seenBy);
    return known.length ? known[0].filter((seat) => known.every((seats) => seats.includes(seat))) : null;
  }

  // Follows a match event by event as far as its dice depend on it: their source with its links, the number to which they are bound, and the piles.
  class Way {
    constructor() {
      this.seq = 0;
      this.counted = 0;
      this.since = [];
      this.scheme = { scheme: MANUAL };
      this.links = null;
      this.diceFrom = 0;
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
      const isPick = UNCOUNTED.has(kind);
      const isPrivate = Array.isArray(event.seen_by) && (kind === "note-added" || kind === "standing-answer-given");
      if (kind === "commands-undone") {
        this.counted -= this.since.filter((number) => number > event.to).length;
        this.since = this.since.filter((number) => number <= event.to);
      } else if (!isPrivate && !isPick) {
        this.counted += 1;
        if (FIRM.has(kind)) this.since = [];
        else if (!KEPT.has(kind)) this.since.push(this.seq);
      }
      this.piles.take(event, kind, this.seq);
      if (kind === "match-opened") this.begin(event.chance);
      if (kind === "match-forked") this.fork(event);
      if (this.links && (kind !== "links-opened" || this.seq > this.diceFrom)) this.links = this.links.after(kind, event);
      if (kind === "dice-rolled") this.use(event);
    }

    begin(scheme) {
      this.scheme = scheme;
      this.links = scheme.scheme === LINKED ? new Links(scheme.commitment) : null;
    }

    fork(event) {
      const carried = on(this.scheme);
      const isSame = same(carried, event.chance);
      const before = this.seq - 1;
      const end = isSame && !(event.faces ?? []).length ? Infinity : event.at;
      const own = { upto: event.at + 1, scheme: carried, links: this.links, chosen: later(this.chosen) };
      const earlier = this.sources.map((one) => ({ ...one, upto: Math.min(one.upto, end) + 1, scheme: on(one.scheme), chosen: later(one.chosen) }));
      this.sources = [];
      if (event.at > before) {
        for (const one of [...earlier, own]) if (!this.sources.length || one.upto > this.sources.at(-1).upto) this.sources.push(one);
      }
      const kept = isSame ? later(this.chosen) : null;
      this.chosen = (event.faces ?? []).length ? { after: event.at + 1, faces: event.faces } : kept;
      if (isSame) this.diceFrom = event.at > before ? this.diceFrom + 1 : Math.min(this.diceFrom, this.seq);
      else this.diceFrom = event.at + 1;
      if (isSame) this.scheme = event.chance;
      else this.begin(event.chance);
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
      Object.assign(this, { rolls: 0, dice: 0, choices: 0, draws: 0, weighed: 0, chosen: 0, typed: 0, sealed: 0, unseen: 0, vast: 0, dealt: 0, bySides: {} });
    }
  }

  // Gives the results of chance again, commit by commit.
  class Chance {
    constructor(veils) {
      this.veils = veils;
      this.seeds = new Map();
      this.way = new Way();
      this.told = new Told();
    }

    async commit(events) {
      this.opened = null;
      this.isOwn = false;
      this.calls = 0;
      for (const event of events) {
        const kind = event.event.replace(/\/1$/, "");
        const seq = this.way.seq + 1, source = this.way.source(seq);
        if (kind === "links-opened") await this.open(event, seq, source);
        else if (kind === "secrets-redealt") this.told.dealt += 1;
        else if (RESULTS.has(kind)) await this.result(event, kind, seq, source);
        this.way.take(event, kind);
      }
      // Only the commit after that of a fork may repeat outcomes of the parent.
      if (events[0].event !== "match-forked/1") this.way.sources = [];
    }

    async open(event, seq, { scheme, links }) {
      if (!links) throw new Error(`event ${seq} opens links, on which the dice of this match do not depend`);
      const isOwn = seq > this.way.diceFrom;
      if (isOwn && this.isOwn) throw new Error(`event ${seq} opens links a second time for one command`);
      const context = await links.context(event, scheme.stream, seq);
      if (context) Object.assign(this, { opened: { context, link: event.link }, isOwn, calls: 0 });
    }

    // The next result: what it is is told by what was recorded and by what could come out.
    async result(event, kind, seq, source) {
      this.calls += 1;
      if (kind === "dice-rolled" || kind === "hidden-dice-rolled") return this.rollAgain(event, seq, source);
      return kind === "chosen-by-chance" ? this.chooseAgain(event, seq, source) : this.drawAgain(event, seq, source);
    }

    // The numbers that a source gives, or why they cannot be known here, a count of what is told.
    async numbers(event, seq, { scheme, links }, count, size, isVeiled) {
      if (scheme.scheme === MANUAL) return "typed";
      if (!links) {
        const label = `${scheme.stream ?? ""}|${this.way.counted + 1 - (scheme.shift ?? 0)}|${event.purpose ?? ""}`;
        return numbersUnder(await this.seeded(scheme.seed), label, count, size);
      }
      if (!this.opened) throw new Error(`no link was opened for event ${seq}`);
      const secret = isVeiled ? this.veils.get(scheme.veil) : unhex(this.opened.link);
      if (!secret) return "sealed";
      const key = await keyOf(await signed(await keyOf(secret), this.opened.context));
      return numbersUnder(key, this.calls, count, size);
    }

    seeded(seed) {
      if (!this.seeds.has(seed)) this.seeds.set(seed, keyOf(text.encode(seed)).then((raw) => signed(raw, "wardiary chance 1|")).then(keyOf));
      return this.seeds.get(seed);
    }

    async rollAgain(event, seq, source) {
      const { told } = this, sides = event.sides ?? 6, isHidden = event.event === "hidden-dice-rolled/1";
      if (!event.faces) return void (told.unseen += event.count);
      const count = event.faces.length, isPossible = event.faces.every((face) => Number.isSafeInteger(face) && face >= 1 && face <= sides);
      if (!count || (event.count ?? count) !== count || !isPossible) throw new Error(`no dice of ${sides} sides give what event ${seq} records: ${event.faces.join(", ")}`);
      // A fork chooses the faces of open dice only.
      const chosen = isHidden ? [] : chosenFor(source.chosen, seq, count, sides);
      const numbers = await this.numbers(event, seq, source, count, sides, isHidden && Array.isArray(event.seen_by));
      if (typeof numbers === "string") return void (told[numbers] += count);
      const faces = [...chosen, ...numbers.map((number) => number + 1).slice(chosen.length)];
      if (faces.join() !== event.faces.join()) {
        throw new Error(`the dice of event ${seq}, for ${event.purpose}, are recorded as ${event.faces.join(", ")}, but what was promised gives ${faces.join(", ")}`);
      }
      told.rolls += 1;
      told.dice += count - chosen.length;
      told.chosen += chosen.length;
      told.bySides[sides] = (told.bySides[sides] ?? 0) + count - chosen.length;
    }

    async chooseAgain(event, seq, source) {
      const { told } = this;
      if (!event.chosen || !event.candidates) return void (told.unseen += 1);
      if (!event.candidates.includes(event.chosen)) throw new Error(`event ${seq} chooses ${event.chosen}, for ${event.purpose}, which is not among the candidates`);
      const numbers = await this.numbers(event, seq, source, 1, event.candidates.length, Array.isArray(event.seen_by));
      if (typeof numbers === "string") return void (told[numbers] += 1);
      const given = event.candidates[numbers[0]];
      if (given !== event.chosen) throw new Error(`event ${seq} records ${event.chosen}, for ${event.purpose}, but what was promised gives ${given}`);
      told.choices += 1;
    }

    // A draw takes one of the cards of its pile. Where the odds of cards differ, as of counters that only now become known, the event names them.
    async drawAgain(event, seq, source) {
      const { told } = this, pile = this.way.piles.pile(event.deck ?? event.pool), drawn = event.card ?? event.drawn ?? null;
      const weights = Object.entries(event.weights ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const size = weights.length ? weights.reduce((sum, [, weight]) => sum + weight, 0) : pile.cards.length;
      if (drawn === null || pile.hidden) return void (told.unseen += 1);
      const isWeighed = weights.every(([, weight]) => weight > 0 && Number.isInteger(weight)) && (!weights.length || weights.some(([card]) => card === drawn));
      if (!pile.cards.includes(drawn) || !isWeighed) {
        throw new Error(`event ${seq} draws ${drawn}, for ${event.purpose}, from a pile that cannot give it`);
      }
      if (!Number.isSafeInteger(size)) return void (told.vast += 1);
      const isVeiled = Array.isArray(event.seen_by) || (!weights.length && pile.seenBy !== null);
      const numbers = await this.numbers(event, seq, source, 1, size, isVeiled);
      if (typeof numbers === "string") return void (told[numbers] += 1);
      const given = weights.length ? weighed(weights, numbers[0]) : pile.cards[numbers[0]];
      if (given !== drawn) throw new Error(`event ${seq} draws ${drawn}, for ${event.purpose}, but what was promised gives ${given}`);
      told.draws += 1;
      if (weights.length) told.weighed += 1;
    }
  }

  function weighed(weights, number) {
    let end = 0;
    return weights.find(([, weight]) => number < (end += weight))[0];
  }

  // Files

  // Finds the promise that a seed keeps, and its veil, after a check that it gives the links that were promised.
  async function opening(seed, promises) {
    if (!isHash(seed)) throw new Error("a revealed seed is no seed");
    const key = await keyOf(unhex(seed));
    for (const { number, stream, veil, commitment, length } of promises) {
      const own = await signed(key, `wardiary veil 2|${stream}`);
      if ((await sha256(joined(text.encode("wardiary veil 2\n"), own))) !== veil) continue;
      let link = hex(await signed(key, `wardiary links 2|${stream}`));
      for (let left = length; left; left -= 1) link = await stepped(link);
      if (link !== commitment) throw new Error("a revealed seed gives other links than those that were promised");
      return { number, veil, own };
    }
    throw new Error("a revealed seed does not fit its commitment");
  }

  async function check(bytes) {
    const all = lines(bytes);
    const parsed = (line) => JSON.parse(new TextDecoder().decode(line));
    const last = all.pop();
    const isArchive = "archive" in parsed(all[0]);
    const end = parsed(last);
    const commits = [], promises = [], opened = [], veils = new Map();
    let head = START, events = 0;
    for (const line of all) {
      const record = parsed(line);
      if (!record.events) continue;
      if (record.first !== events + 1 || (isArchive && (record.prev ?? head) !== head)) throw new Error(`the chain is broken before event ${events + 1}`);
      events += record.events.length;
      commits.push(record.events);
      if (isArchive) head = await sha256(joined(PREFIX, line));
      for (const [place, event] of record.events.entries()) {
        if (event.chance?.scheme === LINKED) promises.push({ number: record.first + place, ...event.chance });
        if (event.event !== "seed-revealed/1") continue;
        const { number, veil, own } = await opening(event.seed, promises);
        opened.push(number);
        veils.set(veil, own);
      }
    }
    if ((isArchive && end.head !== head) || end.events !== events) throw new Error("the last line does not fit the commits");
    if (end.sha256 !== (await sha256(bytes.subarray(0, bytes.length - last.length - 1)))) throw new Error("the sum of all bytes differs");
    const chance = new Chance(veils);
    for (const one of commits) await chance.commit(one);
    return { head: isArchive ? head : "", events, commits: commits.length, opened, dice: chance.told };
  }

  // What was found, in words

  const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

  function words(found) {
    const { dice } = found, said = [];
    if (found.head) said.push(`${some(found.commits, "commit")} with ${some(found.events, "event")} form one chain with the head ${found.head.slice(0, 8)}…`);
    for (const event of found.opened) said.push(`the revealed seed gives the links that were promised in ${event === 1 ? "the first event" : `event ${event}`}`);
    const kinds = Object.entries(dice.bySides).map(([sides, count]) => `${some(count, "die", "dice")} of ${sides} sides`);
    if (dice.rolls) said.push(`${kinds.join(" and ")} in ${some(dice.rolls, "roll")} were rolled again and fall as recorded`);
    if (dice.draws) {
      const odds = dice.weighed ? ` (${dice.weighed} of them by the odds that the match records)` : "";
      said.push(`${some(dice.draws, "draw")} from decks and pools came out as recorded${odds}`);
    }
    if (dice.choices) said.push(`${some(dice.choices, "choice")} of chance came out as recorded`);
    const left = [];
    if (dice.typed) left.push(`${some(dice.typed, "die, draw or choice", "dice, draws and choices")}: typed in`);
    if (dice.sealed) left.push(`${some(dice.sealed, "die, draw or choice", "dice, draws and choices")}: hidden from some, until the seed is revealed`);
    if (dice.chosen) left.push(`${some(dice.chosen, "die", "dice")}: chosen by who began the fork`);
    if (dice.unseen) left.push(`${some(dice.unseen, "draw or choice", "draws and choices")}: hidden from the viewer`);
    if (dice.vast) left.push(`${some(dice.vast, "draw")}: odds too large for this script`);
    if (dice.dealt) left.push(`${some(dice.dealt, "pile")}: dealt again for the fork, which wardiary audit repeats`);
    left.push("whether the rules were kept, which wardiary audit checks");
    const rest = ` Not checked here: ${left.join("; ")}.`;
    return said.length ? `Checked here: ${said.join("; ")}.${rest}` : `Nothing could be rolled again here.${rest}`;
  }

  return { check, words, tools: { KEPT, FIRM, LINKED, WEAK, hex, unhex, isHash, sha256, stepped, keyOf, hmac: signed } };
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
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const found = await wardiaryVerify.check(bytes);
      if (found.head !== (button.dataset.head ?? "")) throw new Error("the archive has another head than this page; if a note has followed, load the page again");
      const log = button.dataset.log ? await fetch(button.dataset.log, { credentials: "same-origin" }) : null;
      const tied = !log ? "" : log.ok ? wardiaryLog.words(await wardiaryLog.check(bytes, new Uint8Array(await log.arrayBuffer()))) : " The server keeps no log of this match.";
      const course = found.head ? wardiaryCourse.words(await wardiaryCourse.check(bytes)) : "";
      said.textContent = wardiaryVerify.words(found) + course + tied;
    } catch (error) {
      said.textContent = `Not verified: ${error.message}.`;
    }
  });
} else if (typeof module !== "undefined") {
  module.exports = wardiaryVerify;
}
