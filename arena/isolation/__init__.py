"""What keeps a bot from the rest of the machine, in layers: each is tried on this machine before it is relied on."""
