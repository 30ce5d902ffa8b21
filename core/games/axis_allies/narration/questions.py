"""The questions of this game in words: what is answered, what is at stake, and what players choose."""

from collections.abc import Iterator, Mapping

from core.games.axis_allies import ids
from core.games.axis_allies.memory import ATTACK_MISSION, BID, BID_FOR, DESIGNATED, FOUGHT, MISSION, MOVE, STAY
from core.games.axis_allies.narration.forces import ADJECTIVES, WORDS, Forces, Name, at, does, phrase, types
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, INTERDICTION
from core.games.axis_allies.rules.casualties import hits_to_name
from core.games.axis_allies.rules.deployment import places_with_room
from core.games.axis_allies.rules.fire import TARGETING
from core.games.axis_allies.rules.land_movement import ROUNDS_WITHOUT_RETREAT, Land
from core.games.axis_allies.rules.queries import air, contested, is_assaulted, is_bad_weather, land
from core.games.axis_allies.rules.reinforcement import price
from core.games.axis_allies.rules.supply import COMBAT_USE
from core.wording import counted, joined, plural
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import ChosenByChance, DecisionOpened, Event, SideAssigned
from projections.state.table import Open, Table

COMBAT_LOSSES = ("designate", "casualties")
"""The questions which units are lost in a combat."""


