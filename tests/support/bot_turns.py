"""Turns of a server's bots in one process, without workers."""

from events.codec import Raw, encode
from server.bots.bot_turns import Turn, check_choice, choose, look, settle
from server.bots.work_messages import Question
from server.client.bots import Followed
from server.client.client import Client


def play_turn(client: Client, turn: Turn) -> bool:
    """Do what a bot has to do, and return whether to look again."""
    found = look(client, turn)
    if not isinstance(found, Question):
        return found
    command = Raw(encode(choose(found, Followed(client, turn.match, turn.seat))))
    check_choice(found, command)
    return settle(client, turn, found, command)
