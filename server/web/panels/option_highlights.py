"""Pieces, places and cards of the picture that the options are about, and the clicks that choose them."""

from collections.abc import Mapping, Sequence

from core.drawing.strip_svg import pieces_in
from core.engine.selection import Unpick
from core.narration.sheet import Spread
from core.svg.highlights import Lit
from events.codec import decode_plain, tag_of
from events.ids import PieceId, PlaceId
from server.protocol.replies import LegalOption
from server.web.panels.confirmation import asked_about, asked_at, is_asked
from server.web.panels.option_filter import PIECE_SEPARATOR, SORT, UNGROUPED_MAX, OptionSubjects, narrowed_to
from server.web.panels.option_words import each_once
from server.web.panels.page_model import PageModel


def option_highlights(
    model: PageModel, subjects: OptionSubjects, spread: Spread, keys: Mapping[int, int]
) -> Mapping[str, Lit]:
    """Return the pieces, places and cards that the options are about; a click on one leaves only its options, and lights what these are about.

    If there are many options, of the places and cards only those are lit that each names first, such as the target of an attack, and those of its pieces.

    Args:
        model: What the page shows.
        subjects: What options are about.
        spread: What lies on the map and beside it: a counter stands for all its pieces.
        keys: The keys of options by their numbers.
    """
    legal = model.decision.legal
    if legal is None or legal.to_move != model.seat or model.decision.typed is not None:
        return {}
    asked = asked_about(model)
    choices = [one for one in legal.options if not one.parts.ends]
    shown = subjects.of_use(subjects.narrowed(choices, model.decision.about)) if asked is None else [asked]
    stacks = [
        *spread.pieces.values(),
        *(pieces_in(cell, spread.beside) for strip in spread.strips for row in strip.rows for cell in row),
    ]
    counters = {piece: pieces for stack in stacks for pieces in stack for piece in pieces}
    is_single = len(shown) == 1 and (bool(model.decision.about) or asked is not None)
    apart = (
        subjects.left_of(shown[0], choices, model.decision.about)
        if is_single
        else subjects.told_apart(shown, model.decision.about)
    )

    def counter_of(thing: str) -> str:
        return counters.get(PieceId(thing), (thing,))[0]

    # In the order of the options; a click leaves all options about a thing, not only those that name it first.
    lit: dict[str, list[LegalOption]] = {
        counter_of(thing): []
        for _, named in apart
        for thing in (_first(subjects, named) if len(shown) > UNGROUPED_MAX else named)
    }
    meant: dict[str, dict[str, list[LegalOption]]] = {}
    for option, named in apart:
        for thing in named:
            counter = counter_of(thing)
            if counter in lit:
                meant.setdefault(counter, {}).setdefault(thing, []).append(option)
                if option not in lit[counter][-1:]:
                    lit[counter].append(option)
    things = {option.number: named for option, named in apart}

    def lit_by(counter: str, found: Sequence[LegalOption]) -> Lit:
        thing, found = _alike(meant[counter]), each_once(found)
        if len(found) > 1:
            return _lit(model, subjects, thing, found)
        # One of several like pieces stands for all of them.
        said = meant[counter]
        is_all = {*things[found[0].number]} <= {*said, *map(subjects.place_of, said)}
        return _lit_alone(model, thing, found[0], keys.get(found[0].number), is_all=is_all and asked is None)

    return {
        counter_of(one.partition(PIECE_SEPARATOR)[0]): _given_up(model, subjects, one)
        for one in model.decision.about
        if not one.startswith(SORT)
    } | {counter: lit_by(counter, found) for counter, found in lit.items()}


def chosen_instead(
    model: PageModel, subjects: OptionSubjects, lit: Mapping[str, Lit], first: Mapping[str, Lit]
) -> Mapping[str, Lit]:
    """Return the pieces and cards that can be chosen in place of what was: a slip of the hand takes one click to mend.

    Args:
        model: What the page shows.
        subjects: What options are about.
        lit: What can be chosen besides what was chosen.
        first: What could be chosen before anything was.
    """
    return {
        thing: Lit("", narrowed_to(model, (thing,)), f"{subjects.called(thing)} instead", is_instead=True)
        for thing in first
        if thing not in lit and not subjects.names.is_on_map(PlaceId(thing))
    }


def _first(subjects: OptionSubjects, named: Sequence[str]) -> list[str]:
    """Return the pieces among things, the places where they are, the first place, and the first of all else."""
    where = {one: place for one in named if (place := subjects.place_of(one)) is not None}
    places = [one for one in named if subjects.names.is_on_map(PlaceId(one))]
    near = [one for one in places if one in (places[0], *where.values())]
    return [*where, *near, *[one for one in named if one not in (*where, *places)][:1]]


def _alike(meant: Mapping[str, Sequence[LegalOption]]) -> str:
    """Return the pieces of a counter by which all its options are chosen, the first of those that the same options are about."""
    return PIECE_SEPARATOR.join(
        {tuple([one.number for one in found]): thing for thing, found in reversed([*meant.items()])}.values()
    )


def _lit(model: PageModel, subjects: OptionSubjects, thing: str, found: Sequence[LegalOption]) -> Lit:
    """Return what several options are about; a click leaves only these."""
    said = f"{subjects.called(thing)}: {len(found)} options"
    # What was picked looks like what was clicked on: it can be given up, but is no longer to be chosen.
    return Lit("", _about(model, thing), said, is_chosen=all(map(_takes_back, found)))


def _lit_alone(model: PageModel, thing: str, option: LegalOption, key: int | None, *, is_all: bool) -> Lit:
    """Return what one option is about; a click plays it, or leads to the question about it, if the click says all that the option says."""
    is_final = is_asked(model, option)
    return Lit(
        "" if key is None else str(key),
        asked_at(model, option) if is_all and is_final else _about(model, thing),
        option.words if key is None else f"Option {key}: {option.words}",
        is_chosen=_takes_back(option),
        outcome=option.parts.consequence,
        option=option.number,
        is_played=is_all and not is_final,
    )


def _about(model: PageModel, thing: str) -> str:
    return narrowed_to(model, (*model.decision.about, thing))


def _takes_back(option: LegalOption) -> bool:
    """Return whether an option only takes a pick of a selection back."""
    command = decode_plain(bytes(option.command))
    return isinstance(command, dict) and command.get("do") == tag_of(Unpick)


def _given_up(model: PageModel, subjects: OptionSubjects, thing: str) -> Lit:
    """Return a thing that was clicked on; a click gives it up again."""
    to = narrowed_to(model, [other for other in model.decision.about if other != thing])
    said = f"{subjects.called(thing)} is chosen: choose again"
    return Lit("", to, said, is_chosen=True, is_last=thing == model.decision.about[-1])
