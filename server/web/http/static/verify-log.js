// Checks what ties an archive to the log of its server (docs/server-log.md): the entries of the match, which name each other, the proof that the last one
// is in the log, and the signature of the log's key, where the browser has Ed25519. It shares no code with the server.
"use strict";

const wardiaryLog = (() => {
  const text = new TextEncoder();
  const PROOF = "c2sp.org/tlog-proof@v1";

  const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const unbase64 = (coded) => Uint8Array.from(atob(coded), (char) => char.charCodeAt(0));
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const same = (first, second) => hex(first) === hex(second);

  function joined(...parts) {
    const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  }

  async function sha256(...parts) {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
  }

  function must(holds, problem) {
    if (!holds) throw new Error(problem);
  }

  const records = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n").filter(Boolean);

  // The hashes of the match's own commits, by the number of their last event.
  async function commitsOf(archive) {
    const found = new Map();
    for (const line of records(archive)) {
      if (!line.startsWith('{"commit":')) continue;
      const { first, events } = JSON.parse(line);
      found.set(first + events.length - 1, await sha256(text.encode(`wardiary commit 1\n${line}`)));
    }
    return found;
  }

  // Whether a key has signed a note; null where the browser cannot tell.
  async function isSigned(note, key) {
    const [name, id, coded] = [key.split("+", 2)[0], key.split("+", 2)[1], key.split("+").slice(2).join("+")];
    const content = unbase64(coded), gap = note.lastIndexOf("\n\n");
    const whole = await sha256(text.encode(`${name}\n`), content);
    const { WEAK } = (typeof module === "undefined" ? wardiaryVerify : require("./verify.js")).tools;
    must(content[0] === 1 && content.length === 33 && hex(whole.subarray(0, 4)) === id && !WEAK.test(hex(content.subarray(1))), "the key of the log is damaged");
    must(note.startsWith(`${name}\n`), "the checkpoint is of another log");
    let known;
    try {
      known = await crypto.subtle.importKey("raw", content.subarray(1), "Ed25519", false, ["verify"]);
    } catch {
      return null;
    }
    for (const line of note.slice(gap + 2).split("\n")) {
      const [, signer, signature] = line.split(" ");
      if (signer !== name) continue;
      const signed = unbase64(signature);
      if (hex(signed.subarray(0, 4)) === id && (await crypto.subtle.verify("Ed25519", known, signed.subarray(4), text.encode(note.slice(0, gap + 1))))) return true;
    }
    return false;
  }

  // The proof that a leaf lies in the tree of a checkpoint (RFC 9162, 2.1.3.2); returns the size of the tree.
  async function proved(leaf, proof) {
    const gap = proof.indexOf("\n\n"), note = proof.slice(gap + 2);
    const [heading, index, ...path] = proof.slice(0, gap).split("\n");
    const [, count, coded] = note.split("\n"), size = Number(count);
    must(heading === PROOF && /^index \d{1,15}$/.test(index) && /^\d{1,15}$/.test(count), "this is not a proof of a log");
    let node = Number(index.slice(6)), last = size - 1, root = leaf;
    must(node < size, "the proof is of an entry that the checkpoint does not cover");
    for (const one of path.map(unbase64)) {
      must(last > 0, "the proof has too many hashes");
      if (node % 2 || node === last) {
        root = await sha256(Uint8Array.of(1), one, root);
        while (node % 2 === 0 && node) [node, last] = [node / 2, Math.floor(last / 2)];
      } else {
        root = await sha256(Uint8Array.of(1), root, one);
      }
      [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    }
    must(last === 0 && same(root, unbase64(coded)), "the proof does not lead to the root of the checkpoint");
    return size;
  }

  async function check(archive, evidence) {
    const commits = await commitsOf(archive);
    const [header, ...lines] = records(evidence).map((line) => JSON.parse(line));
    const end = lines.pop(), entries = lines.filter((line) => line.nonce);
    must(header?.evidence === "wardiary-evidence/1" && entries.length > 0, "this is not an evidence file");
    const changed = lines.filter((line) => line.was).map((line) => line.key);
    must([header.key, ...changed].at(-1) === header.key, "the key of the log is not the last one that its changes name");
    let leaf = null;
    for (const [place, one] of entries.entries()) {
      const commit = commits.get(one.last);
      must(place === 0 || one.last > entries[place - 1].last, `entry ${place + 1} of the log is not of a later commit than the one before it`);
      must(one.number === place + 1 && commit, `entry ${place + 1} of the log is of no commit of this archive`);
      const blinded = hex(await sha256(text.encode("wardiary blind 1\n"), bytesOf(one.nonce), commit));
      const entry = { entry: "wardiary-entry/1", match: header.match, number: one.number, blinded, ...(leaf && { before: hex(leaf) }) };
      leaf = await sha256(Uint8Array.of(0), text.encode(JSON.stringify(entry)));
    }
    const size = await proved(leaf, end.proof);
    const signed = await isSigned(end.proof.slice(end.proof.indexOf("\n\n") + 2), header.key);
    must(signed !== false, "the checkpoint is not what the key of the log has signed");
    return { covered: entries.at(-1).last, size, key: header.key, signed };
  }

  function words(found) {
    const signed = found.signed ? `signed with ${found.key}: compare this key with the published one` : "whose signature this browser cannot check (no Ed25519)";
    return ` The log of the server, a state of ${found.size} entries, holds the match up to event ${found.covered}, ${signed}.`;
  }

  return { check, words };
})();

if (typeof module !== "undefined") module.exports = wardiaryLog;
