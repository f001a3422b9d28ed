"""Wars of two factions, a day at a time, with battles fought by the Tidebreak arena."""
