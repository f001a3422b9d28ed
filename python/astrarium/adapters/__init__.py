"""Adapters to other libraries, one module per library: Gymnasium, PettingZoo, SB3, PufferLib.

Each module needs its library; if it is missing, the error names the extra to install. Importing
`astrarium` imports none of them.
"""
