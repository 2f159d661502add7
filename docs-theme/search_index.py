"""Keeps the search of the site quick and its results readable: of long tables only the headings are searched.

The pages are made from the code, and repeat what others explain; with them every browser would build an
index twice as large before it answers.
"""

import json
from pathlib import Path
from typing import Any

TABLES = ("reference/coverage/", "reference/functions/", "reference/map/")


def on_post_build(*, config: Any) -> None:
    """Take the text of the tables out of the index, which the search has written before."""
    path = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(lighten(index), separators=(",", ":")), encoding="utf-8")


def lighten(index: dict[str, Any]) -> dict[str, Any]:
    """Leave of the sections of the tables nothing but their titles."""
    docs = [
        {**section, "text": ""} if section["location"].startswith(TABLES) else section
        for section in index["docs"]
    ]
    return {**index, "docs": docs}
