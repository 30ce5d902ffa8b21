"""The implementation of the verbs. Each module is imported only when one of its verbs runs, and may import whatever it needs."""
