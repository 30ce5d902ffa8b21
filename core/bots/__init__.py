"""Questions to bots and their answers, their budgets, the choice of the best option, and worlds to think in: copies of a table in which what a seat cannot know is dealt from its view alone."""
