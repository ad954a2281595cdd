"""Generated from proto/arena/v1 by tools/generate_protocol.py; never edited by hand."""
