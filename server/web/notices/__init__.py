"""Notices for players over days: your turn, and the end of a match, by mail, webhook or chat, sent beside the pages."""
