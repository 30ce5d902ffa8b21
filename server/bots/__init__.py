"""BOTS: those that a server plays itself, in a process beside it, as clients that see only what their seats see."""
