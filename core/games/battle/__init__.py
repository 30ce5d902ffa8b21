"""Battle for Stalingrad: two players, secret hands, reactions. The record of the game comes with its rules."""
