// Tells how many options lie below what is in sight, at the edge under which they lie: what ends the step is pinned there, so that the last one in sight looks like the last.
"use strict";

(() => {
  const OPTIONS = ".choices :is(.option, .mark):not(.ending *)";
  const PINNED = ".way, .ending, .send";
  const said = document.createElement("p");
  const count = document.createElement("span");
  said.className = "below";
  // A screen reader reads all options.
  said.setAttribute("aria-hidden", "true");
  said.append(count);
  document.body.append(said);
  const sizes = new ResizeObserver(soon);
  let asked = 0;

  function show() {
    asked = 0;
    const choices = document.querySelector(".choices");
    const question = document.querySelector(".question");
    if (!choices || !question) {
      said.hidden = true;
      return;
    }
    for (const one of [choices, question, document.body]) sizes.observe(one);
    const isPinned = (one) => one.checkVisibility() && getComputedStyle(one).position === "sticky";
    const pinned = [...document.querySelectorAll(PINNED)].filter(isPinned).map((one) => one.getBoundingClientRect().top);
    // In one column the options scroll with the page, else with the question.
    const end = getComputedStyle(question).display === "contents" ? innerHeight : question.getBoundingClientRect().bottom;
    const edge = Math.min(end, ...pinned);
    const boxes = [...choices.querySelectorAll(OPTIONS)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
    const more = boxes.filter(({ top, bottom }) => (top + bottom) / 2 > edge).length;
    const { left, width } = choices.getBoundingClientRect();
    said.hidden = !boxes.some(({ bottom }) => bottom > edge + 1);
    count.textContent = more ? `${more} more below` : "";
    for (const [name, value] of Object.entries({ top: edge, left, width })) said.style.setProperty(name, `${value}px`);
  }

  function soon() {
    asked ||= requestAnimationFrame(show);
  }

  document.addEventListener("scroll", soon, { capture: true, passive: true });
  for (const name of ["replaced", "shown", "toggle", "change"]) document.addEventListener(name, soon, true);
  addEventListener("resize", soon);
  show();
})();
