// A bot for `wardiary arena` and `wardiary bot` that plays options at random; it needs only Node 18 or newer.
//
// Usage: wardiary arena 'exec:node lines.mjs' random --game battle
//
// It reads a line of JSON for each decision and answers with one, until its input ends.

import { createInterface } from "node:readline";

// Return the number of the option to play.
function choose(question) {
  const { options, seed } = question;
  return options[seed % options.length].number;
}

let begin;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (!begin) {
    begin = message;
    if (begin.format !== "wardiary-bot" || begin.version !== 1) {
      console.error(`this bot cannot read ${begin.format} ${begin.version}`);
      process.exit(1);
    }
    console.error(`I play ${begin.seat} in ${begin.game}.`);
  } else {
    console.log(JSON.stringify({ option: choose(message) }));
  }
}
