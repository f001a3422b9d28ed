"""`python -m astrarium` is the `astrarium` command."""

from astrarium.cli import main

main()
