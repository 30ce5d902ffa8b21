"""The protocol `wardiary/1`: messages, errors, keys, and the ports for time and ids. It imports no other part of the server."""
