"""Every published figure, as a function that measures it.

Nothing here is imported by the rest of the package, and nothing here judges a time unless asked:
a report carries the machine, the commit and the command that made it.
"""
