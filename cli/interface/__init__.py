"""The verbs of the command line, one module per group. Importing this adds them all to the application."""

from cli.interface import arbiter, evidence, finding, games, history, matches, play, sockets, start, tools

GROUPS = (start, games, matches, finding, play, arbiter, history, evidence, sockets, tools)
