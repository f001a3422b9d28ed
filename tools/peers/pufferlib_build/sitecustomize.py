"""Lets PufferLib 3.0.0 build without its games, which would need files from the network.

Its setup script promises that with `NO_OCEAN=1`, then reads a name that only exists without it.
A build finds that name here, and finds it empty.
"""

import builtins

builtins.c_extension_paths = []
