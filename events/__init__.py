"""Events: the shared vocabulary, commits, the codec, the hash chain, the log port and archive files.

Nothing in this package knows a game, a rule, a clock, a socket or a disk.
"""
