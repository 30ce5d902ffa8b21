"""Parts with which the rules of games are written: drafts, commands, questions, steps, reactions."""
