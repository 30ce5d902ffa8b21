"""THE WORLD: sockets, clock and disk around the rules.

The SQLite log and archive files, the desk (one writer per match), the broker and its protocol, the client library. It knows
events, projections and rules; none of them knows it.
"""
