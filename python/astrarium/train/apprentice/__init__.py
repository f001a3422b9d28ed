"""From a scripted teacher to a policy that does better: captured, cloned, trained on, judged."""
