"""Verbs of evidence: audits, reports, keys, packs."""
