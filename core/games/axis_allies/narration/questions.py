"""The questions of this game in words: what is answered, and what is at stake."""

from core.games.axis_allies.components.map_records import ASSAULT_GUN, BOMBER, FIGHTER
from core.games.axis_allies.ids import RPC, SIDE_NAMES, URANUS_FRONT, above, enemy
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.narration.forces import Forces, Name, joined
from core.games.axis_allies.rules.casualties import AIR
from core.games.axis_allies.rules.fire import TARGETING
from core.games.axis_allies.rules.queries import is_assaulted
from core.games.axis_allies.rules.tokens import COMBAT_USE
from core.wording import counted, plural
from events.ids import PieceId, PlaceId
from projections.table import Open, Table

QUESTIONS = {
    "hide_factories": "which factory to take into the left hand; the Axis does not see it",
    "pick_hand": "which hand of the Allies to pick; the factory in it is placed by the Axis",
    "place_factory": "where to place the {factory} factory",
    "rearrange": "which unit of the set-up to move, or no more",
    "place_cards": "which of the Operation Uranus cards drawn goes to the northwest; the other goes to the southeast",
    "launch": "whether to launch Operation Uranus now ({placed} card{s} on each front), or to wait",
    "front": "on which front to place the cards drawn; as many are drawn for the other front",
    "deploy_card": "which Operation Uranus card to deploy next, and where",
    "leave_units": "which units of {card} are left out in {to}, since pieces run short",
    "luftwaffe_loss": "which air unit goes to another front (Luftwaffe Priorities)",
    "free_infantry": "which free infantry to deploy, and where",
    "storm_air": "which free air unit of Operation Winter Storm to deploy, and where",
    "buy": "what to buy and where to deploy it, with {rpcs}, or nothing more",
    "award": "what to buy for the set-up with {bid} of the award, or nothing more",
    "move": "which units to move or to fly next, or to end the Movement phase",
    "exit_loss": "which unit of the pair that left the city for {zone} is lost (Force Multiplier)",
    "evict": "which excess enemy unit to move out, and where to",
    "destroy": "which excess unit to destroy in {zone}",
    "heroes_unit": "which unit in a contested zone to give for an Axis unit there (Heroes of the Soviet Union)",
    "assign_air_defense": "which artillery fires Air Defense at which aircraft; {picked} assigned so far",
    "assign_bombardment": "which rocket launchers bombard which zone; {picked} assigned so far",
    "intercept": "which fighter scrambles to where the enemy attacks from the air, or none",
    "ambush": "which ambusher fires at which zone, or none",
    "next_crossing": "which Volga Crossing to attack next ({crossings})",
    "next_combat": "which combat to fight next",
    "land": "where the air units land; {picked} assigned so far",
    # Sequences.
    "set_up": "the set-up",
    "round": "round {round}",
    "counter_offensive": "the Counter-Offensive Preparation",
    "uranus_set_up": "the set-up of Operation Uranus",
    "axis_reinforcement": "the Axis Reinforcement",
    "allies_reinforcement": "the Allies Reinforcement",
    "axis_movement": "the Axis Movement",
    "allies_movement": "the Allies Movement",
    "reaction": "the Reaction",
    "attack": "the Attack phase",
    "combat": "the combat in {zone}",
    "landing": "the landing of aircraft of the {side}",
}
"""What is asked, or which sequence goes on, by its kind; `question` has those that need more."""

CAUSES = {
    "designate": "by the attackers' fire",
    "casualties": "by the defenders' fire",
    "ambush_casualty": "by the ambush",
    "air_loss": "by Air Defense",
    "bombardment_loss": "by Bombardment",
    "heroes_casualty": "by Heroes of the Soviet Union",
    "overflow": "for lack of room on the airfield",
}
"""What takes units, by the kind of the question which of them are lost."""

SHOOTERS = {BOMBER: "Bomber", ASSAULT_GUN: "Assault Gun", FIGHTER: "Fighter"}
TARGETS = {
    AIR: "air unit",
    "minor_infantry": "Minor Axis Infantry",
    "mech_infantry": "Mechanized Infantry",
}
"""What hits must fall on, where the id of its row of the reference chart does not say it."""


def type_name(target: str) -> str:
    """Return the name of a row of the reference chart, or of air units, as the target of a hit."""
    return TARGETS.get(target) or target.replace("_", " ").title()


def question(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return the text of an open question or a sequence."""
    if asked.kind in CAUSES:
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
    said = QUESTIONS.get(asked.kind, asked.kind.replace("_", " ")).format(**words)
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
        f"{counted(len(types), 'targeted hit')} of {'interceptors' if shooter not in SHOOTERS else plural(SHOOTERS[shooter])} must fall on "
        f"{joined([type_name(one) for one in types])}"
        for shooter in TARGETING
        if (types := asked.texts(shooter))
    ]
    targets = f"; {'; '.join(wanted)}" if wanted else ""
    return f"which {counted(left, 'unit')}{where} {'is' if left == 1 else 'are'} lost {CAUSES[asked.kind]}{targets}"


def _token(forces: Forces, name: Name, table: Table, asked: Open) -> str:
    """Return whether a token is spent, and what for."""
    zone, side = PlaceId(asked.text("zone")), table.side_of(asked.seat)
    if asked.text("use") != COMBAT_USE:
        return f"whether to spend a supply token, so that the unsupplied Rocket Launchers in {name(zone)} can bombard"
    ours, theirs = [forces.line(table, zone, one) for one in (side, enemy(side))]
    status = "unsupplied" if forces.is_unsupplied(table, zone, side) else "supplied anyway"
    return (
        f"whether the {SIDE_NAMES[side]} force in {name(zone)}, {status}, spends a supply token "
        f"({SIDE_NAMES[side]}: {ours}; {SIDE_NAMES[enemy(side)]}: {theirs})"
    )


def _targets(name: Name, asked: Open) -> str:
    hits = [
        f"{counted(asked.number(shooter), 'hit')} of {plural(word)}"
        for shooter, word in SHOOTERS.items()
        if asked.number(shooter)
    ]
    named = [f"{SHOOTERS.get(item, item)} on {type_name(to)}" for item, to in asked.picks]
    so_far = f"; named so far: {joined(named)}" if named else ""
    return f"which unit types in {name(asked.text('place'))} {joined(hits)} must fall on, if any{so_far}"
