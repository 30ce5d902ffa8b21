// What a script adds to the page of a match: news as they happen, steps by keys, and steps without waiting. Without it all links work.
"use strict";

(() => {
  const PARTS = [".top", ".question", ".seen", ".log", ".way"];
  const KEPT = 60;
  const pages = new Map();
  const main = document.getElementById("main");
  let last = Number(main.dataset.last);
  let shown = location.href;

  const isLive = () => main.dataset.live === "1";

  // Pages

  function load(address) {
    const url = new URL(address, location.href);
    url.hash = "";
    if (!pages.has(url.href)) {
      const page = fetch(url.href, { credentials: "same-origin" }).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      });
      page.catch(() => pages.delete(url.href));
      pages.set(url.href, page);
      if (pages.size > KEPT) pages.delete(pages.keys().next().value);
    }
    return pages.get(url.href);
  }

  function put(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh || !fresh.classList.contains("match")) throw new Error("not a match");
    const scroll = document.querySelector(".seen").scrollTop;
    for (const part of PARTS) {
      const from = page.querySelector(part);
      const to = document.querySelector(part);
      if (from && to) {
        to.replaceChildren(...from.childNodes);
        to.className = from.className;
      }
    }
    document.querySelector(".board").className = page.querySelector(".board").className;
    document.title = page.title;
    main.dataset.live = fresh.dataset.live;
    last = Math.max(last, Number(fresh.dataset.last));
    document.querySelector(".seen").scrollTop = scroll;
    tell();
    reveal();
  }

  function reveal() {
    const now = document.getElementById("now");
    const log = document.querySelector(".log");
    if (now && log.scrollHeight > log.clientHeight) {
      log.scrollTop += now.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 3;
    }
    for (const sheet of document.querySelectorAll(".sheet")) {
      const mark = sheet.querySelector(".s-bad, .lit");
      if (!mark || sheet.scrollWidth <= sheet.clientWidth) continue;
      const box = mark.getBoundingClientRect();
      sheet.scrollLeft += box.left + box.width / 2 - sheet.getBoundingClientRect().left - sheet.clientWidth / 2;
    }
  }

  let soon = 0;

  function ahead() {
    clearTimeout(soon);
    soon = setTimeout(loadAround, 100);
  }

  function loadAround() {
    for (const link of document.querySelectorAll("a[data-step$='-event'], a[data-step$='-commit']")) load(link.href).catch(() => {});
  }

  async function go(address, isNew) {
    shown = address;
    try {
      const text = await load(address);
      if (shown !== address) return;
      put(text);
      if (isNew) history.pushState(null, "", address);
      ahead();
    } catch {
      location.assign(address);
    }
  }

  // News

  function tell() {
    const newer = document.getElementById("newer");
    if (newer) newer.textContent = String(last - Number(newer.dataset.number));
  }

  function follow() {
    const source = new EventSource(main.dataset.news);
    source.addEventListener("news", (message) => {
      const news = JSON.parse(message.data);
      if (news.last <= last) return;
      last = news.last;
      for (const address of [...pages.keys()]) if (!address.includes("@")) pages.delete(address);
      if (isLive()) go(main.dataset.present, false);
      else tell();
    });
    source.addEventListener("gone", () => {
      source.close();
      location.reload();
    });
    source.onopen = () => main.classList.remove("offline");
    source.onerror = () => main.classList.add("offline");
  }

  // Keys and clicks

  function linkOf(event) {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const kind = event.ctrlKey ? "round" : event.altKey ? "decision" : event.shiftKey ? "commit" : "event";
      return document.querySelector(`a[data-step="${event.key === "ArrowLeft" ? "back" : "on"}-${kind}"]`);
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return null;
    if (event.key === "End") return document.getElementById("present");
    if (event.key === "n" || event.key === "N") return document.querySelector("#news");
    if (event.key === "w" || event.key === "W") return document.querySelector(".log .ask");
    return null;
  }

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]")) return;
    const button = event.ctrlKey || event.altKey || event.metaKey ? null : document.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
    if (button) {
      event.preventDefault();
      button.focus();
      return;
    }
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    go(link.href, true);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const here = new URL(main.dataset.present, location.href).pathname;
    const to = new URL(link.href, location.href);
    if (to.origin !== location.origin || !(to.pathname === here || to.pathname.startsWith(`${here}@`))) return;
    if (to.searchParams.get("seat") !== new URL(main.dataset.present, location.href).searchParams.get("seat")) return;
    event.preventDefault();
    go(link.href, true);
  });

  addEventListener("popstate", () => go(location.href, false));

  document.documentElement.classList.add("scripted");
  reveal();
  ahead();
  follow();
})();
