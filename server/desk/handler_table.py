"""The handlers of the protocol `wardiary/1`."""

from server.desk.arbiter_handlers import ARBITERS
from server.desk.command_handlers import COMMANDS
from server.desk.creation_handlers import CREATIONS
from server.desk.handlers import HandlerTable
from server.desk.query_handlers import QUERIES
from server.desk.seat_handlers import SEATS

HANDLERS = HandlerTable((*QUERIES, *SEATS, *COMMANDS, *CREATIONS, *ARBITERS))
"""One handler for each type of request."""
