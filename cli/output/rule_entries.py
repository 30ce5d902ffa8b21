"""Rules and rulings of an index, as they are printed."""

from collections.abc import Iterator, Sequence

from cli.output.columns import wrapped
from cli.schemas.games import RuleShape, RulingShape
from core.game_files.rulebook import Rule, Rulebook, Ruling
from core.telling.chosen_options import ChosenOption, written


def entry_shape(book: Rulebook, entry: Rule | Ruling) -> RuleShape | RulingShape:
    """Return a rule with its rulings, or a ruling."""
    return rule_shape(book, entry) if isinstance(entry, Rule) else ruling_shape(entry)


def rule_shape(book: Rulebook, rule: Rule) -> RuleShape:
    """Return a rule with the rulings that bear on it."""
    return RuleShape(
        id=rule.id,
        page=rule.page,
        kind=rule.kind,
        text=rule.text,
        needs=rule.needs,
        rulings=tuple([ruling_shape(ruling) for ruling in book.bearing(rule)]),
    )


def ruling_shape(ruling: Ruling) -> RulingShape:
    """Return a ruling."""
    return RulingShape(
        id=ruling.id,
        weight=ruling.weight,
        question=ruling.question,
        readings=ruling.readings,
        ruling=ruling.ruling,
        why=ruling.why,
        rules=ruling.rules,
        option=ruling.option_name,
        option_values=ruling.option_values,
    )


def entry_lines(entry: RuleShape | RulingShape, width: int, options: Sequence[ChosenOption] = ()) -> Iterator[str]:
    """Return a rule or a ruling as text, with those of a match's options that bear on it."""
    named = () if isinstance(entry, RulingShape) else {ruling.option for ruling in entry.rulings}
    own = [
        option
        for option in options
        if option.key == getattr(entry, "option", "") or (option.rule == entry.id and option.key not in named)
    ]
    if isinstance(entry, RulingShape):
        yield from wrapped(f"Ruling {entry.id} ({entry.weight} weight): ", entry.question, width)
        for number, reading in enumerate(entry.readings, start=1):
            yield from wrapped(f"  reading {number}: ", reading, width)
        is_usual = all(option.is_default for option in own)
        yield from wrapped("  ruled: " if is_usual else "  ruled by default: ", entry.ruling, width)
        yield from _option_lines(own, width)
        yield from wrapped("  because: ", entry.why, width)
        return
    yield from wrapped(f"Rule {entry.id} (section {entry.page}, {entry.kind}): ", entry.text, width)
    if entry.needs:
        yield from wrapped("  see also: ", ", ".join(entry.needs), width)
    yield from _option_lines(own, width)
    for ruling in entry.rulings:
        yield from entry_lines(ruling, width, options)


def _option_lines(options: Sequence[ChosenOption], width: int) -> Iterator[str]:
    """Return what a match has chosen."""
    for option in options:
        usual = "the default" if option.is_default else f"not the default, {written(option.default)}"
        choice = f"{option.key}={written(option.value)} ({usual}): "
        yield from wrapped("  in this match: ", f"{choice}{option.title}", width)
