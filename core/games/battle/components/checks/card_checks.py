"""Consistency of several places of a card file.

Each demand is either one without which no match can be played, or a statement of the rulebook's text that the shipped file cannot
show figure by figure, because it is about sums and numbers of reconstructed figures. Only a variant may contradict the latter.
Numbers such as C70 name the sentence of the shipped file's [sources] from which a demand follows.
"""

from collections import Counter

from core.file_checks.shared_checks import check_ids, check_names
from core.games.battle.components import card_model
from core.games.battle.ids import GERMAN, RUSSIAN, SIDES
from core.toml.findings import Findings, shown
from core.toml.toml_lines import Path
from events.codec import Struct
from events.ids import TABLE

EFFECTS: dict[str, tuple[tuple[str, ...], tuple[card_model.Timing, ...]]] = {
    "steal_rations": (("amount",), ("own_action", "any_time")),
    "join_battle": ((), ("battle",)),
    "card_attack": (("rubble", "hits"), ("own_action",)),
    "cancel_move": ((), ("react_move",)),
    "cancel_card": ((), ("react_card",)),
    "gain_rations_each": (("amount",), ("own_action", "any_time")),
    "distribute_rations": (("amount",), ("own_action", "any_time", "own_force_destroyed")),
    "deny_location_draws": ((), ("react_draw",)),
    "force_points": (("amount",), ("own_action",)),
    "search_deck": ((), ("own_action", "any_time")),
    "free_moves": (("amount",), ("own_action",)),
    "no_firefight": ((), ("battle",)),
    "no_enemy_retreat": ((), ("battle",)),
    "draw_cards": (("amount",), ("own_action", "after_battle")),
    "combat_bonus_all": (("amount",), ("own_action", "any_time", "battle")),
    "move_and_attack": (("may_join",), ("own_action",)),
    "multiply_combat": ((), ("battle",)),
    "stop_hits": (("amount", "min_rubble"), ("suffering_hits",)),
}
"""The figures that an effect has, and when the rules can carry it out. Source: card.default-timing, card.any-time."""

OPTIONAL = frozenset(("rubble", "min_rubble", "may_join"))
"""Figures that may be left out where an effect has them."""

WITHOUT_AMOUNT = frozenset(("none", "rations_anywhere", "enemy_no_perimeter_ration"))
"""What Locations and Uranus cards do without a figure."""

FEWER = frozenset(("enemy_location_rations", "enemy_draw"))
"""Effects whose amount is negative."""

RATIONS_SEEN = (
    ("pavlovs_house", 0, 2),
    ("dzerzhinskiy_tractor_factory", 0, 2),
    ("gumrak_airfield", 1, 1),
    ("grain_elevator", 2, 2),
)
"""Location, Rubble, Rations: C85, C99."""

SUPPLY_CHART = (((0, 2, 2), (3, 5, 1)), 6)
"""C34."""

STARTING = {
    RUSSIAN: ("r_169_rifle", "r_248_rifle", "r_6_guards", "r_15_guards", "r_84_tank", "r_90_tank"),
    GERMAN: ("g_16_panzer", "g_384_infantry", "g_14_panzer", "g_100_jager"),
}
"""The Forces of the sample game's set-up, which cost 11 and 9 points: C63, C65."""


class Sum(Struct, frozen=True):
    """Sum of Forces of the sample game, with their attack notes if they are attacking: C70, C90, C103, C108."""

    forces: tuple[str, ...]
    is_attack: bool
    wanted: tuple[int, ...]
    source: str


SUMS = (
    Sum(("g_16_panzer",), is_attack=True, wanted=(5,), source="C70"),
    Sum(("g_14_panzer",), is_attack=True, wanted=(7,), source="C103"),
    Sum(("r_126_rifle", "r_248_rifle", "r_6_guards"), is_attack=True, wanted=(8,), source="C90"),
    # 5, if the sample game forgot the Heroic Service counter of the 126th.
    Sum(("r_126_rifle", "r_248_rifle"), is_attack=False, wanted=(4, 5), source="C103"),
    Sum(("r_84_tank", "r_90_tank"), is_attack=False, wanted=(4,), source="C108"),
)

