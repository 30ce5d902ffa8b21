"""The options of a match: the Designer's Way, and the rulings that leave the players a choice."""

from core.game.game_record import OptionSpec
from core.games.inferno.ids import CO_OP, ONE_VS_ONE, TWO_VS_ONE
from events.ids import RuleId
from projections.state.table import Table

OFF = "off"
RANDOM = "random"
GERMAN_LEADERS = "german"
SOVIET_EASY = "soviet-easy"
HARD = "hard"


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
    return _choice(key, title, rule, choices, needs=DESIGNERS_WAY.key)


def _flag(key: str, title: str, rule: str, *, default: bool = False, modes: tuple[str, ...] = ()) -> OptionSpec:
    return OptionSpec(key, title, default=default, rule=RuleId(rule), modes=modes)


DESIGNERS_WAY = _choice(
    "designers_way", "The Designer's Way and its level", "designer.optional", "off random german soviet-easy hard"
)
DESIGNER_LEVELS = _designer(
    "designer_levels",
    "Whether random Advantages go with one level or with all",
    "ruling.level-names",
    "exclusive advantages-plus-level",
)
CHUIKOV_HQ = _designer(
    "chuikov_hq", "When Chuikov needs a headquarters", "ruling.chuikov-hq-scope", "always advantage-only"
)
DESIGNER_EXTRAS = _designer(
    "designer_extras",
    "When the Advantages that are not Leaders hold",
    "ruling.specials-by-level",
    "advantages-only always",
)
DESIGNER_AA_BRIGADE = _designer(
    "designer_aa_brigade",
    "When the 1077th AA and the 20th Destroyer are special",
    "ruling.aa-brigade-by-level",
    "hard-only always",
)
GERMAN_LEVEL_HAND = _designer(
    "german_level_hand", "The opening hand at the German level", "ruling.german-level-hand", "leaders-only plus-three"
)
DESIGNER: tuple[OptionSpec, ...] = (
    DESIGNERS_WAY,
    DESIGNER_LEVELS,
    CHUIKOV_HQ,
    DESIGNER_EXTRAS,
    DESIGNER_AA_BRIGADE,
    GERMAN_LEVEL_HAND,
)
"""Source: designer.optional."""

