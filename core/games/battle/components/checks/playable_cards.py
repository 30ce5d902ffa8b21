"""What makes a card file one that can be played: ids, charts, timings, points and decks.

Nothing here is about a single card of the printed game; that is in `card_facts`.
"""

from core.components.findings import Findings, plain_name, shown
from core.games.battle.components.card_model import (
    AFTER_BATTLE,
    ANY_TIME,
    FORCE_DESTROYED,
    IN_BATTLE,
    NO_ENEMY_LEFT,
    OWN_ACTION,
    REACT_CARD,
    REACT_DRAW,
    REACT_MOVE,
    SUFFERING_HITS,
    reachable,
)
from core.games.battle.components.card_rows import ACTIONS, FORCES, LOCATIONS, URANUS, ActionRow, CardRows, LocationRow
from core.games.battle.components.checks.card_schema import COMPONENTS
from core.games.battle.ids import GERMAN, RUSSIAN, SIDES
from core.toml_lines import Path
from events.ids import TABLE

TIMINGS_OF: dict[str, tuple[str, ...]] = {
    "steal_rations": (OWN_ACTION, ANY_TIME),
    "join_battle": (IN_BATTLE,),
    "card_attack": (OWN_ACTION,),
    "cancel_move": (REACT_MOVE,),
    "cancel_card": (REACT_CARD,),
    "gain_rations_each": (OWN_ACTION, ANY_TIME),
    "distribute_rations": (OWN_ACTION, ANY_TIME, FORCE_DESTROYED),
    "deny_location_draws": (REACT_DRAW,),
    "force_points": (OWN_ACTION,),
    "search_deck": (OWN_ACTION, ANY_TIME),
    "free_moves": (OWN_ACTION,),
    "no_firefight": (IN_BATTLE,),
    "no_enemy_retreat": (IN_BATTLE,),
    "draw_cards": (OWN_ACTION, AFTER_BATTLE),
    "combat_bonus_all": (OWN_ACTION, ANY_TIME, IN_BATTLE),
    "move_and_attack": (OWN_ACTION,),
    "multiply_combat": (IN_BATTLE,),
    "stop_hits": (SUFFERING_HITS,),
}
"""When the rules can carry out what a card does. Source: RuleId("card.default-timing"), RuleId("card.any-time")."""

OPENING_HANDS = {RUSSIAN: 10, GERMAN: 5}
POINTS = {RUSSIAN: 11, GERMAN: 9}
URANUS_CARDS = 6
RESERVED = frozenset((TABLE, *SIDES))
"""Names under which the table keeps what belongs to no card."""

SIDE_NAMES: dict[str, str] = {GERMAN: "German", RUSSIAN: "Russian"}


def check_cards(plain: dict[str, object], rows: CardRows, findings: Findings) -> None:
    """Note everything that keeps the cards from being played together, or contradicts itself."""
    _check_ids(rows, findings)
    _check_names(rows, findings)
    for location in rows.locations:
        _check_chart(location, findings)
    for action in rows.actions:
        _check_timing(action, findings)
    _check_notes(rows, findings)
    if rows.are_whole(FORCES):
        _check_piles(rows, findings)
    if rows.are_whole(URANUS):
        _check_uranus(rows, findings)
    if rows.are_whole(ACTIONS, URANUS):
        _check_decks(rows, findings)
    _check_components(plain, rows, findings)


def _check_ids(rows: CardRows, findings: Findings) -> None:
    """Ask for an id of its own for everything that lies on the table, and for every title of an Action card."""
    on_table = [((*LOCATIONS, row.at), row.id) for row in rows.locations]
    on_table += [((*FORCES, row.at), row.id) for row in rows.forces]
    titles = [((*ACTIONS, row.at), row.id) for row in rows.actions]
    titles += [((*URANUS, row.at), row.id) for row in rows.uranus]
    for listed, whose in ((on_table, "Location and Force"), (titles, "Action card")):
        seen: set[str] = set()
        for path, name in listed:
            if name in seen:
                findings.add((*path, "id"), f"{shown(name)} is there twice", f"an id of its own for every {whose}")
            elif name in RESERVED and listed is on_table:
                findings.add((*path, "id"), f"is {shown(name)}", f"an id other than {', '.join(sorted(RESERVED))}")
            seen.add(name)


def _check_names(rows: CardRows, findings: Findings) -> None:
    """Ask for names that tell things apart; Uranus cards may share theirs."""
    listed = [((*LOCATIONS, row.at), "Location", row.name) for row in rows.locations]
    listed += [((*FORCES, row.at), f"{SIDE_NAMES[row.side]} Force", row.name) for row in rows.forces]
    listed += [((*ACTIONS, row.at), "Action card", row.name) for row in rows.actions]
    seen: set[tuple[str, str]] = set()
    for path, kind, name in listed:
        if (kind, plain_name(name)) in seen:
            findings.add((*path, "name"), f"is {shown(name)}, as of another {kind}", "a name of its own")
        seen.add((kind, plain_name(name)))


