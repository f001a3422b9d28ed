"""A server in a process of its own, for floods: settings as JSON in, its port out."""

from __future__ import annotations

import sys

from astrarium.serve import running
from astrarium.serve.settings import Settings

if __name__ == "__main__":
    settings = Settings.model_validate_json(sys.argv[1])
    with running.listen(settings) as listening:
        print(listening.getsockname()[1], flush=True)
        running.serve(settings, listening)
