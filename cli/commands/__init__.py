"""The implementation of the verbs, in folders by what they are for. Each module is imported only when one of its verbs runs, and may import whatever it needs."""
