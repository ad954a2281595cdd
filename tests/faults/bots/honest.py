"""A bot that waits at the address in ARENA_LISTEN for any number of arenas, and plays as they all do."""

import os

from arena.bot import Bot
from arena.bot.games import Games
from arena.bot.server import Address, introduction, listen

listen(Address("", os.environ["ARENA_LISTEN"], private=False), introduction("honest"), lambda: Games(Bot).answer)