def _check_chart(row: LocationRow, findings: Findings) -> None:
    """Ask for Rations with every number of Rubble up to the last before the fall, never more with more.

    Source: RuleId("location.rubble-chart"), RuleId("location.destroyed.threshold").
    """
    path: Path = (*LOCATIONS, row.at, "chart")
    following = 0
    rations: int | None = None
    for index, step in enumerate(row.chart):
        if step.first != following:
            findings.add(
                (*path, index, "from"), f"is {step.first}", f"{following}, so that no Rubble is left out or twice"
            )
        if step.last < step.first:
            findings.add((*path, index, "to"), f"is {step.last}", f"{step.first} or more")
        if rations is not None and step.rations > rations:
            wanted = f"{rations} at most: more Rubble never gives more (rulebook Rubble Chart)"
            findings.add((*path, index, "rations"), f"is {step.rations}", wanted)
        following, rations = step.last + 1, step.rations
    if following != row.destroyed_at:
        wanted = f"{row.destroyed_at - 1}, one less than destroyed_at"
        findings.add((*path, len(row.chart) - 1, "to"), f"is {following - 1}", wanted)


def _check_timing(row: ActionRow, findings: Findings) -> None:
    """Ask for a moment at which the rules can carry the effect out, and for conditions that they know."""
    path: Path = (*ACTIONS, row.at)
    timings = TIMINGS_OF[row.effect.op]
    if row.timing not in timings:
        findings.add((*path, "timing"), f"is {shown(row.timing)}", f"{' or '.join(timings)} for {row.effect.op}")
    elif row.condition == NO_ENEMY_LEFT and (row.effect.op, row.timing) != ("draw_cards", AFTER_BATTLE):
        findings.add((*path, "condition"), f"is {shown(row.condition)}", f"it only with draw_cards at {AFTER_BATTLE}")
    if not row.copies:
        findings.add((*path, "copies"), "has no side", f"{GERMAN} or {RUSSIAN} with the Firefight value of every copy")


def _check_notes(rows: CardRows, findings: Findings) -> None:
    """Ask for each kind of note at most once on a Force."""
    for row in rows.forces:
        seen: set[str] = set()
        for index, note in enumerate(row.notes):
            if note.op in seen:
                findings.add((*FORCES, row.at, "notes", index), f"{note.op} is there twice", "each kind of note once")
            seen.add(note.op)


def _check_piles(rows: CardRows, findings: Findings) -> None:
    """Ask for Forces whose Costs can make the total of the set-up.

    Source: RuleId("setup.russian-forces-budget"), RuleId("setup.german-forces-budget"), ruling.setup-exact-points.
    """
    for side, points in POINTS.items():
        costs = tuple(sorted(row.cost for row in rows.forces if row.side == side))
        if not reachable(costs, points):
            problem = f"no choice of {SIDE_NAMES[side]} Forces costs exactly {points}"
            findings.add(FORCES, problem, f"Costs that can add up to {points} (rulebook Set-Up, Starting Forces)")


def _check_uranus(rows: CardRows, findings: Findings) -> None:
    """Ask for the six cards. Source: RuleId("uranus.deck")."""
    found = sum(len(row.firefight) for row in rows.uranus)
    if found != URANUS_CARDS:
        findings.add(URANUS, f"has {found} cards", f"{URANUS_CARDS} (rulebook Operation Uranus)")


def _check_decks(rows: CardRows, findings: Findings) -> None:
    """Ask for decks that hold an opening hand, and for the whole range of Firefight values.

    Source: RuleId("setup.opening-hands"), RuleId("setup.action-decks"), RuleId("card.firefight-value").
    """
    for side, hand in OPENING_HANDS.items():
        found = len(rows.values(side))
        if found < hand:
            wanted = f"{hand} at least, for the opening hand (rulebook Set-Up, Action Cards)"
            findings.add(ACTIONS, f"the {SIDE_NAMES[side]} deck has {found} cards", wanted)
    values = {value for side in SIDES for value in rows.values(side)}
    for end in (-3, 3):
        if end not in values:
            findings.add(
                ACTIONS, f"no copy has the Firefight value {end}", "values from -3 to 3 (rulebook Firefight Value)"
            )


def _check_components(plain: dict[str, object], rows: CardRows, findings: Findings) -> None:
    """Ask that the numbers of cards, where a file gives any, are those of its cards."""
    told = plain.get("components")
    if not isinstance(told, dict) or findings.has_any(("components",)):
        return
    if not rows.are_whole(LOCATIONS, FORCES, ACTIONS, URANUS):
        return
    counted = dict(
        zip(
            COMPONENTS,
            (
                len(rows.locations),
                *(sum(row.side == side for row in rows.forces) for side in (GERMAN, RUSSIAN)),
                *(len(rows.values(side)) for side in (GERMAN, RUSSIAN)),
                sum(len(row.firefight) for row in rows.uranus),
            ),
            strict=True,
        )
    )
    # The Uranus cards are counted with the Russian Action cards already.
    counted["cards_total"] = sum(counted.values()) - counted["uranus"]
    for key, number in counted.items():
        if told.get(key, number) != number:
            findings.add(("components", key), f"is {told[key]}", f"{number}, as many as this file has")
