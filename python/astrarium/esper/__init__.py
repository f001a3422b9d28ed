"""Neural networks that grow while they train: hosts, grafted seeds and their controllers."""
