"""Processes beside the pages, which do what takes long for visitors: one piece of work at a time, within limits."""
