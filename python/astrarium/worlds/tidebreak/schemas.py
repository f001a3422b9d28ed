"""The JSON Schemas of packages and results, for readers in other languages.

`python -m astrarium.worlds.tidebreak.schemas FOLDER` writes them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from astrarium.atomic import write_text
from astrarium.worlds.tidebreak.package import SCHEMA_VERSION, BattlePackage
from astrarium.worlds.tidebreak.result import BattleResult

MODELS: Final = {"package": BattlePackage, "result": BattleResult}


def write(folder: Path) -> None:
    """Write one file for each model."""
    for name, model in MODELS.items():
        text = json.dumps(model.model_json_schema(), indent=1)
        write_text(folder / f"{SCHEMA_VERSION}.{name}.json", text + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
