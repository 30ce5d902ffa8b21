"""The sets of colours of a drawing."""

AUTO, LIGHT, DARK, PRINT = "auto", "light", "dark", "print"
THEMES = (AUTO, LIGHT, DARK, PRINT)
"""`auto` follows the reader's setting, where the viewer knows it."""
