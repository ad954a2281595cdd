"""The conformance check of a bot: its steps (`course`), what they ask (`scenes`), who answers (`candidate`)."""
