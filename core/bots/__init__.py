"""Questions to bots and their answers, their budgets, and the choice of the best option."""
