"""One trainer for every world: PPO, its config, its run, its players and its examiners."""
