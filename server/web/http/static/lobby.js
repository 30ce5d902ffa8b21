// The page of a match that waits: copies links, and loads itself again when somebody has come.
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-copies]")) {
    const field = document.getElementById(button.dataset.copies);
    const words = button.textContent;
    button.addEventListener("click", async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        button.textContent = "Copied";
      } catch {
        // Without the right to copy, the link is selected: the keys of the system copy it.
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = words), 2000);
    });
  }
  const main = document.getElementById("main");
  if (!main.dataset.news) return;
  const source = new EventSource(main.dataset.news);
  for (const name of ["news", "gone", "back"]) source.addEventListener(name, () => location.reload());
  // What the visitor sends brings news, too, and leads to the next page by itself.
  for (const name of ["submit", "pagehide"]) addEventListener(name, () => source.close());
})();
