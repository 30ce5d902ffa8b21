// What a script adds to the map of a match: its part fits its window, is moved and enlarged by hand, and glides from question to question.
// `page.js` tells of each new page with the event `replaced`; the event `again` asks it to load the page anew. The event `drawn` tells at which scale
// the part is drawn, so that `map-signs.js` keeps what stands on it in sizes that can be read and tapped.
"use strict";

(() => {
  const LARGEST = 1.2;
  const MOST = 4;
  const STEP = 1.3;
  const GLIDE_MS = 250;
  const DRAG = 6;
  const TAP_MS = 300;
  const POINT_MS = 250;
  // A window that is shown stays if what is asked about next would be at most so much larger in its own.
  const NEARER = 1.6;
  // So small a map becomes at most to show where the chosen thing may go, and so near to each other, in pixels, the places come at most that can be chosen
  // before anything is. So many of them are enough, and so much room each of the former and of the latter has to its sides, in pixels.
  const SMALLEST = 0.5;
  const APART = 20;
  const ENOUGH = 4;
  const ROOM = [35, 25];
  const ROOM_FAR = [16, 16];
  // How far counters lie below the name of their place, in pixels of the map.
  const BELOW = 30;
  // So far it stays from the small maps and the edges on a phone, in pixels.
  const EDGE = 3;
  const isNarrow = matchMedia("(max-width: 820px)");
  const YEAR_S = 31536000;
  const WRITTEN = "input:not([type=checkbox]), select, textarea, [contenteditable]";
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

  const sheetNow = () => document.querySelector(".sheet[data-size]");
  const numbers = (text) => text.split(" ").map(Number);

  // The window: the middle of what is shown of the map, in its pixels, and by how much it is enlarged; none before a map is shown.
  let view = null;
  let shown = "";
  let question = "";
  let isOwnSize = false;
  let gliding = 0;
  // Where the window glides to; null while it stands still.
  let aim = null;
  let wasByKey = false;
  let pointing = 0;

  // A command leads to a new page: the window is kept for it, in this tab.
  const KEPT = `wardiary-map-${location.pathname.replace(/@.*/, "")}`;

  function keep() {
    if (view !== null) sessionStorage.setItem(KEPT, JSON.stringify({ view, shown, question, isOwnSize, wide: innerWidth }));
  }

  function takeUp() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (kept?.wide === innerWidth) ({ view, shown, question, isOwnSize } = kept);
  }

  const paneOf = (sheet) => ({ wide: Math.max(sheet.clientWidth, 1), high: Math.max(sheet.clientHeight, 1) });

  function wholeOf(sheet) {
    const [wide, high] = numbers(sheet.dataset.size);
    const pane = paneOf(sheet);
    return { x: wide / 2, y: high / 2, scale: Math.min(pane.wide / wide, pane.high / high) };
  }

  // Holds a window within its map, of which the lower edge can be moved above the small maps.
  function held(sheet, { x, y, scale }) {
    const [wide, high] = numbers(sheet.dataset.size);
    const pane = paneOf(sheet);
    const between = (at, one, other) => Math.min(Math.max(at, Math.min(one, other)), Math.max(one, other));
    const within = (at, room, whole, below) => between(at, room / 2, room >= whole ? whole - room / 2 : whole - room / 2 + below);
    return { x: within(x, pane.wide / scale, wide, 0), y: within(y, pane.high / scale, high, covered(sheet) / scale), scale };
  }

  // Where the counter is that was chosen, or else the name of the first place, with its counters below it.
  function standsAt(sheet) {
    const piece = sheet.querySelector("#chosen.piece");
    const box = (piece ?? sheet.querySelector(`#${CSS.escape(`place-${sheet.dataset.at}`)} text`))?.getBBox();
    return box && [box.x + box.width / 2, box.y + box.height / 2 + (piece ? 0 : BELOW)];
  }

  // The window to all that goes on, such as both sides of a fight, clear of the small maps: as small as it must be, but where something of it can be chosen,
  // no smaller than that can be read. None if it has room at the size of the text.
  function toStake(sheet) {
    if (!sheet.dataset.stake) return null;
    const { wide, high } = paneOf(sheet);
    const [left, top, right, bottom] = numbers(sheet.dataset.stake);
    const fits = freePanes(sheet).map((pane) => ({ pane, fit: Math.min((pane.right - pane.left) / (right - left), pane.bottom / (bottom - top)) }));
    const { pane, fit } = fits.reduce((one, other) => (other.fit > one.fit ? other : one));
    if (fit >= 1) return null;
    const isChoice = sheet.querySelector(".lit") && document.querySelector(".choices :is(.option, .mark)");
    const scale = Math.max(fit, isChoice ? SMALLEST : wholeOf(sheet).scale);
    const [x, y] = [(left + right - (pane.left + pane.right - wide) / scale) / 2, (top + bottom - (pane.bottom - high) / scale) / 2];
    return held(sheet, { x, y, scale });
  }

  // The window to what the question is about: all of it, or where it would be too small to read, what comes first and as much of the rest as has room,
  // or where even that has none, the counters there. Of a fight both sides are seen.
  function asked(sheet) {
    if (!sheet.dataset.focus) return wholeOf(sheet);
    const whole = toStake(sheet);
    if (whole) return whole;
    const pane = paneOf(sheet);
    const focus = numbers(sheet.dataset.focus);
    const first = numbers(sheet.dataset.first);
    const fit = Math.min(pane.wide / (focus[2] - focus[0]), pane.high / (focus[3] - focus[1]));
    const scale = Math.min(Math.max(fit, 1), LARGEST);
    const middle = (axis, room) => {
      const [from, to, begin, end] = [focus[axis], focus[axis + 2], first[axis], first[axis + 2]];
      if (to - from <= room) return (from + to) / 2;
      if (end - begin >= room) return standsAt(sheet)?.[axis] ?? (begin + end) / 2;
      return Math.min(Math.max((from + to) / 2, end - room / 2), begin + room / 2);
    };
    return held(sheet, { x: middle(0, pane.wide / scale), y: middle(1, pane.high / scale), scale });
  }

  // The window that needs the least way from where it is: it stays if what is asked about is seen well enough there, and while the same question
  // is open, it keeps its size, also one chosen by hand, and moves only as far as it must to show that, or if not all of it has room, any of it beside what comes
  // first. Of a new question that has no room it is enough that what comes first is seen.
  function near(sheet, wanted, isSameQuestion) {
    const isClear = view.scale >= 0.99 && wanted.scale <= view.scale * NEARER;
    const isKept = isOwnSize && isSameQuestion;
    if (!sheet.dataset.focus) return isKept ? held(sheet, view) : wanted;
    if (!(isClear || isKept)) return wanted;
    const room = [paneOf(sheet).wide / view.scale, paneOf(sheet).high / view.scale];
    const least = (at, size, from, to) => Math.min(Math.max(at, to - size / 2 - 1), from + size / 2 + 1);
    const over = ([left, top, right, bottom]) => ({ x: least(view.x, room[0], left, right), y: least(view.y, room[1], top, bottom), scale: view.scale });
    const isHere = ({ x, y }) => x === view.x && y === view.y;
    if (sheet.dataset.stake && !isKept && !isHere(over(numbers(sheet.dataset.stake)))) return wanted;
    const focus = numbers(sheet.dataset.focus);
    const hasRoom = focus[2] - focus[0] <= room[0] + 2 && focus[3] - focus[1] <= room[1] + 2;
    if (hasRoom) return isSameQuestion || isHere(over(focus)) ? held(sheet, over(focus)) : wanted;
    const isFirstHere = isHere(over(numbers(sheet.dataset.first)));
    const isStill = isSameQuestion ? isAnyLit(sheet) && (!sheet.querySelector(".lit[aria-current]") || isFirstHere) : isFirstHere;
    return isStill ? held(sheet, view) : isSameQuestion ? held(sheet, { ...wanted, scale: view.scale }) : wanted;
  }

  // The window in which enough of the places are in sight that can be chosen: where few of them would be, it becomes smaller, on a phone so small that all are,
  // or as many as can be told apart; not while the same question is open and any is in sight. To what was chosen it stays nearer. What is bought is chosen,
  // but lies nowhere yet.
  function withPlaces(sheet, wanted, isStill = false) {
    const chosen = sheet.querySelector(".lit[aria-current]");
    const isFar = isNarrow.matches && "alike" in sheet.dataset;
    const isAbout = chosen || (document.querySelector(".narrowed") && !sheet.querySelector(".lit.piece"));
    if (isOwnSize || !sheet.dataset.focus || !(isAbout || (isFar && !isStill))) return wanted;
    const { wide, high } = paneOf(sheet);
    const middle = (one) => {
      const { x, y, width, height } = one.getBBox();
      return [x + width / 2, y + height / 2];
    };
    const at = chosen ? middle(chosen) : [wanted.x, wanted.y];
    const far = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
    const places = [...sheet.querySelectorAll(".lit:not(.piece, [aria-current]) .touch")].map(middle);
    const isIn = ([x, y]) => Math.abs(x - wanted.x) < wide / wanted.scale / 2 && Math.abs(y - wanted.y) < high / wanted.scale / 2;
    if (places.filter(isIn).length >= Math.min(places.length / 2, ENOUGH)) return wanted;
    const nearest = places.map((one) => Math.min(...places.filter((other) => other !== one).map((other) => far(one, other)))).sort((one, other) => one - other);
    const smallest = isFar ? Math.min(SMALLEST, APART / nearest[places.length >> 1]) : SMALLEST;
    const how = { smallest, largest: wanted.scale, room: isFar ? ROOM_FAR : ROOM };
    const tries = freePanes(sheet).flatMap((pane) => (chosen ? [at] : places).map((first) => around(sheet, first, places, pane, how)));
    return tries.reduce((one, other) => (other.count > one.count || (other.count === one.count && other.scale > one.scale) ? other : one));
  }

  // The window in a part of the sheet that shows a spot and as many places around it as have room on no smaller a scale than the smallest, and how many these are.
  function around(sheet, first, places, { left, right, bottom }, { smallest, largest, room }) {
    const { wide, high } = paneOf(sheet);
    const larger = (box, [x, y]) => [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
    // A very low map has no room for all of that.
    const [across, down] = [right - left, bottom].map((size, axis) => Math.max(size - 2 * room[axis], size / 2));
    const fit = (box) => Math.min(largest, across / (box[2] - box[0]), down / (box[3] - box[1]));
    const far = ([x, y]) => Math.hypot(x - first[0], y - first[1]);
    let [box, count] = [[...first, ...first], 0];
    for (const spot of [...places].sort((one, other) => far(one) - far(other))) {
      if (fit(larger(box, spot)) >= smallest) [box, count] = [larger(box, spot), count + 1];
    }
    const scale = fit(box);
    const [x, y] = [(box[0] + box[2] - (left + right - wide) / scale) / 2, (box[1] + box[3] - (bottom - high) / scale) / 2];
    return { ...held(sheet, { x, y, scale }), count };
  }

  // The parts of the sheet that are clear of the small maps and the buttons on a phone: above them, and between them.
  function freePanes(sheet) {
    const low = covered(sheet);
    const { wide, high } = paneOf(sheet);
    const above = { left: 0, right: wide, bottom: Math.max(high - low, 1) };
    if (!low) return [above];
    const frame = sheet.getBoundingClientRect();
    const left = Math.max(...[...document.querySelectorAll(".inset")].map((one) => one.getBoundingClientRect().right)) - frame.left;
    const right = document.querySelector(".insets .zoom").getBoundingClientRect().left - frame.left;
    return [above, { left, right, bottom: high }];
  }

  // How much of its lower edge lies under the small maps, on a phone.
  function covered(sheet) {
    const frame = sheet.getBoundingClientRect();
    const inset = document.querySelector(".inset")?.getBoundingClientRect();
    const isOver = inset && inset.right > frame.left && inset.top > frame.top && inset.top < frame.bottom;
    return isOver ? frame.bottom - inset.top : 0;
  }

  // Where the chosen counter is, or else the name of the first place with its counters: a box in pixels of the map, or none.
  function standing(sheet) {
    const place = `#${CSS.escape(`place-${sheet.dataset.at}`)}`;
    const chosen = sheet.querySelector("#chosen.piece");
    const boxes = (chosen ? [chosen] : [...sheet.querySelectorAll(`${place} text, ${place} .counter`)]).map((one) => one.getBoundingClientRect());
    const back = sheet.querySelector("svg").getScreenCTM().inverse();
    const spot = (pick, across, down) => new DOMPoint(pick(...boxes.map((one) => one[across])), pick(...boxes.map((one) => one[down]))).matrixTransform(back);
    return boxes.length ? [spot(Math.min, "left", "top"), spot(Math.max, "right", "bottom")] : null;
  }

  // The window that shows it clear of the small maps and the buttons on a phone, the least way from another: above them, or between them, or if neither
  // has room, in the middle between them.
  function clear(sheet, wanted) {
    const low = covered(sheet);
    const box = low && sheet.dataset.focus && !toStake(sheet) ? standing(sheet) : null;
    if (!box) return wanted;
    const { wide, high } = paneOf(sheet);
    const panes = freePanes(sheet);
    const ways = [wanted.scale, Math.min(wanted.scale, 1)].flatMap((scale) =>
      panes.flatMap(({ left: from, right: to, bottom }) => {
        const [across, down] = [(at) => (at - wide / 2) / scale, (at) => (at - high / 2) / scale];
        const isRoom = box[1].x - box[0].x < across(to) - across(from) && box[1].y - box[0].y < down(bottom) - down(0);
        const least = (at, first, last) => Math.min(Math.max(at, first), last);
        const x = least(wanted.x, box[1].x - across(to - EDGE), box[0].x - across(from + EDGE));
        const y = least(wanted.y, box[1].y - down(bottom - EDGE), box[0].y - down(EDGE));
        return isRoom ? [{ x, y, scale }] : [];
      }),
    );
    const { left, right } = panes.at(-1);
    const between = { x: (box[0].x + box[1].x) / 2 - ((left + right) / 2 - wide / 2) / wanted.scale, y: (box[0].y + box[1].y) / 2, scale: wanted.scale };
    const far = (one) => Math.hypot(one.x - wanted.x, one.y - wanted.y);
    return held(sheet, ways.length ? ways.filter((one) => one.scale === ways[0].scale).reduce((one, other) => (far(other) < far(one) ? other : one)) : between);
  }

  // Whether the middle of anything that can be chosen is in sight.
  function isAnyLit(sheet) {
    const frame = sheet.getBoundingClientRect();
    return [...sheet.querySelectorAll(".lit:not([aria-current])")].some((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
    });
  }

  // What is asked, but for the numbers in it, such as what is left to spend.
  const questionNow = () => (document.querySelector(".question h1")?.textContent ?? "").replace(/\d+/g, "");

  function draw(sheet) {
    const pane = paneOf(sheet);
    const [wide, high] = [pane.wide / view.scale, pane.high / view.scale];
    const box = [view.x - wide / 2, view.y - high / 2, wide, high].map((one) => one.toFixed(1));
    const svg = sheet.querySelector("svg");
    svg.setAttribute("viewBox", box.join(" "));
    document.dispatchEvent(new CustomEvent("drawn", { detail: { svg, scale: view.scale } }));
    for (const frame of document.querySelectorAll(".inset[aria-current] .frame")) {
      ["x", "y", "width", "height"].forEach((name, number) => frame.setAttribute(name, box[number]));
    }
  }

  // Moves the window, at once or within a quarter of a second.
  function lead(wanted, { glides = false } = {}) {
    const sheet = sheetNow();
    cancelAnimationFrame(gliding);
    const from = view;
    aim = null;
    if (!glides || from === null || isCalm.matches || document.hidden) {
      view = wanted;
      draw(sheet);
      return;
    }
    const begun = performance.now();
    aim = wanted;
    const glide = (now) => {
      // The time of the first frame may lie before the beginning, on a busy machine by much.
      const part = Math.min(1, Math.max(0, now - begun) / GLIDE_MS);
      const eased = 1 - (1 - part) ** 3;
      const between = (one, other) => one + (other - one) * eased;
      view = part === 1 ? wanted : { x: between(from.x, wanted.x), y: between(from.y, wanted.y), scale: between(from.scale, wanted.scale) };
      if (!sheet.isConnected) return;
      draw(sheet);
      if (part < 1) gliding = requestAnimationFrame(glide);
      else aim = null;
    };
    gliding = requestAnimationFrame(glide);
  }

  // A new page: the window goes to what is asked about, as far as it is not seen where the window is.
  function begin() {
    const sheet = sheetNow();
    if (!sheet) return;
    const key = [sheet.dataset.map, sheet.dataset.size].join(" ");
    const isSame = key === shown && view !== null;
    const isSameQuestion = question === questionNow();
    shown = key;
    question = questionNow();
    if (!isSame || !isSameQuestion) isOwnSize = false;
    if (!isSame) return lead(withPlaces(sheet, clear(sheet, asked(sheet))));
    draw(sheet);
    const next = near(sheet, asked(sheet), isSameQuestion);
    const to = withPlaces(sheet, isSameQuestion ? next : clear(sheet, next), isSameQuestion && view.scale >= SMALLEST && isAnyLit(sheet));
    lead(to, { glides: !wasByKey && (to.x !== view.x || to.y !== view.y) });
  }

  // The size and the place of the window, by hand

  function enlarge(by, x = view.x, y = view.y) {
    const sheet = sheetNow();
    const least = wholeOf(sheet).scale;
    const scale = Math.min(Math.max(view.scale * by, least), MOST);
    isOwnSize = true;
    const part = view.scale / scale;
    // What is under the pointer stays there.
    lead(held(sheet, { x: x + (view.x - x) * part, y: y + (view.y - y) * part, scale }));
    return scale;
  }

  function move(across, down) {
    lead(held(sheetNow(), { x: view.x - across / view.scale, y: view.y - down / view.scale, scale: view.scale }));
  }

  // The whole map and the part that is asked about, in turn; a browser keeps which of them is shown.
  function turn() {
    const isWhole = !sheetNow().dataset.focus;
    const asks = isWhole && document.cookie.split("; ").includes("wardiary_map=whole");
    if (isWhole && !asks) {
      isOwnSize = false;
      return lead(wholeOf(sheetNow()));
    }
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `wardiary_map=${asks ? "" : "whole"}; path=/; samesite=strict; max-age=${asks ? 0 : YEAR_S}${secure}`;
    document.dispatchEvent(new Event("again"));
  }

  function resize(way) {
    if (way === "*") turn();
    else enlarge(way === "+" ? STEP : 1 / STEP);
  }

  document.addEventListener("keydown", (event) => {
    wasByKey = event.key.startsWith("Arrow");
    if (event.target instanceof Element && event.target.closest(WRITTEN)) return;
    if (!sheetNow() || event.ctrlKey || event.altKey || event.metaKey || !["+", "-", "*"].includes(event.key)) return;
    // A key that chooses an option is not one of the map.
    if (!event.defaultPrevented) resize(event.key);
  });

  document.addEventListener("click", (event) => {
    const zoom = event.target.closest("button[data-zoom]");
    if (zoom && sheetNow()) resize(zoom.dataset.zoom);
  });

  // A press on the small picture of the map that is shown leads there.
  document.addEventListener(
    "click",
    (event) => {
      const inset = event.target.closest(".inset[aria-current]");
      if (!inset || !inset.querySelector(".frame") || !event.detail || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const svg = inset.querySelector("svg");
      if (!svg.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      lead(held(sheetNow(), { x: spot.x, y: spot.y, scale: view.scale }), { glides: true });
    },
    true,
  );

  const spotOf = (sheet, x, y) => {
    const frame = sheet.getBoundingClientRect();
    return [
      view.x + (x - frame.left - frame.width / 2) / view.scale,
      view.y + (y - frame.top - frame.height / 2) / view.scale,
    ];
  };

  document.addEventListener(
    "wheel",
    (event) => {
      const sheet = event.target instanceof Element && event.target.closest(".sheet[data-size]");
      if (!sheet || view === null) return;
      const before = view.scale;
      const after = enlarge(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...spotOf(sheet, event.clientX, event.clientY));
      if (after !== before) event.preventDefault();
    },
    { passive: false },
  );

  // Leads to what is on the map, unless its middle is in sight.
  function show(lit, how = {}) {
    const sheet = lit.closest(".sheet[data-size]");
    if (!sheet || view === null) return;
    const frame = sheet.getBoundingClientRect();
    const box = lit.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x > frame.left && x < frame.right && y > frame.top && y < frame.bottom) return;
    const [across, down] = spotOf(sheet, x, y);
    lead(held(sheet, { x: across, y: down, scale: view.scale }), how);
  }

  // One finger or the mouse moves the map, two fingers enlarge it; a press that moves less is a click.
  const fingers = new Map();
  let moved = 0;
  let tapped = -TAP_MS;

  document.addEventListener("pointerdown", (event) => {
    const sheet = event.target.closest(".sheet[data-size]");
    if (!sheet || event.button) return;
    if (!fingers.size) moved = 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });

  document.addEventListener("pointermove", (event) => {
    const was = fingers.get(event.pointerId);
    const sheet = sheetNow();
    if (!was || !sheet || view === null) return;
    const now = [event.clientX, event.clientY];
    const [across, down] = [now[0] - was[0], now[1] - was[1]];
    moved += Math.hypot(across, down);
    if (fingers.size === 1 && moved < DRAG) return;
    if (fingers.size === 1) move(across, down);
    else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = (one) => Math.max(Math.hypot(one[0] - other[0], one[1] - other[1]), 1);
      enlarge(apart(now) / apart(was), ...spotOf(sheet, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2));
    }
    fingers.set(event.pointerId, now);
  });

  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      if (!fingers.delete(event.pointerId) || end === "pointercancel" || moved >= DRAG || event.target.closest("a")) return;
      const isDouble = event.timeStamp - tapped < TAP_MS;
      tapped = event.timeStamp;
      if (isDouble) turn();
    });
  }

  // On a map that is too small to choose counters, a press beside the places that can be chosen leads near.
  document.addEventListener("click", (event) => {
    const sheet = event.target.closest(".sheet[data-size]:has(.far)");
    if (!sheet || !isNarrow.matches || event.target.closest("a")) return;
    const [x, y] = spotOf(sheet, event.clientX, event.clientY);
    isOwnSize = true;
    // A second tap is not one of two that turn to the whole map.
    tapped = -TAP_MS;
    lead(held(sheet, { x, y, scale: 1 }), { glides: true });
  });

  document.addEventListener(
    "click",
    (event) => {
      // A press on what glides under the pointer is not meant for what comes there: it ends the glide.
      const isUnderWay = aim !== null && event.detail > 0;
      if ((moved < DRAG && !isUnderWay) || !event.target.closest(".sheet[data-size]")) return;
      if (isUnderWay) lead(aim);
      moved = 0;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  document.addEventListener("dragstart", (event) => event.target instanceof Element && event.target.closest(".sheet[data-size]") && event.preventDefault());

  // What has the keys is seen; what was pressed is, and must not move away before the finger is lifted.
  document.addEventListener("focusin", (event) => {
    const lit = event.target.closest?.(".sheet[data-size] .lit");
    if (lit && !fingers.size && event.target.matches(":focus-visible")) show(event.target);
  });

  // The place of an option that is under the pointer or has the keys for a moment is seen, too, however far away from the first one it is.
  document.addEventListener("pointed", ({ detail }) => {
    clearTimeout(pointing);
    if (detail) pointing = setTimeout(() => detail.isConnected && show(detail, { glides: true }), POINT_MS);
  });

  addEventListener("resize", () => {
    shown = "";
    begin();
  });
  document.addEventListener("replaced", begin);
  addEventListener("pagehide", keep);
  takeUp();
  begin();
})();
