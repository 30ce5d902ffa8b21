"""The broker: sockets, limits, the background process, and the server built from them."""
