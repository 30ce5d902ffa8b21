"""An owner's card file that contradicts the rulebook's text is told so: line, place, what is wrong, what would be right.

Each case changes a few records of the packaged file. Cases are named after the sentences they break (C1 to C118).
"""

import re

import pytest

from core.games.battle.components.card_file import packaged_bytes
from core.games.battle.components.checks.card_checks import read_cards

TEXT = packaged_bytes().decode()

Change = tuple[str, str]


def record(row_id: str) -> str:
    """Return the record with an id as it is written."""
    found = [one for one in TEXT.split("\n\n") if re.search(rf'\nid = "{row_id}"\n(?:name|side) = ', one)]

    assert len(found) == 1, row_id
    return found[0]


def card(row_id: str, *changes: Change) -> Change:
    """Change something within one record."""
    new = record(row_id)
    for old, instead in changes:
        assert new.count(old) == 1, (row_id, old)
        new = new.replace(old, instead)
    return record(row_id), new


def without(row_id: str) -> Change:
    """Take a record out; comments before it stay."""
    old = record(row_id)
    return old, old[: old.rindex("[[")]


def changed(*changes: Change) -> str:
    """Change the packaged text; each old text must be there exactly once."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def defects_of(text: str) -> list[tuple[str, str, str, str]]:
    """Return each defect's line as written, its place, problem and expectation."""
    defects = read_cards(text.encode())

    assert isinstance(defects, tuple)
    lines = text.split("\n")
    return [(lines[one.line - 1].strip(), one.where, one.problem, one.expected) for one in defects]


GERMAN_1 = "(rulebook Sample Game, German 1st Turn)"
RUSSIAN_1 = "(rulebook Sample Game, Russian First Turn)"
GERMAN_2 = "(rulebook Sample Game, German Second Turn)"
SET_UP = "(rulebook Sample Game, Set-Up)"
SAMPLE = "(rulebook Sample Game)"
VALUE = "a whole number from -3 to 3 other than 0"
KURGAN = "0 to 4: 3 Rations, 5 to 7: 2, 8 to 9: 1, destroyed_at 10 (rulebook Rubble Chart, Destroyed Locations)"
TRIO = "126th Rifle, 248th Rifle, 6th Guards"
IDENT = "up to 60 lower-case letters, digits and underscores"
MOMENTS = (
    "one of own_action, any_time, battle, suffering_hits, react_move, react_card, react_draw, after_battle, "
    "own_force_destroyed"
)
FORCE_OPS = "one of attack_bonus, retreat_bonus, free_move, ignore_hits"
KNOWN_WORDS = "a word of [provenance]: H, I, P1, P2, P4, P5, P6, R, X, owner"

