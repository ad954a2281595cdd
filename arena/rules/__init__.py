"""The law of the games: pure code, no clock, no file, no process.

docs/rules.md is the law in prose. Comments cite its numbers, as in RULES 1.1.4, RULES A8, or T5 alone.
"""
