"""What is kept of a run: the store, the notation of a hand, export, replay, verification."""
