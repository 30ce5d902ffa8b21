// Puts the page that says how a game is played beside the table, as a drawer: opened with ? or the button, closed with Esc. Without it the button leads to that page.
"use strict";

(() => {
  const WRITTEN = "input:not([type=checkbox]), select, textarea, [contenteditable]";
  const AGAIN_MS = 300;
  const GAP = 12;
  const narrow = matchMedia("(max-width: 820px)");
  let drawer = null;
  let address = "";
  let from = null;
  let soon = 0;

  const button = () => document.querySelector("[data-help]");

  async function load(to) {
    const answer = await fetch(to, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const help = page.querySelector(".help");
    if (!help) throw new Error("no help");
    return help;
  }

  // Shows what an address says; `to` is the part of it to begin with.
  async function show(asked, to) {
    address = asked;
    try {
      const help = await load(asked);
      if (!drawer || address !== asked) return;
      drawer.replaceChildren(document.adoptNode(help));
      drawer.scrollTop = 0;
      // What is scrolled to or focused lies below the heading, which stays in sight and is as high as its question.
      drawer.style.scrollPaddingTop = `${(drawer.querySelector("header")?.offsetHeight ?? 0) + GAP}px`;
      if (to) drawer.querySelector(to)?.scrollIntoView();
    } catch {
      // The page itself says what is wrong.
      location.assign(asked);
    }
  }

  // On a narrow window the drawer hides the table, which then gets no keys either.
  function cover() {
    const isCovered = drawer !== null && narrow.matches;
    for (const part of document.querySelectorAll("body > header, body > main")) part.inert = isCovered;
  }

  function open(to) {
    from = document.activeElement;
    drawer = document.createElement("aside");
    drawer.className = "drawer";
    drawer.tabIndex = -1;
    drawer.setAttribute("role", "dialog");
    drawer.setAttribute("aria-label", "How to play");
    document.body.append(drawer);
    cover();
    drawer.focus({ preventScroll: true });
    show(to, null);
  }

  function close() {
    drawer.remove();
    drawer = null;
    cover();
    const back = from?.isConnected && from !== document.body ? from : button();
    back?.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link) return;
    if (link.matches("[data-help]")) {
      event.preventDefault();
      if (drawer) close();
      else open(link.href);
      return;
    }
    if (!drawer?.contains(link)) return;
    const part = link.getAttribute("href");
    if (part.startsWith("#")) {
      event.preventDefault();
      event.stopPropagation();
      drawer.querySelector(part)?.scrollIntoView();
    } else if (link.matches(".back")) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }, true);

  document.addEventListener("submit", (event) => {
    if (!drawer?.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const to = new URL(event.target.action, location.href);
    to.search = new URLSearchParams(new FormData(event.target)).toString();
    show(to.href, ".search").then(() => drawer?.querySelector("[type=search]")?.focus({ preventScroll: true }));
  }, true);

  document.addEventListener("keydown", (event) => {
    if (drawer && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
      return;
    }
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const isWritten = event.target instanceof Element && event.target.closest(WRITTEN);
    if (event.key === "?" && isPlain && !isWritten && button()) {
      event.preventDefault();
      if (drawer) close();
      else open(button().href);
      return;
    }
    // What is pressed in the drawer is not meant for the table.
    if (drawer?.contains(event.target)) event.stopPropagation();
  }, true);

  narrow.addEventListener("change", cover);

  // The rule of the open question changes with the question.
  const question = document.querySelector(".question");
  if (question) {
    new MutationObserver(() => {
      clearTimeout(soon);
      soon = setTimeout(() => {
        const isSearching = drawer?.querySelector("[type=search]")?.value;
        if (drawer && !isSearching) show(button().href, null);
      }, AGAIN_MS);
    }).observe(question, { childList: true });
  }
})();
