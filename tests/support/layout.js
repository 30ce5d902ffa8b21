// What is wrong with the layout of a page, as sentences. It returns an empty list for a page on which nothing is cut off or covered.
() => {
  const found = [];
  const root = document.scrollingElement;
  const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const named = (element) => `${element.localName}.${element.getAttribute("class") ?? ""} "${element.textContent.trim().slice(0, 40)}"`;
  const scrolls = (element) => /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);

  // The part of an element that is in view: nothing that scrolls, and no edge of the window, cuts it.
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
      if (!scrolls(one)) continue;
      const frame = one.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, frame.left), Math.max(top, frame.top), Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }
    return { left, top: Math.max(top, 0), right, bottom: Math.min(bottom, innerHeight) };
  };
  const isEmpty = (box) => box.right - box.left < 2 || box.bottom - box.top < 2;
  const meet = (one, other) =>
    !isEmpty(one) && !isEmpty(other) &&
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;

  if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} px wide in a window of ${innerWidth}`);

  // Only maps, tables, the rounds and the row of tools may be wider than their place; they scroll.
  for (const element of document.querySelectorAll("body *:not(svg *, .sheet *, .game *, .stand *, .wide *, .rounds *, .tools *, .skip, .unseen)")) {
    if (element.matches("svg, .sheet, .wide, .rounds, .tools") || !shown(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`${named(element)} is beyond the edge of the window`);
    const isCutOff = element.scrollWidth > element.clientWidth + 1 && scrolls(element) && !element.matches(".game, .stand, input");
    if (isCutOff) found.push(`${named(element)} is ${element.scrollWidth} px wide in a place of ${element.clientWidth}`);
  }

  // What can be clicked holds its words, and nothing else covers it.
  const clickable = [...document.querySelectorAll("a:not(svg *), button, summary, input:not([type=hidden]), select")]
    .filter((element) => shown(element) && !element.matches(".skip"));
  for (const element of clickable) {
    if (element.matches("button, .step") && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)) {
      found.push(`${named(element)} is too small for its words`);
    }
  }
  // Nothing that can be clicked by itself is too small: for a mouse, and in one column for a finger. A box and its label are one, and so are a lit card and its cell.
  const isInSentence = (element) => getComputedStyle(element).display === "inline" && [...element.parentElement.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim().length > 2);
  for (const element of clickable) {
    if (element.matches(".lit, label input") || isInSentence(element)) continue;
    const box = element.getBoundingClientRect();
    const isForFinger = innerWidth <= 820 && element.matches("button, summary, select, .option, .step, .ask, .log .line, .tools a, .weigh a") && !element.closest(".top");
    const least = isForFinger ? 44 : 24;
    if (box.height < least - 0.5 || box.width < 23.5) found.push(`${named(element)} is ${Math.round(box.width)} by ${Math.round(box.height)} px, too small to be hit`);
  }
  const boxes = clickable.map((element) => [element, seen(element)]);
  const isAbove = (element) => getComputedStyle(element.closest(".way, .ending") ?? element).position === "sticky";
  const isInText = (element) => element.getClientRects().length > 1;
  boxes.forEach(([one, first], index) => {
    for (const [other, second] of boxes.slice(index + 1)) {
      if (isInText(one) || isInText(other)) continue;
      if (one.contains(other) || other.contains(one) || isAbove(one) !== isAbove(other)) continue;
      if (meet(first, second)) found.push(`${named(one)} and ${named(other)} overlap`);
    }
  });

  // The words of an option have a space between them, or a gap.
  const words = (element) => element.textContent.trim().length > 1;
  for (const one of document.querySelectorAll(".option > *")) {
    const next = one.nextSibling;
    if (!(next instanceof HTMLElement) || !shown(one) || !shown(next) || !words(one) || !words(next)) continue;
    if (/\s$/.test(one.textContent) || /^[\s.,;:)]/.test(next.textContent)) continue;
    const [from, to] = [[...one.getClientRects()].at(-1), next.getClientRects()[0]];
    const isOneLine = Math.min(from.bottom, to.bottom) - Math.max(from.top, to.top) > 4;
    const gap = to.left - from.right + [getComputedStyle(one).paddingRight, getComputedStyle(next).paddingLeft].reduce((sum, size) => sum + parseFloat(size), 0);
    if (isOneLine && gap > -1 && gap < 2) found.push(`${named(one)} and ${named(next)} have no space between them`);
  }

  // Question, picture, log and steps do not overlap; on a small window the steps float above the rest.
  const parts = [".top", ".question", ".picture", ".log", ".way"].map((name) => document.querySelector(name)).filter((one) => one && !isAbove(one));
  parts.forEach((one, index) => {
    for (const other of parts.slice(index + 1)) if (meet(seen(one), seen(other))) found.push(`${named(one)} and ${named(other)} overlap`);
  });

  // The eye finds the open question first.
  const question = document.querySelector(".question h1");
  if (question && !(question.getBoundingClientRect().top > 0 && question.getBoundingClientRect().bottom < innerHeight / 2)) found.push("the question is not at the top");
  const option = document.querySelector("a.option, button.option");
  if (option && seen(option).bottom !== option.getBoundingClientRect().bottom) found.push("the first option is not in view");

  // On a phone that is held upright the options have half of what is below the question, unless all of them are in sight.
  const bar = document.querySelector(".way")?.getBoundingClientRect().top;
  const choices = document.querySelector(".board.own .choices")?.getBoundingClientRect();
  const lowest = Math.max(...[...document.querySelectorAll(".choices :is(.option, .mark, .send)")].filter(shown).map((one) => one.getBoundingClientRect().bottom));
  if (innerWidth <= 820 && innerHeight > innerWidth && scrollY === 0 && choices && lowest > bar + 1) {
    const share = (bar - choices.top) / (bar - question.getBoundingClientRect().bottom);
    if (share < 0.5) found.push(`the options have ${Math.round(100 * share)} % of what is below the question`);
  }
  return found;
}
