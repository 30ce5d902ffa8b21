"""Components of a game: what is in the box, as the shipped file or an owner's has it, and where it may lie. Knows no game.

A game declares one annotated struct per record (`fields`) and an `inventory`. From these come the values that the rules use, and in
`core.file_checks` the check of another file, the JSON Schema and the documentation of the file.
"""
