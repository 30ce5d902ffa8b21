"""The rules: a module per chapter, commands, refusals, and what follows from a table."""
