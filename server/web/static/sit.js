// Proves a seat by the secret in the fragment of a link, which no browser sends to a server by itself.
"use strict";

(() => {
  const secret = decodeURIComponent(location.hash.slice(1));
  const field = document.getElementById("secret");
  if (!secret || !field) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  field.form.requestSubmit();
})();
