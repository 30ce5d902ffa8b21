// What a script adds to the page of a match: news as they happen, steps by keys, and steps without waiting. Without it all links work.
"use strict";

(() => {
  const PARTS = [".top", ".question", ".seen", ".log", ".way"];
  const KEPT = 60;
  const AGAIN_MS = 3000;
  const LAST_AGAIN_MS = 30000;
  const BEHIND_MS = 500;
  const HIDDEN_MS = 20000;
  const REFUSALS = ["403", "404"];
  const MARKS = [".lit", ".s-bad"];
  const SIZES = 4;
  const LINE = ".way > .line";
  const WRITTEN = "input:not([type=checkbox]), select, textarea, [contenteditable]";
  const pages = new Map();
  const main = document.getElementById("main");
  let last = Number(main.dataset.last);
  let shown = location.href;
  let state = stateOf(main, shown);
  // The map on which something was clicked, until the page behind it is shown.
  let picked = null;
  // The page to which a choice among the options leads, until it is shown.
  let narrowed = "";

  // How much room is left below the heading that stays at the top of the log, in pixels.
  const BELOW_HEADING = 5;
  // How much room is left below a card that is brought into view, in pixels.
  const ROOM = 12;

  const isLive = () => main.dataset.live === "1";

  // What a page depends on; one that is shown already is not shown again, so that nothing under the pointer or the keys is replaced.
  function stateOf(main, address) {
    const url = new URL(address, location.href);
    return [url.pathname, url.search, main.dataset.last].join(" ");
  }

  // Pages

  function load(address) {
    const url = new URL(address, location.href);
    url.hash = "";
    if (!pages.has(url.href)) {
      const page = fetch(url.href, { credentials: "same-origin" }).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      });
      page.catch(() => pages.delete(url.href));
      pages.set(url.href, page);
      if (pages.size > KEPT) pages.delete(pages.keys().next().value);
    }
    return pages.get(url.href);
  }

  // How to find what has the keys in another page of the match: a step, an option, or any other link.
  function findable(element) {
    if (element.matches(LINE)) return LINE;
    const link = element.closest("a[data-step], a[data-key], button[data-key], button[name], summary, a[id]");
    if (!link || !main.contains(link)) return "";
    for (const name of ["data-step", "data-key", "value", "id"]) {
      if (link.hasAttribute(name)) return `${link.localName}[${name}="${CSS.escape(link.getAttribute(name))}"]`;
    }
    return `.${link.parentElement.className.split(" ").join(".")} > summary`;
  }

  // What was written into the fields of the question, or marked there, which news must not take away.
  function writtenNow() {
    const fields = [...main.querySelectorAll(".question [name]:not([type=hidden], button)")];
    return fields.map(({ id, name, value, checked }) => ({ id, name, value, isChecked: checked }));
  }

  function write({ id, name, value, isChecked }) {
    const isRadio = `[type=radio][value="${CSS.escape(value)}"]`;
    // Several forms may have a field of one name.
    const same = id ? `#${CSS.escape(id)}` : `[name="${CSS.escape(name)}"]:is(:not([type=radio], [type=hidden]), ${isRadio})`;
    const field = main.querySelector(`.question ${same}`);
    if (!field) return;
    if (["checkbox", "radio"].includes(field.type)) field.checked = isChecked;
    else field.value = value;
  }

  // Shows a page; returns the last event that it knows of.
  function put(text, address) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh || !fresh.classList.contains("match")) throw new Error("not a match");
    const known = Number(fresh.dataset.last);
    const next = stateOf(fresh, address);
    if (next === state) return known;
    state = next;
    const asked = main.querySelector(".question h1").textContent;
    const scroll = document.querySelector(".seen").scrollTop;
    const sheets = [...document.querySelectorAll(".sheet")].map((sheet) => [sheet.scrollLeft, sheet.scrollTop]);
    const focused = findable(document.activeElement);
    const words = document.activeElement.textContent;
    const clicked = picked?.address === address && picked.map.isConnected ? picked.map.getBoundingClientRect().top : null;
    document.querySelector(".question").style.minHeight = "";
    const written = writtenNow();
    const opened = [...main.querySelectorAll("details[open][class]")].map((one) => `details.${one.className}`);
    for (const part of PARTS) {
      const from = page.querySelector(part);
      const to = document.querySelector(part);
      if (from && to) {
        to.replaceChildren(...from.childNodes);
        to.className = from.className;
      }
    }
    document.querySelector(".board").className = page.querySelector(".board").className;
    document.title = page.title;
    document.querySelector("link[rel=icon]").href = page.querySelector("link[rel=icon]").getAttribute("href");
    main.dataset.live = fresh.dataset.live;
    last = Math.max(last, known);
    const isOther = main.querySelector(".question h1").textContent !== asked;
    // A map that begins at its question is seen from above; else the picture stays where it is.
    document.querySelector(".seen").scrollTop = isOther && isLive() && document.querySelector(".sheet[data-size]") ? 0 : scroll;
    // What has been enlarged stays where it is.
    const now = [...document.querySelectorAll(".sheet")];
    if (now.length === sheets.length) now.forEach((sheet, number) => sheet.scrollTo(...sheets[number]));
    if (!isOther) written.forEach(write);
    count();
    for (const one of opened) main.querySelector(one)?.setAttribute("open", "");
    slide();
    document.dispatchEvent(new Event("replaced"));
    const again = focused && main.querySelector(focused);
    // An option of another question may have the same number; the keys must not end up on it.
    if (again && again.textContent === words) again.focus({ preventScroll: true });
    if (clicked !== null) keepInPlace(clicked);
    if (narrowed === address) showQuestion();
    giveKeys();
    tell();
    reveal();
    // What is asked about is in sight, however far down its option was.
    if (isAsked()) {
      for (const part of main.querySelectorAll(".choices > :not(.chances)")) part.scrollIntoView({ block: "nearest" });
    }
    document.dispatchEvent(new Event("shown"));
    playSingle();
    return known;
  }

  // What was clicked on the picture stays where it was, though there are fewer options above it or another map is the first now. The keys
  // go on from there, or if nothing more can be clicked, from the first option that is left.
  function keepInPlace(top) {
    picked = null;
    const chosen = document.getElementById("chosen");
    const options = main.querySelectorAll(".option:not(.outdone *, .kinds *, .ending *)");
    const sheet = chosen?.closest(".sheet") ?? main.querySelector(".sheet");
    const moved = () => sheet.getBoundingClientRect().top - top;
    document.querySelector(".seen").scrollTop += moved();
    scrollBy(0, moved());
    // At the top of a page in one column, only a question that stays as high holds the picture in its place.
    const question = document.querySelector(".question");
    if (moved() < -1) question.style.minHeight = `${question.offsetHeight - moved()}px`;
    // Of an option that is asked about, the button that plays it has the keys.
    if (isAsked()) return;
    const isLast = options.length === 1 || !main.querySelector(".lit:not([aria-current])");
    (isLast ? options[0] : chosen)?.focus({ preventScroll: true });
  }

  // What is left of the options is read from the question on, however far down the choice was.
  function showQuestion() {
    narrowed = "";
    document.querySelector(".question").scrollTop = 0;
    if (main.querySelector(".question h1").getBoundingClientRect().top < 0) scrollTo(0, 0);
  }

  // Gives the keys to what ends a selection once all is picked, or plays what was asked once more, if nothing else has them.
  function giveKeys() {
    if (document.activeElement === document.body) main.querySelector("[data-next]")?.focus({ preventScroll: true });
  }

  // Shows the chosen sentence in the log, and in the picture what can be chosen, else what the sentence has changed, or else where the question is asked. A page that
  // is opened begins where something has just changed, if something can be chosen beside it.
  function reveal({ isOpened = false } = {}) {
    const round = document.querySelector(".rounds [aria-current]");
    if (round) {
      const list = round.closest(".rounds");
      const frame = list.getBoundingClientRect();
      list.scrollLeft += round.getBoundingClientRect().left - frame.left - frame.width / 2;
    }
    const now = document.getElementById("now");
    const log = document.querySelector(".log");
    if (now && log.scrollHeight > log.clientHeight) {
      log.scrollTop += now.getBoundingClientRect().top - log.getBoundingClientRect().top - log.clientHeight / 3;
      // At the present the end of the last command is read, and if it is long, from its last dice on: what came of them follows there. At
      // the beginning of a turn the log is read from what the others have done.
      const rows = [...log.querySelectorAll("li")];
      const back = rows.slice(0, rows.indexOf(now) + 1).reverse();
      const command = back.slice(0, back.findIndex((row) => row.matches(".first")) + 1);
      const read = log.querySelector(".unread") ?? command.find((row) => row.querySelector(".die"));
      const isRead = read && isLive() && !now.querySelector(".why");
      const heading = isRead ? read.closest(".chapter").querySelector("h2").offsetHeight + BELOW_HEADING : 0;
      const hidden = isRead ? log.getBoundingClientRect().top + heading - read.getBoundingClientRect().top : 0;
      if (hidden > 0) log.scrollTop -= hidden;
    }
    const sheets = [...document.querySelectorAll(".sheet:not([data-size])")];
    const asked = document.querySelector(".question h1[data-place]")?.dataset.place;
    const spot = asked ? `#${CSS.escape(`place-${asked}`)}` : null;
    const marks = MARKS.find((one) => sheets.some((sheet) => sheet.querySelector(one))) ?? spot;
    const marked = sheets.filter((sheet) => marks && sheet.querySelector(marks));
    for (const sheet of marked) {
      const frame = sheet.getBoundingClientRect();
      const there = [...sheet.querySelectorAll(marks)].map((one) => one.getBoundingClientRect());
      const isIn = (at, from, to) => at > from && at < to;
      const isSeen = (mark) =>
        isIn(mark.left + mark.width / 2, frame.left, frame.right) && isIn(mark.top + mark.height / 2, frame.top, frame.bottom);
      const fresh = sheet.querySelector("[data-new]")?.getBoundingClientRect();
      if (there.some(isSeen) && !(isOpened && fresh && !isSeen(fresh))) continue;
      const far = (one) => (fresh ? Math.abs(one.left + one.width / 2 - fresh.left - fresh.width / 2) : 0);
      const mark = there.reduce((one, other) => (far(other) < far(one) ? other : one));
      sheet.scrollLeft += mark.left + mark.width / 2 - frame.left - frame.width / 2;
      sheet.scrollTop += mark.top + mark.height / 2 - frame.top - frame.height / 2;
    }
    const seen = document.querySelector(".seen");
    const whole = seen.getBoundingClientRect();
    const isInView = (sheet) => {
      const frame = sheet.getBoundingClientRect();
      return frame.top < whole.bottom - frame.height / 2 && frame.bottom > whole.top + frame.height / 2;
    };
    if (marked.length && seen.clientHeight && !marked.some(isInView)) {
      seen.scrollTop += marked[0].closest(".map").getBoundingClientRect().top - whole.top;
    }
    // Where only cards can be chosen, the first of them is seen whole.
    const card = document.querySelector(".sheet .lit") ? null : document.querySelector(".cells .lit")?.closest("li");
    const below = card ? card.getBoundingClientRect().bottom + ROOM - whole.bottom : 0;
    if (below > 0 && seen.clientHeight) seen.scrollTop += below;
  }

  // The size of the picture

  let size = matchMedia("(max-width: 820px)").matches ? 1 : 0;

  function resize(way) {
    if (document.querySelector(".sheet[data-size]")) return;
    size = way === "*" ? 0 : Math.max(0, Math.min(SIZES - 1, size + (way === "+" ? 1 : -1)));
    const sheets = [...document.querySelectorAll(".sheet")];
    const middles = sheets.map((one) => [
      (one.scrollLeft + one.clientWidth / 2) / one.scrollWidth,
      (one.scrollTop + one.clientHeight / 2) / one.scrollHeight,
    ]);
    document.documentElement.dataset.zoom = String(size);
    sessionStorage.setItem("zoom", String(size));
    // What was in the middle stays there, unless what is marked lies elsewhere.
    sheets.forEach((one, number) => {
      const [across, down] = middles[number];
      one.scrollTo(across * one.scrollWidth - one.clientWidth / 2, down * one.scrollHeight - one.clientHeight / 2);
    });
    reveal();
  }

  let soon = 0;

  function ahead() {
    clearTimeout(soon);
    soon = setTimeout(loadAround, 100);
  }

  function loadAround() {
    for (const link of document.querySelectorAll("a[data-step$='-event'], a[data-step$='-commit']")) load(link.href).catch(() => {});
  }

  async function go(address, isNew) {
    shown = address;
    try {
      let known, text;
      // News that come while the page is under way may not be on it.
      do {
        known = last;
        text = await load(address);
      } while (known !== last && shown === address);
      if (shown !== address) return;
      const seen = put(text, address);
      if (isNew) history.pushState(null, "", address);
      ahead();
      // A page that was made while the match moved on may end before the last news.
      if (isLive() && seen < last) setTimeout(() => shown === address && look(), BEHIND_MS);
    } catch (problem) {
      // What was asked for by hand is shown, or the page that says why not; news can wait, and a passing fault must not replace the match.
      // Without a connection that would be a page of the browser, from which nothing leads back.
      const isCut = problem instanceof TypeError;
      if ((isNew && !isCut) || REFUSALS.includes(problem.message)) location.assign(address);
      else setTimeout(() => shown === address && go(address, isNew), AGAIN_MS);
    }
  }

  // The line of the moments

  // A slider: a press or a drag leads to the moment that is there, and the keys step as everywhere.
  function slide() {
    const line = document.querySelector(LINE);
    line.removeAttribute("aria-hidden");
    const now = document.querySelector(".where .no").textContent;
    const told = `event ${now}, ${document.querySelector(".stand").textContent}`;
    const said = { label: "Moment", valuemin: "1", valuemax: line.dataset.last, valuenow: now, valuetext: told };
    for (const [name, value] of Object.entries(said)) line.setAttribute(`aria-${name}`, value);
    line.setAttribute("role", "slider");
    line.setAttribute("tabindex", "0");
  }

  let held = null;

  // Shows on the line where the pointer holds it, and returns the number of that event.
  function hold(event) {
    const line = document.querySelector(LINE);
    const box = line.viewBox.baseVal;
    const wide = box.width + 2 * box.x;
    const most = Number(line.dataset.last);
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(line.getScreenCTM().inverse());
    const number = Math.max(1, Math.min(most, Math.round((spot.x / wide) * most)));
    line.querySelector(".cursor").setAttribute("cx", String(Math.round((number / most) * wide)));
    document.querySelector(".where .no").textContent = String(number);
    return number;
  }

  document.addEventListener("pointerdown", (event) => {
    if (event.button || !event.target.closest(LINE)) return;
    held = document.querySelector(".where .no").textContent;
    hold(event);
  });

  document.addEventListener("pointermove", (event) => held !== null && hold(event));

  document.addEventListener("pointerup", (event) => {
    if (held === null) return;
    const number = hold(event);
    const to = new URL(main.dataset.present, location.href);
    if (number < Number(document.querySelector(LINE).dataset.last)) {
      to.pathname += `@${number}`;
      to.hash = "now";
    }
    if (String(number) !== held) go(to.href, true);
    held = null;
  });

  document.addEventListener("pointercancel", () => {
    if (held === null) return;
    const line = document.querySelector(LINE);
    document.querySelector(".where .no").textContent = held;
    held = null;
    line.querySelector(".cursor").setAttribute("cx", line.dataset.at);
  });

  // News

  function tell() {
    const newer = document.getElementById("newer");
    if (newer) newer.textContent = String(last - Number(newer.dataset.number));
  }

  let source = null;

  function follow() {
    if (source || document.hidden) return;
    const address = new URL(main.dataset.news, location.href);
    address.searchParams.set("after", String(last));
    source = new EventSource(address);
    source.addEventListener("news", (message) => {
      const news = JSON.parse(message.data);
      if (news.last <= last) return;
      last = news.last;
      look();
    });
    source.addEventListener("gone", () => {
      rest();
      location.reload();
    });
    source.addEventListener("away", () => main.classList.add("away"));
    source.addEventListener("back", () => main.classList.remove("away"));
    source.onopen = () => {
      wait = AGAIN_MS;
      main.classList.remove("offline", "away");
      document.dispatchEvent(new Event("connection-back"));
    };
    source.onerror = lost;
  }

  let wait = AGAIN_MS;
  let trying = 0;

  // The page tries again itself, later each time, so that it can say when. A browser would not when it was refused, as by a proxy whose server is away.
  function lost() {
    rest();
    clearTimeout(trying);
    main.classList.add("offline");
    document.dispatchEvent(new CustomEvent("connection-lost", { detail: wait }));
    trying = setTimeout(tryAgain, wait);
    wait = Math.min(2 * wait, LAST_AGAIN_MS);
  }

  document.addEventListener("try-now", tryAgain);

  function rest() {
    source?.close();
    source = null;
  }

  // The present is not what was loaded earlier: shows it, or tells who looks back that it is there.
  function look() {
    for (const address of [...pages.keys()]) if (!address.includes("@")) pages.delete(address);
    if (isLive()) go(isAsked() ? shown : main.dataset.present, false);
    else tell();
  }

  // Whether the page asks about an option; news may leave the question as it is.
  function isAsked() {
    return new URL(shown, location.href).searchParams.has("choose");
  }

  // A browser has few connections to a host: a tab that nobody sees holds none, and only looks now and then, so that its title tells the news.
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : follow()));
  addEventListener("pagehide", rest);
  addEventListener("pageshow", follow);
  setInterval(() => document.hidden && look(), HIDDEN_MS);

  // The seat may not be proved any more.
  async function tryAgain() {
    clearTimeout(trying);
    const answer = await fetch(main.dataset.present, { credentials: "same-origin" }).catch(() => null);
    if (answer && (answer.status === 403 || answer.status === 404)) location.reload();
    else if (answer && answer.ok) follow();
    else lost();
  }

  // A single option is played without asking, if this browser is told so and nothing was refused.

  const SINGLE = `wardiary-single-${new URL(main.dataset.present, location.href).pathname}`;

  function isSingleOn() {
    try {
      return localStorage.getItem(SINGLE) === "1";
    } catch {
      return false;
    }
  }

  function playSingle() {
    const box = document.getElementById("single");
    if (box) box.checked = isSingleOn();
    const form = document.querySelector("form[data-single]");
    if (form && isSingleOn() && isLive() && !document.querySelector(".question .wrong")) form.requestSubmit(form.querySelector("button"));
  }

  document.addEventListener("change", (event) => {
    if (event.target.id !== "single") return;
    try {
      localStorage.setItem(SINGLE, event.target.checked ? "1" : "");
    } catch {
      return;
    }
    playSingle();
  });

  // Keys and clicks

  function linkOf(event) {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const kind = event.ctrlKey ? "round" : event.altKey ? "decision" : event.shiftKey ? "commit" : "event";
      return document.querySelector(`a[data-step="${event.key === "ArrowLeft" ? "back" : "on"}-${kind}"]`);
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return null;
    if (event.key === "Home" && event.target.matches(LINE)) return document.getElementById("first");
    if (event.key === "End") return document.getElementById("present");
    if (event.key === "n" || event.key === "N") return document.querySelector("#news");
    if (event.key === "w" || event.key === "W") return document.querySelector(".log .ask");
    return null;
  }

  const DIGIT_MS = 1000;
  let typed = { digits: "", at: -DIGIT_MS, isOnly: false };

  // Stands for an option whose number is not typed to its end yet.
  const PART = {};

  // The option of the number whose digits were typed one after the other, or of the last digit alone.
  function optionOf(event) {
    if (!/^[0-9]$/.test(event.key)) return null;
    const begun = event.timeStamp - typed.at < DIGIT_MS ? typed.digits : "";
    const found = main.querySelector(".singly[open]") ? ".option:has(> i)" : ":is(.mark, .option):has(> i)";
    const options = [...document.querySelectorAll(found)];
    for (const digits of begun ? [begun + event.key, event.key] : [event.key]) {
      const fit = options.filter((option) => option.querySelector("i").textContent.startsWith(digits));
      if (!fit.length) continue;
      typed = { digits, at: event.timeStamp, isOnly: fit.length === 1 };
      return fit.find((option) => option.querySelector("i").textContent === digits) ?? PART;
    }
    return null;
  }

  // Marks an item of a whole choice, or goes to where it is typed how often it is chosen.
  function mark(field) {
    field.focus();
    if (field.type === "checkbox") {
      field.checked = !field.checked;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    } else field.select();
  }

  // A key that names one option is enough where it leads to other options or to the question about it, and where it can be taken back; others wait for Enter.
  function isEnough(chosen, event) {
    const isOnly = /^[0-9]$/.test(event.key) ? typed.isOnly && typed.at === event.timeStamp : true;
    return isOnly && !event.repeat && chosen.matches("a.option:not(.ending *), button[data-once]:not(.many *)");
  }

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest(WRITTEN)) return;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    const chosen = isPlain && (optionOf(event) ?? document.querySelector(`[data-key="${CSS.escape(event.key)}" i]`));
    if (chosen) {
      event.preventDefault();
      if (chosen === PART) return;
      if (chosen.matches(".mark")) {
        mark(chosen.querySelector("input"));
        return;
      }
      if (!chosen.matches("summary")) chosen.closest("details")?.setAttribute("open", "");
      chosen.focus();
      if (!chosen.matches("summary") && !isEnough(chosen, event)) return;
      typed.digits = "";
      chosen.click();
      return;
    }
    if (["+", "-", "*"].includes(event.key) && isPlain) {
      resize(event.key);
      return;
    }
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    go(link.href, true);
  });

  // Plays the option for which a place of the picture stands alone, as its button would.
  function playAt(lit) {
    // Forms with an id play several options, or one several times.
    const form = document.querySelector(".choices form[action$='/play']:not([id])");
    if (!form) return false;
    // What was chosen before it and with it may stay chosen.
    const about = new URL(lit.getAttribute("href"), location.href).searchParams.getAll("about");
    for (const [name, value] of Object.entries({ option: lit.dataset.option, about: JSON.stringify(about) })) {
      form.querySelector(`input[type=hidden][name=${name}]`)?.remove();
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    form.requestSubmit();
    return true;
  }

  document.addEventListener("click", (event) => {
    const zoom = event.target.closest("button[data-zoom]");
    if (zoom) resize(zoom.dataset.zoom);
    const by = event.target.closest("button[data-by]");
    if (by) {
      const field = by.closest(".stepper").querySelector("input");
      if (by.dataset.by === "1") field.stepUp();
      else field.stepDown();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.getAttribute("href").startsWith("#")) {
      event.preventDefault();
      const part = document.getElementById(link.hash.slice(1));
      part.scrollIntoView();
      if (part.tabIndex < 0) part.tabIndex = -1;
      part.focus({ preventScroll: true });
      return;
    }
    const here = new URL(main.dataset.present, location.href).pathname;
    // The href of a link of a picture is no text.
    const to = new URL(link.getAttribute("href"), location.href);
    if (to.origin !== location.origin || !(to.pathname === here || to.pathname.startsWith(`${here}@`))) return;
    if (to.searchParams.get("seat") !== new URL(main.dataset.present, location.href).searchParams.get("seat")) return;
    event.preventDefault();
    if (link.matches("[data-plays]") && playAt(link)) return;
    picked = link.matches(":is(.sheet, .cells) :is(.lit, .instead)") ? { address: to.href, map: link.closest(".sheet") ?? document.querySelector(".sheet") } : null;
    narrowed = link.closest(".choices") ? to.href : "";
    if (link.matches(".option")) document.dispatchEvent(new CustomEvent("asked", { detail: link }));
    go(to.href, true);
  });

  // Says how many items of a whole choice are marked, and on its button how many are missing; the button is golden if that can be sent.
  function count() {
    for (const said of document.querySelectorAll("form.whole .counted b")) {
      const fields = [...said.closest("form").querySelectorAll(".mark input")];
      const marked = fields.map((field) => (field.type === "checkbox" ? Number(field.checked) : Number(field.value)));
      const sum = marked.reduce((all, one) => all + one, 0);
      const button = said.closest("form").querySelector("button[data-least]");
      const [missing, over] = [Number(button.dataset.least) - sum, sum - Number(button.dataset.most)];
      said.textContent = sum;
      const wanted = over < -missing ? `${missing} ${over < -missing - 1 ? "to" : "or"} ${-over}` : missing;
      button.querySelector(".act").textContent = missing > 0 ? `Mark ${wanted}${sum ? " more" : " first"}` : over > 0 ? `Mark ${over} less` : "Choose these";
      button.classList.toggle("main", missing <= 0 && over <= 0);
      button.disabled = missing > 0 || over > 0;
    }
  }

  // An option that is played several times says how often.
  function sayTimes({ target }) {
    const said = target.closest(".many")?.querySelector(".times");
    if (said) said.textContent = `${Math.max(1, Number(target.value))} \u00d7 `;
  }

  document.addEventListener("input", sayTimes);
  document.addEventListener("change", sayTimes);

  // A chance is that of what was marked when it was asked for.
  document.addEventListener("change", (event) => {
    event.target.closest("form.whole")?.querySelector(".stake")?.remove();
    count();
  });
  document.addEventListener("input", count);

  document.addEventListener("again", () => {
    pages.clear();
    state = "";
    go(shown, false);
  });

  addEventListener("popstate", () => go(location.href, false));

  document.documentElement.classList.add("scripted");
  const kept = sessionStorage.getItem("zoom");
  if (kept) {
    size = Number(kept);
    document.documentElement.dataset.zoom = kept;
  }
  slide();
  giveKeys();
  count();
  reveal({ isOpened: true });
  playSingle();
  ahead();
  follow();
})();
