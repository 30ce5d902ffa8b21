"""Checks of component files from outside.

The check of a component file follows from its structs (`schema`). A file may say of each figure where it comes from (`provenance`);
what the rulebook states may differ only in a variant (`file_differences`).
"""
