"""Statements that hold of all events of one type, made beside its struct (`events.vocabulary`).

Whatever treats some types of events unlike others, and needs nothing but such a statement, reads it here: a new event says once
what it is.
"""

from typing import Literal

from events.codec import Struct

SHOWN = "event {} showed what was hidden"
"""The words of a fence that discloses something."""


class Traits(Struct, frozen=True, kw_only=True):
    """The statements about the events of one type; without any, taking commands back undoes it, and it is told in a sentence.

    Attributes:
        is_beside_game: It is not about the game, so that taking commands back does not undo it.
        fence: Why neither it nor anything before it can be taken back, with its number for `{}`; empty if it can.
        is_firm: As a fence, it holds even if all who play agree.
        secrets: Its fields that are redacted for seats outside its `seen_by`.
        is_withheld: It is left out of the streams of seats outside its `seen_by`.
        is_chance: A fork can leave the match so that it happens again with other dice or draws.
        is_pick: It is a step towards an answer: it counts neither for dice nor for how far commands can be taken back.
        is_bookkeeping: It is not worth a sentence.
        may_follow_end: It can happen after the end of the match; what is about the game cannot.
        of: Cards, if it bears on what is known of hidden cards; pieces, if on what is known of hidden pieces.
        by: Of a command that begins with it: the seat that it names or the arbiter has given it; empty if the open decision tells.
    """

    is_beside_game: bool = False
    fence: str = ""
    is_firm: bool = False
    secrets: tuple[str, ...] = ()
    is_withheld: bool = False
    is_chance: bool = False
    is_pick: bool = False
    is_bookkeeping: bool = False
    may_follow_end: bool = False
    of: Literal["", "cards", "pieces"] = ""
    by: Literal["", "seat", "arbiter"] = ""
