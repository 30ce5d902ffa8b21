"""Finds the events that gave something its state, and those with which a condition comes true."""

from collections.abc import Container

from cli.schemas.finding import BlameShape, MomentShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from core.telling.fact_words import FOLLOWED, Lookup, condition, fact_words, known_ids, value_words
from core.telling.narrator import Narrator
from core.wording import counted
from projections.facts import FactHistory, facts_about
from projections.state.fold import evolve, fold
from projections.state.table import Table


def blame(context: Context, point: str, name: str, seat: str) -> None:
    """Print the events that gave a piece, a place, a track, a pile, a card, or a marker wherever it lies, its state at a point.

    Raises:
        UserError: Nothing is called like that.
    """
    view = view_match(context, point, seat)
    try:
        wanted = _lookup(view).id_of(name, *FOLLOWED)
    except ValueError as error:
        raise usage(str(error), "unknown_name") from None
    table = view.table()
    facts = [fact for fact in facts_about(table, wanted) if context.is_verbose or fact.what != "attribute"]
    history = FactHistory(facts)
    for event in view.events():
        history.take(event)
    names = view.names.on(table)
    told = _told(view, {changes[-1].seq for changes in history.changes.values() if changes})
    for fact, changes in history.changes.items():
        for change in changes[-1:]:
            shape = BlameShape(
                match=view.match,
                seq=change.seq,
                what=fact.what,
                of=fact.of,
                key=fact.key,
                was=change.was,
                value=change.value,
                sentence=told[change.seq],
            )
            said = f"{fact_words(names, fact)} {value_words(names, fact, change.value)}"
            context.print_result(shape, [f"{view.match}@{change.seq}  {said}: {shape.sentence}"])
    if not any(history.changes.values()):
        context.echo_err(f"nothing lies or happened at {names.anything(wanted)} up to event {view.number}")


def when(context: Context, point: str, text: str, seat: str) -> None:
    """Print each event with which a condition comes true, and until when it holds.

    Raises:
        UserError: The text is not a condition, or names something that the match does not have.
    """
    view = view_match(context, point, seat)
    try:
        parts = condition(text, _lookup(view))
    except ValueError as error:
        raise usage(str(error), "unknown_name") from None
    # The event with which it came true, and the last one after which it held; 0 for the end.
    moments: dict[int, int] = {}
    table, begun = Table(), 0
    for event in view.events():
        evolve(table, event)
        holds = all(part.holds(table) for part in parts)
        if holds and not begun:
            begun = table.seq
            moments[begun] = 0
        elif begun and not holds:
            moments[begun] = table.seq - 1
            begun = 0
    told = _told(view, moments)
    for seq, upto in moments.items():
        shape = MomentShape(match=view.match, seq=seq, upto=upto, sentence=told[seq])
        held = f"up to event {upto}" if upto else "to the end"
        context.print_result(shape, [f"{view.match}@{seq}  {shape.sentence} (holds {held})"])
    result = "" if moments or table.ended is None else f"; the result is {table.ended.result!r}"
    is_about_it = any(part.fact.what == "result" for part in parts)
    came = f"it came true {counted(len(moments), 'time')} in {counted(view.number, 'event')}"
    context.echo_err(f"{came}{result if is_about_it else ''}")


def _told(view: MatchView, numbers: Container[int]) -> dict[int, str]:
    """Return the sentences of some events of a view, which is read once for all of them."""
    table = Table()
    found: dict[int, str] = {}
    for number, event in enumerate(view.events(), start=1):
        if number in numbers:
            found[number] = Narrator(view.names, table.clone()).sentence(event)
        evolve(table, event)
    return found


def _lookup(view: MatchView) -> Lookup:
    """Return the names of all that a match ever had on its table, up to the event of the view."""
    table = Table()
    ids: dict[str, dict[str, None]] = {}
    for seen in view.stream():
        fold(seen.events, table)
        for kind, id_ in known_ids(view.names, table):
            ids.setdefault(kind, {})[id_] = None
    return Lookup(view.names.on(table), ids)
