"""Does growth pay? Ways to grow a host, compared at equal compute on the same seeds."""
