"""READ MODELS: what the facts add up to. The table, a seat's view, chronicle, dice, losses, control, diff, catalogue.

Nothing here knows a game or a rule; everything is a fold over events.
"""
