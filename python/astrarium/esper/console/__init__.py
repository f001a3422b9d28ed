"""A run of Esper to look at: its lines taken in one by one, and shown on a terminal."""
