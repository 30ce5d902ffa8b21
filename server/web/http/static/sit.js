// Puts the fragment of a link, which no browser sends to a server by itself, into the field that it is for: the secret of a seat, which is sent at
// once, or the invitation to a reserved seat, which waits for the player's name.
"use strict";

(() => {
  let secret = location.hash.slice(1);
  try {
    secret = decodeURIComponent(secret);
  } catch {
    // A sign of per cent that begins no code stands for itself.
  }
  const field = document.querySelector("input[data-fragment]");
  // A part of the page may be named too, as after "Skip to the contents".
  if (!secret || !field || document.getElementById(secret)) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  if (field.dataset.fragment === "send") {
    field.form.requestSubmit();
  } else {
    field.parentElement.hidden = true;
    field.form.elements.namedItem("name").focus();
  }
})();
