"""A bot as a process or an address: how it is found, started, asked, timed and ended."""