# For each case: the changes, then for each defect the beginning of its line, its place, problem and expectation.
CASES: dict[str, tuple[list[Change], list[tuple[str, str, str, str]]]] = {
    # Figures of the rules
    "C1, C51: figures of the rules": (
        [("control = 5\n", "control = 4\n"), ("base = 5\n", 'base = "5"\n')],
        [
            ("control", "rules.victory.control", "is 4", "5 (rulebook How to Win)"),
            ("base", "rules.draw.base", "is '5'", "5 (rulebook Draw Cards Step)"),
        ],
    ),
    "C24, C26: points": (
        [("points = { russian = 11, german = 9 }", "points = { russian = 12, german = 9 }")],
        [
            (
                "points",
                "rules.setup.points",
                "is a table of 2",
                "{ russian = 11, german = 9 } (rulebook Set-Up, Starting Forces)",
            )
        ],
    ),
    "C28: an opening hand is missing": (
        [("hand = { russian = 10, german = 5 }\n", "")],
        [
            (
                "[rules.setup]",
                "rules.setup.hand",
                "is missing",
                "{ russian = 10, german = 5 } (rulebook Set-Up, Action Cards)",
            )
        ],
    ),
    "C36: another reading of the text": (
        [
            ('default_timing = "own_action"', 'default_timing = "any_time"'),
            ("pass_is_final = false", "pass_is_final = 0"),
        ],
        [
            ("default_timing", "rules.cards.default_timing", "is 'any_time'", '"own_action" (rulebook Action Cards)'),
            (
                "pass_is_final",
                "rules.firefight.pass_is_final",
                "is 0",
                "false (rulebook Resolving an Attack, Firefight)",
            ),
        ],
    ),
    "C21: a limit of counters": (
        [('id = "rubble"\non = "location"\nsupply = "unlimited"', 'id = "rubble"\non = "location"\nsupply = "60"')],
        [('supply = "60"', "counter[id 'rubble'].supply", "is '60'", '"unlimited"')],
    ),
    "C22: nine Locations": (
        [without("univermag_department_store"), ("locations = 10", "locations = 9")],
        [("[[location]]", "location", "has 9 elements", "10")],
    ),
    "another game": (
        [
            ('game = "Battle for Stalingrad"', 'game = "Stalingrad"'),
            ("schema = 1", "schema = 2"),
            ("players = 2", "players = 3"),
        ],
        [
            ("schema", "schema", "is 2", "1"),
            ("game", "game", "is 'Stalingrad'", '"Battle for Stalingrad"'),
            ("players", "players", "is 3", "2 (rulebook Background)"),
        ],
    ),
    # Locations
    "C3, C6: another chart for Mamayev Kurgan": (
        [card("mamayev_kurgan", ("rations = 3", "rations = 4"))],
        [("chart", "location[id 'mamayev_kurgan'].chart", "is another chart", KURGAN)],
    ),
    "C4: more Rubble gives more": (
        [card("central_station", ("to = 3, rations = 2", "to = 3, rations = 4"))],
        [
            (
                "chart",
                "location[id 'central_station'].chart[no. 2].rations",
                "is 4",
                "3 at most: more Rubble never gives more (rulebook Rubble Chart)",
            )
        ],
    ),
    "C4: a chart with a gap, one that overlaps, one that ends too soon, one that runs backwards": (
        [
            card("the_docks", ("from = 3", "from = 4")),
            card("barrikady_gun_factory", ("from = 4", "from = 3")),
            card("central_station", ("destroyed_at = 6", "destroyed_at = 7")),
            card("univermag_department_store", ("from = 0, to = 3", "from = 3, to = 0")),
        ],
        [
            (
                "chart",
                "location[id 'the_docks'].chart[no. 2].from",
                "is 4",
                "3, so that no Rubble is left out or twice",
            ),
            (
                "chart",
                "location[id 'barrikady_gun_factory'].chart[no. 2].from",
                "is 3",
                "4, so that no Rubble is left out or twice",
            ),
            ("chart", "location[id 'central_station'].chart[no. 3].to", "is 5", "6, one less than destroyed_at"),
            (
                "chart",
                "location[id 'univermag_department_store'].chart[no. 1].from",
                "is 3",
                "0, so that no Rubble is left out or twice",
            ),
            ("chart", "location[id 'univermag_department_store'].chart[no. 1].to", "is 0", "3 or more"),
            (
                "chart",
                "location[id 'univermag_department_store'].chart[no. 1].to",
                "is 0",
                "3, one less than destroyed_at",
            ),
        ],
    ),
    "C8: every note is lost": (
        [
            card(name, ("note_survives = true", "note_survives = false"))
            for name in ("the_docks", "mamayev_kurgan", "univermag_department_store")
        ],
        [
            (
                "[[location]]",
                "location",
                "no note survives when its Location is Destroyed",
                "some that do and some that do not (rulebook Destroyed Locations)",
            )
        ],
    ),
    "C31, C61: a Location of another name": (
        [
            card("gumrak_airfield", ("Gumrak Airfield", "Gumrak Air Field")),
            card("central_station", ("Central", "Central Rail")),
        ],
        [
            ("[[location]]", "location", "no Location is named Gumrak Airfield", f"one {SET_UP}"),
            ("[[location]]", "location", "no Location is named Central Station", "one (rulebook Location Control)"),
        ],
    ),
    "C34: the chart of the example is nowhere": (
        [card("grain_elevator", ("to = 5", "to = 6"), ("destroyed_at = 6", "destroyed_at = 7"))],
        [
            (
                "[[location]]",
                "location",
                "no Location has the chart of the example",
                "one with 0 to 2: 2 Rations, 3 to 5: 1, destroyed_at 6 (rulebook Supply Step)",
            )
        ],
    ),
    "C67, C86: another note, or none": (
        [
            card("gumrak_airfield", ('"resupply_bonus", amount = 1', '"resupply_bonus", amount = 2')),
            card("dzerzhinskiy_tractor_factory", ('note = { op = "reinforcements_bonus", amount = 1 }\n', "")),
        ],
        [
            ("note", "location[id 'gumrak_airfield'].note", "is resupply_bonus 2", f"resupply_bonus 1 {GERMAN_1}"),
            (
                "[[location]]",
                "location[id 'dzerzhinskiy_tractor_factory'].note",
                "is missing",
                f"reinforcements_bonus 1 {RUSSIAN_1}",
            ),
            (
                "prov",
                "location[id 'dzerzhinskiy_tractor_factory'].prov.note",
                "there is no field 'note'",
                "a field of the record, or of one of its tables",
            ),
        ],
    ),
    "C84, C98: a Location of the sample game adds a card": (
        [card("the_docks", ("buy_ration_bonus", "extra_draw"))],
        [
            (
                "note",
                "location[id 'the_docks'].note",
                "is extra_draw",
                f"another note: The Docks adds no card {SAMPLE}",
            )
        ],
    ),
    "C85, C99: other Rations than in the sample game": (
        [
            card("pavlovs_house", ("to = 2, rations = 2", "to = 2, rations = 3")),
            card("gumrak_airfield", ("rations = 1", "rations = 2")),
        ],
        [
            ("chart", "location[id 'gumrak_airfield'].chart", "gives 2 with 1 Rubble", f"1 {GERMAN_2}"),
            ("chart", "location[id 'pavlovs_house'].chart", "gives 3 with 0 Rubble", f"2 {RUSSIAN_1}"),
        ],
    ),
    # Forces
    "C9: figures that no Force can have": (
        [card("r_45_rifle", ("combat = 1", "combat = -1"), ("rations = 2", "rations = 1.5"), ("cost = 1", "cost = 0"))],
        [
            ("combat", "force[id 'r_45_rifle'].combat", "is -1", "a whole number from 0 to 20"),
            ("rations", "force[id 'r_45_rifle'].rations", "is 1.5", "a whole number from 0 to 20"),
            ("cost", "force[id 'r_45_rifle'].cost", "is 0", "a whole number from 1 to 20"),
        ],
    ),
    "C10: notes that the text does not know": (
        [
            card("g_24_panzer", ("amount = 2", "amount = 3")),
            card("g_3_motorized", ('"free_move"', '"free_move", amount = 1')),
            card("g_44_infantry", ('"ignore_hits", amount = 1', '"fly"')),
            card("r_45_rifle", ("notes = []", 'notes = [{ op = "free_move" }, { op = "free_move" }]')),
        ],
        [
            ("notes", "force[id 'g_24_panzer'].notes[no. 1].amount", "is 3", "a whole number from 1 to 2"),
            ("notes", "force[id 'g_3_motorized'].notes[no. 1].amount", "is not known here", "only op"),
            ("notes", "force[id 'g_44_infantry'].notes[no. 1].op", "is 'fly'", FORCE_OPS),
            ("notes", "force[id 'r_45_rifle'].notes[no. 2]", "free_move is there twice", "each kind of note once"),
        ],
    ),
    "C62, C64: other Starting Rations": (
        [card("r_6_guards", ("rations = 0", "rations = 1")), card("g_100_jager", ("rations = 1", "rations = 2"))],
        [
            ("rations", "force[id 'g_100_jager'].rations", "is 2", f"1 for the 100th Jager {SET_UP}"),
            ("rations", "force[id 'r_6_guards'].rations", "is 1", f"0 for the 6th Guards {SET_UP}"),
        ],
    ),
    "C62, C64: a Force of another name, or of the other side": (
        [card("r_84_tank", ("84th Tank", "85th Tank")), card("g_100_jager", ('side = "german"', 'side = "russian"'))],
        [
            ("forces_german", "components.forces_german", "is 20", "19, as many as this file has"),
            ("forces_russian", "components.forces_russian", "is 26", "27, as many as this file has"),
            ("[[force]]", "force", "no Russian Force is named 84th Tank", f"one {SET_UP}"),
            ("[[force]]", "force", "no German Force is named 100th Jager", f"one {SET_UP}"),
        ],
    ),
    "C63, C65: other sums of costs": (
        [card("r_15_guards", ("cost = 3", "cost = 2")), card("g_14_panzer", ("cost = 3", "cost = 4"))],
        [
            (
                "[[force]]",
                "force",
                "the Russian Forces of the sample game cost 10",
                f"11 for 169th Rifle, 248th Rifle, 6th Guards, 15th Guards, 84th Tank, 90th Tank {SET_UP}",
            ),
            (
                "[[force]]",
                "force",
                "the German Forces of the sample game cost 10",
                f"9 for 16th Panzer, 384th Infantry, 14th Panzer, 100th Jager {SET_UP}",
            ),
        ],
    ),
    "C66, C78, C82: notes of the sample game": (
        [
            card("g_16_panzer", ('notes = [{ op = "free_move" }]', "notes = []")),
            card("r_248_rifle", ("amount = 1", "amount = 2")),
        ],
        [
            ("notes", "force[id 'g_16_panzer'].notes", "the 16th Panzer has no free_move", f"free_move {GERMAN_1}"),
            (
                "notes",
                "force[id 'r_248_rifle'].notes",
                "the 248th Rifle has retreat_bonus 2",
                f"retreat_bonus by 1 {GERMAN_1}",
            ),
        ],
    ),
    "C70, C72, C90, C103: other Combat": (
        [
            card("g_16_panzer", ("combat = 5", "combat = 4")),
            card("g_14_panzer", ("notes = []", 'notes = [{ op = "attack_bonus", amount = 1 }]')),
            card("r_169_rifle", ("combat = 1", "combat = 2")),
        ],
        [
            ("combat", "force[id 'g_14_panzer'].combat", "attacks with 8", f"7 with its notes {GERMAN_2}"),
            ("combat", "force[id 'g_16_panzer'].combat", "attacks with 4", f"5 with its notes {GERMAN_1}"),
            ("combat", "force[id 'r_169_rifle'].combat", "is 2", f"1 for the 169th Rifle {GERMAN_1}"),
        ],
    ),
    "C74, C80: notes that would have worked": (
        [
            card("r_169_rifle", ("notes = []", 'notes = [{ op = "ignore_hits", amount = 1 }]')),
            card("g_384_infantry", ("notes = []", 'notes = [{ op = "free_move" }]')),
        ],
        [
            (
                "notes",
                "force[id 'g_384_infantry'].notes",
                "the 384th Infantry has free_move",
                f"no free_move: it would have worked {SAMPLE}",
            ),
            (
                "notes",
                "force[id 'r_169_rifle'].notes",
                "the 169th Rifle has ignore_hits",
                f"no ignore_hits: it would have worked {SAMPLE}",
            ),
        ],
    ),
    "C87: the 126th": (
        [card("r_126_rifle", ("rations = 4", "rations = 3"), ("cost = 2", "cost = 3"))],
        [
            ("rations", "force[id 'r_126_rifle'].rations", "is 3", f"4 for the 126th Rifle {RUSSIAN_1}"),
            ("cost", "force[id 'r_126_rifle'].cost", "is 3", f"2 for the 126th Rifle {RUSSIAN_1}"),
        ],
    ),
    "C87: no other Russian Force costs 3": (
        [
            card(f"r_{name}", ("cost = 3", "cost = 2"))
            for name in ("138_rifle", "284_rifle", "13_guards", "37_guards", "39_guards", "133_tank")
        ],
        [
            (
                "[[force]]",
                "force",
                "no Russian Force costs 3, besides those of the set-up",
                f"one, which follows the 126th Rifle {RUSSIAN_1}",
            )
        ],
    ),
    "C90, C103: the three of the Docks": (
        [card("r_126_rifle", ("combat = 1", "combat = 3"))],
        [
            ("[[force]]", "force", f"{TRIO} attack with 10", f"8 together, with their notes {RUSSIAN_1}"),
            (
                "[[force]]",
                "force",
                "126th Rifle and 248th Rifle have Combat 6",
                f"4 together, or 5 if the sample game forgot the Heroic Service counter {GERMAN_2}",
            ),
        ],
    ),
    "C108: the tanks": (
        [card("r_90_tank", ("combat = 2", "combat = 3"))],
        [("[[force]]", "force", "84th Tank and 90th Tank have Combat 5", f"4 together {GERMAN_2}")],
    ),
    "A1: points that cannot be spent": (
        [
            ("[[force]]\n" + one.partition("[[force]]\n")[2], "")
            for one in TEXT.split("\n\n")
            if 'side = "german"' in one and ("cost = 1\n" in one or "cost = 3\n" in one)
        ]
        + [("forces_german = 20", "forces_german = 9"), ("cards_total = 168", "cards_total = 157")],
        [
            (
                "[[force]]",
                "force",
                "no choice of German Forces costs exactly 9",
                "Costs that can add up to 9 (rulebook Set-Up, Starting Forces)",
            ),
            ("[[force]]", "force", "no German Force is named 16th Panzer", f"one {SET_UP}"),
            ("[[force]]", "force", "no German Force is named 14th Panzer", f"one {SET_UP}"),
            ("[[force]]", "force", "no German Force is named 100th Jager", f"one {SET_UP}"),
        ],
    ),
    # Action cards
    "C14, C57: Dive Bombers": (
        [card("dive_bombers", ("hits = 4", "hits = 5"), ("rubble = 2", "rubble = 1"))],
        [
            ("effect", "action[id 'dive_bombers'].effect.rubble", "is 1", "2 for Dive Bombers (rulebook Absorb Hits)"),
            ("effect", "action[id 'dive_bombers'].effect.hits", "is 5", "4 for Dive Bombers (rulebook Absorb Hits)"),
        ],
    ),
    "C15, C106: Rubble": (
        [card("rubble", ("min_rubble = 2", "min_rubble = 3"))],
        [("effect", "action[id 'rubble'].effect.min_rubble", "is 3", f"2 for Rubble {GERMAN_2}")],
    ),
    "C16: Big Push in the own turn only": (
        [card("big_push", ('"any_time"', '"own_action"'))],
        [
            (
                "timing",
                "action[id 'big_push'].timing",
                "is 'own_action'",
                '"any_time" for Big Push (rulebook Action Cards, Effect)',
            )
        ],
    ),
    "C17: values": (
        [card("tanks", ("[2, -2, 1]", "[4, 0, -4]")), card("sniper", ("[-1, -2, 1, -3, 2]", "[]"))],
        [
            ("copies", "action[id 'tanks'].copies.german[no. 1]", "is 4", VALUE),
            ("copies", "action[id 'tanks'].copies.german[no. 2]", "is 0", VALUE),
            ("copies", "action[id 'tanks'].copies.german[no. 3]", "is -4", VALUE),
            ("copies", "action[id 'sniper'].copies.russian", "has 0 elements", "1 to 60"),
        ],
    ),
    "C17: no copy of -3": (
        [
            (
                TEXT[TEXT.index("[[action]]") : TEXT.index("[[uranus]]")],
                TEXT[TEXT.index("[[action]]") : TEXT.index("[[uranus]]")].replace("-3", "-2"),
            )
        ],
        [
            (
                "[[action]]",
                "action",
                "no copy has the Firefight value -3",
                "values from -3 to 3 (rulebook Firefight Value)",
            )
        ],
    ),
    "C19: seven Uranus cards": (
        [
            card("uranus_6", ("firefight = [2]", "firefight = [2, 1]")),
            ("actions_russian = 56\nuranus = 6", "actions_russian = 57\nuranus = 7"),
            ("cards_total = 168", "cards_total = 169"),
        ],
        [("[[uranus]]", "uranus", "has 7 cards", "6 (rulebook Operation Uranus)")],
    ),
    "C20: a Uranus card without removal, one with a cost unheard of, one for the enemy's turn": (
        [
            card("uranus_2", ('removal = { op = "discard_rations", count = 4 }\n', "")),
            card("uranus_3", ('"discard_rations", count = 3', '"discard_points", count = 3')),
            card("uranus_5", ('timing = "own_action"', 'timing = "any_time"')),
        ],
        [
            ("[[uranus]]", "uranus[id 'uranus_2'].removal", "is missing", "a table with op"),
            (
                "play_cost",
                "uranus[id 'uranus_3'].play_cost.op",
                "is 'discard_points'",
                "one of destroy_own_forces, discard_cards, discard_rations",
            ),
            (
                "timing",
                "uranus[id 'uranus_5'].timing",
                "is 'any_time'",
                '"own_action" (rulebook Action Cards, Effect)',
            ),
        ],
    ),
    "C71, C104: effects that the rules carry out in one way": (
        [
            card("heavy_weapons", ("factor = 2", "factor = 3")),
            card("reserve_forces", ("count = 1", "count = 2")),
            card("fresh_supplies", ('["perimeter"]', '["control"]')),
        ],
        [
            ("effect", "action[id 'heavy_weapons'].effect.factor", "is 3", "2"),
            ("effect", "action[id 'fresh_supplies'].effect.areas", "is ['control']", '["perimeter"]'),
            ("effect", "action[id 'reserve_forces'].effect.count", "is 2", "1"),
        ],
    ),
    "C96: the Uranus card of the sample game is nowhere": (
        [card("uranus_1", ("amount = 1", "amount = 2"))],
        [
            (
                "[[uranus]]",
                "uranus",
                "no card Destroys a Force of one's own to make German Forces cost 1 more",
                f"one with destroy_own_forces 1 and enemy_force_cost 1 {RUSSIAN_1}",
            )
        ],
    ),
    "C91: an effect and a moment that do not go together": (
        [
            card("sewer_warfare", ('timing = "battle"', 'timing = "own_action"')),
            card("artillery_barrage", ('timing = "own_action"', 'timing = "later"')),
        ],
        [
            (
                "timing",
                "action[id 'artillery_barrage'].timing",
                "is 'later'",
                MOMENTS,
            ),
            ("timing", "action[id 'sewer_warfare'].timing", "is 'own_action'", "battle for no_firefight"),
            (
                "timing",
                "action[id 'sewer_warfare'].timing",
                "is 'own_action'",
                f'"battle" for Sewer Warfare {RUSSIAN_1}',
            ),
        ],
    ),
    "C76: a condition out of place": (
        [
            card("desperation", ("copies = {", 'condition = "no_enemy_participant_left_in_control_area"\ncopies = {')),
            card("victory", ('"no_enemy_participant_left_in_control_area"', '"always"')),
        ],
        [
            (
                "condition",
                "action[id 'desperation'].condition",
                "is 'no_enemy_participant_left_in_control_area'",
                "it only with draw_cards at after_battle",
            ),
            (
                "condition",
                "action[id 'victory'].condition",
                "is 'always'",
                '"no_enemy_participant_left_in_control_area"',
            ),
        ],
    ),
    "C100: another effect for a known card": (
        [card("desperation", ('"draw_cards"', '"force_points"'))],
        [
            (
                "effect",
                "action[id 'desperation'].effect.op",
                "is 'force_points'",
                f'"draw_cards" for Desperation {GERMAN_2}',
            )
        ],
    ),
    "C113: a card of another name, one of the other side, one of nobody": (
        [
            card("sewer_warfare", ('name = "Sewer Warfare"', 'name = "Sewers"')),
            card("air_supply", ("german =", "russian =")),
            card("high_morale", ("copies = { russian = [2, -1] }", "copies = {}")),
            ("actions_german = 56\nactions_russian = 56", "actions_german = 53\nactions_russian = 57"),
            ("cards_total = 168", "cards_total = 166"),
        ],
        [
            ("[[action]]", "action", "no Action card is named Sewer Warfare", f"one {RUSSIAN_1}"),
            ("copies", "action[id 'air_supply'].copies", "the German deck has 0 of them", f"1 at least {GERMAN_2}"),
            (
                "copies",
                "action[id 'high_morale'].copies",
                "has no side",
                "german or russian with the Firefight value of every copy",
            ),
            ("copies", "action[id 'high_morale'].copies", "the Russian deck has 0 of them", f"1 at least {RUSSIAN_1}"),
        ],
    ),
    "C115: one German Rubble card": (
        [
            card("rubble", ("[-1, -2, -3, -1, -2, 1, 1]", "[-1]")),
            ("actions_german = 56", "actions_german = 50"),
            ("cards_total = 168", "cards_total = 162"),
        ],
        [("copies", "action[id 'rubble'].copies", "the German deck has 1 of them", f"2 at least {GERMAN_2}")],
    ),
    "C118: other numbers of cards": (
        [("forces_german = 20", "forces_german = 21"), ("cards_total = 168", "cards_total = 169")],
        [
            ("cards_total", "components.cards_total", "is 169", "168, as many as this file has"),
            ("forces_german", "components.forces_german", "is 21", "20, as many as this file has"),
        ],
    ),
    # The file as a whole
    "ids that are there twice, or are kept for something else, or are none": (
        [
            card("r_45_rifle", ('id = "r_45_rifle"', 'id = "the_docks"')),
            card("r_95_rifle", ('id = "r_95_rifle"', 'id = "table"')),
            card("r_112_rifle", ('id = "r_112_rifle"', 'id = "112 Rifle"')),
            card("uranus_2", ('id = "uranus_2"', 'id = "tanks"')),
        ],
        [
            (
                'id = "the_docks"',
                "force[id 'the_docks'].id",
                "'the_docks' is there twice",
                "an id of its own for every Location and Force",
            ),
            (
                'id = "table"',
                "force[id 'table'].id",
                "is 'table'",
                "an id other than german, russian, table",
            ),
            ('id = "112 Rifle"', "force[id '112 Rifle'].id", "is '112 Rifle'", IDENT),
            (
                'id = "tanks"',
                "uranus[id 'tanks'].id",
                "'tanks' is there twice",
                "an id of its own for every Action card",
            ),
        ],
    ),
    "names that are there twice": (
        [
            card("univermag_department_store", ("Univermag Department Store", "Pavlov\u2019s  HOUSE")),
            card("r_45_rifle", ("45th Rifle", "95th Rifle")),
            card("tanks", ('name = "Tanks"', 'name = "Big Push"')),
        ],
        [
            (
                "name",
                "location[id 'univermag_department_store'].name",
                "is 'Pavlov\u2019s  HOUSE', as of another Location",
                "a name of its own",
            ),
            (
                "name",
                "force[id 'r_95_rifle'].name",
                "is '95th Rifle', as of another Russian Force",
                "a name of its own",
            ),
            ("[[action]]", "action", "no Action card is named Tanks", f"one {RUSSIAN_1}"),
            ("name", "action[id 'tanks'].name", "is 'Big Push', as of another Action card", "a name of its own"),
        ],
    ),
    "provenance that says nothing, or nothing known": (
        [
            card("the_docks", ('note = "X fits C84 C87 C98"', 'note = "guess fits C84 C999"')),
            card("r_45_rifle", ('name = "P4"', 'nane = "P4"')),
            card("artillery_barrage", ('"effect.hits"', '"effect.hit"')),
            card("uranus_2", ('prov = "X fits C20"', 'prov = " "')),
        ],
        [
            ("prov", "location[id 'the_docks'].prov.note", "is 'guess fits C84 C999'", KNOWN_WORDS),
            ("prov", "location[id 'the_docks'].prov.note", "names 'C999'", "fits or a key of [constraint]"),
            (
                "prov",
                "force[id 'r_45_rifle'].prov.nane",
                "there is no field 'nane'",
                "a field of the record, or of one of its tables",
            ),
            (
                "prov",
                "action[id 'artillery_barrage'].prov.'effect.hit'",
                "there is no field 'effect.hit'",
                "a field of the record, or of one of its tables",
            ),
            ("prov", "uranus[id 'uranus_2'].prov", "is ' '", "a text"),
        ],
    ),
    "form: keys unknown and missing, beside a wrong fact": (
        [
            card("r_45_rifle", ("combat = 1", "comabt = 1")),
            card("g_14_panzer", ("rations = 4", "rations = 5")),
        ],
        [
            ("rations", "force[id 'g_14_panzer'].rations", "is 5", f"4 for the 14th Panzer {SET_UP}"),
            ("[[force]]", "force[id 'r_45_rifle'].combat", "is missing", "a whole number from 0 to 20"),
            (
                "comabt",
                "force[id 'r_45_rifle'].comabt",
                "is not known here",
                "perhaps combat; known are id, side, name, combat, rations, cost, prov, notes",
            ),
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_contradiction_is_told_with_its_line(name: str) -> None:
    changes, expected = CASES[name]
    found = defects_of(changed(*changes))

    assert [one[1:] for one in found] == [one[1:] for one in expected]
    assert [one[0][: len(two[0])] for one, two in zip(found, expected, strict=True)] == [one[0] for one in expected]


def test_notes_that_nobody_has_and_notes_that_everybody_has() -> None:
    """force.note.retreat-bonus: each kind is on some Force, and some have none (C10)."""
    without_retreat = re.sub(r'\{ op = "retreat_bonus", amount = \d \}', '{ op = "attack_bonus", amount = 1 }', TEXT)
    nobody_without = TEXT.replace("notes = []", 'notes = [{ op = "attack_bonus", amount = 1 }]')
    source = "(rulebook Force Cards, Special Notes)"

    assert ("force", "no Force has retreat_bonus", f"one at least {source}") in [
        one[1:] for one in defects_of(without_retreat)
    ]
    assert ("force", "every Force has notes", f"some without {source}") in [
        one[1:] for one in defects_of(nobody_without)
    ]


def test_values_of_the_sample_game_that_a_deck_lacks() -> None:
    """card.firefight-value, attack.flip (C114)."""
    positive = re.sub(r"german = \[[^]]*\]", lambda found: found[0].replace("-", ""), TEXT)
    flat = re.sub(r"russian = \[[^]]*\]", lambda found: found[0].replace("3", "2"), TEXT)

    assert [one[1:] for one in defects_of(positive)] == [
        ("action", "the German deck lacks the Firefight values -2", f"-2, 1, 2, 3 {SAMPLE}")
    ]
    assert [one[1:] for one in defects_of(flat)] == [
        ("action", "the Russian deck lacks the Firefight values 3, 3", f"-2, -2, -1, -1, -1, 2, 2, 3, 3 {SAMPLE}")
    ]


def test_values_for_the_last_flips_of_the_sample_game() -> None:
    """attack.flip: a 2 and a -2, whoever flipped which (C114)."""
    fewer = re.sub(r"german = \[[^]]*\]", lambda found: found[0].replace("-2", "-1").replace("2", "1"), TEXT)
    needed = fewer.replace('german = [1, 1, -1] }\nprov = { _ = "R C14', 'german = [2, -2, 3] }\nprov = { _ = "R C14')

    assert [one[1:] for one in defects_of(needed)] == [
        (
            "action",
            "the decks have no values left for the last flips of the sample game",
            f"one more 2 in one deck and one more -2 in the other {GERMAN_2}",
        )
    ]


def test_decks_too_small_for_an_opening_hand() -> None:
    """setup.opening-hands, setup.action-decks."""
    few = re.sub(r"german = \[[^]]*\]", "german = [-2]", TEXT)
    few = re.sub(r"(?s)\[\[action\]\]\n(?:(?!\n\n).)*german = \[-2\](?:(?!\n\n).)*\n", "", few)
    found = [one[1:] for one in defects_of(few)]

    assert (
        "action",
        "the German deck has 0 cards",
        "5 at least, for the opening hand (rulebook Set-Up, Action Cards)",
    ) in found
