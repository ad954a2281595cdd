"""The kit of a bot's author: whether a bot can play is checked here, with the program that will let it play."""
