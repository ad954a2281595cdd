"""The law of the games: pure code, no clock, no file, no process."""
