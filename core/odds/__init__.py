"""Chances of what a command leads to: the rules themselves are run with every result that its dice and draws can have.

No rule is stated again: `counting_draft` is a draft whose dice and draws branch, `counting` runs a command along every branch and adds up,
`possible_tables` deals what a seat cannot know. What a result is called, and which rolls decide something, a game says (`game_rolls`).
"""
