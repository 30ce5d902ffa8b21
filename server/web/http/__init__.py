"""Requests and responses: addresses, cookies, limits, faults, files, the frame of a page."""
