"""What pyproject.toml cannot say: the README as an index shows it, which has none of the files beside it."""

import re
import tomllib
from pathlib import Path
from typing import Final

from setuptools import setup

ROOT: Final = Path(__file__).resolve().parent
LINK: Final = re.compile(r"\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")
PICTURE: Final = re.compile(r"<img src=\"(?![a-z]+:)([^\"]+)\"([^>]*)>\n*")


def write_description(readme: str, source: str | None) -> str:
    """Let links lead to where the source is shown; where nobody has said where that is, leave their text."""
    if source is None:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    pictures = PICTURE.sub(rf'<img src="{source}/raw/HEAD/\1"\2>\n\n', readme)
    return LINK.sub(rf"[\1]({source}/blob/HEAD/\2)", pictures)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        long_description=write_description(
            (ROOT / "README.md").read_text(encoding="utf-8"), project.get("urls", {}).get("Source")
        ),
        long_description_content_type="text/markdown",
    )
