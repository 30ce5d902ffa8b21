"""Component files: what is in the box, as the shipped file or an owner's has it. Knows no game.

A game declares one annotated struct per record (`schema`). From these come the check of a file, the values that the rules use, the
JSON Schema and the documentation of the file. The shipped file says of each figure where it comes from (`provenance`); what
the rulebook states may differ only in a variant (`difference`). `component_file` loads.
"""
