"""The rules of this game, a module for each chapter."""
