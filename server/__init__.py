"""The world: sockets, clock and disk around the rules."""
