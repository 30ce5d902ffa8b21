// Parts of a page on which bots still work: what they have found is looked for again, less and less often, as long as somebody looks.
"use strict";

(() => {
  const SLOWER = 1.5;
  const SLOWEST_S = 10;
  const GOING_ON = "[data-again][id]";

  async function look(waited) {
    const parts = [...document.querySelectorAll(GOING_ON)];
    if (!parts.length) return;
    // A tab that nobody sees asks for nothing.
    const answer = document.hidden ? null : await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    for (const part of page ? parts : []) {
      const found = page.getElementById(part.id);
      if (!found || !part.isConnected) continue;
      const isOpen = part.querySelector("details")?.open;
      part.replaceWith(found);
      if (isOpen) found.querySelector("details")?.setAttribute("open", "");
    }
    if (document.querySelector(GOING_ON)) later(Math.min(waited * SLOWER, SLOWEST_S));
  }

  // The page says that by itself.
  document.documentElement.classList.add("scripted");
  const later = (seconds) => setTimeout(() => look(seconds), seconds * 1000);
  const soonest = [...document.querySelectorAll(GOING_ON)].map((part) => Number(part.dataset.again));
  if (soonest.length) later(Math.min(...soonest));
})();
