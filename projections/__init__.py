"""Read models, folded from events: the table, a seat's view, chronicle, dice, losses, control, diff, catalogue.

Nothing in this package knows a game or a rule.
"""
