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
  document.documentElement.classList.add("scripted");
  // So long a sound is heard before the page is loaded again.
  const HEARD_MS = 500;
  const source = new EventSource(main.dataset.news);
  for (const name of ["gone", "back"]) source.addEventListener(name, () => location.reload());
  source.addEventListener("news", async () => {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
    const here = (document) => document.querySelectorAll(".chairs .here").length;
    // When the last seat is taken, the answer is the table.
    if (answer?.ok && (!page.querySelector(".chairs") || here(page) > here(document))) {
      document.title = page.title.startsWith("Your turn") ? page.title : `Somebody has come: ${document.title}`;
      document.dispatchEvent(new Event("taken"));
      await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
    }
    location.reload();
  });
  // What the visitor sends brings news, too, and leads to the next page by itself.
  for (const name of ["submit", "pagehide"]) addEventListener(name, () => source.close());
})();
