"""The example of the documentation with a mistake: the largest of the free names is given first.

It is the mistake of ``wrong.py``, in a program that needs no model and so starts at once.
"""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).parents[3] / "docs" / "how-to" / "examples" / "conform" / "driver.py"


def say(line: str, **_more: Any) -> None:
    """Say what the example would, with the names of each answer turned round."""
    said = json.loads(line)
    for step in said.get("answer", {}).get("ops", ()):
        if isinstance(step.get("answer"), list):
            step["answer"].reverse()
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    runpy.run_path(str(DRIVER), {"print": say})
