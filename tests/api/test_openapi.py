"""The published API is a promise: a change to it must show in a diff.

Run this file (`make openapi`) to accept the present API as the published one.
"""

import json
from pathlib import Path

from astrarium.serve.app import create_app
from astrarium.serve.settings import Settings

PUBLISHED = Path(__file__).parents[2] / "docs" / "openapi.json"


def present() -> str:
    """The API as it is, without the version, which changes with every release."""
    told = create_app(Settings()).openapi()
    del told["info"]["version"]
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


def test_the_api_is_the_published_one() -> None:
    assert PUBLISHED.read_text("utf-8") == present(), "if this is meant, run `make openapi`"


if __name__ == "__main__":
    PUBLISHED.write_text(present(), "utf-8")
