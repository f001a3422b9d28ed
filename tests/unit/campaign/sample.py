"""Write a sample war, fought by the stand-in: `python sample.py FOLDER [DAYS [SEED]]`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import stand_in

from astrarium.campaign import plan, warring

if __name__ == "__main__":
    days, seed = (int(word) for word in (sys.argv[2:] + ["365", "1"][len(sys.argv) - 2 :])[:2])
    warring.wage(warring.new_war(Path(sys.argv[1]), plan.load(), seed, days), stand_in.fight)
