"""The verbs of the command line, one module per group. Importing this adds them all to the application."""

from cli.verbs import games, matches, play

GROUPS = (games, matches, play)
