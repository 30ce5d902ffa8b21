// What belongs together shows it: an option under the pointer or the keys, and its place, counter or card on the picture.
"use strict";

(() => {
  const OPTION = /^Option (\d+):/;
  const numberOf = (element) => {
    const option = element.closest?.(".option");
    if (option) return option.querySelector("i")?.textContent ?? null;
    return OPTION.exec(element.closest?.(".lit")?.getAttribute("aria-label") ?? "")?.[1] ?? null;
  };

  function show(event) {
    const number = numberOf(event.target);
    for (const one of document.querySelectorAll(".together")) one.classList.remove("together");
    if (number === null) return;
    for (const one of document.querySelectorAll(".option, .lit")) one.classList.toggle("together", numberOf(one) === number);
  }

  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
})();
