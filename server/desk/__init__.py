"""The desk: one writer for every match of a store. It knows no socket."""
