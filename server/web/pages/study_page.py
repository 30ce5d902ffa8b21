"""The page of a study: its chapters and what was said on the left, the table at an event with its comments in the middle, its lines on the right."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.telling.chosen_options import title_of
from core.wording import counted
from events.ids import NO_SEAT, PUBLIC, MatchId, Seat, StudyId
from projections.chronicle import Heading
from projections.study import Author, Comment, Line, Part, Study, TriedOptions, parts_of
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, link, span, tag
from server.page_parts.story import Story
from server.page_parts.times import moment
from server.protocol.replies import ListedStudy
from server.protocol.study_texts import TEXT_CHARACTERS_MAX, TITLE_CHARACTERS_MAX
from server.web.http.addresses import at_match, of_match, of_study
from server.web.http.page_frame import page
from server.web.pages.study_lines import ShownLine, lines_panel
from server.web.pages.study_trials import Comparison, Sending, ToTry, comparison_panel, trying_panel
from server.web.pages.tried_options import tried_panel
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.page_model import PageModel
from server.web.panels.picture_panel import picture
from server.web.panels.share_panel import share_panel

FOLLOWING = 6
"""How many sentences after the event are shown."""
WORDS_SHOWN = 80
"""How many characters of a comment its place in the list shows."""
MARKS = ("!!", "!", "!?", "?!", "?", "??")


class ShownStudy(NamedTuple):
    """A study as a visitor sees it.

    Attributes:
        study: As it stands; its events are counted as its view counts.
        numbers: The numbers of its events as the visitor counts.
        at: The event that is shown, by the visitor's count.
        model: The moment of the match.
        lines: Its lines.
        writers: The seats that the visitor has proved and may write with.
        notice: What is wrong with what the visitor wrote; empty for nothing.
        typed: What was written then.
        to_try: What can be tried at the event; None where no bots play on.
        comparison: Two lines side by side, or why they are not, if the visitor has chosen some.
        chosen: The entries of the lines that were chosen.
    """

    study: Study
    numbers: Mapping[int, int]
    at: int
    model: PageModel
    lines: Sequence[ShownLine]
    writers: Sequence[Seat]
    notice: str = ""
    typed: str = ""
    to_try: ToTry | None = None
    comparison: Comparison | str | None = None
    chosen: Sequence[int] = ()


def study_page(shown: ShownStudy) -> str:
    """Return the page of a study."""
    study, story = shown.study, shown.model.story
    header = [
        span("game", title_of(story.now.game)),
        span("stand", tag("bdi", None, study.title), " \N{MIDDLE DOT} by ", _by(study.author)),
        link(of_match(study.match, "studies", story.seat), "All studies"),
        link(at_match(study.match, None, story.seat), "The match"),
    ]
    if study.is_withdrawn:
        said = tag("p", None, "This study was withdrawn by its author.")
        return page("A withdrawn study", tag("h1", None, "Withdrawn"), said, kind="study", header=header)
    return page(
        f"{study.title}, a study",
        tag("h1", None, tag("bdi", None, study.title)),
        tag("p", {"class": "wrong", "role": "alert"}, shown.notice) if shown.notice else None,
        share_panel(shown.model, lambda number: of_study(study.match, study.study, story.seat, number)),
        div("studied", _contents(shown), _moment(shown), div("tables", _tables(shown))),
        kind="study",
        header=header,
        styles=["study.css"],
        scripts=["again.js", *(["sign.js"] if shown.writers else [])],
    )


def _tables(shown: ShownStudy) -> list[Html | None]:
    """Return what was tried at the event, two lines side by side, and all lines."""
    study, model = shown.study, shown.model
    sending = Sending(study.match, study.study, model.token, shown.at, _who(shown) if shown.writers else None)
    return [
        None if shown.comparison is None else comparison_panel(shown.comparison, sending),
        trying_panel(shown.to_try, sending),
        *_trials(shown),
        lines_panel(study, shown.lines, sending, model.story.seat, shown.chosen),
    ]


def _by(author: Author) -> Html:
    signed = f"signed with the key {author.key}" if author.key else "not signed: the server's word"
    seat = f" ({author.seat})" if author.seat else ""
    key = span("signer", f" {author.key[:8]}") if author.key else None
    return tag("span", {"class": "author", "title": signed}, tag("bdi", None, author.name), seat, key)


def _here(shown: ShownStudy, at: int) -> str:
    return of_study(shown.study.match, shown.study.study, shown.model.story.seat, shown.numbers[at])


# The contents


def _contents(shown: ShownStudy) -> Html:
    """Return the chapters in their order, and what was said in that of the match."""
    study = shown.study
    chapters = [
        tag("li", None, link(_here(shown, one.at), span("no", str(one.at)), tag("bdi", None, one.title)))
        for one in study.chapters
    ]
    said = [tag("li", {"class": _kind(shown, one)}, link(_here(shown, one.at), _place(one))) for one in parts_of(study)]
    return tag(
        "nav",
        {"class": "panel contents", "aria-label": "What the study says"},
        [tag("h2", None, "Chapters"), tag("ol", {"class": "chapters"}, chapters)] if chapters else None,
        tag("h2", None, "What is said"),
        tag("ol", {"class": "rail"}, said) if said else tag("p", None, "Nothing yet."),
        tag("p", {"class": "remark"}, "Dashed: lines that were tried. Marks as in chess: !! ! !? ?! ? ??"),
    )


def _kind(shown: ShownStudy, one: Part) -> str:
    kind = "tried" if isinstance(one, Line) else "said"
    return f"{kind} own" if shown.numbers[one.at] == shown.at else kind


def _place(one: Part) -> list[Html]:
    if isinstance(one, TriedOptions):
        return [span("no", str(one.at)), tag("b", None, f"{counted(len(one.options), 'option')} tried")]
    if isinstance(one, Line):
        return [span("no", str(one.at)), tag("b", None, tag("bdi", None, one.name))]
    words = one.text if len(one.text) <= WORDS_SHOWN else f"{one.text[:WORDS_SHOWN]}…"
    return [span("no", str(one.at)), _mark(one.mark), tag("bdi", None, words or one.author.name)]


def _mark(mark: str) -> Html:
    return span("judged", mark) if mark else Html("")


# The moment


def _moment(shown: ShownStudy) -> Html:
    model, story = shown.model, shown.model.story
    table = story.table(shown.at)
    comments = [one for one in shown.study.comments if shown.numbers[one.at] == shown.at]
    open_ = link(at_match(story.match, shown.at, story.seat), "Open")
    return div(
        "moment",
        div(
            "head", tag("h2", None, f"The table at {shown.at}"), span("stand", story.heading(Heading.of(table))), open_
        ),
        picture(model, table, OptionSubjects(story, model.bound)),
        tag("p", {"class": "event"}, span("no", str(shown.at)), tag("b", None, _sentence(story, shown.at))),
        [_comment(shown, one) for one in comments],
        _following(shown),
        _forms(shown),
    )


def _sentence(story: Story, number: int) -> str:
    place = story.line_of(number)
    return "" if place is None else story.told[place].line.sentence


def _trials(shown: ShownStudy) -> list[Html]:
    """Return the tables of the options that were tried at the event."""
    here = [one for one in shown.study.trials if shown.numbers[one.at] == shown.at]
    return [
        tried_panel(
            one, [tag("p", {"class": "by"}, _by(one.author), " ", moment(one.author.at)), _withdrawal(shown, one)]
        )
        for one in here
    ]


def _comment(shown: ShownStudy, one: Comment) -> Html:
    said = [tag("p", {"dir": "auto"}, line) for line in one.text.split("\n") if line]
    written = tag("p", {"class": "by"}, _mark(one.mark), _by(one.author), " ", moment(one.author.at))
    return tag("article", {"class": "comment"}, written, said, _withdrawal(shown, one))


def _withdrawal(shown: ShownStudy, one: Comment | TriedOptions) -> Html | None:
    """Return the form that withdraws what the visitor wrote."""
    if one.author.seat not in shown.writers:
        return None
    fields = {"seat": one.author.seat, "do": "withdraw", "entry": str(one.entry), "at": str(shown.at)}
    button = tag("button", {"type": "submit"}, "Withdraw")
    return form(_address(shown), shown.model.token, hidden_fields(fields), button, class_="withdraw")


def _following(shown: ShownStudy) -> Html:
    story = shown.model.story
    place = story.line_of(shown.at)
    later = story.told[(-1 if place is None else place) + 1 :][:FOLLOWING]
    marks = {shown.numbers[one.at]: one.mark for one in shown.study.comments if one.mark}
    rows = [
        tag(
            "li",
            None,
            link(
                of_study(story.match, shown.study.study, story.seat, told.line.first),
                span("no", str(told.line.first)),
                told.line.sentence,
            ),
            _mark(marks.get(told.line.first, "")),
        )
        for told in later
    ]
    return tag("ol", {"class": "following", "aria-label": "What followed"}, rows)


def _address(shown: ShownStudy) -> str:
    return of_study(shown.study.match, shown.study.study, NO_SEAT, None)


def _forms(shown: ShownStudy) -> Html:
    """Return the forms for who may write here, or how others write."""
    study, story = shown.study, shown.model.story
    if not shown.writers:
        way = tag("code", None, f"wardiary study comment {study.match}/{study.study}@N TEXT")
        return tag(
            "p", {"class": "remark"}, "A seat of the match writes here; who opened the study writes with ", way, "."
        )
    token = shown.model.token
    marks = tag(
        "select",
        {"name": "mark", "aria-label": "Mark"},
        [tag("option", {"value": one}, one or "no mark") for one in ("", *MARKS)],
    )
    text: dict[str, Attribute] = {
        "name": "text", "rows": 3, "maxlength": TEXT_CHARACTERS_MAX, "aria-label": f"Comment on event {shown.at}",
        "placeholder": f"Comment on event {shown.at}", "dir": "auto",
    }  # fmt: skip
    who = _who(shown)

    def sent(do: str, words: str, *fields: Content, class_: str = "") -> Html:
        hidden = hidden_fields({"do": do, "at": str(shown.at)})
        return form(
            _address(shown), token, hidden, who, fields, tag("button", {"type": "submit"}, words), class_=class_
        )

    def named(name: str, label: str) -> Html:
        attributes: dict[str, Attribute] = {
            "type": "text",
            "name": name,
            "maxlength": TITLE_CHARACTERS_MAX,
            "aria-label": label,
        }
        return tag("label", None, f"{label} ", tag("input", {**attributes, "autocomplete": "off", "required": True}))

    return div(
        "write",
        _signing(story, shown.writers[0]),
        sent("comment", "Write", tag("textarea", text, shown.typed), marks, class_="say"),
        tag(
            "details",
            None,
            tag("summary", None, "A chapter or a line"),
            sent("chapter", f"Begin a chapter at {shown.at}", named("text", "Title")),
            sent("line", f"Add a line from {shown.at}", named("text", "Name"), named("fork", "Fork")),
            link(at_match(story.match, shown.at, story.seat, is_trying=True, to="try"), "Try something else from here"),
        ),
    )


def _signing(story: Story, seat: Seat) -> Html:
    """Return whether what a seat writes is signed."""
    key = story.now.keys.get(seat)
    if key is None or key.holder:
        return tag("p", {"class": "remark"}, "Not signed: that it is you who writes here is the server's word.")
    box: dict[str, Attribute] = {
        "class": "remark", "data-signs": key.key, "data-match": story.match, "data-seat": seat,
    }  # fmt: skip
    return tag(
        "p", box, "Signed with the key with which you play, in the browser that has it; not signed in another one."
    )


def _who(shown: ShownStudy) -> Html:
    if len(shown.writers) == 1:
        return Html("".join(hidden_fields({"seat": shown.writers[0]})))
    names = shown.model.story.names
    options = [tag("option", {"value": seat}, names.seat(seat)) for seat in shown.writers]
    return tag("select", {"name": "seat", "aria-label": "Who writes"}, options)


# The list


def studies_page(
    story: Story,
    studies: Sequence[ListedStudy],
    writers: Sequence[Seat],
    token: str,
    *,
    notice: str = "",
    key: str = "",
) -> str:
    """Return the page that lists the studies of a match, with the form that opens one for the seats that the visitor has proved."""
    header = [span("game", title_of(story.now.game)), link(at_match(story.match, None, story.seat), "The match")]
    rows = [_listed(story.match, story.seat, one) for one in studies]
    opening: Html | None = None
    if writers:
        options = [
            tag(
                "option",
                {"value": seat},
                f"of what the {story.names.seat(seat)} seat sees, for it alone until the match is over",
            )
            for seat in writers
        ]
        views = tag(
            "select",
            {"name": "view", "aria-label": "Of what"},
            [tag("option", {"value": PUBLIC}, "of what everybody sees, for everybody"), *options],
        )
        attributes: dict[str, Attribute] = {
            "type": "text",
            "name": "title",
            "maxlength": TITLE_CHARACTERS_MAX,
            "required": True,
            "aria-label": "Title",
        }
        field = tag("label", None, "Title ", tag("input", {**attributes, "autocomplete": "off"}))
        fields = hidden_fields({"seat": writers[0], "key": key})
        button = tag("button", {"type": "submit", "class": "main"}, "Open a study")
        said = _signing(story, writers[0])
        opening = form(of_match(story.match, "studies"), token, said, fields, field, views, button, class_="sit")
    return page(
        "Studies of a match",
        tag("h1", None, "Studies"),
        tag("p", {"class": "wrong", "role": "alert"}, notice) if notice else None,
        tag("ul", {"class": "studies"}, rows) if rows else tag("p", None, "Nobody has written one that you may read."),
        opening
        or tag(
            "p",
            {"class": "remark"},
            "A seat of the match opens one here; anybody else with ",
            tag("code", None, f"wardiary study open {story.match} TITLE"),
            ".",
        ),
        kind="study",
        header=header,
        styles=["study.css"],
        scripts=["sign.js"] if writers else [],
    )


def _listed(match: MatchId, seat: Seat, one: ListedStudy) -> Html:
    if one.problem:
        return tag("li", None, f"{one.study}: {one.problem}")
    counts = ", ".join((counted(one.comments, "comment"), counted(one.lines, "line"), counted(one.chapters, "chapter")))
    title = link(of_study(match, StudyId(one.study), seat, None), tag("bdi", None, one.title))
    return tag(
        "li", None, title, " by ", tag("bdi", None, one.author), ", ", moment(one.at), tag("small", None, f" {counts}")
    )
