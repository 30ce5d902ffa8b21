// The share of wins of a match that is over: as long as bots play on, what they have found is looked for again, less and less often.
"use strict";

(() => {
  const SLOWER = 1.5;

  async function look(waited) {
    const part = document.getElementById("swings");
    if (!part?.dataset.again) return;
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const found = page?.getElementById("swings");
    if (found && part.isConnected) {
      const isOpen = part.querySelector("details")?.open;
      part.replaceWith(found);
      if (isOpen) found.querySelector("details").open = true;
    }
    if (found?.dataset.again || !answer?.ok) later(waited * SLOWER);
  }

  const later = (seconds) => setTimeout(() => look(seconds), seconds * 1000);
  const again = document.getElementById("swings")?.dataset.again;
  if (again) later(Number(again));
})();
