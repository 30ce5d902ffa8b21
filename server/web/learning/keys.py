"""The keys of the page of a match, and what a finger does."""

from server.page_parts.html import Html, div, tag

KEYS = (
    ("Choose an option; what can be taken back is played at once, unless it then says Enter", ("1–9", "Enter")),
    ("End the step", ("0", "Enter")),
    ("Choose a kind of options: the letter on it, such as M for Move", ("A–Z",)),
    ("Take back", ("Backspace", "Enter")),
    ("Why did it happen?", ("W",)),
    ("Back, on by an event", ("←", "→")),
    ("by a command, a decision, a round: with", ("Shift", "Alt", "Ctrl")),
    ("The first event, the present", ("Home", "End")),
    ("What is new", ("N",)),
    ("Try something else from here", ("T",)),
    ("The picture: larger, smaller, whole", ("+", "-", "*")),
    ("This help, and back", ("?", "Esc")),
)
"""What is done, and its keys."""
TOUCHES = (
    ("Tap what is lit", "only its options are left; again, and all are back"),
    ("Tap beside that on a small map", "it is seen near there"),
    ("Hold a counter", "it is shown large, with what its figures mean"),
    ("Two fingers on the map", "larger or smaller"),
    ("Tap a sentence of the log", "the table as it was then"),
    ("Drag the line at the bottom", "any moment of the match"),
    ("The arrows beside it", "an event back or on, the first one, the present"),
)


def keys_section() -> Html:
    """Return the keys, and for a device without them what a finger does."""
    rows = [
        tag(
            "tr",
            None,
            tag("td", None, what),
            tag("td", {"class": "right"}, [[tag("kbd", None, key), " "] for key in keys]),
        )
        for what, keys in KEYS
    ]
    touched = [tag("tr", None, tag("th", {"scope": "row"}, what), tag("td", None, said)) for what, said in TOUCHES]
    return tag(
        "section",
        {"class": "keys", "id": "keys"},
        div("typed", tag("h2", None, "Keys"), tag("table", None, tag("tbody", None, rows))),
        div("touched", tag("h2", None, "Fingers"), tag("table", None, tag("tbody", None, touched))),
    )
