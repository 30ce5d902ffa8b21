"""What is told of a match in words: names, headings, sentences, dice. Every screen tells it in the same way."""
