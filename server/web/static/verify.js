// Checks the archive of a match with the browser's own cryptography. It shares no code with the server, only the format
// (docs/archive.md): each commit names the hash of the one before it, the last line sums all up, and a revealed seed fits its commitment.
"use strict";

const wardiaryVerify = (() => {
  const PREFIX = new TextEncoder().encode("wardiary commit 1\n");
  const START = "0".repeat(64);

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
      if (end < 0) throw new Error("the archive does not end with a line feed");
      found.push(bytes.subarray(start, end));
      start = end + 1;
    }
    return found;
  }

  async function check(bytes) {
    const all = lines(bytes);
    const last = all.pop();
    const end = JSON.parse(new TextDecoder().decode(last));
    let head = START, events = 0, commits = 0, commitment = "", seed = "";
    for (const line of all) {
      const record = JSON.parse(new TextDecoder().decode(line));
      if (!record.events) continue;
      if (record.first !== events + 1 || (record.prev ?? head) !== head) throw new Error(`the chain is broken before event ${events + 1}`);
      events += record.events.length;
      commits += 1;
      head = await sha256(joined(PREFIX, line));
      for (const event of record.events) {
        if (event.event === "match-opened/1") commitment = event.chance.commitment ?? "";
        if (event.event === "seed-revealed/1") seed = event.seed;
      }
    }
    if (end.head !== head || end.events !== events) throw new Error("the last line does not fit the commits");
    if (end.sha256 !== (await sha256(bytes.subarray(0, bytes.length - last.length - 1)))) throw new Error("the sum of all bytes differs");
    let dice = "its dice are not sealed";
    if (commitment && !seed) dice = "its seed is still sealed";
    if (commitment && seed) {
      const raw = Uint8Array.from(seed.match(/../g), (digits) => parseInt(digits, 16));
      if ((await sha256(raw)) !== commitment) throw new Error("the revealed seed does not fit its commitment");
      dice = "the revealed seed fits the commitment in the first event";
    }
    return { head, events, commits, dice };
  }

  return { check };
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
      if (!answer.ok) throw new Error(`the archive cannot be fetched (${answer.status})`);
      const found = await wardiaryVerify.check(new Uint8Array(await answer.arrayBuffer()));
      if (found.head !== button.dataset.head) throw new Error("the archive has another head than this page");
      said.textContent =
        `Checked here: ${found.commits} commits with ${found.events} events form one chain with the head ${found.head.slice(0, 8)}…, and ${found.dice}. ` +
        "The dice were not rolled again; wardiary audit does that.";
    } catch (error) {
      said.textContent = `Not verified: ${error.message}.`;
    }
  });
} else if (typeof module !== "undefined") {
  module.exports = wardiaryVerify;
}
