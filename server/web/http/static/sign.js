// Signs the commands of a seat, and what it writes in studies, with a key of this browser, which never leaves it, where the browser has such keys. Without this script, and in a browser that has
// no key of the seat, the pages sign.
"use strict";

(() => {
  const ACTIONS = new Set("play undo redo ask-undo answer-undo resign note answer pass begin choose adopt-rules dispute appeal".split(" "));
  const STUDY = /^\/m\/[^/]+\/(studies|study\/[a-z2-7]+)$/;
  // Which line of a text that is signed names the seat.
  const SEAT = { "wardiary command 1": 3, "wardiary study 1": 5 };
  const ALGORITHM = { name: "Ed25519" };
  const own = new Map();

  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const box = () => document.querySelector("[data-signs]");

  // The keys of this browser, by their public halves. What is kept cannot be read, only used.
  function kept(mode, act) {
    return new Promise((resolve, reject) => {
      const opening = indexedDB.open("wardiary", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const asked = act(opening.result.transaction("keys", mode).objectStore("keys"));
        asked.onerror = () => reject(asked.error);
        asked.onsuccess = () => resolve(asked.result);
      };
    });
  }

  // Finds the key that signs for the seat of this page, if this browser has it.
  async function find() {
    const name = box()?.dataset.signs;
    if (name && !own.has(name)) own.set(name, (await kept("readonly", (keys) => keys.get(name))) ?? null);
  }

  // Makes a key that signs from now on, and sends its public half with a form.
  async function take(form) {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    const name = hex(await crypto.subtle.exportKey("raw", publicKey));
    await kept("readwrite", (keys) => keys.put(privateKey, name));
    form.elements.namedItem("public_key").value = name;
    form.submit();
  }

  function add(form, name, value) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }

  // Asks what a form stands for, signs that if it is of this seat and this match, and sends the form with the signatures.
  async function send(form, submitter, name, key) {
    const { match, seat } = box().dataset;
    if (submitter?.name) add(form, submitter.name, submitter.value);
    add(form, "signer", name);
    const to = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(to, { method: "POST", body, credentials: "same-origin", headers: { accept: "application/json" } });
    if (answer.status === 428) {
      const signed = {};
      for (const text of await answer.json()) {
        const lines = text.split("\n");
        if (lines[1] !== match || lines[SEAT[lines[0]]] !== seat) continue;
        signed[text] = base64(await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(text)));
      }
      add(form, "signed", JSON.stringify(signed));
    }
    form.action = to;
    HTMLFormElement.prototype.submit.call(form);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target, name = box()?.dataset.signs ?? "";
    const to = new URL(event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : form.action).pathname;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.matches("[data-take-key]")) {
      event.preventDefault();
      take(form).catch(() => { form.querySelector("[role=status]").textContent = "This browser makes no such keys; the pages go on to sign."; });
    } else if (own.get(name) && (ACTIONS.has(to.split("/").at(-1)) || STUDY.test(to)) && form.elements.namedItem("seat")?.value === box().dataset.seat) {
      event.preventDefault();
      if (form.dataset.sent) return;
      form.dataset.sent = "1";
      send(form, event.submitter, name, own.get(name)).catch(() => HTMLFormElement.prototype.submit.call(form));
    }
  });

  async function begin() {
    if (!globalThis.crypto?.subtle || !globalThis.indexedDB) return;
    await find();
    for (const form of document.querySelectorAll("[data-take-key]")) form.hidden = false;
  }
  // The page is filled anew at each step; what it says of the key may have changed.
  new MutationObserver(() => { begin().catch(() => {}); }).observe(document.getElementById("main"), { childList: true, subtree: true });
  begin().catch(() => {});
})();
