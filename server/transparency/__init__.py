"""The log of a server: entries of what its store holds, signed checkpoints, proofs, and the keys that sign."""
