"""Everything that the author of a game needs: `from wardiary.game import …`.

The short way to write a game are acts (`Act`) and `small_game`; larger games implement the ports `Rules`, `Narration` and `Positions`.
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
from core.engine.decision import Rules
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.hidden_dice import DICE, faces_on, show_dice, take_dice_away
from core.engine.selection import Choose, Done, Pick, Picks, Selection, Unpick
from core.errors import SetupInvalid
from core.game.bound_game import BoundGame, Positions
from core.game.game_record import Game, Mode, OptionSpec, Scenario
from core.game_files.printed_names import printed_words
from core.narration.narration_port import Narration
from core.narration.place_name import PlaceName
from core.narration.render_model import MapPlace, Picture
from core.narration.sheet import Drawing
from core.narration.told_option import Told
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, Position
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    TABLE,
    CardId,
    Digest,
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
from events.vocabulary import DiceRolled, Event, Modifier, Value
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
    "BoundGame",
    "CardId",
    "Cards",
    "Choose",
    "Command",
    "Considered",
    "Counters",
    "Dealing",
    "DecisionRules",
    "Decoder",
    "Defect",
    "DiceRolled",
    "Digest",
    "Done",
    "Draft",
    "Drawing",
    "Event",
    "Game",
    "GameKey",
    "Inventory",
    "MapPlace",
    "MarkerId",
    "Memory",
    "Mode",
    "Modifier",
    "Narration",
    "Number",
    "Open",
    "OptionSpec",
    "Pick",
    "Picks",
    "Picture",
    "PieceId",
    "Pieces",
    "PileId",
    "Piles",
    "PlaceId",
    "PlaceName",
    "Places",
    "Policy",
    "Position",
    "Positions",
    "Refusal",
    "RuleId",
    "Rules",
    "Scenario",
    "Seat",
    "Selection",
    "SetupInvalid",
    "Side",
    "Table",
    "Told",
    "Track",
    "TrackId",
    "Unpick",
    "Value",
    "by_worth",
    "faces_on",
    "families",
    "hex_board",
    "position_defects",
    "printed_words",
    "show_dice",
    "small_game",
    "square_board",
    "take_dice_away",
]
