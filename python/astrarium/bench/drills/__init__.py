"""How fast Esper is on this machine, and how it holds when things go wrong: drills, measured."""
