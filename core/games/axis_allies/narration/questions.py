"""The questions of this game in words: what is answered, and what is at stake."""

from core.games.axis_allies.ids import ALLIES, FLYING, RACE, RPC, SIDE_NAMES, URANUS_DRAWN, URANUS_FRONT, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, BID, BID_FOR, FOUGHT, MISSION, MOVE, STAY
from core.games.axis_allies.narration.forces import ADJECTIVES, WORDS, Forces, Name, card_kinds, joined, phrase
from core.games.axis_allies.rules.fire import TARGETING
from core.games.axis_allies.rules.queries import air, contested, is_assaulted, land
from core.games.axis_allies.rules.supply import COMBAT_USE
from core.wording import counted, plural
from events.ids import PieceId, PlaceId, Side
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
            if not bid or not side:
                return "whether to bid for a side"
            more, other = counted(bid, "RP"), SIDE_NAMES[enemy(side)]
            return f"whether to bid more than {more} to play the {SIDE_NAMES[side]}, or to take the {more} and play the {other}"
        case "spend_token":
            return _token(forces, name, table, asked)
        case "targets":
            return _targets(forces, name, table, asked)
        case _:
            return _plain(forces, name, table, asked)


def _plain(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    board, side = forces.board, table.side_of(asked.seat)
    crossings = [
        f"{forces.crossing(table, row)} at the {name(row)}"
        for row in board.crossings
        if is_assaulted(table, above(row))
    ]
    drawn = table.pile(URANUS_DRAWN).cards
    placed = table.pile(next(iter(URANUS_FRONT.values()))).count
    mover = side if asked.kind == "destroy" else table.turn
    excess = {zone: len(land(table, board, zone, mover)) - board.limits.land_units for zone in board.zones}
    words = {
        "rpcs": counted(table.track(RPC[side]), "RPC") if side in RPC else "",
        "bid": counted(BID.of(table) or 0, "RP"),
        "picked": str(len(asked.picked)),
        "crossings": joined(crossings),
        "free_zones": forces.free_zones(table),
        "gain": counted(board.luftwaffe.race if table.scenario == RACE else board.luftwaffe.uranus, "RPC"),
        "excess": joined([f"{more} in {name(zone)}" for zone, more in excess.items() if more > 0]),
        "fights": counted(sum(not FOUGHT.of(table, zone) for zone in contested(table, board)), "combat"),
        "attacked": joined(
            [
                f"{there} {'in' if place in board.zones else 'at the'} {name(place)}"
                for place, there in _attacked(forces, table).items()
            ]
        ),
        "flying": forces.units(
            table, [one.id for one in table.pieces.values() if one.side == side and one.face == FLYING]
        ),
        "round": str(table.round),
        "storm": str(table.round + board.uranus.storm_after),
        "placed": counted(placed, "card"),
        "drawn": "; ".join([f"{name(card)}: {forces.counted(card_kinds(board, card))}" for card in drawn])
        or "face down",
        **{key: name(value) for key, value in asked.arguments.items() if isinstance(value, str)},
    }
    said = WORDS["questions"][asked.kind].format(**words)
    if asked.kind != "move":
        return said
    owed = {
        "over the stacking limit": words["excess"],
        "must land": _to_land(forces, name, table, side),
        "must move": _new(forces, table, side),
    }
    return "; ".join([said, *[f"{what}: {units}" for what, units in owed.items() if units]])


def _to_land(forces: Forces, name: Name, table: Table, side: Side) -> str:
    """Return what a side has on Volga Crossings since before the phase."""
    there = {row: [one for one in table.pieces_at(row) if not MOVE.of(table, one)] for row in forces.board.crossings}
    return joined(
        [f"{forces.units(table, on)} at the {name(row)}" for row, on in there.items() if on and side == ALLIES]
    )


def _new(forces: Forces, table: Table, side: Side) -> str:
    """Return the air units of a side that arrived in the air and have no mission yet."""
    flying = [one for one in table.pieces.values() if one.side == side and one.face == FLYING]
    return forces.units(table, [one.id for one in flying if not MISSION.of(table, one.id)])


def _attacked(forces: Forces, table: Table) -> dict[PlaceId, str]:
    """Return the air units that attack, by their zones and Volga Crossings."""
    board, found = forces.board, dict[PlaceId, str]()
    for place, sky in [*((zone, zone) for zone in board.zones), *((one, above(one)) for one in board.crossings)]:
        there = [one for one in air(table, board, sky, table.turn) if MISSION.of(table, one) in (ATTACK_MISSION, STAY)]
        if there:
            found[place] = forces.units(table, there)
    return found


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


def _targets(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    place = PlaceId(asked.text("place"))
    there = forces.line(table, place, enemy(table.side_of(asked.seat)))
    hits = [
        f"{counted(asked.number(shooter), 'hit')} of {plural(word)}"
        for shooter, word in WORDS["shooters"].items()
        if asked.number(shooter)
    ]
    named = [f"{WORDS['shooters'].get(item, item)} on {type_name(to)}" for item, to in asked.picks]
    so_far = f"; named so far: {joined(named)}" if named else ""
    where = f"{'in ' if place in forces.board.zones else ''}{name(place)}"
    return f"which unit types {where} {joined(hits)} must fall on, if any ({there}){so_far}"
