"""Read models, folded from events: the table and the views of seats (`state`), chronicle, dice, losses, control, diff, catalogue.

Nothing in this package knows a game or a rule.
"""
