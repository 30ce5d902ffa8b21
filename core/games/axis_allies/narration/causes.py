"""Why things happen, by the rules that events cite: moves, arrivals, losses, RPCs, and what a rule brings about."""

MOVES = {
    "movement.land.points": "{units} {move} from {was} to {to}.",
    "movement.road": "{units} {move} by road from {was} to {to}.",
    "movement.between-boards": "{units} {move} from {was} to {to}.",
    "movement.reinforce-contested": "{units} {move} from {was} into the contested zone {to}.",
    "movement.blitz": "Blitz: {units} {move} from {was} to {to}.",
    "movement.blitz.with-mech": "Blitz: {units} {move} along from {was} to {to}.",
    "movement.volga.load": "{units} {board} at the {to}.",
    "movement.volga.must-offload": "{units} {land} from the {was} in {to}.",
    "ambush.enter": "{units} {hide} in the {to}.",
    "ambush.leave": "{units} {leave} the {was} for {to}.",
    "stacking.opponent-moves-excess": "Excess units: {units} {move} from {was} to {to}, as the enemy chooses.",
    "optional.alternative-deployment.allies": "Alternative deployment: {units} {move} from {was} to {to}.",
    "optional.alternative-deployment.axis": "Alternative deployment: {units} {move} from {was} to {to}.",
    "movement.air.attack-target": "{units} {fly} from {was} to attack {to}.",
    "movement.air.relocate": "{units} {relocate} from {was} to {to}.",
    "unit.bomber.supply-drop": "{units} {fly} a Supply Drop from {was} to {to}.",
    "unit.bomber.supply-landing": "{units} {fly} a Supply Landing from {was} to {to}.",
    "unit.bomber.troop-landing": "{units} {fly} a Troop Landing from {was} to {to}.",
    "optional.interceptors.adjacency": "Interceptors: {units} {scramble} from {was} to {to}.",
    "optional.interceptors.unmoved-attackers": "Interceptors: {units} {scramble} from {was} to {to}.",
    "optional.interceptors.return": "Interceptors: {units} {return} from {was} to {to}.",
    "unit.bomber.air-transport": "{units} {board} a bomber in {was}.",
    "unit.bomber.token-pickup": "{units} {board} a bomber in {was}.",
    "unit.bomber.delivery-time": "Delivered by air: {units} in {to}.",
    "order.5.offload": "Delivered by air: {units} in {to}.",
}
"""How units move, by the rule of the move. Aircraft that land have a sentence of their own."""

PLACINGS = {
    "order.2.even-infantry": "Free infantry",
    "order.2.winter-storm-air": "Operation Winter Storm, free air unit",
    "order.2.odd-supply-token": "Free supply token",
    "order.8.odd-tank": "Production of the tank factory",
    "order.8.even-artillery": "Production of the artillery factory",
    "order.9.zones": "Bought",
    "order.9.supply-tokens": "Bought",
    "winter-storm.zones": "Bought",
    "optional.bidding.spend": "Bought with the award",
    "uranus.deploy.card-together": "Operation Uranus",
    "uranus.deploy.hostile": "Operation Uranus, into a hostile zone",
    "uranus.deploy.air": "Operation Uranus, in the air",
    "movement.force-multiplier.infantry": "Force Multiplier adds",
    "movement.force-multiplier.mech": "Force Multiplier adds",
}
"""Why units and tokens arrive."""

LOSSES = {
    "combat.step3.attacker-chooses": "by the defenders' fire",
    "combat.step4.remove": "by the attackers' fire",
    "ambush.roll": "by the ambush",
    "ambush.destroyed-if-surrounded": "since the enemy controls all zones around the ambusher",
    "movement.force-multiplier.exit-loss": "on leaving the city (Force Multiplier)",
    "stacking.owner-destroys-rest": "for the stacking limit",
    "optional.heroes.roll": "as Heroes of the Soviet Union",
    "optional.heroes.hit": "by Heroes of the Soviet Union",
    "unit.artillery.air-defense.casualty": "by Air Defense",
    "unit.rocket.bombardment.casualty": "by Bombardment",
    "unit.bomber.cargo-lost": "with the bomber that carried it",
    "combat.step6.grounded-air-lost": "on the ground, since the zone was captured",
    "order.5.relocating-land": "since it cannot land",
    "order.6.cannot-land": "since it cannot land",
    "optional.interceptors.return": "since its airfield was captured",
    "order.5.offload": "since it can no longer be dropped there",
    "volga-attack.ferry-result": "with the ferry",
    "volga-attack.icebridge-result": "by the air attack on the ice bridge",
}
"""How units and tokens are lost. Aircraft of Luftwaffe Priorities have a sentence of their own."""

SPENT = ("supply.token.spend", "supply.token.spend-when-supplied")
"""The rules under which supply tokens are spent."""

CHANGES = {
    "order.2.collect": " for the RP zones that its land units hold",
    "order.9.collect": " for their RP zones",
    "optional.luftwaffe.compensation": " for the air unit",
    "optional.bidding.award": " as the award of the bidding",
    "optional.bidding.spend": " of the award",
    "setup.uranus.axis-rpc": " at set-up",
}
"""Why RPCs are collected or spent."""

OUTCOMES = {
    "no-roll": "No Weather Roll this early: the weather is clear.",
    "clear": "The weather is clear.",
    "frozen": "The Volga freezes: ice bridges lie on all Volga Crossings.",
    "no-draw": "No Operation Uranus card is drawn this early.",
    "launched": "Operation Uranus is launched.",
    "no supply token is spent": "No supply token is spent for the force in {about}.",
    "no piece is left": "No piece is left for 1 {about}: it does not arrive.",
    "no supply token is left": "No supply token is left for {about}.",
    "no zone is left": "No zone is left for {about}: its units are lost.",
    "production begins again in the next round": "The factory in {about} was liberated in this round, and produces again from the next one.",
}
"""The sentences of what rules bring about."""

ENDS = {
    "victory.axis-total": "the Axis controls all RP zones of the city, one of them with a supply line",
    "victory.allies-total": "the Allies control the key zones, and the Axis holds no uncontested zone west of the Don",
    "victory.axis-major": "the Axis controls an RP zone of the city with a supply line",
    "victory.allies-major": "the Allies control the key zones and all fortified zones of the city",
    "victory.minor": "neither side has more at the end of the last round",
}
"""Why the match ends."""

FIRE = {
    "attack": "Attack",
    "defense": "Defense",
    "attack on a Volga Crossing": "Attack on the crossing",
    "ambush": "Ambush",
    "Air Defense": "Air Defense",
    "Bombardment": "Bombardment",
}
"""What dice are for, by their purpose."""

VERBS = {
    **{verb: f"{verb}s" for verb in ("move", "board", "land", "hide", "leave", "relocate", "scramble", "return")},
    "fly": "flies",
}
"""The verbs of moves, by their plural."""

ASSIGNED = {
    "unit.artillery.air-defense.assign-first": "Air Defense",
    "unit.rocket.bombardment.assign-first": "Bombardment",
}
"""What fires, by the rule under which targets are assigned."""
