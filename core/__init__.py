"""The rules kernel in folders, of which none imports one above it: `pyproject.toml` lists them in order. Each game is a folder in `games`.

Pure: no clock, no randomness, no input or output. The caller supplies time, seeds and ids.
"""
