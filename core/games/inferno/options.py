"""The options of a match: the Designer's Way, and the rulings that leave the players a choice."""

from core.game import OptionSpec
from core.games.inferno.ids import CO_OP, ONE_VS_ONE, TWO_VS_ONE
from events.ids import RuleId
from projections.table import Table

DESIGNERS_WAY = "designers_way"
DESIGNER_LEVELS = "designer_levels"
CHUIKOV_HQ = "chuikov_hq"
DESIGNER_EXTRAS = "designer_extras"
DESIGNER_AA_BRIGADE = "designer_aa_brigade"
GERMAN_LEVEL_HAND = "german_level_hand"

OFF = "off"
RANDOM = "random"
GERMAN_LEADERS = "german"
SOVIET_EASY = "soviet-easy"
HARD = "hard"

SPAWN_TABLE = "spawn_table"
PIONEER_672_EXTRA = "pioneer_672_extra"
VICTORY_CHECK = "victory_check"
VICTORY_TIE = "victory_tie"
OKH_EXTRA_TURNS = "okh_extra_turns"
SPAWN_CAPTURE_CARD = "spawn_capture_card"
GERMAN_RESHUFFLE = "german_reshuffle"
COOP_OPEN_HANDS = "coop_open_hands"
TIE_CHOOSER = "tie_chooser"
SOVIET_ADVANCE_CHOICE = "soviet_advance_choice"
RUBBLE_AFFECTS_CARDS = "rubble_affects_cards"
RUBBLE_COUNT = "rubble_count"
OPPORTUNITY_FIRE = "opportunity_fire"
CHUIKOV_JOINS_AT_ONCE = "chuikov_joins_at_once"
PG_ALWAYS_BONUS = "pg_always_bonus"
COMBINED_DEFENCE = "combined_defence"
SHORT_MOVE_TWICE = "short_move_twice"
ROW_AFTER_REMOVAL = "row_after_removal"
REMOVAL_RETRY = "removal_retry"
DUPLICATE_DICE_ATTACK = "duplicate_dice_attack"
FULL_SPAWN_HEX = "full_spawn_hex"
SOVIET_UNIT_TWICE = "soviet_unit_twice"
ZERO_SPAWN_HUMAN = "zero_spawn_human"
BLOCKED_DRAWS_CARD = "blocked_draws_card"
COOP_WINNER = "coop_winner"
COOP_CREDIT = "coop_credit"
COOP_PLACE_PARTNER = "coop_place_partner"

PARTNERS = (CO_OP, TWO_VS_ONE)
"""The modes with two German seats."""
WITH_SOVIET_SEAT = (ONE_VS_ONE, TWO_VS_ONE)


def _choice(
    key: str, title: str, rule: str, choices: str, modes: tuple[str, ...] = (), *, needs: str = ""
) -> OptionSpec:
    """Offer several readings; the first one is followed by default."""
    words = tuple(choices.split())
    return OptionSpec(key, title, default=words[0], rule=RuleId(rule), choices=words, modes=modes, needs=needs)


def _designer(key: str, title: str, rule: str, choices: str) -> OptionSpec:
    return _choice(key, title, rule, choices, needs=DESIGNERS_WAY)


def _flag(key: str, title: str, rule: str, *, default: bool = False, modes: tuple[str, ...] = ()) -> OptionSpec:
    return OptionSpec(key, title, default=default, rule=RuleId(rule), modes=modes)


DESIGNER: tuple[OptionSpec, ...] = (
    _choice(
        DESIGNERS_WAY, "The Designer's Way and its level", "designer.optional", "off random german soviet-easy hard"
    ),
    _designer(
        DESIGNER_LEVELS,
        "Whether random Advantages go with one level or with all",
        "ruling.level-names",
        "exclusive advantages-plus-level",
    ),
    _designer(CHUIKOV_HQ, "When Chuikov needs a headquarters", "ruling.chuikov-hq-scope", "always advantage-only"),
    _designer(
        DESIGNER_EXTRAS,
        "When the Advantages that are not Leaders hold",
        "ruling.specials-by-level",
        "advantages-only always",
    ),
    _designer(
        DESIGNER_AA_BRIGADE,
        "When the 1077th AA and the 20th Destroyer are special",
        "ruling.aa-brigade-by-level",
        "hard-only always",
    ),
    _designer(
        GERMAN_LEVEL_HAND, "The opening hand at the German level", "ruling.german-level-hand", "leaders-only plus-three"
    ),
)
"""Source: RuleId("designer.optional")."""

