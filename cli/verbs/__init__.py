"""The verbs of the command line, one module per group. Importing this adds them all to the application."""

from cli.verbs import evidence, games, history, matches, play, sockets

GROUPS = (games, matches, play, history, evidence, sockets)
