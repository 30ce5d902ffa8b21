"""Everything that the author of a game needs: `from wardiary.game import …`.

The short way to write a game are acts (`Act`) and `small_game`; larger games use the ports of `wardiary.core` as well.
`docs/adding-a-game.md` builds one of each kind.
"""

from core.authoring.act import Act
from core.authoring.boards import hex_board, square_board
from core.authoring.small_game import small_game
from core.authoring.worth import by_worth
from core.bots.bot_port import Answer, Asked, Considered, Policy
from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places, Track, families
from core.engine.attributes import Attribute, Number
from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.decision import DecisionRules, Rules
from core.engine.draft import Draft
from core.engine.hidden_dice import DICE, faces_on, show_dice, take_dice_away
from core.engine.selection import Choose, Done, Pick, Picks, Selection, Unpick
from core.game.game_record import Game, Mode, OptionSpec, Scenario
from core.narration.render_model import MapPlace
from core.refusal import Refusal
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    TABLE,
    CardId,
    GameKey,
    MarkerId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import Modifier, Value
from projections.state.table import Open, Table

__all__ = [
    "DICE",
    "NO_SEAT",
    "NO_SIDE",
    "TABLE",
    "Act",
    "Answer",
    "Asked",
    "Attribute",
    "CardId",
    "Cards",
    "Choose",
    "Command",
    "Considered",
    "Counters",
    "Dealing",
    "DecisionRules",
    "Done",
    "Draft",
    "Game",
    "GameKey",
    "Inventory",
    "MapPlace",
    "MarkerId",
    "Memory",
    "Mode",
    "Modifier",
    "Number",
    "Open",
    "OptionSpec",
    "Pick",
    "Picks",
    "PieceId",
    "Pieces",
    "PileId",
    "Piles",
    "PlaceId",
    "Places",
    "Policy",
    "Refusal",
    "RuleId",
    "Rules",
    "Scenario",
    "Seat",
    "Selection",
    "Side",
    "Table",
    "Track",
    "TrackId",
    "Unpick",
    "Value",
    "by_worth",
    "faces_on",
    "families",
    "hex_board",
    "show_dice",
    "small_game",
    "square_board",
    "take_dice_away",
]
