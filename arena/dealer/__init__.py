"""Plays games with players: many tables at once, in batches, recording every hand."""
