// Marks the columns of a table that are in sight above it, and leads to the others: without it the names are links to their places.
"use strict";

(() => {
  const sheet = () => document.querySelector(".tabled .sheet");
  const boxOf = (link) => document.getElementById(link.hash.slice(1))?.getBoundingClientRect();

  function mark() {
    const frame = sheet()?.getBoundingClientRect();
    for (const link of frame ? document.querySelectorAll(".column-links a") : []) {
      const box = boxOf(link);
      const middle = box && box.left + box.width / 2;
      if (box && middle > frame.left && middle < frame.right) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest(".column-links a");
      const box = link && boxOf(link);
      if (!box || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const frame = sheet().getBoundingClientRect();
      sheet().scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    },
    true,
  );
  document.addEventListener("scroll", (event) => event.target === sheet() && mark(), { capture: true, passive: true });
  document.addEventListener("shown", mark);
  addEventListener("resize", mark);
  mark();
})();
