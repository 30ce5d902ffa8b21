"""The log of a server as a transparency log: entries, Merkle tree, signed notes, checkpoints and proofs.

Pure functions; `server.transparency` makes entries of a store's commits and signs checkpoints. Formats: RFC 9162 (tree), C2SP signed-note,
tlog-checkpoint and tlog-proof, RFC 8032 (Ed25519).
"""