def question(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return the text of an open question or a sequence."""
    if asked.kind in WORDS["losses_asked"]:
        return _losses(forces, name, table, asked)
    match asked.kind:
        case "auction":
            bid, side = BID.of(table), BID_FOR.of(table)
            if not bid or not side:
                return "whether to bid for a side"
            more, other = counted(bid, "RP"), ids.SIDE_NAMES[ids.enemy(side)]
            return f"whether to bid more than {more} to play the {ids.SIDE_NAMES[side]}, or to take the {more} and play the {other}"
        case "spend_token":
            return _token(forces, name, table, asked)
        case "targets":
            return _targets(forces, name, table, asked)
        case _:
            return _plain(forces, name, table, asked)


def details(forces: Forces, name: Name, table: Table, asked: Open) -> tuple[str, ...]:
    """Return the forces that a question or a combat is about, a line a side, the cards of each front, or what the weather allows."""
    side = table.side_of(asked.seat)
    match asked.kind:
        case "combat":
            place = PlaceId(asked.text("zone"))
            return _forces(forces, table, place, {table.turn: "Attacker, ", ids.enemy(table.turn): "Defender, "})
        case "spend_token" if asked.text("use") == COMBAT_USE:
            return _forces(forces, table, PlaceId(asked.text("zone")), {side: "", ids.enemy(side): ""})
        case "targets":
            return _forces(forces, table, PlaceId(asked.text("place")), {ids.enemy(side): ""})
        case kind if kind in WORDS["losses_asked"]:
            return tuple(_beside_losses(forces, table, asked))
        case "move":
            return tuple(_forbidden_moves(forces, table, side))
        case "buy":
            return tuple(_without_pieces(forces, table, side))
        case "deploy_card":
            return tuple(_on_fronts(forces, table))
        case "front":
            drawn = table.pile(ids.URANUS_DRAWN).cards
            return tuple([f"card {forces.board.uranus_cards[card].number}: {forces.on_card(card)}" for card in drawn])
        case "intercept":
            return (f"attacks from the air: {joined(_attacked(forces, name, table))}",)
        case _:
            return ()


def _forces(forces: Forces, table: Table, place: PlaceId, parts: Mapping[Side, str]) -> tuple[str, ...]:
    """Return the units of sides in a place with the values at which they fire, each after what it does there."""
    return tuple(f"{does}{ids.SIDE_NAMES[side]}: {forces.line(table, place, side)}" for side, does in parts.items())


def _beside_losses(forces: Forces, table: Table, asked: Open) -> Iterator[str]:
    """Yield the forces in the place of a loss, its own first; in a combat with their values, and what of the enemy is lost already."""
    there = table.pieces.get(PieceId(next(iter(asked.texts("pool")), "")))
    if there is None:
        return
    sides = (there.side, ids.enemy(there.side))
    if asked.kind in COMBAT_LOSSES:
        yield from _forces(forces, table, there.place, dict.fromkeys(sides, ""))
        gone = forces.units(table, DESIGNATED.of(table) or ())
        if gone:
            yield f"of the {ids.SIDE_NAMES[sides[1]]} removed afterwards: {gone}"
    else:
        units = {side: forces.there(table, there.place, side) for side in sides}
        yield from [f"{ids.SIDE_NAMES[side]}: {said}" for side, said in units.items() if said]


def _forbidden_moves(forces: Forces, table: Table, side: Side) -> Iterator[str]:
    """Yield which moves are forbidden in this round that are legal in others."""
    if Land(table, forces.board, side).must_not_step_back:
        yield (
            f"{_no_retreat()}: land units next to Axis units stay, or move into an adjacent zone that is hostile or "
            "contested; none leaves the city"
        )
    if is_bad_weather(table) and not BAD_WEATHER_SORTIES.is_on(table):
        yield "bad weather: fighters can only relocate, bombers only relocate or perform Air Transport"


def _no_retreat() -> str:
    """Return the name of the rule with the rounds in which it holds. Source: order.10.move."""
    return f"Not One Step Back in rounds {joined([str(number) for number in range(1, ROUNDS_WITHOUT_RETREAT + 1)])}"


def _without_pieces(forces: Forces, table: Table, side: Side) -> Iterator[str]:
    """Yield the types that a side can pay for and of which no piece is left, with what follows. Source: ruling.chips-enforced."""
    for kind in forces.board.units:
        if not 0 < price(forces.board, side, kind) <= table.track(ids.RPC[side]):
            continue
        places = places_with_room(table, forces.board, kind)
        if places is not None:
            more = "more can only join one that is there, on a chip" if places else "and no chip is left for more"
            yield f"all {forces.kind(kind)} pieces are on the boards: {more}"


def _on_fronts(forces: Forces, table: Table) -> Iterator[str]:
    """Yield which Operation Uranus cards wait on each front."""
    for front, pile in ids.URANUS_FRONT.items():
        numbers = [str(forces.board.uranus_cards[card].number) for card in table.pile(pile).cards]
        if numbers:
            yield f"{front}: {'card' if len(numbers) == 1 else 'cards'} {joined(numbers)}"


def _plain(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    board, side = forces.board, table.side_of(asked.seat)
    raided = [row for row in board.crossings if is_assaulted(table, ids.above(row))]
    flying = [one.id for one in table.pieces.values() if one.side == side and one.face == ids.FLYING]
    placed = table.pile(next(iter(ids.URANUS_FRONT.values()))).count
    mover = side if asked.kind == "destroy" else table.turn
    excess = {zone: len(land(table, board, zone, mover)) - board.file.limits.land_units for zone in board.zones}
    words = {
        "rpcs": counted(table.track(ids.RPC[side]), "RPC") if side in ids.RPC else "",
        "fires": "Air Defense or Interdiction" if INTERDICTION.is_on(table) else "Air Defense",
        "bid": counted(BID.of(table) or 0, "RP"),
        "so_far": f"; {len(asked.picked)} assigned so far" if asked.picked else "",
        "crossings": joined([f"{forces.crossing(table, row)} at the {name(row)}" for row in raided]),
        "free_zones": forces.free_zones(table),
        "gain": counted(board.file.luftwaffe.gained(table.scenario), "RPC"),
        "excess": joined([f"{more} in {name(zone)}" for zone, more in excess.items() if more > 0]),
        "fights": counted(sum(not FOUGHT.of(table, zone) for zone in contested(table, board)), "combat"),
        "flying": forces.units(table, flying),
        "round": str(table.round),
        "storm": str(table.round + board.file.uranus.storm_after),
        "placed": counted(placed, "card"),
        "drawn": counted(table.pile(ids.URANUS_DRAWN).count, "Operation Uranus card"),
        "at": at(board, name, PlaceId(str(asked.arguments.get("zone", "")))),
        **{key: name(value) for key, value in asked.arguments.items() if isinstance(value, str)},
    }
    said = WORDS["questions"][asked.kind].format(**words)
    if asked.kind != "move":
        return said
    fresh = forces.units(table, [one for one in flying if not MISSION.of(table, one)])
    aboard = _to_land(forces, name, table, side)
    owed = {"over the stacking limit": words["excess"], "must land": aboard, "must move": fresh}
    # What forbids moves is not to be overlooked below a long list of them.
    forbidden = [_no_retreat()] if Land(table, board, side).must_not_step_back else []
    return "; ".join([said, *[f"{what}: {units}" for what, units in owed.items() if units], *forbidden])


def _to_land(forces: Forces, name: Name, table: Table, side: Side) -> str:
    """Return what a side has on Volga Crossings since before the phase."""
    there = {row: [one for one in table.pieces_at(row) if not MOVE.of(table, one)] for row in forces.board.crossings}
    said = [f"{forces.units(table, on)} at the {name(row)}" for row, on in there.items() if on]
    return joined(said) if side == ids.ALLIES else ""


def _attacked(forces: Forces, name: Name, table: Table) -> list[str]:
    """Return the air units that attack, with their zones and Volga Crossings."""
    board, found = forces.board, list[str]()
    for place in (*board.zones, *board.crossings):
        there = air(table, board, ids.above(place) if place in board.crossings else place, table.turn)
        there = [one for one in there if MISSION.of(table, one) in (ATTACK_MISSION, STAY)]
        where = "in" if place in board.zones else "at the"
        found += [f"{forces.units(table, there)} {where} {name(place)}"] if there else []
    return found


def _losses(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return which units are lost of which force, and the types on which targeted hits must fall."""
    pool = [PieceId(piece) for piece in asked.texts("pool")]
    left = asked.number("hits") - len(asked.picked)
    there = table.pieces.get(pool[0]) if pool else None
    where = "" if there is None else f" of the {ids.SIDE_NAMES[there.side]} {at(forces.board, name, there.place)}"
    wanted = [
        f"{counted(len(named), 'hit')} of {plural(phrase('shooters', shooter, 'interceptor'))} must fall on "
        f"{types(named)}"
        for shooter in TARGETING
        if (named := asked.texts(shooter))
    ]
    targets = f"; {'; '.join(wanted)}" if wanted else ""
    if not left:
        return f"whether to confirm {counted(len(asked.picked), 'unit')}{where} as lost {WORDS['losses_asked'][asked.kind]}{targets}"
    which = "which unit" if left == 1 else f"which {left} units"
    return f"{which}{where} {'is' if left == 1 else 'are'} lost {WORDS['losses_asked'][asked.kind]}{targets}"


def _token(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return whether a token is spent, and what for."""
    zone, side = PlaceId(asked.text("zone")), table.side_of(asked.seat)
    if asked.text("use") != COMBAT_USE:
        return f"whether to spend a supply token, so that the unsupplied Rocket Launchers in {name(zone)} can bombard"
    status = "unsupplied" if forces.is_unsupplied(table, zone, side) else "supplied anyway"
    return f"whether to spend a supply token for the {ADJECTIVES[side]} force in {name(zone)}, {status}"


def _targets(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    place = PlaceId(asked.text("place"))
    can_fall = hits_to_name(table, forces.board, asked)
    numbers = {word: can_fall.get(shooter, asked.number(shooter)) for shooter, word in WORDS["shooters"].items()}
    hits = [f"{counted(number, 'hit')} of {plural(word)}" for word, number in numbers.items() if number]
    named = [f"{WORDS['shooters'].get(item, item)} on {types([to])}" for item, to in asked.picks]
    so_far = f"; named so far: {joined(named)}" if named else ""
    return f"which unit types {at(forces.board, name, place)} {joined(hits)} must fall on, if any{so_far}"


def chosen(forces: Forces, name: Name, table: Table, event: Event) -> str:
    """Return the sentence for an event by which something is chosen; empty for any other."""
    match event:
        case DecisionOpened():
            return _opened(forces, name, table, event)
        case SideAssigned(seat=seat, side=side) if BID.of(table):
            how = "as it bid" if side == BID_FOR.of(table) else f"and takes the bid of {_bid(table)}"
            return f"The {name(seat)} plays the {ids.SIDE_NAMES[side]}, {how}."
        case ChosenByChance(chosen=seat):
            return f"Chance decides: the {name(seat or '')} begins the bidding."
        case _:
            return ""


def _opened(forces: Forces, name: Name, table: Table, event: DecisionOpened) -> str:
    """Return what led to a question: the bid that it answers, the free unit that was earned, or the hand that was picked."""
    match event.kind:
        case "auction" if BID.of(table):
            bidder = next(seat for seat in table.seats if seat != event.seat)
            return f"The {name(bidder)} bids {_bid(table)} to play the {ids.SIDE_NAMES[BID_FOR.of(table) or ids.AXIS]}."
        case "place_factory" if event.arguments:
            side, factory = table.side_of(event.seat), f"the {event.arguments['factory']} factory"
            picks = f"The Axis picks the hand with {factory}, and places it."
            return picks if side == ids.AXIS else f"{does(side, 'place')} {factory}."
        case kind:
            return WORDS["earned"].get(kind, "").format(zones=forces.free_zones(table))


def _bid(table: Table) -> str:
    return counted(BID.of(table) or 0, "RP")
