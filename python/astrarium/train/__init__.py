"""Training for every world: PPO, imitation, curricula, sweeps, self-play and evaluation."""
