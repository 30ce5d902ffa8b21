"""The broker: sockets, limits, the background process, and the server that is made of them."""
