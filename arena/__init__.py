"""Gin Arena: a tournament platform for gin rummy bots."""

__version__ = "0.1.0"
