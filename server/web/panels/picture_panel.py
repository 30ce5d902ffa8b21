"""The picture of a table on a page, with what the last command changed and what the options are about."""

from core.drawing.drawing import drawing_of, spread_of
from core.narration.sheet import Drawing
from events.codec import replace
from events.vocabulary import DiceRolled
from projections.state.table import Table
from server.page_parts.html import Html, html, tag
from server.page_parts.picture import panelled, pictured
from server.page_parts.story import Story
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.option_highlights import option_highlights
from server.web.panels.page_model import PageModel

PARTS_LEVEL = 2
"""The level of the headings of strips and panels, below the question."""


def picture(model: PageModel, table: Table, subjects: OptionSubjects) -> Html:
    """Return the picture of the table, or why there is none."""
    story = model.story
    if story.narration is None:
        why = f"There is no picture, and ids stand for names: {model.problem}."
        return tag("section", {"class": "picture"}, tag("p", {"class": "remark"}, why))
    narration = story.narration

    def draw() -> Html:
        drawing = _with_dice(drawing_of(narration, table, model.title), model)
        spread = spread_of(drawing, narration, table, _before(model), near=table.side_of(model.seat))
        lit = option_highlights(model, subjects, spread)
        # What is chosen stays where it lies.
        first = (
            option_highlights(model._replace(decision=model.decision._replace(about=(), asked="")), subjects, spread)
            if model.decision.about or model.decision.asked
            else lit
        )
        maps, strips = pictured(drawing.sheet, spread, model.title, lit, level=PARTS_LEVEL, first=first)
        return html([tag("section", {"class": "picture", "aria-label": "The table"}, maps, _zoom()), strips])

    if model.decision.legal is not None and model.decision.legal.to_move == model.seat:
        return draw()
    return Html(story.made_once(("picture", model.number, model.is_live), draw))


def _with_dice(drawing: Drawing, model: PageModel) -> Drawing:
    """Return a drawing on which what the dice of a chosen sentence are about is at stake, too; at the present it is what goes on alone."""
    if model.is_live:
        return drawing
    first, last = _chosen(model.story, model.number)
    events = model.story.events[first - 1 : last]
    about = [event.about for event in events if isinstance(event, DiceRolled) and event.about]
    return replace(drawing, at_stake=drawing.at_stake.union(about))


def _zoom() -> Html:
    """Return the buttons that change the size of the picture; they are there with scripts only."""
    ways = (("-", "−", "Smaller"), ("0", "▣", "The whole picture"), ("+", "+", "Larger"))
    return tag(
        "div",
        {"class": "zoom", "role": "group", "aria-label": "Size of the picture"},
        [
            tag("button", {"type": "button", "data-zoom": way, "aria-label": words, "title": words}, sign)
            for way, sign, words in ways
        ],
    )


def _before(model: PageModel) -> Table:
    """Return the table before the chosen sentence, or before the chosen event if no sentence is about it; at the present that before the last command."""
    story, number = model.story, model.number
    if model.is_live and number:
        return story.table(story.last_played(number) - 1)
    return story.table(_chosen(story, number)[0] - 1)


def _chosen(story: Story, number: int) -> tuple[int, int]:
    """Return the first and the last event of the chosen sentence up to the chosen event; that event alone if no sentence is about it."""
    place = story.line_of(number)
    line = None if place is None else story.joined_at(place)
    return (number if line is None or number > line.last else line.first), number


def panels(model: PageModel, table: Table) -> Html | None:
    """Return the panels beside the picture; None if there is no picture."""
    narration = model.story.narration
    return None if narration is None else panelled(narration, table, PARTS_LEVEL)
