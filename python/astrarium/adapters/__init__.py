"""The same batches of worlds as other libraries like to see them, one module per library.

Each module needs its library, and says which extra brings it when it is missing; none of them is
imported with `astrarium`.
"""