_ONCE = {
    GERMAN: "dive_bombers attack big_push heavy_weapons tanks supply_raid fresh_supplies air_supply desperation",
    RUSSIAN: "reserve_forces victory sniper propaganda_war scouts high_morale sewer_warfare recover_wounded",
}
_TWICE = {GERMAN: "rubble", RUSSIAN: "reinforcements"}
SEEN_WITH = {side: Counter([*_ONCE[side].split(), *[_TWICE[side]] * 2]) for side in SIDES}
"""How many copies of a card a side has at least: C113, C115."""

VALUES_SEEN = {GERMAN: (-2, 1, 2, 3), RUSSIAN: (-2, -2, -1, -1, -1, 2, 2, 3, 3)}
LAST_FLIPS = ((2, -2), (-2, 2))
"""Firefight values of the sample game, and those of its last flips: German and Russian, or the other way round. C114."""

URANUS_CARDS = 6
NOTES = ("attack_bonus", "retreat_bonus", "has_free_move", "ignore_hits")
RESERVED = frozenset((TABLE, *SIDES))
"""Names under which the table keeps what belongs to no card."""


def check_cards(file: card_model.CardFile, findings: Findings) -> None:
    """Record all that keeps cards from being played together, and all that contradicts the text."""
    _check_ids(file, findings)
    for index, location in enumerate(file.location):
        _check_chart(("location", index, "chart"), location, findings)
    _check_figures(file, findings)
    for index, row in enumerate(file.action):
        _check_action(("action", index), row, findings)
    _check_set_up(file, findings)
    _check_locations_seen(file, findings)
    _check_forces_seen(file, findings)
    _check_copies_seen(file, findings)


def _check_ids(file: card_model.CardFile, findings: Findings) -> None:
    """Check that everything on the table and every title of an Action card has an id and a name of its own.

    A German and a Russian Force may share a name, and so may Uranus cards.
    """
    locations = [(("location", index), row.id) for index, row in enumerate(file.location)]
    forces = [(("force", index), row.id) for index, row in enumerate(file.force)]
    actions = [(("action", index), row.id) for index, row in enumerate(file.action)]
    check_ids(findings, [*locations, *forces])
    check_ids(findings, [*actions, *((("uranus", index), row.id) for index, row in enumerate(file.uranus))])
    for (section, _), id_ in (*locations, *forces):
        if id_ in RESERVED:
            findings.add((section,), f"an id is {shown(id_)}", f"ids other than {', '.join(sorted(RESERVED))}")
    check_names(findings, ("location",), {row.id: row.name for row in file.location})
    check_names(findings, ("force",), {row.id: f"{row.name} ({row.side})" for row in file.force})
    check_names(findings, ("action",), {row.id: row.name for row in file.action})


def _check_chart(path: Path, location: card_model.Location, findings: Findings) -> None:
    """Check that a chart gives Rations with every number of Rubble up to the last before it is Destroyed, and never more with more.

    Source: location.rubble-chart, location.destroyed.threshold.
    """
    following = 0
    for index, step in enumerate(location.chart):
        if step.first != following:
            wanted = f"{following}, so that no Rubble is left out or twice"
            findings.add((*path, index, "from"), f"is {step.first}", wanted)
        if step.last < step.first:
            findings.add((*path, index, "to"), f"is {step.last}", f"{step.first} or more")
        if index and step.rations > location.chart[index - 1].rations:
            wanted = f"{location.chart[index - 1].rations} at most: more Rubble never gives more (C4)"
            findings.contradict((*path, index, "rations"), f"is {step.rations}", wanted)
        following = step.last + 1
    if following != location.destroyed_at:
        wanted = f"{location.destroyed_at - 1}, one less than destroyed_at"
        findings.add((*path, len(location.chart) - 1, "to"), f"is {following - 1}", wanted)


