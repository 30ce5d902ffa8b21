// What stands on the map of a match keeps a size that can be read and tapped, at whatever scale `map.js` draws it.
"use strict";

(() => {
  // How high letters are at least, in pixels: on a whole map, and on a part of it on a phone, which is read rather than looked over, on counters and at places.
  const LEGIBLE = 6;
  const READABLE = 11;
  const NAMED = 12;
  // By a rounding a letter may seem to lack as much.
  const ROUNDED = 1.02;
  // How much larger numbers are made at most to be read, and where the middle of a number is, in parts of the size of its text.
  const GROW = 1.7;
  const HALF = 0.36;
  const NUMBER = /^[×\d]/;
  // On a smaller map than this signs move to the middles of their places, and so far from each other, in pixels.
  const SMALLEST = 0.5;
  const APART = 20;
  // How much smaller signs become at most.
  const SIGN = 0.8;
  const isNarrow = matchMedia("(max-width: 820px)");

  // The signs and the edges of places keep their size on a smaller map. Signs come to the middles of their places there, and from each other.
  function keepSigns(svg, scale) {
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const small = Math.min(1, scale);
    const grow = Math.max(1, SIGN / small);
    svg.classList.toggle("far", small < SMALLEST);
    svg.style.setProperty("--grow", 1 / small);
    const signs = [...svg.querySelectorAll(".sign")].map((sign) => [sign, middle(sign.getBBox()), middle(sign.parentNode.querySelector(".touch").getBBox())]);
    const spots = signs.map(([, from, to]) => from.map((at, axis) => at + (to[axis] - at) * Math.max(0, 1 - small / SMALLEST)));
    const room = small < SMALLEST ? APART / small : 0;
    for (const [number, one] of spots.entries()) {
      for (const other of spots.slice(0, number)) {
        const [across, down] = [one[0] - other[0], one[1] - other[1]];
        const far = Math.max(Math.hypot(across, down), 1);
        if (far < room) [one[0], one[1]] = [other[0] + (across / far) * room, other[1] + (down / far) * room];
      }
    }
    for (const [number, [sign, from]] of signs.entries()) {
      sign.setAttribute("transform", `translate(${spots[number].join(" ")}) scale(${grow}) translate(${-from[0]} ${-from[1]})`);
    }
  }

  // Letters that would be too small to read are left out, with the badge below them, until the map is enlarged. Numbers in the middle of something, such as
  // those of places and the figures of counters, are rather made larger in their place.
  let letters = { svg: null, texts: [] };

  function leaveOutSmall(svg, scale) {
    if (letters.svg !== svg) {
      if (scale >= 1) return;
      const texts = [...svg.querySelectorAll("text")].filter((text) => !text.closest(".sign"));
      const ratio = ({ a, b }) => Math.hypot(a, b) / scale;
      const measured = texts.map((text) => {
        const look = getComputedStyle(text);
        const own = parseFloat(look.fontSize);
        const isNumber = look.textAnchor === "middle" && NUMBER.test(text.textContent);
        return { text, own, size: own * ratio(text.getScreenCTM() ?? svg.getScreenCTM()), isNumber, least: text.matches("[id^=place-] > text") ? NAMED : READABLE };
      });
      letters = { svg, texts: measured };
    }
    const isRead = isNarrow.matches && "focus" in svg.closest(".sheet").dataset;
    for (const { text, own, size, isNumber, least } of letters.texts) {
      const lacks = (isRead ? least : LEGIBLE) / (size * scale);
      const grow = isRead && isNumber && lacks > 1 && lacks < GROW ? lacks : 1;
      // An enlarged copy has all of them as they were.
      text.style.fontSize = grow > 1 ? `calc(${own}px + ${own * (grow - 1)}px * var(--is-map, 0))` : "";
      text.style.transform = grow > 1 ? `translateY(calc(${own * (grow - 1) * HALF}px * var(--is-map, 0)))` : "";
      for (const one of [text, text.previousElementSibling]) if (one === text || one?.matches(".badge, rect.f-panel")) one.classList.toggle("unread", lacks > ROUNDED && grow === 1);
    }
  }

  document.addEventListener("drawn", ({ detail: { svg, scale } }) => {
    keepSigns(svg, scale);
    leaveOutSmall(svg, scale);
  });
})();
