"""The options of a match: the optional rules, and the rulings that leave the players a choice.

The optional rule of bidding is the mode `auction`, since the seats depend on it (ruling.auction-mode).
"""

from core.game import OptionSpec
from core.games.axis_allies.ids import RACE
from events.ids import RuleId
from projections.table import Table

FACTORY_PLACEMENT = "factory_placement"
ALTERNATIVE_DEPLOYMENT = "alternative_deployment"
BAD_WEATHER_SORTIES = "bad_weather_sorties"
LUFTWAFFE_PRIORITIES = "luftwaffe_priorities"
HEROES = "heroes"
INTERDICTION = "interdiction"
INTERCEPTORS = "interceptors"

COMPONENT_LIMITS = "component_limits"
CAPTURE_TOKENS_WHEN_ALONE = "capture_tokens_when_alone"
BLITZ_NEEDS_MARKER = "blitz_needs_marker"
BLITZ_OPENS_CORRIDOR = "blitz_opens_corridor"
MINOR_AXIS_EXIT_PARTNER = "minor_axis_exit_partner"
EVICT_TO_FRIENDLY_ONLY = "evict_to_friendly_only"
RELOCATED_FIGHTERS_ATTACK = "relocated_fighters_attack"
GROUNDED_FIGHTERS_ATTACK = "grounded_fighters_attack"
AMBUSH_CANCELS_AIR_ATTACK = "ambush_cancels_air_attack"
ALTERNATIVE_DEPLOYMENT_SITES = "alternative_deployment_ambush_sites"

AT_DEPLOYMENT = "deployment"
NO_LIMIT = "none"


def _flag(
    key: str, title: str, rule: str, *, default: bool = False, scenarios: tuple[str, ...] = (), needs: str = ""
) -> OptionSpec:
    return OptionSpec(key, title, default=default, rule=RuleId(rule), scenarios=scenarios, needs=needs)


OPTIONAL_RULES: tuple[OptionSpec, ...] = (
    _flag(FACTORY_PLACEMENT, "Alternative factory placement", "optional.factory-placement", scenarios=(RACE,)),
    _flag(
        ALTERNATIVE_DEPLOYMENT, "Alternative deployment", "optional.alternative-deployment.allies", scenarios=(RACE,)
    ),
    _flag(BAD_WEATHER_SORTIES, "Bad Weather Sorties", "optional.sorties"),
    _flag(LUFTWAFFE_PRIORITIES, "Luftwaffe Priorities", "optional.luftwaffe.roll"),
    _flag(HEROES, "Heroes of the Soviet Union", "optional.heroes.roll"),
    _flag(INTERDICTION, "Interdiction", "optional.interdiction"),
    _flag(INTERCEPTORS, "Interceptors", "optional.interceptors.scramble"),
)
"""Source: RuleId("optional.selection"), RuleId("components.optional-cards")."""

RULINGS: tuple[OptionSpec, ...] = (
    OptionSpec(
        COMPONENT_LIMITS,
        "Whether pieces and chips limit what is deployed",
        default=AT_DEPLOYMENT,
        rule=RuleId("ruling.chips-enforced"),
        choices=(AT_DEPLOYMENT, NO_LIMIT),
    ),
    _flag(
        CAPTURE_TOKENS_WHEN_ALONE,
        "A zone's controller captures enemy tokens once it holds the zone alone",
        "ruling.token-capture-without-change",
    ),
    _flag(BLITZ_NEEDS_MARKER, "A Blitz needs a Combat Marker in the pool", "ruling.blitz-markers", default=True),
    _flag(
        BLITZ_OPENS_CORRIDOR, "Other units may move through what a Blitz took", "ruling.blitz-followers", default=True
    ),
    _flag(
        MINOR_AXIS_EXIT_PARTNER,
        "Minor Axis infantry may pair with Germans that leave the city",
        "ruling.force-multiplier-partner",
    ),
    _flag(EVICT_TO_FRIENDLY_ONLY, "Excess units are moved to friendly zones only", "ruling.stacking-eviction"),
    _flag(
        RELOCATED_FIGHTERS_ATTACK,
        "Fighters that relocate into a battle fire as attackers",
        "ruling.relocated-do-not-attack",
    ),
    _flag(
        GROUNDED_FIGHTERS_ATTACK,
        "Fighters on the ground may attack in their own zone",
        "ruling.grounded-air-attacks",
        default=True,
    ),
    _flag(
        AMBUSH_CANCELS_AIR_ATTACK,
        "An ambush that kills the last attacker on land cancels the air attack",
        "ruling.ambush-with-air-present",
        default=True,
    ),
    _flag(
        ALTERNATIVE_DEPLOYMENT_SITES,
        "The alternative deployment may use Ambush Sites",
        "ruling.alt-deployment",
        scenarios=(RACE,),
        needs=ALTERNATIVE_DEPLOYMENT,
    ),
)

OPTIONS: tuple[OptionSpec, ...] = (*OPTIONAL_RULES, *RULINGS)

DEFAULTS = {spec.key: spec.default for spec in OPTIONS}


def chosen(table: Table, key: str) -> str:
    """Return the reading that a match follows; that of an option that its scenario does not have is the default."""
    value = table.options.get(key, DEFAULTS[key])
    assert isinstance(value, str)
    return value


def is_on(table: Table, key: str) -> bool:
    """Return whether a flag of the match is set; one that its scenario does not have has its default."""
    return table.options.get(key, DEFAULTS[key]) is True
