"""The server: sockets, clock and disk around the rules.

Five subpackages, each of which may import only those after it: `broker` (sockets, limits, the background process) and beside it
`client` (blocking, asynchronous, local, bots); `desk` (one writer per match); `store` (SQLite, archives, private files);
`protocol` (messages, errors, keys). The server imports events, projections and rules; none of them imports it.
"""