def _check_figures(file: card_model.CardFile, findings: Findings) -> None:
    """Check that there is an amount where a note or a Uranus card has one, and for none elsewhere."""
    listed: list[tuple[Path, card_model.LocationNote | card_model.UranusEffect]] = [
        (("location", index, "note"), row.note) for index, row in enumerate(file.location)
    ]
    listed += [(("uranus", index, "effect"), row.effect) for index, row in enumerate(file.uranus)]
    for path, effect in listed:
        op, amount = effect.op, effect.amount
        if op in WITHOUT_AMOUNT:
            is_right, wanted = not amount, "none"
        elif op in FEWER:
            is_right, wanted = amount < 0, "a negative one"
        else:
            is_right = amount == 1 if op == "repair_rubble" else amount > 0
            wanted = "a positive one, of repair_rubble 1"
        if not is_right:
            findings.add((*path, "amount"), f"is {amount or 'missing'} for {op}", wanted)


def _check_action(path: Path, row: card_model.ActionRow, findings: Findings) -> None:
    """Check the figures of the effect, a moment at which it can be carried out, a side, and conditions that the rules know."""
    figures, timings = EFFECTS[row.effect.op]
    given = {name for name in ("amount", "rubble", "hits", "min_rubble", "may_join") if getattr(row.effect, name)}
    if given - set(figures) or set(figures) - OPTIONAL - given:
        problem = f"has {', '.join(sorted(given)) or 'no figure'}"
        findings.add((*path, "effect"), problem, f"{', '.join(figures) or 'none'} for {row.effect.op}")
    if row.timing not in timings:
        wanted = f"{' or '.join(timings)} for {row.effect.op}"
        findings.add((*path, "timing"), f"is {shown(row.timing)}", wanted)
    if row.condition and (row.effect.op, row.timing) != ("draw_cards", "after_battle"):
        findings.add((*path, "condition"), f"is {shown(row.condition)}", "it only with draw_cards at after_battle")
    if not (row.copies.german or row.copies.russian):
        findings.add((*path, "copies"), "has no side", "german or russian with the Firefight value of every copy")


def _check_set_up(file: card_model.CardFile, findings: Findings) -> None:
    """Check that Costs can make the points of the set-up, that decks hold the opening hands, and that there are enough Locations.

    Source: setup.russian-forces-budget, setup.german-forces-budget, ruling.setup-exact-points,
    setup.opening-hands, setup.action-decks.
    """
    for side in SIDES:
        costs = tuple(sorted(force.cost for force in file.force if force.side == side))
        points = file.rules.points.of(side)
        if not card_model.reachable(costs, points):
            problem = f"no choice of {side} Forces costs exactly {points}"
            findings.add(("force",), problem, f"Costs that can add up to {points} (C24, C26)")
        hand, deck = file.rules.hand.of(side), len(file.values(side))
        if deck < hand:
            findings.add(
                ("action",), f"the {side} deck has {deck} cards", f"{hand} at least, for the opening hand (C28)"
            )
    if file.rules.victory_locations > file.rules.locations_in_play:
        problem = f"is {file.rules.victory_locations}"
        findings.add(("rules", "victory_locations"), problem, f"{file.rules.locations_in_play} at most")
    uranus = sum(len(row.firefight) for row in file.uranus)
    if uranus != URANUS_CARDS:
        findings.contradict(("uranus",), f"has {uranus} cards", f"{URANUS_CARDS} (C19)")
    values = {value for side in SIDES for value in file.values(side)}
    for end in {-3, 3} - values:
        findings.contradict(("action",), f"no copy has the Firefight value {end}", "values from -3 to 3 (C17)")


