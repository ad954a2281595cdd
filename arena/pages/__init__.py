"""A run as a page for a browser: one file that needs nothing else. Values go in, text comes out."""
