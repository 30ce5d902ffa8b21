"""The server: sockets, clock and disk around the rules.

Its subpackages may each import only those after it: `web` (pages for browsers); `broker` (sockets, limits, the background process),
beside it `client` (blocking, asynchronous, local, bots) and `report` (a match as one page for reading and printing); `desk` (one
writer per match); `store` (SQLite, archives, private files); `protocol` (messages, errors, keys) and beside it `pages` (the parts of
which pages are made). The server imports events, projections and rules; none of them imports it.
"""