SPAWN_TABLE = _choice("spawn_table", "What each Soviet Spawn Hex receives", "ruling.spawn-icons", "A B C")
PIONEER_672_EXTRA = _flag("pioneer_672_extra", "The 672nd Pioneer is a fifth Pioneer card", "ruling.pioneer-672nd")
VICTORY_CHECK = _choice("victory_check", "When victory is checked", "ruling.turn-end", "each-turn full-round")
VICTORY_TIE = _choice(
    "victory_tie",
    "Who wins if both sides meet a condition",
    "ruling.simultaneous-victory",
    "active german soviet draw",
)
OKH_EXTRA_TURNS = _choice(
    "okh_extra_turns",
    "Whether Soviet turns come between extra turns",
    "ruling.okh-soviet-turns",
    "alternate consecutive",
)
SPAWN_CAPTURE_CARD = _choice(
    "spawn_capture_card", "Which captured Spawn Hexes give a card", "ruling.enemy-spawn-hex", "enemy-only any-of-nine"
)
GERMAN_RESHUFFLE = _flag("german_reshuffle", "An empty German deck is formed anew", "ruling.german-deck-empty")
COOP_OPEN_HANDS = _flag(
    "coop_open_hands", "German partners see each other's hands", "ruling.co-op-hand-view", modes=PARTNERS
)
TIE_CHOOSER = _choice(
    "tie_chooser",
    "Who chooses among equally strong Soviet units",
    "ruling.tie-chooser",
    "german owner",
    WITH_SOVIET_SEAT,
)
SOVIET_ADVANCE_CHOICE = _choice(
    "soviet_advance_choice",
    "Which Soviet unit advances after combat",
    "ruling.soviet-1v1-advance",
    "strongest free",
    WITH_SOVIET_SEAT,
)
RUBBLE_AFFECTS_CARDS = _flag(
    "rubble_affects_cards", "Rubble halves the hits of card dice", "ruling.rubble-card-dice", default=True
)
RUBBLE_COUNT = _choice(
    "rubble_count", "Which attackers count for the Rubble Roll", "ruling.rubble-modifier-moment", "survivors declared"
)
OPPORTUNITY_FIRE = _choice(
    "opportunity_fire",
    "How often a unit next to several attacking Stacks fires",
    "ruling.opportunity-once",
    "once-per-unit once-per-stack",
)
CHUIKOV_JOINS_AT_ONCE = _flag(
    "chuikov_joins_at_once",
    "Chuikov revealed in a Soviet attack brings Stacks into it",
    "ruling.chuikov-same-combat-attack",
)
PG_ALWAYS_BONUS = _flag(
    "pg_always_bonus", "A Panzer Grenadier always has the Combined Force Bonus", "ruling.combined-pg"
)
COMBINED_DEFENCE = _flag(
    "combined_defence", "The Combined Force Bonus holds in defence, too", "ruling.combined-defence", default=True
)
SHORT_MOVE_TWICE = _flag("short_move_twice", "The same units may make both Short Moves", "ruling.short-move-same-units")
ROW_AFTER_REMOVAL = _choice(
    "row_after_removal",
    "Whether dice of a row whose unit was Removed still pick up units",
    "ruling.reinforce-row-after-removal",
    "dead in-use",
)
REMOVAL_RETRY = _flag(
    "removal_retry", "A Removal that was impossible is tried again", "ruling.reinforce-removal-retry", default=True
)
DUPLICATE_DICE_ATTACK = _flag("duplicate_dice_attack", "Equal dice attack, too", "ruling.duplicates-and-attacks")
FULL_SPAWN_HEX = _choice(
    "full_spawn_hex", "Cards for a full hex that is due two units", "ruling.spawn-full-two", "one-card card-per-unit"
)
SOVIET_UNIT_TWICE = _flag(
    "soviet_unit_twice",
    "Several dice of a turn may move the same Soviet unit",
    "ruling.moved-unit-again",
    default=True,
)
ZERO_SPAWN_HUMAN = _choice(
    "zero_spawn_human",
    "What a Soviet player does without a Spawn Hex",
    "ruling.zero-spawn-human",
    "draw empty-spawn",
    WITH_SOVIET_SEAT,
)
BLOCKED_DRAWS_CARD = _flag(
    "blocked_draws_card",
    "A Top Stacked Hex that is stuck draws a card",
    "ruling.human-blocked",
    modes=WITH_SOVIET_SEAT,
)
COOP_WINNER = _choice(
    "coop_winner", "Which German partner wins", "ruling.co-op-winner", "german-victory-needed always", PARTNERS
)
COOP_CREDIT = _choice(
    "coop_credit",
    "Which German partner is credited with a hex",
    "ruling.co-op-capture-credit",
    "captor last-entered active",
    PARTNERS,
)
COOP_PLACE_PARTNER = _choice(
    "coop_place_partner",
    "Who places the partner's units",
    "ruling.co-op-place-other-colour",
    "partner caller",
    PARTNERS,
)
RULINGS: tuple[OptionSpec, ...] = (
    SPAWN_TABLE,
    PIONEER_672_EXTRA,
    VICTORY_CHECK,
    VICTORY_TIE,
    OKH_EXTRA_TURNS,
    SPAWN_CAPTURE_CARD,
    GERMAN_RESHUFFLE,
    COOP_OPEN_HANDS,
    TIE_CHOOSER,
    SOVIET_ADVANCE_CHOICE,
    RUBBLE_AFFECTS_CARDS,
    RUBBLE_COUNT,
    OPPORTUNITY_FIRE,
    CHUIKOV_JOINS_AT_ONCE,
    PG_ALWAYS_BONUS,
    COMBINED_DEFENCE,
    SHORT_MOVE_TWICE,
    ROW_AFTER_REMOVAL,
    REMOVAL_RETRY,
    DUPLICATE_DICE_ATTACK,
    FULL_SPAWN_HEX,
    SOVIET_UNIT_TWICE,
    ZERO_SPAWN_HUMAN,
    BLOCKED_DRAWS_CARD,
    COOP_WINNER,
    COOP_CREDIT,
    COOP_PLACE_PARTNER,
)

OPTIONS: tuple[OptionSpec, ...] = (*DESIGNER, *RULINGS)


def level(table: Table) -> str:
    """Return the level of the Designer's Way, or `OFF`. Source: designer.optional, ruling.level-names."""
    return DESIGNERS_WAY.chosen(table)
