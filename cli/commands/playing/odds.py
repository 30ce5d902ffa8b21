"""Tell the chances of the open decision's options before dice, flips and draws."""

from collections.abc import Iterator, Mapping

from cli.commands.playing.legal import key_of, moment, open_decision
from cli.output.columns import wrapped
from cli.output.table_text import decision_lines
from cli.schemas.matches import ChoiceShape, LegalShape, OddsShape, OptionOddsShape
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import ADOPT_FIRST, REFUSED, UserError, usage
from cli.views.match_view import MatchView
from cli.views.option_words import option_by_words
from cli.views.served_match import is_seen_by_arbiter
from cli.views.stored_match import StoredMatch
from core.odds.odds_text import LEADS_TO_ROLL, headline, lines_of
from core.odds.option_odds import OptionOdds, odds_of_options
from core.odds.possible_tables import PossibleTables
from core.secrets.knowledge import Hidden
from events.ids import ARBITER, MatchId
from server.protocol.replies import LegalOption, LegalReply


def tell_odds(context: Context, point: str, option: str, seat: str) -> None:
    """Tell the chances of one option, or of all that lead to a roll.

    Raises:
        UserError: The match is over or asks nothing, another seat decides, there is no such option, or it leads to no roll.
    """
    shape, reader = open_decision(context, point, seat)
    wanted = wanted_option(shape, reader, option)
    found = _served(context, point, reader, wanted) if context.address else _stored(reader, shape.seq, wanted)
    choices = {one.number: one for one in shape.options}
    keys = {number: key_of(one) for number, one in choices.items()}
    told = [
        OptionOddsShape(number=one.number, words=choices[one.number].words, odds=one.odds, problem=one.problem)
        for one in found
    ]
    is_rolled = any(one.odds is not None or one.problem for one in told)
    if option and told and not is_rolled:
        what = f"option {told[0].number}, {told[0].words!r}, leads to no dice, flips or draws that decide anything"
        raise UserError(f"{what} before the next decision", REFUSED, "no_roll")
    result = OddsShape(match=shape.match, seq=shape.seq, decision=shape.decision, seat=shape.seat, options=tuple(told))
    context.print_result(result, _lines(context, reader, result, keys) if is_rolled else ())
    if not is_rolled:
        # Who asks about all options has the answer; who names one has named the wrong one.
        context.echo_err(f"none of the options {LEADS_TO_ROLL}")


def _stored(reader: MatchView, seq: int, wanted: tuple[int, ...]) -> tuple[OptionOdds, ...]:
    """Return the chances of options of a match in the store, by what who asks has seen up to an event."""
    assert isinstance(reader, StoredMatch)
    table, _ = moment(reader)
    rules = reader.bound.rules

    def knowledge() -> Hidden:
        return Hidden(reader.events(0, seq))

    inventory = reader.bound.inventory(table.scenario, table.options)
    worlds = PossibleTables(rules, table, reader.seat, inventory, knowledge)
    return odds_of_options(rules, reader.bound.rolls, table, worlds, wanted)


def _served(context: Context, point: str, reader: MatchView, wanted: tuple[int, ...]) -> tuple[OptionOdds, ...]:
    """Return the chances of options of a match on the server."""
    client, match, asker = context.client, reader.match, reader.seat
    at = None if parse_point(point)[1] is None else reader.number
    as_arbiter = is_seen_by_arbiter(client, match, asker)
    return client.odds(match, ARBITER if as_arbiter else asker, wanted, at=at).options


def wanted_option(shape: LegalShape, reader: MatchView, option: str) -> tuple[int, ...]:
    """Return the number of the option that is asked about; none for all.

    Raises:
        UserError: Nothing is to be decided, another seat decides, or there is no such option.
    """
    if not shape.decision:
        ended = reader.table().ended
        why = "the match is over" if ended is not None else "the match asks nothing now"
        raise UserError(f"{why}, so that there is nothing to tell", REFUSED, "no_decision")
    if shape.installed is not None:
        why = "the match is played under other rules than are installed, and nothing is decided until these are adopted"
        raise UserError(f"{why}{ADOPT_FIRST}", REFUSED, "rules_must_be_adopted")
    if shape.link_due:
        raise UserError(f"first {shape.link_due} opens a link for the dice", REFUSED, "link_must_be_opened")
    if not shape.options:
        why = f"the open decision belongs to {shape.seat}: only that seat and the arbiter are told its chances"
        raise UserError(why, REFUSED, "not_your_turn")
    if not option:
        return ()
    if option.isdecimal():
        found = [one.number for one in shape.options if int(option) in (one.number, key_of(one))]
        if not found:
            raise usage(
                f"there is no option {option}; `wardiary legal {shape.match}@{reader.number}` lists them",
                "unknown_choice",
            )
        return (found[0],)
    legal = LegalReply(
        # The words about it name the point, since the match may have gone on.
        match=MatchId(f"{shape.match}@{reader.number}"),
        seq=shape.seq,
        to_move=shape.seat,
        options=tuple([_option(one) for one in shape.options]),
        count=shape.count,
    )
    return (option_by_words(legal, shape.seat, option).number,)


def _option(choice: ChoiceShape) -> LegalOption:
    return LegalOption(choice.number, choice.command, choice.words)


def _lines(context: Context, reader: MatchView, result: OddsShape, keys: Mapping[int, int]) -> Iterator[str]:
    table = reader.table()
    for said in decision_lines(reader.names.on(table), table):
        yield from wrapped("", said, context.width)
    for one in result.options:
        if one.odds is None:
            yield from wrapped(f"{keys[one.number]:>4}  ", f"{one.words}: {one.problem or 'no roll'}", context.width)
            continue
        yield from wrapped(f"{keys[one.number]:>4}  ", f"{one.words}: {headline(one.odds)}", context.width)
        for said in lines_of(one.odds):
            yield from wrapped("      ", said, context.width)
