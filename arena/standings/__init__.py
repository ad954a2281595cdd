"""From committed results to ranked tables, with their intervals."""
