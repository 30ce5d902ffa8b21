// Tells beside the button of a new match what is chosen, and keeps it true as it is changed.
"use strict";

(() => {
  const list = document.querySelector("[data-summary]");
  const own = (element, part) => element.querySelector(part)?.firstChild?.textContent.trim() ?? "";

  const short = document.querySelector("[data-short]");

  function row([term, text]) {
    return [["dt", term], ["dd", text]].map(([name, words]) => {
      const made = document.createElement(name);
      made.textContent = words;
      return made;
    });
  }

  function tell() {
    const groups = [...document.querySelectorAll(".fields :is(section, fieldset)")].filter((group) => group.offsetParent);
    const told = groups.flatMap((group) => {
      const chosen = group.querySelector(".choice:has(:checked), .choice[aria-current]");
      return chosen ? [[own(group, "legend, h2"), own(chosen, "b")]] : [];
    });
    list.replaceChildren(...told.flatMap(row));
    short.textContent = told.map(([, text]) => text).join(" · ");
    list.hidden = !list.children.length;
  }

  document.addEventListener("change", tell);
  addEventListener("pageshow", tell);
  tell();
})();
