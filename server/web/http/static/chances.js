// Shows the chances of what can be chosen without being asked for them: beside the options a moment after these are there, and on the button of a
// whole choice for what is marked. They are counted apart from the page, which never waits for them. Without it a link and a button lead to them.
"use strict";

(() => {
  const SOON_MS = 250;
  // How often it is asked again for chances that are still being counted, and how soon.
  const TRIES_MAX = 5;
  const AGAIN_MS = 1500;
  const main = document.getElementById("main");
  let soon = 0;
  let asked = null;

  // Asks for a page with chances, unless the visitor has gone on meanwhile.
  async function page(address) {
    asked?.abort();
    asked = new AbortController();
    const answer = await fetch(address, { credentials: "same-origin", signal: asked.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    return made.getElementById("main")?.dataset.last === main.dataset.last ? made : null;
  }

  // Changes the question without having all of it read out again.
  function quietly(change) {
    for (const part of main.querySelectorAll(".choices")) part.setAttribute("aria-live", "off");
    change();
  }

  // Options that can be played at once have a small form beside them, so that the chance is looked for by the number of the option.
  async function weigh(left = TRIES_MAX) {
    const link = main.querySelector(".weigh a");
    if (!link) return;
    const made = await page(link.href);
    if (!made || !link.isConnected) return;
    if (made.querySelector(".weigh.late")) {
      if (left) later(() => weigh(left - 1), AGAIN_MS);
      return;
    }
    const late = link.closest(".late");
    const counted = made.querySelector(".chances");
    if (late && counted) {
      const stake = made.querySelector("button.main .stake");
      quietly(() => {
        late.replaceWith(counted);
        if (stake) main.querySelector(".choices button.main")?.append(stake);
      });
      return;
    }
    const mixes = made.querySelector(".mixes");
    const told = [...made.querySelectorAll(".option[data-option]:has(> .chance)")];
    // Why there are none is told to who asks for them.
    quietly(() => {
      for (const one of told) {
        const option = main.querySelector(`.option[data-option="${one.dataset.option}"]`);
        if (option && !option.querySelector(":scope > .chance")) option.append(one.querySelector(":scope > .chance"));
      }
      if (mixes) main.querySelector("form.whole")?.after(mixes);
      const same = made.querySelector(".weigh.same");
      if (same) link.closest(".weigh").replaceWith(same);
      else if (told.length || made.querySelector(".weigh:not(:has(a))")) link.closest(".weigh").remove();
    });
  }

  async function weighMarked() {
    const form = main.querySelector("form.whole:has(button[name=chances])");
    const button = form?.querySelector("button.main, button[type=submit]:not([name])");
    if (!button || ![...form.querySelectorAll(".mark input")].some((one) => (one.type === "checkbox" ? one.checked : Number(one.value)))) return;
    const address = new URL(form.action);
    address.search = new URLSearchParams([...new FormData(form), ["chances", "1"]]);
    const made = await page(address);
    const stake = made?.querySelector("form.whole .stake");
    if (stake && button.isConnected) {
      quietly(() => {
        button.querySelector(".stake")?.remove();
        button.append(stake);
      });
    }
  }

  function later(count, ms = SOON_MS) {
    clearTimeout(soon);
    soon = setTimeout(() => document.hidden || count().catch(() => {}), ms);
  }

  document.addEventListener("shown", () => later(() => weigh()));
  document.addEventListener("visibilitychange", () => later(() => weigh()));
  for (const kind of ["change", "input"]) {
    document.addEventListener(kind, (event) => event.target.closest("form.whole") && later(weighMarked));
  }
  later(() => weigh());
})();
