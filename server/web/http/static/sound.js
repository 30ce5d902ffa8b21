// Sounds on the page of a match, made here and not loaded: off until they are turned on once, then kept in this browser.
"use strict";

(() => {
  const KEPT = "wardiary-sound";
  const LAID = "wardiary-laid";
  const QUIET = 0.12;
  const AGAIN_MS = 60000;
  let context = null;
  let wasOwn = document.querySelector(".board.own") !== null;
  let rung = -AGAIN_MS;
  let last = Number(document.getElementById("main").dataset.last);

  function stored(name, value) {
    try {
      if (value !== undefined) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  const isOn = () => stored(KEPT) === "1";

  function player() {
    context ??= new AudioContext();
    context.resume();
    return context;
  }

  // A knock on wood: a short tone that falls, and the noise of the blow.
  function knock(after, pitch = 190, length = 0.09, loud = QUIET) {
    const audio = player();
    const begin = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, begin + length);
    volume.gain.setValueAtTime(loud, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }

  const SOUNDS = {
    turn: () => [0, 0.16].forEach((after) => knock(after)),
    laid: () => knock(0, 150, 0.07),
    dice: () => [0, 0.05, 0.11, 0.16, 0.24].forEach((after, number) => knock(after, 620 + 90 * (number % 3), 0.04, QUIET / 2)),
  };

  function sound(name) {
    if (!isOn() || (document.hidden && name !== "turn")) return;
    SOUNDS[name]();
  }

  function label() {
    const button = document.querySelector(".sound");
    if (!button) return;
    const isSwitch = button.matches(".switch");
    button.setAttribute(isSwitch ? "aria-checked" : "aria-pressed", String(isOn()));
    if (!isSwitch) button.textContent = isOn() ? "Sound on" : "Sound off";
  }

  function shown() {
    label();
    const main = document.getElementById("main");
    const isOwn = document.querySelector(".board.own") !== null;
    const isNew = Number(main.dataset.last) > last && main.dataset.live === "1";
    last = Math.max(last, Number(main.dataset.last));
    const now = performance.now();
    if (isOwn && !wasOwn && (!document.hidden || now - rung >= AGAIN_MS)) {
      rung = now;
      sound("turn");
    } else if (isNew && document.querySelector(".log .changed .die, .log .now .die")) {
      sound("dice");
    }
    wasOwn = isOwn;
  }

  document.addEventListener("click", (event) => {
    if (!event.target.closest(".sound")) return;
    stored(KEPT, isOn() ? "" : "1");
    label();
    sound("laid");
    // A switch is for all ways of telling.
    if (event.target.closest(".switch")) document.dispatchEvent(new CustomEvent("telling", { detail: isOn() }));
  });
  // The page after a command is another one: the card is heard there.
  document.addEventListener("submit", (event) => {
    if (event.target.closest(".choices")) sessionStorage.setItem(LAID, "1");
  });
  document.addEventListener("shown", shown);
  // Somebody has come for whom this page waits.
  document.addEventListener("taken", () => sound("turn"));
  label();
  if (sessionStorage.getItem(LAID)) {
    sessionStorage.removeItem(LAID);
    sound(document.querySelector(".log .changed .die, .log .now .die") ? "dice" : "laid");
  }
})();