RULINGS: tuple[OptionSpec, ...] = (
    _choice(SPAWN_TABLE, "What each Soviet Spawn Hex receives", "ruling.spawn-icons", "A B C"),
    _flag(PIONEER_672_EXTRA, "The 672nd Pioneer is a fifth Pioneer card", "ruling.pioneer-672nd"),
    _choice(VICTORY_CHECK, "When victory is checked", "ruling.turn-end", "each-turn full-round"),
    _choice(
        VICTORY_TIE,
        "Who wins if both sides meet a condition",
        "ruling.simultaneous-victory",
        "active german soviet draw",
    ),
    _choice(
        OKH_EXTRA_TURNS,
        "Whether Soviet turns come between extra turns",
        "ruling.okh-soviet-turns",
        "alternate consecutive",
    ),
    _choice(
        SPAWN_CAPTURE_CARD, "Which captured Spawn Hexes give a card", "ruling.enemy-spawn-hex", "enemy-only any-of-nine"
    ),
    _flag(GERMAN_RESHUFFLE, "An empty German deck is formed anew", "ruling.german-deck-empty"),
    _flag(COOP_OPEN_HANDS, "German partners see each other's hands", "ruling.co-op-hand-view", modes=PARTNERS),
    _choice(
        TIE_CHOOSER,
        "Who chooses among equally strong Soviet units",
        "ruling.tie-chooser",
        "german owner",
        WITH_SOVIET_SEAT,
    ),
    _choice(
        SOVIET_ADVANCE_CHOICE,
        "Which Soviet unit advances after combat",
        "ruling.soviet-1v1-advance",
        "strongest free",
        WITH_SOVIET_SEAT,
    ),
    _flag(RUBBLE_AFFECTS_CARDS, "Rubble halves the hits of card dice", "ruling.rubble-card-dice", default=True),
    _choice(
        RUBBLE_COUNT, "Which attackers count for the Rubble Roll", "ruling.rubble-modifier-moment", "survivors declared"
    ),
    _choice(
        OPPORTUNITY_FIRE,
        "How often a unit next to several attacking Stacks fires",
        "ruling.opportunity-once",
        "once-per-unit once-per-stack",
    ),
    _flag(
        CHUIKOV_JOINS_AT_ONCE,
        "Chuikov revealed in a Soviet attack brings Stacks into it",
        "ruling.chuikov-same-combat-attack",
    ),
    _flag(PG_ALWAYS_BONUS, "A Panzer Grenadier always has the Combined Force Bonus", "ruling.combined-pg"),
    _flag(COMBINED_DEFENCE, "The Combined Force Bonus holds in defence, too", "ruling.combined-defence", default=True),
    _flag(SHORT_MOVE_TWICE, "The same units may make both Short Moves", "ruling.short-move-same-units"),
    _choice(
        ROW_AFTER_REMOVAL,
        "Whether a row whose unit was Removed is in use again",
        "ruling.reinforce-row-after-removal",
        "in-use dead",
    ),
    _flag(
        REMOVAL_RETRY, "A Removal that was impossible is tried again", "ruling.reinforce-removal-retry", default=True
    ),
    _flag(DUPLICATE_DICE_ATTACK, "Equal dice attack, too", "ruling.duplicates-and-attacks"),
    _choice(
        FULL_SPAWN_HEX, "Cards for a full hex that is due two units", "ruling.spawn-full-two", "one-card card-per-unit"
    ),
    _flag(
        SOVIET_UNIT_TWICE,
        "Several dice of a turn may move the same Soviet unit",
        "ruling.moved-unit-again",
        default=True,
    ),
    _choice(
        ZERO_SPAWN_HUMAN,
        "What a Soviet player does without a Spawn Hex",
        "ruling.zero-spawn-human",
        "draw empty-spawn",
        WITH_SOVIET_SEAT,
    ),
    _flag(
        BLOCKED_DRAWS_CARD,
        "A Top Stacked Hex that is stuck draws a card",
        "ruling.human-blocked",
        modes=WITH_SOVIET_SEAT,
    ),
    _choice(COOP_WINNER, "Which German partner wins", "ruling.co-op-winner", "german-victory-needed always", PARTNERS),
    _choice(
        COOP_CREDIT,
        "Which German partner is credited with a hex",
        "ruling.co-op-capture-credit",
        "captor last-entered active",
        PARTNERS,
    ),
    _choice(
        COOP_PLACE_PARTNER,
        "Who places the partner's units",
        "ruling.co-op-place-other-colour",
        "partner caller",
        PARTNERS,
    ),
)

OPTIONS: tuple[OptionSpec, ...] = (*DESIGNER, *RULINGS)

DEFAULTS = {spec.key: spec.default for spec in OPTIONS}


def chosen(table: Table, key: str) -> str:
    """Return the reading that a match follows; that of an option that its mode does not have is the default."""
    value = table.options.get(key, DEFAULTS[key])
    assert isinstance(value, str)
    return value


def is_on(table: Table, key: str) -> bool:
    """Return whether a flag of the match is set; one that its mode does not have has its default."""
    return table.options.get(key, DEFAULTS[key]) is True


def level(table: Table) -> str:
    """Return the level of the Designer's Way, or `OFF`. Source: RuleId("designer.optional"), ruling.level-names."""
    return chosen(table, DESIGNERS_WAY)
