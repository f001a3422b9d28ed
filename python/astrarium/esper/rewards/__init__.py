"""What a step of a growing host is worth: named terms, one table of them per mode."""
