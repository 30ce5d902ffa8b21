"""Legal commands of a question, and the choice of a bot among them."""
