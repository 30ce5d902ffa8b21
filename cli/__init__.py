"""People: the commands of `wardiary`, thin over the server and the rules."""