def _check_locations_seen(file: card_model.CardFile, findings: Findings) -> None:
    """Check the charts and notes that the text shows: C8, C34, C84, C85, C98, C99.

    Source: location.rubble-chart, location.destroyed.note.
    """
    found = {row.id: (index, row) for index, row in enumerate(file.location)}
    for name, rubble, rations in RATIONS_SEEN:
        if name in found and found[name][1].rations(rubble) != rations:
            problem = f"gives {found[name][1].rations(rubble)} with {rubble} Rubble"
            findings.contradict(("location", found[name][0], "chart"), problem, f"{rations} (C85, C99)")
    for name in ("grain_elevator", "the_docks", "pavlovs_house"):
        if name in found and found[name][1].note.op == "extra_draw":
            findings.contradict(("location", found[name][0], "note"), "is extra_draw", "another note (C84, C98)")
    charts = [
        (tuple((step.first, step.last, step.rations) for step in row.chart), row.destroyed_at) for row in file.location
    ]
    if SUPPLY_CHART not in charts:
        wanted = "one with 0 to 2: 2 Rations, 3 to 5: 1, destroyed_at 6 (C34)"
        findings.contradict(("location",), "no Location has the chart of the example", wanted)
    if {row.note_survives for row in file.location if row.has_note} != {False, True}:
        problem = "all notes survive when their Location is Destroyed, or none does"
        findings.contradict(("location",), problem, "some that do and some that do not (C8)")


def _check_forces_seen(file: card_model.CardFile, findings: Findings) -> None:
    """Check the sums of the sample game, the Force that followed the 126th in the deck, and notes as the text describes them.

    C10, C63, C65, C87. Source: force.combat, force.cost.
    """
    found: dict[str, card_model.Force] = {force.id: force for force in file.force}
    for side, names in STARTING.items():
        if all(name in found for name in names):
            cost, points = sum(found[name].cost for name in names), {RUSSIAN: 11, GERMAN: 9}[side]
            if cost != points:
                findings.contradict(("force",), f"{', '.join(names)} cost {cost}", f"{points} together (C63, C65)")
    for one in SUMS:
        if all(name in found for name in one.forces):
            listed = [found[name] for name in one.forces]
            combat = sum(force.combat + (force.attack_bonus if one.is_attack else 0) for force in listed)
            if combat not in one.wanted:
                problem = f"{', '.join(one.forces)} {'attack' if one.is_attack else 'defend'} with {combat}"
                findings.contradict(("force",), problem, f"{' or '.join(map(str, one.wanted))} together ({one.source})")
    shown_before = {*STARTING[RUSSIAN], "r_126_rifle"}
    if not any(force.side == RUSSIAN and force.cost == 3 and force.id not in shown_before for force in file.force):
        findings.contradict(("force",), "no Russian Force besides those of the set-up costs 3", "one (C87)")
    for note in NOTES:
        if not any(getattr(force, note) for force in file.force):
            findings.contradict(("force",), f"no Force has {note}", "one at least (C10)")
    if all(any(getattr(force, note) for note in NOTES) for force in file.force):
        findings.contradict(("force",), "every Force has notes", "some without (C10)")


def _check_copies_seen(file: card_model.CardFile, findings: Findings) -> None:
    """Check the cards and Firefight values of the sample game in the decks: C113 to C115."""
    for index, row in enumerate(file.action):
        for side, copies in ((GERMAN, row.copies.german), (RUSSIAN, row.copies.russian)):
            wanted = SEEN_WITH[side][row.id]
            if len(copies) < wanted:
                problem = f"the {side} deck has {len(copies)} of them"
                findings.contradict(("action", index, "copies"), problem, f"{wanted} at least (C113, C115)")
    have = {side: Counter(file.values(side)) for side in SIDES}
    if not any(
        _are_in((*VALUES_SEEN[GERMAN], german), have[GERMAN])
        and _are_in((*VALUES_SEEN[RUSSIAN], russian), have[RUSSIAN])
        for german, russian in LAST_FLIPS
    ):
        listed = "; ".join(f"{side} {', '.join(map(str, values))}" for side, values in VALUES_SEEN.items())
        problem = "the decks lack Firefight values of the sample game"
        findings.contradict(("action",), problem, f"{listed}, and one more 2 in one and -2 in the other (C114)")


def _are_in(values: tuple[int, ...], deck: Counter[int]) -> bool:
    return not Counter(values) - deck
