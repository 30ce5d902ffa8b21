"""Alternatives tried out: each is played on many times by bots, on deals and with dice that all of them share."""
