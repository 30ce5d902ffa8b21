// What belongs together shows it: an option under the pointer or the keys, and its place, counter or card on the picture. Where a counter was picked up, a
// pale copy of it lies where the option would put it. The map is told, so that it shows the place.
"use strict";

(() => {
  const OPTION = /^Option (\d+):/;
  const numberOf = (element) => {
    const option = element.closest?.(".option") ?? element.closest?.(".many")?.querySelector(".option");
    if (option) return option.querySelector("i")?.textContent ?? null;
    return OPTION.exec(element.closest?.(".lit")?.getAttribute("aria-label") ?? "")?.[1] ?? null;
  };
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const common = (one, other) =>
    Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
    Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

  // Where a counter of a size lies in a place: in its middle, or above or below that, where it covers least of the others.
  function spot(place, size, others) {
    const [x, y] = middle(place);
    const room = Math.max(0, (place.height - size.height) / 2 - 4);
    const spots = [0, -room, room].map((down) => new DOMRect(x - size.width / 2, y + down - size.height / 2, size.width, size.height));
    const covered = spots.map((one) => others.reduce((sum, other) => sum + common(one, other), 0));
    return spots[covered.indexOf(Math.min(...covered))];
  }

  const placeOf = (option) => option.dataset.at && document.querySelector(`.sheet #${CSS.escape(`place-${option.dataset.at}`)}`);

  function copyTo(lit) {
    const svg = lit.closest(".sheet svg");
    const chosen = svg?.querySelector(".piece[aria-current]");
    if (!chosen || lit.matches(".piece")) return;
    const counters = [...svg.querySelectorAll(".counter")];
    const boxes = counters.map((one) => one.getBoundingClientRect());
    const [x, y] = middle(chosen.getBoundingClientRect());
    const own = boxes.findIndex((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
    if (own < 0) return;
    const at = spot(lit.querySelector(".touch").getBoundingClientRect(), boxes[own], boxes);
    const inside = svg.getScreenCTM().inverse();
    const from = new DOMPoint(boxes[own].left, boxes[own].top).matrixTransform(inside);
    const to = new DOMPoint(at.left, at.top).matrixTransform(inside);
    const ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
    ghost.setAttribute("class", "ghost");
    ghost.setAttribute("aria-hidden", "true");
    ghost.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
    const copy = counters[own].cloneNode(true);
    copy.removeAttribute("class");
    copy.removeAttribute("role");
    copy.querySelector("title")?.remove();
    ghost.append(copy);
    svg.append(ghost);
  }

  function show(event) {
    const number = numberOf(event.target);
    for (const one of document.querySelectorAll(".together")) one.classList.remove("together");
    for (const one of document.querySelectorAll(".ghost")) one.remove();
    if (number !== null) {
      for (const one of document.querySelectorAll(".option, .lit")) one.classList.toggle("together", numberOf(one) === number);
    }
    const lit = document.querySelector(".sheet .lit.together:not(.piece)");
    if (lit) copyTo(lit);
    const option = event.target.closest(".option") ?? event.target.closest(".many")?.querySelector(".option");
    if (option) document.dispatchEvent(new CustomEvent("pointed", { detail: placeOf(option) ?? lit }));
  }

  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
})();
