// One notification of the system for each turn of the visitor while nobody looks at the page: off until it is turned on by a click, then kept in this
// browser, and never without the leave of the system.
"use strict";

(() => {
  const KEPT = "wardiary-notification";
  if (!("Notification" in window)) return;
  let wasOwn = isOwnTurn();
  let told = null;

  function isOwnTurn() {
    return document.querySelector(".board.own") !== null;
  }

  function stored(value) {
    try {
      if (value !== undefined) localStorage.setItem(KEPT, value);
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  }

  const isOn = () => stored() === "1" && Notification.permission === "granted";

  function label() {
    const button = document.querySelector(".notify");
    if (!button) return;
    button.hidden = Notification.permission === "denied";
    button.setAttribute("aria-pressed", String(isOn()));
    button.textContent = isOn() ? "Notification on" : "Notification off";
  }

  function withdraw() {
    told?.close();
    told = null;
  }

  function tell() {
    try {
      // Two windows of one match share a tag, so that there is one notification.
      told = new Notification(document.title, { tag: location.pathname });
    } catch {
      // Some phones let only other kinds of programs notify.
      return;
    }
    told.addEventListener("click", () => {
      window.focus();
      withdraw();
    });
  }

  function shown() {
    label();
    const isOwn = isOwnTurn();
    if (!isOwn) withdraw();
    else if (!wasOwn && document.hidden && isOn()) tell();
    wasOwn = isOwn;
  }

  async function turn(on) {
    if (!on) {
      stored("");
      withdraw();
    } else if ((await Notification.requestPermission()) === "granted") {
      stored("1");
    }
    label();
  }

  document.addEventListener("click", (event) => event.target.closest(".notify") && turn(!isOn()));
  document.addEventListener("telling", ({ detail }) => turn(detail));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) withdraw();
  });
  document.addEventListener("shown", shown);
  document.addEventListener("taken", () => document.hidden && isOn() && tell());
  label();
})();
