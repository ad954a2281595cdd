"""A series from its file to its last game: configuration, schedule, runner."""
