"""Matches that bots play on: trials in processes of their own, and the shares of wins that they give at the points of a match."""
