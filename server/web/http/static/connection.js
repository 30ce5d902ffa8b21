// Says that the connection is lost and when it is tried again, with a button that tries now. The script of the page tries, and tells of it.
"use strict";

(() => {
  const box = document.createElement("div");
  const count = document.createElement("span");
  const now = document.createElement("button");
  let ticking = 0;

  box.className = "lost";
  box.setAttribute("role", "status");
  // Each second would be read aloud.
  count.setAttribute("aria-hidden", "true");
  now.type = "button";
  now.textContent = "Now";
  now.addEventListener("click", () => document.dispatchEvent(new Event("try-now")));

  // The server may be slow, and the connection may be lost without a sign of it.
  document.addEventListener("unanswered", () => {
    if (box.isConnected) return;
    box.replaceChildren("No answer yet. Your choice is kept here. ", now);
    document.body.append(box);
  });

  document.addEventListener("connection-lost", ({ detail }) => {
    const until = Date.now() + detail;
    clearInterval(ticking);
    const say = () => (count.textContent = `Trying again in ${Math.max(0, Math.ceil((until - Date.now()) / 1000))} s.`);
    say();
    ticking = setInterval(say, 250);
    if (count.isConnected) return;
    box.replaceChildren("No connection. ", count, now);
    document.body.append(box);
  });

  document.addEventListener("connection-back", () => {
    clearInterval(ticking);
    box.remove();
  });
})();
