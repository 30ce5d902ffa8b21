"""The questions of this game in words: what is answered, and what is at stake."""

from core.games.axis_allies.ids import RPC, SIDE_NAMES, URANUS_FRONT, above, enemy
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.narration.forces import ADJECTIVES, WORDS, Forces, Name, joined, phrase
from core.games.axis_allies.rules.fire import TARGETING
from core.games.axis_allies.rules.queries import is_assaulted
from core.games.axis_allies.rules.tokens import COMBAT_USE
from core.wording import counted, plural
from events.ids import PieceId, PlaceId
from projections.table import Open, Table


def type_name(target: str) -> str:
    """Return the name of a row of the reference chart, or of air units, as the target of a hit."""
    return phrase("targets", target, target)


def question(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return the text of an open question or a sequence."""
    if asked.kind in WORDS["losses_asked"]:
        return _losses(forces, name, table, asked)
    match asked.kind:
        case "auction":
            bid, side = BID.of(table), BID_FOR.of(table)
            standing = f"; the bid for the {SIDE_NAMES[side]} stands at {counted(bid, 'RP')}" if bid and side else ""
            return f"whether to bid for a side{' or to take the bid and the other side' if bid else ''}{standing}"
        case "spend_token":
            return _token(forces, name, table, asked)
        case "targets":
            return _targets(name, asked)
        case _:
            return _plain(forces, name, table, asked)


def _plain(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    side = table.side_of(asked.seat)
    crossings = [name(row) for row in forces.board.crossings if is_assaulted(table, above(row))]
    placed = table.pile(next(iter(URANUS_FRONT.values()))).count
    words = {
        "rpcs": counted(table.track(RPC[side]), "RPC") if side in RPC else "",
        "bid": counted(BID.of(table) or 0, "RP"),
        "picked": str(len(asked.picked)),
        "crossings": joined(crossings),
        "round": str(table.round),
        "placed": str(placed),
        "s": "" if placed == 1 else "s",
        **{key: name(value) for key, value in asked.arguments.items() if isinstance(value, str)},
    }
    said = WORDS["questions"][asked.kind].format(**words)
    if asked.kind == "launch":
        storm = table.round + forces.board.uranus.storm_after
        said += f"; Operation Winter Storm would begin in round {storm}"
    return said


def _losses(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return which units are lost of which force, and the types on which targeted hits must fall."""
    pool = [PieceId(piece) for piece in asked.texts("pool")]
    left = asked.number("hits") - len(asked.picked)
    there = table.pieces.get(pool[0]) if pool else None
    where = "" if there is None else f" of the {SIDE_NAMES[there.side]} in {name(there.place)}"
    wanted = [
        f"{counted(len(types), 'hit')} of {plural(phrase('shooters', shooter, 'interceptor'))} must fall on "
        f"{joined([type_name(one) for one in types])}"
        for shooter in TARGETING
        if (types := asked.texts(shooter))
    ]
    targets = f"; {'; '.join(wanted)}" if wanted else ""
    which = "which unit" if left == 1 else f"which {left} units"
    return f"{which}{where} {'is' if left == 1 else 'are'} lost {WORDS['losses_asked'][asked.kind]}{targets}"


def _token(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return whether a token is spent, and what for."""
    zone, side = PlaceId(asked.text("zone")), table.side_of(asked.seat)
    if asked.text("use") != COMBAT_USE:
        return f"whether to spend a supply token, so that the unsupplied Rocket Launchers in {name(zone)} can bombard"
    ours, theirs = [forces.line(table, zone, one) for one in (side, enemy(side))]
    status = "unsupplied" if forces.is_unsupplied(table, zone, side) else "supplied anyway"
    return (
        f"whether the {ADJECTIVES[side]} force in {name(zone)}, {status}, spends a supply token "
        f"({SIDE_NAMES[side]}: {ours}; {SIDE_NAMES[enemy(side)]}: {theirs})"
    )


def _targets(name: Name, asked: Open) -> str:
    hits = [
        f"{counted(asked.number(shooter), 'hit')} of {plural(word)}"
        for shooter, word in WORDS["shooters"].items()
        if asked.number(shooter)
    ]
    named = [f"{WORDS['shooters'].get(item, item)} on {type_name(to)}" for item, to in asked.picks]
    so_far = f"; named so far: {joined(named)}" if named else ""
    return f"which unit types in {name(asked.text('place'))} {joined(hits)} must fall on, if any{so_far}"
