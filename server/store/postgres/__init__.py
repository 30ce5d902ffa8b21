"""The log port on PostgreSQL, and on engines that speak its language."""
