"""Words about a match: names, headings, sentences, dice. Every screen uses the same ones."""
