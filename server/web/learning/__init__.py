"""Parts of pages that say how a game is played: its player aid, its rules, the keys, and the advice of a first match."""
