"""Trainers side by side: how many steps a second each learns from, on the same worlds.

Every contender runs alone in a process of its own and answers one question; see `contract`. What
belongs to other libraries is in `tools/peers`, one script each, run by an interpreter that has it.
"""
