"""Audits of matches: all commands are played again and compared with the evidence."""
