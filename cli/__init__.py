"""The command line `wardiary`, a thin layer over the server and the rules."""
