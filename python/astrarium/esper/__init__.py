"""Networks that grow while they train: hosts, the seeds grafted into them, and who decides."""
