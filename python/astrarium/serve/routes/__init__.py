"""The routes, by theme. Each asks one part of the observatory and says what it answered."""
