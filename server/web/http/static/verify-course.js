// Checks the course of a match in an archive (docs/archive.md): that each line is written as an export writes it, that links are called for, owed and opened as
// the match says, that what a seat says stands beside its own commands, and that a seat which has a key signs all that it sends, where the browser has Ed25519.
// It shares no code with the server.
"use strict";

const wardiaryCourse = (() => {
  const { KEPT, FIRM, LINKED, WEAK, hex, unhex, isHash, sha256, stepped, keyOf, hmac } = (typeof module === "undefined" ? wardiaryVerify : require("./verify.js")).tools;
  const text = new TextEncoder();
  const digest = (said) => sha256(text.encode(said));

  const ARCHIVE = "wardiary-archive/1", LENGTH_MAX = 2 ** 20;
  // What a commit looks like, and the fields of the sources of dice.
  const COMMIT = { commit: "string", match: "string", first: "number", prev: "string", at: "number", seat: "string", key: "string", command: "object", events: "list", expected: "number", signature: "string" };
  const SCHEMES = { "sealed/2": "scheme commitment stream veil length", "seeded/1": "scheme seed", "manual/1": "scheme" };
  const ROLLS = ["dice-rolled", "hidden-dice-rolled"], RESULTS = new Set([...ROLLS, "card-drawn", "piece-drawn", "chosen-by-chance"]);
  const OTHERS = ("attribute-set card-discarded card-moved card-played chance-called commands-undone control-changed decision-closed decision-opened deck-formed deck-shuffled item-picked item-unpicked " +
    "marker-placed marker-removed phase-began piece-concealed piece-moved piece-placed piece-removed piece-returned piece-revealed piece-turned round-began rule-applied sequence-began sequence-ended " +
    "side-assigned side-changed step-began track-moved turn-began").split(" ");
  const KINDS = new Set([...KEPT, ...FIRM, ...RESULTS, ...OTHERS]);
  const FIRST_ONLY = new Set(["match-opened", "match-forked", "rules-adopted"]);
  const OF_LINKS = new Set(["seat-secured", "chance-called", "links-opened"]);
  const PRIVATE = new Set(["item-picked", "item-unpicked", "undo-answered", "undo-asked", "seat-viewed", "note-added", "standing-answer-given"]);
  // Events by which a seat or the arbiter says something, and the fields of the command that say it, too.
  const WORDS = {
    "commands-undone": [], "dispute-opened": ["at", "text"], "key-registered": ["public_key", "key_holder"], "note-added": ["at", "text", "private"], "ruling-appealed": ["at", "text"],
    "ruling-made": ["about", "at", "cites", "effect", "house", "line", "reverses", "text"], "seat-left": [], "seat-secured": ["anchor", "holder", "length"], "seat-taken": ["credential", "name"],
    "standing-answer-given": ["answer", "decision", "until"], "undo-answered": ["is_agreed"], "undo-asked": [],
  };
  // Texts, and numbers of 16 digits and more; an escape that stands for half of a surrogate pair.
  const LARGE = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16,}/g, HALF = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;
  const ORDER = /^[^]+\/0\/[1-9][0-9]{0,3}$/;

  const typeOf = (value) => (Array.isArray(value) ? "list" : value === null ? "null" : Number.isSafeInteger(value) ? "number" : typeof value === "number" ? "fraction" : typeof value);
  const kindOf = (event) => event.event.replace(/\/1$/, "");
  const sameJson = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const sameItems = (one, other) => one.length === other.length && one.every((item) => other.includes(item));

  function need(holds, problem) {
    if (!holds) throw new Error(problem);
  }

  // A record, whose line must be written in the only way that the format knows, without half a surrogate pair; numbers that this script cannot hold are rounded.
  function parsed(line) {
    const record = JSON.parse(line);
    const isWritten = [line, line.replace(LARGE, (one) => (one[0] === '"' ? one : String(Number(one))))].includes(JSON.stringify(record));
    need(typeOf(record) === "object" && isWritten && !HALF.test(line), "this line is not written as an export writes it");
    return record;
  }

  function formed(record) {
    const whole = { expected: 0, signature: "", ...record };
    need(sameItems(Object.keys(whole), Object.keys(COMMIT)) && Object.keys(whole).every((name) => typeOf(whole[name]) === COMMIT[name]), "the commit has other fields than the format says");
    return whole;
  }

  // The commits of an archive, after a check that they are of one match, with its forks, and that the files are those with which it was opened.
  async function read(archive) {
    const [first, ...lines] = new TextDecoder("utf-8", { fatal: true }).decode(archive).split("\n").slice(0, -1);
    const header = parsed(first), files = [], commits = [], keys = new Set();
    parsed(lines.pop());
    while (lines[0]?.startsWith('{"attachment":')) {
      const { attachment, text: plain, base64 } = parsed(lines.shift());
      const content = plain === undefined ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : text.encode(plain);
      need((await sha256(content)) === attachment, "an attached file does not have the SHA-256 that it is filed under");
      files.push(attachment);
    }
    let seq = 0, match = "";
    for (const line of lines) {
      const commit = within(seq + 1, () => formed(parsed(line))), kinds = commit.events.map(kindOf);
      need(kinds.length && commit.commit === "1" && kinds.every((kind) => KINDS.has(kind)) && commit.events.every((one) => one.event.endsWith("/1")), `event ${seq + 1}: no commit has the events ${kinds}`);
      const isOne = (kinds[0] === "match-opened") === (seq === 0) && !kinds.slice(1).some((kind) => FIRST_ONLY.has(kind)) && (!match || (kinds[0] === "match-forked") === (commit.match !== match));
      need(isOne, `event ${seq + 1}: a match begins once, and a fork or other rules with a commit`);
      if (commit.match !== match) keys.clear();
      need(!keys.has(commit.key), `event ${seq + 1}: the idempotency key ${commit.key} was used before`);
      keys.add(commit.key);
      match = commit.match;
      seq += kinds.length;
      commits.push(commit);
    }
    const opening = commits[0].events[0];
    need(JSON.stringify(header) === JSON.stringify({ archive: ARCHIVE, match, game: opening.game }), "the first line names another match or game than the commits");
    const named = [...new Set([opening.board, opening.position].filter(Boolean))];
    need(files.join() === named.filter((one) => files.includes(one)).join(), "the match was opened with other files");
    return commits;
  }

  function within(seq, act) {
    try {
      return act();
    } catch (error) {
      throw new Error(`event ${seq}: ${error.message}`);
    }
  }

  // Where dice come from: those of the match, or of a parent whose command a fork decides again, with the last links, how many are left, what seats owe ("" for
  // chance that was used, else the seats whose anchors they have to answer), and the call that waits.
  class Source {
    constructor(scheme, match) {
      const isLinked = scheme.scheme === LINKED;
      need(
        sameItems(Object.keys(scheme), (SCHEMES[scheme.scheme] ?? "").split(" ")) &&
          (!isLinked || (isHash(scheme.commitment) && isHash(scheme.veil) && scheme.stream === match && scheme.length >= 1 && scheme.length <= LENGTH_MAX)),
        `the source of dice ${scheme.scheme} is not one that this match can have been given`,
      );
      Object.assign(this, { scheme, isLinked, shift: 0, link: scheme.commitment ?? "", number: 0, openedIn: 0, results: 0 });
      Object.assign(this, { last: new Map(), left: new Map(), owes: new Map(), call: null });
    }

    copy() {
      const owes = new Map([...this.owes].map(([seat, owed]) => [seat, new Set(owed)]));
      return Object.assign(Object.create(Source.prototype), this, { last: new Map(this.last), left: new Map(this.left), owes });
    }

    isUnanswered() {
      return [...this.owes.values()].some((owed) => [...owed].some(Boolean));
    }

    // For chance that was used a seat opens a link when it is to decide, and no sooner.
    async open(commit, { seat = "", share = "", number = 0, link }, isRepeated, decider) {
      const actor = commit.seat;
      need(share || (!seat && number), "the link of a seat is missing");
      const isOwed = !this.call && [...(this.owes.get(seat) ?? [])].some((owed) => owed || seat === decider);
      need(number || isOwed, `no link of the seat ${seat} was owed, or another one was to decide first`);
      need(this.openedIn !== commit.first, "links are opened once for a command");
      if (number) {
        const isBegin = commit.events[0].event === "match-began/1";
        const isCalled = isRepeated || !this.left.has(actor) || (isBegin ? number === 1 && !share : this.call?.seat === seat && this.call.number === number);
        need(isCalled, `the seat ${actor} has a chain, and used chance without calling for it first`);
        need(number === this.number + 1 && !this.isUnanswered(), "this is not the number of the next link, or an anchor was not answered yet");
        need(isHash(link) && (await stepped(link)) === this.link, "this is not the next link of the server");
        for (const owed of this.owes.values()) owed.add("");
        Object.assign(this, { link, number, openedIn: commit.first, results: 0, call: null });
      }
      if (!share) return;
      const isOwn = isRepeated || (seat === actor && commit.command.share === share);
      need(this.left.has(seat) && isOwn && isHash(share) && (await stepped(share)) === this.last.get(seat), `this is not the next link of the seat ${seat}, opened by that seat`);
      this.last.set(seat, share);
      this.left.set(seat, this.left.get(seat) - 1);
      this.owes.set(seat, new Set());
    }

    async fits(seed) {
      if (!this.isLinked || !isHash(seed)) return false;
      const veil = await hmac(await keyOf(unhex(seed)), `wardiary veil 2|${this.scheme.stream}`);
      return (await sha256(new Uint8Array([...text.encode("wardiary veil 2\n"), ...veil]))) === this.scheme.veil;
    }
  }

  // What tells whether a command is a standing answer: open questions and sequences, sides, and the answers with how long they hold.
  class Questions {
    constructor() {
      Object.assign(this, { stack: [], plays: {}, answers: new Map(), back: [] });
    }

    // The open question, or the sequence that goes on, and whose it is.
    get top() {
      return this.stack.at(-1) ?? { named: "", seat: "" };
    }

    isAnswer({ seat, command }) {
      const { answer = "" } = this.answers.get(`${seat}\n${this.top.named}`) ?? {};
      return answer !== "" && JSON.stringify(JSON.parse(answer)) === JSON.stringify(command);
    }

    drop(isOver) {
      for (const [name, one] of this.answers) if (isOver(name.split("\n")[0], one)) this.answers.delete(name);
    }

    take(seq, kind, event) {
      const { seat = "", kind: named } = event, { stack } = this;
      if (!KEPT.has(kind) && kind !== "commands-undone") this.back.push({ seq, stack, plays: this.plays });
      if (kind === "commands-undone") {
        while (this.back.length && this.back.at(-1).seq > event.to) Object.assign(this, (({ stack, plays }) => ({ stack, plays }))(this.back.pop()));
      } else if (kind === "match-opened" || kind === "side-assigned") {
        this.plays = { ...this.plays, ...(event.plays ?? { [seat]: event.side ?? "" }) };
      } else if (kind === "standing-answer-given") {
        this.answers.set(`${seat}\n${event.decision}`, { answer: event.answer, until: event.until });
      } else if (kind === "key-registered" && !event.was) {
        this.drop((of) => of === seat);
      } else if (kind === "turn-began") {
        const ends = seat ? [seat] : Object.keys(this.plays).filter((one) => this.plays[one] === event.side);
        this.drop((of, one) => ends.includes(of) && one.until === "turn");
      } else if ((kind === "step-began" || kind === "sequence-ended") && stack.some((one) => one.named === named)) {
        this.stack = stack.slice(0, stack.findLastIndex((one) => one.named === named) + (kind === "step-began" ? 1 : 0));
      } else if (kind === "decision-opened" || kind === "sequence-began") {
        this.stack = [...(event.was ? stack.slice(0, -1) : stack), { named, seat }];
      } else if (kind === "decision-closed") this.stack = stack.slice(0, -1);
      else if (kind === "match-ended") this.stack = [];
      if (FIRST_ONLY.has(kind)) this.answers = new Map();
      if (FIRM.has(kind)) this.back = [];
    }
  }

  // Follows a match commit by commit.
  class Course {
    constructor(opening, digested) {
      Object.assign(this, { seq: 0, opening: digested, seats: opening.seats, own: new Source({ scheme: "manual/1" }, ""), cut: [], questions: new Questions(), commitments: new Set() });
      Object.assign(this, { keys: new Map(), known: new Map(), privately: [], record: "", repeated: 0, before: {}, seeds: 0, named: new Set([...opening.seats, "arbiter", "public", ""]) });
      this.begin();
    }

    // What is told of a match, or of a fork, anew.
    begin() {
      Object.assign(this, { counts: { signed: 0, answer: 0, link: 0, bare: 0, unknown: 0 }, chains: new Map(), players: new Map(), notOpened: [], otherKeys: [] });
    }

    async commit(commit, line) {
      const first = this.seq + 1, { seat, command, events } = commit, isFork = events[0].event === "match-forked/1", { call } = this.own;
      const isDecision = command.do === "match:begin" || !String(command.do).startsWith("match:");
      try {
        need(!call || !isDecision, `nothing can be decided before the link that the seat ${call?.seat} has called for`);
        need(!(this.own.owes.get(seat)?.size && isDecision) || this.questions.isAnswer(commit), `the seat ${seat} owed a link when it decided`);
        const judged = await this.judged(commit, line);
        if (judged) this.counts[judged] += 1;
      } catch (error) {
        throw new Error(`event ${first}: ${error.message}`);
      }
      for (const event of events) {
        this.seq += 1;
        try {
          await this.take(commit, kindOf(event), event, isFork);
        } catch (error) {
          throw new Error(`event ${this.seq}: ${error.message}`);
        }
      }
      need(this.own.openedIn !== commit.first || this.own.results || isFork, `event ${first}: a link was opened for no result`);
      // A match that a ruling ends goes on as another one, in which the same is hidden.
      const kinds = events.map(kindOf), isEnd = kinds.includes("match-ended") && !kinds.includes("ruling-made");
      const isTold = kinds.includes("seed-revealed") === (this.own.isLinked && isEnd);
      need(isTold, `event ${this.seq}: the seed is not revealed with the end, or is without it`);
      await this.show(commit, line);
      this.before = commit;
      if (!isFork) this.cut = [];
    }

    // Adds what everybody was shown of a commit to the digest that the next signature names: its events as they are written, without the numbers of others.
    async show({ at, events }, line) {
      const texts = eventsIn(line), shown = [];
      for (const [place, event] of events.entries()) {
        const numbers = { ...("at" in event && { at: 0 }), ...("to" in event && event.event.includes("undo") && { to: 0 }) };
        const isPlain = !Object.keys(numbers).length;
        if (!("seen_by" in event)) shown.push(isPlain ? texts[place] : JSON.stringify({ ...event, ...numbers }));
      }
      if (shown.length) this.record = await digest(`wardiary record 1|${this.record}|${at}|[${shown.join(",")}]`);
    }

    async take(commit, kind, event, isFork) {
      const source = this.cut.find(({ upto }) => this.seq <= upto)?.source ?? this.own;
      need(!OF_LINKS.has(kind) || source.isLinked, "the dice of this match depend on no links");
      if (RESULTS.has(kind)) {
        need(!isFork, `${kind} is not part of a fork's new deal`);
        need(!source.isLinked || source.openedIn === commit.first, "no link was opened for this result");
        need((event.faces ?? event.card ?? event.drawn ?? event.chosen) && (kind !== "chosen-by-chance" || event.candidates), "a result is missing");
        source.results += 1;
      }
      need(!["deck-formed", "secrets-redealt"].includes(kind) || Array.isArray(event.cards), "the cards of a pile are missing");
      const { call } = this.own;
      await this.follow(commit, kind, event, source);
      if (call && !this.own.call && kind !== "links-opened") this.notOpened.push(this.seq);
      this.questions.take(this.seq, kind, event);
    }

    // Checks the signature of a commit, or that it needs none; returns what it counts as, null for what was signed in a parent.
    async judged(commit, line) {
      const { match, seat, key: name, command, events, expected, signature } = commit, { questions, before } = this;
      if (this.cut.length || events[0].event === "match-forked/1") {
        need(!signature && !expected, "this is signed, though it is no command of this match");
        return null;
      }
      const game = events.map(kindOf).filter((kind) => !KEPT.has(kind) && !["commands-undone", "match-ended", "rules-adopted"].includes(kind));
      const isOwn = String(command.do).startsWith("match:") && (!game.length || (game[0] === "match-began" && !questions.stack.length));
      need(this.seats.includes(seat) || (seat === "arbiter" && isOwn), `the seat ${seat} cannot send this with these events`);
      const [registered, ...more] = events.filter((event) => event.event === "key-registered/1");
      need(Boolean(registered) === Boolean(command.public_key) && !more.length, "the key that the command names is not registered");
      const key = registered ? registered.was || registered.key : this.keys.get(seat) ?? "";
      // The further commands of an order K have the keys K/0/2, K/0/3 …, and the standing answers that follow K have K/1, K/2 …
      const cut = name.lastIndexOf("/"), start = cut < 0 ? "" : name.slice(0, cut), last = name.slice(cut + 1);
      const count = /^[0-9]+$/.test(last) ? Number(last.slice(0, 9)) : 0, isOrder = count > 1 && ORDER.test(name);
      const isFirst = count === (isOrder ? 2 : 1);
      const follows = isFirst ? (isOrder ? start.slice(0, -2) : start) : `${start}/${count - 1}`;
      const isNext = count > 0 && before.key === follows;
      if (!signature) {
        const opened = events.filter((event) => event.event === "links-opened/1" && event.share && (event.number || events.length === 1));
        const isLink = command.do === "match:open-link" && opened.some(({ share }) => name === `link-${share}`);
        need(isLink || !key || (isNext && questions.isAnswer(commit)), `this was not signed, though the seat ${seat} has a key`);
        need(!expected, "the command says what its seat had seen, and is not signed");
        return isLink && key ? "link" : key ? "answer" : "bare";
      }
      need(key, `this is signed, and the seat ${seat} has no key`);
      if (isOrder) need(isNext && before.seat === seat && before.expected === expected, "the command does not follow the one before it in its order");
      else if (expected || command.do !== "match:take-seat") {
        const actual = this.numberOf(this.seq, seat);
        need(expected === actual, `this is signed for ${expected} events, and the seat ${seat} had seen ${actual}`);
      }
      if (!isOrder) this.bound = this.record;
      const said = ["wardiary command 1", match, this.opening, seat, name, expected || "-", await digest(written(line, '"command":')), (expected && this.bound) || "-"];
      return this.isSigned(key, signature, said.map((one) => `${one}\n`).join(""), seat);
    }

    async isSigned(key, signature, said, seat) {
      const problem = `this does not have the signature of the seat ${seat}`;
      let bytes;
      try {
        bytes = Uint8Array.from(atob(signature), (char) => char.charCodeAt(0));
      } catch {
        throw new Error(problem);
      }
      need(isHash(key) && !WEAK.test(key) && btoa(String.fromCharCode(...bytes)) === signature, problem);
      if (!this.known.has(key)) this.known.set(key, await ed25519(key));
      const known = this.known.get(key);
      if (!known) return "unknown";
      need(await crypto.subtle.verify("Ed25519", known, bytes, text.encode(said)), problem);
      return "signed";
    }

    fork(commit, event) {
      const { at: last = 0, faces = [], seat = "" } = event, { own } = this;
      for (const one of [...this.cut.map(({ source }) => source), own]) one.shift += 1;
      const shifted = JSON.stringify(Object.entries({ ...own.scheme, shift: own.shift }).sort());
      const isSame = "seed" in own.scheme && JSON.stringify(Object.entries(event.chance).sort()) === shifted;
      const most = isSame && !faces.length ? Infinity : last;
      const parents = [...this.cut, { upto: last, source: own.copy() }].map(({ upto, source }) => ({ upto: Math.min(upto, most) + 1, source }));
      this.cut = last >= this.seq ? parents : [];
      if (!isSame) this.own = new Source(event.chance, commit.match);
      need(!this.commitments.has(this.own.link), "these links are those of a parent");
      if (this.own.link) this.commitments.add(this.own.link);
      this.begin();
      Object.assign(this, { keys: new Map(), repeated: last + 1 });
      this.privately = this.privately.map(({ seq, seats }) => ({ seq, seats: seat === "arbiter" || seats.includes(seat) ? seats : [] }));
    }

    // A seat's own number of an event: how many it has seen up to there.
    numberOf(seq, seat) {
      return seq - this.privately.filter((one) => seat !== "arbiter" && one.seq <= seq && !one.seats.includes(seat)).length;
    }

    // Whether an event is of the seat that sent the command, and says what the command says; who names no name has that of the invitation.
    isSaid({ command, seat }, kind, event) {
      const said = { ...event, public_key: event.key, key_holder: event.holder };
      if ("at" in event) said.at = this.numberOf(event.at, seat);
      if ("seen_by" in event) said.private = sameJson(event.seen_by, [seat]);
      if (!command.name?.trim()) said.name = command.name;
      return [event.seat ?? "arbiter", ...(kind === "commands-undone" ? event.agreed ?? [] : [])].includes(seat) && WORDS[kind].every((name) => sameJson(said[name] ?? "", command[name] ?? ""));
    }

    async follow(commit, kind, event, source) {
      const { seat = "" } = event, { own } = this, { call } = own, isNew = this.seq > this.repeated;
      const { seen_by: seen = [] } = event;
      need(Array.isArray(seen) && [seat, ...seen].every((one) => this.named.has(one)), "this names no seat");
      need(!(kind in WORDS) || !isNew || this.isSaid(commit, kind, event), "this is not what the command says");
      if (kind === "match-opened" || kind === "match-forked") this.fork(commit, event);
      else if (kind === "rules-adopted" || kind === "match-ended") own.call = null;
      else if (kind === "seed-revealed") need((this.seeds += 1) === 1 && (await own.fits(event.seed)), "the revealed seed does not fit the veil");
      else if (kind === "seat-secured" && own.isLinked) this.secure(event, own);
      else if (kind === "chance-called" && own.isLinked) {
        const isOwn = commit.events.length === 1 && seat === commit.seat && own.left.has(seat) && !call;
        need(isOwn && event.number === own.number + 1 && !own.isUnanswered(), `the seat ${seat} has no chain to call for this link with, or not now`);
        own.call = { seat, number: event.number };
      } else if (kind === "links-opened") {
        await source.open(commit, event, source !== own, this.questions.top.seat);
      } else if (kind === "seat-left" || kind === "player-replaced") {
        if (call?.seat === seat) own.call = null;
        for (const of of [own.left, own.owes, this.keys]) of.delete(seat);
      } else if (kind === "key-registered" && isNew) {
        need(seat === commit.seat && ["", this.keys.get(seat) ?? ""].includes(event.was ?? "") && isHash(event.key), "the key of a seat was not registered by that seat");
        if (!event.was && this.players.has(seat)) this.otherKeys.push(`${seat}, with event ${this.seq}`);
        this.players.set(seat, true);
        this.keys.set(seat, event.key);
      }
      if (PRIVATE.has(kind) && Array.isArray(event.seen_by)) this.privately.push({ seq: this.seq, seats: event.seen_by });
    }

    secure({ seat, anchor, length }, own) {
      const isFree = this.seats.includes(seat) && !(own.left.get(seat) > 0) && !own.call && ![...own.owes.values()].some((owed) => owed.has(seat));
      need(isFree && isHash(anchor) && length >= 1, `the seat ${seat} cannot publish this anchor, or not now`);
      for (const owed of own.owes.values()) owed.add(seat);
      own.owes.set(seat, new Set([seat]));
      own.last.set(seat, anchor);
      own.left.set(seat, length);
      this.chains.set(seat, (this.chains.get(seat) ?? 0) + 1);
    }
  }

  // The object that begins behind a mark in a line, as it is written there: what is signed are its bytes.
  function written(line, mark, from = 0) {
    const start = line.indexOf(mark, from) + mark.length;
    for (let at = start, depth = 0, isText = false; at < line.length; at += 1) {
      if (isText && line[at] === "\\") at += 1;
      else if (line[at] === '"') isText = !isText;
      else if (!isText && line[at] === "{") depth += 1;
      else if (!isText && line[at] === "}" && (depth -= 1) === 0) return line.slice(start, at + 1);
    }
    throw new Error("a commit has no command");
  }

  // The events of the commit on a line, as they are written there.
  function eventsIn(line) {
    const command = written(line, '"command":'), mark = '"events":[', texts = [];
    let at = line.indexOf(mark, line.indexOf(command) + command.length) + mark.length;
    for (let text = ""; line[at] === "{"; at += text.length + 1) texts.push((text = written(line, "", at)));
    return texts;
  }

  async function ed25519(key) {
    try {
      return await crypto.subtle.importKey("raw", unhex(key), "Ed25519", false, ["verify"]);
    } catch {
      return null;
    }
  }

  async function check(archive) {
    const commits = await read(archive), lines = new TextDecoder().decode(archive).split("\n").filter((line) => line.startsWith('{"commit":'));
    const course = new Course(commits[0].events[0], await digest(eventsIn(lines[0])[0]));
    for (const [place, commit] of commits.entries()) await course.commit(commit, lines[place]);
    const { counts, keys, chains, notOpened, otherKeys, seats } = course;
    const further = [...chains].filter(([, count]) => count > 1).map(([seat, count]) => `${seat}, ${count - 1} times`);
    return { ...counts, keys: Object.fromEntries(keys), notOpened, otherKeys, further, bare: counts.bare, seats };
  }

  const some = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

  function words(found) {
    const keys = Object.entries(found.keys).map(([seat, key]) => `${seat} ${key.slice(0, 8)}…`).join(", ");
    const said = [
      found.unknown ? `${some(found.unknown, "signature")} cannot be checked by this browser (no Ed25519).`
      : found.signed ? `${some(found.signed, "command")}: signed with the keys of their seats${keys && ` (${keys})`}.`
      : "No command is signed by its player.",
    ];
    if (found.answer) said.push(`${some(found.answer, "standing answer")} followed from what was signed.`);
    for (const event of found.notOpened) said.push(`A seat that had called for chance never opened its link: see event ${event}.`);
    for (const one of found.further) said.push(`A seat published another chain: ${one}.`);
    for (const one of found.otherKeys) said.push(`A seat signed with another key than before, without a word of that: ${one}.`);
    return ` ${said.join(" ")}`;
  }

  return { check, words };
})();

if (typeof module !== "undefined") module.exports = wardiaryCourse;
