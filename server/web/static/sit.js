// Puts the fragment of a link, which no browser sends to a server by itself, into the field that it is for: the secret of a seat, which is sent at
// once, or the invitation to a reserved seat, which waits for the player's name.
"use strict";

(() => {
  const secret = decodeURIComponent(location.hash.slice(1));
  const field = document.querySelector("input[data-fragment]");
  if (!secret || !field) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  if (field.dataset.fragment === "send") field.form.requestSubmit();
  else field.form.elements.namedItem("name").focus();
})();
