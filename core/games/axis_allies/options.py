"""The options of a match: the optional rules, and the rulings that leave the players a choice.

The optional rule of bidding is the mode `auction`, since the seats depend on it (ruling.auction-mode).
"""

from core.game.game_record import OptionSpec
from core.games.axis_allies.ids import RACE
from events.ids import RuleId

AT_DEPLOYMENT = "deployment"
NO_LIMIT = "none"


def _flag(key: str, title: str, rule: str, *scenarios: str, default: bool = False, needs: str = "") -> OptionSpec:
    return OptionSpec(key, title, default=default, rule=RuleId(rule), scenarios=scenarios, needs=needs)


def _declared() -> tuple[OptionSpec, ...]:
    """Return the options that are declared so far."""
    return tuple([one for one in [*globals().values()] if isinstance(one, OptionSpec)])


FACTORY_PLACEMENT = _flag("factory_placement", "Alternative factory placement", "optional.factory-placement", RACE)
ALTERNATIVE_DEPLOYMENT = _flag(
    "alternative_deployment", "Alternative deployment", "optional.alternative-deployment.allies", RACE
)
BAD_WEATHER_SORTIES = _flag("bad_weather_sorties", "Bad Weather Sorties", "optional.sorties")
LUFTWAFFE_PRIORITIES = _flag("luftwaffe_priorities", "Luftwaffe Priorities", "optional.luftwaffe.roll")
HEROES = _flag("heroes", "Heroes of the Soviet Union", "optional.heroes.roll")
INTERDICTION = _flag("interdiction", "Interdiction", "optional.interdiction")
INTERCEPTORS = _flag("interceptors", "Interceptors", "optional.interceptors.scramble")
OPTIONAL_RULES = _declared()
"""Source: optional.selection, components.optional-cards."""

COMPONENT_LIMITS = OptionSpec(
    "component_limits",
    "Whether pieces and chips limit what is deployed",
    default=AT_DEPLOYMENT,
    rule=RuleId("ruling.chips-enforced"),
    choices=(AT_DEPLOYMENT, NO_LIMIT),
)
CAPTURE_TOKENS_WHEN_ALONE = _flag(
    "capture_tokens_when_alone",
    "A zone's controller captures enemy tokens once it holds the zone alone",
    "ruling.token-capture-without-change",
)
BLITZ_NEEDS_MARKER = _flag(
    "blitz_needs_marker", "A Blitz needs a Combat Marker in the pool", "ruling.blitz-markers", default=True
)
BLITZ_OPENS_CORRIDOR = _flag(
    "blitz_opens_corridor", "Other units may move through what a Blitz took", "ruling.blitz-followers", default=True
)
MINOR_AXIS_EXIT_PARTNER = _flag(
    "minor_axis_exit_partner",
    "Minor Axis infantry may pair with Germans that leave the city",
    "ruling.force-multiplier-partner",
)
EVICT_TO_FRIENDLY_ONLY = _flag(
    "evict_to_friendly_only", "Excess units are moved to friendly zones only", "ruling.stacking-eviction"
)
RELOCATED_FIGHTERS_ATTACK = _flag(
    "relocated_fighters_attack",
    "Fighters that relocate into a battle fire as attackers",
    "ruling.relocated-do-not-attack",
)
GROUNDED_FIGHTERS_ATTACK = _flag(
    "grounded_fighters_attack",
    "Fighters on the ground may attack in their own zone",
    "ruling.grounded-air-attacks",
    default=True,
)
AMBUSH_CANCELS_AIR_ATTACK = _flag(
    "ambush_cancels_air_attack",
    "An ambush, or Heroes of the Soviet Union, that takes the last attacker on land cancels the air attack",
    "ruling.ambush-with-air-present",
    default=True,
)
ALTERNATIVE_DEPLOYMENT_SITES = _flag(
    "alternative_deployment_ambush_sites",
    "The alternative deployment may use Ambush Sites",
    "ruling.alt-deployment",
    RACE,
    needs=ALTERNATIVE_DEPLOYMENT.key,
)
OPTIONS = _declared()
