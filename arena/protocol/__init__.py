"""The wire: generated messages and the one module that maps values to them."""
