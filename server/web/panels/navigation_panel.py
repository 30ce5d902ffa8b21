"""The way through a match: steps back and forth, the rounds, and a line on which the moment and what mattered is marked."""

from collections.abc import Iterator

from events.vocabulary import ControlChanged, Event, MatchEnded
from projections.combats import Combat
from projections.losses import LEFT
from server.page_parts.html import Content, Html, link, span, tag
from server.page_parts.story import Story
from server.web.http.addresses import at_match
from server.web.panels.page_model import PageModel

STEPS = (("round", "Round"), ("decision", "Decision"), ("commit", "Command"), ("event", "Event"))
WIDE, HIGH = 1000, 56
"""The size of the line in its own pixels."""
SIGNS = "Above the line: places that changed hands. Below it: combats as bars, losses as crosses."
SPOTS = 250
"""How many spots along the line may be marked."""


def navigation_panel(model: PageModel) -> Html:
    """Return the navigation of a match."""
    story, number = model.story, model.number
    return tag(
        "nav",
        {"class": "way", "aria-label": "Moments of the match"},
        tag("div", {"class": "steps"}, _first(model), _steps(model, is_back=True)),
        tag("p", {"class": "where"}, span("no", number), f" of {story.last}"),
        tag("div", {"class": "steps"}, _steps(model, is_back=False), _present(model)),
        _line(model),
        _rounds(model),
    )


def _first(model: PageModel) -> Html:
    words = "To the first event"
    if model.number == 1:
        return tag("span", {"class": "step off"}, "⇤")
    return link(
        at_match(model.story.match, 1, model.seat, to="now"),
        "⇤",
        class_="step",
        title=words,
        aria_label=words,
        id="first",
    )


def _present(model: PageModel) -> Html:
    words = "To the present"
    # An explanation at the present is left by it as well.
    if model.is_live and not model.is_explained:
        return tag("span", {"class": "step off"}, "⇥")
    return link(
        at_match(model.story.match, None, model.seat), "⇥", class_="step", title=words, aria_label=words, id="present"
    )


def _steps(model: PageModel, *, is_back: bool) -> list[Html]:
    """Return the steps in one direction, the shortest in the middle."""
    found = []
    for kind, name in STEPS if is_back else STEPS[::-1]:
        to = model.story.step(kind, model.number, is_back=is_back)
        words = f"{'Back' if is_back else 'On'} by {'an' if kind == 'event' else 'a'} {name.lower()}"
        # On a phone the arrows alone have room.
        sign = ["← " if is_back else "", tag("span", None, name), "" if is_back else " →"]
        if to is None:
            found.append(tag("span", {"class": f"step off {kind}"}, sign))
        else:
            direction = "back" if is_back else "on"
            address = at_match(model.story.match, to, model.seat, to="now")
            found.append(
                link(
                    address, sign, class_=f"step {kind}", title=words, aria_label=words, data_step=f"{direction}-{kind}"
                )
            )
    return found


def _rounds(model: PageModel) -> Html:
    """Return the rounds as links to their beginnings."""
    story = model.story
    rounds = [(number, round_) for number, round_ in story.rounds if number not in story.undone]
    current = max([number for number, _ in rounds if number <= model.number], default=0)
    rows = [
        tag(
            "li",
            None,
            link(
                at_match(story.match, number, story.seat, to="now"),
                round_,
                aria_current="step" if number == current else None,
            ),
        )
        for number, round_ in rounds
    ]
    return tag("ol", {"class": "rounds", "aria-label": f"{story.names.round}s"}, rows) if rows else Html("")


def _line(model: PageModel) -> Html:
    """Draw the line; what it shows is also in the log, so it is hidden from those who have it read, until a script makes it a slider."""
    story = model.story
    across = WIDE / max(story.last, 1)
    at = round(model.number * across)
    parts: list[Content] = [
        tag("title", None, SIGNS),
        tag("rect", {"x": 0, "y": 26, "width": WIDE, "height": 6, "rx": 3, "class": "track"}),
        tag("rect", {"x": 0, "y": 26, "width": at, "height": 6, "rx": 3, "class": "gone"}),
    ]
    # They are the same for every moment.
    parts.append(Html(story.made_once(("marks", story.last), lambda: "".join(_marks(story, across)))))
    parts.append(tag("circle", {"cx": at, "cy": 29, "r": 9, "class": "cursor"}))
    attributes: dict[str, str | int | bool | None] = {"viewBox": f"-12 0 {WIDE + 24} {HIGH}", "class": "line"}
    known: dict[str, str | int] = {"data-last": story.last, "data-at": at}
    return tag("svg", {**attributes, **known, "aria-hidden": "true"}, parts)


def _marks(story: Story, across: float) -> Iterator[Html]:
    """Yield the rounds, the combats, and a sign for each spot at which places changed hands or pieces were lost: a path for each kind."""
    shapes: dict[str, list[str]] = {
        "tick": [f"M{round(number * across)} 16v26" for number, _ in story.rounds if number not in story.undone]
    }
    shapes["fought"] = [_combat(one, across) for one in story.combats()]
    marked = [(kind, number) for number, event in enumerate(story.events, start=1) if (kind := _kind(event))]
    marked += [("lost", one.number) for one in story.losses() if one.change == LEFT]
    spots = dict.fromkeys((kind, round(number * across * SPOTS / WIDE)) for kind, number in marked)
    for kind, spot in spots:
        x = round(spot * WIDE / SPOTS)
        shape = {"taken": f"M{x} 4l4 4-4 4-4-4z", "lost": f"M{x - 3} 44l6 6m0-6l-6 6", "over": f"M{x} 2v52"}
        shapes.setdefault(kind, []).append(shape[kind])
    for kind, drawn in shapes.items():
        if drawn:
            yield tag("path", {"d": "".join(drawn), "class": kind})


def _combat(one: Combat, across: float) -> str:
    first, last = round(one.first * across), round(one.last * across)
    width = max(2, last - first)
    return f"M{first} 34h{width}v5h-{width}z"


def _kind(event: Event) -> str:
    if isinstance(event, ControlChanged):
        return "taken" if event.was else ""
    return "over" if isinstance(event, MatchEnded) else ""
