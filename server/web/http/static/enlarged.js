// Shows a counter enlarged, with what it is in words, beside its place: a little after the pointer has come to it, at once when the keys have, and on
// a screen that is touched while a finger is held on it. Esc closes it. Without it the title of the counter says the same.
"use strict";

(() => {
  const POINT_MS = 300;
  const HOLD_MS = 400;
  const STILL = 8;
  const LARGER = 3;
  const BESIDE = 12;
  const EDGE = 6;

  let waiting = 0;
  let card = null;
  let counter = null;
  let begun = null;
  let wasHeld = false;

  // The counter at a point: the edge of one that can be chosen lies above it.
  function counterAt(x, y) {
    const found = document.elementsFromPoint(x, y).map((one) => one.closest(".counter"));
    return found.find((one) => one && one.closest("#main")) ?? null;
  }

  function close() {
    clearTimeout(waiting);
    card?.remove();
    card = null;
    counter = null;
  }

  function drawn(one) {
    const NAMESPACE = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(NAMESPACE, "svg");
    const box = one.getBBox();
    const round = [box.x - 2, box.y - 2, box.width + 4, box.height + 4];
    svg.setAttribute("viewBox", round.join(" "));
    svg.setAttribute("width", String(round[2] * LARGER));
    svg.setAttribute("height", String(round[3] * LARGER));
    svg.setAttribute("aria-hidden", "true");
    const copy = one.cloneNode(true);
    copy.removeAttribute("transform");
    copy.querySelectorAll("title").forEach((title) => title.remove());
    svg.append(copy);
    return svg;
  }

  // Beside the place where the counter lies, where there is room: it never covers its own place, and options only where there is no other room.
  function put(one) {
    const place = (one.closest("[id^='place-']") ?? one).getBoundingClientRect();
    const own = card.getBoundingClientRect();
    const spots = [
      [place.right + BESIDE, place.top],
      [place.left - own.width - BESIDE, place.top],
      [place.left, place.bottom + BESIDE],
      [place.left, place.top - own.height - BESIDE],
    ];
    const within = (at, size, room) => Math.min(Math.max(at, EDGE), room - size - EDGE);
    const isClearOf = (box, [x, y]) => {
      const [left, top] = [within(x, own.width, innerWidth), within(y, own.height, innerHeight)];
      return left >= box.right || left + own.width <= box.left || top >= box.bottom || top + own.height <= box.top;
    };
    const fitting = spots.filter((one) => isClearOf(place, one));
    const question = document.querySelector(".question")?.getBoundingClientRect();
    const spot = fitting.find((one) => !question || isClearOf(question, one)) ?? fitting[0];
    if (!spot) {
      close();
      return;
    }
    card.style.left = `${within(spot[0], own.width, innerWidth)}px`;
    card.style.top = `${within(spot[1], own.height, innerHeight)}px`;
  }

  function show(one) {
    if (one === counter && card) return;
    close();
    counter = one;
    card = document.createElement("div");
    card.className = "enlarged";
    card.setAttribute("role", "tooltip");
    const words = document.createElement("p");
    words.textContent = one.querySelector("title")?.textContent ?? "";
    card.append(drawn(one), words);
    document.body.append(card);
    put(one);
  }

  document.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") {
      if (begun && Math.hypot(event.clientX - begun[0], event.clientY - begun[1]) > STILL) close();
      return;
    }
    const one = event.buttons ? null : counterAt(event.clientX, event.clientY);
    if (one === counter) return;
    close();
    counter = one;
    if (one) waiting = setTimeout(() => { counter = null; show(one); }, POINT_MS);
  });

  document.addEventListener("pointerdown", (event) => {
    close();
    wasHeld = false;
    if (event.pointerType !== "touch") return;
    const one = counterAt(event.clientX, event.clientY);
    begun = [event.clientX, event.clientY];
    if (one) waiting = setTimeout(() => { wasHeld = true; show(one); }, HOLD_MS);
  });

  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => event.pointerType === "touch" && close());

  // A press that showed a counter chooses nothing, and opens no menu.
  for (const name of ["click", "contextmenu"]) {
    document.addEventListener(name, (event) => {
      if (!wasHeld) return;
      wasHeld = name === "contextmenu";
      event.preventDefault();
      event.stopPropagation();
    }, true);
  }

  document.addEventListener("focusin", (event) => {
    const link = event.target.closest?.(".lit.piece");
    if (!link || !link.matches(":focus-visible")) {
      if (card) close();
      return;
    }
    const box = link.getBoundingClientRect();
    const one = counterAt(box.left + box.width / 2, box.top + box.height / 2);
    if (one) show(one);
  });

  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  for (const name of ["wheel", "replaced"]) document.addEventListener(name, close, { capture: true, passive: true });
  // A list that scrolls beside the picture moves no counter.
  document.addEventListener("scroll", (event) => (!counter || event.target.contains(counter)) && close(), { capture: true, passive: true });
  document.documentElement.addEventListener("pointerleave", close);
})();
