// What is marked in a form bears a sign on the picture, and a click on its counter or card there marks it, too.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const HIGH = 18;
  const rowOf = (lit) => document.querySelector(`form.whole .mark[data-option~="${CSS.escape(lit.dataset.option ?? "")}"]`);
  const fieldOf = (row) => row.querySelector("input");
  const countOf = (row) => (fieldOf(row).type === "checkbox" ? Number(fieldOf(row).checked) : Number(fieldOf(row).value));

  function drawn(name, attributes, text = "") {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, String(value));
    one.textContent = text;
    return one;
  }

  // A tint on a counter of a drawing, and at its lower corner, where no number of a stack is, how often it is marked.
  function badge(lit, count) {
    const box = lit.getBBox();
    const low = box.y + box.height - HIGH + 5;
    const wide = count > 1 ? 26 : HIGH;
    const said = count > 1 ? `×${count}` : "✓";
    const sign = drawn("g", { class: "marked-sign", "aria-hidden": "true", "pointer-events": "none" });
    sign.append(
      drawn("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4, class: "f-gold", "fill-opacity": 0.25 }),
      drawn("rect", { x: box.x - 4, y: low, width: wide, height: HIGH, rx: HIGH / 2, class: "f-gold s-on-gold", "stroke-width": 1.5 }),
      drawn("text", { x: box.x - 4 + wide / 2, y: low + 13.5, "text-anchor": "middle", "font-size": 13, class: "f-on-gold bold" }, said),
    );
    return sign;
  }

  function show() {
    for (const one of document.querySelectorAll(".marked-sign")) one.remove();
    for (const lit of document.querySelectorAll(".board .lit[data-option]")) {
      const row = rowOf(lit);
      const count = row ? countOf(row) : 0;
      lit.classList.toggle("marked", count > 0);
      if (count && lit instanceof SVGElement) lit.ownerSVGElement.append(badge(lit, count));
    }
  }

  // Marks one more, and after the last none.
  function mark(row) {
    const field = fieldOf(row);
    if (field.type === "checkbox") field.checked = !field.checked;
    else field.value = String(countOf(row) < Number(field.max) ? countOf(row) + 1 : Number(field.min));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener(
    "click",
    (event) => {
      const lit = event.target.closest?.(".lit[data-option]");
      const row = lit && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented ? rowOf(lit) : null;
      if (!row) return;
      event.preventDefault();
      event.stopPropagation();
      mark(row);
    },
    true,
  );
  for (const name of ["input", "change", "replaced", "shown"]) document.addEventListener(name, show);
  show();
})();
