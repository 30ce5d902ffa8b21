"""A bot for `wardiary arena` and `wardiary bot` that plays options at random; it needs only Python.

Usage: wardiary arena 'exec:python3 lines.py' random --game battle

It reads a line of JSON for each decision and answers with one, until its input ends.
"""

import json
import sys

FORMAT = ("wardiary-bot", 1)


def choose(question: dict) -> int:
    """Return the number of the option to play."""
    options = question["options"]
    return options[question["seed"] % len(options)]["number"]


begin = json.loads(sys.stdin.readline())
if (begin["format"], begin["version"]) != FORMAT:
    sys.exit(f"this bot cannot read {begin['format']} {begin['version']}")
print(f"I play {begin['seat']} in {begin['game']}.", file=sys.stderr)
for line in sys.stdin:
    print(json.dumps({"option": choose(json.loads(line))}), flush=True)
