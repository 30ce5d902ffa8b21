// Says that what was chosen is under way: the label stays, a ring turns, and words say what one waits for. What was sent is not sent a second time;
// nothing else is locked.
"use strict";

(() => {
  const WORDS = [
    [0, "sent"],
    [2000, "still waiting"],
    [10000, "no answer yet: load the page again"],
  ];
  const LATE = WORDS.at(-1)[0];
  // What leads to a page is quick, as a rule.
  const OF_LINKS = [[400, "coming"], ...WORDS.slice(1)];
  // What is chosen without a connection, and what is sent again if the visitor wishes so.
  const KEPT = [[0, "kept here, not sent yet"]];
  let sent = null;
  let timers = [];
  let isLost = false;
  let choice = null;

  function say(words) {
    const said = sent.querySelector(":scope > .sending") ?? sent.appendChild(document.createElement("small"));
    said.className = "sending";
    said.setAttribute("role", "status");
    said.textContent = words;
  }

  function forget() {
    timers.forEach(clearTimeout);
    sent?.querySelector(":scope > .sending")?.remove();
    sent?.removeAttribute("data-sending");
    sent = choice = null;
  }

  function begin(chosen, words) {
    forget();
    sent = chosen;
    sent.dataset.sending = "";
    timers = words.map(([after, said]) => setTimeout(say, after, said));
    if (words === WORDS) timers.push(setTimeout(() => document.dispatchEvent(new Event("unanswered")), LATE));
  }

  // The same form, sent twice, is played once.
  function again() {
    const { form, submitter } = choice ?? {};
    forget();
    if (form?.isConnected) form.requestSubmit(submitter);
  }

  // What was clicked on the picture is played by the form of the list, in which its option says that it is sent.
  function buttonOf({ target, submitter }) {
    if (submitter) return submitter;
    const number = target.querySelector("input[type=hidden][name=option]")?.value;
    return number ? target.querySelector(`[data-option="${CSS.escape(number)}"]`) : null;
  }

  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.method !== "post" || form.matches("[data-take-key]") || !form.closest("main")) return;
      if (sent?.isConnected && !isLost) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const button = buttonOf(event);
      if (isLost) {
        // It would lead to a page of the browser, and the choice would be lost.
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (button) begin(button, isLost ? KEPT : WORDS);
      else forget();
      choice = { form, submitter: event.submitter };
    },
    true,
  );

  document.addEventListener("asked", ({ detail }) => begin(detail, OF_LINKS));
  document.addEventListener("shown", forget);

  document.addEventListener("connection-lost", () => { isLost = true; });
  document.addEventListener("connection-back", () => {
    const wasLost = isLost;
    isLost = false;
    if (wasLost && choice) again();
  });
  document.addEventListener("try-now", () => !isLost && choice && again());

  // A page to which one comes back waits for nothing.
  addEventListener("pageshow", forget);
})();
