// Motion on the page of a match: it shows what changed, from the moment that was shown before to the one that is shown now. Who wants none
// (prefers-reduced-motion) sees a red edge for a while instead; without it all links and all marks of the picture say the same.
"use strict";

(() => {
  const ROW_MS = 120;
  const GLIDE_MS = 180;
  const ROLL_MS = 350;
  const WHOLE_MS = 600;
  const RED_MS = 2000;
  const EASE = "ease-out";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const SHOWN = `wardiary-shown-${location.pathname.split("@")[0]}`;
  let running = [];
  // Whether a key is held down: then moments pass too fast to be shown.
  let isHeld = false;

  const shownNow = () => Number(document.querySelector(".where .no").textContent);
  const isUnder = (row, from, to) => {
    const number = Number(/\d+$/.exec(row.querySelector(".no")?.textContent.trim() ?? "")?.[0]);
    return number > from && number <= to;
  };

  // The moment that was shown before a page of its own, such as the one after a command, is kept for this tab.
  function before() {
    const kept = Number(sessionStorage.getItem(SHOWN));
    return kept || shownNow();
  }

  let last = before();

  function finish() {
    for (const one of running) one.finish();
    running = [];
  }

  function play(element, frames, delay, duration, composite = "replace") {
    running.push(element.animate(frames, { delay, duration, easing: EASE, fill: "backwards", composite }));
  }

  // What moved glides from where it was; a place knows how far that is, in units of its drawing.
  function glides() {
    return [...document.querySelectorAll(".sheet [data-by]")].flatMap((place) => {
      const [across, down] = place.dataset.by.split(" ").map(Number);
      return [...place.querySelectorAll(".counter[data-new]")].map((piece) => {
        const scale = place.getCTM().a / piece.parentNode.getCTM().a;
        return [piece, `translate(${across * scale}px, ${down * scale}px)`];
      });
    });
  }

  function show(rows) {
    const dice = rows.flatMap((row) => [...row.querySelectorAll(".die")]);
    const moved = glides();
    // One after the other, and all of it within a time.
    const parts = [
      [rows.length, ROW_MS, (delay, time) => rows.forEach((row) => play(row, [{ opacity: 0 }, { opacity: 1 }], delay, time))],
      [moved.length, GLIDE_MS, (delay, time) => moved.forEach(([piece, from]) => play(piece, [{ transform: from }, { transform: "none" }], delay, time, "add"))],
      [dice.length, ROLL_MS, (delay, time) => dice.forEach((die, number) => {
        const begun = delay + (time / 2) * (number / dice.length);
        play(die, [{ opacity: 0, transform: "rotate(-140deg) scale(0.4)" }, { opacity: 1, transform: "none" }], begun, time / 2);
      })],
    ].filter(([count]) => count);
    const whole = parts.reduce((sum, [, time]) => sum + time, 0);
    const faster = Math.min(1, WHOLE_MS / Math.max(whole, 1));
    let delay = 0;
    for (const [, time, begin] of parts) {
      begin(delay, time * faster);
      delay += time * faster;
    }
  }

  // Nothing moves: what changed has a red edge for a while.
  function mark(rows) {
    const changed = [...rows, ...document.querySelectorAll(".sheet .counter[data-new]")];
    for (const one of changed) (one.dataset.fresh = "");
    setTimeout(() => changed.forEach((one) => delete one.dataset.fresh), RED_MS);
  }

  function shown() {
    finish();
    const now = shownNow();
    const rows = [...document.querySelectorAll(".log li")].filter((row) => isUnder(row, last, now));
    const isForward = now > last;
    last = now;
    sessionStorage.setItem(SHOWN, String(now));
    if (!isForward || isHeld || document.hidden) return;
    if (calm.matches) mark(rows);
    else show(rows);
  }

  document.addEventListener("keydown", (event) => {
    isHeld = event.repeat;
    if (!event.repeat) finish();
  }, true);
  document.addEventListener("keyup", () => { isHeld = false; }, true);
  document.addEventListener("pointerdown", finish, true);
  document.addEventListener("shown", shown);
  shown();
})();
