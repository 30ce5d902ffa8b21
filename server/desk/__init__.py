"""The desk: the single writer of a store. It uses no sockets."""
