"""Benchmarks: every published figure is a function here that measures it.

A report names the machine, the commit and the command. Benchmarks fail on a slow result only if
asked to.
"""
