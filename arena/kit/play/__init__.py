"""A person at a table: what is asked and typed, what is shown, and a game with bots."""
