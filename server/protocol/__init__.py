"""The protocol `wardiary/1`: messages, errors, keys, and where time and ids come from. It knows no other room of the server."""
