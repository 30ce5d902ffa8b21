// Says that what was chosen is under way: the label stays, a ring turns, and words say what one waits for. What was sent is not sent a second time;
// nothing else is locked.
"use strict";

(() => {
  const WORDS = [
    [0, "sent"],
    [2000, "still waiting"],
    [10000, "no answer yet: load the page again"],
  ];
  // What leads to a page is quick, as a rule.
  const OF_LINKS = [[400, "coming"], ...WORDS.slice(1)];
  let sent = null;
  let timers = [];

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
    sent = null;
  }

  function begin(chosen, words) {
    forget();
    sent = chosen;
    sent.dataset.sending = "";
    timers = words.map(([after, said]) => setTimeout(say, after, said));
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
      if (sent?.isConnected) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      const button = buttonOf(event);
      if (button) begin(button, WORDS);
      else forget();
    },
    true,
  );

  document.addEventListener("asked", ({ detail }) => begin(detail, OF_LINKS));
  document.addEventListener("shown", forget);

  // A page to which one comes back waits for nothing.
  addEventListener("pageshow", forget);
})();
